"""All kinds of lots, with the rules for each."""

from __future__ import annotations

from typing import Final

from engine.titles.t1863.failures.acquisition import ACQUISITION, ACQUISITIONS
from engine.titles.t1863.failures.lots import LotStep
from engine.titles.t1863.failures.parts import PART_LOTS
from engine.titles.t1863.privates.sales import PRIVATE, PRIVATE_LOTS

LOTS: Final = LotStep({PRIVATE: PRIVATE_LOTS, **PART_LOTS, ACQUISITION: ACQUISITIONS})
