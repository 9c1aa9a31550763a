"""1861 in its first edition: the worked examples of its rulebook with their own numbers, and where it is played
otherwise than version 2.0. Sections in the names of groups are that rulebook's."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.core.events import Distributed, GameOver, LoansChanged, MarkerPlaced, Paid, Ran, RoundBegan, TurnBegan
from engine.core.ids import CompanyId, HexId, PlayerId, PrivateId
from engine.finance.holdings import certificates
from engine.steps.pay_out import half_up
from tests.course_1861 import (
    NETWORK,
    agreed,
    mergers,
    minor,
    operating_turn,
    stock,
    stock_turn,
    to_the_end,
    whole_round,
)
from tests.situations import Described, Played, company, fresh, load, situation

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
    kinds = [c.kind for c in title.companies.values()]
    assert (kinds.count("minor"), kinds.count("public"), len(title.privates), title.bank) == (16, 8, 5, 15_000)
    markers = {c.kind: c.markers for c in title.companies.values()}
    assert (markers["minor"], markers["public"], title.companies[CompanyId("RSR")].markers) == (1, 3, 8)
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
    assert [certificates(game.state, PlayerId(p)) for p in ("Ann", "Bob")] == [2, 2], (
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
    assert certificates(game.state, PlayerId("Bob")) == 16
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


# ---- 6.4, 6.5.6: loans ----------------------------------------------------------------------------------------------


@pytest.mark.rule("6.6", "6.7", "6.8")
def test_a_loan_of_50_brings_45() -> None:
    game = situation(company("K-R", "Bob", at="r6c4", cash=140), supply={"2": 0}, edition=FIRST, round="OR 2.1",
                     cash={"Ann": 100})  # fmt: skip
    operating_turn(game, "K-R", "trains").do("K-R: train 3")
    assert (game.loans("K-R"), game.money("K-R")) == (2, 140 + 2 * 45 - 225)
    assert not [e for e in game.told(Paid) if e.reason == "interest"]


@pytest.mark.rule("6.9", "13.7")
@pytest.mark.parametrize(("edition", "railway", "price", "bank"), [
    ("v2.0", 0, 40, True), (FIRST, 9, 40, False), ("2020", 9, 40, False),
])  # fmt: skip
def test_who_cannot_pay_interest_leaves_its_money_to_the_state_railway(
    edition: str, railway: int, price: int, bank: bool
) -> None:
    game = situation(company("K-R", "Bob", at="r6c2", cash=9, loans=2), WAITING, edition=edition)
    operating_turn(game, "K-R").do("K-R: done")
    assert (game.money("RSR"), game.money("Bob")) == (railway, 2 * price)
    assert bool([e for e in game.told(Paid) if e.payee == "Bank" and e.reason == "seized"]) == bank


@pytest.mark.rule("6.9", "13.7", "14.14")
def test_what_it_has_repays_loans_first() -> None:
    """Twelve loans out of a merger: 60 of interest, 55 in hand."""
    described = company("MVR", {"Bob": 2}, at="r1c9", cash=55, loans=12, markers="")
    game = situation(described, WAITING, edition=FIRST, phase="3")
    operating_turn(game, "MVR").do("MVR: done")
    assert [(e.change, e.reason) for e in game.told(LoansChanged) if e.company == "MVR"] == [
        (-1, "repaid"),
        (-11, "void"),
    ]
    assert game.money("RSR") == 5


# ---- 6.5.2: track ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("7.1")
def test_a_tile_laid_this_turn_is_not_upgraded_this_turn() -> None:
    game = situation(company("K-R", "Bob", at="r6c4", cash=500, trains="3"), tiles={"G15": "621#1"}, edition=FIRST)
    operating_turn(game, "K-R").do("K-R: lay 9 H14 1")
    assert game.refusals("K-R: lay 24 H14 1") >= {"lay.same_hex"}
    assert not [line for line in game.menu() if line.startswith("lay") and " H14 " in line]
    game.do("K-R: lay 207 G15 1")
    assert game.money("K-R") == 480, "20 for the second operation"
    assert "lay.most" in game.refusals("K-R: lay 57 I13 1")


@pytest.mark.rule("7.1")
def test_only_one_of_two_operations_is_an_upgrade() -> None:
    tiles = {"G15": "621#1", "H14": "9#1"}
    game = situation(company("K-R", "Bob", at="r6c4", cash=500, trains="3"), tiles=tiles, edition=FIRST)
    operating_turn(game, "K-R").do("K-R: lay 207 G15 1")
    assert "lay.second_upgrade" in game.refusals("K-R: lay 24 H14 1")


@pytest.mark.rule("7.7")
def test_no_track_into_the_sea_off_ekaterinoslav() -> None:
    """South of F20 there is water."""
    described = company("MVR", {"Bob": 2}, at="r5c6", cash=500, trains="3", markers="F18")
    game = operating_turn(situation(described, tiles={"F18": "57#0"}, edition=FIRST), "MVR")
    assert "lay.edge" in game.refusals("MVR: lay 9 F20 0")
    assert game.refusals("MVR: lay 7 F20 2") == set(), "from the north to the north-west, along the coast"


@pytest.mark.rule("7.6", "7.8", "9.1")
def test_what_tiles_of_cities_earn_and_what_ground_costs() -> None:
    title = load("1861", FIRST)
    tiles = title.map.tiles
    assert {t.face.cities[0].revenue for t in tiles.values() if t.face.color == "yellow" and t.face.label == "Y"} == {
        30
    }
    assert {s.revenue for t in tiles.values() for s in t.face.towns} == {10}
    assert {h.face.terrain for h in title.map.hexes.values()} == {0, 20, 40, 80}


# ---- 6.5.3: markers -------------------------------------------------------------------------------------------------


@pytest.mark.rule("8.4", "8.6")
def test_ekaterinburg_to_kazan_is_80_and_kazan_to_samara_80() -> None:
    tiles = {"P4": "9#1", "O5": "9#1", "N6": "9#1", "M7": "63#0", "N8": "8#0", "N10": "621#0"}
    described = company("E", "Bob", at="r6c7", cash=160, trains="5")
    game = mergers(described, tiles=tiles, edition=FIRST)
    game.do("E: convert to GR")
    distance = game.title.map.distance
    assert (distance(HexId("Q3"), HexId("M7")), distance(HexId("M7"), HexId("N10"))) == (4, 2)
    game.do("GR: token M7")
    assert game.money("GRR") == 80
    operating_turn(game, "GRR").do("GR: token N10")
    assert game.money("GRR") == 0
    assert [e.hex for e in game.told(MarkerPlaced) if e.company == "GRR"] == ["M7", "N10"]


# ---- 6.5.4: running -------------------------------------------------------------------------------------------------

TWO_WAYS = {
    "H8": "637#0", "I7": "8#5", "J8": "8#2", "K7": "207#5", "I9": "8#0", "I11": "9#0", "I13": "14#0", "H14": "9#1",
    "G15": "621#1",
}  # fmt: skip
"""Green Moscow: from the space of M-NN to Nizhnii Novgorod, and to Voronezh and on to Kharkov."""


@pytest.mark.rule("9.1", "9.3", "10.1", "10.2")
def test_m_nn_runs_a_2_train_for_90_and_a_3_train_for_110() -> None:
    game = situation(company("M-NN", "Bob", at="r6c4", trains="2 3"), tiles=TWO_WAYS, edition=FIRST)
    operating_turn(game, "M-NN")
    game.do("M-NN: run 2 H8-K7, 3 H8-I13-G15")
    (ran,) = game.told(Ran)
    assert (sorted(ran.values), ran.revenue) == ([90, 110], 200)
    assert (game.money("Bob"), game.money("M-NN"), game.price("M-NN")) == (100, 100, "80 r6c5")


# ---- 6.5.5: dividends and prices ------------------------------------------------------------------------------------


@pytest.mark.rule("10.3")
@pytest.mark.parametrize(("earned", "paid"), [(10, 10), (210, 110), (230, 120), (240, 120), (250, 130)])
def test_half_a_dividend_is_rounded_to_tens(earned: int, paid: int) -> None:
    """Rounding to the nearest ten, as the text has it, gives nothing but v2.0's rounding up."""
    assert half_up(earned) == paid == (earned // 2 + 5) // 10 * 10


@pytest.mark.rule("10.2")
@pytest.mark.parametrize(("at", "after"), [("r5c6", "110 r5c7"), ("r5c7", "120 r4c7"), ("r1c7", "165 r1c7")])
def test_a_minor_goes_up_in_the_seventh_column(at: str, after: str) -> None:
    """The text has a sixth line; conversion, from 100 to 165, would be out of its reach."""
    game = situation(company("M-K", "Bob", at=at, trains="3"), edition=FIRST, tiles={"H10": "4#0"})
    operating_turn(game, "M-K").do("M-K: run best")
    assert game.price("M-K") == after


@pytest.mark.rule("10.6", "10.2")
def test_at_the_left_a_price_goes_down_and_at_the_bottom_it_stays() -> None:
    for at, after in (("r6c1", "50 r7c1"), ("r10c1", "35 r10c1")):
        game = situation(company("M-K", "Bob", at=at, trains="3"), minor("K-R", "Ann"), edition=FIRST)
        operating_turn(game, "M-K").do("M-K: done")
        assert [e.revenue for e in game.told(Distributed)] == [0]
        assert game.price("M-K") == after


# ---- 6.8: phases ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("5.1", "5.2", "5.3", "5.4", "5.5", "5.6", "5.7")
def test_limits_of_trains_by_phase() -> None:
    title = load("1861", FIRST)
    limits = {str(p.name): (p.train_limits.get("public"), p.train_limits.get("minor")) for p in title.phases}
    assert limits.pop("2") == (None, 2), "public companies have four from the start, but there are none"
    assert limits == {
        "3": (4, 2), "4": (3, 1), "5": (3, 1), "6": (2, 1), "7": (2, 1), "8": (2, None),
    }  # fmt: skip


# ---- 7: mergers -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("14.9")
@pytest.mark.parametrize(("high", "low", "price"), [(120, 55, 165), (50, 45, 90), (40, 35, 70), (135, 100, 200)])
def test_highest_and_lowest_price_together_at_most_200(high: int, low: int, price: int) -> None:
    game = mergers(minor("K-R", "Bob", high), minor("M-V", "Bob", low), edition=FIRST)
    game.do("K-R: merge M-V into NW")
    assert int(game.price("NW").split()[0]) == price


@pytest.mark.rule("14.12", "14.11")
def test_the_owner_of_the_earliest_minor_must_buy_whoever_leads() -> None:
    """M-V leads, after K-R has declined; K-R's owner is earlier in the order all the same."""
    described = minor("K-R", "Bob", 135), minor("M-V", "Cat", 120)
    game = mergers(*described, edition=FIRST, cash={"Bob": 200, "Cat": 900})
    game.do("K-R: decline")
    agreed(game, "M-V: merge K-R into NW")
    assert game.asked == ["Bob offer.shares"]
    assert game.refusals("Bob: take 0") == {"offer.obliged"}
    assert game.menu() == ["take 1"]
    game.do("Bob: take 1")
    assert (game.director("NW"), game.money("NW")) == ("Bob", 200)


@pytest.mark.rule("14.12", "3.14")
@pytest.mark.parametrize(("privates", "refused"), [("TSR", set()), ("TSR BSS", {"merge.two_shares"})])
def test_at_his_certificate_limit_he_cannot_and_there_is_no_merger(privates: str, refused: set[str]) -> None:
    """Eleven certificates for six players."""
    names = ("N", "M-K", "K-B", "K-K", "O-K", "R-O", "SP-W", "M-NN")
    many = [company(m, "Bob", at="r8c2") for m in names]
    described = minor("K-R", "Bob", 135), minor("M-V", "Cat", 120), *many
    game = mergers(*described, edition=FIRST, players="Ann Bob Cat Dan Eve Fay", cash={"Bob": 900, "Cat": 900},
                   privates=dict.fromkeys(privates.split(), "Bob"))  # fmt: skip
    assert certificates(game.state, PlayerId("Bob")) == 9 + len(privates.split())
    assert game.refusals("K-R: merge M-V into NW") == refused


@pytest.mark.rule("14.13")
def test_two_markers_are_kept_if_possible() -> None:
    joined = mergers(minor("N", "Bob"), minor("M-K", "Bob"), edition=FIRST)
    joined.do("N: merge M-K into NW")
    assert joined.markers("NW") == ["H8"], "two in one hex are not possible"
    apart = mergers(minor("K-R", "Bob"), minor("M-V", "Bob"), edition=FIRST)
    apart.do("K-R: merge M-V into NW")
    assert apart.markers("NW") == ["G15", "I13"]


@pytest.mark.rule("14.15", "1.6", "14.7")
def test_holders_buy_up_to_six_shares() -> None:
    game = mergers(minor("K-R", "Bob", 50), minor("M-V", "Bob", 50), edition=FIRST, cash={"Bob": 900})
    game.do("K-R: merge M-V into NW")
    assert game.refusals("Bob: take 5") == {"offer.limit"}
    assert game.refusals("Bob: take 4") == set()


@pytest.mark.rule("14.8", "8.1")
def test_markers_of_others_block_a_merger_and_those_of_the_group_do_not() -> None:
    """The state railway's block as anybody's."""
    railway = company("RSR", markers="I13", trains="5")
    game = mergers(minor("K-R", "Bob", 120), minor("V", "Bob", 110), railway, edition=FIRST)
    assert game.refusals("K-R: merge V into NW") == {"merge.connection"}


# ---- 8: the end -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("15.6", "15.5")
@pytest.mark.parametrize("round", ["OR 7.1", "OR 7.2"])
@pytest.mark.parametrize(("edition", "reason"), [("v2.0", "last_train"), (FIRST, "bank")])
def test_the_bank_that_breaks_before_the_8_train_ends_the_game(edition: str, reason: str, round: str) -> None:
    game = situation(public("MVR", cash=1000), phase="7", supply={"7": 0}, round=round, bank=9, edition=edition,
                     privates={"TSR": "Ann"})  # fmt: skip
    whole_round(game)
    assert game.state.broke is not None
    game.do("MVR: train 8")
    game.quietly()
    assert [e.reason for e in game.told(GameOver)] == [reason]
    assert (rounds(game) == []) == (edition == FIRST)


@pytest.mark.rule("15.6", "15.4")
def test_the_bank_breaks_in_a_stock_round_and_one_operating_round_is_the_last() -> None:
    described = company("MVR", {"Bob": 3, "Ann": 2}, at="r5c6", markers="", trains="5", cash=1000)
    game = situation(described, phase="7", supply={"7": 0}, round="SR 5", bank=199, edition=FIRST)
    stock_turn(game, "Ann").do("Ann: sell 2 MVR")
    game.quietly("OR 5.1")
    game.do("MVR: train 8")
    game.quietly()
    assert rounds(game) == ["OR 5.1"]
    assert [e.reason for e in game.told(GameOver)] == ["bank"]


@pytest.mark.rule("15.6", "12.8")
def test_nor_does_the_state_railways_8_train_prolong_it() -> None:
    railway = company("RSR", cash=1000, trains="5", markers="E1/1")
    game = situation(railway, public("MVR"), phase="7", supply={"7": 0}, round="OR 7.2", bank=5, edition=FIRST,
                     privates={"TSR": "Ann"})  # fmt: skip
    whole_round(game).quietly()
    assert "8" in game.trains("RSR")
    assert rounds(game) == []


@pytest.mark.rule("15.1", "15.6")
def test_after_the_8_train_the_bank_ends_nothing() -> None:
    game = situation(public("MVR", cash=1000), phase="7", supply={"7": 0}, round="OR 6.1", edition=FIRST)
    operating_turn(game, "MVR").do("MVR: train 8")
    cash = {**game.state.cash, "Bank": 0, "Cat": game.money("Cat") + game.money("Bank")}
    game.state = replace(game.state, cash=cash, privates={PrivateId("TSR"): PlayerId("Ann")})
    game.quietly()
    assert game.state.broke is not None
    assert rounds(game) == ["OR 6.2", "OR 6.3"]
    assert [e.reason for e in game.told(GameOver)] == ["last_train"]


@pytest.mark.rule("15.7", "15.8")
@pytest.mark.parametrize(("edition", "private"), [("v2.0", 90), (FIRST, 0)])
def test_wealth_is_cash_and_stock_at_its_price(edition: str, private: int) -> None:
    game = situation(
        company("MVR", {"Ann": 4, "Bob": 2}, at="r3c8", loans=1, cash=900, trains="5", markers=""),
        company("K-R", "Cat", at="r6c4", loans=0, cash=77),
        cash={"Ann": 10, "Bob": 20, "Cat": 30}, privates={"WVR": "Cat"}, phase="5", edition=edition,
    )  # fmt: skip
    worth = [game.title.score(game.title, game.state, p) for p in game.state.players]
    assert worth == [10 + 4 * 135, 20 + 2 * 135, 30 + private + 2 * 70]
