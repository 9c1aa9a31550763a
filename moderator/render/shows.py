"""The plain texts for ``show``: parts of a position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime

from engine.core.game import Game
from engine.core.ids import Actor, CompanyId, HexId, PlayerId
from engine.core.orders import Route
from engine.core.state import State
from engine.core.title import Title
from engine.core.view import view
from engine.svg import part
from moderator.domain.figures.history import as_csv, history
from moderator.domain.info import GameInfo
from moderator.domain.list_rows import SeatClock, ShownSeat
from moderator.words.position import board_views, lay_views, views
from moderator.words.position.facts import position_facts
from moderator.words.question.track_limits import track_limit
from moderator.words.text import MARK
from moderator.words.texts import Words, said_of_origin, words
from moderator.words.times import moment

AROUND_ONE = 2
"""Number of rings of hexes that are shown around a single hex."""


def text_position(game: Game, seat: PlayerId, language: str = "en", state: State | None = None) -> str:
    """Players, companies, market and trains. ``state``: an earlier position of the same game to show instead."""
    own, game = words(language), game.seen_by(seat)
    return own.text("position", **position_facts(own, game.title, view(state or game.state, seat), seat))


def text_map(game: Game, hexes: Sequence[str] = (), language: str = "en", state: State | None = None) -> str:
    """Every hex with a tile or a token, one on each line, and the parts of the board that are reconstructed or
    corrected. ``hexes``: show only the rectangle between these, or the hexes around a single one, including the printed
    board there; "" if one of them is not on the map."""
    own = words(language)
    if hexes:
        return _text_part(own, game.title, state or game.state, tuple(HexId(hex.upper()) for hex in hexes))
    return own.text("map_shown", **position_facts(own, game.title, state or game.state, None))


def _text_part(own: Words, title: Title, state: State, hexes: tuple[HexId, ...]) -> str:
    if not all(hex in title.map.hexes for hex in hexes):
        return ""
    shown = set(part(title.map, hexes, AROUND_ONE if len(hexes) == 1 else 0))
    lying = [row for row in board_views.board(title, state) if row.id in shown]
    printed = [row for row in board_views.printed(title, state) if row.line.id in shown]
    untouched = [row for row in printed if not board_views.is_changed(state, HexId(row.line.id))]
    return own.text("map_part", title=title, state=state, hexes=hexes, board=lying, printed=untouched)


def text_run(
    game: Game, company: CompanyId, routes: Sequence[Route], after: Sequence[str] = (), language: str = "en"
) -> str:
    """Legal runs of a company, one train with its revenue on each line, and the total. ``after``: the orders that
    ``game`` is ahead by."""
    own, checked = words(language), game.check_run(company, tuple(routes))
    runs = [(str(r.train), "-".join(r.hexes), value) for r, value in zip(routes, checked.values, strict=True)]
    return own.text("run_shown", title=game.title, company=company, runs=runs, total=checked.total, after=after)


def text_clock(info: GameInfo, clocks: Sequence[SeatClock], language: str = "en") -> str:
    """The terms of a game's clocks, and the clock of each seat on a line of its own."""
    own = words(language)
    shown = [
        {**asdict(clock), "due_text": moment(own, clock.due.at, info.zone) if clock.due else "",
         "overdue": clock.due is not None and clock.due.late}
        for clock in clocks
    ]  # fmt: skip
    return own.text("clock_shown", info=info, clocks=shown)


def text_seats(info: GameInfo, seats: Sequence[ShownSeat], language: str = "en") -> str:
    """The seats of a game for its game master, each on a line of its own."""
    own = words(language)

    def said(when: datetime | None) -> str:
        return moment(own, when, info.zone) if when is not None else ""

    shown = [
        {**asdict(seat), "since_text": said(seat.since), "heard_text": said(seat.heard_at),
         "due_text": said(seat.due.at if seat.due else None), "overdue": seat.due is not None and seat.due.late}
        for seat in seats
    ]  # fmt: skip
    return own.text("seats_shown", info=info, seats=shown)


def text_origin(title: Title, language: str = "en") -> str:
    """The sentences on the parts of the game that are reconstructed or corrected; empty if there are none."""
    return said_of_origin(words(language), title)


def text_trains(game: Game, language: str = "en", state: State | None = None) -> str:
    """The share prices, the bank, and the trains that are left."""
    own = words(language)
    return own.text("bank", **position_facts(own, game.title, state or game.state, None))


def text_history(game: Game, what: str = "", language: str = "en") -> str:
    """The revenue of each company and the income of a share in each round, and the means of players at its end.
    ``what``: only a company; or ``csv`` for everything as comma-separated values; "" if there is no such company."""
    own = words(language)
    rounds = history(game)
    if what.lower() == "csv":
        return as_csv(rounds)
    company = next((c for c in game.title.companies if c.casefold() == what.casefold()), None)
    if what and company is None:
        return ""
    return own.text("history", title=game.title, rounds=rounds, company=company)


def text_tiles(game: Game, language: str = "en") -> str:
    """The tiles that are left, by colour."""
    own = words(language)
    return own.text("tiles", title=game.title, tiles=board_views.tiles(game.title, game.state))


def text_lays(game: Game, actor: Actor, after: Sequence[str] = (), language: str = "en") -> str:
    """All legal lays of ``actor``, by hex and tile. ``after``: the orders that ``game`` is ahead by."""
    own = words(language)
    lays = lay_views.lays(game.title, game.state, game.legal(actor))
    limit = track_limit(own, game.title, game.state) if lays[""] else ""
    return own.text("lays", title=game.title, actor=actor, lays=lays, limit=limit, mark=MARK, after=after)


def text_board(game: Game, language: str = "en") -> str:
    """The printed board, without the tiles laid in play: each hex with a name, city, track, terrain cost or label."""
    own = words(language)
    facts = position_facts(own, game.title, game.state, None)
    return own.text("board", printed=board_views.printed(game.title, game.state), **facts)


def text_hex(game: Game, hex: str, language: str = "en") -> str:
    """One hex: as printed and as it is now, its neighbours, and the tiles to which it may be upgraded; "" if it is not
    on the map."""
    own, found = words(language), hex.upper()
    if (id := HexId(found)) not in game.title.map.hexes:
        return ""
    title, state = game.title, game.state
    return own.text(
        "hex_shown", title=title, state=state, seat=None, now=board_views.hex_line(title, state, id),
        printed=board_views.printed_hex(title, state, id), changed=board_views.is_changed(state, id),
        neighbors=board_views.neighbors(title, id), upgrades=board_views.upgrades(title, state, id),
    )  # fmt: skip


def text_phase(game: Game, language: str = "en") -> str:
    """The present and later phases: colours, train limits, values of off-board areas, and the changes that the next
    train brings."""
    own = words(language)
    title, state = game.title, game.state
    later = title.phases[title.phase_index(state.phase) :]
    table = tuple((p.name, p.colors, views.limits(title, state, p), p.rounds) for p in later)
    return own.text("phase_shown", phases=table, **position_facts(own, title, state, None))
