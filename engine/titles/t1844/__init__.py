"""1844 Switzerland: the title, built from its data, rulings and steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from engine.acts.act import Turn
from engine.core.data import TrainData
from engine.core.ids import IPO, TrainName
from engine.core.orders import UsePrivate
from engine.core.state import Frame
from engine.core.title import Policies, Step, Title
from engine.facts import sections as facts
from engine.steps.consent import Consent, ConsentStep
from engine.steps.course import Course
from engine.steps.discard import Discards, DiscardStep
from engine.titles.changelog import load_changes
from engine.titles.fingerprint import fingerprint
from engine.titles.rulebook import load_addresses
from engine.titles.t1844 import phases, policies, remarks, sbb, sequence
from engine.titles.t1844.box import CORRECTIONS
from engine.titles.t1844.description import TELLING
from engine.titles.t1844.drawing import DRAWING
from engine.titles.t1844.editions import EDITIONS, PLAYERS
from engine.titles.t1844.names import EVA, OWN_5H
from engine.titles.t1844.rulings import Rulings, as_options, choices, with_options
from engine.titles.t1844.stock import auction
from engine.titles.t1844.stock.frame import StockRound
from engine.titles.t1844.stock.stock_round import PLAYER_TURNS
from engine.titles.t1844.turn import earnings, operating_round, powers
from engine.titles.t1844.turn.company_turn import TURNS

__all__ = ["CORRECTIONS", "EDITIONS", "as_options", "choices", "load"]

_HERE = Path(__file__).parent


def load(edition: str | None, options: dict[str, str], own_facts: str = "") -> Title:
    """Load 1844 in ``edition`` (``rulebook`` if None). ``options`` change single rulings; the file ``own_facts``
    corrects facts. Raises ``ValueError`` if the edition or an option is unknown, or if the file is wrong."""
    edition = edition or next(iter(EDITIONS))
    if edition not in EDITIONS:
        raise ValueError(f"1844 has no edition {edition!r}; there are: {', '.join(EDITIONS)}")
    return _build(edition, with_options(EDITIONS[edition], options), own_facts)


@lru_cache(maxsize=16)
def _build(edition: str, rulings: Rulings, own_facts: str) -> Title:
    read, lays = CORRECTIONS.played(rulings, own_facts)
    return Title(
        name="1844",
        edition=edition,
        full_name="1844 Switzerland",
        currency="SFR",
        rulings=rulings,
        options=as_options(rulings),
        map=facts.load_map(read, lays),
        chart=facts.load_charts(read)["grid"],
        trains=_trains(facts.load_trains(read), rulings),
        phases=facts.load_phases(read),
        privates=facts.load_privates(read),
        companies=facts.load_companies(read),
        table={n: row for n, row in facts.load_table(read).items() if n in PLAYERS[edition]},
        bank=facts.load_bank(read),
        own_facts=own_facts,
        reconstructed=facts.load_reconstructed(read),
        facts=read,
        policies=_POLICIES,
        steps=_steps(),
        begin=sequence.SEQUENCE.begin,
        score=sequence.score,
        addresses=load_addresses(_HERE / "rules.toml", edition),
        unsold=IPO,
        order_by_lot=True,
        broke_at_zero=rulings.bank_breaks == "at_zero",
        telling=TELLING,
        drawing=DRAWING,
        rules_version=load_changes(_HERE / "changes.toml")[-1].version,
        fingerprint_of=_fingerprint,
    )


def _fingerprint() -> str:
    return fingerprint(_HERE.name)


def _trains(found: Mapping[TrainName, TrainData], rulings: Rulings) -> Mapping[TrainName, TrainData]:
    """Return the trains, adding the SBB's own 5H and applying the rulings."""  # rule 1.12, 10.12, 13.15
    like = found[EVA]
    own = TrainData(
        OWN_5H, like.cost, 0, like.reach, tradable=False, discardable=rulings.sbb_own_train == "discardable"
    )
    found = {**found, OWN_5H: own}
    if rulings.h_trains_to_vaduz:
        return found
    areas = frozenset({"offboard"})
    counting = {name: t for name, t in found.items() if t.reach.hexes is not None}  # rule 8.10
    return {**found, **{n: replace(t, reach=replace(t.reach, avoids=areas)) for n, t in counting.items()}}


_POLICIES = Policies(
    director=policies.director,
    operating_order=policies.operating_order,
    train_limit=policies.train_limit,
    marker_cost=policies.marker_cost,
    reserved=policies.reserved,
    lay_cost=policies.lay_cost,
    run_traits=earnings.run_traits,
    train_bought=phases.train_bought,
    markers=policies.markers,
    remarks=remarks.remarks,
    unasked=powers.unasked,
    decide_unasked=powers.decide_unasked,
    any_moment=frozenset({UsePrivate}),
    lot=auction.lot,
    lots_to_come=auction.lots_to_come,
    pars_to_come=auction.pars_to_come,
)


def _steps() -> Mapping[type[Frame], Step]:  # type: ignore[type-arg]
    """Return the step that handles each kind of frame."""
    return {
        Course: sequence.SEQUENCE,
        auction.OpeningAuction: auction.OpeningAuctionStep(),
        auction.ParChoice: auction.ParChoiceStep(),
        StockRound: PLAYER_TURNS,
        operating_round.OperatingRound: operating_round.OperatingRoundStep(),
        Turn: TURNS,
        Consent: ConsentStep(granted=TURNS.granted, refused=TURNS.refused),
        Discards: DiscardStep(place=phases.discard_place),
        sbb.MarkerChoice: sbb.MarkerChoiceStep(),
    }
