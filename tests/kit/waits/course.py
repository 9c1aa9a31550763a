"""The course of a game that is known to its end: every order with its player and its question, in pieces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from engine import Ask, Game, Range, Refused
from engine.core.events import CompanyLeft, Event, RoundBegan, TurnEnded
from engine.core.ids import PlayerId
from engine.core.orders import Order, Run
from moderator.domain.ahead.bids import bid_range

_STOCK = "stock.turn"


@dataclass(frozen=True, slots=True)
class Step:
    """An order of the course. ``ask``: the question that it answers; None for one that was given unasked."""

    number: int
    player: str
    order: Order
    ask: Ask | None
    events: tuple[Event, ...]
    round: str
    bids: Range | None = None
    """The bids that were possible, if it answers a lot."""
    standing: int | None = None
    """The bid that stood then."""

    @property
    def kind(self) -> str:
        """The kind of the question, without the part of a company's turn."""
        what = "unasked" if self.ask is None else self.ask.what
        return "company" if what.startswith("company.") else what

    @property
    def purpose(self) -> tuple[str, ...]:
        """Equal for steps that are kept for the same occasion: the lot, the company's turn, the player's turn."""
        if self.ask is not None and self.ask.what.startswith("auction."):
            return ("lot", *self.ask.about[:1])
        return (self.kind, str(self.order.actor))


@dataclass(slots=True)
class Piece:
    """The steps with which one player answers one question, or plays one turn. Others may be asked in between."""

    steps: list[Step] = field(default_factory=list)

    @property
    def first(self) -> Step:
        return self.steps[0]

    def since(self, number: int) -> tuple[Order, ...]:
        """Its orders from step ``number`` on."""
        return tuple(step.order for step in self.steps if step.number >= number)


class Course:
    """``given``: the orders with their players; ``start``: the game before the first."""

    def __init__(self, name: str, start: Game, given: Sequence[tuple[PlayerId, Order]]) -> None:
        self.name, self.start = name, start
        self.steps: list[Step] = []
        self.pieces: list[Piece] = []
        self.piece_of: list[Piece] = []
        """Of each step."""
        self._best: dict[int, bool] = {}
        self.changes = 0
        """How often the players who are asked change."""
        self._go_through(given)

    def _go_through(self, given: Sequence[tuple[PlayerId, Order]]) -> None:
        game, open_pieces = self.start.fork(), dict[tuple[str, str, str], Piece]()
        asked = {ask.player for ask in game.asked()}
        for number, (player, order) in enumerate(given):
            ask = next((a for a in game.asked() if (a.player, a.actor) == (player, order.actor)), None)
            round = game.state.round
            bids, lot = (None if ask is None else bid_range(game, ask)), game.lot()
            standing = lot.amount if lot is not None else None
            events = game.submit(order)
            if isinstance(events, Refused):
                raise ValueError(f"{self.name}: order {number} is refused: {events}")
            when = f"{round.kind} {round.set}.{round.number}"
            step = Step(number, str(player), order, ask, events, when, bids, standing)
            key = (step.player, str(order.actor), step.kind)
            piece = open_pieces.pop(key, None) if ask is not None else None
            if piece is None:
                piece = Piece()
                self.pieces.append(piece)
            piece.steps.append(step)
            self.steps.append(step)
            self.piece_of.append(piece)
            if ask is not None:
                open_pieces[key] = piece
            open_pieces = {key: one for key, one in open_pieces.items() if _goes_on(game, one, events)}
            now = {one.player for one in game.asked()}
            self.changes += now != asked
            asked = now
        self.end = game

    @property
    def players(self) -> tuple[str, ...]:
        return tuple(str(player) for player in self.start.setup.players)

    @cached_property
    def rounds(self) -> int:
        return sum(isinstance(event, RoundBegan) for step in self.steps for event in step.events)

    def later(self, player: str, number: int) -> list[Piece]:
        """The pieces of ``player`` that begin at step ``number`` or later, the next first."""
        return [piece for piece in self.pieces if piece.first.player == player and piece.first.number >= number]

    def pause_before(self, number: int) -> int:
        """The last step up to ``number`` at which nobody is in the middle of a turn."""
        spans = [range(piece.first.number + 1, piece.steps[-1].number + 1) for piece in self.pieces]
        return next(one for one in range(number, -1, -1) if not any(one in span for span in spans))

    def runs_best(self, step: Step) -> bool:
        """True if the runs of ``step`` earn as much as the best ones: then ``run best`` would have been the same."""
        if step.number not in self._best:
            assert isinstance(step.order, Run)
            game, company = self.end.fork(), step.order.actor
            game.undo(step.number)
            least = game.best_run(company).value
            self._best[step.number] = game.check_run(company, step.order.routes).total >= least
        return self._best[step.number]


def _goes_on(game: Game, piece: Piece, events: Sequence[Event]) -> bool:
    """True if the turn of a ``piece`` is not over after ``events``."""
    first = piece.first
    if first.kind == "company":
        left = any(isinstance(e, TurnEnded | CompanyLeft) and e.company == first.order.actor for e in events)
        return not left and not any(isinstance(event, RoundBegan) for event in events)
    if first.kind != _STOCK or any(isinstance(event, RoundBegan) for event in events):
        return False
    return any((a.player, a.actor, a.what) == (first.player, first.order.actor, _STOCK) for a in game.asked())
