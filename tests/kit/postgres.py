"""A throw-away PostgreSQL for tests: Debian's binaries, a folder of its own, a socket in it and no port at all."""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Self

import psycopg
from sqlalchemy import text

from moderator.adapters.database import Database, metadata
from tests.kit.patience import PATIENCE

_CLUSTERS = Path("/usr/lib/postgresql")
_FASTER = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_wal_size=256MB", "wal_level=minimal")
"""Nothing here has to outlive the machine."""
_SMALL = ("shared_buffers=32MB", "max_connections=60", "max_wal_senders=0", "autovacuum_max_workers=1")


@cache
def _binaries() -> Path | None:
    """Debian keeps them apart by version, and out of the way."""
    found = sorted(_CLUSTERS.glob("*/bin/initdb"), key=lambda path: int(path.parts[-3].split(".")[0]), reverse=True)
    if found:
        return found[0].parent
    other = shutil.which("initdb")
    return Path(other).parent if other else None


@cache
def missing_postgres() -> str:
    """One line with what is missing and how to get it; empty if nothing is."""
    if _binaries() is None:
        return "not installed: postgresql; on Debian `make test-deps` gets it"
    if os.geteuid() == 0 and shutil.which("setpriv") is None:
        return "not installed: util-linux, which starts PostgreSQL as somebody who is not root"
    return ""


class Postgres:
    """``with Postgres() as server``; it dies with the process that started it. ``durable`` writes as in earnest."""

    def __init__(self, *, durable: bool = False) -> None:
        self._options = _SMALL if durable else (*_SMALL, *_FASTER)
        self._numbers = itertools.count(1)
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        binaries = _binaries()
        assert binaries is not None, missing_postgres()
        self.folder = Path(tempfile.mkdtemp(prefix="railpost-pg-"))
        self._who: list[str] = []
        if os.geteuid() == 0:
            shutil.chown(self.folder, "postgres", "postgres")
            self._who = ["--reuid=postgres", "--regid=postgres", "--clear-groups"]
        try:
            self._do(binaries / "initdb", "-D", self._data, "--auth=trust", "-U", "railpost", "-E", "UTF8",
                     "--locale=C.UTF-8", "--no-sync", "--no-instructions")  # fmt: skip
            self._start()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def _data(self) -> Path:
        return self.folder / "data"

    def _start(self) -> None:
        binaries = _binaries()
        assert binaries is not None
        options = [word for option in self._options for word in ("-c", option)]
        log = (self.folder / "log").open("ab")
        with log:
            # ... which the kernel ends should this process be killed.
            self._process = subprocess.Popen(
                ["setpriv", *self._who, "--pdeathsig=INT", "--", binaries / "postgres", "-D", self._data,
                 "-c", "listen_addresses=", "-k", self.folder, *options],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder,
            )  # fmt: skip
        until = time.monotonic() + PATIENCE
        while True:
            try:
                psycopg.connect(self._conninfo("postgres")).close()
                return
            except psycopg.OperationalError as error:
                if time.monotonic() > until or self._process.poll() is not None:
                    said = (self.folder / "log").read_text(errors="replace")
                    raise TimeoutError(f"PostgreSQL does not start: {error}\n{said}") from error
                time.sleep(0.05)

    def stop(self, how: signal.Signals = signal.SIGQUIT) -> None:
        """At once, as when the machine fails: what it has is not wanted any more."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.send_signal(how)
            self._process.wait(PATIENCE)
            self._process = None

    def start(self) -> None:
        """Again after ``stop``, with what was written."""
        self._start()

    def cpu(self) -> float:
        """Seconds of CPU time that the server has taken, those of backends that have ended included."""
        assert self._process is not None
        server = self._process.pid
        everybody = [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]
        return sum(cpu_of(pid) for pid in everybody if pid == server or _parent(pid) == server)

    def _do(self, *command: object) -> None:
        who = ["setpriv", *self._who, "--"] if self._who else []
        done = subprocess.run([*who, *map(str, command)], capture_output=True, text=True, check=False, cwd=self.folder)
        if done.returncode:
            raise RuntimeError(f"{command[0]}: {done.stdout}{done.stderr}")

    # ---- databases

    def create(self, template: str = "") -> str:
        """A new database, empty or a copy of another that nobody uses; its SQLAlchemy URL."""
        name = f"t{next(self._numbers)}"
        copied = f" TEMPLATE {name_in(template)}" if template else ""
        self._execute(f"CREATE DATABASE {name}{copied}")
        return f"postgresql+psycopg:///{name}?host={self.folder}&user=railpost"

    def drop(self, url: str) -> None:
        """Remove it, whoever still uses it."""
        self._execute(f"DROP DATABASE IF EXISTS {name_in(url)} WITH (FORCE)")

    def _conninfo(self, database: str) -> str:
        return f"host={self.folder} user=railpost dbname={database} connect_timeout=5"

    def _execute(self, statement: str) -> None:
        with psycopg.connect(self._conninfo("postgres"), autocommit=True) as connection:
            connection.execute(statement)


def _stat(pid: int) -> list[str]:
    """The words of the kernel about a process, from its state on; empty if it has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return []


def _parent(pid: int) -> int:
    said = _stat(pid)
    return int(said[1]) if said else 0


def cpu_of(pid: int) -> float:
    """Seconds of CPU time that a process has taken, and its children that have ended."""
    return sum(map(int, _stat(pid)[11:15])) / os.sysconf("SC_CLK_TCK")


def name_in(url: str) -> str:
    """The database that a URL names."""
    return url.partition(":///")[2].partition("?")[0]


def empty(database: Database) -> None:
    """Take all rows out of its tables, and let their numbers begin anew. TRUNCATE would make new files for each table,
    which takes far longer than to delete a few rows."""
    deletions = [f'DELETE FROM "{table.name}"' for table in reversed(metadata.sorted_tables)]
    with database.engine.begin() as connection:
        numbered = connection.execute(text("SELECT sequencename FROM pg_sequences")).scalars()
        restarts = [f'ALTER SEQUENCE "{name}" RESTART' for name in numbered]
        connection.exec_driver_sql("; ".join([*deletions, *restarts]))
    database.close()
