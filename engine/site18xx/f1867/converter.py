"""Records of 18xx.games: conversion of the site's actions to our orders, in 1861 and its cousins.

The site asks step by step and skips many steps; our game asks for a turn. A ``pass`` in an inner step is left out. A
``done`` (or another empty answer) is added where the site moved on by itself. Consents are added because the site does
not record them. Shares bought one by one in an offer become one order.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from engine.acts.act import Turn
from engine.core.agenda import Ask, Range
from engine.core.events import TrainMoved
from engine.core.ids import BANK, POOL, TREASURY, CompanyId, HexId, PlayerId, PrivateId, TrainName
from engine.core.orders import (
    Bid,
    Buy,
    BuyPrivate,
    Convert,
    Decline,
    Discard,
    Drop,
    Lay,
    Merge,
    Nationalise,
    Open,
    Pass,
    Redeem,
    Sell,
    Settle,
    Start,
    Take,
    Token,
)
from engine.families.f1867.names import MINOR
from engine.families.f1867.stock.share_offers import OpenOffers, ShareOffers
from engine.holders.ledger import shares
from engine.shares.purchase import sources
from engine.site18xx.answers import EmptyAnswers, end_of_turn
from engine.site18xx.certificates import company_of, index_of
from engine.site18xx.converter import SiteConverter
from engine.site18xx.f1867.answers import PASSES, own_answer
from engine.site18xx.f1867.auction import AuctionPasses
from engine.site18xx.f1867.certificates import SiteBooks
from engine.site18xx.f1867.formation import kept_markers, while_forming, whose_marker
from engine.site18xx.f1867.mergers import MergerPasses, failed_mergers
from engine.site18xx.f1867.privates import in_play
from engine.site18xx.f1867.runs import read_runs
from engine.site18xx.handlers import check_known, handle, handler_of, play_run, play_train, start_price
from engine.site18xx.places import tile_type
from engine.site18xx.slots import Slots
from engine.site18xx.trains import Cards, train_type
from engine.site18xx.walk import Action, Converted, Walk
from engine.steps.auction import Auction

PAYMENTS = {"payout": "full", "half": "half", "withhold": "none"}
ANSWERS = {"choose": "nationalise", "convert": "merger.turn", "merge": "merger.turn"}
"""Type of a company's action -> the question that it answers. Others may answer several."""
_NONE: Mapping[str, str] = {}


def _answers(action: Action, ask: Ask) -> bool:
    return ANSWERS.get(action["type"], ask.what) == ask.what


