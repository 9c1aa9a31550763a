"""Databases with many games: a few dozen robots' games of all titles are played to various stages through the service,
the last turns of each by mail, and their rows are copied under new names and numbers by the database itself.

A copy is a game of its own: it has its log, its snapshots, its seats and their people, its mails and secret addresses.
What a copy's mails said is left out; nothing here reads it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import Column, Connection, Table, event, text

from engine import Setup
from engine.robots import sensible
from moderator.adapters.database import Database, metadata
from moderator.entrypoints.robot_player import as_text, orders_of_turn
from moderator.service.play.new_games import Person, Terms, new_game
from tests.kit.service.mail_service import Service
from tests.kit.service.straight import play_on
from tests.kit.titles import TITLES

STAGES: Final = (0, 25, 70, 150, 280, 10_000)
"""Numbers of orders after which the games stand; the last is more than any game has."""
_SEATS: Final = ("Ann", "Bob", "Cat", "Dan")
_MAILS: Final = 3
"""The last turns of each game come by mail."""
_OPTIONS: Final = {"1841": {"concessions": "open"}}
"""Sealed bids are no orders before they are opened, and have tests of their own."""
_CLOCK: Final = (("rest", "Sun"), ("warnings", "48,6"), ("late", "robot"))
_COPIED: Final = (
    "game", "mail", "seat", "tenure", "seat_token", "entry", "snapshot", "held", "press", "deadline", "content_key",
    "outbox", "bounce",
)  # fmt: skip
_TOGETHER: Final = 3
"""So many copies of a game have the same players."""


def play_patterns(
    service: Service, titles: Sequence[str] = TITLES, stages: Sequence[int] = STAGES, mails: int = _MAILS
) -> list[str]:
    """Play a game of each title to each stage. Returns their names."""
    return [
        _played(service, title, stage, len(stages) * place + number, mails)
        for place, title in enumerate(titles)
        for number, stage in enumerate(stages)
    ]


def _played(service: Service, title: str, stage: int, number: int, mails: int) -> str:
    players = tuple(f"{name}{chr(97 + number // 26)}{chr(97 + number % 26)}" for name in _SEATS)
    people = [Person(name, f"{name.lower()}@players.example") for name in players]
    terms = Terms(title, None, _OPTIONS.get(title, {}), deadline_hours=72, clock=_CLOCK)
    name = new_game(service.desk, terms, people, setup=Setup(players, f"pattern {number}", players[0]))
    service.run()
    if stage:
        play_on(service, name, sensible, lambda game: len(game.orders) >= stage)
    for _ in range(mails):
        game = service.position(name)
        if game.finished:
            break
        player = game.asked()[0].player
        service.say(player, as_text(game, orders_of_turn(game, player, sensible)))
    return name


def multiply(database: Database, games: int) -> int:
    """Copy the games of ``database`` until there are at least ``games``. Returns their number. The copies of a game are
    numbered (``copy_of``), the first by the number of games that were there."""
    with database.engine.begin() as link:
        there = int(link.execute(text("SELECT count(*) FROM game")).scalar_one())
        times = -(-games // there) - 1
        strides = _strides(link)
        for table in metadata.sorted_tables:
            if table.name in _COPIED and times:
                link.execute(text(_copies(table, strides, range(there, there + times), link.dialect.name)))
        if link.dialect.name == "postgresql":
            _number_on(link)
    if database.engine.dialect.name == "postgresql":  # which does so by itself, and SQLite does not
        with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as link:
            link.execute(text("ANALYZE"))
    return there * (times + 1)


def copy_of(name: str, number: int) -> str:
    """The name of a copy of the game ``name``."""
    return f"{name}{number:05d}"


def _strides(link: Connection) -> dict[str, int]:
    """For each table with numbers as keys, the distance between the numbers of two copies."""
    numbered = [table for table in metadata.sorted_tables if _is_number(table.columns.get("id"))]
    return {t.name: link.execute(text(f"SELECT coalesce(max(id), 0) + 1 FROM {t.name}")).scalar_one() for t in numbered}


def _is_number(column: Column[Any] | None) -> bool:
    return column is not None and column.type.python_type is int


def _copies(table: Table, strides: Mapping[str, int], numbers: range, dialect: str) -> str:
    names = ", ".join(f'"{column.name}"' for column in table.columns)
    values = ", ".join(_value(table, column, strides, dialect) for column in table.columns)
    return (
        f"WITH RECURSIVE copies(n) AS (SELECT {numbers.start} UNION ALL SELECT n + 1 FROM copies"
        f" WHERE n < {numbers.stop - 1})"
        f' INSERT INTO "{table.name}" ({names}) SELECT {values} FROM copies CROSS JOIN "{table.name}" AS old'
    )


_DIGITS: Final = "replace(replace(replace(replace({}, '0', 'u'), '1', 'v'), '8', 'w'), '9', 'x')"
_WORDS: Final = {
    "sqlite": _DIGITS.format("lower(hex(randomblob(13)))"),
    "postgresql": _DIGITS.format("substr(md5(old.token || n), 1, 26)"),
}
"""A new secret word in SQL."""


def _value(table: Table, column: Column[Any], strides: Mapping[str, int], dialect: str) -> str:
    """The value of a copy in SQL: ``old`` is the row, ``n`` the number of the copy."""
    old, five = f'old."{column.name}"', "substr(CAST(100000 + n AS VARCHAR(6)), 2)"
    if (table.name, column.name) == ("game", "id") or column.name in ("game", "about"):
        return f"CASE WHEN {old} = '' THEN {old} ELSE {old} || {five} END"
    if column.name == "id":
        return f"{old} + n * {strides[table.name]}"
    for key in column.foreign_keys:
        return f"{old} + n * {strides[key.column.table.name]}"
    if column.name == "token":
        return _WORDS[dialect]
    if column.name in ("address", "recipient", "sender"):
        return f"CASE WHEN {old} = '' THEN {old} ELSE 'c' || (n / {_TOGETHER}) || '.' || {old} END"
    if column.name in ("reference", "key"):
        return f"{old} || '.' || n"
    if column.name == "message_id":
        return f"'<' || n || '.' || substr({old}, 2)"
    if column.name == "filed_at":  # no mailbox has it
        return 'old."decided_at"'
    if table.name == "outbox" and column.name in ("text", "html", "calendar"):
        return "''"
    return old


def _number_on(link: Connection) -> None:
    """Let the sequences of PostgreSQL go on after the numbers that the copies have."""
    for table in metadata.sorted_tables:
        if table.name in _COPIED and _is_number(table.columns.get("id")):
            name = table.name
            link.execute(text(f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), (SELECT max(id) FROM {name}))"))


@dataclass
class Counted:
    """The statements that ``counted`` has seen, with their values, as the driver gets them."""

    statements: list[tuple[str, Any]] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.statements)


@contextmanager
def counted(database: Database) -> Iterator[Counted]:
    """Count the statements that go to a database, without those that begin a transaction."""
    seen = Counted()

    def executed(_link: Any, _cursor: Any, statement: str, values: Any, *_more: Any) -> None:
        if not statement.startswith("BEGIN"):
            seen.statements.append((statement, values))

    event.listen(database.engine, "before_cursor_execute", executed)
    try:
        yield seen
    finally:
        event.remove(database.engine, "before_cursor_execute", executed)


_LARGE: Final = ("game", "seat", "entry", "snapshot", "deadline", "tenure", "seat_token", "mail", "outbox", "held")
"""Tables that grow with the games."""
_SHORT: Final = ("mail_waiting", "mail_unfiled", "game_hold", "seat_caretaker", "deadline_unnoted")
"""Indexes of rows of which there are few, however many games there are."""


def scans(database: Database, seen: Counted) -> list[str]:
    """The large tables of which a query of ``seen`` reads many rows, each with its query. PostgreSQL counts the rows;
    of SQLite its plan is looked at."""
    found = []
    with database.engine.connect() as link:
        if link.dialect.name == "postgresql":
            link.exec_driver_sql("SET enable_seqscan = off")  # it reads small tables so
        for statement, values in seen.statements:
            if statement.lstrip().startswith(("SELECT", "UPDATE", "DELETE", "WITH")):
                found += [f"{table}: {statement}" for table in _scanned(link, statement, values)]
        link.rollback()
    return found


_MOST: Final = 30
"""A query that reads more rows of a table reads many."""
_NODE: Final = re.compile(
    r"Scan (?:using \w+ )?on (\w+)[^\n]*actual rows=(\d+) loops=(\d+)\)((?:\n +[A-Z][\w ]+: [^\n]*)*)"
)
_REMOVED: Final = re.compile(r"Rows Removed by (?:Filter|Index Recheck): (\d+)")


def _scanned(link: Connection, statement: str, values: Any) -> set[str]:
    if link.dialect.name == "postgresql":
        explain = f"EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) {statement}"
        plan = "\n".join(row[0] for row in link.exec_driver_sql(explain, values))
        read: dict[str, int] = {}
        for table, rows, loops, more in _NODE.findall(plan):
            removed = sum(int(number) for number in _REMOVED.findall(more))
            read[table] = read.get(table, 0) + (int(rows) + removed) * int(loops)
        return {table for table, rows in read.items() if rows > _MOST} & set(_LARGE)
    plan = "\n".join(row[3] for row in link.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values))
    all_of = re.findall(r"SCAN ([a-z_]+?)(?:_\d+)?(?: USING (?:COVERING )?INDEX (\w+))?$", plan, re.MULTILINE)
    of_a_state = re.findall(
        r"SEARCH (deadline|game) USING (?:COVERING )?INDEX \w+ \((?:state|status)=\?\)$", plan, re.M
    )
    return ({table for table, index in all_of if index not in _SHORT} | set(of_a_state)) & set(_LARGE)
