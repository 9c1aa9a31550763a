"""The start of 1844 and the auction of its privates."""

from __future__ import annotations

from dataclasses import fields

import pytest

import engine
from engine.core.events import CompanyOpened, Dropped, MinimumReduced, RoundBegan, Won
from engine.core.ids import CompanyId, PrivateId
from engine.holders.charters import all_shares
from engine.holders.ledger import counted
from engine.steps.course import Course
from engine.titles.t1844.pieces import PANELS
from engine.titles.t1844.stock.auction import opened
from tests.kit.games.situations_1844 import EDITIONS, Swiss, fresh, situation, swiss

both = pytest.mark.parametrize("edition", EDITIONS)
START = {3: (800, 24), 4: (620, 18), 5: (510, 15), 6: (440, 13), 7: (400, 11)}


def sold_up_to(game: Swiss, last: int, winner: str = "Dan") -> Swiss:
    """``winner`` wins every private from the present one to P``last`` at its least bid."""
    while game.asked and game.asked[0].endswith(("auction.first", "auction.bid")):
        item = game.menu()[-1].split()[-1]
        if int(item[1]) > last:
            break
        player = game.asked[0].split()[0]
        if player == winner and game.asked[0].endswith("auction.first"):
            game.do(f"{player}: {game.menu()[0]}")
        else:
            game.do(f"{player}: pass")
    return game


# ---- what the players begin with -------------------------------------------------------------------------------------


@both
@pytest.mark.rule("1844:1.1", "1844:1.2", "1844:1.3", "1844:1.5")
@pytest.mark.parametrize("number", START)
def test_money_and_limits(edition: str, number: int) -> None:
    game = fresh(" ".join("ABCDEFG"[:number]), edition)
    cash, limit = START[number]
    assert {game.money(p) for p in game.state.players} == {cash}
    assert game.title.table[number].certificate_limit == limit
    assert game.money("Bank") + number * cash == game.title.bank == 12_000


@both
@pytest.mark.rule("1844:1.1")
@pytest.mark.parametrize("players", ["Ann Bob", "A B C D E F G H"])
def test_no_other_number_of_players(edition: str, players: str) -> None:
    with pytest.raises(ValueError, match="player"):
        fresh(players, edition)


@both
@pytest.mark.rule("1844:1.4")
def test_the_order_is_drawn_unless_agreed(edition: str) -> None:
    title, names = engine.load_title("1844", edition), ("Ann", "Bob", "Cat", "Dan")
    drawn = {engine.Game.start(title, engine.Setup(names, seed=str(n))).state.players for n in range(12)}
    assert len(drawn) > 1
    agreed = engine.Game.start(title, engine.Setup(names, seed="1", priority="Cat")).state
    assert agreed.players[0] == "Cat"


@both
@pytest.mark.rule("1844:1.14")
def test_a_seat_sees_everything_but_the_lots_to_come(edition: str) -> None:
    game = engine.Game.start(engine.load_title("1844", edition), engine.Setup(("Ann", "Bob", "Cat"), seed="secret"))
    view = game.view(game.state.players[1])
    assert [f.name for f in fields(view) if getattr(view, f.name) != getattr(game.state, f.name)] == ["seed"]
    assert not view.seed and game.state.seed


@both
@pytest.mark.rule("1844:1.7", "1844:1.8", "1844:1.9", "1844:1.11", "1844:1.12", "1844:1.13")
def test_shares_trains_and_papers(edition: str) -> None:
    game = fresh(edition=edition)
    shares = {c: all_shares(game.title, game.state, CompanyId(c)) for c in ("NOB", "JN", "MOB", "SBB")}
    assert shares == {"NOB": 4, "JN": 5, "MOB": 10, "SBB": 20}
    assert game.certificates("NOB") == {"IPO": "D 2s"}
    assert game.certificates("JN") == {"IPO": "D 3s"}
    assert game.certificates("MOB") == {"IPO": "D 8s"}
    assert game.certificates("FNM") == {"Pool": "3s", "IPO": "D 5s"}
    assert {t: n for t, n in game.state.supply.items() if n} == {"2": 13, "3": 9, "4": 6, "5": 4, "6": 4}
    assert game.title.trains["8E"].quantity is None  # type: ignore[index]
    assert [p for p in game.state.privates if p[0] in "BT"] == [f"{k}{n}" for k in "BT" for n in range(1, 6)]
    assert sorted(PANELS.values()) == [2, 2, 2]


