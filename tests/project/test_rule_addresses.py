"""The checker that `make check` runs finds each kind of misfit, and only that."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.rule_addresses import main, problems

RULES = """
title = "T"
editions = ["old"]
general = ["order.*"]

[[unchecked]]
id = "1.4"
reason = "Nobody could break it."
"""
CODE = """
def decide(play, check):
    play.require(True, "lay.colour", colour="green")
    play.refuse("order.wrong_kind")
    gain = 2  # rule 1.2
"""
TESTS = """
import pytest

@pytest.mark.rule("1.3")
def test_it(): ...
"""
WORDS = '"lay.colour" = "x"\n[order]\nwrong_kind = "y"\n'


def rule(rule_id: str, checks: str = "") -> str:
    return f'\n[[rule]]\nid = "{rule_id}"\nsections = {{}}\neditions = ["old"]\ntext = "Text."\nchecks = [{checks}]\n'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A small project in which everything fits."""
    files = {
        "engine/titles/t1/rules.toml": RULES + rule("1.1", '"lay.colour"') + "".join(map(rule, ("1.2", "1.3", "1.4"))),
        "engine/titles/t1/lay.py": CODE,
        "tests/t1/test_it.py": TESTS,
        "templates/en/checks.toml": WORDS,
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def add(project: Path, name: str, text: str) -> None:
    path = project / name
    path.write_text(path.read_text() + text)


def replace(project: Path, name: str, old: str, new: str) -> None:
    path = project / name
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))


def test_a_project_in_which_all_fits_passes(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert problems(project) == []
    assert main([str(project)]) == 0
    assert "fit" in capsys.readouterr().out


def test_a_check_that_no_rule_claims(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(project, "engine/titles/t1/lay.py", '    play.note([Failure("lay.edge", {})])\n')
    add(project, "templates/en/checks.toml", "[lay]\nedge = 'z'\n")
    assert problems(project) == ["engine/titles/t1/lay.py:6: check lay.edge is in no rule's list of checks"]
    assert main([str(project)]) == 1
    assert "1 rule addresses do not fit" in capsys.readouterr().out


def test_a_check_that_a_function_is_given_and_hands_on(project: Path) -> None:
    code = """
class Step:
    def _share(self, play, check):
        return play.require(False, check)

    def decide(self, play):
        self._share(play, "lay.edge" if play else "lay.side")
"""
    add(project, "engine/titles/t1/lay.py", code)
    assert [line.split(":", 2)[2] for line in problems(project)] == [
        " check lay.edge is in no rule's list of checks",
        " check lay.side is in no rule's list of checks",
        " check lay.edge has no words in templates/en/checks.toml or templates/en/T/checks.toml",
        " check lay.side has no words in templates/en/checks.toml or templates/en/T/checks.toml",
    ]


def test_a_key_made_at_run_time(project: Path) -> None:
    add(project, "engine/titles/t1/lay.py", '    play.refuse(f"lay.{check}")\n')
    assert problems(project) == ["engine/titles/t1/lay.py:6: the key of a check must be written out where it is used"]


def test_a_claimed_check_that_no_code_has(project: Path) -> None:
    add(project, "engine/titles/t1/rules.toml", rule("1.5", '"lay.colour", "lay.gone"'))
    replace(project, "engine/titles/t1/rules.toml", '"order.*"', '"order.*", "mail.*"')
    assert problems(project) == [
        "T rule 1.5: no code has its check lay.gone",
        "T: no code has a general check mail.*",
    ]


def test_a_rule_that_nothing_holds(project: Path) -> None:
    add(project, "engine/titles/t1/rules.toml", rule("1.5"))
    assert problems(project) == ["T rule 1.5: neither code nor a test: Text."]


def test_a_reason_for_a_rule_that_something_holds(project: Path) -> None:
    add(project, "engine/titles/t1/lay.py", "    # rule 1.2, 1.4\n")
    assert problems(project) == ["T rule 1.4: listed as unchecked, but code or a test names it"]


def test_tags_and_marks_of_unknown_rules(project: Path) -> None:
    add(project, "engine/titles/t1/lay.py", "    # rule 1.2, 7.1\n")
    replace(project, "tests/t1/test_it.py", '"1.3"', '"1.3", "T:7.2"')
    assert problems(project) == [
        "engine/titles/t1/lay.py:6: there is no rule T:7.1",
        "tests/t1/test_it.py:4: there is no rule T:7.2",
    ]


def test_shared_code_names_the_title_of_its_rules(project: Path) -> None:
    second = project / "engine" / "titles" / "t2" / "rules.toml"
    second.parent.mkdir()
    second.write_text(
        RULES.replace('"T"', '"U"').replace('["order.*"]', "[]") + rule("1.4") + rule("1.5") + rule("1.6")
    )
    (project / "engine" / "value.py").write_text(
        "gain = 2  # rule U:1.5, 1.6\nloss = 2  # rule 1.2\nnone = 0  # rule T:1.5\n"
    )
    assert problems(project) == ["engine/value.py:2: there is no rule 1.2", "engine/value.py:3: there is no rule T:1.5"]


def test_a_check_without_words(project: Path) -> None:
    replace(project, "templates/en/checks.toml", '"lay.colour" = "x"', "")
    missing = "check lay.colour has no words in templates/en/checks.toml"
    assert problems(project) == [f"engine/titles/t1/lay.py:3: {missing} or templates/en/T/checks.toml"]
    (project / "templates/en/U").mkdir()
    (project / "templates/en/U/checks.toml").write_text("[lay]\ncolour = 'of another title'\n")
    assert len(problems(project)) == 1
    (project / "templates/en/T").mkdir()
    (project / "templates/en/T/checks.toml").write_text("[lay]\ncolour = 'of this one'\n")
    assert problems(project) == []


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("{{ colour }} {{ title.name }} {{ x is defined }} {% for y in colour %}{{ y }}{% endfor %}", ""),
        ("{{ colour }} in {{ hex }}{% if edge %}!{% endif %}", "need what it does not give: edge, hex"),
        ("{{ colour|colored }}", "are no template: No filter named 'colored'."),
    ],
)
def test_words_need_only_facts_that_the_code_gives(project: Path, text: str, fault: str) -> None:
    replace(project, "templates/en/checks.toml", '"lay.colour" = "x"', f"'lay.colour' = \"{text}\"")
    said = [f"engine/titles/t1/lay.py:3: the words of check lay.colour {fault}"] if fault else []
    assert problems(project) == said


