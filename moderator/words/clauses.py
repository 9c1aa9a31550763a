"""Turn events into clauses. Some share one: a purchase and its price, or the dividends of a run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from engine.core import events as ev
from engine.core.ids import BANK, IPO
from engine.core.title import Title
from moderator.words.position.board_views import piece
from moderator.words.texts import Words
from moderator.words.wording import clause, facts_of, key_of

_FOR: dict[type, tuple[str, ...]] = {
    ev.TileLaid: ("terrain",),
    ev.MarkerPlaced: ("token",),
    ev.TrainMoved: ("train",),
    ev.PrivateMoved: ("private", "paper"),
    ev.OverlayLaid: ("tunnel",),
    ev.CertificatesMoved: ("redeem",),
    ev.Bought: ("share",),
    ev.Transferred: ("share",),
    ev.Sold: ("emergency",),
    ev.Won: ("bid",),
    ev.Nationalised: ("face_value",),
}
"""Type of event -> reasons of earlier payments whose amount its clause tells."""
_SHARED = ("dividend", "withheld")
_OVER = ("merged", "seized")
_TOGETHER = ("income", "nationalised")
"""Reasons of successive payments that share one clause, which lists the payees."""


def clauses(
    own: Words, title: Title, events: tuple[ev.Event, ...], about: str | None
) -> Iterator[tuple[str, ev.Event]]:
    """The clauses for ``events``, each with the event that it tells, or the last of them. ``about``: the subject of the
    paragraph, whose name is left out."""
    events = _last_directors(_formations_first(events))
    pending: dict[str, list[ev.Paid]] = {}
    bought = {e.company for e in events if isinstance(e, ev.Bought | ev.ParSet)}
    unused = [e.private for e in events if isinstance(e, ev.PrivateClosed) and e.unused]
    elsewhere = _told_elsewhere(events, unused)
    i = 0
    while i < len(events):
        event = events[i]
        i += 1
        if isinstance(event, ev.BidsUnsealed):
            about = None  # later events are about all players
        if elsewhere(event):
            continue
        if isinstance(event, ev.Paid) and event.reason in _TOGETHER:
            rows, i = _row(events, i - 1, event.reason)
            text = clause(own, title, f"told.{event.reason}", {"payments": _sums(rows)}, about)
        elif isinstance(event, ev.Paid) and _waits(events[i:], event):
            pending.setdefault(event.reason, []).append(event)
            continue
        elif _over(title, event, pending):
            things, i = _taken_over(own, title, events, i - 1)
            source, target = _way(event)
            over = {"company": target, "source": source, "things": things}
            text = clause(own, title, "told.taken_over", over, about)
        elif isinstance(event, ev.PrivateClosed) and event.unused:
            lots = [e.chosen for e in events if isinstance(e, ev.LotDrawn) and e.chosen in unused]
            text = clause(own, title, "told.unused", {"privates": unused, "lots": lots}, about)
        elif isinstance(event, ev.PrivateClosed):
            closed, i = _closed(events, i - 1)
            text = clause(own, title, "told.closed", {"privates": closed}, about)
        elif _track(title, event):
            hexes, i = _hexes(title, events, i - 1)
            text = clause(own, title, "told.overlays", {"actor": event.actor, "hexes": hexes}, about)  # type: ignore[union-attr]
        elif isinstance(event, ev.CertificatesMoved) and event.source == IPO and event.company not in bought:
            text = clause(own, title, "CertificatesMoved.received", facts_of(title, event, own.language), about)
        elif isinstance(event, ev.MarkerReplaced):
            places, i = _markers(title, events, i - 1)
            replaced = {"company": event.company, "old": event.old, "places": places}
            text = clause(own, title, "told.markers", replaced, about)
        else:
            facts = facts_of(title, event, own.language)
            if isinstance(event, ev.Distributed):
                facts["payments"] = _sums(pending.pop("dividend", []))
                pending.pop("withheld", None)
            for reason in _FOR.get(type(event), ()):
                waited = pending.pop(reason, [])
                facts["paid"] += sum(p.amount for p in waited)
                facts["payee"] = waited[-1].payee if waited else facts.get("payee")
            text = clause(own, title, key_of(event), facts, about)
        if text:
            yield text, event
        if isinstance(event, ev.Distributed) and _keeps_price(title, event.company, events[i:]):
            yield own.say("events", "told.same_price"), event


def _keeps_price(title: Title, company: str, later: Sequence[ev.Event]) -> bool:
    """True if the company's dividend, which ``later`` events follow, leaves its price where it is."""
    if not title.companies[company].charter.certificates:  # type: ignore[index]
        return False  # it has no shares, and so no price
    for event in later:
        if isinstance(event, ev.PriceSet) and event.company == company and event.reason in ("earnings", "no_dividend"):
            return False
        if isinstance(event, ev.Distributed | ev.TurnEnded):
            break
    return True


