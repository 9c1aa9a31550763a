"""Records of 1861 from 18xx.games: passes of minors that could do nothing, and mergers that come to nothing."""

from __future__ import annotations

from typing import Any

import pytest

import engine
from engine.core.ids import CompanyId, HexId, PlayerId
from engine.core.orders import Done, Keep, Lay, Order, Space
from engine.holders.control import controller_of
from engine.holders.ledger import shares
from engine.site18xx.f1867.mergers import failed_mergers
from engine.site18xx.slots import Slots
from engine.site18xx.t1861.converter import Converter
from tests.kit.games.course_1861 import AFTER_N, mergers, minor, operating_turn
from tests.kit.games.situations import company, situation

NUMBERS = {"1": PlayerId("Ann"), "2": PlayerId("Bob"), "3": PlayerId("Cat")}
LAY = {"type": "lay_tile", "entity": "RO", "entity_type": "corporation", "hex": "B6", "tile": "8-0", "rotation": 0}


def played(*actions: dict[str, Any] | str) -> tuple[str, list[Order]]:
    """The round after the record, and its orders. O-K is the last in OR 2.1; nobody has a route, or a partner."""
    places = {"R-O": ("Ann", "r6c4"), "K-R": ("Bob", "r6c3"), "O-K": ("Cat", "r6c2")}
    minors = (company(m, who, at=at, trains="2", cash=200) for m, (who, at) in places.items())
    homes = {"B4": "201#0", "G15": "201#0", "D20": "201#0"}
    cash = {"Ann": 200, "Bob": 200, "Cat": 200}
    game = situation(*minors, round="OR 2.1", edition="2020", tiles=homes, cash=cash, marks=AFTER_N)
    operating_turn(game, "O-K")
    live = engine.Game(game.title, engine.Setup(("Ann", "Bob", "Cat"), "", "Ann"), game.state, _kept={0: game.state})
    record = [{"type": "pass", "entity": a, "entity_type": "corporation"} if isinstance(a, str) else a for a in actions]
    converter = Converter(live, NUMBERS, record, over=False)
    orders: list[Order] = []
    for number in range(len(record)):
        step = converter.step(number)
        orders += [*step.orders, *step.added]
    return str(live.state.round), orders


@pytest.mark.parametrize("merging", [("RO", "KR", "OK"), ("KR", "OK"), ("OK",), ()])
def test_they_do_not_end_turns_of_the_next_round(merging: tuple[str, ...]) -> None:
    """Also where the site has not written those of the first minors."""
    round, orders = played("OK", "OK", *merging, LAY)
    assert round == "OR 2.2"
    assert orders == [Done(CompanyId("O-K")), Lay(CompanyId("R-O"), "8", "B6", 0)]  # type: ignore[arg-type]


def test_turns_of_passes_alone_come_after_them() -> None:
    round, orders = played("OK", "OK", "RO", "KR", "OK", "RO", "KR", {**LAY, "entity": "OK", "hex": "C19"})
    assert round == "OR 2.2"
    assert [o.actor for o in orders] == ["O-K", "R-O", "K-R", "O-K"]


@pytest.mark.rule("14.13", "8.6")
@pytest.mark.parametrize(("slot", "kept"), [(1, "M-K"), (0, "M-NN")])
def test_the_place_in_the_city_tells_which_marker_goes(slot: int, kept: str) -> None:
    game = mergers(minor("M-K", "Bob"), minor("M-NN", "Bob"), phase="5", tiles={"H8": "638#0"}, edition="2020",
                   cash={})  # fmt: skip
    live = engine.Game(game.title, engine.Setup(("Ann", "Bob", "Cat"), "", "Ann"), game.state, _kept={0: game.state})
    by = {"entity": "M-K", "entity_type": "corporation", "type": "merge"}
    gone: dict[str, Any] = {
        "entity": "NW",
        "entity_type": "corporation",
        "type": "remove_token",
        "city": "H8-0-0",
        "slot": slot,
    }
    record: list[dict[str, Any]] = [{**by, "corporation": "MNN"}, {**by, "corporation": "NW"}, gone]
    converter = Converter(live, NUMBERS, record, over=False)
    orders = [order for n in range(len(record)) for order in converter.step(n).orders]
    assert orders[1] == Keep(CompanyId("NW"), (Space(HexId("H8"), None, CompanyId(kept)),))


