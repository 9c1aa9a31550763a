"""Records of 18xx.games: conversion of the site's actions to our orders.

The site asks step by step and skips many steps; our game asks for a turn. A ``pass`` in an inner step is left out. A
``done`` (or another empty answer) is added where the site moved on by itself. The two actions that buy a mountain
railway become one order. Destination bonuses are computed by the rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from engine.acts.act import Turn
from engine.acts.buy_train import train_room
from engine.acts.place_token import city_space
from engine.core.agenda import Exact
from engine.core.checks import Refused
from engine.core.events import DestinationReached, Sold
from engine.core.ids import BANK, CompanyId, HexId, PlayerId, PrivateId
from engine.core.orders import (
    Bankrupt,
    Bid,
    BuyMountain,
    BuyPrivate,
    BuyTunnel,
    Discard,
    Drop,
    Keep,
    Lay,
    Pass,
    Repay,
    Route,
    Start,
    Token,
    Tunnel,
    UsePrivate,
)
from engine.site18xx.answers import EmptyAnswers, end_of_turn
from engine.site18xx.certificates import company_of, index_of
from engine.site18xx.converter import SiteConverter
from engine.site18xx.handlers import answers_only, handle, handler_of, play_run, play_train, start_price
from engine.site18xx.places import path_of, tile_type
from engine.site18xx.progress import Progress
from engine.site18xx.runs import Legs, read_runs
from engine.site18xx.t1844.certificates import SiteBooks
from engine.site18xx.t1844.destinations import paid_from_home
from engine.site18xx.t1844.shares import purchase, sale, sold_again
from engine.site18xx.t1844.steps import STEPS
from engine.site18xx.t1844.tunnels import mouths_shared
from engine.site18xx.t1844.turn import Acting, SiteTurn, Step
from engine.site18xx.trains import Cards
from engine.site18xx.walk import Action, Converted, Walk
from engine.titles.t1844.names import EVA, FIRST_POWERS_PHASE, FURKA, MOUNTAIN, OERLIKON, OWN_5H, TUNNEL
from engine.titles.t1844.turn.company_turn import TRAINS

PAYMENTS = {"payout": "full", "withhold": "none"}
BENDS = {"X78": 2, "X79": 3}
"""Number of edges from the first mouth to the second, by tunnel tile."""
SET_ASIDE: Final[Mapping[str, str]] = {EVA: "5-1", OWN_5H: "5-2"}
"""The cards that are not for sale: EVA and the SBB's own 5H."""
DISCARD: Final = "discard"
OWN_QUESTIONS = {"discard_train": DISCARD, "remove_token": "keep.marker"}
"""The question that only this action answers, by action."""
empty_answer: Final = EmptyAnswers(drops=("auction.first", "auction.bid"))


