"""What all tests share. Recorded games are no part of the checkout; tests that need them say so when there are none."""

from __future__ import annotations

import gc
import logging
import os
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from zlib import crc32

import pytest
import typer.testing
from hypothesis import HealthCheck, settings

from moderator.adapters.database import Database
from tests.kit.checkout import CHECKOUT
from tests.kit.mail_system import MailSystem, missing_programs
from tests.kit.needs import lacking
from tests.kit.postgres import Postgres, empty, missing_postgres
from tests.kit.quick import files_in_memory, statements_compiled_once
from tests.kit.samples import today
from tests.kit.service.mail_service import OPENED
from tests.kit.service.toy_service import game, table

DATABASES = ("sqlite", "postgresql")
ABOUT_DATABASES = ("test_database.py", "test_migrations.py", "test_two_", "test_shared_rows.py", "test_backup.py")
"""Half of the tests in these files run on PostgreSQL by `make test`."""
LONG_FIRST = (
    "tests/docs/test_tour",
    "tests/service/desk/test_visits.py",
    "tests/with_servers/",
    "tests/service/desk/",
    "tests/proofs/",
    "tests/service/commands/",
)
"""Tests of these files take longest. They begin first and in this order, so that no process is left with one of them at
the end. The first file of the desk makes what the others need."""

# Thousands of collected tests and kept titles live to the end; looking through them for garbage again and again takes a
# twentieth of the time.
gc.set_threshold(100_000, 50, 100)

files_in_memory()
statements_compiled_once()

# The same examples on every run, and no verdict that depends on how fast the machine is.
settings.register_profile(
    "railpost",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=50,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("railpost")

# All tests use the same commands, and it takes a fifth of a second to put them together.
typer.testing._get_command = cache(typer.testing._get_command)  # type: ignore[attr-defined]


class _Kept(logging.Handler):
    """Keeps what is logged."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


@pytest.fixture(autouse=True)
def no_raw_keys(request: pytest.FixtureRequest) -> Iterator[None]:
    """A text that shows a key instead of words fails the test in which it is made, unless the test is marked
    ``rough``. A running service sends such a mail, and logs the key."""
    kept, log = _Kept(), logging.getLogger("railpost.words")
    log.addHandler(kept)
    yield
    log.removeHandler(kept)
    if request.node.get_closest_marker("rough") is None:
        assert kept.lines == [], "a person would read keys"


@pytest.fixture(scope="session")
def checkout() -> Path:
    """The folder that holds pyproject.toml."""
    return CHECKOUT


def _beside(variable: str, name: str, lacks: str) -> Path:
    """The folder that the environment's ``variable`` names, or ``shared/NAME`` beside the checkout. A test whose folder
    is not there is skipped, and says so; a variable that names none is a failure."""
    named = os.environ.get(variable)
    folder = Path(named) if named else CHECKOUT.parent / "shared" / name
    if folder.is_dir():
        return folder
    if named:
        pytest.fail(f"{variable} is {named}, and that is no folder")
    pytest.skip(f"{lacks}: set {variable} to their folder")


@pytest.fixture(scope="session")
def records() -> Path:
    """The folder of recorded games, with 1861/29683.json in it."""
    return _beside("RAILPOST_RECORDS", "records", "no recorded games")


@pytest.fixture(scope="session")
def rulebooks() -> Path:
    """The folder with the texts of rulebooks."""
    return _beside("RAILPOST_RULEBOOKS", "seeds", "no texts of rulebooks")


@pytest.fixture(scope="session")
def mail_system() -> Iterator[MailSystem]:
    """Postfix and Dovecot on loopback, one of them for all tests of this process. Who stops them starts them again;
    services and players have addresses of their own."""
    if reason := missing_programs():
        lacking(reason)
    with MailSystem() as system:
        yield system


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL server, one for all tests of this process."""
    if reason := missing_postgres():
        lacking(reason)
    with Postgres() as server:
        yield server


@pytest.fixture(scope="session")
def postgres_tables(postgres: Postgres) -> Database:
    """A database with all tables, which tests empty for the next one: that is quicker than a new one."""
    database = Database(postgres.create())
    database.upgrade()
    return database


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--part", default="1/1", metavar="I/N", help="only part I of N of the tests; `today/N` is the day's part"
    )


