"""``railpost game``: what the game master may do to a game under way. All players are told, and the log keeps it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from moderator.domain.counts import counted
from moderator.entrypoints.completion import GameName
from moderator.entrypoints.database_access import desk_of, desk_to_read
from moderator.entrypoints.facts import pair
from moderator.entrypoints.lookup import master_named, no_game, short_due
from moderator.entrypoints.output import AsJson, Status, Table, complaints, fail, out

if TYPE_CHECKING:
    from moderator.service.desk import Desk

MOMENT = '"2026-12-24 20:00 Europe/Zurich"'
Reason = Annotated[str, typer.Option("--reason", help="Why: all players are told, and the log keeps it.")]


@contextmanager
def mastering(context: typer.Context, name: str, said: str = "") -> Iterator[Desk]:
    """The desk for a change to the game ``name``. Ends the command if there is no such game, if the text ``said`` to
    its players says who plays an anonymous game, or with the message of a ``ValueError`` from inside."""
    from moderator.service.listing.games import has_game
    from moderator.service.table.anonymity import check_untold_in

    desk = desk_of(context)
    with desk.database.reading() as session:
        if not has_game(session, name):
            no_game(desk, name)
    try:
        with desk.database.reading() as session:
            check_untold_in(session, name, said)
        yield desk
    except ValueError as error:
        fail(str(error), Status.NO)


def one_line(text: str) -> str:
    return " ".join(text.split())


def pause(
    context: typer.Context,
    name: GameName,
    begin: Annotated[
        str,
        typer.Option("--from", metavar=MOMENT, help="When it begins, at once by default. Players are told now."),
    ] = "",
    until: Annotated[
        str, typer.Option("--until", metavar=MOMENT, help="When the game goes on by itself; by default with `resume`.")
    ] = "",
    reason: Reason = "",
) -> None:
    """Pause a game: no deadline ends, orders are kept until it goes on, and all players are told."""
    from moderator.domain.clocks import wall
    from moderator.service.play.masters import pauses

    with mastering(context, name, reason) as desk:
        start, end = (wall.parse(text) if text else None for text in (begin, until))
        pauses.pause(desk, name, one_line(reason), begin=start, until=end)
        said = f"will be paused from {begin}" if begin else "is paused"
        goes_on = f"until {until}" if until else f"until `railpost game resume {name}`"
        out.print(f"{name} {said} {goes_on}", markup=False)


def resume(context: typer.Context, name: GameName, reason: Reason = "") -> None:
    """Let a paused game go on, or call off an announced pause. Orders that were kept are carried out; then every player
    who must answer is asked again and gets the full time."""
    from moderator.service.decision import resumption

    with mastering(context, name, reason) as desk:
        resumption.resume(desk, name, one_line(reason))
        out.print(f"{name} goes on", markup=False)


def end(context: typer.Context, name: GameName, reason: Reason = "") -> None:
    """End a game in its present position. All players get a last mail, with the standings and the seed of all lots."""
    from moderator.service.play.masters import master

    with mastering(context, name, reason) as desk:
        master.end(desk, name, one_line(reason))
        out.print(f"{name} has ended; its record stays", markup=False)


def deadline(
    context: typer.Context,
    name: GameName,
    hours: Annotated[
        int | None, typer.Option(min=1, max=87_600, help="Hours to answer, from now on.", show_default=False)
    ] = None,
    time: Annotated[
        str, typer.Option(metavar='"20:00 Europe/Zurich"', help="With --hours: deadlines end at this time of day.")
    ] = "",
    until: Annotated[
        str,
        typer.Option(
            metavar=MOMENT,
            help="Only for questions that are open now: when their time ends; without a zone it is UTC.",
        ),
    ] = "",
    off: Annotated[bool, typer.Option("--off", help="No deadlines.")] = False,
    reason: Reason = "",
) -> None:
    """Change the deadlines of a game, or give more time for the questions that are open now. All players are told."""
    from moderator.domain.clocks import wall
    from moderator.service.play.masters import master

    with mastering(context, name, reason) as desk:
        if sum((hours is not None, bool(until), off)) != 1:
            fail("say one of --hours, --until and --off")
        if time and hours is None:
            fail("--time goes with --hours")
        try:
            moment, zone = wall.parse(until) if until else (None, "")
            if time:
                wall.WallTime.parse(time)
        except ValueError as error:
            fail(str(error))
        if moment is not None:
            count = master.move_deadlines(desk, name, moment, zone, one_line(reason))
            answers = counted(count, "answer")
            out.print(f"{name}: {answers} until {moment:%Y-%m-%d %H:%M} {zone}", markup=False)
        else:
            master.set_deadline(desk, name, hours, time, one_line(reason))
            said = "no deadlines" if hours is None else f"{counted(hours, 'hour')} to answer {time}".strip()
            out.print(f"{name}: {said}", markup=False)


def clock(
    context: typer.Context,
    name: GameName,
    terms: Annotated[
        list[str] | None,
        typer.Argument(metavar="[KEY=VALUE]...", help="Terms to change, such as rest=Sat,Sun or late=default."),
    ] = None,
    reason: Reason = "",
    as_json: AsJson = False,
) -> None:
    """Show the clocks of a game, and who has used how much time; or change their terms, and tell everyone.

    `docs/operating.md` lists the terms. `none` takes one back; `holidays=+2027-05-01` adds days.
    """
    from moderator.service.listing.games import clocks_of
    from moderator.service.play.masters import master

    if terms:
        with mastering(context, name, reason) as desk:
            master.set_terms(desk, name, [pair(text) for text in terms], one_line(reason))
            out.print(f"{name}: the terms have changed, and everyone is told", markup=False)
        return
    desk = desk_to_read(context)
    with desk.looking() as sitting:
        clocks = clocks_of(sitting, name)
    if clocks is None:
        no_game(desk, name)
    table = Table("player", "used_hours", "answers", "late", "bank_hours", "until", "away_until", "caretaker")
    for one in clocks:
        bank = "" if one.bank is None else f"{one.bank / 3_600:.1f}"
        row = one.player, f"{one.used / 3_600:.1f}", str(one.answers), str(one.late), bank
        table.add_row(*row, short_due(one.due), str(one.away or ""), one.caretaker)
    table.print(as_json)


def say(
    context: typer.Context,
    name: GameName,
    text: Annotated[
        str, typer.Argument(metavar="TEXT", help="In quotation marks; it may have several lines.", show_default=False)
    ],
) -> None:
    """Write to all players of a game, in a mail of its own; the game's log keeps it."""
    from moderator.service.play.masters import master

    with mastering(context, name, text) as desk:
        count = master.say(desk, name, text.strip())
        out.print(f"{name}: your message goes to {counted(count, 'player')}", markup=False)