def _told_elsewhere(events: tuple[ev.Event, ...], unused: Sequence[str]) -> Callable[[ev.Event], bool]:
    """The test that is true of those of ``events`` that the clause for another of them tells. ``unused``: the privates
    that are not in the game."""
    formed = {e.company for e in events if isinstance(e, ev.Formed)}
    known = {e.name for e in events if isinstance(e, ev.Nationalised)} | {
        e.item for e in events if isinstance(e, ev.Won)
    }
    exported = {e.train for e in events if isinstance(e, ev.Exported)}
    exchanged = {(e.holder, abs(e.money)) for e in events if isinstance(e, ev.Exchanged)}

    def told(event: ev.Event) -> bool:
        match event:
            case ev.PriceSet(company=company):
                return company in formed
            case ev.PrivateMoved(private=private):
                return private in known
            case ev.Paid(payer=payer, payee=payee, amount=amount, reason="exchange"):
                return (payee if payer == BANK else payer, amount) in exchanged
            case ev.LotDrawn(chosen=chosen):
                return chosen in unused
            case ev.PrivateClosed(private=private, unused=True):
                return private != unused[0]
            case ev.TrainMoved(train=train, source=source, target=target):
                return (source, target) == (BANK, "") and train in exported
        return False

    return told


def _formations_first(events: tuple[ev.Event, ...]) -> tuple[ev.Event, ...]:
    """The events, with the formation of a company moved before everything that goes over to it and before the payments
    of its owners for it."""
    found = list(events)
    for event in events:
        if isinstance(event, ev.Formed | ev.Merged):
            opened = ev.CompanyOpened(event.company)
            if opened in found:
                found.remove(event)
                found.insert(next(i for i, e in enumerate(found) if e == opened or _exchanged(e)), event)
    return tuple(found)


def _last_directors(events: tuple[ev.Event, ...]) -> tuple[ev.Event, ...]:
    """The events without directors of a company who made way for another at once: only the last is told. An exchange
    that gave one of them the director's certificate for a moment gave him its shares, and one after that in which he
    received it did too."""
    last = {e.company: e for e in events if isinstance(e, ev.DirectorChanged)}
    found: list[ev.Event] = []
    received: set[tuple[str, str]] = set()
    for at, event in enumerate(events):
        if isinstance(event, ev.DirectorChanged) and any(_follows(event, later) for later in events[at + 1 :]):
            continue
        if isinstance(event, ev.Exchanged) and event.director:
            known = (event.holder, event.company) in received
            event = replace(event, director=not known and last.get(event.company) not in events[at + 1 :])
            received.add((event.holder, event.company))
        found.append(event)
    return tuple(found)


def _follows(event: ev.DirectorChanged, later: ev.Event) -> bool:
    return isinstance(later, ev.DirectorChanged) and later.company == event.company


def _exchanged(event: ev.Event) -> bool:
    if isinstance(event, ev.DebtChanged):
        return event.reason == "taken"
    return isinstance(event, ev.Paid) and event.reason == "exchange"


def _waits(later: tuple[ev.Event, ...], paid: ev.Paid) -> bool:
    """True if an event among ``later`` tells the payment's amount."""
    for event in later:
        if isinstance(event, ev.Sold) and paid.reason == "emergency":
            return (BANK, event.player, event.amount) == (paid.payer, paid.payee, paid.amount)
        if paid.reason in _SHARED and isinstance(event, ev.Distributed):
            return True
        if paid.reason in _FOR.get(type(event), ()) and not (
            isinstance(event, ev.CertificatesMoved) and key_of(event) == "CertificatesMoved"
        ):
            return True
        if isinstance(event, ev.TurnEnded | ev.RoundBegan):
            return False
    return False


