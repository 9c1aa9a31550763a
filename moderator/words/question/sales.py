"""Say what a sale of shares brings: the money, the price of the company after it, and who directs the company then."""

from __future__ import annotations

from engine.core import events as ev
from engine.core import orders as o
from engine.core.agenda import Choice, Range
from engine.core.decide import effects
from engine.core.state import State
from engine.core.title import Title
from engine.holders.control import owner_of


def of_sale(title: Title, state: State, choice: Choice) -> dict[str, object]:
    """The ``price`` of one share, and that of ``two`` where a half unit of each makes it more than twice as much. The
    price of the company ``before`` a sale, ``after`` the least and ``last`` after the greatest number of shares,
    ``most``. ``heir``: who directs the company once ``needed`` shares are sold; None if nothing changes that."""
    order = choice.sample(0)
    assert isinstance(order, o.Sell)
    steps = choice.high - choice.low if isinstance(choice, Range) else 0
    least, most = (effects(title, state, choice.sample(number)) for number in (0, steps))
    one, before = _received(least) // order.count, title.price(state, order.company)
    two = _received(effects(title, state, choice.sample(1))) if order.count == 1 and steps else 0
    heir, needed = None, order.count
    if owner_of(title, state, order.company) == order.actor:
        for number in range(steps + 1):
            needed, heir = order.count + number, _heir(effects(title, state, choice.sample(number)), order)
            if heir is not None:
                break
    return {
        "price": one, "two": two if two > 2 * one else 0, "before": before, "after": _price(least, order, before),
        "last": _price(most, order, before), "most": order.count + steps, "heir": heir, "needed": needed,
    }  # fmt: skip


def _received(events: tuple[ev.Event, ...]) -> int:
    return next((event.amount for event in events if isinstance(event, ev.Sold)), 0)


def _price(events: tuple[ev.Event, ...], order: o.Sell, before: int) -> int:
    prices = [event.price for event in events if isinstance(event, ev.PriceSet) and event.company == order.company]
    return prices[-1] if prices else before


def _heir(events: tuple[ev.Event, ...], order: o.Sell) -> str | None:
    changed = (e for e in events if isinstance(e, ev.DirectorChanged) and e.company == order.company)
    return next((str(event.player) for event in changed if event.player), None)
