"""Nationalisation in 1861: the price, the money, and which markers the state railway takes over."""

from __future__ import annotations

import pytest

from engine.core.events import LotDrawn, MarkerRemoved, Nationalised
from engine.core.ids import HexId
from tests.kit.games.course_1861 import buyer, first_train, operating_turn, state_turn
from tests.kit.games.situations import Described, Played, company, situation

EDITIONS = ("v2.0", "first", "2020")
GREEN_MOSCOW, BROWN_MOSCOW = {"H8": "637#0"}, {"H8": "638#0"}


# ---- the procedure --------------------------------------------------------------------------------------------------

MINORS = [
    ("r7c4", 30, 2, 100, 30), ("r7c4", 120, 2, 120, 20), ("r10c1", 9, 2, 70, 9), ("r6c1", 100, 1, 100, 50),
    ("r6c4", 0, 0, 130, 0), ("r4c7", 49, 0, 220, 49), ("r6c1", 0, 1, 90, 0), ("r3c7", 100, 2, 240, 0),
]  # fmt: skip


@pytest.mark.rule("13.7", "13.1", "10.6")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("at", "cash", "loans", "paid", "seized"), MINORS)
def test_a_minor_is_nationalised(edition: str, at: str, cash: int, loans: int, paid: int, seized: int) -> None:
    game = first_train("4", company("K-R", "Bob", at=at, cash=cash, loans=loans), edition=edition)
    assert (game.money("Bob"), game.money("RSR")) == (paid, seized)
    assert (game.status("K-R"), game.loans("K-R"), game.loans("RSR")) == ("closed", 0, 0)
    assert game.markers("RSR") == ["G15"]
    assert "K-R" not in game.order()


@pytest.mark.rule("13.7")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("cash", "loans", "paid", "seized"), [(50, 1, 110, 0), (55, 1, 110, 5), (100, 2, 110, 0), (45, 0, 110, 45)]
)
def test_it_repays_with_exactly_what_a_loan_costs(edition: str, cash: int, loans: int, paid: int, seized: int) -> None:
    """Also in the edition of 2020: 18xx.games left such a loan only until July 2021."""
    game = first_train("4", company("K-R", "Bob", at="r7c3", cash=cash, loans=loans), edition=edition)
    assert (game.money("Bob"), game.money("RSR")) == (paid, seized)


@pytest.mark.rule("13.7")
@pytest.mark.parametrize(("cash", "loans", "paid", "seized"), [(50, 1, 100, 50), (55, 1, 110, 5), (100, 2, 100, 50)])
def test_by_a_ruling_it_repays_only_from_more_than_a_loan_costs(cash: int, loans: int, paid: int, seized: int) -> None:
    described = company("K-R", "Bob", at="r7c3", cash=cash, loans=loans)
    game = first_train("4", described, edition="2020", options={"nationalised_repayment": "above"})
    assert (game.money("Bob"), game.money("RSR")) == (paid, seized)


@pytest.mark.rule("13.7", "13.8", "12.3")
@pytest.mark.parametrize("edition", EDITIONS)
def test_sp_w_leaves_its_circle_in_st_petersburg(edition: str) -> None:
    game = first_train("4", company("SP-W", "Bob", at="r6c1", cash=100, loans=1), edition=edition)
    assert (game.money("Bob"), game.money("RSR")) == (100, 50)
    assert game.markers("RSR") == ["E1"]
    assert game.title.policies.reserved(game.title, game.state, HexId("E1"), "GRR") == ()  # type: ignore[arg-type]
    operating_round_ends = state_turn(game)
    assert operating_round_ends.markers("RSR") == ["E1"], "no second one is placed"


@pytest.mark.rule("13.7", "13.3")
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_public_company_is_nationalised(edition: str) -> None:
    mvr = company("MVR", {"Bob": 5, "Cat": 3}, at="r3c8", cash=120, loans=4, markers="")
    game = first_train("4", mvr, edition=edition)
    assert game.asked == ["Bob MVR nationalise"]
    game.do("MVR: nationalise yes")
    assert (game.money("Bob"), game.money("Cat"), game.money("RSR")) == (550, 330, 20)
    assert [e.price for e in game.told(Nationalised)] == [110]
    assert game.shares("MVR") == {"Treasury": 10}


