"""Running of 1844 in a company's turn: the best is owed, what a run opens, and runs of nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from engine.core.events import Activated, Distributed, Ran
from tests.kit.games.situations_1844 import EDITIONS, Swiss, situation, swiss
from tests.titles.t1844.test_runs import NINETEEN, board

both = pytest.mark.parametrize("edition", EDITIONS)

TILES = {"I6": "6#1"}
"""Montreux, open to Lausanne (20) and to the mountain H7."""
RAILWAY: Mapping[str, Any] = {"privates": {"B1": "Cat"}, "mountains": {"B1": "H7 XM1"}}
"""Cat's railway on H7: 10, 20, 50, 80."""
TUNNEL: Mapping[str, Any] = {"privates": {"T1": "Cat"}, "tunnels": {"T1": "J9 X79 2"}}


def running(trains: str, tiles: Mapping[str, str] = TILES, *, markers: str | None = None, **rest: Any) -> Swiss:
    mob = swiss("MOB", {"Bob": 5}, trains=trains, markers=markers)
    return situation(mob, tiles=tiles, **{"phase": "2", **rest}).turn("MOB", "run")


# ---- the best -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1844:8.17")
@pytest.mark.parametrize(
    ("edition", "options", "strict"),
    [
        ("rulebook", {}, True),
        ("rulebook", {"runs": "any"}, False),
        ("18xx.games", {}, False),
        ("18xx.games", {"runs": "best"}, True),
    ],
)
@pytest.mark.parametrize(
    ("trains", "order", "revenue", "best"),
    [
        ("2", "run 2 I6-H7", 30, 40),  # less, to open the mountain railway
        ("3", "run 3 I4-I6", 40, 50),
        ("2 2", "run 2 I4-I6", 40, 70),  # a train stays idle
        ("2", "run none", 0, 40),
    ],
)
def test_less_than_the_best(
    edition: str, options: dict[str, str], strict: bool, trains: str, order: str, revenue: int, best: int
) -> None:
    game = running(trains, edition=edition, options=options, **RAILWAY)
    assert game.accepted() == (["run best"] if strict else ["run best", "run none"])
    if strict:
        assert game.failures(f"MOB: {order}") == {"run.not_best": {"revenue": revenue, "best": best}}
        return
    game.do(f"MOB: {order}")
    assert [e.revenue for e in game.told(Ran)] == [revenue]
    assert ("H7" in order) is bool(game.told(Activated))


@pytest.mark.rule("1844:8.17")
@both
def test_of_equally_good_runs_the_director_chooses(edition: str) -> None:
    """In phase 4 the mountain is worth as much as Lausanne."""
    for order, opened in (("run 2H I6-H7", ["B1"]), ("run 2H I4-I6", [])):
        game = running("2H", edition=edition, phase="4", **RAILWAY)
        game.do(f"MOB: {order}")
        assert [e.revenue for e in game.told(Ran)] == [40]
        assert [e.private for e in game.told(Activated)] == opened


# ---- what a run opens -----------------------------------------------------------------------------------------------


@pytest.mark.rule("1844:8.18", "1844:5.3")
@both
def test_a_mountain_railway_that_was_counted_pays_from_the_next_round_on(edition: str) -> None:
    game = running("3", edition=edition, phase="3", **RAILWAY)
    game.do("MOB: run best; pay none")
    assert [e.private for e in game.told(Activated)] == ["B1"] and game.money("Cat") == 0
    game.do("MOB: done")
    assert str(game.state.round) == "OR 2.2" and game.money("Cat") == 40
    game.do("MOB: run best; pay none")
    assert len(game.told(Activated)) == 1


@pytest.mark.rule("1844:8.18", "1844:8.15", "1844:5.3")
@both
def test_a_tunnel_that_was_used_pays_from_the_next_round_on(edition: str) -> None:
    tiles = {"I6": "57#1", "I8": "8#5", "K10": "6#2"}
    game = running("2", tiles, edition=edition, phase="3", **TUNNEL)
    game.do("MOB: run 2 I6-K10; pay none")
    assert game.money("MOB") == 20 + 20 + 2 * 10
    assert [e.private for e in game.told(Activated)] == ["T1"]
    game.do("MOB: done")
    assert str(game.state.round) == "OR 2.2" and game.money("Cat") == 10


@pytest.mark.rule("1844:8.18")
@both
def test_what_the_run_does_not_use_stays_closed(edition: str) -> None:
    tiles = {"I6": "57#1", "I8": "8#5"}
    game = running("2", tiles, edition=edition, phase="3", **TUNNEL)
    game.do("MOB: run best; pay none")
    assert not game.told(Activated)


@pytest.mark.rule("1844:8.18")
@both
def test_several_papers_are_opened_by_one_run(edition: str) -> None:
    """From H7 by Montreux and the tunnel to Sion."""
    tiles = {"I6": "15#1", "I8": "8#5", "K10": "6#2"}
    papers: dict[str, Any] = {
        "privates": {"B1": "Cat", "T1": "Ann"},
        "mountains": {"B1": "H7 XM1"},
        "tunnels": {"T1": "J9 X79 2"},
    }
    game = running("3", tiles, edition=edition, phase="4", **papers)
    game.do("MOB: run 3 H7-I6-K10; pay none")
    assert game.money("MOB") == 20 + 30 + 20 + 3 * 10
    assert sorted(e.private for e in game.told(Activated)) == ["B1", "T1"]


# ---- nothing to run -------------------------------------------------------------------------------------------------