def test_places_in_a_city_are_the_first_free_ones() -> None:
    """Two of Moscow's minors go, and the third comes back to the front when the brown tile joins its cities."""
    city, mnn, n = (HexId("H8"), 0), CompanyId("M-NN"), CompanyId("N")
    slots = Slots(_there={city: [None, n, mnn]}, first_free=True)
    assert slots.exchanged(city, (mnn, n)) == {mnn: 0, n: 1}
    assert slots.exchanged(city, (n, mnn)) == {n: 0, mnn: 1}
    assert Slots(_there={city: [n, mnn]}, first_free=True).exchanged(city, (mnn, n)) == {mnn: 1, n: 0}


@pytest.mark.rule("14.12")
@pytest.mark.parametrize("goes_on", [False, True])
def test_a_merger_that_gets_no_director_may_stay(goes_on: bool) -> None:
    """Bob, asked first, cannot pay for a share, and Cat declines. Ann has the Priority Deal, and no money either."""
    game = mergers(minor("K-R", "Bob", 135), minor("M-V", "Cat", 120), minor("V", "Ann", 100), edition="2020",
                   options={"merger_fails": "stays"}, cash={"Cat": 200})  # fmt: skip
    live = engine.Game(game.title, engine.Setup(("Ann", "Bob", "Cat"), "", "Ann"), game.state, _kept={0: game.state})
    company = {"entity": "KR", "entity_type": "corporation"}
    record: list[dict[str, Any]] = [
        {"type": "merge", "corporation": "MV", **company},
        {"type": "merge", "corporation": "NW", **company},
        {"type": "pass", "entity": 3, "entity_type": "player"},
    ]
    if goes_on:
        record.append({"type": "pass", "entity": "V", "entity_type": "corporation"})
    converter = Converter(live, NUMBERS, record, over=False)
    for number in range(len(record)):
        converter.step(number)
    assert live.state.companies[CompanyId("NW")].status == "open"
    assert controller_of(live.title, live.state, CompanyId("NW")) is None


@pytest.mark.rule("14.12")
def test_then_the_first_player_buys_and_passes_change_nothing() -> None:
    game = mergers(minor("K-R", "Bob", 135), minor("M-V", "Cat", 120), minor("V", "Ann", 100), edition="2020",
                   options={"merger_fails": "stays"}, cash={"Ann": 450, "Bob": 250, "Cat": 200})  # fmt: skip
    live = engine.Game(game.title, engine.Setup(("Ann", "Bob", "Cat"), "", "Ann"), game.state, _kept={0: game.state})
    company = {"entity": "KR", "entity_type": "corporation"}

    def by(player: int, *shares: str) -> dict[str, Any]:
        bought = {"shares": list(shares), "percent": 10} if shares else {}
        return {"type": "buy_shares" if shares else "pass", "entity": player, "entity_type": "player", **bought}

    record: list[dict[str, Any]] = [
        {"type": "merge", "corporation": "MV", **company},
        {"type": "merge", "corporation": "NW", **company},
        *(by(2), by(3)),  # Bob and Cat decline
        *(by(1), by(1, "NW_1"), by(3), by(1), by(2, "NW_2"), by(1, "NW_3")),
    ]
    converter = Converter(live, NUMBERS, record, over=False)
    for number in range(len(record)):
        converter.step(number)
    held = {p: shares(live.title, live.state, p, CompanyId("NW")) for p in live.state.players}
    assert held == {"Ann": 2, "Bob": 2, "Cat": 1}
    assert controller_of(live.title, live.state, CompanyId("NW")) == "Bob"
    assert live.asked()[0].actor != "Ann", "she has only 50 left"


BIDS = [{"type": "bid", "entity": n, "entity_type": "player", "corporation": m} for n, m in ((2, "KR"), (3, "MV"))]
MERGED = [{"type": "merge", "entity": "KR", "entity_type": "corporation", "corporation": c} for c in ("MV", "NW")]


@pytest.mark.rule("14.12")
@pytest.mark.parametrize(
    ("following", "fails"),
    [
        ("2 pass, 3 pass, 1 buy_shares", True),
        ("3 pass, V pass", True),  # Bob could not pay for one
        ("NW remove_token, 2 pass, 3 pass", True),
        ("2 pass, 3 buy_shares, 1 buy_shares", False),
        ("2 buy_shares", False),
        ("2 pass", False),  # the record ends
    ],
)
def test_a_record_shows_that_a_merger_has_failed_and_stays(following: str, fails: bool) -> None:
    actions: list[dict[str, Any]] = [*BIDS, *MERGED]
    for text in following.split(", "):
        who, kind = text.split()
        entity = int(who) if who.isdigit() else who
        actions.append({"type": kind, "entity": entity, "entity_type": "player" if who.isdigit() else "corporation"})
    assert failed_mergers(actions) == ({"merger_fails": "stays"} if fails else {})
    assert not failed_mergers([{**a, "entity": 2} if a in BIDS else a for a in actions]), "both are Bob's"
