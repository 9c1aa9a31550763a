"""The description of a position of 1841 beyond the part of all titles: its own steps and marks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engine.acts.act import Turn
from engine.core.title import Telling
from engine.steps.descriptions import SHARED, Told, company_turn
from engine.titles.t1841.auction.concessions import OpenAuctions, SealedBidding, TieContests
from engine.titles.t1841.ending.stalemate import STILL
from engine.titles.t1841.mergers.exchange import MergerExchange
from engine.titles.t1841.mergers.first_four import FirstFour
from engine.titles.t1841.mergers.fragment_offers import FragmentOffers
from engine.titles.t1841.mergers.merger import Merging, Tried
from engine.titles.t1841.mergers.secession import Secession
from engine.titles.t1841.mergers.share_offers import ShareOffers
from engine.titles.t1841.mergers.token_orders import TokenPurchase
from engine.titles.t1841.mergers.tokens import KeepTokens
from engine.titles.t1841.mergers.tuscan import TuscanMerge
from engine.titles.t1841.money.emergency import Raised
from engine.titles.t1841.names import ACTING, BANK_KNOWN, CONNECTED, END, HISTORY, RESIGNED, ROUNDS, SOLD
from engine.titles.t1841.stock.founding import Founding
from engine.titles.t1841.stock.frame import StockRound
from engine.titles.t1841.track.builds import Built
from engine.titles.t1841.turn.financial import SoldGroup
from engine.titles.t1841.turn.operating_round import OperatingRound
from engine.titles.t1841.turn.queue import ORDER, WAITING
from engine.titles.t1841.turn.surplus import Surplus
from engine.titles.t1841.turn.token_purchase import PlaceBought


def _sealed_bidding(frame: SealedBidding) -> Told:
    """The players who have bid, in the order in which the bids came in; never their bids."""
    return "sealed bids", {"in from": [sealed.actor for sealed in frame.sealed]}


def _tie_contests(frame: TieContests) -> Told:
    return "equal bids", {"still open": [[tie.item, tie.amount, list(tie.players)] for tie in frame.ties]}


def _open_auctions(frame: OpenAuctions) -> Told:
    return "open auctions", {"on turn": frame.turn, "declined in a row": frame.declined}


def _stock_round(frame: StockRound) -> Told:
    return "stock round", {
        "on turn": frame.turn,
        "passes in a row": frame.passes,
        "sold in this round": sorted([player, company] for player, company in frame.sold),
        "sold in this turn": list(frame.sold_now),
        "group sold": frame.group,
        "nobody asked yet": frame.idle,
    }


def _founding(frame: Founding) -> Told:
    return "start of a company", {"company": frame.company, "founder": frame.founder, "step": frame.stage}


def _operating_round(frame: OperatingRound) -> Told:
    return "operating round", {"begun": frame.begun}


def _turn(turn: Turn) -> Told:
    name, facts = company_turn(turn)
    raised = turn.note(Raised)
    return name, {
        **facts,
        "bases of what is laid": [sorted(_base(base) for base in bases) for bases in turn.note(Built).bases],
        "sold for a train": raised.sold,
        "half a unit to come to": sorted(raised.halves),
        "marker taken over": turn.note(PlaceBought).token,
        "group sold": turn.note(SoldGroup).done,
        "mergers taken back": list(turn.note(Tried).partners),
    }


def _base(base: Any) -> list[Any]:
    return list(base)


def _merging(frame: Merging) -> Told:
    return "merger", {
        "companies": list(frame.parts),
        "into": frame.into,
        "decides first": frame.leader,
        "step": frame.stage,
        "can be taken back": frame.before is not None,
        "makes the SFLi": frame.tuscan,
        "in between": frame.between,
        "markers of both": frame.owned,
        "frozen before": sorted(frame.was_frozen),
    }


def _exchange(frame: MergerExchange) -> Told:
    return "exchange of shares", {
        "companies": list(frame.parts),
        "into": frame.into,
        "order": [list(decider) for decider in frame.order],
        "done": frame.done,
        "single shares": frame.odd,
        "circles allowed": frame.forced,
        "decides first": frame.leader,
        "trains over the limit first": frame.surplus,
    }


def _surplus(frame: Surplus) -> Told:
    return "trains of a new company", {"company": frame.company, "decides": frame.player}


def _keep_tokens(frame: KeepTokens) -> Told:
    return "markers to keep", {
        "company": frame.company,
        "decides": frame.player,
        "of": list(frame.parts),
        "places": [list(place) for place in frame.places],
        "least": frame.least,
        "most": frame.most,
        "kept in any case": sorted(frame.fixed),
    }


def _share_offers(frame: ShareOffers) -> Told:
    return "offer of new shares", {
        "company": frame.company,
        "not yet answered": list(frame.waiting),
        "decides first": frame.first,
        "all players next": frame.all_players,
    }


def _token_purchase(frame: TokenPurchase) -> Told:
    return "purchase of markers", {
        "company": frame.company,
        "decides": frame.player,
        "price of the first": frame.first,
        "price of each more": frame.price,
        "one is due": frame.due,
        "one has been paid by others": frame.paid,
        "half a unit to come to": sorted(frame.halves),
    }


def _first_four(frame: FirstFour) -> Told:
    return "first 4-train", {"decides": frame.player, "step": frame.stage}


def _secession(frame: Secession) -> Told:
    return "secession", {
        "decides first": frame.first,
        "order": [list(decider) for decider in frame.order],
        "step": frame.stage,
        "still to choose": [list(decider) for decider in frame.waiting],
        "frozen before": sorted(frame.was_frozen),
    }


def _fragment_offers(frame: FragmentOffers) -> Told:
    return "offers after the secession", {
        "companies": list(frame.parts),
        "decides first": frame.first,
        "have offered": frame.begun,
        "offer no more": sorted(frame.done),
        "next": frame.turn,
        "markers of": frame.tokens,
    }


def _tuscan_merge(frame: TuscanMerge) -> Told:
    return "Tuscan merge", {"decides": frame.decider, "companies": list(frame.parts), "runs at once": frame.runs}


def _marks(marks: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "have operated": _sorted(marks.get(HISTORY)),
        "sold by companies in this round": sorted(list(pair) for pair in marks.get(SOLD) or ()),
        "have resigned": _sorted(marks.get(RESIGNED)),
        "still to operate": _sorted(marks.get(WAITING)),
        **({"in turn and led by": list(marks[ACTING])} if ACTING in marks else {}),
        **({"in this order": list(marks[ORDER])} if ORDER in marks else {}),
        "operating rounds in this set": marks.get(ROUNDS),
        "off-board areas connected": _sorted(marks.get(CONNECTED)),
        "the end comes by": marks.get(END),
        "end announced": bool(marks.get(BANK_KNOWN)),
        **({"nothing has changed since": marks[STILL]} if STILL in marks else {}),
    }


def _sorted(names: Iterable[str] | None) -> list[str]:
    return sorted(names or ())


TELLING = Telling(
    {
        **SHARED,
        SealedBidding: _sealed_bidding,
        TieContests: _tie_contests,
        OpenAuctions: _open_auctions,
        StockRound: _stock_round,
        Founding: _founding,
        OperatingRound: _operating_round,
        Turn: _turn,
        Merging: _merging,
        MergerExchange: _exchange,
        Surplus: _surplus,
        KeepTokens: _keep_tokens,
        ShareOffers: _share_offers,
        TokenPurchase: _token_purchase,
        FirstFour: _first_four,
        Secession: _secession,
        FragmentOffers: _fragment_offers,
        TuscanMerge: _tuscan_merge,
    },
    _marks,
)
