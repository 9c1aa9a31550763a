"""A game over time: the revenue and income of each company in each round, and the means of players at its end."""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from io import StringIO
from typing import Final

from engine import Game
from engine.core.events import Distributed, Event, Ran, RoundBegan
from engine.core.evolve import evolve
from engine.core.ids import CompanyId, PlayerId
from engine.core.state import Round, State
from engine.core.title import Title
from engine.holders.charters import all_shares, charter_of
from engine.holders.ledger import shares
from engine.shares.sale import SaleTerms, check_sale


@dataclass(frozen=True, slots=True)
class Income:
    """A company's run in a round. ``kind``: the kind of its dividend, such as ``full`` or ``none``; empty if there was
    no decision about it. ``per_share``: the income of one share; None if the company has a single one."""

    revenue: int
    kind: str = ""
    per_share: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Means:
    """The means of a player. ``could_raise``: his cash and the proceeds of the shares that the pool and the director's
    certificate let him sell, at their prices."""

    cash: int
    could_raise: int
    worth: int


@dataclass(slots=True)
class RoundTold:
    """A round with its companies, in the order of their runs. ``means``: those of the players at its end; of a round
    that is not over, now."""

    round: Round
    over: bool = False
    """False only for the round that is under way."""
    companies: dict[CompanyId, Income] = field(default_factory=dict)
    means: Mapping[PlayerId, Means] = field(default_factory=dict)

    @property
    def idle(self) -> tuple[CompanyId, ...]:
        """The companies that earned nothing."""
        return tuple(company for company, income in self.companies.items() if not income.revenue)


def history(game: Game, since: int = 0) -> tuple[RoundTold, ...]:
    """All rounds from the one after the first ``since`` orders on, the last as far as it has been played."""
    title = game.title
    found = [RoundTold(game.at(since).round)]
    for _, state, events in game.happened(since):
        for event in events:
            if isinstance(event, RoundBegan) and event.round != found[-1].round:
                found[-1].over, found[-1].means = True, means(title, state)
                found.append(RoundTold(event.round))
            _count(found[-1], title, state, event)
            state = evolve(title, state, event)
    found[-1].over, found[-1].means = game.finished, means(title, game.state)
    return tuple(found)


def _count(told: RoundTold, title: Title, state: State, event: Event) -> None:
    match event:
        case Ran(company=company, revenue=revenue):
            told.companies[company] = Income(revenue)
        case Distributed(company=company, kind=kind, revenue=revenue, dividend=dividend):
            several = sum(number for _, number in charter_of(title, state, company).certificates.values()) > 1
            share = Fraction(dividend, all_shares(title, state, company)) if several else None
            told.companies[company] = Income(revenue, kind, share)


def means(title: Title, state: State) -> dict[PlayerId, Means]:
    """The means of each player, in seating order."""
    return {
        player: Means(state.money(player), _could_raise(title, state, player), title.score(title, state, player))
        for player in state.players
    }


_STEP: Final = 25
"""The number of orders over which the beginning of a round is looked for at once."""
_TERMS = SaleTerms(closed=lambda title, state, seller, company: None)


def _could_raise(title: Title, state: State, player: PlayerId) -> int:
    total = state.money(player)
    for company, marker in state.prices.items():
        most = max(_sales(title, state, player, company), default=0)
        total += most * title.chart.price(marker.cell)
    return total


def _sales(title: Title, state: State, player: PlayerId, company: CompanyId) -> Iterable[int]:
    """The numbers of shares that could go to the pool."""
    held = shares(title, state, player, company)
    return (count for count in range(1, held + 1) if not check_sale(_TERMS, title, state, player, company, count))


def begin_of_round(game: Game, since: int) -> int:
    """The number of orders after which the round began that was under way after the first ``since``."""
    round, before = game.at(since).round, since
    while before > 0 and game.at(before).round == round:
        before = max(0, before - _STEP)
    # One position after another is cheap forwards, and backwards each is played from the one that is kept before it.
    played = enumerate(game.happened(before), before)
    return next((number for number, (_, state, _) in played if state.round == round), since)


def before_rounds(game: Game, rounds: Collection[Round]) -> int:
    """The latest number of orders after which none of these ``rounds`` was under way; 0 if there is none."""
    return next((number for number in range(len(game.orders), 0, -1) if game.at(number).round not in rounds), 0)


_COLUMNS = ("round", "name", "revenue", "kind", "per_share", "cash", "could_raise", "worth")


def as_csv(rounds: Iterable[RoundTold]) -> str:
    """The rounds as comma-separated values (RFC 4180): a row for each company and each player in each round."""
    text = StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(_COLUMNS)
    for told in rounds:
        for company, income in told.companies.items():
            share = "" if income.per_share is None else f"{float(income.per_share):g}"
            rows.writerow((told.round, company, income.revenue, income.kind, share, "", "", ""))
        for player, has in told.means.items():
            rows.writerow((told.round, player, "", "", "", has.cash, has.could_raise, has.worth))
    return text.getvalue()
