"""The steps of 18xx.games in a company's turn, and when the site waits for the company in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from engine.acts.pay_out import PAY
from engine.acts.place_token import check_token, city_space, list_tokens
from engine.core.ids import CompanyId, HexId
from engine.core.orders import (
    Bankrupt,
    Buy,
    BuyToken,
    Convert,
    Lay,
    Merge,
    Order,
    Pay,
    Run,
    RunBest,
    Sell,
    SellGroup,
    Start,
    Token,
    Train,
)
from engine.core.state import State
from engine.core.title import Title
from engine.holders.charters import charter_of
from engine.site18xx.sheet import Action, Sheet
from engine.site18xx.steps import SiteStep, did, never
from engine.site18xx.t1841.certificates import SiteBooks
from engine.site18xx.t1841.passes import takes_for_startable
from engine.titles.t1841.ending.end_signals import connected
from engine.titles.t1841.mergers.assets import free_majors
from engine.titles.t1841.mergers.partners import may_merge
from engine.titles.t1841.mergers.transform import check_transformation
from engine.titles.t1841.names import FIRENZE, MINOR
from engine.titles.t1841.pieces import external_boxes
from engine.titles.t1841.rulings import rulings_of
from engine.titles.t1841.stock.founding import list_starts
from engine.titles.t1841.stock.trading import list_buys, list_sales
from engine.titles.t1841.track.builds import most_builds
from engine.titles.t1841.turn.company_turn import ACQUIRE, BUY, TRAINS
from engine.titles.t1841.turn.financial import MERGE, sold_before
from engine.titles.t1841.turn.trains import offers


def _builds(title: Title, state: State, company: CompanyId, given: Sequence[Order]) -> bool:
    return did(given, Lay) < most_builds(title, state, company)


def _built(title: Title, state: State, company: CompanyId, given: Sequence[Order]) -> bool:
    return did(given, Lay) > 0


@dataclass(slots=True)
class Connections:
    """The hexes of areas outside the map that companies have reached. The site counts the hexes one by one."""

    _known: set[HexId] = field(default_factory=set)

    def tell(self, sheet: Sheet, company: CompanyId, state: State) -> Action:
        """The action by which the site reports, after a company's track, the hexes that it is the first to reach."""
        title = sheet.game.title
        areas = (hex for there in external_boxes(title).values() for hex in there)
        new = [hex for hex in areas if hex not in self._known and connected(title, state, company, (hex,))]
        self._known.update(new)
        return sheet.by(company, "destination_connection", hexes=new)


def _places(title: Title, state: State, company: CompanyId, given: Sequence[Order]) -> bool:
    """True if the site asks for a token. It also asks if all free places are kept for SFMA in Firenze, as long as both
    its cities are free."""
    again, board = did(given, Token) > 0, state.board
    if list_tokens(title, state, company, state.money(company), again):
        return True
    if FIRENZE not in title.map.hexes or rulings_of(title).sfma_home != "either":
        return False
    free = [city for city in range(len(board.face(FIRENZE).cities)) for _ in range(board.free(FIRENZE, city))]
    spaces = {city_space(state, FIRENZE, city) for city in free}
    kept = (check_token(title, state, company, space, state.money(company), again) for space in spaces)
    return len(free) > 1 and any({failure.check for failure in failures} == {"token.reserved"} for failures in kept)


def _acquires(title: Title, state: State, company: CompanyId, given: Sequence[Order]) -> bool:
    """True if the site asks for the purchase of a place: the company has a token and money left. There need be no place
    to buy."""
    spare = title.policies.markers(title, state, company) - len(state.board.places_of(company))
    return not did(given, BuyToken) and spare >= 1 and state.money(company) >= 1


def _buys_train(title: Title, state: State, company: CompanyId, given: Sequence[Order]) -> bool:
    return any(True for _ in offers(title, state, company))


class Papers(Protocol):
    """Whoever keeps the books of certificates."""

    books: SiteBooks


@dataclass(slots=True)
class Trades:
    """The step in which a company trades. The site also asks if a closed company seems to be for sale by ``papers``."""

    papers: Papers

    def ask(self, title: Title, state: State, company: CompanyId, given: Sequence[Order]) -> bool:
        """True if the site asks the company for a sale, a purchase or a start."""
        if did(given, Buy, Start):
            return False
        sold = sold_before(state)
        return (
            any(True for _ in list_sales(title, state, company))
            or any(True for _ in list_buys(title, state, company, sold))
            or any(True for _ in list_starts(title, state, company, sold))
            or takes_for_startable(title, state, company, self.papers.books)
        )


def _merges(title: Title, state: State, company: CompanyId, given: Sequence[Order]) -> bool:
    """True if the site asks for a merger: the company may merge. There need be no partner."""
    return bool(free_majors(title, state)) and may_merge(title, state, company)


def _transforms(title: Title, state: State, company: CompanyId, given: Sequence[Order]) -> bool:
    orders = (Convert(company, into) for into in free_majors(title, state))
    minor = charter_of(title, state, company).kind == MINOR
    return minor and any(not check_transformation(title, state, order) for order in orders)


def steps_of_a_turn(connections: Connections, trades: Trades) -> tuple[SiteStep, ...]:
    """The steps in their order of play."""
    return (
        SiteStep("track", (Lay,), _builds),
        SiteStep("track", (), _built, connections.tell),
        SiteStep("token", (Token,), _places),
        SiteStep("run", (Run, RunBest), never),
        SiteStep(PAY, (Pay,), never),
        SiteStep(ACQUIRE, (BuyToken,), _acquires),
        SiteStep(TRAINS, (Train, Sell, Bankrupt), _buys_train),
        SiteStep(BUY, (Sell, SellGroup, Buy, Start), trades.ask),
        SiteStep(MERGE, (Merge,), _merges),
        SiteStep(MERGE, (Convert,), _transforms),
    )
