"""Tunnels of 1844: certificates, where they can be built, what they cost, and the Furka-Oberalp track beside them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from engine.core.events import OverlayLaid, Paid
from tests.kit.games.situations_1844 import EDITIONS, Swiss, situation, swiss

both = pytest.mark.parametrize("edition", EDITIONS)

TO_J9 = {"I6": "57#1", "I8": "8#5"}
"""Montreux to the mouth NW of J9."""
J9_PAIRS = ("SW-NW", "SW-NE", "SW-E", "W-NE", "W-E", "W-SE", "NW-E", "NW-SE", "NE-SE")


def building(
    name: str = "MOB",
    tiles: Mapping[str, str] = TO_J9,
    *,
    cash: int = 500,
    privates: Mapping[str, str] | None = None,
    markers: str | None = None,
    **rest: Any,
) -> Swiss:
    """Bob's company in its turn; Bob has T1 and T2, Cat has T3."""
    shares = {"MOB": 5, "BLS": 5, "RhB": 5, "JN": 3}.get(name, 2)
    company = swiss(name, {"Bob": shares}, cash=cash, par=100, markers=markers)
    papers = privates or {"T1": "Bob", "T2": "Bob", "T3": "Cat"}
    return situation(company, tiles=tiles, privates=papers, **{"phase": "1", **rest}).turn(name)


def listed(game: Swiss) -> list[str]:
    return [line for line in game.accepted() if line.startswith("tunnel ")]


# ---- certificates ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("1844:6.17", "1844:6.19")
@both
@pytest.mark.parametrize("phase", ["1", "3", "7"])
def test_a_tunnel_is_built_with_a_certificate_of_the_director_in_any_phase(edition: str, phase: str) -> None:
    game = building(edition=edition, phase=phase)
    assert listed(game) == ["tunnel J9 SW-NW", "tunnel J9 NW-E", "tunnel J9 NW-SE"]
    game.do("MOB: tunnel J9 NW-SE with T2")
    assert [(e.payer, e.payee, e.amount, e.about) for e in game.told(Paid)] == [("MOB", "Bank", 100, "J9")]
    assert [(e.hex, e.tile, e.rotation) for e in game.told(OverlayLaid)] == [("J9", "X79", 2)]
    assert game.state.privates["T2"] == "Bob"  # type: ignore[index]
    assert game.failures("MOB: tunnel H27 NW-SE with T2")["tunnel.certificate"] == {
        "certificate": "T2",
        "unused": ("T1",),
    }


@pytest.mark.rule("1844:6.17")
@both
def test_before_and_after_the_tile_with_as_many_as_the_director_has(edition: str) -> None:
    """Through J9 to Sion, a tile beyond it, and through K14 to Milano."""
    game = building(edition=edition, tiles={**TO_J9, "K10": "6#2"})
    assert game.refusals("MOB: tunnel K14 W-SE") == {"tunnel.unconnected"}
    game.do("MOB: tunnel J9 NW-SE; lay 9 K12 1; tunnel K14 W-SE")
    assert game.state.marks["tunnels"] == {"T1": "J9", "T2": "K14"}
    assert game.money("MOB") == 500 - 100 - 60 - 100
    assert game.failures("MOB: tunnel I12 NW-SE")["tunnel.no_certificate"] == {"company": "MOB"}


@pytest.mark.rule("1844:6.17")
@both
@pytest.mark.parametrize(
    ("privates", "order", "facts"),
    [
        ({"T3": "Cat"}, "tunnel J9 NW-SE", {"tunnel.no_certificate": {"company": "MOB"}}),
        ({"T3": "Cat"}, "tunnel J9 NW-SE with T3", {"tunnel.no_certificate": {"company": "MOB"}}),
        (
            {"T1": "Bob", "T3": "Cat"},
            "tunnel J9 NW-SE with T3",
            {"tunnel.certificate": {"certificate": "T3", "unused": ("T1",)}},
        ),
    ],
)
def test_certificates_of_others_do_not_help(
    edition: str, privates: Mapping[str, str], order: str, facts: dict[str, dict[str, Any]]
) -> None:
    game = building(edition=edition, privates=privates)
    assert game.failures(f"MOB: {order}") == facts
    assert listed(game) == ([] if "T1" not in privates else [f"tunnel J9 {p}" for p in J9_PAIRS if "NW" in p])


@pytest.mark.rule("1844:6.17")
@both
def test_a_certificate_is_used_once(edition: str) -> None:
    tunnels = {"T1": "J9 X79 2"}
    game = building(edition=edition, tunnels=tunnels, privates={"T1": "Bob"})
    assert game.failures("MOB: tunnel H19 NW-SE")["tunnel.no_certificate"] == {"company": "MOB"}
    assert listed(game) == []


# ---- where ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1844:6.18")
@both
def test_tunnels_are_built_in_tunnel_hexes_only_and_one_in_each(edition: str) -> None:
    game = building(edition=edition)
    hexes = ("J9", "I12", "K14", "I16", "H17", "H19", "H21", "H23", "H27")
    assert game.failures("MOB: tunnel I8 W-E") == {"tunnel.hex": {"hex": "I8", "hexes": hexes}}
    game.do("MOB: tunnel J9 NW-SE")
    assert game.failures("MOB: tunnel J9 W-NE") == {"tunnel.taken": {"hex": "J9"}}


