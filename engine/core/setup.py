"""The setup of a game: everything besides its orders that determines it, and the position in which it begins."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.board.board import Board
from engine.core.events import OrderOfPlay, PriorityMoved
from engine.core.ids import BANK, PlayerId
from engine.core.secret import Secret
from engine.core.state import Company, Round, State
from engine.core.title import Play, Title


@dataclass(frozen=True, slots=True)
class Setup:
    """Everything besides its orders that determines a game. ``players``: in seating order. ``seed``: determines every
    lot; all games without a seed draw the same lots. ``priority``: the first player; None draws one by lot."""

    players: tuple[str, ...]
    seed: str = ""
    priority: str | None = None
    privates: tuple[str, ...] | None = None
    """The privates in play, if some are removed at random and the choice is known; None draws them by lot."""

    def __post_init__(self) -> None:
        players: object = self.players
        if isinstance(players, str):
            raise TypeError(
                f'players are a tuple of names in seating order, Setup(("Ann", "Bob")), not {self.players!r}'
            )
        object.__setattr__(self, "players", tuple(self.players))
        seed: object = self.seed
        if not isinstance(seed, str):
            raise TypeError(f"the seed is a text, not {seed!r:.80}: write str(seed) for a number")


def draw_order(play: Play) -> None:
    """Draw the first player, or the whole order of play, by lot."""
    if not play.title.order_by_lot:
        play.emit(PriorityMoved(play.draw("priority", play.state.players)))
        return
    left, order = list(play.state.players), list[PlayerId]()
    while left:
        order.append(play.draw("order of play", left))
        left.remove(order[-1])
    play.emit(OrderOfPlay(tuple(order)), PriorityMoved(order[0]))


def first_state(title: Title, setup: Setup) -> State:
    """The position before the first lot and question. ``ValueError`` for a setup that the title does not allow."""
    players = tuple(PlayerId(p) for p in setup.players)
    row = title.table.get(len(players))
    if row is None:
        raise ValueError(
            f"{title.name} {title.edition} is for {min(title.table)} to {max(title.table)} players, not {len(players)}"
        )
    taken = {*title.companies, *title.privates, *title.taken_names}
    clash = [p for p in players if p in taken or players.count(p) > 1]
    if clash:
        raise ValueError(f"a player cannot be called {clash[0]}: the name is taken")
    if setup.priority is not None and setup.priority not in players:
        raise ValueError(f"the priority cannot be of {setup.priority!r}, who is not among {', '.join(players)}")
    strange = [p for p in setup.privates or () if p not in title.privates]
    if strange:
        raise ValueError(f"{title.name} has no private {strange[0]!r}; there are: {', '.join(title.privates)}")
    cash: dict[str, int] = {BANK: title.bank - row.cash * len(players)}
    cash |= dict.fromkeys(players, row.cash)
    holdings = {
        (title.unsold, c.id, kind): count
        for c in title.companies.values()
        for kind, (_, count) in c.charter.certificates.items()
    }
    supply = {
        t.name: t.quantity - row.trains_removed.get(t.name, 0) for t in title.trains.values() if t.quantity is not None
    }
    state = State(
        players=players,
        priority=PlayerId(setup.priority) if setup.priority is not None else players[0],
        phase=title.phases[0].name,
        round=Round("SR", 1),
        cash=cash,
        holdings=holdings,
        privates=dict.fromkeys(title.privates),
        companies={c: Company() for c in title.companies},
        prices={},
        board=Board.start(title.map),
        supply=supply,
        bought=frozenset(),
        pool_trains=(),
        agenda=(),
        marks={},
        seed=Secret(setup.seed),
    )
    if setup.privates is not None:
        state = replace(state, privates={p: None for p in title.privates if p in setup.privates})
    return replace(state, agenda=title.begin(title, state))
