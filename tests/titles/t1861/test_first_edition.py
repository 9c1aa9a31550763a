"""1861 in its first edition: the worked examples of its rulebook with their own numbers, and where it is played
otherwise than version 2.0. Sections in the names of groups are that rulebook's."""

from __future__ import annotations

import pytest

from engine.core.events import Ran, RoundBegan, TurnBegan
from engine.core.ids import CompanyId, PlayerId
from engine.holders.ledger import counted
from tests.kit.games.course_1861 import (
    NETWORK,
    minor,
    operating_turn,
    stock,
    to_the_end,
    whole_round,
)
from tests.kit.games.situations import Described, Played, company, fresh, load, situation

FIRST = "first"
FOUR = "Ann Bob Cat Dan"


WAITING = minor("M-V", "Cat", trains="5")
"""A minor of somebody who will be asked afterwards."""


def public(name: str, at: str = "r5c6", **rest: object) -> Described:
    given: dict[str, object] = {"markers": "", "trains": "5", **rest}
    return company(name, {"Ann": 2, "Bob": 2}, at=at, **given)  # type: ignore[arg-type]


def rounds(game: Played) -> list[str]:
    return [str(e.round) for e in game.told(RoundBegan)]


# ---- 2: companies and money -----------------------------------------------------------------------------------------


@pytest.mark.rule("1.1", "1.2", "1.3", "1.8", "1.10")
def test_what_is_in_the_box() -> None:
    title = load("1861", FIRST)
    kinds = [c.charter.kind for c in title.companies.values()]
    assert (kinds.count("minor"), kinds.count("public"), len(title.privates), title.bank) == (16, 8, 5, 15_000)
    markers = {c.charter.kind: c.charter.markers for c in title.companies.values()}
    assert (markers["minor"], markers["public"], title.companies[CompanyId("RSR")].charter.markers) == (1, 3, 8)
    tiles = {"yellow": 70, "green": 66, "brown": 35, "gray": 3}
    for color, there in tiles.items():
        found = [t for t in title.map.tiles.values() if t.face.color == color and t.count is not None]
        unlimited = {"7": 3, "8": 19, "9": 24} if color == "yellow" else {}
        assert sum(t.count or 0 for t in found) + sum(unlimited.values()) == there, color


@pytest.mark.rule("4.2")
@pytest.mark.parametrize("edition", [FIRST, "v2.0"])
def test_companies_by_the_names_of_the_first_edition(edition: str) -> None:
    game = stock(edition=edition, cash={"Bob": 400}, phase="4")
    game.do("Bob: start GR at 100 in F18")
    assert game.director("GRR") == "Bob"
    assert game.refusals("Bob: open StP-W 100") == set()


# ---- 5.1: selling ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("3.8", "3.5")
def test_a_director_of_50_percent_sells_30_beside_a_holder_of_30() -> None:
    game = stock(company("MVR", {"Ann": 5, "Bob": 3}, at="r3c8", markers=""), player="Ann", edition=FIRST)
    game.do("Ann: sell 3 MVR")
    assert game.shares("MVR") == {"Ann": 2, "Bob": 3, "Pool": 3, "Treasury": 2}
    assert game.director("MVR") == "Bob"
    assert [counted(game.title, game.state, PlayerId(p)) for p in ("Ann", "Bob")] == [2, 2], (
        "two certificates for the director's"
    )


@pytest.mark.rule("3.6", "3.7")
@pytest.mark.parametrize("count", [1, 2])
def test_a_director_sells_nw_from_70_to_65_and_mkn_stays_on_its_ledge(count: int) -> None:
    described = (
        company("NW", {"Bob": 4}, at="r6c4", markers=""),
        company("MK", {"Ann": 4}, at="r7c4", markers=""),
        company("MKN", {"Bob": 4}, at="r8c5", markers=""),
        company("SE", {"Ann": 4}, at="r8c5", markers=""),
    )
    game = stock(*described, edition=FIRST)
    game.do(f"Bob: sell {count} NW; sell {count} MKN")
    assert (game.price("NW"), game.price("MKN")) == ("65 r7c4", "65 r8c5")
    assert game.money("Bob") == count * (70 + 65), "the price from before the drop, for each share"
    assert game.order() == ["MKN", "SE", "MK", "NW"], "what stays keeps its place, what falls goes beneath"


# ---- 5.2: buying and starting ---------------------------------------------------------------------------------------


