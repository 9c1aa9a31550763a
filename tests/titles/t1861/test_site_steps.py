"""Games of 1861 as records of 18xx.games: companies with loans above the limit, whom the site lets lay no tile."""

from __future__ import annotations

import pytest

import engine
from engine.core.ids import CompanyId, HexId, PlayerId, TileId
from engine.core.orders import Lay
from engine.site18xx.f1867.steps import STEPS
from engine.site18xx.sheet import NotForTheSite
from engine.site18xx.t1861.writer import Writer
from tests.kit.games.course_1861 import operating_turn
from tests.kit.games.situations import Played, company, situation

MVR = CompanyId("MVR")
LAID = Lay(MVR, TileId("9"), HexId("H10"), 0)
TRACK = next(step for step in STEPS if Lay in step.takes)


def its_turn(cash: int, loans: int) -> Played:
    described = company("MVR", {"Ann": 2}, at="r5c6", trains="5", markers="H8", cash=cash, loans=loans)
    return operating_turn(situation(described, phase="5", edition="2020", round="OR 4.1"), "MVR")


@pytest.mark.rule("6.7", "7.1")
@pytest.mark.parametrize(
    ("cash", "loans", "first", "second"),
    [
        (0, 5, True, False),
        (20, 5, True, True),
        (0, 4, True, True),
        (44, 6, False, False),
        (45, 6, True, False),
        (65, 6, True, True),
        (134, 8, False, False),
    ],
)
def test_the_site_counts_loans_above_the_limit_as_negative_credit(
    cash: int, loans: int, first: bool, second: bool
) -> None:
    game = its_turn(cash, loans)
    assert TRACK.waits(game.title, game.state, MVR, []) == first
    assert TRACK.waits(game.title, game.state, MVR, [LAID]) == second


@pytest.mark.rule("6.7", "7.1")
@pytest.mark.parametrize(("cash", "loans", "written"), [(200, 5, True), (44, 6, False)])
def test_a_tile_that_the_site_forbids_is_not_written(cash: int, loans: int, written: bool) -> None:
    game = its_turn(cash, loans)
    live = engine.Game(game.title, engine.Setup(("Ann", "Bob", "Cat"), "", "Ann"), game.state, _kept={0: game.state})
    lay = next(choice.order for choice in live.legal(MVR) if isinstance(choice.order, Lay))
    assert live.submit(lay), lay
    writer = Writer(live, {PlayerId(name): n for n, name in enumerate(("Ann", "Bob", "Cat"), 1)})
    if written:
        assert [action["type"] for action in writer.write()] == ["lay_tile"]
        return
    with pytest.raises(NotForTheSite, match="MVR lay no tile: it has more loans than its limit"):
        writer.write()
