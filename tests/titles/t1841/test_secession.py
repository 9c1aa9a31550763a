"""The Secession of the Ferdinandea and the order of what the first 4-train brings."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.events import PhaseBegan
from engine.core.ids import CompanyId, HexId, PlayerId
from engine.core.title import Play
from engine.titles.t1841.mergers.first_four import FirstFour
from engine.titles.t1841.stock.trading import check_sale
from engine.titles.t1841.turn.queue import look_at_order
from tests.kit.games.situations_1841 import Firm, Italian, firm, situation


def first_four(*described: Firm, buyer: str = "AFI", waiting: str = "", **other: Any) -> Italian:
    """The position in which ``buyer`` has just bought the first 4-train, with all that follows of itself."""
    game = situation(*described, firm("AFI", "Eve", "A1", markers="L12"), **{"players": "Ann Bob Cat Dan Eve", **other})
    game.turn(buyer, "sell", waiting=waiting)
    player = game.director(buyer)
    assert player is not None
    return game.turns(*game.state.agenda, FirstFour(PlayerId(player)))  # type: ignore[return-value]


def irsff(*owner: Any, at: str = "F4", **other: Any) -> Firm:
    return firm("IRSFF", dict(owner), at, **{"cash": 287, **other})


def status(game: Italian, *names: str) -> list[str]:
    return [game.state.companies[CompanyId(name)].status for name in names]


def stands(game: Italian, name: str) -> list[str]:
    return sorted(hex for hex, _ in game.state.board.places_of(CompanyId(name)))


def two_pairs(**other: Any) -> Italian:
    """S5: IRSFF at 100 with 287 L.: Ann 30 % (president), Bob 20 %, Cat, SFTG and the pool 10 %, 20 % its own."""
    return first_four(
        irsff(("Ann", 3), ("Bob", 2), ("Cat", 1), ("SFTG", 1), pool=1),
        firm("SFTG", "Bob", "B1"),
        **{"waiting": "IRSFF", **other},
    )


@pytest.mark.clarification("3.3")
def test_the_first_two_pairs_take_the_presidencies_and_single_ones_choose() -> None:
    """S5."""
    game = two_pairs()
    assert game.asked == ["Ann secession.part"]
    game.do("Ann: choose SFV")
    assert (game.president("SFV"), game.president("SFL")) == ("Ann", "Bob")
    assert (game.money("SFV"), game.money("SFL")) == (259, 28)
    assert game.asked == ["Ann secession.part"]
    game.do("Ann: choose SFL")
    assert game.asked == ["Bob SFTG secession.part"]
    game.do("SFTG: choose SFL")
    assert game.asked == ["Cat secession.part"]
    game.do("Cat: choose SFL")
    assert game.shares("SFV") == {"Ann": 2, "Pool": 1, "Treasury": 2}
    assert game.shares("SFL") == {"Ann": 1, "Bob": 2, "Cat": 1, "SFTG": 1}
    assert (stands(game, "SFV"), stands(game, "SFL")) == (["F16"], ["F8"])
    assert (game.tokens("SFV"), game.tokens("SFL")) == (2, 2)
    assert status(game, "IRSFF", "SFV", "SFL") == ["closed", "open", "open"]
    assert game.state.marks["waiting"] == {"SFV", "SFL"}


@pytest.mark.rule("9.7")
@pytest.mark.parametrize(("edition", "left"), [("clarified", []), ("v1", ["H8"]), ("v2", [])])
def test_tokens_that_are_too_many_for_minors_leave_the_map_but_not_on_the_site(edition: str, left: list[str]) -> None:
    """Three of the IRSFF stand outside Veneto; SFL of the second version is a major."""
    game = first_four(irsff(("Ann", 5), markers="F8 F16 E9 H8", tokens=4), edition=edition)
    assert stands(game, "SFL") == (["E9", "F8"] if edition != "v2" else ["E9", "F8", "H8"])
    assert stands(game, "IRSFF") == left
    assert game.state.board.free(HexId("H8"), 0) == (0 if edition != "clarified" else 1)


@pytest.mark.clarification("1.3")
@pytest.mark.clarification("5.3")
def test_the_parts_have_no_history_though_the_irsff_had() -> None:
    """So nobody sells their shares before their first turns are over."""
    game = two_pairs_done(two_pairs())
    assert not {"IRSFF", "SFV", "SFL"} & game.state.marks["history"]
    assert check_sale(game.title, game.state, PlayerId("Ann"), ((CompanyId("SFV"), 1),))[0].check == "sell.not_operated"


@pytest.mark.clarification("1.17")
def test_both_markers_take_the_place_of_the_irsff_in_its_pile() -> None:
    game = first_four(
        firm("SFTG", "Bob", "F4"),
        irsff(("Ann", 4)),
        firm("SFTN", "Bob", "F4"),
        firm("SSFL", "Bob", "F4", markers="Q11"),
    )
    assert game.pile("F4") == ["SFTG", "SFV", "SFL", "SFTN", "SSFL"]


def test_minors_never_begin_right_of_column_k() -> None:
    game = first_four(irsff(("Ann", 4), at="M1"), firm("SFTG", "Bob", "K1"))
    assert game.pile("K1") == ["SFTG", "SFV", "SFL"]
    game = first_four(irsff(("Ann", 4), at="M1"), edition="v2")
    assert game.pile("M1") == ["SB", "SFL"]


@pytest.mark.clarification("1.18")
def test_decisions_begin_with_the_president_of_the_irsff() -> None:
    """Not with Eve, whose company has bought the train; each decides for himself, then for his companies."""
    game = first_four(
        irsff(("Cat", 2), ("Ann", 1), ("Bob", 1), ("Dan", 1), ("SFTG", 1), ("SFTN", 1)),
        firm("SFTG", "Ann", "B1"),
        firm("SFTN", "Ann", "B2"),
    )
    game.do("Cat: choose SFV")
    order = []
    for part in ("SFL", "SFL", "SFV", "SFV", "SFV"):
        order.append(game.asked[0].split()[-2])
        game.do(f"{order[-1]}: choose {part}")
    assert order == ["Dan", "Ann", "SFTG", "SFTN", "Bob"]


def six_places(edition: str, at: str = "F4") -> Italian:
    """S6: one pair, and eight single certificates for six places."""
    holders = {"Ann": 2, "Bob": 1, "Cat": 1, "Dan": 1, "SFTG": 1, "SFTC": 1, "FTP": 1, "SLDV": 1}
    game = first_four(
        irsff(*holders.items(), at=at, pool=1),
        *(firm(name, "Eve", at) for name, at in (("SFTG", "D1"), ("SLDV", "C1"), ("FTP", "B1"), ("SFTC", "B2"))),
        edition=edition,
    )
    game.do("Ann: choose SFV")
    while game.asked[0].endswith("secession.part"):
        game.do(f"{game.asked[0].split()[-2]}: {game.menu()[0]}")
    return game


@pytest.mark.clarification("3.3")
def test_without_a_second_pair_a_part_is_frozen_and_those_left_over_are_paid() -> None:
    game = six_places("clarified")
    assert (game.president("SFL"), game.frozen("SFL")) == ("Pool", True)
    assert sum(game.shares("SFV").values()) == sum(game.shares("SFL").values()) == 5
    assert game.money("SFTC") == 100
    assert "Treasury" not in game.shares("SFV") | game.shares("SFL")


@pytest.mark.clarification("3.3")
@pytest.mark.rule("9.12")
def test_those_left_over_are_paid_the_price_of_the_irsff_where_that_of_its_parts_is_lower() -> None:
    """276 (M1), while the parts begin at 224 (K1)."""
    game = six_places("clarified", "M1")
    assert (game.place("SFV"), game.money("SFTC")) == ("224 K1", 276)


@pytest.mark.clarification("3.3", site=True)
def test_on_the_site_those_left_over_get_nothing() -> None:
    game = six_places("v1")
    assert all(game.money(name) == 0 for name in ("SFTC", "FTP", "SLDV", "SFTG"))


@pytest.mark.clarification("3.3")
def test_with_its_presidency_in_the_pool_both_parts_are_frozen() -> None:
    game = first_four(irsff(("Pool", 2), ("Ann", 1), pool=3))
    assert game.asked == ["Ann secession.part"]
    game.do("Ann: choose SFV")
    assert (game.president("SFV"), game.president("SFL")) == ("Pool", "Pool")


@pytest.mark.rule("9.10")
def test_on_the_site_each_holder_has_one_certificate_for_all_if_the_presidency_lies_in_the_pool() -> None:
    """Bob is the first to take one of SFL, and has its president's for a single share; the pool has one for five."""
    game = first_four(irsff(("Pool", 2), ("Bob", 1), ("Ann", 1), ("Cat", 1), pool=3), edition="v2")
    assert game.president("SB") == "Pool"
    for text in ("Ann: choose SB", "Bob: choose SFL", "Cat: choose SFL", "Eve: choose SFL"):
        assert game.asked == [f"{text.split(':')[0]} secession.part"]
        game.do(text)
    assert (game.president("SFL"), game.frozen("SB")) == ("Bob", True)
    assert game.shares("SFL") == {"Bob": 2, "Cat": 1, "Pool": 1, "Treasury": 6}
    assert game.shares("SB") == {"Pool": 2, "Ann": 1, "Treasury": 7}


