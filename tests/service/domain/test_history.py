"""A game round by round: revenue and income of companies, and what players have and could raise."""

from __future__ import annotations

import csv
from fractions import Fraction
from io import StringIO

import pytest

from engine.core.events import Distributed
from engine.core.ids import CompanyId, PlayerId
from engine.holders.charters import all_shares
from moderator.domain.figures.history import as_csv, begin_of_round, history, means
from tests.kit.games.course_1861 import mvr, stock
from tests.kit.games.kept_games import LONG, plain


@pytest.mark.parametrize("title", sorted(LONG))
def test_the_rounds_are_those_of_the_log(title: str) -> None:
    """Every revenue is told once, in its round, and a share's income is what a holder of one share was paid."""
    game = plain(title)
    told = history(game)
    assert [one.over for one in told] == [True] * (len(told) - 1) + [game.finished]
    assert len({str(one.round) for one in told}) == len(told)
    last: dict[tuple[str, str], Distributed] = {}
    paid: dict[tuple[str, str], set[Fraction]] = {}
    for _, state, events in game.happened(0):
        for event in events:
            if isinstance(event, Distributed):
                last[str(state.round), event.company] = event
                count = all_shares(game.title, state, event.company)
                paid.setdefault((str(state.round), event.company), set()).add(Fraction(event.dividend, count))
    found = {(str(one.round), name): income for one in told for name, income in one.companies.items()}
    assert {key: income.revenue for key, income in found.items() if key in last} == {
        key: event.revenue for key, event in last.items()
    }
    for key, income in found.items():
        assert income.per_share is None or income.per_share in paid[key], key


def test_a_part_of_the_game_is_told_as_in_the_whole() -> None:
    game = plain("1861")
    whole = history(game)
    middle = len(game.orders) * 2 // 3
    begin = begin_of_round(game, middle)
    assert history(game, begin) == whole[-len(history(game, begin)) :]
    assert game.at(begin).round == game.at(middle).round != game.at(begin - 1).round


def test_what_a_player_could_raise() -> None:
    """Bob has 5 of the 10 shares of MVR at 135 and directs it; Cat has 3. The pool has room for 5. His director's
    certificate may go only if Cat can take it over."""
    game = stock(mvr(bob=5, cat=3, pool=0))
    state = game.state
    bob, cash = PlayerId("Bob"), state.money(PlayerId("Bob"))
    price = game.title.chart.price(state.prices[CompanyId("MVR")].cell)
    assert means(game.title, state)[bob].could_raise == cash + 5 * price
    crowded = stock(mvr(bob=5, cat=1, pool=4)).state
    assert means(game.title, crowded)[bob].could_raise == crowded.money(bob) + 1 * price, "the pool has room for one"
    alone = stock(mvr(bob=4, cat=1, pool=0)).state
    assert means(game.title, alone)[bob].could_raise == alone.money(bob) + 2 * price, "nobody takes over"


def test_the_csv_has_a_row_for_each_company_and_player_of_each_round() -> None:
    game = plain("1861")
    told = history(game)
    rows = list(csv.DictReader(StringIO(as_csv(told))))
    assert len(rows) == sum(len(one.companies) + len(one.means) for one in told)
    assert rows[0]["round"] == "SR 1" and rows[0]["name"] == "Ann"
    assert {row["kind"] for row in rows if row["revenue"]} <= {"full", "half", "none", "minor", ""}
