"""The auction of a whole company in the area of acquisition."""

from __future__ import annotations

from functools import partial
from typing import Final

from engine.core.checks import Failure
from engine.core.events import Acquired, CertificatesSet, DirectorChanged, Marked
from engine.core.ids import BANK, Actor, CompanyId, PlayerId
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.control import chain_of, owner_of
from engine.holders.ledger import holders, shares
from engine.titles.t1863.entities import player_of
from engine.titles.t1863.failures.failure import first_bidder, leave
from engine.titles.t1863.failures.lots import LotAuction, LotRules, begin_lot
from engine.titles.t1863.mergers.goods import join_goods, settle_surplus
from engine.titles.t1863.mergers.markers import join_markers
from engine.titles.t1863.money.loans import credit, loan_room, loans_out, loans_total, most_loans, take_loans
from engine.titles.t1863.money.player_debt import owe
from engine.titles.t1863.names import ACQUIRED, TEN, mark
from engine.titles.t1863.pieces import loan
from engine.titles.t1863.rulings import rulings_of
from engine.titles.t1863.stock.circles import circle_refused, closed_by
from engine.titles.t1863.stock.market import in_white
from engine.titles.t1863.stock.shares import as_floated, share_count, shorters, shorts_of

ACQUISITION: Final = "acquisition"
"""The kind of lot."""
LEAST: Final = 5
"""The lowest first bid."""


def begin_acquisition(play: Play, company: CompanyId) -> None:
    """Auction the company, starting on the left of its controller, with a first bid of at least 5. Call this last."""
    # rule 8.6, 8.31, 8.32
    begin_lot(play, ACQUISITION, company, company, LEAST, first_bidder(play.title, play.state, company))


def _bars(title: Title, state: State, frame: LotAuction, entity: Actor) -> Failure | None:
    """The reason why the entity may not bid. A company may not buy itself or a company above it, and no purchase may
    close a circle, as shares of companies above the buyer would. Nor may a company that has bought another or been
    bought in this round, or is itself to be auctioned. By a ruling only players bid. None if it may bid."""
    # rule 4.1, 8.6, 8.9, 12.13, 12.73
    if player_of(state, entity) is not None:
        return None
    if rulings_of(title).acquirers == "players":
        return Failure("lot.players", {"entity": entity, "company": frame.item})
    company, buyer = CompanyId(frame.item), CompanyId(entity)
    if buyer == company or company in chain_of(title, state, buyer):
        return Failure("lot.entity", {"entity": entity, "kind": frame.kind, "company": company})
    if buyer in mark(state, ACQUIRED, frozenset[CompanyId]()):
        return Failure("lot.used", {"entity": entity, "company": company})
    if not in_white(title, state, buyer):
        return Failure("lot.failing", {"entity": entity, "company": company})
    circles = closed_by(title, state, partial(join_goods, others=(company,), survivor=buyer))
    return circle_refused(title, company, circles) if circles else None


def means(title: Title, state: State, company: CompanyId, entity: Actor) -> int:
    """The most that the entity can bid: its own cash, the company's cash, and all loans that they can take. After the
    purchase, a buying company must be within its loan limit with the loans that it takes over, or repay the excess from
    the money that is left."""
    # rule 8.6, 12.41, 8.33
    cash = state.money(entity) + state.money(company)
    if player_of(state, entity) is not None:
        return cash + credit(title, state, company)
    buyer = CompanyId(entity)
    left = loans_total(title, len(state.players)) - loans_out(state)
    own = loan_room(title, state, company)
    room = min(left, own + loan_room(title, _borrowed(title, state, company, own), buyer))
    free = most_loans(title, state, buyer) - state.companies[buyer].loans - state.companies[company].loans
    return cash + loan(title) * min(free, room)


def _borrowed(title: Title, state: State, company: CompanyId, count: int) -> State:
    """The position once the company has taken these loans, which come before those of the buyer. They lower the price
    of its shares, and so the value of a buyer who has some."""  # rule 6.3, 6.4, 12.47
    play = Play(title, state)
    take_loans(play, company, count)
    return play.state


def _means(title: Title, state: State, frame: LotAuction, entity: Actor) -> int:
    return means(title, state, CompanyId(frame.item), entity)


