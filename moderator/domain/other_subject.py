"""Consent that names another kind of thing than the one that is asked about."""

from __future__ import annotations

import re
from collections.abc import Callable

from engine import Failure, Menu
from engine.core import orders as o


def of_another(legal: Callable[[], Menu], order: o.Order, text: str) -> tuple[Failure, ...]:
    """The reason against an answer whose ``text`` speaks of a merger although consent to a sale is asked for, or of a
    sale although it is a merger. ``legal``: the menu, computed only for an answer to which it matters."""
    if not isinstance(order, o.Agree | o.Refuse) or order.subject is not None:
        return ()
    asked = next((choice.order.subject for choice in legal() if isinstance(choice.order, o.Agree)), None)
    if asked is None:
        return ()
    other = {"sale", "purchase"} if isinstance(asked, o.Merger) else {"merger"}
    named = other & set(re.findall(r"[a-z]+", text.lower()))
    return (Failure("consent.other_subject", {"asked": type(asked).__name__}),) if named else ()
