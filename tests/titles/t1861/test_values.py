"""The numbers and lists of 1861, edition by edition: what the rulebook's tables and its board say."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import engine
from engine.core.data import PhaseData
from engine.core.ids import CompanyId, HexId, PhaseName, PrivateId, TileId, TrainName
from engine.core.title import Title
from engine.families.f1867.turn.loans import INTEREST, RECEIVED, VALUE

EDITIONS = ("v2.0", "first", "2020")
MINOR_START_MARKS = ("par_any", "par_minor")
"""Red and brown spaces of the chart."""
PUBLIC_START_MARKS = ("par_any", "par_public")
"""Red and purple ones."""
GRID = """
  .   .   .   . 135 150 165 180 200 220 245 270 300 330 360 400 440 490 540
  .   .   . 110 120 135 150 165 180 200 220 245 270 300 330 360 400 440 490
  .   .  90 100 110 120 135 150 165 180 200 220 245 270 300 330 360 400 440
  .  70  80  90 100 110 120 135 150 165 180 200
 60  65  70  80  90 100 110 120 135 150
 55  60  65  70  80  90 100 110
 50  55  60  65  70  80
 45  50  55  60  65
 40  45  50  55
 35  40  45
"""


@pytest.fixture(params=EDITIONS)
def title(request: pytest.FixtureRequest) -> Title:
    return engine.load_title("1861", request.param)


def phase(title: Title, name: str) -> PhaseData:
    return title.phases[title.phase_index(name)]


@pytest.mark.rule("1.1")
@pytest.mark.parametrize(("edition", "least"), [("v2.0", 3), ("first", 3), ("2020", 2)])
def test_numbers_of_players(edition: str, least: int) -> None:
    assert sorted(engine.load_title("1861", edition).table) == list(range(least, 7))


@pytest.mark.rule("1.1")
def test_the_row_for_two_players() -> None:
    row = engine.load_title("1861", "2020").table[2]
    assert (row.cash, row.certificate_limit, row.holding_percent, row.privates_removed) == (420, 21, 70, 2)
    assert {str(name): n for name, n in row.trains_removed.items()} == {"2": 3, "3": 2, "4": 1, "5": 1, "6": 1, "7": 1}


@pytest.mark.rule("1.2", "1.4", "1.6")
def test_money_and_limits_by_number_of_players(title: Title) -> None:
    rows = {n: (row.cash, row.certificate_limit, row.holding_percent) for n, row in title.table.items() if n > 2}
    assert rows == {3: (420, 21, 60), 4: (315, 16, 60), 5: (252, 13, 60), 6: (210, 11, 60)}


@pytest.mark.rule("1.3")
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_the_bank_holds_what_nobody_else_does(title: Title, players: int) -> None:
    game = engine.Game.start(title, engine.Setup(tuple(f"Player{n}" for n in range(players))))
    assert sum(game.state.cash.values()) == 15_000
    assert game.state.money("Bank") == 15_000 - players * title.table[players].cash


@pytest.mark.rule("1.8")
def test_markers_on_the_map(title: Title) -> None:
    markers = {company.charter.kind: set[int]() for company in title.companies.values()}
    for company in title.companies.values():
        markers[company.charter.kind].add(company.charter.markers)
    assert markers == {"minor": {1}, "public": {3}, "national": {8}}


@pytest.mark.rule("1.10")
def test_certificates(title: Title) -> None:
    for company in title.companies.values():
        found = sorted((k.shares, k.percent, k.director, count) for k, count in company.charter.certificates.values())
        if company.charter.kind == "public":
            assert found == [(1, 10, False, 8), (2, 20, True, 1)], company.id
        elif company.charter.kind == "minor":
            assert [count for *_, count in found] == [1], company.id
        else:
            assert found == [], company.id


@pytest.mark.rule("2.1")
def test_privates(title: Title) -> None:
    poland = {"A9", "A11", "A13", "A15"}
    expected = {
        "TSR": (20, 30, 10, 0, set[str]()),
        "BSS": (30, 45, 15, 10, {"D20"}),
        "MYR": (40, 60, 20, 10, {"H8"}),
        "MRR": (50, 75, 25, 10, {"H8"}),
        "WVR": (60, 90, 30, 10, poland),
    }
    found = {
        str(p.id): (p.minimum, p.face, p.income, p.bonus, {str(h) for h in p.bonus_hexes})
        for p in title.privates.values()
    }
    assert found == expected
    assert list(title.privates) == list(map(PrivateId, expected)), "they are sold in this order"


@pytest.mark.rule("4.1", "4.2")
def test_minors_and_their_homes(title: Title) -> None:
    yuzovka = "Y" if title.edition == "2020" else "D"
    early = {
        "N": "H8", "M-K": "H8", "M-NN": "H8", "K-B": "D14", "K-K": "D14", "SP-W": "E1", "R-O": "B4", "O-K": "D20",
        "K-R": "G15", "M-V": "I13",
    }  # fmt: skip
    late = {"M-B": "E9", yuzovka: "H18", "V": "I19", "T-R": "K17", "S-V": "N10", "E": "Q3"}
    minors = [company for company in title.companies.values() if company.charter.kind == "minor"]
    homes = {str(c.id): (str(c.charter.home[0]) if c.charter.home else None, c.available_from) for c in minors}
    assert homes == {
        **{name: (home, None) for name, home in early.items()},
        **{name: (home, "3") for name, home in late.items()},
    }


@pytest.mark.rule("4.2")
def test_the_minor_of_yuzovka_answers_to_both_names() -> None:
    assert "Y" in engine.load_title("1861", "v2.0").companies[CompanyId("D")].synonyms
    assert "D" in engine.load_title("1861", "2020").companies[CompanyId("Y")].synonyms


def test_public_companies(title: Title) -> None:
    found = {str(c.id) for c in title.companies.values() if c.charter.kind == "public"}
    assert found == {"GRR", "MK", "MKV", "MKN", "MVR", "NW", "SE", "SW"}


@pytest.mark.rule("5.1", "5.2", "5.3", "5.4", "5.5", "5.6", "5.7", "7.2")
def test_phases(title: Title) -> None:
    yellow, green, brown, gray = ("yellow",), ("yellow", "green"), ("yellow", "green", "brown"), ("gray",)
    found = {str(p.name): (p.colors, p.train_limits.get("minor"), p.train_limits.get("public")) for p in title.phases}
    assert {name: (colors, minor) for name, (colors, minor, _) in found.items() if name != "8"} == {
        "2": (yellow, 2),
        "3": (green, 2),
        "4": (green, 1),
        "5": (brown, 1),
        "6": (brown + gray, 1),
        "7": (brown + gray, 1),
    }
    assert found["8"][0] == brown + gray
    assert {name: public for name, (_, _, public) in found.items() if name != "2"} == {
        "3": 4, "4": 3, "5": 3, "6": 2, "7": 2, "8": 2,
    }  # fmt: skip


@pytest.mark.rule("6.6")
def test_loans(title: Title) -> None:
    assert (title.loan, title.loan_value) == (RECEIVED, VALUE) == (45, 50)
    assert INTEREST == VALUE - RECEIVED


@pytest.mark.rule("7.3")
def test_plain_yellow_track_never_runs_out(title: Title) -> None:
    assert {str(t.id) for t in title.map.tiles.values() if t.count is None} == {"7", "8", "9"}


def test_tiles(title: Title) -> None:
    def total(color: str) -> int:
        return sum(t.count or 0 for t in title.map.tiles.values() if t.face.color == color)

    # The rulebook's 70 yellow tiles hold 3 of number 7, 19 of 8 and 24 of 9.
    assert [total(c) for c in ("yellow", "green", "brown", "gray")] == [70 - 3 - 19 - 24, 66, 35, 3]


@pytest.mark.rule("9.5")
@pytest.mark.parametrize(
    ("hexes", "values"),
    [
        (("A9", "A11", "A13", "A15"), (30, 40, 50, 70)),
        (("B18", "B20"), (10, 20, 30, 30)),
        (("I21", "J20", "K21"), (10, 20, 40, 60)),
        (("Q11", "Q13"), (10, 20, 30, 40)),
    ],
)
def test_values_of_the_red_areas(title: Title, hexes: tuple[str, ...], values: tuple[int, ...]) -> None:
    for name in hexes:
        (stop,) = title.map.hexes[HexId(name)].face.offboards
        by_phase = {p: stop.value(phase(title, p).colors[-1]) for p in "2345678"}
        lowest, second, third, highest = values
        assert by_phase == {"2": lowest, "3": second, "4": second, "5": third, "6": highest, "7": highest, "8": highest}


@pytest.mark.rule("9.4")
def test_red_areas_are_four_places(title: Title) -> None:
    groups: dict[str, set[str]] = {}
    for found in title.map.hexes.values():
        for stop in found.face.offboards:
            groups.setdefault(stop.group, set()).add(str(found.id))
    assert sorted(map(sorted, groups.values())) == [
        ["A11", "A13", "A15", "A9"], ["B18", "B20"], ["I21", "J20", "K21"], ["Q11", "Q13"],
    ]  # fmt: skip


@pytest.mark.rule("2.15")
def test_hexes_closed_in_phase_2(title: Title) -> None:
    closed = {str(h.id): h.closed_until for h in title.map.hexes.values() if h.closed_until}
    assert closed == dict.fromkeys(("E3", "H6", "I5", "I9", "J10"), "3")


@pytest.mark.rule("11.1", "16.1", "16.2")
def test_trains(title: Title) -> None:
    special = None if title.edition == "2020" else 2
    expected = {
        "2": (100, 10, None),
        "3": (225, 7, None),
        "4": (350, 4, "2"),
        "5": (550, 4, None),
        "6": (650, 2, "3"),
        "7": (800, 2, None),
        "8": (1000, None, "4"),
        "5+5E": (1500, special, None),
        "2+2": (600, None if title.edition == "2020" else 0, None),
    }
    assert {str(t.name): (t.cost, t.quantity, t.rusts) for t in title.trains.values()} == expected


@pytest.mark.rule("16.1", "16.2")
@pytest.mark.parametrize(
    ("options", "train", "quantity"),
    [
        ({"trains_2_2": "2"}, "2+2", 2),
        ({"trains_2_2": "unlimited"}, "2+2", None),
        ({"trains_5_5e": "unlimited"}, "5+5E", None),
    ],
)
def test_options_of_special_trains(options: dict[str, str], train: str, quantity: int | None) -> None:
    assert engine.load_title("1861", "v2.0", options).trains[TrainName(train)].quantity == quantity


@pytest.mark.rule("9.9")
def test_special_trains_double(title: Title) -> None:
    assert {name: title.trains[TrainName(name)].reach.multiplier for name in ("2", "2+2", "8", "5+5E")} == {
        "2": 1, "2+2": 2, "8": 1, "5+5E": 2,
    }  # fmt: skip
    assert title.trains[TrainName("2+2")].reach.stops == 2


@pytest.mark.rule("17.1")
def test_the_grid(title: Title) -> None:
    expected = {
        (row, column): int(price)
        for row, line in enumerate(GRID.strip("\n").splitlines())
        for column, price in enumerate(line.split())
        if price != "."
    }
    assert title.chart.name == "grid"
    assert dict(title.chart.prices) == expected


@pytest.mark.rule("17.1")
def test_the_column_is_an_option() -> None:
    column = engine.load_title("1861", "v2.0", {"chart": "column"}).chart
    assert column.name == "column"
    assert len({row for row, _ in column.prices}) == 1


def moves(title: Title, kind: str) -> Callable[[int, int, str], tuple[int, int]]:
    """A move on the grid in rows and columns counted from 1, as they are printed."""

    def move(row: int, column: int, direction: str) -> tuple[int, int]:
        assert direction in ("left", "right", "up", "down")
        reached = title.chart.moves[kind][(row - 1, column - 1)][direction]  # type: ignore[index]
        return reached[0] + 1, reached[1] + 1

    return move


@pytest.mark.rule("10.6")
def test_corners_of_the_grid(title: Title) -> None:
    public = moves(title, "public")
    assert public(10, 1, "left") == (10, 1)
    assert public(1, 19, "right") == (1, 19)
    assert public(9, 1, "left") == (10, 1), "left out of the grid is down"
    assert public(3, 19, "right") == (2, 19), "right out of the grid is up"


@pytest.mark.rule("10.2")
def test_a_minor_rises_in_the_seventh_column(title: Title) -> None:
    minor, public = moves(title, "minor"), moves(title, "public")
    assert minor(5, 6, "right") == (5, 7)
    assert minor(5, 7, "right") == (4, 7)
    assert minor(1, 7, "right") == (1, 7)
    assert public(5, 7, "right") == (5, 8)


@pytest.mark.rule("3.16")
def test_rising_from_the_top_row_keeps_the_price(title: Title) -> None:
    public = moves(title, "public")
    assert public(2, 9, "up") == (1, 9)
    assert public(1, 8, "up") == (2, 9)
    assert public(1, 19, "up") == (1, 19)


@pytest.mark.rule("3.6")
def test_a_ledge_does_not_drop(title: Title) -> None:
    public = moves(title, "public")
    assert public(3, 8, "down") == (4, 8)
    assert public(3, 19, "down") == (3, 19)
    assert public(7, 6, "down") == (7, 6)


@pytest.mark.rule("4.7")
@pytest.mark.parametrize(
    ("bid", "price"),
    [
        (100, 50), (105, 50), (110, 55), (115, 55), (120, 60), (125, 60), (130, 65), (135, 65), (140, 70), (155, 70),
        (160, 80), (175, 80), (180, 90), (195, 90), (200, 100), (215, 100), (220, 110), (235, 110), (240, 120),
        (265, 120), (270, 135), (330, 135),
    ],
)  # fmt: skip
def test_price_of_a_minor_by_its_bid(title: Title, bid: int, price: int) -> None:
    cell = title.chart.start_below(bid // 2, *MINOR_START_MARKS)
    assert cell is not None
    assert title.chart.price(cell) == price


@pytest.mark.rule("3.12")
def test_prices_at_which_a_public_company_starts(title: Title) -> None:
    cells = {title.chart.price(c): (c[0] + 1, c[1] + 1) for c in title.chart.cells_marked(*PUBLIC_START_MARKS)}
    assert cells == {
        70: (6, 4), 80: (6, 5), 90: (5, 5), 100: (5, 6), 110: (4, 6), 120: (4, 7), 135: (3, 7), 150: (3, 8),
        165: (2, 8), 180: (2, 9), 200: (1, 9),
    }  # fmt: skip


@pytest.mark.rule("8.4")
@pytest.mark.parametrize(("a", "b", "hexes"), [("Q3", "M7", 4), ("M7", "N10", 2)])
def test_distances_of_the_rulebooks_example(title: Title, a: str, b: str, hexes: int) -> None:
    assert title.map.distance(HexId(a), HexId(b)) == hexes


@pytest.mark.rule("7.14")
@pytest.mark.parametrize(("old", "new"), [("635", "636"), ("637", "638"), ("638", "639"), ("641", "642")])
def test_special_cities_have_tiles_of_their_own(title: Title, old: str, new: str) -> None:
    assert list(title.map.upgrades[TileId(old)]) == [TileId(new)]


def test_every_phase_is_begun_by_a_train(title: Title) -> None:
    assert [PhaseName(str(t)) for t in title.trains][:7] == [p.name for p in title.phases]


@pytest.mark.rule("7.15")
@pytest.mark.parametrize(("apart", "joined"), [("637", "638"), ("635", "636"), ("E1", "641")])
def test_separate_spaces_of_a_city_become_one_at_brown(title: Title, apart: str, joined: str) -> None:
    before = title.map.hexes[HexId(apart)].face if apart == "E1" else title.map.tiles[TileId(apart)].face
    after = title.map.tiles[TileId(joined)].face
    assert after.color == "brown"
    assert len(before.cities) > 1
    assert [city.slots for city in after.cities] == [3]
