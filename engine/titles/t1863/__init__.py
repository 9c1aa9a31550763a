"""1863 London Underground: puts its data, rulings and steps together into a title."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from engine.acts.act import Turn
from engine.core.data import TableRow, TrainData
from engine.core.ids import TrainName
from engine.core.state import Frame
from engine.core.title import Policies, Step, Title
from engine.facts import sections as facts
from engine.steps.auction import Auction
from engine.steps.consent import Consent
from engine.steps.course import Course
from engine.steps.discard import Discards
from engine.titles.changelog import load_changes
from engine.titles.fingerprint import fingerprint
from engine.titles.rulebook import load_addresses
from engine.titles.t1863 import free_orders as unasked
from engine.titles.t1863 import phases, pieces, policies, remarks, sequence
from engine.titles.t1863.box import CORRECTIONS
from engine.titles.t1863.description import TELLING
from engine.titles.t1863.drawing import DRAWING
from engine.titles.t1863.editions import EDITIONS, PLAYERS
from engine.titles.t1863.ending import ends
from engine.titles.t1863.failures import forecast as lots_to_come
from engine.titles.t1863.failures.failure import Liquidation, Taking, unsettled
from engine.titles.t1863.failures.kinds import LOTS
from engine.titles.t1863.failures.liquidation import Failing, FailingStep, LiquidationStep
from engine.titles.t1863.failures.lots import LotAuction
from engine.titles.t1863.failures.lptb import LptbActs, LptbStep
from engine.titles.t1863.failures.takeover import TakingStep
from engine.titles.t1863.mergers.halves import Halves, HalvesStep
from engine.titles.t1863.mergers.markers import MarkersOver, MarkersOverStep
from engine.titles.t1863.mergers.merger_round import CONSENTS, MergerRound, MergerRoundStep
from engine.titles.t1863.money import loans
from engine.titles.t1863.money.crisis import Bill, BillStep
from engine.titles.t1863.money.player_debt import PlayerDebt, PlayerDebtStep
from engine.titles.t1863.names import LPTB, OSI, PIRATE, TWO_T
from engine.titles.t1863.privates import bids as bidding
from engine.titles.t1863.privates.auction import PrivateRound, PrivateRoundStep
from engine.titles.t1863.privates.extra_life import SurvivingTrains, SurvivingTrainsStep
from engine.titles.t1863.privates.quick_deal import QuickDeal, QuickDealStep
from engine.titles.t1863.privates.sales import PrivateOffers, PrivateOffersStep
from engine.titles.t1863.rulings import Rulings, as_options, choices, with_options
from engine.titles.t1863.stock import shares
from engine.titles.t1863.stock.floats import Floating, FloatingStep
from engine.titles.t1863.stock.frame import StockRound
from engine.titles.t1863.stock.stock_round import PLAYER_TURNS
from engine.titles.t1863.stock.windows import Window, WindowStep
from engine.titles.t1863.turn import costs, earnings
from engine.titles.t1863.turn.company_turn import TURNS
from engine.titles.t1863.turn.operating_round import OperatingRound, OperatingRoundStep

__all__ = ["CORRECTIONS", "EDITIONS", "as_options", "choices", "load"]

_HERE = Path(__file__).parent


def load(edition: str | None, options: dict[str, str], own_facts: str = "") -> Title:
    """Return 1863 in ``edition`` (``historical`` if None). ``options`` change single rulings; ``own_facts`` is a file
    of corrected facts. ``ValueError`` names what is unknown, and the errors in the file."""
    edition = edition or next(iter(EDITIONS))
    if edition not in EDITIONS:
        raise ValueError(f"1863 has no edition {edition!r}; there are: {', '.join(EDITIONS)}")
    return _build(edition, with_options(EDITIONS[edition], options), own_facts)


@lru_cache(maxsize=16)
def _build(edition: str, rulings: Rulings, own_facts: str) -> Title:
    read, lays = CORRECTIONS.played(rulings, own_facts)
    return Title(
        name="1863",
        edition=edition,
        full_name="1863 London Underground",
        currency="£",
        rulings=rulings,
        options=as_options(rulings),
        map=facts.load_map(read, lays),
        chart=facts.load_charts(read)["row"],
        trains=_trains(facts.load_trains(read)),
        phases=facts.load_phases(read),
        privates={id: replace(private, counts=False) for id, private in facts.load_privates(read).items()},  # rule 4.1
        companies=shares.with_shorts(facts.load_companies(read)),
        table={n: _row(row, rulings) for n, row in facts.load_table(read).items() if n in PLAYERS},
        bank=facts.load_bank(read),
        loan=pieces.loan_of(read),
        loan_value=pieces.loan_of(read),
        taken_names=frozenset({OSI, LPTB, PIRATE}),
        own_facts=own_facts,
        reconstructed=facts.load_reconstructed(read),
        facts=read,
        policies=_POLICIES,
        steps=_steps(),
        begin=sequence.SEQUENCE.begin,
        score=ends.score,
        addresses=load_addresses(_HERE / "rules.toml", edition),
        rules_version=load_changes(_HERE / "changes.toml")[-1].version,
        telling=TELLING,
        drawing=DRAWING,
        fingerprint_of=_fingerprint,
    )


def _fingerprint() -> str:
    return fingerprint(_HERE.name)


def _trains(found: Mapping[TrainName, TrainData]) -> Mapping[TrainName, TrainData]:
    """The trains, with no limit yet on the number of 2T."""  # rule 5.5
    return {**found, TWO_T: replace(found[TWO_T], quantity=None)}


def _row(row: TableRow, rulings: Rulings) -> TableRow:
    """The figures for a number of players, adjusted for a short or a long game."""  # rule 13.2, 13.3
    third, fourth = TrainName("3T"), TrainName("4T")
    removed = dict(row.trains_removed)
    if rulings.short_game in pieces.FEWER["III"]:
        removed[third] = removed.get(third, 0) + 2
    if rulings.long_game:
        removed[fourth] = max(0, removed.get(fourth, 0) - 2)
    return replace(row, trains_removed=removed)


_POLICIES = Policies(
    director=policies.director,
    operating_order=policies.operating_order,
    train_limit=policies.train_limit,
    marker_cost=policies.marker_cost,
    reserved=policies.reserved,
    train_bought=phases.train_bought,
    run_traits=earnings.run_traits,
    credit=loans.credit,
    bill=costs.bill,
    before_asking=ends.end_at_once,
    remarks=remarks.remarks,
    unasked=unasked.unasked,
    decide_unasked=unasked.decide_unasked,
    any_moment=unasked.KINDS,
    lot=lots_to_come.lot,
    lots_to_come=lots_to_come.lots_to_come,
    unsettled=unsettled,
)


def _steps() -> Mapping[type[Frame], Step]:  # type: ignore[type-arg]
    """Every kind of frame with the step that handles it."""
    return {
        Course: sequence.SEQUENCE,
        Auction: bidding.AUCTIONS,
        StockRound: PLAYER_TURNS,
        Floating: FloatingStep(),
        Window: WindowStep(),
        OperatingRound: OperatingRoundStep(),
        Turn: TURNS,
        Discards: phases.DISCARDS,
        SurvivingTrains: SurvivingTrainsStep(),
        PrivateRound: PrivateRoundStep(),
        QuickDeal: QuickDealStep(),
        LotAuction: LOTS,
        PrivateOffers: PrivateOffersStep(),
        Bill: BillStep(),
        PlayerDebt: PlayerDebtStep(),
        Failing: FailingStep(),
        Liquidation: LiquidationStep(),
        LptbActs: LptbStep(),
        Taking: TakingStep(),
        MergerRound: MergerRoundStep(),
        Consent: CONSENTS,
        Halves: HalvesStep(),
        MarkersOver: MarkersOverStep(),
    }
