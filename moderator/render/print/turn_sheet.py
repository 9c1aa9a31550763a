"""Write a turn sheet for a player by letter, as files for Typst: map, chart, holdings, and a form for orders.

Text that others wrote goes into the files as data, never as Typst source.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import templates
from engine import svg
from engine.core.game import Game
from engine.core.ids import PlayerId
from engine.core.state import Round, State
from engine.core.title import Title
from engine.svg.colors import badge_colors
from grammar import read
from moderator.domain.vocabulary import vocabulary
from moderator.render.print.ink import LIGHT, key_svg, on_paper, patterned
from moderator.words.position import views
from moderator.words.position.board_views import example_hexes
from moderator.words.position.share_views import ShareTable, share_table
from moderator.words.question.questions import Question, questions
from moderator.words.story import Chapter, story
from moderator.words.text import MARK, clean
from moderator.words.texts import Words, words

NOTATION: Final = ("lay", "sides", "exits", "token", "run", "best", "pay", "train", "bought", "done")
"""The examples of orders, in the order of a company's turn."""
ROOM: Final = 14
"""The number of lines for orders."""
_INDENT: Final = "  "


@dataclass(frozen=True, slots=True)
class Occasion:
    """The game and the decision that a sheet is about. ``due``: the deadline in words, "" if there is none. ``since``:
    the number of orders at the previous sheet, since which changes are marked; None marks nothing."""

    name: str
    decision: int
    due: str = ""
    since: int | None = None


def sheet(game: Game, seat: PlayerId, occasion: Occasion, language: str = "en") -> dict[str, str]:
    """The files of a turn sheet, by name: the position as ``seat`` may see it, and a form for its answer.
    ``ValueError`` if ``occasion.since`` is not between 0 and the number of orders."""
    own, game = words(language), game.seen_by(seat)
    title, state = on_paper(game.title), game.state
    since = None if occasion.since is None else game.at(occasion.since)
    data = {
        **position(own, title, state),
        "heading": f"{occasion.name}: {clean(title.full_name)}",
        "name": occasion.name,
        "decision": str(occasion.decision),
        "due": occasion.due,
        "title": clean(title.full_name),
        "round": round_name(own, title, state.round),
        "phase": str(state.phase),
        "seat": clean(seat),
        "bank": number(views.bank(state)),
        "changed": since is not None,
        "told": _told(own, game, occasion.since),
        "notation": [*_notation(own, title)],
        "questions": [{"text": q.text, "lines": [*_menu(own, title, q)]} for q in questions(own, game, seat)],
        "room": ROOM,
    }
    pictures = {
        "map.svg": patterned(svg.board_svg(title, state, since=since)),
        "chart.svg": svg.chart_svg(title, state, words=marks(own, title)),
        "tiles.svg": patterned(svg.tiles_svg(title, state, across=10, edges=True)),
        "key.svg": key_svg(colors_in_words(own, title)),
    }
    return files(language, "sheet", data, pictures)


def _told(own: Words, game: Game, since: int | None) -> list[dict[str, Any]]:
    """The story since an order, by round; by default of the round under way and the one before it."""
    if since is None:
        rounds = [before.round for _, before, _ in game.happened(0)]
        under_way = [*rounds, game.state.round]
        latest = list(dict.fromkeys(under_way))[-2:]
        since = next(i for i, round in enumerate(under_way) if round in latest)
    found = []
    for chapter in story(own, game, since):
        name = "" if chapter.round is None else round_name(own, game.title, chapter.round)
        if told := paragraphs(chapter):
            found.append({"name": name, "story": told})
    return found


def paragraphs(chapter: Chapter) -> list[dict[str, str]]:
    return [{"head": clean(p.head), "text": clean("; ".join(p.clauses)) + "."} for p in chapter.paragraphs]


