"""Trains given in part payment in phase 8 of 1867. Numbers in docstrings are rows of the rule sheet."""

from __future__ import annotations

import pytest

from engine.core.ids import CompanyId, TrainName
from engine.core.orders import Train
from tests.kit.games.course_1867 import public, turn
from tests.kit.games.situations import Played

PRICES: dict[str, dict[str, int | None]] = {
    "8": {"5": 725, "6": 675, "7": 600, "8": 500, "2+2": 700, "5+5E": 250},
    "2+2": {"5": 325, "6": 275, "7": 200, "8": 100, "2+2": 300, "5+5E": None},
    "5+5E": {"5": 1225, "6": 1175, "7": 1100, "8": 1000, "2+2": 1200, "5+5E": 750},
}
"""Part 2 of the sheet: what is paid for a train, by the train given."""
ROWS = [(train, trade, price) for train, row in PRICES.items() for trade, price in row.items()]


def buyer(trains: str, cash: int = 1300, **rest: object) -> Played:
    given: dict[str, object] = {"phase": "8", **rest}
    return turn(public("CNR", "Bob", markers="M9", cash=cash, trains=trains), stage="trains", **given)  # type: ignore[arg-type]


@pytest.mark.rule("11.12")
@pytest.mark.parametrize("source", ["", " from pool"])
@pytest.mark.parametrize(("train", "trade", "price"), ROWS)
def test_what_is_paid_for_a_train(train: str, trade: str, price: int | None, source: str) -> None:
    """Row 11.3: new or from the pool; the old train goes into the pool; 5+5E for 2+2 is refused."""
    game = buyer(f"7 {trade}", pool_trains=train)
    order = f"train {train}{source} trade {trade}"
    assert (order in game.menu()) == (price is not None)
    if price is None:
        assert game.refusals(f"CNR: {order}") == {"train.trade"}
        return
    game.do(f"CNR: {order}")
    assert game.money("CNR") == 1300 - price
    assert sorted(game.trains("CNR").split()) == sorted(["7", train])
    assert sorted(game.state.pool_trains) == sorted([trade] if source else [train, trade])


@pytest.mark.rule("11.12")
@pytest.mark.parametrize(
    ("trains", "cash", "order", "check"),
    [
        ("5 6", 724, "train 8 trade 5", "train.money"),
        ("5 6", 2000, "train 8 trade 7", "train.trade"),  # it has none
        ("5 6", 2000, "train 7 from pool trade 5", "train.trade"),
        ("5 6", 2000, "train 8", "train.limit"),  # without a trade-in it needs room
    ],
)
def test_what_is_refused(trains: str, cash: int, order: str, check: str) -> None:
    """Row 11.3, fault 5: the buyer's own train and its money are looked at."""
    game = buyer(trains, cash, pool_trains="7 8")
    assert check in game.refusals(f"CNR: {order}")


@pytest.mark.rule("11.12", "11.2")
@pytest.mark.parametrize(
    ("source", "price", "refused"),
    [(None, 725, set()), (None, 724, {"train.face_value"}), ("GTR", 725, {"train.trade"})],
)
def test_the_price_is_fixed_and_other_companies_take_nothing(source: str | None, price: int, refused: set[str]) -> None:
    """Row 11.3, fault 5."""
    game = buyer("5 6", 2000)
    order = Train(CompanyId("CNR"), TrainName("8"), source, price, trade=TrainName("5"))
    assert set(game.failures(order)) == refused


@pytest.mark.rule("11.12", "5.7")
@pytest.mark.parametrize("phase", ["7", "5"])
def test_not_before_phase_8(phase: str) -> None:
    """Row 5.7."""
    game = buyer("5", phase=phase, pool_trains="8")
    assert "train.trade" in game.refusals("CNR: train 8 from pool trade 5")
    assert not [line for line in game.menu() if "trade" in line]


@pytest.mark.rule("11.12", "11.4")
def test_as_many_as_wished_and_the_old_train_can_be_bought_back() -> None:
    """Row 11.3: at the limit of two, three purchases in one turn; 1,300 - 325 - 675 - 100 = 200."""
    game = buyer("5 6", 1300)
    game.do("CNR: train 2+2 trade 5; train 8 trade 6")
    assert (game.money("CNR"), game.trains("CNR").split()) == (300, ["2+2", "8"])
    assert list(game.state.pool_trains) == ["5", "6"]
    assert "train 2+2 trade 8" in game.menu() and "train 8 trade 8" not in game.menu(), "500 is too much"
    assert not [line for line in game.menu() if line.startswith(("train 5 ", "train 6 "))], "no room without a trade-in"
    game.do("CNR: train 2+2 trade 8; done")
    assert (game.money("CNR"), game.trains("CNR").split()) == (200, ["2+2", "2+2"])
    assert list(game.state.pool_trains) == ["5", "6", "8"]