@pytest.mark.rule("1844:6.18")
@both
@pytest.mark.parametrize(
    ("hex", "pairs"),
    [
        ("J9", J9_PAIRS),
        ("H27", J9_PAIRS),
        ("I12", ("NW-SE", "NE-SE")),
        ("K14", ("W-SE", "NW-SE")),
        ("I16", ("SW-NW", "NW-SE")),
        ("H17", ("W-NE", "W-SE", "NW-SE", "NE-SE")),
        ("H19", ("NW-SE", "NE-SE")),
        ("H21", ("SW-NE", "NE-SE")),
        ("H23", ("SW-NW", "SW-NE", "SW-E", "NW-E", "NW-SE", "NE-SE")),
    ],
)
def test_the_mouths_that_a_tunnel_can_join(edition: str, hex: str, pairs: tuple[str, ...]) -> None:
    game = building(edition=edition)
    found = game.failures(f"MOB: tunnel {hex} W-NW")["tunnel.mouths"]
    assert sorted(found["mouths"]) == sorted(pairs) and found["edges"] == ("W", "NW")
    edges = ("SW", "W", "NW", "NE", "E", "SE")
    for i, one in enumerate(edges):
        for other in edges[i + 1 :]:
            refused = "tunnel.mouths" in game.refusals(f"MOB: tunnel {hex} {one}-{other}")
            assert refused is (f"{one}-{other}" not in pairs), f"{one}-{other}"


@pytest.mark.rule("1844:6.20")
@both
@pytest.mark.parametrize(
    ("hex", "pairs"),
    [
        ("I16", ("SW-NW",)),
        ("H17", ("W-NE", "W-SE", "NW-SE", "NE-SE")),
        ("H19", ("NW-SE", "NE-SE")),
        ("H21", ("SW-NE", "NE-SE")),
        ("H23", ("SW-NW", "SW-NE", "NW-SE", "NE-SE")),
    ],
)
def test_a_tunnel_shares_a_hex_with_the_furka_track_but_none_of_its_edges(
    edition: str, hex: str, pairs: tuple[str, ...]
) -> None:
    found = building(edition=edition, furka=True).failures(f"MOB: tunnel {hex} W-NW")
    assert sorted(found["tunnel.mouths"]["mouths"]) == sorted(pairs)


@pytest.mark.rule("1844:6.20")
@both
def test_a_tunnel_and_the_furka_track_do_not_touch(edition: str) -> None:
    """GB comes to H19 from Altdorf; the tunnel leads to I20, the Furka track beside it stays out of reach."""
    game = building("GB", {"G18": "57#1"}, edition=edition, furka=True)
    assert listed(game) == ["tunnel H19 NE-SE"]
    game.do("GB: tunnel H19 NE-SE")
    hexes = {line.split()[2] for line in game.menu() if line.startswith("lay ")}
    assert "I20" in hexes and "H25" not in hexes


@pytest.mark.rule("1844:6.20")
@both
@pytest.mark.parametrize("ruling", ["no", "yes"])
def test_by_a_ruling_a_tunnel_leads_into_the_furka_track(edition: str, ruling: str) -> None:
    """MOB comes from Sion by way of Brig to the mouth SE of I16, from which the Furka track leads to Andermatt."""
    tiles = {"I6": "57#1", "K10": "57#1", "K12": "8#1", "J15": "9#1"}
    options, shared = {"shared_mouths": ruling}, ruling == "yes"
    game = building("MOB", tiles, edition=edition, options=options, markers="K10", furka=True)
    assert ("tunnel I16 NW-SE" in listed(game)) is shared
    found = game.failures("MOB: tunnel H23 W-NW")["tunnel.mouths"]["mouths"]
    assert ("SW-E" in found, "NW-E" in found) == (shared, shared)
    if not shared:
        assert game.refusals("MOB: tunnel I16 NW-SE") == {"tunnel.mouths"}
        return
    game.do("MOB: tunnel I16 NW-SE")
    assert any(line.startswith("lay ") and " H15 " in line for line in game.menu())


# ---- money and connection -------------------------------------------------------------------------------------------


@pytest.mark.rule("1844:6.19")
@both
def test_a_tunnel_costs_100_from_the_treasury(edition: str) -> None:
    game = building(edition=edition, cash=99)
    assert game.failures("MOB: tunnel J9 NW-SE") == {"tunnel.money": {"cost": 100, "cash": 99}}
    assert listed(game) == []
    game = building(edition=edition, cash=100)
    game.do("MOB: tunnel J9 NW-SE")
    assert game.money("MOB") == 0


@pytest.mark.rule("1844:6.19")
@both
def test_a_tunnel_is_joined_to_a_marker_at_one_of_its_mouths(edition: str) -> None:
    facts = {"hex": "J9", "edges": ("W", "E"), "company": "MOB"}
    assert building(edition=edition).failures("MOB: tunnel J9 W-E") == {"tunnel.unconnected": facts}
    far = building(edition=edition, tiles={"I6": "57#1"})
    assert set(far.failures("MOB: tunnel J9 NW-SE")) == {"tunnel.unconnected"} and listed(far) == []


@pytest.mark.rule("1844:6.19")
@both
def test_the_connection_may_not_lead_through_a_blocked_city(edition: str) -> None:
    """Beyond the tunnel of J9 lies Sion, with one circle."""
    mob, vz = swiss("MOB", {"Bob": 5}, cash=500, par=100), swiss("VZ", {"Cat": 3})
    tiles = {**TO_J9, "K10": "6#2", "K12": "9#1"}
    for others, refused in (((), set()), ((vz,), {"tunnel.unconnected"})):
        game = situation(
            mob, *others, edition=edition, tiles=tiles,
            privates={"T1": "Bob", "T2": "Cat"}, tunnels={"T2": "J9 X79 2"},
        ).turn("MOB")  # fmt: skip
        assert game.refusals("MOB: tunnel K14 W-SE") == refused
        assert listed(game) == ([] if refused else ["tunnel K14 W-SE"])
