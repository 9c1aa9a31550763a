"""Tell the story of a game by round, with a paragraph for each company's turn, player's turn or auction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby

from engine.acts.act import Turn
from engine.core import events as ev
from engine.core.game import Game
from engine.core.orders import Agree, Discard, Keep, Nationalise, Order, Refuse, Take, UsePrivate
from engine.core.state import Round, State
from engine.core.title import Title
from moderator.words.clauses import clauses
from moderator.words.texts import Words
from moderator.words.wording import clause, facts_of, key_of

_ANSWERS = (Agree, Refuse, Take, Keep, Discard, Nationalise)
"""Orders that continue what another order began."""


@dataclass(slots=True)
class Paragraph:
    """A paragraph of clauses. ``head``: its subject, "" for none. ``about``: the name that its clauses leave out."""

    head: str
    about: str | None
    clauses: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Chapter:
    """The paragraphs of one round. ``round``: None before the first round."""

    round: Round | None
    paragraphs: list[Paragraph] = field(default_factory=list)


def split(chapters: list[Chapter], most: int) -> tuple[list[Chapter], list[Chapter]]:
    """Split the chapters into two parts, the second with at most the latest ``most`` paragraphs."""
    earlier, latest, room = list[Chapter](), list[Chapter](), most
    for chapter in reversed(chapters):
        cut = max(0, len(chapter.paragraphs) - room)
        before, after = chapter.paragraphs[:cut], chapter.paragraphs[cut:]
        room -= len(after)
        if after:
            latest.insert(0, Chapter(chapter.round, after))
        if before:
            earlier.insert(0, Chapter(chapter.round, before))
    return earlier, latest


def latest(chapters: list[Chapter], most: int) -> tuple[list[Chapter], bool]:
    """The latest paragraphs with at most ``most`` characters, but at least one, and True if others are left out."""
    kept = fitting(chapters, most)
    return split(chapters, kept)[1], kept < sum(len(chapter.paragraphs) for chapter in chapters)


def fitting(chapters: list[Chapter], most: int) -> int:
    """The number of the latest paragraphs that have at most ``most`` characters together; at least 1."""
    sizes = [sum(map(len, p.clauses)) + len(p.head) for chapter in chapters for p in chapter.paragraphs]
    return max(1, sum(sum(sizes[i:]) <= most for i in range(len(sizes))))


def happenings(game: Game, since: int) -> Iterator[tuple[Order | None, State, tuple[ev.Event, ...]]]:
    """Each order after the first ``since`` with the position before it and its events. For ``since`` below 0 the events
    of the opening come first, with None as their order."""
    if since < 0:
        yield None, game.at(0), game.opening
    yield from game.happened(max(0, since))


def story(own: Words, game: Game, since: int) -> list[Chapter]:
    """The story after the first ``since`` orders; -1 for the story from the opening on."""
    teller = _Teller(own, game.title)
    for order, state, events in happenings(game, since):
        if not teller.chapters and order is not None:
            teller.begin(state)
        teller.tell(order, events)
    return teller.told()


def draws(game: Game) -> list[ev.LotDrawn]:
    """All lots of the game in the order in which they were drawn."""
    found = [event for event in game.opening if isinstance(event, ev.LotDrawn)]
    for _, _, events in game.happened(0) if len(found) < game.state.lots else ():
        found += [event for event in events if isinstance(event, ev.LotDrawn)]
        if len(found) == game.state.lots:
            break
    return found


def chapters_of(own: Words, title: Title, groups: Iterable[tuple[ev.Event, ...]]) -> list[Chapter]:
    """The story of the given events, those of each order in a group."""
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

    def begin(self, state: State) -> None:
        """Begin in the middle of a round, and perhaps of a company's turn or an auction, as given by ``state``."""
        self.chapters.append(Chapter(state.round))
        for frame in state.agenda:
            if isinstance(frame, Turn):
                self.company = frame.company
            else:
                self.auction = getattr(frame, "item", None) or self.auction

    def told(self) -> list[Chapter]:
        for chapter in self.chapters:
            chapter.paragraphs = [p for p in _joined(self.own, self.title, chapter.paragraphs) if p.clauses]
        return [c for c in self.chapters if c.paragraphs]

    def tell(self, order: Order | None, events: tuple[ev.Event, ...]) -> None:
        actor = None if order is None else str(order.actor)
        if isinstance(order, _ANSWERS) and self.chapters and self.chapters[-1].paragraphs:
            actor = self.chapters[-1].paragraphs[-1].head or actor
        apart = isinstance(order, UsePrivate)  # it belongs to nobody's turn
        part: list[ev.Event] = []
        for event in events:
            if _of_nobody(event) and self.company is None and actor is not None:
                self._close(part, actor, apart)
                part, actor, apart = [], None, False
            if isinstance(event, ev.RoundBegan | ev.TurnBegan | ev.TurnEnded | ev.Opened) or self._other_auction(event):
                if not isinstance(event, ev.TurnEnded):
                    self._close(part, actor, apart)
                    part = []
                if isinstance(event, ev.RoundBegan):
                    if not self.chapters or self.chapters[-1].round != event.round:
                        self.chapters.append(Chapter(event.round))
                    self.company = self.auction = actor = None
                    apart = False
                    continue
                elif isinstance(event, ev.TurnBegan):
                    self.company, actor = event.company, None
                elif isinstance(event, ev.Opened | ev.BidMade | ev.Dropped | ev.MinimumReduced):
                    self.auction = event.item
                part.append(event)
                if isinstance(event, ev.TurnEnded):
                    self._close(part, actor, apart)
                    part, actor = [], None
                    self.company = self.auction = None
            else:
                part.append(event)
        self._close(part, actor, apart)
        if any(isinstance(event, ev.Won) for event in events):
            self.auction = None

    def _other_auction(self, event: ev.Event) -> bool:
        """True if the event is the first of an auction that no player opened, because the rules put up the item."""
        return isinstance(event, ev.BidMade | ev.Dropped | ev.MinimumReduced) and event.item != self.auction

    def _close(self, events: list[ev.Event], actor: str | None, apart: bool) -> None:
        if not events:
            return
        if not self.chapters:
            self.chapters.append(Chapter(None))
        paragraphs = self.chapters[-1].paragraphs
        auction = None if apart else self.auction
        head = auction or (None if apart else self.company) or actor or ""
        about = None if auction else head or None
        if not paragraphs or paragraphs[-1].head != head:
            paragraphs.append(Paragraph(head, about))
        so_far = paragraphs[-1].clauses
        for text, event in clauses(self.own, self.title, tuple(events), about):
            if isinstance(event, ev.ConsentGiven | ev.ConsentRefused):
                self._answered(so_far, event)
            if not (so_far and isinstance(event, ev.Passed) and event.forced):
                so_far.append(text)

    def _answered(self, clauses: list[str], event: ev.ConsentGiven | ev.ConsentRefused) -> None:
        """Remove the clause of the question, which the clause of the answer repeats."""
        asked = ev.ConsentAsked(event.player, event.actor, event.subject)
        text = clause(self.own, self.title, key_of(asked), facts_of(self.title, asked, self.own.language))
        if text in clauses:
            clauses.remove(text)


def _of_nobody(event: ev.Event) -> bool:
    """True if the event belongs to all players and not to the turn of the one who passed or sealed his bids last."""
    if isinstance(event, ev.PriceSet):
        return event.reason in ("sold_out", "pool")
    return isinstance(event, ev.OrderOfPlay | ev.BidsUnsealed) or (
        isinstance(event, ev.DebtChanged) and event.reason == "interest"
    )


def _joined(own: Words, title: Title, paragraphs: list[Paragraph]) -> Iterator[Paragraph]:
    """The paragraphs, with successive ones that only say that a player passed joined into one. Empty ones are left
    out."""
    passed = {clause(own, title, key, {"actor": ""}) for key in ("Passed", "Passed.forced")}
    told = (paragraph for paragraph in paragraphs if paragraph.clauses)
    for only, row in groupby(told, lambda one: bool(one.head) and passed.issuperset(one.clauses)):
        passers = list(row)
        if only and len(passers) > 1:
            names = [one.head for one in passers]
            yield Paragraph("", None, [clause(own, title, "told.passed", {"actors": names}) or ""])
        else:
            yield from passers
