"""Games whose positions are written down and described in tests: recorded ones, and plain ones without any record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from random import Random

import engine
from engine import Game, Setup, State
from engine.core.events import Became, Event, Pushed
from engine.core.ids import CompanyId, HexId, PlayerId, PrivateId, TrainName
from engine.core.orders import (
    BuyFrom,
    BuyPrivate,
    BuyToken,
    Merge,
    Merger,
    Order,
    PrivateSale,
    SealedBids,
    ShareSale,
    Space,
    TokenSale,
    Train,
    TrainSale,
)
from engine.core.secret import SealedOrder
from engine.core.state import Frame
from engine.families.f1867.mergers.announcement import AnnounceWindow
from engine.families.f1867.mergers.formation import KeepMarkers
from engine.families.f1867.phases import NationalisationOffers
from engine.families.f1867.stock.share_offers import OpenOffers
from engine.robots import random_order, sensible
from engine.steps.consent import Consent
from engine.steps.discard import Discards
from engine.titles.t1841.auction.concessions import SealedBidding, Tie, TieContests
from engine.titles.t1841.mergers.share_offers import ShareOffers
from engine.titles.t1841.turn.surplus import Surplus
from engine.titles.t1844.sbb import MarkerChoice
from engine.titles.t1863.failures.failure import Taking
from engine.titles.t1863.failures.lptb import LptbActs
from engine.titles.t1863.mergers.halves import Halves
from engine.titles.t1863.mergers.markers import MarkersOver
from engine.titles.t1863.money.player_debt import PlayerDebt
from engine.titles.t1863.privates.extra_life import SurvivingTrains
from engine.titles.t1863.privates.quick_deal import QuickDeal
from moderator.domain.records.import_18xx import read_import

RECORDED = ("1861/29683", "1861/167259", "1844/160062", "1841/132002")
TITLES = ("1861", "1844", "1841", "1863")
LONG = {"1861": 330, "1844": 330, "1841": 330, "1863": 130}
"""Orders of a plain game, in all of which stock rounds, turns and, in 1861, mergers come up."""

ANN, BOB, N, MK = PlayerId("Ann"), PlayerId("Bob"), CompanyId("N"), CompanyId("M-K")
TWO = TrainName("2")
SFTN, SFTG, AFI, J6 = CompanyId("SFTN"), CompanyId("SFTG"), CompanyId("AFI"), Space(HexId("J6"))
BAYARD = PrivateId("Bayard")
RARE = {
    "1861": (
        Consent(Train(N, TWO, MK, 50, Train(N, TWO)), ANN, TrainSale(TWO, N, 50), ((BOB, MK),)),
        Consent(BuyPrivate(N, PrivateId("TSR"), 20), ANN, PrivateSale(PrivateId("TSR"), N, 20), ((BOB, BOB),)),
        Consent(Merge(N, (MK,), CompanyId("NW"), (Space(HexId("H8"), 2),)), ANN, Merger((MK, N), MK), ((BOB, MK),)),
        Discards((N, MK)),
        AnnounceWindow(N, 100, (BOB,)),
        NationalisationOffers((N,)),
        KeepMarkers(N, ((HexId("H8"), 1, MK),)),
        OpenOffers(N),
    ),
    "1844": (MarkerChoice(), Discards((N, MK), True), Consent(Train(N, TWO, MK, 1), ANN, TrainSale(TWO, N, 1), ())),
    "1841": (
        SealedBidding((SealedOrder(BOB, SealedBids(BOB, ())),)),
        TieContests((Tie(BAYARD, 40, (ANN, BOB)),)),
        Consent(BuyFrom(ANN, SFTN, 1, BOB, 95), ANN, ShareSale(SFTN, 1, ANN, 95), ((BOB, BOB),)),
        Consent(BuyToken(SFTN, J6, SFTG, 7), ANN, TokenSale(J6, SFTN, 7), ((BOB, SFTG),)),
        Consent(Merge(SFTN, (SFTG,), AFI), ANN, Merger((SFTG,), AFI), ((BOB, SFTG),)),
        Discards((SFTN, SFTG)),
        Surplus(AFI, ANN),
        ShareOffers(AFI, (ANN, SFTN), ANN, True),
    ),
    "1863": (
        Discards((N, MK)),
        SurvivingTrains(N, (TWO,), (4, 1)),
        QuickDeal(((ANN, BAYARD),)),
        LptbActs("shares", (N,), (MK,)),
        Taking(N, "seized", "shares", 40),
        Halves(N, True, "president", (ANN, MK), (ANN,), 2, (BOB,)),
        MarkersOver(N, 3),
        PlayerDebt(ANN, 300, BOB, "short", N),
        Consent(Merge(N, (MK,), MK), ANN, Merger((N, MK), MK), ((BOB, MK),)),
    ),
}
"""Frames that the recorded games do not have; of 1863, which has no recorded game, those that games in tests lack."""


@cache
def plain(title: str) -> Game:
    """A game of three players who play plainly, under way."""
    game = Game.start(engine.load_title(title), Setup(("Ann", "Bob", "Cat"), seed="plain"))
    while len(game.orders) < LONG[title] and not game.finished:
        assert game.submit(sensible(game, game.asked()[0]))
    return game


@cache
def by_chance(title: str, seed: int) -> Game:
    """A game of three players who draw their orders, to its end."""
    game = Game.start(engine.load_title(title), Setup(("Ann", "Bob", "Cat"), seed=str(seed)))
    chance = Random(seed)
    while not game.finished:
        assert game.submit(random_order(game, game.asked()[0], chance))
    return game


@cache
def recorded(records: Path, name: str) -> Game:
    """A recorded game, as it ended."""
    record = read_import(records / f"{name}.json")
    for _ in record.play():
        pass
    return record.game


def as_stored(frame: Frame) -> Frame:
    """The frame without the contents of sealed orders, which are stored with the orders alone."""
    found = ((f.name, getattr(frame, f.name)) for f in fields(frame))
    sealed = {
        name: tuple(each.taken_out() if isinstance(each, SealedOrder) else each for each in value)
        for name, value in found
        if isinstance(value, tuple)
    }
    return replace(frame, **sealed)


def position_as_stored(state: State) -> State:
    """The position without the contents of sealed orders."""
    return replace(state, agenda=tuple(map(as_stored, state.agenda)))


def events_as_stored(events: tuple[Event, ...]) -> tuple[Event, ...]:
    """The events without the contents of sealed orders."""
    return tuple(replace(e, frame=as_stored(e.frame)) if isinstance(e, Became | Pushed) else e for e in events)


def walk(game: Game) -> Iterator[tuple[int, Order, State, tuple[Event, ...], State]]:
    """Each order: its number, itself, the position before it, what followed, and the position after it. All of it is
    played once more, on one way through."""
    again = Game.start(game.title, game.setup)
    for number, order in enumerate(game.orders, start=1):
        before = again.state
        events = again.submit(order)
        assert not isinstance(events, engine.Refused), f"{number}: {events}"
        yield number, order, before, events, again.state
