"""``railpost demo``: a whole game by mail between robots, or a recorded game sent again as mails."""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Annotated

import typer

import engine
from engine import Game, Setup
from engine.core.ids import PlayerId
from engine.core.orders import Order
from moderator.domain.counts import counted
from moderator.domain.vocabulary import vocabulary
from moderator.entrypoints.completion import EditionName, titles
from moderator.entrypoints.facts import FactsFile, facts_text, named
from moderator.entrypoints.output import Status, Table, complaints, fail, out, progress
from moderator.entrypoints.processes.assembly import Worker, mailbox_of, open_desk, outlet_of
from moderator.entrypoints.processes.run import Runner
from moderator.entrypoints.records.commands import orders_with_players
from moderator.entrypoints.records.picture_files import write_pictures
from moderator.entrypoints.robot_player import RobotPlayer, as_text, orders_of_turn
from moderator.service.desk import Desk
from moderator.service.games import Games, default_titles
from moderator.service.listing.counts import count
from moderator.service.listing.games import decision_of, game_at, sealed_actors
from moderator.service.listing.outbox import transcripts_of
from moderator.service.play.journal.export import export_record
from moderator.service.play.new_games import Person, Terms, new_game
from moderator.settings import Settings

_NAMES = ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus")
_MOST_MAILS = 5_000
_PATIENCE = 60.0
"""Seconds to wait for an answer before the demonstration gives up."""


def demo(
    title: Annotated[
        str, typer.Argument(metavar="TITLE", help="The game to play, such as 1844.", autocompletion=titles)
    ] = "1861",
    record: Annotated[
        Path | None, typer.Option(help="Play this recorded game (our own, or JSON of 18xx.games) instead of robots.")
    ] = None,
    edition: EditionName = None,
    players: Annotated[int, typer.Option(min=2, max=len(_NAMES), help="How many robots.")] = 3,
    folder: Annotated[
        Path, typer.Option(help="Where everything is kept. What an earlier demo left is removed.")
    ] = Path("demo"),
    facts: FactsFile = None,
) -> None:
    """Conduct a whole game by mail: each player is a robot with a mailbox of its own.

    Everything works as with people: turn mails go out, orders come in as answers above a quotation, transcripts go
    back.
    """
    with complaints():
        script, own = _script(record), facts_text(facts)
        if script is not None and own:
            raise ValueError("--facts goes with a new game: a record has its own")
        if script is None:
            with named(facts):  # fail before an earlier demo is removed
                default_titles(title, edition or engine.editions(title)[0], {}, own)
        _make_room(folder)
        settings = Settings(data=folder, domain="railpost.example", pictures=False)  # pictures would take longest
        desk = open_desk(settings)
        if script is None:
            people = [Person(name, f"{name.lower()}@players.example") for name in _NAMES[:players]]
            name = new_game(desk, Terms(title, edition, facts=own), people)
        else:
            seats = script.game.setup.players
            people = [Person(seat, f"p{number}@players.example") for number, seat in enumerate(seats, 1)]
            start = script.game.title
            terms = Terms(start.name, start.edition, start.options, facts=start.own_facts)
            name = new_game(desk, terms, people, setup=script.game.setup)
    show = _Show(desk, name, people, script)
    began = time.monotonic()
    problem = show.play()
    show.report(folder, time.monotonic() - began)
    if problem:
        fail(problem, Status.NO)


@dataclass(slots=True)
class Script:
    """A recorded game: the game at its start, its orders in mails of one player each, and its final standings."""

    game: Game
    mails: list[tuple[PlayerId, list[Order]]]
    result: dict[str, int]


def _script(record: Path | None) -> Script | None:
    if record is None:
        return None
    start, given, result = orders_with_players(record)
    mails = [
        (player, [order for _, order in group]) for (player, _), group in groupby(given, lambda g: (g[0], g[1].actor))
    ]
    setup: Setup = start.setup
    if not setup.seed:  # recorded elsewhere: the record states the result of every lot
        start.setup = Setup(setup.players, "recorded", setup.priority, setup.privates)
    return Script(start, mails, dict(result or {}))


