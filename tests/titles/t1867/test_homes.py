"""First markers in 1867: homes of minors, places of public companies, and maps on which none is left.

Numbers in docstrings are rows and situations of the rule sheet."""

from __future__ import annotations

import pytest

from tests.kit.games.course_1867 import SPACES, begun, places, stock
from tests.kit.games.situations import Described, Played, company

CITIES = ["C17", "D8", "D16", "E13", "E15", "E17", "F8", "G15", "I15", "J12", "M9", "N12", "O7"]


def homes(game: Played, minor: str = "CA") -> list[str]:
    """Hexes in which the menu opens the auction of ``minor``, as often as there are places."""
    lines = [line for line in game.menu() if line.startswith(f"open {minor} ")]
    return sorted(line.rsplit(" in ", 1)[1].partition("/")[0] for line in lines)


def starts(game: Played, name: str = "GWR") -> set[str]:
    """Hexes in which the menu starts ``name`` at 70."""
    lines = [line for line in game.menu() if line.startswith(f"start {name} at 70 ")]
    return {line.rsplit(" in ", 1)[1].partition("/")[0] for line in lines}


def standing(markers: str) -> Described:
    """A company of Cat's with markers in ``markers``, as many as wanted."""
    return company("ICR", {"Cat": 2}, at=SPACES[100], markers=markers, trains="5")


FULL = " ".join([*CITIES, "D2"])
"""Every city but Toronto and Montreal."""


# ---- minors ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("4.8", "4.11", "4.4")
def test_the_home_is_named_before_anybody_may_bid() -> None:
    """Row 4.4, situation 1."""
    game = begun()
    while game.asked[0].split()[1].startswith("auction."):
        game.do(f"{game.asked[0].split()[0]}: {game.menu()[0] if 'open' in game.asked[0] else 'drop'}")
    opener = game.asked[0].split()[0]
    assert homes(game) == sorted([*CITIES, "F16", "L12", "L12"])
    assert game.refusals(f"{opener}: open CA 100") == {"open.home_missing"}
    game.do(f"{opener}: open CA 100 in M9")
    assert game.refusals(f"{game.asked[0].split()[0]}: bid 104") == {"bid.too_low", "bid.step"}
    assert "bid 105" in game.menu()
    for _ in range(2):
        game.do(f"{game.asked[0].split()[0]}: drop")
    assert (game.money("CA"), game.price("CA"), game.markers("CA")) == (100, "50 r1c4", ["M9"])


@pytest.mark.rule("4.8")
def test_the_home_stays_when_another_player_wins() -> None:
    """Row 4.4."""
    game = stock(phase="2", cash={"Ann": 200, "Bob": 200, "Cat": 0})
    game.do("Ann: open CA 100 in F16\nBob: bid 105\nAnn: drop")
    assert (game.director("CA"), places(game, "CA")) == ("Bob", ["F16/1"]), "the city without CN"


@pytest.mark.rule("4.11", "1.13", "5.1", "5.2")
@pytest.mark.parametrize(
    ("phase", "more"),
    [("2", []), ("3", ["D2", "L12"]), ("4", ["D2", "L12"])],
)
def test_neutral_markers_close_two_cities_until_phase_3(phase: str, more: list[str]) -> None:
    """Rows 4.5, 1.10, 5.2: 16 places in 15 hexes, then Timmins and the third city of Montreal too."""
    found = homes(stock(phase=phase, cash={"Ann": 100}))
    assert found == sorted([*CITIES, "F16", "L12", "L12", *more])


@pytest.mark.rule("4.11")
@pytest.mark.parametrize(
    ("markers", "tiles", "order", "refused"),
    [
        ("M9", {}, "M9", True),
        ("M9", {"M9": "14#0"}, "M9", True),  # a free circle beside a marker is no home
        ("C17", {"M9": "57#0", "M7": "9#0", "M11": "9#0"}, "M9", False),  # joined: allowed
        ("L12/0", {}, "L12/SW", True),
        ("L12/0", {}, "L12/N", False),
        ("L12/0", {"L12": "X5#0"}, "L12/SW", False),  # brown Montreal: one city is empty, so every free circle is open
        ("C17", {"F16": "122#1"}, "F16/SW", False),  # beside CN, the other city being empty
        ("F16/1", {"F16": "122#1"}, "F16/NE", True),  # no city of the hex is empty
    ],
)
def test_an_empty_city_makes_a_home(markers: str, tiles: dict[str, str], order: str, refused: bool) -> None:
    """Row 4.5, fault 3 as the site plays it."""
    game = stock(standing(markers), phase="4", cash={"Ann": 100}, tiles=tiles)
    assert game.refusals(f"Ann: open CA 100 in {order}") == ({"open.home"} if refused else set())


@pytest.mark.rule("4.11")
@pytest.mark.parametrize(("order", "refused"), [("F16/NE", set()), ("F16/SW", set()), ("M9", {"open.home"})])
def test_by_an_option_any_free_circle_of_the_two_capitals_is_a_home(order: str, refused: set[str]) -> None:
    """Fault 3, the page of rules: Toronto and Montreal, elsewhere a city without a marker."""
    game = stock(standing("F16/1 M9"), phase="4", cash={"Ann": 100}, tiles={"F16": "122#1", "M9": "14#0"},
                 options={"homes": "free_circle"})  # fmt: skip
    assert game.refusals(f"Ann: open CA 100 in {order}") == refused


