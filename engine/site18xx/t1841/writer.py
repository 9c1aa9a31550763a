"""Games of versions 1 and 2 as records of 18xx.games: the engine's orders as the site's actions. ``site`` reads such
records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from engine.core import decide
from engine.core.events import Event, Paid, Restored, TokensBought
from engine.core.evolve import evolve
from engine.core.ids import BANK, POOL, CompanyId, PlayerId
from engine.core.orders import (
    Bankrupt,
    Bid,
    BuyConcession,
    BuyToken,
    Convert,
    Discard,
    Exchange,
    Keep,
    Merge,
    OfferAgain,
    Open,
    Order,
    Prefer,
    SealedBids,
    Start,
    Take,
    Token,
    Tokens,
)
from engine.core.state import State
from engine.core.title import Title
from engine.holders.charters import charter_of
from engine.site18xx.certificates import DIRECTOR
from engine.site18xx.piles import city_of
from engine.site18xx.roster import Roster
from engine.site18xx.sheet import Action, Sheet, carried_out
from engine.site18xx.slots import Slots
from engine.site18xx.steps import SiteTurns
from engine.site18xx.t1841.certificates import SiteBooks
from engine.site18xx.t1841.converter import OPTIONAL_RULES, PAYMENTS, WAYS
from engine.site18xx.t1841.papers import Papers
from engine.site18xx.t1841.passes import Asked
from engine.site18xx.t1841.replies import Answers, new_tokens
from engine.site18xx.t1841.slots import SettlingSlots
from engine.site18xx.t1841.steps import Connections, Trades, steps_of_a_turn
from engine.site18xx.writer import SiteWriter
from engine.titles.t1841.names import HISTORICAL, MAJOR
from engine.titles.t1841.stock.founding import Founding
from engine.titles.t1841.stock.homes import home_hexes, list_homes
from engine.titles.t1841.turn.company_turn import TURNS

EDITIONS = ("v2", "v1")
"""The editions that the site plays too."""
SHOWN = ("stalemate",)
"""Options that no setting of the site expresses. The site knows no stalemate, and games read from it go on in one."""
CONCESSION = "C-"
"""The prefix of the name of a company's concession. The site gives the concession the company's name."""


@dataclass(slots=True)
class Writer(SiteWriter):
    """Writes the actions of a game of 1841."""

    PAYMENTS: ClassVar[Mapping[str, str]] = PAYMENTS
    OPTIONAL_RULES: ClassVar[Mapping[str, tuple[str, str] | None]] = OPTIONAL_RULES
    SHOWS_SIDE: ClassVar[bool] = False

    _trains: Roster = field(default_factory=lambda: Roster(latest=True))
    _papers: Papers = field(init=False)
    _asked: Asked = field(init=False)
    _answers: Answers = field(init=False)
    _before_merger: tuple[int, Roster, SiteBooks, Slots] | None = None
    """The number of actions before the last merger or transformation, and the owners and slots at that time."""

    def __post_init__(self) -> None:
        self.sheet = Sheet(self.game, self.players, slots=SettlingSlots(title=self.game.title))
        self._papers, self._answers = Papers(self.sheet), Answers(self.sheet)
        self._asked = Asked(self.game.title)
        self._turns = SiteTurns(self.sheet, TURNS, steps_of_a_turn(Connections(), Trades(self._papers)))

    @classmethod
    def rules(cls, title: Title, usual: Mapping[str, str]) -> list[str]:
        """The site's optional rules that the game uses, one of which is an edition."""
        found = ["version_1"] if title.edition == "v1" else []
        return [*found, *super(Writer, cls).rules(title, usual)]

    def write(self) -> list[Action]:
        """Every action, in order. ``NotForTheSite`` if the site has no action for an order."""
        for order, before, events, after in self.sheet.steps():
            self._turns.go_on_to(order, before, events)
            order = carried_out(order, events)
            if isinstance(order, Merge | Convert):
                kept = self._trains.copy(), self._papers.books.copy(), self.sheet.slots.copy()
                self._before_merger = (len(self.sheet.actions), *kept)
            if order is not None:
                self.sheet.emit(self._actions(order, before, events))
            self._follow(order, before, events, after)
            asked = self._asked.after(before, events, self._papers.books)
            self.sheet.emit(self.sheet.by(player, "pass") for player in asked)
        self._turns.come_to(self.game.state)
        return self.sheet.actions

    def _follow(self, order: Order | None, before: State, events: Sequence[Event], after: State) -> None:
        """Update the books, and write the actions that went without a choice but that the site asks for."""
        if any(isinstance(e, Restored) for e in events) and self._before_merger is not None:
            number, self._trains, self._papers.books, self.sheet.slots = self._before_merger
            del self.sheet.actions[number:]  # on the site the players have to take such a merger back
            return
        slot = self.sheet.named if isinstance(order, Token) else None
        moved = self._trains.follow(events)
        gone = [(n, source) for n, source, target in moved if target == POOL and source != BANK]
        others = gone[1:] if isinstance(order, Discard) else gone
        self.sheet.emit(self.sheet.by(source, "discard_train", train=number) for number, source in others)
        self._papers.follow(events)
        self.sheet.slots.follow(events, after, slot)
        for event in events:
            if isinstance(event, TokensBought) and not isinstance(order, Tokens):
                new = new_tokens(self.game.title, before, events, event)
                self.sheet.emit([self.sheet.by(event.company, "choose", choice=new)])

    # ---- actions --------------------------------------------------------------------------------------------------

    def _actions(self, order: Order, before: State, events: Sequence[Event]) -> list[Action]:
        by, actor = self.sheet.by, order.actor
        found = self._papers.actions(order, before, events)
        if found is not None:
            return found
        match order:
            case SealedBids():
                bids = dict(order.bids)
                return [by(actor, "blind_bid", bids=[bids.get(private, 0) for private in self.game.title.privates])]
            case Open() | Bid():
                return [self._bid(order, before)]
            case BuyConcession():
                paid = next(e.amount for e in events if isinstance(e, Paid) and e.payer == actor)
                return [by(actor, "buy_company", company=_concession(order.concession), price=paid)]
            case Start():
                self._papers.books.name(order.company, [DIRECTOR])
                cell = next(cell for cell in self._starts() if self.game.title.chart.price(cell) == order.price)
                price = f"{order.price},{cell[0]},{cell[1]}"
                return [by(actor, "par", corporation=order.company, share_price=price)]
            case _:
                return self._in_turn(order, before, events)

    def _starts(self) -> list[tuple[int, int]]:
        chart = self.game.title.chart
        return [*chart.cells_marked("par_any"), *chart.cells_marked("par_major")]

    def _in_turn(self, order: Order, before: State, events: Sequence[Event]) -> list[Action]:
        """The actions for an order of a company in its turn."""
        by, actor = self.sheet.by, order.actor
        match order:
            case Token():
                return [*self._usual(order, before, events), *self._no_second_home(order, before, events)]
            case BuyToken():
                city = order.space.hex, city_of(before.board, order.space)
                place = {"city": self.sheet.piles.city(*city), "slot": self.sheet.slots.of(city, order.owner)}
                return [by(actor, "buy_token", **place, price=order.price)]
            case Bankrupt():
                return [by(actor, "bankrupt", option=WAYS.index(str(order.way)))]
            case Convert() | Exchange() | Keep() | Merge() | OfferAgain() | Prefer() | Take() | Tokens():
                return self._answers.actions(order, before, events)
            case _:
                return self._usual(order, before, events)

    def _bid(self, order: Open | Bid, before: State) -> Action:
        item, price = order.item, order.amount
        if item is None or price is None:
            ask = decide.ask_for(self.game.title, before, order.actor)
            assert ask is not None
            item, price = item or PlayerId(ask.about[0]), price or int(ask.about[1])  # type: ignore[assignment]
        return self.sheet.by(order.actor, "bid", company=_concession(str(item)), price=price)

    def _no_second_home(self, order: Token, before: State, events: Sequence[Event]) -> list[Action]:
        """A pass for the second home of a major, if none of the homes that it might have has room. The site asks for
        one even then."""
        title, company, state = self.game.title, CompanyId(order.actor), before
        if not isinstance(before.top, Founding) or before.board.places_of(company):
            return []
        if company in HISTORICAL or charter_of(title, before, company).kind != MAJOR:
            return []
        for event in events:
            state = evolve(title, state, event)
        asked = home_hexes(title, state, company) and not list_homes(title, state, company)
        return [self.sheet.by(company, "pass")] if asked else []


def _concession(name: str) -> str:
    return name.removeprefix(CONCESSION)
