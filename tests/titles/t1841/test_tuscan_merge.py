"""The Tuscan merge of two and three companies, with its questions, its tokens and a frozen SFLi."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.ids import CompanyId, PlayerId
from engine.titles.t1841.mergers.first_four import FirstFour
from tests.kit.games.situations_1841 import Firm, Italian, firm, situation


def tuscany(*described: Firm, waiting: str = "", **other: Any) -> Italian:
    """The position in which AFI has just bought the first 4-train, with all that follows of itself."""
    game = situation(*described, firm("AFI", "Eve", "A1", markers="L12"), **{"players": "Ann Bob Cat Dan Eve", **other})
    game.turn("AFI", "sell", waiting=waiting)
    return game.turns(*game.state.agenda, FirstFour(PlayerId("Eve")))  # type: ignore[return-value]


def status(game: Italian, *names: str) -> list[str]:
    return [game.state.companies[CompanyId(name)].status for name in names]


def stands(game: Italian, name: str) -> list[str]:
    return sorted(hex for hex, _ in game.state.board.places_of(CompanyId(name)))


def three(*others: Firm, **other: Any) -> Italian:
    """S7: SFLP at 117, SFMA at 95, SSFL at 90."""
    return tuscany(
        firm("SFLP", {"Cat": 2}, "G3", cash=150, pool=1),
        firm("SFMA", {"Dan": 2}, "E3", cash=150, markers="R14/0"),
        firm("SSFL", {"Dan": 2, "Ann": 1}, "E4", cash=36),
        *others,
        **{"cash": {"Ann": 45, "Cat": 200, "Dan": 0}, **other},
    )


@pytest.mark.clarification("1.19")
def test_three_companies_merge_by_way_of_a_major_of_the_minors() -> None:
    """S7: the minors at half of 212 are 95; with 90 of the SSFL 185, which leads to 180."""
    game = three()
    assert game.asked == ["Cat merger.exchange"]
    assert game.accepted() == ["exchange for share", "exchange for director"]
    assert game.failures("Cat: exchange cash")["exchange.choice"]["uses"] == ("share", "director")
    game.do("Cat: exchange share")
    assert game.president("SFLi") == "Dan"
    assert game.asked == ["Dan SFLi merger.keep"]
    assert game.place("SFLi") == "180 M6"
    assert game.shares("SFLi") == {"Cat": 1, "Dan": 2, "Treasury": 7}
    assert (game.money("SFLi"), game.money("Ann")) == (336, 45 + 90)
    assert sorted(game.accepted()) == ["keep P12, R14, Q11", "keep R14, Q11"]
    game.do("SFLi: keep R14, Q11")
    assert (stands(game, "SFLi"), game.tokens("SFLi")) == (["Q11", "R14"], 5)
    assert status(game, "SFLP", "SFMA", "SSFL", "SFLi") == ["closed", "closed", "closed", "open"]


@pytest.mark.clarification("1.19")
def test_two_minors_merge_into_the_sfli_at_once() -> None:
    game = tuscany(firm("SFLP", {"Cat": 2}, "G3"), firm("SFMA", {"Dan": 2}, "E3", markers="R14/0"))
    assert game.place("SFLi") == "95 J8"
    assert (game.president("SFLi"), game.shares("SFLi")) == ("Cat", {"Cat": 2, "Dan": 2, "Treasury": 6})
    assert status(game, "SSFL") == ["closed"]


@pytest.mark.clarification("1.19")
def test_a_minor_and_the_ssfl_merge_after_it_has_become_a_major() -> None:
    """The holders of SFLP are offered shares of what it becomes first: Cat has 60 % of the two then."""
    game = tuscany(
        firm("SFLP", {"Cat": 2}, "G3", cash=10), firm("SSFL", {"Dan": 5}, "E4", cash=36), cash={"Cat": 234, "Dan": 117}
    )
    assert game.asked == ["Cat offer.shares"]
    game.do("Cat: take 1")
    assert game.asked == ["Cat offer.shares"]
    game.do("Cat: take 1")
    assert game.asked == ["Dan offer.shares"]
    game.do("Dan: take 0")
    assert game.president("SFLi") == "Cat"
    assert game.asked == ["Dan merger.exchange"]
    game.do("Dan: exchange cash")
    assert game.shares("SFLi") == {"Cat": 2, "Dan": 2, "Treasury": 6}
    assert game.money("SFLi") == 10 + 36 + 234


def test_without_a_free_charter_the_minor_keeps_its_name_in_between() -> None:
    names = "ATFA CFCC CGTF CTDA CTS ICSF IFAI ILTF RATF RSFS"
    taken = (
        firm(name, "Eve", f"{column}9", markers="") for name, column in zip(names.split(), "ABCDEFGHIJ", strict=True)
    )
    game = three(*taken, cash={"Cat": 200})
    assert (game.state.prices[CompanyId("SFLP")].cell, game.president("SFLP")) == ((7, 9), "Cat")
    game.do("Cat: exchange director")
    assert (game.place("SFLi"), game.president("SFLi")) == ("180 M6", "Cat")
    game.do("SFLi: keep R14, Q11")
    assert status(game, "SFLP", "SFMA", "SSFL", "SFLi") == ["closed", "closed", "closed", "open"]


def test_with_fewer_than_two_of_them_there_is_no_sfli() -> None:
    game = tuscany(firm("SSFL", {"Dan": 5}, "E4"))
    assert status(game, "SFLi", "SSFL") == ["closed", "open"]


# ---- its first round ------------------------------------------------------------------------------------------------


@pytest.mark.clarification("1.3")
@pytest.mark.clarification("5.3")
def test_the_sfli_has_no_history_though_its_parts_had() -> None:
    assert not {"SFLP", "SFMA", "SFLi"} & formed("clarified").state.marks["history"]


@pytest.mark.clarification("1.20")
def test_the_sfli_does_not_operate_in_its_first_round() -> None:
    assert "SFLi" not in formed("clarified").state.marks["waiting"]


@pytest.mark.clarification("4.3")
@pytest.mark.parametrize(("edition", "options"), [("clarified", {"sfli_runs": "yes"}), ("v2", {})])
def test_by_agreement_it_does_if_none_of_its_parts_has(edition: str, options: dict[str, str]) -> None:
    """And on the site without one."""
    assert "SFLi" in formed(edition, options=options).state.marks["waiting"]
    assert "SFLi" not in formed(edition, "SFLP AFI", options=options).state.marks["waiting"]


def formed(edition: str, waiting: str = "SFLP SFMA AFI", **other: Any) -> Italian:
    game = tuscany(
        firm("SFLP", {"Cat": 2}, "G3"),
        firm("SFMA", {"Cat": 2}, "E3", markers="R14/0"),
        waiting=waiting,
        edition=edition,
        **other,
    )
    game.do("SFLi: keep P12, R14")
    return game


# ---- without a president --------------------------------------------------------------------------------------------


def nobody(*, pisa: bool = True, edition: str = "clarified") -> Italian:
    """Nobody reaches 20 % of the SFLi, and nobody has money."""
    return tuscany(
        firm("SFLP", {"Pool": 2, "Cat": 1}, "G3", markers="P12"),
        firm("SSFL", {"Pool": 2, "Ann": 3}, "E4", markers="Q11 M7 K11" if pisa else "M7 K11", pool=2),
        edition=edition,
    )


@pytest.mark.clarification("3.4")
def test_without_a_president_the_sfli_is_frozen_with_tokens_only_in_pisa_and_firenze() -> None:
    game = nobody()
    assert (game.frozen("SFLi"), game.president("SFLi")) == (True, "Pool")
    assert game.shares("SFLi")["Pool"] == 3
    assert (stands(game, "SFLi"), game.tokens("SFLi")) == (["Q11"], 5)


@pytest.mark.clarification("2.28")
def test_a_frozen_sfli_with_a_token_in_neither_keeps_one_that_its_decider_chooses() -> None:
    game = nobody(pisa=False)
    assert game.asked == ["Eve SFLi merger.keep"]
    assert sorted(game.accepted()) == ["keep K11", "keep M7", "keep P12"]
    game.do("SFLi: keep M7")
    assert stands(game, "SFLi") == ["M7"]


@pytest.mark.clarification("2.28", site=True)
def test_on_the_site_it_keeps_the_first_by_name() -> None:
    assert stands(nobody(pisa=False, edition="v1"), "SFLi") == ["M7"]  # Genova, Lucca, Parma


@pytest.mark.clarification("2.28")
def test_with_a_president_one_other_city_is_kept_where_it_has_neither() -> None:
    game = tuscany(
        firm("SFLP", {"Cat": 2}, "G3", markers="P12"),
        firm("SFMA", {"Cat": 2}, "E3", markers="K11 P14"),
    )
    assert game.asked == ["Cat SFLi merger.keep"]
    assert "keep P14" not in game.accepted()
    assert {"keep K11", "keep P12", "keep P12, K11, P14"} <= set(game.accepted())


def test_the_pool_has_the_presidency_where_it_has_nearly_all_of_two_frozen_minors() -> None:
    """Nine shares go out before the treasury's one, and there are eight ordinary certificates."""
    game = tuscany(
        firm("SFLP", {"Pool": 2, "Cat": 1, "Ann": 1}, "G3", pool=1),
        firm("SFMA", {"Pool": 2}, "E3", markers="R14/0", pool=2),
    )
    assert (game.president("SFLi"), game.shares("SFLi")) == ("Pool", {"Ann": 1, "Cat": 1, "Pool": 7, "Treasury": 1})
