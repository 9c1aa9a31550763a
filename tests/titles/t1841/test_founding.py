"""Starting companies in 1841: by whom and when, at which price, with which homes and tokens."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.core.ids import CompanyId, HexId
from engine.core.orders import Start
from engine.core.title import Play
from engine.titles.t1841.stock.founding import begin_founding, check_start
from engine.titles.t1841.stock.token_price import price_from
from tests.kit.games.situations_1841 import Italian, firm, situation


def founder(phase: str = "3", edition: str = "clarified", cash: int = 1000, **more: Any) -> Italian:
    """Ann's stock turn; she has the concessions of SFTG, SFTN, SSFL, IRSFF, SFMA and SFLP, Bob that of SFTC."""
    ours = ("C-SFTG", "C-SFTN", "C-SSFL", "C-IRSFF", "C-SFMA", "C-SFLP")
    privates = {**dict.fromkeys(ours, "Ann"), "C-SFTC": "Bob"} if phase < "4" else {}
    return situation(
        cash={"Ann": cash, "Bob": 500}, phase=phase, privates=privates, round="SR 2", edition=edition, **more
    ).stock("Ann")


@pytest.mark.parametrize(
    ("phase", "order", "reasons"),
    [
        ("2", "start SFTG at 100", {}),
        pytest.param(
            "2",
            "start SFTC at 100",
            {"start.concession": {"company": "SFTC", "concession": "C-SFTC", "owner": "Bob"}},
            marks=pytest.mark.rule("1841:4.1"),
        ),
        pytest.param("2", "start SFV at 100", {"start.formed": {"company": "SFV"}}, marks=pytest.mark.rule("1841:4.1")),
        pytest.param(
            "2",
            "start AFI at 100",
            {"start.phase": {"company": "AFI", "phase": "2", "from": "3"}},
            marks=pytest.mark.rule("1841:4.2"),
        ),
        ("3", "start AFI at 100", {}),
        pytest.param(
            "3",
            "start SLDV at 216",
            {"start.price": {"company": "SLDV", "price": 216, "prices": (68, 100, 144)}},
            marks=pytest.mark.rule("1841:4.3"),
        ),
        ("3", "start AFI at 216", {}),
        pytest.param(
            "3",
            "start AFI at 340",
            {"start.money": {"company": "AFI", "cost": 680, "cash": 600}},
            marks=pytest.mark.rule("1841:4.4"),
        ),
        (
            "4",
            "start SFTG at 100",
            {"start.concession_gone": {"company": "SFTG", "concession": "C-SFTG"}},
        ),
    ],
)
def test_who_may_start_what(phase: str, order: str, reasons: dict[str, Any]) -> None:
    assert founder(phase, cash=600).failures(f"Ann: {order}") == reasons


@pytest.mark.rule("1841:1.11")
@pytest.mark.rule("1841:4.4")
def test_the_presidents_certificate_is_paid_to_the_company_which_is_open_at_once() -> None:
    game = founder()
    game.do("Ann: start SFTG at 144")
    assert (game.state.money("Ann"), game.state.money("SFTG"), game.place("SFTG")) == (712, 288, "144 I3")
    assert (game.president("SFTG"), game.asked) == ("Ann", ["Ann founding.shares"])


@pytest.mark.clarification("1.2")
@pytest.mark.rule("1841:4.4")
@pytest.mark.parametrize("company", ["SFLP", "SFTG"])
def test_a_minors_presidents_certificate_costs_twice_the_price_as_a_majors_does(company: str) -> None:
    game = founder()
    game.do(f"Ann: start {company} at 100")
    assert (game.state.money("Ann"), game.state.money(company)) == (800, 200)


@pytest.mark.rule("1841:4.5")
def test_the_founder_of_a_major_may_go_on_to_40_percent() -> None:
    game = founder()
    game.do("Ann: start SFTG at 144")
    assert game.accepted() == ["buy SFTG from offering", "pass"]
    assert game.failures("Ann: buy AFI")["founding.other_company"] == {"company": "SFTG", "wanted": "AFI"}
    game.do("Ann: buy SFTG")
    game.do("Ann: buy SFTG")
    assert (game.shares("SFTG"), game.state.money("SFTG")) == ({"Ann": 4, "Treasury": 6}, 4 * 144)
    assert game.asked == ["Ann SFTG founding.tokens"]


def test_a_minors_founder_has_40_percent_at_once() -> None:
    game = founder()
    game.do("Ann: start SFLP at 100")
    assert game.asked == ["Ann SFLP founding.tokens"]


@pytest.mark.clarification("1.4")
@pytest.mark.rule("1841:4.6")
@pytest.mark.parametrize(
    ("company", "homes"),
    [
        ("SFTN", (("H4", 1),)),
        ("SSFL", (("Q11", 0),)),
        ("SFTG", (("H4", 0), ("J6", 0))),
        ("IRSFF", (("F8", 0), ("F16", 0))),
        pytest.param("SFMA", (("R14", 1),), marks=pytest.mark.rule("1841:4.7")),
    ],
)
def test_historical_companies_have_their_printed_homes(company: str, homes: tuple[tuple[str, int], ...]) -> None:
    game = founder()
    game.do(f"Ann: start {company} at 68")
    if game.asked == ["Ann founding.shares"]:
        game.do("Ann: pass")
    assert game.state.board.places_of(CompanyId(company)) == homes
    assert game.asked == [f"Ann {company} founding.tokens"]


