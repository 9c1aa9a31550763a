"""A game in progress: the public interface of the rules, in the manner of python-chess."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from engine.core import arguments
from engine.core import decide as rules
from engine.core import description as told
from engine.core.agenda import Ask, Lot, Menu
from engine.core.checks import Refused
from engine.core.description import form_of, told_digest
from engine.core.digest import digest
from engine.core.events import Event
from engine.core.evolve import evolve
from engine.core.ids import Actor, CompanyId, PlayerId
from engine.core.orders import Order, Route
from engine.core.picture_methods import Pictured
from engine.core.setup import Setup, draw_order, first_state
from engine.core.state import State
from engine.core.storage.order_list import Orders
from engine.core.title import Play, Title
from engine.core.view import blanks, resealed, sealed_away, shared_view, view
from engine.routes.legality import RunCheck, check_run
from engine.routes.optimum import Best, best_run
from engine.routes.reach import RunTraits

_LATELY = 40
"""The number of latest orders whose events are kept; events of earlier orders are computed again when needed."""
_KEEP = 25
"""The number of orders between two positions that are kept; the positions between are computed again when needed."""


Recall: TypeAlias = Callable[[int], tuple[State, tuple[Event, ...]] | None]
"""Number of an order -> the position before it and its events, as stored; None if they are not stored."""
Lately: TypeAlias = Mapping[int, tuple[State, tuple[Event, ...]]]
"""Number of an order -> the position before it and its events."""


@dataclass(slots=True, repr=False)
class Game(Pictured):
    """A game. ``orders``: all accepted orders. ``state``: the position after them."""

    title: Title
    setup: Setup
    state: State
    orders: Orders = field(default_factory=Orders)
    opening: tuple[Event, ...] = ()
    """The events before the first order."""
    _kept: dict[int, State] = field(default_factory=dict, repr=False)
    _lately: dict[int, tuple[State, tuple[Event, ...]]] = field(default_factory=dict, repr=False)
    _recall: Recall | None = field(default=None, repr=False, compare=False)
    _recalled: int = field(default=0, repr=False, compare=False)
    """The number of orders, from the first on, that ``_recall`` may know."""
    _asked: tuple[State, tuple[Ask, ...]] | None = field(default=None, repr=False, compare=False)
    """A cache of the open questions, with the position that they belong to."""
    _walked: tuple[int, State] | None = field(default=None, repr=False, compare=False)
    """The number of orders before the earlier position that was computed last, and that position: who reads the past
    order by order goes on from it."""
    _seen: tuple[Game, PlayerId] | None = field(default=None, repr=False, compare=False)
    """The game of which this is a copy for a seat, and the seat; None if this is no such copy."""

    def __repr__(self) -> str:
        asked = ", ".join(str(ask.actor) for ask in self.asked())
        now = "over" if self.finished else f"{self.state.round}, phase {self.state.phase}, asks {asked}"
        game = f"{self.title.name} {self.title.edition}"
        return f"<Game {game}: {len(self.state.players)} players, {len(self.orders)} orders, {now}>"

    @staticmethod
    def start(title: Title, setup: Setup) -> Game:
        """Start a new game, up to its first question. ``ValueError`` for a number of players that the edition does not
        allow, for player names that occur twice or are names of the title, and for an unknown priority or unknown
        privates."""
        if not isinstance(title, Title):
            raise TypeError(f'a title comes from engine.load_title, such as load_title("1861"), not {title!r:.80}')
        if not isinstance(setup, Setup):
            raise TypeError(f'a setup is an engine.Setup, such as Setup(("Ann", "Bob", "Cat")), not {setup!r:.80}')
        play = Play(title, first_state(title, setup))
        if setup.priority is None:
            draw_order(play)
        rules.run_on(play)
        return Game(title, setup, play.state, Orders(), tuple(play.events), {0: play.state})

    @staticmethod
    def resume(
        title: Title,
        setup: Setup,
        orders: Sequence[Order],
        state: State,
        *,
        lately: Lately | None = None,
        recall: Recall | None = None,
    ) -> Game:
        """Continue a game from ``state``, the position after all of ``orders``, without playing the orders again.
        ``orders`` may be read lazily: only the orders that are needed are read, and the sequence is not copied.

        Earlier positions, and the events of earlier orders, come from ``lately`` and ``recall``. Others are computed by
        playing from the nearest known position, or from the start; ``RuntimeError`` if an order is then refused.
        """
        latest = {n: known for n, known in (lately or {}).items() if len(orders) - _LATELY < n <= len(orders)}
        opening = Game.start(title, setup).opening
        count, state = len(orders), resealed(state, orders)
        return Game(title, setup, state, Orders(orders), opening, {count: state}, latest, recall, count)

    def follow(self, order: Order, events: tuple[Event, ...]) -> None:
        """Add an order that was accepted elsewhere, with its events. Nothing is checked or decided."""
        state = self.state
        for event in events:
            state = evolve(self.title, state, event)
        if sealed_away(state):
            state = resealed(state, [*self.orders, order])
        self._went_on(order, state, events)

    def _went_on(self, order: Order, state: State, events: tuple[Event, ...]) -> None:
        if state.board is not self.state.board and self._seen is None:  # else the game itself has this board still
            self.state.board.forget(state.board)  # no position keeps the caches of a past board
        self.orders.append(order)
        self._lately[len(self.orders)] = (self.state, events)
        self._lately.pop(len(self.orders) - _LATELY, None)
        self.state = state
        if len(self.orders) % _KEEP == 0:
            self._kept[len(self.orders)] = self.state

    def asked(self) -> tuple[Ask, ...]:
        """The open questions."""
        if self._asked is None or self._asked[0] is not self.state:
            self._asked = (self.state, rules.asked(self.title, self.state))
        return self._asked[1]

    def legal(self, actor: Actor) -> Menu:
        """The legal answers of ``actor`` now; empty if he is not asked. ``TypeError`` if ``actor`` is not a name."""
        ask = rules.ask_for(self.title, self.state, arguments.an_actor(actor))
        return () if ask is None else rules.menu(self.title, self.state, ask)

    def cost(self, order: Order) -> int | None:
        """The price, by the rules, that the company pays for a legal order in its turn. None if the order has no price,
        or if it is no company's turn."""
        return None if self.state.finished else rules.cost(self.title, self.state, order)

    def unasked(self, player: PlayerId) -> Menu:
        """The orders that ``player`` may give at any moment, even if he is not asked."""
        return () if self.state.finished else self.title.policies.unasked(self.title, self.state, player)

    def lot(self) -> Lot | None:
        """The item that is up for auction now, with the players who may still bid on it; None between auctions."""
        return self.title.policies.lot(self.title, self.state)

    def lots_to_come(self) -> tuple[str, ...]:
        """The privates and companies that an auction may still sell, including the one that is up now."""
        return self.title.policies.lots_to_come(self.title, self.state)

    def pars_to_come(self) -> tuple[CompanyId, ...]:
        """The companies whose par the winner of an auction may still set, outside stock rounds."""
        return self.title.policies.pars_to_come(self.title, self.state)

    def check(self, order: Order) -> Refused | tuple[Event, ...]:
        """The events that ``order`` would cause, or the reasons why it is refused. The game does not change.
        ``TypeError`` for anything that is not an order."""
        return rules.decide(self.title, self.state, arguments.an_order(order))

    def submit(self, order: Order) -> Refused | tuple[Event, ...]:
        """Carry out ``order`` and return its events, or return the reasons why it is refused. ``TypeError`` for
        anything that is not an order."""
        played = rules.decide_to_state(self.title, self.state, arguments.an_order(order))
        if isinstance(played, Refused):
            return played
        events = tuple(played.events)
        self._went_on(order, played.state, events)
        return events

    def best_run(self, company: CompanyId) -> Best:
        """The set of runs that would earn the company most on the present board, with its proof. It need not be the
        company's turn. ``KeyError`` for an unknown company."""
        traits = self._traits(company)
        return best_run(self.state.board, traits)

    def check_run(self, company: CompanyId, routes: Sequence[Route]) -> RunCheck:
        """The reasons against these routes as a run of the company now, and the income of each route. ``KeyError`` for
        an unknown company, ``TypeError`` for anything that is not a route."""
        return check_run(self.state.board, self._traits(company), arguments.routes(routes))

    def _traits(self, company: CompanyId) -> RunTraits:
        company = arguments.a_company(self.title, company)
        return self.title.policies.run_traits(self.title, self.state, company)

    def at(self, number: int) -> State:
        """The position after the first ``number`` orders. ``ValueError`` if there are fewer."""
        if number == len(self.orders):
            return self.state
        if not 0 <= number < len(self.orders):
            raise ValueError(f"there is no position after {number} orders: the game has {len(self.orders)}")
        if number + 1 in self._lately:
            return self._lately[number + 1][0]
        if (recalled := self._recalled_before(number + 1)) is not None:
            return recalled[0]
        base = max((n for n in self._kept if n <= number), default=-1)
        if base < 0:
            self._kept[0] = Game.start(self.title, self.setup).state
            base = 0
        state = self._kept[base]
        if self._walked is not None and base < self._walked[0] <= number:
            base, state = self._walked
        for played, order in enumerate(self.orders[base:number], base + 1):
            state = self._again(state, order).state
            if played % _KEEP == 0:
                self._kept[played] = state
        self._walked = (number, state)
        return state

    def _recalled_before(self, number: int) -> tuple[State, tuple[Event, ...]] | None:
        """The position before order ``number`` and its events, as stored; None if they are not stored."""
        return self._recall(number) if self._recall is not None and number <= self._recalled else None

    def events(self, number: int) -> tuple[Event, ...]:
        """The events of order ``number`` (counted from 1). ``ValueError`` if there is no such order."""
        if not 0 < number <= len(self.orders):
            raise ValueError(f"there is no order {number}: the game has {len(self.orders)}, counted from 1")
        if self._seen is not None and number <= self._recalled:  # a view of the position before is not needed
            return self._seen[0].events(number)
        return next(self.happened(number - 1))[2]

    def happened(self, since: int) -> Iterator[tuple[Order, State, tuple[Event, ...]]]:
        """Yield each order after the first ``since``, with the position before it and its events."""
        state: State | None = None
        for number in range(since + 1, len(self.orders) + 1):
            order, lately = self.orders[number - 1], self._lately.get(number) or self._recalled_before(number)
            if lately is None:
                # a kept position first: the game may go on from one to which the orders alone do not lead
                before = self._kept.get(number - 1, state) or self.at(number - 1)
                if sealed_away(before):
                    before = resealed(before, self.orders[: number - 1])
                played = self._again(before, order)
                lately, state = (before, tuple(played.events)), played.state
            else:
                state = None
            yield order, *lately

    def _again(self, state: State, order: Order) -> Play:
        played = rules.decide_to_state(self.title, state, order)
        if isinstance(played, Refused):
            raise RuntimeError(f"an accepted order is refused when it is played again: {order}: {played}")
        return played

    def fork(self) -> Game:
        """Return an independent copy of the game. The copies share positions."""
        return Game(
            self.title, self.setup, self.state, self.orders.copy(), self.opening, dict(self._kept), dict(self._lately),
            self._recall, self._recalled, _seen=self._seen,
        )  # fmt: skip

    def undo(self, number: int) -> None:
        """Go back to the position after the first ``number`` orders. ``number`` counts the orders kept, not the orders
        undone. ``ValueError`` if there are fewer."""
        state = self.at(number)
        self.orders.cut(number)
        self.state = resealed(state, self.orders)
        self._recalled = min(self._recalled, number)
        self._kept = {n: s for n, s in self._kept.items() if n <= number}
        self._lately = {n: found for n, found in self._lately.items() if n <= number}
        self._walked = None

    def view(self, seat: PlayerId) -> State:
        """The position as ``seat`` may see it: without the seed of future lots and the sealed orders of others."""
        return shared_view(self.title, self.state, seat)

    def seen_by(self, seat: PlayerId) -> Game:
        """The game as ``seat`` may see it. Its positions, past ones included, are the views of that seat, and orders of
        others that are still sealed have no contents. Use this, not the game itself, to inform a player or to play for
        him."""
        if self.finished:
            return self
        hidden, now = blanks(self.state, seat), self.view(seat)
        if self._seen is not None and self._seen[1] == seat and now is self.state and not hidden:
            return self.fork()
        orders = (
            Orders([hidden.get((order.actor, type(order)), order) for order in self.orders])
            if hidden
            else self.orders.copy()
        )

        def recall(number: int) -> tuple[State, tuple[Event, ...]]:
            _, before, events = next(self.happened(number - 1))
            return view(before, seat), events

        setup = replace(self.setup, seed="")
        seen = Game(self.title, setup, now, orders, self.opening, {len(orders): now}, {}, recall, len(orders))
        seen._asked, seen._seen = (now, self.asked()), (self, seat)  # a secret never changes the questions
        return seen

    @property
    def finished(self) -> bool:
        return self.state.finished

    def standings(self) -> tuple[tuple[PlayerId, int], ...]:
        """The wealth of each player by the rules for the end of the game, best first; a preview while the game is in
        progress."""
        wealth = [(p, self.title.score(self.title, self.state, p)) for p in self.state.players]
        return tuple(sorted(wealth, key=lambda row: -row[1]))

    def digest(self) -> str:
        """The SHA-256 of the whole position. Equal positions have equal digests in every process of the same version;
        use ``told_digest`` for anything that must outlast the version."""
        return digest(self.state)

    def told_digest(self) -> str:
        """The digest of the public part of the position, with the number of its form (``engine.core.description``)."""
        return told_digest(self.title, self.state)

    def matches(self, written: str) -> bool:
        """True if the position has the digest ``written``, which must have the current form or none (``form_of``).
        ``ValueError`` for any other form: such a digest cannot be compared."""
        match form_of(written):
            case told.FORM:
                return written == self.told_digest()
            case 0:
                return written == self.digest()
            case other:
                raise ValueError(f"the digest is of form {other}; this program knows form {told.FORM}")


def replay(title: Title, setup: Setup, orders: Iterable[Order]) -> Game:
    """Play recorded orders with all checks. ``ValueError`` names the first order that is refused."""
    game = Game.start(title, setup)
    for number, order in enumerate(orders, 1):
        result = game.submit(order)
        if isinstance(result, Refused):
            raise ValueError(f"order {number}, {order}: {result}")
    return game
