"""1867, The Railways of Canada: the title, built from its data, rulings and the steps of its family."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from engine.core.data import TrainData
from engine.core.title import Title
from engine.facts import sections as facts
from engine.families.f1867 import phases
from engine.families.f1867 import policies as shared
from engine.families.f1867 import sequence as course
from engine.families.f1867.kin import Kin
from engine.families.f1867.mergers import formation
from engine.families.f1867.steps import steps
from engine.families.f1867.stock import lots
from engine.families.f1867.turn import loans, markers, trains
from engine.routes.reach import TrainReach
from engine.titles.changelog import load_changes
from engine.titles.fingerprint import fingerprint
from engine.titles.rulebook import load_addresses
from engine.titles.t1867 import homes, policies, remarks, sequence
from engine.titles.t1867.box import CORRECTIONS
from engine.titles.t1867.description import TELLING
from engine.titles.t1867.drawing import DRAWING
from engine.titles.t1867.editions import EDITIONS, PLAYERS
from engine.titles.t1867.names import CANADIAN_NATIONAL, MONTREAL, TORONTO
from engine.titles.t1867.rulings import Rulings, as_options, choices, with_options
from engine.titles.t1867.trade_in import TURNS

__all__ = ["CORRECTIONS", "EDITIONS", "as_options", "choices", "load"]

_HERE = Path(__file__).parent


def load(edition: str | None, options: dict[str, str], own_facts: str = "") -> Title:
    """Load 1867 in ``edition`` (``18xx.games`` if None). ``options`` change single rulings; the file ``own_facts``
    corrects facts. Raises ``ValueError`` if the edition or an option is unknown, or if the file is wrong."""
    edition = edition or next(iter(EDITIONS))
    if edition not in EDITIONS:
        raise ValueError(f"1867 has no edition {edition!r}; there are: {', '.join(EDITIONS)}")
    return _build(edition, with_options(EDITIONS[edition], options), own_facts)


@lru_cache(maxsize=16)
def _build(edition: str, rulings: Rulings, own_facts: str) -> Title:
    read, lays = CORRECTIONS.played(rulings, own_facts)
    return Title(
        name="1867",
        edition=edition,
        full_name="1867 The Railways of Canada",
        currency="$",
        rulings=rulings,
        options=as_options(rulings),
        map=replace(facts.load_map(read, lays), any_marker_blocks=False, reach_apart=True),  # rule 7.5, 8.1
        chart=facts.load_charts(read)[rulings.chart],
        trains={t.name: _train(t) for t in facts.load_trains(read).values()},
        phases=facts.load_phases(read),
        privates=facts.load_privates(read),
        companies=facts.load_companies(read),
        table={n: row for n, row in facts.load_table(read).items() if n in PLAYERS},
        bank=facts.load_bank(read),
        own_facts=own_facts,
        reconstructed=facts.load_reconstructed(read),
        facts=read,
        broke_at_zero=False,  # rule 15.5
        loan=loans.RECEIVED,
        loan_value=loans.VALUE,
        policies=_POLICIES,
        steps=steps(sequence.SEQUENCE, policies.export, TURNS),
        begin=sequence.SEQUENCE.begin,
        score=course.score,
        addresses=load_addresses(_HERE / "rules.toml", edition),
        telling=TELLING,
        drawing=DRAWING,
        rules_version=load_changes(_HERE / "changes.toml")[-1].version,
        fingerprint_of=_fingerprint,
    )


def _fingerprint() -> str:
    return fingerprint(_HERE.name)


def _train(train: TrainData) -> TrainData:
    """Return the train, the 5+5E with its reach."""  # rule 9.8
    if train.name != "5+5E":
        return train
    stops, multiplier = train.reach.stops, train.reach.multiplier
    return replace(train, reach=TrainReach(stops, frozenset({"offboard"}), multiplier, True, ends_count=False))


_POLICIES = Kin(
    state=CANADIAN_NATIONAL,
    metropolis=MONTREAL,
    capitals=frozenset({MONTREAL, TORONTO}),
    take_over=policies.take_over,
    steps_per_loan=2,
    home=homes.home,
    openings=homes.openings,
    check_opening=homes.check_opening,
    opened=homes.opened,
    minor_started=homes.minor_started,
    last_rounds_at_once=False,
    director=shared.director,
    operating_order=shared.operating_order,
    train_limit=shared.train_limit,
    credit=trains.train_credit,
    marker_cost=markers.marker_cost,
    reserved=policies.reserved,
    hex_closed=markers.hex_closed,
    lay_cost=policies.lay_cost,
    most_exits=markers.most_exits,
    run_traits=policies.run_traits,
    train_bought=phases.train_bought,
    lot=lots.lot,
    lots_to_come=lots.lots_to_come,
    merged_price=formation.price_of_merger,
    remarks=remarks.remarks,
)