@pytest.mark.rule("1841:4.7")
def test_in_the_second_version_the_president_of_sfma_chooses_a_city() -> None:
    game = founder(edition="v2")
    game.do("Ann: start SFMA at 100")
    assert game.asked == ["Ann SFMA founding.home"]
    assert len(game.accepted()) == 2
    assert game.refusals("SFMA: token Q11") == {"home.not_there"}
    game.do(f"SFMA: {game.accepted()[0]}")
    assert game.asked == ["Ann SFMA founding.tokens"]


@pytest.mark.rule("1841:4.7")
def test_by_that_ruling_it_chooses_on_the_first_versions_map_too() -> None:
    """The city printed for it is not kept for it then: another company may have filled it."""
    game = founder(options={"sfma_home": "either"})
    game.state = replace(game.state, board=game.state.board.place(HexId("R14"), 1, CompanyId("SFTC")))
    game.do("Ann: start SFMA at 100")
    assert game.accepted() == ["token R14/SW"]
    game.do("SFMA: token R14/SW")
    assert game.state.board.circles(HexId("R14")) == (("SFMA",), ("SFTC",))


# ---- homes that are chosen -------------------------------------------------------------------------------------------


def homes(company: str, phase: str, first: str = "", **more: Any) -> set[str]:
    """The hexes that are offered for the next home."""
    game = founder(phase, **more)
    game.do(f"Ann: start {company} at 68")
    if game.asked == ["Ann founding.shares"]:
        game.do("Ann: pass")
    if first:
        game.do(f"{company}: token {first}")
    if game.asked != [f"Ann {company} founding.home"]:
        return set()
    return {entry.removeprefix("token ").split("/")[0] for entry in game.accepted() if entry != "pass"}


@pytest.mark.parametrize(
    ("company", "phase", "first", "offered"),
    [
        pytest.param("AFI", "3", "", "M7 S11 K11 L12 K13 L14 K15", marks=pytest.mark.rule("1841:4.9")),
        pytest.param("SLDV", "3", "", "S11 K11 L12 K13 K15", marks=pytest.mark.rule("1841:4.10")),
        pytest.param("AFI", "3", "K11", "L12 K13 L14 K15", marks=pytest.mark.rule("1841:4.11")),
        ("AFI", "3", "S11", ""),  # nothing else in Tuscany
        pytest.param(
            "AFI",
            "4",
            "K11",
            "H4 J6 M3 M7 R14 P12 Q11 S11 L12 K13 L14 K15 D8 E7 F8 E9 H8 H10 E11",
            marks=pytest.mark.rule("1841:4.11"),
        ),
        pytest.param("AFI", "4", "F16", "H12 G13 F14 G15 D16", marks=pytest.mark.rule("1841:4.11")),
        (
            "AFI",
            "6",
            "F16",
            "H4 J6 M3 M7 R14 P12 Q11 S11 K11 L12 K13 L14 K15 D8 E7 F8 E9 H8 H10 E11 H12 G13 F14 G15 D16",
        ),
        ("SLDV", "4", "K11", ""),  # a minor has one home
    ],
)
@pytest.mark.clarification("1.5")
@pytest.mark.clarification("5.8")
@pytest.mark.rule("1841:4.8")
def test_homes_are_cities_of_one_country(company: str, phase: str, first: str, offered: str) -> None:
    assert homes(company, phase, first) == set(offered.split())


@pytest.mark.rule("1841:4.10")
@pytest.mark.rule("1841:4.12")
def test_a_home_needs_room_and_a_minors_an_empty_hex() -> None:
    others = (
        firm("ATFA", {"Bob": 2}, "F4", markers="K11 L14"),
        firm("CFCC", {"Bob": 2}, "F4", markers="K13", tokens=2),
    )
    tiles = {"K13": "14#0"}  # two places
    game = situation(*others, cash={"Ann": 900}, phase="3", tiles=tiles, round="SR 2").stock("Ann")
    game.do("Ann: start AFI at 68\nAnn: pass")
    assert {entry.split("/")[0] for entry in game.accepted()} == {
        f"token {hex}" for hex in ("M7", "S11", "K13", "L12", "K15")
    }
    assert game.failures("AFI: token L14") == {"token.full": {"hex": "L14", "companies": ("ATFA",)}}
    assert game.failures("AFI: token C7")["home.not_there"]["hex"] == "C7"
    assert game.refusals("AFI: pass") == {"home.needed"}
    game = situation(*others, cash={"Ann": 900}, phase="3", tiles=tiles, round="SR 2").stock("Ann")
    game.do("Ann: start SLDV at 68")
    assert set(game.accepted()) == {f"token {hex}" for hex in ("S11", "L12", "K15")}


