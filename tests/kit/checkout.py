"""Where the checkout lies, for tests that read its files or start programs in it."""

from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
