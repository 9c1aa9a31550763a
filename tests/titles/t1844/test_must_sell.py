"""Who must sell shares of 1844 in a stock round sells what is needed, as far as legal sales allow."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from engine.core.ids import CompanyId
from engine.core.orders import Sell
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.ledger import counted, shares
from engine.shares.limits import limit_of
from engine.titles.t1844.stock.trade import check_sale, sell
from tests.kit.games.situations_1844 import EDITIONS, Described, Swiss, situation, swiss
from tests.kit.samples import sampled

both = pytest.mark.parametrize("edition", EDITIONS)


def too_few(game: Swiss, order: str) -> dict[str, Any]:
    return game.reasons(order).get("sell.too_few", {})


# ---- debt of the exchange -------------------------------------------------------------------------------------------


def debtor(*rows: Described, owed: int = 300, **more: Any) -> Swiss:
    """Ann owes for the exchange and is on turn, with shares at 100 each."""
    given: dict[str, Any] = {"phase": "5", "cash": {"Bob": 500}, "formation_debts": {"Ann": owed}, **more}
    return situation(*rows, **given).stock("Ann", round="SR 3")


AB_AT_100 = swiss("AB", {"Bob": 5, "Ann": 4}, "r1c4")
MOB_AT_100 = swiss("MOB", {"Bob": 5, "Ann": 4}, "r1c4")


@pytest.mark.rule("1844:13.12")
def test_owing_300_with_four_shares_at_100() -> None:
    """p. 17: as many shares as are necessary to clear the debt."""
    game = debtor(AB_AT_100)
    for count in (1, 2):
        facts = {"company": "AB", "count": count, "least": 3, "lack": 300, "unit": "money"}
        assert too_few(game, f"Ann: sell {count} AB") == facts
    assert [line for line in game.menu() if line.startswith("sell")] == ["sell 3 AB"]
    game.do("Ann: sell 3 AB")
    assert (game.money("Ann"), game.debts("Ann")) == (0, {})
    assert game.asked == ["Bob stock.turn"], "she has done it, and nothing else is left to her"


@pytest.mark.rule("1844:13.12")
def test_what_one_company_does_not_bring_another_can() -> None:
    game = debtor(AB_AT_100, MOB_AT_100)
    game.do("Ann: sell 1 AB")
    assert game.reasons("Ann: pass") == {"stock.sell_for_debt": {"debt": 200, "cash": 0}}
    assert too_few(game, "Ann: sell 1 MOB")["least"] == 2
    game.do("Ann: sell 2 MOB")
    assert game.debts("Ann") == {}


@pytest.mark.rule("1844:13.12")
def test_where_all_sales_together_are_too_little() -> None:
    game = debtor(AB_AT_100, owed=700)
    assert too_few(game, "Ann: sell 3 AB") == {"company": "AB", "count": 3, "least": 4, "lack": 700, "unit": "money"}
    game.do("Ann: sell 4 AB")
    assert game.debts("Ann") == {"formation": 300}
    assert game.asked == ["Bob stock.turn"], "nothing else can be sold"


@pytest.mark.rule("1844:11.12")
@both
def test_debt_of_a_purchase_forces_no_sale(edition: str) -> None:
    """p. 14: in subsequent stock rounds there is no compulsion to sell shares."""
    game = situation(AB_AT_100, edition=edition, cash={"Bob": 500}, debts={"Ann": 300}).stock("Ann", round="SR 3")
    assert not game.reasons("Ann: sell 1 AB") and not game.reasons("Ann: pass")


@pytest.mark.rule("1844:4.18")
@pytest.mark.parametrize(
    ("edition", "options", "blocked"),
    [
        ("rulebook", {}, {"T2", "AB", "start"}),
        ("rulebook", {"debt_blocks": "shares"}, {"AB", "start"}),
        ("18xx.games", {}, {"T2", "AB"}),
        ("18xx.games", {"debt_blocks": "shares"}, {"AB", "start"}),
    ],
)
def test_what_a_debtor_may_buy(edition: str, options: dict[str, str], blocked: set[str]) -> None:
    """p. 14 closes shares to him; whether tunnel certificates and mountain railways are shares there is a ruling."""
    given: dict[str, Any] = {"cash": {"Ann": 400}, "debts": {"Ann": 10}, "options": options}
    game = situation(AB_AT_100, edition=edition, **given).stock("Ann", round="SR 3")
    orders = {"T2": "buy T2", "AB": "buy AB from ipo", "start": "start JS at 60"}
    assert {name for name, order in orders.items() if "buy.debt" in game.reasons(f"Ann: {order}")} == blocked
    assert any(line.startswith("buy T") for line in game.menu()) == ("T2" not in blocked)


# ---- certificates over the limit ------------------------------------------------------------------------------------


def over(number: int, edition: str, **more: Any) -> Swiss:
    """Of seven players A has eleven certificates and so many more, the last of AB and MOB."""
    rows = [swiss("BLS", {"A": 6}), swiss("STB", {"A": 5}), swiss("AB", {"B": 4, "A": 2})]
    rows.append(swiss("MOB", {"B": 4, "A": number}))
    given: dict[str, Any] = {"players": "A B C D E F G", "cash": {"A": 500, "C": 500}, **more}
    game = situation(*rows, edition=edition, **given).stock("A", round="SR 3")
    assert counted(game.title, game.state, game.state.players[0]) - limit_of(game.title, game.state) == number
    return game


@pytest.mark.rule("1844:4.25", "1844:1.5")
@both
@pytest.mark.parametrize("number", [2, 3])
def test_two_and_three_certificates_too_many(edition: str, number: int) -> None:
    """p. 9: who exceeds the limit must sell. BLS and STB can be sold down to the director's certificate."""
    game = over(number, edition)
    for order in ("pass", "buy T2", "start JS at 60"):
        assert game.reasons(f"A: {order}")["stock.over_limit"] == {"over": number, "limit": 11}
    game.do("A: sell 1 MOB")
    for order in ("pass", "buy T2"):
        assert game.reasons(f"A: {order}")["stock.over_limit"] == {"over": number - 1, "limit": 11}
    game.do(f"A: sell {number - 1} BLS; buy T2")
    assert counted(game.title, game.state, game.state.players[0]) == 11


