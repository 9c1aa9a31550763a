"""What track of 1844 costs, when a company must lay its home tile, and the additional tile of Bödelibahn."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.events import DestinationReached, Paid, TileLaid
from tests.kit.games.situations_1844 import EDITIONS, Swiss, situation, swiss
from tests.titles.t1844.test_track import LINE, at_work

both = pytest.mark.parametrize("edition", EDITIONS)


def terrain(game: Swiss) -> list[tuple[str, int]]:
    """What was paid for which hex."""
    return [(e.about, e.amount) for e in game.told(Paid) if e.reason == "terrain" and e.amount]


# ---- costs ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1844:6.8", "1844:6.9")
@both
@pytest.mark.parametrize(
    ("name", "tiles", "order", "cost"),
    [
        ("MOB", LINE, "lay 9 I8 1", [("I8", 30)]),
        ("RhB", {}, "lay 4 H25 0", [("H25", 60)]),
        ("RhB", {}, "lay 57 G26 0", [("G26", 20)]),  # printed track, but no tile
        ("BLS", {}, "lay 57 F11 2", []),
        ("MOB", LINE, "lay 14 I6 1", []),  # an upgrade, though the hex has a printed sum
        ("JS", {}, "lay 901 I4 1", []),
        ("STB", {"D15": "14#1"}, "lay 611 D15 1", []),
    ],
)
def test_the_printed_sum_is_paid_for_the_first_tile(
    edition: str, name: str, tiles: dict[str, str], order: str, cost: list[tuple[str, int]]
) -> None:
    game = at_work(name, tiles, edition=edition, phase="5")
    bank = game.money("Bank")
    game.do(f"{name}: {order}")
    paid = sum(n for _, n in cost)
    assert terrain(game) == cost and game.money(name) == 500 - paid and game.money("Bank") == bank + paid


@pytest.mark.rule("1844:6.9")
@pytest.mark.parametrize(
    ("edition", "options", "cost"),
    [
        ("rulebook", {}, 0),
        ("rulebook", {"aarau_upgrade": "20"}, 20),
        ("18xx.games", {}, 20),
        ("18xx.games", {"aarau_upgrade": "0"}, 0),
    ],
)
def test_the_first_tile_of_aarau_replaces_a_printed_yellow_one(
    edition: str, options: dict[str, str], cost: int
) -> None:
    """p. 11: pre-printed yellow hexes are upgraded, and an upgrade costs nothing, regardless of the terrain."""
    game = at_work("STB", {}, edition=edition, options=options, phase="3")
    game.do("STB: lay 14 D15 1")
    assert (terrain(game), game.money("STB")) == ([("D15", 20)] if cost else [], 500 - cost)


@pytest.mark.rule("1844:6.8", "1844:6.26")
@both
def test_the_treasury_must_have_the_sum_a_bonus_comes_too_late(edition: str) -> None:
    """Lausanne to Neuchâtel, all but the hex that costs 30."""
    tiles = {"G4": "9#0", "F5": "8#4"}
    game = at_work("JS", tiles, edition=edition, cash=29)
    assert game.failures("JS: lay 58 H3 3") == {"lay.money": {"hex": "H3", "cost": 30, "spendable": 29, "missing": 1}}
    game = at_work("JS", tiles, edition=edition, cash=30)
    game.do("JS: lay 58 H3 3")
    assert [(e.company, e.hex, e.amount) for e in game.told(DestinationReached)] == [("JS", "F7", 200)]
    assert game.money("JS") == 200


# ---- the home tile --------------------------------------------------------------------------------------------------


@pytest.mark.rule("1844:6.3")
@both
def test_the_first_tile_goes_to_a_home_without_track(edition: str) -> None:
    game = at_work("MOB", {}, edition=edition, operated=False)
    assert {line.split()[2] for line in game.accepted() if line.startswith("lay ")} == {"I6"}
    assert game.failures("MOB: lay 9 I8 1")["lay.home"] == {"hex": "I8", "home": "I6", "company": "MOB"}


@pytest.mark.rule("1844:6.3")
@pytest.mark.parametrize(
    ("edition", "options", "due"),
    [
        ("rulebook", {}, True),
        ("rulebook", {"home_tile": "may"}, False),
        ("18xx.games", {}, False),
        ("18xx.games", {"home_tile": "must"}, True),
    ],
)
def test_whether_the_home_tile_must_be_laid(edition: str, options: dict[str, str], due: bool) -> None:
    game = at_work("MOB", {}, edition=edition, operated=False, options=options)
    facts = {"turn.home_first": {"company": "MOB", "home": "I6"}} if due else {}
    for order in ("done", "train 3"):
        assert game.failures(f"MOB: {order}") == facts
    assert ("done" in game.accepted()) is not due
    game.do("MOB: lay 5 I6 4")
    assert "done" in game.accepted() and game.refusals("MOB: done") == set()


@pytest.mark.rule("1844:6.3")
@both
@pytest.mark.parametrize(
    ("name", "tiles", "cash"),
    [
        ("STB", {}, 500),  # printed yellow
        ("JS", {}, 500),
        ("BLS", {}, 500),  # a printed stub
        ("NOB", {"D19": "57#1"}, 500),  # somebody has laid it
        ("MOB", {}, 10),  # the hex costs 20
    ],
)
def test_nothing_must_be_laid_at_home(edition: str, name: str, tiles: dict[str, str], cash: int) -> None:
    game = at_work(name, tiles, edition=edition, operated=False, cash=cash)
    assert "done" in game.accepted() and game.refusals(f"{name}: done") == set()


@pytest.mark.rule("1844:6.3")
@both
def test_no_home_tile_is_due_when_none_that_fits_is_left(edition: str) -> None:
    cities = ("K20", "K22", "I28", "E18", "B19", "H13", "F21", "D13", "C12", "C24", "D25", "D19", "F11", "F17", "G26",
              "G28", "L21")  # fmt: skip
    laid = [*["5"] * 5, *["6"] * 6, *["57"] * 6]
    tiles = {hex: f"{tile}#0" for hex, tile in zip(cities, laid, strict=True)}
    game = at_work("MOB", tiles, edition=edition, operated=False)
    assert game.failures("MOB: lay 57 I6 1") == {"lay.used_up": {"hex": "I6", "tile": "57", "count": 6}}
    assert "done" in game.accepted() and game.refusals("MOB: done") == set()


@pytest.mark.rule("1844:6.3")
@both
def test_the_home_tile_is_no_duty_of_later_turns(edition: str) -> None:
    game = at_work("MOB", {}, edition=edition)
    assert "done" in game.accepted() and game.refusals("MOB: done") == set()


@pytest.mark.rule("1844:6.3")
@both
def test_the_sbb_has_no_home(edition: str) -> None:
    """Stans has a marker of the SBB and no track; the SBB builds where it likes, in its first turn too."""
    sbb = swiss("SBB", {"Ann": (2, 3)}, cash=300, trains="SBB5H", operated=False, markers="G18 D19")
    game = situation(sbb, edition=edition, tiles={"D19": "57#1"}, phase="5").turn("SBB")
    assert {"lay 4 D17 1", "lay 57 G18 1", "done"} <= set(game.accepted())


# ---- Bödelibahn -----------------------------------------------------------------------------------------------------


def with_p2(owner: str = "Bob", **rest: Any) -> Swiss:
    return at_work(privates={"P2": owner}, **rest)


@pytest.mark.rule("1844:6.15", "1844:6.16")
@both
@pytest.mark.parametrize("orders", ["lay 14 I6 1; lay 9 I8 1 with P2", "lay 9 I8 1 with P2; lay 14 I6 1"])
@pytest.mark.parametrize("owner", ["Bob", "MOB"])
def test_one_yellow_tile_more_before_or_after_the_usual_one(edition: str, orders: str, owner: str) -> None:
    game = with_p2(owner, edition=edition)
    game.do(f"MOB: {orders}")
    assert [e.hex for e in game.told(TileLaid)] == [line.split()[2] for line in orders.split("; ")]
    assert terrain(game) == [("I8", 30)] and game.state.privates["P2"] == owner  # type: ignore[index]
    facts = game.failures("MOB: lay 7 H5 3 with P2")
    assert facts["lay.power_used"] == {"private": "P2"} and "lay.most" not in facts


@pytest.mark.rule("1844:6.1", "1844:6.16")
@both
def test_the_usual_tile_may_upgrade_the_additional_one(edition: str) -> None:
    """It is a tile laid before; the other way round the additional tile would be no yellow one."""
    game = with_p2(edition=edition)
    game.do("MOB: lay 9 I8 1 with P2; lay 24 I8 1")
    assert [(e.hex, e.tile) for e in game.told(TileLaid)] == [("I8", "9"), ("I8", "24")]
    assert terrain(game) == [("I8", 30)]
    assert game.refusals("MOB: lay 7 I10 1") >= {"lay.most"}


@pytest.mark.rule("1844:6.15", "1844:6.16")
@both
def test_the_menu_has_the_additional_tile_beside_the_usual_one(edition: str) -> None:
    game = with_p2(edition=edition)
    usual = {line for line in game.accepted() if line.startswith("lay ") and "with" not in line}
    more = {line for line in game.accepted() if line.endswith(" with P2")}
    assert more == {f"{line} with P2" for line in usual if line.split()[1] in ("7", "8", "9")}
    game.do("MOB: lay 9 I8 1")
    assert {line.split()[2] for line in game.accepted() if line.startswith("lay ")} == {"I10"}
    assert all(line.endswith("with P2") for line in game.accepted() if line.startswith("lay "))


@pytest.mark.rule("1844:6.16")
@both
def test_the_additional_tile_may_be_the_home_tile(edition: str) -> None:
    game = with_p2(edition=edition, tiles={}, operated=False)
    assert game.failures("MOB: lay 9 I8 1 with P2")["lay.home"]["home"] == "I6"
    game.do("MOB: lay 5 I6 4 with P2; lay 9 I8 1; done")
    assert [e.hex for e in game.told(TileLaid)] == ["I6", "I8"]


@pytest.mark.rule("1844:6.15")
@both
@pytest.mark.parametrize(
    ("game", "order", "facts"),
    [
        ({"phase": "2"}, "lay 9 I8 1", {"lay.power_early": {"private": "P2", "phase": "2", "first": "3"}}),
        ({"owner": "Cat"}, "lay 9 I8 1", {"lay.not_owner": {"private": "P2", "owner": "Cat", "company": "MOB"}}),
        ({}, "lay 14 I6 1", {"lay.power_yellow": {"private": "P2", "tile": "14"}}),
        ({"marks": {"extra_tile": True}}, "lay 9 I8 1", {"lay.power_used": {"private": "P2"}}),
        ({"cash": 29}, "lay 9 I8 1", {"lay.money": {"hex": "I8", "cost": 30, "spendable": 29, "missing": 1}}),
    ],
)
def test_what_the_additional_tile_needs(
    edition: str, game: dict[str, Any], order: str, facts: dict[str, dict[str, Any]]
) -> None:
    position = with_p2(edition=edition, **game)
    assert position.failures(f"MOB: {order} with P2") == facts
    assert f"{order} with P2" not in position.accepted()


@pytest.mark.rule("1844:6.15")
@both
def test_the_other_tiles_of_privates_that_there_are_not(edition: str) -> None:
    game = at_work(edition=edition, privates={"P1": "Bob"})
    assert game.failures("MOB: lay 9 I8 1 with P1") == {"lay.no_power": {"private": "P1", "right": "P2"}}
    assert game.failures("MOB: lay 9 I8 1 with P2") == {
        "lay.not_owner": {"private": "P2", "owner": None, "company": "MOB"}
    }


def sisters(edition: str, options: dict[str, str], cash: int = 100, director: str = "Bob") -> Swiss:
    """MOB has P2 and a line to I8; VZ operates, far from it."""
    mob = swiss("MOB", {director: 5}, cash=cash, par=100)
    vz = swiss("VZ", {"Bob": 3}, cash=500)
    tiles = {**LINE, "K10": "57#0"}
    return situation(mob, vz, edition=edition, options=options, tiles=tiles, privates={"P2": "MOB"}).turn("VZ")


@pytest.mark.rule("1844:6.15")
@pytest.mark.parametrize(("edition", "options"), [("18xx.games", {}), ("rulebook", {"extra_tile": "sisters_turn"})])
def test_on_the_site_a_company_with_p2_builds_in_the_turn_of_a_sister(edition: str, options: dict[str, str]) -> None:
    """By its own routes and with its own money; the tile of the company in turn is still to come."""
    game = sisters(edition, options)
    assert {line.split()[2] for line in game.accepted() if line.endswith("with P2")} == {"I8"}
    assert "lay.unconnected" in game.refusals("VZ: lay 9 I8 1")
    game.do("VZ: lay 9 I8 1 with P2")
    assert terrain(game) == [("I8", 30)] and (game.money("MOB"), game.money("VZ")) == (70, 500)
    assert any(line.startswith("lay ") for line in game.accepted())
    assert "lay.money" in sisters(edition, options, cash=29).refusals("VZ: lay 9 I8 1 with P2")


@pytest.mark.rule("1844:6.15")
@pytest.mark.parametrize(("edition", "director"), [("rulebook", "Bob"), ("18xx.games", "Cat")])
def test_otherwise_it_builds_in_its_own_turn(edition: str, director: str) -> None:
    game = sisters(edition, {}, director=director)
    assert "lay.not_owner" in game.refusals("VZ: lay 9 I8 1 with P2")
    assert not any(line.endswith("with P2") for line in game.accepted())


@pytest.mark.rule("1844:6.15", "1844:6.16")
@both
def test_pre_sbb_companies_have_it_too_and_p2_goes_on_paying(edition: str) -> None:
    js = swiss("JS", {"Bob": 2}, cash=100)
    game = situation(js, edition=edition, privates={"P2": "Bob"}).turn("JS")
    game.do("JS: lay 8 I2 4; lay 58 H3 3 with P2; done")
    assert game.money("Bob") == 10  # the income of the next operating round
