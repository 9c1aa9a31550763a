"""Defaults for a silent player of 1861."""

from __future__ import annotations

from typing import Final

from engine.defaults.choices import silent
from engine.defaults.rule import DefaultRule, Table
from engine.families.f1867.defaults import FAMILY

DEFAULTS: Final[Table] = {**FAMILY, "state_railway.run": (DefaultRule("runs_best_for_state", silent),)}