@dataclass(slots=True)
class FamilyConverter(SiteConverter):
    """Converts the actions of a record of 1861 or a cousin.

    ``EDITION``: ours that the site plays. ``OPTIONAL_RULES``: the site's rule -> option and value. ``PRIVATES``: in the
    order in which the site draws lots for them. ``EMPTY``: the answers that do nothing. ``BETWEEN_TURNS``: questions
    that may lie between two turns of one company without a trace in the record.
    """

    PAYMENTS: ClassVar[Mapping[str, str]] = PAYMENTS
    EDITION: ClassVar[str]
    OPTIONAL_RULES: ClassVar[Mapping[str, tuple[str, str]]]
    PRIVATES: ClassVar[Sequence[str]]
    EMPTY: ClassVar[EmptyAnswers] = EmptyAnswers(passes=PASSES, other=own_answer)
    BETWEEN_TURNS: ClassVar[Collection[str]] = ("merger.turn",)

    _cards: Cards = field(default_factory=Cards)
    _slots: Slots = field(default_factory=lambda: Slots(first_free=True))
    books: SiteBooks = field(init=False)
    _passes: AuctionPasses = field(default_factory=AuctionPasses)
    _merger_passes: MergerPasses = field(default_factory=MergerPasses)
    _turn: tuple[object, ...] = ()
    _done_in_turn: list[str] = field(default_factory=list)
    """Kinds of actions since the start of the company's turn."""
    _early: set[int] = field(default_factory=set)
    """Numbers of actions that have been played ahead of their place in the record."""
    _started: Action | None = None
    _group: list[CompanyId] = field(default_factory=list)
    _converting: bool = False
    _taken: int = 0

    def __post_init__(self) -> None:
        self.books = SiteBooks(self.game.title)
        self._slots.begin(self.game.state)
        self.walk = Walk(
            self.game,
            self.players,
            self.actions,
            self.EMPTY,
            end_of_turn,
            self.BETWEEN_TURNS,
            self._idle,
            self.over,
            answers=_answers,
        )

    @classmethod
    def edition(cls, rules: Sequence[str]) -> str:
        """The edition that the site plays with these optional rules."""
        return cls.EDITION

    @classmethod
    def options(cls, rules: Sequence[str], actions: Sequence[Action] = ()) -> dict[str, str]:
        """Options of the edition for the site's optional rules, and those that the record itself shows. Raises
        ``ValueError`` for an unknown rule."""
        check_known(rules, cls.OPTIONAL_RULES)
        return dict(cls.OPTIONAL_RULES[rule] for rule in rules) | cls.shown(actions)

    @classmethod
    def shown(cls, actions: Sequence[Action]) -> dict[str, str]:
        """The options that the record itself shows."""
        return failed_mergers(actions)

    @classmethod
    def privates(cls, players: int, actions: Sequence[Action], seed: int | None) -> tuple[str, ...] | None:
        named = [a["company"] for a in actions if a.get("company")]
        return None if players != 2 else in_play(cls.PRIVATES, named, seed)

    def step(self, number: int) -> Converted:
        """Convert action ``number`` (from 0) and play its orders. Raises ``SiteError`` if the action does not fit."""
        action = self.walk.begin(number)
        handler = handler_of(self.walk, self, action)
        if self._started is not None and action["type"] != "place_token":
            raise self.walk.problem(f"the place of {self._started['corporation']} has not been named before it")
        self._look_at_turn()
        if number not in self._early:
            handle(self.walk, handler, action)
        kept = len(self.walk.orders)
        part = (self._started, self._group, self._converting, self._taken)
        if not any(part):
            self.walk.catch_up()
        self._follow_trains()
        orders = tuple(self.walk.orders)
        return Converted(orders[:kept], orders[kept:], kept > 0, any(part))

    def _idle(self, number: int) -> bool:
        """True if a later action will become no order in this position: it has already been played, discards a train
        that was lost without a choice, ends the game, or is a pass that our game does not ask for."""
        action = self.actions[number]
        if action["type"] == "pass":
            self._follow_trains()
            if action.get("entity_type") != "player":
                return number in self._merger_passes.numbers
            if not self.game.finished and isinstance(self.game.state.top, OpenOffers):
                return True
            return self._passes.comes(self.walk, number)
        if action["type"] == "discard_train":
            self._follow_trains()
            return number in self._early or self._cards.waits(CompanyId(self.walk.actor(number)))
        return number in self._early or action["type"] == "end_game"

    def _look_at_turn(self) -> None:
        """Forget the noted actions if another turn has begun."""
        top = None if self.game.finished else self.game.state.top
        turn = (self.game.state.round, top.company) if isinstance(top, Turn) else ()
        if turn != self._turn:
            self._turn, self._done_in_turn = turn, []

    def _follow_trains(self, named: Mapping[str, str] = _NONE) -> None:
        """Follow the events since the last call, and the owners of trains. ``named``: where a train has just gone ->
        its number, as the record names it."""
        said = dict(named)
        events = self.walk.heard()
        self.books.follow(events)
        for event in events:
            self._slots.follow((event,), self.game.state)
            self._passes.hear(event, self.game.state)
            self._merger_passes.hear(event, self.walk)
            self._cards.follow((event,), said.pop(event.target, "") if isinstance(event, TrainMoved) else "")

    # ---- auctions and stock turns ---------------------------------------------------------------------------------

    def on_bid(self, action: Action) -> None:
        player, price = self.walk.player(action["entity"]), int(action["price"])
        minor = action.get("corporation")
        item = PrivateId(action["company"]) if minor is None else self.walk.company(minor)
        if isinstance(self.game.state.top, Auction):
            self.walk.play(Bid(player, price, item))
        else:
            self._open(action, Open(player, item, price))

    def _open(self, action: Action, order: Open) -> None:
        """Play the bid that opens an auction."""
        self.walk.play(order)

    def on_pass(self, action: Action) -> None:
        if action["entity_type"] == "player":
            self._pass_player(self.walk.player(action["entity"]))
        else:
            self._pass_company(self.walk.company(action["entity"]))

    def _pass_player(self, player: PlayerId) -> None:
        ask = self.walk.ask(player)
        if self._passes.take(player, ask):
            return
        if ask is None:
            self._taken = 0
            return
        if ask.what == "auction.bid":
            self.walk.play(Drop(player))
        elif isinstance(self.game.state.top, OpenOffers):
            return  # a pass changes nothing there
        elif ask.what == "offer.shares":
            number, self._taken = self._taken, 0
            self.walk.play(Take(player, number))
        else:
            self.walk.play(Pass(player))

    def _pass_company(self, company: CompanyId) -> None:
        ask = self.walk.ask(company)
        if ask is None or self._group or self._converting or self.walk.at in self._merger_passes.numbers:
            return
        self._done_in_turn.append("pass")
        if ask.what == "merger.turn":
            self.walk.play(Decline(company))
        elif ask.what == "nationalise":
            self.walk.play(Nationalise(company, False))
        elif "loans" in ask.about:
            self.walk.play(Settle(company))

    def on_sell_shares(self, action: Action) -> None:
        company, percent = self._named(action), action.get("percent")
        whole = sum(2 if share.endswith("_0") else 1 for share in action["shares"])  # 0 is the director's certificate
        number = whole if percent is None else int(percent) // 10
        self.walk.play(Sell(self.walk.player(action["entity"]), company, number))

    def on_buy_shares(self, action: Action) -> None:
        company, percent = self._named(action), action.get("percent")
        number = len(action["shares"]) if percent is None else int(percent) // 10
        if action["entity_type"] != "player":
            self.walk.play(Redeem(company, number))
            return
        player, top = self.walk.player(action["entity"]), self.game.state.top
        from_treasury = self.books.place_of(company, action["shares"][0]) == TREASURY
        if isinstance(top, OpenOffers):
            self.walk.play(Take(player, number))
            return
        if isinstance(top, ShareOffers):
            self._taken += number
            if not top.holders or not self._goes_on(player, company):
                number, self._taken = self._taken, 0
                self.walk.play(Take(player, number))
            return
        found = sources(self.game.title, self.game.state, company)
        source = ("treasury" if from_treasury else "pool") if len(found) > 1 else found[0] if found else None
        self.walk.play(Buy(player, company, "pool" if source == "pool" else "treasury"))

    def _named(self, action: Action) -> CompanyId:
        """The company whose certificates the action names; they are noted in the books."""
        company = self.walk.company(company_of(action["shares"]))
        self.books.name(company, list(map(index_of, action["shares"])))
        return company

    def on_par(self, action: Action) -> None:
        self._started = action

    def _goes_on(self, player: PlayerId, company: CompanyId) -> bool:
        """True if the player's next action still belongs to his answer to the offer: he can take more shares, and the
        action takes one or passes."""
        following = self.walk.following
        most = max((c.high for c in self.game.legal(player) if isinstance(c, Range)), default=1)
        if following is None or self._taken >= most or self.walk.actor(self.walk.at + 1) != player:
            return False
        if following["type"] == "buy_shares":
            return self.walk.company(str(following["shares"][0]).rsplit("_", 1)[0]) == company
        return bool(following["type"] == "pass")

    # ---- a company's turn -----------------------------------------------------------------------------------------

    def on_place_token(self, action: Action) -> None:
        space = self._tiles.space(self.game.state.board, action["city"])
        if self._started is None:
            self.walk.play(Token(self.walk.company(action["entity"]), space))
            return
        begun, self._started = self._started, None
        price, company = start_price(begun), self.walk.company(begun["corporation"])
        self.walk.play(Start(self.walk.player(begun["entity"]), company, price, space))

    def on_lay_tile(self, action: Action) -> None:
        hex, company = HexId(action["hex"]), self.walk.company(action["entity"])
        tile = tile_type(str(action["tile"]))
        if self._track_is_over(company):
            self.walk.end_turn_of(company)
        self.walk.play(Lay(company, tile, hex, int(action["rotation"])))
        self._tiles.lay(action["tile"], hex)
        self._look_at_turn()
        self._done_in_turn.append("lay")

    def _track_is_over(self, company: CompanyId) -> bool:
        """True if the company has ended its track step in this turn, so that a tile belongs to its next turn: it has
        passed after laying a tile, or more often than possible before the track step."""
        top = self.game.state.top
        if not isinstance(top, Turn) or top.company != company or "pass" not in self._done_in_turn:
            return False
        if "lay" in self._done_in_turn:
            return "pass" in self._done_in_turn[self._done_in_turn.index("lay") :]
        minor = self.game.title.companies[company].charter.kind == MINOR
        redeems = not minor and shares(self.game.title, self.game.state, POOL, company) > 0
        return len(self._done_in_turn) > (1 if redeems else 0)

    def on_buy_company(self, action: Action) -> None:
        company = self.walk.company(action["entity"])
        self.walk.play(BuyPrivate(company, PrivateId(action["company"]), int(action["price"])))

    def on_buy_train(self, action: Action) -> None:
        id, company = str(action["train"]), self.walk.company(action["entity"])
        train = TrainName(action.get("variant") or train_type(id))
        owner = self._seller(id)
        if owner not in (BANK, POOL) and train not in self.game.state.companies[CompanyId(owner)].trains:
            raise self.walk.problem(f"{owner} has no {train}-train")
        self._buy(action, company, train, owner)

    def _seller(self, number: str) -> str:
        """The owner of a train that is bought."""
        return self._cards.owner(number)

    def _buy(self, action: Action, company: CompanyId, train: TrainName, owner: str) -> None:
        """Play the purchase of a train from its owner."""
        if action.get("exchange"):
            raise self.walk.problem("trains are not exchanged in this game")
        play_train(self.walk, company, train, owner, int(action["price"]))
        self._follow_trains({company: str(action["train"])})

    def on_run_routes(self, action: Action) -> None:
        company = self.walk.company(action["entity"])
        play_run(self.walk, company, lambda: read_runs(self.game, company, action["routes"]))

    def on_discard_train(self, action: Action) -> None:
        id, company = str(action["train"]), self.walk.company(action["entity"])
        if not self._cards.named(company, id):
            self.walk.play(Discard(company, self._cards.side(id)))
            self._follow_trains({POOL: id})

    def on_choose(self, action: Action) -> None:
        self.walk.play(Nationalise(self.walk.company(action["entity"]), True))

    # ---- mergers --------------------------------------------------------------------------------------------------

    def on_convert(self, action: Action) -> None:
        self._converting = True

    def on_merge(self, action: Action) -> None:
        minor, other = self.walk.company(action["entity"]), self.walk.company(str(action["corporation"]))
        if self.game.title.companies[other].charter.kind == MINOR:
            self._group.append(other)
            return
        if self._converting:
            self.walk.play(Convert(minor, other))
        else:
            self.walk.play(Merge(minor, tuple(self._group), other))
        self._group, self._converting = [], False
        self.walk.answer_consents()
        self._follow_trains()
        self._settle_formation(other)

    def _settle_formation(self, company: CompanyId) -> None:
        """Answer for the markers and trains that the new company gives up. The site asks for them before or after the
        offers."""
        given_up = [i for i in while_forming(self.actions, self.walk.at) if self.walk.actor(i) == company]
        markers = [i for i in given_up if self.actions[i]["type"] == "remove_token"]
        trains = [i for i in given_up if self.actions[i]["type"] == "discard_train"]
        while (ask := self.walk.ask(company)) is not None:
            if ask.what == "merger.keep":
                board = self.game.state.board
                removed = [
                    whose_marker(self.game, self._slots, self._tiles.space(board, a["city"]), a.get("slot"))
                    for a in (self.actions[i] for i in markers)
                ]
                if None in removed:
                    raise self.walk.problem("a marker is given up that none of the minors has")
                if (keep := kept_markers(self.game, company, removed)) is None:
                    raise self.walk.problem("the markers that stay are none that may be kept")
                self.walk.play(keep)
            elif ask.what == "discard" and trains:
                self._early.add(trains[0])
                self.on_discard_train(self.actions[trains.pop(0)])
            else:
                break
        self._early.update(markers)

    def on_remove_token(self, action: Action) -> None:
        raise self.walk.problem("there is no marker to be given up")
