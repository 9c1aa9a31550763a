"""Mergers: which companies are asked for one, who must agree to it, and what follows a refusal."""

from __future__ import annotations

import pytest

from engine.core.events import Lapsed
from tests.kit.games.situations_1863 import situation, tube
from tests.titles.t1863.test_mergers import begun, done, minor


@pytest.mark.rule("1863:8.2", "1863:8.3")
def test_a_merger_that_was_refused_is_not_proposed_again_in_this_turn() -> None:
    """With another survivor, or other minors, it is another merger."""
    game = begun(minor("BAK", "Ann", 75), minor("CLR", "Bob", 90), minor("CIR", "Cat", 100))
    done(game, "BAK: merge CLR, CIR into BAK")
    assert game.asked == ["Bob consent", "Cat consent"]
    done(game, "Cat: refuse")
    assert game.asked == ["Ann BAK merger.turn"]
    assert game.refusals("BAK: merge CIR, CLR into BAK") == {"merge.tried"}
    assert game.refusals("BAK: merge CIR, CLR into CLR") == game.refusals("BAK: merge CLR into BAK") == set()


@pytest.mark.rule("1863:8.3")
def test_who_refuses_one_survivor_is_asked_about_the_other() -> None:
    """Section 8.c: the company to survive is selected, and either may."""
    game = begun(tube("DIS", {"Bob": 5}, 100), tube("MET", {"Ann": 5}, 110))
    done(game, "DIS: decline", "MET: merge DIS into MET", "Bob: refuse")
    assert game.asked == ["Ann MET merger.turn"] and game.menu()[0] == "merge DIS into DIS"
    done(game, "MET: merge DIS into DIS", "Bob: refuse")
    assert "merger.turn" not in game.asked[0]


@pytest.mark.rule("1863:8.2")
def test_a_merger_lapses_that_can_no_longer_be_paid_for() -> None:
    game = begun(minor("BAK", "Ann", 75), minor("CLR", "Bob", 90), cash={"Ann": 10, "Bob": 160})
    done(game, "BAK: merge CLR into CLR")
    game.state = (
        situation(minor("BAK", "Ann", 75), minor("CLR", "Bob", 90), cash={"Ann": 10, "Bob": 10}, round="MR 2.1")
        .frames(*game.state.agenda[1:])
        .state
    )
    done(game, "Bob: agree")
    assert game.told(Lapsed) and game.asked == ["Ann BAK merger.turn"] and game.status("BAK") == "open"


@pytest.mark.rule("1863:8.2", "1863:8.9")
def test_a_minor_is_asked_where_only_a_merger_of_several_is_legal() -> None:
    """Section 8.b: two or more minors merge. With one other there would be two owners, and nobody has the money for a
    second share."""
    minors = minor("BAK", "Ann", 60, loans=2), minor("CLR", "Bob", 75, loans=2), minor("CIR", "Bob", 90, loans=2)
    game = begun(*minors, cash={"Ann": 10, "Bob": 10})
    assert game.asked == ["Ann BAK merger.turn"]
    assert game.refusals("BAK: merge CLR into CLR") == {"merge.president"}
    done(game, "BAK: merge CLR, CIR into CLR", "Bob: agree")
    assert game.president("CLR") == "Bob" and game.shares("CLR")["Bob"] == 2
    alone = begun(*minors[:2], cash={"Ann": 10, "Bob": 10})
    assert "merger.turn" not in alone.asked[0]


@pytest.mark.rule("1863:8.3")
@pytest.mark.parametrize(("owner", "pays"), [("Cat", "Cat"), ("CIR", "CIR")])
def test_nobody_becomes_president_and_pays_for_it_unasked(owner: str, pays: str) -> None:
    """Section 8.c: the president purchases as many shares as he wishes. The largest holder, himself or with his
    company, directs neither of the two."""
    companies = (
        tube("BAK", {"Ann": 2, owner: 1}, 100, markers="F9"),
        tube("CLR", {"Bob": 2, owner: 2}, 110, markers="I10"),
        tube("CIR", {"Cat": 4}, 120, cash=500, markers="G18"),
    )
    game = done(begun(*companies), "BAK: merge CLR into BAK")
    assert game.asked == ["Bob consent", "Cat consent"]
    agreed = done(game, "Bob: agree", "Cat: agree")
    assert agreed.president("BAK") == owner and agreed.money(pays) == {"Cat": 1000, "CIR": 500}[pays] - 200
    refused = done(begun(*companies), "BAK: merge CLR into BAK", "Cat: refuse")
    assert refused.asked == ["Ann BAK merger.turn"] and refused.status("CLR") == "open"
