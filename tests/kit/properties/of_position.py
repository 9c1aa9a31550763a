"""What holds in every position of any title, whatever was ordered before it; each title adds what holds of it alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from engine import Game, State, Title
from engine.core.ids import BANK, CompanyId
from tests.kit.properties import of_1841 as prove_1841
from tests.kit.properties import of_1844 as prove_1844
from tests.kit.properties import of_1863 as prove_1863
from tests.kit.properties import of_f1867 as prove_f1867

OF_TITLE: Mapping[str, Callable[[Game, State | None], None]] = {
    "1861": prove_f1867.hold,
    "1844": prove_1844.hold,
    "1841": prove_1841.hold,
    "1863": prove_1863.hold,
    "1867": prove_f1867.hold,
}


def hold(game: Game, before: State | None) -> None:
    """Assert everything that adds up in the position, given the one before it."""
    title, state = game.title, game.state
    assert sorted(state.players) == sorted(game.setup.players) and state.priority in state.players
    money(title, state)
    prices(title, state)
    tiles(title, state)
    markers(title, state)
    OF_TITLE[title.name](game, before)


def money(title: Title, state: State) -> None:
    assert sum(state.cash.values()) == title.bank, state.cash
    strangers = set(state.cash) - {BANK, *state.players, *state.companies}
    assert not strangers, f"money of nobody in the game: {strangers}"
    below = {owner: amount for owner, amount in state.cash.items() if amount < 0 and owner != BANK}
    assert not below, f"only the bank writes IOUs: {below}"
    assert state.cash[BANK] >= 0 or state.broke is not None
    for (player, kind), amount in state.debts.items():
        assert player in state.players and amount > 0, (player, kind, amount)


def prices(title: Title, state: State) -> None:
    """Every marker is on the chart, and no two came at the same time."""
    for company, marker in state.prices.items():
        assert marker.cell in title.chart.prices, (company, marker)
    assert len({marker.since for marker in state.prices.values()}) == len(state.prices)


def tiles(title: Title, state: State) -> None:
    board = state.board
    lying = Counter(tile for tile, _ in board.tiles.values())
    over = Counter(tile for pieces in board.overlays.values() for tile, _ in pieces)
    for tile, number in (lying + over).items():
        count = title.map.tiles[tile].count
        assert count is None or number <= count, (tile, number)
        assert tile not in lying or not title.map.tiles[tile].overlay, f"{tile} lies as a tile"
        assert tile not in over or title.map.tiles[tile].overlay, f"{tile} lies over one"


def markers(title: Title, state: State) -> None:
    """Markers fit into their cities, and nobody has more than he may."""
    standing = Counter[CompanyId]()
    for hex, cities in state.board.markers.items():
        face = state.board.face(hex)
        assert len(cities) == len(face.cities), hex
        for city, there in zip(face.cities, cities, strict=True):
            assert len(there) <= city.slots, (hex, there)
        here = [company for there in cities for company in there if company in title.companies]
        if not choosing(state):
            assert len(set(here)) == len(here), f"{hex}: two markers of one company"
        standing.update(here)
    for company, number in standing.items():
        if choosing(state) or company not in title.companies:
            continue
        starting = state.companies[company].status == "unstarted"
        assert number <= max(starting, title.policies.markers(title, state, company)), (company, number)


def choosing(state: State) -> bool:
    """True if it is being settled which of a company's markers stay."""
    return any(type(frame).__name__ in ("MarkerChoice", "MarkersOver") for frame in state.agenda)
