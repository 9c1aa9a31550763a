"""``railpost seat``: lists, restarts and hands over seats. ``railpost breaker``: breakers against mail loops."""

from __future__ import annotations

from typing import Annotated

import typer

from moderator.entrypoints.app import App
from moderator.entrypoints.completion import GameName, PlayerName
from moderator.entrypoints.database_access import desk_of, desk_to_read
from moderator.entrypoints.lookup import no_game, not_ours, seat_named, short, short_due
from moderator.entrypoints.output import AsJson, Status, Table, complaints, fail, out

app = App()


@app.command("list")
def list_seats(context: typer.Context, name: GameName, as_json: AsJson = False) -> None:
    """List the seats of a game: when each last got news and was heard from, and what hinders mail to it.

    `played by` is the person to whom the seat was given. `due` is the deadline for an answer, followed by `late` when
    it is past. `away` is the time of an automatic answer that says that the player may be away. Times are UTC.
    """
    from moderator.service.listing import seats
    from moderator.service.listing.games import has_game

    desk = desk_to_read(context)
    columns = ("seat", "player", "played by", "address", "asked", "due", "told", "heard", "away", "came back", "state")
    table = Table(*columns)
    with desk.database.reading() as session:
        if not has_game(session, name):
            no_game(desk, name)
        for seat in seats.list_seats(session, name):
            table.add_row(
                str(seat.number), seat.player, seat.person, seat.address, "yes" if seat.asked else "",
                short_due(seat.due), short(seat.told_at), short(seat.heard_at), short(seat.away_at),
                str(seat.bounces or ""), seat.silence,
            )  # fmt: skip
    table.print(as_json)


