"""Directors of 1844: who becomes one, what certificates go over, and who has too many of them."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.events import DirectorChanged
from tests.kit.games.situations_1844 import EDITIONS, Described, Swiss, situation, swiss

both = pytest.mark.parametrize("edition", EDITIONS)
RICH = {"Ann": 600, "Bob": 600, "Cat": 600}


def stock(*rows: Described, edition: str, turn: str = "Bob", **more: Any) -> Swiss:
    return situation(*rows, edition=edition, **{"cash": RICH, **more}).stock(turn, round="SR 2")


# ---- dumping ---------------------------------------------------------------------------------------------------------


@both
@pytest.mark.rule("1844:4.10", "1844:4.22", "1844:4.23", "1844:4.5")
def test_a_director_sells_four_of_five(edition: str) -> None:
    mob = swiss("MOB", {"Bob": 5, "Ann": 2}, pool=1, cash=120, trains="3H")
    game = stock(mob, edition=edition, privates={"P1": "MOB"})
    game.do("Bob: sell 4 MOB")
    assert (game.money("Bob"), game.price("MOB"), game.director("MOB")) == (920, "70 r5c5", "Ann")
    assert game.certificates("MOB") == {"Ann": "D", "Bob": "1s", "Pool": "5s", "IPO": "2s"}
    assert (game.money("MOB"), game.trains("MOB"), game.owner("P1")) == (120, "3H", "MOB"), "all goes with it"


@both
@pytest.mark.rule("1844:4.22")
def test_equal_shares_change_nothing(edition: str) -> None:
    game = stock(swiss("MOB", {"Bob": 5, "Ann": 2}, pool=1), edition=edition)
    game.do("Bob: sell 3 MOB")
    assert game.director("MOB") == "Bob"
    assert game.shares("MOB") == {"Ann": 2, "Bob": 2, "Pool": 4, "IPO": 2}


@both
@pytest.mark.rule("1844:4.10", "1844:4.7")
def test_one_share_of_the_directors_certificate(edition: str) -> None:
    game = stock(swiss("MOB", {"Bob": 2, "Ann": 2}, pool=4), edition=edition)
    assert game.reasons("Bob: sell 2 MOB") == {"sell.pool_full": {"company": "MOB", "count": 2, "room": 1}}
    game.do("Bob: sell 1 MOB")
    assert (game.money("Bob"), game.director("MOB")) == (680, "Ann")
    assert game.certificates("MOB") == {"Ann": "D", "Bob": "1s", "Pool": "5s", "IPO": "2s"}


@both
@pytest.mark.rule("1844:4.10")
@pytest.mark.parametrize(("name", "pool"), [("JS", 1), ("VZ", 1)])
def test_one_share_of_the_certificate_of_smaller_companies(edition: str, name: str, pool: int) -> None:
    """Three shares of the VZ are sold one by one; half of a pre-SBB company is its director's certificate."""
    if name == "VZ":
        game = stock(swiss(name, {"Bob": 2, "Ann": 2}, pool=pool), edition=edition)
        game.do(f"Bob: sell 1 {name}")
        assert (game.director(name), game.shares(name)["Pool"]) == ("Ann", 2)
        return
    game = stock(swiss(name, {"Bob": 2, "Ann": 1}, pool=pool), edition=edition)
    facts = {"company": name, "count": 1, "most": 0, "others": (("Ann", 1),)}
    assert game.reasons(f"Bob: sell 1 {name}") == {"sell.director": facts}, "nobody has two shares"


@both
@pytest.mark.rule("1844:4.10")
def test_the_last_way_out_cannot_be_sold(edition: str) -> None:
    game = stock(swiss("MOB", {"Bob": 4, "Ann": 1, "Cat": 1}), edition=edition)
    facts = {"company": "MOB", "count": 3, "most": 2, "others": (("Ann", 1), ("Cat", 1))}
    assert game.reasons("Bob: sell 3 MOB") == {"sell.director": facts}
    game.do("Bob: sell 2 MOB")
    assert game.director("MOB") == "Bob"


@both
@pytest.mark.rule("1844:4.22")
@pytest.mark.parametrize(("director", "heir"), [("Ann", "Bob"), ("Bob", "Cat"), ("Cat", "Ann")])
def test_of_equals_the_next_in_turn_order(edition: str, director: str, heir: str) -> None:
    others = [p for p in ("Ann", "Bob", "Cat") if p != director]
    game = stock(swiss("MOB", {director: 4, others[0]: 3, others[1]: 3}), edition=edition, turn=director)
    game.do(f"{director}: sell 2 MOB")
    assert game.director("MOB") == heir