def acquire(play: Play, company: CompanyId, entity: Actor, amount: int) -> None:
    """Give the whole company to the entity. A company takes over everything that it has, and its charter becomes
    unopened again. Under a player the company stays in play, with all other shares on its charter. Call this last:
    players who sold short may have to sell shares to pay."""  # rule 8.6, 12.47, 8.34
    title = play.title
    parts = bid_parts(title, play.state, company)
    player = player_of(play.state, entity)
    _pay(play, company, entity, amount)
    for holder in holders(play.state, company):
        held = shares(title, play.state, holder, company)
        play.pay(BANK, holder, paid_for(title, amount, parts, held), "liquidation", company)
    sold = {player: shorts_of(play.state, player, company) for player in shorters(play.state, company)}
    owing = [(p, paid_for(title, amount, parts, count, short=True)) for p, count in sold.items()]
    play.emit(Acquired(company, entity, amount, amount // parts))
    if player is not None:
        _give(play, company, player)
    else:
        _absorb(play, company, CompanyId(entity))
    part = company if player is not None else CompanyId(entity)
    play.emit(Marked(ACQUIRED, mark(play.state, ACQUIRED, frozenset[CompanyId]()) | {part}))  # rule 8.9
    for shorter, sum in reversed(owing):
        owe(play, shorter, sum, BANK, "short", company)


def bid_parts(title: Title, state: State, company: CompanyId) -> int:
    """The number of shares by which the bid for a company is divided: ten for a major. A minor has two, and by a ruling
    each of them is paid a tenth."""  # rule 12.72
    return TEN if rulings_of(title).minor_bid == "tenth" else share_count(title, state, company)


def paid_for(title: Title, amount: int, parts: int, count: int, short: bool = False) -> int:
    """The amount that a holder of ``count`` shares is paid of a bid, or that a holder of shorts pays. Each share is
    rounded down; by a ruling it is the sum, for shorts as in a dividend."""  # rule 8.6, 12.71, 12.33
    if rulings_of(title).bid_share == "share":
        return amount // parts * count
    up = short and rulings_of(title).short_fractions == "up"
    return -(-amount * count // parts) if up else amount * count // parts


def _pay(play: Play, company: CompanyId, entity: Actor, amount: int) -> None:
    """Pay the bid from the buyer's cash, then the company's cash, then loans of the company, and finally loans of the
    buyer."""
    rest, sums = amount, dict[Actor, int]()
    for payer in (entity, company):
        sums[payer] = min(rest, play.state.money(payer))
        rest -= sums[payer]
    buyers = (CompanyId(entity),) if player_of(play.state, entity) is None else ()
    for borrower in (company, *buyers):
        count = min(-(-rest // loan(play.title)), loan_room(play.title, play.state, borrower))
        take_loans(play, borrower, count)
        borrowed = min(rest, count * loan(play.title))
        sums[borrower] += borrowed
        rest -= borrowed
    assert rest == 0, (company, entity, amount, rest)
    for payer, sum in sums.items():
        play.pay(payer, BANK, sum, "bid", company)


def _give(play: Play, company: CompanyId, player: PlayerId) -> None:
    before = owner_of(play.title, play.state, company)
    play.emit(CertificatesSet(company, as_floated(play.title, play.state, company, player)))
    if before != player:
        play.emit(DirectorChanged(company, player))


def _absorb(play: Play, company: CompanyId, buyer: CompanyId) -> None:
    join_goods(play, (company,), buyer)
    join_markers(play, company, buyer)
    leave(play, company, "acquired")
    settle_surplus(play, buyer)


def _sold(play: Play, frame: LotAuction) -> None:
    assert frame.holder is not None, frame
    acquire(play, CompanyId(frame.item), frame.holder, frame.amount)


def _unsold(play: Play, frame: LotAuction) -> None:
    """Do nothing: the company stays in play as it is."""


def _fraction(title: Title, state: State, frame: LotAuction) -> tuple[str, ...]:
    """The number of parts of the bid, of which each share is paid one."""  # rule 12.72
    return (str(bid_parts(title, state, CompanyId(frame.item))),)


ACQUISITIONS: Final = LotRules(_bars, _means, _sold, _unsold, _fraction)
"""The rules of the auction of a whole company."""  # rule 8.6
