"""The referee of 1863 in merger rounds: what the sentences of section 8 ask for, and what breaks them."""

from __future__ import annotations

import sys
from collections import Counter

import pytest

import engine
from engine.core import events as ev
from engine.core import orders as od
from engine.core.ids import CompanyId, PlayerId
from engine.core.state import Round
from tests.kit.games.merger_positions_1863 import judged, merger_round, position, taken_up
from tests.kit.games.referee_1863 import ANN, BOB, CAT, Scene, major, stock
from tests.kit.games.situations_1863 import tube
from tests.referee.bench import Subject
from tests.referee.failures_1863 import Failures
from tests.referee.halves_1863 import Halves
from tests.referee.mergers_1863 import Unions
from tests.referee.state import BANK, POOL, TREASURY

MET, ELR, DIS = CompanyId("MET"), CompanyId("ELR"), CompanyId("DIS")
HALF = 90
"""Half the price of a company that two at 90 have become."""
Held = tuple[tuple[str, str, int], ...]


def led(leader: str, *others: tuple[str, int], shares: int = 2) -> Held:
    """Shares, the leader's with the president's certificate; a number below 0 is of shorts."""
    rest = [(who, "ordinary" if n > 0 else "short", abs(n)) for who, n in others]
    return ((leader, "director", 1), *([(leader, "ordinary", shares - 2)] if shares > 2 else []), *rest)


def two(subject: type[Subject], first: tuple[CompanyId, Held], second: tuple[CompanyId, Held]) -> Scene:
    """Two majors that have operated, in a merger round."""
    made = [event for company, held in (first, second) for event in (*major(company, 90, *held), ran(company))]
    return Scene(subject, *made, ev.RoundBegan(Round("MR", 3, 1)))


def ran(company: CompanyId) -> ev.Event:
    return ev.Distributed(company, "none", 0, 0, 0)


def merge(scene: Scene, gone: CompanyId, survivor: CompanyId, *held: tuple[str, str, int]) -> list[str]:
    """The merger, after which holders have so much of the survivor."""
    return scene.follow(
        od.Merge(survivor, (gone,), survivor),
        ev.Merged((survivor, gone), survivor, 180),
        ev.CertificatesSet(gone, ()),
        ev.CertificatesSet(survivor, stock(*held)),
        ev.PriceSet(survivor, (0, 22), 180, "merged", 90),
    )


def moved(count: int, target: str) -> list[ev.Event]:
    return [ev.CertificatesMoved(MET, "ordinary", count, TREASURY, target)] if count else []


def cash(scene: Scene, player: PlayerId, to_pool: int = 0) -> list[str]:
    """A player gives up his half; that many shares go to the pool then."""
    paid = ev.Paid(BANK, player, HALF, "exchange", MET)
    return scene.follow(od.Exchange(player, "cash"), paid, *moved(to_pool, POOL))


# ---- halves ----------------------------------------------------------------------------------------------------------

POOLED = "1863 §8.c.ii pool"


@pytest.mark.parametrize(("to_pool", "broken"), [(1, []), (0, [POOLED]), (2, [POOLED])])
def test_a_half_of_the_survivor_that_is_given_up_is_a_share_in_the_pool(to_pool: int, broken: list[str]) -> None:
    """Section 8.c.ii: "the share is placed in the bank pool"."""
    scene = two(Halves, (MET, led(ANN, (BOB, 3), shares=4)), (ELR, led(ANN)))
    assert merge(scene, ELR, MET, *led(ANN, (BOB, 1), shares=3)) == []
    assert cash(scene, BOB, to_pool) == broken


@pytest.mark.parametrize(("to_pool", "broken"), [(0, []), (1, [POOLED])])
def test_halves_of_the_defunct_company_are_discarded(to_pool: int, broken: list[str]) -> None:
    """Section 8.c.ii: "or discarded if it belonged to the defunct company". Two of them are no share."""
    scene = two(Halves, (MET, led(ANN, shares=4)), (ELR, led(ANN, (BOB, 1), (CAT, 1))))
    assert merge(scene, ELR, MET, *led(ANN, shares=3)) == []
    assert cash(scene, BOB) == []
    assert cash(scene, CAT, to_pool) == broken


