"""How long tests wait. No test is right or wrong by these: a machine may be as busy as it likes."""

from __future__ import annotations

from typing import Final

PATIENCE: Final = 60.0
"""Seconds for what must come."""
SILENCE: Final = 3.0
"""Seconds after which a server that falls silent is given up, where a test has one: it waits so long every time."""