@pytest.mark.rule("1844:8.19", "1844:9.5")
@both
@pytest.mark.parametrize(("trains", "tiles"), [("", {}), ("2", {}), ("2", {"I6": "5#4"})])
def test_without_a_train_or_a_route_the_earnings_are_nothing(
    edition: str, trains: str, tiles: Mapping[str, str]
) -> None:
    game = running(trains, tiles, edition=edition)
    assert not [line for line in game.accepted() if line.startswith("run")]
    game.do("MOB: done")
    assert [e.revenue for e in game.told(Ran)][:1] == [0]
    assert [(e.kind, e.revenue) for e in game.told(Distributed)][:1] == [("none", 0)]
    assert game.price("MOB") == "70 r4c4"


@pytest.mark.rule("1844:8.12", "1844:8.19")
@both
def test_a_mountain_without_a_railway_gives_no_run(edition: str) -> None:
    game = running("2", {"I6": "5#3"}, edition=edition)
    assert not [line for line in game.accepted() if line.startswith("run")]
    if edition == "rulebook":
        assert game.failures("MOB: run 2 I6-H7")["run.worthless_stop"]["hex"] == "H7"


@pytest.mark.rule("1844:8.14", "1844:8.13")
@both
def test_torino_cannot_be_visited_in_phases_1_and_2(edition: str) -> None:
    tiles = {"I6": "5#4", "K10": "57#0", "L9": "9#0"}
    for phase in ("1", "2"):
        game = running("2", tiles, edition=edition, phase=phase, markers="I6 K10")
        assert not [line for line in game.accepted() if line.startswith("run")]
        facts = game.failures("MOB: run 2 K10-M8")["run.worthless_stop"]
        assert facts["hex"] == "M8"
    for phase, value in (("3", 30), ("5", 50), ("7", 70)):
        game = running("2", tiles, edition=edition, phase=phase, markers="I6 K10")
        game.do("MOB: run best; pay none")
        assert game.money("MOB") == 20 + value


@pytest.mark.rule("1844:8.7")
@pytest.mark.parametrize(
    ("edition", "options", "allowed"),
    [
        ("rulebook", {}, True),
        ("rulebook", {"same_side_route": "no"}, False),
        ("18xx.games", {}, False),
        ("18xx.games", {"same_side_route": "yes"}, True),
    ],
)
def test_two_areas_of_one_side_can_be_the_ends_of_a_route(edition: str, options: dict[str, str], allowed: bool) -> None:
    """Neuchâtel between Dijon (by F5) and Belfort (by E6 and D7), both in the west."""
    bls = swiss("BLS", {"Bob": 5}, trains="3", markers="F11 F7")
    tiles = {"F5": "9#1", "F7": "5#1", "E6": "8#3", "D7": "9#0", "F11": "57#2"}
    game = situation(bls, edition=edition, options=options, tiles=tiles, phase="5").turn("BLS", "run")
    order = "BLS: run 3 F3-F7-C8"
    if allowed:
        assert game.failures(order) == {}
        game.do("BLS: run best; pay none")
        assert game.money("BLS") == 50 + 20 + 50  # no transit bonus
    else:
        assert game.failures(order)["run.same_side"]["side"] == "W"


# ---- S-11 -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1844:8.9")
@both
def test_a_5h_of_the_sbb_over_five_hexes(edition: str) -> None:
    """Bern 50, Olten 30, Basel 30, Liestal 10: no fifth station is in reach."""
    sbb = swiss("SBB", {"Bob": (2, 3)}, trains="SBB5H", markers="C12")
    tiles = {"F11": "905#0", "E12": "9#0", "D13": "619#0", "C12": "14#1", "C14": "58#5"}
    game = situation(sbb, edition=edition, tiles=tiles, phase="5").turn("SBB", "run")
    game.do("SBB: run best; pay none")
    assert game.money("SBB") == 120


@pytest.mark.rule("1844:8.11", "1844:8.13", "1844:8.15", "1844:8.16")
@both
@pytest.mark.parametrize(
    ("name", "trains", "order", "value"),
    [
        # Strasbourg 60, Olten 40, Bern 60, Thun 40, Brig 20, Milano 90; two tunnels, one bonus; north to south
        ("STB", "6", "run 6 B11-D13-F11-H13-J13-L15", 310 + 6 * 10 + 30 + 40),
        # nineteen stations, of which eight count 480; a tunnel; east to west
        ("BLS", "8E", f"run {NINETEEN}", 480 + 8 * 10 + 50 + 90),
    ],
)
def test_s_11_in_the_editions(edition: str, name: str, trains: str, order: str, value: int) -> None:
    game = situation(
        swiss(name, {"Bob": 5}, trains=trains), edition=edition, options={"runs": "any"}, phase="7"
    )  # fmt: skip
    game.state = replace(game.state, board=board())
    game.turn(name, "run").do(f"{name}: {order}")
    assert [e.revenue for e in game.told(Ran)] == [value]


@pytest.mark.rule("1844:8.9", "1844:8.15")
@both
def test_an_h_train_of_a_regional_company_through_a_tunnel(edition: str) -> None:
    """Arosa 20, the Albula tunnel, St. Moritz 20, Bernina 50: four hexes, 90 and three times 10."""
    game = situation(
        swiss("ChA", {"Bob": 3}, trains="4H"),
        edition=edition,
        phase="4",
        tiles={"G28": "5#5", "I28": "57#2"},
        privates={"B1": "Cat", "T1": "Ann"},
        mountains={"B1": "J29 XM3"},
        tunnels={"T1": "H27 X78 3"},
    ).turn("ChA", "run")
    game.do("ChA: run best; pay none")
    assert game.money("ChA") == 120
    assert sorted(e.private for e in game.told(Activated)) == ["B1", "T1"]
