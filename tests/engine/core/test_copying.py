"""Copies of frozen values are those that ``dataclasses.replace`` makes."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, dataclass, replace

import pytest

import engine
from engine.core.copies import changed


def test_a_copy_is_the_one_that_replace_makes() -> None:
    state = engine.Game.start(engine.load_title("1861"), engine.Setup(("Ann", "Bob", "Cat"), "copies")).state
    assert changed(state, lots=7, finished=True) == replace(state, lots=7, finished=True) != state
    assert changed(state) == state and changed(state) is not state


def test_a_copy_is_frozen_too() -> None:
    state = engine.Game.start(engine.load_title("1861"), engine.Setup(("Ann", "Bob", "Cat"), "copies")).state
    copy = changed(state, lots=7)
    assert type(copy) is type(state)
    with pytest.raises(FrozenInstanceError):
        copy.lots = 8  # type: ignore[misc]


def test_the_value_itself_stays() -> None:
    state = engine.Game.start(engine.load_title("1861"), engine.Setup(("Ann", "Bob", "Cat"), "copies")).state
    before = state.lots
    changed(state, lots=before + 1)
    assert state.lots == before


def test_a_field_that_is_none_is_refused() -> None:
    state = engine.Game.start(engine.load_title("1861"), engine.Setup(("Ann", "Bob", "Cat"), "copies")).state
    with pytest.raises(TypeError, match="State has no field 'purse'"):
        changed(state, purse=1)


@dataclass(frozen=True, slots=True)
class Checked:
    low: int
    high: int

    def __post_init__(self) -> None:
        assert self.low <= self.high


def test_a_class_that_checks_its_fields_is_refused() -> None:
    with pytest.raises(TypeError, match="Checked is not copied field by field"):
        changed(Checked(1, 2), low=3)


@dataclass(frozen=True, slots=True)
class Base:
    low: int


@dataclass(frozen=True, slots=True)
class Derived(Base):
    high: int


def test_a_class_with_a_base_is_refused() -> None:
    assert changed(Base(1), low=2) == Base(2)
    with pytest.raises(TypeError, match="Derived is not copied field by field"):
        changed(Derived(1, 2), low=0)
