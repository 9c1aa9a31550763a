"""Mergers of minors and of majors in 1841: who may merge, what shares become, assets, tokens, and what is undone."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.events import CertificatesMoved, Restored
from engine.core.ids import CompanyId
from engine.holders.charters import charter_of
from tests.kit.games.situations_1841 import Italian, firm, situation

COMO_BERGAMO = {"D8": "57#2", "E9": "621#2"}
"""Track that joins the two cities."""


def status(game: Italian, *names: str) -> list[str]:
    return [game.state.companies[CompanyId(name)].status for name in names]


def stands(game: Italian, name: str) -> set[str]:
    return {f"{hex}/{city}" for hex, city in game.state.board.places_of(CompanyId(name))}


# ---- minors ---------------------------------------------------------------------------------------------------------


def minors(**other: Any) -> Italian:
    """S3: SFTC at 105 and SFLP at 86, in many hands."""
    return situation(
        firm("SFTC", {"Cat": 2, "Ann": 1, "SFLP": 1}, "F3", cash=150, trains="3", markers="D8"),
        firm("SFLP", {"Cat": 2, "Bob": 1, "SFTG": 1}, "I8", cash=150, trains="3", markers="E9"),
        firm("SFTG", "Bob", "A1"),
        tiles=COMO_BERGAMO,
        **other,
    ).turn("SFTC", "merge", waiting="SFLP")


def test_two_minors_merge_at_half_the_sum_of_their_prices() -> None:
    """S3: half of 105 and 86 is 95.5, which leads to 95. 40 % become 20 %, 20 % become 10 %."""
    game = minors()
    game.do("SFTC: merge SFLP into AFI")
    assert game.place("AFI") == "95 J8"
    assert game.shares("AFI") == {"Ann": 1, "Bob": 1, "Cat": 4, "SFTG": 1, "Treasury": 3}
    assert game.president("AFI") == "Cat"
    assert (game.money("AFI"), game.state.companies[CompanyId("AFI")].trains) == (300, ("3", "3"))
    assert stands(game, "AFI") == {"D8/0", "E9/0"}
    assert status(game, "SFTC", "SFLP") == ["closed", "closed"]


@pytest.mark.clarification("1.3")
@pytest.mark.clarification("5.3")
def test_a_merged_company_has_no_history_and_no_turn_in_the_round() -> None:
    game = minors()
    game.do("SFTC: merge SFLP into AFI")
    assert "AFI" not in game.state.marks["history"]
    assert str(game.state.round) == "OR 2.2"  # SFLP, which was still waiting, has gone; AFI did not operate


def test_the_first_40_percent_certificate_in_decision_order_becomes_the_presidents() -> None:
    game = situation(
        firm("SFTC", {"Bob": 2}, "F3", markers="D8"),
        firm("SFLP", {"Cat": 2}, "I8", markers="E9"),
        tiles=COMO_BERGAMO,
    ).turn("SFLP", "merge")
    game.do("SFLP: merge SFTC into AFI")
    assert (game.president("AFI"), game.shares("AFI")) == ("Cat", {"Bob": 2, "Cat": 2, "Treasury": 6})


@pytest.mark.rule("10.16")
def test_two_certificates_of_20_percent_are_none_of_40() -> None:
    """Cat comes before her company SSFL, but it has the president's certificate of SFLP, and she two of 20 %."""
    game = situation(
        firm("SFTC", {"Bob": 2, "Cat": 1}, "F3", markers="D8"),
        firm("SFLP", {"SSFL": 2, "Cat": 1}, "I8", markers="E9"),
        firm("SSFL", "Cat", "A1"),
        tiles=COMO_BERGAMO,
    ).turn("SFLP", "merge")
    game.do("SFLP: merge SFTC into AFI")
    assert game.president("AFI") == "SSFL"
    assert game.shares("AFI") == {"Bob": 2, "Cat": 2, "SSFL": 2, "Treasury": 4}


# ---- who may merge --------------------------------------------------------------------------------------------------


