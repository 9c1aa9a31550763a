"""What has happened, paragraph by paragraph: one for each company's turn, player's turn or auction, under its round.

Events are gathered where that reads better: a price stands beside what it was paid for, dividends stand in one clause,
passes in a row in one line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from engine.core import events as ev
from engine.core.checks import Refused
from engine.core.decide import decide_to_state
from engine.core.game import Game
from engine.core.ids import BANK
from engine.core.orders import Order
from engine.core.state import Round, State
from engine.core.title import Title
from moderator.render.tell import clause, facts_of, key_of
from moderator.render.words import Words

_FOR: dict[type, tuple[str, ...]] = {
    ev.TileLaid: ("terrain", "second_lay"),
    ev.MarkerPlaced: ("token",),
    ev.TrainMoved: ("train",),
    ev.PrivateMoved: ("private",),
    ev.CertificatesMoved: ("redeem",),
    ev.Bought: ("share",),
    ev.Won: ("bid",),
}
"""Event -> reasons of payments before it that it tells the amount of."""
_SHARED = ("dividend", "withheld")
_OVER = ("merged", "seized")
_TOGETHER = ("income", "nationalised")
"""Payments in a row that are told in one clause, with who got what."""


@dataclass(slots=True)
class Paragraph:
    """``head``: who or what it is about, "" for none; ``about``: the name its clauses leave out."""

    head: str
    about: str | None
    clauses: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Chapter:
    """One round. ``round`` None before the first."""

    round: Round | None
    paragraphs: list[Paragraph] = field(default_factory=list)


def happenings(game: Game, since: int) -> Iterator[tuple[Order | None, State, tuple[ev.Event, ...]]]:
    """Each order after the first ``since``, the position before it, and what followed; the opening as order None."""
    state = game.at(max(0, since))
    if since < 0:
        yield None, state, game.opening
    for order in game.orders[max(0, since) :]:
        played = decide_to_state(game.title, state, order)
        if isinstance(played, Refused):
            raise RuntimeError(f"an accepted order is refused when it is played again: {order}: {played}")
        yield order, state, tuple(played.events)
        state = played.state


def story(own: Words, game: Game, since: int) -> list[Chapter]:
    """All that happened after the first ``since`` orders (-1: from the opening on)."""
    teller = _Teller(own, game.title)
    for order, state, events in happenings(game, since):
        if not teller.chapters:
            teller.chapters.append(Chapter(state.round))
        teller.tell(order, events)
    return teller.told()


def chapters_of(own: Words, title: Title, groups: Iterable[tuple[ev.Event, ...]]) -> list[Chapter]:
    """The same for events at hand, those of one order in a group."""
    teller = _Teller(own, title)
    for events in groups:
        teller.tell(None, events)
    return teller.told()


class _Teller:
    def __init__(self, own: Words, title: Title) -> None:
        self.own, self.title = own, title
        self.chapters: list[Chapter] = []
        self.company: str | None = None
        self.auction: str | None = None

    def told(self) -> list[Chapter]:
        for chapter in self.chapters:
            chapter.paragraphs = [p for p in _joined(self.own, self.title, chapter.paragraphs) if p.clauses]
        return [c for c in self.chapters if c.paragraphs]

    def tell(self, order: Order | None, events: tuple[ev.Event, ...]) -> None:
        actor = None if order is None else str(order.actor)
        part: list[ev.Event] = []
        for event in events:
            if isinstance(event, ev.RoundBegan | ev.TurnBegan | ev.TurnEnded | ev.Opened | ev.Won):
                if not isinstance(event, ev.Won | ev.TurnEnded):
                    self._close(part, actor)
                    part = []
                if isinstance(event, ev.RoundBegan):
                    if not self.chapters or self.chapters[-1].round != event.round:
                        self.chapters.append(Chapter(event.round))
                    self.company = self.auction = actor = None
                    continue
                elif isinstance(event, ev.TurnBegan):
                    self.company, actor = event.company, None
                elif isinstance(event, ev.Opened):
                    self.auction = event.item
                part.append(event)
                if isinstance(event, ev.Won | ev.TurnEnded):
                    self._close(part, actor)
                    part, actor = [], None
                    self.company = self.auction = None
            else:
                part.append(event)
        self._close(part, actor)

    def _close(self, events: list[ev.Event], actor: str | None) -> None:
        if not events:
            return
        if not self.chapters:
            self.chapters.append(Chapter(None))
        paragraphs = self.chapters[-1].paragraphs
        head = self.auction or self.company or actor or ""
        about = None if self.auction else head or None
        if not paragraphs or paragraphs[-1].head != head:
            paragraphs.append(Paragraph(head, about))
        clauses = paragraphs[-1].clauses
        for text, event in _clauses(self.own, self.title, tuple(events), about):
            if isinstance(event, ev.ConsentGiven | ev.ConsentRefused):
                self._answered(clauses, event)
            if not (clauses and isinstance(event, ev.Passed) and event.forced):
                clauses.append(text)

    def _answered(self, clauses: list[str], event: ev.ConsentGiven | ev.ConsentRefused) -> None:
        """The answer tells the question too."""
        asked = ev.ConsentAsked(event.player, event.actor, event.subject)
        text = clause(self.own, self.title, key_of(asked), facts_of(self.title, asked, self.own.language))
        if text in clauses:
            clauses.remove(text)


def _joined(own: Words, title: Title, paragraphs: list[Paragraph]) -> Iterator[Paragraph]:
    """Paragraphs that only say that somebody passed become one."""
    passed = clause(own, title, "Passed", {}, None)
    passers: list[str] = []
    for paragraph in paragraphs:
        if not paragraph.clauses:
            continue
        if paragraph.head and all(c in (passed, _forced(own, title)) for c in paragraph.clauses):
            passers += [paragraph.head]
            continue
        if passers:
            yield _passed(own, title, passers)
            passers = []
        yield paragraph
    if passers:
        yield _passed(own, title, passers)


def _passed(own: Words, title: Title, passers: list[str]) -> Paragraph:
    return Paragraph("", None, [clause(own, title, "told.passed", {"actors": passers}) or ""])


def _forced(own: Words, title: Title) -> str | None:
    return clause(own, title, "Passed.forced", {}, None)


# ---- clauses ------------------------------------------------------------------------------------------------------


def _clauses(
    own: Words, title: Title, events: tuple[ev.Event, ...], about: str | None
) -> Iterator[tuple[str, ev.Event]]:
    pending: dict[str, list[ev.Paid]] = {}
    formed = {e.company for e in events if isinstance(e, ev.Formed)}
    i = 0
    while i < len(events):
        event = events[i]
        i += 1
        if isinstance(event, ev.PriceSet) and event.company in formed:
            continue  # told with the formation
        if isinstance(event, ev.Paid) and event.reason in _TOGETHER:
            rows, i = _row(events, i - 1, event.reason)
            text = clause(own, title, f"told.{event.reason}", {"payments": _sums(rows)}, about)
        elif isinstance(event, ev.Paid) and _waits(events[i:], event):
            pending.setdefault(event.reason, []).append(event)
            continue
        elif _over(event):
            things, i = _taken_over(own, title, events, i - 1)
            assert isinstance(event, ev.Paid)
            over = {"company": event.payee, "source": event.payer, "things": things}
            text = clause(own, title, "told.taken_over", over, about)
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
                facts["paid"] += sum(p.amount for p in pending.pop(reason, []))
            text = clause(own, title, key_of(event), facts, about)
        if text:
            yield text, event


def _waits(later: tuple[ev.Event, ...], paid: ev.Paid) -> bool:
    """Whether an event among ``later`` tells the payment's amount."""
    for event in later:
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
    """Payments for one reason that follow each other from ``i`` on, what is not told left aside."""
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
    """Who got how much in all, in the order of first payment."""
    found: dict[str, int] = {}
    for paid in rows:
        found[paid.payee] = found.get(paid.payee, 0) + paid.amount
    return tuple(found.items())


def _over(event: ev.Event) -> bool:
    """Whether something of one company goes to another one that takes it over."""
    return isinstance(event, ev.Paid) and event.reason in _OVER and event.payee != BANK


def _taken_over(own: Words, title: Title, events: tuple[ev.Event, ...], i: int) -> tuple[list[str], int]:
    """All that follows from ``i`` on and goes the same way: money, trains, privates, loans."""
    first = events[i]
    assert isinstance(first, ev.Paid)
    source, target = first.payer, first.payee
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
    things = [own.say("words", "amount", amount=money, title=title)]
    if trains:
        things += [own.say("events", "told.trains" if len(trains) > 1 else "told.train", trains=trains)]
    things += privates
    if loans:
        things += [own.say("events", "told.loans", loans=loans)]
    return things, i


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
