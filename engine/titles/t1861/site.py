"""Records of 18xx.games: the site's actions as our orders.

The site asks step by step and lets many steps pass; we ask for a turn. A ``pass`` in an inner step is left out, a
``done`` (or another empty answer) is added where the site moved on by itself, and consents are added because the site
does not record them. Shares bought one by one in an offer become one order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, ClassVar

from engine.core.agenda import Ask
from engine.core.checks import Fact, Refused
from engine.core.events import TrainMoved
from engine.core.game import Game
from engine.core.ids import BANK, POOL, CompanyId, HexId, PlayerId, PrivateId, TileId, TrainName
from engine.core.orders import (
    Bid,
    Buy,
    BuyPrivate,
    Convert,
    Decline,
    Discard,
    Done,
    Drop,
    Keep,
    Lay,
    Merge,
    Nationalise,
    Open,
    Order,
    Pass,
    Pay,
    Redeem,
    Route,
    Run,
    Sell,
    Settle,
    Space,
    Start,
    Take,
    Token,
    Train,
)
from engine.routes.legality import check_run
from engine.routes.writing import name_route
from engine.steps.auction import Auction
from engine.steps.trade_shares import sources
from engine.titles.site_walk import Action, Converted, Walk
from engine.titles.t1861.names import MINOR
from engine.titles.t1861.share_offers import ShareOffers

OPTIONAL_RULES = {"column_market": ("chart", "column")}
PAYMENTS = {"payout": "full", "half": "half", "withhold": "none"}


@dataclass(slots=True)
class Converter:
    """Walks through the effective actions of a record (undo and redo resolved) with a game of our own beside it."""

    EDITION: ClassVar[str] = "2020"
    """What the site plays."""

    game: Game
    players: Mapping[str, PlayerId]
    actions: Sequence[Action]
    walk: Walk = field(init=False)
    _trains: dict[str, str] = field(default_factory=dict)
    _tiles: dict[str, HexId] = field(default_factory=dict)
    _sold: set[str] = field(default_factory=set)
    _started: Action | None = None
    _group: list[CompanyId] = field(default_factory=list)
    _converting: bool = False
    _taken: int = 0
    _removed: list[Space] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.walk = Walk(self.game, self.players, self.actions, empty_answer, end_of_turn)

    @staticmethod
    def options(rules: Sequence[str]) -> dict[str, str]:
        """The site's optional rules as options of the edition. ``ValueError`` for one that is not known."""
        unknown = [rule for rule in rules if rule not in OPTIONAL_RULES]
        if unknown:
            raise ValueError(f"optional rule {unknown[0]!r} is not known; known are: {', '.join(OPTIONAL_RULES)}")
        return dict(OPTIONAL_RULES[rule] for rule in rules)

    @staticmethod
    def privates(players: int, actions: Sequence[Action]) -> tuple[str, ...] | None:
        """Privates in play, where the site removes some at random: those that were bid for. None means all."""
        return (
            tuple(dict.fromkeys(a["company"] for a in actions if a["type"] == "bid" and "company" in a))
            if (players == 2)
            else None
        )

    def step(self, number: int) -> Converted:
        """Convert action ``number`` (from 0) and play its orders. ``ValueError`` names an action that does not fit."""
        action = self.walk.begin(number)
        handler: Callable[[Action], None] | None = getattr(self, f"on_{action['type']}", None)
        if handler is None:
            raise self.walk.problem(f"{action['type']!r} is no action of this game")
        handler(action)
        kept = len(self.walk.orders)
        part = (self._started, self._group, self._converting, self._taken, self._removed)
        if not any(part):
            self.walk.catch_up()
        self._follow_trains()
        orders = tuple(self.walk.orders)
        return Converted(orders[:kept], orders[kept:], kept > 0, any(part))

    def _follow_trains(self, bought: str = "", buyer: str = "") -> None:
        """Keep the site's train numbers with their owners. ``bought``: the number that ``buyer`` has just bought."""
        for event in self.walk.heard():
            if not isinstance(event, TrainMoved):
                continue
            same = (i for i, owner in self._trains.items() if owner == event.source and _name(i) == event.train)
            moved = next(same, "")
            if bought and event.target == buyer:
                moved, bought = bought, ""
            if moved:
                self._trains[moved] = event.target

    # ---- names ----------------------------------------------------------------------------------------------------

    def _space(self, city: str) -> Space:
        """``635-0-2`` is city 2 of that tile, ``H8-0-1`` or ``H8-1`` of the printed hex."""
        place, _, index = city.rpartition("-")
        hex = self._tiles.get(place)
        if hex is None:
            hex = HexId(place.split("-")[0])
        exits = self.game.state.board.face(hex).exits_of("c", int(index))
        several = len(self.game.state.board.face(hex).cities) > 1
        return Space(hex, min(exits)) if several and exits else Space(hex)

    # ---- auctions and stock turns ---------------------------------------------------------------------------------

    def on_bid(self, action: Action) -> None:
        player = self.walk.player(action["entity"])
        item = self.walk.company(action["corporation"]) if "corporation" in action else PrivateId(action["company"])
        top = self.game.state.top
        if isinstance(top, Auction):
            self.walk.play(Bid(player, int(action["price"]), item))
        else:
            self.walk.play(Open(player, item, int(action["price"])))

    def on_pass(self, action: Action) -> None:
        if action["entity_type"] == "player":
            self._pass_player(self.walk.player(action["entity"]))
        else:
            self._pass_company(self.walk.company(action["entity"]))

    def _pass_player(self, player: PlayerId) -> None:
        ask = self.walk.ask(player)
        if ask is None:
            self._taken = 0
            return
        if ask.what == "auction.bid":
            self.walk.play(Drop(player))
        elif ask.what == "offer.shares":
            number, self._taken = self._taken, 0
            self.walk.play(Take(player, number))
        else:
            self.walk.play(Pass(player))

    def _pass_company(self, company: CompanyId) -> None:
        ask = self.walk.ask(company)
        if ask is None or self._group or self._converting:
            return
        if ask.what == "merger.turn":
            self.walk.play(Decline(company))
        elif ask.what == "nationalise":
            self.walk.play(Nationalise(company, False))
        elif "loans" in ask.about:
            self.walk.play(Settle(company))

    def on_sell_shares(self, action: Action) -> None:
        company, percent = self.walk.company(action["shares"][0].rsplit("_", 1)[0]), int(action["percent"])
        self._sold.update(s for s in action["shares"] if not s.endswith("_0"))
        self.walk.play(Sell(self.walk.player(action["entity"]), company, percent // 10))

    def on_buy_shares(self, action: Action) -> None:
        company, number = self.walk.company(action["shares"][0].rsplit("_", 1)[0]), int(action["percent"]) // 10
        from_pool = action["shares"][0] in self._sold
        self._sold.difference_update(action["shares"])
        if action["entity_type"] == "corporation":
            self.walk.play(Redeem(company, number))
            return
        player, top = self.walk.player(action["entity"]), self.game.state.top
        if isinstance(top, ShareOffers):
            self._taken += number
            if not top.holders or not self._goes_on(action):
                number, self._taken = self._taken, 0
                self.walk.play(Take(player, number))
            return
        found = sources(self.game.title, self.game.state, company)
        source = ("pool" if from_pool else "treasury") if len(found) > 1 else found[0] if found else None
        self.walk.play(Buy(player, company, "pool" if source == "pool" else "treasury"))

    def on_par(self, action: Action) -> None:
        self._started = action

    def _goes_on(self, action: Action) -> bool:
        """Whether the same player's next action still belongs to his answer to the offer."""
        following = self.walk.following
        if following is None:
            return False
        return bool(following["entity"] == action["entity"] and following["type"] in ("buy_shares", "pass"))

    # ---- a company's turn -----------------------------------------------------------------------------------------

    def on_place_token(self, action: Action) -> None:
        space = self._space(action["city"])
        if self._started is None:
            self.walk.play(Token(self.walk.company(action["entity"]), space))
            return
        begun, self._started = self._started, None
        price = int(str(begun["share_price"]).split(",")[0])
        self.walk.play(Start(self.walk.player(begun["entity"]), self.walk.company(begun["corporation"]), price, space))

    def on_lay_tile(self, action: Action) -> None:
        hex = HexId(action["hex"])
        self._tiles[action["tile"]] = hex
        tile = TileId(str(action["tile"]).rsplit("-", 1)[0])
        self.walk.play(Lay(self.walk.company(action["entity"]), tile, hex, int(action["rotation"])))

    def on_buy_company(self, action: Action) -> None:
        company = self.walk.company(action["entity"])
        self.walk.play(BuyPrivate(company, PrivateId(action["company"]), int(action["price"])))

    def on_buy_train(self, action: Action) -> None:
        id, company = str(action["train"]), self.walk.company(action["entity"])
        train = TrainName(action.get("variant") or _name(id))
        owner = self._trains.get(id, BANK)
        if owner not in (BANK, POOL) and train not in self.game.state.companies[CompanyId(owner)].trains:
            raise self.walk.problem(f"{owner} has no {train}-train")
        if owner == BANK:
            order = Train(company, train)
        elif owner == POOL:
            order = Train(company, train, POOL)
        else:
            order = Train(company, train, owner, int(action["price"]))
        self.walk.play(order)
        self.walk.answer_consents()
        self._follow_trains(id, company)

    def on_run_routes(self, action: Action) -> None:
        company = self.walk.company(action["entity"])
        state = self.game.state
        traits = self.game.title.policies.run_traits(self.game.title, state, company)
        routes = tuple(_route(r) for r in action["routes"])
        checked = check_run(state.board, traits, routes)
        unpaid = {h for f in checked.failures if f.check == "run.end_not_counted" for h in _hexes(f.facts["hexes"])}
        if unpaid:
            # The site lets a run go on to a small city that does not count; ours ends where it earns.
            routes = tuple(_route(r, unpaid) for r in action["routes"])
            checked = check_run(state.board, traits, routes)
        if not checked.failures:
            routes = tuple(
                name_route(state.board, traits, r.train, t) for r, t in zip(routes, checked.tracks, strict=True)
            )
        self.walk.play(Run(company, routes))

    def on_dividend(self, action: Action) -> None:
        self.walk.play(Pay(self.walk.company(action["entity"]), PAYMENTS[action["kind"]]))  # type: ignore[arg-type]

    def on_discard_train(self, action: Action) -> None:
        id = str(action["train"])
        self.walk.play(Discard(self.walk.company(action["entity"]), TrainName(_name(id))))

    def on_choose(self, action: Action) -> None:
        self.walk.play(Nationalise(self.walk.company(action["entity"]), True))

    # ---- mergers --------------------------------------------------------------------------------------------------

    def on_convert(self, action: Action) -> None:
        self._converting = True

    def on_merge(self, action: Action) -> None:
        minor, other = self.walk.company(action["entity"]), self.walk.company(str(action["corporation"]))
        if self.game.title.companies[other].kind == MINOR:
            self._group.append(other)
            return
        if self._converting:
            self.walk.play(Convert(minor, other))
        else:
            self.walk.play(Merge(minor, tuple(self._group), other))
        self.walk.answer_consents()
        self._group, self._converting = [], False
        self._keep_by_itself(other)

    def _keep_by_itself(self, company: CompanyId) -> None:
        """Where the site leaves no choice of markers that we ask for, the first possible ones stay."""
        following = self.walk.following
        ask = self.walk.ask(company)
        if ask is not None and ask.what == "merger.keep" and (following is None or following["type"] != "remove_token"):
            self.walk.play(Keep(company, first_markers(self.game, company)))

    def on_remove_token(self, action: Action) -> None:
        company = self.walk.company(action["entity"])
        self._removed.append(self._space(action["city"]))
        following = self.walk.following
        if following is not None and following["type"] == "remove_token":
            return
        gone = {(s.hex, self.game.state.board.city_at(s)) for s in self._removed}
        self._removed = []
        for choice in self.game.legal(company):
            order = choice.order
            assert isinstance(order, Keep)
            if not gone & {(s.hex, self.game.state.board.city_at(s)) for s in order.spaces}:
                self.walk.play(order)
                return
        raise self.walk.problem("the markers that stay are none that may be kept")

    def on_end_game(self, action: Action) -> None:
        raise self.walk.problem("the players ended the game on the site before its end by the rules")


def end_of_turn(ask: Ask) -> Order | None:
    """``done`` for a company's turn."""
    return Done(CompanyId(ask.actor)) if ask.what == "company.turn" else None


def empty_answer(game: Game, ask: Ask) -> Order | None:
    """The answer of someone who does nothing."""
    company = CompanyId(ask.actor)
    match ask.what:
        case "company.turn":
            cannot = isinstance(game.check(Done(company)), Refused)
            return Run(company, ()) if cannot else Done(company)
        case "merger.turn":
            return Decline(company)
        case "offer.shares":
            return Take(PlayerId(ask.actor), 0)
        case "stock.turn" | "auction.open":
            return Pass(ask.actor)
        case "auction.bid":
            return Drop(PlayerId(ask.actor))
        case "nationalise":
            return Nationalise(company, False)
        case "state_railway.run":
            return Run(company, ())
        case "merger.keep":
            return Keep(company, first_markers(game, company))
    return None


def first_markers(game: Game, company: CompanyId) -> tuple[Space, ...]:
    """The first set of markers that may stay."""
    order = game.legal(company)[0].order
    assert isinstance(order, Keep)
    return order.spaces


def _name(id: str) -> str:
    """Type of a train by its number on the site: ``5+5E-1`` is a ``5+5E``."""
    return id.rsplit("-", 1)[0]


def _hexes(fact: Fact) -> tuple[str, ...]:
    return tuple(str(h) for h in fact) if isinstance(fact, tuple) else ()


def _route(route: Mapping[str, Any], unpaid: Set[str] = frozenset()) -> Route:
    """A run with every hex of its track named, from the site's list of legs (which may lie in either direction).
    Legs to an ``unpaid`` end are left out."""
    legs = _in_line([list(leg) for leg in route["connections"]])
    while len(legs) > 1 and legs[0][0] in unpaid:
        del legs[0]
    while len(legs) > 1 and legs[-1][-1] in unpaid:
        del legs[-1]
    path = legs[0] + [hex for leg in legs[1:] for hex in leg[1:]]
    return Route(TrainName(_name(str(route["train"]))), tuple(HexId(h) for h in path))


def _in_line(legs: list[list[str]]) -> list[list[str]]:
    """Each leg turned so that it begins where the one before it ends."""
    if len(legs) > 1 and legs[0][-1] not in (legs[1][0], legs[1][-1]):
        legs[0].reverse()
    for before, leg in pairwise(legs):
        if leg[0] != before[-1]:
            leg.reverse()
    return legs