def _notation(own: Words, title: Title) -> Iterator[list[str]]:
    """Examples of orders that the title has, with their meaning."""
    names = vocabulary(title)
    hex, _ = example_hexes(title.map)
    other = title.map.hexes[hex].neighbors[min(title.map.hexes[hex].neighbors)]
    company = next(iter(title.companies))
    facts = {"hex": hex, "other": other, "company": company, "sides": (names.edges[1], names.edges[3])}
    for key in NOTATION:
        order = own.say("words", f"paper.notation.{key}.order", title=title, **facts)
        reading = read(f"{company}: {order}", names)
        if reading.orders and not reading.errors:
            yield [order, own.say("words", f"paper.notation.{key}.means", title=title, **facts)]


def colors_in_words(own: Words, title: Title) -> dict[str, str]:
    """The colours of hexes and tiles of the title, with their names."""
    faces = [hex.face for hex in title.map.hexes.values()] + [tile.face for tile in title.map.tiles.values()]
    used = {face.color for face in faces}
    return {color: own.word(f"paper.colors.{color}", color) for color in LIGHT if color in used}


def _menu(own: Words, title: Title, question: Question) -> Iterator[dict[str, Any]]:
    """The lines of a question's menu. Lines with ``order`` True can be sent as they stand, and get a box."""
    for line in own.text("menu", title=title, q=question, mark=MARK).splitlines():
        order = line.startswith(MARK)
        text = line.removeprefix(MARK) if order else line
        if text.strip():
            yield {"order": order and not text.startswith(" "), "text": text.strip(), "indent": _indent(text)}


def _indent(text: str) -> int:
    return (len(text) - len(text.lstrip())) // len(_INDENT)


def position(own: Words, title: Title, state: State) -> dict[str, Any]:
    """The players, companies, shares and trains of a position, as tables of text."""
    companies, players = views.companies(title, state), views.players(title, state)
    priority = own.word("priority", title=title.name)
    return {
        "players": [
            {
                "name": clean(p.name) + (f" ({priority})" if p.priority and priority else ""),
                "cash": number(p.cash),
                "worth": number(p.worth),
                "certificates": f"{p.certificates} of {p.limit}",
                "privates": ", ".join(p.privates),
            }
            for p in players
        ],
        "companies": [_company(title, c) for c in companies],
        "shares": _shares(own, title, share_table(state, players, companies)),
        "trains": [
            [
                " / ".join(name for name, _ in train.faces),
                " / ".join(number(price) for _, price in train.faces),
                "∞" if train.left is None else str(train.left),
                train.rusts or "",
            ]
            for train in views.trains(title, state)
        ],
    }


def _company(title: Title, line: views.CompanyLine) -> dict[str, str]:
    ground, letters = badge_colors(title.companies[line.id])  # type: ignore[index]
    return {
        "code": line.id,
        "ground": ground,
        "letters": letters,
        "director": clean(line.director or ""),
        "cash": number(line.cash),
        "price": "" if line.price is None else number(line.price),
        "trains": " ".join(line.trains),
        "loans": str(line.loans or ""),
        "left": str(line.left),
        "run": "" if line.last_run is None else number(line.last_run),
    }


def _shares(own: Words, title: Title, table: ShareTable) -> dict[str, Any]:
    return {
        "heads": [clean(own.word(f"columns.{holder}", holder, title.name)) for holder in table.holders],
        "rows": [
            [row.company, *(f"{n or ''}{'*' if i == row.director else ''}" for i, n in enumerate(row.cells))]
            for row in table.rows
        ],
    }


def marks(own: Words, title: Title) -> Mapping[str, str]:
    """Mark of a space of the chart -> its name in words."""
    found = sorted({mark for marks in title.chart.marks.values() for mark in marks})
    return {mark: own.word(f"marks.{mark}", mark.replace("_", " "), title.name) for mark in found}


def round_name(own: Words, title: Title, round: Round) -> str:
    return own.say("words", "paper.round", title=title, round=round)


def number(amount: int) -> str:
    return f"{amount:,}".replace("-", "−")


def files(language: str, name: str, data: Mapping[str, Any], pictures: Mapping[str, str]) -> dict[str, str]:
    """The files of the document ``name``, by name, with its ``data`` and ``pictures``."""
    return {
        "main.typ": templates.document(language, name),
        "paper.typ": templates.document(language, "paper"),
        "data.json": json.dumps(data),
        **pictures,
    }
