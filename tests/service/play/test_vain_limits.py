"""Limits that can never raise, in the auctions of each title: refused, unless the minimum may still fall to them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.service.mail_service import Service


def said(service: Service, player: str, text: str) -> str:
    letter = service.say(player, text)
    assert letter is not None
    return " ".join(letter.text.split())


def test_a_minimum_that_may_fall_to_the_limit_lets_it_stand(tmp_path: Path) -> None:
    """The private on offer in 1861, and the first private of 1844, get cheaper while nobody wants them."""
    service = Service.open(tmp_path)
    service.ready_game("1861")
    assert "A standing bid up to R15 on TSR is kept" in said(service, "Bob", "limit 15 on TSR")


def test_the_first_private_of_1844_may_get_cheaper(tmp_path: Path) -> None:
    service = Service.open(tmp_path)
    service.ready_game("1844")
    assert "kept until P1 is sold" in said(service, "Bob", "limit 10 on P1")


@pytest.mark.rule("1844:2.8")
def test_limits_pass_on_a_private_that_is_offered_again_and_again(tmp_path: Path) -> None:
    """P1 and P2 are sold and pay 15 together each time. Nobody wants P3 for 80: once three have said so for good, one
    mail is enough each time that all pass, and the others need not write."""
    service = Service.open(tmp_path)
    game = service.ready_game("1844", players=("Ann", "Bob", "Cat", "Dan"))
    for player, text in (("Ann", "bid 20"), *((p, "pass") for p in ("Bob", "Cat", "Dan"))):
        service.say(player, text)
    for player, text in (("Bob", "bid 50"), *((p, "pass") for p in ("Cat", "Dan", "Ann"))):
        service.say(player, text)
    for player in ("Dan", "Ann", "Bob"):
        assert "You pass on P3 each time that it is offered" in said(service, player, "limit 0 on P3")
    before = service.position(game).state
    for times in (1, 2, 3):
        service.say("Cat", "pass")
        now = service.position(game)
        assert [ask.player for ask in now.asked()] == ["Cat"]
        assert now.state.money("Ann") == before.money("Ann") + 5 * times
        assert now.state.money("Bob") == before.money("Bob") + 10 * times
    service.say("Cat", "bid 80")
    assert service.position(game).state.privates["P3"] == "Cat"  # type: ignore[index]


@pytest.mark.rule("1844:2.8")
def test_where_all_pass_for_good_somebody_is_still_asked(tmp_path: Path) -> None:
    """Otherwise the privates would pay for ever. A limit ends when somebody has bid more."""
    service = Service.open(tmp_path)
    game = service.ready_game("1844", players=("Ann", "Bob", "Cat", "Dan"))
    for player, text in (("Ann", "bid 20"), *((p, "pass") for p in ("Bob", "Cat", "Dan"))):
        service.say(player, text)
    for player in ("Ann", "Dan", "Cat", "Bob"):
        service.say(player, "limit 0 on P2")
    now = service.position(game)
    assert len(now.asked()) == 1 and now.state.money("Ann") == 600 + 5
    service.say("Bob", "bid 50")
    assert service.position(game).state.privates["P2"] == "Bob"  # type: ignore[index]


def test_a_limit_stands_until_the_least_bid_has_fallen_to_it(tmp_path: Path) -> None:
    """Ann offers P1 for 20, and Bob would pay 15."""
    service = Service.open(tmp_path)
    game = service.ready_game("1844", players=("Ann", "Bob", "Cat", "Dan"))
    service.say("Bob", "limit 15 on P1")
    for player in ("Ann", "Cat", "Dan", "Ann"):
        service.say(player, "pass")
    assert service.log(game)[-1] == "Bob: bid 15 on P1"


@pytest.mark.rule("1861:2.4")
def test_the_answer_says_the_least_bid_and_what_to_do(tmp_path: Path) -> None:
    service = Service.open(tmp_path)
    service.ready_game("1861")
    service.say("Ann", "open TSR 30")
    answer = said(service, "Bob", "limit 30")
    assert "A bid must be at least R35 now, not R30 (1861 v2.0 2.4, §9.2). `limit 30` would never raise." in answer
    assert "your own bid on TSR is R30. Give a higher limit" in said(service, "Ann", "limit 30")
    assert "leaves the auction for you when the next bid would be above it" in said(service, "Cat", "limit 60 on TSR")


@pytest.mark.parametrize(
    ("title", "bid", "limit"),
    [("1861", "open TSR 60", "40 on MYR"), ("1861", "open 60", "40 on MYR"), ("1844", "bid 60", "30 on P3")],
)
def test_a_bid_in_the_same_mail_binds_only_limits_on_its_own_item(
    title: str, bid: str, limit: str, tmp_path: Path
) -> None:
    service = Service.open(tmp_path)
    service.ready_game(title)
    assert "kept for later" in said(service, "Ann", f"{bid}\nlimit {limit}")


def test_a_limit_is_not_below_the_running_bid_that_comes_with_it(tmp_path: Path) -> None:
    service = Service.open(tmp_path)
    service.ready_game("1861")
    service.say("Ann", "open TSR 20")
    for limit in ("50", "50 on TSR"):
        assert "your own bid on TSR is R65" in said(service, "Bob", f"bid 65\nlimit {limit}")
    assert "A standing bid up to R50 on MYR is kept" in said(service, "Bob", "bid 65\nlimit 50 on MYR")
