"""``railpost play``: a game on a board in this terminal."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

import engine
from engine import Exact, Game, Range
from engine.core.ids import CompanyId, PlayerId
from grammar import write
from moderator import render
from moderator.domain.records.record import write_record
from moderator.domain.vocabulary import vocabulary
from moderator.entrypoints.board.table import Said, Table
from moderator.entrypoints.board.terminal_map import letters_key, map_key, terminal_map
from moderator.entrypoints.completion import EditionName, titles
from moderator.entrypoints.facts import FactsFile, facts_text, named, pair
from moderator.entrypoints.output import complaints, drawing, err, fail, picture_room, prose
from moderator.entrypoints.records.picture_files import pictures_in, write_pictures
from moderator.entrypoints.trial import record_at, vocabulary_of
from moderator.service.play.journal.export import teller
from moderator.service.play.shows import page
from moderator.words.position.board_views import example_hexes
from moderator.words.wording import asked_of

_PLAYERS = ("Ann", "Bob", "Cat")
"""The players of a new game, if none are named."""
_RECORD = "record.txt"
"""File that `save` writes if none is named."""
_SHOWN = (
    "position, map, board, hex HEX, company COMPANY, private PRIVATE, history, phase, tiles, trains, lays [COMPANY],"
    " orders, press or record"
)
_HELP = f"""Orders as in a mail: `lay 8 %s 1`, `%s: run best; done`, `bid 25`, `limit 45`, `press all: hello`. Besides:
  menu       what may be answered now
  undo       take your last order back, with what robots and limits did after it
  redo       give it again
  map        the map as a picture in letters and dots
  show {_SHOWN}
  pictures [FOLDER]  draw map, chart and tiles as PNG; the folder is `pictures` if you name none
  save FILE  write the record
  ?          this list; help words: the terms of the game; help rules: what it is about
  quit       leave
