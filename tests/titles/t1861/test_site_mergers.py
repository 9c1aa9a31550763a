"""Records of 1861 from 18xx.games: passes of minors that could do nothing, and mergers that come to nothing."""

from __future__ import annotations

from typing import Any

import pytest

import engine
from engine.core.ids import CompanyId, PlayerId
from engine.core.orders import Done, Lay, Order
from engine.titles.site_walk import SiteError
from engine.titles.t1861.site import Converter
from tests.kit.games.course_1861 import AFTER_N, mergers, minor, operating_turn
from tests.kit.games.situations import company, situation

NUMBERS = {"1": PlayerId("Ann"), "2": PlayerId("Bob"), "3": PlayerId("Cat")}
LAY = {"type": "lay_tile", "entity": "RO", "entity_type": "corporation", "hex": "B6", "tile": "8-0", "rotation": 0}


def played(*actions: dict[str, Any] | str) -> tuple[str, list[Order]]:
    """The round after the record, and its orders. O-K is the last in OR 2.1; nobody has a route, or a partner."""
    places = {"R-O": ("Ann", "r6c4"), "K-R": ("Bob", "r6c3"), "O-K": ("Cat", "r6c2")}
    minors = (company(m, who, at=at, trains="2", cash=200) for m, (who, at) in places.items())
    homes = {"B4": "201#0", "G15": "201#0", "D20": "201#0"}
    cash = {"Ann": 200, "Bob": 200, "Cat": 200}
    game = situation(*minors, round="OR 2.1", edition="2020", tiles=homes, cash=cash, marks=AFTER_N)
    operating_turn(game, "O-K")
    live = engine.Game(game.title, engine.Setup(("Ann", "Bob", "Cat"), "", "Ann"), game.state, _kept={0: game.state})
    record = [{"type": "pass", "entity": a, "entity_type": "corporation"} if isinstance(a, str) else a for a in actions]
    converter = Converter(live, NUMBERS, record, over=False)
    orders: list[Order] = []
    for number in range(len(record)):
        step = converter.step(number)
        orders += [*step.orders, *step.added]
    return str(live.state.round), orders


@pytest.mark.parametrize("merging", [("RO", "KR", "OK"), ("KR", "OK"), ("OK",), ()])
def test_they_do_not_end_turns_of_the_next_round(merging: tuple[str, ...]) -> None:
    """Also where the site has not written those of the first minors."""
    round, orders = played("OK", "OK", *merging, LAY)
    assert round == "OR 2.2"
    assert orders == [Done(CompanyId("O-K")), Lay(CompanyId("R-O"), "8", "B6", 0)]  # type: ignore[arg-type]


def test_turns_of_passes_alone_come_after_them() -> None:
    round, orders = played("OK", "OK", "RO", "KR", "OK", "RO", "KR", {**LAY, "entity": "OK", "hex": "C19"})
    assert round == "OR 2.2"
    assert [o.actor for o in orders] == ["O-K", "R-O", "K-R", "O-K"]


@pytest.mark.rule("14.12")
@pytest.mark.parametrize("goes_on", [False, True])
def test_a_merger_that_gets_no_director_ends_the_record(goes_on: bool) -> None:
    """Bob, asked first, cannot pay for a share, and Cat declines. The site goes on with a company without director."""
    game = mergers(minor("K-R", "Bob", 135), minor("M-V", "Cat", 120), minor("V", "Ann", 100), edition="2020",
                   cash={"Cat": 200})  # fmt: skip
    live = engine.Game(game.title, engine.Setup(("Ann", "Bob", "Cat"), "", "Ann"), game.state, _kept={0: game.state})
    company = {"entity": "KR", "entity_type": "corporation"}
    record: list[dict[str, Any]] = [
        {"type": "merge", "corporation": "MV", **company},
        {"type": "merge", "corporation": "NW", **company},
        {"type": "pass", "entity": 3, "entity_type": "player"},
    ]
    if goes_on:
        record.append({"type": "pass", "entity": "V", "entity_type": "corporation"})
    converter = Converter(live, NUMBERS, record, over=False)
    converter.step(0)
    converter.step(1)
    if goes_on:
        with pytest.raises(SiteError, match=r"move 3: nobody has come to two shares .* taken back \(14\.12\)"):
            converter.step(2)
    else:
        converter.step(2)
        assert live.asked()[0].actor == "K-R", "asked once more"
