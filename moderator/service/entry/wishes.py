"""The words that need no secret address, weighed: each leads to one mail, an answer or a question to the sender."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from sqlmodel import Session, col, select

from engine.titles import title_names
from grammar.nearest import nearest
from grammar.plain_words import PlainWord
from moderator.adapters.tables import OVER, FormingRow, GameRow
from moderator.domain.seating import place_of
from moderator.service.desk import Sitting
from moderator.service.entry.guests import Inquiry, guest_at, guests, name_for
from moderator.service.entry.overview import overview
from moderator.service.entry.roster import entrants, facts_of, obstacle, open_rows
from moderator.service.entry.terms import terms_of
from moderator.service.table.game_master import seat_at
from moderator.service.table.table import seats_of

MOST_OBSERVERS: Final = 50
"""The most observers of one game."""


@dataclass(frozen=True, slots=True)
class Told:
    """An answer: ``guest.KEY`` with its facts. ``done``: nothing was wrong."""

    key: str
    facts: dict[str, Any]
    done: bool = False


Weighed: TypeAlias = Told | Inquiry


def weigh(sitting: Sitting, word: PlainWord, address: str, known_as: str) -> Weighed:
    """The answer or question to which ``word`` of somebody leads. ``address`` and ``known_as``: those that his mail
    names, none of which is proved."""
    facts = {"game": word.game, "what": word.what, "name": word.name or known_as}
    if word.what == "games":
        found = overview(sitting.session)
        return Told(
            "games", {"games": found, **{kind: bool(rows) for kind, rows in found.items()}, "words_too": 1}, True
        )
    if word.what == "help":
        return Told("help", {"words_too": 1}, True)
    if word.what == "wait":
        return _wait(sitting, word, address, known_as)
    if word.what == "leave":
        return _leave(sitting, word, address)
    row = sitting.session.get(FormingRow, word.game)
    game = sitting.session.get(GameRow, word.game)
    if row is None and game is None:
        return Told("no_game", {**facts, "near": _near(sitting.session, word)})
    if word.what == "observe":
        return _observe(sitting, game, facts, address)
    if game is not None:
        seats = seats_of(sitting.session, game.id)
        if seat_at(sitting.session, seats, address) is not None:
            return Told("plays", facts)
        is_open = any(seat.caretaker == "open" for seat in seats)
        return Told("over" if game.over else "under_way", {**facts, "title": game.title, "open": is_open})
    assert row is not None
    if row.state not in ("open", "confirming"):
        return Told("gone", facts)
    return _begin(sitting, row, word, address) if word.what == "start" else _join(sitting, row, word, address, known_as)


def _join(sitting: Sitting, row: FormingRow, word: PlainWord, address: str, known_as: str) -> Weighed:
    name = word.name or known_as
    facts = {"game": row.name, "name": name or "Ann", "title": row.title}
    said, wanted = word.invitation.casefold().encode(), row.invitation.casefold().encode()
    if wanted and not hmac.compare_digest(said, wanted):
        return Told("invitation", {**facts, "said_one": bool(said)})
    if not name:
        return Told("no_name", facts)
    found = obstacle(sitting, row, name, address)
    if found is not None:
        return Told(*found)
    if word.wish and place_of(word.wish, row.most) is None:
        return Told("wish_wrong", {**facts, "wish": word.wish, "least": row.least, "most": row.most})
    there = {**facts_of(row, entrants(sitting.session, row)), "wish": word.wish}
    return Inquiry("join", address, there, name, row.name, row.title, words=str(word), wish=word.wish)


def _wait(sitting: Sitting, word: PlainWord, address: str, known_as: str) -> Weighed:
    if word.title and word.title not in title_names():
        names = {one.lower(): one for one in title_names()}
        near = nearest(word.title, names, lambda _: False) or ""
        return Told("no_title", {"title": word.title, "near": near, "titles": tuple(title_names())})
    there = guest_at(sitting.session, "waiting", address)
    if there is not None and there.title == word.title:
        return Told("waits_already", {"title": there.title})
    return Inquiry("wait", address, {}, name_for(known_as, address), title=word.title, words=str(word))


def _observe(sitting: Sitting, game: GameRow | None, facts: dict[str, Any], address: str) -> Weighed:
    if game is None:
        return Told("not_begun", facts)
    facts["title"] = game.title
    if game.over:
        return Told("over", facts)
    if seat_at(sitting.session, seats_of(sitting.session, game.id), address) is not None:
        return Told("plays", facts)
    if guest_at(sitting.session, "observer", address, game.id) is not None:
        return Told("observes_already", facts)
    if len(guests(sitting.session, "observer", game.id)) >= MOST_OBSERVERS:
        return Told("many_observers", facts)
    return Inquiry("observe", address, {}, name_for(facts["name"], address), game.id, game.title)


def _leave(sitting: Sitting, word: PlainWord, address: str) -> Weighed:
    session, game = sitting.session, word.game
    kinds = ("entrant", "observer") if game else ("waiting",)
    there = next((one for kind in kinds if (one := guest_at(session, kind, address, game)) is not None), None)  # type: ignore[arg-type]
    if there is not None:
        return Inquiry("leave", address, {}, there.name, game, there.title, words=str(word))
    facts = {"game": game, "what": word.what, "title": ""}
    if not game:
        return Told("nothing_to_leave", facts)
    row = session.get(GameRow, game)
    if row is None and session.get(FormingRow, game) is None:
        return Told("no_game", {**facts, "near": _near(session, word)})
    if row is not None and not row.over and seat_at(session, seats_of(session, game), address) is not None:
        return Told("plays", facts)
    return Told("nothing_to_leave", facts)


def _begin(sitting: Sitting, row: FormingRow, word: PlainWord, address: str) -> Weighed:
    there, master = entrants(sitting.session, row), terms_of(row).master
    facts = {**facts_of(row, there), "what": word.what}
    if master is None or master.address.lower() != address.lower():
        return Told("not_master", facts)
    if row.state == "confirming":
        return Told("too_few", {**facts, "why": "the players are asked already"})
    if len(there) < row.least:
        return Told("too_few", {**facts, "why": f"it has {len(there)} of at least {row.least} players"})
    return Inquiry("begin", address, facts, master.name, row.name, row.title, words=str(word))


def _near(session: Session, word: PlainWord) -> str:
    """The name of a game that was probably meant."""
    running = session.exec(select(GameRow.id).where(col(GameRow.status).not_in(OVER))).all()
    names = {row.name: row.name for row in open_rows(session)} | {name: name for name in running}
    return nearest(word.game, names, lambda _: False) or ""