@both
@pytest.mark.rule("1844:4.22", "1844:4.23")
def test_a_buyer_with_more_becomes_director(edition: str) -> None:
    game = stock(swiss("BLS", {"Ann": 3, "Bob": 3}), edition=edition)
    game.do("Bob: buy BLS")
    assert (game.director("BLS"), game.certificates("BLS")) == ("Bob", {"Ann": "3s", "Bob": "D 2s", "IPO": "3s"})


# ---- the SBB ---------------------------------------------------------------------------------------------------------


@both
@pytest.mark.rule("1844:4.23")
def test_the_new_director_of_the_sbb_gives_a_double(edition: str) -> None:
    game = stock(swiss("SBB", {"Bob": (1, 5), "Ann": (2, 1), "Cat": (1, 1)}, pool=(1, 2)), edition=edition, phase="5")
    game.do("Bob: sell 4 SBB with 0 doubles")
    assert game.director("SBB") == "Ann"
    assert game.certificates("SBB") == {"Ann": "D 1d 1s", "Bob": "1d 1s", "Cat": "1d 1s", "Pool": "1d 7s"}


@both
@pytest.mark.rule("1844:4.23")
def test_or_two_singles_without_one(edition: str) -> None:
    game = stock(swiss("SBB", {"Bob": (1, 3), "Ann": (0, 5), "Cat": (2, 0)}, pool=(2, 2)), edition=edition, phase="5")
    game.do("Bob: sell 1 SBB")
    assert game.certificates("SBB") == {"Ann": "D 3s", "Bob": "4s", "Cat": "2d", "Pool": "2d 3s"}


@both
@pytest.mark.rule("1844:4.29", "1844:4.23")
@pytest.mark.parametrize(
    ("order", "left"),
    [
        ("sell 2 SBB", "2d"),  # as few doubles as make it up
        ("sell 2 SBB with 1 double", "1d 2s"),
        ("sell 2 SBB with 0 doubles", "2d"),
        ("sell 3 SBB", "1d 1s"),
        ("sell 4 SBB with 2 doubles", "2s"),
        ("sell 1 SBB double", "1d 2s"),
    ],
)
def test_doubles_and_singles_are_sold(edition: str, order: str, left: str) -> None:
    sbb = swiss("SBB", {"Cat": (2, 4), "Bob": (2, 2)}, pool=(1, 4))
    game = stock(sbb, edition=edition, phase="5")
    game.do(f"Bob: {order}")
    assert game.certificates("SBB")["Bob"] == left


@both
@pytest.mark.rule("1844:4.29")
def test_certificates_that_do_not_come_out_even(edition: str) -> None:
    game = stock(swiss("SBB", {"Cat": (2, 8), "Bob": (2, 0)}, pool=(1, 2)), edition=edition, phase="5")
    for order, count, doubles in (("sell 1 SBB", 1, None), ("sell 3 SBB with 1 double", 3, 1)):
        facts = {"company": "SBB", "count": count, "doubles": doubles}
        assert game.reasons(f"Bob: {order}") == {"sell.certificates": facts}


@both
@pytest.mark.rule("1844:4.29")
def test_by_a_ruling_the_pool_gives_a_single_as_change(edition: str) -> None:
    """One share of a double: the double goes to the pool, one of its singles comes back."""
    sbb = swiss("SBB", {"Cat": (2, 8), "Bob": (2, 0)}, pool=(1, 2))
    game = stock(sbb, edition=edition, phase="5", options={"sbb_split": "pool"})
    game.do("Bob: sell 1 SBB")
    assert (game.certificates("SBB")["Bob"], game.certificates("SBB")["Pool"]) == ("1d 1s", "2d 1s")
    assert game.money("Bob") == 700
    bare = swiss("SBB", {"Cat": (2, 10), "Bob": (2, 0)}, pool=(1, 0))
    game = stock(bare, edition=edition, phase="5", options={"sbb_split": "pool"})
    assert game.refusals("Bob: sell 1 SBB") == {"sell.certificates"}, "there is no change in the pool"


@both
@pytest.mark.rule("1844:4.29", "1844:4.23")
def test_a_double_that_comes_for_the_directors_certificate_is_whole(edition: str) -> None:
    sbb, whole = swiss("SBB", {"Bob": (1, 0), "Ann": (1, 8)}, pool=(3, 2)), {"sbb_split": "no"}
    game = stock(sbb, edition=edition, phase="5", options=whole)
    facts = {"company": "SBB", "count": 1, "doubles": None}
    assert game.reasons("Bob: sell 1 SBB") == {"sell.certificates": facts}
    game.do("Bob: sell 2 SBB")
    assert game.certificates("SBB") == {"Ann": "D 8s", "Pool": "4d 2s"}
    assert stock(sbb, edition=edition, phase="5").refusals("Bob: sell 1 SBB") == (
        {"sell.certificates"} if edition == "rulebook" else set()
    )


