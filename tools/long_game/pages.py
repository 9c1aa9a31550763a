"""The pages of docs/tour: some mails of the long game, chapter by chapter.

python -m tools.long_game.pages [--write]
"""

from __future__ import annotations

import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tools.long_game.game import LongGame, Shown, text_of
from tools.long_game.script import CHAPTERS, play
from tools.long_game.stage import Folders

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "tour"
_SECRET = re.compile(r"(railpost\+(?:[\w-]+\.)*)[a-z2-7]{12,}(?=@)")
EXAMPLE = "mfzwizltnfxa"
"""Stands for every secret word of an address."""
END_OF_EXCERPT = "\nPLAYERS"
"""The rest of a mail is the position."""
HEAD = """# A game by mail

A whole game of 1861 by mail, played by robots: what players and game masters write, and what they get. Ann, Bob and Cat
play, Max is the game master, Olga watches, and Dan waits for a seat. The operator offers the game with this command,
and nobody uses a shell after that:

{command}

`make tour` makes these pages: the mails are those that Railpost writes today. The secret word of every address is
replaced by an example, and `[...]` stands for the position and what follows it.

"""


@contextmanager
def played() -> Iterator[LongGame]:
    """The game at its end, for as long as this lasts."""
    with tempfile.TemporaryDirectory(prefix="railpost-tour-") as folder:
        stage = Folders(Path(folder) / "game")
        try:
            game = LongGame(stage)
            play(game)
            yield game
        finally:
            stage.close()


def pages() -> dict[str, str]:
    """File name -> text of every page."""
    with played() as game:
        return pages_of(game)


def pages_of(game: LongGame) -> dict[str, str]:
    made, rows = {}, []
    for number, (title, shown) in enumerate(game.chapters.items(), 1):
        name = f"{number:02}-{title.lower().replace(' ', '-')}.md"
        said = re.sub(r"\s+", " ", CHAPTERS[title].__doc__ or "").strip()
        made[name] = f"# {title}\n\n{said}\n" + "".join(map(_mail, shown))
        rows.append(f"{number}. [{title}]({name}): {said}\n")
    return {"README.md": HEAD.format(command=_command(game)) + "".join(rows), **made}


def _command(game: LongGame) -> str:
    """The command that offered the game, with each option on a line of its own."""
    words = shlex.join(("railpost", *game.command))
    return f"    {words}".replace(" --", " \\\n      --")


def _mail(shown: Shown) -> str:
    """A mail with its caption."""
    mail, text = shown.mail, text_of(shown.mail)
    if not shown.whole and END_OF_EXCERPT in text:
        text = text.partition(END_OF_EXCERPT)[0] + "\n[...]"
    subject = re.sub(r"\s+", " ", str(mail["Subject"]))
    head = f"From: {mail['From']}\nTo: {mail['To']}\nSubject: {subject}\nDate: {mail['Date']}"
    lines = "\n".join(line.rstrip() for line in f"{head}\n\n{text.strip()}".splitlines())
    return f"\n## {shown.caption}\n\n```\n{without_secrets(lines)}\n```\n"


def without_secrets(text: str) -> str:
    return _SECRET.sub(rf"\g<1>{EXAMPLE}", text)


def problems(folder: Path = FOLDER) -> list[str]:
    """The pages that are not those of the programs."""
    wanted = pages()
    here = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.md")}
    return sorted(name for name in wanted.keys() | here.keys() if wanted.get(name) != here.get(name))


def write(folder: Path = FOLDER) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    wanted = pages()
    for path in folder.glob("*.md"):
        if path.name not in wanted:
            path.unlink()
    for name, text in wanted.items():
        (folder / name).write_text(text, encoding="utf-8")


def main(arguments: list[str]) -> int:
    if "--write" in arguments:
        write()
        return 0
    for name in (found := problems()):
        print(f"docs/tour/{name} is not that of the programs: run `make tour`")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
