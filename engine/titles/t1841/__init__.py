"""1841, Railways in Northern Italy: data, rulings and steps put together into a title."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from engine.acts.act import Turn
from engine.core.state import Frame
from engine.core.title import Play, Policies, Step, Title
from engine.facts import sections as facts
from engine.steps.auction import Auction
from engine.steps.consent import Consent, ConsentStep
from engine.steps.course import Course
from engine.steps.discard import Discards, DiscardStep
from engine.titles.changelog import load_changes
from engine.titles.fingerprint import fingerprint
from engine.titles.rulebook import load_addresses
from engine.titles.t1841 import phases, policies, remarks, sequence
from engine.titles.t1841.auction import concessions
from engine.titles.t1841.box import CORRECTIONS
from engine.titles.t1841.description import TELLING
from engine.titles.t1841.drawing import DRAWING
from engine.titles.t1841.editions import EDITIONS, PLAYERS
from engine.titles.t1841.ending import ends
from engine.titles.t1841.mergers import exchange, first_four, fragment_offers, secession, share_offers, tokens, tuscan
from engine.titles.t1841.mergers import merger as merging
from engine.titles.t1841.mergers import passage as unsettled
from engine.titles.t1841.mergers import token_orders as new_tokens
from engine.titles.t1841.rulings import Rulings, as_options, choices, with_options
from engine.titles.t1841.stock import founding
from engine.titles.t1841.stock.frame import StockRound
from engine.titles.t1841.stock.stock_round import PLAYER_TURNS
from engine.titles.t1841.turn import earnings, operating_round, surplus
from engine.titles.t1841.turn.company_turn import TURNS

__all__ = ["CORRECTIONS", "EDITIONS", "as_options", "choices", "load"]

_HERE = Path(__file__).parent


def load(edition: str | None, options: dict[str, str], own_facts: str = "") -> Title:
    """1841 in ``edition`` (``clarified`` if None), with ``options`` changing single rulings, and the
    corrected facts of the file ``own_facts``. ``ValueError`` names what is unknown, and what in the file is wrong."""
    edition = edition or next(iter(EDITIONS))
    if edition not in EDITIONS:
        raise ValueError(f"1841 has no edition {edition!r}; there are: {', '.join(EDITIONS)}")
    return _build(edition, with_options(EDITIONS[edition], options), own_facts)


@lru_cache(maxsize=16)
def _build(edition: str, rulings: Rulings, own_facts: str) -> Title:
    read, lays = CORRECTIONS.played(rulings, own_facts)
    return Title(
        name="1841",
        edition=edition,
        full_name="1841 Railways in Northern Italy",
        currency="L.",
        rulings=rulings,
        options=as_options(rulings),
        map=facts.load_map(read, lays, rulings.blind_ends),
        chart=facts.load_charts(read)["grid"],
        trains=facts.load_trains(read),
        phases=facts.load_phases(read),
        privates=facts.load_privates(read),
        companies=facts.load_companies(read),
        table={n: row for n, row in facts.load_table(read).items() if n in PLAYERS[rulings.map]},
        bank=facts.load_bank(read),
        own_facts=own_facts,
        reconstructed=facts.load_reconstructed(read),
        facts=read,
        policies=_POLICIES,
        steps=_steps(),
        begin=sequence.SEQUENCE.begin,
        score=ends.score,
        addresses=load_addresses(_HERE / "rules.toml", edition),
        order_by_lot=True,
        broke_at_zero=rulings.bank_breaks == "at_zero",
        rules_version=load_changes(_HERE / "changes.toml")[-1].version,
        telling=TELLING,
        drawing=DRAWING,
        fingerprint_of=_fingerprint,
    )


def _fingerprint() -> str:
    return fingerprint(_HERE.name)


def _before_asking(play: Play) -> None:
    ends.end_at_once(play)
    surplus.ask_for_surplus(play)


_POLICIES = Policies(
    director=policies.director,
    operating_order=policies.operating_order,
    train_limit=policies.train_limit,
    marker_cost=policies.marker_cost,
    reserved=policies.reserved,
    lay_cost=policies.lay_cost,
    train_bought=phases.train_bought,
    run_traits=earnings.run_traits,
    ways=policies.ways,
    remarks=remarks.remarks,
    decide_unasked=concessions.decide_anew,
    before_asking=_before_asking,
    lot=concessions.lot,
    lots_to_come=concessions.lots_to_come,
    merged_price=merging.price_merged,
    unsettled=unsettled.unsettled,
)


def _steps() -> Mapping[type[Frame], Step]:  # type: ignore[type-arg]
    """Every kind of frame with the step that handles it."""
    return {
        Course: sequence.SEQUENCE,
        concessions.SealedBidding: concessions.SealedBiddingStep(),
        concessions.TieContests: concessions.TieContestsStep(),
        concessions.OpenAuctions: concessions.OpenAuctionsStep(),
        Auction: concessions.AUCTIONS,
        operating_round.OperatingRound: operating_round.OperatingRoundStep(),
        Turn: TURNS,
        Consent: ConsentStep(granted=_granted, refused=_refused),
        Discards: DiscardStep(cheapest=True),
        StockRound: PLAYER_TURNS,
        founding.Founding: founding.FoundingStep(),
        merging.Merging: merging.MergingStep(),
        exchange.MergerExchange: exchange.MergerExchangeStep(),
        surplus.Surplus: surplus.SurplusStep(),
        tokens.KeepTokens: tokens.KeepTokensStep(),
        share_offers.ShareOffers: share_offers.ShareOffersStep(),
        new_tokens.TokenPurchase: new_tokens.TokenPurchaseStep(),
        first_four.FirstFour: first_four.FirstFourStep(),
        secession.Secession: secession.SecessionStep(),
        fragment_offers.FragmentOffers: fragment_offers.FragmentOffersStep(),
        tuscan.TuscanMerge: tuscan.TuscanMergeStep(),
    }


def _granted(play: Play, consent: Consent) -> None:
    """Everybody who was asked has agreed to an order of a company's turn or of a stock round."""
    (TURNS if isinstance(play.state.top, Turn) else PLAYER_TURNS).granted(play, consent)


def _refused(play: Play, consent: Consent) -> None:
    if isinstance(play.state.top, Turn):
        TURNS.refused(play, consent)
