"""Types for secrets: texts that nobody may see before the end of a game, and orders that only their owner may see until
they are opened. Neither can be shown by mistake."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.core.ids import PlayerId
from engine.core.orders import Order


@dataclass(frozen=True, slots=True, repr=False)
class Secret:
    """A text that no ``repr``, ``str`` or format shows. Only an explicit call of ``reveal`` returns it."""

    _text: str = ""

    def reveal(self) -> str:
        """Return the text; ``""`` if it has been taken out."""
        return self._text

    def __bool__(self) -> bool:
        return bool(self._text)

    def __repr__(self) -> str:
        return "<secret>" if self._text else "<nothing secret>"


HIDDEN: Final = Secret()
"""The value that replaces a secret that has been taken out."""


class NotKnownHere(ValueError):
    """A secret was requested from a position without it, such as one seat's view."""


@dataclass(frozen=True, slots=True, repr=False)
class SealedOrder:
    """An order that nobody except the player who gave it may see until all such orders are opened together. No
    ``repr``, ``str`` or format shows it; ``opened`` returns it. ``blank``: the order without its contents, as others
    see it."""

    actor: PlayerId
    blank: Order
    _order: Order | None = None

    @property
    def known(self) -> bool:
        """True if the contents are present."""
        return self._order is not None

    def opened(self) -> Order:
        """Return the order. ``NotKnownHere`` if it has been taken out."""
        if self._order is None:
            raise NotKnownHere(f"the sealed order of {self.actor} is not known here")
        return self._order

    def taken_out(self) -> SealedOrder:
        """Return the same without its contents, as others see it."""
        return SealedOrder(self.actor, self.blank)

    def __repr__(self) -> str:
        return f"<sealed order of {self.actor}>"
