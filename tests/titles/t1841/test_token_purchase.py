"""Tokens in 1841: where they may be laid, and how a company takes the place of another's."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.games.situations_1841 import EDITIONS, Italian, firm, situation


def buyer(stage: str = "acquire", **more: Any) -> Italian:
    """SFTN of Ann, in Torino, reaches Alessandria, where SFTG of Bob stands."""
    more.setdefault("phase", "4")
    tokens = more.pop("tokens", "J6 P12")
    sftg = firm("SFTG", {"Bob": 5}, "D5", markers=tokens, tokens=3, cash=5)
    own = more.pop("own", "H4/0")
    spare = more.pop("spare", 2)
    sftn = firm("SFTN", {"Ann": 5}, "F4", markers=own, cash=36, tokens=spare, trains="4")
    return situation(sftn, sftg, tiles={"I5": "4#2", "J6": "57#2"}, **more).turn("SFTN", stage)


@pytest.mark.clarification("1.13")
@pytest.mark.clarification("5.5")
@pytest.mark.rule("6.24")
@pytest.mark.rule("6.25")
def test_the_place_is_bought_and_the_other_token_goes_back() -> None:
    game = buyer(edition="v2")
    assert "token J6 from SFTG for 1" in game.accepted()
    game.do("SFTN: token J6 from SFTG for 7")
    assert game.markers("SFTN") == ["H4", "J6"] and game.markers("SFTG") == ["P12"]
    assert (game.money("SFTN"), game.money("SFTG")) == (29, 12)
    assert game.tokens("SFTG") == 3
    assert not [o for o in game.menu() if "J6" in o or "P12" in o]


@pytest.mark.rule("6.25")
def test_another_player_is_asked_first() -> None:
    game = buyer()
    game.do("SFTN: token J6 from SFTG for 7")
    assert game.asked == ["Bob SFTG consent"]
    game.do("SFTG: agree")
    assert game.markers("SFTN") == ["H4", "J6"]
    other = buyer()
    other.do("SFTN: token J6 from SFTG for 7")
    other.do("SFTG: refuse")
    assert other.markers("SFTN") == ["H4"] and other.money("SFTN") == 36


NO_WAY = {"token.no_route", "token.border"}
"""The only way of the token crosses a border."""
REFUSED = [
    ("SFTN: token J6 from SFTG for 37", {}, {"acquire.price"}),
    ("SFTN: token J6 from SFTG for 0", {}, {"acquire.price"}),
    ("SFTN: token P12 from SFTG for 5", {}, {"token.no_route"}),
    ("SFTN: token J6 from SFTG for 5", {"spare": 1}, {"token.none_left"}),
    ("SFTN: token J6 from SFTG for 5", {"phase": "3", "tokens": "J6"}, {"acquire.last_city"}),
]


@pytest.mark.rule("6.24")
@pytest.mark.parametrize(("order", "more", "found"), REFUSED)
def test_what_a_purchase_needs(order: str, more: dict[str, Any], found: set[str]) -> None:
    assert buyer(**more).refusals(order) == found


@pytest.mark.clarification("2.19")
@pytest.mark.rule("6.27")
def test_nobody_acquires_a_second_place_in_a_hex() -> None:
    game = situation(
        firm("SFTN", {"Ann": 5}, "F4", markers="H4/0 J6", cash=36, tokens=3),
        firm("SFTG", {"Bob": 5}, "D5", markers="J6 D8", tokens=2),
        tiles={"I5": "4#2", "J6": "14#1"},
        phase="4",
    ).turn("SFTN", "acquire")
    assert game.refusals("SFTN: token J6 from SFTG for 5") == {"token.same_hex"}


@pytest.mark.clarification("2.20")
@pytest.mark.rule("6.26")
@pytest.mark.parametrize(
    ("edition", "options", "found"),
    [
        *((edition, {}, {"acquire.last_city"}) for edition in EDITIONS),
        ("v2", {"last_city_token": "sold"}, set()),
    ],
)
def test_a_company_keeps_its_last_token_in_a_city_also_with_one_in_a_pass(
    edition: str, options: dict[str, str], found: set[str]
) -> None:
    game = situation(
        firm("SFTN", {"Ann": 5}, "F4", markers="H4/0", cash=36, tokens=2),
        firm("SFTG", {"Bob": 5}, "D5", markers="J6 K7", tokens=2),
        tiles={"I5": "4#2", "J6": "57#2"},
        phase="4",
        edition=edition,
        options=options,
    ).turn("SFTN", "acquire")
    assert game.refusals("SFTN: token J6 from SFTG for 5") == found


@pytest.mark.rule("11.4")
def test_a_frozen_company_sells_no_token() -> None:
    game = situation(
        firm("SFTN", {"Ann": 5}, "F4", markers="H4/0", cash=36, tokens=2),
        firm("SFTG", {"Pool": 5}, "D5", markers="J6 D8", tokens=2),
        tiles={"I5": "4#2", "J6": "57#2"},
        phase="4",
    ).turn("SFTN", "acquire")
    assert game.refusals("SFTN: token J6 from SFTG for 5") == {"acquire.frozen"}


@pytest.mark.clarification("5.4")
@pytest.mark.rule("6.23")
def test_no_token_goes_over_an_active_border() -> None:
    """Torino - F6 - Busto Arsizio: between Piedmont and Lombardy lies a border until the first 4-train."""
    for phase, found in (("3", NO_WAY), ("4", set())):
        game = situation(
            firm("SFTN", {"Ann": 5}, "F4", markers="H4/1", tokens=2), tiles={"G5": "9#1", "F6": "55#0", "E7": "57#1"},
            phase=phase,
        ).turn("SFTN", "token")  # fmt: skip
        assert game.refusals("SFTN: token E7") == found, phase
        assert ("token E7" in game.accepted()) is not bool(found)


@pytest.mark.clarification("5.4")
@pytest.mark.rule("6.23")
@pytest.mark.parametrize(("phase", "found"), [("4", NO_WAY), ("5", NO_WAY), ("6", set())])
def test_no_way_of_a_token_leads_through_the_reduced_austria(phase: str, found: set[str]) -> None:
    """Cremona - Mantova - Parma: from phase 4 Mantova alone is in Austria, but the way crosses its border twice."""
    tiles = {"H10": "57#1", "G11": "8#5", "H12": "6#0", "J12": "8#1", "K11": "57#1"}
    game = situation(firm("AFI", {"Bob": 5}, "E5", markers="H10", tokens=2), tiles=tiles, phase=phase)
    assert game.turn("AFI", "token").refusals("AFI: token K11") == found


@pytest.mark.clarification("5.4")
@pytest.mark.rule("6.23")
def test_no_token_is_ever_laid_in_lugano_or_by_way_of_it() -> None:
    lugano = situation(
        firm("SFTN", {"Ann": 5}, "F4", markers="D8", tokens=2), tiles={"D8": "6#0", "C7": "5#5", "E7": "57#0"},
        phase="8",
    ).turn("SFTN", "token")  # fmt: skip
    assert lugano.refusals("SFTN: token C7") == NO_WAY  # its border is never open
    assert lugano.refusals("SFTN: token E7") == NO_WAY
