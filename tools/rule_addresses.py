"""Hold the titles' lists of rules, the code, the tests and the words for people against each other.

    python -m tools.rule_addresses [CHECKOUT]

Prints what does not fit and exits 1, or one line and exits 0. What it finds:

* a check in the engine that no rule of any title claims, and that is not general (of the service, not a rulebook)
* a check that a rule claims, or a general pattern, that no code has
* a rule without a check in code, without an effect tag (``# rule 10.3`` or ``# rule 10.3, 10.4``) and without a test
  marked ``@pytest.mark.rule("10.3")``, unless the list says why nothing can hold anybody to it; and such a reason for
  a rule that something does hold; what covers a rule of a family for one title covers it for its cousins
* a tag or mark with an id that the list does not have
* a check or a question in the engine without words in ``templates/en`` or the title's folder there; one in shared code
  needs words for every title, because every title may use that code, one in a family for its titles
* words of a check that need a fact that the code does not give (``tools.rule_words``), in shared code those of every
  title, and facts that cannot be read off (``tools.rule_facts``)
* a check whose key is made at run time, so that nobody can find it

A bare id means the title in whose folder it stands, and in the folder of a family every title of the family that has
such a rule. In shared code and tests the title is written before the first
id: ``# rule 1844:8.15, 8.16``.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from engine.titles.fingerprint import families as families_of
from engine.titles.rulebook import Rulebook, load_rulebook
from tools.rule_facts import Facts, called, calls
from tools.rule_words import Found, read_texts, wordless_checks, wordless_questions

_KEY_ARGUMENT = {"Failure": 0, "refuse": 0, "require": 1}
_DEFINES_CHECKS = {"engine/core/title.py", "engine/core/checks.py"}
_TAG = re.compile(r"#\s*rule\s+((?:\w+:)?\d+\.\d+(?:\s*,\s*(?:\w+:)?\d+\.\d+)*)")


@dataclass(slots=True)
class Scan:
    """The names in code and tests. Rules as ``title:id``."""

    checks: list[Found] = field(default_factory=list)
    asks: list[Found] = field(default_factory=list)
    service: list[Found] = field(default_factory=list)
    """The checks of the moderator, which are in no rulebook."""
    made_at_run_time: list[str] = field(default_factory=list)
    tags: list[Found] = field(default_factory=list)
    marks: list[Found] = field(default_factory=list)


def problems(checkout: Path) -> list[str]:
    """Everything that does not fit, one readable line each."""
    books = {path.parent.name: load_rulebook(path) for path in sorted(checkout.glob("engine/titles/t*/rules.toml"))}
    if not books:
        return ["engine/titles: no title has a rules.toml"]
    scan = scan_checkout(checkout, books)
    return [
        *(f"{where}: the key of a check must be written out where it is used" for where in scan.made_at_run_time),
        *_unclaimed(scan, books.values()),
        *_stale(scan, books.values()),
        *_uncovered(scan, books.values()),
        *_unknown(scan, books.values()),
        *_wordless(scan, checkout / "templates" / "en", [book.title for book in books.values()]),
    ]


def scan_checkout(checkout: Path, books: dict[str, Rulebook]) -> Scan:
    """Read all code and tests once."""
    scan = Scan()
    sources = sorted(checkout.glob("engine/**/*.py"))
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sources}
    facts = Facts(trees.values())
    families = _families(checkout, books)
    for path in sources:
        name = path.relative_to(checkout).as_posix()
        text = path.read_text(encoding="utf-8")
        title = _title_of(name, books)
        cousins = [book.title for folder, found in families.items() if name.startswith(folder) for book in found]
        for each in cousins or [title] if name not in _DEFINES_CHECKS else ():
            _scan_checks(scan, name, trees[path], each, facts)
            scan.asks.extend(_asks(name, trees[path], each))
        for number, content in enumerate(text.splitlines(), start=1):
            if tag := _TAG.search(content):
                ids = tag[1].split(",")
                scan.tags.extend(Found(full, f"{name}:{number}") for full in _meant(name, ids, title, families))
    scan.service = _service_checks(checkout)
    for path in sorted(checkout.glob("tests/**/*.py")):
        name = path.relative_to(checkout).as_posix()
        title = _title_of(name, books)
        text = path.read_text(encoding="utf-8")
        if "mark.rule(" not in text:
            continue
        for ids, line in _marks(ast.parse(text)):
            scan.marks.extend(Found(full, f"{name}:{line}") for full in _full(ids, title))
    return scan


def _title_of(name: str, books: dict[str, Rulebook]) -> str:
    """Title that bare ids in a file mean; empty where they mean none."""
    return next((book.title for folder, book in books.items() if folder in Path(name).parts), "")


def _families(checkout: Path, books: dict[str, Rulebook]) -> dict[str, list[Rulebook]]:
    """The lists of rules of the titles that use each family."""
    found: dict[str, list[Rulebook]] = {}
    for folder, book in books.items():
        for family in sorted(families_of(folder, checkout / "engine")):
            found.setdefault(f"engine/families/{family}/", []).append(book)
    return found


def _meant(name: str, ids: list[str], title: str, families: dict[str, list[Rulebook]]) -> Iterator[str]:
    """The ids of a tag with their titles. In the folder of a family a bare one has every title that lists the rule, or
    the first if none does."""
    cousins = next((books for folder, books in families.items() if name.startswith(folder)), [])
    for full in _full(ids, title):
        if ":" in full or not cousins:
            yield full
            continue
        listing = [book for book in cousins if any(rule.id == full for rule in book.rules)] or cousins[:1]
        yield from (f"{book.title}:{full}" for book in listing)


def _full(ids: Iterable[str], title: str) -> Iterator[str]:
    """The ids with their titles: a bare one has that of the one before, the first that of the file."""
    for rule_id in ids:
        own, _, number = rule_id.strip().rpartition(":")
        title = own or title
        yield f"{title}:{number}" if title else number


def _scan_checks(scan: Scan, name: str, tree: ast.Module, title: str, facts: Facts) -> None:
    """Checks of a module, those too that one of its functions is given as a parameter and hands on."""
    taking = dict(_KEY_ARGUMENT)
    waiting = dict(_KEY_ARGUMENT)
    while waiting:
        handed_on: dict[str, int] = {}
        for function, node in calls(tree):
            asked = called(node)
            if asked not in waiting:
                continue
            position = waiting[asked]
            given = [k.value for k in node.keywords if k.arg == "check"] or node.args[position : position + 1]
            if not given:
                continue
            parameter = _parameter(function, given[0])
            if parameter is not None and function is not None and function.name not in taking:
                handed_on[function.name] = parameter
            elif parameter is None:
                keys = list(_literals(given[0]))
                given_facts = facts.of(node, function, position) if asked in _KEY_ARGUMENT else None
                where = f"{name}:{node.lineno}"
                scan.checks.extend(Found(key, where, title, given_facts) for key in keys if key is not None)
                if None in keys:
                    scan.made_at_run_time.append(where)
        taking |= handed_on
        waiting = handed_on


def _service_checks(checkout: Path) -> list[Found]:
    """The checks of the moderator whose keys are written out; it also hands on those of the engine."""
    found = Scan()
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(checkout.glob("moderator/**/*.py"))}
    facts = Facts(trees.values())
    for path, tree in trees.items():
        _scan_checks(found, path.relative_to(checkout).as_posix(), tree, "", facts)
    return found.checks


def _asks(name: str, tree: ast.Module, title: str) -> Iterator[Found]:
    """Questions of a module whose keys are written out."""
    for _, node in calls(tree):
        if isinstance(node.func, ast.Name) and node.func.id == "Ask":
            given = [k.value for k in node.keywords if k.arg == "what"] or node.args[2:3]
            keys = (key for each in given for key in _literals(each) if key is not None)
            yield from (Found(key, f"{name}:{node.lineno}", title) for key in keys)


def _parameter(function: ast.FunctionDef | None, given: ast.expr) -> int | None:
    """Position among a call's arguments of the function's parameter that ``given`` is."""
    if function is None or not isinstance(given, ast.Name):
        return None
    names = [a.arg for a in (*function.args.posonlyargs, *function.args.args) if a.arg not in ("self", "cls")]
    return names.index(given.id) if given.id in names else None


def _literals(node: ast.expr) -> Iterator[str | None]:
    """The texts an expression can be, None for one that cannot be read off."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _literals(node.body)
        yield from _literals(node.orelse)
    else:
        yield None


