"""The script of the long game: who writes which mail, and what happens in between. Robots decide the play."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Final

from engine import Game
from engine.core.orders import Lay, Order
from engine.robots import sensible
from moderator.entrypoints.robot_player import as_text, orders_of_turn
from tools.long_game.game import LongGame, reply_to
from tools.long_game.joining import HOURS, begin, guests, news, offer, successor
from tools.long_game.stage import pass_by

QUESTION: Final = "may I sell in the first round?"
ANSWER: Final = "No, not before the first operating round."


def play(game: LongGame, last: str = "") -> None:
    """Play the whole game, or to the end of the chapter ``last``."""
    for chapter, happens in CHAPTERS.items():
        game.chapters[chapter] = []
        happens(game)
        if chapter == last:
            break


def bid(game: LongGame) -> None:
    """The private companies are sold, one after the other."""
    first = game.asked()
    game.write(first, "auction TSR at 5")
    game.show(f"{first} begins, with too little", game.last(first, "refused"))
    game.move()
    game.show("The same with the right amount", game.letters(first)[-1])
    game.show("The next player is asked", game.letters(game.asked())[-1])
    game.go_on(lambda now: not now.asked()[0].what.startswith("auction."))


def second_master(game: LongGame) -> None:
    """Max is away in May, and wants Eve to be a game master too."""
    game.show(
        "Max writes to his own address",
        game.master("Max", f"add master Eve <{game.addresses['Eve']}>\nreason: I am away in May"),
    )
    if game.asked_master is not None:
        game.show("Is it really Max? He answers `yes`", game.asked_master)
    game.show("Every player is told", game.last("Ann", "game masters are now"))
    game.show("Eve gets an address of her own", game.letters("Eve")[0])
    game.master("Eve", "show clock\nshow seats")
    game.show("Eve looks at the clocks", game.letters("Eve")[-1])


def lateness(game: LongGame) -> None:
    """A player does not answer. The table has agreed on the default then (`late=default`)."""
    game.late = game.asked()
    before = len(game.position().orders)
    pass_by(game.stage, HOURS - 1)
    game.show("A reminder, a day before", game.last(game.late, "Please answer by"))
    pass_by(game.stage, 2)
    if len(game.position().orders) == before:
        raise RuntimeError("no default was taken")
    game.show("The default was taken: to the late player", game.last(game.late, "has not come in time"))
    game.show("How the game goes on: to the late player", game.letters(game.late)[-1])
    game.show("The default was taken: to another player", game.letters(game.others(game.late, game.asked())[0])[-1])
    game.move()


def absence(game: LongGame) -> None:
    """A player goes away for a week, longer than he has for his answer. His clock stands still."""
    game.away = game.asked()
    today = game.stage.clock.now().date()
    before = len(game.position().orders)
    game.show("The player writes", game.write(game.away, f"away {today} to {today + timedelta(days=6)}"))
    game.show("He is answered", game.letters(game.away)[-1])
    game.show("The others are told", game.last(game.others(game.away)[0], "away"))
    pass_by(game.stage, HOURS + 30)
    if len(game.position().orders) != before:
        raise RuntimeError("his clock did not stand still")
    game.move()


def vote(game: LongGame) -> None:
    """A player needs more time, and another one proposes it."""
    mover, third = game.others(game.asked())
    game.show(
        f"{mover} proposes", game.write(mover, f"propose extend 48 hours because {game.asked()} has no electricity")
    )
    game.show("The others are asked", game.last(third, "proposes"))
    game.write(third, "vote yes")
    game.show(f"{third} has agreed", game.last(third, "The table has agreed"))
    game.move()


def letter(game: LongGame) -> None:
    """A player has no computer at hand, and has sent his orders by letter. Eve enters them."""
    now, player = game.position(), game.asked()
    text = as_text(now, orders_of_turn(now, player, sensible)).removeprefix(f"{player}: ")
    game.show("Eve copies the letter", game.master("Eve", f"enter {player}:\n{text}\nend enter\nreason: came by post"))
    if game.asked_master is not None:
        game.show("Is it really Eve?", game.asked_master)
    if len(game.position().orders) == len(now.orders):
        raise RuntimeError("the letter was not played")
    game.show("The player gets the answer that his own mail would have got", game.last(player, "has entered these"))


def question(game: LongGame) -> None:
    """A player asks the game master, and he alone gets the answer."""
    player = game.asked()
    game.show(f"{player} asks", game.write(player, f"master: {QUESTION}"))
    asked = game.last("Max", QUESTION)
    game.show("Max gets the question", asked)
    game.write("Max", ANSWER, reply_to(asked))
    game.show(f"{player} gets the answer", game.last(player, ANSWER))


def undo(game: LongGame) -> None:
    """A company laid a wrong tile, and the next one has operated since. Max goes back; what still fits is kept."""

    def operated(now: Game) -> bool:
        last = game.turns[-2:]
        rounds = now.state.round.kind == "OR"
        return rounds and len({turn.player for turn in last}) == 2 and all(" lay " in f" {turn.text}" for turn in last)

    game.go_on(operated)
    wrong, later = game.turns[-2:]
    game.undone = (wrong, later)
    reason = f"{wrong.player} laid the wrong tile"
    game.show("Max goes back", game.master("Max", f"undo to {wrong.before}\nreason: {reason}"))
    game.show("The player decides anew", game.last(wrong.player, "gone back"))
    game.show("The other one's orders are kept", game.last(later.player, "gone back"))
    now = game.position()
    given: list[Order] = [order for order in orders_of_turn(now, wrong.player, sensible) if not isinstance(order, Lay)]
    game.show("The turn again", game.write(wrong.player, as_text(now, given)))
    game.show("What fits is played again", game.last(later.player, "Played again"))


def correction(game: LongGame) -> None:
    """The players find that the bank has paid too little. Eve corrects the position."""
    game.corrected = game.asked()
    game.show(
        "Eve corrects it", game.master("Eve", f"correct pay 10 from bank to {game.corrected}\nreason: the bank owed it")
    )
    game.show("Everybody is told", game.last(game.others(game.corrected)[0], "the bank owed it"))
    game.move()


def finish(game: LongGame) -> None:
    """The robots play to the end."""
    game.hasty = True
    game.go_on()
    game.sweep()
    game.show("The last mail", game.last("Ann", "over"), whole=True)


CHAPTERS: dict[str, Callable[[LongGame], None]] = {
    "A game is offered": offer, "The game begins": begin, "An observer and the waiting list": guests,
    "The auction": bid, "A second game master": second_master, "Somebody is late": lateness,
    "Somebody is away": absence, "The table votes": vote, "Orders from a letter": letter,
    "A question": question, "What an observer gets": news, "Back to an earlier position": undo,
    "A correction": correction, "Somebody else takes over": successor, "The end": finish,
}  # fmt: skip
