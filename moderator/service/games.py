"""The games in memory, rebuilt from the stored log when needed. The most recently used ones are kept."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from sqlalchemy.orm import object_session
from sqlmodel import Session

import engine
from engine import Game, Refused, Title, WithdrawnOption
from engine.core.orders import Order
from grammar import Vocabulary, read, write_section
from moderator.adapters.database import writes
from moderator.adapters.tables import FactsRow, GameRow
from moderator.domain.ports import SystemClock
from moderator.render import describe_failure
from moderator.service.past.examine import examine, examined
from moderator.service.past.game_loader import Pieces, Reading, Unreadable, bring_back, setup_of
from moderator.service.past.log import events_of, lines_of, standing
from moderator.service.past.replay import retell

LoadTitle = Callable[..., Title]
"""Name, edition, options and, if the game has one, the file of corrected facts -> title."""
MakeVocabulary = Callable[[Title, tuple[str, ...]], Vocabulary]


class PastUnreadable(ValueError):
    """This program cannot restore the position of a game as it was told to the players. The message says why."""


@dataclass(frozen=True, slots=True)
class Live:
    """A game as it stands at decision ``at``. ``game`` is never changed: a fork replaces it."""

    id: str
    game: Game
    vocabulary: Vocabulary
    at: int

    @property
    def pieces(self) -> Pieces:
        return Pieces(self.id, self.game.title, self.game.setup, self.vocabulary)

    def read_orders(self, text: str) -> tuple[Order, ...]:
        """The orders in ``text``, which is stored in canonical notation. ``ValueError`` if it cannot be read."""
        reading = read(text, self.vocabulary)
        if reading.errors or reading.words or reading.skipped:
            raise ValueError(f"{self.id}: this order in the log cannot be read: {text!r}: {reading.errors}")
        return reading.orders

    def write_order(self, order: Order) -> str:
        """The text of one order, headed by its actor."""
        return write_section(order.actor, [order], self.vocabulary)


class Games:
    """A bounded cache of games, filled from the log and the data stored beside it."""

    reading: Reading | None = None
    """Opens a session for later reads about games in memory; set by the desk."""
    now: Callable[[], datetime] = SystemClock().now

    def __init__(self, load_title: LoadTitle, make_vocabulary: MakeVocabulary, most: int) -> None:
        self._load_title, self._make_vocabulary = load_title, make_vocabulary
        self._most = most
        self._live: OrderedDict[str, Live] = OrderedDict()
        self._recent: set[str] = set()
        """Games whose position in memory may never have been stored."""
        self.current: set[str] = set()
        """Fingerprints of stored games that are known to be those of this program."""
        self.misled: dict[str, int] = {}
        """Games with a snapshot that led to a wrong position -> the decision of the snapshot."""

        @lru_cache(maxsize=64)
        def title(name: str, edition: str, options: tuple[tuple[str, str], ...], facts: str) -> Title:
            return load_title(name, edition, dict(options), *((facts,) if facts else ()))

        self._title = title
        self._facts: dict[str, str] = {}
        """Files of corrected facts by their digests."""

    def another(self, most: int) -> Games:
        """A separate cache of the same games, for another thread. It keeps the ``most`` games that were used last."""
        games = Games(self._load_title, self._make_vocabulary, most)
        games.reading, games.now = self.reading, self.now
        return games

    def title(self, name: str, edition: str, options: Mapping[str, str], facts: str = "") -> Title:
        """The title of a game. Games that are played alike share one value. ``facts`` is the text of a file of
        corrected facts; ``ValueError`` says what is wrong in it."""
        return self._title(name, edition, tuple(sorted(options.items())), facts)

    def title_of(self, row: GameRow) -> Title:
        """The title of the game in ``row``. A withdrawn option is left out: such a game is held (``pieces``), and its
        players are told about the position that they know."""
        return self._title_of(row)[0]

    def _title_of(self, row: GameRow) -> tuple[Title, str]:
        """The title, and the reason why it cannot play the options of the game; empty if it can."""
        facts = self._facts_of(row)
        try:
            return self.title(row.title, row.edition, row.options, facts), ""
        except WithdrawnOption as error:
            open_still = {name: value for name, value in row.options.items() if name not in error.names}
            return self.title(row.title, row.edition, open_still, facts), str(error)

    def _facts_of(self, row: GameRow) -> str:
        """The stored copy of the file of corrected facts for the game of ``row``; empty if it has none.
        ``PastUnreadable`` if the copy is missing or damaged."""
        if row.facts and row.facts not in self._facts:
            session = object_session(row)
            if session is not None:
                kept = session.get(FactsRow, row.facts)
            else:
                assert self.reading is not None, row.id
                with self.reading() as fresh:
                    kept = fresh.get(FactsRow, row.facts)
            if kept is None or hashlib.sha256(kept.text.encode()).hexdigest() != row.facts:
                raise PastUnreadable(f"{row.id}: the file of facts that it is played with, {row.facts}, is not stored")
            self._facts[row.facts] = kept.text
        return self._facts[row.facts] if row.facts else ""

    def vocabulary(self, title: Title, players: tuple[str, ...]) -> Vocabulary:
        return self._make_vocabulary(title, players)

    def pieces(self, row: GameRow) -> Pieces:
        """The parts needed to read the log of ``row``."""
        (title, withdrawn), setup = self._title_of(row), setup_of(row)
        return Pieces(row.id, title, setup, self._make_vocabulary(title, setup.players), withdrawn)

    def get(self, session: Session, row: GameRow) -> Live:
        """The game at the decision in its row. In a transaction that writes, a game that has not been replayed under
        the present rules is replayed first; afterwards ``row`` says whether it is held."""
        if writes(session) and not examined(row, self.title_of(row)):
            self.examine(session, row)
        live = self._live.get(row.id)
        if live is None or live.at != row.at:
            caught_up = None if live is None or live.at > row.at else self._catch_up(session, row, live)
            live = caught_up or self._rebuild(session, row, row.at)
            self.put(live)
        self._live.move_to_end(row.id)
        return live

    def examine(self, session: Session, row: GameRow) -> None:
        """Replay the log of ``row`` under the present rules (``past.examine``)."""
        self._recent.add(row.id)
        examine(session, self.pieces(row), row, self.now(), refusal)

    def put(self, live: Live) -> None:
        """Keep ``live``, which has been stored, as the present game."""
        self._recent.add(live.id)
        self._live[live.id] = live
        self._live.move_to_end(live.id)
        while len(self._live) > self._most:
            self._live.popitem(last=False)

    def settle(self) -> None:
        """Note that all games read and put so far have been stored."""
        self._recent.clear()

    def forget_recent(self) -> None:
        """Forget the games read in a transaction that was rolled back: they may never have been stored."""
        for name in self._recent:
            self._live.pop(name, None)
        self._recent.clear()

    def forget_all(self) -> None:
        """Forget all games, for a caller that does not know which were read."""
        self._live.clear()
        self._recent.clear()

    def position(self, session: Session, row: GameRow, at: int) -> Game:
        """The game as it stood at decision ``at``, even if that was undone later."""
        live = self._live.get(row.id)
        return live.game if live is not None and live.at == at else self._rebuild(session, row, at).game

    def _rebuild(self, session: Session, row: GameRow, at: int) -> Live:
        """The game as it was told to the players at decision ``at``. ``PastUnreadable`` if it cannot be restored."""
        # Another service may have moved the game since the row was read: the position is that of the row.
        pieces = self.pieces(row)
        still = standing(lines_of(session, row.id, at))
        game, wrong = bring_back(session, pieces, at, still, self.reading)
        if wrong:
            self.misled[row.id] = wrong[0].at
        try:
            game = game or retell(session, pieces, at, still, refusal)
        except Unreadable as error:
            raise PastUnreadable(f"{row.id}: {error}") from error
        if game is None:
            raise PastUnreadable(
                f"{row.id}: no stored position at decision {at} can be read, and under these rules the log leads to"
                " another position"
            )
        return Live(row.id, game, pieces.vocabulary, at)

    def _catch_up(self, session: Session, row: GameRow, live: Live) -> Live | None:
        """The game after moves that another process made and stored; None if it has not simply gone on, or cannot be
        followed."""
        newer = lines_of(session, row.id, row.at, live.at)
        orders = [line for line in newer if line.kind == "order"]
        if any(line.kind in ("undo", "adopt") for line in newer):
            return None
        stored = events_of(session, row.id, orders)
        game = live.game.fork()
        pieces = live.pieces
        for line in orders:
            if line.at not in stored:
                return None
            try:
                game.follow(pieces.order(line.text), pieces.events(stored[line.at]))
            except Unreadable:
                return None
        if orders and orders[-1].digest not in ("", pieces.digest(game.state)):
            return None
        return Live(row.id, game, live.vocabulary, row.at)


def refusal(title: Title, refused: Refused) -> str:
    """The reasons for refusing an order, in words."""
    return " ".join(describe_failure(title, failure) for failure in refused.failures)


def default_titles(name: str, edition: str, options: Mapping[str, str], facts: str = "") -> Title:
    """Load a title that comes with Railpost."""
    return engine.load_title(name, edition, options, facts=facts)


__all__ = ["Games", "Live", "LoadTitle", "MakeVocabulary", "PastUnreadable", "default_titles", "refusal", "setup_of"]
