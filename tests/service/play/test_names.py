"""Names that a player can have, and those that are refused with the reason."""

from __future__ import annotations

import pytest

from moderator.service.play.new_games import Person, check_name


@pytest.mark.parametrize("name", ["END", "all", "Press", "master", "Begin"])
def test_a_word_for_the_moderator_is_no_name(name: str) -> None:
    with pytest.raises(ValueError, match="means something else"):
        Person.parse(f"{name} <x@example.org>")


@pytest.mark.parametrize("char", ["\u202e", "\u2066", "\u200f", "\u200b", "\x07", "\u2028"])
def test_a_character_that_is_not_seen_is_refused(char: str) -> None:
    with pytest.raises(ValueError, match=f"not seen .U.{ord(char):04X}"):
        check_name(f"A{char}nn")


@pytest.mark.fault(45)
@pytest.mark.parametrize("char", ["=", "+", "-", "@", "\t", "|"])
def test_a_name_that_a_spreadsheet_would_take_for_a_formula_is_refused(char: str) -> None:
    with pytest.raises(ValueError, match="begins with a letter or digit"):
        check_name(f"{char}1+1")


@pytest.mark.parametrize("text", ["Ann <3 <ann@example.org>", "Ann <the great> <ann@example.org>"])
def test_a_name_that_would_be_cut_off_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="cut off"):
        Person.parse(text)


@pytest.mark.parametrize(
    "name", ["Ann", "Allan", "Zo\u00eb", "O'Neill", "Jean-Luc", "\uae40\ucca0\uc218", "\u0414\u0430\u0448\u0430 2"]
)
def test_other_names_are_kept(name: str) -> None:
    assert Person.parse(f"{name} <x@example.org>") == Person(name, "x@example.org")
