"""``railpost game form`` and its kin: games that wait for players, and people without a seat."""

from __future__ import annotations

import re
from typing import Annotated

import typer

from moderator.domain.counts import counted
from moderator.entrypoints.completion import EditionName, Options, TitleName
from moderator.entrypoints.database_access import desk_of, desk_to_read
from moderator.entrypoints.facts import FactsFile, facts_text, named, pair
from moderator.entrypoints.game.commands import Anonymous, Clock, Hours, Master, Time
from moderator.entrypoints.game.master import Reason, one_line
from moderator.entrypoints.lookup import master_named, short
from moderator.entrypoints.output import AsJson, Table, complaints, err, out

_Name = Annotated[str, typer.Argument(metavar="NAME", help="The name of the game, such as 1861-9.", show_default=False)]


def form(
    context: typer.Context,
    title: TitleName,
    players: Annotated[str, typer.Option("--players", metavar="3-5", help="The numbers of players that may play.")],
    edition: EditionName = None,
    option: Options = None,
    hours: Hours = None,
    time: Time = "",
    clock: Clock = None,
    floor: Annotated[
        int | None,
        typer.Option(min=0, max=100, help="Per cent of earlier questions that an entrant has answered in time."),
    ] = None,
    facts: FactsFile = None,
    master: Master = "",
    anonymous: Anonymous = False,
    invitation: Annotated[
        str, typer.Option("--invitation", metavar="WORD", help="A word that an entrant must know.")
    ] = "",
) -> None:
    """Put up a game for players to join by mail; it begins by itself when it is full and all have agreed.

    Prints the name that is kept for the game.
    """
    from moderator.service.entry.roster import form as put_up
    from moderator.service.play.new_games import Terms

    with complaints():
        found = re.fullmatch(r"(\d{1,2})(?:-(\d{1,2}))?", players.replace(" ", ""))
        if found is None:
            raise ValueError(f"{players!r} is not a number of players: write 4, or 3-5")
        if time and hours is None:
            raise ValueError("--deadline-time goes with --deadline-hours")
        wishes = [pair(one) for one in clock or []] + ([("floor", str(floor))] if floor is not None else [])
        terms = Terms(
            title, edition, dict(pair(text) for text in option or []), deadline_hours=hours, deadline_time=time,
            facts=facts_text(facts), clock=wishes, master=master_named(master, context.obj),
            anonymous=anonymous,
        )  # fmt: skip
    desk = desk_of(context, new=True)
    with complaints(), named(facts):
        name = put_up(desk, terms, int(found[1]), int(found[2] or found[1]), invitation)
    out.print(name, markup=False)
    err.print(f"{name} is forming: a mail `join {name} as NAME` to {desk.settings.address} joins it", markup=False)


def unform(context: typer.Context, name: _Name, reason: Reason = "") -> None:
    """Take a forming game back, and tell everybody who has joined it."""
    from moderator.service.entry.roster import unform as take_back

    desk = desk_of(context)
    with complaints():
        count = take_back(desk, name, one_line(reason))
    out.print(f"{name} does not take place; {counted(count, 'entrant')} told", markup=False)


def begin(context: typer.Context, name: _Name) -> None:
    """Ask the players of a forming game that is not full whether it may begin; it begins when all have agreed."""
    from moderator.service.entry.roster import call

    desk = desk_of(context)
    with complaints():
        count = call(desk, name)
    out.print(f"{counted(count, 'player')} of {name} asked whether it may begin", markup=False)


def guests(context: typer.Context, as_json: AsJson = False) -> None:
    """List the people without a seat: entrants of forming games, those who wait for a seat, observers.

    `asked: ...` is a question that somebody has not answered yet, open until the moment under `until`. `wish` is the
    place that an entrant wishes for. Times are UTC.
    """
    from moderator.service.entry.overview import list_guests

    desk = desk_to_read(context)
    table = Table("kind", "game", "title", "name", "address", "wish", "since", "until")
    with desk.database.reading() as session:
        found = list_guests(session)
    for one in found:
        table.add_row(
            one.kind, one.game, one.title, one.name, one.address, one.wish, short(one.since), short(one.until)
        )
    table.print(as_json)