def test_the_facts_of_a_failure_and_those_that_cannot_be_read_off(project: Path) -> None:
    replace(project, "templates/en/checks.toml", '"lay.colour" = "x"', "'lay.colour' = '{{ hex }}'")
    replace(project, "engine/titles/t1/lay.py", 'colour="green"', "**facts")
    add(project, "engine/titles/t1/lay.py", '    a = Failure("lay.colour", facts)\n    b = Failure("lay.colour")\n')
    add(
        project,
        "engine/titles/t1/lay.py",
        '    c = Failure("lay.colour", {"edge": 1}), Failure("lay.colour", {"hex": 1})\n',
    )
    found = problems(project)
    assert [line.split(":")[1] for line in found] == ["3", "6", "7", "8"]
    assert ["cannot be read off" in line for line in found] == [True, True, False, False]


@pytest.mark.parametrize(
    ("code", "fits"),
    [
        ('    facts = {"hex": 1}\n    a = Failure("lay.colour", {**facts, "edge": 2})\n', True),
        ('    facts = {"edge": 1}\n    a = Failure("lay.colour", {**facts, "edge": 2})\n', False),
        ('    a = Failure("lay.colour", {"hex": 1} if play else {"edge": 1})\n', False),
        ('    a = Failure("lay.colour", made())\ndef made():\n    return {"hex": 1}\n', True),
        ('    tell({"hex": 1})\ndef tell(facts):\n    a = Failure("lay.colour", facts)\n', True),
        ('    tell({"hex": 1}), tell({})\ndef tell(facts):\n    a = Failure("lay.colour", facts)\n', False),
        ('    tell()\ndef tell(*facts):\n    a = Failure("lay.colour", facts)\n', False),
    ],
)
def test_facts_are_followed_to_where_they_are_put_together(project: Path, code: str, fits: bool) -> None:
    """Issue item 20."""
    replace(project, "templates/en/checks.toml", '"lay.colour" = "x"', "'lay.colour' = '{{ hex }}'")
    replace(project, "engine/titles/t1/lay.py", 'colour="green"', "hex=1")
    add(project, "engine/titles/t1/lay.py", code)
    assert (problems(project) == []) is fits


def test_shared_code_needs_words_and_their_facts_for_every_title(project: Path) -> None:
    """Issue item 20: ``pay.nothing_earned`` of the shared step had words in one title only."""
    other = project / "engine/titles/t2/rules.toml"
    other.parent.mkdir()
    other.write_text('title = "U"\neditions = ["old"]\ngeneral = ["pay.*"]\n')
    shared = project / "engine/acts/pay.py"
    shared.parent.mkdir()
    shared.write_text(
        'def pay(play):\n    play.refuse("pay.nothing", company="X")\n    return Ask(1, 2, "company.pay")\n'
    )
    own = project / "templates/en/T"
    own.mkdir()
    (own / "checks.toml").write_text('"pay.nothing" = "{{ company }}"\n')
    (own / "asks.toml").write_text('"company.pay".text = "x"\n"company.pay".short = "y"\n')
    found = problems(project)
    assert sorted(line.partition(": ")[2] for line in found) == [
        "check pay.nothing has no words in templates/en/checks.toml or templates/en/U/checks.toml",
        "question company.pay has no short in templates/en/asks.toml or templates/en/U/asks.toml",
        "question company.pay has no text in templates/en/asks.toml or templates/en/U/asks.toml",
    ]
    add(project, "templates/en/checks.toml", "[pay]\nnothing = '{{ company }}'\n")
    (project / "templates/en/asks.toml").write_text('"company.pay".text = "x"\n"company.pay".short = "y"\n')
    assert problems(project) == []
    (own / "checks.toml").write_text("'pay.nothing' = '{{ money }}'\n")
    assert [line.partition(": ")[2] for line in problems(project)] == [
        "the words of check pay.nothing need what it does not give: money"
    ]


def test_a_question_without_words(project: Path) -> None:
    add(project, "engine/titles/t1/lay.py", '    return Ask(player, player, "lay.more", ())\n')
    (project / "templates/en/asks.toml").write_text('["lay.more"]\ntext = "More?"\n')
    where = "templates/en/asks.toml or templates/en/T/asks.toml"
    assert problems(project) == [f"engine/titles/t1/lay.py:6: question lay.more has no short in {where}"]


def test_no_words_at_all(project: Path) -> None:
    (project / "templates/en/checks.toml").unlink()
    assert problems(project) == ["templates/en/checks.toml is missing: checks have no words"]
