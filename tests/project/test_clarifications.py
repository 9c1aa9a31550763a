"""The checker of clarifications finds each kind of misfit, and only that."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import clarifications

BOOK = """
title = "1841"
editions = ["clarified"]
general = []

[[rule]]
id = "3.7"
sections = {}
editions = ["clarified"]
text = "Text."
"""
ROWS = """
[[row]]
id = "2.2"
rules = ["3.7"]
text = "Cheapest first."
site = "At once."

[[row]]
id = "2.3"
rules = ["3.7"]
text = "One share."
"""
TESTS = """
import pytest

@pytest.mark.clarification("2.2", "2.3")
def test_both(): ...

@pytest.mark.parametrize("case", [pytest.param(1, marks=pytest.mark.clarification("2.2", site=True))])
def test_site(case): ...
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, text in (
        (clarifications.BOOK, BOOK),
        (clarifications.ROWS, ROWS),
        ("tests/test_it.py", TESTS),
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def test_nothing_is_found_where_all_fits(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert clarifications.problems(project) == []
    assert clarifications.main([str(project)]) == 0
    assert "each has its test" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ('"2.2", "2.3"', '"2.2"', "clarification 2.3 has no test: One share."),
        ('"2.2", site=True', '"2.2"', "clarification 2.2 has no test of what 18xx.games does: At once."),
        ('"2.2", site=True', '"2.2", "9.9", site=True', "tests/test_it.py:7: there is no clarification 9.9"),
        (
            '"2.2", site=True',
            '"2.2", "2.3", site=True',
            "tests/test_it.py:7: 18xx.games does not differ from clarification 2.3",
        ),
    ],
)
def test_a_misfit_of_the_tests_is_named(project: Path, old: str, new: str, found: str) -> None:
    assert old in TESTS
    (project / "tests" / "test_it.py").write_text(TESTS.replace(old, new))
    assert clarifications.problems(project) == [found]
    assert clarifications.main([str(project)]) == 1


def test_a_rule_that_the_list_does_not_have_is_named(project: Path) -> None:
    (project / clarifications.ROWS).write_text(ROWS.replace('"3.7"', '"3.8"', 1))
    assert clarifications.problems(project) == ["clarification 2.2: there is no rule 3.8"]


def test_a_row_that_is_listed_twice_is_refused(project: Path) -> None:
    (project / clarifications.ROWS).write_text(ROWS.replace("2.3", "2.2"))
    with pytest.raises(ValueError, match=r"listed twice: 2\.2"):
        clarifications.rows(project)