"""
_PICTURES = "pictures"


def play(
    what: Annotated[
        str,
        typer.Argument(
            metavar="TITLE|RECORD",
            help="A title for a new game, or a record to go on from.",
            autocompletion=titles,
        ),
    ],
    player: Annotated[list[str] | None, typer.Option(help="A player of a new game, once for each.")] = None,
    edition: EditionName = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", metavar="KEY=VALUE", help="A named option of the title (docs/rulings.md)."),
    ] = None,
    seed: Annotated[str, typer.Option(help="The seed of all lots of a new game; drawn if there is none.")] = "",
    at: Annotated[int | None, typer.Option(min=0, help="Of a record: start after so many orders.")] = None,
    facts: FactsFile = None,
    seat: Annotated[
        list[str] | None, typer.Option(help="The player whom you play, once for each; robots play the others.")
    ] = None,
    robots: Annotated[bool, typer.Option("--robots", help="Play the first player; robots play the others.")] = False,
) -> None:
    """Play on a board in the terminal: a new game, or one continued from a record. No file is written unless you enter
    `save` or `pictures`."""
    new = _is_new(what, at, own=bool(player or edition or option or seed or facts))
    game = _begun(what, player or _PLAYERS, edition, option or [], seed, facts) if new else record_at(Path(what), at)
    with suppress(ImportError):
        import readline  # noqa: F401 - lines can be edited, and earlier ones come back
    table = Table(game, _seats(game, seat or [], robots))
    written = set() if new else {Path(what)}
    prose(_who(table))
    prose(_help(game))
    _say_all(table.settle())
    while True:
        _prompt(table)
        try:
            said = input("> ").strip()
        except EOFError:
            return
        word, _, rest = said.partition(" ")
        if word.lower() in ("quit", "exit"):
            return
        _obey(table, said, word.lower(), rest.strip(), written)


def _obey(table: Table, said: str, word: str, rest: str, written: set[Path]) -> None:
    """Do what the line ``said`` says; it begins with ``word``."""
    game = table.game
    match word:
        case "":
            return
        case "help" | "?":
            prose(_shown(game, rest) if rest.strip() else _help(game))
        case "menu":
            prose("\n".join(_menu(table)))
        case "map":
            _map(game)
        case "show" if rest.lower() == "press":
            prose("\n".join(table.press) or "none yet")
        case "show" | "position":
            prose(_shown(game, rest))
        case "pictures":
            _draw(game, Path(rest or _PICTURES), written)
        case "undo":
            prose(table.undo())
        case "redo":
            prose(table.redo())
        case "save":
            _save(table, Path(rest or _RECORD), written)
        case _:
            _say_all(table.enter(said))


def _say_all(lines: Iterable[Said]) -> None:
    for _, line in lines:
        prose(line)


def _help(game: Game) -> str:
    """The orders that may be entered, with names of the title that is played."""
    return _HELP % (example_hexes(game.title.map)[0], next(iter(game.title.companies)))


def _seats(game: Game, named: Sequence[str], robots: bool) -> tuple[PlayerId, ...]:
    """The players that the person plays."""
    players = tuple(map(PlayerId, game.setup.players))
    unknown = next((name for name in named if name not in players), None)
    if unknown is not None:
        fail(f"nobody in this game is called {unknown}: the players are {', '.join(players)}")
    if named:
        return tuple(player for player in players if player in named)
    return players[:1] if robots else players


def _who(table: Table) -> str:
    yours = ", ".join(table.seats)
    if table.robots:
        return f"You play {yours}; robots play {', '.join(table.robots)}."
    return f"You play everybody: {yours}. With `--robots` or `--seat NAME` robots play the others."


def _map(game: Game) -> None:
    """The map as a picture in letters if the terminal can show it, otherwise in words."""
    room, colored = picture_room()
    picture = terminal_map(game, room, colored=colored) if room else None
    if picture is None:
        prose(_shown(game, "map"))
        if room:
            prose(f"There is a picture of this map for terminals with more than these {room} columns.")
        return
    drawing(picture)
    prose("\n".join((*map_key(game), *(() if colored else (letters_key(),)))))


def _is_new(what: str, at: int | None, *, own: bool) -> bool:
    """True if ``what`` is a title, False if it is a record. Ends the command if it is neither or if the options do not
    fit. ``own`` is True if there are options that only a new game has."""
    new = what in engine.title_names()
    if new and at is not None:
        fail("--at goes with a record")
    if not new and own:
        fail("--player, --edition, --option, --seed and --facts go with a title: a record has its own")
    if not new and not Path(what).exists():
        fail(f"{what} is neither a title ({', '.join(engine.title_names())}) nor a file")
    return new


def _begun(
    title: str, players: Sequence[str], edition: str | None, options: Sequence[str], seed: str, facts: Path | None
) -> Game:
    with complaints():
        wanted = dict(pair(text) for text in options)
        with named(facts):
            loaded = engine.load_title(title, edition or engine.editions(title)[0], wanted, facts_text(facts))
        game = Game.start(loaded, engine.Setup(tuple(players), seed or secrets.token_hex(16)))
        vocabulary_of(game)
    prose(f"{loaded.full_name}, edition {loaded.edition}: {', '.join(players)}")
    return game


def _shown(game: Game, said: str) -> str:
    """The answer that `show` gives in a mail, as far as it is about the position."""
    what, _, about = said.strip().partition(" ")
    asked = [str(ask.actor) for ask in game.asked()]
    match what.lower():
        case "lays":
            actors = [about.upper()] if about else asked
            known = [CompanyId(actor) for actor in actors if actor in game.title.companies]
            return (
                "\n".join(render.text_lays(game, actor) for actor in known)
                or f"no company is asked; `show lays {next(iter(game.title.companies))}`"
            )
        case "orders":
            names = vocabulary_of(game)
            lines = [f"{order.actor}: {write(order, names)}" for order in game.orders]
            return "\n".join(f"{number}: {line}" for number, line in enumerate(lines, 1)) or "none yet"
        case "record":
            return _record_of(game)
        case word:
            shown = page(render, game, PlayerId(""), word or "position", about)
            return f"there is no `show {what}`: {_SHOWN}" if shown is None else shown or f"there is no {word} {about!r}"


def _record_of(game: Game, remarks: Sequence[str] = ()) -> str:
    """The record of the game, with the seed if it is known: on one's own board nothing is secret, and the game can go
    on from the record."""
    return write_record(game, {}, tell=teller(game), sealed=not game.setup.seed, remarks=remarks)


def _draw(game: Game, folder: Path, written: set[Path]) -> None:
    """Draw the position into ``folder``. Only pictures that were drawn at this board may be overwritten."""
    foreign = next((path for path in pictures_in(folder) if path.exists() and path not in written), None)
    if foreign is not None:
        err.print(f"not drawn: {foreign} is there already; `pictures` another folder", markup=False)
        return
    try:
        for path in write_pictures(game, folder):
            written.add(path)
            prose(f"drawn: {path}")
    except OSError as error:
        err.print(f"not drawn: {folder}: {error.strerror}", markup=False)


def _save(table: Table, path: Path, written: set[Path]) -> None:
    """Write the record; if that fails, the board stays. Only files that this board has read or ``written`` may be
    overwritten."""
    if path.exists() and path not in written:
        err.print(f"not saved: {path} is there already; `save` another name", markup=False)
        return
    try:
        path.write_text(_record_of(table.game, table.press), encoding="utf-8")
    except OSError as error:
        err.print(f"not saved: {path}: {error.strerror}", markup=False)
    else:
        written.add(path)
        prose(f"saved: {path}")


def _prompt(table: Table) -> None:
    game = table.game
    if game.finished:
        prose("over: " + ", ".join(f"{player} {wealth}" for player, wealth in game.standings()))
    asked: dict[str, list[str]] = {}
    for player in game.state.players:
        for text in asked_of(game, player) if player in table.seats else ():
            asked.setdefault(text, []).append(player)
    for text, players in asked.items():
        prose(f"[{len(game.orders)}] {', '.join(players)}: {text}")


def _menu(table: Table) -> Iterable[str]:
    game = table.game
    names = vocabulary(game.title)
    menus = [game.legal(ask.actor) for ask in table.asked()] + [game.unasked(player) for player in table.seats]
    for choice in dict.fromkeys(choice for menu in menus for choice in menu):
        order = f"{choice.order.actor}: {write(choice.order, names)}"
        if isinstance(choice, Exact):
            yield order
        elif isinstance(choice, Range):
            steps = f" in steps of {choice.step}" if choice.step > 1 else ""
            yield f"{order}  // {choice.low} to {choice.high}{steps}"