@pytest.mark.rule("13.7")
@pytest.mark.parametrize("edition", EDITIONS)
def test_four_steps_with_arrows_on_the_way(edition: str) -> None:
    game = first_train("4", company("NW", {"Bob": 2}, at="r4c3", cash=20, loans=3, markers=""), edition=edition)
    game.do("NW: nationalise yes")
    assert game.money("Bob") == 110


@pytest.mark.rule("13.7")
def test_shares_in_the_pool_are_paid_nothing() -> None:
    game = first_train("4", company("NW", {"Bob": 2}, at="r4c7", markers="", pool=5))
    game.do("NW: nationalise yes")
    assert (game.money("Bob"), game.money("RSR")) == (220, 0)
    assert game.shares("NW") == {"Treasury": 10}


@pytest.mark.rule("12.10", "13.11", "13.5", "11.8")
@pytest.mark.parametrize("edition", EDITIONS)
def test_the_state_railway_gets_money_and_privates_without_payment(edition: str) -> None:
    described = company("K-R", "Bob", at="r6c4", cash=40), company("M-K", "Ann", at="r10c1", trains="3")
    game = situation(*described, edition=edition, privates={"WVR": "K-R"})
    operating_turn(game, "K-R", "trains", then="M-K").do("K-R: done")
    assert (game.money("RSR"), game.money("Bob")) == (40, 130)
    assert game.state.privates["WVR"] == "RSR"  # type: ignore[index]


@pytest.mark.rule("12.10", "13.2")
def test_the_state_railway_gets_the_trains() -> None:
    game = first_train("8", company("K-R", "Bob", at="r6c4", trains="7"), company("M-K", "Bob", at="r6c4", trains="4"))
    assert game.trains("RSR") == "7", "4-trains are gone before"


@pytest.mark.rule("13.9", "4.10")
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_nationalised_minor_is_out_of_the_game(edition: str) -> None:
    game = first_train("4", company("K-R", "Bob", at="r6c4"), edition=edition)
    assert game.status("K-R") == "closed"
    assert not [k for k in game.state.holdings if k[1] == "K-R"]


# ---- markers --------------------------------------------------------------------------------------------------------

SIX = "K7 M19 N10 P2 P8 L12"
"""Six hexes outside Moscow and St. Petersburg."""
CITIES = {"K7": "207#0", "M19": "201#0", "N10": "201#0", "P2": "57#0", "P8": "57#0", "L12": "57#0", "M7": "57#0",
          "F18": "57#0", "H18": "57#0", "I19": "57#0", "K17": "57#0", "B4": "201#0", "E9": "57#0"}  # fmt: skip


def with_railway(places: str, *described: Described, tiles: dict[str, str] | None = None, **rest: object) -> Played:
    """The state railway has markers in ``places`` already when GRR buys the first 8-train."""
    given: dict[str, object] = {"phase": "7", "supply": {"7": 0}, "tiles": {**CITIES, **(tiles or {})}, **rest}
    game = situation(*described, buyer(), **given)  # type: ignore[arg-type]
    board = game.state.board
    for place in places.split():
        hex, _, city = place.partition("/")
        board = board.place(HexId(hex), int(city or 0), "RSR")  # type: ignore[arg-type]
    from dataclasses import replace

    game.state = replace(game.state, board=board)
    return operating_turn(game, "GRR", "trains")


@pytest.mark.rule("13.8", "12.5")
@pytest.mark.parametrize("edition", EDITIONS)
def test_six_markers_elsewhere_and_two_more_in_the_capitals(edition: str) -> None:
    names = ["K-R", "M-V", "V", "T-R", "E", "M-B", "R-O", "O-K", "K-B", "K-K", "N", "M-K", "SP-W"]
    game = with_railway("", *(company(n, "Bob", at="r6c4", trains="7") for n in names),
                        tiles={"I13": "57#0", "G15": "621#0", "D20": "201#0"}, edition=edition)  # fmt: skip
    game.do("GRR: train 8")
    found = game.markers("RSR")
    assert len(found) == 8
    assert {"H8", "E1"} <= set(found)
    assert not [c for c in names if game.markers(c)]


