"""The end of the game, and who is how rich then."""

from __future__ import annotations

from typing import Final

from engine.core.events import EndSignalled, GameOver, Marked
from engine.core.ids import PlayerId
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.ledger import shares
from engine.titles.t1863.names import ENDING
from engine.titles.t1863.shares import players_in, shorts_of

LAST_TRAIN: Final = "trains"
LAST_MARKER: Final = "lptb"
BANKRUPTCY: Final = "bankruptcy"
LAST_PLAYER: Final = "last_player"
"""Why the game ends."""


def signal_end(play: Play, reason: str) -> None:
    """The end is in sight: the set of rounds is finished, and one more follows."""  # rule 11.1
    if ENDING not in play.state.marks:
        play.emit(Marked(ENDING, reason), EndSignalled(reason, "one_more_set"))


def score(title: Title, state: State, player: PlayerId) -> int:
    """Cash and shares at their prices, less shorts; privates count nothing."""  # rule 11.3
    total = state.money(player)
    for company in state.prices:
        net = shares(title, state, player, company) - shorts_of(state, player, company)
        total += net * title.price(state, company)
    return total


def finish(play: Play) -> None:
    """Loans are repaid, then the final standings; equal wealth shares the place."""  # rule 11.3
    rows = [(p, score(play.title, play.state, p)) for p in play.state.players]
    play.emit(GameOver(tuple(sorted(rows, key=lambda row: -row[1])), play.state.marks.get(ENDING, LAST_TRAIN)))


def end_at_once(play: Play) -> None:
    """End the game before the next question where only one player is solvent."""  # rule 11.2
    if not play.state.finished and len(players_in(play.state)) < 2:
        finish(play)
