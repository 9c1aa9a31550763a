"""The financial step of 1841: what a company sells, what it must sell, and what it buys or starts."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.ids import CompanyId, PrivateId
from engine.core.orders import BuyConcession
from tests.kit.games.situations_1841 import Italian, firm, situation


def step(sftg: dict[str, int], stage: str = "sell", history: bool = True, own: bool = True, **more: Any) -> Italian:
    """Ann's SFTN in its financial step."""
    return situation(
        firm(
            "SFTN",
            more.pop("sftn", {"Ann": 5}),
            "F4",
            cash=more.pop("treasury", 300),
            markers="H4/1",
            trains="4",
            history=own,
        ),
        firm("SFTG", sftg, "D5", markers="J6", trains="4", history=history, pool=more.pop("pool", 0)),
        *more.pop("others", ()),
        **more,
    ).turn("SFTN", stage)


@pytest.mark.clarification("2.1")
@pytest.mark.clarification("5.6")
@pytest.mark.rule("10.2")
def test_own_stock_is_not_sold_before_the_second_turn() -> None:
    first = step({"Bob": 4}, own=False)
    assert first.refusals("SFTN: sell 1 SFTN") == {"sell.not_operated"}
    assert not [o for o in first.accepted() if o.startswith("sell")]
    second = step({"Bob": 4})
    second.do("SFTN: sell 2 SFTN")
    assert second.money("SFTN") == 500 and second.place("SFTN") == "87 F6"


@pytest.mark.rule("10.1")
def test_all_that_is_sold_in_a_step_is_one_group() -> None:
    game = step({"Bob": 4, "SFTN": 2}, sftn={"Ann": 5})
    game.do("SFTN: sell 1 SFTG")
    assert game.refusals("SFTN: sell 1 SFTG") == {"sell.one_group"}
    site = step({"Bob": 4, "SFTN": 2}, edition="v2")
    site.do("SFTN: sell 1 SFTG")
    assert site.refusals("SFTN: sell 1 SFTG") == set()


@pytest.mark.clarification("1.7")
@pytest.mark.clarification("2.12")
@pytest.mark.clarification("2.12", site=True)
@pytest.mark.rule("5.14")
@pytest.mark.parametrize(("edition", "found"), [("clarified", {"turn.over_sixty"}), ("v2", set())])
def test_a_company_sells_the_stock_of_which_its_controller_has_too_much(edition: str, found: set[str]) -> None:
    """Ann has 50 % of SFTG, and SFTN 20 %: one share is not enough where Ann has bought more, but all that it has."""
    game = step({"Ann": 5, "SFTN": 2}, edition=edition)
    assert game.refusals("SFTN: done") == {"turn.over_sixty"}
    assert game.failures("SFTN: done")["turn.over_sixty"]["holders"] == (("Ann", 50), ("SFTN", 20))
    assert game.refusals("SFTN: sell 1 SFTN") == found
    game.do("SFTN: sell 1 SFTG")
    game.do("SFTN: done")
    indirect = step({"Ann": 7, "Bob": 1}, edition=edition)  # SFTN itself has none: it sells nothing
    indirect.do("SFTN: done")


@pytest.mark.clarification("2.12")
@pytest.mark.rule("5.14")
def test_stock_without_history_is_kept_and_too_little_is_enough_if_it_is_all() -> None:
    excused = step({"Ann": 5, "SFTN": 2}, history=False)
    excused.do("SFTN: done")
    much = step({"Ann": 7, "SFTN": 2})
    assert much.refusals("SFTN: done") == {"turn.over_sixty"}
    much.do("SFTN: sell 1 SFTG")
    assert much.refusals("SFTN: done") == {"turn.over_sixty"}
    much.do("SFTN: sell 1 SFTG")  # a duty that is left allows a second group
    much.do("SFTN: done")


@pytest.mark.rule("5.15")
def test_more_than_five_certificates_are_sold() -> None:
    ssfl = firm("SSFL", {"Bob": 3, "SFTN": 2}, "F4")
    game = step({"Bob": 4, "SFTN": 4}, others=(ssfl,))
    assert game.failures("SFTN: done")["turn.over_certificates"]["over"] == 1
    game.do("SFTN: sell 1 SSFL")
    game.do("SFTN: done")


