"""A question as the page shows it: its answers, all legal orders by kind, and the hexes where something is legal."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.core import orders as o
from engine.core.agenda import Choice, Menu, Range
from engine.core.game import Game
from grammar import write
from moderator.domain.vocabulary import vocabulary
from moderator.words.question.notes import note
from moderator.words.question.questions import Question
from moderator.words.texts import Words

Json = dict[str, Any]


def question_view(own: Words, game: Game, question: Question) -> Json:
    """A question with its answers and its menu. Lays are by hex and not in the menu; markers are in both."""
    return {
        "actor": question.ask.actor,
        "what": question.ask.what,
        "text": question.text,
        "later": question.later,
        "answers": [{"text": answer.text} for answer in question.answers],
        "groups": _groups(own, game, question),
        "hexes": _hexes(game, question.legal),
    }


def kind_of(order: o.Order) -> str:
    """The kind of an order: the name of its type, or ``Lay.using`` for a lay that uses a private."""
    return "Lay.using" if isinstance(order, o.Lay) and order.using is not None else type(order).__name__


def _groups(own: Words, game: Game, question: Question) -> list[Json]:
    best = {group.kind: group.best for group in question.groups if group.best is not None}
    kinds: dict[str, list[Json]] = {}
    for number, choice in enumerate(question.legal):
        if not isinstance(choice.order, o.Lay):
            kinds.setdefault(kind_of(choice.order), []).append(_line(own, game, number, choice))
    return [
        {
            "kind": kind,
            "heading": own.word(f"group.{kind}", kind, game.title.name),
            "best": own.say("words", "desk.best", title=game.title, value=best[kind].value, bound=best[kind].bound)
            if kind in best
            else "",
            "lines": lines,
        }
        for kind, lines in kinds.items()
    ]


def _line(own: Words, game: Game, number: int, choice: Choice) -> Json:
    line = {
        "number": number,
        "order": write(choice.sample(0), vocabulary(game.title)),
        "note": note(own, game.title, game.state, choice),
    }
    if isinstance(choice, Range) and choice.low != choice.high:
        line["range"] = {"field": choice.field, "low": choice.low, "high": choice.high, "step": choice.step}
    return line


def at_value(game: Game, menu: Menu, number: int, value: int) -> str:
    """The order number ``number`` of ``menu`` with ``value`` in the field that may be chosen, legal or not: the rules
    say what is wrong with it."""
    choice = menu[number]
    changes: dict[str, Any] = {choice.field: value} if isinstance(choice, Range) else {}
    return write(replace(choice.order, **changes), vocabulary(game.title))


def _hexes(game: Game, menu: Menu) -> dict[str, Json]:
    """Hex -> its name, and the kinds of orders for it: ``lay``, ``token``."""
    found: dict[str, Json] = {}
    for choice in menu:
        order = choice.order
        if isinstance(order, o.Lay):
            hex, kind = order.hex, "lay"
        elif isinstance(order, o.Token):
            hex, kind = order.space.hex, "token"
        else:
            continue
        kinds = found.setdefault(str(hex), {"name": game.title.map.hexes[hex].name, "kinds": []})["kinds"]
        if kind not in kinds:
            kinds.append(kind)
    return found
