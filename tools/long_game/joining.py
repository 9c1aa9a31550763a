"""The chapters about people without a seat: who joins, watches, waits, and takes a seat over. All of it is by mail."""

from __future__ import annotations

import re
from typing import Final

from tools.long_game.game import LongGame, reply_to
from tools.long_game.stage import command, pass_by

HOURS: Final = 72
"""For an answer."""
PLAYERS: Final = ("Ann", "Bob", "Cat")
TO_ALL: Final = "Good evening to all who play and watch."
TO_ONE: Final = "Ann has too much money."
LIMIT: Final = "limit 55 on MRR"


def offer(game: LongGame) -> None:
    """The operator offers a game with one command. Nobody needs a shell after that."""
    names = (*PLAYERS, "Max", "Eve", "Dan", "Olga")
    game.addresses = {name: game.stage.address(name) for name in names}
    game.command = (
        "game", "form", "1861", "--players", "3-4", "--master", f"Max <{game.addresses['Max']}>",
        "--deadline-hours", str(HOURS), "--clock", "late=default",
    )  # fmt: skip
    said = command(game.stage, *game.command)
    found = re.search(r"\b1861-\d+\b", said)
    assert found is not None, said
    game.name = found[0]
    game.stage.settle()
    game.show("Max, who is to be the game master, hears of it", game.letters("Max")[-1])
    game.show("Ann asks what there is", game.ask_service("Ann", "games"))
    game.show("She gets a list", game.letters("Ann")[-1])
    for name in PLAYERS:
        wrote = game.ask_service(name, f"join {game.name} as {name}")
        asked = game.letters(name)[-1]
        game.answer(name, "yes", "you join")
        if name == "Ann":
            game.show("She joins", wrote)
            game.show("Was it really Ann? She answers `yes`", asked)
            game.show("She is on the list. Bob and Cat join in the same way", game.letters(name)[-1])


def begin(game: LongGame) -> None:
    """A fourth player could join. Max begins with three, and each of them agrees."""
    game.show("Max is told that enough have joined", game.letters("Max")[-1])
    game.show("He writes to the service", game.ask_service("Max", f"start {game.name}"))
    game.show("Is it really Max? He answers `yes`", game.letters("Max")[-1])
    game.answer("Max", "yes", "the game begins")
    for name in PLAYERS:
        asked = game.last(name, "the game may begin")
        before = len(game.letters(name))
        game.answer(name, "yes", "the game may begin")
        if name == "Ann":
            game.show("Each player is asked. Ann answers `yes`", asked)
            game.show("She has agreed", game.letters(name)[before])
    first = game.asked()
    game.show(
        "All have agreed: the first mail to a player who does not begin", game.last(game.others(first)[0], "Welcome")
    )
    game.show("The first turn mail", game.from_game(first), whole=True)
    game.show("The first mail to the game master", game.from_game("Max"))


def guests(game: LongGame) -> None:
    """Olga wants to watch the game. Dan would play, if a seat became free."""
    game.show("Olga writes to the service", game.ask_service("Olga", f"observe {game.name}"))
    game.show("Is it really Olga? She answers `yes`", game.letters("Olga")[-1])
    game.answer("Olga", "yes", "you observe")
    game.show("She observes", game.letters("Olga")[-1])
    game.show("Dan writes to the service", game.ask_service("Dan", "wait 1861"))
    game.answer("Dan", "yes", "you wait")
    game.show("After his `yes` he is on the waiting list", game.letters("Dan")[-1])
    first, second, third = game.asked(), *game.others(game.asked())
    game.write(first, LIMIT)
    game.write(second, f"press {third}: {TO_ONE}")
    game.show(f"{second} writes to all players", game.write(second, f"press: {TO_ALL}"))
    game.show("Olga gets that too. What players write to each other alone she does not get", game.letters("Olga")[-1])


def news(game: LongGame) -> None:
    """A round is over. Olga hears what every player knows."""
    now = str(game.position().state.round)
    game.go_on(lambda later: str(later.state.round) != now)
    game.show("Olga gets the news", game.letters("Olga")[-1])


def successor(game: LongGame) -> None:
    """Cat has no time any more, and gives up the seat. Dan has waited for one."""
    game.go_on(lambda now: now.state.round.kind == "SR" and str(now.asked()[0].player) == "Cat")
    wrote = game.write("Cat", "resign")
    old = reply_to(game.from_game("Cat"))
    game.show("Cat writes", wrote)
    if game.caretaker("Cat") != "open":
        game.show("Is it really Cat? She answers `yes`", game.letters("Cat")[-1])
        game.answer("Cat", "yes", "yes or no")
    game.show("The others are told", game.last("Ann", "gives up"))
    pass_by(game.stage, 1)
    game.show("The seat is offered to Dan", game.last("Dan", "open seat"))
    before = len(game.letters("Dan"))
    game.answer("Dan", "yes", "open seat")
    mails = game.letters("Dan")[before:]
    game.show("He answers `yes`, and the seat is his", mails[0])
    game.show("The second mail tells him all that has happened", mails[1], whole=True)
    game.show("The third asks him for his first turn", mails[2])
    game.show("The others are told, too", game.last("Ann", "Dan plays"))
    game.show("And Cat is told", game.stage.letters(game.addresses["Cat"])[-1])
    game.refused = game.write("Cat", "pass", old)
    game.left, game.addresses["Cat"] = game.addresses["Cat"], game.addresses["Dan"]
    game.move()
    game.show("Dan plays", game.last("Cat", "your orders: carried out"))
