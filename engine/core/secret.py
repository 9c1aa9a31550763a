"""A type for texts that nobody may see before the end of a game, so that none is shown by mistake."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, repr=False)
class Secret:
    """A text that is shown by no ``repr``, ``str`` or format. ``reveal`` alone gives it, to whoever asks by name."""

    _text: str = ""

    def reveal(self) -> str:
        """The text; ``""`` where it has been taken out."""
        return self._text

    def __bool__(self) -> bool:
        return bool(self._text)

    def __repr__(self) -> str:
        return "<secret>" if self._text else "<nothing secret>"


HIDDEN: Final = Secret()
"""In the place of a secret that has been taken out."""