@both
@pytest.mark.rule("1844:1.7", "1844:1.9", "1844:1.10")
def test_markers(edition: str) -> None:
    def markers(name: str, par: int) -> int:
        game = situation(swiss(name, {"Ann": 3}, par=par), edition=edition)
        return game.title.policies.markers(game.title, game.state, CompanyId(name))

    assert [markers("MOB", par) for par in (60, 70, 80, 90, 100)] == [1, 2, 3, 4, 5]
    assert {markers("JN", par) for par in (60, 100)} == {3}
    assert {markers("NOB", par) for par in (60, 100)} == {2}


@both
@pytest.mark.rule("1844:1.6")
def test_which_certificates_count(edition: str) -> None:
    sbb = swiss("SBB", {"Ann": (3, 2)})
    papers = {"P7": "Ann", "B1": "Ann", "T1": "Ann"}
    game = situation(sbb, swiss("MOB", {"Ann": 4}), phase="5", privates=papers, edition=edition)
    ann = game.state.players[0]
    assert counted(game.title, game.state, ann) == (1 + 2 + 2) + (1 + 2), "director and doubles of the SBB, MOB"


# ---- bids ------------------------------------------------------------------------------------------------------------


@both
@pytest.mark.rule("1844:2.1", "1844:2.6", "1844:2.7")
def test_the_first_private_falls_to_nothing(edition: str) -> None:
    game = fresh(edition=edition)
    for least in (15, 10, 5, 0):
        assert [game.asked, game.menu()[0]] == [["Ann auction.first"], f"bid {least + 5} on P1"]
        game.do("Ann: pass\nBob: pass\nCat: pass\nDan: pass")
        assert game.told(MinimumReduced)[-1].amount == least
    assert (game.owner("P1"), game.money("Ann")) == ("Ann", 620)
    assert game.asked == ["Bob auction.first"]
    assert game.menu()[-1] == "drop P2"


@both
@pytest.mark.rule("1844:2.1", "1844:2.5", "1844:2.6")
def test_the_seat_after_the_auctioneer_opens_the_next_auction(edition: str) -> None:
    game = fresh(edition=edition)
    game.do("Ann: pass\nBob: pass\nCat: pass\nDan: pass")
    assert game.refusals("Ann: bid 10") == {"bid.too_low"}
    game.do("Ann: pass\nBob: pass\nCat: bid 15\nDan: pass")
    assert [e.amount for e in game.told(Won)] == [15]
    assert (game.money("Cat"), game.asked) == (605, ["Bob auction.first"])


@both
@pytest.mark.rule("1844:2.2", "1844:2.3", "1844:2.4", "1844:2.5")
def test_the_auctioneer_speaks_first_and_who_passed_is_out(edition: str) -> None:
    game = fresh(edition=edition)
    assert game.refusals("Ann: bid 19") == {"bid.too_low"}
    assert game.refusals("Ann: bid 621") == {"bid.money"}
    game.do("Ann: bid 20\nBob: pass")
    assert game.refusals("Cat: bid 24") == {"bid.too_low"}
    game.do("Cat: bid 26\nDan: bid 31")
    assert game.asked == ["Ann auction.bid"]
    game.do("Ann: pass")
    assert game.asked == ["Cat auction.bid"], "Bob is out"
    game.do("Cat: pass")
    assert (game.owner("P1"), game.money("Dan")) == ("Dan", 589)


@both
@pytest.mark.rule("1844:2.4")
def test_the_poor_are_out_without_being_asked(edition: str) -> None:
    game = fresh(edition=edition)
    game.do("Ann: bid 600")
    assert game.asked == ["Bob auction.bid"]
    game.do("Bob: bid 616")
    assert game.told(Dropped)[-1].forced
    assert (game.owner("P1"), game.asked) == ("Bob", ["Cat auction.first"])


