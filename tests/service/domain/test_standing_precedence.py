"""Standing orders of one player about the same thing: which of them acts, and which gives way."""

from __future__ import annotations

import pytest

import engine
from engine.core import orders as o
from engine.core.ids import PlayerId
from engine.robots import sensible
from engine.titles.t1863.failures.liquidation import Failing
from engine.titles.t1863.turn.company_turn import TURNS
from moderator.domain.ahead import orders as ahead
from moderator.domain.ahead.orders import settle, told_ahead
from moderator.domain.fork import Fork
from tests.kit.games import situations_1863 as london
from tests.kit.games.ahead_table import AheadTable
from tests.kit.games.standing_positions import begun, held, on_turn, purchases, refused, sale, sold, stock, table

# ---- consent --------------------------------------------------------------------------------------------------------


def for_sale() -> tuple[AheadTable, str, str, str, str]:
    """1861, 8.7: the company on turn, its director, a private that it may buy, and the private's owner."""
    one = table("1861", "company.turn", "OR", 100)
    while (found := sale(one)) is None:
        ask = one.game.asked()[0]
        one.submit(sensible(one.game, ask), ask.player)
    one.moves.clear()
    return one, *found


@pytest.mark.parametrize("named_first", [True, False])
@pytest.mark.parametrize("named", ["agree", "refuse"])
def test_terms_for_one_buyer_come_before_those_for_anybody(named: str, named_first: bool) -> None:
    one, company, director, private, owner = for_sale()
    yes = f"agree {private} to {{}} for at least 5"
    no = f"refuse {private} to {{}}"
    mine, others = (yes, no) if named == "agree" else (no, yes)
    texts = [mine.format(company), others.format("anybody")]
    for text in texts if named_first else texts[::-1]:
        one.say(owner, text)
    assert len(one.standing()) == 2
    one.say(director, f"{company}: buy {private} for 10")
    assert one.log()[1] == f"{owner} standing: {named} {private} to {company} for 10"


def test_consent_for_one_price_comes_before_terms() -> None:
    one, company, director, private, owner = for_sale()
    one.say(owner, f"refuse {private} to {company}")
    one.say(owner, f"agree {private} to {company} for 10")
    one.say(director, f"{company}: buy {private} for 10")
    assert one.log()[1] == f"{owner} consent: agree {private} to {company} for 10"


@pytest.mark.parametrize(
    ("least", "below", "stand_together"), [(8, 8, True), (8, 5, True), (8, 9, False), (8, None, False)]
)
def test_terms_for_the_same_buyer_that_contradict_each_other(
    least: int, below: int | None, stand_together: bool
) -> None:
    one, company, _, private, owner = for_sale()
    yes = f"agree {private} to {company} for at least {least}"
    no = f"refuse {private} to {company}" + ("" if below is None else f" for under {below}")
    assert refused(one, owner, f"{yes}; {no}") == ([] if stand_together else ["ahead.contradicts"])
    one.waiting.clear()
    one.say(owner, yes)
    one.say(owner, no)
    assert one.standing() == ([f"{owner}: {yes}", f"{owner}: {no}"] if stand_together else [f"{owner}: {no}"])


# ---- one lot --------------------------------------------------------------------------------------------------------


def test_a_limit_for_a_lot_of_a_plan_changes_the_plan() -> None:
    one = AheadTable(begun("1861"))
    first, second, third = on_turn(one)
    one.say(second, "plan TSR 30 or BSS 45, N 150, budget 200")
    one.say(second, "limit 25 on TSR")
    assert one.standing() == [f"{second}: plan TSR 25 or BSS 45, N 150, budget 200"]
    one.say(first, "open TSR 20; limit 60 on TSR")
    one.say(third, "drop")
    bids = [line for line in one.log() if line.startswith(f"{second} ")]
    assert bids[:2] == [f"{second} standing: bid 25", f"{second} standing: drop"], "it stops at the later limit"


def test_a_higher_limit_keeps_the_budget_and_the_other_lots_of_its_group() -> None:
    one = AheadTable(begun("1861"))
    first, second, third = on_turn(one)
    one.say(second, "plan TSR 20 or BSS 45, N 150, budget 160")
    one.say(second, "limit 45 on TSR")
    one.say(first, "open TSR 20")
    one.say(third, "drop")
    one.say(first, "drop")
    assert one.standing() == [f"{second}: plan N 150, budget 135"], "BSS was wanted only if TSR was not won"