def pair(**other: Any) -> Italian:
    return situation(
        firm("SFTG", {"Bob": 5}, "E5", cash=100, markers="D8"),
        firm("SFTN", {"Cat": 5}, "E7", cash=36, markers="E9"),
        **{"tiles": COMO_BERGAMO, **other},
    ).turn("SFTG", "merge")


@pytest.mark.parametrize(
    ("order", "check"),
    [
        ("SFTG: merge SFTG into AFI", "merge.partner"),
        ("SFTG: merge SFMA into AFI", "merge.not_in_play"),
        ("SFTG: merge SFTN into SSFL", "merge.charter"),
        ("SFTG: merge SFTN into SFTN", "merge.charter"),
        ("SFTG: merge SFTN into CTLP", "merge.charter"),
        ("SFTG: merge SFTN into AFI at 90", "merge.price"),
    ],
)
def test_what_is_no_merger(order: str, check: str) -> None:
    assert check in pair().refusals(order)


@pytest.mark.clarification("2.1")
@pytest.mark.clarification("5.3")
@pytest.mark.rule("6.3")
def test_a_company_in_its_first_turn_proposes_no_merger_but_may_be_merged_later_in_the_round() -> None:
    game = situation(
        firm("AFI", {"Bob": 5}, "F5", markers="D8", trains="4", history=False),
        firm("CTS", {"Bob": 5}, "E7", markers="E9", trains="4"),
        tiles=COMO_BERGAMO,
    ).turn("AFI", "sell", waiting="CTS")
    assert game.refusals("AFI: merge CTS into ILTF") == {"merge.not_operated"}
    assert game.refusals("AFI: sell 1 AFI") == {"sell.not_operated"}
    assert "AFI" not in game.state.marks["history"]
    game.do("AFI: done")
    assert "AFI" in game.state.marks["history"]
    game.do("CTS: run none")
    assert game.refusals("CTS: merge AFI into ILTF") == set()


def test_both_must_have_operated_and_be_controlled() -> None:
    game = situation(
        firm("SFTG", {"Bob": 5}, "E5", markers="D8", history=False),
        firm("SFTN", {"Pool": 2}, "E7", markers="E9"),
        tiles=COMO_BERGAMO,
    ).turn("SFTG", "merge")
    assert game.refusals("SFTG: merge SFTN into AFI") == {"merge.not_operated", "merge.frozen"}


def test_only_companies_of_one_class_merge() -> None:
    game = situation(
        firm("SFTG", {"Bob": 5}, "E5", markers="D8"), firm("SFLP", "Cat", "E7", markers="E9"), tiles=COMO_BERGAMO
    ).turn("SFTG", "merge")
    assert game.refusals("SFTG: merge SFLP into AFI") == {"merge.class"}


def test_historical_companies_merge_when_the_concessions_are_gone() -> None:
    game = pair(phase="3", privates={"C-SFTG": "Bob", "C-SFTN": "Cat"})
    assert game.refusals("SFTG: merge SFTN into AFI") == {"merge.historical"}
    assert pair().refusals("SFTG: merge SFTN into AFI") == set()


@pytest.mark.rule("10.13")
@pytest.mark.parametrize("edition", ["clarified", "v1", "v2"])
def test_the_president_of_the_other_company_is_not_asked(edition: str) -> None:
    game = pair(edition=edition)
    game.do("SFTG: merge SFTN into AFI")
    assert status(game, "SFTN", "AFI") == ["closed", "open"]


def test_by_a_ruling_the_president_of_the_other_company_must_agree() -> None:
    game = pair(options={"merger_consent": "yes"})
    game.do("SFTG: merge SFTN into AFI")
    assert game.asked == ["Cat SFTN consent"]
    game.do("SFTN: refuse")
    assert status(game, "SFTN") == ["open"]
    assert game.refusals("SFTG: merge SFTN into AFI") == {"merge.tried"}
    game = pair(options={"merger_consent": "yes"})
    game.do("SFTG: merge SFTN into AFI")
    game.do("SFTN: agree")
    assert status(game, "SFTN", "AFI") == ["closed", "open"]