def test_a_company_without_a_home_left_is_not_started() -> None:
    game = situation(
        firm("ATFA", {"Bob": 2}, "F4", markers="M7 S11 K11 L12 K13 L14 K15"), cash={"Ann": 900}, phase="3", round="SR 2"
    ).stock("Ann")
    assert game.failures("Ann: start AFI at 68") == {"start.no_home": {"company": "AFI"}}


# ---- tokens ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1841:4.14")
@pytest.mark.parametrize(
    ("phase", "home", "tiles", "price"),
    [
        ("4", "H4", {}, 200),  # printed with track
        ("4", "K13", {}, 25),
        ("4", "K13", {"K13": "57#0"}, 200),
        ("4", "K13", {"J12": "9#0"}, 100),
        ("6", "K13", {"H12": "57#0"}, 50),
        ("4", "K13", {"H12": "57#0"}, 25),  # behind the border of Veneto
        ("3", "K13", {"H12": "57#0"}, 25),  # behind that of Austria
        ("6", "K13", {"F14": "57#0"}, 25),  # too far
        ("6", "F14", {"E13": "9#1"}, 25),  # adjacent, but barriers close every way to it
        ("6", "M3", {"O3": "613#0"}, 100),  # adjacent behind a barrier, and a way leads round it
        ("6", "H12", {"G11": "9#0"}, 100),
        ("4", "H12", {"G11": "9#0"}, 25),  # adjacent, but behind the border of Veneto
    ],
)
def test_the_price_of_a_token_falls_with_the_distance_to_track(
    phase: str, home: str, tiles: dict[str, str], price: int
) -> None:
    game = situation(phase=phase, tiles=tiles)
    assert price_from(game.title, game.state, HexId(home)) == price


@pytest.mark.rule("1841:4.14")
def test_of_two_homes_the_dearer_one_counts_and_historical_companies_pay_50() -> None:
    game = founder("4")
    game.do("Ann: start AFI at 216\nAnn: pass\nAFI: token K13\nAFI: token H4/NE")
    game.do("AFI: tokens 2")
    assert game.state.money("AFI") == 2 * 216 - 2 * 200
    game = founder()
    game.do("Ann: start SFTG at 144\nAnn: pass\nSFTG: tokens 5")
    assert (game.state.money("SFTG"), game.tokens("SFTG")) == (288 - 250, 5)


@pytest.mark.rule("1841:4.13")
@pytest.mark.parametrize(
    ("order", "reasons"),
    [
        ("tokens 1", {"tokens.number"}),
        ("tokens 2", set[str]()),
        ("tokens 4", set[str]()),
        ("tokens 5", {"tokens.money"}),
        ("tokens 6", {"tokens.number"}),
    ],
)
def test_a_major_buys_two_to_five_tokens(order: str, reasons: set[str]) -> None:
    game = founder()
    game.do("Ann: start SFTG at 100\nAnn: pass")
    assert game.refusals(f"SFTG: {order}") == reasons
    assert game.accepted()


@pytest.mark.clarification("2.5")
@pytest.mark.rule("1841:4.15")
@pytest.mark.rule("1841:4.16")
@pytest.mark.parametrize("edition", ["clarified", "v2"])
def test_s2_a_start_with_too_little_for_tokens(edition: str) -> None:
    game = founder("4", edition)
    game.do("Ann: start AFI at 68\nAnn: pass\nAFI: token H4/NE\nAFI: pass")
    assert game.refusals("AFI: tokens 3") == {"tokens.money"}
    assert game.accepted() == ["tokens 2"]
    game.do("AFI: tokens 2")
    assert game.state.money("AFI") == 136 + 8 * 34 - 400
    assert game.shares("AFI") == {"Ann": 2, "Pool": 8}
    assert game.place("AFI") == "10 C13"
    assert game.asked == ["Bob stock.turn"]


# ---- a company that starts another -----------------------------------------------------------------------------------


@pytest.mark.rule("1841:10.9")
def test_a_company_starts_another_as_a_player_does() -> None:
    game = situation(firm("SFTN", {"Ann": 3}, "F4", cash=500), phase="4").stock("Bob")
    actor = CompanyId("SFTN")
    assert not check_start(game.title, game.state, actor, Start(actor, CompanyId("AFI"), 100))
    play = Play(game.title, game.state)
    begin_founding(play, actor, Start(actor, CompanyId("AFI"), 100))
    game.state = play.state
    assert game.asked == ["Ann SFTN founding.shares"]
    game.do("SFTN: buy AFI\nSFTN: pass\nAFI: token K13\nAFI: pass\nAFI: tokens 3")
    assert (game.president("AFI"), game.shares("AFI")) == ("SFTN", {"SFTN": 3, "Treasury": 7})
    assert (game.state.money("SFTN"), game.state.money("AFI")) == (200, 300 - 3 * 25)


def test_a_company_starts_no_historical_one() -> None:
    game = situation(firm("SFTN", {"Ann": 3}, "F4", cash=500), phase="3", privates={"C-SSFL": "Ann"})
    actor = CompanyId("SFTN")
    failures = check_start(game.title, game.state, actor, Start(actor, CompanyId("SSFL"), 100))
    assert [f.check for f in failures] == ["start.concession"]
