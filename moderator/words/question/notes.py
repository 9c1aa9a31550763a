"""Write the note beside an order of a menu: its price or income, the consent that it needs, and its effects."""

from __future__ import annotations

from dataclasses import replace

from engine.acts.act import Turn
from engine.acts.run_trains import RunTrains
from engine.core import events as ev
from engine.core import orders as o
from engine.core.agenda import Choice, Range
from engine.core.checks import Refused
from engine.core.decide import asked, cost, decide_to_state, effects, menu
from engine.core.ids import BANK, POOL, CompanyId, HexId, PrivateId
from engine.core.state import State
from engine.core.title import Title
from engine.holders.charters import all_shares
from grammar import write
from moderator.domain.vocabulary import vocabulary
from moderator.words.position.lay_text import said
from moderator.words.position.lay_views import loans_for, loans_taken, turned
from moderator.words.position.next_train import nationalised, without_train
from moderator.words.question.discards import discards_after
from moderator.words.question.formations import terms_of, then, told
from moderator.words.question.later import other_director, places
from moderator.words.question.lots import homes, private_facts
from moderator.words.question.sales import of_sale
from moderator.words.question.turn_end import after_done
from moderator.words.texts import Words


def note(own: Words, title: Title, state: State, choice: Choice) -> str:
    """The note for an order of ``choice``; empty if there is nothing to say."""
    facts, order = dict[str, object](), choice.sample(0)
    match order:
        case o.Buy() | o.BuyConcession(price=None) | o.BuyMountain() | o.BuyTunnel():
            facts = {"price": paid(title, state, order)}
        case o.Sell():
            facts = of_sale(title, state, choice)
        case o.BuyConcession() | o.BuyFrom() | o.BuyToken():
            facts = {"consent": _who_agrees(title, state, order)}
        case o.Tokens():
            facts = {"costs": _costs(title, state, choice)}
        case o.Exchange():
            facts = {"money": _exchanged(title, state, order)}
        case o.Bankrupt():
            facts = {"way": order.way}
        case o.Float():
            facts = _of_capital(own, title, state, order)
        case o.Open():
            facts = {"homes": _home_opened(title, state, order)}
        case o.Start():
            facts = {"price": order.price, "company": order.company, "bid": isinstance(choice, Range)}
        case o.Convert() | o.Merge():
            facts = _of_formation(own, title, state, order)
        case o.Pass() if order.actor in title.companies and not isinstance(state.top, Turn):
            facts = _next_tokens(title, state, order)
        case o.Borrow():
            facts = _of_loan(title, state, order)
        case o.Crisis():
            facts = {"way": order.way, **_price_moved(title, state, order), **_of_crisis(title, state, order)}
        case o.UsePrivate():
            facts = {"power": power(own, title, state, order.private), "then": discards_after(own, title, state, order)}
        case o.Bid() if order.actor in title.companies:
            facts = {"then": discards_after(own, title, state, order)}
        case o.Pay():
            facts = _of_payment(title, state, order)
        case o.Settle():
            facts = _of_settlement(title, state, order)
        case o.Repay():
            facts = {"debt": state.debt(order.actor)}
        case o.Redeem():
            facts = {"price": title.price(state, order.actor)}
        case o.Run():
            facts = _of_less(title, state, order)
        case o.Tunnel():
            facts = {"cost": cost(title, state, order)}
        case o.Token():
            facts = {**_built(title, state, order.space.hex, order), **_next_tokens(title, state, order)}
        case o.Lay():
            facts = _of_lay(own, title, state, order)
        case o.Train():
            facts = _of_train(own, title, state, order)
        case o.Done():
            facts = _of_end(title, state, order)
        case o.BuyPrivate():
            facts = {"consent": _seller(title, state, order), **private_facts(own, title, state, order.private)}
        case _:
            return ""
    return own.say("words", f"note.{type(order).__name__}", title=title, **facts)


def _home_opened(title: Title, state: State, order: o.Open) -> tuple[str, ...]:
    """The homes of a company whose auction is opened, if the order does not choose one."""
    chosen = order.item not in title.companies or order.space is not None
    return () if chosen else homes(title, state, CompanyId(str(order.item)))


def _of_loan(title: Title, state: State, order: o.Borrow) -> dict[str, object]:
    rate = title.policies.remarks(title, state, order.actor).get("rate", 0)
    return {"count": order.count, "rate": rate, **_price_moved(title, state, order)}


def _of_end(title: Title, state: State, order: o.Done) -> dict[str, object]:
    lost, sum = after_done(title, state, order)
    return {"company": order.actor, "lost": lost, "sum": sum}


def _built(title: Title, state: State, hex: HexId, order: o.Lay | o.Token) -> dict[str, object]:
    """The printed ``name`` of the hex, the cost of a lay or a marker there, and the loans that it takes."""
    return {
        "name": title.map.hexes[hex].name,
        "cost": cost(title, state, order),
        "loans": loans_for(title, state, order),
    }