def two_over(edition: str, **options: str) -> Swiss:
    """A has two certificates too many and can sell AB only."""
    rows = (
        swiss("BLS", {"A": 5}, pool=5), swiss("STB", {"A": 5}, pool=5), swiss("MOB", {"A": 4}, pool=5),
        swiss("AB", {"B": 4, "A": 2}),
    )  # fmt: skip
    given: dict[str, Any] = {"players": "A B C D E F G", "cash": {"A": 500}, "options": options}
    return situation(*rows, edition=edition, **given).stock("A", round="SR 3")


@pytest.mark.rule("1844:4.25")
@pytest.mark.parametrize(("edition", "options"), [("rulebook", {}), ("18xx.games", {"limit_sales": "enough"})])
def test_a_sale_too_small_does_not_end_the_duty(edition: str, options: dict[str, str]) -> None:
    """One share of AB would be the last sale of the turn."""
    game = two_over(edition, **options)
    facts = {"company": "AB", "count": 1, "least": 2, "lack": 2, "unit": "certificates"}
    assert game.reasons("A: sell 1 AB") == {"sell.too_few": facts}
    assert [line for line in game.menu() if line.startswith("sell")] == ["sell 2 AB"]
    game.do("A: sell 2 AB; buy T2")


@pytest.mark.rule("1844:4.25")
@pytest.mark.parametrize(("edition", "options"), [("18xx.games", {}), ("rulebook", {"limit_sales": "any"})])
def test_on_the_site_a_sale_too_small_ends_the_duty(edition: str, options: dict[str, str]) -> None:
    """The site looks at each sale by itself, and asks for no other where none is legal."""
    game = two_over(edition, **options)
    assert game.refusals("A: pass") == {"stock.over_limit"}
    assert "sell 1 AB" in game.menu()
    game.do("A: sell 1 AB; buy T2")
    assert counted(game.title, game.state, game.state.players[0]) == 12


