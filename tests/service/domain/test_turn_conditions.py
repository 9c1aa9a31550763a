"""Turns that are kept under a condition: `only if` looks when the turn comes, `unless` gives it up at once."""

from __future__ import annotations

import pytest

from engine.core import orders as o
from engine.robots import sensible
from grammar import write
from moderator.domain.vocabulary import vocabulary
from tests.kit.games import situations_1863 as london
from tests.kit.games.ahead_table import AheadTable
from tests.kit.games.standing_positions import (
    PLAYERS,
    TITLES,
    begun,
    bought,
    held,
    on_turn,
    refused,
    sold,
    stock,
)


def kept(one: AheadTable) -> list[str]:
    """The orders that wait, without their heads."""
    return ["; ".join(line.strip() for line in text.partition(":")[2].strip().split("\n")) for text in one.standing()]


# ---- unless ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("who", ["FIRST", "anybody"])
@pytest.mark.parametrize("acts", [True, False])
def test_a_turn_is_given_up_as_soon_as_the_player_does_more_than_pass(who: str, acts: bool) -> None:
    """The third to play hears it at once, while the second is still asked."""
    one = stock()
    first, second, third = on_turn(one)
    company = bought(one)
    had = held(one, third, company)
    one.say(third, f"unless {who.replace('FIRST', first)} acts; buy {company} from ipo")
    one.say(first, f"buy {company} from ipo" if acts else "pass")
    assert one.reasons() == ([("standing.until",)] if acts else [])
    assert one.game.asked()[0].player == second
    one.say(second, "pass")
    assert held(one, third, company) == had + (not acts)
    assert (one.game.asked()[0].player == third) is acts


def test_the_turns_after_it_are_given_up_too_and_those_before_it_stand() -> None:
    one = stock()
    first, second, third = on_turn(one)
    company = bought(one)
    text = f"{third}: buy {company} from ipo\n{third}: unless {first} acts; pass\n{third}: buy {company} from ipo"
    one.say(third, text)
    one.say(first, f"buy {company} from ipo")
    assert one.reasons() == [("standing.until",), ("ahead.after_lapsed",)]
    assert one.standing() == [f"{third}: buy {company} from ipo"]
    one.say(second, "pass")
    assert one.log()[-1] == f"{third} held: buy {company} from ipo"


def test_each_turn_has_conditions_of_its_own() -> None:
    one = stock()
    first, _, third = on_turn(one)
    company = bought(one)
    one.say(third, f"{third}: unless {first} acts; buy {company} from ipo\n{third}: buy {company} from ipo")
    one.say(first, f"buy {company} from ipo")
    assert one.reasons() == [("standing.until",), ("ahead.after_lapsed",)] and one.standing() == []


def test_only_if_nobody_acts_is_the_same_in_other_words() -> None:
    one = stock()
    _, second, _ = on_turn(one)
    one.say(second, "only if no one acts; pass")
    assert kept(one) == ["unless anybody acts; pass"]


def test_the_sale_of_a_share_by_another_gives_a_turn_up_and_his_purchase_does_not() -> None:
    one = stock()
    first, second, _ = on_turn(one)
    name, price = sold(one, first)
    one.say(second, f"unless {name} is sold or {name} is under 1; buy {bought(one)} from ipo")
    other = AheadTable(one.game.fork(), list(one.waiting))
    one.say(first, f"sell 1 {name}")
    assert one.reasons() == [("standing.until",)]
    assert one.ends[0].failures[0].facts["player"] == first and price
    other.say(first, f"buy {bought(other)} from ipo")
    assert ("standing.until",) not in other.reasons()


@pytest.mark.parametrize("layer", ["Ann", "Bob"])
def test_a_turn_of_a_company_is_given_up_when_another_changes_the_track(layer: str) -> None:
    met = london.tube("MET", {layer: 5}, 100, cash=500, markers="C10")
    bak = london.tube("BAK", {"Ann": 5}, 90, cash=500, markers="F9")
    position = london.situation(met, bak, phase="II", round="OR 2.1").turn("MET", waiting="BAK")
    one = AheadTable.of(position)
    one.say("Ann", "BAK: unless the track changes; done")
    ask = one.game.asked()[0]
    one.submit(next(c.sample() for c in one.game.legal(ask.actor) if isinstance(c.order, o.Lay)), ask.player)
    assert one.reasons() == ([("standing.until",)] if layer == "Bob" else [])


