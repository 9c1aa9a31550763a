"""Track and markers of 1863: the lays of a turn, their costs, the North East, the last rounds."""

from __future__ import annotations

import pytest

from engine.acts.reach import reach_for
from engine.core.ids import CompanyId, HexId, TileId
from engine.core.orders import Lay
from engine.titles.t1863.turn.track import lay_price
from tests.kit.games.situations_1863 import London, situation, tube

MET = CompanyId("MET")


def builder(phase: str = "III", cash: int = 500, tiles: dict[str, str] | None = None, **more: object) -> London:
    """The Metropolitan in Paddington, with a yellow tile to the north and south."""
    return situation(
        tube("MET", {"Ann": 5}, 100, cash=cash, tokens=3), tube("BAK", "Bob", 50, minor=True, markers="F9"),
        phase=phase, tiles={"C10": "57#0"} if tiles is None else tiles, **more,  # type: ignore[arg-type]
    ).turn("MET", waiting="BAK")  # fmt: skip


# ---- costs -----------------------------------------------------------------------------------------------------------


def cost(game: London, hex: str, tile: str) -> int:
    return lay_price(game.title, game.state, MET, Lay(MET, TileId(tile), HexId(hex), 0))


@pytest.mark.rule("1863:5.2", "1863:12.27", "1863:5.14")
def test_t9_a_minor_station_with_a_printed_price_and_its_upgrade() -> None:
    assert cost(builder(), "E6", "4") == 20 + 20
    assert cost(builder(tiles={"E6": "4#0"}), "E6", "410") == 10
    assert cost(builder(privates={"GRE": "MET"}), "E6", "4") == 20 + 10
    assert cost(builder(privates={"GRE": "BAK"}), "E6", "4") == cost(builder(privates={"GRE": "Ann"}), "E6", "4") == 40


R27 = [
    ("no", {"B11": 10, "C12": 20, "F9": 30, "J17": 50}, {"B11": 10, "C10": 10}),
    ("yes", {"B11": 0, "C12": 20, "F9": 30, "J17": 40}, {"B11": 0, "C10": 10}),
]


@pytest.mark.rule("1863:12.27", "1863:5.13")
@pytest.mark.parametrize(("free", "first", "upgrades"), R27)
def test_r27_plain_track_costs_as_an_upgrade_does(free: str, first: dict[str, int], upgrades: dict[str, int]) -> None:
    """Plain B11 and J17, where crossing the Thames costs 40; a minor and a major station."""
    tiles = {"B11": "9", "C12": "4", "F9": "57", "J17": "9"}
    game = builder(options={"plain_track_free": free})
    assert {hex: cost(game, hex, tiles[hex]) for hex in first} == first
    later = {"B11": "23", "C10": "LU04"}
    again = builder(tiles={"B11": "9#0", "C10": "6#0"}, options={"plain_track_free": free})
    assert {hex: cost(again, hex, later[hex]) for hex in upgrades} == upgrades


@pytest.mark.rule("1863:5.2")
def test_a_company_pays_for_track_from_its_cash() -> None:
    game = builder(cash=15)
    assert game.refusals("MET: lay 4 C12 0") == {"lay.money"}
    game.do("MET: lay LU05 C10 0")
    assert game.money("MET") == 5


# ---- the lays of a turn ----------------------------------------------------------------------------------------------


@pytest.mark.rule("1863:5.2", "1863:5.11")
def test_first_a_tile_or_an_upgrade_then_a_yellow_tile() -> None:
    game = builder()
    game.do("MET: lay LU05 C10 0")
    assert all(choice.split()[1] in {"4", "58", "8", "9"} for choice in game.accepted() if choice.startswith("lay"))
    game.do("MET: lay 4 C12 0")
    assert game.money("MET") == 500 - 10 - 20
    assert game.refusals("MET: lay 4 C8 0") == {"lay.most"}


@pytest.mark.rule("1863:5.2", "1863:5.11")
def test_an_upgrade_does_not_come_second() -> None:
    game = builder()
    game.do("MET: lay 4 C12 0")
    assert game.refusals("MET: lay LU05 C10 0") == {"lay.second"}


R26 = [("no", {"lay.same_hex", "lay.second"}), ("yes", {"lay.second"})]


@pytest.mark.rule("1863:12.26")
@pytest.mark.parametrize(("anywhere", "refusals"), R26)
def test_r26_the_second_lay_is_in_another_hex(anywhere: str, refusals: set[str]) -> None:
    game = builder(options={"second_lay_anywhere": anywhere})
    game.do("MET: lay 4 C12 0")
    assert game.refusals("MET: lay 410 C12 0") == refusals


@pytest.mark.rule("1863:9.3", "1863:12.26")
def test_r26_with_fowler_lays_come_in_any_order_and_two_upgrades_too() -> None:
    game = builder(privates={"FOW": "MET"})
    game.do("MET: lay 4 C12 0")
    assert game.refusals("MET: lay 410 C12 0") == {"lay.same_hex"}
    game.do("MET: lay LU05 C10 0")
    assert game.refusals("MET: lay 4 C8 0") == {"lay.most"}
    twice = builder(tiles={"C10": "57#0", "C12": "4#0"}, privates={"FOW": "MET"})
    twice.do("MET: lay LU05 C10 0")
    twice.do("MET: lay 410 C12 0")
    same = builder(privates={"FOW": "MET"}, options={"second_lay_anywhere": "yes"})
    same.do("MET: lay 4 C12 0")
    same.do("MET: lay 410 C12 0")


