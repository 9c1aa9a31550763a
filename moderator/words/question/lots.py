"""Describe what can be bought: a private, a concession or a company, with its name, its prices, its power, its home and
what it starts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.core import orders as o
from engine.core.agenda import Ask, Menu
from engine.core.ids import CompanyId, PrivateId
from engine.core.state import State
from engine.core.title import Title
from engine.holders.charters import all_shares, charter_of
from moderator.words.position.board_views import home_hexes
from moderator.words.texts import Words

MANY = 13
"""The maximum number of lots that a mail describes in full; of more it only says how to see them."""
FEW = 2
"""The maximum number of lots described in a mail whose question is not about lots alone, such as a stock turn."""


def lots(own: Words, title: Title, state: State, ask: Ask, menu: Menu) -> tuple[str, ...]:
    """A line for each lot that the question offers. If there are too many, or if they stay on offer turn after turn,
    one line says with which words to see them."""
    asked = [name for name in dict.fromkeys(ask.about) if _is_lot(title, name) and not _is_known(state, name)]
    about = own.find("asks", f"{ask.what}.lots", title.name) is True
    names = asked if about else [name for name in _offered(menu) if _is_lot(title, name)]
    if not names or (not about and ask.actor != ask.player):  # mails of company turns do not grow
        return ()
    for_long = any(isinstance(choice.order, o.BuyConcession) for choice in menu)
    if len(names) > (MANY if about else FEW) or (for_long and not about):
        return (own.say("words", "lot.more", title=title, **_first_of_each_kind(title, names)),)
    return tuple(lot_line(own, title, state, name) for name in names)


def lot_line(own: Words, title: Title, state: State, name: str) -> str:
    """One lot in a sentence or two."""
    if name in title.privates:
        return own.say("words", "lot.private", title=title, **private_facts(own, title, state, PrivateId(name)))
    return own.say("words", "lot.company", title=title, **company_facts(title, state, CompanyId(name)))


def private_facts(own: Words, title: Title, state: State, id: PrivateId) -> dict[str, Any]:
    """The facts of a private. ``starts``: the facts of the company that only its owner may start; None if there is
    none. ``power``: what it brings besides its income, as a clause."""
    data = title.privates[id]
    starts = title.policies.remarks(title, state, id).get("company")
    facts: dict[str, Any] = {
        "id": id, "name": data.name, "kind": data.kind, "minimum": data.minimum, "face": data.face,
        "income": data.income, "bonus": data.bonus, "places": _named(title, data.bonus_hexes),
        "starts": company_facts(title, state, starts) if starts is not None else None,
    }  # fmt: skip
    key = "power_of_bonus" if data.bonus else "power_to_start" if starts is not None else ""
    written = next((of for of in (id, data.kind) if own.find("words", f"powers.{of}", title.name) is not None), "none")
    power = own.say("words", f"lot.{key}" if key else f"powers.{written}", title=title, **facts)
    if own.find("words", f"figures.{id}", title.name) is not None:
        power += own.say("words", f"figures.{id}", title=title, **title.policies.remarks(title, state, id))
    facts["power"] = power
    return facts


def company_facts(title: Title, state: State, id: CompanyId) -> dict[str, Any]:
    """The facts of a company. ``shares``: the number of its shares, 1 for a company of a single certificate."""
    data, charter = title.companies[id], charter_of(title, state, id)
    bound = data.destination
    return {
        "id": id,
        "name": data.name,
        "kind": charter.kind,
        "homes": homes(title, state, id),
        "placed": _placed(title, state, id),
        "floats": title.policies.remarks(title, state, id).get("floats", {}),
        "destination": _place(title, bound) if bound is not None else "",
        "shares": 1 if len(charter.certificates) == 1 else all_shares(title, state, id),
        "unstarted": state.companies[id].status == "unstarted",
        "since": data.available_from if data.available_from and not title.reached(state, data.available_from) else None,
    }


def homes(title: Title, state: State, id: CompanyId) -> tuple[str, ...]:
    """The homes of a company with their names. A title may know one that is not printed, or that a printed one does
    not count."""
    told = title.policies.remarks(title, state, id).get("home")
    printed = tuple(_place(title, hex) for hex in home_hexes(title, state, id))
    return printed or (() if told is None else (_place(title, told),))


def _placed(title: Title, state: State, id: CompanyId) -> tuple[str, ...]:
    """The places of the markers of a company that is not started yet."""
    unstarted = state.companies[id].status == "unstarted"
    return tuple(_place(title, hex) for hex, _ in state.board.places_of(id)) if unstarted else ()


def _place(title: Title, hex: str) -> str:
    found = title.map.hexes.get(hex.partition("/")[0])  # type: ignore[call-overload]
    return f"{hex} {found.name}" if found is not None and found.name else str(hex)


def _named(title: Title, hexes: Iterable[str]) -> tuple[str, ...]:
    return tuple(_place(title, hex) for hex in hexes)


def _is_lot(title: Title, name: str) -> bool:
    return name in title.privates or name in title.companies


def _is_known(state: State, name: str) -> bool:
    """True for a company that has operated: the tables of the mail say more about it."""
    now = state.companies.get(CompanyId(name))
    return now is not None and now.operated


def _offered(menu: Menu) -> list[str]:
    """The lots that the orders of a menu open, start or buy."""
    found = dict.fromkeys(_lot_of(choice.order) for choice in menu)
    return [name for name in found if name is not None]


def _lot_of(order: o.Order) -> str | None:
    match order:
        case o.Open():
            return order.item
        case o.Start():
            return order.company
        case o.BuyConcession():
            return order.concession
    return None


def _first_of_each_kind(title: Title, names: Iterable[str]) -> dict[str, str | None]:
    """The first private and the first company among ``names``, for examples."""
    return {
        "private": next((name for name in names if name in title.privates), None),
        "company": next((name for name in names if name in title.companies), None),
    }