@pytest.mark.clarification("2.29")
def test_two_tokens_in_one_city_are_connected() -> None:
    game = pair(tiles={"H8": "14#0"})
    assert game.refusals("SFTG: merge SFTN into AFI") == {"merge.not_connected"}
    game = situation(
        firm("SFTG", {"Bob": 5}, "E5", markers="H8"), firm("SFTN", {"Cat": 5}, "E7", markers="H8"), tiles={"H8": "14#0"}
    ).turn("SFTG", "merge")
    assert game.refusals("SFTG: merge SFTN into AFI") == set()


@pytest.mark.clarification("3.7")
def test_no_merger_where_every_way_crosses_an_active_border() -> None:
    described = (firm("AFI", {"Bob": 5}, "E5", markers="H10"), firm("CTS", {"Cat": 5}, "E7", markers="H12"))
    tiles = {"H10": "57#1", "G11": "8#5", "H12": "57#2"}
    game = situation(*described, tiles=tiles, phase="5").turn("AFI", "merge")
    assert set(game.failures("AFI: merge CTS into ATFA")) == {"merge.not_connected"}
    assert game.failures("AFI: merge CTS into ATFA")["merge.not_connected"]["borders"] == ("G11 SE",)
    game = situation(*described, tiles=tiles, phase="6").turn("AFI", "merge")
    assert game.refusals("AFI: merge CTS into ATFA") == set()


@pytest.mark.clarification("3.7")
@pytest.mark.parametrize("phase", ["4", "8"])
def test_no_merger_in_one_country_where_every_way_leads_through_another(phase: str) -> None:
    """Como and Busto Arsizio are both in Lombardy, but the track between them lies in Switzerland."""
    game = situation(
        firm("AFI", {"Bob": 5}, "E5", markers="D8"), firm("CTS", {"Cat": 5}, "E7", markers="E7"),
        tiles={"D8": "6#0", "C7": "5#5", "E7": "57#0"}, phase=phase,
    ).turn("AFI", "merge")  # fmt: skip
    assert game.failures("AFI: merge CTS into ATFA")["merge.not_connected"]["borders"]


# ---- majors ---------------------------------------------------------------------------------------------------------


def majors(edition: str = "clarified", cash: int = 300) -> Italian:
    """S4: SFTG at 90 and SFTN at 68, of which Bob is president. Everybody has ``cash``."""
    return situation(
        firm("SFTG", {"Bob": 2, "Ann": 3, "Cat": 1, "Dan": 1}, "E4", cash=100, markers="D8", pool=1),
        firm("SFTN", {"Bob": 3, "Cat": 1, "SSFL": 2}, "C5", cash=36, markers="E9", pool=2),
        firm("SSFL", "Eve", "A1"),
        tiles=COMO_BERGAMO,
        players="Ann Bob Cat Dan Eve",
        cash=dict.fromkeys(("Ann", "Bob", "Cat", "Dan", "SSFL"), cash),
        edition=edition,
    ).turn("SFTG", "merge")


@pytest.mark.clarification("3.6")
def test_majors_merge_in_two_passes_over_pairs_and_single_shares() -> None:
    """S4. Bob has 50 % and must take the presidency; pairs may be mixed; single shares are made up or paid."""
    game = majors()
    game.do("SFTG: merge SFTN into AFI")
    assert game.place("AFI") == "141 L7"
    assert game.president("AFI") == "Bob"
    assert game.shares("AFI") == {"Ann": 1, "Bob": 2, "Cat": 1, "SSFL": 1, "Pool": 1, "Treasury": 4}
    assert game.asked == ["Bob merger.exchange"]
    assert game.accepted() == ["exchange for cash", "exchange for share"]
    game.do("Bob: exchange share")
    assert game.asked == ["Dan merger.exchange"]
    game.do("Dan: exchange cash")
    assert game.asked == ["Ann merger.exchange"]
    game.do("Ann: exchange share")
    assert game.shares("AFI") == {"Ann": 2, "Bob": 3, "Cat": 1, "SSFL": 1, "Pool": 1, "Treasury": 2}
    assert game.money("AFI") == 276
    assert [game.money(p) for p in ("Ann", "Bob", "Dan")] == [230, 230, 370]
    assert status(game, "SFTG", "SFTN") == ["closed", "closed"]


