"""Write down what this version promises to later ones, and hold the program against what earlier ones wrote down.

    python -m tools.promises [CHECKOUT]          what no longer holds; exits 1 if there is anything
    python -m tools.promises --write [CHECKOUT]  the folder of this version in tests/promised

``docs/promises.md`` says what is promised. Each release gets a folder, which is never changed after it: ``--write``
leaves a folder alone that is there, so that whoever makes a release that is not out yet removes it first. It also
writes down the digests of all earlier folders, so that what was promised can only grow.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import engine
from moderator import library
from tools.code_tables import run
from tools.promised import deprecations, games, names, orders

FOLDER: Final = Path("tests/promised")
DEPARTURES: Final = "departures.json"
"""Records of released versions that newer rules play otherwise: version and name -> the version of the rules.
``1.0.0/positions`` with any number: positions of that version have another form now."""
DIGESTS: Final = "digests.json"
"""The folders of released versions as they were when the next version was written down: version -> SHA-256."""
_NAMES: Final = "names.json"
_POSITIONS: Final = "positions.json"
_PAGE: Final = "docs/promises.md says what stays until the next major version"


def versions(checkout: Path) -> list[str]:
    return sorted(path.parent.name for path in (checkout / FOLDER).glob(f"*/{_NAMES}"))


def lost_names(checkout: Path, version: str) -> list[str]:
    """The names, settings, commands and keys of ``version`` that are gone or used otherwise."""
    return list(names.broken(_read(checkout, version, _NAMES), names.listing(checkout)))


def changed_orders(checkout: Path, version: str, name: str) -> list[str]:
    """The orders of ``version`` for a title, or the words of a master, that mean something else."""
    return list(orders.changed(name, _read(checkout, version, f"orders-{name}.json")))


def departed(checkout: Path, version: str, record: Path) -> str | None:
    """Why a record of ``version`` does not replay; None if it does."""
    return games.departed(record.read_text(encoding="utf-8"), _departures(checkout).get(f"{version}/{record.stem}"))


def records(checkout: Path, version: str) -> list[Path]:
    return sorted((checkout / FOLDER / version).glob("*.record"))


def lost_positions(checkout: Path, version: str) -> list[str]:
    """The positions of ``version`` that do not open any more."""
    other_form = f"{version}/positions" in _departures(checkout)
    lost = []
    for name, position in _read(checkout, version, _POSITIONS).items():
        if why := games.lost_position(position["text"], position["digest"], other_form):
            lost.append(f"the position of {name}: {why}")
    return lost


def close_folders(checkout: Path) -> None:
    """Write down the digests of the folders that are there. Those that are written down already stay."""
    digests = {version: _digest(checkout / FOLDER / version) for version in versions(checkout)}
    if digests:
        _write_lines(checkout / FOLDER / DIGESTS, digests | _versions_to(checkout, DIGESTS))


def changed_folders(checkout: Path) -> list[str]:
    """The versions whose folders are no longer as they were when a later version was written down."""
    held = _versions_to(checkout, DIGESTS)
    return [version for version, digest in held.items() if _digest(checkout / FOLDER / version) != digest]


def subjects() -> list[str]:
    """Whose orders are written down: each title, and the game master."""
    return [*engine.title_names(), orders.MASTER]


def problems(checkout: Path) -> list[str]:
    """Every promise that does not hold, one readable line each."""
    found = [line for version in versions(checkout) for line in _problems(checkout, version)]
    found += [f"{FOLDER}/{version} is not as {version} wrote it" for version in changed_folders(checkout)]
    found += deprecations.faults(checkout, engine.__version__)
    return [*found, _PAGE] if found else []


def _problems(checkout: Path, version: str) -> Iterator[str]:
    for line in lost_names(checkout, version):
        yield f"{version} promised: {line}"
    for path in sorted((checkout / FOLDER / version).glob("orders-*.json")):
        for line in changed_orders(checkout, version, path.stem.removeprefix("orders-")):
            yield f"{version} promised: {line}"
    for record in records(checkout, version):
        if why := departed(checkout, version, record):
            yield f"{version} wrote the record {record.name}: {why}"
    for line in lost_positions(checkout, version):
        yield f"{version} wrote {line}"


def _read(checkout: Path, version: str, name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((checkout / FOLDER / version / name).read_text(encoding="utf-8"))
    return found


def _departures(checkout: Path) -> dict[str, int]:
    return _versions_to(checkout, DEPARTURES)


def _versions_to(checkout: Path, name: str) -> dict[str, Any]:
    path = checkout / FOLDER / name
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return found


def _digest(folder: Path) -> str:
    found = hashlib.sha256()
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        found.update(f"{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return found.hexdigest()


def _write(checkout: Path) -> None:
    folder = checkout / FOLDER / engine.__version__
    if folder.exists():
        raise SystemExit(f"{folder} is there already; if {engine.__version__} is not out yet, remove it first")
    close_folders(checkout)
    folder.mkdir(parents=True)
    _write_lines(folder / _NAMES, names.listing(checkout))
    for name in subjects():
        _write_lines(folder / f"orders-{name}.json", orders.collected(checkout, name))
    positions = {}
    for title, edition in games.editions():
        played = games.game(title, edition)
        (folder / f"{title}-{edition}.record").write_text(library.write_record(played), encoding="utf-8")
        text = engine.write_position(played)
        positions[f"{title}-{edition}"] = {"text": text, "digest": engine.read_position(text).told_digest()}
    _write_lines(folder / _POSITIONS, positions)
    if not (departures := folder.parent / DEPARTURES).exists():
        departures.write_text("{}\n", encoding="utf-8")


def _write_lines(path: Path, found: dict[str, Any]) -> None:
    """A line for each name, so that a difference can be read."""
    lines = ",\n".join(
        f"{json.dumps(k, ensure_ascii=False)}: {json.dumps(v, ensure_ascii=False)}" for k, v in found.items()
    )
    path.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


def _said() -> str:
    return f"all that versions {', '.join(versions(Path()))} promised holds"


def main(arguments: Sequence[str]) -> int:
    """Run from a checkout; the exit status."""
    return run(arguments, _write, problems, _said)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
