"""Forming games: put up, joined, agreed by everybody, and begun.

When a forming game is full, or the operator calls it, each entrant is asked whether it may begin. Who does not agree in
time is taken off. A game begins only with people who have all agreed.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Final

from sqlmodel import Session, col, select

from moderator.adapters.tables import FormingRow, GuestRow, InquiryRow
from moderator.domain.house_names import check_person_names
from moderator.domain.senders import names_service, same_address
from moderator.service.desk import Desk, Sitting
from moderator.service.entry import guests as people
from moderator.service.entry.guests import Inquiry, ask, guests, write
from moderator.service.entry.terms import stored, terms_of
from moderator.service.games import Live
from moderator.service.locks import one_by_one
from moderator.service.play.new_games import (
    Person,
    Terms,
    begin,
    check_master,
    check_name,
    examine,
    free_name,
    prepare,
)
from moderator.service.post.outbox import queue_operator
from moderator.service.table.anonymity import said_in
from moderator.service.table.stuck import Apart
from moderator.service.table.tenure import check_floor

_COUNTS: Final = timedelta(days=7)
"""The time for which an entrant's consent counts, if the game loses somebody before it begins."""
MOST: Final = 20
"""The most games that are forming at once."""


def form(desk: Desk, terms: Terms, least: int, most: int, invitation: str = "") -> str:
    """Put up a game for ``least`` to ``most`` players. Returns the name that is kept for it. ``ValueError`` if it could
    not begin."""
    import engine

    if not 1 <= least <= most:
        raise ValueError(f"{least}-{most} is not a number of players: write 4, or 3-5")
    if any(char.isspace() for char in invitation) or len(invitation) > 40:
        raise ValueError("the invitation is one word of at most 40 characters")
    check_master(desk.settings, terms.master)
    for count in (least, most):
        examine(desk.games, terms, [Person(f"Player {number}", "nobody@example.org") for number in range(count)])
    edition = terms.edition or engine.editions(terms.title)[0]
    with desk.sitting() as sitting:
        one_by_one(sitting.session, "new game")
        if len(open_rows(sitting.session)) >= MOST:
            raise ValueError(f"{MOST} games are forming already")
        row = FormingRow(
            name=free_name(sitting.session, terms.title), title=terms.title, edition=edition, terms=stored(terms),
            least=least, most=most, invitation=invitation, created_at=sitting.now(),
        )  # fmt: skip
        sitting.session.add(row)
        _tell_master(sitting, row, "master_forming", [])
        return row.name


def unform(desk: Desk, name: str, reason: str = "") -> int:
    """Take a forming game back, and tell its entrants. Returns their number. ``ValueError`` if none of this name is
    forming, or if the ``reason`` says who has joined an anonymous game."""
    with desk.sitting() as sitting:
        row = forming(sitting.session, name)
        there = entrants(sitting.session, row)
        if terms_of(row).anonymous and (
            said := said_in((text for one in there for text in (one.name, one.address)), reason)
        ):
            raise ValueError(f"`{said}` says who has joined, which nobody is told of an anonymous game. Leave it out")
        row.state, row.due_at = "gone", None
        people.close_inquiries(sitting.session, name, "join", "confirm", "place", "begin")
        for one in there:
            one.state = "gone"
            write(sitting, one.address, "unformed", {**facts_of(row, there), "reason": reason})
        return len(there)


def call(desk: Desk, name: str) -> int:
    """Ask the entrants of a game that is not full whether it may begin. Returns their number. ``ValueError`` as
    ``call_in``."""
    with desk.sitting() as sitting:
        row = forming(sitting.session, name)
        live = call_in(sitting, row)
        count = len(entrants(sitting.session, row))
    if live is not None:
        desk.games.put(live)
    return count


def call_in(sitting: Sitting, row: FormingRow) -> Live | None:
    """As ``call``. Returns the game if all had agreed before. ``ValueError`` if it has too few entrants, or if they are
    asked already."""
    count = len(entrants(sitting.session, row))
    if row.state == "confirming":
        raise ValueError(f"{row.name}: the players are asked already, until {row.due_at:%Y-%m-%d %H:%M} UTC")
    if count < row.least:
        raise ValueError(f"{row.name} has {count} of at least {row.least} players")
    row.called = True
    return _ask_all(sitting, row)


def open_rows(session: Session) -> Sequence[FormingRow]:
    """The games that are forming, the oldest first."""
    wanted = select(FormingRow).where(col(FormingRow.state).in_(("open", "confirming")))
    return session.exec(wanted.order_by(col(FormingRow.created_at), col(FormingRow.name))).all()


def forming(session: Session, name: str) -> FormingRow:
    """A game that is forming, locked until the transaction ends. ``ValueError`` if none of this name is."""
    row = session.get(FormingRow, name, with_for_update=True, populate_existing=True)
    if row is None or row.state not in ("open", "confirming"):
        raise ValueError(f"no game {name!r} is forming")
    return row


def entrants(session: Session, row: FormingRow) -> list[GuestRow]:
    return list(guests(session, "entrant", row.name))


