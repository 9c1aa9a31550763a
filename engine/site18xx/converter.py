"""Records of 18xx.games as orders: the beginning of the converters of all titles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from engine.core.game import Game
from engine.core.ids import PlayerId
from engine.site18xx.handlers import play_dividend
from engine.site18xx.places import Tiles
from engine.site18xx.walk import Action, Walk


@dataclass(slots=True)
class SiteConverter:
    """Converts the effective actions of a record (undo and redo resolved) and plays them in a game of our own. The
    converter of a title has a method ``on_TYPE`` for each other type of action.

    ``PAYMENTS``: the site's word for a dividend -> ours.
    """

    PAYMENTS: ClassVar[Mapping[str, str]] = {}

    game: Game
    players: Mapping[str, PlayerId]
    actions: Sequence[Action]
    over: bool = True
    """True if the site has played the game to its end."""
    walk: Walk = field(init=False)
    _tiles: Tiles = field(default_factory=Tiles)

    @staticmethod
    def privates(players: int, actions: Sequence[Action], seed: int | None) -> tuple[str, ...] | None:
        """Privates in play, where the site removes some at random; None means all. Raises ``ValueError`` if they cannot
        be determined."""
        return None

    def on_dividend(self, action: Action) -> None:
        play_dividend(self.walk, action, self.PAYMENTS)

    def on_end_game(self, action: Action) -> None:
        """Do nothing: the players ended the game on the site before its end by the rules."""
