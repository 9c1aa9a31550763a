"""Say what is at stake in a question: the sum that the company has earned, the price at which it would be nationalised,
and the money that a sale between companies would move."""

from __future__ import annotations

from typing import Any

from engine.acts.act import Turn
from engine.acts.run_trains import Earned
from engine.core import events as ev
from engine.core import orders as o
from engine.core.agenda import Ask, Menu
from engine.core.checks import Refused
from engine.core.decide import decide_to_state, effects
from engine.core.state import State
from engine.core.title import Title
from moderator.words.question.formations import terms_agreed, then
from moderator.words.question.formations import told as told_terms
from moderator.words.texts import Words


def stake(own: Words, title: Title, state: State, ask: Ask, menu: Menu) -> str:
    """A sentence on the sums of the question, to follow its first words; "" if there is none to tell."""
    facts = _facts(own, title, state, ask, menu)
    if facts is None:
        return ""
    kind, told = facts
    return own.say("words", f"stake.{kind}", title=title, reader=ask.player, actor=ask.actor, **told)


def _facts(own: Words, title: Title, state: State, ask: Ask, menu: Menu) -> tuple[str, dict[str, Any]] | None:
    """The key of the sentence and its facts."""
    orders = [choice.order for choice in menu]
    for order in orders:
        match order:
            case o.Nationalise(yes=True):
                told = title.policies.remarks(title, state, order.actor)
                return ("Offer", told["offer"]) if told.get("offer") else _nationalised(title, state, order)
            case o.Sell() if order.actor in state.players:
                told = title.policies.remarks(title, state, order.actor)
                return ("Debt", told["debt"]) if told.get("debt") else None
            case o.Exchange():
                told = title.policies.remarks(title, state, str(ask.about[0]))
                return ("Exchange", {**told, "into": ask.about[0]}) if "old" in told else None
            case o.Agree(subject=o.TrainSale() as subject):
                return "TrainSale", _of_train(title, state, ask, subject)
            case o.Agree(subject=o.PrivateSale() as subject):
                data = title.privates[subject.private]
                return "PrivateSale", {"price": subject.price, "face": data.face, "income": data.income}
            case o.Agree(subject=o.Merger() as subject):
                terms = terms_agreed(title, state, order, subject)
                return "Merger", {
                    **told_terms(own, title, terms),
                    "into": subject.into,
                    "then": then(own, title, terms),
                }
            case o.Bid() if (told := title.policies.remarks(title, state, str(ask.about[0]))).get("shared"):
                return "Shared", {**told["shared"], "company": ask.about[0]}
            case o.Bid() if "floats" in (told := title.policies.remarks(title, state, str(ask.about[0]))):
                return "Bid", {**told["floats"], "company": ask.about[0]}
            case o.Bid() if ask.about[0] in title.companies and own.find("words", "stake.BidToStart", title.name):
                return "BidToStart", {"company": ask.about[0]}
    pay = next((order for order in orders if isinstance(order, o.Pay)), None)
    return None if pay is None else _of_earnings(title, state, pay)


def _of_earnings(title: Title, state: State, pay: o.Pay) -> tuple[str, dict[str, Any]] | None:
    """The sum that a company has earned, and the interest that it owes after the dividend."""
    earned = state.top.note(Earned).revenue if isinstance(state.top, Turn) else None
    if earned is None:  # its run comes first
        return None
    played = decide_to_state(title, state, pay)
    if isinstance(played, Refused):
        return None
    events = (*played.events, *effects(title, played.state, o.Settle(pay.actor)))
    due = sum(e.amount for e in events if isinstance(e, ev.Paid) and e.payer == pay.actor and e.reason == "interest")
    return "Pay", {"earned": earned, "due": due, "cash": state.money(pay.actor)}


def _of_train(title: Title, state: State, ask: Ask, sale: o.TrainSale) -> dict[str, Any]:
    seller = state.companies[ask.actor]  # type: ignore[index]
    left = list(seller.trains)
    if sale.train in left:
        left.remove(sale.train)
    facts = {"price": sale.price, "money": state.money(ask.actor) + sale.price, "left": tuple(left)}
    return facts | {"new": title.trains[sale.train].cost}


def _nationalised(title: Title, state: State, order: o.Nationalise) -> tuple[str, dict[str, Any]] | None:
    """The price of a share and the payments for them, as far as they are settled before any lot is drawn."""
    events = effects(title, state, order)
    price = next((e.price for e in events if isinstance(e, ev.Nationalised) and e.name == order.actor), None)
    if price is None:
        return None
    paid = tuple((str(e.payee), e.amount) for e in events if isinstance(e, ev.Paid) and e.reason == "nationalised")
    before, cash = title.price(state, order.actor), state.money(order.actor)
    loans = state.companies[order.actor].loans
    return "Nationalise", {"price": price, "before": before, "paid": paid, "cash": cash, "loans": loans}
