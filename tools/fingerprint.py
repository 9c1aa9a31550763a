"""Notice that the rules of a title changed, so that nobody forgets to give them a new version.

    python -m tools.fingerprint [--accept]

Each title keeps the fingerprint of its rules by version in ``fingerprint.txt``. Without ``--accept`` the program holds
it against the rules as they are: it prints what differs and exits 1, or one line and exits 0. Whoever changed rules
first adds a version to ``changes.toml`` and ``CHANGELOG.md`` if players can notice the change, and then accepts it.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from engine.titles.changelog import load_changes
from engine.titles.fingerprint import ENGINE, fingerprint
from engine.titles.registry import PACKAGES

HEAD = "# Version of the rules, and their fingerprint. Written by `python -m tools.fingerprint --accept`."


def recorded(path: Path) -> dict[int, str]:
    """Version -> fingerprint, as the file has them; nothing where there is no file. ``ValueError`` for a line that is
    neither."""
    if not path.exists():
        return {}
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    try:
        return {int(version): found for version, found in (line.split() for line in lines)}
    except ValueError as error:
        raise ValueError(f"{path}: every line must be a version and a fingerprint: {error}") from error


def look(name: str, accept: bool, engine: Path = ENGINE) -> str | None:
    """The message about the title ``name``; None where its rules are those that were accepted."""
    folder = engine / "titles" / f"t{name}"
    version = load_changes(folder / "changes.toml")[-1].version
    path, now = folder / "fingerprint.txt", fingerprint(folder.name, engine)
    known = recorded(path)
    if known.get(version) == now:
        return None
    if accept:
        lines = [f"{number} {found}" for number, found in sorted({**known, version: now}.items())]
        path.write_text("\n".join([HEAD, *lines, ""]), encoding="utf-8")
        return f"rules of {name}: version {version} is {now[:12]} from now on"
    if version not in known:
        return f"rules of {name}: version {version} has no fingerprint; run `python -m tools.fingerprint --accept`"
    return (
        f"rules of {name} changed since version {version} was accepted: if players can notice the change, add version"
        f" {version + 1} to engine/titles/{folder.name}/changes.toml and CHANGELOG.md; then run"
        " `python -m tools.fingerprint --accept`"
    )


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.fingerprint", description="Compare fingerprints of rules.")
    parser.add_argument("--accept", action="store_true", help="write down the fingerprints as they are now")
    accept = parser.parse_args(arguments).accept
    own = [name for name, package in PACKAGES.items() if package.startswith("engine.titles.")]
    found = [line for name in own if (line := look(name, accept)) is not None]
    print("\n".join(found) or "fingerprints: the rules are those that were accepted")
    return 1 if found and not accept else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