@pytest.mark.rule("1844:4.25", "1844:13.12")
def test_both_duties_at_once() -> None:
    """Two certificates too many, and 300 missing: two shares of AB at 80 are enough for the first only."""
    game = over(2, "rulebook", formation_debts={"A": 800}, phase="5")
    assert game.reasons("A: pass")["stock.over_limit"]["over"] == 2
    game.do("A: sell 2 AB")
    assert game.reasons("A: pass") == {"stock.sell_for_debt": {"debt": 140, "cash": 0}}
    game.do("A: sell 2 MOB; pass")
    assert game.debts("A") == {}


# ---- against all ways to sell ---------------------------------------------------------------------------------------


def lacks(title: Title, state: State) -> tuple[int, int]:
    """Certificates that Ann has too many, and money that she is missing."""
    ann = next(p for p in state.players if p == "Ann")
    debt = state.debt(ann, "formation")
    return max(0, counted(title, state, ann) - limit_of(title, state)), max(0, debt - state.money(ann))


def position(chance: random.Random) -> Swiss:
    """Ann with certificates of a few companies, some too many, and perhaps a debt of the exchange."""
    rows = []
    for name in chance.sample(["BLS", "STB", "AB", "MOB", "RhB"], 3):
        ann, bob = chance.randrange(3, 7), chance.randrange(2, 4)
        held = {"Ann": ann, "Bob": bob} if chance.random() < 0.5 else {"Bob": 6 - min(ann, 4), "Ann": min(ann, 3)}
        at = f"r{chance.randrange(2, 6)}c5"
        rows.append(swiss(name, held, at, pool=chance.randrange(0, 11 - sum(held.values())), operated=bob == 2))
    sbb = swiss("SBB", {"Bob": (2, 0), "Ann": (chance.randrange(0, 2), chance.randrange(1, 4))}, pool=(1, 2))
    owed = chance.choice([0, 100, 300, 500, 900])
    given: dict[str, Any] = {"phase": "5", "cash": {"Ann": chance.randrange(0, 60)}}
    debts = {"Ann": owed} if owed else {}
    return situation(*rows, sbb, formation_debts=debts, players="Ann Bob Cat Dan Eve Fay Gus", **given)


def left_after(title: Title, state: State, companies: Sequence[CompanyId]) -> Iterator[tuple[int, int]]:
    """What every way to sell of these companies leaves, each sold once or not at all."""
    if not companies:
        yield lacks(title, state)
        return
    ann = next(p for p in state.players if p == "Ann")
    yield from left_after(title, state, companies[1:])
    for count in range(1, shares(title, state, ann, companies[0]) + 1):
        order = Sell(ann, companies[0], count)
        if not check_sale(title, state, ann, order, ()):
            play = Play(title, state)
            sell(play, ann, order)
            yield from left_after(title, play.state, companies[1:])


@pytest.mark.rule("1844:4.25", "1844:13.12")
@pytest.mark.parametrize("positions", sampled((10, 60), (10,)))
def test_no_turn_ends_before_the_best_that_any_sales_could_do(positions: int) -> None:
    """The least that any sales leave of both duties is found by trying them all. Turns of chance come as far."""
    chance, bound, refused = random.Random(18), 0, 0
    for _ in range(positions):
        start = position(chance)
        ways = list(left_after(start.title, start.state, tuple(start.state.prices)))
        best = min(limit for limit, _ in ways), min(debt for _, debt in ways)
        assert best in ways
        bound += best != lacks(start.title, start.state)
        for _ in range(3):
            game = Swiss(start.title, start.state, []).stock("Ann", round="SR 3")
            while game.asked and game.asked[0] == "Ann stock.turn" and game.refusals("Ann: pass"):
                company = chance.choice([line for line in game.menu() if line.startswith("sell")]).split()[2]
                order = f"Ann: sell {chance.randrange(1, 6)} {company}"
                reasons = game.refusals(order)
                refused += reasons == {"sell.too_few"}
                if not reasons:
                    game.do(order)
            assert lacks(game.title, game.state) == best
    assert bound > positions / 2 and refused > positions / 3, (bound, refused)