@pytest.mark.rule("1.4", "3.14", "1.5")
def test_with_16_certificates_one_of_four_players_must_sell_before_he_buys() -> None:
    names = ("N", "M-K", "K-B", "K-K", "O-K", "R-O", "SP-W", "M-V", "M-NN", "K-R", "E", "M-B", "S-V")
    minors = [company(n, "Bob", at="r8c2") for n in names]
    described = company("MVR", {"Cat": 3, "Bob": 2}, at="r5c6", markers=""), *minors
    game = stock(*described, players=FOUR, cash={"Bob": 500}, privates={"WVR": "Bob"}, edition=FIRST)
    assert counted(game.title, game.state, PlayerId("Bob")) == 16
    for order in ("buy MVR", "open V 100"):
        assert game.refusals(f"Bob: {order}") == {"buy.certificate_limit"}
    game.do("Bob: sell 1 MVR")
    assert game.refusals("Bob: open V 100") == set()


@pytest.mark.rule("3.11", "3.12", "3.13")
def test_starting_costs_twice_the_price_from_phase_4() -> None:
    early = stock(edition=FIRST, cash={"Bob": 400}, phase="3")
    assert early.refusals("Bob: start MK at 70 in F18") == {"start.too_early"}
    for price, refused in ((65, {"start.price"}), (70, set()), (200, set())):
        game = stock(edition=FIRST, cash={"Bob": 400}, phase="4")
        assert game.refusals(f"Bob: start MK at {price} in F18") == refused
    game = stock(edition=FIRST, cash={"Bob": 400}, phase="4")
    game.do("Bob: start MK at 200 in F18")
    assert (game.money("Bob"), game.money("MK"), game.price("MK")) == (0, 400, "200 r1c9")


@pytest.mark.rule("3.13")
@pytest.mark.parametrize(("edition", "refused"), [("v2.0", set()), (FIRST, {"start.occupied"})])
def test_the_first_marker_goes_to_a_city_that_nobody_stands_in(edition: str, refused: set[str]) -> None:
    """Green Kazan has a second circle, and no track beyond its hex reaches another place."""
    described = company("MVR", {"Cat": 2}, at="r5c6", markers="M7")
    game = stock(described, cash={"Bob": 400}, phase="5", edition=edition, tiles={"M7": "14#0"})
    assert game.refusals("Bob: start MK at 100 in M7") == refused
    assert any(line.endswith(" in M7") for line in game.menu()) == (not refused)


@pytest.mark.rule("3.13")
def test_without_an_unoccupied_and_unconnected_city_nothing_is_started() -> None:
    """In phase 4 eight places are open on an untouched map; all of them are taken here."""
    places = ["D14/0", "F18", "K7", "L12", "M7", "M19", "P2", "P8"]
    others = [company(n, {"Ann": 2}, at="r5c6", markers=" ".join(places[i : i + 3]))
              for n, i in (("MVR", 0), ("NW", 3), ("SE", 6))]  # fmt: skip
    game = stock(*others, cash={"Bob": 400}, phase="4", edition=FIRST)
    assert not [line for line in game.menu() if line.startswith("start")]
    for at in ("F18", "D14/S", "P2"):
        assert "start.occupied" in game.refusals(f"Bob: start MK at 100 in {at}")


# ---- 5.2.4, 5.3: auctions -------------------------------------------------------------------------------------------


def sell_privates(game: Played, winners: str) -> Played:
    for winner in winners.split():
        while game.asked != [f"{winner} auction.open"]:
            game.do(f"{game.asked[0].split()[0]}: pass")
        game.do(f"{winner}: open")
        while game.asked[0].endswith("auction.bid"):
            game.do(f"{game.asked[0].split()[0]}: drop")
    return game


@pytest.mark.rule("4.7", "4.4", "4.6")
@pytest.mark.parametrize(
    ("bid", "price"), [(100, "50 r8c2"), (105, "50 r8c2"), (155, "70 r6c4"), (270, "135 r3c7"), (400, "135 r3c7")]
)
def test_a_minor_is_worth_half_its_bid_at_most_135(bid: int, price: str) -> None:
    game = stock(edition=FIRST, cash={"Bob": 400})
    game.do(f"Bob: open M-V {bid}")
    assert (game.price("M-V"), game.money("M-V"), game.markers("M-V")) == (price, bid, ["I13"])