@pytest.mark.clarification("2.27")
@pytest.mark.clarification("3.3")
@pytest.mark.rule("9.9")
def test_the_pair_of_a_frozen_president_comes_after_those_of_players() -> None:
    """SFTG and the IRSFF own each other. Ann has the first pair and chooses SFL; SFTG gets what is left."""
    game = first_four(irsff(("SFTG", 2), ("Ann", 2)), firm("SFTG", "IRSFF", "B1", markers="J6"), waiting="IRSFF SFTG")
    assert game.asked == ["Ann secession.part"]
    game.do("Ann: choose SFL")
    assert (game.president("SFL"), game.president("SFV")) == ("Ann", "SFTG")


@pytest.mark.clarification("2.27")
def test_frozen_companies_come_after_the_pool_in_running_order() -> None:
    """A pair acts like one of the pool; a single certificate becomes one of SFV while there is one."""
    game = frozen_holders("clarified")
    assert game.president("SFL") == "SFTG"
    assert game.shares("SFV") == {"Ann": 2, "Pool": 1, "SFTN": 1, "ATFA": 1}
    assert game.shares("SFL") == {"SFTG": 2, "SFTC": 1, "Treasury": 2}


@pytest.mark.clarification("2.27", site=True)
def test_on_the_site_frozen_companies_come_as_they_are_listed() -> None:
    game = frozen_holders("v1")
    assert game.shares("SFV")["SFTC"] == 1
    assert game.shares("SFL")["ATFA"] == 1


