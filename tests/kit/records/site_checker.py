"""A strict checker of the form in which 18xx.games records a game, written from recorded games: which fields an action
of each type has, what they hold, who takes it, and what belongs to the whole file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

Check = Callable[[Any], bool]
Form = tuple[tuple[str, ...], Mapping[str, Check]]
"""Who may take the action, and the fields that it must have; those with ``?`` it may have."""


def _text(pattern: str) -> Check:
    return lambda value: isinstance(value, str) and re.fullmatch(pattern, value) is not None


def _number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _money(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _listed(each: Check, least: int = 0) -> Check:
    return lambda value: isinstance(value, list) and len(value) >= least and all(map(each, value))


HEX = _text(r"[A-Za-z]\d+")
TILE = _text(r"[A-Z]*\d+-\d+")
CITY = _text(r"([A-Z]*\d+|[A-Za-z]\d+)-\d+-\d+")
TRAIN = _text(r"\d[\d+E]*-\d+")
SIDE = _text(r"\d[\d+EH]*")
SHARES = _listed(_text(r"[A-Za-z&-]+_\d+"), 1)
NAME = _text(r"[A-Za-z][\w&-]*")
CELL = _text(r"\d+,\d+,\d+")
LEG = _listed(HEX, 1)


def _route(value: Any) -> bool:
    form = {
        "train": TRAIN,
        "connections": _listed(LEG, 1),
        "hexes": _listed(HEX, 2),
        "revenue": _number,
        "revenue_str": _text(r"\w+(-\w+)+"),
        "nodes": _listed(_text(r"[A-Za-z]\d+-\d+"), 2),
    }
    return isinstance(value, dict) and set(value) == set(form) and all(form[key](value[key]) for key in form)


PLAYER, COMPANY, PRIVATE = ("player",), ("corporation",), ("company",)
FORMS: Mapping[str, Form] = {
    "bid": (PLAYER, {"price": _number, "company?": NAME, "corporation?": NAME}),
    "blind_bid": (PLAYER, {"bids": _listed(_number, 1)}),
    "pass": (PLAYER + COMPANY, {}),
    "par": (PLAYER + COMPANY, {"corporation": NAME, "share_price": CELL}),
    "buy_shares": (PLAYER + COMPANY, {"shares": SHARES, "percent": _number, "total_price?": _number}),
    "sell_shares": (PLAYER + COMPANY, {"shares": SHARES, "percent": _number, "share_price?": _money}),
    "buy_company": (PLAYER + COMPANY, {"company": NAME, "price": _number}),
    "choose_ability": (PRIVATE, {"choice": _text(r"[\w ]+")}),
    "payoff_player_debt": (PLAYER, {}),
    "lay_tile": (COMPANY + PRIVATE, {"hex": HEX, "tile": TILE, "rotation": lambda v: v in range(6)}),
    "place_token": (COMPANY, {"city": CITY, "slot": lambda v: v in range(6), "tokener": NAME}),
    "remove_token": (COMPANY, {"city": CITY, "slot": lambda v: v in range(6)}),
    "buy_token": (COMPANY, {"city": CITY, "slot": lambda v: v in range(6), "price": _number}),
    "run_routes": (COMPANY, {"routes": _listed(_route), "extra_revenue": _number, "subsidy": _number}),
    "dividend": (COMPANY, {"kind": _text("payout|half|withhold")}),
    "buy_train": (COMPANY, {"train": TRAIN, "price": _number, "variant?": SIDE, "exchange?": TRAIN}),
    "discard_train": (COMPANY, {"train": TRAIN}),
    "convert": (COMPANY, {}),
    "merge": (COMPANY, {"corporation": NAME}),
    "choose": (PLAYER + COMPANY, {"choice": lambda v: _number(v) or _text("[a-z]+")(v)}),
    "end_game": (PLAYER, {}),
    "bankrupt": (COMPANY, {"option?": lambda v: v in (0, 1)}),
}
NESTED: Mapping[str, Form] = {
    "pass": (PLAYER + COMPANY, {}),
    "destination_connection": (COMPANY, {"corporations?": _listed(NAME, 1), "hexes?": _listed(HEX)}),
}
ALWAYS = {"type", "entity", "entity_type"}
FILE: Mapping[str, Check] = {
    "id": _number,
    "description": _text(".*"),
    "user": lambda v: isinstance(v, dict),
    "players": _listed(lambda v: set(v) == {"id", "name"} and _number(v["id"]) and isinstance(v["name"], str), 2),
    "min_players": _number,
    "max_players": _number,
    "title": _text("1861|1867|1844|1841"),
    "settings": lambda v: {"seed", "is_async", "unlisted", "auto_routing", "player_order", "optional_rules"} == set(v),
    "user_settings": lambda v: v is None,
    "status": _text("active|finished"),
    "turn": _number,
    "round": _text("(Stock|Operating|Merger) Round|Auction Round|\\w+"),
    "acting": _listed(_number, 1),
    "result": lambda v: all(map(_money, v.values())),
    "actions": lambda v: isinstance(v, list),
    "loaded": lambda v: v is True,
    "game_end_reason": lambda v: v in (None, "bank", "bankrupt", "stock_market", "final_phase", "manually_ended"),
}


def faults(data: Mapping[str, Any]) -> list[str]:
    """Everything in which a file differs from the form."""
    return [*_of_file(data), *_of_actions(data)]


def _of_file(data: Mapping[str, Any]) -> Iterator[str]:
    if set(data) != set(FILE):
        yield f"the file has {set(data) ^ set(FILE)} too much or too little"
    for key, check in FILE.items():
        if key in data and not check(data[key]):
            yield f"{key}: {data[key]!r:.80}"
    if data["status"] == "finished" and set(data["result"]) != {str(p["id"]) for p in data["players"]}:
        yield f"the result is not of all players: {data['result']}"


def _of_actions(data: Mapping[str, Any]) -> Iterator[str]:
    players = {p["id"] for p in data["players"]}
    for place, action in enumerate(data["actions"], 1):
        if action.get("id") != place:
            yield f"action {place} has the id {action.get('id')}"
        yield from (f"action {place}: {said}" for said in of_action(action, FORMS, players, ("id", "auto_actions")))
        for nested in action.get("auto_actions", ()):
            yield from (f"within action {place}: {said}" for said in of_action(nested, NESTED, players))


def of_action(
    action: Mapping[str, Any], forms: Mapping[str, Form], players: set[int], more: tuple[str, ...] = ()
) -> Iterator[str]:
    """What is wrong with one action. ``more``: fields that it may have beside its own."""
    if action.get("type") not in forms:
        yield f"{action.get('type')!r} is no type of action"
        return
    kinds, fields = forms[action["type"]]
    if action["entity_type"] not in kinds:
        yield f"{action['type']} of a {action['entity_type']}"
    known = action["entity"] in players if action["entity_type"] == "player" else NAME(action["entity"])
    if not known:
        yield f"{action['entity']!r} is no {action['entity_type']}"
    for key, check in fields.items():
        name = key.rstrip("?")
        if name not in action:
            if name == key:
                yield f"{action['type']} has no {name}"
        elif not check(action[name]):
            yield f"{action['type']}: {name} is {action[name]!r:.80}"
    unknown = set(action) - ALWAYS - {key.rstrip("?") for key in fields} - set(more)
    if unknown:
        yield f"{action['type']} has {sorted(unknown)} too much"