@pytest.mark.rule("2.7", "2.8", "2.6")
def test_the_least_bid_falls_by_fives_to_nothing() -> None:
    game = fresh(FOUR, edition=FIRST)
    for _ in range(4):
        assert game.asked == ["Ann auction.open"], "from the player who passed first"
        for player in FOUR.split():
            game.do(f"{player}: pass")
    assert game.state.privates["TSR"] == "Ann"  # type: ignore[index]
    assert (game.money("Ann"), game.asked) == (315, ["Bob auction.open"])


@pytest.mark.rule("2.10", "2.11", "3.3")
def test_all_pass_over_nikolaev_two_operating_rounds_follow_and_it_is_tried_again() -> None:
    game = sell_privates(fresh(FOUR, edition=FIRST), "Ann Bob Cat Dan Ann")
    before = [game.money(p) for p in FOUR.split()]
    for _ in FOUR.split():
        game.do(f"{game.asked[0].split()[0]}: pass")
    assert rounds(game) == ["SR 1", "OR 1.1", "OR 1.2", "SR 2"]
    gained = [game.money(p) - b for p, b in zip(FOUR.split(), before, strict=True)]
    assert gained == [2 * 40, 2 * 15, 2 * 20, 2 * 25], "each private has paid twice"
    assert game.asked == ["Bob stock.turn"], "left of Ann, who was the last to buy"
    assert game.menu() == ["open N 100", "pass"]
    assert game.refusals("Bob: open K-R 100") == {"open.first_minor"}


# ---- 5.4: the end of the stock round --------------------------------------------------------------------------------


@pytest.mark.rule("3.16", "3.3")
def test_se_rises_nw_goes_right_and_down_and_mkn_stays() -> None:
    game = stock(
        company("NW", {"Ann": 6, "Bob": 4}, at="r1c6", markers=""),
        company("SE", {"Ann": 5, "Cat": 5}, at="r6c8", markers=""),
        company("MKN", {"Ann": 4, "Cat": 4}, at="r5c6", markers=""),
        edition=FIRST, phase="4",
    )  # fmt: skip
    assert (game.price("NW"), game.price("SE"), game.price("MKN")) == ("150 r1c6", "110 r6c8", "100 r5c6")
    to_the_end(game)
    assert (game.price("NW"), game.price("SE"), game.price("MKN")) == ("150 r2c7", "120 r5c8", "100 r5c6")


@pytest.mark.rule("3.16")
@pytest.mark.parametrize(("edition", "after"), [("v2.0", "r2c4"), (FIRST, "r3c5"), ("2020", "r2c4")])
def test_the_topmost_space_of_a_short_column_is_a_top_too(edition: str, after: str) -> None:
    at_the_top = {"MK": "r2c4", "NW": "r3c3", "SE": "r4c2", "SW": "r5c1", "MVR": "r1c19"}
    companies = (company(c, {"Ann": 4, "Bob": 3, "Cat": 3}, at=at, markers="") for c, at in at_the_top.items())
    game = stock(*companies, edition=edition, phase="4", cash={"Ann": 0, "Bob": 0, "Cat": 0})
    before = {c: game.price(c).split()[0] for c in at_the_top}
    to_the_end(game)
    assert {c: game.price(c).split()[0] for c in at_the_top} == before, "the diagonal is one price"
    assert game.price("MK") == f"110 {after}"
    assert game.price("MVR") == "540 r1c19"


# ---- 6.1, 6.2: who operates -----------------------------------------------------------------------------------------


@pytest.mark.rule("6.1")
def test_at_equal_price_the_marker_further_right_operates_first() -> None:
    """The translation has the leftmost first; that is not played."""
    game = situation(minor("K-R", "Bob", 100), company("M-V", "Ann", at="r5c6"), edition=FIRST)
    assert [game.price(m) for m in game.order()] == ["100 r6c7", "100 r5c6"]


@pytest.mark.rule("12.1")
@pytest.mark.parametrize(
    ("edition", "held", "operates"),
    [
        ("v2.0", {}, True),
        (FIRST, {}, False),
        (FIRST, {"cash": 1}, True),
        (FIRST, {"trains": "5"}, True),
        (FIRST, {"loans": 1}, True),
        (FIRST, {"markers": "G15"}, True),
    ],
)
def test_the_state_railway_operates_once_it_has_taken_something_over(
    edition: str, held: dict[str, object], operates: bool
) -> None:
    railway = company("RSR", **{"markers": "", **held})  # type: ignore[arg-type]
    game = whole_round(situation(public("MVR"), WAITING, railway, edition=edition, phase="5"))
    game.do("M-V: done\nMVR: done")
    assert [e.company for e in game.told(TurnBegan)][:3] == ["M-V", "MVR", "RSR" if operates else "M-V"]