def _marks(tree: ast.Module) -> Iterator[tuple[list[str], int]]:
    """Ids of every ``pytest.mark.rule(...)``, wherever it is written."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(attr="rule", value=ast.Attribute(attr="mark")), args=args):
                ids = [
                    arg.value if isinstance(arg, ast.Constant) and isinstance(arg.value, str) else ast.unparse(arg)
                    for arg in args
                ]
                yield ids, node.lineno


def _unclaimed(scan: Scan, books: Iterable[Rulebook]) -> Iterator[str]:
    claimed = {check for book in books for rule in book.rules for check in rule.checks}
    for check, where in _first(scan.checks):
        if check not in claimed and not any(book.is_general(check) for book in books):
            yield f"{where}: check {check} is in no rule's list of checks"


def _stale(scan: Scan, books: Iterable[Rulebook]) -> Iterator[str]:
    used = {found.name for found in scan.checks}
    for book in books:
        for rule in book.rules:
            for check in rule.checks:
                if check not in used:
                    yield f"{book.title} rule {rule.id}: no code has its check {check}"
                if book.is_general(check):
                    yield f"{book.title} rule {rule.id}: its check {check} is listed as general too"
        for pattern in book.general:
            if not any(check.startswith(pattern[:-1]) if pattern.endswith("*") else check == pattern for check in used):
                yield f"{book.title}: no code has a general check {pattern}"


def _uncovered(scan: Scan, books: Iterable[Rulebook]) -> Iterator[str]:
    used = {found.name for found in scan.checks}
    held = {found.name for found in (*scan.tags, *scan.marks)}
    books = tuple(books)
    for book in books:
        for rule in book.rules:
            cousins = [c for c in books if c.family == book.family and rule.id in c.shared & book.shared] or [book]
            tagged = any(f"{cousin.title}:{rule.id}" in held for cousin in cousins)
            covered = tagged or any(check in used for check in rule.checks)
            if not covered and rule.id not in book.unchecked:
                yield f"{book.title} rule {rule.id}: neither code nor a test: {rule.text}"
            if covered and rule.id in book.unchecked:
                yield f"{book.title} rule {rule.id}: listed as unchecked, but code or a test names it"


def _unknown(scan: Scan, books: Iterable[Rulebook]) -> Iterator[str]:
    known = {f"{book.title}:{rule.id}" for book in books for rule in book.rules}
    for found in (*scan.tags, *scan.marks):
        if found.name not in known:
            yield f"{found.where}: there is no rule {found.name}"


def _wordless(scan: Scan, folder: Path, titles: Sequence[str]) -> Iterator[str]:
    """Checks and questions without words, and words without their facts."""
    path = folder / "checks.toml"
    if not path.is_file():
        yield f"{'/'.join(path.parts[-3:])} is missing: checks have no words"
        return
    yield from wordless_checks((*scan.checks, *scan.service), read_texts(path), titles)
    yield from wordless_questions(scan.asks, read_texts(folder / "asks.toml"), titles)


def _first(found: Iterable[Found]) -> list[tuple[str, str]]:
    """Each name once, with the first place it was found at, in order of name."""
    places: dict[str, str] = {}
    for one in found:
        places.setdefault(one.name, one.where)
    return sorted(places.items())


def main(arguments: list[str]) -> int:
    checkout = Path(arguments[0]) if arguments else Path(__file__).resolve().parents[1]
    found = problems(checkout)
    for line in found:
        print(line)
    if found:
        print(f"{len(found)} rule addresses do not fit")
        return 1
    print("rule addresses: lists, code, tests and words fit")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
