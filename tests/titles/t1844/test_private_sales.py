"""Companies of 1844 that buy privates: which, from whom, when, for how much, and what goes with them."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.events import ConsentAsked, Paid
from tests.kit.games.situations_1844 import EDITIONS, Swiss, situation, swiss

both = pytest.mark.parametrize("edition", EDITIONS)

ALL = {"P1": "Bob", "P2": "Bob", "P3": "Bob", "P4": "Bob", "P5": "Bob", "P6": "Bob", "P7": "Bob"}


def buying(
    name: str = "MOB", *, edition: str = "rulebook", cash: int = 1000, stage: str = "track", **rest: Any
) -> Swiss:
    """Bob's company in its turn; Bob has all privates."""
    if name == "SBB":
        company = swiss("SBB", {"Bob": (2, 3)}, cash=cash, markers="D19", trains="SBB5H")
    else:
        company = swiss(name, {"Bob": {"MOB": 5, "VZ": 3}.get(name, 2)}, cash=cash)
    return situation(company, edition=edition, **{"privates": ALL, **rest}).turn(name, stage)


def listed(game: Swiss) -> list[str]:
    return [line.split()[1] for line in game.accepted() if line.startswith("buy ")]


@pytest.mark.rule("1844:5.8", "1844:5.10")
@both
@pytest.mark.parametrize("name", ["MOB", "VZ"])
@pytest.mark.parametrize("stage", ["track", "token", "run", "pay", "trains"])
def test_a_historical_or_regional_company_buys_p1_to_p5_at_any_moment(edition: str, name: str, stage: str) -> None:
    game = buying(name, edition=edition, stage=stage)
    assert listed(game) == ["P1", "P2", "P3", "P4", "P5"]
    game.do(f"{name}: buy P1 for 40")
    assert [(e.payer, e.payee, e.amount, e.about) for e in game.told(Paid)] == [(name, "Bob", 40, "P1")]
    assert game.state.privates["P1"] == name and not game.told(ConsentAsked)  # type: ignore[index]
    assert listed(game) == ["P2", "P3", "P4", "P5"]


@pytest.mark.rule("1844:5.8", "1844:12.3")
@both
@pytest.mark.parametrize("phase", ["1", "2", "5", "6", "7"])
def test_in_phases_3_and_4_only(edition: str, phase: str) -> None:
    game = buying(edition=edition, phase=phase)
    assert game.failures("MOB: buy P1 for 20") == {"private.phase": {"phase": phase, "from": "3", "to": "4"}}
    assert listed(game) == []


@pytest.mark.rule("1844:5.9")
@both
@pytest.mark.parametrize(("private", "most"), [("P1", 40), ("P2", 100), ("P3", 160), ("P4", 220), ("P5", 280)])
def test_the_price_is_from_1_to_twice_the_face_value(edition: str, private: str, most: int) -> None:
    game = buying(edition=edition, phase="4")
    for price in (0, most + 1):
        facts = {"private": private, "price": price, "face": most}
        assert game.failures(f"MOB: buy {private} for {price}") == {"private.price": facts}
    for price in (1, most):
        assert game.failures(f"MOB: buy {private} for {price}") == {}


@pytest.mark.rule("1844:5.9")
@both
def test_the_treasury_pays(edition: str) -> None:
    game = buying(edition=edition, cash=25)
    assert game.failures("MOB: buy P1 for 26") == {"private.money": {"price": 26, "cash": 25}}
    game.do("MOB: buy P1 for 25")
    assert (game.money("MOB"), game.money("Bob")) == (0, 25)


@pytest.mark.rule("1844:5.10")
@both
@pytest.mark.parametrize(("name", "kind", "phase"), [("JS", "pre-sbb", "3"), ("SBB", "sbb", "4")])
def test_pre_sbb_companies_and_the_sbb_buy_none(edition: str, name: str, kind: str, phase: str) -> None:
    game = buying(name, edition=edition, phase=phase)
    assert game.failures(f"{name}: buy P1 for 20") == {"private.kind": {"company": name, "kind": kind}}
    assert listed(game) == []


@pytest.mark.rule("1844:5.10")
@both
@pytest.mark.parametrize("private", ["P6", "P7"])
def test_p6_and_p7_stay_with_their_owners(edition: str, private: str) -> None:
    assert buying(edition=edition).failures(f"MOB: buy {private} for 10") == {
        "private.not_sellable": {"private": private}
    }


@pytest.mark.rule("1844:5.8")
@both
@pytest.mark.parametrize(("privates", "owner"), [({"P1": "VZ"}, "VZ"), ({"P2": "Bob"}, None)])
def test_a_private_that_no_player_has(edition: str, privates: dict[str, str], owner: str | None) -> None:
    game = buying(edition=edition, privates=privates)
    assert game.failures("MOB: buy P1 for 10") == {"private.not_with_player": {"private": "P1", "owner": owner}}


@pytest.mark.rule("1844:5.8")
@pytest.mark.parametrize(
    ("edition", "options", "allowed"),
    [
        ("rulebook", {}, False),
        ("rulebook", {"private_owner": "any"}, True),
        ("18xx.games", {}, True),
        ("18xx.games", {"private_owner": "own_director"}, False),
    ],
)
def test_whose_privates_a_company_may_buy(edition: str, options: dict[str, str], allowed: bool) -> None:
    game = buying(edition=edition, options=options, privates={"P1": "Cat"})
    assert listed(game) == (["P1"] if allowed else [])
    if not allowed:
        facts = {"private": "P1", "owner": "Cat", "company": "MOB"}
        assert game.failures("MOB: buy P1 for 10") == {"private.other_owner": facts}
        return
    game.do("MOB: buy P1 for 10")
    assert game.asked == ["Cat consent"]
    game.do("Cat: agree")
    assert (game.state.privates["P1"], game.money("Cat")) == ("MOB", 10)  # type: ignore[index]
    assert game.asked == ["Bob MOB company.turn"]


@pytest.mark.rule("1844:5.8")
def test_another_owner_may_refuse() -> None:
    game = buying(edition="18xx.games", privates={"P1": "Cat"})
    game.do("MOB: buy P1 for 10")
    game.do("Cat: refuse")
    assert (game.state.privates["P1"], game.money("MOB")) == ("Cat", 1000)  # type: ignore[index]
    assert game.asked == ["Bob MOB company.turn"]


@pytest.mark.rule("1844:5.11")
@both
def test_what_came_with_p3_and_p5_stays_and_the_powers_of_p2_and_p4_go(edition: str) -> None:
    company = swiss("BLS", {"Bob": 5}, cash=900)
    mob = swiss("MOB", {"Cat": 2, "Bob": 1})
    privates = {**ALL, "T1": "Bob"}
    game = situation(company, mob, edition=edition, privates=privates).turn("BLS")
    game.do("BLS: buy P2 for 1; buy P3 for 1; buy P4 for 1; buy P5 for 1")
    assert game.state.privates["T1"] == "Bob" and game.shares("MOB")["Bob"] == 1  # type: ignore[index]
    game.do("BLS: lay 9 G12 2 with P2")
    assert game.refusals("Bob: use P4") == {"use.not_owner"}
    game.do("BLS: use P4")
    assert game.money("BLS") == 900 - 4 + 80


@pytest.mark.rule("1844:5.2", "1844:5.11")
@both
def test_a_company_has_the_income_of_its_privates(edition: str) -> None:
    game = buying(edition=edition, cash=100, stage="trains")
    game.do("MOB: buy P5 for 10; done")
    assert str(game.state.round) == "OR 2.2" and game.money("MOB") == 90 + 25
