"""The effects of orders that are only looked at: on the best run, the share price and the money."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.core import orders as o
from engine.core.checks import Refused
from engine.core.game import Game
from engine.core.ids import CompanyId, PlayerId
from engine.routes.optimum import Best, best_run
from moderator.words.texts import Words

LITTLE: Final = 20_000
"""The maximum number of steps of the search for the best run that is shown while a turn is tried."""


def best_of(game: Game, company: CompanyId) -> Best:
    """The best run of ``company`` on the present track, as far as it can be found with little work."""
    title, state = game.title, game.state
    return best_run(state.board, title.policies.run_traits(title, state, company), LITTLE)


def effects_of(own: Words, game: Game, seat: PlayerId, orders: Sequence[o.Order]) -> list[str]:
    """Sentences on the effects of ``orders`` that are legal one after the other; none if one is not."""
    after = game.fork()
    for order in orders:
        if isinstance(after.submit(order), Refused):
            return []
    actor = orders[0].actor
    company = CompanyId(actor) if actor in game.title.companies else None
    on_map = any(isinstance(order, o.Lay | o.Token | o.Tunnel) for order in orders)
    return list(_sentences(own, game, after, seat, company, on_map=on_map))


def _sentences(
    own: Words, game: Game, after: Game, seat: PlayerId, company: CompanyId | None, *, on_map: bool
) -> Iterator[str]:
    """``on_map``: track or a marker is among the orders, so that the best run may change."""
    title = game.title
    known = company in game.state.companies and company in after.state.companies
    if company is not None and known and on_map:
        yield from _of_run(own, game, after, company)
    if company is not None:
        before, then = game.state.money(company), after.state.money(company)
        if before != then:
            yield own.say("words", "desk.effect.cash", title=title, who=company, before=before, after=then)
    for each, marker in after.state.prices.items():
        old = game.state.prices.get(each)
        price, was = title.chart.price(marker.cell), None if old is None else title.chart.price(old.cell)
        if price != was:
            yield own.say("words", "desk.effect.price", title=title, company=each, before=was, after=price)
    if seat in game.state.players and game.state.money(seat) != after.state.money(seat):
        before, then = game.state.money(seat), after.state.money(seat)
        yield own.say("words", "desk.effect.cash", title=title, who=seat, before=before, after=then)


def _of_run(own: Words, game: Game, after: Game, company: CompanyId) -> Iterator[str]:
    before, then = best_of(game, company), best_of(after, company)
    if before.value or then.value:
        proven = before.proven and then.proven
        yield own.say(
            "words", "desk.effect.run", title=game.title, company=company, before=before.value, after=then.value,
            proven=proven,
        )  # fmt: skip
