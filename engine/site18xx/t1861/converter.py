"""Records of 1861: conversion of the site's actions to our orders, where it differs from that of its cousins."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from engine.site18xx.answers import EmptyAnswers
from engine.site18xx.f1867.converter import FamilyConverter
from engine.site18xx.t1861.answers import empty_answer
from engine.site18xx.t1861.options import beyond_the_page, trains_run_again
from engine.site18xx.walk import Action
from engine.titles.t1861.names import STATE

EDITION = "2020"
OPTIONAL_RULES = {"column_market": ("chart", "column")}
PRIVATES = ("TSR", "BSS", "MYR", "MRR", "WVR")


@dataclass(slots=True)
class Converter(FamilyConverter):
    """Converts the actions of a record of 1861."""

    EDITION: ClassVar[str] = EDITION
    OPTIONAL_RULES: ClassVar[Mapping[str, tuple[str, str]]] = OPTIONAL_RULES
    PRIVATES: ClassVar[Sequence[str]] = PRIVATES
    EMPTY: ClassVar[EmptyAnswers] = empty_answer
    BETWEEN_TURNS: ClassVar[Collection[str]] = (*FamilyConverter.BETWEEN_TURNS, "state_railway.run")

    @classmethod
    def shown(cls, actions: Sequence[Action]) -> dict[str, str]:
        """The options that the record itself shows."""
        return beyond_the_page(actions) | FamilyConverter.shown(actions) | trains_run_again(actions)

    def _seller(self, number: str) -> str:
        """The owner of a train that is bought."""
        return self._cards.owner(number, not_of=STATE)  # it took an equal train from the pool