@pytest.mark.rule("13.8")
@pytest.mark.parametrize("edition", EDITIONS)
def test_where_the_state_railway_stands_a_marker_is_only_removed(edition: str) -> None:
    game = with_railway("H8/2", company("N", "Bob", at="r6c4", trains="7"), tiles=GREEN_MOSCOW, edition=edition)
    game.do("GRR: train 8")
    assert game.markers("RSR") == ["H8"]
    assert [(e.company, e.hex) for e in game.told(MarkerRemoved)] == [("N", "H8")]
    assert game.state.board.free(HexId("H8"), 1) == 1


@pytest.mark.rule("13.8", "12.5")
@pytest.mark.parametrize("edition", EDITIONS)
def test_too_few_markers_go_to_the_most_valuable_cities(edition: str) -> None:
    """One is left; MVR stands in Yuzovka (20), Riga (30) and Rostov (20), and has no train."""
    mvr = company("MVR", {"Bob": 2}, at="r4c7", markers="H18 B4 I19")
    game = with_railway("K7 M19 N10 P2 P8", mvr, edition=edition)
    game.do("GRR: train 8\nMVR: nationalise yes")
    assert game.markers("RSR") == sorted(["K7", "M19", "N10", "P2", "P8", "B4"])
    assert not game.told(LotDrawn)


@pytest.mark.rule("13.8")
def test_equal_cities_are_drawn_by_lot() -> None:
    chosen = set()
    for seed in range(12):
        mvr = company("MVR", {"Bob": 2}, at="r4c7", markers="H18 I19")
        game = with_railway("K7 M19 N10 P2 P8", mvr, seed=f"seed {seed}")
        game.do("GRR: train 8\nMVR: nationalise yes")
        (lot,) = game.told(LotDrawn)
        assert set(lot.candidates) == {"H18", "I19"}
        assert lot.chosen in game.markers("RSR")
        chosen.add(lot.chosen)
    assert chosen == {"H18", "I19"}


@pytest.mark.rule("13.8")
def test_in_the_2020_edition_equal_cities_go_by_name() -> None:
    mvr = company("MVR", {"Bob": 2}, at="r4c7", markers="I19 H18")
    game = with_railway("K7 M19 N10 P2 P8", mvr, edition="2020")
    game.do("GRR: train 8\nMVR: nationalise yes")
    assert "I19" in game.markers("RSR"), "the last by name is first"
    assert not game.told(LotDrawn)


@pytest.mark.rule("13.8")
@pytest.mark.parametrize("places", [SIX, "K7 M19 N10 P2"])
def test_no_lot_where_it_decides_nothing(places: str) -> None:
    game = with_railway(places, company("MVR", {"Bob": 2}, at="r4c7", markers="H18 I19"))
    game.do("GRR: train 8\nMVR: nationalise yes")
    assert not game.told(LotDrawn)
    assert len(game.markers("RSR")) == 6


@pytest.mark.rule("13.8")
def test_a_lot_is_drawn_only_among_cities_that_could_have_the_marker() -> None:
    """It stands in Nizhnii Novgorod already, which is as valuable."""
    mvr = company("MVR", {"Bob": 2}, at="r4c7", markers="H18 I19 K7")
    game = with_railway("K7 M19 N10 P2 P8", mvr, tiles={"K7": "57#0"})
    game.do("GRR: train 8\nMVR: nationalise yes")
    (lot,) = game.told(LotDrawn)
    assert set(lot.candidates) == {"H18", "I19"}


@pytest.mark.rule("13.8", "8.7")
def test_a_removed_marker_frees_its_circle() -> None:
    game = with_railway(SIX, company("MVR", {"Bob": 2}, at="r4c7", markers="H18"))
    game.do("GRR: train 8\nMVR: nationalise yes")
    assert game.state.board.free(HexId("H18"), 0) == 1
    assert game.markers("RSR") == sorted(SIX.split())
