"""Trains of 1844: limits, sources, prices, consent; the duty to have one: ``test_1844_duty.py``."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.events import ConsentAsked, Paid
from engine.core.ids import POOL, TrainName
from engine.core.orders import Train
from engine.titles.t1844.names import MOB
from tests.kit.games.situations_1844 import EDITIONS, Described, Swiss, situation, swiss

both = pytest.mark.parametrize("edition", EDITIONS)


def buying(name: str = "MOB", *others: Described, cash: int = 2000, trains: str = "", **rest: Any) -> Swiss:
    """Bob's company is about to buy trains. It has no route and need not have one."""
    if name == "SBB":
        company = swiss("SBB", {"Bob": (2, 3)}, cash=cash, markers="D19", trains=trains)
    else:
        company = swiss(name, {"Bob": {"MOB": 5, "VZ": 3}.get(name, 2)}, cash=cash, trains=trains)
    return situation(company, *others, **rest).turn(name, "trains")


def listed(game: Swiss) -> list[str]:
    return [line for line in game.accepted() if line.startswith("train ")]


# ---- limits ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1844:10.1", "1844:10.2")
@both
@pytest.mark.parametrize(
    ("name", "limits"),
    [("MOB", (4, 4, 4, 3, 2, 2, 2)), ("VZ", (2,) * 7), ("JS", (2,) * 7), ("SBB", (4,) * 7)],
)
def test_how_many_trains_a_company_may_have(edition: str, name: str, limits: tuple[int, ...]) -> None:
    for phase, limit in enumerate(limits, start=1):
        if name == "SBB" and phase < 5:
            continue
        trains = "8H"
        full = buying(name, trains=" ".join([trains] * limit), edition=edition, phase=str(phase))
        train = {1: "2H", 2: "2H", 3: "3H", 4: "4H", 5: "5H", 6: "6H", 7: "8H"}[phase]
        facts = {"owned": limit, "limit": limit, "phase": str(phase)}
        assert full.failures(f"{name}: train {train}") == {"train.limit": facts} and listed(full) == []
        room = buying(name, trains=" ".join([trains] * (limit - 1)), edition=edition, phase=str(phase))
        assert room.failures(f"{name}: train {train}") == {}


@pytest.mark.rule("1844:10.2")
@both
def test_at_the_limit_even_if_the_purchase_would_scrap_a_train_of_its_own(edition: str) -> None:
    game = buying("VZ", trains="2H 2H", edition=edition, phase="3", supply={"3": 0})
    assert set(game.failures("VZ: train 4H")) == {"train.limit"}


# ---- bank and pool --------------------------------------------------------------------------------------------------


@pytest.mark.rule("1844:10.3", "1844:1.12")
@both
@pytest.mark.parametrize(
    ("phase", "prices"),
    [
        ("1", {"2": 90, "2H": 70}),
        ("3", {"3": 180, "3H": 150}),
        ("4", {"4": 300, "4H": 260}),
        ("5", {"5": 450, "5H": 400}),
        ("6", {"6": 630, "6H": 550}),
        ("7", {"8E": 960, "8H": 700}),
    ],
)
def test_the_next_new_train_by_either_side_of_its_card(edition: str, phase: str, prices: dict[str, int]) -> None:
    game = buying(edition=edition, phase=phase)
    assert listed(game) == [f"train {t}" for t in prices]
    for train, price in prices.items():
        assert game.failures(Train(MOB, TrainName(train), None, price)) == {}
        facts = {"train": train, "price": price - 1, "cost": price}
        assert game.failures(Train(MOB, TrainName(train), None, price - 1)) == {"train.face_value": facts}
    card = next(iter(prices))
    left = game.state.supply.get(card)  # type: ignore[call-overload]
    game.do(f"MOB: train {card}H" if card != "8E" else "MOB: train 8H")
    assert game.money("MOB") == 2000 - min(prices.values())
    assert game.state.supply.get(card) == (None if left is None else left - 1)  # type: ignore[call-overload]


@pytest.mark.rule("1844:10.3")
@both
@pytest.mark.parametrize("train", ["2", "2H", "4", "8H"])
def test_no_other_new_train(edition: str, train: str) -> None:
    game = buying(edition=edition)
    assert game.failures(f"MOB: train {train}")["train.not_on_sale"] == {"train": train, "on_sale": ("3", "3H")}


@pytest.mark.rule("1844:10.3")
@both
def test_when_one_kind_is_sold_out_the_next_is_for_sale(edition: str) -> None:
    game = buying(edition=edition, supply={"3": 1})
    game.do("MOB: train 3")
    assert listed(game) == ["train 4", "train 4H"]