@pytest.mark.rule("1844:2.1")
@pytest.mark.parametrize(
    ("edition", "options", "next"),
    [
        ("rulebook", {}, "Bob"),
        ("rulebook", {"poor_auctioneer": "skipped"}, "Cat"),
        ("18xx.games", {}, "Cat"),
        ("18xx.games", {"poor_auctioneer": "opens"}, "Bob"),
    ],
)
def test_an_auctioneer_who_can_pay_for_nothing_that_is_left(edition: str, options: dict[str, str], next: str) -> None:
    """Ann has 95 when her turn comes with P5, and P7, the cheapest, costs 100. P6 is Bob's, or moves on to Cat."""
    left = {f"P{n}": "Dan" if n < 5 else None for n in range(1, 8)}
    cash = {"Ann": 95, "Bob": 400, "Cat": 400, "Dan": 400}
    game = situation(edition=edition, options=options, players="Ann Bob Cat Dan", privates=left, cash=cash)
    game.turns(Course(("trade",)), opened(game.title, game.state, PrivateId("P5")))
    assert game.asked == ["Bob auction.first"]
    game.do("Bob: bid 140; Cat: pass; Dan: pass")
    assert game.owner("P5") == "Bob" and game.asked == [f"{next} auction.first"]


@pytest.mark.rule("1844:2.1")
@pytest.mark.parametrize(("ruling", "auctioneer", "skipped"), [("skipped", "Ann", 0), ("asked", "Cat", 2)])
def test_where_all_are_too_poor_nobody_is_skipped(ruling: str, auctioneer: str, skipped: int) -> None:
    """On 18xx.games the auctioneer of the private before stays: Cat had P6."""
    cash, options = {"Ann": 5, "Bob": 5, "Cat": 5}, {"poor_auctioneer": ruling}
    game = situation(edition="18xx.games", options=options, players="Ann Bob Cat", privates={"P7": None}, cash=cash)
    frame = opened(game.title, game.state, PrivateId("P7"))
    assert (frame.waiting[0], frame.skipped) == (auctioneer, skipped)


def poor_at_p6(edition: str, ruling: str) -> Swiss:
    """Cat opens P6 for 180. She has 175, enough for P7, and her P5 brings 25."""
    left = {f"P{n}": "Cat" if n == 5 else None if n > 5 else "Bob" for n in range(1, 8)}
    cash = {"Ann": 170, "Bob": 120, "Cat": 175}
    options = {"poor_auctioneer": ruling}
    game = situation(edition=edition, options=options, players="Ann Bob Cat", privates=left, cash=cash)
    game.turns(Course(("trade",)), opened(game.title, game.state, PrivateId("P6")))
    return game


@both
@pytest.mark.rule("1844:2.1", "1844:2.4", "1844:2.8")
def test_an_auctioneer_who_can_pay_for_another_private_passes_himself(edition: str) -> None:
    """Where he is asked, the privates pay when he has passed and nobody else can bid."""
    game = poor_at_p6(edition, "asked")
    assert (game.asked, game.menu()) == (["Cat auction.first"], ["drop P6"])
    assert game.refusals("Cat: bid 180") == {"bid.money"}
    game.do("Cat: pass")
    assert (game.asked, game.money("Cat")) == (["Cat auction.first"], 200)
    game.do("Cat: bid 180")
    assert game.owner("P6") == "Cat"


@both
@pytest.mark.rule("1844:2.4", "1844:2.8")
@pytest.mark.parametrize("ruling", ["opens", "skipped"])
def test_otherwise_nobody_asks_him(edition: str, ruling: str) -> None:
    game = poor_at_p6(edition, ruling)
    assert (game.asked, game.money("Cat")) == (["Cat auction.first"], 200), "the privates have paid"


@both
@pytest.mark.rule("1844:2.1", "1844:2.9")
def test_only_the_private_that_is_offered(edition: str) -> None:
    game = fresh(edition=edition)
    assert game.refusals("Ann: bid 80 on P3") == {"bid.item"}
    for order in (
        "start MOB at 80",
        "buy T2",
        "buy B1 in H7 with panel 10/20/50/80",
        "sell 1 FNM",
        "buy FNM from pool",
    ):
        assert game.refusals(f"Ann: {order}") == {"open.privates_first"}


