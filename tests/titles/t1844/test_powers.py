"""Powers of privates of 1844 that can be used at any moment: the Furka-Oberalp track, and the train EVA."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from engine import Game, Setup
from engine.core.events import OverlayLaid, Paid, PrivateClosed, TrainMoved
from engine.core.ids import PlayerId, PrivateId
from engine.core.orders import UsePrivate
from engine.site18xx.sheet import NotForTheSite
from engine.site18xx.t1844.writer import Writer
from tests.kit.games.situations_1844 import EDITIONS, Swiss, fresh, situation, swiss

both = pytest.mark.parametrize("edition", EDITIONS)

FURKA_HEXES = ["H17", "H19", "H21", "H23", "I16"]
LINE = {"I6": "57#1"}


def unasked(game: Swiss, player: str) -> list[str]:
    """What the player may use now; each of it is accepted."""
    name = next(p for p in game.state.players if p == player)
    found = [c.sample(0) for c in game.title.policies.unasked(game.title, game.state, name)]
    for order in found:
        assert game.refusals(f"{order.actor}: {game.write(order)}") == set()
    return [f"{order.actor}: {game.write(order)}" for order in found]


# ---- P4 -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1844:6.21", "1844:6.22")
@both
@pytest.mark.parametrize(("owner", "actor"), [("Ann", "Ann"), ("BLS", "BLS")])
def test_the_furka_track_is_laid_free_and_its_owner_paid(edition: str, owner: str, actor: str) -> None:
    """In a turn of somebody else's company, by a player or by a company that has P4."""
    mob, bls = swiss("MOB", {"Bob": 5}, cash=100, trains="3"), swiss("BLS", {"Ann": 5})
    game = situation(mob, bls, edition=edition, tiles=LINE, privates={"P4": owner}).turn("MOB")
    assert unasked(game, "Ann") == [f"{actor}: use P4"] and unasked(game, "Bob") == []
    game.do(f"{actor}: use P4")
    assert sorted(e.hex for e in game.told(OverlayLaid)) == FURKA_HEXES
    assert [(e.payer, e.payee, e.amount) for e in game.told(Paid)] == [("Bank", owner, 80)]
    assert [e.private for e in game.told(PrivateClosed)] == ["P4"]
    assert game.asked == ["Bob MOB company.turn"] and game.refusals("MOB: lay 9 I8 1") == set()


@pytest.mark.rule("1844:6.21")
@both
def test_in_a_stock_round_it_costs_no_turn(edition: str) -> None:
    game = situation(edition=edition, privates={"P4": "Ann"}, cash={"Ann": 100, "Bob": 100}).stock("Ann")
    game.do("Ann: use P4")
    assert game.asked == ["Ann stock.turn"] and game.money("Ann") == 180
    assert game.failures("Ann: use P4") == {"use.closed": {"private": "P4"}}


@pytest.mark.parametrize(
    ("owner", "on_turn", "told"),
    [("Ann", "BLS", True), ("Ann", "MOB", True), ("BLS", "BLS", True), ("BLS", "MOB", False), ("MOB", "BLS", False)],
)
def test_18xx_games_lays_a_companys_only_in_its_own_turn(owner: str, on_turn: str, told: bool) -> None:
    """Ann directs BLS, Bob MOB. A company's power is none of its director's in the turn of another company."""
    mob, bls = swiss("MOB", {"Bob": 5}, trains="3"), swiss("BLS", {"Ann": 5})
    game = situation(mob, bls, edition="18xx.games", tiles=LINE, privates={"P4": owner}).turn(on_turn)
    assert written(game, owner) == (["choose_ability"] if told else [])


def test_18xx_games_lays_no_companys_in_a_stock_round() -> None:
    bls = swiss("BLS", {"Ann": 5})
    game = situation(bls, edition="18xx.games", privates={"P4": "BLS"}, cash={"Ann": 100}).stock("Ann")
    assert written(game, "BLS") == []


def written(game: Swiss, actor: str) -> list[str]:
    """The actions of 18xx.games for the use of P4 by ``actor``; none if the site has none."""
    begun = Game.start(game.title, Setup(tuple(game.state.players)))
    writer = Writer(begun, {player: number for number, player in enumerate(game.state.players, 1)})
    try:
        actions = writer._actions(UsePrivate(PlayerId(actor), PrivateId("P4")), game.state, ())
    except NotForTheSite:
        return []
    return [action["type"] for action in actions]


