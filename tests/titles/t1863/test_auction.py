"""The auction of privates, the Clink Club in it, and the quick deal."""

from __future__ import annotations

from dataclasses import replace

import pytest

import engine
from engine.core.events import Dropped, LotDrawn, Passed, PrivateClosed, RoundBegan
from engine.core.ids import PrivateId
from engine.titles.t1863.names import CLINK
from engine.titles.t1863.privates.auction import PrivateRound, on_offer
from tests.kit.games.situations_1863 import London, title


def begun(players: str = "Ann Bob Cat", edition: str = "historical", **options: str) -> London:
    """A game at its first question; the first player opens."""
    found, names = title(edition, **options), tuple(players.split())
    started = engine.Game.start(found, engine.Setup(names, seed="auction", priority=names[0]))
    return London(found, started.state, list(started.opening))


def offered(game: London) -> list[str]:
    return list(on_offer(game.state))


# ---- who begins ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1863:2.4")
def test_who_begins_is_drawn_by_a_lot_of_the_published_seed() -> None:
    names = ("Ann", "Bob", "Cat")

    def first(seed: str) -> tuple[str, list[str]]:
        game = engine.Game.start(title(), engine.Setup(names, seed=seed))
        return game.state.priority, [
            e.chosen for e in game.opening if isinstance(e, LotDrawn) and e.purpose == "priority"
        ]

    found = {seed: first(seed) for seed in "abcdefgh"}
    assert all(drawn == [player] == first(seed)[1] for seed, (player, drawn) in found.items())
    assert len({player for player, _ in found.values()}) > 1


# ---- what is played --------------------------------------------------------------------------------------------------


@pytest.mark.rule("1863:2.1", "1863:12.3")
@pytest.mark.parametrize(("players", "number"), [("A B C", 6), ("A B C D", 9), ("A B C D E", 12), ("A B C D E F", 12)])
def test_r3_fewer_players_have_fewer_privates_drawn_by_lot(players: str, number: int) -> None:
    game = begun(players)
    assert len(offered(game)) == number and "CLK" not in offered(game)
    drawn = [e.chosen for e in game.told(LotDrawn) if e.purpose == "private unused"]
    assert len(drawn) == 12 - number
    assert {e.private for e in game.told(PrivateClosed) if e.unused} == {*drawn, "CLK"}


@pytest.mark.rule("1863:3.6", "1863:12.5")
def test_r5_the_clink_club_comes_in_addition() -> None:
    game = begun(clink_club="yes")
    assert len(offered(game)) == 7 and offered(game)[-1] == CLINK


# ---- opening and bidding ---------------------------------------------------------------------------------------------


@pytest.mark.rule("1863:3.1", "1863:2.5")
def test_who_opens_names_any_private_and_bids_five_or_more() -> None:
    game = begun("A B C D E")
    assert game.asked == ["A privates.open"]
    assert len(game.accepted()) == 13 and game.menu()[-1] == "pass"
    assert game.refusals("A: open GRE at 4") == {"open.minimum"}
    assert game.refusals("A: open GRE at 351") == {"open.money"}
    assert game.refusals("A: open CLK at 5") == {"open.item"}
    game.do("A: open CHO at 17")
    assert game.asked == ["B auction.bid"]


@pytest.mark.rule("1863:12.4")
def test_r4_by_a_ruling_only_the_first_of_the_list_is_opened() -> None:
    game = begun("A B C D E", openings="listed")
    assert len(game.accepted()) == 2
    assert game.refusals("A: open CHO at 5") == {"open.item"}
    game.do("A: open")
    assert game.asked == ["B auction.bid"]


@pytest.mark.rule("1863:3.2", "1863:3.3", "1863:3.10")
def test_others_raise_by_five_or_are_out_and_the_winner_pays() -> None:
    game = begun("A B C D E")
    game.do("A: open CHO at 17")
    assert game.refusals("B: bid 21") == {"bid.too_low"}
    assert game.refusals("B: bid 351") == {"bid.money"}
    game.do("B: bid 23")  # any amount: no multiple of 5
    game.do("C: drop; D: drop; E: drop; A: bid 28; B: drop")
    assert game.owner("CHO") == "A" and game.money("A") == 322
    assert game.asked == ["B privates.open"]  # on the left of the winner
    game.do("B: open GRE at 5; C: bid 10")  # who passed on one bids on the next
    assert game.asked == ["D auction.bid"]


@pytest.mark.rule("1863:3.2")
def test_who_cannot_raise_is_out_by_itself() -> None:
    game = begun("A B C")
    game.do(f"A: open {offered(game)[0]} at 346")
    assert [(e.player, e.forced) for e in game.told(Dropped)] == [("B", True), ("C", True)]
    assert game.money("A") == 4 and game.asked == ["B privates.open"]


@pytest.mark.rule("1863:3.4", "1863:12.4")
def test_when_all_pass_the_first_leaves_and_the_opening_moves() -> None:
    game = begun("A B C D E")
    game.do("A: pass; B: pass; C: pass; D: pass")
    assert game.owner("GRE") is None and "GRE" in offered(game)
    game.do("E: pass")
    assert "GRE" not in game.state.privates and game.asked == ["B privates.open"]
    game.do("B: pass; C: open FOW at 5; D: drop; E: drop; A: drop; B: drop")
    assert game.owner("FOW") == "C" and isinstance(game.state.top, PrivateRound) and game.asked == ["D privates.open"]
    game.do("D: pass; E: pass; A: pass; B: pass; C: pass")  # the passes before the sale do not count
    assert "ARD" not in game.state.privates and game.asked == ["E privates.open"]


