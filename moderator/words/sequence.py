"""Write the sequence of play of a title as a page to read alongside its rulebook."""

from __future__ import annotations

from collections.abc import Sequence as Rows

from engine.acts.player.turns import PlayerTurns
from engine.acts.turns import Turns
from engine.core.title import Title
from engine.steps.course import Sequence
from moderator.words.texts import Words, words


def sequence_page(title: Title, language: str = "en") -> str:
    """Three tables as plain text: the rounds with what follows each, the acts of a player's turn of a stock round, and
    those of a company's turn, in order. Each row has its rule."""
    own = words(language)
    parts = [own.say("words", "sequence.title", title=title)]
    for step in title.steps.values():
        if isinstance(step, Sequence):
            parts.append(_table(own, "rounds", _rounds(own, title, step)))
        elif isinstance(step, PlayerTurns):
            parts.append(_table(own, "player", _player_acts(own, title, step)))
        elif isinstance(step, Turns):
            parts.append(_table(own, "turn", _acts(own, title, step)))
    return "\n\n".join(parts) + "\n"


def _rounds(own: Words, title: Title, sequence: Sequence) -> list[tuple[str, ...]]:
    def does(names: Rows[str]) -> str:
        return "; ".join(own.say("words", f"does.{name}", title=title) for name in names)

    rows: list[tuple[str, ...]] = [(own.say("words", "sequence.start"), "", does(sequence.start), "")]
    for row in sequence.rows:
        when = own.say("words", f"when.{row.when}", title=title) if row.when else ""
        rows.append((own.word(f"rounds.{row.round}", title=title.name), when, does(row.then), row.rule))
    return rows


def _acts(own: Words, title: Title, turns: Turns) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for place in turns.places:
        act = own.say("words", f"acts.{type(place.act).__name__}", title=title)
        rows.append((place.first, place.last, act, _often(own, place.often), place.rule))
    return rows


def _player_acts(own: Words, title: Title, turns: PlayerTurns) -> list[tuple[str, ...]]:
    acts = [(row.act.name, row.often, row.act.ends, row.rule) for row in turns.rows]
    return [
        (
            own.say("words", f"acts.{name}", title=title),
            _often(own, often),
            own.say("words", "sequence.ends") if ends else "",
            rule,
        )
        for name, often, ends, rule in (*acts, ("Pass", 1, True, turns.pass_rule))
    ]


def _often(own: Words, often: int | None) -> str:
    return own.say("words", "sequence.any") if often is None else str(often)


def _table(own: Words, name: str, rows: list[tuple[str, ...]]) -> str:
    """The table ``name`` as text, with a heading and with each column as wide as its longest cell."""
    columns = tuple(own.say("words", f"sequence.{name}_columns").split(" | "))
    wide = [max(map(len, column)) for column in zip(columns, *rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, wide, strict=True)) for row in (columns, *rows)]
    return "\n".join([own.say("words", f"sequence.{name}"), "", *(f"    {line}".rstrip() for line in lines)])
