"""The money that questions of 1863 are about: an offer to the LPTB, a debt of a player, a bid for a whole company."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from engine.core.checks import Refused
from engine.core.decide import decide_to_state
from engine.core.events import Became, Event, Nationalised, Paid
from engine.core.evolve import evolve
from engine.core.ids import CompanyId, PlayerId
from engine.core.orders import Nationalise
from engine.core.state import State
from engine.core.title import Title
from engine.holders.ledger import holders, shares
from engine.titles.t1863.failures.acquisition import ACQUISITION, bid_parts, paid_for
from engine.titles.t1863.failures.failure import Liquidation, Taking
from engine.titles.t1863.failures.lots import LotAuction
from engine.titles.t1863.failures.lptb import OFFERS, LptbActs
from engine.titles.t1863.money.player_debt import PlayerDebt
from engine.titles.t1863.pieces import loan
from engine.titles.t1863.stock.shares import shorters, shorts_of
from engine.titles.t1863.stock.trading import list_sales


def of_offer(title: Title, state: State, company: CompanyId) -> Mapping[str, Any]:
    """The sums of the sale of ``company`` to the LPTB, as if it alone were offered: the president ``pays``, the
    ``loans`` that are repaid, the amount of ``each`` share, its ``price``, and what each holder is ``paid``. Empty if
    the company is not asked now."""  # rule 10.3
    frame = state.top if state.agenda else None
    if not isinstance(frame, LptbActs) or frame.stage != OFFERS or company not in frame.waiting:
        return {}
    alone = evolve(title, state, Became(replace(frame, waiting=(company,), offered=())))
    played = decide_to_state(title, alone, Nationalise(company, True))
    if isinstance(played, Refused):
        return {}
    events = _until_taken(played.events, company)
    each = next((e.price for e in events if isinstance(e, Nationalised) and e.name == company), None)
    debts = [frame.amount for frame in played.state.agenda if isinstance(frame, PlayerDebt)]
    paid = [e for e in events if isinstance(e, Paid) and e.about == company]  # not for those that are taken with it
    helped = [e for e in paid if e.reason == "crisis"]
    shared = ((str(e.payee), e.amount) for e in paid if e.reason == "liquidation")
    return {
        "company": company,
        "loans": state.companies[company].loans * loan(title),
        "payer": helped[0].payer if helped else None,
        "pays": sum(e.amount for e in helped),
        "due": sum(debts) if each is None else 0,
        "each": each,
        "price": title.price(state, company),
        "paid": tuple(one for one in shared if one[1]) if each is not None else (),
    }


def _until_taken(events: Iterable[Event], company: CompanyId) -> list[Event]:
    """The events up to the payments for shares of the company."""
    found, taken = list[Event](), False
    for event in events:
        if taken and not (isinstance(event, Paid) and event.reason == "liquidation"):
            break
        found.append(event)
        taken = taken or (isinstance(event, Nationalised) and event.name == company)
    return found


def of_debt(title: Title, state: State, player: PlayerId) -> Mapping[str, Any]:
    """The ``reason`` of what the player owes now for a ``company``, what happens to it (its ``fate``, "" for nothing),
    and the ``least`` sale of shares of one company that is enough: company, number and sum; None if none is. Empty if
    he owes nothing."""  # rule 7.3
    frame = state.top if state.agenda else None
    if not isinstance(frame, PlayerDebt) or frame.player != player:
        return {}
    missing, sales = frame.amount - state.money(player), list_sales(title, state, player)
    sums = ((number * title.price(state, company), company, number) for company, number in sales)
    least = min((one for one in sums if one[0] >= missing), default=None)
    ends = [f for f in state.agenda if isinstance(f, Liquidation | Taking) and f.company == frame.company]
    fate = "" if not ends else "parted" if isinstance(ends[-1], Liquidation) else "taken"
    return {"company": frame.company, "reason": frame.reason, "fate": fate, "least": least, "missing": missing}


def of_bid(title: Title, state: State, company: CompanyId) -> Mapping[str, Any]:
    """The ``amount`` of the present bid for the whole ``company``, or of the least, with what each holder is then
    ``paid``, and ``owes`` for shorts; and the ``parts`` of the bid. Empty if it is not up for auction."""  # rule 8.6
    frame = state.top if state.agenda else None
    if not isinstance(frame, LotAuction) or frame.kind != ACQUISITION or frame.item != company:
        return {}
    amount = frame.amount if frame.holder is not None else frame.low
    parts = bid_parts(title, state, company)
    held = ((str(holder), shares(title, state, holder, company)) for holder in holders(state, company))
    short = ((player, shorts_of(state, player, company)) for player in shorters(state, company))
    paid = ((holder, paid_for(title, amount, parts, count)) for holder, count in held)
    owes = ((player, paid_for(title, amount, parts, count, short=True)) for player, count in short)
    return {
        "amount": amount, "parts": parts, "paid": tuple(one for one in paid if one[1]),
        "owes": tuple(one for one in owes if one[1]),
    }  # fmt: skip
