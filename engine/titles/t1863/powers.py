"""The powers of the private companies: what an owner may do with each, and what it changes for him."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.core.checks import Failure
from engine.core.ids import CompanyId, HexId, PrivateId
from engine.core.orders import Lay
from engine.core.state import State
from engine.core.title import Play, Title
from engine.titles.t1863.pieces import costs


@dataclass(frozen=True, slots=True)
class LayTerms:
    """The terms on which a company lays a tile. ``any_order``: new tiles and upgrades in any order, or two upgrades.
    ``half``: the price printed in the hex is halved. ``free``: nothing is paid. ``beside``: the lay is none of the two
    of a turn."""

    any_order: bool = False
    half: bool = False
    free: bool = False
    beside: bool = False


def lay_terms(title: Title, state: State, company: CompanyId, using: PrivateId | None = None) -> LayTerms:
    """The terms of a lay of the company, of the usual kind or with the power of the private ``using``."""
    return LayTerms()


def check_power_lay(title: Title, state: State, company: CompanyId, order: Lay) -> list[Failure]:
    """Every reason against a lay with the power of ``order.using``: whose the private is, the tile, and its joining.
    The number of lays in a turn and the money are looked at by whoever calls."""
    return [Failure("order.no_such_part", {"part": "using"})]


def list_power_lays(title: Title, state: State, company: CompanyId) -> Iterator[Lay]:
    """Every lay that ``check_power_lay`` finds no fault with."""
    yield from ()


def after_lay(play: Play, company: CompanyId, hex: HexId, using: PrivateId | None) -> None:
    """All that powers make follow from a tile that has just been laid."""


def token_rate(title: Title, state: State, company: CompanyId) -> int:
    """The cost of a marker on the map in an operating round."""
    return costs(title).upkeep


def close_privates(play: Play) -> None:
    """Privates close when phase IV begins."""


def nine_elms(play: Play, company: CompanyId, hex: HexId) -> None:
    """All that the Nine Elms Works bring to a company that has been floated with its first marker in ``hex``."""
