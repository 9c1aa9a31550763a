"""Records of 1867: conversion of the site's actions to our orders, where it differs from that of its cousins.

The site asks for a minor's home after the opening bid, and our order names both. It names the train that is given in
part payment. Exports are in no action.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from engine.acts.place_token import city_space
from engine.core.ids import POOL, CompanyId, TrainName
from engine.core.orders import Open
from engine.site18xx.f1867.converter import FamilyConverter
from engine.site18xx.handlers import play_train
from engine.site18xx.trains import train_type
from engine.site18xx.walk import Action
from engine.titles.t1867.trade_in import worth

EDITION = "18xx.games"
OPTIONAL_RULES = {"grid_market": ("chart", "grid")}
PRIVATES = ("C&SL", "NFB", "MB", "QB", "SCT")


@dataclass(slots=True)
class Converter(FamilyConverter):
    """Converts the actions of a record of 1867."""

    EDITION: ClassVar[str] = EDITION
    OPTIONAL_RULES: ClassVar[Mapping[str, tuple[str, str]]] = OPTIONAL_RULES
    PRIVATES: ClassVar[Sequence[str]] = PRIVATES

    _opened: Open | None = None
    """The bid that opened the auction of a minor whose home has yet to be named."""

    def _open(self, action: Action, order: Open) -> None:
        if action.get("corporation") is None:
            FamilyConverter._open(self, action, order)
        else:
            self._started, self._opened = action, order

    def on_place_token(self, action: Action) -> None:
        if self._opened is None:
            FamilyConverter.on_place_token(self, action)
            return
        hex, city = self._tiles.place(action["city"])
        opened, self._started, self._opened = self._opened, None, None
        self.walk.play(replace(opened, space=city_space(self.game.state, hex, city)))

    def _buy(self, action: Action, company: CompanyId, train: TrainName, owner: str) -> None:
        if not (given := action.get("exchange")):
            FamilyConverter._buy(self, action, company, train, owner)
            return
        if self._cards.owner(str(given)) != company:
            raise self.walk.problem(f"{company} has no {given}")
        trade = train_type(str(given))
        off = worth(self.game.title, train, trade) if train in self.game.title.trains else 0
        play_train(self.walk, company, train, owner, int(action["price"]), trade, off)
        self._follow_trains({company: str(action["train"]), POOL: str(given)})