@pytest.mark.rule("1844:10.4")
@both
def test_regional_companies_have_h_trains_only(edition: str) -> None:
    bls = swiss("BLS", {"Bob": 5}, trains="3 3H")
    game = buying("VZ", bls, edition=edition, pool_trains="4 3H")
    assert listed(game) == ["train 3H", "train 3H from pool", "train 3H from BLS for 1"]
    for order, train in (("train 3", "3"), ("train 4 from pool", "4"), ("train 3 from BLS for 1", "3")):
        assert game.failures(f"VZ: {order}")["train.regional"] == {"train": train, "company": "VZ"}


@pytest.mark.rule("1844:10.5")
@both
def test_the_pool_sells_at_the_printed_price_what_lies_there_as_it_lies(edition: str) -> None:
    game = buying(edition=edition, phase="4", pool_trains="3H 3H 4")
    assert listed(game) == ["train 4", "train 4H", "train 3H from pool", "train 4 from pool"]
    facts = {"train": "4H", "pool": ("3H", "3H", "4")}
    assert game.failures("MOB: train 4H from pool") == {"train.not_in_pool": facts}
    bargain = {"train": "3H", "price": 100, "cost": 150}
    assert game.failures(Train(MOB, TrainName("3H"), POOL, 100)) == {"train.face_value": bargain}
    game.do("MOB: train 3H from pool")
    assert game.state.pool_trains == ("3H", "4") and game.money("MOB") == 1850


@pytest.mark.rule("1844:10.5", "1844:12.1")
@both
def test_a_train_from_the_pool_begins_no_phase(edition: str) -> None:
    game = buying(edition=edition, phase="4", pool_trains="5")
    game.do("MOB: train 5 from pool")
    assert game.state.phase == "4"


@pytest.mark.rule("1844:10.17")
@both
def test_the_treasury_pays_for_as_many_as_there_is_room_for(edition: str) -> None:
    game = buying(edition=edition, cash=330)
    game.do("MOB: train 3; train 3H")
    assert game.trains("MOB") == "3 3H" and game.money("MOB") == 0
    assert game.failures("MOB: train 3H") == {"train.money": {"train": "3H", "cost": 150, "cash": 0}}
    assert listed(game) == []


# ---- other companies ------------------------------------------------------------------------------------------------


def trading(director: str, *, buyer: str = "MOB", seller: str = "BLS", trains: str = "3 3H", **rest: Any) -> Swiss:
    if seller == "SBB":
        other = swiss("SBB", {director: (2, 3)}, trains=trains, markers="D19")
    else:
        other = swiss(seller, {director: 5 if seller == "BLS" else 2}, trains=trains)
    return buying(buyer, other, **{"cash": 500, **rest})


@pytest.mark.rule("1844:10.7", "1844:12.3")
@both
@pytest.mark.parametrize("phase", ["1", "2"])
def test_companies_trade_from_phase_3_on(edition: str, phase: str) -> None:
    game = trading("Bob", trains="2", phase=phase, edition=edition)
    assert game.failures("MOB: train 2 from BLS for 10") == {"train.too_early": {"phase": phase, "first": "3"}}
    assert not [line for line in listed(game) if "from" in line]


@pytest.mark.rule("1844:10.7")
@both
@pytest.mark.parametrize(
    ("order", "check", "facts"),
    [
        ("train 4 from BLS for 10", "train.seller_has_none", {"seller": "BLS", "train": "4", "has": ("3", "3H")}),
        ("train 3 from MOB for 10", "train.seller", {"seller": "MOB"}),
        ("train 3 from AB for 10", "train.seller", {"seller": "AB"}),
    ],
)
def test_who_has_no_such_train_sells_none(edition: str, order: str, check: str, facts: dict[str, Any]) -> None:
    assert trading("Bob", edition=edition).failures(f"MOB: {order}") == {check: facts}


@pytest.mark.rule("1844:10.8")
@both
def test_companies_of_one_director_agree_on_any_price(edition: str) -> None:
    game = trading("Bob", edition=edition)
    assert "train 3 from BLS for 1" in listed(game)
    facts = {"train": "3", "cost": 501, "cash": 500}
    assert game.failures("MOB: train 3 from BLS for 501") == {"train.money": facts}
    assert game.failures("MOB: train 3 from BLS for 0") == {"train.price": {"price": 0, "most": 500}}
    assert game.failures(Train(MOB, TrainName("3"), "BLS")) == {"train.price_missing": {"seller": "BLS", "most": 500}}
    game.do("MOB: train 3 from BLS for 500")  # more than the printed price
    assert (game.trains("MOB"), game.trains("BLS"), game.money("BLS")) == ("3", "3H", 500)
    assert not game.told(ConsentAsked)


@pytest.mark.rule("1844:10.9", "1844:12.9")
@both
def test_companies_of_different_directors_pay_the_printed_price_of_the_face_that_shows(edition: str) -> None:
    game = trading("Cat", edition=edition)
    assert "train 3H from BLS for 150" in listed(game) and "train 3 from BLS for 180" in listed(game)
    for train, price, cost in (("3H", 149, 150), ("3H", 180, 150), ("3", 150, 180)):
        facts = {"train": train, "price": price, "cost": cost}
        assert game.failures(f"MOB: train {train} from BLS for {price}") == {"train.printed_price": facts}
    assert game.failures(Train(MOB, TrainName("3H"), "BLS")) == {}  # there is only one price