def master(
    context: typer.Context,
    name: GameName,
    person: Annotated[
        str,
        typer.Argument(metavar='["Max <max@example.org>"]', help="The new game master, with name and address."),
    ] = "",
    also: Annotated[bool, typer.Option("--also", help="Beside those who are it already.")] = False,
    remove: Annotated[
        str, typer.Option("--remove", metavar="ADDRESS", help="Whoever is at this address is it no longer.")
    ] = "",
    operator: Annotated[bool, typer.Option("--operator", help="The operator is the game master again.")] = False,
    reason: Reason = "",
    as_json: AsJson = False,
) -> None:
    """Name the game masters of a game, or show who they are.

    All players are told, and the log keeps the change. Each game master gets a mail with a secret address: his words
    there are carried out. The first whom the list names gets the lines that players write to the game master; lines
    that were not answered are closed when that is somebody else.
    """
    from moderator.service.listing.games import has_game, named_masters
    from moderator.service.play.masters.master import add_master_in, name_master, remove_master_in

    if sum((bool(person), bool(remove), operator)) > 1 or (also and not person):
        fail("say one of a person (with --also or not), --remove and --operator")
    changes = bool(person) or bool(remove) or operator
    desk = desk_of(context) if changes else desk_to_read(context)
    with complaints():
        new = master_named(person, context.obj)
    with desk.database.reading() as session:
        if not has_game(session, name):
            no_game(desk, name)
    if changes:
        with mastering(context, name, reason):
            if remove or (also and new is not None):
                with desk.sitting() as sitting:
                    if remove:
                        remove_master_in(sitting, name, remove, one_line(reason))
                    elif new is not None:
                        add_master_in(sitting, name, new, one_line(reason))
            else:
                name_master(desk, name, new, one_line(reason))
    with desk.looking() as sitting:
        found = named_masters(sitting, name)
    if as_json:
        table = Table("game", "name", "address")
        for one in found:
            table.add_row(name, one.name, one.address)
        table.print(as_json)
    elif not found:
        out.print(f"{name} has no game master whom players can write to, and the operator has no address", markup=False)
    else:
        named = ", ".join(f"{one.name or 'the operator'} <{one.address}>" for one in found)
        out.print(f"the game {'master' if len(found) == 1 else 'masters'} of {name}: {named}", markup=False)


def motions(context: typer.Context, name: GameName, as_json: AsJson = False) -> None:
    """Show the votes of a game, and what else waits for consent. `until` is UTC."""
    from moderator.service.listing.games import has_game, list_motions

    desk = desk_to_read(context)
    with desk.looking() as sitting:
        if not has_game(sitting.session, name):
            no_game(desk, name)
        found = list_motions(sitting.session, name)
    table = Table("number", "by", "words", "reason", "needs", "yes", "no", "state", "until")
    for one in found:
        table.add_row(
            str(one.number), one.by, "; ".join(one.words), one.reason, one.needs, str(one.yes), str(one.no), one.state,
            f"{one.due:%Y-%m-%d %H:%M}",
        )  # fmt: skip
    table.print(as_json)
