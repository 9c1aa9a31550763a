"""Tell a company of trains that its menu does not have: those after the dividend, and those that need loans."""

from __future__ import annotations

from engine.acts.act import Turn
from engine.acts.buy_train import BuyTrains
from engine.acts.turns import HELP, Turns
from engine.core import orders as o
from engine.core.agenda import Ask, Menu, Range
from engine.core.checks import Refused
from engine.core.decide import decide_to_state, objection
from engine.core.ids import CompanyId, TrainName
from engine.core.state import State
from engine.core.title import Title
from moderator.words.position import views
from moderator.words.question.sellers import of_others
from moderator.words.texts import Words


def trains_ahead(own: Words, title: Title, state: State, ask: Ask, menu: Menu) -> str:
    """A sentence on the trains that come later in the turn, for a company that is about to say what it pays, or that
    cannot run; "" in any other case, and if the menu has trains already, or a run, beside which they are told."""
    kinds = {type(choice.order) for choice in menu}
    step, turn = title.steps[type(state.top)], state.top
    if not isinstance(step, Turns) or not isinstance(turn, Turn) or ask.actor != turn.company or ask.what == HELP:
        return ""
    trains = state.companies[turn.company].trains
    if kinds & {o.Train, o.RunBest} or (trains and not kinds & {o.Pay, o.Dividend}):
        return "" if o.RunBest in kinds else _too_dear(own, title, state, menu)
    if o.Sell in kinds and not kinds & {o.Done, o.Pay, o.Dividend}:  # raising money for a train whose price is told
        return ""
    buying = next((place for place in step.places if isinstance(place.act, BuyTrains)), None)
    if buying is None or step.is_past(turn, buying.last):
        return ""
    new = tuple(face for line in views.trains(title, state) if line.now for face in line.faces)
    pool = tuple((str(train), title.trains[train].cost) for train in dict.fromkeys(state.pool_trains))
    others = of_others(own, title, state)
    if not new and not pool:
        return others
    facts = {
        "company": turn.company, "new": new, "pool": pool, "cash": state.money(turn.company),
        "credit": title.policies.credit(title, state, turn.company), "pays": bool(kinds & {o.Pay, o.Dividend}),
    }  # fmt: skip
    return f"{own.say('words', 'trains_ahead', title=title, **facts)} {others}".strip()


def _too_dear(own: Words, title: Title, state: State, menu: Menu) -> str:
    """A sentence on the trains of other companies whose only price the company in turn cannot pay now; "" if there are
    none."""
    named = {(order.train, order.source) for choice in menu if isinstance(order := choice.order, o.Train)}
    return of_others(own, title, state, but=lambda offer: offer.high is None or (offer.train, offer.seller) in named)


def trains_on_loan(own: Words, title: Title, state: State, ask: Ask, menu: Menu) -> str:
    """A sentence on the trains on sale that the company could buy now if it took loans first, each with the loans that
    it needs; "" if there are none."""
    loans = next((c for c in menu if isinstance(c, Range) and isinstance(c.order, o.Borrow)), None)
    if loans is None or not isinstance(state.top, Turn) or ask.actor != state.top.company or ask.what == HELP:
        return ""
    could = {choice.order.train for choice in menu if isinstance(choice.order, o.Train)}
    dear = [(name, cost) for line in views.trains(title, state) if line.now for name, cost in line.faces]
    found = []
    for name, cost in dear:
        if name not in could and cost > state.money(ask.actor):
            count = _loans_for(title, state, loans, o.Train(CompanyId(ask.actor), TrainName(name)))
            found += [(count, name, cost)] if count else []
    return own.say("words", "trains_on_loan", title=title, trains=tuple(found)) if found else ""


def _loans_for(title: Title, state: State, loans: Range, train: o.Train) -> int:
    """The fewest loans after which the company could buy ``train`` at once; 0 if no number is enough."""
    for count in range(loans.low, loans.high + 1):
        borrowed = decide_to_state(title, state, loans.sample(count - loans.low))
        if not isinstance(borrowed, Refused) and objection(title, borrowed.state, train) is None:
            return count
    return 0