@pytest.mark.rule("1844:10.16")
@both
@pytest.mark.parametrize("price", [150, None])
def test_without_the_money_the_printed_price_is_too_much_named_or_not(edition: str, price: int | None) -> None:
    game = trading("Cat", edition=edition, cash=149)
    facts = {"train": "3H", "cost": 150, "cash": 149}
    assert game.failures(Train(MOB, TrainName("3H"), "BLS", price)) == {"train.money": facts}


@pytest.mark.rule("1844:10.10")
@pytest.mark.parametrize(
    ("edition", "options", "asked"),
    [
        ("rulebook", {}, True),
        ("rulebook", {"consent": "not_asked"}, False),
        ("18xx.games", {}, False),
        ("18xx.games", {"consent": "asked"}, True),
    ],
)
def test_whether_the_sellers_director_is_asked(edition: str, options: dict[str, str], asked: bool) -> None:
    game = trading("Cat", edition=edition, options=options)
    game.do("MOB: train 3H from BLS for 150")
    assert game.asked == (["Cat BLS consent"] if asked else ["Bob MOB company.turn"])
    if asked:
        assert game.trains("MOB") == "" and game.accepted()
        game.do("BLS: agree")
    paid = [(e.payer, e.payee, e.amount) for e in game.told(Paid)]
    assert game.trains("MOB") == "3H" and paid == [("MOB", "BLS", 150)]


@pytest.mark.rule("1844:10.10")
def test_a_refusal_and_what_is_bought_instead() -> None:
    game = trading("Cat")
    game.do("MOB: train 3H from BLS for 150")
    game.do("BLS: refuse")
    assert game.asked == ["Bob MOB company.turn"] and (game.trains("MOB"), game.money("MOB")) == ("", 500)
    game.do("MOB: train 3H from BLS for 150 or train 3")
    game.do("BLS: refuse")
    assert (game.trains("MOB"), game.money("MOB")) == ("3", 320)


@pytest.mark.rule("1844:10.11", "1844:10.8")
@pytest.mark.parametrize(("buyer", "seller"), [("MOB", "SBB"), ("SBB", "BLS")])
@pytest.mark.parametrize(
    ("edition", "options", "printed"),
    [
        ("rulebook", {}, False),
        ("rulebook", {"sbb_trains": "printed"}, True),
        ("18xx.games", {}, True),
        ("18xx.games", {"sbb_trains": "negotiable"}, False),
    ],
)
def test_the_sbb_and_companies_of_its_director(
    edition: str, options: dict[str, str], printed: bool, buyer: str, seller: str
) -> None:
    """p. 13: the price is negotiable, and fixed between companies of different directors only."""
    game = trading("Bob", buyer=buyer, seller=seller, edition=edition, options=options, phase="5", trains="4")
    facts = {"train": "4", "price": 1, "cost": 300}
    assert game.failures(f"{buyer}: train 4 from {seller} for 1") == ({"train.printed_price": facts} if printed else {})
    paid = 300 if printed else 1
    game.do(f"{buyer}: train 4 from {seller} for {paid}")
    assert game.trains(buyer) == "4" and not game.told(ConsentAsked)
    assert [e.amount for e in game.told(Paid) if e.payee == seller] == [paid]


@pytest.mark.rule("1844:10.11", "1844:10.9")
@both
def test_the_sbb_and_companies_of_others(edition: str) -> None:
    game = trading("Cat", buyer="MOB", seller="SBB", edition=edition, phase="5", trains="4")
    facts = {"train": "4", "price": 1, "cost": 300}
    assert game.failures("MOB: train 4 from SBB for 1") == {"train.printed_price": facts}


@pytest.mark.rule("1844:10.12")
@both
def test_the_sbbs_own_5h_is_never_sold(edition: str) -> None:
    game = trading("Bob", seller="SBB", edition=edition, phase="5", trains="SBB5H 4")
    facts = {"train": "SBB5H", "seller": "SBB"}
    assert game.failures("MOB: train SBB5H from SBB for 400") == {"train.not_tradable": facts}
    price = 1 if edition == "rulebook" else 300
    assert [line for line in listed(game) if "from SBB" in line] == [f"train 4 from SBB for {price}"]


@pytest.mark.rule("1844:10.16")
@both
def test_a_pre_sbb_company_gets_no_help(edition: str) -> None:
    js = swiss("JS", {"Bob": 2}, cash=100)
    game = situation(js, edition=edition, tiles={"I2": "8#4", "J1": "3#3"}, cash={"Bob": 900}).turn("JS", "trains")
    assert game.failures("JS: train 3H") == {"train.money": {"train": "3H", "cost": 150, "cash": 100}}
    assert "done" in game.accepted() and game.refusals("JS: done") == set()
