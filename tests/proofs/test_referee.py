"""The independent referee: random games of all titles show him nothing against the rulebooks, and he is no rubber
stamp."""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import engine
from engine.core import events as ev
from engine.core import orders as od
from tests import referee
from tests.kit.samples import sampled
from tests.referee import mutations, mutations_1863
from tests.referee.bench import Deviation
from tests.referee.courses_1841 import COURSES
from tests.referee.games import NAMES, Report, Table, judged, on_course, play, tables
from tests.referee.mutation import Mutation
from tests.referee.mutations_1841 import OF_1841
from tests.referee.mutations_1861 import MUTATIONS, RETURNED
from tests.referee.mutations_1867 import OF_1867
from tests.referee.referee import Referee
from tests.referee.replays import judge as judge_again
from tests.referee.replays import record
from tools.mutate import CHECKOUT

HERE = Path(referee.__file__).parent
SAMPLE = (
    Table("1861", "v2.0", 3, 10), Table("1844", "rulebook", 4, 6), Table("1841", "clarified", 3, 2),
    Table("1863", "historical", 3, 0), Table("1867", "18xx.games", 2, 0), Table("1867", "18xx.games", 3, 7),
)  # fmt: skip
SHORT_1863 = SAMPLE[3]
ALLOWED = {
    "courses_1841.py": {"engine"},
    "games.py": {"engine", "engine.core.agenda", "engine.core.ids", "engine.robots"},
    "mutations.py": set[str](),
    "replays.py": {"engine"},
    "thrift_1863.py": {"engine", "engine.core.agenda"},
}
"""What the files import of the engine beside the types of events and orders: only who plays the games needs more."""
ROUND = 19
"""Games that sit at every table once."""
PROVED = 200
PROVED_1841 = 100
PORTION = 20
ON_COURSE = 12
MUTATIONS_SEEN = 18
"""Of the twenty taken, at least so many."""


def clean(report: Report) -> None:
    found = "\n".join(map(str, report.deviations[:10]))
    assert not report.deviations, f"{report.table}: {len(report.deviations)} deviations\n{found}"
    assert report.finished, f"{report.table}: no end after {report.orders} orders"


Told = tuple[od.Order | None, Sequence[ev.Event], Mapping[str, Any]]


@cache
def watched(table: Table) -> tuple[Report, tuple[Told, ...]]:
    """One game, and all that the referee is told of it."""
    seen: list[Told] = []
    report = play(table, watch=lambda order, events, told: seen.append((order, events, told)))
    return report, tuple(seen)


def played(table: Table) -> Report:
    return watched(table)[0]


@pytest.mark.parametrize("table", SAMPLE, ids=str)
def test_a_game_under_the_referee(table: Table) -> None:
    clean(played(table))


def test_who_can_only_pass_when_a_company_has_been_founded_is_counted() -> None:
    """Two players of 1841 are left. Bob starts a company and chooses its tokens; Eve can do nothing, and he passes."""
    clean(play(Table("1841", "clarified", 5, 7004)))


@pytest.mark.prove
@pytest.mark.parametrize("first", range(0, PROVED, PORTION))
def test_two_hundred_games_under_the_referee(first: int) -> None:
    """Over 1861 and 1844, all editions and numbers of players, in portions that can run side by side."""
    proved(first, ("1861", "1844"))


@pytest.mark.prove
@pytest.mark.parametrize("first", range(0, PROVED_1841, PORTION))
def test_a_hundred_games_of_1841_under_the_referee(first: int) -> None:
    """By the clarifications, where no record reaches: all numbers of players."""
    proved(first, ("1841",))


@pytest.mark.prove
@pytest.mark.parametrize("first", range(0, PROVED, PORTION))
def test_two_hundred_games_of_1863_under_the_referee(first: int) -> None:
    """There is no record of 1863: this is its second opinion. Both editions, all numbers of players."""
    proved(first, ("1863",))


