"""1861, The Railways of the Russian Empire: the title, built from its data, rulings and steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from engine.core.data import CompanyData, TrainData
from engine.core.ids import CompanyId
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
from engine.titles.t1861 import policies, reservations, sequence
from engine.titles.t1861.box import CORRECTIONS
from engine.titles.t1861.description import TELLING
from engine.titles.t1861.editions import EDITIONS, PLAYERS
from engine.titles.t1861.names import MOSCOW, ST_PETERSBURG, STATE
from engine.titles.t1861.rulings import Rulings, as_options, choices, with_options
from engine.titles.t1861.state_railway import StateTurn, StateTurnStep, state_turn

__all__ = ["CORRECTIONS", "EDITIONS", "as_options", "choices", "load"]

_HERE = Path(__file__).parent
FIRST_EDITION_NAMES = {CompanyId("GRR"): "GR", CompanyId("SP-W"): "StP-W"}


def load(edition: str | None, options: dict[str, str], own_facts: str = "") -> Title:
    """Load 1861 in ``edition`` (``v2.0`` if None). ``options`` change single rulings; the file ``own_facts`` corrects
    facts. Raises ``ValueError`` if the edition or an option is unknown, or if the file is wrong."""
    edition = edition or next(iter(EDITIONS))
    if edition not in EDITIONS:
        raise ValueError(f"1861 has no edition {edition!r}; there are: {', '.join(EDITIONS)}")
    return _build(edition, with_options(EDITIONS[edition], options), own_facts)


@lru_cache(maxsize=16)
def _build(edition: str, rulings: Rulings, own_facts: str) -> Title:
    read, lays = CORRECTIONS.played(rulings, own_facts)
    table = {n: row for n, row in facts.load_table(read).items() if n in PLAYERS[edition]}
    return Title(
        name="1861",
        edition=edition,
        full_name="1861 The Railways of the Russian Empire",
        currency="R",
        rulings=rulings,
        options=as_options(rulings),
        map=replace(
            facts.load_map(read, lays), any_marker_blocks=rulings.blocking == "any", reach_apart=rulings.hex_twice
        ),  # rule 7.5, 8.1, 8.2
        chart=facts.load_charts(read)[rulings.chart],
        trains={t.name: _train(t, rulings) for t in facts.load_trains(read).values()},
        phases=facts.load_phases(read),
        privates=facts.load_privates(read),
        companies=_companies(facts.load_companies(read), edition),
        table=table,
        bank=facts.load_bank(read),
        own_facts=own_facts,
        reconstructed=facts.load_reconstructed(read),
        facts=read,
        broke_at_zero=rulings.bank_breaks == "at_zero",  # rule 15.4, 15.5
        loan=loans.RECEIVED,
        loan_value=loans.VALUE,
        policies=_POLICIES,
        steps={**steps(sequence.SEQUENCE, state_turn), StateTurn: StateTurnStep()},
        begin=sequence.SEQUENCE.begin,
        score=course.score,
        addresses=load_addresses(_HERE / "rules.toml", edition),
        telling=TELLING,
        rules_version=load_changes(_HERE / "changes.toml")[-1].version,
        fingerprint_of=_fingerprint,
    )


def _fingerprint() -> str:
    return fingerprint(_HERE.name)


def _train(train: TrainData, rulings: Rulings) -> TrainData:
    """Return the train with its quantity by the rulings and, for the 5+5E, its reach."""  # rule 9.8, 11.1, 16.1, 16.2
    if not train.special:
        return train
    if train.name == "2+2":
        amount = {"0": 0, "2": 2, "unlimited": None}[rulings.trains_2_2]
        return replace(train, quantity=amount)
    amount = {"2": 2, "unlimited": None}[rulings.trains_5_5e]
    must = frozenset({"offboard"}) if rulings.express_offboards == "must" else frozenset[str]()
    own = rulings.express_own_marker == "counted"
    reach = TrainReach(train.reach.stops, must, train.reach.multiplier, own, ends_count=False)
    return replace(train, quantity=amount, reach=reach)


def _companies(found: Mapping[CompanyId, CompanyData], edition: str) -> Mapping[CompanyId, CompanyData]:
    """Companies by the names that the edition prints. The minor of Yuzovka is D in the rulebooks and Y in the edition
    of 2020. Other names from the first edition are accepted as synonyms in every edition."""
    # rule 4.2
    for name, printed in FIRST_EDITION_NAMES.items():
        found = {**found, name: replace(found[name], synonyms=(*found[name].synonyms, printed))}
    if edition != "2020":
        return dict(found)
    return {
        (new := CompanyId("Y") if name == "D" else name): replace(c, id=new, synonyms=("D",)) if name == "D" else c
        for name, c in found.items()
    }


_POLICIES = Kin(
    state=STATE,
    metropolis=MOSCOW,
    capitals=frozenset({MOSCOW, ST_PETERSBURG}),
    take_over=policies.take_over,
    interest_unpaid=policies.interest_unpaid,
    first_minor=policies.first_minor,
    minor_started=policies.minor_started,
    director=shared.director,
    operating_order=shared.operating_order,
    train_limit=shared.train_limit,
    credit=trains.train_credit,
    marker_cost=markers.marker_cost,
    reserved=reservations.reserved,
    hex_closed=markers.hex_closed,
    lay_cost=reservations.lay_cost,
    upgrade_allowed=reservations.upgrade_allowed,
    most_exits=markers.most_exits,
    run_traits=policies.run_traits,
    train_bought=phases.train_bought,
    lot=lots.lot,
    lots_to_come=lots.lots_to_come,
    merged_price=formation.price_of_merger,
)