@pytest.mark.parametrize(("to_pool", "broken"), [(1, []), (0, [POOLED])])
def test_the_odd_share_of_the_pool_stays_a_share_where_it_is_one_of_the_survivor(
    to_pool: int, broken: list[str]
) -> None:
    """Bob's half is one of ELR, and the pool's one of MET (8.c.ii, ruling 12.43)."""
    scene = two(Halves, (MET, led(ANN, (POOL, 1))), (ELR, led(ANN, (BOB, 1))))
    assert merge(scene, ELR, MET, *led(ANN)) == []
    assert cash(scene, BOB, to_pool) == broken


def test_a_half_is_one_share_only_as_far_as_the_ten_leave_room() -> None:
    """Ann takes all that is left before Bob gives up his half of MET (ruling 12.43)."""
    scene = two(Halves, (MET, led(ANN, (BOB, 7))), (ELR, led(ANN, (BOB, 6))))
    merge(scene, ELR, MET, *led(ANN, (BOB, 6)))
    scene.follow(od.Take(ANN, 2), *moved(2, ANN))
    assert cash(scene, BOB) == []


@pytest.mark.parametrize(
    ("order", "payer", "gets", "broken"),
    [
        (od.Exchange(BOB, "share"), BOB, 1, False),
        (od.Exchange(BOB, "share"), BOB, 0, True),
        (od.Exchange(BOB, "share"), BANK, 0, True),
        (od.Exchange(BOB, "cash"), BOB, 1, True),
        (od.Take(ANN, 0), BANK, 0, True),
    ],
)
def test_a_holder_of_half_a_share_chooses_and_pays_for_a_whole_one(
    order: od.Order, payer: str, gets: int, broken: bool
) -> None:
    """Section 8.c.i: "given the opportunity to purchase-up to a full share"; nobody chooses for him while he can."""
    scene = two(Halves, (MET, led(ANN, (BOB, 3), (CAT, 1), shares=4)), (ELR, led(ANN)))
    merge(scene, ELR, MET, *led(ANN, (BOB, 1), shares=3))
    payee = MET if payer == BOB else BOB
    found = scene.follow(order, ev.Paid(payer, payee, HALF, "exchange", MET), *moved(gets, BOB))
    assert ("1863 §8.c.i halves" in found) == broken


def test_the_holder_of_more_shares_settles_his_half_first_and_of_equal_ones_who_sits_nearer() -> None:
    """Section 8.c.i: "In order of entity with most shares then to the left of the president"."""
    late = ["1863 §8.c.i order of halves"]
    more = two(Halves, (MET, led(ANN, (BOB, 1), (CAT, 3))), (ELR, led(ANN)))
    merge(more, ELR, MET, *led(ANN, (CAT, 1)))
    assert cash(more, BOB) == late and cash(more, CAT, 2) == []
    equal = two(Halves, (MET, led(BOB, (ANN, 1), (CAT, 1))), (ELR, led(BOB)))
    merge(equal, ELR, MET, *led(BOB))
    assert cash(equal, ANN) == late and cash(equal, CAT, 2) == []


@pytest.mark.parametrize(("keep", "in_pool", "broken"), [(True, 1, []), (True, 0, [POOLED]), (False, 0, [])])
def test_the_regular_share_of_half_a_short_that_is_kept_goes_to_the_pool(
    keep: bool, in_pool: int, broken: list[str]
) -> None:
    """Section 6.k: "Place the corresponding regular share in the bank pool", not on the charter. The half that the pool
    had finds no room beside the ten of Ann and Bob."""
    first = led(ANN, (BOB, 4), (POOL, 1), (CAT, -1), shares=6)
    scene = two(Halves, (MET, first), (ELR, led(ANN, (BOB, 4), shares=6)))
    assert merge(scene, ELR, MET, *led(ANN, (BOB, 4), shares=6)) == []
    short = [(CAT, "short", 1)] if keep else []
    paid = ev.Paid(BANK, CAT, HALF, "short", MET) if keep else ev.Paid(CAT, BANK, HALF, "short", MET)
    held = stock(*led(ANN, (BOB, 4), shares=6), *short, (POOL, "ordinary", in_pool))
    assert scene.follow(od.HalfShort(CAT, keep), paid, ev.CertificatesSet(MET, held)) == broken


