"""The invitation to give orders ahead when a round begins: what will be asked, and a block ready to answer with.

All lines that are offered come from ``_Offers``. Only what the notation can read, and what would be kept, is offered.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from engine import Ask, Game
from engine.acts.run_trains import able_to_run
from engine.core import orders as o
from engine.core.events import CompanyOpened, TurnBegan, TurnEnded
from engine.core.ids import CompanyId, PlayerId, PrivateId
from engine.core.programs import AuctionPlan, BuyShares, DeclineMergers, PassUntil, TurnRoutine
from engine.holders.charters import charter_of
from grammar import Vocabulary, read
from moderator.domain.ahead.foresight import Passing, foresee_all
from moderator.domain.ahead.orders import Held
from moderator.domain.block import play_block
from moderator.domain.fork import Fork
from moderator.domain.rounds import MERGER_ROUND, OPERATING_ROUND, STOCK_ROUND, round_so_far

Kind: TypeAlias = Literal["stock", "operating", "merger", "auction"]
Kept: TypeAlias = Collection[tuple[str, str]]
"""Actor and occasion of each turn or limit that the player has given ahead (``kept_of``)."""

_PLAN: Final = "plan"
"""Stands among what is kept for a plan, which answers in all auctions."""
REMARK: Final = "// "
"""The beginning of a line that is an example: it counts once this is taken away."""
_PASS: Final = ("pass until anybody acts", "pass")
_RUN: Final = ("run best; pay full; done", "run best")
_RUN_ALONE: Final = ("run best; done",)
"""For a company of a single certificate, which pays its owner by itself."""
_DECLINE: Final = ("decline",)
_MOST_LOTS: Final = 6
"""The number of lots for which an example is given."""
_MOST_TURNS: Final = 40
_MOST_KNOWN: Final = 500
_KNOWN: dict[tuple[str, bool, str], bool] = {}
"""Title, if it stands under the head of a company, and a form -> True if the notation can read it. To find out
why a form cannot be read takes longer than all the rest."""


@dataclass(frozen=True, slots=True)
class Invitation:
    """An invitation to give orders ahead. ``lines``: of the block; none is left out of it. ``place``: of the player's
    turn in a stock round; ``after``: the players who come before him. ``companies``: his, with their
    places. ``later``: he is on turn, and this is about what comes after it. ``standing``: the notation knows orders
    that stand until they are taken back."""

    kind: Kind
    lines: tuple[str, ...]
    place: int = 1
    after: tuple[str, ...] = ()
    companies: tuple[tuple[int, str], ...] = ()
    later: bool = False
    standing: bool = False


def kept_of(held: Iterable[Held]) -> Kept:
    """The turns and limits in what a player has given ahead. A standing order stands for the turns that it answers."""
    found: set[tuple[str, str]] = set()
    for one in held:
        match one.lead:
            case o.Standing(program=AuctionPlan()):
                found.add((one.actor, _PLAN))
            case o.Standing(program=TurnRoutine()):
                found.add((one.actor, f"turn {one.actor}"))
            case o.Standing(program=DeclineMergers()):
                found.add((one.actor, f"merger {one.actor}"))
            case o.Standing(program=PassUntil() | BuyShares()):
                found.add((one.actor, "stock"))
            case _ if one.kind in ("turn", "limit"):
                found.add((one.actor, str(one.occasion)))
    return found


def invitation(game: Game, names: Vocabulary, player: str, kept: Kept = ()) -> Invitation | None:
    """The invitation to ``player`` in the round under way, without what he has ``kept`` already; None if there is
    nothing to give ahead. Nobody who is asked for a bid is told again that he may give limits, or that he may pass:
    in an auction in a stock round, ``pass`` would leave the auction."""
    lot, kind, own = game.lot(), _kind_of(game), any(ask.player == player for ask in game.asked())
    bidding = own and lot is not None and lot.holder is not None
    if game.finished or bidding or any(ask.sealed for ask in game.asked()):
        return None
    seen = game.seen_by(PlayerId(player))
    passing = Passing(seen, player)
    companies = _companies(seen, player, kind, kept, passing)
    offers = _Offers(seen, names, player, passing)
    lines = offers.of(kind, [name for _, name in companies], kept)
    turns = list(dict.fromkeys(str(ask.player) for ask in _asked(passing))) if lines and kind == "stock" else [player]
    if not lines or player not in turns:  # perhaps he is passed over, or nobody can tell
        return None
    before = turns[: turns.index(player)]
    standing = offers.readable(player, _PASS) == _PASS[0]
    return Invitation(kind, lines, len(before) + 1, tuple(before), tuple(companies), own, standing)


def _kind_of(game: Game) -> Kind:
    """The kind of the round under way. An auction is a round in which the privates are sold."""
    privates = any(lot in game.title.privates for lot in game.lots_to_come())
    if privates and any(ask.what.startswith("auction.") for ask in game.asked()):
        return "auction"
    match game.state.round.kind:
        case kind if kind == OPERATING_ROUND:
            return "operating"
        case kind if kind == MERGER_ROUND:
            return "merger"
        case kind if kind == STOCK_ROUND:
            return "stock"
    return "auction"


# ---- who is asked ----------------------------------------------------------------------------------------------------


def _asked(passing: Passing) -> Iterable[Ask]:
    """The questions of the round if everybody passes, as far as they are known."""
    for steps in range(_MOST_TURNS):
        fork = passing.after(steps)
        if fork is None:
            return
        yield from fork.game.asked()[:1]


def _companies(game: Game, player: str, kind: Kind, kept: Kept, passing: Passing) -> list[tuple[int, str]]:
    """The companies of ``player`` that will be asked in this round, with their places in it, without those that are
    asked now or have orders kept."""
    now = {ask.actor for ask in game.asked()}
    if kind == "operating":
        order = _operating(game)
        gone = _without_turn(game)
        places = [(place, str(company)) for place, (company, director) in enumerate(order, 1) if director == player]
        left = {ask.actor for ask in _asked(passing)} if gone is None else {name for _, name in places} - gone
        free = [(place, company) for place, company in places if company in left]
    elif kind == "merger":
        asks = [ask for ask in _asked(passing) if ask.player == player and ask.actor in game.state.companies]
        free = [(0, str(company)) for company in dict.fromkeys(ask.actor for ask in asks)]
    else:
        return []
    occasion = {"operating": "turn", "merger": "merger"}[kind]
    return [(at, one) for at, one in free if one not in now and (one, f"{occasion} {one}") not in kept]


def _operating(game: Game) -> list[tuple[CompanyId, PlayerId]]:
    """The companies that operate, in their order, each with its director."""
    title, state = game.title, game.state
    order = title.policies.operating_order(title, state)
    directed = [(company, title.policies.director(title, state, company)) for company in order]
    return [
        (company, who) for company, who in directed if who is not None and state.companies[company].status == "open"
    ]


def _without_turn(game: Game) -> set[str] | None:
    """The companies that have begun a turn in the round under way, or were founded in it and perhaps have none. None if
    the game began in the middle of this round, or if it is too long to follow it back."""
    events = round_so_far(game)
    if events is None:
        return None
    return {str(event.company) for event in events if isinstance(event, TurnBegan | TurnEnded | CompanyOpened)}


# ---- what is offered -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Offers:
    """The lines that are offered to one player, in the notation ``names``."""

    game: Game
    names: Vocabulary
    player: str
    passing: Passing

    def of(self, kind: Kind, companies: Sequence[str], kept: Kept) -> tuple[str, ...]:
        """All lines, with their heads: the first form of each that can be read, if it would be kept and would not be
        refused as things stand. Amounts in an auction are examples, behind ``REMARK``."""
        wanted: list[tuple[str, tuple[str, ...]]] = []
        match kind:
            case "auction":
                return tuple(REMARK + line.removeprefix(f"{self.player}: ") for line in self._limits(kept))
            case "stock":
                asked = any(ask.player == self.player for ask in self.game.asked())
                if (self.player, "stock") not in kept:
                    wanted = [(self.player, _PASS[:1] if asked else _PASS)]
            case "merger":
                wanted = [(company, _DECLINE) for company in companies]
            case "operating":
                wanted = [(company, self._turn(company)) for company in companies]
        lines = (self._keepable(head, forms) for head, forms in wanted)
        return tuple(line for line in lines if line)

    def readable(self, head: str, forms: Iterable[str]) -> str:
        """The first of ``forms`` that can be read under ``head``; empty if there is none."""
        for form in forms:
            key = self.names.title, head in self.game.state.companies, form
            if key not in _KNOWN:
                reading = read(f"{head}: {form}", self.names, default_actor=head)
                clear = not reading.errors and not reading.words and not reading.skipped
                if len(_KNOWN) >= _MOST_KNOWN:
                    _KNOWN.clear()
                _KNOWN[key] = bool(reading.orders) and clear
            if _KNOWN[key]:
                return form
        return ""

    def _turn(self, company: str) -> tuple[str, ...]:
        """The forms of a turn for a company that can run; none for any other: its director must first decide."""
        title, state, id = self.game.title, self.game.state, CompanyId(company)
        if not able_to_run(title, state, id):
            return ()
        return _RUN if len(charter_of(title, state, id).certificates) > 1 else _RUN_ALONE

    def _limits(self, kept: Kept) -> Iterable[str]:
        """Examples of bids for the lots to come; none for a player with a plan."""
        if (self.player, _PLAN) in kept:
            return []
        privates = self.game.title.privates
        lots = [PrivateId(lot) for lot in self.game.lots_to_come() if lot in privates]
        free = [lot for lot in lots if (self.player, f"lot {lot}") not in kept][:_MOST_LOTS]
        amounts = {lot: max(privates[lot].face, privates[lot].minimum) for lot in free}
        parts = [f"{lot} {amount}" for lot, amount in amounts.items()]
        if len(free) > 1:  # an example for two of them
            parts.append(f"budget {max(amounts.values()) + min(amounts.values())}")
        if free and (line := self._keepable(self.player, ("plan " + ", ".join(parts),))):
            return [line]
        found = (self._keepable(self.player, (f"limit {amounts[lot]} on {lot}",)) for lot in free)
        return [line for line in found if line]

    def _keepable(self, head: str, forms: Iterable[str]) -> str:
        """The first of ``forms`` that can be read, with its head, if it would be kept and is not refused as things
        stand; empty if there is none."""
        form = self.readable(head, forms)
        if not form:
            return ""
        text, fork = f"{head}: {form}", Fork(self.game)
        reading = read(text, self.names, default_actor=self.player)
        block = play_block(fork, self.player, reading, text, partial=False)
        if not block.stands or fork.moves or not block.held or foresee_all(self.game, block.held, self.passing):
            return ""
        return text
