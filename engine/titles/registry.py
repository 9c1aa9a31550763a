"""The package of each title. It decides nothing in a game, so a new title does not change the rules of the others."""

from __future__ import annotations

from typing import Final

PACKAGES: Final = {
    "1861": "engine.titles.t1861",
    "1844": "engine.titles.t1844",
    "1841": "engine.titles.t1841",
    "1863": "engine.titles.t1863",
    "1867": "engine.titles.t1867",
}
"""Name of a title -> its package; ``add_title`` adds those from elsewhere."""