@dataclass(slots=True)
class Converter(SiteConverter):
    """Converts the actions of a record of 1844."""

    PAYMENTS: ClassVar[Mapping[str, str]] = PAYMENTS

    _acting: Acting = field(init=False)
    _turn: SiteTurn = field(default_factory=SiteTurn)
    _progress: Progress = field(init=False)
    _cards: Cards = field(default_factory=lambda: Cards(SET_ASIDE))
    books: SiteBooks = field(init=False)
    _bought: Action | None = None
    """The purchase of a mountain railway that has yet to be placed."""
    _reached: set[str] = field(default_factory=set)
    """Companies that have reached their destinations."""

    def __post_init__(self) -> None:
        self.books = SiteBooks(self.game.title)
        self._progress = Progress(self.game.title, STEPS)
        companies = {name: c.id for c in self.game.title.companies.values() for name in (c.id, *c.synonyms)}
        self._acting = Acting(self.game, self.actions, companies, self.players, self._turn)
        self.walk = Walk(
            self.game,
            self.players,
            self.actions,
            empty_answer,
            end_of_turn,
            idle=self._idle,
            over=self.over,
            stands_for=self._acting.stands_for,
            answers=answers_only(OWN_QUESTIONS),
        )

    @staticmethod
    def edition(rules: Sequence[str]) -> str:
        """The edition that the site plays with these optional rules."""
        return "18xx.games"

    @staticmethod
    def options(rules: Sequence[str], actions: Sequence[Action] = ()) -> dict[str, str]:
        """Options of the edition that the record itself shows. Raises ``ValueError`` for any optional rule, since the
        site has none for 1844."""
        if rules:
            raise ValueError(f"optional rule {rules[0]!r} is not known; the site has none for this game")
        shown = {
            "destination_from": None if paid_from_home(actions) else "marker",
            "shared_mouths": "yes" if mouths_shared(actions) else None,
            "sales_in_turn": "any" if sold_again(actions) else None,
        }
        return {name: value for name, value in shown.items() if value is not None}

    def step(self, number: int) -> Converted:
        """Convert action ``number`` (from 0) and play its orders. Raises ``SiteError`` if the action does not fit."""
        action = self.walk.begin(number)
        handler = handler_of(self.walk, self, action)
        self._turn.look_at(self.game.state)
        handle(self.walk, handler, action)
        self._turn.follow(action, self.walk.given_in, self.game.state)
        kept = len(self.walk.orders)
        self._progress.note(action, self.walk.orders, self.walk.given_in, self.game.state)
        self._follow(str(action["train"]) if action["type"] == "buy_train" else "")
        self._end_turn_before(self.walk.following)
        if self._bought is None and not self._power_first(self.walk.following):
            self.walk.catch_up()
            self._follow()
        if number + 1 == len(self.actions) and not self.over:
            self._end_by_itself()
        orders = tuple(self.walk.orders)
        return Converted(orders[:kept], orders[kept:], kept > 0, self._bought is not None)

    def _end_turn_before(self, following: Action | None) -> None:
        """End the turn at hand if the site has ended it, and the next action would fit into it, too: the same company
        buys a private, or Furka-Oberalp is used."""
        top = self.game.state.top if not self.game.finished else None
        if following is None or not isinstance(top, Turn):
            return
        buys = following["type"] == "buy_company" and following["entity"] == top.company
        uses = following["type"] == "choose_ability" and following["entity"] == FURKA
        if (buys or uses) and self._progress.over(self.game.state):
            self.walk.end_turn_of(top.company)

    def _power_first(self, following: Action | None) -> bool:
        """True if the next action uses Oerlikon before trains are discarded, which the site allows."""
        if following is None or following["type"] != "choose_ability" or following["entity"] != OERLIKON:
            return False
        owner, company = self._acting.owner(OERLIKON), CompanyId(str(following.get("choice")))
        if owner is None or all(ask.what != DISCARD for ask in self.game.asked()):
            return False
        return not isinstance(self.game.check(UsePrivate(PlayerId(owner), OERLIKON, company)), Refused)

    def _end_by_itself(self) -> None:
        """After the last action of a game under way, end the turn if the site has ended it by itself: it does so if
        nothing can be bought. It still asks while another company has a train and the company has any money."""
        state = self.game.state
        if self.game.finished or not isinstance(state.top, Turn):
            return
        title, company, ask = self.game.title, state.top.company, self.game.asked()[0]
        end = end_of_turn(ask)
        if end is None or isinstance(self.game.check(end), Refused):
            return
        nothing = state.top.stage == TRAINS and self.game.legal(ask.actor) == (Exact(end),)
        others = any(now.trains for name, now in state.companies.items() if name != company)
        may_buy = others and title.reached(state, FIRST_POWERS_PHASE) and state.money(company) > 0
        may_buy = may_buy and self._turn.may_be_in(Step.TRAINS) and train_room(title, state, company) > 0
        if self._turn.over or (nothing and not may_buy):
            self.walk.play(end)
            self._follow()

    def _idle(self, number: int) -> bool:
        """True if a later action will become no order in this position."""
        action = self.actions[number]
        if action["type"] == "discard_train":
            self._follow()
            return self._cards.waits(self.walk.company(action["entity"]))
        if action["type"] == "payoff_player_debt":
            return self._after_par(number)
        return action["type"] in ("destination_connection", "end_game")

    def _after_par(self, number: int) -> bool:
        """True if the debtor of action ``number`` bought a par in the action before. Our game has then repaid his debt
        already."""
        before = self.actions[number - 1] if number else {}
        return before.get("type") == "par" and before["entity"] == self.actions[number]["entity"]

    def _follow(self, number: str = "") -> None:
        """Follow trains and destinations in new events. ``number``: the card that has just been bought or discarded."""
        events = self.walk.heard()
        self._cards.follow(events, number)
        self.books.follow(events)
        self._reached.update(e.company for e in events if isinstance(e, DestinationReached))

    # ---- auction and stock turns ----------------------------------------------------------------------------------

    def on_bid(self, action: Action) -> None:
        player = self.walk.player(action["entity"])
        self.walk.play(Bid(player, int(action["price"]), PrivateId(action["company"])))

    def on_pass(self, action: Action) -> None:
        if action["entity_type"] != "player":
            self.walk.company(action["entity"])  # a step of a turn that is left out
            return
        player = self.walk.player(action["entity"])
        ask = self.walk.ask(player)
        if ask is not None:
            self.walk.play(Drop(player) if ask.what.startswith("auction.") else Pass(player))

    def on_par(self, action: Action) -> None:
        company, price = self.walk.company(action["corporation"]), start_price(action)
        self.walk.play(Start(self.walk.player(action["entity"]), company, price))

    def on_buy_shares(self, action: Action) -> None:
        player, company = self.walk.player(action["entity"]), self.walk.company(company_of(action["shares"]))
        self.walk.play(purchase(self.books, player, company, action["shares"]))

    def on_sell_shares(self, action: Action) -> None:
        self.walk.company(company_of(action["shares"]))
        seller, actor = self.walk.player(action["entity"]), self.walk.actor(self.walk.at)
        self.books.name(CompanyId(company_of(action["shares"])), list(map(index_of, action["shares"])), seller)
        events = self.walk.play(sale(self.game.title, self.game.state, actor, seller, action))
        sold, said = next((e for e in events if isinstance(e, Sold)), None), action.get("share_price")
        if sold is not None and said is not None and int(said) * sold.count != sold.amount:
            each = sold.amount // sold.count
            raise self.walk.problem(f"the record counts {said} for a share of {sold.company}, which brings {each}")

    def on_payoff_player_debt(self, action: Action) -> None:
        player = self.walk.player(action["entity"])
        amount = min(self.game.state.money(player), self.game.state.debt(player))
        if amount and not self._after_par(self.walk.at):
            self.walk.play(Repay(player, amount))

    # ---- what privates do -----------------------------------------------------------------------------------------

    def on_buy_company(self, action: Action) -> None:
        private, price = PrivateId(action["company"]), int(action["price"])
        if action["entity_type"] != "player":
            self.walk.play(BuyPrivate(self.walk.company(action["entity"]), private, price))
            self.walk.answer_consents()
            return
        player, kind = self.walk.player(action["entity"]), self._kind(private)
        if kind == TUNNEL:
            self.walk.play(BuyTunnel(player, private))
        elif kind == MOUNTAIN:
            self._bought = action
        else:
            raise self.walk.problem(f"{private} cannot be bought from the bank")

    def on_choose_ability(self, action: Action) -> None:
        private = PrivateId(action["entity"])
        owner = self._acting.owner(private)
        if owner is None:
            raise self.walk.problem(f"nobody has {private}")
        if private == FURKA:
            self.walk.play(UsePrivate(PlayerId(owner), private))
        elif private == OERLIKON:
            self.walk.play(UsePrivate(PlayerId(owner), private, CompanyId(self.walk.actor(self.walk.at))))
        else:
            raise self.walk.problem(f"{private} has no power that is used so")

    def _kind(self, private: PrivateId) -> str:
        return self.game.title.privates[private].kind

    # ---- a company's turn -----------------------------------------------------------------------------------------

    def on_lay_tile(self, action: Action) -> None:
        hex, tile, rotation = HexId(action["hex"]), tile_type(str(action["tile"])), int(action["rotation"])
        private = PrivateId(action["entity"]) if action["entity_type"] == "company" else None
        kind = None if private is None else self._kind(private)
        if kind == MOUNTAIN:
            bought, self._bought = self._bought, None
            if bought is None or bought["company"] != private:
                raise self.walk.problem(f"{private} has not just been bought")
            self.walk.play(BuyMountain(self.walk.player(bought["entity"]), PrivateId(private or ""), hex, tile))
            return
        company = CompanyId(self.walk.actor(self.walk.at))
        self._in_time(company, action)
        if kind == TUNNEL:
            low, high = sorted((rotation % 6, (rotation + BENDS[tile]) % 6))
            self.walk.play(Tunnel(company, hex, (low, high), private))
            return
        self.walk.play(Lay(company, tile, hex, rotation, private))
        self._tiles.lay(action["tile"], hex)

    def _in_time(self, company: CompanyId, action: Action) -> None:
        """Go on to the company's next turn if the current one is past such actions."""
        if self._turn.past(action):
            self.walk.begin_next_turn_of(company)

    def on_place_token(self, action: Action) -> None:
        company = self.walk.company(action["entity"])
        self._in_time(company, action)
        self.walk.play(Token(company, self._tiles.space(self.game.state.board, action["city"])))

    def on_run_routes(self, action: Action) -> None:
        company = self.walk.company(action["entity"])
        self._in_time(company, action)
        play_run(self.walk, company, lambda: read_runs(self.game, company, action["routes"], self._route))

    def _route(self, recorded: Mapping[str, Any], legs: Legs) -> Route:
        return Route(self._cards.side(str(recorded["train"])), path_of(legs))

    def on_buy_train(self, action: Action) -> None:
        number, company = str(action["train"]), self.walk.company(action["entity"])
        if action.get("exchange"):
            raise self.walk.problem("trains are not exchanged in this game")
        owner, side = self._cards.owner(number), self._cards.side(number)
        if owner == BANK and action.get("variant"):
            side = type(side)(action["variant"])
        play_train(self.walk, company, side, owner, int(action["price"]))

    def on_discard_train(self, action: Action) -> None:
        number, company = str(action["train"]), self.walk.company(action["entity"])
        if self._cards.named(company, number):
            return  # there was no choice
        self.walk.play(Discard(company, self._cards.side(number)))
        self._follow(number)

    def on_remove_token(self, action: Action) -> None:
        company = self.walk.company(action["entity"])
        removed = self._tiles.space(self.game.state.board, action["city"])
        board = self.game.state.board
        gone = (removed.hex, board.city_at(removed))
        kept = [place for place in board.places_of(company) if place[0] == removed.hex and place != gone]
        if len(kept) != 1:
            raise self.walk.problem(f"{company} has no two markers in {removed.hex}")
        self.walk.play(Keep(company, (city_space(self.game.state, *kept[0]),)))

    def on_destination_connection(self, action: Action) -> None:
        """Check that the companies have reached their destinations. Our game pays the bonus by itself, for a company
        that has yet to operate perhaps at another time."""
        for name in action["corporations"]:
            company = self.walk.company(name)
            if company not in self._reached and self.game.state.board.places_of(company):
                raise self.walk.problem(f"{company} has not reached its destination")

    def on_bankrupt(self, action: Action) -> None:
        self.walk.play(Bankrupt(self.walk.company(action["entity"])))
