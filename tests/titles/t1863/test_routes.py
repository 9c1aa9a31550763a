"""Routes of 1863: what trains count, bonuses, mail and toll, and how the routes of a company hang together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from types import MappingProxyType
from typing import Any

import pytest

import engine
from engine.core.ids import CompanyId, HexId, PrivateId, TrainName
from engine.core.orders import Route
from engine.core.setup import Setup, first_state
from engine.core.state import State
from engine.core.title import Title
from engine.routes.legality import RunCheck, check_run
from engine.routes.optimum import best_run
from tests.kit.games.positions import position

SETUP = Setup(("Ann", "Bob", "Cat"), seed="positions")
CURVES = {"plain": ("8", "9"), "town": ("58", "4"), "city": ("6", "57")}
"""Kind of hex -> its yellow tiles with a gentle curve (edges 0 and 2) and a straight (edges 0 and 3)."""
WEST = ("C10", "D9", "E10", "F9", "G10", "H11")
"""Paddington, a minor station, Marylebone, a minor station, Oxford Circus."""
LONG = (
    "K2", "J3", "I4", "H5", "G6", "F7", "E8", "D9", "C10", "C12", "D13", "E12", "F11", "G10", "H9", "I8", "J9",
    "K8", "L7", "M6", "N7", "O8", "P9", "Q10", "Q12", "Q14", "P15", "O16", "N17", "M18", "L19", "K20", "J21", "I22",
)  # fmt: skip
"""From Finsbury Park in the north by Paddington and Whitechapel to Nine Elms in the south, past no other station."""
OUTER = (
    "A10", "B9", "C10", "D9", "E8", "F7", "G6", "H5", "I4", "J3", "K2", "L3", "M4", "N5", "O6", "P7", "Q8", "Q10",
    "Q12", "Q14", "Q16", "Q18", "Q20",
)  # fmt: skip
"""From Acton in the west by Finsbury Park in the north to New Cross in the south-east."""
INNER = (
    "C10", "C12", "C14", "C16", "D17", "E16", "F17", "G18", "H17", "I16", "I14", "J13", "K12", "L11", "L9", "K8", "J9",
    "I8", "H9", "G10", "F9", "E10", "D9", "C10",
)  # fmt: skip
"""Round the white circle, from Paddington by Victoria, Charing Cross and Marylebone."""


def game(**options: str) -> Title:
    return engine.load_title("1863", options=options)


def along(title: Title, hexes: tuple[str, ...]) -> dict[str, str]:
    """Yellow tiles with one track along the hexes; each end gets an exit more, opposite."""
    tiles = {}
    edges = [next(e for e, n in title.map.hexes[HexId(a)].neighbors.items() if n == b) for a, b in pairwise(hexes)]
    for at, hex in enumerate(hexes):
        came = (edges[at - 1] + 3) % 6 if at else (edges[0] + 3) % 6
        goes = edges[at] if at < len(edges) else (came + 3) % 6
        face = title.map.hexes[HexId(hex)].face
        if face.color == "red":
            continue
        curve, straight = CURVES["city" if face.cities else "town" if face.towns else "plain"]
        turn = (goes - came) % 6
        tiles[hex] = f"{straight}#{came % 3}" if turn == 3 else f"{curve}#{came if turn == 2 else goes}"
    return tiles


def where(
    title: Title, tiles: Mapping[str, str], markers: Mapping[str, str], trains: str, phase: str = "III",
    company: str = "MET", owners: Mapping[str, str] = MappingProxyType({}), **marks: Any,
) -> State:  # fmt: skip
    """A position in which the company has the ``trains``; ``markers``: hex -> companies of its first city."""
    standing = {hex: [names.split()] for hex, names in markers.items()}
    state = position(first_state(title, SETUP), title, tiles, standing, phase, (company,))
    owner, owned = CompanyId(company), tuple(map(TrainName, trains.split()))
    companies = {**state.companies, owner: replace(state.companies[owner], trains=owned)}
    held = {PrivateId(p): CompanyId(c) for p, c in owners.items()}
    return replace(state, companies=companies, marks={**state.marks, **marks}, privates={**state.privates, **held})


def run(title: Title, state: State, routes: str, company: str = "MET") -> RunCheck:
    """Judge ``routes``, written as in the notation: ``3T C10-F9-H11, 2T F9-C10``."""
    declared = [route.split() for route in routes.split(", ")]
    named = tuple(Route(TrainName(train), tuple(HexId(h) for h in hexes.split("-"))) for train, hexes in declared)
    return check_run(state.board, title.policies.run_traits(title, state, CompanyId(company)), named)


def checks(title: Title, state: State, routes: str) -> list[str]:
    return [failure.check for failure in run(title, state, routes).failures]


def paddington(title: Title) -> dict[str, str]:
    """T5: Paddington green 30, Marylebone yellow 20, Oxford Circus green 40."""
    return {**along(title, WEST), "C10": "LU05#1", "H11": "LU07#2"}


@pytest.mark.rule("1863:5.3", "1863:5.21")
def test_t5_minor_stations_pay_a_train_and_not_an_express_whose_better_end_counts_twice() -> None:
    title = game()
    state = where(title, paddington(title), {"C10": "MET", "H11": "MET"}, "2+1e 3T")
    assert run(title, state, "3T C10-F9-H11").values == (110,)
    assert run(title, state, "2+1e C10-F9-H11").values == (130,)
    best = best_run(state.board, title.policies.run_traits(title, state, CompanyId("MET")))
    assert (best.value, best.proven) == (130, True)


@pytest.mark.rule("1863:5.3", "1863:5.21")
def test_t6_minor_stations_use_no_stop() -> None:
    title = game()
    acton = {**along(title, ("A10", "B11", "C10")), "C10": "LU05#1"}
    state = where(title, acton, {"C10": "MET"}, "2T")
    assert run(title, state, "2T A10-C10").values == (70,)
    victoria = {**along(title, ("C18", "D17", "E18", "F19", "G18")), "C18": "LU05#1", "G18": "LU07#1"}
    state = where(title, victoria, {"C18": "MET"}, "2T")
    assert run(title, state, "2T C18-G18").values == (90,)
    state = where(title, along(title, ("F9", "G8", "H7", "I6")), {"F9": "MET"}, "2T", "II")
    assert run(title, state, "2T F9-I6").values == (60,)
    assert run(title, state, "2T F9-G8-H7-I6").values == (60,)


@pytest.mark.rule("1863:5.3", "1863:9.11", "1863:12.31", "1863:5.25")
def test_t20_mail_is_paid_besides_the_bonus_from_edge_to_edge() -> None:
    title = game()
    tiles = along(title, LONG)
    hexes = [title.map.hexes[HexId(hex)].face for hex in LONG]
    plain = 20 * sum(bool(face.cities) for face in hexes) + 10 * sum(bool(face.towns) for face in hexes)
    mail: Any = {"mail": (HexId("C10"), HexId("Q10"))}
    owned = where(title, tiles, {"K2": "MET"}, "4T", "IV", owners={"RMR": "MET"}, **mail)
    assert run(title, owned, "4T K2-C10-Q10-I22").values == (plain + 60 + 60,)
    other = where(title, tiles, {"K2": "MET"}, "4T", "IV", owners={"RMR": "BAK"}, **mail)
    assert run(title, other, "4T K2-C10-Q10-I22").values == (plain + 60,)
    one = where(title, tiles, {"K2": "MET"}, "3T", "IV", owners={"RMR": "MET"}, **mail)
    west = 20 * 2 + 10 * sum(bool(title.map.hexes[HexId(hex)].face.towns) for hex in LONG[: LONG.index("C10")])
    assert run(title, one, "3T K2-C10").values == (west + 10,)


@pytest.mark.rule("1863:5.3", "1863:12.31", "1863:5.22", "1863:5.24", "1863:5.26")
def test_the_outer_circle_earns_its_bonus_and_no_other_beside() -> None:
    """From Acton to New Cross is also a way from west to east, for which 60 would be due. Acton counts double."""
    title = game()
    state = where(title, along(title, OUTER), {"Q20": "MET"}, "2+3e", "V")
    found = run(title, state, "2+3e A10-C10-K2-Q8-Q10-Q20")
    assert (found.values, found.failures) == ((60 * 2 + 20 + 3 * 20 + 100,), ())
    best = best_run(state.board, title.policies.run_traits(title, state, CompanyId("MET")))
    assert (best.proven, best.value) == (True, found.total)


@pytest.mark.rule("1863:5.3", "1863:12.31", "1863:5.23")
def test_the_inner_circle_earns_its_bonus_and_no_express_has_it() -> None:
    title = game()
    tiles = {**along(title, INNER), "C10": along(title, (INNER[-2], *INNER[:2]))["C10"]}
    minors = sum(bool(title.map.hexes[HexId(hex)].face.towns) for hex in INNER)
    state = where(title, tiles, {"C10": "MET"}, "4T 2+2e", "IV")
    assert run(title, state, "4T C10-G18-J13-F9-C10").values == (20 * 4 + 10 * minors + 60,)
    assert "run.ends_alike" in checks(title, state, "2+2e C10-G18-J13-F9-C10")


@pytest.mark.rule("1863:5.3", "1863:5.17")
@pytest.mark.parametrize(("holder", "refused"), [("LPTB", ["run.passes_blocked_city"]), ("", [])])
def test_a_marker_of_the_lptb_blocks_and_a_free_space_does_not(holder: str, refused: list[str]) -> None:
    title = game()
    state = where(title, paddington(title), {"C10": "MET", "F9": holder}, "3T", "V")
    assert checks(title, state, "3T C10-F9-H11") == refused


@pytest.mark.rule("1863:5.3", "1863:5.18")
def test_no_track_is_used_twice() -> None:
    title = game()
    state = where(title, paddington(title), {"C10": "MET"}, "3T 3T")
    assert checks(title, state, "3T C10-F9, 3T C10-F9-H11") == ["run.shared_track"]
    assert checks(title, state, "3T C10-F9, 3T F9-H11") == ["run.no_own_marker"]


@pytest.mark.rule("1863:9.11", "1863:9.20")
@pytest.mark.parametrize(("mail", "more"), [(("C10",), 10), (("C10", "H11"), 40), (("H11", "M10"), 10)])
def test_one_route_through_one_mail_marker_or_two(mail: tuple[str, ...], more: int) -> None:
    title = game()
    marks: Any = {"mail": tuple(map(HexId, mail)), "owners": {"RMR": "MET"}}
    state = where(title, paddington(title), {"C10": "MET"}, "3T", "III", **marks)
    assert run(title, state, "3T C10-F9-H11").values == (110 + more,)


@pytest.mark.rule("1863:9.11", "1863:9.20")
def test_a_mail_marker_counts_for_one_of_the_routes() -> None:
    title = game()
    mail: Any = {"mail": (HexId("C10"),), "owners": {"RMR": "MET"}}
    tiles = along(title, LONG)
    state = where(title, tiles, {"C10": "MET"}, "3T 3T", "IV", **mail)
    alone = sum(sum(run(title, state, route).values) for route in ("3T K2-C10", "3T C10-Q10"))
    both = run(title, state, "3T K2-C10, 3T C10-Q10")
    assert both.total == alone - 10
    best = best_run(state.board, title.policies.run_traits(title, state, CompanyId("MET")))
    assert best.proven
    assert best.value == run(title, state, ", ".join(f"{r.train} {'-'.join(r.hexes)}" for r in best.routes)).total


@pytest.mark.rule("1863:9.12")
def test_t21_each_route_that_calls_or_passes_pays_the_pirate() -> None:
    title = game()
    tiles = {**along(title, (*WEST, "I12", "J13")), "C10": "LU05#1", "H11": "LU07#2"}
    markers = {"C10": "MET", "J13": "MET"}
    pirate: Any = {"pirate": (HexId("H11"), 0)}
    free = where(title, tiles, markers, "2+1e 4T")
    rival = where(title, tiles, markers, "2+1e 4T", owners={"CHO": "BAK"}, **pirate)
    own = where(title, tiles, markers, "2+1e 4T", owners={"CHO": "MET"}, **pirate)
    for route in ("4T C10-F9-H11-J13", "2+1e C10-F9-H11-J13"):
        earned = run(title, free, route).total
        assert earned > 0
        assert run(title, rival, route).total == earned - 5
        assert run(title, own, route).total == earned
    assert run(title, rival, "4T C10-F9").total == run(title, free, "4T C10-F9").total


@pytest.mark.rule("1863:5.3", "1863:12.30", "1863:5.16", "1863:5.19")
@pytest.mark.parametrize(
    ("markers", "route", "refused"),
    [
        ({"C10": "MET", "H11": "MET"}, "2+1e C10-F9-H11", []),
        ({"C10": "MET"}, "2+1e C10-F9-H11", ["run.end_not_held"]),
        ({"F9": "MET"}, "2+1e C10-F9-H11", ["run.end_not_held"]),
        ({"F9": "MET"}, "3T C10-F9-H11", []),
        ({"F9": "BAK", "C10": "MET"}, "3T C10-F9-H11", ["run.passes_blocked_city"]),
        ({"F9": "BAK", "C10": "MET"}, "3T C10-F9", []),
        ({"F9": "BAK"}, "3T C10-F9", ["run.no_own_marker"]),
        ({"C10": "MET"}, "2T C10-F9-H11", ["run.too_long"]),
        ({"C10": "MET"}, "3T C10-D9", ["run.end_no_station", "run.two_stations"]),
    ],
)
def test_what_a_route_needs(markers: dict[str, str], route: str, refused: list[str]) -> None:
    title = game()
    state = where(title, paddington(title), markers, "2T 2+1e 3T", "IV")
    assert checks(title, state, route) == refused


@pytest.mark.rule("1863:5.3", "1863:12.30", "1863:5.22")
@pytest.mark.parametrize(("ruling", "refused"), [("held", ["run.end_not_held"]), ("open", [])])
def test_r30_the_ends_of_an_express(ruling: str, refused: list[str]) -> None:
    title = game(express_ends=ruling)
    state = where(title, paddington(title), {"F9": "MET"}, "2+1e")
    assert checks(title, state, "2+1e C10-F9-H11") == refused


@pytest.mark.rule("1863:12.30")
def test_by_a_ruling_an_express_needs_no_marker_at_its_ends() -> None:
    title = game(express_ends="open")
    state = where(title, paddington(title), {"F9": "MET"}, "2+1e")
    assert run(title, state, "2+1e C10-F9-H11").values == (130,)
    filled = where(title, {**along(title, WEST)}, {"F9": "MET", "C10": "BAK"}, "2+1e")
    assert checks(title, filled, "2+1e C10-F9-H11") == ["run.end_not_held"]
    best = best_run(filled.board, title.policies.run_traits(title, filled, CompanyId("MET")))
    assert (best.value, best.proven) == (20 + 20 + 20, True)


@pytest.mark.rule("1863:12.67")
def test_a_red_hex_is_an_end_only() -> None:
    title = game()
    tiles = {**along(title, ("A10", "B11", "C10")), "B9": "58#5", "C10": "LU05#5"}
    state = where(title, tiles, {"C10": "MET"}, "3T")
    assert run(title, state, "3T C10-A10").total == 70
    assert run(title, state, "3T C10-B9-A10").total == 80
    assert checks(title, state, "3T C10-B11-A10-B9-C10") == ["run.through_offboard"]


@pytest.mark.rule("1863:5.3", "1863:12.29", "1863:5.20")
def test_a_route_may_end_where_it_began_and_counts_that_once() -> None:
    title = game()
    tiles = along(title, ("F9", "G10", "G12", "F13", "E12", "D11", "C10", "D9", "E8", "F9"))
    tiles["C10"] = "LU09#1"
    minors = sum(bool(title.map.hexes[HexId(hex)].face.towns) for hex in tiles)
    state = where(title, tiles, {"C10": "MET"}, "2T")
    closed = run(title, state, "2T C10-F9-C10")
    assert closed.values == (30 + 20 + 10 * minors,), closed.failures
    assert run(title, state, "2T F9-C10-F9").values == closed.values
    best = best_run(state.board, title.policies.run_traits(title, state, CompanyId("MET")))
    assert (best.value, best.proven) == (closed.total, True)
    state = where(title, tiles, {"C10": "MET"}, "2+1e", "III")
    assert "run.ends_alike" in checks(title, state, "2+1e C10-F9-C10")


@pytest.mark.rule("1863:5.3", "1863:12.28", "1863:5.15")
def test_all_routes_of_a_company_hang_together() -> None:
    title = game()
    east = along(title, ("Q10", "P11", "O10"))
    tiles = {**along(title, WEST), **east}
    state = where(title, tiles, {"C10": "MET", "F9": "MET", "Q10": "MET"}, "2T 2T 2T")
    apart = run(title, state, "2T Q10-O10, 2T C10-F9, 2T F9-H11").failures
    assert [f.check for f in apart] == ["run.not_joined"]
    assert set(apart[0].facts["route"]) >= {"Q10", "O10"}  # type: ignore[arg-type]
    assert run(title, state, "2T C10-F9, 2T F9-H11").failures == ()
    best = best_run(state.board, title.policies.run_traits(title, state, CompanyId("MET")))
    assert (best.value, best.proven) == (run(title, state, "2T C10-F9, 2T F9-H11").total, True)


@pytest.mark.rule("1863:12.28")
def test_by_a_ruling_every_two_routes_share_a_station() -> None:
    tiles_of = (*WEST, "I12", "J13")
    for ruling, refused in (("connected", []), ("pairs", ["run.not_joined"])):
        title = game(intersecting=ruling)
        state = where(title, along(title, tiles_of), {"C10": "MET", "H11": "MET"}, "2T 2T 2T")
        assert checks(title, state, "2T C10-F9, 2T F9-H11, 2T H11-J13") == refused
        best = best_run(state.board, title.policies.run_traits(title, state, CompanyId("MET")))
        again = run(title, state, ", ".join(f"{r.train} {'-'.join(r.hexes)}" for r in best.routes))
        assert (again.failures, again.total, best.proven) == ((), best.value, True)
        assert len(best.routes) == (3 if ruling == "connected" else 2)