def test_a_plan_replaces_an_earlier_limit_for_one_of_its_lots() -> None:
    one = AheadTable(begun("1861"))
    _, second, _ = on_turn(one)
    one.say(second, "limit 80 on TSR; limit 70 on MYR")
    one.say(second, "plan TSR 30, BSS 45")
    assert one.standing() == [f"{second}: limit 70 on MYR", f"{second}: plan TSR 30, BSS 45"]


def test_the_owner_of_a_plan_is_told_that_a_limit_has_changed_it() -> None:
    one = AheadTable(begun("1861"))
    _, second, _ = on_turn(one)
    one.say(second, "plan TSR 30, BSS 45")
    block = one.say(second, "limit 50 on TSR")
    fork = Fork(one.game)
    plan = AheadTable(begun("1861"))
    plan.say(second, "plan TSR 30, BSS 45")
    told = told_ahead(settle(fork, [*plan.waiting, *block.held]), str)
    assert told == {second: (("standing.changed", {"text": f"{second}: plan TSR 50, BSS 45"}),)}


# ---- a sale and a purchase ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sale_first", [True, False])
def test_the_sale_of_a_turn_comes_before_its_purchase(sale_first: bool) -> None:
    one = stock()
    first, *_ = on_turn(one)
    name, _ = sold(one, first)
    other = next(each for each in purchases(one) if each != name)
    texts = [
        f"sell down {name} to {held(one, first, name) - 1}",
        f"buy {other} from pool up to {held(one, first, other) + 1}",
    ]
    one.say(first, "; ".join(texts if sale_first else texts[::-1]))
    assert one.log()[:2] == [f"{first} standing: sell 1 {name}", f"{first} standing: buy {other} from pool"]


# ---- auctions in which companies pay --------------------------------------------------------------------------------


def lots() -> AheadTable:
    """1863: MET, Ann's, is for sale as a whole at 30. UER belongs to Cat and may bid."""
    met, uer = london.tube("MET", "Ann", 30, trains="3T"), london.tube("UER", "Cat", 100, markers="", cash=60)
    position = london.situation(met, uer, round="MR 2.1", cash={"Ann": 100, "Bob": 100})
    return AheadTable.of(position.frames(TURNS.begin(uer.id), Failing()))


def all_drop(one: AheadTable) -> None:
    while one.game.lot() is not None:
        ask = one.game.asked()[0]
        one.submit(o.Drop(PlayerId(ask.player)), ask.player)


def test_a_limit_that_a_company_wins_with_is_used_up() -> None:
    one = lots()
    one.say("Cat", "UER: limit 60")
    one.say("Bob", "bid 15")
    all_drop(one)
    assert [(end.ending, end.failures) for end in one.ends if end.held.kind == "limit"] == [("used", ())]


def test_a_lot_that_his_company_wins_counts_for_a_plan_but_not_for_its_budget() -> None:
    """Cat gets MET with the money of UER: she wants BAK only if she has not got MET."""
    one = lots()
    one.say("Cat", "plan MET 10 or BAK 20, PIC 30 unless MET, CIR 35, budget 40")
    one.say("Cat", "UER: limit 60")
    one.say("Bob", "bid 15")
    all_drop(one)
    assert one.standing() == ["Cat: plan CIR 35, budget 40"]
    won = next(end for end in one.ends if end.won)
    assert [(event.player, event.item, event.amount) for event in won.won] == [("UER", "MET", 20)]


# ---- the most orders after one mail ---------------------------------------------------------------------------------


def test_the_bound_of_standing_orders_is_for_all_that_one_mail_sets_going(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ahead, "_MOST", 3)
    one = stock()
    first, second, third = on_turn(one)
    for player in (second, third):
        one.say(player, "pass in all rounds")
    fork = Fork(one.game)
    for _ in range(6):  # as orders kept ready since an undo are played one after the other
        asked = [ask for ask in fork.game.asked() if ask.player == first]
        if not asked:
            break
        assert not isinstance(fork.submit(sensible(fork.game, asked[0]), first, "kept"), engine.Refused)
        settle(fork, one.waiting)
    assert sum(move.origin == "standing" for move in fork.moves) <= 3