@pytest.mark.clarification("1.21")
@pytest.mark.rule("10.4")
def test_a_company_buys_one_certificate_of_the_offering_or_the_pool_and_no_concession() -> None:
    game = step({"Bob": 4}, "buy", pool=2)
    assert [o for o in game.accepted() if o.startswith("buy")] == ["buy SFTG from offering", "buy SFTG from pool"]
    assert game.refusals("SFTN: buy SFTN") == {"buy.own"}
    assert game.refusals("SFTN: buy 1 SFTG from Bob for 70") == {"order.wrong_kind"}
    order = BuyConcession(CompanyId("SFTN"), PrivateId("C-SFTC"))  # type: ignore[arg-type]
    assert set(game.failures(order)) == {"order.wrong_kind"}
    game.do("SFTN: buy SFTG from pool")
    assert game.shares("SFTG")["SFTN"] == 1 and game.money("SFTN") == 223
    assert not [o for o in game.menu() if o.startswith(("buy", "start"))]


@pytest.mark.clarification("3.1", site=True)
@pytest.mark.rule("10.5")
def test_stock_of_an_owner_is_never_bought() -> None:
    for edition in ("clarified", "v2"):
        game = step({"Ann": 4}, "buy", sftn={"SFTG": 5}, edition=edition)
        assert game.refusals("SFTN: buy SFTG") == {"buy.own_owner"}


@pytest.mark.rule("10.5")
@pytest.mark.parametrize(
    ("edition", "found"),
    [("clarified", set()), ("v2", {"turn.owners_stock"}), ("v1", {"turn.owners_stock"})],
)
def test_by_the_sites_ruling_a_company_sells_what_it_has_of_its_owners(edition: str, found: set[str]) -> None:
    """SFTG has become president of SFTN, which had bought two of its shares before."""
    game = step({"Ann": 4, "SFTN": 2}, sftn={"SFTG": 5}, edition=edition)
    assert game.refusals("SFTN: done") == found
    if not found:
        return
    failure = game.failures("SFTN: done")["turn.owners_stock"]
    assert (failure["of"], failure["held"], failure["chain"]) == ("SFTG", 2, ("SFTG", "Ann"))
    assert not [o for o in game.accepted() if o.startswith(("buy", "start"))]
    game.do("SFTN: sell 1 SFTG")
    assert game.refusals("SFTN: done") == found
    game.do("SFTN: sell 1 SFTG")
    game.do("SFTN: done")


@pytest.mark.rule("10.5")
def test_by_the_sites_ruling_stock_of_an_owner_that_cannot_be_sold_stays() -> None:
    """Neither stock without history nor stock for which the pool has no room is sold."""
    step({"Ann": 4, "SFTN": 1}, sftn={"SFTG": 5}, history=False, edition="v2").do("SFTN: done")
    step({"Ann": 4, "SFTN": 1}, sftn={"SFTG": 5}, pool=5, edition="v2").do("SFTN: done")


@pytest.mark.rule("10.9")
def test_a_company_may_start_another_instead() -> None:
    game = step({"Bob": 4}, "buy")
    game.do("SFTN: start AFI at 100")
    while game.asked[0].split()[-1].startswith("founding"):
        game.do(f"{game.asked[0].split()[1]}: {game.accepted()[-1]}")
    assert game.president("AFI") == "SFTN" and game.director("AFI") == "Ann"
    assert game.asked == ["Ann SFTN company.turn"]
    assert not [o for o in game.menu() if o.startswith(("buy", "start"))]


@pytest.mark.rule("10.7")
def test_a_president_s_certificate_in_the_pool_may_be_bought() -> None:
    game = step({"Pool": 3}, "buy")
    game.do("SFTN: buy SFTG director from pool")
    assert game.president("SFTG") == "SFTN" and game.money("SFTN") == 300 - 2 * 77
