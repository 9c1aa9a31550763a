"""Answers to ``show``: a part of the position, of the board or of the game's log as text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from sqlmodel import Session, col, select

from engine import Exact, Game
from engine.core import orders as o
from engine.core.checks import Refused
from engine.core.ids import CompanyId, PlayerId
from engine.routes.optimum import best_run
from grammar import read, write
from moderator.adapters.tables import ACTS, EntryRow, GameRow, SeatRow
from moderator.domain.asks import asks_of
from moderator.domain.ports import Words
from moderator.domain.transcript import Note, Shown
from moderator.domain.vocabulary import vocabulary
from moderator.service.play.earlier import position_at
from moderator.service.play.journal.export import record_of
from moderator.service.table.clocks import list_clocks
from moderator.service.table.held_rows import waiting_rows
from moderator.service.table.sealed_rows import own_rows
from moderator.service.table.seats import info_for
from moderator.service.table.table import Table

_LONGEST_NUMBER: Final = 10
_LATEST: Final = 40
"""The number of entries that ``show orders`` lists."""
_AFTER: Final = " after "
_AND: Final = " and "
_WORK: Final = 100_000
"""The number of steps in the search for the best run: less than a second."""


def show(table: Table, seat: SeatRow, argument: str) -> Shown | Note:
    """The text for the ``argument`` of ``show``, or a note that says why there is none."""
    what, _, rest = argument.partition(" ")
    what = what.lower()
    if what == "run":
        return _run(table, seat, rest)
    if what == "lays" and _AFTER in f" {rest}":
        return _lays(table, seat, rest)
    if what == "at" and not _is_decision(rest, table.row.at):
        return "show.at_unknown", {"argument": rest, "at": table.row.at}
    text = _text(table, seat, what, rest)
    if text is None:
        return "show.unknown", {"argument": argument}
    if not text:
        return _missing(table.game, what, rest)
    return Shown(what, rest, text)


def _missing(game: Game, what: str, rest: str) -> Note:
    """The note that says why there is nothing to show."""
    if what in ("company", "private", "word"):
        title = game.title
        return f"show.no_{'word' if what == 'word' else 'item'}", {
            "said": rest, "companies": tuple(title.companies), "privates": tuple(title.privates),
        }  # fmt: skip
    return "show.none", {"what": what}


def _is_decision(number: str, last: int) -> bool:
    return number.isdecimal() and len(number) < _LONGEST_NUMBER and 1 <= int(number) <= last


def _text(table: Table, seat: SeatRow, what: str, rest: str) -> str | None:
    """The text to show, empty if there is nothing; None for an unknown word."""
    game, sitting, words = table.game, table.sitting, table.sitting.words
    player = PlayerId(seat.player)
    match what:
        case "lays":
            actors = [rest] if rest else [ask.actor for ask in asks_of(game, player)]
            return "\n".join(words.text_lays(game, CompanyId(actor)) for actor in actors)
        case "tokens":
            return "\n".join(_tokens(game, player))
        case "record":
            return record_of(sitting.session, table.row, game)
        case "orders":
            own = (f"sealed: {one.text}" for one in own_rows(table, player))
            return "\n".join((*_orders(sitting.session, table.row), *own))
        case "standing":
            ahead = (held.text for held in waiting_rows(sitting.session, table.row.id, player))
            own = (f"sealed: {one.text}" for one in own_rows(table, player))
            return "\n".join(f"{number}. {text}" for number, text in enumerate((*ahead, *own), 1))
        case "clock":
            return words.text_clock(info_for(table, seat), list_clocks(sitting, table.row))
        case "at":
            return position_at(sitting, table.row, int(rest), player)
    return page(words, game, player, what, rest)


def page(words: Words, game: Game, seat: PlayerId, what: str, rest: str) -> str | None:
    """The page of a position that ``show`` names, as ``seat`` may see it; empty if there is no such hex or company,
    None for a word that names no page."""
    match what:
        case "map":
            return words.text_map(game, tuple(rest.split("-")) if rest else ())
        case "board":
            return words.text_board(game)
        case "hex":
            return words.text_hex(game, rest)
        case "company":
            return words.text_company(game, rest)
        case "private":
            return words.text_private(game, rest)
        case "words":
            return words.text_words(game)
        case "word":
            return words.text_word(game, rest)
        case "rules":
            return words.text_rules(game)
        case "phase":
            return words.text_phase(game)
        case "position":
            return words.text_position(game, seat)
        case "trains" | "prices" | "chart":
            return words.text_trains(game)
        case "tiles":
            return words.text_tiles(game)
        case "history":
            return words.text_history(game, rest)
    return None


def _run(table: Table, seat: SeatRow, argument: str) -> Shown | Note:
    """The run of the company that is named, or else of the one that is asked: the given routes, or its best run. After
    ``after`` come lays that the company has not made yet."""
    said, _, lays = (part.strip() for part in f" {argument}".partition(_AFTER))
    game, names = table.game, table.live.vocabulary
    first, _, rest = said.partition(" ")
    named = CompanyId(first) if first in game.title.companies else None
    company = named or next((c for c in _asked(game, seat.player)), None)
    if company is None:
        return "show.run_whose", {}
    given = rest if named else said
    if game.state.companies[company].status != "open":
        return "show.none", {"what": f"run {company}"}
    found = _played(table, company, lays)
    if not isinstance(found[0], Game):
        return found
    game, texts = found
    routes = _routes(game, company)
    if given:
        reading = read(f"run {given}", names, default_actor=company)
        routes = next((order.routes for order in reading.orders if isinstance(order, o.Run)), ())
        checked = game.check_run(company, routes)
        if checked.failures:
            return "show.run_illegal", {"company": company, "failures": checked.failures}
    if not routes:
        return "show.none", {"what": f"run {company}"}
    text = table.sitting.words.text_run(game, company, routes, texts)
    return Shown("run", argument, text, company, routes, texts)


def _lays(table: Table, seat: SeatRow, argument: str) -> Shown | Note:
    """The lays of the company that is named, or else of the one that is asked, after lays that it has not made yet."""
    said, _, lays = (part.strip() for part in f" {argument}".partition(_AFTER))
    company = CompanyId(said) if said else next((c for c in _asked(table.game, seat.player)), None)
    if company is None:
        return "show.run_whose", {}
    found = _played(table, company, lays)
    if not isinstance(found[0], Game):
        return found
    game, texts = found
    return Shown("lays", argument, table.sitting.words.text_lays(game, company, texts), company, after=texts)


def _played(table: Table, company: CompanyId, lays: str) -> tuple[Game, tuple[str, ...]] | Note:
    """The game after ``lays`` of a company, joined by ``and``, and their texts; or a note that says why one is
    refused."""
    names = table.live.vocabulary
    after = read("; ".join(lays.split(_AND)), names, default_actor=company).orders if lays else ()
    game = table.game.fork() if after else table.game
    for order in after:
        if isinstance(outcome := game.submit(order), Refused):
            return "show.run_after", {"company": company, "failures": outcome.failures}
    return game, tuple(write(order, names) for order in after)


def _asked(game: Game, player: str) -> Iterable[CompanyId]:
    return (CompanyId(ask.actor) for ask in asks_of(game, player) if ask.actor in game.title.companies)


def _routes(game: Game, company: CompanyId) -> tuple[o.Route, ...]:
    """The best run that a short search finds."""
    traits = game.title.policies.run_traits(game.title, game.state, company)
    return best_run(game.state.board, traits, _WORK).routes


def _tokens(game: Game, player: str) -> Iterable[str]:
    for ask in asks_of(game, player):
        for choice in game.legal(ask.actor):
            if isinstance(choice, Exact) and isinstance(choice.order, o.Token):
                yield f"| {write(choice.order, vocabulary(game.title))}"


def _orders(session: Session, row: GameRow) -> Iterable[str]:
    """The latest entries of the game's log; an undo says to which order it went back."""
    latest = select(EntryRow).where(EntryRow.game == row.id).order_by(col(EntryRow.at).desc()).limit(_LATEST)
    for entry in reversed(session.exec(latest).all()):
        if entry.kind == "order":
            yield f"{entry.at}: {entry.text}"
        elif entry.kind in ACTS:
            yield f"{entry.at}: {entry.kind}{f' ({entry.text})' if entry.text else ''}"
        else:
            yield f"{entry.at}: {entry.kind} {entry.text.partition(' ')[0] if entry.kind == 'rules' else entry.orders}"