@app.command("silent")
def silent(
    context: typer.Context,
    hours: Annotated[
        int | None, typer.Option(min=1, help="Silent for at least this long.", show_default="silent_hours")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List seats that must answer and have given no sign of life: their mail may be in a spam folder."""
    from moderator.service.people.silence import silent_seats

    desk = desk_to_read(context)
    table = Table("game", "player", "address", "asked", "heard", "state", "reminded")
    for seat in silent_seats(desk, hours or desk.settings.silent_hours):
        table.add_row(
            seat.game, seat.player, seat.address, short(seat.asked_at), short(seat.heard_at), seat.state,
            "yes" if seat.reminded else "",
        )  # fmt: skip
    table.print(as_json)


@app.command("start")
def start(
    context: typer.Context,
    name: GameName,
    player: Annotated[str, typer.Argument(metavar="PLAYER", help="The player of the seat.", show_default=False)],
) -> None:
    """Send mail again to a seat that had unsubscribed, or whose mail was reported as spam."""
    from moderator.service.people.reach import start_again
    from moderator.service.table.table import lock_seat

    desk = desk_of(context)
    with seat_named(desk, name, player), desk.sitting() as sitting:
        seat = lock_seat(sitting, name, player)
        if seat.stopped_at is None:
            fail(f"mail to {player} in {name} was not stopped", Status.NO)
        start_again(sitting, seat, told=False)
    out.print(f"{player} gets mail from {name} again", markup=False)


@app.command("zone")
def zone(
    context: typer.Context,
    name: GameName,
    player: PlayerName,
    zone: Annotated[
        str, typer.Argument(metavar="Europe/Zurich", help="The zone's IANA name, or `game`.", show_default=False)
    ],
) -> None:
    """Tell a player times in his own time zone, in all his games, as the word `zone` in his mail does.

    Without this he is told them in the zone of each game's deadlines, and `game` goes back to that. Deadlines stay as
    they are.
    """
    from moderator.service.people.zone import set_zone
    from moderator.service.table.table import lock_seat

    desk = desk_of(context)
    with seat_named(desk, name, player), complaints(), desk.sitting() as sitting:
        told = set_zone(sitting, lock_seat(sitting, name, player), zone)
    where = f"in {told}" if told else "in the zone of each game's deadlines"
    out.print(f"{player} is told times {where}", markup=False)


@app.command("caretaker")
def caretaker(
    context: typer.Context,
    name: GameName,
    player: PlayerName,
    who: Annotated[
        str,
        typer.Argument(
            metavar="WHO", help="robot, open or none: a robot moves; the seat is offered; its player plays."
        ),
    ],
    reason: Annotated[str, typer.Option("--reason", help="Why: all players are told, and the log keeps it.")] = "",
) -> None:
    """Let a robot move for a player who does not answer, or offer his seat, until any mail of his arrives.

    All players are told. `railpost game undo` takes back what the robot does.
    """
    from moderator.service.locks import lock_game
    from moderator.service.play.deputy import set_caretaker
    from moderator.service.table.anonymity import check_untold
    from moderator.service.table.table import lock_seat, open_table

    if who not in ("robot", "open", "none"):
        fail(f"{who!r} is nobody who may take care of a seat: say robot, open or none")
    desk = desk_of(context)
    with seat_named(desk, name, player), desk.sitting() as sitting:
        seat = lock_seat(sitting, name, player)
        game = lock_game(sitting.session, name)
        if game.over:
            fail(f"{name} is over", Status.NO)
        try:
            check_untold(sitting.session, game, reason)
            set_caretaker(open_table(sitting, game), seat, "" if who == "none" else who, " ".join(reason.split()))
        except ValueError as error:
            fail(str(error), Status.NO)
    said = {"robot": "a robot moves for it", "open": "it is open", "none": "its player plays again"}[who]
    out.print(f"{player} in {name}: {said}", markup=False)


@app.command("give")
def give(
    context: typer.Context,
    name: GameName,
    player: PlayerName,
    person: Annotated[
        str, typer.Argument(metavar='"Dan <dan@example.org>"', help="Who plays it from now on.", show_default=False)
    ],
    reason: Annotated[str, typer.Option("--reason", help="Why: all players are told; the record keeps it.")] = "",
) -> None:
    """Give a seat to somebody else, in place of a player who has left.

    The seat keeps its name in the game. The old player's secret addresses become void, his orders given ahead are
    withdrawn, and an answer that is due gets its full time again. The old player, the new player and all others get a
    mail.
    """
    from moderator.domain.senders import same_address
    from moderator.service.locks import lock_game
    from moderator.service.people.hand_over import hand_over
    from moderator.service.play.new_games import Person
    from moderator.service.table.anonymity import check_untold
    from moderator.service.table.table import lock_seat, seats_of

    desk = desk_of(context)
    with complaints():
        whom = Person.parse(person)
    not_ours(desk.settings, whom.address)
    with seat_named(desk, name, player), desk.sitting() as sitting:
        seat = lock_seat(sitting, name, player)
        others = seats_of(sitting.session, name)
        also = [one.player for one in others if one.id != seat.id and same_address(one.address, whom.address)]
        try:
            check_untold(sitting.session, lock_game(sitting.session, name), reason, whom.name, whom.address)
            hand_over(sitting, seat, whom.name, whom.address, " ".join(reason.split()))
        except ValueError as error:
            fail(str(error), Status.NO)
    out.print(f"{whom.name} plays for {player} in {name} from now on", markup=False)
    if also:
        out.print(f"{whom.address} has another seat there, too: {', '.join(also)}", markup=False)


def breaker(
    context: typer.Context,
    reset: Annotated[bool, typer.Option("--reset", help="Close all of them now.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show which breakers against mail loops are open, or close them. Orders and their refusals are answered even while
    one is open. A breaker closes by itself. `until` is UTC."""
    from moderator.service.robots import budgets

    desk = desk_of(context) if reset else desk_to_read(context)
    if reset:
        out.print("answering again" if budgets.reset(desk) else "no breaker was open", markup=False)
        return
    with desk.looking() as sitting:
        found = budgets.open_breakers(sitting)
    if as_json:
        table = Table("group", "answers", "until")
        for one in found:
            table.add_row(one.group, str(one.count), short(one.until))
        table.print(as_json)
        raise typer.Exit(Status.NO if found else Status.OK)
    if not found:
        out.print("all closed", markup=False)
        return
    lines = [f"{one.group}: {one.count} answers in one hour, open until {short(one.until)} UTC" for one in found]
    fail("\n".join(lines), Status.NO)