@both
@pytest.mark.rule("1844:2.8")
def test_nobody_wants_another_private(edition: str) -> None:
    game = sold_up_to(fresh(edition=edition), 2)
    before, price = game.money("Dan"), len(game.told(RoundBegan))
    assert game.asked == ["Cat auction.first"]
    game.do("Cat: pass\nDan: pass\nAnn: pass\nBob: pass")
    assert game.money("Dan") == before + 5 + 10, "P1 and P2 pay once"
    assert (game.asked, game.menu()[0]) == (["Cat auction.first"], "bid 80 on P3")
    assert game.state.players == ("Ann", "Bob", "Cat", "Dan")
    assert (len(game.told(RoundBegan)), game.left("2")) == (price, 13)


# ---- what comes with the privates ------------------------------------------------------------------------------------


@both
@pytest.mark.rule("1844:2.10", "1844:2.11")
def test_a_tunnel_certificate_and_a_share_of_mob(edition: str) -> None:
    game = sold_up_to(fresh(edition=edition), 5)
    assert game.owner("T1") == "Dan"
    assert game.shares("MOB") == {"Dan": 1, "IPO": 9}
    assert counted(game.title, game.state, game.state.players[3]) == 1, "the share counts, the privates do not"


@both
@pytest.mark.rule("1844:2.11", "1844:4.8")
def test_the_share_of_mob_is_not_sold_before_its_par(edition: str) -> None:
    game = situation(swiss("MOB", {"Ann": 1}, par=None), edition=edition, cash={"Ann": 500}).stock(round="SR 2")
    assert game.refusals("Ann: sell 1 MOB") == {"sell.no_director"}
    assert game.refusals("Ann: buy MOB") == {"buy.not_started"}


@both
@pytest.mark.rule("1844:2.11", "1844:4.19")
def test_the_share_of_mob_counts_for_its_launch(edition: str) -> None:
    holders = {"Bob": 3, "Ann": 1}
    game = situation(swiss("MOB", holders, operated=False), edition=edition, cash={"Bob": 500}).stock("Bob")
    assert game.status("MOB") == "unstarted"
    game.do("Bob: buy MOB")
    assert (game.status("MOB"), game.money("MOB")) == ("open", 400)


@both
@pytest.mark.rule("1844:2.12", "1844:4.20")
def test_the_winner_of_p6_directs_fnm(edition: str) -> None:
    game = sold_up_to(fresh("Ann Bob Dan", edition), 6)
    assert game.asked == ["Dan par"]
    assert game.menu() == [f"start FNM at {par}" for par in (60, 70, 80, 90, 100)]
    assert game.refusals("Dan: start MOB at 80") == {"par.company"}
    assert game.refusals("Dan: start FNM at 85") == {"start.price"}
    cash = game.money("Dan")
    game.do("Dan: start FNM at 90")
    assert (game.money("Dan"), game.money("FNM"), game.price("FNM")) == (cash, 450, "90 r3c5")
    assert game.certificates("FNM") == {"Dan": "D", "Pool": "3s", "IPO": "5s"}
    assert (game.director("FNM"), [e.company for e in game.told(CompanyOpened)]) == ("Dan", ["FNM"])


@both
@pytest.mark.rule("1844:2.13")
def test_the_poorest_begins_the_first_stock_round(edition: str) -> None:
    game = sold_up_to(fresh(edition=edition), 6)
    game.do("Dan: start FNM at 60\nCat: bid 250\nAnn: pass\nBob: pass")
    assert [game.money(p) for p in ("Ann", "Bob", "Cat", "Dan")] == [620, 620, 370, 40]
    assert game.state.players == ("Dan", "Cat", "Ann", "Bob"), "equal cash keeps the order"
    assert (str(game.state.round), game.asked) == ("SR 1", ["Cat stock.turn"]), "Dan can buy nothing for 40"