def upgrade(held: int, edition: str = "clarified", cash: int = 300, buyer: str = "Bob") -> Italian:
    """Nobody has 40 % of the two; ``buyer`` is the first who can pay for the presidency, with ``held`` shares."""
    others = ("Ann", "Cat", "Dan", "Eve")
    return situation(
        firm("AFI", {buyer: held, **dict.fromkeys(others, 1)}, "E4", markers="D8"),
        firm("CTS", {"Fay": 2}, "C5", markers="E9"),
        firm("SSFL", "Bob", "A1", cash=cash),
        tiles=COMO_BERGAMO,
        players="Ann Bob Cat Dan Eve Fay",
        cash={"Bob": cash},
        edition=edition,
    ).turn("AFI", "merge")


@pytest.mark.clarification("3.6")
@pytest.mark.parametrize(("held", "price"), [(2, 141), (3, 70)])
def test_20_or_30_percent_may_pay_for_a_free_presidency(held: int, price: int) -> None:
    game = upgrade(held)
    game.do("AFI: merge CTS into ILTF")
    assert game.asked == ["Bob merger.exchange"]
    assert game.accepted() == ["exchange for share", "exchange for director"]
    game.do("Bob: exchange director")
    assert (game.president("ILTF"), game.shares("ILTF")["Bob"]) == ("Bob", 2)
    assert (game.money("Bob"), game.money("ILTF")) == (300 - price, price)


@pytest.mark.clarification("3.6")
@pytest.mark.rule("10.18")
@pytest.mark.parametrize("edition", ["clarified", "v2"])
def test_who_has_declined_the_presidency_is_offered_it_again_for_a_single_share(edition: str) -> None:
    """Bob has 30 %: he takes one certificate for his pair, and pays for 30 % of the new company in the second pass."""
    game = upgrade(3, edition)
    game.do("AFI: merge CTS into ILTF")
    game.do("Bob: exchange share")
    game.do("Ann: exchange cash") if game.asked == ["Ann merger.exchange"] else None
    assert game.asked == ["Bob merger.exchange"]
    assert set(game.accepted()) == {"exchange for cash", "exchange for director", "exchange for share"}
    game.do("Bob: exchange director")
    assert (game.president("ILTF"), game.shares("ILTF")["Bob"]) == ("Bob", 3)
    assert (game.money("Bob"), game.money("ILTF")) == (300 - 211, 211)


@pytest.mark.clarification("3.6")
def test_a_single_share_may_be_made_up_to_a_free_presidency() -> None:
    game = situation(
        firm("AFI", {"Ann": 2, "Bob": 1}, "E4", markers="D8"),
        firm("CTS", {"Cat": 2}, "C5", markers="E9"),
        tiles=COMO_BERGAMO,
        cash={"Bob": 211},
    ).turn("AFI", "merge")
    game.do("AFI: merge CTS into ILTF")
    assert game.asked == ["Bob merger.exchange"]
    assert set(game.accepted()) == {"exchange for cash", "exchange for director", "exchange for share"}
    game.do("Bob: exchange director")
    assert (game.president("ILTF"), game.money("Bob"), game.money("ILTF")) == ("Bob", 0, 211)


@pytest.mark.clarification("3.6")
def test_a_company_is_offered_the_presidency_and_pays_itself() -> None:
    game = upgrade(2, buyer="SSFL")
    game.do("AFI: merge CTS into ILTF")
    assert game.asked == ["Bob SSFL merger.exchange"]
    game.do("SSFL: exchange director")
    assert (game.president("ILTF"), game.money("SSFL"), game.director("ILTF")) == ("SSFL", 159, "Bob")


@pytest.mark.clarification("3.6", site=True)
def test_on_the_site_companies_are_not_offered_the_presidency() -> None:
    assert upgrade(2, edition="v2", buyer="SSFL").refusals("AFI: merge CTS into ILTF") == {"merge.no_president"}


