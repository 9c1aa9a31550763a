"""Mergers and their questions in records of 18xx.games: one merger is two actions, and markers that go are named one by
one.

A choice does not say which question it answers. It answers the one that the game asks the same actor.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from engine.core.agenda import Exact
from engine.core.events import Event, TokensBought
from engine.core.game import Game
from engine.core.ids import Actor, CompanyId, HexId
from engine.core.orders import Convert, Exchange, Keep, Merge, OfferAgain, Prefer, Take, Tokens
from engine.core.state import State
from engine.core.title import Title
from engine.site18xx.walk import Action, Walk
from engine.titles.t1841.mergers.merger import prices_of
from engine.titles.t1841.mergers.tokens import MOST, KeepTokens, named, tokens_of
from engine.titles.t1841.names import SB, SFL, SFV

EXCHANGES: Final[Mapping[str, Literal["director", "share", "cash"]]] = {
    "pres": "director",
    "no": "share",
    "full": "share",
    "cash": "cash",
}
"""The uses of old shares in a merger, by the site's words."""
NUMBERS: Final = frozenset({"founding.tokens", "tokens.number"})
"""The questions for a number of tokens."""
PARTS: Final = ("a", "b")
"""The site's words for the parts of a company that divides; the first is the one in the east."""
PRICES: Final = ("first", "last")
"""The site's words for the lower and the higher of two prices that a new company may have."""

Place: TypeAlias = tuple[HexId, int]
"""Hex and number of a city."""


