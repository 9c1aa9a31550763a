"""``railpost seat address``, ``railpost seat revoke``, ``railpost seat alias``: the addresses of a seat."""

from __future__ import annotations

from typing import Annotated

import typer

from moderator.entrypoints.completion import GameName, PlayerName
from moderator.entrypoints.database_access import desk_of
from moderator.entrypoints.lookup import not_ours, seat_named
from moderator.entrypoints.output import AsJson, Status, Table, fail, out
from moderator.entrypoints.seats import app

_WHY_NOT = {
    "address.bad": "is an address of the service's own domain",
    "alias.known": "is an address of the player already",
    "alias.many": "would be one alias too many (setting `most_aliases`)",
    "identity.often": "is not asked: the seat was asked for too much today (setting `confirmations_per_day`)",
}
Address = Annotated[str, typer.Argument(metavar="ADDRESS", help="A mail address.", show_default=False)]


@app.command("address")
def address(
    context: typer.Context,
    name: GameName,
    player: PlayerName,
    new: Annotated[str, typer.Argument(metavar="ADDRESS", help="The new address of record.", show_default=False)],
    at_once: Annotated[
        bool, typer.Option("--at-once", help="Without the delay in which the old address can stop it.")
    ] = False,
) -> None:
    """Send all mail of a seat to another address from now on.

    The old address gets a mail and can stop the change for `address_delay_hours`; then all players are told.
    """
    from moderator.domain.senders import same_address
    from moderator.service.people.address_change import begin, take_effect
    from moderator.service.table.table import lock_seat

    desk = desk_of(context)
    wanted = _address(new)
    not_ours(desk.settings, wanted)
    with seat_named(desk, name, player), desk.sitting() as sitting:
        seat = lock_seat(sitting, name, player)
        if same_address(seat.address, wanted):
            fail(f"{wanted} is the address of {player} already", Status.NO)
        if at_once:
            take_effect(sitting, seat, wanted)
            out.print(f"mail of {player} in {name} goes to {wanted}", markup=False)
            return
        row = begin(sitting, seat, wanted, agreed=True)
        out.print(f"mail of {player} in {name} goes to {wanted} from {row.due_at:%Y-%m-%d %H:%M} UTC on", markup=False)


@app.command("revoke")
def revoke_seat(context: typer.Context, name: GameName, player: PlayerName) -> None:
    """Void all secret addresses of a seat, because somebody else knows one, and send the seat a new one."""
    from moderator.service.people import requests as pending
    from moderator.service.people.person_words import revoke
    from moderator.service.table.table import lock_seat

    desk = desk_of(context)
    with seat_named(desk, name, player), desk.sitting() as sitting:
        seat = lock_seat(sitting, name, player)
        revoke(sitting, seat)
        pending.write(sitting, seat, ("revoked", {"player": player}))
    out.print(f"{player} gets a mail with a new secret address", markup=False)


@app.command("alias")
def alias(
    context: typer.Context,
    name: GameName,
    player: PlayerName,
    other: Annotated[str | None, typer.Argument(metavar="ADDRESS", help="Another address of the player.")] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Remove this address.")] = False,
    as_json: AsJson = False,
) -> None:
    """List, add or remove other addresses from which a player may write.

    A mail asks a new address whether it is the player's. The address counts once it has agreed. Answers go to the
    address of record.
    """
    from moderator.service.people.person_words import add_alias, forget_alias
    from moderator.service.table.table import lock_seat
    from moderator.service.table.trust import aliases_of

    desk = desk_of(context)
    with seat_named(desk, name, player), desk.sitting() as sitting:
        seat = lock_seat(sitting, name, player)
        if other is None:
            table = Table("address", "since")
            for row in aliases_of(sitting.session, seat.address):
                when = row.confirmed_at.strftime("%Y-%m-%d %H:%M") if row.confirmed_at else "not confirmed"
                table.add_row(row.address, when)
            table.print(as_json)
        elif remove:
            if not forget_alias(sitting, seat, _address(other)):
                fail(f"{other} was not an alias of {player}", Status.NO)
            out.print(f"{other} is no longer an alias of {player}", markup=False)
        else:
            key, _ = add_alias(sitting, seat, _address(other), None, proved=True)
            if key != "alias.written":
                fail(f"{other} {_WHY_NOT[key]}", Status.NO)
            out.print(f"{other} is asked", markup=False)


def _address(text: str) -> str:
    from moderator.domain.senders import address_in

    found = address_in(text)
    if not found:
        fail(f"{text!r} is not a mail address")
    return found


__all__ = ["app"]
