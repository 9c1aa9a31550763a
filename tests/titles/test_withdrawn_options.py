"""Rulings that became plain decisions: a game that has the decision goes on, and one that has another value is refused
with the version of Railpost that plays it."""

from __future__ import annotations

from importlib import import_module

import pytest

import engine

DECIDED = [
    (title, version, name, value)
    for title in engine.title_names()
    for version, rulings in getattr(import_module(f"engine.titles.t{title}.rulings"), "DECIDED", {}).items()
    for name, value in rulings.items()
]


@pytest.mark.parametrize(("title", "version", "name", "value"), DECIDED)
def test_the_decision_may_still_be_named_and_nothing_else(title: str, version: str, name: str, value: str) -> None:
    usual = engine.load_title(title)
    assert name not in usual.options
    assert engine.load_title(title, options={name: value}) == usual
    assert engine.load_title(title, options={**usual.options, name: value}) == usual
    with pytest.raises(engine.WithdrawnOption) as refused:
        engine.load_title(title, options={**usual.options, name: "another"})
    assert refused.value.names == {name}
    assert str(refused.value) == (
        f"{name} is no option of {title} any more: {value!r} is played always; Railpost {version} plays 'another'"
    )


def test_all_that_are_withdrawn_are_named_at_once() -> None:
    with pytest.raises(engine.WithdrawnOption) as refused:
        engine.load_title("1863", options={"loops": "no", "stalemate": "goes_on", "toll": "route"})
    assert refused.value.names == {"loops", "stalemate"}


def test_a_game_of_before_a_ruling_was_named_is_still_known() -> None:
    """Its options name all rulings of its time: also those that are decided now, and none that came later."""
    now = engine.load_title("1861", "2020").options
    then = {name: value for name, value in now.items() if name not in ("offer_limit", "bank_breaks")}
    found = engine.load_title("1861", "v2.0", {**then, "first_minor": "nikolaev"}).options
    assert (found["offer_limit"], found["bank_breaks"]) == ("before", "below_zero")