@both
@pytest.mark.rule("1844:4.29", "1844:4.23")
def test_by_a_ruling_one_share_of_it_goes_and_a_single_comes_as_change(edition: str) -> None:
    sbb = swiss("SBB", {"Bob": (1, 0), "Ann": (1, 8)}, pool=(3, 2))
    game = stock(sbb, edition=edition, phase="5", options={"sbb_split": "director"})
    game.do("Bob: sell 1 SBB")
    assert game.certificates("SBB") == {"Ann": "D 8s", "Bob": "1s", "Pool": "4d 1s"}
    assert game.director("SBB") == "Ann"
    own = swiss("SBB", {"Ann": (2, 4), "Bob": (1, 0), "Cat": (1, 2)}, pool=(1, 4))
    game = stock(own, edition=edition, phase="5", options={"sbb_split": "director"})
    assert game.refusals("Bob: sell 1 SBB") == {"sell.certificates"}, "his own double is whole"
    bare = swiss("SBB", {"Bob": (1, 0), "Ann": (1, 10)}, pool=(3, 0))
    game = stock(bare, edition=edition, phase="5", options={"sbb_split": "director"})
    assert game.refusals("Bob: sell 1 SBB") == {"sell.certificates"}, "there is no change in the pool"


@both
@pytest.mark.rule("1844:13.17", "1844:4.22")
def test_without_a_director_his_certificate_comes_first(edition: str) -> None:
    game = stock(swiss("SBB", {}), edition=edition, phase="5")
    assert game.reasons("Bob: buy SBB") == {"buy.director_first": {"company": "SBB"}}
    assert game.reasons("Bob: buy SBB double") == {"buy.director_first": {"company": "SBB"}}
    game.do("Bob: buy SBB director")
    assert (game.money("Bob"), game.director("SBB")) == (400, "Bob")
    assert [e.player for e in game.told(DirectorChanged)] == ["Bob"]
    game.do("Cat: buy SBB double")


# ---- too many certificates -------------------------------------------------------------------------------------------


def over(edition: str, **more: Any) -> Swiss:
    """Ann has lost a director's certificate and has eleven certificates and one more."""
    rows = (swiss("BLS", {"A": 6}), swiss("STB", {"A": 6}), swiss("AB", {"B": 3, "A": 2}), swiss("JS", "C"))
    return stock(*rows, edition=edition, turn="A", players="A B C D E F G", **{"cash": {"A": 500}, **more})


@both
@pytest.mark.rule("1844:4.25", "1844:1.5")
def test_who_has_too_many_sells_first(edition: str) -> None:
    game = over(edition)
    facts = {"over": 1, "limit": 11}
    for order in ("pass", "buy T2", "buy B1 in H7 with panel 10/20/50/80", "buy JS", "start MOB at 60"):
        assert game.reasons(f"A: {order}")["stock.over_limit"] == facts
    assert {order.split()[0] for order in game.menu()} == {"sell"}
    game.do("A: sell 1 AB; buy T2")


@both
@pytest.mark.rule("1844:4.25")
def test_not_where_nothing_can_be_sold(edition: str) -> None:
    """Nobody else has two shares, and the pool is full of the others."""
    rows = (
        swiss("BLS", {"A": 5}, pool=5), swiss("STB", {"A": 5}, pool=5), swiss("AB", {"A": 5}, pool=5),
        swiss("JS", "C"),
    )  # fmt: skip
    game = stock(*rows, edition=edition, turn="A", players="A B C D E F G", cash={"A": 500})
    assert game.reasons("A: buy JS") == {"buy.certificate_limit": {"held": 12, "limit": 11}}
    game.do("A: pass")


@both
@pytest.mark.rule("1844:4.25", "1844:4.23")
def test_a_lost_certificate_may_bring_one_too_many(edition: str) -> None:
    rows = (swiss("BLS", {"B": 6}), swiss("STB", {"B": 6}), swiss("AB", {"B": 2, "C": 2}))
    game = stock(*rows, edition=edition, turn="C", players="A B C D E F G", cash={"B": 300, "C": 300})
    assert not game.reasons("C: buy AB")
    game.do("C: buy AB")
    assert game.asked == ["B stock.turn"]
    assert game.reasons("B: pass") == {"stock.over_limit": {"over": 1, "limit": 11}}
