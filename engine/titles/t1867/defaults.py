"""Defaults for a silent player of 1867."""

from __future__ import annotations

from typing import Final

from engine.defaults.rule import Table
from engine.families.f1867.defaults import FAMILY

DEFAULTS: Final[Table] = FAMILY