def eight_pairs(edition: str) -> Italian:
    """Eight holders have a pair, so that no ordinary certificate is left; Bob has a single share besides."""
    game = situation(
        firm("AFI", {"Bob": 3, "Ann": 2, "Cat": 2, "Dan": 2}, "E4", markers="D8"),
        firm("CTS", {"Eve": 2, "Fay": 2, "Gus": 2, "SSFL": 2}, "C5", markers="E9"),
        firm("SSFL", "Ann", "A1"),
        tiles=COMO_BERGAMO,
        players="Ann Bob Cat Dan Eve Fay Gus",
        cash={"Bob": 100},
        edition=edition,
    ).turn("AFI", "merge")
    game.do("AFI: merge CTS into ILTF")
    game.do("Bob: exchange share")
    return game


@pytest.mark.clarification("3.6", site=True)
def test_on_the_site_a_new_share_and_another_become_the_presidency_when_no_share_is_left() -> None:
    game = eight_pairs("v2")
    assert game.asked == ["Bob merger.exchange"]
    game.do("Bob: exchange share")
    assert (game.president("ILTF"), game.money("Bob"), game.shares("ILTF")["Bob"]) == ("Bob", 30, 2)


@pytest.mark.clarification("3.6", site=True)
@pytest.mark.parametrize(("edition", "taken"), [("clarified", []), ("v2", ["Pool"]), ("v1", ["Pool"])])
def test_on_the_site_the_pool_takes_the_presidency_too_when_no_share_is_left(edition: str, taken: list[str]) -> None:
    """Four players and four pairs of the pool take the eight ordinary certificates. For its fifth pair and one of the
    four new shares the pool gets the president's, so that nobody presides and the merger is undone."""
    game = situation(
        firm("AFI", {"Ann": 2, "Cat": 2}, "E4", markers="D8", pool=5),
        firm("CTS", {"Bob": 2, "Dan": 2}, "C5", markers="E9", pool=5),
        tiles=COMO_BERGAMO,
        players="Ann Bob Cat Dan",
        cash={"Ann": 200},
        edition=edition,
    ).turn("AFI", "merge")
    game.do("AFI: merge CTS into ILTF")
    game.do("Ann: exchange share")
    moved = [e for e in game.told(CertificatesMoved) if e.company == "ILTF"]
    assert [e.target for e in moved if e.kind == "director"] == taken
    assert sum(e.count for e in moved if e.target == "Pool" and e.kind == "ordinary") == 4
    assert sum(e.count for e in moved if e.source == "Pool") == len(taken), "one goes back for it"
    assert [e.reason for e in game.told(Restored)] == ["no_president"]


@pytest.mark.clarification("3.6")
def test_without_a_share_left_a_single_one_is_paid() -> None:
    assert [e.reason for e in eight_pairs("clarified").told(Restored)] == ["no_president"]


@pytest.mark.clarification("3.6")
def test_without_a_share_left_a_pair_is_paid_the_full_price() -> None:
    """Ten pairs: Bob pays for the presidency, the next eight bring a share each, and Cat's the price."""
    game = situation(
        firm("AFI", {"Bob": 2, "Ann": 2, "Cat": 2, "Dan": 2, "Fay": 2}, "E4", markers="D8"),
        firm("CTS", {"Eve": 2, "Gus": 2, "SSFL": 2, "SFTG": 2, "Hal": 2}, "C5", markers="E9"),
        firm("SSFL", "Ann", "A1"),
        firm("SFTG", "Ann", "A2"),
        tiles=COMO_BERGAMO,
        players="Bob Ann Eve Gus Hal Dan Fay Cat",
        cash={"Bob": 141},
    ).turn("AFI", "merge")
    game.do("AFI: merge CTS into ILTF")
    game.do("Bob: exchange director")
    assert (game.president("ILTF"), game.money("ILTF"), game.money("Cat")) == ("Bob", 141, 141)
    assert "Cat" not in game.shares("ILTF")
    assert game.shares("ILTF")["Fay"] == 1