@pytest.mark.prove
@pytest.mark.parametrize("course", COURSES)
def test_games_of_1841_on_a_course_under_the_referee(course: str) -> None:
    """Their players seek what chance hardly brings."""
    judge_all(on_course(course, ON_COURSE))


def proved(first: int, titles: Sequence[str]) -> None:
    judge_all(tables(PORTION, first, titles))


def judge_all(found: Sequence[Table]) -> None:
    checked, orders = Counter[str](), 0
    for table in found:
        report = play(table)
        clean(report)
        checked += report.checked
        orders += report.orders
    sys.stdout.write(f"{found[0]} to {found[-1]}: {orders} orders, {checked.total()} checks\n")


def test_the_games_sit_at_every_table() -> None:
    seen = {(t.title, t.edition, t.players) for t in tables(ROUND)}
    assert seen == {
        (title, edition, players)
        for title in ("1861", "1844", "1841")
        for edition in judged(title)
        for players in engine.load_title(title, edition=edition).table
    }
    assert len(seen) == ROUND


@pytest.mark.parametrize("file", sorted(HERE.glob("*.py")), ids=lambda file: file.name)
def test_the_referee_shares_no_code_with_the_titles(file: Path) -> None:
    """He knows the types of events and orders; what the rules work out he works out himself."""
    found = set[str]()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module == "engine.core":
            found |= {f"engine.core.{name.name}" for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    of_engine = {name for name in found if name.partition(".")[0] == "engine"}
    assert of_engine <= {"engine.core.events", "engine.core.orders"} | ALLOWED.get(file.name, set()), of_engine
    assert not {name for name in found if name.startswith(("moderator", "grammar", "templates"))}
    of_tests = {name for name in found if name.partition(".")[0] == "tests"}
    assert all(name.startswith("tests.referee") for name in of_tests), of_tests


@pytest.mark.parametrize("table", sampled(SAMPLE, SAMPLE[:1]), ids=str)
def test_games_are_the_same_each_time(table: Table) -> None:
    one, other = played(table), play(table)
    assert (one.orders, one.checked) == (other.orders, other.checked)


def recorded() -> tuple[Told, ...]:
    return watched(SAMPLE[0])[1]


def judge(told: Iterable[Told], table: Table = SAMPLE[0]) -> list[Deviation]:
    """What a new referee finds in it."""
    referee = Referee(table.title, table.edition, NAMES[: table.players], table.options)
    for order, events, position in told:
        if order is None:
            referee.opening(events, position)
        else:
            referee.follow(order, events, position)
    return referee.deviations


def _twice(event: Any) -> Any:
    return replace(event, amount=2 * event.amount)


def _to_the_right(event: Any) -> Any:
    return replace(event, cell=(event.cell[0], event.cell[1] + 1))


def _more(event: Any) -> Any:
    return replace(event, count=event.count + 1)


@pytest.mark.parametrize(
    ("kind", "reason", "spoil"),
    [
        (ev.Paid, "dividend", _twice),
        (ev.Paid, "bid", _twice),
        (ev.Paid, "train", _twice),
        (ev.Paid, "income", _twice),
        (ev.Paid, "interest", _twice),
        (ev.PriceSet, "no_dividend", _to_the_right),
        (ev.PriceSet, "earnings", _to_the_right),
        (ev.CertificatesMoved, None, _more),
    ],
)
def test_the_referee_sees_a_spoilt_event(kind: type, reason: str | None, spoil: Callable[[Any], Any]) -> None:
    """The game is played right; one event is told him wrong. The rule it breaks is named, not only that the books
    differ from the position."""

    def wanted(event: ev.Event) -> bool:
        return isinstance(event, kind) and (reason is None or getattr(event, "reason", None) == reason)

    all_told = recorded()
    at, spoilt = next((n, e) for n, (_, events, _) in enumerate(all_told) for e in events if wanted(e))
    order, events, position = all_told[at]
    assert not judge(all_told[:at])
    found = judge([*all_told[:at], (order, [spoil(e) if e is spoilt else e for e in events], position)])
    assert [d for d in found if d.rule != "books"], found


@pytest.mark.parametrize("kind", [ev.Paid, ev.PriceSet, ev.TrainMoved, ev.CertificatesMoved, ev.LoansChanged])
def test_an_event_that_is_left_out_is_missed(kind: type) -> None:
    all_told = recorded()
    at, lost = next((n, e) for n, (_, events, _) in enumerate(all_told) for e in events if isinstance(e, kind))
    order, events, position = all_told[at]
    found = judge([*all_told[:at], (order, [e for e in events if e is not lost], position)])
    assert [d for d in found if d.rule != "books"], found


def test_faults_to_be_put_into_the_rules() -> None:
    """All of them still fit the code, and the twenty that are taken are the same each time."""
    assert [m.name for m in MUTATIONS if not m.applies()] == []
    assert len({mutation.name for mutation in MUTATIONS}) == len(MUTATIONS)
    assert [m.name for m in (*RETURNED, *OF_1841, *OF_1867) if not m.applies()] == []
    assert len({mutation.name for mutation in OF_1841}) >= mutations.TAKEN
    assert mutations.sample() == mutations.sample() and len(mutations.sample()) == mutations.TAKEN


@pytest.mark.prove
def test_the_referee_sees_faults_in_the_rules() -> None:
    """Twenty faults by a fixed seed; what he misses is said with the result."""
    found = {mutation.name: mutations.verdict(mutation) for mutation in mutations.sample()}
    sys.stdout.write("".join(f"{name}: {verdict}\n" for name, verdict in found.items()))
    seen = [name for name, verdict in found.items() if verdict.startswith("caught")]
    assert len(seen) >= MUTATIONS_SEEN, found


@pytest.mark.prove
@pytest.mark.parametrize("fault", OF_1841, ids=lambda fault: fault.name)
def test_the_referee_sees_faults_in_the_rules_of_1841(fault: Mutation) -> None:
    found = mutations.verdict(fault, mutations.GAMES_FOR_RARE)
    sys.stdout.write(f"{fault.name}: {found}\n")
    assert found.startswith("caught"), found


def test_the_thirty_faults_in_the_rules_of_1863_are_the_same_each_time() -> None:
    taken = mutations_1863.drawn()
    assert taken == mutations_1863.drawn() and len(taken) == mutations_1863.TAKEN
    assert all(fault.path.is_relative_to(mutations_1863.FOLDER) for fault in taken)


def test_faults_of_1863_come_from_all_folders_of_its_rules() -> None:
    files = (CHECKOUT / mutations_1863.FOLDER).glob("*/[a-z]*.py")
    folders = {file.parent.name for file in files}
    known = {fault.path.relative_to(mutations_1863.FOLDER).parts[0] for fault in mutations_1863.all_faults()}
    assert "mergers" in folders and folders - {"descriptions"} <= known


def test_a_game_is_judged_again_by_its_orders() -> None:
    """As it was played it shows nothing; without an order of it, it takes another course."""
    game = record(SHORT_1863)
    assert judge_again(game) == "missed" and any(tried for tried, _ in game.steps)
    at = next(n for n, (_, order) in enumerate(game.steps) if isinstance(order, od.Start))
    assert judge_again(replace(game, steps=(*game.steps[:at], *game.steps[at + 1 :]))).startswith("diverged: order")


@pytest.mark.prove
@pytest.mark.parametrize("fault", RETURNED, ids=lambda fault: fault.name)
def test_the_referee_sees_faults_that_were_once_in_the_rules(fault: Mutation) -> None:
    found = mutations.verdict(fault, mutations.GAMES_FOR_RARE)
    sys.stdout.write(f"{fault.name}: {found}\n")
    assert found.startswith("caught"), found
