"""The concessions round of 1841: sealed bids, contests of those who bid alike, open auctions, and new seats."""

from __future__ import annotations

import random
import zlib

import pytest

from engine import Game, Setup, told
from engine.core import decide as rules
from engine.core.agenda import Range
from engine.core.events import BidsSealed, BidsUnsealed, LotDrawn, Paid, Won
from engine.core.orders import SealedBids
from engine.core.storage import snapshot
from tests.kit.games.situations_1841 import Italian, fresh, title

S1 = {
    "Ann": "40 on Bayard, 30 on C-SFTC, 20 on C-SFTN, 50 on C-SFTG, 100 on C-IRSFF",
    "Bob": "25 on C-SFLP, 30 on C-SFTC, 30 on C-SFTN, 50 on C-SFTG, 90 on C-IRSFF",
    "Cat": "40 on Bayard, 20 on C-SFMA, 30 on C-SFTN, 50 on C-SFTG, 100 on C-IRSFF",
    "Dan": "20 on C-SFTC, 50 on C-SFTG",
}
"""Situation S1: four players at 840."""
FOUR = "Ann Bob Cat Dan"


def bid(game: Italian, bids: dict[str, str]) -> Italian:
    for player, said in bids.items():
        game.do(f"{player}: bids {said}")
    return game


def owners(game: Italian) -> dict[str, str]:
    return {p: str(owner) for p, owner in game.state.privates.items() if owner is not None}


# ---- sealed bids -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("1841:2.1")
@pytest.mark.rule("1841:2.3")
def test_all_are_asked_together_and_who_is_silent_bids_nothing() -> None:
    game = fresh(FOUR)
    asks = rules.asked(game.title, game.state)
    assert [ask.silence for ask in asks] == [SealedBids(ask.player, ()) for ask in asks]
    assert game.asked == [f"{player} concessions.bids" for player in FOUR.split()]
    game.do("Cat: bids 40 on Bayard")
    assert game.asked == [f"{player} concessions.bids" for player in ("Ann", "Bob", "Dan")]


@pytest.mark.rule("1841:2.4", "1841:2.5", "1841:2.6", "1841:2.7", "1841:2.9")
@pytest.mark.clarification("1.1")
def test_situation_s1() -> None:
    """The tied player furthest from priority takes it and pays, unless one nearer raises."""
    game = bid(fresh(FOUR), S1)
    assert game.state.players == ("Ann", "Cat", "Bob", "Dan") and game.state.priority == "Ann"
    assert owners(game) == {"C-SFLP": "Bob", "C-SFMA": "Cat"}  # what one alone bid most for is paid at once
    contests = []
    while game.asked[0].endswith("auction.bid"):
        contests.append(game.asked[0].split()[0])
        game.do(f"{contests[-1]}: drop")
    assert contests == ["Ann", "Ann", "Cat", "Ann", "Cat", "Bob", "Ann"]
    assert owners(game) == {
        "Bayard": "Cat", "C-SFLP": "Bob", "C-SFTC": "Bob", "C-SFMA": "Cat", "C-SFTN": "Bob", "C-SFTG": "Dan",
        "C-IRSFF": "Cat",
    }  # fmt: skip
    assert [game.money(p) for p in FOUR.split()] == [840, 755, 680, 790]
    assert [(e.player, e.amount) for e in game.told(Won)][-2:] == [("Dan", 50), ("Cat", 100)]
    assert game.asked == ["Ann stock.turn"] and str(game.state.round) == "SR 1"


@pytest.mark.rule("1841:2.6")
@pytest.mark.clarification("1.1")
def test_after_a_raise_the_others_raise_or_withdraw_until_one_remains() -> None:
    game = bid(fresh(), {"Ann": "47 on C-SFTG", "Bob": "47 on C-SFTG, 20 on Bayard", "Cat": "47 on C-SFTG"})
    assert game.state.players == ("Bob", "Cat", "Ann")
    assert game.refusals("Bob: bid 51") == {"bid.too_low"}
    game.do("Bob: bid 53")  # at least 5 more, and no multiple of anything
    assert game.asked == ["Cat auction.bid"]
    game.do("Cat: drop")
    game.do("Ann: bid 58")
    game.do("Bob: drop")
    assert owners(game) == {"Bayard": "Bob", "C-SFTG": "Ann"} and game.money("Ann") == 1120 - 58


@pytest.mark.rule("1841:2.7")
def test_one_withdrawal_of_two_is_enough() -> None:
    game = bid(fresh(), {"Ann": "47 on C-SFTG", "Bob": "47 on C-SFTG, 20 on Bayard", "Cat": "none"})
    game.do("Bob: drop")
    assert owners(game)["C-SFTG"] == "Ann" and game.money("Ann") == 1120 - 47


