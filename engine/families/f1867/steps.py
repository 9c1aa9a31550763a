"""The steps of a title of the family: which step handles each kind of frame."""

from __future__ import annotations

from collections.abc import Callable

from engine.acts.act import Turn
from engine.acts.turns import Turns
from engine.core.orders import Merge
from engine.core.state import Frame
from engine.core.title import Play, Step
from engine.families.f1867.mergers.announcement import AnnounceStep, AnnounceWindow
from engine.families.f1867.mergers.formation import KeepMarkers, KeepMarkersStep
from engine.families.f1867.mergers.merger_round import MergerRound, MergerRoundStep
from engine.families.f1867.phases import NationalisationOffers, NationalisationOffersStep
from engine.families.f1867.stock.bids import won
from engine.families.f1867.stock.frame import StockRound
from engine.families.f1867.stock.share_offers import OpenOffers, OpenOffersStep, ShareOffers, ShareOffersStep
from engine.families.f1867.stock.starts import may_take_certificate
from engine.families.f1867.stock.stock_round import PLAYER_TURNS
from engine.families.f1867.turn.company_turn import TURNS, window_closed
from engine.families.f1867.turn.operating_round import OperatingRound, OperatingRoundStep
from engine.steps.auction import Auction, AuctionStep
from engine.steps.consent import Consent, ConsentStep
from engine.steps.course import Course, Sequence
from engine.steps.discard import Discards, DiscardStep


def steps(course: Sequence, at_end: Callable[[Play], None], turns: Turns = TURNS) -> dict[type[Frame], Step]:  # type: ignore[type-arg]
    """The step for each kind of frame that all cousins have. ``course``: of the game. ``at_end`` is called when the
    last company of an operating round has had its turn. ``turns``: of companies."""
    mergers = MergerRoundStep()

    def asking(consent: Consent) -> MergerRoundStep | Turns:
        return mergers if isinstance(consent.order, Merge) else turns

    return {
        Course: course,
        StockRound: PLAYER_TURNS,
        Auction: AuctionStep(may_bid=may_take_certificate, won=won),
        OperatingRound: OperatingRoundStep(at_end=at_end),
        Turn: turns,
        AnnounceWindow: AnnounceStep(closed=window_closed),
        Consent: ConsentStep(
            granted=lambda play, consent: asking(consent).granted(play, consent),
            refused=lambda play, consent: asking(consent).refused(play, consent),
        ),
        Discards: DiscardStep(),
        NationalisationOffers: NationalisationOffersStep(),
        MergerRound: mergers,
        KeepMarkers: KeepMarkersStep(),
        ShareOffers: ShareOffersStep(),
        OpenOffers: OpenOffersStep(),
    }
