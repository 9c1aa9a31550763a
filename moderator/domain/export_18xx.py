"""Writes our games in the form of an export of 18xx.games: the opposite of ``import_18xx``, for the editions that both
have. The written game is read again and played; it is refused if it does not become the same game.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import takewhile
from typing import Any, Final

from engine import Game, Title, load_title, told
from engine.core.events import GameOver
from engine.core.ids import PlayerId
from engine.core.orders import Done, Order
from engine.titles import site_converter, site_writer
from moderator.domain.import_18xx import RecordError, read_game

SITE: Final = "18xx.games"
ROUNDS: Final[Mapping[str, str]] = {
    "SR": "Stock Round",
    "OR": "Operating Round",
    "MR": "Merger Round",
}
"""Our kinds of rounds -> the site's names."""
ENDS: Final[Mapping[str, str]] = {
    "bank": "bank",
    "last_train": "final_phase",
    "bankruptcy": "bankrupt",
    "price": "stock_market",
}
"""Our reasons for the end of a game -> the site's."""


class NotExported(ValueError):
    """A game that 18xx.games cannot open, and why."""


def export_game(game: Game, number: int = 1, description: str = "") -> str:
    """The game as JSON. ``number`` is its number there. ``NotExported`` says why the site cannot play it."""
    title = game.title
    try:
        module = site_writer(title.name)
    except ValueError as none:
        raise NotExported(str(none)) from none
    rules = _rules(title, module)
    seats = _seats(game)
    ids = {player: place for place, player in enumerate(seats, 1)}
    try:
        actions = module.Writer(game, ids).write()
    except ValueError as problem:
        raise NotExported(str(problem)) from problem
    data = {
        "id": number,
        "description": description,
        "user": {"id": 0, "name": "You"},
        "players": [{"id": ids[player], "name": player} for player in seats],
        "min_players": len(seats),
        "max_players": len(seats),
        "title": title.name,
        "settings": {
            "seed": module.Writer.seed(game),
            "is_async": True,
            "unlisted": True,
            "auto_routing": True,
            "player_order": None,
            "optional_rules": rules,
        },
        "user_settings": None,
        **_standing(game, ids),
        "actions": actions,
        "loaded": True,
    }
    _play_again(game, data)
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _rules(title: Title, module: Any) -> list[str]:
    """The site's optional rules by which the game is played. ``NotExported`` where there are none."""
    if title.edition not in module.EDITIONS:
        there = " and ".join(module.EDITIONS)
        raise NotExported(
            f"{SITE} does not play {title.name} by the rules of the edition {title.edition}, but of {there}: the same"
            f" orders would not lead to the same positions there"
        )
    if title.own_facts:
        raise NotExported(f"{SITE} does not play {title.name} with corrected facts")
    usual = load_title(title.name, title.edition).options
    rules: list[str] = module.Writer.rules(title, usual)
    theirs = {**usual, **site_converter(title.name).options(rules)}
    other = [
        f"{name} is {value}, and there it is {theirs[name]}"
        for name, value in title.options.items()
        if name not in module.SHOWN and value != theirs[name]
    ]
    if other:
        raise NotExported(f"{SITE} has no such options of {title.name}: {'; '.join(other)}")
    return rules


def _seats(game: Game) -> tuple[PlayerId, ...]:
    """The players in their order; the site lets the first of them begin."""
    players, first = game.at(0).players, game.at(0).priority
    at = players.index(first) if first in players else 0
    return (*players[at:], *players[:at])


def _standing(game: Game, ids: Mapping[PlayerId, int]) -> dict[str, Any]:
    """The position in the words of the site: the round, who is asked, the result and why the game ended."""
    now = game.state.round
    acting = list(ids.values()) if game.finished else [ids[player] for player in {a.player: 1 for a in game.asked()}]
    over = next((e for e in game.events(len(game.orders)) if isinstance(e, GameOver)), None) if game.orders else None
    return {
        "status": "finished" if game.finished else "active",
        "turn": now.set,
        "round": ROUNDS.get(now.kind, now.kind),
        "acting": acting,
        "result": {str(ids[player]): wealth for player, wealth in game.standings()} if game.finished else {},
        "game_end_reason": None if over is None else ENDS.get(over.reason, over.reason),
    }


def _play_again(game: Game, data: Mapping[str, Any]) -> None:
    """Read the written game again and play it. ``NotExported`` if it does not become the same game."""
    try:
        again = read_game(f"a game for {SITE}", json.loads(json.dumps(data)))
        for _ in again.play():
            pass
        for order in _turns_that_ended(game):
            again.game.submit(order)
    except RecordError as problem:
        raise NotExported(f"{SITE} could not play it: {problem}") from problem
    same = _same(again.game, game)
    if not same and again.game.orders and isinstance(again.game.orders[-1], Done):
        again.game.undo(len(again.game.orders) - 1)  # the site itself ends a turn that is still under way here
        same = _same(again.game, game)
    if not same:
        raise NotExported(f"{SITE} would come to another position with these orders")


def _same(again: Game, game: Game) -> bool:
    """True if the game that was read again has the same position as ``game``."""
    if _seats(game) == game.at(0).players:
        return _told(again) == _told(game)
    return dict(again.standings()) == dict(game.standings())


def _turns_that_ended(game: Game) -> list[Order]:
    """The ends of turns with which a running game stops: on the site a turn ends by itself, so no action says it."""
    last = list(takewhile(lambda order: isinstance(order, Done), reversed(list(game.orders))))
    return [] if game.finished else last[::-1]


def _told(game: Game) -> dict[str, Any]:
    """The position in words, without the lots that have been drawn: the site draws none."""
    return {part: value for part, value in told(game.title, game.state).items() if part != "lots drawn"}
