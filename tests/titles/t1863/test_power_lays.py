"""Tiles that privates lay: Area Redevelopment and Improvements, the Thames Tunnel, the London Necropolis; and what
Greathead and Fowler change."""

from __future__ import annotations

import pytest

from engine.acts.track_connection import kind_of
from engine.core.events import PrivateUsed
from engine.core.ids import CompanyId, HexId, TileId
from engine.core.orders import Lay
from engine.titles.t1863.privates.track_powers import list_power_lays
from engine.titles.t1863.turn.crossings import crosses, follows_line, on_line, river_crossings
from engine.titles.t1863.turn.track import lay_price
from tests.kit.games.situations_1863 import London, situation, title, tube

MET = CompanyId("MET")


def builder(
    private: str, tiles: str = "C10=57#0", phase: str = "III", owner: str = "MET", cash: int = 500, **more: object
) -> London:
    """The Metropolitan in its turn; its track leads north and south of Paddington."""
    laid = dict(tile.split("=") for tile in tiles.split())
    return situation(
        tube("MET", {"Ann": 5}, 100, cash=cash, markers=str(more.pop("markers", "C10")), tokens=3),
        tube("BAK", "Bob", 50, minor=True, markers="F9"),
        phase=phase, tiles=laid, privates={private: owner}, **more,  # type: ignore[arg-type]
    ).turn("MET", waiting="BAK")  # fmt: skip


def lays(game: London, private: str) -> list[str]:
    return [line for line in game.accepted() if line.endswith(f"with {private}")]


def hexes(game: London, private: str) -> set[str]:
    return {line.split()[2] for line in lays(game, private)}


# ---- whose power it is -----------------------------------------------------------------------------------------------


@pytest.mark.rule("1863:9.1", "1863:9.19")
def test_powers_work_for_the_company_that_owns_the_private() -> None:
    game = builder("AIM", owner="Ann")
    assert game.failures("MET: lay 57 C12 0 with AIM")["power.owner"]["owner"] == "Ann"
    assert not lays(game, "AIM")
    assert "power.none" in game.refusals("MET: lay 4 C12 0 with GRE")


# ---- Greathead and Fowler --------------------------------------------------------------------------------------------


def cost(game: London, hex: str, tile: str) -> int:
    return lay_price(game.title, game.state, MET, Lay(MET, TileId(tile), HexId(hex), 0))


@pytest.mark.rule("1863:9.2", "1863:12.57", "1863:12.50")
def test_t9_greathead_halves_the_printed_price_every_time() -> None:
    assert cost(builder("FOW"), "E6", "4") == 20 + 20
    assert cost(builder("GRE"), "E6", "4") == 20 + 10
    assert cost(builder("GRE"), "J17", "9") == 10 + 20
    assert cost(builder("GRE", owner="Ann"), "J17", "9") == 10 + 40
    assert cost(builder("GRE", "C10=57#0 E6=4#0"), "E6", "410") == 10
    assert cost(builder("GRE"), "C12", "4") == 20


@pytest.mark.rule("1863:12.57")
def test_r57_st_johns_wood_lies_in_e6() -> None:
    assert title().map.hexes[HexId("E6")].name == "St John's Wood"
    assert HexId("E7") not in title().map.hexes


@pytest.mark.rule("1863:9.3")
def test_fowler_lays_and_upgrades_in_any_order() -> None:
    game = builder("FOW")
    game.do("MET: lay 4 C12 0; MET: lay LU05 C10 0")
    again = builder("FOW", "C10=57#0 C12=4#0")
    again.do("MET: lay LU05 C10 0")
    assert again.refusals("MET: lay 410 C12 0") == set()
    without = builder("FOW", "C10=57#0 C12=4#0", owner="Ann")
    without.do("MET: lay LU05 C10 0")
    assert "lay.second" in without.refusals("MET: lay 410 C12 0")


# ---- Area Redevelopment and Area Improvements ------------------------------------------------------------------------


@pytest.mark.rule("1863:9.8")
def test_area_improvements_make_a_major_station_of_a_minor_one() -> None:
    game = builder("AIM")
    assert {"C8", "C12"} == hexes(game, "AIM")
    assert {line.split()[1] for line in lays(game, "AIM")} == {"6", "57"}
    game.do("MET: lay 57 C12 0 with AIM")
    assert kind_of(game.state.board.face(HexId("C12"))) == "city" and game.money("MET") == 470
    assert "power.used" in game.refusals("MET: lay 57 C8 0 with AIM") and not lays(game, "AIM")
    assert game.refusals("MET: lay 4 C8 0") == set()  # it was one of two lays
    assert game.owner("AIM") == "MET"


@pytest.mark.rule("1863:9.8")
@pytest.mark.parametrize(
    ("order", "check"),
    [
        ("lay 57 C10 0 with AIM", "power.hex"),  # a major station already
        ("lay 57 B11 0 with AIM", "power.hex"),  # no station
        ("lay 4 C12 0 with AIM", "power.tile"),
        ("lay LU05 C12 0 with AIM", "power.tile"),
        ("lay 57 G8 0 with AIM", "lay.unconnected"),
        ("lay 57 B19 0 with AIM", "lay.edge"),
    ],
)
def test_what_area_improvements_do_not_lay(order: str, check: str) -> None:
    assert check in builder("AIM").refusals(f"MET: {order}")