def frozen_holders(edition: str) -> Italian:
    game = first_four(
        irsff(("Ann", 2), ("SFTG", 2), ("SFTC", 1), ("ATFA", 1), ("SFTN", 1), pool=1),
        *(firm(name, {"Pool": 2}, at) for name, at in (("SFTG", "D1"), ("ATFA", "C1"), ("SFTN", "B1"), ("SFTC", "A9"))),
        edition=edition,
    )
    game.do("Ann: choose SFV")
    assert game.asked == ["Ann secession.part"]  # for the pool
    game.do("Ann: choose SFV")
    return game


@pytest.mark.clarification("2.26")
def test_the_parts_operate_unless_the_irsff_has() -> None:
    assert two_pairs_done(two_pairs(waiting="IRSFF")).state.marks["waiting"] == {"SFV", "SFL"}
    assert "SFV" not in two_pairs_done(two_pairs(waiting="SFTG")).state.marks.get("waiting", ())


@pytest.mark.clarification("2.26")
def test_if_the_irsff_bought_the_train_its_turn_is_over_and_the_parts_do_not_operate() -> None:
    game = two_pairs_done(two_pairs(buyer="IRSFF", waiting="SFTG"))
    assert game.asked == ["Bob SFTG company.turn"]


def two_pairs_done(game: Italian) -> Italian:
    while game.asked[0].endswith("secession.part"):
        game.do(f"{game.asked[0].split()[-2]}: {game.menu()[0]}")
    return game


def test_tokens_trains_and_certificates_are_divided() -> None:
    game = first_four(
        irsff(
            ("Ann", 4),
            markers="F8 F16 E9 G15 G13",
            tokens=5,
            trains="3 4 3",
        ),
        firm("SFTG", {"Bob": 3, "IRSFF": 1}, "D1"),
        firm("SFTN", {"IRSFF": 3, "Bob": 1}, "C1"),
    )
    assert (stands(game, "SFV"), stands(game, "SFL")) == (["F16", "G15"], ["E9", "F8"])
    assert [game.state.companies[CompanyId(c)].trains for c in ("SFV", "SFL")] == [("4", "3"), ("3",)]
    assert game.shares("SFTG") == {"Bob": 3, "SFL": 1, "Treasury": 6}
    assert game.shares("SFTN") == {"Bob": 1, "SFV": 3, "Treasury": 6}


