"""Consequences of the ``yes`` or ``no`` of a person without a seat."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from moderator.adapters.tables import FormingRow, GameRow, InquiryRow
from moderator.service.desk import Sitting
from moderator.service.entry import roster
from moderator.service.entry.guests import add, guest_at
from moderator.service.entry.open_seats import take_seat
from moderator.service.games import Live


@dataclass(frozen=True, slots=True)
class Follows:
    """The answer to the person, ``guest.KEY`` with its facts; an empty key for none. ``moved``: the games that have
    begun or moved, which count once the transaction is committed."""

    key: str
    facts: dict[str, Any] = field(default_factory=dict)
    moved: tuple[Live, ...] = ()


def lock(sitting: Sitting, row: InquiryRow) -> None:
    """Lock the forming game that a question is about, and then the question itself."""
    if row.game:
        sitting.session.get(FormingRow, row.game, with_for_update=True, populate_existing=True)
    sitting.session.refresh(row, with_for_update=True)


def agreed(sitting: Sitting, row: InquiryRow) -> Follows:
    """Do what somebody has agreed to."""
    match row.kind:
        case "join" | "place":
            return _joined(sitting, row)
        case "wait":
            return _waits(sitting, row)
        case "observe":
            return _observes(sitting, row)
        case "leave":
            return _left(sitting, row)
        case "offer":
            return _took(sitting, row)
        case "begin":
            return _called(sitting, row)
        case _:
            return _agreed(sitting, row)


def declined(sitting: Sitting, row: InquiryRow) -> Follows:
    """Note that somebody has said no."""
    there = _forming(sitting, row)
    guest = guest_at(sitting.session, "entrant", row.address, row.game)
    if row.kind == "confirm" and there is not None and guest is not None:
        live = roster.leave(sitting, there, guest, told=False)
        return Follows("off", {"game": row.game}, () if live is None else (live,))
    return Follows("declined", {"game": row.game, "offered": row.kind in ("offer", "place")})


def _forming(sitting: Sitting, row: InquiryRow) -> FormingRow | None:
    """The forming game that the question is about; None if it is none any more."""
    found = sitting.session.get(FormingRow, row.game) if row.game else None
    return found if found is not None and found.state in ("open", "confirming") else None


def _joined(sitting: Sitting, row: InquiryRow) -> Follows:
    there = _forming(sitting, row)
    if there is None:
        game = sitting.session.get(GameRow, row.game)
        key = "gone" if game is None else "over" if game.over else "under_way"
        return Follows(key, {"game": row.game, "title": row.title, "what": "join", "open": False})
    found = roster.obstacle(sitting, there, row.name, row.address)
    if found is not None:
        return Follows(*found)
    live = roster.enter(sitting, there, row.name, row.address, row.wish)
    if row.kind == "place":
        _off_the_list(sitting, row.address)
    facts = roster.facts_of(there, roster.entrants(sitting.session, there))
    facts = {**facts, "name": row.name, "asks": there.state != "open", "wish": row.wish}
    return Follows("joined", facts, () if live is None else (live,))


def _off_the_list(sitting: Sitting, address: str) -> None:
    waiting = guest_at(sitting.session, "waiting", address)
    if waiting is not None:
        waiting.state = "gone"


def _waits(sitting: Sitting, row: InquiryRow) -> Follows:
    there = guest_at(sitting.session, "waiting", row.address)
    if there is None:
        add(sitting, "waiting", row.name, row.address, title=row.title)
    else:  # he keeps his place in the list
        there.title = row.title
    return Follows("waits", {"title": row.title, "game": ""})


def _observes(sitting: Sitting, row: InquiryRow) -> Follows:
    game = sitting.session.get(GameRow, row.game)
    if game is None or game.over:
        return Follows("over", {"game": row.game})
    if guest_at(sitting.session, "observer", row.address, row.game) is None:
        guest = add(sitting, "observer", row.name, row.address, game=row.game, title=game.title)
        guest.told, guest.told_at = game.orders, sitting.now()
    return Follows("observes", {"game": row.game})


def _left(sitting: Sitting, row: InquiryRow) -> Follows:
    live = None
    there = _forming(sitting, row)
    if there is not None and (guest := guest_at(sitting.session, "entrant", row.address, row.game)) is not None:
        live = roster.leave(sitting, there, guest, told=False)
    elif (guest := guest_at(sitting.session, "observer", row.address, row.game)) is not None and row.game:
        guest.state = "gone"
    elif not row.game:
        _off_the_list(sitting, row.address)
    else:
        return Follows("nothing_to_leave", {"game": row.game})
    return Follows("left", {"game": row.game}, () if live is None else (live,))


def _called(sitting: Sitting, row: InquiryRow) -> Follows:
    there = _forming(sitting, row)
    if there is None:
        return Follows("gone", {"game": row.game})
    facts = roster.facts_of(there, roster.entrants(sitting.session, there))
    try:
        live = roster.call_in(sitting, there)
    except ValueError as error:
        return Follows("too_few", {**facts, "why": str(error)})
    return Follows("called", facts, () if live is None else (live,))


def _agreed(sitting: Sitting, row: InquiryRow) -> Follows:
    there = _forming(sitting, row)
    guest = guest_at(sitting.session, "entrant", row.address, row.game)
    if there is None or guest is None:
        return Follows("past", {"game": row.game})
    live = roster.agree(sitting, there, guest)
    others = roster.entrants(sitting.session, there) if live is None else []
    facts = roster.facts_of(there, others)
    missing = tuple(one.name for one in others if one.agreed_at is None)
    facts |= {"missing": () if facts["anonymous"] else missing, "missing_count": len(missing)}
    facts |= {"until": there.due_at or row.due_at}
    if live is not None:  # the first mail from the game says it
        return Follows("", facts, (live,))
    return Follows("agreed", facts)


def _took(sitting: Sitting, row: InquiryRow) -> Follows:
    why = take_seat(sitting, row)
    if why:
        return Follows("offer_gone", {"game": row.game, "why": why})
    _off_the_list(sitting, row.address)
    return Follows("")