@pytest.mark.rule("1863:3.4")
def test_who_cannot_pay_the_least_bid_only_passes() -> None:
    game = begun("A B C")
    game.do(f"A: open {offered(game)[0]} at 350; B: pass; C: pass")
    assert [e.actor for e in game.told(Passed) if e.forced] == ["A"]
    assert game.asked == ["C privates.open"] and len(offered(game)) == 4


# ---- the Clink Club --------------------------------------------------------------------------------------------------


@pytest.mark.rule("1863:3.6", "1863:12.5")
def test_r5_only_who_has_no_private_bids_for_the_clink_club() -> None:
    game = begun("A B C", clink_club="yes")
    first = offered(game)[0]
    game.do(f"A: open {first} at 5; B: drop; C: drop; B: pass; C: pass")
    assert game.refusals("A: open CLK at 5") == {"open.clink"}
    assert not any("CLK" in line for line in game.accepted())
    game.do("A: pass")
    assert game.asked == ["C privates.open"]
    game.do("C: open CLK at 5")
    assert game.asked == ["B auction.bid"]  # and not A, who has a private
    game.do("B: drop")
    assert game.owner("CLK") == "C"
    assert [(e.player, e.forced) for e in game.told(Dropped)[-2:]] == [("A", True), ("B", False)]


@pytest.mark.rule("1863:3.6", "1863:9.15")
def test_r5_who_has_the_clink_club_bids_for_no_other() -> None:
    game = begun("A B C", clink_club="yes")
    game.do("A: open CLK at 5; B: drop; C: drop")
    first = offered(game)[0]
    game.do("B: pass; C: pass")
    assert (game.told(Passed)[-1].actor, game.told(Passed)[-1].forced) == ("A", True)
    assert first not in game.state.privates and game.asked == ["C privates.open"]
    game.do(f"C: open {offered(game)[0]} at 5")
    assert game.asked == ["B auction.bid"]
    game.do("B: drop")
    assert game.refusals("A: pass") == {"order.not_asked"}


# ---- the quick deal --------------------------------------------------------------------------------------------------


@pytest.mark.rule("1863:3.7", "1863:3.1")
@pytest.mark.parametrize(("agreed", "asked"), [("no", "Ann privates.open"), ("yes", "Ann privates.keep")])
def test_the_privates_are_auctioned_or_by_agreement_dealt(agreed: str, asked: str) -> None:
    assert begun(quick_auction=agreed).asked == [asked]


@pytest.mark.rule("1863:3.7")
def test_dealt_privates_are_kept_for_half_their_face_or_returned() -> None:
    game = begun("A B C", quick_auction="yes")
    assert game.asked == ["A privates.keep"] and not any(game.state.privates.values())
    kept: list[str] = []
    returned: list[str] = []
    for player in "AABBCC":
        assert game.asked == [f"{player} privates.keep"]
        private = game.menu()[0].split()[1]
        assert game.accepted() == [f"keep {private}", f"return {private}"]
        if len(kept) < 3:
            before = game.money(player)
            game.do(f"{player}: keep {private}")
            assert before - game.money(player) == game.title.privates[PrivateId(private)].face // 2
            assert game.owner(private) == player
            kept.append(private)
        else:
            game.do(f"{player}: return {private}")
            returned.append(private)
    assert sorted(offered(game)) == sorted(returned)
    assert game.asked == ["A privates.open"]
    game.do(f"A: open {returned[0]} at 5; B: drop; C: bid 10")  # who returned one bids for it
    assert game.refusals("A: drop") == set()


@pytest.mark.rule("1863:3.7")
def test_one_answers_about_the_private_that_is_asked_for() -> None:
    game = begun("A B C", quick_auction="yes")
    first = game.menu()[0].split()[1]
    other = next(p for p in offered(game) if p != first)
    assert game.refusals(f"A: keep {other}") == {"keep.private"}
    game.state = replace(game.state, cash={**game.state.cash, "A": 10})
    assert game.refusals(f"A: keep {first}") == {"keep.money"} and game.menu() == [f"return {first}"]


@pytest.mark.rule("1863:3.7", "1863:12.6")
@pytest.mark.parametrize(("uneven", "numbers"), [("auctioned", "2 2 2 2 2"), ("dealt", "3 3 2 2 2")])
def test_r6_what_cannot_be_dealt_evenly(uneven: str, numbers: str) -> None:
    game = begun("A B C D E", quick_auction="yes", uneven_deal=uneven, clink_club="yes")
    asked = []
    while game.asked[0].endswith("keep"):
        player = game.asked[0].split()[0]
        asked.append(player)
        game.do(f"{player}: {game.menu()[1]}")
    assert [asked.count(player) for player in "ABCDE"] == [int(n) for n in numbers.split()]
    assert len(offered(game)) == 13 and game.asked == ["A privates.open"]


# ---- the end ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1863:3.5", "1863:3.9")
def test_after_the_last_private_comes_the_first_stock_round() -> None:
    game = begun("A B C", quick_auction="yes")
    while game.asked[0].endswith("privates.keep"):
        game.do(f"{game.asked[0].split()[0]}: {game.menu()[0]}")
    assert not offered(game)
    assert [str(e.round) for e in game.told(RoundBegan)] == ["AR 1", "SR 1"]
