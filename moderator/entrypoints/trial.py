"""``railpost check`` and ``railpost play``: orders tried on a board in this terminal."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

import engine
from engine import Exact, Game, Range, Refused
from engine.core.ids import CompanyId, PlayerId
from grammar import Vocabulary, read, write
from moderator import render
from moderator.domain.asks import acting, understood
from moderator.domain.counts import counted
from moderator.domain.records.record import write_record
from moderator.domain.vocabulary import vocabulary
from moderator.entrypoints.completion import EditionName, titles
from moderator.entrypoints.database_access import desk_to_read
from moderator.entrypoints.facts import FactsFile, facts_text, named, pair
from moderator.entrypoints.lookup import no_game
from moderator.entrypoints.output import Status, complaints, err, fail, out
from moderator.entrypoints.records.commands import Illegal, load_record
from moderator.entrypoints.records.picture_files import pictures_in, write_pictures
from moderator.input_limits import LARGEST_ORDERS, UnusableError, read_text
from moderator.render.board_views import example_hexes
from moderator.render.wording import asked_of
from moderator.service.listing.games import NoDecision, game_at
from moderator.service.play.export import teller
from moderator.service.play.shows import page

_PLAYERS = ("Ann", "Bob", "Cat")
"""The players of a new game, if none are named."""
_RECORD = "record.txt"
"""File that `save` writes if none is named."""
_SHOWN = (
    "position, map, board, hex HEX, company COMPANY, private PRIVATE, phase, tiles, trains, lays [COMPANY], orders or"
    " record"
)
_HELP = f"""Orders as in a mail: `lay 8 %s 1`, `%s: run best; done`, `bid 25`. Besides:
  menu       what may be answered now       undo       take the last order back
  help       this; help words: the terms; help rules: what the game is about
  show {_SHOWN}
  pictures [FOLDER]  draw map, chart and tiles as PNG; the folder is `pictures` if you name none
  save FILE  write the record               quit       leave
