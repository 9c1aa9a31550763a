"""Charts over time: the wealth and cash of players, and the share prices of companies, after each round."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Final

from engine.core.ids import CompanyId
from engine.core.state import Round
from engine.svg.elements import Svg
from engine.svg.graphs.graph import Graph, Series
from engine.svg.graphs.history import Moment

MOST: Final = 8
"""The most companies whose prices are shown together."""
_FACTOR: Final = 10
"""If the highest price is more than this many times the lowest, the scale is logarithmic."""


def worth_svg(moments: Sequence[Moment], *, size: float | None = None, own: str = "", name: str = "") -> Svg:
    """The wealth of each player after each round. ``size``: the width in pixels. ``own``: the player whose line is
    thick. ``name``: the name of the picture, for people who cannot see it. ``ValueError`` if there are no moments."""
    return worth_graph(moments, own).svg(size, name)


def worth_graph(moments: Sequence[Moment], own: str = "") -> Graph:
    """The lines of ``worth_svg``."""
    return _graph(moments, lambda moment: moment.worth, _players(moments), [own])


def cash_svg(moments: Sequence[Moment], *, size: float | None = None, own: str = "", name: str = "") -> Svg:
    """The cash of each player after each round. The arguments are those of ``worth_svg``."""
    return cash_graph(moments, own).svg(size, name)


def cash_graph(moments: Sequence[Moment], own: str = "") -> Graph:
    """The lines of ``cash_svg``."""
    return _graph(moments, lambda moment: moment.cash, _players(moments), [own])


def prices_svg(
    moments: Sequence[Moment], *, size: float | None = None, own: Collection[CompanyId] = (), name: str = ""
) -> Svg:
    """The share prices of at most eight companies after each round: first those in ``own``, whose lines are thick, then
    those with the latest and highest prices. ``ValueError`` if there are no moments."""
    return prices_graph(moments, own).svg(size, name)


def prices_graph(moments: Sequence[Moment], own: Collection[CompanyId] = (), most: int | None = MOST) -> Graph:
    """The lines of ``prices_svg``. ``most``: how many companies are shown; None shows all."""
    last: dict[CompanyId, tuple[bool, int, int]] = {}
    for i, moment in enumerate(moments):
        last |= {company: (company in own, i, price) for company, price in moment.prices.items()}
    chosen = sorted(last, key=lambda company: (last[company], company), reverse=True)[:most]
    values = [price for moment in moments for company, price in moment.prices.items() if company in chosen]
    wide = bool(values) and min(values) > 0 and max(values) > _FACTOR * min(values)
    return _graph(moments, lambda moment: moment.prices, chosen, own, steps=True, logarithmic=wide)


def revenue_svg(
    rounds: Sequence[Round], revenue: Mapping[CompanyId, Sequence[int | None]], *, size: float | None = None,
    own: Collection[CompanyId] = (), name: str = "",
) -> Svg:  # fmt: skip
    """The revenue of at most eight companies in each of the ``rounds``; None where a company has not run. Companies in
    ``own`` come first, with thick lines, then those with the latest and highest revenue. ``ValueError`` if there are no
    rounds."""
    if not rounds:
        raise ValueError("a game in which no company has run has no chart of revenue")
    last = {
        company: max(((company in own, i, value) for i, value in enumerate(values) if value is not None), default=None)
        for company, values in revenue.items()
    }
    ranked = sorted(((key, company) for company, key in last.items() if key is not None), reverse=True)
    series = [Series(company, tuple(revenue[company]), company in own) for _, company in ranked[:MOST]]
    return Graph(rounds=[short(round) for round in rounds], series=series).svg(size, name)


def _players(moments: Sequence[Moment]) -> list[str]:
    return list(dict.fromkeys(player for moment in moments for player in moment.worth))


def _graph(
    moments: Sequence[Moment], of: Callable[[Moment], Mapping[Any, int]], names: Iterable[str], own: Collection[str],
    **how: bool,
) -> Graph:  # fmt: skip
    if not moments:
        raise ValueError("a game without a position has no chart over time")
    series = [Series(name, tuple(of(moment).get(name) for moment in moments), name in own) for name in names]
    return Graph(
        rounds=[short(moment.round) for moment in moments],
        series=series,
        shaded=frozenset(i for i, moment in enumerate(moments) if moment.round.kind == "SR"),
        marks={i: "/".join(moment.trains) for i, moment in enumerate(moments) if moment.trains},
        **how,
    )


def short(round: Round) -> str:
    """A short name of a round, such as ``SR2`` or ``3.1``."""
    place = f"{round.set}" + (f".{round.number}" if round.number else "")
    return place if round.kind == "OR" else f"{round.kind}{place}"
