"""Suggestions beside a question: the later steps of the turn, and an example of a legal answer."""

from __future__ import annotations

from engine.acts.act import Turn
from engine.acts.pay_out import PayOut
from engine.acts.run_trains import Earned, RunTrains, able_to_run, why_idle
from engine.acts.turns import HELP, Place, Turns
from engine.core import orders as o
from engine.core.agenda import Ask, Choice, Menu, Range
from engine.core.checks import Refused
from engine.core.decide import ask_for, decide_to_state, objection
from engine.core.decide import menu as menu_of
from engine.core.ids import CompanyId, HexId
from engine.core.state import State
from engine.core.title import Title
from engine.holders.charters import charter_of
from grammar import write_section
from moderator.domain.vocabulary import vocabulary
from moderator.render import views
from moderator.render.menu import few_bids
from moderator.render.words import Words

_RUN = (RunTrains, PayOut)
"""The acts of a suggested run."""
_DEALS = (o.Train, o.BuyPrivate, o.BuyConcession, o.BuyFrom, o.BuyToken)
"""Orders that are deals if their price can be chosen; deals are never suggested."""


def later(own: Words, title: Title, state: State, ask: Ask, menu: Menu) -> str:
    """A text on the later steps of a company's turn, on its duties before them, or on the restrictions of a debtor; ""
    if none of these applies."""
    kinds = {type(choice.order) for choice in menu}
    idle = "" if ask.what == HELP else _idle(own, title, state)
    if ask.what == HELP or (ask.what == "company.turn" and _owes(kinds)):
        company = ask.about[0]
        more = {**title.policies.remarks(title, state, company), "company": company}
        said = own.say("words", "helps" if ask.what == HELP else "must_buy", title=title, **more)
        return f"{idle} {said}".strip()
    if ask.what == "company.turn" and kinds == {o.Lay}:
        return own.say("words", "first_lay", title=title, company=ask.actor)
    if ask.what == "stock.turn" and (debt := state.debt(ask.player)):
        sell = not any(isinstance(c.order, o.Pass) for c in menu)
        return own.say("words", "debtor", title=title, debt=debt, sell=sell)
    if o.Dividend in kinds:
        said = own.say("words", "dividend", title=title, **title.policies.remarks(title, state, ask.actor))
        return f"{idle} {said}".strip()
    if ask.what != "company.turn" or not any(isinstance(c.order, o.RunBest) for c in menu):
        return idle
    shares = len(charter_of(title, state, CompanyId(ask.actor)).certificates) > 1
    offered = (face for line in views.trains(title, state) if line.now for face in line.faces)
    could = {c.order.train for c in menu if isinstance(c.order, o.Train) and c.order.source is None}
    new = [face for face in offered if not could or face[0] in could]
    ways = next((place.act.ways for place in _places(title, state) if isinstance(place.act, PayOut)), ())
    facts = {"shares": shares, "ways": ways, "new": new, "pool": tuple(dict.fromkeys(state.pool_trains))}
    return own.say("words", "later", title=title, **{**title.policies.remarks(title, state, ask.actor), **facts})


def _places(title: Title, state: State) -> tuple[Place, ...]:
    """The acts of the turn on top of the agenda."""
    step = title.steps[type(state.top)]
    return step.places if isinstance(step, Turns) else ()


def _idle(own: Words, title: Title, state: State) -> str:
    """A text on why the company in turn earns nothing: it cannot run, or has run nothing; "" if neither is so, or if it
    has been paid for its run."""
    step, turn = title.steps[type(state.top)], state.top
    if not isinstance(step, Turns) or not isinstance(turn, Turn):
        return ""
    run = next((place for place in step.places if isinstance(place.act, RunTrains)), None)
    pay = next((place for place in step.places if o.Dividend in place.act.takes), run)
    if run is None or pay is None or step.is_past(turn, pay.last):
        return ""
    why = "none" if turn.note(Earned).revenue == 0 else ""
    if not step.is_past(turn, run.last) and not able_to_run(title, state, turn.company):
        why = why_idle(title, state, turn.company)
    return own.say("words", f"idle.{why}", title=title, company=turn.company) if why else ""


def _owes(kinds: set[type[o.Order]]) -> bool:
    """True if the menu has these ``kinds`` of orders because the turn cannot end before a train is bought."""
    return bool(kinds & {o.Train, o.Sell}) and not kinds & {o.Done, o.RunBest, o.Run}