def facts_of(row: FormingRow, there: Sequence[GuestRow]) -> dict[str, Any]:
    """The facts about a forming game for the words about it. If it is to be anonymous, nobody is told the names, not
    even its game master, who may still join it."""
    terms = terms_of(row)
    names = () if terms.anonymous else tuple(one.name for one in there)
    return {
        "game": row.name, "title": row.title, "edition": row.edition, "options": dict(terms.options),
        "least": row.least, "most": row.most, "count": len(there), "names": names, "anonymous": terms.anonymous,
        "terms": terms.timetable, "master": terms.master.name if terms.master is not None else "",
        "invited": bool(row.invitation),
    }  # fmt: skip


def obstacle(sitting: Sitting, row: FormingRow, name: str, address: str) -> tuple[str, dict[str, Any]] | None:
    """The reason why somebody cannot join a forming game, with its facts; None if he can."""
    there, settings = entrants(sitting.session, row), sitting.settings
    facts = {**facts_of(row, there), "name": name}
    if names_service((address,), settings.mailbox, settings.domain):
        return "not_you", facts
    if any(same_address(one.address, address) for one in there):
        return "joined_already", facts
    if len(there) >= row.most:
        return "full", facts
    terms = terms_of(row)
    if not terms.anonymous and any(one.name.casefold() == name.casefold() for one in there):
        return "name_taken", facts
    try:
        check_name(name)
        if terms.anonymous:  # nothing of the others has an effect, or it would tell who they are
            check_person_names((name,))
        else:
            title = sitting.games.title(row.title, row.edition, terms.options, terms.facts)
            sitting.games.vocabulary(title, (*(one.name for one in there), name))
    except ValueError as error:
        return "name_wrong", {**facts, "why": str(error)}
    try:
        check_floor(sitting.session, terms.timetable.floor, name, address)
    except ValueError as error:
        return "below_floor", {**facts, "why": str(error)}
    return None


def enter(sitting: Sitting, row: FormingRow, name: str, address: str, wish: str = "") -> Live | None:
    """Put somebody on the list of a forming game, perhaps with a ``wish`` for a place, and ask all if that makes it
    full. Returns the game if it begins."""
    people.add(sitting, "entrant", name, address, game=row.name, wish=wish)
    people.close_inquiries(sitting.session, row.name, "join", "place", address=address)
    there = entrants(sitting.session, row)
    full = len(there) >= row.most
    if len(there) == row.least and row.state == "open" and not full:
        _tell_master(sitting, row, "master_enough", there)
    return _ask_all(sitting, row) if full or row.state == "confirming" else None


def _tell_master(sitting: Sitting, row: FormingRow, key: str, there: Sequence[GuestRow]) -> None:
    """Write ``guest.KEY`` to the game master whom a forming game names."""
    master = terms_of(row).master
    if master is not None:
        write(sitting, master.address, key, facts_of(row, there))


def leave(sitting: Sitting, row: FormingRow, guest: GuestRow, *, told: bool = True) -> Live | None:
    """Take an entrant off who wants it, or does not agree. Returns the game if all others had agreed already."""
    return _take_off(sitting, row, [(guest, "left" if told else "")])


def agree(sitting: Sitting, row: FormingRow, guest: GuestRow) -> Live | None:
    """Note that an entrant agrees. Returns the game if it begins."""
    guest.agreed_at = sitting.now()
    sitting.session.flush()
    return _begin_if_agreed(sitting, row)


def end_confirmations(desk: Desk) -> int:
    """Take off the entrants who have not agreed in time. Returns the number of games in which the time was over."""
    due = select(FormingRow.name).where(FormingRow.state == "confirming", col(FormingRow.due_at) <= desk.clock.now())
    with desk.database.reading() as session:
        names = session.exec(due).all()
    for name in names:
        live = None
        with Apart(desk, name), desk.sitting() as sitting:
            row = forming(sitting.session, name)
            if row.state == "confirming" and row.due_at is not None and row.due_at <= sitting.now():
                silent = [(one, "not_agreed") for one in entrants(sitting.session, row) if one.agreed_at is None]
                live = _take_off(sitting, row, silent)
        if live is not None:
            desk.games.put(live)
    return len(names)


def ask_where_full(desk: Desk) -> int:
    """Ask the entrants of games that are full and not asked yet, as after a restore. Returns the number of games."""
    with desk.database.reading() as session:
        names = [row.name for row in open_rows(session) if _is_full(session, row)]
    for name in names:
        live = None
        with Apart(desk, name), desk.sitting() as sitting:
            row = forming(sitting.session, name)
            live = _ask_all(sitting, row) if _is_full(sitting.session, row) else None
        if live is not None:
            desk.games.put(live)
    return len(names)


def _is_full(session: Session, row: FormingRow) -> bool:
    """True if a game is full and nobody has been asked whether it may begin."""
    return row.state == "open" and len(entrants(session, row)) >= row.most


