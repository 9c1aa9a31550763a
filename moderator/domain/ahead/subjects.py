"""The subjects of consents given ahead. Titles ask a player for his consent to a merger, or the company that he
directs; he may give it under either head."""

from __future__ import annotations

from engine import Ask
from engine.core import orders as o
from engine.core.order_kinds import ON_A_SUBJECT
from engine.core.programs import MergerTerms


def is_merger(order: o.Order) -> bool:
    """True if ``order`` gives or refuses consent to a merger."""
    return isinstance(order, ON_A_SUBJECT) and isinstance(order.subject, o.Merger)


def answers_merger(order: o.Order, ask: Ask) -> bool:
    """True if ``order`` is about mergers and ``ask`` may be about one, whoever of its player's is asked."""
    terms = isinstance(order, o.Standing) and isinstance(order.program, MergerTerms)
    return ask.what == "consent" and (terms or is_merger(order))


def about(order: o.Agree | o.Refuse) -> object:
    """A key that is equal for consents of one player of which he can give only one."""
    if isinstance(order.subject, o.Merger):
        return frozenset(order.subject.minors), order.subject.into
    return order.actor, order.subject
