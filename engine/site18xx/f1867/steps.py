"""Steps of 18xx.games in a company's turn, with the conditions under which the site waits for the company."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.acts.act import Turn
from engine.acts.buy_train import train_room
from engine.acts.pay_out import PAY
from engine.acts.place_token import list_tokens
from engine.core.ids import POOL, CompanyId
from engine.core.orders import Lay, Order, Pay, Redeem, Run, RunBest, Settle, Token, Train
from engine.core.state import State
from engine.core.title import Title
from engine.families.f1867.names import PUBLIC
from engine.families.f1867.policies import NO_LIMIT
from engine.families.f1867.stock.private_sales import private_sales
from engine.families.f1867.turn.company_turn import RULES
from engine.families.f1867.turn.interest import LOANS, TRAINS
from engine.families.f1867.turn.loans import LIMITS, RECEIVED
from engine.families.f1867.turn.markers import marker_rate
from engine.families.f1867.turn.trains import list_trains
from engine.holders.charters import charter_of
from engine.holders.ledger import shares
from engine.site18xx.steps import SiteStep, Waits, asks_for_runs, did, never, no_runs


def _redeems(title: Title, state: State, company: CompanyId, given: Sequence[Order]) -> bool:
    """True if the company can redeem a share. The site accepts one purchase."""
    if charter_of(title, state, company).kind != PUBLIC or did(given, Redeem):
        return False
    return shares(title, state, POOL, company) > 0 and title.price(state, company) <= state.money(company)


def lays_there(title: Title, state: State, company: CompanyId, laid: int) -> bool:
    """True if the site lets the company lay another tile after ``laid`` in this turn. It does not check for room on the
    map. It counts the company's cash and credit, and each loan above the limit as negative credit: a company that a
    merger has left with too many loans may be unable to lay even a free tile."""
    limit = LIMITS[charter_of(title, state, company).kind]
    power = state.money(company) + RECEIVED * (limit - state.companies[company].loans)
    return laid < RULES.most_lays and (RULES.second_lay_fee if laid else 0) <= power


def _lays(title: Title, state: State, company: CompanyId, given: Sequence[Order]) -> bool:
    return lays_there(title, state, company, did(given, Lay))


def _places(title: Title, state: State, company: CompanyId, given: Sequence[Order]) -> bool:
    """True if a city is within reach and the company can pay for one hex. The site does not check the cost of that
    city."""
    if state.money(company) < marker_rate(state, company) or charter_of(title, state, company).kind != PUBLIC:
        return False
    return bool(list_tokens(title, state, company, NO_LIMIT, did(given, Token) > 0))


def _buys_private(title: Title, state: State, company: CompanyId, given: Sequence[Order]) -> bool:
    return any(True for _ in private_sales(title, state, company))


def _buys_private_before_loans(title: Title, state: State, company: CompanyId, given: Sequence[Order]) -> bool:
    """True if a private can be bought before loans are settled. The site asks even a company without loans."""
    return not did(given, Settle) and _buys_private(title, state, company, given)


def _buys_private_at_last(title: Title, state: State, company: CompanyId, given: Sequence[Order]) -> bool:
    """True if a private can be bought at the end of the turn. A company without a train now leaves the game."""
    return bool(state.companies[company].trains) and _buys_private(title, state, company, given)


def buys_train(title: Title, state: State, company: CompanyId, given: Sequence[Order]) -> bool:
    """True if a train can be bought that needs room."""
    if train_room(title, state, company) < 1:
        return False
    return any(True for _ in list_trains(title, state, Turn(company, TRAINS)))


def steps(waits_for_trains: Waits) -> tuple[SiteStep, ...]:
    """The steps of a turn in which the site waits so for trains to be bought."""
    return (
        SiteStep("redeem", (Redeem,), _redeems),
        SiteStep("track", (Lay,), _lays),
        SiteStep("token", (Token,), _places),
        SiteStep("run", (Run, RunBest), asks_for_runs, left=no_runs),
        SiteStep(PAY, (Pay,), never),
        SiteStep(LOANS, (Settle,), _buys_private_before_loans),
        SiteStep(TRAINS, (Train,), waits_for_trains),
        SiteStep(TRAINS, (), _buys_private_at_last),
    )


STEPS: Final = steps(buys_train)
