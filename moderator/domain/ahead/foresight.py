"""Looks ahead at orders that are kept: would they be refused as things stand?

Everybody else passes, or ends the turns of his companies, until the question comes that the orders wait for. Where
somebody must do something else, nothing is foretold. The look reads the position as the player himself may see it, and
his own orders: what others have sealed or given ahead, and lots to come, are not known here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from engine import Ask, Failure, Game, Refused
from engine.core import orders as o
from engine.core.events import LotDrawn, RoundBegan
from engine.core.ids import Actor, CompanyId, PlayerId
from engine.core.view import holds_sealed
from engine.holders.ledger import shares
from grammar import Vocabulary, write_section
from moderator.domain.ahead.occasion import Occasion
from moderator.domain.ahead.orders import Closed, Held, settle
from moderator.domain.asks import controls
from moderator.domain.fork import Fork
from moderator.domain.rounds import MERGER_ROUND, OPERATING_ROUND, STOCK_ROUND
from moderator.domain.transcript import Note, Notes

NOTE: Final = "held.foreseen"
IF_AGREED: Final = "held.if_agreed"
_MOST_STEPS: Final = 40
"""No look goes on for more decisions than this."""
_ROUND_OF: Final[Mapping[str, str]] = {"stock": STOCK_ROUND, "turn": OPERATING_ROUND, "merger": MERGER_ROUND}
"""Kind of occasion -> the round in which it comes. Others may come in any."""
_ENDED: Final = "ahead."
_STANDING: Final = "standing."
"""The prefixes of reasons why orders end unasked, and why standing orders end by themselves."""


class Passing:
    """The game as it goes on if everybody passes, worked out as far as it is asked for, and once for all players who
    look at the same position."""

    def __init__(self, game: Game, player: str) -> None:
        self._ahead: list[Fork] = [Fork(game.seen_by(PlayerId(player)))]

    def after(self, steps: int) -> Fork | None:
        """The game after so many decisions; None if nothing is known of it. The fork must not be changed."""
        while len(self._ahead) <= min(steps, _MOST_STEPS):
            further = self._ahead[-1].fork()
            if not pass_on(further):
                return None
            self._ahead.append(further)
        return self._ahead[steps] if steps < len(self._ahead) else None


def foresee(game: Game, held: Held) -> tuple[Failure, ...]:
    """Every reason why ``held`` orders would be refused as things stand; none if they would be carried out, or if
    nothing can be foretold."""
    return foresee_all(game, (held,)).get(held, ())


def foresee_all(game: Game, kept: Sequence[Held], passing: Passing | None = None) -> Mapping[Held, tuple[Failure, ...]]:
    """Those of the orders ``kept`` by one player that would be refused as things stand, with the reasons. His orders
    for earlier questions are carried out first. Only orders that may come in the round under way are looked at.
    ``passing``: the game as he knows it, if it was worked out before."""
    found = {held: failures for held in kept if (failures := _gone(game, held))}
    coming = [held for held in kept if held not in found and _may_come(game, held.occasion)]
    if game.finished or all(held.kind == "consent" for held in coming):
        return found
    return found | _walk(passing or Passing(game, coming[0].player), coming)


def for_all(game: Game) -> Passing | None:
    """The game as all players know it alike; None if some have sealed orders, which only they know."""
    return None if holds_sealed(game.state) else Passing(game, game.state.players[0])


def notes_of(found: Mapping[Held, tuple[Failure, ...]]) -> Notes:
    """The notes about orders of the mail at hand that would be refused."""
    return tuple(note_of(held, failures) for held, failures in found.items())


def used_at_once(fork: Fork, kept: Sequence[Held], names: Vocabulary) -> Notes:
    """A note with the first order that the ``kept`` orders, given now at ``fork``, would give at once; none if they
    would only wait. What follows after that order is not told: others, or a lot, may come before."""
    used = settle(fork.fork(), kept).used[:1] if kept else []
    return tuple(("held.at_once", {"text": write_section(order.actor, [order], names)}) for _, order in used)


def if_agreed(game: Game, kept: Sequence[Held]) -> Notes:
    """A note on each turn among the orders ``kept`` by one player that would be refused if those agree who are asked
    for their consent now."""
    turns = [replace(held, since=0) for held in kept if held.kind == "turn"]
    asks = [ask for ask in game.asked() if ask.what == "consent"]
    if not turns or not asks:
        return ()
    trial = Fork(game.seen_by(PlayerId(turns[0].player)))
    if any(isinstance(trial.submit(o.Agree(ask.actor), ask.player, "silence"), Refused) for ask in asks):
        return ()
    players = tuple(dict.fromkeys(str(ask.player) for ask in asks))
    ends = settle(Fork(trial.game), turns).closed
    return tuple(
        (IF_AGREED, {"text": end.held.text, "failures": end.failures, "players": players})
        for end in ends
        if _refused(end)
    )


def note_of(held: Held, failures: tuple[Failure, ...], number: int | None = None) -> Note:
    """The note about orders that would be refused. ``number``: the one by which ``withdraw`` takes back these alone."""
    return NOTE, {"text": held.text, "failures": failures, "number": number}


def pass_on(fork: Fork) -> bool:
    """Let the first who is asked do nothing. False if he must do something, if nobody is asked, or if a round or a lot
    has come: nothing is foretold beyond."""
    ask = next(iter(fork.game.asked()), None)
    if fork.game.finished or ask is None or ask.sealed:
        return False
    passed = any(not isinstance(fork.submit(order, ask.player, "silence"), Refused) for order in _idle(ask))
    return passed and not goes_beyond(fork)


def _idle(ask: Ask) -> tuple[o.Order, ...]:
    """The orders with which whoever is asked does nothing, or ends the turn of his company; the first that is legal
    counts."""
    if ask.actor == ask.player:
        return o.Pass(ask.player), o.Drop(ask.player), o.Refuse(ask.player)
    company = CompanyId(ask.actor)
    return o.Done(company), o.Decline(company), o.Refuse(company)


def goes_beyond(fork: Fork) -> bool:
    """True if a round or a lot has come since the fork was made."""
    return any(isinstance(event, RoundBegan | LotDrawn) for move in fork.moves for event in move.events)


def _may_come(game: Game, occasion: Occasion | None) -> bool:
    """True if the occasion may come in the round under way."""
    if occasion is None:
        return False
    return _ROUND_OF.get(occasion.kind, game.state.round.kind) == game.state.round.kind


def _walk(passing: Passing, kept: Sequence[Held]) -> dict[Held, tuple[Failure, ...]]:
    """Let everybody pass and carry out the orders ``kept`` as they are asked for. Returns those that are refused."""
    steps, fork = 0, passing.after(0)
    while fork is not None and not _asks_for(fork.game, kept):
        steps += 1
        fork = passing.after(steps)
    if fork is None:
        return {}
    own, found = fork.fork(), dict[Held, tuple[Failure, ...]]()
    given = {replace(held, since=0): held for held in kept}
    for _ in range(_MOST_STEPS):
        settled = settle(own, tuple(given))
        if goes_beyond(own):
            break
        for end in settled.closed:
            held = given.pop(end.held)
            if end.remainder is not None:
                given[end.remainder] = held
            elif _refused(end):
                found[held] = end.failures
        if not given or not pass_on(own):
            break
    return found


def _asks_for(game: Game, kept: Sequence[Held]) -> bool:
    """True if the game asks something for which some of the orders may be meant."""
    asked = {(ask.player, ask.actor) for ask in game.asked()}
    return any((held.player, held.actor) in asked for held in kept)


def _refused(end: Closed) -> bool:
    """True if the orders were asked for and refused, and have not just ended: with their occasion, or by themselves, as
    standing orders do."""
    ended = (_ENDED, _STANDING) if end.held.kind == "standing" else (_ENDED,)
    return end.ending == "lapsed" and not any(failure.check.startswith(ended) for failure in end.failures)


def _gone(game: Game, held: Held) -> tuple[Failure, ...]:
    """The failure of a consent to something that its giver no longer has; none for all other orders."""
    order = held.orders[0]
    if held.kind != "consent" or not isinstance(order, o.Agree) or order.subject is None:
        return ()
    companies = [c for c in game.state.companies if controls(game, held.player, c)]
    owners: list[Actor] = [order.actor] if order.actor in game.state.companies else [order.actor, *companies]
    kind, name = _missing(game, owners, order.subject)
    return (Failure("ahead.gone", {"owner": order.actor, "kind": kind, "name": name}),) if kind else ()


def _missing(game: Game, owners: Sequence[Actor], subject: o.Subject) -> tuple[str, str]:
    """The kind and name of what none of the ``owners`` has to give, or the minor that is closed; empty if nothing is
    missing."""
    title, state = game.title, game.state
    match subject:
        case o.TrainSale(train=train):
            trains = [each for c in owners if c in state.companies for each in state.companies[CompanyId(c)].trains]
            return ("", "") if train in trains else ("train", train)
        case o.PrivateSale(private=private):
            return ("", "") if state.privates.get(private) in owners else ("private", private)
        case o.ShareSale(company=company, count=count):
            enough = any(shares(title, state, owner, company) >= count for owner in owners)
            return ("", "") if enough else ("share", company)
        case o.TokenSale(space=space):
            places = [place for c in owners if c in state.companies for place in state.board.places_of(CompanyId(c))]
            return ("", "") if any(hex == space.hex for hex, _ in places) else ("token", space.hex)
        case o.Merger(minors=minors):
            closed = [minor for minor in minors if state.companies[minor].status == "closed"]
            return ("minor", closed[0]) if closed else ("", "")
    raise AssertionError(subject)
