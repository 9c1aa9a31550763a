"""The foresight for orders given ahead, in situations of each title."""

from __future__ import annotations

import pytest

import engine
from engine import Game
from engine.core.ids import CompanyId, PlayerId
from engine.core.state import Frame
from engine.families.f1867.stock.frame import StockRound
from engine.families.f1867.turn.operating_round import OperatingRound
from engine.titles.t1841.stock.frame import StockRound as ItalianStock
from engine.titles.t1863.stock.frame import StockRound as LondonStock
from grammar import read
from moderator.domain.ahead.foresight import foresee, foresee_all
from moderator.domain.ahead.orders import Held, settle
from moderator.domain.block import play_block
from moderator.domain.fork import Fork
from moderator.domain.vocabulary import vocabulary
from tests.kit.games import situations, situations_1841, situations_1844, situations_1863
from tests.kit.games.situations import Played, company
from tests.kit.games.situations_1841 import firm
from tests.kit.games.situations_1844 import swiss
from tests.kit.games.situations_1863 import tube

ANN, BOB = PlayerId("Ann"), PlayerId("Bob")


def game_of(position: Played) -> Game:
    setup = engine.Setup(tuple(position.state.players), seed="a seed for tests")
    return Game(position.title, setup, position.state, _kept={0: position.state})


def kept(game: Game, player: str, text: str) -> tuple[Held, ...]:
    """The orders kept of a mail of ``player``, who is not asked."""
    reading = read(text, vocabulary(game.title, game.state.players), default_actor=player)
    fork = Fork(game)
    block = play_block(fork, player, reading, text, partial=False)
    assert block.stands and not fork.moves, [(line.text, line.verdict, line.failures) for line in block.lines]
    return tuple(block.held)


def foretold(game: Game, player: str, text: str) -> list[str]:
    """The reasons that are foretold for the one thing that is kept."""
    (held,) = kept(game, player, text)
    return [failure.check for failure in foresee(game, held)]


# ---- stock rounds ----------------------------------------------------------------------------------------------------


def russian(title: str, edition: str) -> Game:
    """A stock round; Ann is on turn, then Bob and Cat."""
    name, space = ("MKN", "r3c8") if title == "1861" else ("GWR", "r1c8")
    position = situations.situation(
        company(name, {"Bob": 5, "Cat": 3}, at=space, cash=100, pool=1, trains="3"),
        title=title, edition=edition, round="SR 3", cash={"Ann": 500, "Bob": 500, "Cat": 20},
    )  # fmt: skip
    return game_of(position.turns(*_under(position), StockRound(ANN)))


def _under(position: Played) -> tuple[Frame, ...]:
    return position.title.begin(position.title, position.state)[:1]


def swiss_stock() -> Game:
    position = situations_1844.situation(
        swiss("SBB", {"Ann": (1, 2)}, at="r3c8", cash=100, pool=(0, 1)),
        swiss("MOB", {"Bob": 5, "Cat": 2}, at="r4c5", cash=275, pool=1, trains="3H"),
        round="SR 3", cash={"Ann": 500, "Bob": 500, "Cat": 20}, phase="5",
    )  # fmt: skip
    return game_of(position.stock("Ann"))


def italian_stock() -> Game:
    position = situations_1841.situation(
        firm("SFTG", {"Ann": 5, "Bob": 1}, at="I2", cash=900, trains="4", history=True),
        firm("RSFS", {"Bob": 4, "Ann": 1}, at="F4", cash=200, trains="4", history=True),
        cash={"Ann": 400, "Bob": 400, "Cat": 20}, round="SR 3",
    )  # fmt: skip
    return game_of(position.turns(*_under(position), ItalianStock(ANN)))


def london_stock() -> Game:
    position = situations_1863.situation(
        tube("MET", {"Ann": 5, "Cat": 1}, 100, cash=500, markers="C10"),
        cash={"Ann": 400, "Bob": 400, "Cat": 20}, round="SR 3",
    )  # fmt: skip
    return game_of(position.frames(LondonStock(ANN)))


STOCK = {
    "1861": lambda: russian("1861", "v2.0"),
    "1867": lambda: russian("1867", "18xx.games"),
    "1844": swiss_stock,
    "1841": italian_stock,
    "1863": london_stock,
}