class _Show:
    """A demonstration that is under way."""

    def __init__(self, desk: Desk, name: str, people: Sequence[Person], script: Script | None) -> None:
        self.desk, self.name, self.script = desk, name, script
        folder = desk.settings.mail_folder
        self.robots = {p.name: RobotPlayer(p.name, p.address, folder) for p in people}
        self.watching = replace(desk, games=Games(default_titles, vocabulary, 1))
        self.problems: list[str] = []
        work = Worker(desk, mailbox_of(desk), outlet_of(desk.settings), self.problems.append)
        self.runner = Runner(work, poll_seconds=1)
        self.waiting = list(script.mails) if script is not None else []

    def play(self) -> str | None:
        """Play to the end. Return a message if something went wrong, otherwise None."""
        from engine.robots import sensible

        total = sum(len(orders) for _, orders in self.waiting) or None
        bar = progress()
        self.runner.start()
        self._serve()  # another thread than the one that looks for answers sends the first mails
        try:
            with bar:
                task = bar.add_task(self.name, total=total)
                for _ in range(_MOST_MAILS):
                    game = self._game()
                    bar.update(task, completed=len(game.orders), description=f"{self.name} {game.state.round}")
                    if game.finished:
                        return self._compare(game)
                    problem = self._one_mail(game, sensible)
                    if problem is not None:
                        return problem
        finally:
            self.runner.stop()
        return f"the game has not ended after {_MOST_MAILS} mails"

    def _one_mail(self, game: Game, choose: object) -> str | None:
        """Let the next player who is asked answer with one mail, and have the service deal with it. Return a message if
        something went wrong, otherwise None."""
        for robot in self.robots.values():
            robot.read_mail()
        if self.script is not None:
            if not self.waiting:
                return "all recorded orders are played, and the game is not over"
            player, orders = self.waiting.pop(0)
        else:
            player = self._next(game)
            orders = orders_of_turn(game, player, choose)  # type: ignore[arg-type]
        before = self._moved()
        self.robots[player].write(as_text(game, orders))
        self._serve()
        if self._moved() == before:
            return f"{player}'s orders were not carried out: {as_text(game, orders)}\n" + "\n".join(self.problems)
        return None

    def _serve(self) -> None:
        """Have the service look into its mailbox until the mail has been dealt with, for at most ``_PATIENCE``
        seconds."""
        until = time.monotonic() + _PATIENCE
        wanted = sum(robot.wrote for robot in self.robots.values())
        while time.monotonic() < until:
            self.runner.wake()
            self.runner.rounds_done.acquire(timeout=1)
            if self._idle(wanted):
                return

    def _idle(self, wanted: int) -> bool:
        """True if ``wanted`` mails are decided and all answers are sent."""
        with self.desk.database.reading() as session:
            counts = count(session)
        return counts.decided >= wanted and not counts.outbox.get("queued")

    def _next(self, game: Game) -> PlayerId:
        """The next player who owes an answer."""
        with self.desk.database.reading() as session:
            sealed = sealed_actors(session, self.name)
        return next(ask.player for ask in game.asked() if ask.actor not in sealed)

    def _moved(self) -> tuple[int, tuple[str, ...]]:
        """The open decision, and the actors that have sealed an order. It changes when a mail is carried out."""
        with self.desk.database.reading() as session:
            return decision_of(session, self.name), sealed_actors(session, self.name)

    def _game(self) -> Game:
        with self.watching.looking() as sitting:
            found = game_at(sitting, self.name)
        assert found is not None
        return found.game

    def _compare(self, game: Game) -> str | None:
        if self.script is None or not self.script.result:
            return None
        found = {str(player): wealth for player, wealth in game.standings()}
        return None if found == self.script.result else f"the record ends with {self.script.result}"

    def report(self, folder: Path, seconds: float) -> None:
        """Print standings and figures. Write record, transcript and pictures into ``folder`` and print their paths."""
        game = self._game()
        for robot in self.robots.values():
            robot.read_mail()
        table = Table("place", "player", "wealth")
        for place, (player, wealth) in enumerate(game.standings(), 1):
            table.add_row(str(place), player, str(wealth))
        table.print()
        wrote, got = sum(r.wrote for r in self.robots.values()), sum(r.got for r in self.robots.values())
        state = "finished" if game.finished else "not finished"
        out.print(
            f"{self.name} {state}: {counted(len(game.orders), 'order')} in {counted(wrote, 'mail')} from the players,"
            f" {counted(got, 'mail')} to them, in {seconds:.0f} s",
            markup=False,
        )
        (folder / "record.txt").write_text(export_record(self.desk, self.name) or "", encoding="utf-8")
        (folder / "transcript.txt").write_text(self._transcripts(), encoding="utf-8")
        pictures = write_pictures(game, folder / "pictures")
        out.print(f"mails       {self.desk.settings.mail_folder}/", markup=False)
        out.print(f"record      {folder / 'record.txt'}", markup=False)
        out.print(f"transcript  {folder / 'transcript.txt'}", markup=False)
        out.print(f"pictures    {' '.join(map(str, pictures))}", markup=False)

    def _transcripts(self) -> str:
        """The texts of all transcripts, in order."""
        with self.desk.database.reading() as session:
            mails = transcripts_of(session, self.name)
        return "\n".join(f"---- to {mail.player}: {mail.subject}\n\n{mail.text}" for mail in mails)


def _make_room(folder: Path) -> None:
    """Make ``folder`` an empty folder. Raises ``ValueError`` if it holds anything but an earlier demo."""
    if folder.exists() and any(folder.iterdir()):
        if not (folder / "demo").is_file():
            what = "is the folder of a service" if (folder / "railpost.db").is_file() else "holds something else"
            raise ValueError(f"{folder} {what}: name another folder with --folder")
        shutil.rmtree(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "demo").write_text("made by `railpost demo`, which removes it before the next one\n", encoding="utf-8")
