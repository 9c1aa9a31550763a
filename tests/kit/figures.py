"""The printing of figures."""

from __future__ import annotations

from collections.abc import Callable

Say = Callable[[str], None]
"""Prints a figure."""