def offer_places(desk: Desk) -> int:
    """Offer places that somebody has left to people on the waiting list, one after the other. Returns their number."""
    with desk.database.reading() as session:
        names = [row.name for row in open_rows(session) if row.state == "open" and not row.invitation]
    count = 0
    for name in names:
        with Apart(desk, name), desk.sitting() as sitting:
            count += _offer(sitting, forming(sitting.session, name))
    return count


def _offer(sitting: Sitting, row: FormingRow) -> int:
    there = entrants(sitting.session, row)
    lost = select(GuestRow.id).where(GuestRow.kind == "entrant", GuestRow.game == row.name, GuestRow.state == "gone")
    if row.state != "open" or sitting.session.exec(lost).first() is None:
        return 0
    asked = sitting.session.exec(
        select(InquiryRow).where(InquiryRow.game == row.name, InquiryRow.kind == "place")
    ).all()
    free = row.most - len(there) - sum(one.state == "open" for one in asked)
    known, count = {one.address for one in asked}, 0
    for guest in guests(sitting.session, "waiting"):
        if free <= 0:
            break
        if guest.address in known or guest.title not in ("", row.title):
            continue
        if obstacle(sitting, row, guest.name, guest.address) is None:
            facts = facts_of(row, there)
            ask(sitting, Inquiry("place", guest.address, facts, guest.name, row.name, row.title,
                                 hours=sitting.settings.join_hours))  # fmt: skip
            free, count = free - 1, count + 1
    return count


def _ask_all(sitting: Sitting, row: FormingRow) -> Live | None:
    """Ask every entrant who has not agreed lately. Returns the game if all have."""
    hours, again = sitting.settings.join_hours, row.state == "confirming"
    row.state, row.due_at = "confirming", sitting.now() + timedelta(hours=hours)
    there = entrants(sitting.session, row)
    for one in there:
        if one.agreed_at is not None and one.agreed_at > sitting.now() - _COUNTS:
            continue
        waits = _open_confirm(sitting.session, row, one)
        if again and waits is not None:
            waits.due_at = row.due_at
            continue
        one.agreed_at = None
        people.close_inquiries(sitting.session, row.name, "confirm", address=one.address)
        facts = {**facts_of(row, there), "wish": one.wish}
        ask(sitting, Inquiry("confirm", one.address, facts, one.name, row.name, row.title, hours=hours))
    return _begin_if_agreed(sitting, row)


def _open_confirm(session: Session, row: FormingRow, guest: GuestRow) -> InquiryRow | None:
    wanted = select(InquiryRow).where(
        InquiryRow.game == row.name, InquiryRow.kind == "confirm", InquiryRow.state == "open",
        InquiryRow.address == guest.address,
    )  # fmt: skip
    return session.exec(wanted).first()


def _take_off(sitting: Sitting, row: FormingRow, gone: Sequence[tuple[GuestRow, str]]) -> Live | None:
    """Take entrants off, and tell each of them with ``guest.KEY`` and all others. The game begins if the others suffice
    and have all agreed; otherwise it waits for more."""
    for guest, _ in gone:
        guest.state = "gone"
        people.close_inquiries(sitting.session, row.name, "confirm", "leave", address=guest.address)
    sitting.session.flush()
    there = entrants(sitting.session, row)
    goes_on = row.state == "confirming" and row.called and len(there) >= row.least
    if not goes_on and gone:
        row.state, row.due_at, row.called = "open", None, False
    facts = {**facts_of(row, there), "gone": tuple(guest.name for guest, _ in gone), "goes_on": goes_on}
    facts["gone_count"] = len(gone)
    facts["gone"] = () if facts["anonymous"] else facts["gone"]
    for guest, key in gone:
        if key:
            write(sitting, guest.address, key, {**facts, "name": guest.name})
    for one in there if gone else ():
        write(sitting, one.address, "others_left", facts)
    return _begin_if_agreed(sitting, row)


def _begin_if_agreed(sitting: Sitting, row: FormingRow) -> Live | None:
    """Begin the game if enough are there and all of them have agreed."""
    there = entrants(sitting.session, row)
    enough = len(there) == row.most or (row.called and len(there) >= row.least)
    if row.state != "confirming" or not enough or any(one.agreed_at is None for one in there):
        return None
    terms = terms_of(row)
    for one in there:
        try:
            check_floor(sitting.session, terms.timetable.floor, one.name, one.address)
        except ValueError:
            return _take_off(sitting, row, [(one, "off_floor")])
    try:
        prepared = prepare(sitting.desk, terms, [Person(one.name, one.address, one.wish) for one in there])
    except ValueError as error:  # this program cannot begin it any more
        row.state, row.due_at = "open", None
        queue_operator(sitting, sitting.words.operator_words("not_begun", {"game": row.name, "why": str(error)}))
        return None
    row.state, row.due_at = "begun", None
    for one in there:
        one.state = "gone"
    people.close_inquiries(sitting.session, row.name, "join", "confirm", "place", "leave", "begin")
    return begin(sitting, prepared, row.name)
