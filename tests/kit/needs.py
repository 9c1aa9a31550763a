"""Tests that need servers which are not part of Python: what is said where they are missing.

They are skipped with a reason on a developer's machine, and fail in CI: there nothing may be left out.
"""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def in_ci() -> bool:
    return os.environ.get("CI", "").lower() in {"1", "true", "yes"}


def lacking(reason: str) -> NoReturn:
    """End the test: ``reason`` says in one line what is missing and how to get it."""
    if in_ci():
        pytest.fail(f"in CI nothing may be missing: {reason}", pytrace=False)
    pytest.skip(reason)