@pytest.mark.parametrize(("in_pool", "broken"), [(0, []), (1, [POOLED])])
def test_the_share_that_goes_back_with_a_short_of_the_president_is_one_of_the_pool(
    in_pool: int, broken: list[str]
) -> None:
    """Section 6.k: "Purchase a regular share … from the bank pool or treasury". Nothing is left on the charter."""
    first, second = led(ANN, (BOB, 5), (POOL, 2), (CAT, -1), shares=4), led(BOB, (ANN, -2), shares=11)
    scene = two(Halves, (MET, first), (ELR, second))
    assert merge(scene, ELR, MET, *led(ANN, (BOB, 8), (POOL, 1), (ANN, -1))) == []
    half, whole = ev.Paid(CAT, BANK, HALF, "short", MET), ev.Paid(ANN, BANK, 2 * HALF, "short", MET)
    held = stock(*led(ANN, (BOB, 8)), (POOL, "ordinary", in_pool))
    assert scene.follow(od.HalfShort(CAT, False), half, ev.CertificatesSet(MET, held), whole) == broken


@pytest.mark.parametrize(("number", "broken"), [(1, []), (2, ["1863 §8.c exchange"]), (0, ["1863 §8.c exchange"])])
def test_two_shorts_are_one(number: int, broken: list[str]) -> None:
    """Section 8.c: "Any shorts held in either of the previous companies are swapped 2:1"."""
    scene = two(Halves, (MET, led(ANN, (CAT, -1))), (ELR, led(ANN, (CAT, -1))))
    assert merge(scene, ELR, MET, *led(ANN, *([(CAT, -number)] if number else []))) == broken


# ---- presidents ------------------------------------------------------------------------------------------------------

PRESIDENT = "1863 §6.g president of a merger"


@pytest.mark.parametrize(("president", "broken"), [(ANN, False), (BOB, True)])
def test_who_directed_parent_and_subsidiary_stays_president_on_a_tie(president: PlayerId, broken: bool) -> None:
    """Section 6.g: another takes over if he has more. MET{Ann 4, Bob 2}, DIS{MET 4, Bob 2}: Ann directed both."""
    scene = two(Unions, (MET, led(ANN, (BOB, 2), shares=4)), (DIS, led(MET, (BOB, 2), shares=4)))
    other = BOB if president == ANN else ANN
    assert (PRESIDENT in merge(scene, MET, DIS, *led(president, (other, 2)))) == broken


@pytest.mark.parametrize(("president", "broken"), [(ANN, True), (BOB, False)])
def test_the_president_of_the_survivor_stays_on_a_tie(president: PlayerId, broken: bool) -> None:
    scene = two(Unions, (MET, led(ANN, (BOB, 2), shares=4)), (DIS, led(BOB, (ANN, 2), shares=4)))
    other = BOB if president == ANN else ANN
    assert (PRESIDENT in merge(scene, MET, DIS, *led(president, (other, 3), shares=3))) == broken


@pytest.mark.parametrize(("president", "broken"), [(ANN, True), (BOB, False)])
def test_a_half_share_decides_who_is_president(president: PlayerId, broken: bool) -> None:
    """Ann has five old shares, Bob six: three whole ones would be two and a half against three (8.3)."""
    scene = two(Unions, (MET, led(ANN, (BOB, 2), shares=3)), (DIS, led(BOB, (ANN, 2), shares=4)))
    held = {ANN: 2, BOB: 3}
    other = BOB if president == ANN else ANN
    found = merge(scene, DIS, MET, *led(president, (other, held[other]), shares=held[president]))
    assert (PRESIDENT in found) == broken


@pytest.mark.parametrize(("president", "broken"), [(BOB, True), (CAT, False)])
def test_the_nearest_to_the_left_succeeds_if_others_tie(president: PlayerId, broken: bool) -> None:
    """Bob directed the survivor and has least. Cat sits on his left, Ann, who has as much, behind her (6.g, 12.20)."""
    scene = two(Unions, (MET, led(BOB, (ANN, 2), (CAT, 1))), (DIS, led(CAT, (ANN, 2), (CAT, 1))))
    held = {ANN: 2, BOB: 1, CAT: 2}
    others = [(who, n) for who, n in held.items() if who != president]
    assert (PRESIDENT in merge(scene, DIS, MET, *led(president, *others))) == broken


