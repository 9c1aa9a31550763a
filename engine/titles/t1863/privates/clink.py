"""The Clink Club: its owner lays a yellow tile in a turn of the first stock round, in addition to his action."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.acts.player.act import PlayerAct
from engine.core.agenda import Choice, Exact
from engine.core.checks import Fact, Failure
from engine.core.events import PrivateUsed, TileLaid
from engine.core.ids import Actor, CompanyId, PlayerId
from engine.core.orders import Lay
from engine.core.state import State
from engine.core.title import Play, Title
from engine.titles.t1863.names import CLINK, STOCK_ROUND
from engine.titles.t1863.pieces import prisons
from engine.titles.t1863.privates.powers import LAY, is_used_up, use_up
from engine.titles.t1863.privates.track_powers import YELLOW, check_unjoined


def _as_layer(player: PlayerId) -> CompanyId:
    """The player in the place of the company that lays a tile. No other private lays tiles for a player."""
    return CompanyId(player)


def _check(title: Title, state: State, frame: object, order: Lay) -> list[Failure]:
    """Every reason why the player may not lay this tile in his turn of a stock round."""  # rule 9.13
    player = PlayerId(order.actor)
    if order.using != CLINK:
        return [Failure("clink.using", {"private": CLINK})]
    facts: dict[str, Fact] = {"private": CLINK, "owner": state.privates.get(CLINK), "player": player}
    failures = [] if state.privates.get(CLINK) == player else [Failure("clink.owner", facts)]
    if state.round.kind != STOCK_ROUND or state.round.set != 1:
        failures.append(Failure("clink.round", facts))
    if is_used_up(state, CLINK, LAY):
        failures.append(Failure("clink.used", facts))
    if order.hex not in prisons(title):
        failures.append(Failure("clink.hex", {"hex": order.hex, "hexes": tuple(sorted(prisons(title)))}))
        return failures
    failures += check_unjoined(title, state, _as_layer(player), order)
    known = title.map.tiles.get(order.tile)
    if known is not None and known.face.color != YELLOW:
        failures.append(Failure("clink.yellow", {"tile": order.tile, "color": known.face.color}))
    return failures


def _list(title: Title, state: State, frame: object, actor: Actor) -> Iterator[Choice]:
    """Every tile lay that the Clink Club allows its owner now."""
    if state.privates.get(CLINK) != actor:
        return
    for hex in sorted(prisons(title)):
        for tile, rotations in title.map.first_lays[hex].items():
            seen = set()
            for rotation in sorted(rotations):
                order = Lay(_as_layer(PlayerId(actor)), tile, hex, rotation, CLINK)
                look = frozenset(map(frozenset, title.map.tiles[tile].face.turned(rotation).paths))
                if look not in seen and not _check(title, state, frame, order):
                    seen.add(look)
                    yield Exact(order)


def _lay(play: Play, order: Lay) -> None:
    """Lay a checked tile free of charge."""  # rule 9.13
    play.emit(TileLaid(order.actor, order.hex, order.tile, order.rotation))
    play.emit(PrivateUsed(CLINK, PlayerId(order.actor), (order.hex,)))
    use_up(play, CLINK, LAY)


LAY_CLINK: Final = PlayerAct(
    name="LayClink",
    takes=(Lay,),
    list=_list,
    check=_check,
    do=_lay,
    ends=False,
    waits=lambda title, owed: False,
)
"""The act of the owner in his turn of a stock round."""
