"""The list of a title's rules: what it must hold, and the addresses that refusals show."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.titles.rulebook import load_addresses, load_rulebook

HEAD = 'title = "T"\neditions = ["old", "new"]\ngeneral = ["order.*"]\n'
RULE = '[[rule]]\nid = "1.1"\nsections = { old = "4" }\neditions = ["old", "new"]\ntext = "A rule."\n'


def written(folder: Path, text: str) -> Path:
    path = folder / "rules.toml"
    path.write_text(text)
    return path


def test_an_address_is_the_id_with_the_section_of_the_edition(tmp_path: Path) -> None:
    path = written(tmp_path, HEAD + RULE + 'checks = ["lay.colour"]\n')
    assert load_addresses(path, "old") == {"lay.colour": "1.1, §4"}
    assert load_addresses(path, "new") == {"lay.colour": "1.1"}


def test_where_the_text_is_silent_the_address_is_the_id(tmp_path: Path) -> None:
    text = HEAD + RULE.replace('{ old = "4" }', "{}") + 'checks = ["lay.colour"]\n'
    assert load_addresses(written(tmp_path, text), "old") == {"lay.colour": "1.1"}


def test_a_text_without_section_numbers_is_addressed_by_its_page(tmp_path: Path) -> None:
    text = HEAD + RULE.replace('"4"', '"p. 4"') + 'checks = ["lay.colour"]\n'
    assert load_addresses(written(tmp_path, text), "old") == {"lay.colour": "1.1, p. 4"}


def test_a_check_of_two_rules_has_both_addresses(tmp_path: Path) -> None:
    more = RULE.replace("1.1", "1.2").replace('"4"', '"5"') + 'checks = ["bid.money"]\n'
    path = written(tmp_path, HEAD + RULE + 'checks = ["bid.money"]\n' + more)
    assert load_addresses(path, "old") == {"bid.money": "1.1, §4; 1.2, §5"}


def test_a_rule_of_another_edition_gives_no_address(tmp_path: Path) -> None:
    text = HEAD + RULE.replace('["old", "new"]\ntext', '["new"]\ntext') + 'checks = ["lay.colour"]\n'
    assert load_addresses(written(tmp_path, text), "old") == {}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (HEAD + RULE + RULE, "rule 1.1 is listed 2 times"),
        (HEAD + RULE.replace('"1.1"', '"one"'), "rule one: an id is two numbers"),
        (HEAD + RULE.replace("old =", "odd ="), "rule 1.1: no edition 'odd'; there are: old, new"),
        (HEAD + RULE + 'checks = ["Colour"]\n', "rule 1.1: 'Colour' is no check key"),
        (HEAD + RULE + 'checks = ["a.b", "a.b"]\n', "rule 1.1: check a.b is listed twice"),
        (HEAD + RULE + 'check = ["a.b"]\n', "rule 1.1: unknown: check"),
        (HEAD + RULE.replace('text = "A rule."\n', ""), "rule 1.1: text must be a text"),
        (HEAD + RULE + '[[unchecked]]\nid = "9.9"\nreason = "x"\n', "unchecked: no rule '9.9'"),
        (HEAD.replace('"order.*"', '"*"') + RULE, "general: '\\*' is no check key"),
        ("title = 1 2", "line 1"),
    ],
)
def test_a_list_that_does_not_hold_is_refused_with_file_and_reason(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=f"rules.toml: .*{reason}"):
        load_rulebook(written(tmp_path, text))


def test_an_unknown_edition_is_refused_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no edition '1999'; there are: old, new"):
        load_addresses(written(tmp_path, HEAD + RULE), "1999")


def test_every_title_has_a_list_in_the_docs_that_is_its_own(checkout: Path) -> None:
    lists = sorted(checkout.glob("engine/titles/t*/rules.toml"))
    assert lists
    for path in lists:
        assert (checkout / "docs" / "rules" / f"{load_rulebook(path).title}.toml").resolve() == path.resolve()