@pytest.mark.parametrize(("president", "broken"), [(BOB, True), (ANN, False)])
def test_who_directed_the_survivor_through_a_company_stays_on_a_tie(president: PlayerId, broken: bool) -> None:
    """Ann directs DIS through MET, which has less of the merged company than she and Bob (6.g, 12.20)."""
    scene = two(Unions, (ELR, led(BOB, (ANN, 4), shares=4)), (DIS, led(MET)))
    for event in (*major(MET, 90, *led(ANN)), ran(MET)):
        scene.books.enter(event)
    other = BOB if president == ANN else ANN
    assert (PRESIDENT in merge(scene, ELR, DIS, *led(president, (other, 2), (MET, 1)))) == broken


# ---- once a round ----------------------------------------------------------------------------------------------------

CONVERTED = (ev.Converted(MET),)
MERGED = (ev.Merged((MET, DIS), MET, 180),)
ACQUIRES = (ev.Acquired(ELR, MET, 50, 5),)
IS_ACQUIRED = (ev.Acquired(MET, ANN, 50, 5),)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (CONVERTED, MERGED),
        (ACQUIRES, MERGED),
        (ACQUIRES, CONVERTED),
        (IS_ACQUIRED, MERGED),
        (IS_ACQUIRED, CONVERTED),
        (MERGED, (ev.Merged((MET, ELR), MET, 180),)),
    ],
)
def test_a_company_takes_part_in_one_activity_of_a_round(
    first: tuple[ev.Event, ...], second: tuple[ev.Event, ...]
) -> None:
    """Section 8: "Companies may only participate in one of the above activities each M&A". In the next round, again."""
    again = "1863 §8 once a round"
    scene = two(Unions, (MET, led(ANN)), (DIS, led(BOB)))
    for event in (*major(ELR, 90, *led(CAT)), ran(ELR)):
        scene.books.enter(event)
    assert again not in scene.follow(None, *first)
    assert again in scene.follow(None, *second)
    scene.follow(None, ev.RoundBegan(Round("OR", 3, 2)))
    assert again not in scene.follow(None, *second)


# ---- acquisitions ----------------------------------------------------------------------------------------------------


def bought(bid: int, price: int, cash: int, own: int, *paid: tuple[str, int, int], loans: int = 0) -> list[str]:
    """Ann, with so much cash, has won DIS with ``own`` in its treasury: the payments of the bid, and of each holder."""
    scene = Scene(
        Failures,
        *major(DIS, 90, *led(BOB, (CAT, 3), (POOL, 1), shares=5)),
        ev.PriceSet(DIS, (0, 3), 30, "dividend", 90),
        ev.PhaseBegan("III"),  # type: ignore[arg-type]
        ev.RoundBegan(Round("MR", 3, 1)),
        ev.Paid(ANN, BANK, 350 - cash, "private"),
        ev.Paid(BANK, DIS, own, "capital", DIS),
    )
    took: list[ev.Event] = (
        [ev.LoansChanged(DIS, loans, "taken"), ev.Paid(BANK, DIS, 100 * loans, "loan", DIS)] if loans else []
    )
    bids = [ev.Paid(payer, BANK, n, "bid", DIS) for payer, n, _ in paid if n]
    shares = [ev.Paid(BANK, who, n, "liquidation", DIS) for who, _, n in paid if n]
    whole = ev.CertificatesSet(DIS, stock(*led(ANN)))
    return scene.follow(
        od.Drop(CAT), ev.Won(ANN, DIS, bid), *took, *bids, *shares, ev.Acquired(DIS, ANN, bid, price), whole
    )


ACQUISITION = "1863 §8.f acquisition"