def example(own: Words, title: Title, state: State, ask: Ask, menu: Menu) -> list[str]:
    """A legal answer in canonical notation, as lines: the first choice of each kind of order that the texts list for
    this question."""
    kinds = own.listed("asks", f"{ask.what}.example", title.name)
    first: dict[str, o.Order] = {}
    for choice in menu:
        kind = type(choice.order).__name__
        if isinstance(choice, Range) and isinstance(choice.order, _DEALS):
            continue
        if kind not in first or _final(first[kind]) or _better(title, state, first[kind], choice):
            first[kind] = _least(state, choice)
    if "SealedBids" in first:
        first["SealedBids"] = few_bids(choice.order for choice in menu)
    if "RunBest" in first and ask.actor in title.companies:
        for order in _from_run(title, state, CompanyId(ask.actor)):
            first.setdefault(type(order).__name__, order)
    chosen = [first[kind] for kind in kinds if kind in first] or sorted(first.values(), key=_final)[:1]
    if own.find("asks", f"{ask.what}.one_of", title.name) is not False:
        chosen = chosen[:1]
    chosen = _together(title, state, chosen)
    return write_section(ask.actor, chosen, vocabulary(title)).splitlines() if chosen else []


def _final(order: o.Order) -> bool:
    """True of an order that ends the game for a player or a company. It is suggested only if there is nothing else."""
    return (isinstance(order, o.Bankrupt) and order.way != "loan") or (isinstance(order, o.Nationalise) and order.yes)


def _better(title: Title, state: State, old: o.Order, choice: Choice) -> bool:
    """True if the choice puts a company into its printed home that ``old`` would start elsewhere, or has a higher
    dividend that the revenue covers."""
    new = choice.order
    if isinstance(new, o.Dividend) and isinstance(choice, Range):
        return choice.low <= _earned(state)
    if not isinstance(old, o.Start) or not isinstance(new, o.Start) or new.company != old.company:
        return False
    home = title.companies[new.company].charter.home
    return home is not None and _at(new) == home[0] != _at(old)


def _at(order: o.Start) -> HexId | None:
    return None if order.space is None else order.space.hex


def _least(state: State, choice: Choice) -> o.Order:
    """The first order of a choice; for a dividend the highest that the revenue covers."""
    if isinstance(choice, Range) and isinstance(choice.order, o.Dividend):
        return choice.sample(max(0, min(_earned(state), choice.high) - choice.low) // choice.step)
    return choice.sample(0)


def _earned(state: State) -> int:
    """The revenue of the company in turn; 0 before its run."""
    return (state.top.note(Earned).revenue or 0) if isinstance(state.top, Turn) else 0


def _run_first(title: Title, state: State, done: o.Done) -> list[o.Order]:
    """The orders from the run to the end of the turn, for a turn that cannot simply end with ``done`` because the
    company must first run; empty if it need not."""
    company = CompanyId(done.actor)
    ask = ask_for(title, state, company)
    runs = ask is not None and any(isinstance(c.order, o.RunBest) for c in menu_of(title, state, ask))
    return _from_run(title, state, company) if runs else []


def _from_run(title: Title, state: State, company: CompanyId) -> list[o.Order]:
    """The orders to suggest for a turn from the run on. There is no ``pay`` for a company of a single certificate, and
    no ``done`` if the turn has duties besides run and dividend, such as shares over a limit. In a title with its own
    act for dividends only the run is suggested, because the director chooses the dividend once he knows the revenue."""
    pay = [o.Pay(company, "full")] if len(title.companies[company].charter.certificates) > 1 else []
    step, turn = title.steps[type(state.top)], state.top
    if not isinstance(step, Turns) or not isinstance(turn, Turn):
        return [o.RunBest(company), *pay, o.Done(company)]
    if not any(isinstance(place.act, PayOut) for place in step.places):
        return [o.RunBest(company)]
    owes = step.owed_besides(title, state, turn, _RUN)
    return [o.RunBest(company), *pay, *(() if owes else (o.Done(company),))]


def _together(title: Title, state: State, orders: list[o.Order]) -> list[o.Order]:
    """The orders among ``orders`` that can be given one after the other; a lay may use up the money for a train, for
    example. Orders from a run on are not tried, because the best run may take long to find."""
    if len(orders) == 1:
        return orders  # a single order from the menu is legal
    kept: list[o.Order] = []
    for number, order in enumerate(orders):
        if isinstance(order, o.RunBest):
            rest = orders[number:]
            later = _from_run(title, state, CompanyId(order.actor))
            return kept + [each for each in rest if not isinstance(each, o.Done) or each in later]
        if number == len(orders) - 1:  # nothing has to be given after it
            if objection(title, state, order) is None:
                return [*kept, order]
            return kept + (_run_first(title, state, order) if isinstance(order, o.Done) else [])
        played = decide_to_state(title, state, order)
        if not isinstance(played, Refused):
            kept.append(order)
            state = played.state
    return kept