@pytest.mark.rule("1841:2.8")
def test_a_raise_leaves_the_other_open_top_bids_covered() -> None:
    game = bid(fresh(), {"Ann": "300 on Bayard, 700 on C-SFTG, 20 on C-SFMA", "Bob": "300 on Bayard, 700 on C-SFTG",
                         "Cat": "none"})  # fmt: skip
    raising = rules.menu(game.title, game.state, rules.asked(game.title, game.state)[0])[0]
    assert isinstance(raising, Range) and (raising.low, raising.high, raising.step) == (305, 400, 1)
    # 1120 less 20 that is paid and 700 that is open
    assert game.failures("Ann: bid 401") == {"bid.money": {"amount": 401, "cash": 400}}
    game.do("Ann: bid 400")
    game.do("Bob: drop")
    assert owners(game) == {"Bayard": "Ann", "C-SFMA": "Ann", "C-SFTG": "Bob"}  # she cannot raise to 705 any more


@pytest.mark.rule("1841:2.2")
@pytest.mark.parametrize(
    ("said", "failures"),
    [
        ("bids 19 on Bayard", {"bids.least": {"item": "Bayard", "amount": 19, "least": 20}}),
        ("bids 40 on Bayard, 50 on concession 1", {"bids.twice": {"item": "Bayard"}}),
        ("bids 600 on Bayard, 521 on C-SFTG", {"bids.money": {"total": 1121, "cash": 1120}}),
        (
            "bids 10 on Bayard, 1111 on C-SFTG",
            {
                "bids.least": {"item": "Bayard", "amount": 10, "least": 20},
                "bids.money": {"total": 1121, "cash": 1120},
            },
        ),
        ("bid 40 on Bayard", {"bids.sealed": {}}),
        ("pass", {"bids.sealed": {}}),
    ],
)
def test_bids_that_are_refused(said: str, failures: dict[str, dict[str, object]]) -> None:
    assert fresh().failures(f"Ann: {said}") == failures


@pytest.mark.rule("1841:1.3")
def test_the_short_map_has_five_concessions() -> None:
    game = fresh(map="lite")
    assert list(game.state.privates) == ["Bayard", "C-SFTC", "C-SFTN", "C-SFTG", "C-IRSFF"]
    refused = game.failures(SealedBids("Ann", (("C-SFLP", 20),)))  # type: ignore[arg-type]
    assert list(refused) == ["bids.item"]


@pytest.mark.rule("1841:2.2")
def test_all_the_cash_may_be_bid_and_nothing_is_a_bid_too() -> None:
    game = bid(fresh(), {"Ann": "600 on Bayard, 520 on C-SFTG, 0 on C-SFTN", "Bob": "none", "Cat": "20 on Bayard"})
    assert game.money("Ann") == 0 and owners(game) == {"Bayard": "Ann", "C-SFTG": "Ann"}
    assert [e.bids for e in game.told(BidsUnsealed)] == [
        (("Bayard", 600), ("C-SFTG", 520)), (), (("Bayard", 20),),
    ]  # fmt: skip
    assert game.state.players == ("Ann", "Cat", "Bob")


@pytest.mark.rule("1841:2.3")
def test_bids_are_replaced_until_the_last_are_in() -> None:
    game = fresh()
    game.do("Ann: bids 40 on Bayard")
    game.do("Bob: bids 60 on Bayard")
    game.do("Ann: bids 90 on C-SFTG")
    assert game.asked == ["Cat concessions.bids"]
    assert game.refusals("Ann: bids 19 on Bayard") == {"bids.least"}
    game.do("Bob: bids none")
    assert [e.player for e in game.told(BidsSealed)] == ["Ann", "Bob", "Ann", "Bob"]
    game.do("Cat: bids none")
    assert owners(game) == {"C-SFTG": "Ann"}
    assert game.refusals("Ann: bids 40 on Bayard") & {"order.wrong_kind", "order.not_asked", "stock.kind"} != set()


@pytest.mark.rule("1841:2.4")
@pytest.mark.parametrize(
    ("bids", "seats"),
    [
        ({"Ann": "20 on Bayard", "Bob": "21 on C-SFTG", "Cat": "22 on C-IRSFF"}, "Cat Bob Ann"),
        ({"Ann": "20 on C-SFTG", "Bob": "20 on C-SFLP", "Cat": "none"}, "Bob Ann Cat"),
        ({"Ann": "20 on Bayard", "Bob": "20 on Bayard", "Cat": "none"}, "Bob Ann Cat"),  # the later seat
        ({"Ann": "none", "Bob": "none", "Cat": "none"}, "Cat Bob Ann"),
    ],
)
def test_seats_after_sealed_bids(bids: dict[str, str], seats: str) -> None:
    game = bid(fresh(), bids)
    assert game.state.players == tuple(seats.split()) and game.state.priority == seats.split(maxsplit=1)[0]