@pytest.mark.parametrize(
    ("title", "player", "text", "checks"),
    [
        ("1861", "Bob", "buy MKN from pool", []),
        ("1861", "Cat", "buy MKN from pool", ["buy.money"]),
        ("1861", "Bob", "sell 9 MKN", ["sell.not_held"]),
        ("1861", "Cat", "sell 3 MKN", []),
        ("1861", "Bob", "start MKN at 100", ["start.too_early", "start.started", "start.space"]),
        ("1867", "Bob", "buy GWR from pool", []),
        ("1867", "Cat", "buy GWR from pool", ["buy.money"]),
        ("1844", "Bob", "start SBB at 100", ["par.not_for_sale"]),
        ("1844", "Bob", "buy MOB from pool", []),
        ("1844", "Cat", "buy MOB from pool", ["buy.money"]),
        ("1841", "Bob", "buy SFTG from treasury", []),
        ("1841", "Cat", "buy SFTG from treasury", ["buy.money"]),
        ("1841", "Cat", "sell 1 RSFS", ["sell.not_held"]),
        ("1863", "Bob", "buy MET", []),
        ("1863", "Cat", "buy MET", ["buy.money"]),
        ("1863", "Cat", "start MET at 100", ["start.open"]),
    ],
)
def test_orders_for_a_stock_turn(title: str, player: str, text: str, checks: list[str]) -> None:
    assert foretold(STOCK[title](), player, text) == checks


def test_all_are_asked_to_pass_and_nothing_changes() -> None:
    game = STOCK["1861"]()
    before = game.digest()
    assert foretold(game, "Cat", "buy MKN from pool") == ["buy.money"]
    assert game.digest() == before and [ask.player for ask in game.asked()] == ["Ann"]


# ---- operating rounds ------------------------------------------------------------------------------------------------


def operating(*, trains: str = "", rich: int = 80, left: int = 3) -> Game:
    """N is Ann's and idle; Bob's K-R and MKN come after it, in this order."""
    position = situations.situation(
        company("N", "Ann", at="r3c8", cash=50, trains=trains),
        company("K-R", "Bob", at="r6c1", cash=rich),
        company("MKN", {"Bob": 5, "Cat": 3}, at="r4c8", cash=700, trains="3"),
        cash={"Ann": 300, "Bob": 500}, supply={"3": left},
    )  # fmt: skip
    frame = OperatingRound(tuple(map(CompanyId, ("N", "K-R", "MKN"))), paid=True)
    return game_of(position.turns(*_under(position), frame))


@pytest.mark.parametrize(
    ("text", "checks"),
    [
        ("K-R: done", []),
        ("K-R: train 3; done", ["train.loans"]),
        ("K-R: train 5; done", ["train.not_on_sale", "train.loans"]),
        ("K-R: redeem 1; done", ["redeem.kind"]),
        ("MKN: train 3; done", []),
        ("MKN: agree train 3 to N for 10", []),
        ("MKN: agree train 4 to N for 10", ["ahead.gone"]),
        ("agree WVR to N for 10", ["ahead.gone"]),
        ("MKN: refuse train 4 to N for 10", []),
        ("K-R: agree merge K-R, N into NW", []),
        ("buy MKN", []),
    ],
)
def test_orders_for_an_operating_round(text: str, checks: list[str]) -> None:
    assert foretold(operating(), "Bob", text) == checks


def test_nothing_is_foretold_where_somebody_must_act_first() -> None:
    """N must run its train, and nobody knows what else Ann does with it."""
    assert foretold(operating(trains="3"), "Bob", "K-R: train 5; done") == []


def test_own_orders_for_earlier_turns_are_carried_out_first() -> None:
    """K-R buys the last 3-train, so MKN finds none."""
    game = operating(rich=400, left=1)
    first, second = kept(game, "Bob", "K-R: train 3; done\nMKN: train 3; done")
    assert foresee_all(game, (second,)) == {}
    found = foresee_all(game, (first, second))
    assert {held: [failure.check for failure in why] for held, why in found.items()} == {second: ["train.not_on_sale"]}


# ---- orders for a company that somebody else directs now -------------------------------------------------------------


def test_orders_for_a_company_that_is_lost_end() -> None:
    position = situations.situation(
        company("MKN", {"Bob": 4, "Cat": 4}, at="r3c8", cash=100, trains="3"),
        round="SR 3", cash={"Ann": 500, "Bob": 500, "Cat": 20},
    )  # fmt: skip
    game = game_of(position.turns(*_under(position), StockRound(BOB)))
    (held,) = kept(game, "Bob", "MKN: run best; pay full; done")
    fork = Fork(game)
    assert settle(fork, [held]).closed == []
    (order,) = read("Bob: sell 1 MKN", vocabulary(game.title, game.state.players)).orders
    assert not isinstance(fork.submit(order, "Bob", "mail"), engine.Refused)
    (closed,) = settle(fork, [held]).closed
    assert closed.ending == "lapsed"
    assert [(f.check, dict(f.facts)) for f in closed.failures] == [
        ("ahead.lost", {"company": "MKN", "director": "Cat", "gone": False, "into": ""})
    ]