@pytest.mark.rule("9.8")
@pytest.mark.parametrize("held", ["SFTG SFTN", "SFTN SFTG"])
@pytest.mark.parametrize(("edition", "of_sfv"), [("clarified", "SFTG"), ("v1", "last"), ("v2", "last")])
def test_equally_dear_certificates_are_dealt_as_listed_and_on_the_site_the_last_held_first(
    edition: str, of_sfv: str, held: str
) -> None:
    """``held``: the companies in the order in which the IRSFF came to hold their stock."""
    names = held.split()
    dealt = first_four(irsff(("Ann", 4)), *(firm(c, {"Bob": 3, "IRSFF": 1}, "D1") for c in names), edition=edition)
    first = {name for name in names if dealt.shares(name).keys() & {"SFV", "SB"}}
    assert first == {names[-1] if of_sfv == "last" else of_sfv}


@pytest.mark.rule("9.8")
def test_on_the_site_what_it_has_bought_last_is_dealt_first() -> None:
    """The IRSFF has SFTN and buys SFTG, as dear; then it is divided."""
    described = irsff(("Ann", 4), cash=200), firm("SFTG", {"Bob": 3}, "D1"), firm("SFTN", {"Bob": 3, "IRSFF": 1}, "D1")
    game = situation(*described, edition="v1", phase="3", players="Ann Bob Cat").turn("IRSFF", "buy", waiting="SFTG")
    game.do("IRSFF: buy SFTG from treasury; done")
    game.turns(*game.state.agenda, FirstFour(PlayerId("Ann")))
    assert "SFV" in game.shares("SFTG") and "SFL" in game.shares("SFTN")


@pytest.mark.rule("9.8")
@pytest.mark.parametrize(("edition", "president"), [("clarified", "SFV"), ("v1", "Bob")])
def test_on_the_site_a_presidency_may_be_lost_while_certificates_are_dealt(edition: str, president: str) -> None:
    """AFI belongs to the IRSFF with 30 %; when SFV has the president's 20 % Bob has as much, and players come first."""
    game = _dealt(edition)
    assert game.president("AFI") == president


def _dealt(edition: str) -> Italian:
    game = situation(
        irsff(("Ann", 4)),
        firm("AFI", {"IRSFF": 3, "Bob": 2}, "D1", markers="L12"),
        firm("SFTG", "Eve", "A1"),
        players="Ann Bob Cat Dan Eve",
        edition=edition,
    ).turn("SFTG", "sell")
    return game.turns(*game.state.agenda, FirstFour(PlayerId("Eve")))  # type: ignore[return-value]


@pytest.mark.rule("9.1")
@pytest.mark.parametrize(("edition", "trains"), [("clarified", (("4", "3"), ("3",))), ("v1", (("4", "3"), ("3", "3")))])
def test_on_the_site_the_irsff_is_divided_before_trains_over_the_limit_go(
    edition: str, trains: tuple[tuple[str, ...], ...]
) -> None:
    """It buys the first 4-train beside three 3-trains; a major may have three in phase 4, two minors four."""
    game = situation(
        irsff(("Ann", 5), trains="3 3 3", cash=350), phase="3", supply={"3": 0, "4": 4}, edition=edition
    ).turn("IRSFF", "trains")
    game.do("IRSFF: train 4")
    if edition == "clarified":
        game.do("IRSFF: discard 3")
    assert tuple(game.state.companies[CompanyId(part)].trains for part in ("SFV", "SFL")) == trains


@pytest.mark.rule("6.1")
@pytest.mark.parametrize(("edition", "following"), [("clarified", "Bob SFTN"), ("v1", "Ann SFV")])
def test_on_the_site_parts_that_column_k_makes_cheaper_operate_in_the_place_of_the_irsff(
    edition: str, following: str
) -> None:
    """IRSFF at 276 and SFTN at 248 still have their turns; SFV and SFL are at 224 then."""
    game = situation(
        irsff(("Ann", 4), at="M1"), firm("SFTN", "Bob", "L1", trains="4"), firm("SFTG", "Eve", "N1", trains="4"),
        players="Ann Bob Cat Dan Eve", edition=edition,
    ).turn("SFTG", "sell", waiting="IRSFF SFTN")  # fmt: skip
    turns = Play(game.title, game.state)
    look_at_order(turns)
    game.state = turns.state
    game.turns(*game.state.agenda, FirstFour(PlayerId("Eve")))
    while game.asked[0].split()[-1] != "company.turn":
        game.do(f"{game.asked[0].split()[-2]}: {game.menu()[0]}")
    game.do("SFTG: done")
    assert game.asked == [f"{following} company.turn"]