@pytest.mark.clarification("3.6")
def test_a_merger_without_a_president_is_undone() -> None:
    """Bob may pay for the presidency and does not: everything is as before, and the two cannot try it again."""
    game = upgrade(2)
    before = game.state
    game.do("AFI: merge CTS into ILTF")
    game.do("Bob: exchange share")
    assert [e.reason for e in game.told(Restored)] == ["no_president"]
    assert game.shares("AFI") == {"Bob": 2, **dict.fromkeys(("Ann", "Cat", "Dan", "Eve"), 1), "Treasury": 4}
    assert (game.state.holdings, game.state.cash) == (before.holdings, before.cash)
    assert game.asked == ["Bob AFI company.turn"]
    assert game.refusals("AFI: merge CTS into ILTF") == {"merge.tried"}


@pytest.mark.clarification("3.6")
def test_a_merger_that_could_have_no_president_is_refused() -> None:
    game = upgrade(2, cash=0)
    assert game.refusals("AFI: merge CTS into ILTF") == {"merge.no_president"}
    assert not [order for order in game.menu() if order.startswith("merge")]


@pytest.mark.clarification("2.27")
def test_odd_shares_of_frozen_companies_are_paid_and_those_of_the_pool_are_lost() -> None:
    game = situation(
        firm("AFI", {"Bob": 4, "SSFL": 1}, "E4", markers="D8", pool=1),
        firm("CTS", {"Cat": 2}, "C5", markers="E9"),
        firm("SSFL", {"Pool": 2}, "A1", cash=200),
        tiles=COMO_BERGAMO,
    ).turn("AFI", "merge")
    game.do("AFI: merge CTS into ILTF")
    assert game.money("SSFL") == 270
    assert game.shares("ILTF") == {"Bob": 2, "Cat": 1, "Treasury": 7}


@pytest.mark.clarification("1.18")
@pytest.mark.clarification("2.13")
def test_each_decides_for_himself_and_then_for_his_companies_the_dearest_first() -> None:
    game = decisions("clarified")
    assert asked_in_turn(game) == ["Bob", "SFTG", "SFMA", "Cat", "SSFL"]


@pytest.mark.clarification("1.18", site=True)
def test_on_the_site_companies_come_as_they_are_listed() -> None:
    assert asked_in_turn(decisions("v2")) == ["Bob", "SFMA", "SFTG", "Cat", "SSFL"]


def decisions(edition: str) -> Italian:
    """Ann presides already; everybody else has a single share to decide about."""
    game = situation(
        firm("AFI", {"Bob": 5, "Cat": 1, "SFTG": 1, "SFMA": 1, "SSFL": 1}, "E4", markers="D8"),
        firm("CTS", {"Cat": 2}, "C5", markers="E9"),
        firm("SFMA", "Bob", "A3", cash=100),
        firm("SFTG", "Bob", "B3", cash=100),
        firm("SSFL", "Cat", "C3", cash=100),
        tiles=COMO_BERGAMO,
        cash={"Bob": 100, "Cat": 100},
        edition=edition,
    ).turn("AFI", "merge")
    game.do("AFI: merge CTS into ILTF")
    return game


def asked_in_turn(game: Italian) -> list[str]:
    found = []
    while game.asked[0].endswith("merger.exchange"):
        actor = game.asked[0].split()[-2]
        found.append(actor)
        game.do(f"{actor}: exchange cash")
    return found


def test_who_preside_over_two_majors_above_250_chooses_the_price() -> None:
    game = situation(
        firm("AFI", {"Bob": 5}, "O3", markers="D8"),
        firm("CTS", {"Bob": 5}, "O2", markers="E9"),
        tiles=COMO_BERGAMO,
    ).turn("AFI", "merge")
    assert game.refusals("AFI: merge CTS into ILTF") == {"merge.price_missing"}
    assert game.refusals("AFI: merge CTS into ILTF at 300") == {"merge.price"}
    assert {o for o in game.accepted() if "ILTF" in o} == {"merge CTS into ILTF at 269", "merge CTS into ILTF at 295"}
    game.do("AFI: merge CTS into ILTF at 269")
    assert game.place("ILTF") == "269 O3"