@pytest.mark.parametrize(
    ("price", "five", "three", "broken"), [(9, 45, 27, False), (10, 50, 30, True), (9, 47, 28, True), (9, 45, 0, True)]
)
def test_an_acquisition_pays_each_share_a_tenth_of_the_bid(price: int, five: int, three: int, broken: bool) -> None:
    """Section 8.f: "shareholders receiving a tenth of the successful bid per share", in whole pounds."""
    found = bought(95, price, 350, 0, (ANN, 95, 0), (BOB, 0, five), (CAT, 0, three))
    assert (ACQUISITION in found) == broken


@pytest.mark.parametrize(
    ("cash", "own", "pays", "loans", "broken"),
    [
        (350, 40, 95, 0, False),
        (350, 40, 55, 0, True),
        (60, 40, 60, 0, False),
        (60, 20, 60, 1, False),
        (60, 40, 60, 1, True),
        (60, 20, 0, 1, True),
    ],
)
def test_a_bid_is_paid_from_the_company_only_where_the_winner_has_no_more(
    cash: int, own: int, pays: int, loans: int, broken: bool
) -> None:
    """Section 8.f: "paid in full (using cash or loans in the acquired company if necessary)"."""
    paid = ((ANN, pays, 0), (DIS, 95 - pays, 0), (BOB, 0, 45), (CAT, 0, 27))
    assert (ACQUISITION in bought(95, 9, cash, own, *paid, loans=loans)) == broken


# ---- merger rounds by chance -----------------------------------------------------------------------------------------

SAMPLE, PROVED, PORTION = 8, 1_000, 100
FOUND = (
    50050, 50560, 50654, 51170,  # a company that has bought another falls into the grey area
    50065, 51151,  # a fourth price on one space
    50114,  # a share of the pool goes back with a short of the president
    60026, 63101,  # on a tie who directed the survivor through its president stays
    60976,  # loans of a company that is bought lower the value of the buyer, which has shares of it
    61020, 61671,  # a failing company sells shares of one whose largest holder nobody leads; its own certificate first
    62784,  # a half changes the president, but not the order of halves
    64153, 68378,  # another leads a company when its lot begins
    65459,  # a player becomes president while halves are open, and has shorts
)  # fmt: skip


@pytest.mark.parametrize("seed", range(SAMPLE))
def test_a_referee_takes_a_position_up_as_it_is_told(seed: int) -> None:
    game = position(seed)
    assert taken_up(game).bench.books.differences(engine.told(game.title, game.state)) == []


@pytest.mark.parametrize("seed", [*range(SAMPLE), *FOUND])
def test_a_merger_round_by_chance_under_the_referee(seed: int) -> None:
    """Whole games bring few halves of shorts, and hardly a merger of a parent with its subsidiary."""
    found = judged(seed)
    assert found.orders and not found.deviations, f"seed {seed}: {list(map(str, found.deviations[:5]))}"


@pytest.mark.parametrize("into", [MET, DIS])
def test_a_parent_merges_with_its_subsidiary_under_the_referee(into: CompanyId) -> None:
    """MET{Ann 4, Bob 2}, DIS{MET 4, Bob 2}, by the rules of the title: Ann stays president."""
    rows = tube("MET", {"Ann": 4, "Bob": 2}, 110), tube("DIS", {"MET": 4, "Bob": 2}, 100)
    game = merger_round(rows, (ANN, BOB, CAT), {})
    referee = taken_up(game)
    order = od.Merge(DIS, (MET,), into)
    events = game.submit(order)
    assert not isinstance(events, engine.Refused)
    referee.follow(order, events, engine.told(game.title, game.state))
    assert referee.bench.checked[PRESIDENT] == 1 and not referee.deviations


@pytest.mark.prove
@pytest.mark.parametrize("first", range(0, PROVED, PORTION))
def test_a_thousand_merger_rounds_under_the_referee(first: int) -> None:
    checked, orders = Counter[str](), 0
    for seed in range(first, first + PORTION):
        found = judged(seed)
        assert not found.deviations, f"seed {seed}: {list(map(str, found.deviations[:5]))}"
        checked += found.checked
        orders += found.orders
    rules = {rule: checked[rule] for rule in (POOLED, PRESIDENT, ACQUISITION)}
    sys.stdout.write(f"merger rounds {first} to {first + PORTION - 1}: {orders} orders, {rules}\n")
    assert all(rules.values())
