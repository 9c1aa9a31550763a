"""The end of a stock round: prices move, Bayard pays, and unused concessions go back to the bank."""

from __future__ import annotations

from typing import Final

from engine.core.events import PrivateMoved
from engine.core.ids import BANK, POOL, CompanyId
from engine.core.title import Play
from engine.holders.ledger import shares
from engine.holders.succession import in_private_hands
from engine.titles.t1841.auction.trade import owner_of_concession
from engine.titles.t1841.ending.end_signals import over_at_once
from engine.titles.t1841.names import BAYARD, COMPANY_OF
from engine.titles.t1841.rulings import rulings_of
from engine.titles.t1841.stock.market import move_price
from engine.titles.t1841.turn.uncontrolled import is_frozen

FROZEN_ROWS: Final = 2
"""The rows that a frozen company with stock in the pool falls."""


def close_stock_round(play: Play) -> None:
    """Carry out all that follows when everybody has passed, in the order of the rules."""  # rule 3.19
    move_market(play)
    pay_bayard(play)
    return_concessions(play)


def move_market(play: Play) -> None:
    """Move the prices in running order. First companies with shares in the pool fall, then those with no shares for
    sale rise; under the site's ruling, each company moves in its turn."""  # rule 3.19, 3.20
    order = play.title.policies.operating_order(play.title, play.state)
    for company in order:
        _fall(play, company)
        if rulings_of(play.title).round_end == "one_pass":
            _rise(play, company)
    if rulings_of(play.title).round_end == "two_passes":
        for company in play.title.policies.operating_order(play.title, play.state):
            if not over_at_once(play):
                _rise(play, company)


def _fall(play: Play, company: CompanyId) -> None:
    if shares(play.title, play.state, POOL, company):
        rows = FROZEN_ROWS if is_frozen(play.title, play.state, company) else 1  # rule 3.19
        move_price(play, company, "down", rows, "pool")


def _rise(play: Play, company: CompanyId) -> None:
    if in_private_hands(play.title, play.state, company) and not is_frozen(play.title, play.state, company):
        move_price(play, company, "up", 1, "sold_out")


def pay_bayard(play: Play) -> None:
    """Pay the income of Bayard to the player who owns it."""  # rule 3.21
    owner = owner_of_concession(play.state, BAYARD)
    if owner is not None:
        play.pay(BANK, owner, play.title.privates[BAYARD].income, "private", BAYARD)


def return_concessions(play: Play) -> None:
    """Return the concessions of companies that have not been started to the bank, without compensation. Bayard
    stays."""
    # rule 3.22
    for concession in play.state.privates:
        company = COMPANY_OF.get(concession)
        unused = company is not None and play.state.companies[company].status == "unstarted"
        if unused and owner_of_concession(play.state, concession) is not None:
            play.emit(PrivateMoved(concession, None))