MILANO_VENEZIA = {
    "E9": "202#5", "F10": "9#2", "G11": "9#2", "H12": "6#2", "G13": "621#1", "F14": "6#5", "G15": "202#2",
    "F16": "601#0",
}  # fmt: skip
"""From Milano's stem by Bergamo, Mantova, Verona, Vicenza and Padova."""


def test_it_is_not_held_where_a_company_could_run_from_milano_to_venezia() -> None:
    game = first_four(irsff(("Ann", 4)), tiles=MILANO_VENEZIA)
    assert status(game, "IRSFF", "SFV", "SFL") == ["open", "closed", "closed"]


def test_it_is_held_where_the_way_has_a_gap_or_is_blocked_for_everybody() -> None:
    gap = {hex: tile for hex, tile in MILANO_VENEZIA.items() if hex != "G11"}
    assert status(first_four(irsff(("Ann", 4)), tiles=gap), "IRSFF", "SFV") == ["closed", "open"]
    blocked = first_four(irsff(("Ann", 4)), firm("SFTG", "Bob", "B1", markers="H12"), tiles=MILANO_VENEZIA)
    assert status(blocked, "IRSFF", "SFV") == ["open", "closed"]  # SFTG itself could run through
    twice = first_four(
        irsff(("Ann", 4)),
        firm("SFTG", "Bob", "B1", markers="H12"),
        firm("SFTN", "Bob", "B2", markers="F14"),
        tiles=MILANO_VENEZIA,
    )
    assert status(twice, "IRSFF", "SFV") == ["closed", "open"]


def test_it_is_not_held_where_the_irsff_is_not_in_play() -> None:
    game = first_four(firm("SFTG", "Bob", "F4"))
    assert status(game, "IRSFF", "SFV", "SFL") == ["closed", "closed", "closed"]


# ---- the order of the first 4-train ---------------------------------------------------------------------------------


@pytest.mark.clarification("2.25")
def test_limits_come_first_then_concessions_secession_and_the_tuscan_merge() -> None:
    game = situation(
        irsff(("Ann", 3), ("Bob", 2)),
        firm("SFTG", {"Ann": 2, "Bob": 3}, "B1", trains="3 3 3 2 2", cash=0),
        firm("SFLP", "Cat", "F1"),
        firm("SFMA", "Dan", "E1"),
        firm("AFI", "Eve", "A1", markers="L12", cash=350, trains="3"),
        phase="3",
        players="Ann Bob Cat Dan Eve",
        privates={"C-SFTG": "Ann", "C-SSFL": "Bob"},
        supply={"3": 0},
    ).turn("AFI", "trains")
    game.do("AFI: train 4")
    assert game.asked == ["Ann secession.part"]
    assert game.president("SFTG") == "Bob"
    assert status(game, "SSFL", "SFLi") == ["closed", "unstarted"]
    game.do("Ann: choose SFL")
    game.do("Ann: choose SFV")
    assert status(game, "SFLi") == ["open"]
    assert game.told(PhaseBegan)


@pytest.mark.clarification("1.16")
def test_presidents_are_looked_at_anew_when_the_concessions_go() -> None:
    game = first_four(
        firm("SFTG", {"Ann": 2, "Bob": 3}, "B1"),
        firm("SFTN", {"Ann": 3, "Bob": 3}, "B2"),
        privates={"C-SFTG": "Ann", "C-SFTN": "Ann"},
    )
    assert (game.president("SFTG"), game.president("SFTN")) == ("Bob", "Ann")
    assert not game.state.privates


# ---- by the site's rulings ------------------------------------------------------------------------------------------


def test_on_the_site_the_holders_are_offered_more_and_the_parts_may_buy_tokens() -> None:
    game = first_four(irsff(("Ann", 2), ("Bob", 2)), edition="v2", cash={"Ann": 300, "Bob": 0})
    game.do("Ann: choose SB")
    assert game.asked == ["Ann offer.shares"]
    game.do("Ann: take 1")
    assert game.asked == ["Ann SB offer.again"]
    game.do("SB: offer again yes")
    game.do("Ann: take 1")
    assert game.asked == ["Ann SB offer.again"]
    game.do("SB: offer again no")
    assert game.asked == ["Ann SB tokens.number"]
    game.do("SB: tokens 3")
    assert (game.shares("SB")["Ann"], game.tokens("SB"), game.tokens("SFL")) == (4, 3, 2)
    assert game.money("SB") == 259 + 200 - 50
