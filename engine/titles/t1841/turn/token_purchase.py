"""The purchase of a token's place on the map from another company."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.acts.act import Act, Turn, turn_of
from engine.acts.place_token import city_space
from engine.acts.reach import reach_for
from engine.core.agenda import Choice, Range
from engine.core.checks import Failure
from engine.core.events import Lapsed, MarkerReplaced
from engine.core.ids import CompanyId, HexId, PlayerId
from engine.core.orders import BuyToken, Order, TokenSale
from engine.core.state import Note, State
from engine.core.title import Play, Title
from engine.steps.consent import Consent, ask_consent
from engine.titles.t1841.rulings import rulings_of
from engine.titles.t1841.track.crossings import check_border


@dataclass(frozen=True, slots=True)
class PlaceBought(Note):
    """A note that the company has bought a token's place in its turn."""

    token: bool = False


@dataclass(frozen=True, slots=True)
class BuyTokens(Act):
    """Buy one place a turn: the company puts a spare token there, and the other company gets its own back."""

    # rule 6.24, clarification 1.13, 5.5

    takes = (BuyToken,)
    notes = (PlaceBought,)

    def offers(self, title: Title, state: State, turn: Turn, player: PlayerId) -> Iterator[Choice]:
        for order, most in list_tokens_for_sale(title, state, turn):
            yield Range(order, "price", 1, most)

    def cost(self, title: Title, state: State, turn: Turn, order: Order) -> int | None:
        assert isinstance(order, BuyToken)
        return order.price

    def carry_out(self, play: Play, turn: Turn, player: PlayerId, order: Order) -> None:
        assert isinstance(order, BuyToken)
        title, state = play.title, play.state
        play.note(check_purchase(title, state, turn, order))
        if play.failures:
            return
        other = title.policies.director(title, state, order.owner)
        assert other is not None
        if other == player or rulings_of(title).consent == "not_asked":
            buy_place(play, turn, order)
        else:
            subject = TokenSale(order.space, turn.company, order.price)
            ask_consent(play, order, player, subject, ((other, order.owner),))

    def granted(self, play: Play, consent: Consent) -> None:
        order, turn = consent.order, turn_of(play.state)
        assert isinstance(order, BuyToken)
        if check_purchase(play.title, play.state, turn, order):
            play.emit(Lapsed(order))
        else:
            buy_place(play, turn, order)


def place_meant(title: Title, state: State, order: BuyToken) -> int | None:
    """The city of the other company's token that is to be bought; None if there is none, or the order does not tell
    which."""
    if order.space.hex not in title.map.hexes:
        return None
    standing = [i for i, there in enumerate(state.board.circles(order.space.hex)) if order.owner in there]
    named = state.board.city_at(order.space)
    return named if named in standing else standing[0] if named is None and len(standing) == 1 else None


def check_purchase(title: Title, state: State, turn: Turn, order: BuyToken) -> list[Failure]:
    """Every reason against the purchase, consent aside."""
    # rule 6.24, 6.25, clarification 1.13, 2.19, 2.20
    company, owner, failures = turn.company, order.owner, list[Failure]()
    if turn.note(PlaceBought).token:
        failures.append(Failure("acquire.one_a_turn", {"company": company}))
    markers = title.policies.markers(title, state, company)
    if len(state.board.places_of(company)) >= markers:
        failures.append(Failure("token.none_left", {"company": company, "markers": markers}))
    city = place_meant(title, state, order)
    if owner == company or city is None:
        return [*failures, Failure("acquire.not_there", {"hex": order.space.hex, "owner": owner, "company": company})]
    failures += _check_place(title, state, company, order.space.hex, city)
    failures += _check_seller(title, state, owner, order.space.hex, city)
    cash = state.money(company)
    if not 1 <= order.price <= cash:
        failures.append(Failure("acquire.price", {"price": order.price, "cash": cash, "company": company}))
    return failures


def _check_place(title: Title, state: State, company: CompanyId, hex: HexId, city: int) -> Iterator[Failure]:
    if any(company in there for there in state.board.circles(hex)):  # rule 6.27, clarification 2.19
        yield Failure("token.same_hex", {"hex": hex, "company": company})
    if ("c", hex, city) not in reach_for(title, state, company, "token"):  # rule 6.23, clarification 5.4
        yield Failure("token.no_route", {"hex": hex, "company": company})
        yield from check_border(title, state, company, hex, (city,))


def _check_seller(title: Title, state: State, owner: CompanyId, hex: HexId, city: int) -> Iterator[Failure]:
    if title.policies.director(title, state, owner) is None:  # rule 11.4
        yield Failure("acquire.frozen", {"owner": owner})
    rest = [place for place in state.board.places_of(owner) if place != (hex, city)]
    if rulings_of(title).last_city_token == "kept":
        rest = [(h, c) for h, c in rest if state.board.face(h).cities[c].kind == "city"]
    if not rest:  # rule 6.26, clarification 2.20
        yield Failure("acquire.last_city", {"owner": owner, "hex": hex})


def list_tokens_for_sale(title: Title, state: State, turn: Turn) -> Iterator[tuple[BuyToken, int]]:
    """Yield every legal purchase at the lowest price, with the highest price that the company can pay."""
    company, cash = turn.company, state.money(turn.company)
    spare = title.policies.markers(title, state, company) - len(state.board.places_of(company))
    if cash < 1 or spare < 1 or turn.note(PlaceBought).token:
        return
    found = reach_for(title, state, company, "token")
    for hex, cities in state.board.markers.items():
        for city, there in enumerate(cities):
            if ("c", hex, city) not in found:
                continue
            for owner in dict.fromkeys(c for c in there if c != company):
                order = BuyToken(company, city_space(state, hex, city), CompanyId(owner), 1)
                if not check_purchase(title, state, turn, order):
                    yield order, cash


def buy_place(play: Play, turn: Turn, order: BuyToken) -> None:
    """Carry out a checked and agreed purchase."""
    city = place_meant(play.title, play.state, order)
    assert city is not None
    play.pay(turn.company, order.owner, order.price, "token", order.space.hex)
    play.emit(MarkerReplaced(order.owner, turn.company, order.space.hex, city))
    play.become(turn.noting(PlaceBought(True)))
