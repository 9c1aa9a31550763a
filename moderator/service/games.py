"""The games that are alive in this process: rebuilt from their log when needed, and kept, the latest used ones."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from sqlmodel import Session, col, select

import engine
from engine import Game, Refused, Setup, Title
from engine.core.orders import Order
from grammar import Vocabulary, read, write_section
from moderator.adapters.tables import EntryRow, GameRow

LoadTitle = Callable[[str, str, Mapping[str, str]], Title]
MakeVocabulary = Callable[[Title, tuple[str, ...]], Vocabulary]


@dataclass(frozen=True, slots=True)
class Live:
    """A game as it stands at decision ``at``. ``game`` is never moved: what changes is a fork that takes its place."""

    id: str
    game: Game
    vocabulary: Vocabulary
    at: int

    def read_orders(self, text: str) -> tuple[Order, ...]:
        """Orders in canonical notation, as they were written down."""
        reading = read(text, self.vocabulary)
        if reading.errors or reading.words or reading.skipped:
            raise ValueError(f"{self.id}: what was written down cannot be read: {text!r}: {reading.errors}")
        return reading.orders

    def write_order(self, order: Order) -> str:
        """One order with its head."""
        return write_section(order.actor, [order], self.vocabulary)


class Games:
    """A bounded cache over the log."""

    def __init__(self, load_title: LoadTitle, make_vocabulary: MakeVocabulary, most: int) -> None:
        self._make_vocabulary = make_vocabulary
        self._most = most
        self._live: OrderedDict[str, Live] = OrderedDict()
        self._recent: set[str] = set()
        """Games that may have been seen as they were never written down."""

        @lru_cache(maxsize=64)
        def title(name: str, edition: str, options: tuple[tuple[str, str], ...]) -> Title:
            return load_title(name, edition, dict(options))

        self._title = title

    def title(self, name: str, edition: str, options: Mapping[str, str]) -> Title:
        """The title of a game, one value for all games that are played alike."""
        return self._title(name, edition, tuple(sorted(options.items())))

    def vocabulary(self, title: Title, players: tuple[str, ...]) -> Vocabulary:
        return self._make_vocabulary(title, players)

    def get(self, session: Session, row: GameRow) -> Live:
        """The game as its row says that it stands."""
        live = self._live.get(row.id)
        if live is None or live.at != row.at:
            live = (
                self._rebuild(session, row) if live is None or live.at > row.at else self._catch_up(session, row, live)
            )
            self.put(live)
        self._live.move_to_end(row.id)
        return live

    def put(self, live: Live) -> None:
        """``live`` has been written down: it is what stands now."""
        self._recent.add(live.id)
        self._live[live.id] = live
        self._live.move_to_end(live.id)
        while len(self._live) > self._most:
            self._live.popitem(last=False)

    def settle(self) -> None:
        """What was read and put so far has been written down."""
        self._recent.clear()

    def forget_recent(self) -> None:
        """A transaction came to nothing: what was read in it may never have been written."""
        for name in self._recent:
            self._live.pop(name, None)
        self._recent.clear()

    def forget_all(self) -> None:
        """As ``forget_recent``, where nobody knows what was read."""
        self._live.clear()
        self._recent.clear()

    def position(self, session: Session, row: GameRow, at: int) -> Game:
        """The game as it stood at decision ``at``, also where that was undone later."""
        live = self.get(session, row)
        log = session.exec(
            select(EntryRow).where(EntryRow.game == row.id, EntryRow.at < at).order_by(col(EntryRow.at))
        ).all()
        return self._replay(live, _standing(log))

    def _rebuild(self, session: Session, row: GameRow) -> Live:
        title = self.title(row.title, row.edition, row.options)
        setup = setup_of(row)
        game = Game.start(title, setup)
        live = Live(row.id, game, self._make_vocabulary(title, setup.players), row.at)
        # Another service may have gone on since the row was read: the position is that of the row.
        entries = select(EntryRow).where(EntryRow.game == row.id, EntryRow.at < row.at).order_by(col(EntryRow.at))
        return Live(row.id, self._replay(live, _standing(session.exec(entries).all())), live.vocabulary, row.at)

    def _catch_up(self, session: Session, row: GameRow, live: Live) -> Live:
        """Another process has moved the game on."""
        game = live.game.fork()
        newer = (
            select(EntryRow)
            .where(EntryRow.game == row.id, EntryRow.at >= live.at, EntryRow.at < row.at)
            .order_by(col(EntryRow.at))
        )
        for entry in session.exec(newer).all():
            if entry.kind == "undo":
                game.undo(entry.orders)
            else:
                _submit(live, game, entry.text)
        return Live(row.id, game, live.vocabulary, row.at)

    def _replay(self, live: Live, texts: Iterable[str]) -> Game:
        game = Game.start(live.game.title, live.game.setup)
        for text in texts:
            _submit(live, game, text)
        return game


def setup_of(row: GameRow) -> Setup:
    """What the game began with."""
    kept = row.setup
    privates = kept.get("privates")
    return Setup(tuple(kept["players"]), row.seed, kept.get("priority"), None if privates is None else tuple(privates))


def _submit(live: Live, game: Game, text: str) -> None:
    for order in live.read_orders(text):
        refused = game.submit(order)
        if isinstance(refused, Refused):
            raise RuntimeError(
                f"{live.id}: order {len(game.orders) + 1}, {text}, is refused when it is replayed: {refused}"
            )


def _standing(log: Iterable[EntryRow]) -> list[str]:
    """The orders that have not been undone."""
    texts: list[str] = []
    for entry in log:
        if entry.kind == "undo":
            del texts[entry.orders :]
        else:
            texts.append(entry.text)
    return texts


def default_titles(name: str, edition: str, options: Mapping[str, str]) -> Title:
    """The titles that Railpost brings."""
    return engine.load_title(name, edition, options)