def _of_lay(own: Words, title: Title, state: State, order: o.Lay) -> dict[str, object]:
    """The place, cost and loans of a lay, the sides that it joins, and what the private does that it uses."""
    joins = said(own, title, turned(title, state, order.hex, order.tile, order.rotation))
    does = power(own, title, state, order.using) if order.using is not None else ""
    return {**_built(title, state, order.hex, order), "joins": joins, "power": does}


def _of_train(own: Words, title: Title, state: State, order: o.Train) -> dict[str, object]:
    """The price of a train of the bank or the pool, and what follows; the director who must agree to another's."""
    if order.source is not None and order.source != POOL:
        return {"consent": other_director(title, state, order.source, order.actor)}
    then = "; ".join(filter(None, (_of_phase(own, title, state, order), discards_after(own, title, state, order))))
    return {"cost": price_of_train(title, state, order), **_helped(title, state, order), "then": then}


def _of_phase(own: Words, title: Title, state: State, order: o.Train) -> str:
    """A clause on the phase that a purchase begins: the trains that rust, the companies that then have none, and what
    is nationalised; "" if it begins none."""
    events = effects(title, state, order)
    began = next((event.phase for event in events if isinstance(event, ev.PhaseBegan)), None)
    played = decide_to_state(title, state, order)
    if began is None or isinstance(played, Refused):
        return ""
    facts = {
        "phase": began,
        "rusts": tuple(str(event.train) for event in events if isinstance(event, ev.TrainsRusted)),
        "trainless": without_train(state, played.state),
        "national": nationalised(title, events),
    }
    return own.say("words", "begins_phase", title=title, **facts)


def _of_formation(own: Words, title: Title, state: State, order: o.Convert | o.Merge) -> dict[str, object]:
    """The terms of a conversion or merger, and who is asked what after it."""
    terms = terms_of(title, state, order)
    return {**told(own, title, terms), "into": (), "then": then(own, title, terms)}


def price_of_train(title: Title, state: State, order: o.Train) -> int:
    """The price of a train of the bank or the pool, less what is given for another in part payment."""
    traded = None if order.trade is None else cost(title, state, order)
    return title.trains[order.train].cost if traded is None else traded


def _seller(title: Title, state: State, order: o.BuyPrivate) -> str | None:
    """The owner of a private who must agree; None if the company's own director has it."""
    owner = state.privates.get(order.private)
    return owner if owner != title.policies.director(title, state, order.actor) else None


def power(own: Words, title: Title, state: State, private: PrivateId) -> str:
    """The power of a private, in a few words; "" for what is no private."""
    return str(private_facts(own, title, state, private)["power"]) if private in title.privates else ""


def _of_capital(own: Words, title: Title, state: State, order: o.Float) -> dict[str, object]:
    """The cash that a founder pays, and the goods that he brings: the part of the capital that they are, and what each
    private among them does."""
    paid = cost(title, state, order)
    alone = cost(title, state, replace(order, trains=(), privates=(), shares=()))
    powers = tuple((str(private), power(own, title, state, private)) for private in order.privates)
    goods = write(order, vocabulary(title)).partition(" with ")[2]
    return {"cost": paid, "goods": goods, "covered": (alone or 0) - (paid or 0), "powers": powers}


def paid(title: Title, state: State, order: o.Order) -> int:
    """The amount that the actor pays for an order, or receives for a sale; 0 if the order is refused or free."""
    for event in effects(title, state, order):
        if isinstance(event, ev.Sold | ev.Bought):
            return event.amount
        if isinstance(event, ev.Paid) and order.actor == event.payer:
            return event.amount
    return 0


def _of_settlement(title: Title, state: State, order: o.Settle) -> dict[str, object]:
    """The interest that the company pays, what it repays, and how many loans that ends."""
    events = effects(title, state, order)
    paid = [(e.reason, e.amount) for e in events if isinstance(e, ev.Paid) and e.payer == order.actor]
    ended = -sum(e.change for e in events if isinstance(e, ev.LoansChanged) and e.reason == "repaid")
    interest, repaid = (sum(amount for why, amount in paid if why == key) for key in ("interest", "repayment"))
    return {"interest": interest, "repaid": repaid, "loans": ended}


def _of_payment(title: Title, state: State, order: o.Pay) -> dict[str, object]:
    """The dividend of one share, the sum that the company gets, and its price ``before`` and ``after``: None if it does
    not change."""
    events, company = effects(title, state, order), order.actor
    dividend = sum(e.dividend for e in events if isinstance(e, ev.Distributed))
    gets = sum(e.amount for e in events if isinstance(e, ev.Paid) and e.payee == company)
    after = next((e.price for e in events if isinstance(e, ev.PriceSet) and e.company == company), None)
    share = dividend // all_shares(title, state, company)
    price = {"before": title.price(state, company), "after": after}
    return {"company": company, "share": share, "gets": gets, "cash": state.money(company) + gets, **price}


