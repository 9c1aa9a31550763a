"""Nationalisation in 1867: the price, what becomes of money, trains and privates, and the markers of CN.

Numbers in docstrings are rows and situations of the rule sheet."""

from __future__ import annotations

import pytest

from engine.core.events import LotDrawn, MarkerRemoved, Nationalised
from engine.core.ids import CompanyId, HexId, PrivateId
from engine.core.title import Play
from engine.families.f1867.mergers.nationalisation import nationalise
from tests.kit.games.course_1867 import minor, places, position, public, turn
from tests.kit.games.situations import Described, Played

BUYER = public("NYC", "Ann", 200, cash=3000, markers="", trains="7")


def bought(train: str, *described: Described, **rest: object) -> Played:
    """NYC buys the first train of its type."""
    before = str(int(train) - 1)
    given: dict[str, object] = {"phase": before, "supply": {before: 0}, **rest}
    game = turn(BUYER, *described, stage="trains", **given)  # type: ignore[arg-type]
    game.do(f"NYC: train {train}")
    return game


# ---- price and money ------------------------------------------------------------------------------------------------


@pytest.mark.rule("13.7", "13.1", "10.6")
@pytest.mark.parametrize(
    ("price", "cash", "loans", "paid", "seized"),
    [
        (65, 30, 2, 80, 30),  # 60, 55, 50, 45, 40
        (65, 120, 2, 120, 20),  # both repaid
        (35, 9, 2, 70, 9),  # stays
        (55, 100, 1, 100, 50),
        (110, 10, 1, 160, 10),  # 100, 90, 80
        (165, 0, 0, 300, 0),
        (45, 0, 2, 70, 0),
    ],
)
def test_a_minor(price: int, cash: int, loans: int, paid: int, seized: int) -> None:
    """Situation 3, rows 13.2, 13.3: two more steps for each loan that could not be repaid."""
    game = bought("4", minor("CA", "Bob", price, cash=cash, loans=loans, markers="M9"), privates={"QB": "CA"})
    before = 15_000 - (3000 - 350) - paid
    assert (game.money("Bob"), game.money("Bank"), game.money("CN")) == (paid, before, 0)
    assert (game.status("CA"), game.loans("CA"), places(game, "CN")) == ("closed", 0, ["F16/0", "M9/0"])
    assert seized == cash - 50 * min(loans, cash // 50)
    assert PrivateId("QB") not in game.state.privates


@pytest.mark.rule("13.7", "13.11", "13.3", "13.9")
def test_a_public_company() -> None:
    """Situation 4, rows 2.10, 13.2, 13.3, 13.5: 150 to 90, and QB closes. Its 2-train is old iron in phase 4, so the
    company is trainless."""
    cnr = public("CNR", {"Bob": 5, "Cat": 3}, 150, cash=120, loans=4, trains="2", markers="M9 N12")
    game = bought("4", cnr, privates={"QB": "CNR", "MB": "Ann"})
    assert game.asked == ["Bob CNR nationalise"]
    bank = game.money("Bank")
    game.do("CNR: nationalise yes")
    assert [e.price for e in game.told(Nationalised)] == [90]
    assert (game.money("Bob"), game.money("Cat")) == (450, 270)
    assert game.money("Bank") == bank + 120 - 720, "100 repaid and 20 left"
    assert game.state.privates == {"MB": "Ann"}
    assert (game.trains("CNR"), game.state.pool_trains, game.loans("CNR")) == ("", (), 0)
    assert (game.status("CNR"), game.shares("CNR")) == ("unstarted", {"Treasury": 10})


@pytest.mark.rule("13.7", "13.11")
def test_a_public_company_that_owns_a_train() -> None:
    """Situation 4 to the letter: the train is gone with it."""
    cnr = public("CNR", {"Bob": 5, "Cat": 3}, 150, cash=120, loans=4, trains="2", markers="M9 N12")
    game = position(cnr, privates={"QB": "CNR"})
    play = Play(game.title, game.state)
    nationalise(play, CompanyId("CNR"), "interest")
    now = play.state
    assert [now.money(owner) for owner in ("Bob", "Cat", "CNR", "CN")] == [450, 270, 0, 0]
    assert now.money("Bank") == 15_000 - 450 - 270
    assert (now.companies[CompanyId("CNR")].trains, now.pool_trains, now.privates) == ((), (), {})


@pytest.mark.rule("13.7", "13.5", "6.9")
def test_trains_leave_the_game() -> None:
    """Row 13.3, fault 1: a public company that cannot pay its interest has a train, which nobody can buy."""
    cnr = public("CNR", "Bob", 100, cash=34, loans=7, trains="4", markers="M9")
    other = public("GTR", "Cat", 90, cash=500, trains="4", markers="N12")
    game = turn(cnr, other, then="GTR", phase="5")
    game.do("CNR: run none")
    assert (game.status("CNR"), game.trains("CNR"), game.state.pool_trains) == ("unstarted", "", ())
    assert game.asked == ["Cat GTR company.turn"]
    game.do("GTR: run none")
    assert not [line for line in game.menu() if line.startswith("train 4")]


@pytest.mark.rule("13.7")
def test_pool_and_treasury_are_paid_nothing() -> None:
    """Row 13.2."""
    game = bought("4", public("CNR", {"Bob": 2}, 100, pool=4, markers="M9"))
    game.do("CNR: nationalise yes")
    assert (game.money("Bob"), game.money("CN"), game.money("CNR")) == (180, 0, 0)


@pytest.mark.rule("13.9", "3.13")
def test_a_public_company_is_started_again_with_three_markers() -> None:
    """Row 13.5."""
    game = bought("4", public("CNR", "Bob", 100, markers="M9"), cash={"Bob": 100, "Cat": 0}, round="OR 3.2")
    game.do("CNR: nationalise yes")
    game.quietly("SR 4")
    while game.asked[0] != "Bob stock.turn":
        game.do(f"{game.asked[0].split()[0]}: pass")
    game.do("Bob: start CNR at 100 in N12")
    assert (game.shares("CNR"), game.markers("CNR")) == ({"Bob": 2, "Treasury": 8}, ["N12"])


@pytest.mark.rule("13.10", "11.8", "13.5")
def test_its_turn_ends_with_it() -> None:
    """Row 13.7: no train and too poor for one."""
    game = turn(minor("CA", "Bob", 100, cash=40, markers="M9"), BUYER, stage="trains", then="NYC", phase="3")
    game.do("CA: done")
    assert (game.status("CA"), game.asked) == ("closed", ["Ann NYC company.turn"])


# ---- the income of CN -----------------------------------------------------------------------------------------------


@pytest.mark.rule("12.9", "12.1")
def test_cn_keeps_the_income_of_its_privates_for_ever() -> None:
    """Row 12.6: 60 in each operating round with NFB, MB and QB, until the end."""
    game = bought("8", privates={"NFB": "CN", "MB": "CN", "QB": "CN"}, round="OR 6.1", cash={"Cat": 0})
    game.quietly("OR 6.2")
    assert game.money("CN") == 60
    game.quietly()
    assert game.money("CN") == 60 * 4, "OR 6.2 and three more"


# ---- markers --------------------------------------------------------------------------------------------------------

CITIES = {
    "D8": "57#0", "F8": "57#0", "E13": "5#0", "E15": "5#0", "C17": "6#0", "I15": "6#2", "N12": "6#2", "G15": "14#0",
    "M9": "14#1",
}  # fmt: skip
SIX = "D8/0 F8/0 E13/0 E15/0 C17/0 I15/0"


@pytest.mark.rule("13.8", "12.5", "1.12")
def test_the_eight_markers_of_cn() -> None:
    """Situation 9, rows 12.2, 13.4: six elsewhere, the last for Montreal only, Toronto from the start."""
    at = ["F16/1", "D8", "F8", "E13", "E15", "C17", "I15", "N12", "G15", "L12/1"]
    names = ["BO", "CS", "CV", "KP", "OP", "TN", "AE", "CA", "NO", "PM"]
    minors = [minor(n, "Bob", 50, markers=h, trains="7") for n, h in zip(names, at, strict=True)]
    game = bought("8", *minors)
    assert places(game, "CN") == sorted(["F16/0", "L12/1", *SIX.split()])
    gone = [(str(e.company), str(e.hex)) for e in game.told(MarkerRemoved)]
    assert gone == [("BO", "F16"), ("CA", "N12"), ("NO", "G15")]
    for hex in ("N12", "G15"):
        assert game.state.board.free(HexId(hex), 0) == 1
    assert game.state.board.free(HexId("F16"), 1) == 1


@pytest.mark.rule("13.8", "12.5")
@pytest.mark.parametrize(
    ("tiles", "markers", "taken"),
    [
        ({**CITIES, "N12": "5#2"}, "N12 G15", "G15"),  # 30 before 20
        ({**CITIES, "M9": "57#0"}, "N12 M9", "N12"),  # 20 each: the name from the end of the alphabet
        ({**CITIES, "D16": "201#0", "E17": "201#0"}, "D16 E17", "E17"),
        ({**CITIES, "F8": "57#0", "J12": "201#0", "G15": "14#0"}, "J12 G15", "J12"),  # 30 each
    ],
)
def test_the_last_marker_goes_to_the_best_city(tiles: dict[str, str], markers: str, taken: str) -> None:
    """Row 13.4: CN has one left for elsewhere."""
    game = bought("4", public("CNR", "Bob", markers=markers), tiles=tiles, cn=f"F16/0 {SIX.rpartition(' ')[0]}")
    game.do("CNR: nationalise yes")
    assert places(game, "CN") == sorted(["F16/0", *SIX.split()[:-1], f"{taken}/0"])
    assert not game.told(LotDrawn)


@pytest.mark.rule("13.8", "12.5")
def test_hex_names_are_compared_as_text() -> None:
    """Row 13.4: D8 comes after D16."""
    game = bought("4", public("CNR", "Bob", markers="D16 D8"), tiles={"D16": "201#0", "D8": "14#0"},
                  cn="F16/0 F8/0 E13/0 E15/0 C17/0 I15/0")  # fmt: skip
    game.do("CNR: nationalise yes")
    assert "D8/0" in places(game, "CN") and "D16/0" not in places(game, "CN")


@pytest.mark.rule("13.8")
def test_by_an_option_equal_cities_draw_lots() -> None:
    """Row 13.4, fault 10."""
    game = bought("4", public("CNR", "Bob", markers="N12 M9"), tiles={"N12": "57#0", "M9": "57#0"},
                  cn=f"F16/0 {SIX.rpartition(' ')[0]}", options={"nationalised_ties": "lot"})  # fmt: skip
    game.do("CNR: nationalise yes")
    (lot,) = game.told(LotDrawn)
    assert set(lot.candidates) == {"N12", "M9"}


@pytest.mark.rule("13.8", "12.5", "8.3")
def test_one_marker_of_cn_to_a_hex() -> None:
    """Row 13.4: the second marker in Montreal only leaves; the city is free."""
    game = bought("8", minor("CA", "Bob", markers="L12/0", trains="7"), minor("BO", "Bob", markers="L12/1", trains="7"))
    assert places(game, "CN") == ["F16/0", "L12/0"]
    assert game.state.board.free(HexId("L12"), 1) == 1