@dataclass(slots=True)
class Mergers:
    """Converts the actions of mergers to orders."""

    walk: Walk
    _partner: CompanyId | None = None
    """The company with which the one in turn is going to merge."""
    _priced: tuple[CompanyId, CompanyId, CompanyId] | None = None
    """A merger whose price the record has yet to choose: the two companies and the new one."""
    _removed: list[Place] = field(default_factory=list)
    """Places of markers that leave the map, until all of them have been named."""
    _buys: CompanyId | None = None
    """The company that buys as many tokens as the present action says, which may be none."""
    _bought: CompanyId | None = None
    """The company that has bought tokens without a choice; the record has yet to say so."""

    @property
    def open(self) -> bool:
        """True if more actions belong to the same order."""
        return self._partner is not None or self._priced is not None or bool(self._removed)

    def expect(self, action: Action) -> None:
        """``SiteError`` if a price must be chosen first, and the action chooses none."""
        if self._priced is not None and (action["type"], action.get("choice") in PRICES) != ("choose", True):
            raise self.walk.problem(f"the price of {self._priced[2]} must be chosen first")

    def follow(self, events: Iterable[Event]) -> None:
        """Note the companies that have bought tokens."""
        for event in events:
            if isinstance(event, TokensBought):
                self._bought = None if event.company == self._buys else event.company
        self._buys = None

    def settled(self, number: int) -> bool:
        """True if action ``number`` is the next and only says how many tokens a company has bought that had no
        choice."""
        action = self.walk.actions[number]
        of_number = action["type"] == "choose" and isinstance(action["choice"], int)
        return of_number and number == self.walk.at + 1 and action["entity"] == self._bought

    def merge(self, company: CompanyId, other: CompanyId) -> None:
        """Convert a merger or a transformation. The first of the two actions of a merger names the partner, the second
        the new company; a transformation is one action."""
        partner, self._partner = self._partner, None
        if partner is not None:
            self._merge((company, partner), other)
        elif self.walk.game.state.companies[other].status == "open":
            self._partner = other
        else:
            self.walk.play(Convert(company, other))

    def _merge(self, both: tuple[CompanyId, CompanyId], into: CompanyId, choice: str | None = None) -> None:
        """Play a merger, once its price is chosen if there is a choice. ``choice``: the site's word for the price."""
        game, company = self.walk.game, both[0]
        prices = [game.title.chart.price(cell) for cell in prices_of(game.title, game.state, both)]
        if choice is None and len(set(prices)) > 1:
            self._priced = (*both, into)
            return
        self._priced = None
        price = None if len(prices) < 2 else prices[PRICES.index(choice or PRICES[0])]
        self.walk.play(Merge(company, both[1:], into, price=price))
        self.walk.answer_consents()

    def choose(self, choice: object) -> None:
        """Convert a choice: a number of tokens, the use of shares, a part of a company, or an answer to an offer."""
        actor = self.walk.actor(self.walk.at)
        ask = self.walk.ask(actor)
        offered = ask is not None and ask.what.startswith("offer")
        if self._priced is not None and choice in PRICES:
            self._merge(self._priced[:2], self._priced[2], str(choice))
        elif isinstance(choice, int):
            company = CompanyId(actor)
            if company == self._bought and (ask is None or ask.what not in NUMBERS):
                self._bought = None  # there was no choice
                return
            self._buys = company
            self.walk.play(Tokens(company, self._tokens(company, choice)))
        elif choice in EXCHANGES and not offered:
            self.walk.play(Exchange(actor, EXCHANGES[str(choice)]))  # type: ignore[arg-type]
        elif choice in ("yes", "no"):
            self.walk.play(Take(actor, int(choice == "yes")))  # type: ignore[arg-type]
        elif choice in ("y", "n"):
            self.walk.play(OfferAgain(CompanyId(actor), choice == "y"))
        elif choice in PARTS:
            east = SB if SB in self.walk.game.title.companies else SFV
            self.walk.play(Prefer(actor, east if choice == PARTS[0] else SFL))  # type: ignore[arg-type]
        else:
            raise self.walk.problem(f"{choice!r} is no choice of this game")

    def _tokens(self, company: CompanyId, choice: int) -> int:
        """The number of tokens that the company then has in all. For one that starts, it is ``choice``; for one that
        has been formed, ``choice`` is the number of further ones."""
        ask, game = self.walk.ask(company), self.walk.game
        starts = ask is None or ask.what == "founding.tokens"
        return choice if starts else choice + game.title.policies.markers(game.title, game.state, company)

    # ---- markers that go ------------------------------------------------------------------------------------------

    def remove(self, place: Place) -> None:
        """Note the place of a marker that goes. The last one settles which markers stay."""
        self._removed.append(place)
        following, actor = self.walk.following, CompanyId(self.walk.actor(self.walk.at))
        same = following is not None and following["entity"] == self.walk.actions[self.walk.at]["entity"]
        goes_on = following is not None and same and following["type"] == "remove_token"
        passes = following is not None and same and following["type"] == "pass"
        if not goes_on and not (passes and self._more(actor)):
            self.keep(actor)

    def _more(self, actor: Actor) -> bool:
        """True if the site would take off more markers than have been named."""
        game = self.walk.game
        keep = kept_markers(game, actor, self._removed)
        return keep is not None and more_may_go(game.title, game.state, len(keep.spaces))

    def keep(self, actor: Actor) -> None:
        """Give the order that keeps the other markers: all that go have been named."""
        removed, self._removed = self._removed, []
        keep = kept_markers(self.walk.game, actor, removed)
        if keep is None:
            raise self.walk.problem("the markers that stay are none that may be kept")
        self.walk.play(keep)


def more_may_go(title: Title, state: State, kept: int) -> bool:
    """True if the site would take off more tokens when ``kept`` of them stay, so that the company passes. Of two tokens
    in one hex it asks for one first, and counts it twice."""
    frame = state.top
    if not isinstance(frame, KeepTokens):
        return False
    hexes = {hex for hex, _, _ in frame.places}
    doubled = len(frame.places) - len(hexes)
    if not doubled:
        return kept > frame.least
    owned = tokens_of(title, state, frame.parts) - 2 * doubled
    number = min(owned, MOST)
    fewest = number - min(owned - len(hexes), number - 1)
    return len(hexes) > fewest and kept > fewest


def kept_markers(game: Game, actor: Actor, removed: Sequence[Place]) -> Keep | None:
    """The choice that keeps most of the markers that do not stand in places of ``removed``; None if there is none."""
    frame = game.state.top
    if not isinstance(frame, KeepTokens):
        return None
    orders = (c.order for c in game.legal(actor) if isinstance(c, Exact) and isinstance(c.order, Keep))
    kept = [
        order
        for order in orders
        if not any((hex, city) in removed for hex, city, _ in named(game.state, frame, order.spaces) or ())
    ]
    return max(kept, key=lambda order: len(order.spaces), default=None)
