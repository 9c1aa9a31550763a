"""Records of 18xx.games: the site's actions as orders of this engine.

The site asks step by step and passes many steps by itself; this engine asks for a turn. A ``pass`` in an inner step is
left out, and a ``done`` (or another empty answer) is added where the site moved on by itself. A merger is two actions,
and the markers that it takes off the map are named one by one; both become one order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import ClassVar

from engine.acts.act import Turn
from engine.acts.turns import HELP
from engine.core.checks import Refused
from engine.core.events import Event
from engine.core.ids import Actor, CompanyId, HexId, PrivateId
from engine.core.orders import (
    Bankrupt,
    Bid,
    BuyConcession,
    BuyToken,
    Discard,
    Drop,
    Lay,
    Open,
    Pass,
    SealedBids,
    Sell,
    Start,
    Token,
)
from engine.core.state import State
from engine.site18xx.answers import end_of_turn
from engine.site18xx.certificates import DIRECTOR, company_of
from engine.site18xx.converter import SiteConverter
from engine.site18xx.handlers import answers_only, check_known, handle, handler_of, play_run, play_train, start_price
from engine.site18xx.places import tile_type
from engine.site18xx.progress import Progress
from engine.site18xx.runs import read_runs
from engine.site18xx.shares import shares_in
from engine.site18xx.t1841.answers import empty_answer
from engine.site18xx.t1841.certificates import SiteBooks
from engine.site18xx.t1841.mergers import Mergers
from engine.site18xx.t1841.passes import Asked
from engine.site18xx.t1841.runs import route_of
from engine.site18xx.t1841.shares import Certificates
from engine.site18xx.t1841.slots import SettlingSlots
from engine.site18xx.t1841.steps import Connections, Trades, steps_of_a_turn
from engine.site18xx.t1841.turn import HALF_PRICE, SiteTurn
from engine.site18xx.trains import Cards, train_type
from engine.site18xx.walk import Action, Converted, Walk

PAYMENTS = {"payout": "full", "withhold": "none"}
OPTIONAL_RULES = {
    "version_1": None,
    "lite": ("map", "lite"),
    "p2p_purchases": ("player_trades", "yes"),
    "sfli_run_variant": ("sfli_runs", "yes"),
}
"""The site's optional rules as options; the first one is an edition."""
WAYS = ("resign", "loan")
"""Ways of going on after a bankruptcy, in the order of the site's numbers."""
RAISE = "tokens.raise"
"""The question who sells for a token."""
AHEAD = 200
"""The number of later actions searched for the company that an emergency sale is for."""
OWN_QUESTIONS = {"discard_train": "discard"}
"""For each action, the question that it and nothing else answers."""


