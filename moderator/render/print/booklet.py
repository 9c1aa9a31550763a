"""Write a whole game as a booklet, as files for Typst: the story of each round, with pictures of the position at its
end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from engine import svg
from engine.core.events import Event, Ran
from engine.core.game import Game
from engine.core.orders import Order
from engine.core.state import Round, State
from engine.core.title import Title
from moderator.render.print.ink import key_svg, on_paper, patterned
from moderator.render.print.turn_sheet import colors_in_words, files, marks, number, paragraphs, position, round_name
from moderator.words.story import Chapter, story
from moderator.words.text import clean
from moderator.words.texts import Words, words

_ON_PAPER = 390
"""The width of a picture of runs, on which the size of its letters depends: about half a page."""


def booklet(game: Game, name: str, language: str = "en") -> dict[str, str]:
    """The files of a booklet, by name. ``game``: the game as its reader may see it. Each map marks the changes of its
    round."""
    own, title = words(language), on_paper(game.title)
    happened = tuple(game.happened(0))
    positions = [*(before for _, before, _ in happened), game.state]
    told = _told(story(own, game, -1))
    pictures: dict[str, str] = {}
    runs = _runs(own, title, happened, pictures)
    rounds, before = [], positions[0]
    for at, (round, state) in enumerate(ends(positions), 1):
        map, chart = f"map{at}.svg", f"chart{at}.svg"
        pictures[map] = patterned(svg.board_svg(title, state, since=before))
        pictures[chart] = svg.chart_svg(title, state, words=marks(own, title))
        shown = {"name": round_name(own, title, round), "map": map, "chart": chart, "story": told.get(round, [])}
        shown["runs"] = runs.get(round, [])
        rounds.append(position(own, title, state) | shown)
        before = state
    pictures["key.svg"] = key_svg(colors_in_words(own, title))
    moments = svg.history(title, positions)
    pictures["worth.svg"] = svg.worth_svg(moments)
    graphs = [("worth.svg", own.word("paper.worth"))]
    if any(moment.prices for moment in moments):
        pictures["prices.svg"] = svg.prices_svg(moments)
        graphs.append(("prices.svg", own.word("paper.prices")))
    data = {
        "heading": f"{name}: {clean(title.full_name)}",
        "title": clean(title.full_name),
        "name": name,
        "edition": clean(title.edition),
        "orders": str(len(game.orders)),
        "finished": game.finished,
        "standings": _standings(game),
        "graphs": graphs,
        "rounds": rounds,
    }
    return files(language, "booklet", data, pictures)


def _runs(
    own: Words, title: Title, happened: Sequence[tuple[Order, State, tuple[Event, ...]]], pictures: dict[str, str]
) -> dict[Round, list[tuple[str, str]]]:
    """For each round, the pictures of the runs that were declared in it, with their words. The pictures are added to
    ``pictures``."""
    found: dict[Round, list[tuple[str, str]]] = {}
    for order, (_, before, events) in enumerate(happened, 1):
        for ran in events:
            if isinstance(ran, Ran) and ran.routes:
                lines = svg.lines_of(title, before, ran.company, ran.routes)
                hexes = dict.fromkeys(hex for line in lines for hex, _ in line.parts)
                words = own.say("words", "paper.run", title=title, company=ran.company, value=ran.revenue)
                file = f"run{order}.svg"
                pictures[file] = svg.board_svg(
                    title, before, hexes=hexes, rings=0, size=_ON_PAPER, runs=lines, notes={"heading": clean(words)}
                )
                found.setdefault(before.round, []).append((file, clean(words)))
    return found


def ends(positions: Sequence[State]) -> Iterator[tuple[Round, State]]:
    """Each round with the position at its end, which is the first position of the next round, or the last of all."""
    begun = positions[0]
    for _, after in pairwise(positions):
        if after.round != begun.round:
            yield begun.round, after
            begun = after
    if begun is not positions[-1] or len(positions) == 1:
        yield begun.round, positions[-1]


def _told(chapters: Sequence[Chapter]) -> dict[Round | None, list[dict[str, str]]]:
    """The paragraphs of each round. Those before the first round belong to the first round."""
    found: dict[Round | None, list[dict[str, str]]] = {}
    first = next((chapter.round for chapter in chapters if chapter.round is not None), None)
    for chapter in chapters:
        there = found.setdefault(chapter.round or first, [])
        there += paragraphs(chapter)
    return found


def _standings(game: Game) -> list[list[Any]]:
    standings = game.standings()
    return [
        [str(1 + sum(other > worth for _, other in standings)), clean(player), number(worth)]
        for player, worth in standings
    ]
