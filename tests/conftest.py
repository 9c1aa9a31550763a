"""What all tests share. Recorded games are no part of the checkout; tests that need them say so when there are none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.toy_service import game, table

CHECKOUT = Path(__file__).resolve().parents[1]

# The same examples on every run, and no verdict that depends on how fast the machine is.
settings.register_profile(
    "railpost", derandomize=True, database=None, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("railpost")


@pytest.fixture(scope="session")
def checkout() -> Path:
    """The folder that holds pyproject.toml."""
    return CHECKOUT


@pytest.fixture(scope="session")
def records() -> Path:
    """The folder of recorded games: ``$RAILPOST_RECORDS``, or ``shared/records`` beside the checkout."""
    named = os.environ.get("RAILPOST_RECORDS")
    folder = Path(named) if named else CHECKOUT.parent / "shared" / "records"
    if folder.is_dir():
        return folder
    if named:
        pytest.fail(f"RAILPOST_RECORDS is {named}, and that is no folder")
    pytest.skip("no recorded games: set RAILPOST_RECORDS to their folder (with 1861/29683.json in it)")


__all__ = ["game", "table"]