# ---- circles --------------------------------------------------------------------------------------------------------


@pytest.mark.clarification("3.1")
def test_a_merger_that_would_close_a_circle_is_refused() -> None:
    """SFTG belongs to AFI and presides over CTS with so much that it would preside over the new company too."""
    game = situation(
        firm("AFI", {"Bob": 2}, "E4", markers="D8"),
        firm("CTS", {"SFTG": 5}, "C5", markers="E9"),
        firm("SFTG", "AFI", "A1"),
        tiles=COMO_BERGAMO,
    ).turn("AFI", "merge")
    assert game.refusals("AFI: merge CTS into ILTF") == {"merge.circle"}


@pytest.mark.rule("11.1")
@pytest.mark.parametrize(("edition", "offered"), [("clarified", False), ("v2", True)])
def test_on_the_site_a_company_may_take_a_share_that_closes_a_circle_for_a_while(edition: str, offered: bool) -> None:
    """SFTG belongs to AFI and then to ILTF, of which a third share would make it president in Bob's place."""
    game = situation(
        firm("AFI", {"Bob": 5, "SFTG": 3}, "E4", markers="D8"),
        firm("CTS", {"Cat": 2, "SFTG": 2}, "C5", markers="E9"),
        firm("SFTG", {"AFI": 2}, "A1", cash=400),
        tiles=COMO_BERGAMO,
        edition=edition,
    ).turn("AFI", "merge")
    game.do("AFI: merge CTS into ILTF")
    assert (game.asked == ["Bob SFTG merger.exchange"]) is offered
    if offered:
        game.do("SFTG: exchange share")
        assert game.told(Restored)  # nobody controls ILTF then


# ---- assets and tokens ----------------------------------------------------------------------------------------------


def test_certificates_of_each_other_are_lost_and_foreign_ones_pass_over_with_their_presidency() -> None:
    game = situation(
        firm("AFI", {"Bob": 5, "CTS": 2}, "E4", markers="D8"),
        firm("CTS", {"Cat": 3, "AFI": 2}, "C5", markers="E9"),
        firm("SSFL", {"Cat": 3, "AFI": 2, "CTS": 2}, "A1"),
        firm("SFTG", "CTS", "A2"),
        tiles=COMO_BERGAMO,
        cash={"Bob": 0, "Cat": 0},
    ).turn("AFI", "merge")
    game.do("AFI: merge CTS into ILTF")
    assert game.shares("ILTF") == {"Bob": 2, "Cat": 1, "Treasury": 7}
    assert (game.shares("SSFL"), game.president("SSFL")) == ({"Cat": 3, "ILTF": 4, "Treasury": 3}, "ILTF")
    assert game.president("SFTG") == "ILTF"


def test_charters_that_are_not_historical_may_be_used_again() -> None:
    game = situation(
        firm("AFI", {"Bob": 5}, "E4", markers="D8"), firm("CTS", {"Cat": 5}, "C5", markers="E9"), tiles=COMO_BERGAMO
    ).turn("AFI", "merge")
    game.do("AFI: merge CTS into ILTF")
    assert status(game, "AFI", "CTS") == ["unstarted", "unstarted"]
    assert game.shares("AFI") == {"Treasury": 10}
    assert charter_of(game.title, game.state, CompanyId("AFI")) == game.title.companies[CompanyId("AFI")].charter


def test_trains_over_the_limit_go_to_the_pool_when_the_company_has_a_president() -> None:
    game = situation(
        firm("AFI", {"Bob": 4}, "E4", markers="D8", trains="3 3"),
        firm("CTS", {"Cat": 2}, "C5", markers="E9", trains="4 4"),
        tiles=COMO_BERGAMO,
    ).turn("AFI", "merge")
    game.do("AFI: merge CTS into ILTF")
    assert game.asked == ["Bob ILTF discard"]
    game.do("ILTF: discard 3")
    assert game.state.pool_trains == ("3",)