def _part(config: pytest.Config) -> tuple[int, int]:
    """Which part of how many is run. ``pytest.UsageError`` for what is none."""
    text = str(config.getoption("--part"))
    which, _, parts = text.partition("/")
    if which == "today" and parts.isdigit() and int(parts):
        return today() % int(parts) + 1, int(parts)
    if not (which.isdigit() and parts.isdigit() and 1 <= int(which) <= int(parts)):
        raise pytest.UsageError(f"--part is {text}, and should be as 2/5: the second part of five")
    return int(which), int(parts)


def pytest_report_header(config: pytest.Config) -> list[str]:
    which, parts = _part(config)
    return [f"part {which} of {parts}; again: PART={which}/{parts}"] if parts > 1 else []


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A test that runs on each database is run on one of them by `make test`, one in eight on PostgreSQL, which takes
    longer, by its name; on the other by `make prove`. Tests of other parts are left out: a test is always in the same
    part of so many."""
    _leave_to_proofs(items)
    for item in items:
        form = getattr(item, "callspec", None)
        database = None if form is None else form.params.get("each_database")
        if database in DATABASES:
            name = item.nodeid.replace(str(database), "")
            often = 2 if any(file in name for file in ABOUT_DATABASES) else 8
            if DATABASES[crc32(name.encode()) % often == 1] != database:
                item.add_marker(pytest.mark.prove)
    which, parts = _part(config)
    others = [item for item in items if crc32(item.nodeid.encode()) % parts != which - 1]
    if others:
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if crc32(item.nodeid.encode()) % parts == which - 1]
    if hasattr(config, "workerinput"):
        items.sort(key=_turn)


def _leave_to_proofs(items: list[pytest.Item]) -> None:
    """Of the forms of each test that is marked ``in_turn(number)``, all but ``number`` are long proofs. The name of the
    file draws where the row of forms begins: all titles come, and the tests of a file share the games of two."""
    forms = defaultdict[tuple[str, int], list[pytest.Item]](list)
    for item in items:
        if (mark := item.get_closest_marker("in_turn")) is not None:
            forms[item.nodeid.partition("[")[0], mark.args[0]].append(item)
    for (name, number), row in forms.items():
        begin = crc32(name.partition("::")[0].encode()) % len(row)
        for item in (row[begin:] + row[:begin])[number:]:
            item.add_marker(pytest.mark.prove)


def _turn(item: pytest.Item) -> int:
    """The place of a test's file in ``LONG_FIRST``, or after all of them."""
    places = (place for place, begin in enumerate(LONG_FIRST) if item.nodeid.startswith(begin))
    return next(places, len(LONG_FIRST))


@pytest.fixture(params=DATABASES)
def each_database(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The test has two forms: its services use SQLite in their folder, or an empty database on PostgreSQL."""
    database: Database | None = request.getfixturevalue("postgres_tables") if request.param == "postgresql" else None
    if database is not None:
        monkeypatch.setenv("RAILPOST_DATABASE", database.url)
    yield request.param
    while OPENED:
        OPENED.pop().close()
    if database is not None:
        empty(database)


@pytest.fixture
def emptied(each_database: str, request: pytest.FixtureRequest) -> Callable[[], None]:
    """Empties the database between several services of one test, each of which is the only one on it. On SQLite each
    has a file of its own."""

    def clear() -> None:
        while OPENED:
            OPENED.pop().close()
        if each_database == "postgresql":
            empty(request.getfixturevalue("postgres_tables"))

    return clear


def pytest_collection_finish() -> None:
    """Collected tests live to the end, so the collector of garbage leaves them out from now on."""
    gc.collect()
    gc.freeze()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What is missing here is said in one line, so that nobody takes a run for more than it is."""
    if reason := missing_programs():
        terminalreporter.write_line(f"tests of real mail did not run: {reason}")
    if reason := missing_postgres():
        terminalreporter.write_line(f"tests on PostgreSQL did not run: {reason}")


__all__ = ["game", "table"]
