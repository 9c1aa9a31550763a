"""The formation of the SBB in 1844."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.events import BankBroke, DestinationReached, Exported, Formed, Ran, RoundBegan
from engine.core.ids import CompanyId, HexId
from tests.kit.games.situations_1844 import EDITIONS, Described, Swiss, situation, swiss
from tests.titles.t1844.test_destinations import TO_THUN

both = pytest.mark.parametrize("edition", EDITIONS)
PRICES = {"NOB": "r4c5", "SCB": "r1c7", "VSB": "r2c9", "JS": "r4c12", "GB": "r1c12"}
"""80, 130, 145, 170, 200."""


def due(*rows: Described, edition: str = "rulebook", round: str = "OR 2.1", **more: Any) -> Swiss:
    """The round in which the first 5 was bought is over."""
    given: dict[str, Any] = {"players": "Ann Bob Cat Dan Eva", "phase": "5", "marks": {"sbb_due": True}, **more}
    return situation(*rows, edition=edition, round=round, **given).after_round()


def five(holders: dict[str, dict[str, int]], **more: Any) -> list[Described]:
    """All five with these holders, at the prices above."""
    return [swiss(c, held, PRICES[c], **more) for c, held in holders.items()]


# ---- when ------------------------------------------------------------------------------------------------------------


@both
@pytest.mark.rule("1844:13.1", "1844:13.6", "1844:5.1")
def test_after_the_round_of_the_first_five(edition: str) -> None:
    """In a set of two rounds: it is formed after the first and operates in the second, at 100 in the sixth row."""
    rows = (swiss("NOB", "Ann"), swiss("MOB", {"Bob": 5}, cash=450))
    game = situation(*rows, edition=edition, round="OR 7.1", phase="4", supply={"4": 0}, cash={"Cat": 99})
    game.turn("MOB", "trains").do("MOB: train 5")
    assert (game.status("SBB"), game.status("NOB")) == ("unstarted", "open"), "the round is played to its end"
    game.do("MOB: done")
    assert (game.price("SBB"), game.status("NOB")) == ("100 r6c9", "closed")
    assert (str(game.state.round), game.asked) == ("OR 7.2", ["Ann SBB company.turn"])
    assert game.order() == ["SBB", "MOB"]
    game.quietly("SR 8")
    game.all_pass().quietly("OR 8.3")
    assert str(game.state.round) == "OR 8.3", "the next set has three rounds"


@both
@pytest.mark.rule("1844:13.1", "1844:13.2", "1844:5.12")
def test_after_the_last_round_of_a_set_the_export_comes_first(edition: str) -> None:
    game = due(swiss("NOB", "Ann"), edition=edition, round="OR 2.3", cash={"Cat": 100})
    kinds = [e for e in game.events if isinstance(e, Exported | Formed)]
    assert [type(e) for e in kinds] == [Exported, Formed]
    assert (game.told(Exported)[0].train, game.left("5")) == ("5", 2)
    assert (str(game.state.round), game.asked) == ("SR 3", ["Cat stock.turn"])


@pytest.mark.rule("1844:13.2", "1844:13.15")
@pytest.mark.parametrize("ruling", ["after_export", "before_export"])
@both
def test_by_a_ruling_the_formation_comes_before_the_export(edition: str, ruling: str) -> None:
    """The export of a 6 scraps the 3H: before it five trains come together and one goes, after it two are left."""
    rows = (swiss("NOB", "Ann", trains="3H 3H"), swiss("SCB", "Bob", trains="3H 4"))
    given: dict[str, Any] = {"options": {"formation": ruling}, "supply": {"5": 0}, "cash": {"Cat": 100}}
    game = due(*rows, edition=edition, round="OR 2.3", **given)
    if ruling == "before_export":
        assert game.asked == ["Ann SBB discard"] and not game.told(Exported)
        game.do("SBB: discard 3H")
    told = [type(e) for e in game.events if isinstance(e, Exported | Formed)]
    assert told == ([Exported, Formed] if ruling == "after_export" else [Formed, Exported])
    assert (game.trains("SBB"), str(game.state.round)) == ("SBB5H 4H", "SR 3")


@both
@pytest.mark.rule("1844:13.2")
@pytest.mark.parametrize("ruling", ["after_export", "before_export"])
def test_an_exported_five_forms_it_under_either_ruling(edition: str, ruling: str) -> None:
    given: dict[str, Any] = {"phase": "4", "supply": {"4": 0}, "marks": {}, "cash": {"Cat": 100}}
    game = due(swiss("NOB", "Ann"), edition=edition, round="OR 2.2", options={"formation": ruling}, **given)
    assert (game.state.phase, game.status("SBB"), str(game.state.round)) == ("5", "open", "SR 3")


@both
@pytest.mark.rule("1844:13.2", "1844:12.1")
def test_an_exported_five_forms_it_at_once(edition: str) -> None:
    given: dict[str, Any] = {"phase": "4", "supply": {"4": 0}, "marks": {}, "cash": {"Cat": 100}}
    game = due(swiss("NOB", "Ann"), edition=edition, round="OR 2.2", **given)
    assert (game.state.phase, game.status("SBB"), str(game.state.round)) == ("5", "open", "SR 3")


# ---- what it takes over ----------------------------------------------------------------------------------------------


@both
@pytest.mark.rule("1844:13.3", "1844:13.4", "1844:13.16")
def test_money_trains_and_markers(edition: str) -> None:
    rows = (
        swiss("NOB", "Ann", cash=120, trains="3H", markers="D19 C12"),
        swiss("SCB", "Bob", cash=30, trains="4", markers=""),
    )
    game = due(*rows, edition=edition)
    assert (game.money("SBB"), game.trains("SBB")) == (550, "SBB5H 3H 4")
    assert game.markers("SBB") == ["C12", "D19"]
    assert {game.status(c) for c in PRICES} == {"closed"}, "those never launched too"
    policies, sbb = game.title.policies, CompanyId("SBB")
    assert policies.markers(game.title, game.state, sbb) == 10
    assert policies.marker_cost(game.title, game.state, sbb, HexId("F11")) == 100


@both
@pytest.mark.rule("1844:13.5")
def test_one_marker_in_a_city(edition: str) -> None:
    tiles = {"D19": "15#0"}
    rows = (swiss("NOB", "Ann", markers="D19"), swiss("SCB", "Bob", markers="C12 D19"))
    game = due(*rows, edition=edition, tiles=tiles)
    assert game.markers("SBB") == ["C12", "D19"]
    assert game.asked == ["Ann SBB company.turn"]


@both
@pytest.mark.rule("1844:13.5")
def test_of_two_cities_its_director_chooses(edition: str) -> None:
    rows = (swiss("JS", "Bob", markers="I4"), swiss("NOB", {"Ann": 3}, markers="D19 I4/1"))
    game = due(*rows, edition=edition)
    assert game.asked == ["Ann SBB keep.marker"]
    assert len(game.menu()) == 2
    one = {"hex": "I4", "company": "SBB"}
    assert game.reasons("SBB: keep D19") == {"keep.one": one}
    assert game.reasons("SBB: done") == {"order.wrong_kind": {"asked": "keep.marker"}}
    kept = game.menu()[0]
    game.do(f"SBB: {kept}")
    assert game.markers("SBB") == ["D19", "I4"]
    assert game.asked == ["Ann SBB company.turn"]


@both
@pytest.mark.rule("1844:13.5")
@pytest.mark.parametrize("first", ["I4", "D15"])
def test_of_two_hexes_either_comes_first(edition: str, first: str) -> None:
    rows = (
        swiss("JS", "Bob", markers="I4 D15/0"),
        swiss("NOB", {"Ann": 3}, markers="D19 D15/1"),
        swiss("SCB", "Cat", markers="C12 I4/1"),
    )
    game = due(*rows, edition=edition)
    assert len(game.accepted()) == 4
    second = next(h for h in ("I4", "D15") if h != first)
    for hex in (first, second):
        assert game.reasons("SBB: keep D19")["keep.one"]["hex"] in ("I4", "D15")
        game.do(f"SBB: {next(line for line in game.menu() if hex in line)}")
    assert game.markers("SBB") == ["C12", "D15", "D19", "I4"]
    assert game.asked == ["Ann SBB company.turn"]


@pytest.mark.rule("1844:6.23", "1844:13.5")
@pytest.mark.parametrize(("edition", "at_once"), [("rulebook", True), ("18xx.games", False)])
@pytest.mark.parametrize("round", ["OR 2.1", "OR 2.3"])
def test_a_marker_taken_back_opens_a_way_as_soon_as_it_is_gone(edition: str, at_once: bool, round: str) -> None:
    """Olten has two circles and markers of two pre-SBB companies. The STB behind it is paid with the formation, on
    18xx.games when the next turn begins."""
    rows = (
        swiss("NOB", "Ann", markers="D19 D13"),
        swiss("SCB", "Bob", markers="C12 D13"),
        swiss("STB", {"Cat": 5}, par=70),
    )
    game = due(*rows, edition=edition, round=round, tiles={**TO_THUN, "D13": "14#2"}, cash={"Cat": 300})
    order = [type(e).__name__ for e in game.events if isinstance(e, Formed | DestinationReached | RoundBegan)]
    expected = ["Formed", "DestinationReached", "RoundBegan"] if at_once else ["Formed", "RoundBegan"]
    assert order[: len(expected)] == expected
    assert game.money("STB") == (350 if at_once or round == "OR 2.1" else 0)


WAY_BY_FRIBOURG = {
    "I6": "57#1", "I8": "8#1", "H9": "8#0", "G8": "64#3", "F9": "8#4", "F11": "6#5", "G12": "9#2", "H13": "57#2",
}  # fmt: skip
"""Montreux to Thun by Bern; of the two cities of Romont and Fribourg it passes through the first."""


@pytest.mark.rule("1844:6.23", "1844:13.5")
@pytest.mark.parametrize(("kept", "paid"), [("G8/SW", 400), ("G8/NE", 0)])
def test_so_does_the_marker_that_its_director_takes_back(kept: str, paid: int) -> None:
    game = due(
        swiss("NOB", {"Ann": 3}, markers="D19 G8/0"),
        swiss("SCB", "Bob", markers="C12 G8/1"),
        swiss("MOB", {"Cat": 5}, markers="I6"),
        tiles=WAY_BY_FRIBOURG,
        round="OR 2.3",
        cash={"Cat": 300},
    )
    assert (game.asked, game.money("MOB")) == (["Ann SBB keep.marker"], 0)
    game.do(f"SBB: keep {kept}")
    assert (game.money("MOB"), str(game.state.round)) == (paid, "SR 3")


@both
@pytest.mark.rule("1844:13.7", "1844:6.24")
def test_bonuses_lapse(edition: str) -> None:
    rows = (swiss("GB", "Ann", cash=10), swiss("MOB", {"Bob": 5}))
    game = due(*rows, edition=edition, tunnels={"T2": "H19 X79 2"}, privates={"T2": "Cat"})
    assert (game.money("SBB"), game.told(DestinationReached)) == (410, [])


@both
@pytest.mark.rule("1844:13.3", "1844:7.5")
def test_homes_of_companies_that_never_came_are_open(edition: str) -> None:
    game = due(swiss("NOB", "Ann"), swiss("MOB", {"Bob": 5}), edition=edition)
    reserved = game.title.policies.reserved
    assert reserved(game.title, game.state, HexId("C12"), CompanyId("MOB")) == ()


# ---- shares and money ------------------------------------------------------------------------------------------------


@both
@pytest.mark.rule("1844:13.8", "1844:13.9")
def test_certificates(edition: str) -> None:
    rows = (swiss("NOB", {"Ann": 3, "Bob": 1}), swiss("SCB", {"Bob": 2}, pool=1))
    game = due(*rows, edition=edition)
    assert game.certificates("SBB") == {"Ann": "D 1s", "Bob": "1d 1s", "Pool": "3d 8s"}
    assert game.shares("SBB")["Pool"] == 14, "more than half"


def nine_units(edition: str, **more: Any) -> Swiss:
    held = {
        "NOB": {"Ann": 4},
        "SCB": {"Bob": 3},
        "VSB": {"Cat": 3},
        "JS": {"Ann": 3},
        "GB": {"Dan": 2, "Ann": 2},
    }
    return due(*five(held), edition=edition, cash={"Ann": 30}, **more)


@pytest.mark.rule("1844:13.10", "1844:13.11")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("ruling", "cash", "debts"), [("player", 360, {}), ("company", 410, {"formation": 50})]
)  # fmt: skip
def test_who_pays_and_gets(edition: str, ruling: str, cash: int, debts: dict[str, int]) -> None:
    """Four NOB at 80, three JS at 170, two GB at 200, and 30 in hand: the sum is 330, and nobody is short."""
    game = nine_units(edition, options={"exchange": ruling})
    assert (game.money("Ann"), game.debts("Ann")) == (cash, debts)
    assert (game.shares("SBB")["Ann"], game.director("SBB")) == (9, "Ann")
    usual = nine_units(edition)
    assert usual.money("Ann") == (360 if edition == "rulebook" else 410)


@both
@pytest.mark.rule("1844:13.10")
def test_a_directors_certificate_and_a_share(edition: str) -> None:
    rows = (swiss("NOB", "Ann", "r2c7"), swiss("SCB", {"Bob": 2, "Ann": 1}, "r4c4"))
    game = due(*rows, edition=edition, cash={"Ann": 30, "Bob": 100})
    assert (game.money("Ann"), game.money("Bob"), game.debts("Ann")) == (40, 40, {})


@pytest.mark.rule("1844:13.10", "1844:14.1")
def test_the_bank_pays_with_what_it_gets() -> None:
    """Ann gets 400, Bob and Cat pay 480; with the 400 of the SBB the bank is 320 poorer, and never poorer."""
    rows = (swiss("NOB", {"Ann": 4}, "r1c12"), swiss("SCB", {"Bob": 4}, "r8c2"), swiss("VSB", {"Cat": 4}, "r8c2"))
    game = due(*rows, players="Ann Bob Cat Dan", bank=330, cash={"Bob": 300, "Cat": 300})
    assert (game.money("Bank"), game.told(BankBroke)) == (10, [])


@both
@pytest.mark.rule("1844:13.11")
def test_who_cannot_pay_owes_the_rest(edition: str) -> None:
    game = due(swiss("NOB", {"Ann": 4}, "r4c5"), edition=edition, cash={"Ann": 30})
    assert (game.money("Ann"), game.debts("Ann")) == (0, {"formation": 50})


# ---- its director ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("1844:13.13", "1844:13.14")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("ruling", "ann", "dan"), [("company", "1d 2s", "1d"), ("director", "2d", "2s")]
)  # fmt: skip
def test_a_director_without_a_double(edition: str, ruling: str, ann: str, dan: str) -> None:
    directors = {"NOB": "Ann", "SCB": "Bob", "VSB": "Cat", "JS": "Dan", "GB": "Ann"}
    rows = five({c: {p: 2, "Eva": 2} for c, p in directors.items()})
    game = due(*rows, edition=edition, options={"sbb_double": ruling}, cash={"Eva": 100})
    held = {"Ann": ann, "Bob": "1d", "Cat": "1d", "Dan": dan, "Eva": "D 8s"}
    assert (game.certificates("SBB"), game.director("SBB")) == (held, "Eva")
    usual = due(*rows, edition=edition, cash={"Eva": 100}).certificates("SBB")["Ann"]
    assert usual == ("1d 2s" if edition == "rulebook" else "2d")


@both
@pytest.mark.rule("1844:13.14")
def test_a_double_of_the_pool_comes_first(edition: str) -> None:
    directors = {"NOB": "Ann", "SCB": "Bob", "VSB": "Cat", "JS": "Dan"}
    game = due(*five({c: {p: 2, "Eva": 2} for c, p in directors.items()}), edition=edition, cash={"Eva": 100})
    held = {"Ann": "1d", "Bob": "1d", "Cat": "1d", "Dan": "1d", "Eva": "D 6s", "Pool": "4s"}
    assert game.certificates("SBB") == held


@both
@pytest.mark.rule("1844:13.13")
@pytest.mark.parametrize(("directors", "chosen"), [("Bob Ann", "Bob"), ("Cat Bob", "Cat")])
def test_equals_by_the_number_of_their_company(edition: str, directors: str, chosen: str) -> None:
    first, second = directors.split()
    game = due(swiss("NOB", first), swiss("JS", second), edition=edition, cash={"Bob": 100, "Cat": 100})
    assert game.director("SBB") == chosen


@both
@pytest.mark.rule("1844:13.13")
def test_equals_who_directed_nothing_by_the_order_of_play(edition: str) -> None:
    directors = {"NOB": "Ann", "SCB": "Dan", "VSB": "Eva"}
    rows = five({c: {p: 2, "Cat": 1, "Bob": 1} for c, p in directors.items()})
    game = due(*rows, edition=edition, cash=dict.fromkeys(("Bob", "Cat"), 200))
    assert game.director("SBB") == "Bob"
    assert game.certificates("SBB")["Bob"] == "D 1s", "a double of the pool for two of his three"


@both
@pytest.mark.rule("1844:13.17")
def test_nobody_directs_it(edition: str) -> None:
    """No pre-SBB company ever came."""
    game = due(swiss("MOB", {"Bob": 5}, "r8c1", trains="3H"), edition=edition, cash={"Bob": 500})
    assert (game.director("SBB"), game.certificates("SBB")) == (None, {"Pool": "D 4d 10s"})
    assert game.asked == ["Bob MOB company.turn"], "it does not operate"
    while game.state.round.kind == "OR":
        game.do("MOB: done")
    assert (game.price("SBB"), {e.company for e in game.told(Ran)}) == ("100 r6c9", {"MOB"})
    assert game.refusals("Bob: buy SBB double") == {"buy.director_first"}
    game.do("Bob: buy SBB director")
    assert (game.money("Bob"), game.director("SBB")) == (300, "Bob")


# ---- too many trains -------------------------------------------------------------------------------------------------


@pytest.mark.rule("1844:13.15", "1844:12.10")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("ruling", ["kept", "discardable"])
def test_six_trains(edition: str, ruling: str) -> None:
    more = (swiss("SCB", "Bob", trains="3H 3H"), swiss("JS", "Cat", trains="4H"))
    rows = (swiss("NOB", {"Ann": 4}, trains="3H 3H"), *more)
    game = due(*rows, edition=edition, options={"sbb_own_train": ruling})
    assert game.asked == ["Ann SBB discard"]
    facts = {"train": "SBB5H", "trains": ("3H", "4H")}
    own = game.reasons("SBB: discard SBB5H")
    assert own == ({"discard.kept": facts} if ruling == "kept" else {})
    game.do("SBB: discard 3H; discard 3H")
    assert game.trains("SBB") == "SBB5H 3H 3H 4H"
    assert game.state.pool_trains == (("3H", "3H") if edition == "rulebook" else ())
    usual = due(*rows, edition=edition).refusals("SBB: discard SBB5H")
    assert usual == ({"discard.kept"} if edition == "rulebook" else set())