@pytest.mark.rule("4.11", "4.8")
def test_no_home_is_left_anywhere() -> None:
    """Fault 2: every city of the map holds a marker; no minor can be offered, and the player may still pass."""
    game = stock(standing(f"{FULL} F16/1 L12/0 L12/1 L12/2"), phase="4", cash={"Ann": 400})
    assert {line.split()[0] for line in game.menu()} == {"buy", "pass"}
    assert game.refusals("Ann: open CA 100 in M9") == {"open.no_home"}
    assert game.refusals("Ann: open CA 100") == {"open.no_home"}


@pytest.mark.rule("4.1", "4.2")
@pytest.mark.parametrize(("phase", "later"), [("2", {"open.too_early"}), ("3", set()), ("4", set())])
def test_ten_minors_from_the_start_in_any_order_and_six_from_phase_3(phase: str, later: set[str]) -> None:
    """Rows 2.9, 4.1, 4.2."""
    game = stock(phase=phase, cash={"Ann": 100})
    for name in ("BO", "CS", "CV", "KP", "OP", "TN", "AE", "CA", "NO", "PM"):
        assert not game.refusals(f"Ann: open {name} 100 in M9"), name
    for name in ("BBG", "LPS", "QLS", "SLA", "TGB", "THB"):
        assert game.refusals(f"Ann: open {name} 100 in M9") == later, name


@pytest.mark.rule("4.3", "5.4")
def test_no_minor_from_phase_5_on() -> None:
    """Row 4.3."""
    assert stock(standing("M9"), phase="5", cash={"Ann": 100}).refusals("Ann: open CA 100 in N12") == {"open.too_late"}


# ---- public companies -----------------------------------------------------------------------------------------------


@pytest.mark.rule("3.13", "3.11")
@pytest.mark.parametrize(
    ("markers", "more"), [(None, {"D2", "L12"}), ("L12/0", {"D2"}), ("L12/1", {"D2"}), ("D2", {"L12"})]
)
def test_places_on_an_untouched_map(markers: str | None, more: set[str]) -> None:
    """Rows 3.5, 3.6: Montreal only while all its cities are empty; Toronto never."""
    game = stock(*([standing(markers)] if markers else []), phase="4", cash={"Ann": 140})
    assert starts(game) == {*CITIES, *more}
    assert game.refusals("Ann: start GWR at 70 in F16/NE") == {"start.occupied"}
    assert game.refusals("Ann: start GWR at 70") == {"start.space"}, "the place is named at once"


@pytest.mark.rule("3.13")
@pytest.mark.parametrize(
    "tiles",
    [
        {"C17": "5#1", "B18": "58#2"},  # to a town
        {"O7": "201#5", "O9": "8#1"},  # to an off-board area
        {"E15": "57#0", "E13": "57#0"},  # to a city
    ],
)
def test_a_joined_hex_is_closed_while_another_is_not(tiles: dict[str, str]) -> None:
    """Row 3.5: off-board areas join too."""
    hex = next(iter(tiles))
    game = stock(phase="4", cash={"Ann": 140}, tiles=tiles)
    assert hex not in starts(game)
    assert game.refusals(f"Ann: start GWR at 70 in {hex}") == {"start.connected"}


JOINED = {"E15": "57#0", "E13": "57#0"}


@pytest.mark.rule("3.13")
def test_joined_hexes_open_when_no_other_is_left() -> None:
    """Row 3.5: the only hexes without markers are the joined ones; a second circle beside a marker stays closed."""
    rest = " ".join(h for h in (*CITIES, "D2", "L12/0") if h not in JOINED)
    game = stock(standing(rest), phase="4", cash={"Ann": 140}, tiles={**JOINED, "M9": "14#0"})
    assert starts(game) == {"E13", "E15"}
    assert game.refusals("Ann: start GWR at 70 in M9") == {"start.occupied"}
    assert game.refusals("Ann: start GWR at 70 in F16/NE") == {"start.occupied"}, "Toronto never"
    game.do("Ann: start GWR at 70 in E15")
    assert game.markers("GWR") == ["E15"]


@pytest.mark.rule("3.13")
def test_without_a_place_no_company_is_started() -> None:
    """Row 3.5, fault 2: no hex without a marker is left, so a par is refused instead of asking for no place."""
    game = stock(standing(f"{FULL} L12/0"), phase="5", cash={"Ann": 400}, tiles={"M9": "14#0", "F16": "122#1"})
    assert {line.split()[0] for line in game.menu()} == {"buy", "pass"}
    for hex in (*CITIES, "F16/SW", "F16/NE", "L12/N"):
        assert "start.occupied" in game.refusals(f"Ann: start GWR at 70 in {hex}"), hex


@pytest.mark.rule("3.13", "8.2", "1.13")
def test_no_circle_is_kept_for_a_minor_that_has_not_started() -> None:
    """Row 3.7: a company may fill the last circle of any city though all minors are still to come."""
    game = stock(phase="4", cash={"Ann": 140})
    policies = game.title.policies
    assert not [hex for hex in game.title.map.hexes if policies.reserved(game.title, game.state, hex, "GWR")]  # type: ignore[arg-type]


@pytest.mark.rule("4.8", "4.11")
@pytest.mark.parametrize("place", ["E13/3", "J12/2", "F16/3", "E13/7"])
def test_a_city_that_is_not_there_is_no_home(place: str) -> None:
    """A number is a city of the hex, and no other will do in its place."""
    game = stock(phase="3", cash={"Ann": 200})
    who = game.asked[0].split()[0]
    assert game.refusals(f"{who}: open CA 100 in {place}") == {"token.no_space"}