@pytest.mark.rule("1863:9.8")
def test_area_redevelopment_lays_plain_track_in_the_place_of_a_major_station() -> None:
    game = builder("ARD", "C10=57#0 C12=4#0 C14=4#0 C16=4#0")
    assert hexes(game, "ARD") == {"C18"}
    game.do("MET: lay 9 C18 0 with ARD")
    face = game.state.board.face(HexId("C18"))
    assert kind_of(face) == "plain" and game.money("MET") == 490
    assert "power.used" in game.refusals("MET: lay 9 F9 0 with ARD")


@pytest.mark.rule("1863:9.8")
def test_area_redevelopment_leaves_alone_where_a_marker_stands() -> None:
    track = "C10=57#0 C12=4#0 C14=4#0 C16=4#0"
    station = situation(
        tube("MET", {"Ann": 5}, 100, cash=500), tube("DIS", "Bob", 50, minor=True), privates={"ARD": "MET"},
        tiles=dict(tile.split("=") for tile in track.split()),
    ).turn("MET", waiting="DIS")  # fmt: skip
    assert "power.marker" in station.refusals("MET: lay 9 C18 0 with ARD")
    pirate = builder("ARD", track, marks={"pirate": (HexId("C18"), 0)})
    assert pirate.refusals("MET: lay 9 C18 0 with ARD") == {"power.marker"} and not lays(pirate, "ARD")
    laid = builder("ARD", f"{track} C18=57#0")
    assert "power.hex" in laid.refusals("MET: lay 9 C18 0 with ARD")


@pytest.mark.rule("1863:9.8")
def test_plain_track_in_a_hex_that_was_to_have_a_letter_is_upgraded_as_plain_track() -> None:
    game = builder("FOW", "C10=57#0 C12=4#0 C14=4#0 C16=4#0 C18=9#0 I6=9#1 H7=4#1 J5=4#1", markers="C10 J7")
    found = {line.split()[1] for line in game.accepted() if line.startswith("lay") and " C18 " in line}
    assert {"23", "24"} <= found  # no letter
    near_euston = situation(
        tube("MET", {"Ann": 5}, 100, cash=500, markers="F9"), tube("BAK", "Bob", 50, minor=True, markers="C10"),
        tiles={"F9": "57#4", "G8": "4#4", "H7": "4#1", "I6": "9#1"},
    ).turn("MET", waiting="BAK")  # fmt: skip
    found = {line.split()[1] for line in near_euston.accepted() if line.startswith("lay") and " I6 " in line}
    assert {"23", "24"} <= found


# ---- the Thames Tunnel -----------------------------------------------------------------------------------------------


def across_river(game: London, line: str) -> bool:
    _, tile, hex, turn, *_ = line.split()
    return crosses(game.title, HexId(hex), game.title.map.tiles[TileId(tile)].face.turned(int(turn)))


@pytest.mark.rule("1863:9.6", "1863:12.50")
def test_the_thames_tunnel_lays_across_the_river_anywhere_and_free() -> None:
    game = builder("THT", cash=10)
    found = title().map.hexes
    assert len(hexes(game, "THT")) > 8 and all(found[HexId(h)].face.terrain for h in hexes(game, "THT"))
    assert all(across_river(game, line) for line in lays(game, "THT"))
    game.do(f"MET: {lays(game, 'THT')[0]}")
    assert game.money("MET") == 10
    assert [(used.private, used.actor) for used in game.told(PrivateUsed)] == [("THT", "MET")]
    game.do(f"MET: {lays(game, 'THT')[-1]}")
    assert not lays(game, "THT")  # within the two lays of a turn
    assert game.owner("THT") == "MET"


@pytest.mark.rule("1863:12.75")
@pytest.mark.parametrize(("ruling", "left"), [("within", False), ("beside", True)])
def test_the_tunnel_uses_the_lays_of_the_turn_or_by_a_ruling_none(ruling: str, left: bool) -> None:
    game = builder("THT", cash=200, options={"tunnel_lays": ruling})
    for which in (0, -1):
        game.do(f"MET: {lays(game, 'THT')[which]}")
    assert any(line.startswith("lay ") for line in game.accepted()) is left
    assert ("lay.most" in game.refusals("MET: lay 8 C12 0")) is not left


@pytest.mark.rule("1863:9.6")
@pytest.mark.parametrize(
    ("order", "check"),
    [
        ("lay 4 C12 0 with THT", "power.crossing"),  # no river
        ("lay 9 J17 0 with THT", "power.crossing"),  # along it
        ("lay 23 J17 0 with THT", "power.yellow"),
    ],
)
def test_what_the_tunnel_does_not_lay(order: str, check: str) -> None:
    assert check in builder("THT", "C10=57#0 J17=9#1").refusals(f"MET: {order}") | builder("THT").refusals(
        f"MET: {order}"
    )


