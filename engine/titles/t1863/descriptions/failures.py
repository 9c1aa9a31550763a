"""Descriptions of decisions about bills, debts and failed companies for the players."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from engine.core.state import Frame
from engine.steps.descriptions import Told
from engine.titles.t1863.failures.failure import Liquidation, Taking
from engine.titles.t1863.failures.liquidation import Failing
from engine.titles.t1863.failures.lptb import LptbActs
from engine.titles.t1863.money.crisis import Bill
from engine.titles.t1863.money.player_debt import PlayerDebt


def _bill(frame: Bill) -> Told:
    told = {"company": frame.company, "for": frame.about or frame.what}
    return "bill", {**told, "amount": frame.amount} if frame.amount else told


def _debt(frame: PlayerDebt) -> Told:
    told = {"player": frame.player, "amount": frame.amount, "to": frame.payee, "for": frame.reason}
    return "debt of a player", {**told, "company": frame.company}


def _failing(frame: Failing) -> Told:
    return "liquidations and acquisitions", {"done": list(frame.done)}


def _liquidation(frame: Liquidation) -> Told:
    return "liquidation", {"company": frame.company, "step": frame.stage, "offered": list(frame.offered)}


def _taking(frame: Taking) -> Told:
    return "taken by the LPTB", {
        "company": frame.company,
        "way": frame.way,
        "step": frame.stage,
        "value": frame.value,
    }


def _lptb(frame: LptbActs) -> Told:
    told = {"step": frame.stage, "companies": list(frame.waiting), "offered": list(frame.offered)}
    return "acts of the LPTB", told


FAILURES: Final[Mapping[type[Frame], Callable[[Any], Told]]] = {
    Bill: _bill,
    PlayerDebt: _debt,
    Failing: _failing,
    Liquidation: _liquidation,
    Taking: _taking,
    LptbActs: _lptb,
}