@pytest.mark.rule("12.1", "16.3")
@pytest.mark.parametrize(("markers", "operates"), [("E1/1", False), ("E1/1 G15", True)])
def test_the_marker_of_the_start_is_nothing_taken_over(markers: str, operates: bool) -> None:
    options = {"marker_at_start": "yes"}
    railway = company("RSR", markers=markers)
    game = situation(public("MVR"), WAITING, railway, edition=FIRST, phase="5", options=options)
    whole_round(game).do("M-V: done\nMVR: done")
    assert [e.company for e in game.told(TurnBegan)][:3] == ["M-V", "MVR", "RSR" if operates else "M-V"]


@pytest.mark.rule("12.1", "12.3", "13.1")
def test_it_operates_in_the_very_round_in_which_the_first_4_train_brings_it_a_minor() -> None:
    described = public("MVR", trains="", cash=350), company("K-R", "Bob", at="r6c4", trains="2", cash=7)
    game = situation(*described, supply={"3": 0}, edition=FIRST, round="OR 3.1")
    operating_turn(game, "MVR").do("MVR: train 4; done")
    assert game.markers("RSR") == ["E1", "G15"]
    assert (game.trains("RSR"), game.loans("RSR")) == ("4", 8), "7 and eight loans of 45 for a train of 350"


# ---- 6.3: routes ----------------------------------------------------------------------------------------------------


def through_voronezh(edition: str, markers: str, tile: str = "63#0", **options: str) -> Played:
    """K-R in Kharkov has track to Voronezh and from there north; another public company may stand in Voronezh."""
    other = company("MVR", {"Ann": 2}, at="r5c6", markers=markers, trains="5")
    tiles = {**NETWORK, "I13": tile}
    game = situation(minor("K-R", "Bob", trains="5"), other, phase="5", tiles=tiles, edition=edition, options=options)
    return operating_turn(game, "K-R", "run")


@pytest.mark.rule("8.1")
@pytest.mark.parametrize(
    ("edition", "markers", "refused"),
    [
        ("v2.0", "I13", set()),
        (FIRST, "I13", {"run.passes_blocked_city"}),
        (FIRST, "", set()),
        ("2020", "I13", set()),
    ],
)
def test_one_marker_of_others_is_passed_by_nobody(edition: str, markers: str, refused: set[str]) -> None:
    """Brown Voronezh has two circles."""
    game = through_voronezh(edition, markers)
    assert game.refusals("K-R: run 5 G15-I13-H10-H8") == refused
    assert game.refusals("K-R: run 5 G15-I13") == set(), "it may be reached"


@pytest.mark.rule("8.1")
def test_the_best_run_ends_where_others_stand() -> None:
    free, shut = through_voronezh(FIRST, ""), through_voronezh(FIRST, "I13")
    for game in (free, shut):
        game.do("K-R: run best")
    assert [e.revenue for e in shut.told(Ran)] < [e.revenue for e in free.told(Ran)]
    with_option = through_voronezh(FIRST, "I13", blocking="full")
    with_option.do("K-R: run best")
    assert [e.revenue for e in with_option.told(Ran)] == [e.revenue for e in free.told(Ran)]


@pytest.mark.rule("8.1")
def test_beside_an_own_marker_others_block_nobody() -> None:
    described = (
        company("MVR", {"Bob": 2}, at="r5c6", markers="I13", trains="5"),
        company("NW", {"Ann": 2}, at="r5c6", markers="I13", trains="5"),
    )
    game = situation(*described, phase="5", tiles=NETWORK, edition=FIRST)
    operating_turn(game, "MVR", "run")
    assert game.refusals("MVR: run 5 G15-I13-H10-H8") == set()


@pytest.mark.rule("8.1", "8.2")
@pytest.mark.parametrize(("edition", "refused"), [("v2.0", set()), (FIRST, {"token.no_route"})])
def test_no_marker_beyond_a_station_of_others(edition: str, refused: set[str]) -> None:
    described = (
        company("MVR", {"Bob": 2}, at="r5c6", markers="G15", trains="5", cash=900),
        company("NW", {"Ann": 2}, at="r5c6", markers="I13", trains="5"),
    )
    game = operating_turn(situation(*described, phase="5", tiles=NETWORK, edition=edition), "MVR")
    assert game.refusals("MVR: token I13") == set(), "it may be reached"
    assert game.refusals("MVR: token H8") == refused