@pytest.mark.rule("1863:9.6", "1863:9.23")
def test_the_tunnel_leaves_the_game_with_the_third_crossing_by_whomever() -> None:
    game = builder("THT", "C10=57#0 J15=9#2 J17=9#1")
    assert len(river_crossings(game.title, game.state)) == 2
    game.do(f"MET: {next(line for line in lays(game, 'THT') if line.split()[2] not in ('J15', 'J17'))}")
    assert len(river_crossings(game.title, game.state)) == 3 and game.owner("THT") is None
    other = builder("THT", "C10=57#0 J15=9#2 J17=9#1 I22=57#0", owner="Bob", markers="I22")
    assert other.owner("THT") == "Bob"
    across = [line for line in other.accepted() if line.startswith("lay") and " I20 " in line]
    other.do(f"MET: {next(line for line in across if across_river(other, line))}")
    assert other.owner("THT") is None


# ---- the London Necropolis -------------------------------------------------------------------------------------------


@pytest.mark.rule("1863:9.5")
def test_the_line_of_the_necropolis() -> None:
    found = title()
    line = {str(hex) for hex in found.map.hexes if on_line(found, hex)}
    assert {"I22", "K14", "J21", "J19", "K18", "K16"} <= line and not line & {"G22", "L15", "J13", "L19"}
    straight = found.map.tiles[TileId("9")].face
    assert [turn for turn in range(3) if follows_line(found, HexId("K18"), straight.turned(turn))] == [0]


@pytest.mark.rule("1863:9.5", "1863:12.50")
def test_the_necropolis_lays_two_yellow_and_two_green_tiles_free_and_besides() -> None:
    game = builder("LNR", cash=10)
    assert hexes(game, "LNR") <= {"K14", "J15", "I16", "K16", "J17", "I18", "K18", "J19", "I20", "K20", "J21", "I22"}
    game.do("MET: lay 9 K18 0 with LNR; MET: lay 4 K16 0 with LNR")
    assert {line.split()[2] for line in lays(game, "LNR")} == {"K18", "K16"}  # no third yellow one
    assert "power.colors" in game.refusals("MET: lay 4 K20 0 with LNR")
    game.do("MET: lay 23 K18 0 with LNR")  # on the yellow one, in the same turn
    game.do(f"MET: {next(line for line in lays(game, 'LNR') if ' K16 ' in line)}")
    assert not lays(game, "LNR") and game.money("MET") == 10
    assert len(game.state.marks["necropolis"]) == 4
    assert game.owner("LNR") == "MET"


@pytest.mark.rule("1863:9.5", "1863:12.74")
@pytest.mark.parametrize(("ruling", "able"), [("bare", True), ("upgrades", False)])
def test_by_a_ruling_four_tiles_of_the_necropolis_connect_nine_elms_to_waterloo(ruling: str, able: bool) -> None:
    """Exactly four hexes lie between I22 and K14: J21, K20, K18 and K16."""
    game = builder("LNR", cash=10, options={"necropolis_green": ruling})
    green = {tile for tile, data in game.title.map.tiles.items() if data.face.color == "green"}
    for hex in ("K18", "K16"):
        if not able:
            assert not any(line.split()[2] == hex and line.split()[1] in green for line in lays(game, "LNR"))
            assert "lay.wrong_step" in game.refusals("MET: lay 23 K18 0 with LNR")
            continue
        game.do("MET: " + next(x for x in lays(game, "LNR") if x.split()[2] == hex and x.split()[1] in green))
    if able:
        for hex in ("J21", "K20"):
            game.do("MET: " + next(x for x in lays(game, "LNR") if x.split()[2] == hex))
        assert game.money("MET") == 10 and not lays(game, "LNR")
        early = builder("LNR", phase="II", options={"necropolis_green": ruling})
        assert "lay.color" in early.refusals("MET: lay 23 K18 0 with LNR")


@pytest.mark.rule("1863:9.5")
def test_the_necropolis_keeps_to_the_colours_of_the_phase_and_to_its_line() -> None:
    game = builder("LNR", "C10=57#0 K18=9#0", phase="II")
    assert "lay.color" in game.refusals("MET: lay 23 K18 0 with LNR")
    assert "power.line" in game.refusals("MET: lay 4 C12 0 with LNR")
    assert "power.line" in game.refusals("MET: lay 4 K16 1 with LNR")  # across the line
    assert game.refusals("MET: lay 4 K16 0 with LNR") == set()
    brown = builder("LNR", "C10=57#0 K18=23#0", phase="IV")
    assert not any(" K18 " in line for line in lays(brown, "LNR"))


@pytest.mark.rule("1863:9.5")
def test_the_necropolis_goes_on_in_later_turns() -> None:
    game = builder(
        "LNR", "C10=57#0 K18=9#0", marks={"necropolis": ((HexId("K18"), TileId("9")), (HexId("K16"), TileId("4")))}
    )
    assert all(" K18 " in line for line in lays(game, "LNR")) and lays(game, "LNR")
    assert [order.hex for order in list_power_lays(game.title, game.state, MET)]
