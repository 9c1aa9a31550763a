"""Refinancing, an optional rule: a company doubles its price and halves its shares."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.acts.act import Act, Turn
from engine.core.agenda import Choice, Exact
from engine.core.checks import Failure
from engine.core.events import CertificatesSet, DirectorChanged, Exchanged, Refinanced
from engine.core.ids import POOL, Cell, CompanyId, PlayerId
from engine.core.orders import Order, Refinance
from engine.core.state import Note, State
from engine.core.title import Play, Title
from engine.holders.control import owner_of
from engine.titles.t1863.entities import player_of
from engine.titles.t1863.mergers.halves import settle_halves
from engine.titles.t1863.mergers.shares import HALF, certificate_list, halved
from engine.titles.t1863.names import TWO
from engine.titles.t1863.rulings import rulings_of
from engine.titles.t1863.stock.market import highest_not_above, set_price
from engine.titles.t1863.stock.shares import is_minor


@dataclass(frozen=True, slots=True)
class HasRefinanced(Note):
    """Records that the company has refinanced in its turn."""

    once: bool = False


@dataclass(frozen=True, slots=True)
class RefinanceCompany(Act):
    """The company refinances, at most once in a turn."""  # rule 13.4

    takes = (Refinance,)
    notes = (HasRefinanced,)

    def bars(self, title: Title, state: State, company: CompanyId) -> Failure | None:
        return None if rulings_of(title).refinancing else Failure("refinance.option", {"company": company})

    def offers(self, title: Title, state: State, turn: Turn, player: PlayerId) -> Iterator[Choice]:
        if not self._check(title, state, turn):
            yield Exact(Refinance(turn.company))

    def carry_out(self, play: Play, turn: Turn, player: PlayerId, order: Order) -> None:
        play.note(self._check(play.title, play.state, turn))
        if not play.failures:
            play.become(turn.noting(HasRefinanced(True)))
            refinance(play, turn.company)

    def _check(self, title: Title, state: State, turn: Turn) -> list[Failure]:
        if turn.note(HasRefinanced).once:
            return [Failure("refinance.once", {"company": turn.company})]
        return check_refinance(title, state, turn.company)


def doubled(title: Title, state: State, company: CompanyId) -> Cell:
    """The cell for the doubled price: the highest whose price is not above it."""
    return highest_not_above(title, 2 * title.price(state, company))


def check_refinance(title: Title, state: State, company: CompanyId) -> list[Failure]:
    """Every reason why the company may not refinance: it is a minor, its price would not rise, it could not pay for all
    halves, or its president would not have two shares."""  # rule 13.4
    if is_minor(title, state, company):
        return [Failure("refinance.minor", {"company": company})]
    new, price = halved(title, state, (company,), company), title.price(state, company)
    higher = title.chart.price(doubled(title, state, company))
    failures = []
    if higher <= price:
        failures.append(Failure("refinance.price", {"company": company, "price": price}))
    due, cash = len(new.odd) * (higher // HALF), state.money(company)
    if due > cash:
        failures.append(Failure("refinance.money", {"company": company, "holders": new.odd, "due": due, "cash": cash}))
    if new.bought:
        failures.append(Failure("refinance.president", {"company": company, "holder": new.president}))
    return failures


def refinance(play: Play, company: CompanyId) -> None:
    """Carry out a checked refinancing and put the settlement of halves on the agenda. Call this last."""  # rule 13.4
    title, before = play.title, play.state
    new, cell = halved(title, before, (company,), company), doubled(title, before, company)
    old = owner_of(title, before, company)
    play.emit(
        Refinanced(company, title.chart.price(cell)),
        CertificatesSet(company, certificate_list(new.president, new.held, new.shorts)),
    )
    set_price(play, company, cell, "refinanced")
    for place, number in new.held.items():
        if place != POOL:
            holder = player_of(before, CompanyId(place)) or CompanyId(place)
            play.emit(Exchanged(holder, company, number, holder == new.president and number >= TWO))
    if old != new.president:
        play.emit(DirectorChanged(company, new.president))
    settle_halves(play, company, new, merged=False)
