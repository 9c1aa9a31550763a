"""Export our games in the format of 18xx.games: the inverse of ``import_18xx``, for the editions that both sites have.
The exported game is imported and played again; the export fails if the result is not the same game.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from engine import Game, Title, load_title, told
from engine.core.events import GameOver, RoundBegan
from engine.core.ids import PlayerId
from engine.core.orders import Done, Order
from engine.core.state import Round, State
from engine.site18xx import site_converter, site_writer
from moderator.domain.records.import_18xx import RecordError, read_game
from moderator.domain.records.site_rounds import ROUNDS

SITE: Final = "18xx.games"
ENDS: Final[Mapping[str, str]] = {
    "bank": "bank",
    "last_train": "final_phase",
    "bankruptcy": "bankrupt",
    "price": "stock_market",
}
"""Our reason for the end of a game -> the site's. For any other the players end the game there."""
BY_THE_PLAYERS: Final = "manually_ended"


class NotExported(ValueError):
    """A game cannot be exported to 18xx.games. The message gives the reason."""


def export_game(game: Game, number: int = 1, description: str = "") -> str:
    """The game as JSON. ``number`` is its number on the site. ``NotExported`` says why the site cannot play it."""
    title = game.title
    try:
        module = site_writer(title.name)
    except ValueError as none:
        raise NotExported(str(none)) from none
    rules = _rules(title, module)
    seats = _seats(game)
    ids = {player: place for place, player in enumerate(seats, 1)}
    try:
        writer = module.Writer(game, ids)
        actions = writer.write()
    except ValueError as problem:
        raise NotExported(str(problem)) from problem
    if not _ends_there(game):
        actions.append({"type": "end_game", "entity": 1, "entity_type": "player", "id": len(actions) + 1})
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
    if _ends_there(game):
        _play_again(game, data, writer.sheet.untold)
    else:
        now = _play_again(game, data | {"turn": None}, writer.sheet.untold).state.round
        data |= {"turn": now.set, "round": ROUNDS.get(now.kind, now.kind)}
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _rules(title: Title, module: Any) -> list[str]:
    """The site's optional rules that match the options of the game. ``NotExported`` if the site does not play it by
    these rules."""
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
    """The players in seating order, beginning with the holder of the priority: on the site the first player begins."""
    players, first = game.at(0).players, game.at(0).priority
    at = players.index(first) if first in players else 0
    return (*players[at:], *players[:at])


def _standing(game: Game, ids: Mapping[PlayerId, int]) -> dict[str, Any]:
    """The position in the site's terms: the round, the players who are asked, the result and why the game ended."""
    now = game.state.round
    acting = list(ids.values()) if game.finished else [ids[player] for player in {a.player: 1 for a in game.asked()}]
    reason = _reason(game)
    return {
        "status": "finished" if game.finished else "active",
        "turn": now.set,
        "round": ROUNDS.get(now.kind, now.kind),
        "acting": acting,
        "result": {str(ids[player]): wealth for player, wealth in game.standings()} if game.finished else {},
        "game_end_reason": None if reason is None else ENDS.get(reason, BY_THE_PLAYERS),
    }


def _reason(game: Game) -> str | None:
    """The reason why the game ended; None if it has not."""
    last = game.events(len(game.orders)) if game.orders else ()
    return next((event.reason for event in last if isinstance(event, GameOver)), None)


def _ends_there(game: Game) -> bool:
    """True if the site ends the game by itself where ours ended, or if ours has not ended. It knows no stalemate."""
    reason = _reason(game)
    return reason is None or reason in ENDS


def _play_again(game: Game, data: Mapping[str, Any], untold: Sequence[Order]) -> Game:
    """The exported game, imported and played. ``untold``: the orders at its end for which the site has no action.
    ``NotExported`` if the result is not the same game."""
    try:
        again = read_game(f"a game for {SITE}", json.loads(json.dumps(data)))
        for _ in again.play():
            pass
        for order in () if game.finished else untold:
            again.game.submit(order)
    except RecordError as problem:
        raise NotExported(f"{SITE} could not play it: {problem}") from problem
    same = _same(again.game, game)
    if not same and again.game.orders and isinstance(again.game.orders[-1], Done):
        again.game.undo(len(again.game.orders) - 1)  # the site itself ends a turn that is still under way here
        same = _same(again.game, game)
    if not same:
        raise NotExported(f"{SITE} would come to another position with these orders: {_parting(again.game, game)}")
    return again.game


def _parting(again: Game, game: Game) -> str:
    """The round in which two games part that begin alike."""
    now = game.at(0).round
    for (theirs, other), (ours, state) in zip(_rounds(again), _rounds(game), strict=False):
        if theirs != ours or _told(again, other) != _told(game, state):
            break
        now = ours
    return f"its actions do not tell all that happens in {now}"


def _rounds(game: Game) -> Iterator[tuple[Round, State]]:
    """Every round, and the position after the order with which it began."""
    for number in range(1, len(game.orders) + 1):
        yield from ((e.round, game.at(number)) for e in game.events(number) if isinstance(e, RoundBegan))


def _same(again: Game, game: Game) -> bool:
    """True if the imported game has the same position as ``game``; the same standings, if the seats were rotated or
    the players have to end the game there."""
    if _seats(game) == game.at(0).players and _ends_there(game):
        return _told(again, again.state) == _told(game, game.state)
    return dict(again.standings()) == dict(game.standings())


def _told(game: Game, state: State) -> dict[str, Any]:
    """A position as told to players, without the number of lots drawn: the site draws none."""
    return {part: value for part, value in told(game.title, state).items() if part != "lots drawn"}
