"""Bankruptcy: a player who cannot pay for the train that his company must buy loses all his holdings, and leaves the
game or goes on with a loan."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from engine.acts.act import Act, Turn, turn_of
from engine.core.agenda import Choice, Exact
from engine.core.checks import Fact, Failure
from engine.core.events import CertificatesMoved, DebtChanged, Marked, PriorityMoved, PrivateMoved, Resigned, Sold
from engine.core.ids import BANK, POOL, Actor, CompanyId, PlayerId
from engine.core.orders import Bankrupt, Order
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.charters import charter_of
from engine.holders.control import count
from engine.holders.ledger import shares
from engine.holders.succession import from_left_of
from engine.titles.t1841.money.emergency import Raised, brings, halves_after, levels, need_of, sales_for, sell_half
from engine.titles.t1841.names import LOAN, LOAN_AMOUNT, RESIGNED
from engine.titles.t1841.rulings import rulings_of
from engine.titles.t1841.stock.limits import Sale, has_history, player_of
from engine.titles.t1841.stock.presidency import bound, frozen, tell_frozen
from engine.titles.t1841.stock.trading import list_sales
from engine.titles.t1841.turn.trains import price_due

WAYS: Final = ("resign", "loan")


@dataclass(frozen=True, slots=True)
class GoBankrupt(Act):
    """The player resigns or takes a loan; the company is excused for this round."""  # rule 8.16, 8.18

    takes = (Bankrupt,)
    ends = True

    def offers(self, title: Title, state: State, turn: Turn, player: PlayerId) -> Iterator[Choice]:
        for way in ways(title):
            order = Bankrupt(turn.company, way)  # type: ignore[arg-type]
            if not check_bankrupt(title, state, turn, order):
                yield Exact(order)

    def carry_out(self, play: Play, turn: Turn, player: PlayerId, order: Order) -> None:
        assert isinstance(order, Bankrupt)
        play.note(check_bankrupt(play.title, play.state, turn, order))
        if not play.failures:
            go_bankrupt(play, turn.company, player, order)
            play.become(replace(turn_of(play.state), ended=True))


def ways(title: Title) -> tuple[str, ...]:
    """The ways open to a bankrupt player."""  # rule 8.18
    return WAYS if rulings_of(title).bankruptcy == "loan" else WAYS[:1]


def check_bankrupt(title: Title, state: State, turn: Turn, order: Bankrupt) -> list[Failure]:
    """Why the player may not go bankrupt, or not in this way."""  # rule 8.16, 8.18
    company = turn.company
    if price_due(title, state, company) is None:
        return [Failure("help.not_obliged", {"company": company})]
    failures = list[Failure]()
    if order.way not in ways(title):
        failures.append(Failure("bankrupt.way", {"company": company, "ways": ways(title)}))
    need = need_of(title, state, company)
    price, means = price_due(title, state, company), funds(title, state, turn)
    if need is None or means >= need.price:
        facts: dict[str, Fact] = {"company": company, "funds": means, "price": price}
        failures.append(Failure("bankrupt.can_pay", facts))
    return failures


def funds(title: Title, state: State, turn: Turn) -> int:
    """The money that the company and those above it have, and that all they can sell would bring at half price. Under a
    ruling, the cash of the companies above it does not count, up to the first that must sell something."""  # rule 8.16
    company = turn.company
    chain = levels(title, state, company)
    if rulings_of(title).bankrupt_money == "chain":
        return sum(state.money(level) + _worth(title, state, turn, level) for level in chain)
    ready = tuple(level for level in _ready(title, state, company) if level != company)
    above = sum(_worth(title, state, turn, level) for level in chain if player_of(state, level) is None)
    above += sum(state.money(level) for level in chain[1:] if player_of(state, level) is None and level not in ready)
    player = next((level for level in chain if player_of(state, level) is not None), None)
    found = state.money(company) + above
    return found if player is None else found + state.money(player) + _worth(title, state, turn, player)


def _ready(title: Title, state: State, company: CompanyId) -> Iterator[Actor]:
    """Yield the company and those above it, up to the first that must sell something for the train."""
    missing = price_due(title, state, company) or 0
    for level in levels(title, state, company)[:-1]:
        yield level
        missing -= state.money(level)
        if missing > 0 and next(sales_for(title, state, company, level), None) is not None:
            return


def _worth(title: Title, state: State, turn: Turn, seller: Actor) -> int:
    """The money that the seller's certificates would bring at half price. Under a ruling, a player's certificates count
    only if their company has operated, and each company's are rounded down separately."""
    some = player_of(state, seller) is not None and rulings_of(title).bankrupt_stock == "operated"
    found = (sale for sale in sales_for(title, state, turn.company, seller) if not some or has_history(state, sale[0]))
    most = dict(found)  # of each company the last, which is the most
    if some:
        return sum(title.price(state, of) * number // 2 for of, number in most.items())
    return brings(title, state, seller, most.items(), turn.note(Raised).halves)


def go_bankrupt(play: Play, company: CompanyId, player: PlayerId, order: Bankrupt) -> None:
    """Carry out a checked bankruptcy. The player sells at half price: first all that the normal limits allow (under a
    ruling, those of emergencies), then the rest, for which no price falls. His money goes to the company, his
    concessions to the bank."""  # rule 8.17, clarification 2.11
    before = frozen(play.title, play.state)
    halves = turn_of(play.state).note(Raised).halves
    running = play.title.policies.operating_order(play.title, play.state)
    for of in running:
        most = max((n for c, n in _first_sales(play, company, player) if c == of), default=0)
        if most:
            halves = sell_half(play, player, (of, most), halves)
    for of in running:
        held = shares(play.title, play.state, player, of)
        if held:
            halves = _sell_rest(play, player, (of, held), halves)
    play.pay(player, company, play.state.money(player), "bankruptcy", company)
    for private, owner in play.state.privates.items():
        if owner == player:
            play.emit(PrivateMoved(private, None))
    _go_on(play, player, order)
    tell_frozen(play, before)


def _first_sales(play: Play, company: CompanyId, player: PlayerId) -> Iterator[Sale]:
    """The sales of a bankrupt player that move prices."""  # rule 8.17
    if rulings_of(play.title).bankrupt_falls == "emergency":
        return sales_for(play.title, play.state, company, player)
    return list_sales(play.title, play.state, player)


def _sell_rest(play: Play, player: PlayerId, sale: Sale, halves: frozenset[Actor]) -> frozenset[Actor]:
    """Sell shares whatever the limits say. The president's certificate of a company whose concession is not gone goes
    to the pool, whatever others hold."""
    of, number = sale
    if not bound(play.title, play.state, of):
        return sell_half(play, player, sale, halves, fall=False)
    amount = brings(play.title, play.state, player, (sale,), halves)
    after = halves_after(play.title, play.state, player, sale, halves)
    for kind in charter_of(play.title, play.state, of).certificates:
        held = count(play.state, player, of, kind)
        if held:
            play.emit(CertificatesMoved(of, kind, held, player, POOL))
    play.pay(BANK, player, amount, "emergency", of)
    play.emit(Sold(player, of, number, amount))
    return after


def _go_on(play: Play, player: PlayerId, order: Bankrupt) -> None:
    """Make the player leave the game, or give him the loan."""
    if order.way == "loan":
        play.pay(BANK, player, LOAN_AMOUNT, "loan")
        play.emit(DebtChanged(player, LOAN, LOAN_AMOUNT, "taken"))
        return
    gone: frozenset[PlayerId] = play.state.marks.get(RESIGNED, frozenset()) | {player}
    play.emit(Resigned(player), Marked(RESIGNED, gone))
    if play.state.priority == player:
        heir = next((p for p in from_left_of(play.state, player) if p not in gone), None)
        if heir is not None:
            play.emit(PriorityMoved(heir))
