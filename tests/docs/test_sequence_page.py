"""The printed sequence of play is the one that is played."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

import engine
from engine.acts.turns import Turns
from engine.core.title import Title
from engine.steps.course import Sequence
from engine.titles.rulebook import load_rulebook
from moderator.entrypoints.cli import app
from moderator.words.sequence import sequence_page
from tests.kit.checkout import CHECKOUT

PAGE = CHECKOUT / "docs" / "sequence.md"
RULES = Path(engine.__file__).parent / "titles"
TITLES = engine.title_names()


def title_of(name: str) -> Title:
    return engine.load_title(name, engine.editions(name)[0])


def tables(title: Title) -> tuple[Sequence, Turns]:
    steps = title.steps.values()
    return next(s for s in steps if isinstance(s, Sequence)), next(s for s in steps if isinstance(s, Turns))


@pytest.mark.parametrize("name", TITLES)
def test_the_page_of_the_docs_is_what_the_command_prints(name: str) -> None:
    said = CliRunner().invoke(app, ["title", "show", name, "--sequence"])
    assert said.exit_code == 0
    assert said.stdout == sequence_page(title_of(name))
    shown = "\n".join(f"    {line}".rstrip() for line in said.stdout.rstrip().split("\n"))
    assert f"## {name}\n\n{shown}\n" in PAGE.read_text()


@pytest.mark.parametrize("name", TITLES)
def test_every_row_has_words_and_a_rule_of_the_list(name: str) -> None:
    sequence, turns = tables(title_of(name))
    listed = {rule.id for rule in load_rulebook(RULES / f"t{name}" / "rules.toml").rules}
    assert {row.rule for row in sequence.rows} | {place.rule for place in turns.places} <= listed
    page = sequence_page(title_of(name))
    assert not any(raw in page for raw in ("does.", "when.", "acts.", "rounds."))


@pytest.mark.parametrize("name", TITLES)
def test_every_name_in_the_table_means_something_and_every_meaning_is_used(name: str) -> None:
    sequence, turns = tables(title_of(name))
    assert {n for row in sequence.rows for n in row.then} | set(sequence.start) == set(sequence.does)
    assert {row.when for row in sequence.rows} - {""} == set(sequence.conditions)
    assert {stage for place in turns.places for stage in (place.first, place.last)} <= set(turns.stages)
    assert all(turns.stages.index(place.first) <= turns.stages.index(place.last) for place in turns.places)


def test_titles_are_listed_with_editions_and_players() -> None:
    said = CliRunner().invoke(app, ["title", "list"]).stdout.splitlines()
    assert [line.split(maxsplit=1)[0] for line in said] == list(TITLES)
    assert all("; editions " in line and line.endswith(" players") for line in said)


def test_an_unknown_title_is_told_which_there_are() -> None:
    said = CliRunner().invoke(app, ["title", "show", "1830"])
    assert said.exit_code == 2
    assert all(name in said.stderr for name in TITLES)
