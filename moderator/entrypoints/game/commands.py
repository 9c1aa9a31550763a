"""``railpost game``: begin and show games, take orders back, export records."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from moderator.domain.counts import counted
from moderator.entrypoints.app import App, Later
from moderator.entrypoints.completion import EditionName, GameName, Options, TitleName
from moderator.entrypoints.database_access import desk_of, desk_to_read, read_rows
from moderator.entrypoints.facts import FactsFile, facts_text, named, pair
from moderator.entrypoints.game.master import mastering
from moderator.entrypoints.lookup import master_named, no_game, people_of, short, short_due
from moderator.entrypoints.output import AsJson, Status, Table, complaints, data, err, fail, out

Hours = Annotated[
    int | None,
    typer.Option(
        "--deadline-hours",
        min=1,
        max=87_600,
        help="Hours to answer. A late player gets a reminder; where the rules allow it, silence becomes an answer.",
    ),
]
Time = Annotated[
    str,
    typer.Option(
        "--deadline-time",
        metavar='"20:00 Europe/Zurich"',
        help="With --deadline-hours: a deadline ends at the first such time of day after these hours.",
    ),
]
Clock = Annotated[
    list[str] | None,
    typer.Option(
        "--clock",
        metavar="KEY=VALUE",
        help="A term of the game's clocks, such as rest=Sat,Sun or late=default (docs/operating.md).",
    ),
]
Master = Annotated[
    str,
    typer.Option(
        "--master",
        metavar='"Max <max@example.org>"',
        help="Whom players can ask; without it they ask the operator.",
    ),
]

Anonymous = Annotated[
    bool,
    typer.Option("--anonymous", help="Players have names of the house; the last mail gives their own."),
]

app = App(
    Later(
        "pause",
        "game.master:pause",
        "Pause a game: no deadline ends, orders are kept until it goes on, and all players are told.",
    ),
    Later("resume", "game.master:resume", "Let a paused game go on, or call off an announced pause."),
    Later("end", "game.master:end", "End a game in its present position."),
    Later(
        "deadline",
        "game.master:deadline",
        "Change the deadlines of a game, or give more time for the questions that are open now.",
    ),
    Later(
        "clock",
        "game.master:clock",
        "Show the clocks of a game, and who has used how much time; or change their terms, and tell everyone.",
    ),
    Later("say", "game.master:say", "Write to all players of a game, in a mail of its own; the game's log keeps it."),
    Later(
        "undo", "game.undo:undo", "Take an order back, play the later ones again as far as they fit, and tell everyone."
    ),
    Later("redo", "game.undo:redo", "Take the latest undo back, while nobody has answered since."),
    Later("mbox", "game.mbox:mbox", "Write all mails of a game as an mbox file (RFC 4155), which mail programs open."),
    Later("master", "game.master:master", "Name the game masters of a game, or show who they are."),
    Later(
        "form",
        "game.forming:form",
        "Put up a game for players to join by mail; it begins by itself when it is full and all have agreed.",
    ),
    Later("unform", "game.forming:unform", "Take a forming game back, and tell everybody who has joined it."),
    Later(
        "begin",
        "game.forming:begin",
        "Ask the players of a forming game that is not full whether it may begin; it begins when all have agreed.",
    ),
    Later(
        "guests",
        "game.forming:guests",
        "List the people without a seat: entrants of forming games, those who wait for a seat, observers.",
    ),
    Later("motions", "game.master:motions", "Show the votes of a game, and what else waits for consent."),
)


@app.command("new")
def new(
    context: typer.Context,
    seat: Annotated[
        list[str],
        typer.Option("--seat", metavar='"Ann <ann@example.org>"', help="A player and his address; once for each."),
    ],
    title: TitleName = "",
    edition: EditionName = None,
    option: Options = None,
    hours: Hours = None,
    time: Time = "",
    clock: Clock = None,
    facts: FactsFile = None,
    master: Master = "",
    anonymous: Anonymous = False,
    record: Annotated[
        Path | None,
        typer.Option("--from", metavar="FILE", help="Go on with this game: our record, or JSON of 18xx.games."),
    ] = None,
) -> None:
    """Begin a game: seats and Priority Deal are drawn by lot, and everyone gets the first mail.

    The lots follow from a secret seed. Its SHA-256 is in the first mail, the seed in the last one. With `--from` a game
    that was begun elsewhere goes on; its file says the title and the options. If the persons of the seats have other
    names than the players in the file, they take their seats in that order.
    """
    from moderator.domain.vocabulary import vocabulary
    from moderator.service.games import Games, default_titles
    from moderator.service.play.new_games import Terms, examine, new_game

    if record is not None:
        if anonymous:
            fail("--anonymous does not go with --from: whoever knows the record knows who plays")
        _go_on(context, record, seat, hours, time, clock or [], master)
        return
    if not title:
        fail("say which title is to be played, or --from a file")
    with complaints():
        options = dict(pair(text) for text in option or [])
        people = people_of(seat, context.obj)
        if time and hours is None:
            raise ValueError("--deadline-time goes with --deadline-hours")
        terms = Terms(
            title, edition, options, deadline_hours=hours, deadline_time=time, facts=facts_text(facts),
            clock=[pair(one) for one in clock or []], master=master_named(master, context.obj),
            anonymous=anonymous,
        )  # fmt: skip
        with named(facts):
            examine(Games(default_titles, vocabulary, 1), terms, people)  # before a database is made
    desk = desk_of(context, new=True)
    with complaints(), named(facts):
        name = new_game(desk, terms, people)
    out.print(name, markup=False)
    err.print(f"{name} has begun; `railpost run` sends the first mails", markup=False)


def _go_on(
    context: typer.Context, path: Path, seats: list[str], hours: int | None, time: str, clock: list[str], master: str
) -> None:  # fmt: skip
    """Begin a game that goes on from a record. The lots that are still to be drawn follow from a new seed, unless the
    record has some that were drawn from its own."""
    from dataclasses import replace

    from moderator.entrypoints.records.commands import given_in, loaded
    from moderator.service.play.new_games import Terms, new_game, new_seed

    game = loaded(path).game
    title, given = game.title, [(str(player), order) for player, order in given_in(game)]
    desk = desk_of(context, new=True)
    with complaints():
        people = people_of(seats, context.obj)
        terms = Terms(
            title.name, title.edition, dict(title.options), deadline_hours=hours, deadline_time=time,
            facts=title.own_facts, clock=[pair(one) for one in clock], master=master_named(master, context.obj),
        )  # fmt: skip
        setup = game.setup if game.state.lots else replace(game.setup, seed=new_seed(desk))
        name = new_game(desk, terms, people, setup, given)
    out.print(name, markup=False)
    err.print(
        f"{name} goes on after {counted(len(given), 'order')}; `railpost run` sends the first mails", markup=False
    )


@app.command("list")
def list_games(context: typer.Context, as_json: AsJson = False) -> None:
    """List all games with their players and their progress, and whom each waits for: since when, and until when.

    `until` is the first deadline, followed by `late` when it is past. Times are UTC. `master` is empty if the operator
    is the game master. `waits` says how often the table has waited for a mail: orders given ahead save such waits. A
    game that is `forming` shows who has joined and how many it wants; `confirming`, who has not
    yet agreed that it begins.
    """
    from moderator.service.listing.turns import list_forming, list_games

    table = Table("game", "edition", "state", "orders", "waits", "players", "asked", "since", "until", "master")
    for one in read_rows(context, lambda rows: [*list_games(rows), *list_forming(rows)]):
        players, asked = ", ".join(one.players), ", ".join(one.asked)
        times = short(one.since), short_due(one.until)
        counts = str(one.orders), str(one.waits)
        table.add_row(one.name, one.edition, one.status, *counts, players, asked, *times, one.master)
    table.print(as_json)


@app.command("show")
def show(
    context: typer.Context, name: GameName, at: Annotated[int | None, typer.Option(help="An earlier decision.")] = None
) -> None:
    """Show the position of a game and what is asked, as every player may see it, now or at an earlier decision.

    `railpost game log` gives the numbers of decisions, `railpost seat list` the addresses of players.
    """
    from engine.core.ids import PlayerId
    from moderator import render
    from moderator.service.listing import seats
    from moderator.service.listing.games import NoDecision, game_at, seals_by_player
    from moderator.words.wording import asked_of

    desk = desk_to_read(context)
    try:
        with desk.looking() as sitting:
            found = game_at(sitting, name, at)
            there = [] if found is None else seats.list_seats(sitting.session, name)
            sealed = seals_by_player(sitting.session, name) if found is not None and found.is_now else {}
    except NoDecision as error:
        fail(str(error))
    if found is None:
        no_game(desk, name)
    game = found.game
    for seat in there:
        asked = " ".join(asked_of(game, PlayerId(seat.player)))
        due = short_due(seat.due) if found.is_now and asked else ""
        until = f" (until {due}, UTC)" if due else ""
        out.print(f"{seat.number}. {seat.player}{f': {asked}' if asked else ''}{until}", markup=False)
        if (one := sealed.get(seat.player)) is not None:
            again = " (opened before an undo)" if one.again else ""
            out.print(f"   sealed {short(one.created_at)} UTC{again}: {one.digest}", markup=False)
    if (who := found.master) is not None:
        out.print(f"game master: {who.name or 'the operator'} <{who.address}>", markup=False)
    count = len(game.orders)
    out.print(f"decision {found.at}, {counted(count, 'order')}\n", markup=False)
    out.print(render.text_position(game, PlayerId("")), markup=False)


@app.command("adopt")
def adopt_position(context: typer.Context, name: GameName) -> None:
    """Let a game on hold go on from the position that its players were told.

    A game is on hold if a new version of the program reaches a different position from the one that players were told
    (`railpost health`). The position that they were told is written in full into the game's log, and later replays
    begin there. All players get a mail.
    """
    from moderator.service.play.holds import adopt

    with mastering(context, name) as desk:
        found = adopt(desk, name)
    for line in found["differences"]:
        out.print(f"kept as players were told: {line}", markup=False)
    out.print(f"{name} goes on from the position that players were told, after order {found['orders']}", markup=False)


@app.command("log")
def log(
    context: typer.Context,
    name: GameName,
    last: Annotated[int | None, typer.Option(min=1, help="Only this many, the latest.", show_default="all")] = None,
    player: Annotated[str | None, typer.Option(help="Only orders of this player.")] = None,
    as_json: AsJson = False,
) -> None:
    """List every order of a game: who gave it, when, and by which mail; and what was taken back.

    `by` is `mail` for an order of that mail; `held`, `limit` or `consent` for an order given ahead that the mail set
    off; `silence` for an order in place of an answer that did not come in time; `sealed` for orders that were opened
    together; `import` for those of a game that was begun elsewhere; `kept` for an order that was played again after an
    undo; and `master` or `player` for an undo. An order with its number in brackets was taken back. `railpost mail
    show` shows a mail.
    """
    from moderator.render.game_log import log_words
    from moderator.service.listing.games import has_game, log_of
    from moderator.service.operation.secret_words import hiding

    desk = desk_to_read(context)
    with desk.database.reading() as session:
        if not has_game(session, name):
            no_game(desk, name)
        hide = hiding(session)
        entries = log_of(session, name)
    if player is not None and player not in {entry.player for entry in entries}:
        fail(f"{player!r} has given no order in {name}", Status.NO)
    table = Table("order", "decision", "when (UTC)", "player", "by", "mail", "what")
    shown = [entry for entry in entries if player in (None, entry.player)]
    for entry in shown[-last:] if last is not None else shown:
        order = f"({entry.orders})" if entry.gone else str(entry.orders)
        table.add_row(
            order if entry.kind == "order" else "", str(entry.at), f"{entry.created_at:%Y-%m-%d %H:%M:%S}",
            entry.player, entry.origin, ", ".join(map(str, entry.mails)), hide(log_words(entry)),
        )  # fmt: skip
    table.print(as_json)


@app.command("export")
def export(
    context: typer.Context,
    name: GameName,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="A file; standard output by default.")] = None,
) -> None:
    """Export the game's record, a text that can be read, checked and played again."""
    from moderator.service.play.journal.export import export_record

    desk = desk_to_read(context)
    with complaints():
        text = export_record(desk, name)
    if text is None:
        no_game(desk, name)
    if output is None:
        data(text.encode())
    else:
        with complaints():
            output.write_text(text, encoding="utf-8")