@pytest.mark.rule("1844:6.21")
@both
def test_its_track_joins_what_lies_beside_it(edition: str) -> None:
    """Andermatt is a town of 10; a train runs from Chur through Disentis to it."""
    rhb = swiss("RhB", {"Ann": 5}, trains="3", markers="G26")
    game = situation(rhb, edition=edition, tiles={"H25": "58#1"}, furka=True).turn("RhB", "run")
    game.do("RhB: run 3 G26-H25-H17; pay none")
    assert game.money("RhB") == 30


def not_owner(owner: str, actor: str) -> dict[str, object]:
    return {"private": "P4", "owner": owner, "actor": actor, "company": None}


@pytest.mark.rule("1844:6.21")
@both
@pytest.mark.parametrize(
    ("rest", "order", "facts"),
    [
        ({"phase": "2"}, "Ann: use P4", {"use.too_early": {"private": "P4", "phase": "2", "first": "3"}}),
        ({}, "Bob: use P4", {"use.not_owner": not_owner("Ann", "Bob")}),
        (
            {"privates": {"P4": "BLS"}},
            "Ann: use P4",
            {"use.not_owner": not_owner("BLS", "Ann")},
        ),
        ({"privates": {}}, "Ann: use P4", {"use.closed": {"private": "P4"}}),
        ({"privates": {"P2": "Ann"}}, "Ann: use P2", {"use.no_power": {"private": "P2"}}),
    ],
)
def test_what_the_power_needs(edition: str, rest: Mapping[str, Any], order: str, facts: dict[str, Any]) -> None:
    bls = swiss("BLS", {"Ann": 5})
    game = situation(bls, edition=edition, **{"privates": {"P4": "Ann"}, **rest}).turn("BLS")
    assert game.failures(order) == facts
    assert order not in unasked(game, order.split(":", maxsplit=1)[0])


@pytest.mark.rule("1844:6.21")
@both
def test_no_power_during_the_auction(edition: str) -> None:
    game = fresh(edition=edition)
    assert set(game.refusals("Ann: use P4")) == {"use.not_owner", "use.too_early"}


# ---- EVA ------------------------------------------------------------------------------------------------------------


def with_eva(trains: str = "3H", *, edition: str = "rulebook", **rest: Any) -> Swiss:
    """Ann has P7 and directs STB, which is on turn, and SCB and VZ, which are not; MOB is Bob's."""
    return situation(
        swiss("STB", {"Ann": 5}, trains=trains, cash=500),
        swiss("SCB", {"Ann": 2}, trains="4 4"),
        swiss("VZ", {"Ann": 3}, trains="4H"),
        swiss("MOB", {"Bob": 5}),
        edition=edition,
        **{"phase": "5", "privates": {"P7": "Ann"}, **rest},
    ).turn("STB")


@pytest.mark.rule("1844:12.12", "1844:12.13")
@both
def test_eva_is_given_free_and_is_then_a_5h_like_any_other(edition: str) -> None:
    game = with_eva(edition=edition)
    assert "Ann: use P7 for STB" in unasked(game, "Ann")
    game.do("Ann: use P7 for STB")
    assert game.trains("STB") == "3H 5H" and not game.told(Paid)
    assert [e.private for e in game.told(PrivateClosed)] == ["P7"] and unasked(game, "Ann") == []
    assert game.title.trains["5H"].tradable and game.title.trains["5H"].cost == 400  # type: ignore[index]
    game.turn("VZ", "trains")
    assert game.failures("VZ: train 5H from STB for 10") == {
        "train.money": {"train": "5H", "cost": 10, "cash": 0}
    }  # nothing else is against it


@pytest.mark.rule("1844:12.12")
@pytest.mark.parametrize(
    ("edition", "options", "companies"),
    [
        ("rulebook", {}, ["STB", "VZ"]),
        ("rulebook", {"eva_company": "operating"}, ["STB"]),
        ("rulebook", {"eva_limit": "discard"}, ["SCB", "STB", "VZ"]),
        ("18xx.games", {}, ["STB"]),
        ("18xx.games", {"eva_company": "any"}, ["SCB", "STB", "VZ"]),
        ("18xx.games", {"eva_company": "any", "eva_limit": "kept"}, ["STB", "VZ"]),
    ],
)
def test_to_which_companies_eva_may_go(edition: str, options: dict[str, str], companies: list[str]) -> None:
    game = with_eva(edition=edition, options=options)
    assert sorted(line.split()[-1] for line in unasked(game, "Ann")) == companies


