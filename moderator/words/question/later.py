"""The later steps of a turn, which its menu does not show yet."""

from __future__ import annotations

from dataclasses import dataclass

from engine.acts.act import Turn
from engine.acts.buy_train import train_room
from engine.acts.pay_out import PayOut
from engine.acts.run_trains import Earned, RunTrains, able_to_run, why_idle
from engine.acts.turns import HELP, Place, Turns
from engine.core import orders as o
from engine.core.agenda import Ask, Menu
from engine.core.ids import CompanyId, PlayerId
from engine.core.state import State
from engine.core.title import Title
from engine.holders.charters import charter_of
from moderator.words.position import views
from moderator.words.question.dividends import fixed_dividend, told_ways
from moderator.words.question.sellers import of_others
from moderator.words.texts import Words


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
        return " ".join(filter(None, (idle, said, _bill(own, title, state, ask, kinds))))
    if ask.what == "company.turn" and o.Done in kinds and o.RunBest not in kinds:
        return " ".join(filter(None, (idle, _bill(own, title, state, ask, kinds))))
    if ask.what != "company.turn" or not any(isinstance(c.order, o.RunBest) for c in menu):
        return idle
    shares = len(charter_of(title, state, CompanyId(ask.actor)).certificates) > 1
    offered = [face for line in views.trains(title, state) if line.now for face in line.faces]
    could = {c.order.train for c in menu if isinstance(c.order, o.Train) and c.order.source is None}
    means = Means.of(title, state, CompanyId(ask.actor))
    offered = [(name, cost) for name, cost in offered if not could or name in could]
    pooled = [(name, title.trains[name].cost) for name in dict.fromkeys(state.pool_trains)]
    new, used = ([(name, means.price(own, cost)) for name, cost in some] for some in (offered, pooled))
    ways = next((place.act.ways for place in places(title, state) if isinstance(place.act, PayOut)), ())
    told, company = title.policies.remarks(title, state, ask.actor), CompanyId(ask.actor)
    fixed = any(
        place.act.bars(title, state, company) for place in places(title, state) if isinstance(place.act, PayOut)
    )
    full = train_room(title, state, CompanyId(ask.actor)) <= 0 and not told.get("trades")
    others = "" if full else of_others(own, title, state)
    on_sale = dict([*offered, *pooled]).items()
    facts = {
        "full": full,
        "other": bool(others),
        "shares": shares,
        "ways": ways,
        "pays": told_ways(own, title, state, company, ways, () if full else on_sale) if shares else "",
        "fixed": fixed_dividend(own, title, state, company) if fixed else "",
        "new": new,
        "pool": used,
    }
    said = own.say("words", "later", title=title, company=ask.actor, **{**told, **facts})
    bill = _bill(own, title, state, ask, kinds)
    return " ".join(filter(None, (said, bill) if full else (said, bill, means.told(own), others)))


def _bill(own: Words, title: Title, state: State, ask: Ask, kinds: set[type[o.Order]]) -> str:
    """A sentence on the sum that the company pays when its turn ends, and on what adds to it before; "" in titles
    where nothing is due then. ``kinds``: the kinds of orders that the menu has."""
    told = title.policies.remarks(title, state, ask.actor)
    facts = {**told, "company": ask.actor, "cash": state.money(ask.actor), "token": o.Token in kinds}
    return own.say("words", "bill_due", title=title, **facts)


def other_director(title: Title, state: State, seller: str, buyer: str) -> PlayerId | None:
    """The director of ``seller``, who must agree to a sale; None if he directs ``buyer`` too."""
    director = title.policies.director(title, state, CompanyId(seller))
    return director if director != title.policies.director(title, state, CompanyId(buyer)) else None


@dataclass(slots=True)
class Means:
    """The money that a company has for trains later in its turn, and can borrow, besides its earnings. ``short``: a
    train has been named that costs more than it has."""

    title: Title
    company: CompanyId
    cash: int
    credit: int
    short: bool = False

    @classmethod
    def of(cls, title: Title, state: State, company: CompanyId) -> Means:
        """The means of ``company`` now."""
        return cls(title, company, state.money(company), title.policies.credit(title, state, company))

    def price(self, own: Words, cost: int) -> str:
        """The price of a train, and how much more it is than the company has."""
        missing = max(0, cost - self.cash)
        self.short = self.short or missing > 0
        return own.say("words", "train_price", title=self.title, cost=cost, missing=missing)

    def told(self, own: Words) -> str:
        """A sentence on the money for trains; "" if all that have been named can be paid."""
        facts = {"company": self.company, "cash": self.cash, "credit": self.credit}
        return own.say("words", "train_means", title=self.title, **facts) if self.short else ""


def places(title: Title, state: State) -> tuple[Place, ...]:
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