"""
_PICTURES = "pictures"


def check(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Orders, as one would write them in a mail.")],
    game: Annotated[str | None, typer.Option(help="Against the position of this game.")] = None,
    record: Annotated[Path | None, typer.Option(help="Against the position at the end of this record.")] = None,
    at: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="With --record: after so many orders. With --game: when that decision was to be made, as"
            " `railpost game show --at`.",
        ),
    ] = None,
) -> None:
    """Try orders against a position without changing anything. Ends with 1 if one cannot be read or is against a
    rule."""
    if (game is None) == (record is None):
        fail(f"say {'which' if game is None else 'one'} position: --game GAME or --record FILE")
    position = _record_at(record, at) if record is not None else _game(context, game or "", at)
    with complaints():
        try:
            text = read_text(file, LARGEST_ORDERS)
        except UnusableError as error:
            raise ValueError(f"{file.name}: {error}") from error
    good = all([_say(line) for line in try_orders(position, vocabulary_of(position), text)])  # noqa: C419 - all are said
    raise typer.Exit(Status.OK if good else Status.NO)


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
) -> None:
    """Play on a board in the terminal: a new game, or one continued from a record. No file is written unless you enter
    `save` or `pictures`."""
    new = _is_new(what, at, own=bool(player or edition or option or seed or facts))
    game = _begun(what, player or _PLAYERS, edition, option or [], seed, facts) if new else _record_at(Path(what), at)
    with suppress(ImportError):
        import readline  # noqa: F401 - lines can be edited, and earlier ones come back
    names = vocabulary_of(game)
    written = set() if new else {Path(what)}
    out.print(_help(game), markup=False)
    while True:
        _prompt(game)
        try:
            said = input("> ").strip()
        except EOFError:
            return
        word, _, rest = said.partition(" ")
        match word.lower():
            case "":
                continue
            case "quit" | "exit":
                return
            case "help":
                out.print(_shown(game, rest) if rest.strip() else _help(game), markup=False)
            case "menu":
                for line in _menu(game):
                    out.print(line, markup=False)
            case "show" | "map" | "position":
                out.print(_shown(game, rest if word.lower() == "show" else word), markup=False)
            case "pictures":
                _draw(game, Path(rest.strip() or _PICTURES), written)
            case "undo":
                game.undo(max(0, len(game.orders) - 1))
            case "save":
                _save(game, Path(rest.strip() or _RECORD), written)
            case _:
                for good, line in try_orders(game, names, said):
                    _say((good, line))


def _help(game: Game) -> str:
    """The orders that may be entered, with names of the title that is played."""
    return _HELP % (example_hexes(game.title.map)[0], next(iter(game.title.companies)))


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
    out.print(f"{loaded.full_name}, edition {loaded.edition}: {', '.join(players)}", markup=False)
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


def _record_of(game: Game) -> str:
    """The record of the game, with the seed if it is known: on one's own board nothing is secret, and the game can go
    on from the record."""
    return write_record(game, {}, tell=teller(game), sealed=not game.setup.seed)


def _draw(game: Game, folder: Path, written: set[Path]) -> None:
    """Draw the position into ``folder``. Only pictures that were drawn at this board may be overwritten."""
    foreign = next((path for path in pictures_in(folder) if path.exists() and path not in written), None)
    if foreign is not None:
        err.print(f"not drawn: {foreign} is there already; `pictures` another folder", markup=False)
        return
    try:
        for path in write_pictures(game, folder):
            written.add(path)
            out.print(f"drawn: {path}", markup=False)
    except OSError as error:
        err.print(f"not drawn: {folder}: {error.strerror}", markup=False)


def _save(game: Game, path: Path, written: set[Path]) -> None:
    """Write the record; if that fails, the board stays. Only files that this board has read or ``written`` may be
    overwritten."""
    if path.exists() and path not in written:
        err.print(f"not saved: {path} is there already; `save` another name", markup=False)
        return
    try:
        path.write_text(_record_of(game), encoding="utf-8")
    except OSError as error:
        err.print(f"not saved: {path}: {error.strerror}", markup=False)
    else:
        written.add(path)
        out.print(f"saved: {path}", markup=False)


def try_orders(game: Game, names: Vocabulary, text: str) -> Iterable[tuple[bool, str]]:
    """Carry out orders on ``game`` until one fails. Yields for each whether it succeeded and the text to print."""
    asks = game.asked()
    reading = read(text, names, default_actor=asks[0].actor if len(asks) == 1 else None)
    for error in reading.errors:
        kind = "AMBIGUOUS" if error.kind == "ambiguous" else "NOT READABLE"
        yield False, f"{kind} {render.describe_unreadable(error)}"
    if reading.errors:
        return
    for order in reading.orders:
        order = acting(game, understood(game.legal(order.actor), order), game.state.players)
        result = game.submit(order)
        head = f"{order.actor}: {write(order, vocabulary(game.title))}"
        if isinstance(result, Refused):
            reasons = [render.describe_failure(game.title, failure) for failure in result.failures]
            yield False, "\n  ".join([f"REFUSED {head}", *reasons])
            return
        told = [line for event in result if (line := render.describe_event(game.title, event))]
        yield True, "\n  ".join([head, *told])


def vocabulary_of(game: Game) -> Vocabulary:
    return vocabulary(game.title, game.setup.players)


def _say(said: tuple[bool, str]) -> bool:
    good, line = said
    out.print(line, markup=False)
    return good


def _prompt(game: Game) -> None:
    if game.finished:
        out.print("over: " + ", ".join(f"{player} {wealth}" for player, wealth in game.standings()), markup=False)
    asked: dict[str, list[str]] = {}
    for player in game.state.players:
        for text in asked_of(game, player):
            asked.setdefault(text, []).append(player)
    for text, players in asked.items():
        out.print(f"[{len(game.orders)}] {', '.join(players)}: {text}", markup=False)


def _menu(game: Game) -> Iterable[str]:
    names = vocabulary(game.title)
    menus = [game.legal(ask.actor) for ask in game.asked()] + [game.unasked(player) for player in game.state.players]
    for choice in dict.fromkeys(choice for menu in menus for choice in menu):
        order = f"{choice.order.actor}: {write(choice.order, names)}"
        if isinstance(choice, Exact):
            yield order
        elif isinstance(choice, Range):
            steps = f" in steps of {choice.step}" if choice.step > 1 else ""
            yield f"{order}  // {choice.low} to {choice.high}{steps}"


def _record_at(path: Path, at: int | None) -> Game:
    with complaints():
        try:
            game = load_record(path).game
        except Illegal as error:
            fail(str(error), Status.NO)
    if at is not None:
        if at > len(game.orders):
            fail(f"there is no position after {counted(at, 'order')}: the record has {len(game.orders)}")
        game.undo(at)
    return game


def _game(context: typer.Context, name: str, at: int | None) -> Game:
    desk = desk_to_read(context)
    try:
        with desk.looking() as sitting:
            found = game_at(sitting, name, at)
    except NoDecision as error:
        fail(str(error))
    if found is None:
        no_game(desk, name)
    return found.game.fork() if found.is_now else found.game
