"""Every order says which question it answers; the service asks that of each order that it reads."""

from __future__ import annotations

from typing import get_args

from engine.core.order_kinds import KINDS_OF
from engine.core.orders import Order


def test_every_order_has_the_kind_of_question_that_it_answers() -> None:
    assert [kind.__name__ for kind in get_args(Order) if kind not in KINDS_OF] == []