# ---- nobody sees a bid too early -------------------------------------------------------------------------------------


@pytest.mark.rule("1841:2.3")
def test_no_account_of_the_position_holds_a_sealed_bid() -> None:
    found = title()
    game = Game.start(found, Setup(("Ann", "Bob", "Cat"), seed="s", priority="Ann"))
    before = game.fork()
    events = game.submit(SealedBids("Ann", (("C-SFTG", 777),)))  # type: ignore[arg-type]
    other = before.fork()
    other.submit(SealedBids("Ann", (("Bayard", 20),)))  # type: ignore[arg-type]
    assert game.told_digest() == other.told_digest() != before.told_digest()
    data = snapshot.write_state(found, game.state)
    assert isinstance(events, tuple)
    shown = [
        repr(game.state), str(game.state.agenda), repr(events), repr(told(found, game.state)),
        zlib.decompress(data).decode(), zlib.decompress(snapshot.write_events(found, events)).decode(),
        repr(game.seen_by(game.state.players[1]).state.agenda), repr(list(game.seen_by(game.state.players[1]).orders)),
    ]  # fmt: skip
    assert not any("777" in text for text in shown)


@pytest.mark.rule("1841:2.3")
def test_others_do_not_see_bids_that_were_replaced_either() -> None:
    game = Game.start(title(), Setup(("Ann", "Bob", "Cat"), seed="s", priority="Ann"))
    for amount in (777, 888):
        game.submit(SealedBids("Ann", (("C-SFTG", amount),)))  # type: ignore[arg-type]
    game.submit(SealedBids("Bob", (("C-SFTG", 20),)))  # type: ignore[arg-type]
    of_bob = game.seen_by(game.state.players[1])
    assert list(of_bob.orders) == [SealedBids("Ann", ()), SealedBids("Ann", ()), game.orders[2]]  # type: ignore[arg-type]
    assert of_bob.seen_by(game.state.players[1]).state == of_bob.state
    assert not any("777" in repr(happened) or "888" in repr(happened) for happened in of_bob.happened(0))
    assert list(game.seen_by(game.state.players[0]).orders)[:2] == list(game.orders)[:2]


@pytest.mark.rule("1841:2.3")
def test_a_game_goes_on_from_a_snapshot_with_the_bids_of_its_orders() -> None:
    found, setup = title(), Setup(("Ann", "Bob", "Cat"), seed="s", priority="Ann")
    game = Game.start(found, setup)
    for player, amount in (("Ann", 70), ("Bob", 80), ("Ann", 90)):
        game.submit(SealedBids(player, (("C-SFTG", amount),)))  # type: ignore[arg-type]
    read = snapshot.read_state(found, snapshot.write_state(found, game.state), seed="s")
    again = Game.resume(found, setup, list(game.orders), read)
    for one in (game, again):
        one.submit(SealedBids("Cat", ()))  # type: ignore[arg-type]
    assert again.state == game.state and game.state.privates["C-SFTG"] == "Ann"  # type: ignore[index]


@pytest.mark.rule("1841:2.3")
def test_the_past_and_an_undo_have_their_bids_from_the_orders() -> None:
    """What followed from the orders is stored without sealed bids."""
    found, setup = title(), Setup(("Ann", "Bob", "Cat"), seed="s", priority="Ann")
    game = Game.start(found, setup)
    stored = {}
    for number, (player, amount) in enumerate((("Ann", 70), ("Bob", 80), ("Cat", 20)), 1):
        before = snapshot.read_state(found, snapshot.write_state(found, game.state), seed="s")
        events = game.submit(SealedBids(player, (("C-SFTG", amount),)))  # type: ignore[arg-type]
        assert isinstance(events, tuple)
        stored[number] = before, snapshot.read_events(found, snapshot.write_events(found, events))
    again = Game.resume(found, setup, list(game.orders), game.state, lately=stored)
    again.undo(2)
    again.submit(SealedBids("Cat", (("C-SFTG", 90),)))  # type: ignore[arg-type]
    assert again.state.privates["C-SFTG"] == "Cat"  # type: ignore[index]
    follower = Game.start(found, setup)
    for number, order in enumerate(list(game.orders)[:2], 1):
        follower.follow(order, stored[number][1])
    follower.submit(game.orders[2])
    assert follower.state == game.state


