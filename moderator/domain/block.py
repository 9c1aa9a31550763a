"""Play a block of orders from one player: carry out orders, hold others for later, refuse the rest with reasons.

A block is refused as a whole if a line cannot be read or breaks a rule, unless it is ``partial``: then everything
before the first such line counts. The sections of a block are successive turns. A section whose actor is not asked yet
is held for an occasion, which is determined at once (``occasion``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from engine import Ask, Failure, Refused
from engine.core import orders as o
from engine.core.checks import Fact
from engine.core.ids import CompanyId, PlayerId
from engine.core.order_kinds import ON_A_SUBJECT
from engine.holders.control import chain_of, control_facts
from grammar import OrderLine, Reading, Section, normalise, write, write_section
from moderator.domain.ahead.contradiction import contradicted
from moderator.domain.ahead.occasion import Occasion, beyond, bound, named_lot, of_company, vain
from moderator.domain.ahead.orders import Held, HeldKind
from moderator.domain.ahead.standing import is_guard, pointless
from moderator.domain.asks import acting, answers, at_any_moment, controls, of_a_company, turn_kinds, understood_now
from moderator.domain.fork import Fork
from moderator.domain.other_subject import of_another
from moderator.domain.sealing import Sealing
from moderator.domain.section import Played, going_on, open_ask, play_section
from moderator.domain.transcript import Facts, TranscriptLine, Verdict
from moderator.domain.vocabulary import vocabulary
from moderator.domain.waiting import awaited

_KEPT_AS: Final[Mapping[type[o.Order], HeldKind]] = {o.Limit: "limit", o.Standing: "standing"}
"""Kinds of orders that are kept as something else than consent."""
_MOST_TURNS: Final = 10
"""The most turns of one player in a stock round that can be kept at a time."""


@dataclass(slots=True)
class Block:
    """The outcome of a block. The fork has advanced as far as the block was played; that counts only if ``stands``."""

    lines: list[TranscriptLine] = field(default_factory=list)
    held: list[Held] = field(default_factory=list)
    notes: list[tuple[str, Facts]] = field(default_factory=list)
    actors: list[str] = field(default_factory=list)
    """Actors of the sections, except those with nothing but orders that are allowed at any moment."""
    turns: list[tuple[str, o.Order]] = field(default_factory=list)
    """(actor, order) for each step of a turn that was carried out."""
    sealed: list[Sealing] = field(default_factory=list)
    """Orders that stay sealed until those of all players are opened."""
    stopped: Verdict | None = None
    """The reason why the block was not read or played to its end: ``refused``, ``unreadable`` or ``ambiguous``."""
    stands: bool = True
    """True if the block counts, as a whole or in part."""

    def replaces(self, held: Held) -> bool:
        """True if ``held``, of the same player, no longer stands because the block gave orders for the same purpose. An
        answer to a question does not replace a turn that waits."""
        if any(new.excludes(held) for new in self.held):
            return True
        old = held.lead
        return held.kind == "turn" and any(
            actor == held.actor and (turn_kinds(new) & turn_kinds(old) or o.Pass in (type(new), type(old)))
            for actor, new in self.turns
        )


def play_block(fork: Fork, player: str, reading: Reading, text: str, *, partial: bool) -> Block:
    """Play the orders in ``reading``, which was read from ``text``. Advances ``fork``; the caller must discard it
    unless the block stands."""
    return _Player(fork, player, reading, normalise(text).split("\n"), partial).play()


class _Player:
    def __init__(self, fork: Fork, player: str, reading: Reading, source: list[str], partial: bool) -> None:
        self.fork, self.player, self.reading, self.partial = fork, player, reading, partial
        self.source = source
        self.names = vocabulary(fork.game.title)
        self.block = Block()
        self.wanted: list[o.Order] = []
        """The orders so far that were carried out or held, with their lots written out."""
        first = reading.errors[0] if reading.errors else None
        self.end = first.line if first else None
        """The number of the first line that cannot be read; None if all can. Later orders are not played."""
        self.goes_on = going_on(reading.sections)
        self.carried: dict[int, list[OrderLine]] = {}
        """Index of a section -> orders of an earlier section of the same turn, which are played together with it."""
        begun = [s for s in reading.sections if self.end is None or s.line <= self.end]
        self.cut = begun[-1] if begun and self.end is not None else None
        """The section that probably contains that line, so that its turn is incomplete; None if every line was read."""

    def play(self) -> Block:
        block = self.block
        for number, section in enumerate(self.reading.sections):
            self._section(number, section)
        for error in self.reading.errors:
            text, at = self._line(error.line), error.column
            block.lines.append(TranscriptLine(error.line, text, None, error.kind, unreadable=error, column=at))
        for skipped in self.reading.skipped:
            if all(line.line != skipped.line for line in block.lines):
                text, at = skipped.text, skipped.column
                block.lines.append(TranscriptLine(skipped.line, text, None, "not_reached", column=at))
        if self.reading.errors and block.stopped is None:
            block.stopped = self.reading.errors[0].kind
        kept = any(line.verdict in ("accepted", "held", "sealed") for line in block.lines)
        block.stands = block.stopped is None or (self.partial and kept)
        if not block.stands:
            block.held.clear()
            block.sealed.clear()
            block.notes = [
                note for note in block.notes if not note[0].startswith(("held.", "standing."))
            ]  # nothing is held
            block.lines = [_only_checked(line) for line in block.lines]
        self._sort()
        return block

    def _sort(self) -> None:
        """Sort the lines into the order of the text, and update the indices of held and sealed orders accordingly."""
        old = self.block.lines
        order = sorted(range(len(old)), key=lambda n: (old[n].line, old[n].column))
        place = {before: after for after, before in enumerate(order)}
        self.block.lines = [old[n] for n in order]
        self.block.held = [replace(h, lines=tuple(place[n] for n in h.lines)) for h in self.block.held]
        self.block.sealed = [replace(one, line=place[one.line]) for one in self.block.sealed]

    def _line(self, number: int) -> str:
        return self.source[number - 1].strip() if 0 < number <= len(self.source) else ""

    def _add(
        self, given: OrderLine, verdict: Verdict, order: o.Order | None = None, failures: tuple[Failure, ...] = (),
        events: tuple[object, ...] = (),
    ) -> int:  # fmt: skip
        canonical = write(order or given.order, self.names)
        line = TranscriptLine(given.line, given.text, canonical, verdict, failures, None, events)  # type: ignore[arg-type]
        self.block.lines.append(replace(line, column=given.column, actor=str((order or given.order).actor)))
        return len(self.block.lines) - 1

    def _stop(self, given: OrderLine, *failures: Failure) -> None:
        self._add(given, "refused", failures=failures)
        self.block.stopped = "refused"

    def _refuse(self, steps: Sequence[OrderLine], number: int, failures: tuple[Failure, ...]) -> list[OrderLine]:
        """Refuse the step with that ``number`` before any of the ``steps`` is played. Returns those after it."""
        for given in steps[:number]:
            self._add(given, "not_reached")
        self._stop(steps[number], *failures)
        return list(steps[number + 1 :])

    # ---- one section

    def _section(self, number: int, section: Section) -> None:
        orders = [*self.carried.get(number, ()), *section.orders]
        late = [given for given in orders if self.end is not None and given.line >= self.end]
        orders = [given for given in orders if given not in late]
        if self.block.stopped is not None:
            late, orders = [*orders, *late], []
        if orders and not controls(self.fork.game, self.player, section.actor):
            first, *others = orders
            self._stop(first, Failure("seat.not_yours", self._not_yours(section.actor)))
            late, orders = [*others, *late], []
        orders, late = self._at_once(section.actor, orders, late)
        later = self.goes_on.get(number)
        if orders and later is not None and open_ask(self.fork.game, self.player, section.actor) is None:
            self.carried[later] = orders
        elif orders:
            self.block.actors.append(section.actor)
            whole = section is not self.cut and later is None
            late = [*self._orders(section.actor, orders, whole=whole), *late]
        for given in late:
            self._add(given, "not_reached")

    def _not_yours(self, actor: str) -> dict[str, Fact]:
        """The facts that explain why the player cannot give orders for ``actor``. They include the chain of control of
        a company that is not directed by its direct owner."""
        title, state = self.fork.game.title, self.fork.game.state
        facts: dict[str, Fact] = {"actor": actor, "player": self.player, "chain": (), "circle": (), "frozen": False}
        company = next((c for c, now in state.companies.items() if c == actor and now.status == "open"), None)
        if company is None or title.policies.director(title, state, company) in chain_of(title, state, company)[:1]:
            return facts
        return {**facts, **control_facts(title, state, company)}

    def _at_once(
        self, actor: str, orders: list[OrderLine], late: list[OrderLine]
    ) -> tuple[list[OrderLine], list[OrderLine]]:
        """Carry out the orders at the start of a section that may be given without a question. Returns the remaining
        orders of the section, and those that will not be looked at. Such an order after a step of a turn waits with
        the turn."""
        while (
            orders
            and at_any_moment(self.fork.game, orders[0].order)
            and open_ask(self.fork.game, self.player, actor) is None
        ):
            given, *orders = orders
            order = acting(self.fork.game, given.order, (self.player,))
            events = self.fork.submit(order, self.player, "mail")
            if isinstance(events, Refused):
                self._stop(given, *events.failures)
                return [], [*orders, *late]
            self._add(given, "accepted", order, events=events)
        return orders, late

    def _orders(self, actor: str, orders: list[OrderLine], *, whole: bool) -> list[OrderLine]:
        """Play or hold the orders of one section. Returns the orders that were not reached. Only a ``whole`` turn is
        held, and only a ``whole`` turn is ended without ``done``."""
        steps: list[OrderLine] = []
        opened: str | None = None
        formed: CompanyId | None = None
        for number, given in enumerate(orders):
            order, by = given.order, actor
            if isinstance(order, o.Open):
                opened = order.item or opened
            elif isinstance(order, o.Convert | o.Merge):
                formed = order.into
            elif isinstance(order, o.Take) and formed is not None:  # the player's: the company goes into that one
                by, order = self.player, o.Take(PlayerId(self.player), order.count, order.company or formed)
            if not self._is_standing(by, order):
                steps.append(given)
                continue
            if isinstance(order, o.Limit) and order.item is None and opened is not None:
                order = replace(order, item=opened)  # type: ignore[arg-type]
            found = bound(self.fork.game, self.player, by, order)
            before = [step.order for step in steps]
            failures = (found,) if isinstance(found, Failure) else vain(self.fork.game, self.player, found[1], before)
            if not isinstance(found, Failure):
                failures = failures or self._contradicts(found[1])
            if failures or isinstance(found, Failure):
                self._stop(given, *failures)
                return [*steps, *orders[number + 1 :]]
            self._hold(by, given, *found)
        if not steps:
            return []
        lead = next((n for n, given in enumerate(steps) if not is_guard(given.order)), None)
        if lead is None:
            self._stop(steps[-1], Failure("standing.alone"))
            return steps[:-1]
        ask = open_ask(self.fork.game, self.player, actor)
        if ask is not None and ask.sealed:
            return self._seal(ask, steps)
        first = len(self.block.actors) == 1
        if ask is not None and (first or answers(self.fork.game.legal(actor), steps[lead].order)):  # type: ignore[arg-type]
            return self._play(actor, steps, whole=whole)
        companyless = next((given for given in steps if actor == self.player and of_a_company(given.order)), None)
        if companyless is not None:
            self._stop(companyless, self._which_company(companyless.order))
            return [given for given in steps if given is not companyless]
        found = bound(self.fork.game, self.player, actor, steps[lead].order)
        if isinstance(found, Failure):
            return self._refuse(steps, lead, (found,))
        if not whole:
            return steps
        occasion, order = found
        steps[lead] = replace(steps[lead], order=order)
        return self._hold_turn(actor, steps, occasion, "held.section")

    def _which_company(self, order: o.Order) -> Failure:
        """The failure of a company's order that stands under a player's name. It would wait in vain, because a player
        is never asked for it."""
        game = self.fork.game
        directed = tuple(company for company in game.title.companies if controls(game, self.player, company))
        return Failure("seat.company", {"order": write(order, self.names), "companies": directed})

    def _play(self, actor: str, steps: list[OrderLine], *, whole: bool) -> list[OrderLine]:
        lot = self.fork.game.lot()
        for number, given in enumerate(steps):
            order = given.order if number else understood_now(self.fork.game, actor, given.order)  # type: ignore[arg-type]
            other = of_another(lambda: self.fork.game.legal(actor), order, given.text)  # type: ignore[arg-type]
            if failures := other or self._contradicts(order if lot is None else named_lot(order, lot.item)):
                return self._refuse(steps, number, failures)
        orders = [given.order for given in steps]
        played = play_section(self.fork, self.player, actor, orders, "mail", whole=whole)
        self.block.turns += [(actor, order) for order, _ in played.given if turn_kinds(order)]
        self.block.notes.extend(played.notes)
        return self._report(actor, steps, played)

    def _report(self, actor: str, steps: list[OrderLine], played: Played) -> list[OrderLine]:
        for given, (order, events) in zip(steps, played.given, strict=False):
            self._add(given, "accepted", order, events=events)
        if len(played.given) > len(steps):  # an implied `done`
            order, events = played.given[-1]
            self._add(replace(steps[-1], order=order, text=""), "accepted", order, events=events)
        left = steps[len(played.given) :]
        if played.failures:
            self._stop(left[0], *played.failures)
            return left[1:]
        if played.rest:
            own, orders = actor == self.player, [order for order, _ in played.given]
            rest_of = Occasion("stock") if own else of_company(self.fork.game, actor, orders)
            return self._hold_turn(actor, left, rest_of, "held.rest")
        if played.not_needed:
            for given in left:
                self._add(given, "lapsed")
        return []

    def _seal(self, ask: Ask, steps: list[OrderLine]) -> list[OrderLine]:
        """Check the one order that answers ``ask`` and seal it; the game does not see it yet. Returns the orders that
        were not reached."""
        given, *others = steps
        if any(one.ask.actor == ask.actor for one in self.block.sealed):
            self._stop(given, Failure("sealed.twice", {"actor": ask.actor}))
            return others
        result = self.fork.game.check(given.order)
        if isinstance(result, Refused):
            self._stop(given, *result.failures)
            return others
        if others:
            self._stop(others[0], Failure("sealed.twice", {"actor": ask.actor}))
            return [given, *others[1:]]
        self.block.sealed.append(Sealing(ask, given.order, self._add(given, "sealed")))
        return []

    # ---- what is held

    def _is_standing(self, actor: str, order: o.Order) -> bool:
        """True for an order that is always given ahead: a limit, a standing order, or consent to something that
        is not asked now."""
        if isinstance(order, o.Limit | o.Standing):
            return not is_guard(order)
        ahead = (isinstance(order, ON_A_SUBJECT) and order.subject is not None) or (
            isinstance(order, o.Take) and order.company is not None
        )
        return ahead and not (open_ask(self.fork.game, self.player, actor) and self._fits_now(order))

    def _fits_now(self, order: o.Order) -> bool:
        result = self.fork.game.check(order)
        if not isinstance(result, Refused):
            return True
        menu = self.fork.game.legal(order.actor)
        return isinstance(order, o.Take) and any(
            isinstance(c.order, o.Take) and c.order.company in (None, order.company) for c in menu
        )

    def _hold_turn(self, actor: str, steps: Sequence[OrderLine], occasion: Occasion, note: str) -> list[OrderLine]:
        """Hold ``steps`` for ``occasion``. If another section is already held for it, or one of the steps comes after
        its end or contradicts an earlier order, refuse the first such step. Returns the others, which were not
        reached. In a stock round several turns may follow each other."""
        orders = tuple(given.order for given in steps)
        held = self._new("turn", actor, orders, occasion)
        before = [one for one in self.block.held if one.kind == "turn" and one.purpose == held.purpose]
        taken = bool(before) and (occasion.kind != "stock" or len(before) >= _MOST_TURNS)
        wrong = 0 if taken else beyond(self.fork.game, occasion, orders)
        failures: tuple[Failure, ...] = (Failure("ahead.twice", {"kind": occasion.kind, "name": occasion.name}),)
        if wrong is None and (found := pointless(self.fork.game, self.player, orders)) is not None:
            wrong, failures = found[0], (found[1],)
        if wrong is None and (failures := self._contradicts(held.lead)):
            wrong = 0
        if wrong is not None:
            return self._refuse(steps, wrong, failures)
        places = tuple(self._add(given, "held") for given in steps)
        self.block.held.append(replace(held, lines=places))
        self._note(note, held)
        return []

    def _hold(self, actor: str, given: OrderLine, occasion: Occasion, order: o.Order) -> None:
        held = self._new(_KEPT_AS.get(type(order), "consent"), actor, (order,), occasion)
        held = replace(held, lines=(self._add(given, "held", order),))
        same = next((h for h in self.block.held if held.excludes(h) and h.orders == held.orders), None)
        if same is not None:  # the order is written twice, and kept once
            at = self.block.held.index(same)
            self.block.held[at] = replace(same, lines=(*same.lines, *held.lines))
            return
        self.block.held.append(held)
        if isinstance(order, o.Limit):
            self.block.notes.append(("held.limit", {"item": order.item, "maximum": order.maximum}))
        elif isinstance(order, o.Standing):
            self._note("standing.kept", held)
        else:
            self._note("held.consent", held)

    def _contradicts(self, order: o.Order) -> tuple[Failure, ...]:
        """The failure of an ``order`` that cannot stand together with an earlier one; none if it can, and is noted."""
        if (other := contradicted(self.wanted, order)) is not None:
            facts: dict[str, Fact] = {"order": write(order, self.names), "other": write(other, self.names)}
            return (Failure("ahead.contradicts", facts),)
        self.wanted.append(order)
        return ()

    def _new(self, kind: HeldKind, actor: str, orders: tuple[o.Order, ...], occasion: Occasion) -> Held:
        text = self._text(actor, orders)
        return Held(self.player, kind, actor, orders, text, occasion, self.partial, since=len(self.fork.moves))

    def _note(self, key: str, held: Held) -> None:
        occasion = held.occasion
        assert occasion is not None
        facts = {"kind": occasion.kind, "name": occasion.name, "now": occasion.under_way(self.fork.game)}
        who = awaited(self.fork.game) if key == "held.rest" else {}
        self.block.notes.append((key, {"actor": held.actor, "order": held.text, **facts, **who}))

    def _text(self, actor: str, orders: Sequence[o.Order]) -> str:
        return write_section(actor, orders, self.names)


def _only_checked(line: TranscriptLine) -> TranscriptLine:
    """The line as reported for a block that does not stand: ``checked`` if it would have been accepted."""
    if line.verdict not in ("accepted", "held", "sealed", "lapsed"):
        return line
    return replace(line, verdict="checked")
