"""The folder of an archive: a folder for each game, scripts and styles for all, and the index.

A game whose volume has not changed is left alone, whatever the version of the program. Scripts and styles are never
removed, because older pages use them.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from moderator.archive.pages import FORM, POSITIONS, STEPS, asset, earlier_of, facts_of, files_of
from moderator.archive.volume import EVERYBODY, Volume
from moderator.words.texts import words

GAMES: Final = "games"
_MARK: Final = "archive.json"
_ENTRY: Final = "entry.json"
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,60}")


class NotAnArchive(ValueError):
    """The folder cannot be used for an archive; the message says why."""


class Site:
    """An archive in ``folder``, built for one seat or for everybody. Raises ``NotAnArchive`` if the folder holds other
    things or an archive for somebody else."""

    def __init__(self, folder: Path, seat: str = EVERYBODY) -> None:
        self.folder, self.seat = folder, seat
        self._redacted: dict[str, dict[str, str]] = {}
        mark = folder / _MARK
        if mark.is_file():
            there = _read(mark)
            self._redacted = dict(there.get("redacted", {}))
            if there.get("seat", EVERYBODY) != seat:
                whom = f"seat {there['seat']}" if there.get("seat") else "everybody"
                raise NotAnArchive(f"{folder} holds an archive for {whom}: build this one in a folder of its own")
        elif folder.exists() and not folder.is_dir():
            raise NotAnArchive(f"{folder} is a file: name a folder")
        elif folder.exists() and any(folder.iterdir()):
            raise NotAnArchive(f"{folder} holds other files and no archive: name a new or empty folder")

    @staticmethod
    def is_there(folder: Path) -> bool:
        """True if ``folder`` holds an archive."""
        return (folder / _MARK).is_file()

    @staticmethod
    def there(folder: Path) -> Site:
        """The archive in ``folder``, whoever it is for. Raises ``NotAnArchive`` if there is none."""
        if not Site.is_there(folder):
            raise NotAnArchive(f"{folder} holds no archive")
        return Site(folder, str(_read(folder / _MARK).get("seat", EVERYBODY)))

    def redacted(self, name: str, players: Sequence[str]) -> dict[str, str]:
        """The players of a game whose names are taken out -> the names in their place. ``players`` are in seating
        order."""
        numbers = self._redacted.get(name, {})
        return {player: numbers[str(i)] for i, player in enumerate(players, 1) if str(i) in numbers}

    def redact(self, name: str, number: int, new: str) -> None:
        """Call the player in seat ``number`` of a game ``new``, also in every later build. The folder does not record
        the old name. The pages of the game are removed: the caller writes them again."""
        self._redacted.setdefault(name, {})[str(number)] = new
        self._begin()
        shutil.rmtree(self._entry(name).parent, ignore_errors=True)

    @property
    def begun(self) -> bool:
        """True once the site has an index."""
        return (self.folder / "index.html").is_file()

    def entry(self, name: str) -> dict[str, Any] | None:
        """The row of a game in the index; None if the game is not in the archive."""
        path = self._entry(name)
        return _read(path) if path.is_file() else None

    def record(self, name: str) -> Path:
        """Path of the record of a game in the archive."""
        return self._entry(name).parent / "record.txt"

    def stamp(self, name: str) -> str:
        """The stamp of the volume that is stored under ``name``; empty if there is none."""
        return str((self.entry(name) or {}).get("stamp", ""))

    def add(self, volume: Volume, *, again: bool = False) -> bool:
        """Write the page of a volume. Return False if an equal one is there already; ``again`` writes it all the
        same."""
        if not again and volume.stamp and self.stamp(volume.name) == volume.stamp:
            return False
        self._begin()
        folder = self._entry(volume.name).parent
        folder.mkdir(parents=True, exist_ok=True)
        there = {
            path.name: path.read_bytes() for path in folder.iterdir() if path.name in (STEPS, "game.js", POSITIONS)
        }
        files = files_of(volume, None if again else earlier_of(there))
        for name, content in files.items():
            _write(folder / name, content)
        for path in folder.iterdir():  # left from before an undo, or by a build that was killed
            if path.name not in (*files, _ENTRY):
                path.unlink()
        for name in ("game.js", "archive.css"):
            self._asset(name)
        source = "game" if volume.base else "record"
        facts = {"form": FORM, "stamp": volume.stamp, "source": source, "fault": volume.fault, **facts_of(volume)}
        _write(folder / _ENTRY, _json(facts))  # written last: a page without it is written again
        return True

    def finish(self) -> None:
        """Write the index of all games in the archive."""
        self._begin()
        entries = [
            {**_read(path), "path": f"{GAMES}/{path.parent.name}/index.html"}
            for path in sorted((self.folder / GAMES).glob(f"*/{_ENTRY}"))
        ]
        entries.sort(key=lambda entry: (entry["begun"], entry["name"]), reverse=True)
        self._asset("index.js")
        self._asset("archive.css")
        page = words("en").page(
            "archive_index",
            subject=words("en").word("archive.games"),
            root="",
            style=asset("archive.css")[0],
            script=asset("index.js")[0],
            seat=self.seat,
            games=entries,
            titles=sorted({entry["title"] for entry in entries}),
            states=sorted({entry["status"] for entry in entries}),
            players=_players(entries),
        )
        _write(self.folder / "index.html", page.encode())

    def _begin(self) -> None:
        """Mark the folder as an archive before anything else is written."""
        self.folder.mkdir(parents=True, exist_ok=True)
        _write(self.folder / _MARK, _json({"form": FORM, "seat": self.seat, "redacted": self._redacted}))

    def _asset(self, name: str) -> None:
        path, content = asset(name)
        if not (self.folder / path).is_file():
            (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
            _write(self.folder / path, content)

    def _entry(self, name: str) -> Path:
        return self.folder / GAMES / folder_name(name) / _ENTRY


def folder_name(name: str) -> str:
    """The name of a game's folder, of letters and digits that every system accepts: the game's own name if it is
    one."""
    if _NAME.fullmatch(name):
        return name
    plain = re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-")[:40] or "game"
    return f"{plain}-{sha256(name.encode()).hexdigest()[:8]}"


def _players(entries: Iterable[dict[str, Any]]) -> list[str]:
    return sorted({player for entry in entries for player in entry["players"]})


def _read(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise NotAnArchive(f"{path} cannot be read: {error}") from error
    return found if isinstance(found, dict) else {}


def _json(facts: dict[str, Any]) -> bytes:
    return (json.dumps(facts, ensure_ascii=False, indent=1, sort_keys=True) + "\n").encode()


def _write(path: Path, content: bytes) -> None:
    """Write a file whole or not at all, because somebody may be reading the page. An equal file is left alone."""
    if path.is_file() and path.read_bytes() == content:
        return
    new = path.with_name(f".{path.name}.new")
    new.write_bytes(content)
    new.replace(path)