def _who_agrees(title: Title, state: State, order: o.BuyConcession | o.BuyFrom | o.BuyToken) -> str | None:
    """The player who must agree to a purchase; None if nobody must."""
    if isinstance(order, o.BuyConcession):
        return state.privates.get(order.concession)
    if isinstance(order, o.BuyFrom):
        return order.seller
    return other_director(title, state, order.owner, order.actor)


def _of_less(title: Title, state: State, order: o.Run) -> dict[str, object]:
    """The ``others`` who may announce a better run than one below the best, if they may."""
    announced = any(isinstance(p.act, RunTrains) and p.act.announced(title) for p in places(title, state))
    director = title.policies.director(title, state, order.actor)
    return {"announced": announced, "others": tuple(p for p in state.players if p != director)}


def _helped(title: Title, state: State, order: o.Train) -> dict[str, int]:
    """For a train that its company cannot pay: the amounts that the director contributes from his own money (``help``)
    and borrows (``debt``), and the number of ``loans`` that the company takes; all 0 otherwise."""
    if title.trains[order.train].cost <= state.money(order.actor):
        return {"help": 0, "debt": 0, "loans": 0}
    events = effects(title, state, order)
    debt = sum(e.change for e in events if isinstance(e, ev.DebtChanged) and e.reason == "taken")
    paid = sum(e.amount for e in events if isinstance(e, ev.Paid) and e.reason == "help")
    lent = sum(e.amount for e in events if isinstance(e, ev.Paid) and e.reason == "debt")
    return {"help": paid - lent, "debt": debt, "loans": loans_taken(events)}


def _price_moved(title: Title, state: State, order: o.Borrow | o.Crisis | o.Nationalise) -> dict[str, object]:
    """The price of the actor ``before`` and ``after`` the order; ``after`` is None if it stays."""
    moves = [e for e in effects(title, state, order) if isinstance(e, ev.PriceSet) and e.company == order.actor]
    after = moves[-1].price if moves else None
    return {"before": title.price(state, CompanyId(order.actor)), "after": after}


def _of_crisis(title: Title, state: State, order: o.Crisis) -> dict[str, object]:
    """The companies whose shares are ``sold``, and the president's part of the bill: the ``payer``, what he ``pays``,
    and what he ``gets`` of the company's cash. ``due``: the bill, if he must first sell shares to pay it. ``loans``:
    the money that repays its loans; ``missing``: that and the money that lacks for the bill."""
    company, events = state.companies[order.actor], effects(title, state, order)
    paid = [e for e in events if isinstance(e, ev.Paid)]
    by_payer = next((e for e in paid if e.payer != order.actor and e.payee == BANK), None)
    missing = next((e.missing for e in events if isinstance(e, ev.CrisisBegan)), 0)
    return {
        "sold": tuple(dict.fromkeys(str(e.company) for e in events if isinstance(e, ev.Sold))),
        "payer": None if by_payer is None else by_payer.payer,
        "pays": 0 if by_payer is None else by_payer.amount,
        "gets": sum(e.amount for e in paid if e.payer == order.actor and e.payee != BANK),
        "due": missing + state.money(order.actor) if all(e.payee != BANK for e in paid) else 0,
        "missing": missing + company.loans * title.loan_value,
        "loans": company.loans * title.loan_value,
    }


def _next_tokens(title: Title, state: State, order: o.Token | o.Pass) -> dict[str, object]:
    """The tokens of a company that is being founded, which it buys after ``order``: the price of ``each`` and the
    ``fewest``; None in any other case."""
    none: dict[str, object] = {"each": None, "fewest": 0}
    played = None if isinstance(state.top, Turn) else decide_to_state(title, state, order)
    if played is None or isinstance(played, Refused) or isinstance(played.state.top, Turn):
        return none
    each = cost(title, played.state, o.Tokens(CompanyId(order.actor), 1))
    asks = () if each is None else asked(title, played.state)
    tokens = [c for ask in asks[:1] for c in menu(title, played.state, ask) if isinstance(c.order, o.Tokens)]
    return {"each": each, "fewest": tokens[0].low if tokens and isinstance(tokens[0], Range) else 0}


def _costs(title: Title, state: State, choice: Choice) -> tuple[tuple[int, int], ...]:
    """Each number of tokens that may be bought, with its cost."""
    orders = [choice.sample(n) for n in range(choice.high - choice.low + 1 if isinstance(choice, Range) else 1)]
    return tuple((order.count, cost(title, state, order) or 0) for order in orders if isinstance(order, o.Tokens))


def _exchanged(title: Title, state: State, order: o.Exchange) -> int:
    """The money that the holder receives besides certificates; negative if he pays."""
    events = effects(title, state, order)
    return next((e.money for e in events if isinstance(e, ev.Exchanged) and e.holder == order.actor), 0)
