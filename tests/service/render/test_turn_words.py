"""The words of a company's turn: its next step, and what an order of the menu costs."""

from __future__ import annotations

from collections.abc import Callable

import engine
from engine import Game, Setup
from engine.core import events as ev
from engine.core import orders as o
from engine.core.decide import effects
from engine.core.ids import CompanyId
from engine.robots import sensible
from moderator import render
from moderator.words.wording import asked_of
from tests.kit.games.render_games import info


def at_question(title: str, wanted: Callable[[Game], bool]) -> Game:
    """A plain game of four at the first position that is ``wanted``."""
    game = Game.start(engine.load_title(title), Setup(("Ann", "Bob", "Cat", "Dan"), seed="plain"))
    while not wanted(game):
        assert game.submit(sensible(game, game.asked()[0]))
    return game


def menu_of(game: Game) -> str:
    """The turn mail's menu, in one line."""
    player = game.asked()[0].player
    text = render.turn_mail(game, info(game, player), player, len(game.orders)).text
    return " ".join(text.partition("WHAT IS LEGAL NOW")[2].partition("YOU\n")[0].split())


def test_a_lay_that_needs_a_loan_says_so_and_how_it_is_written() -> None:
    def borrows(game: Game) -> bool:
        actor = game.asked()[0].actor
        lays = [c.order for c in game.legal(actor) if isinstance(c.order, o.Lay)]
        return len(lays) > 3 and any((game.cost(lay) or 0) > game.state.money(lay.actor) for lay in lays)

    game = at_question("1867", borrows)
    told = menu_of(game)
    lays = [c.order for c in game.legal(game.asked()[0].actor) if isinstance(c.order, o.Lay)]
    assert f"), as `lay {lays[0].tile} {lays[0].hex} {lays[0].rotation}`" in told
    dear = next(lay for lay in lays if (game.cost(lay) or 0) > game.state.money(lay.actor))
    assert f"{dear.hex} (${game.cost(dear)}, with 1 loan)" in told


def test_interest_and_repayment_stand_beside_the_order_for_them() -> None:
    def owes(game: Game) -> bool:
        orders = {c.order for c in game.legal(game.asked()[0].actor)}
        actor = game.asked()[0].actor
        return o.Settle(actor) in orders and game.state.companies[actor].loans > 0  # type: ignore[index, arg-type]

    game = at_question("1867", owes)
    events = effects(game.title, game.state, o.Settle(CompanyId(game.asked()[0].actor)))
    interest = sum(e.amount for e in events if isinstance(e, ev.Paid) and e.reason == "interest")
    assert interest > 0
    assert f"settle // pays ${interest} of interest" in menu_of(game)


def test_the_next_step_is_one_in_which_something_is_legal() -> None:
    """C&O has no marker left: after its track it runs."""
    game = Game.start(engine.load_title("1867"), Setup(("Ann", "Bob", "Cat", "Dan"), seed="plain"))
    seen = 0
    while not game.finished and len(game.orders) < 600:
        ask = game.asked()[0]
        if ask.what == "company.turn" and ask.about[1] == "token":
            kinds = {type(choice.order) for choice in game.legal(ask.actor)}
            (text,) = [t for t in asked_of(game, ask.player) if t.startswith(f"{ask.actor} operates")]
            assert ("next: marker" in text) == (o.Token in kinds), text
            seen += o.Token not in kinds
        assert game.submit(sensible(game, ask))
    assert seen