@pytest.mark.rule("1863:5.2", "1863:3.13", "1863:5.12")
def test_track_joins_the_network_and_has_the_colour_of_the_phase() -> None:
    game = builder("II")
    assert game.refusals("MET: lay LU05 C10 0") == {"lay.color"}
    assert game.refusals("MET: lay 4 M4 0") == {"lay.unconnected"}
    assert game.refusals("MET: lay 9 A10 0") == {"lay.never"}
    assert builder(tiles={}).refusals("MET: lay 4 C12 0") == {"lay.unconnected"}
    assert {choice.split()[2] for choice in builder(tiles={}).menu() if choice.startswith("lay")} == {"C10"}


# ---- red hexes -------------------------------------------------------------------------------------------------------

BOW = {"Q8": "57#0", "Q6": "9#0"}


def north_east(phase: str = "V", **options: str) -> London:
    """Whitechapel and Bow has come to the North East, where Piccadilly, City and North East London stands."""
    return situation(
        tube("PCN", {"Cat": 2}, 100, cash=100),
        tube("WBR", {"Ann": 2}, 90, cash=100, tokens=3),
        tube("MET", {"Bob": 2}, 80, cash=100),
        phase=phase, tiles=BOW, options=options,
    )  # fmt: skip


@pytest.mark.rule("1863:12.67")
def test_r67_no_way_leads_through_a_red_hex() -> None:
    game = north_east()
    found = reach_for(game.title, game.state, CompanyId("WBR"), "lay")
    assert ("c", "Q4", 0) in found
    assert not {"P3", "P5"} & found.hexes
    assert {"Q6", "P3", "P5"} <= reach_for(game.title, game.state, CompanyId("PCN"), "lay").hexes


@pytest.mark.rule("1863:12.68")
def test_r68_the_tile_of_the_north_east_in_phase_v() -> None:
    game = north_east().turn("WBR", waiting="MET")
    assert game.refusals("WBR: token Q4") == {"token.full"}
    assert "lay LU11 Q4 0" in game.accepted()
    assert game.refusals("WBR: lay LU11 Q4 1") == {"lay.rotation"}
    game.do("WBR: lay LU11 Q4 0")
    assert game.money("WBR") == 90
    assert game.markers("PCN") == ["Q4"]
    game.do("WBR: token Q4")
    assert game.markers("WBR") == ["Q4", "Q8"]
    assert "lay.never" in game.refusals("WBR: lay LU11 Q4 0")


@pytest.mark.rule("1863:12.68")
def test_r68_not_before_and_not_without_a_way() -> None:
    assert north_east("IV").turn("WBR").refusals("WBR: lay LU11 Q4 0") == {"lay.color"}
    assert north_east().turn("MET").refusals("MET: lay LU11 Q4 0") == {"lay.unconnected"}
    assert north_east().turn("PCN").refusals("PCN: lay LU11 Q4 0") == set()


# ---- markers ---------------------------------------------------------------------------------------------------------

TO_MARYLEBONE = {"C10": "57#1", "D9": "4#1", "E8": "58#5", "F9": "LU05#0"}


@pytest.mark.rule("1863:5.2", "1863:5.9", "1863:5.10")
def test_one_marker_a_turn_free_of_charge() -> None:
    game = builder(tiles=TO_MARYLEBONE)
    assert "token F9" in game.accepted()
    assert game.refusals("MET: token C10") == {"token.full", "token.same_hex"}
    assert game.refusals("MET: token K2") >= {"token.no_route"}
    game.do("MET: token F9")
    assert (game.markers("MET"), game.money("MET")) == (["C10", "F9"], 500)
    assert "token.one_a_turn" in game.refusals("MET: token H11")


@pytest.mark.rule("1863:5.2", "1863:9.12", "1863:9.22")
def test_the_pirate_takes_a_space() -> None:
    game = builder(tiles=TO_MARYLEBONE, marks={"pirate": ("F9", 0)})
    assert game.refusals("MET: token F9") == {"token.reserved"}


# ---- the last rounds -------------------------------------------------------------------------------------------------


@pytest.mark.rule("1863:11.1", "1863:12.54")
def test_r54_mail_markers_are_markers() -> None:
    game = builder(tiles={"C10": "57#1"}, marks={"final": True}, privates={"RMR": "MET"})
    assert game.refusals("MET: use RMR in C10") == {"use.last_rounds"}
    game = builder(tiles={"C10": "57#1"}, privates={"RMR": "MET"})
    assert game.refusals("MET: use RMR in C10") == set()


R54 = [("no", {"lay.last_rounds"}, {"token.last_rounds"}), ("yes", set(), set())]


@pytest.mark.rule("1863:11.1", "1863:12.54", "1863:11.5")
@pytest.mark.parametrize(("build", "lays", "tokens"), R54)
def test_r54_the_board_stays_as_it_is_in_the_last_rounds(build: str, lays: set[str], tokens: set[str]) -> None:
    game = builder(tiles=TO_MARYLEBONE, marks={"final": True}, options={"last_rounds_build": build})
    assert game.refusals("MET: lay LU05 C10 1") == lays
    assert game.refusals("MET: token F9") == tokens
    assert any(choice.startswith("lay") for choice in game.menu()) is (build == "yes")