# ---- open auctions ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("1841:2.10")
@pytest.mark.rule("1841:2.11")
@pytest.mark.rule("1841:2.12")
@pytest.mark.clarification("4.1")
def test_open_auctions() -> None:
    game = fresh(concessions="open")
    assert game.asked == ["Ann concessions.open"]
    assert game.failures("Ann: open Bayard 19") == {"open.too_low": {"item": "Bayard", "amount": 19, "least": 20}}
    assert game.refusals("Ann: open Bayard 1121") == {"bid.money"}
    assert game.refusals("Ann: open") == {"open.item"}
    game.do("Ann: open concession SFTG 20")
    assert game.refusals("Bob: bid 24") == {"bid.too_low"}
    game.do("Bob: bid 26")
    game.do("Cat: drop")
    game.do("Ann: drop")
    assert owners(game) == {"C-SFTG": "Bob"} and game.money("Bob") == 1120 - 26
    assert game.asked == ["Bob concessions.open"]  # the seat after the opener, not after the buyer
    game.do("Bob: pass")
    game.do("Cat: open Bayard")
    game.do("Ann: drop")
    game.do("Bob: drop")
    assert game.refusals("Ann: open Bayard 20") == {"open.item"}
    for player in ("Ann", "Bob"):
        game.do(f"{player}: pass")
    assert game.asked == ["Cat concessions.open"]
    game.do("Cat: pass")
    assert str(game.state.round) == "SR 1"


@pytest.mark.rule("1841:2.12")
def test_the_round_ends_when_all_concessions_are_sold() -> None:
    game = fresh(concessions="open", map="lite")
    for opener, item in zip(["Ann", "Bob", "Cat", "Ann", "Bob"], list(game.state.privates), strict=True):
        game.do(f"{opener}: open {item}")
        while game.asked[0].endswith("auction.bid"):
            game.do(f"{game.asked[0].split()[0]}: drop")
    assert str(game.state.round) == "SR 1"


@pytest.mark.rule("1841:2.11")
def test_by_agreement_one_lira_is_raise_enough() -> None:
    game = fresh(concessions="open", open_raise="1")
    game.do("Ann: open Bayard 20")
    assert game.refusals("Bob: bid 20") == {"bid.too_low"}
    game.do("Bob: bid 21")


def sold(game: Italian, *sales: tuple[str, str, int]) -> Italian:
    """All decline but those who open an auction that nobody else bids in."""
    for player, item, amount in sales:
        while game.asked[0] != f"{player} concessions.open":
            game.do(f"{game.asked[0].split()[0]}: pass")
        game.do(f"{player}: open {item} {amount}")
        while game.asked[0].endswith("auction.bid"):
            game.do(f"{game.asked[0].split()[0]}: drop")
    while game.asked[0].endswith("concessions.open"):
        game.do(f"{game.asked[0].split()[0]}: pass")
    return game


@pytest.mark.rule("1841:2.13")
@pytest.mark.clarification("4.1")
def test_seats_after_open_auctions() -> None:
    game = sold(fresh("Ann Bob Cat Dan Eve", concessions="open"),
                ("Cat", "C-SFTG", 40), ("Dan", "Bayard", 25), ("Eve", "C-SFLP", 25))  # fmt: skip
    assert game.state.players[:3] == ("Cat", "Dan", "Eve") and set(game.state.players[3:]) == {"Ann", "Bob"}
    assert ("order of play", ("Ann", "Bob")) in [(e.purpose, e.candidates) for e in game.told(LotDrawn)]


@pytest.mark.rule("1841:2.13")
@pytest.mark.clarification("4.1", site=True)
def test_18xx_games_draws_no_lots_for_seats() -> None:
    game = sold(fresh("Ann Bob Cat Dan Eve", edition="v2"),
                ("Cat", "C-SFTG", 25), ("Dan", "Bayard", 25), ("Eve", "C-SFLP", 40))  # fmt: skip
    assert game.state.players == ("Eve", "Dan", "Cat", "Ann", "Bob")


# ---- any round at all ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", ["clarified", "v1", "v2"])
@pytest.mark.parametrize("seed", range(4))
def test_random_rounds_end_with_money_and_concessions_accounted_for(edition: str, seed: int) -> None:
    chance = random.Random(seed)
    players = ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal")[: 3 + seed * 5 // 3]
    found = title(edition)
    game = Game.start(found, Setup(players, seed=str(seed)))
    start, paid = dict(game.state.cash), 0
    while game.state.round.kind == "ISR":
        ask = game.asked()[0]
        menu = game.legal(ask.actor)
        order = menu[chance.randrange(len(menu))].sample(chance.randrange(60))
        if isinstance(order, SealedBids):
            order = SealedBids(ask.player, tuple((item, 20 + 5 * chance.randrange(3)) for item in found.privates))
            order = SealedBids(ask.player, tuple(row for row in order.bids if chance.random() < 0.7))
        events = game.submit(order)
        assert isinstance(events, tuple), events
        paid += sum(e.amount for e in events if isinstance(e, Paid))
    state = game.state
    assert sum(state.cash.values()) == sum(start.values()) and state.cash["Bank"] == start["Bank"] + paid
    assert set(state.privates) == set(found.privates) and sorted(state.players) == sorted(players)
    assert state.priority == state.players[0] and min(state.cash.values()) >= 0
