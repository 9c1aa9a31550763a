"""The powers of the private companies: their owners and their effects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.core.events import Marked, PrivateClosed, PrivateUsed, TrainMoved
from engine.core.ids import BANK, CompanyId, HexId, PrivateId
from engine.core.state import Note, State
from engine.core.title import Play, Title
from engine.holders.control import owner_of
from engine.titles.t1863.names import (
    BREWERY,
    CHOCOLATE,
    FOWLER,
    GREATHEAD,
    IMPROVEMENTS,
    LAID,
    LASTING,
    MAIL_AT,
    MAIL_RAIL,
    NECROPOLIS,
    NINE_ELMS,
    NINE_ELMS_HEX,
    PIRATE_AT,
    REDEVELOPMENT,
    TUNNEL,
    TWO_T,
    USED,
    mark,
)
from engine.titles.t1863.pieces import costs
from engine.titles.t1863.rulings import rulings_of
from engine.titles.t1863.turn.crossings import river_crossings

LAY: Final = "lay"
MARKER: Final = "marker"
TRAIN: Final = "train"
"""The keys of a tile lay, a free station marker and a free train among the used-up powers."""
CROSSINGS: Final = 3
"""The number of Thames crossings with which the Thames Tunnel leaves the game."""


# ---- who has them ----------------------------------------------------------------------------------------------------


def owns(state: State, company: CompanyId, private: PrivateId) -> bool:
    """True if the private belongs to the company. Unless stated otherwise, powers work only for companies."""
    # rule 9.1, 9.19
    return state.privates.get(private) == company


def has_power(state: State, company: CompanyId, private: PrivateId, key: str = "") -> bool:
    """True if the company owns the private and its power named ``key`` is not used up."""  # rule 9.19
    return owns(state, company, private) and not is_used_up(state, private, key)


def is_used_up(state: State, private: PrivateId, key: str) -> bool:
    """True if the private's power named ``key`` has been used up."""
    used: frozenset[tuple[PrivateId, str]] = mark(state, USED, frozenset())
    return (private, key) in used


def use_up(play: Play, private: PrivateId, key: str) -> None:
    """Use up a power for good, whoever owns the private later."""  # rule 12.50
    used: frozenset[tuple[PrivateId, str]] = mark(play.state, USED, frozenset())
    play.emit(Marked(USED, used | {(private, key)}))


# ---- track -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LayTerms:
    """The terms on which a company lays a tile. ``any_order``: it may lay new tiles and upgrades in any order, or two
    upgrades. ``half``: the price printed in the hex is halved. ``free``: the lay costs nothing. ``beside``: the lay
    does not count as one of the two in a turn."""

    any_order: bool = False
    half: bool = False
    free: bool = False
    beside: bool = False


@dataclass(frozen=True, slots=True)
class LaidBeside(Note):
    """The hexes in which a company has laid tiles in its turn that are none of its two lays."""

    hexes: tuple[HexId, ...] = ()


def lay_terms(title: Title, state: State, company: CompanyId, using: PrivateId | None = None) -> LayTerms:
    """The terms for a tile lay by the company: an ordinary lay, or one with the power of the private ``using``."""
    # rule 9.2, 9.3, 9.5, 9.6, 12.75
    return LayTerms(
        any_order=owns(state, company, FOWLER),
        half=owns(state, company, GREATHEAD),
        free=using in (NECROPOLIS, TUNNEL),
        beside=using == NECROPOLIS or (using == TUNNEL and rulings_of(title).tunnel_lays == "beside"),
    )


def after_lay(play: Play, company: CompanyId, hex: HexId, using: PrivateId | None) -> None:
    """Apply the effects of powers after a tile lay: record the use of ``using``, and remove the Thames Tunnel from the
    game with the third crossing."""  # rule 9.5, 9.6, 9.8, 9.23
    if using is not None:
        play.emit(PrivateUsed(using, company, (hex,)))
    if using in (REDEVELOPMENT, IMPROVEMENTS):
        use_up(play, using, LAY)
    elif using == NECROPOLIS:
        laid: tuple[tuple[HexId, str], ...] = mark(play.state, LAID, ())
        play.emit(Marked(LAID, (*laid, (hex, play.state.board.tiles[hex][0]))))
    if TUNNEL in play.state.privates and len(river_crossings(play.title, play.state)) >= CROSSINGS:
        close_private(play, TUNNEL)


# ---- money, trains and markers ---------------------------------------------------------------------------------------


def token_rate(title: Title, state: State, company: CompanyId) -> int:
    """The cost of a marker on the map in an operating round. The Porters Ale Brewery halves it."""  # rule 9.10
    rate = costs(title).upkeep
    return rate // 2 if owns(state, company, BREWERY) else rate


def nine_elms(play: Play, company: CompanyId, hex: HexId) -> None:
    """Give a 2T from the Nine Elms Works to a company that has just been floated with its first marker in their hex.
    The company or its president must own the private, a 2T must be left, and the train limit must allow it. They give
    one in the game."""
    # rule 9.7, 12.50
    title, state = play.title, play.state
    holder = state.privates.get(NINE_ELMS)
    if hex != NINE_ELMS_HEX or holder is None or holder not in (company, owner_of(title, state, company)):
        return
    if is_used_up(state, NINE_ELMS, TRAIN):
        return
    trains, limit = state.companies[company].trains, title.policies.train_limit(title, state, company)
    if state.supply.get(TWO_T, 1) and len(trains) < limit:
        play.emit(PrivateUsed(NINE_ELMS, company, (hex,)), TrainMoved(TWO_T, BANK, company))
        use_up(play, NINE_ELMS, TRAIN)


# ---- the end of privates ---------------------------------------------------------------------------------------------


def close_private(play: Play, private: PrivateId) -> None:
    """Remove a private from the game, and the markers that it has placed from the map."""
    play.emit(PrivateClosed(private))
    for owner, key in ((CHOCOLATE, PIRATE_AT), (MAIL_RAIL, MAIL_AT)):
        if private == owner and key in play.state.marks:
            play.emit(Marked(key, None))


def close_privates(play: Play) -> None:
    """Close all privates when phase IV begins, except those that never close."""  # rule 9.1, 3.14
    for private in tuple(play.state.privates):
        if private not in LASTING:
            close_private(play, private)
