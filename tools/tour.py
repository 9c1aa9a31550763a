"""Put a real turn mail, its picture and a real answer into the README's tour, and make the pages of docs/tour.

    python -m tools.tour

Tests hold both against what the programs say today; run this when they fail because the words have changed.
"""

from __future__ import annotations

import re
from pathlib import Path

import engine
from engine import orders
from engine.core.ids import CompanyId, PlayerId, TrainName
from grammar import read
from moderator import render
from moderator.adapters.png import png
from moderator.domain.block import play_block
from moderator.domain.fork import Fork
from moderator.domain.info import GameInfo
from moderator.domain.transcript import Transcript
from moderator.domain.vocabulary import vocabulary
from moderator.render.pictures import drawn
from tools.long_game import pages

README = Path(__file__).resolve().parents[1] / "README.md"
ANN, BOB, CAT = PLAYERS = tuple(map(PlayerId, ("Ann", "Bob", "Cat")))
PRIVATES = (("TSR", 20), ("BSS", 30), ("MYR", 40), ("MRR", 50), ("WVR", 60))
TOKEN = "mfzwizltnfxa"
PICTURE = README.parent / "docs" / "tour.png"
END_OF_EXCERPT = "\nPLAYERS"
"""The rest of a turn mail is the position, as in every other mail."""


def position() -> tuple[engine.Game, int]:
    """Ann's K-R is to operate for the first time. Also how many orders Ann has been told of."""
    game = engine.Game.start(engine.load_title("1861"), engine.Setup(PLAYERS, seed="tour", priority=ANN))
    for item, amount in (*PRIVATES, ("N", 200), ("K-R", 215)):
        game.submit(orders.Open(game.asked()[0].player, CompanyId(item), amount))
        while game.asked()[0].what == "auction.bid":
            game.submit(orders.Drop(game.asked()[0].player))
    told = len(game.orders)
    while game.state.round.kind == "SR":
        game.submit(orders.Pass(game.asked()[0].player))
    game.submit(orders.Train(CompanyId("N"), TrainName("2")))
    game.submit(orders.Done(CompanyId("N")))
    return game, told


def info(game: engine.Game) -> GameInfo:
    return GameInfo(
        id="1861-7",
        title="1861",
        edition="v2.0",
        options={},
        seat=ANN,
        seats={ANN: "ann@example.org", BOB: None, CAT: None},
        commitment="0" * 64,
        at=len(game.orders) + 1,
        reply_to=f"railpost+1861-7.1.{TOKEN}@example.net",
        token=TOKEN,
        asked=tuple(str(ask.player) for ask in game.asked()),
    )


def turn_mail() -> str:
    """The mail that asks Ann, up to the position."""
    game, told = position()
    return render.turn_mail(game, info(game), ANN, told).text.partition(END_OF_EXCERPT)[0] + "\n[...]"


def picture() -> bytes:
    """The map around the company in that mail, as PNG."""
    game, told = position()
    pictures = render.turn_mail(game, info(game), ANN, told).pictures
    shown = drawn(game, next(picture for picture in pictures if picture.kind == "map"))
    return png(shown.svg, width=shown.width)


def answer(text: str) -> str:
    """The answer that Ann gets to a mail with ``text``."""
    game, _ = position()
    reading = read(text, vocabulary(game.title, PLAYERS), default_actor="K-R")
    fork = Fork(game)
    block = play_block(fork, ANN, reading, text, partial=False)
    after = fork.game if block.stands else game
    transcript = Transcript(
        game_id="1861-7",
        seat=ANN,
        lines=tuple(block.lines),
        words=reading.words,
        ignored_lines=0,
        outcome=block.stopped or "applied",
        notes=tuple(block.notes),
        state_token=len(after.orders) + 1,
    )
    said = render.transcript_mail(after, info(after), transcript).text
    return said.partition("\nWHOSE TURN")[0]


def with_tour(readme: str) -> str:
    """The README with the tour as it is today."""
    given = re.findall(r"<!-- tour:answer\n(.*?)-->", readme, re.S)
    shown = {f"answer\n{text}": answer(text) for text in given} | {"mail ": turn_mail()}
    for name, text in shown.items():
        block = "\n".join(line.rstrip() for line in text.strip().splitlines())
        pattern = rf"(<!-- tour:{re.escape(name)}-->\n).*?(<!-- /tour -->)"
        readme = re.sub(pattern, lambda m, block=block: f"{m[1]}```\n{block}\n```\n{m[2]}", readme, flags=re.S)  # type: ignore[misc]
    return readme


if __name__ == "__main__":
    PICTURE.write_bytes(picture())
    README.write_text(with_tour(README.read_text(encoding="utf-8")), encoding="utf-8")
    pages.write()