@dataclass(slots=True)
class Converter(SiteConverter):
    """Converts the actions of a record of 1841."""

    PAYMENTS: ClassVar[Mapping[str, str]] = PAYMENTS

    _turn: SiteTurn = field(default_factory=SiteTurn)
    _progress: Progress = field(init=False)
    _trains: Cards = field(default_factory=lambda: Cards(latest=True))
    books: SiteBooks = field(init=False)
    _certificates: Certificates = field(init=False)
    slots: SettlingSlots = field(init=False)
    _mergers: Mergers = field(init=False)
    _asked: Asked = field(init=False)
    _before: State = field(init=False)
    """The position after which nothing has been followed yet."""
    _made: set[int] = field(default_factory=set)
    """Passes of the record that our game has made by itself."""

    def __post_init__(self) -> None:
        self._asked, self._before = Asked(self.game.title), self.game.state
        self.books = SiteBooks(self.game.title)
        self._progress = Progress(self.game.title, steps_of_a_turn(Connections(), Trades(self)))
        self._certificates = Certificates(self.game.title, self.books)
        self.slots = SettlingSlots(title=self.game.title)
        self.walk = Walk(
            self.game,
            self.players,
            self.actions,
            empty_answer,
            end_of_turn,
            idle=self._idle,
            over=self.over,
            stands_for=self._stands_for,
            answers=answers_only(OWN_QUESTIONS),
        )
        self._mergers = Mergers(self.walk)

    @staticmethod
    def edition(rules: Sequence[str]) -> str:
        """The edition that the site plays under these rules."""
        return "v1" if "version_1" in rules else "v2"

    @staticmethod
    def options(rules: Sequence[str], actions: Sequence[Action] = ()) -> dict[str, str]:
        """The site's optional rules as options of the edition. The site knows no stalemate, so its games go on in one.
        ``ValueError`` for an unknown rule."""  # rule 12.7
        check_known(rules, OPTIONAL_RULES)
        chosen = (option for rule in rules if (option := OPTIONAL_RULES[rule]) is not None)
        return {**dict(chosen), "stalemate": "goes_on"}

    def step(self, number: int) -> Converted:
        """Convert action ``number`` (from 0) and play its orders. ``SiteError`` names an action that does not fit."""
        action = self.walk.begin(number)
        self._mergers.expect(action)
        handler = handler_of(self.walk, self, action)
        self._turn.look_at(self.game.state)
        if number not in self._made:
            handle(self.walk, handler, action)
        self._turn.follow(action, self.walk.given_in, self.game.state)
        kept = len(self.walk.orders)
        self._progress.note(action, self.walk.orders, self.walk.given_in, self.game.state)
        self._follow(str(action["train"]) if action["type"] == "buy_train" else "")
        part = self._mergers.open
        if not part:
            self.walk.catch_up()
            self._turn.look_at(self.game.state)
            over = self._turn_that_is_over()
            if over is not None:
                self.walk.begin_next_turn_of(over)
            self._follow()
        orders = tuple(self.walk.orders)
        return Converted(orders[:kept], orders[kept:], kept > 0, part)

    def _idle(self, number: int) -> bool:
        """True if a later action becomes no order in the present position."""
        action = self.actions[number]
        if action["type"] == "discard_train":
            self._follow()
            return self._trains.waits(self.walk.company(action["entity"]))
        settled = number in self._made or self._mergers.settled(number)
        return settled or action["type"] in ("destination_connection", "end_game")

    def _follow(self, number: str = "") -> None:
        """Update trains, certificates, mergers and slots. ``number``: the train that has just been bought."""
        events = self.walk.heard()
        self._trains.follow(events, number)
        self.books.follow(events)
        self._mergers.follow(events)
        action = self.actions[self.walk.at]
        placed = action["type"] == "place_token" and action.get("slot") is not None
        self.slots.follow(events, self.game.state, int(action["slot"]) if placed else None)
        self._note_passes(events)

    def _note_passes(self, events: Sequence[Event]) -> None:
        """Note the passes that come next in the record, of players who have passed by themselves here."""
        passed = list(self._asked.after(self._before, events, self.books))
        self._before = self.game.state
        for player in passed:
            place = max(self._made | {self.walk.at}) + 1
            if place >= len(self.actions) or self.actions[place]["type"] != "pass":
                return
            if self.walk.actor(place) != player:
                return
            self._made.add(place)

    def _stands_for(self, number: int) -> str | None:
        """The company that is asked when its director, or a company above it, sells for its train; or the one that is
        asked about the pool's shares. None if the action names the one who is asked."""
        action = self.actions[number]
        if action["type"] == "sell_shares" and HALF_PRICE in action:
            payer, asked = self._payer(number), self.game.asked()
            raising, named = [a for a in asked if a.what == RAISE], self._actor(action)
            if any(a.actor == named for a in raising):
                return None
            if raising and raising[0].about[0] == named:
                return raising[0].actor  # a company above it sells
            if any("paid" in a.about for a in raising):
                return None  # the token has been bought, so the action that needed the money lies before this one
            helps = [a.actor for a in asked if a.what in (HELP, RAISE) and a.about[0] == payer]
            return helps[0] if helps and all(a.actor != payer for a in asked) else payer
        if action["type"] in ("choose", "remove_token"):
            actor = self._actor(action)
            mine = [a for a in self.game.asked() if actor in (a.actor, a.player)]
            return actor if not mine or any(a.actor == actor for a in mine) else mine[0].actor
        return None

    def _payer(self, number: int) -> str | None:
        """The company that needs the money of an emergency sale for a train or a token; None if there is none."""
        for action in islice(self.actions, number + 1, number + 1 + AHEAD):
            if action["type"] != "sell_shares":
                return str(self.walk.company(action["entity"])) if action["entity_type"] == "corporation" else None
        return None

    def _actor(self, action: Action) -> Actor:
        """The actor of an action, by the engine's names."""
        of_player = action["entity_type"] == "player"
        return self.walk.player(action["entity"]) if of_player else self.walk.company(action["entity"])

    # ---- concessions ----------------------------------------------------------------------------------------------

    def on_blind_bid(self, action: Action) -> None:
        pairs = zip(self.game.title.privates, action["bids"], strict=True)
        bids = tuple((private, int(bid)) for private, bid in pairs if int(bid))
        self.walk.play(SealedBids(self.walk.player(action["entity"]), bids))

    def on_bid(self, action: Action) -> None:
        player, item = self.walk.player(action["entity"]), self._concession(action["company"])
        ask = self.walk.ask(player)
        opens = ask is not None and ask.what == "concessions.open"
        price = int(action["price"])
        self.walk.play(Open(player, item, price) if opens else Bid(player, price, item))

    def on_buy_company(self, action: Action) -> None:
        player, concession = self.walk.player(action["entity"]), self._concession(action["company"])
        owner = self.game.state.privates.get(concession)
        self.walk.play(BuyConcession(player, concession, None if owner is None else int(action["price"])))
        self.walk.answer_consents()

    def _concession(self, name: object) -> PrivateId:
        for private in self.game.title.privates.values():
            if name == private.id or name in private.synonyms or private.id == f"C-{name}":
                return private.id
        raise self.walk.problem(f"there is no concession {name!r}")

    # ---- stock turns and the financial step -----------------------------------------------------------------------

    def on_pass(self, action: Action) -> None:
        actor = self._actor(action)
        ask = self.walk.ask(actor)
        if ask is None or ask.what in ("company.turn", "founding.tokens"):
            return  # a step that is left out, or a second home where there is room for none
        if ask.what == "auction.bid":
            self.walk.play(Drop(actor))
        elif ask.what == "merger.keep":
            self._mergers.keep(actor)
        else:
            self.walk.play(Pass(actor))

    def on_par(self, action: Action) -> None:
        company, price = self.walk.company(action["corporation"]), start_price(action)
        self.books.name(company, [DIRECTOR])
        self.walk.play(Start(self._in_time(action), company, price))

    def on_buy_shares(self, action: Action) -> None:
        actor, company = self._in_time(action), self.walk.company(company_of(action["shares"]))
        self._follow()
        self.walk.play(self._certificates.purchase(self.game.state, actor, company, action))
        self.walk.answer_consents()

    def on_sell_shares(self, action: Action) -> None:
        seller, company = self._in_time(action), self.walk.company(company_of(action["shares"]))
        self._follow()
        if HALF_PRICE in action and action["entity_type"] != "player":
            seller = self._holder(seller, company, action)
        self.walk.play(self._certificates.sale(self.game.state, seller, company, action))

    def _holder(self, operating: Actor, company: CompanyId, action: Action) -> Actor:
        """The company that sells for a train. The site names the operating company even if one above it sells."""
        helps = [a.actor for a in self.game.asked() if a.actor not in self.players.values()]
        place = self.books.place_of(company, action["shares"][0])
        place = company if place == self.game.title.unsold else place
        for seller in sorted((operating, *helps), key=lambda actor: actor != place):
            order = Sell(seller, company, shares_in(self.game.title, self.game.state, company, action))
            if not isinstance(self.game.check(order), Refused):
                return seller
        return operating

    # ---- a company's turn -----------------------------------------------------------------------------------------

    def _in_time(self, action: Action) -> Actor:
        """The actor of an action. If the turn at hand is past such actions, the company's next turn is begun first.
        Companies between have done nothing that left a trace."""
        actor = self._actor(action)
        top = self.game.state.top if not self.game.finished else None
        if not isinstance(top, Turn) or top.company != actor or not self._turn.past(action):
            return actor
        self.walk.begin_next_turn_of(actor)
        return actor

    def _turn_that_is_over(self) -> CompanyId | None:
        """The company whose turn is at hand, if the next action belongs to its next turn; None otherwise."""
        following, top = self.walk.following, self.game.state.top if not self.game.finished else None
        if following is None or not isinstance(top, Turn):
            return None
        if following["type"] != "pass":
            past = self._turn.past(following) and self._actor(following) == top.company
            return top.company if past else None
        over = self._acts_again(top.company) and self._progress.over(self.game.state)
        return top.company if over else None

    def _acts_again(self, company: CompanyId) -> bool:
        """True if the company's next action that is not a pass belongs to a later turn, and nobody acts before it. Of
        its passes until then, those for which the site finds nothing to ask in this turn are of turns between."""
        for number in range(self.walk.at + 1, len(self.actions)):
            self.walk.look()
            if self.walk.actor(number) != company:
                return False
            if self.actions[number]["type"] != "pass":
                return self._turn.past(self.actions[number])
        return False

    def on_lay_tile(self, action: Action) -> None:
        company, hex = CompanyId(self._in_time(action)), HexId(action["hex"])
        self.walk.play(Lay(company, tile_type(str(action["tile"])), hex, int(action["rotation"])))
        self._tiles.lay(action["tile"], hex)

    def on_place_token(self, action: Action) -> None:
        company = CompanyId(self._in_time(action))
        self.walk.play(Token(company, self._tiles.space(self.game.state.board, action["city"])))

    def on_run_routes(self, action: Action) -> None:
        company = CompanyId(self._in_time(action))
        play_run(self.walk, company, lambda: read_runs(self.game, company, action["routes"], route_of))

    def on_buy_token(self, action: Action) -> None:
        company = CompanyId(self._in_time(action))
        board, price = self.game.state.board, int(action["price"])
        space = self._tiles.space(board, action["city"])
        owner = self.slots.at((space.hex, board.city_at(space) or 0), int(action.get("slot") or 0))
        if owner is None:
            raise self.walk.problem(f"there is no marker in that place of {space.hex}")
        self.walk.play(BuyToken(company, space, owner, price))
        self.walk.answer_consents()

    def on_buy_train(self, action: Action) -> None:
        number, company = str(action["train"]), CompanyId(self._in_time(action))
        self._follow()
        owner = self._trains.owner(number, not_of=company)
        play_train(self.walk, company, train_type(number), owner, int(action["price"]))

    def on_discard_train(self, action: Action) -> None:
        number, company = str(action["train"]), self.walk.company(action["entity"])
        if self._trains.named(company, number):
            return  # there was no choice
        self.walk.play(Discard(company, train_type(number)))
        self._follow(number)

    def on_bankrupt(self, action: Action) -> None:
        way = WAYS[int(action.get("option") or 0)]
        self.walk.play(Bankrupt(self.walk.company(action["entity"]), way))  # type: ignore[arg-type]

    def on_destination_connection(self, action: Action) -> None:
        """Areas outside the map that a company has reached. Nothing to do: the engine finds them itself."""

    # ---- mergers and other choices ----------------------------------------------------------------------------------

    def on_merge(self, action: Action) -> None:
        self._mergers.merge(CompanyId(self._in_time(action)), self.walk.company(action["corporation"]))

    def on_choose(self, action: Action) -> None:
        self._mergers.choose(action["choice"])

    def on_remove_token(self, action: Action) -> None:
        self._mergers.remove(self._tiles.place(action["city"]))
