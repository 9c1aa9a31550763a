"""The description of a position covers what players see, and nothing of how the code is arranged."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import fields, make_dataclass, replace
from pathlib import Path
from typing import Any

import pytest

import engine
from engine import Game, Setup, State, Title
from engine.acts.act import Turn
from engine.core import description
from engine.core.description import differences, form_of, told, told_digest
from engine.core.ids import BANK, CompanyId, PhaseName, PlayerId, TrainName
from engine.core.secret import Secret
from engine.core.state import Company, Frame, Note, PriceMarker, Round
from engine.steps.consent import Consent
from engine.steps.descriptions import consent
from tests.kit.games.kept_games import RARE, RECORDED, TITLES, by_chance, plain, recorded, walk

UNTOLD = {
    "Course": {"todo"},  # what follows by itself
    "Turn": {"ended"},
    "HelpSales": {"raised"},  # the sale itself was told
    "StateTurn": {"begun"},
    "ShareOffers": {"before", "again"},  # what was told earlier, and comes back if nobody wants shares
    "Secession": {"price"},  # that of the IRSFF, told before it ended
    "TokenPurchase": {"raised"},  # the sales themselves were told
    "Merging": {"kind"},  # that of its parts
}
"""Fields of frames that the description leaves out."""


IN_DEBT = 14
"""The seed of a game of chance of 1863 in which companies fail and a player owes money."""


def swapped(mapping: Mapping[Any, Any]) -> dict[Any, Any]:
    return dict(reversed(list(mapping.items())))


# ---- what does not count --------------------------------------------------------------------------------------------


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("name", TITLES)
def test_the_order_in_which_maps_were_filled_does_not_count(name: str) -> None:
    game = plain(name)
    state, board = game.state, game.state.board
    names = ("cash", "holdings", "privates", "companies", "prices", "supply", "marks", "debts")
    maps: dict[str, Any] = {name: swapped(getattr(state, name)) for name in names}
    maps["board"] = replace(
        board, tiles=swapped(board.tiles), markers=swapped(board.markers), overlays=swapped(board.overlays)
    )
    turned = replace(state, **maps)
    assert list(turned.cash) != list(state.cash)
    assert told_digest(game.title, turned) == told_digest(game.title, state)


@pytest.mark.parametrize("name", TITLES)
def test_the_seed_and_counters_of_the_code_do_not_count(name: str) -> None:
    game = plain(name)
    later = {company: replace(marker, since=marker.since + 5) for company, marker in game.state.prices.items()}
    other = replace(game.state, seed=Secret("another"), tick=game.state.tick + 5, prices=later)
    assert told_digest(game.title, other) == told_digest(game.title, game.state)
    assert "another" not in json.dumps(told(game.title, other))


@pytest.mark.parametrize("name", TITLES)
def test_classes_and_fields_may_get_other_names_and_places(name: str) -> None:
    """Every frame of the agenda is another class, with its fields in another order."""
    game = plain(name)
    title, state = renamed(game.title, game.state)
    assert [type(frame) for frame in state.agenda] != [type(frame) for frame in game.state.agenda]
    assert engine.digest(state) != engine.digest(game.state)
    assert told_digest(title, state) == told_digest(game.title, game.state)


def renamed(title: Title, state: State) -> tuple[Title, State]:
    steps, telling, agenda = dict(title.steps), dict(title.telling.steps), []
    for frame in state.agenda:
        old = type(frame)
        places = [(f.name, Any) for f in reversed(fields(frame))]
        new = make_dataclass(f"Other{old.__name__}", places, bases=(old,), frozen=True, kw_only=True)
        steps[new] = title.steps[old]
        if old in telling:
            telling[new] = telling[old]
        agenda.append(new(**{f.name: getattr(frame, f.name) for f in fields(frame)}))
    return replace(title, steps=steps, telling=replace(title.telling, steps=telling)), replace(
        state, agenda=tuple(agenda)
    )


def test_the_digest_is_what_the_page_says() -> None:
    """SHA-256 of the description as canonical JSON, after the number of its form. Whoever changes this value breaks
    what earlier versions told: then there must be a new form."""
    game = Game.start(engine.load_title("1861"), Setup(("Ann", "Bob", "Cat"), seed="a", priority="Ann"))
    assert game.told_digest() == told_digest(game.title, game.state)
    assert game.told_digest() == "1:65cc4f83e95e578d0f47bf1faf592d7280656c7895b44412da71b2309efbfc7f"
    other = Game.start(engine.load_title("1844"), Setup(("Ann", "Bob", "Cat"), seed="a"))
    assert other.told_digest() == "1:e999ad6a028cf6537cad5c69ebf9055bc3991f74401048d7f3a1a9a9741b943a"


def test_the_page_lists_what_is_described(checkout: Path) -> None:
    page = (checkout / "docs/position.md").read_text(encoding="utf-8")
    table = page.partition("| key | value |")[2].partition("\n\n")[0]
    listed = [key for line in table.splitlines()[2:] for key in re.findall("`([^`]+)`", line.split("|")[1])]
    game = plain("1844")
    assert listed == list(told(game.title, game.state))


# ---- what counts ----------------------------------------------------------------------------------------------------


def changes(state: State) -> dict[str, State]:
    """Positions that differ from ``state`` in one thing that players see."""
    company = next(c for c, now in state.companies.items() if now.status == "open" and c in state.prices)
    now, marker = state.companies[company], state.prices[company]
    key, number = next(iter(state.holdings.items()))
    hex = next(iter(state.board.tiles))
    tile, turn = state.board.tiles[hex]
    standing = next(h for h, cities in state.board.markers.items() if any(cities))
    private = next(iter(state.privates))

    def of_company(**changes: Any) -> State:
        return replace(state, companies={**state.companies, company: replace(now, **changes)})

    def board(**changes: Any) -> State:
        return replace(state, board=replace(state.board, **changes))

    row, column = marker.cell
    return {
        "money": replace(state, cash={**state.cash, BANK: state.cash[BANK] + 1}),
        "a certificate": replace(state, holdings={**state.holdings, key: number + 1}),
        "a place of certificates": replace(state, holdings={**state.holdings, ("Elsewhere", *key[1:]): 1}),
        "an owner of a private": replace(state, privates={**state.privates, private: PlayerId("Eve")}),
        "a private": replace(state, privates={p: o for p, o in state.privates.items() if p != private}),
        "a company in play": replace(state, companies={**state.companies, company: Company("closed")}),
        "a train of a company": of_company(trains=(*now.trains, TrainName("2"))),
        "loans": of_company(loans=now.loans + 1),
        "a last run": of_company(last_run=(now.last_run or 0) + 10),
        "whether it operated": of_company(operated=not now.operated),
        "a par price": of_company(par=(now.par or 0) + 5),
        "a price": replace(state, prices={**state.prices, company: PriceMarker((row + 1, column), marker.since)}),
        "a price marker": replace(state, prices={c: m for c, m in state.prices.items() if c != company}),
        "a tile": board(tiles={h: t for h, t in state.board.tiles.items() if h != hex}),
        "the turn of a tile": board(tiles={**state.board.tiles, hex: (tile, (turn + 1) % 6)}),
        "a piece over a tile": board(overlays={**state.board.overlays, hex: ((tile, 3),)}),
        "a marker": board(markers={h: m for h, m in state.board.markers.items() if h != standing}),
        "the city of a marker": board(markers={**state.board.markers, standing: ((), *state.board.markers[standing])}),
        "new trains": replace(state, supply={t: n + 1 for t, n in state.supply.items()}),
        "a type that was bought": replace(state, bought=state.bought | {TrainName("9")}),
        "trains in the pool": replace(state, pool_trains=(*state.pool_trains, TrainName("2"))),
        "the round": replace(state, round=Round("OR", 9, 3)),
        "the order of play": replace(state, players=(*state.players[1:], state.players[0])),
        "the priority": replace(state, priority=next(p for p in state.players if p != state.priority)),
        "a debt": replace(state, debts={(state.players[0], "emergency"): 10}),
        "lots drawn": replace(state, lots=state.lots + 1),
        "a broken bank": replace(state, broke=Round("OR", 1, 1)),
        "the end": replace(state, finished=True),
    }


CHANGES = (
    "money", "a certificate", "a place of certificates", "an owner of a private", "a private", "a company in play",
    "a train of a company", "loans", "a last run", "whether it operated", "a par price", "a price", "a price marker",
    "a tile", "the turn of a tile", "a piece over a tile", "a marker", "the city of a marker", "new trains",
    "a type that was bought", "trains in the pool", "the round", "the order of play", "the priority", "a debt",
    "lots drawn", "a broken bank", "the end",
)  # fmt: skip


@pytest.mark.parametrize("what", CHANGES)
def test_what_players_see_counts(what: str) -> None:
    game = plain("1861")
    found = changes(game.state)
    assert set(found) == set(CHANGES)
    assert told_digest(game.title, found[what]) != told_digest(game.title, game.state)
    assert differences(told(game.title, game.state), told(game.title, found[what]))


def test_the_phase_counts() -> None:
    game = plain("1844")
    phases = [phase.name for phase in game.title.phases if phase.name != game.state.phase]
    assert told_digest(game.title, replace(game.state, phase=PhaseName(phases[0]))) != game.told_digest()


def test_the_order_of_a_stack_counts() -> None:
    game = plain("1861")
    first, second = list(game.state.prices)[:2]
    cell = game.state.prices[first].cell

    def stacked(above: CompanyId, below: CompanyId) -> State:
        return replace(
            game.state,
            prices={**game.state.prices, above: PriceMarker(cell, 1000), below: PriceMarker(cell, 1001)},
        )

    assert told_digest(game.title, stacked(first, second)) != told_digest(game.title, stacked(second, first))


class Noted:
    """A frame, or a note of a turn, that notes which of its fields are read."""

    def __init__(self, frame: Frame | Note) -> None:
        self.frame, self.read, self.notes_read = frame, set[str](), dict[type[Note], Noted]()

    def note(self, kind: type[Note]) -> Noted:
        assert isinstance(self.frame, Turn)
        self.read.add("notes")
        return self.notes_read.setdefault(kind, Noted(self.frame.note(kind)))

    def __getattr__(self, name: str) -> Any:
        self.read.add(name)
        return getattr(self.frame, name)

    def assert_read(self) -> None:
        name = type(self.frame).__name__
        has = {field.name for field in fields(self.frame)}
        assert has - self.read == has & UNTOLD.get(name, set()), self.frame


def test_every_field_of_a_frame_is_told_or_known_to_be_left_out(records: Path) -> None:
    names = ("1861/29683", "1844/160062", "1841/132002")
    for games in (*((recorded(records, name),) for name in names), (plain("1863"), by_chance("1863", IN_DEBT))):
        game = games[0]
        seen = {type(frame): frame for each in games for *_, state in walk(each) for frame in state.agenda}
        assert_told(game.title, (*seen.values(), *RARE[game.title.name]))
        assert set(seen) | {type(frame) for frame in RARE[game.title.name]} == set(game.title.steps)


def assert_told(title: Title, frames: Iterable[Frame]) -> None:
    for frame in frames:
        noted, describe = Noted(frame), title.telling.steps.get(type(frame))
        if describe is not None:
            name, facts = describe(noted)
            assert name and json.loads(json.dumps(facts)) == facts
        noted.assert_read()
        assert set(noted.notes_read) == (set(title.notes) if isinstance(frame, Turn) else set())
        for note in noted.notes_read.values():
            note.assert_read()


def test_what_an_order_says_beyond_its_subject_is_told() -> None:
    """Consent is asked for a train sale; which train is bought otherwise is known too, and which markers stay."""
    described = [dict(consent(frame)[1]) for frame in RARE["1861"] if isinstance(frame, Consent)]
    assert [(facts["subject"], facts["ordered with it"]) for facts in described] == [
        (
            {"train": "2", "to": "N", "price": 50},
            {"otherwise": {"train": "2", "from": None, "price": None}},
        ),
        ({"private": "TSR", "to": "N", "price": 20}, {}),
        ({"minors": ["M-K", "N"], "into": "M-K"}, {"keep": [["H8", 2, None]]}),
    ]


@pytest.mark.parametrize("name", TITLES)
def test_every_kind_of_frame_is_told_but_those_that_ask_nobody(name: str) -> None:
    title = engine.load_title(name)
    assert {kind.__name__ for kind in set(title.steps) - set(title.telling.steps)} == {"Course"}


def test_every_mark_is_told(records: Path) -> None:
    """Marks are named by the title; one that no description looks at would be lost."""
    for name in RECORDED:
        game = recorded(records, name)
        told_of = game.title.telling.marks
        marks = {key: value for _, _, _, _, state in walk(game) for key, value in state.marks.items()}
        for key, value in marks.items():
            assert told_of({key: value}) != told_of({}), key


@pytest.mark.parametrize("name", RECORDED)
def test_every_order_of_a_recorded_game_is_told_of(records: Path, name: str) -> None:
    """The description shows it; it is JSON, and is the same when it comes from JSON."""
    game = recorded(records, name)
    digests = set[str]()
    for number, order, before, _, after in walk(game):
        digests.add(told_digest(game.title, after))
        if number % 20 == 0:
            old, new = told(game.title, before), told(game.title, after)
            assert json.loads(json.dumps(new)) == new
            assert differences(old, new), f"{number}: nobody sees what {order} brings"
            assert differences(new, new) == []
    assert len(digests) == len(game.orders)


# ---- facts that change ----------------------------------------------------------------------------------------------


def test_another_fact_shows_in_the_digest_and_in_words() -> None:
    title = engine.load_title("1861")
    table = {n: replace(row, cash=row.cash + 10) for n, row in title.table.items()}
    setup = Setup(("Ann", "Bob", "Cat"), seed="a", priority="Ann")
    was, now = Game.start(title, setup), Game.start(replace(title, table=table), setup)
    assert was.told_digest() != now.told_digest()
    cash = title.table[3].cash
    assert differences(told(title, was.state), told(title, now.state)) == [
        f"cash of Ann: {cash}, now {cash + 10}",
        f"cash of Bank: {title.bank - 3 * cash}, now {title.bank - 3 * cash - 30}",
        f"cash of Bob: {cash}, now {cash + 10}",
        f"cash of Cat: {cash}, now {cash + 10}",
    ]


def test_differences_read_well() -> None:
    title = engine.load_title("1861")
    game = Game.start(title, Setup(("Ann", "Bob", "Cat"), seed="a", priority="Ann"))
    old = told(title, game.state)
    new = {
        **old,
        "companies": {**old["companies"], "N": {"status": "open", "trains": ["2", "2"], "operated": True}},
        "certificates": {"Ann": {"N": {"minor": 1}}},
        "prices": {"N": {"price": 100, "space on the chart": [6, 7], "markers above": []}},
        "tiles": {"H8": ["637", 1]},
        "markers": {"H8": [["N"], [], ["M-K"]]},
        "asked": [{"player": "Ann", "for": "N", "what": "company.turn", "about": ["N", "run"]}],
        "debts": {"Bob": {"emergency": 20}},
        "finished": True,
    }
    lines = differences(old, new)
    assert [line for line in lines if "with Treasury" not in line and "steps" not in line] == [
        "debt of Bob (emergency): nothing, now 20",
        "certificates of N (minor) with Ann: nothing, now 1",
        "operated of N: nothing, now yes",
        "status of N: unstarted, now open",
        "trains of N: nothing, now 2 2",
        "price of N: nothing, now 100",
        "space on the chart of N: nothing, now 6 7",
        "tile in H8: nothing, now 637 1",
        "markers in H8: nothing, now N | nothing | M-K",
        "asked: Ann Ann auction.open TSR 20, now Ann N company.turn N run",
        "finished: no, now yes",
    ]


# ---- digests that were written down ---------------------------------------------------------------------------------


def test_digests_of_both_forms_are_held_against_the_position() -> None:
    game = plain("1861")
    other = Game.start(game.title, game.setup)
    for digest in (game.told_digest(), game.digest()):
        assert game.matches(digest)
        assert not other.matches(digest)
    assert (form_of(game.told_digest()), form_of(game.digest())) == (description.FORM, 0)


def test_a_digest_of_an_unknown_form_says_nothing() -> None:
    game = plain("1861")
    with pytest.raises(ValueError, match="the digest is of form 7; this program knows form 1"):
        game.matches("7:" + game.told_digest().partition(":")[2])


@pytest.mark.parametrize("text", ["", "1:", "1:xyz", "x:" + "0" * 64, "0" * 63, "1:1:" + "0" * 64, "²:" + "0" * 64])
def test_what_is_no_digest_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no digest of a position"):
        form_of(text)


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("name", TITLES)
def test_the_digest_is_that_of_the_whole_description(name: str) -> None:
    """Parts of its text are kept between digests."""
    game = plain(name)
    for _, state, _ in game.happened(0):
        text = json.dumps(engine.told(game.title, state), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        assert engine.told_digest(game.title, state) == f"1:{hashlib.sha256(text.encode()).hexdigest()}"
