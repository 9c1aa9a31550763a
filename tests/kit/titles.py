"""The titles that come with Railpost, for tests that hold every one of them to something."""

from __future__ import annotations

from typing import Final

from engine.titles.registry import PACKAGES

TITLES: Final = tuple(name for name, package in PACKAGES.items() if package.startswith("engine.titles."))