@pytest.mark.parametrize(
    ("text", "check"),
    [
        ("unless ME acts; pass", "standing.never"),
        ("unless NAME is over 1; pass", "standing.already"),
        ("unless NAME is at least 1; pass", "standing.already"),
        ("unless NAME is at most 999; pass", "standing.already"),
        ("unless NAME starts; pass", "standing.never"),
        ("unless anybody acts", "standing.alone"),
        ("unless anybody acts; only if NAME is over 1", "standing.alone"),
    ],
)
def test_a_condition_without_a_meaning_is_refused_with_its_reason(text: str, check: str) -> None:
    one = stock()
    first, second, _ = on_turn(one)
    name, _ = sold(one, first)
    assert refused(one, second, text.replace("ME", second, 1) if " ME " in text else text.replace("NAME", name)) == [
        check
    ]
    assert one.standing() == []


def test_a_turn_that_is_asked_now_is_refused_if_its_condition_is_true() -> None:
    one = stock()
    first, *_ = on_turn(one)
    name, price = sold(one, first)
    assert refused(one, first, f"unless {name} is at least {price}; pass") == ["standing.until"]
    assert one.say(first, f"unless {name} is over {price}; pass").stands


# ---- only if --------------------------------------------------------------------------------------------------------


def test_prices_at_the_mark() -> None:
    one = stock()
    first, *_ = on_turn(one)
    name, price = sold(one, first)
    for state, true in (
        (f"at least {price}", True), (f"at least {price + 1}", False),
        (f"at most {price}", True), (f"at most {price - 1}", False),
    ):  # fmt: skip
        trial = AheadTable(one.game.fork())
        checks = [] if true else ["standing.unmet"]
        assert refused(trial, first, f"only if {name} is {state}; pass") == checks, state


def test_a_company_that_has_not_started() -> None:
    one = AheadTable(begun("1861"))
    one.pass_on(str(one.game.asked()[0].player))
    first = on_turn(one)[0]
    assert refused(one, first, "only if GRR has not started; open TSR 20") == []
    game = stock()
    player = on_turn(game)[0]
    name, _ = sold(game, player)
    assert refused(game, player, f"only if {name} has not started; pass") == ["standing.unmet"]


def purchase(one: AheadTable) -> str:
    """A purchase that the player on turn may make; empty if there is none."""
    ask = one.game.asked()[0]
    found = (c.sample() for c in one.game.legal(ask.actor) if isinstance(c.order, o.Buy))
    names = vocabulary(one.game.title, PLAYERS)
    return next((write(order, names) for order in found if isinstance(one.game.check(order), tuple)), "")


def before_a_purchase(title: str) -> AheadTable:
    """A stock round at the turn of a player after whom the next one may make a purchase."""
    one = AheadTable(begun(title))
    while True:
        ask = one.game.asked()[0]
        if one.game.state.round.kind == "SR" and ask.what == "stock.turn":
            trial = AheadTable(one.game.fork())
            trial.say(ask.player, "pass")
            if on_turn(trial)[0] == on_turn(one)[1] and purchase(trial):
                return one
        one.submit(sensible(one.game, ask), ask.player)


@pytest.mark.parametrize("title", TITLES)
def test_who_has_passed_in_his_last_turn(title: str) -> None:
    """Nobody has before his first turn in the round, nor who has bought in it."""
    one = before_a_purchase(title)
    first, second, third = on_turn(one)
    one.say(third, f"only if {second} has passed; pass")
    other = AheadTable(one.game.fork(), list(one.waiting))
    assert refused(other, first, f"only if {second} has passed; pass") == ["standing.unmet"]
    one.say(first, "pass")
    one.say(second, "pass")
    assert one.log()[-1] == f"{third} held: pass"
    other.say(first, "pass")
    assert other.say(second, f"{purchase(other)}; done").stands
    assert other.reasons() == [("standing.unmet",)] and other.game.asked()[0].player == third
