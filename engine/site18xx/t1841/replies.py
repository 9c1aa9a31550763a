"""Mergers, the secession and their questions, written as actions of 18xx.games: who answers, and in which words.

Where no player controls a company, the site asks the player who decides for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.core import decide
from engine.core.agenda import Exact
from engine.core.events import Chartered, Event, TokensBought
from engine.core.ids import CompanyId
from engine.core.orders import Convert, Exchange, Keep, Merge, OfferAgain, Order, Prefer, Take, Tokens
from engine.core.state import State
from engine.core.title import Title
from engine.holders.control import controller_of
from engine.site18xx.sheet import Action, NotForTheSite, Sheet
from engine.site18xx.t1841.mergers import PARTS, PRICES, more_may_go
from engine.titles.t1841.names import SFL
from engine.titles.t1841.stock.founding import Founding


@dataclass(frozen=True, slots=True)
class Answers:
    """``sheet``: the sheet on which the actions are written."""

    sheet: Sheet

    def actions(self, order: Order, before: State, events: Sequence[Event]) -> list[Action]:
        """The actions for a merger or for the answer to one of its questions. ``NotForTheSite`` for another order."""
        by, actor = self.sheet.by, self._speaker(order, before)
        match order:
            case Convert():
                return [by(actor, "merge", corporation=order.into)]
            case Merge():
                both = [by(actor, "merge", corporation=company) for company in (*order.minors, order.into)]
                if order.price is None:
                    return both
                prices = sorted(self.sheet.game.title.price(before, c) for c in (order.actor, *order.minors))
                return [*both, by(actor, "choose", choice=PRICES[prices.index(order.price)])]
            case Exchange():
                return [by(actor, "choose", choice=self._use(order, before))]
            case Take():
                return [by(actor, "choose", choice="yes" if order.count else "no")]
            case OfferAgain():
                return [by(actor, "choose", choice="y" if order.yes else "n")]
            case Prefer():
                return [by(actor, "choose", choice=PARTS[order.company == SFL])]
            case Keep():
                gone = self.sheet.removed(actor, events)
                more = more_may_go(self.sheet.game.title, before, len(order.spaces))
                return [*gone, by(actor, "pass")] if more else gone
            case Tokens():
                return [self._tokens(order, before)]
        raise NotForTheSite(f"18xx.games has no action for {order}")

    def _speaker(self, order: Order, before: State) -> str:
        """The player who answers: the actor or, for a company that no player controls, whoever decides."""
        title, actor = self.sheet.game.title, order.actor
        if actor not in before.companies or controller_of(title, before, CompanyId(actor)) is not None:
            return actor
        ask = decide.ask_for(title, before, actor)
        return actor if ask is None else ask.player

    def _use(self, order: Exchange, before: State) -> str:
        """The site's word for the use of old shares. Holders of a pair choose the presidency or not; those of a single
        share are offered money too."""
        ask = decide.ask_for(self.sheet.game.title, before, order.actor)
        menu = () if ask is None else decide.menu(self.sheet.game.title, before, ask)
        uses = {c.order.into for c in menu if isinstance(c, Exact) and isinstance(c.order, Exchange)}
        return {"director": "pres", "share": "full" if "cash" in uses else "no", "cash": "cash"}[order.into]

    def _tokens(self, order: Tokens, before: State) -> Action:
        """The action for a number of tokens: all of them for a company that starts, the new ones for one that has been
        formed."""
        starts = any(isinstance(frame, Founding) and frame.company == order.actor for frame in before.agenda)
        title, company = self.sheet.game.title, CompanyId(order.actor)
        there = 0 if starts else title.policies.markers(title, before, company)
        return self.sheet.by(self._speaker(order, before), "choose", choice=order.count - there)


def new_tokens(title: Title, before: State, events: Sequence[Event], bought: TokensBought) -> int:
    """The number of tokens that a company has bought without an order: beyond those that it was formed with in the same
    events or, if it was in play before them, beyond those that it had."""
    company = bought.company
    charters = [e.charter for e in events if isinstance(e, Chartered) and e.company == company and e.charter]
    formed = charters[-2].markers if len(charters) > 1 else None
    return bought.count - (title.policies.markers(title, before, company) if formed is None else formed)