def _row(events: tuple[ev.Event, ...], i: int, reason: str) -> tuple[list[ev.Paid], int]:
    """Successive payments for one reason from index ``i`` on, events that are not told being skipped, and the index
    after them."""
    rows: list[ev.Paid] = []
    while i < len(events):
        event = events[i]
        if isinstance(event, ev.Paid) and event.reason == reason:
            rows.append(event)
        elif not isinstance(event, ev.Pushed | ev.Popped | ev.Became | ev.Marked):
            break
        i += 1
    return rows, i


def _sums(rows: list[ev.Paid]) -> tuple[tuple[str, int], ...]:
    """Each payee with the total paid to it, in the order of their first payments."""
    found: dict[str, int] = {}
    for paid in rows:
        found[paid.payee] = found.get(paid.payee, 0) + paid.amount
    return tuple(found.items())


def _over(title: Title, event: ev.Event, pending: dict[str, list[ev.Paid]]) -> bool:
    """True if something passes from one company to another that takes it over."""
    if isinstance(event, ev.TrainMoved):
        return event.source in title.companies and event.target in title.companies and "train" not in pending
    return isinstance(event, ev.Paid) and event.reason in _OVER and event.payee != BANK


def _way(event: ev.Event) -> tuple[str, str]:
    """The source and target of a payment or a train's move."""
    if isinstance(event, ev.Paid):
        return event.payer, event.payee
    assert isinstance(event, ev.TrainMoved)
    return event.source, event.target


def _taken_over(own: Words, title: Title, events: tuple[ev.Event, ...], i: int) -> tuple[list[str], int]:
    """Everything that passes from the same source to the same target from index ``i`` on (money, trains, privates,
    loans), in words, and the index after it."""
    source, target = _way(events[i])
    money, trains, privates, loans = 0, list[str](), list[str](), 0
    while i < len(events):
        match events[i]:
            case ev.Paid(payer=payer, payee=payee, amount=amount) if (payer, payee) == (source, target):
                money += amount
            case ev.TrainMoved(train=train, source=payer, target=payee) if (payer, payee) == (source, target):
                trains.append(train)
            case ev.PrivateMoved(private=private, owner=owner) if owner == target:
                privates.append(private)
            case ev.LoansChanged(company=company, change=change, reason="merged") if company in (source, target):
                loans += max(0, change)
            case _:
                break
        i += 1
    things = [own.say("words", "amount", amount=money, title=title)] if money else []
    if trains:
        key = "told.trains" if len(trains) > 1 else "told.train"
        things += [own.say("events", key, title=title, trains=trains)]
    things += privates
    if loans:
        things += [own.say("events", "told.loans", loans=loans)]
    return things, i


def _track(title: Title, event: ev.Event) -> bool:
    """True if the event lays track other than a tunnel over a hex."""
    return isinstance(event, ev.OverlayLaid) and piece(title, event.tile, event.rotation).kind == "track"


def _closed(events: tuple[ev.Event, ...], i: int) -> tuple[list[str], int]:
    """The privates that close in successive events from index ``i`` on, and the index after them."""
    closed: list[str] = []
    while i < len(events) and isinstance(event := events[i], ev.PrivateClosed) and not event.unused:
        closed.append(event.private)
        i += 1
    return closed, i


def _hexes(title: Title, events: tuple[ev.Event, ...], i: int) -> tuple[list[str], int]:
    """The hexes over which track is laid in successive events from index ``i`` on, and the index after them."""
    hexes: list[str] = []
    while i < len(events) and _track(title, event := events[i]):
        assert isinstance(event, ev.OverlayLaid)
        hexes.append(event.hex)
        i += 1
    return hexes, i


def _markers(title: Title, events: tuple[ev.Event, ...], i: int) -> tuple[list[str], int]:
    first = events[i]
    assert isinstance(first, ev.MarkerReplaced)
    places: list[str] = []
    while i < len(events):
        event = events[i]
        if not isinstance(event, ev.MarkerReplaced) or (event.old, event.company) != (first.old, first.company):
            break
        found = title.map.hexes.get(event.hex)
        places.append(f"{event.hex} {found.name}" if found is not None and found.name else event.hex)
        i += 1
    return places, i