def test_on_the_site_they_go_before_anybody_is_asked_about_shares() -> None:
    game = situation(
        firm("AFI", {"Bob": 2, "Ann": 1}, "E4", markers="D8", trains="3 3"),
        firm("CTS", {"Cat": 2}, "C5", markers="E9", trains="4 4"),
        tiles=COMO_BERGAMO,
        cash={"Ann": 300},
        edition="v2",
    ).turn("AFI", "merge")
    game.do("AFI: merge CTS into ILTF")
    assert game.asked == ["Bob ILTF discard"]  # nobody presides over it: the merging player chooses
    game.do("ILTF: discard 4")
    assert game.asked == ["Ann merger.exchange"]


@pytest.mark.rule("8.4")
def test_on_the_site_those_of_other_companies_go_too_as_they_are_listed() -> None:
    """AFI is listed before ILTF. What is over a limit goes before the next question, whatever brought it there."""
    game = situation(
        firm("SFTG", {"Bob": 2, "Ann": 1}, "E4", markers="D8", trains="3 3"),
        firm("SFTN", {"Cat": 2}, "C5", markers="E9", trains="4 4"),
        firm("AFI", {"Pool": 2}, "A1", markers="L12", trains="3 3 4 4"),
        tiles=COMO_BERGAMO,
        cash={"Ann": 300},
        edition="v2",
    ).turn("SFTG", "merge")
    assert game.asked == ["Bob AFI discard"]  # it is frozen: who leads the company in turn chooses
    game.do("AFI: discard 4")
    game.do("SFTG: merge SFTN into ILTF")
    assert game.asked == ["Bob ILTF discard"]


def merged_tokens(first: str, second: str, tokens: tuple[int, int], tiles: dict[str, str]) -> Italian:
    game = situation(
        firm("AFI", {"Bob": 4}, "E4", markers=first, tokens=tokens[0]),
        firm("CTS", {"Cat": 2}, "C5", markers=second, tokens=tokens[1]),
        tiles={**COMO_BERGAMO, **tiles},
    ).turn("AFI", "merge")
    game.do("AFI: merge CTS into ILTF")
    return game


@pytest.mark.clarification("1.22")
@pytest.mark.parametrize(
    ("first", "second", "tokens", "number"),
    [
        ("D8", "E9", (2, 2), 4),
        ("D8", "E9", (4, 3), 5),
        ("D8 H8", "H8", (2, 2), 3),
        ("H8", "H8", (1, 1), 2),
    ],
)
def test_the_new_company_has_the_tokens_of_both_less_those_that_share_a_place(
    first: str, second: str, tokens: tuple[int, int], number: int
) -> None:
    game = merged_tokens(first, second, tokens, {"H8": "14#0"})
    if game.asked[0].endswith("merger.keep"):
        game.do(f"ILTF: {game.menu()[0]}")
    assert game.tokens("ILTF") == number


def test_tokens_are_given_up_only_where_there_are_more_than_five() -> None:
    """Seven tokens, four of them on the map: three spare ones, and two are lost; so two or more stay on the map."""
    game = merged_tokens("D8 H8", "E9 K11", (4, 3), {"H8": "14#0"})
    assert game.asked == ["Bob ILTF merger.keep"]
    assert {len(order.split(",")) for order in game.accepted()} == {2, 3, 4}
    game.do("ILTF: keep D8, K11")
    assert (stands(game, "ILTF"), game.tokens("ILTF")) == ({"D8/0", "K11/0"}, 5)


@pytest.mark.clarification("2.20")
def test_one_token_in_a_city_stays() -> None:
    game = merged_tokens("D8", "E9 D12", (5, 2), {"D12": "613#0"})
    assert "keep D12" not in game.accepted()
    assert game.failures("ILTF: keep D12")["keep.tokens"]["least"] == 1


def test_of_two_tokens_in_separate_cities_of_one_hex_one_goes() -> None:
    game = merged_tokens("D8 H4/0", "E9 H4/1", (2, 2), {})
    assert game.asked == ["Bob ILTF merger.keep"]
    game.do("ILTF: keep D8, E9, H4/CTS")
    assert (stands(game, "ILTF"), game.tokens("ILTF")) == ({"D8/0", "E9/0", "H4/1"}, 3)