@pytest.mark.rule("1844:12.12")
@pytest.mark.parametrize(
    ("edition", "options", "refused", "pool"),
    [
        ("rulebook", {}, True, ()),
        ("rulebook", {"eva_limit": "discard"}, False, ("3H",)),
        ("18xx.games", {}, False, ()),
        ("18xx.games", {"eva_limit": "kept"}, True, ()),
        ("18xx.games", {"discards": "pool"}, False, ("3H",)),
    ],
)
def test_eva_and_a_company_at_its_limit(
    edition: str, options: dict[str, str], refused: bool, pool: tuple[str, ...]
) -> None:
    game = with_eva("3H 4", edition=edition, options=options)
    if refused:
        assert game.failures("Ann: use P7 for STB") == {"use.limit": {"company": "STB", "limit": 2}}
        assert "Ann: use P7 for STB" not in unasked(game, "Ann")
        return
    game.do("Ann: use P7 for STB")
    assert game.asked == ["Ann STB discard"] and game.accepted() == ["discard 3H", "discard 4", "discard 5H"]
    game.do("STB: discard 3H")
    assert (game.trains("STB"), game.state.pool_trains) == ("4 5H", pool)
    assert game.asked == ["Ann STB company.turn"]


@pytest.mark.rule("1844:12.12")
@both
def test_only_the_owner_and_only_for_a_company_of_his(edition: str) -> None:
    game = with_eva(edition=edition)
    mine = {"companies": ("SCB", "STB", "VZ")}
    for company in ("MOB", "BLS"):
        facts = game.failures(f"Ann: use P7 for {company}")["use.company"]
        assert facts["company"] == company and sorted(facts["companies"]) == sorted(mine["companies"])
    assert game.failures("Ann: use P7")["use.company"]["company"] is None
    his = {"private": "P7", "owner": "Ann", "actor": "Bob", "company": "MOB"}
    assert game.failures("Bob: use P7 for MOB") == {"use.not_owner": his}


@pytest.mark.rule("1844:12.12")
@pytest.mark.parametrize(
    ("edition", "refused"),
    [
        ("rulebook", {}),
        ("18xx.games", {"use.not_operating": {"company": "VZ", "operating": "STB"}}),
    ],
)
def test_a_company_that_is_not_on_turn(edition: str, refused: dict[str, Any]) -> None:
    assert with_eva(edition=edition).failures("Ann: use P7 for VZ") == refused


@pytest.mark.rule("1844:12.12")
@pytest.mark.parametrize(
    ("edition", "refused"),
    [("rulebook", {}), ("18xx.games", {"use.not_operating": {"company": "STB", "operating": None}})],
)
def test_eva_in_a_stock_round(edition: str, refused: dict[str, Any]) -> None:
    game = with_eva(edition=edition, cash={"Ann": 100}).stock("Bob")
    assert game.failures("Ann: use P7 for STB") == refused


@pytest.mark.rule("1844:12.12")
@both
def test_not_before_phase_5(edition: str) -> None:
    game = with_eva(edition=edition, phase="4")
    assert game.failures("Ann: use P7 for STB")["use.too_early"] == {"private": "P7", "phase": "4", "first": "5"}


@pytest.mark.rule("1844:12.12", "1844:10.13")
@both
def test_eva_can_be_the_train_that_a_company_must_have(edition: str) -> None:
    mob = swiss("MOB", {"Bob": 5})
    game = situation(mob, edition=edition, tiles=LINE, phase="5", privates={"P7": "Bob"}).turn("MOB")
    assert game.failures("MOB: done") == {"train.must_own": {"company": "MOB"}}
    game.do("Bob: use P7 for MOB")
    assert [(e.train, e.target) for e in game.told(TrainMoved)] == [("5H", "MOB")]
    game.do("MOB: run best; pay full; done")


# ---- S-13 -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1844:12.5", "1844:12.12", "1844:6.21", "1844:6.22")
@both
def test_phase_5_by_the_rhb(edition: str) -> None:
    game = situation(
        swiss("RhB", {"Bob": 5}, at="r1c12", cash=400, trains="4"),
        swiss("STB", {"Ann": 5}, trains="3H"),
        edition=edition,
        phase="4",
        supply={"4": 0},
        privates={**dict.fromkeys(("P1", "P2", "P3", "P4"), "Cat"), "P5": "Ann", "P6": "Bob", "P7": "Ann"},
    ).operating("RhB", "STB")
    game.do("RhB: train 5H")
    assert game.state.phase == "5" and game.trains("RhB") == "4 5H"
    assert game.money("Cat") == 80 and sorted(e.hex for e in game.told(OverlayLaid)) == FURKA_HEXES
    assert sorted(e.private for e in game.told(PrivateClosed)) == ["P1", "P2", "P3", "P4", "P5", "P6"]
    game.do("RhB: done")
    assert game.asked == ["Ann STB company.turn"]
    game.do("Ann: use P7 for STB")
    assert game.trains("STB") == "3H 5H"
