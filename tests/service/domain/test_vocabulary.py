"""The names of a game for the notation, as its title has them."""

from __future__ import annotations

from dataclasses import replace

import pytest

import grammar
from engine import editions, load_title
from engine.board.map import Face, Stop, Tile
from engine.core.data import PrivateData
from engine.core.ids import PrivateId, TileId
from engine.core.orders import UsePrivate
from moderator.domain.vocabulary import turns_alike, vocabulary
from tests.kit.notation.notation_1841 import ITALIAN
from tests.kit.notation.notation_1844 import SWISS


@pytest.mark.parametrize(("name", "edition"), [(name, e) for name in ("1861", "1844", "1841") for e in editions(name)])
def test_every_name_of_the_title_is_read(name: str, edition: str) -> None:
    title = load_title(name, edition)
    names = vocabulary(title, ("Ann", "Bob"))
    forms = {
        "private": "bid 25 on {}",
        "mountain": "buy {} in H7 with panel 10/20/50/80",
        "tunnel": "buy {}",
        "concession": "buy {}",
    }
    text = "\n".join(
        [
            *(f"buy {word}" for c in title.companies.values() for word in (c.id, *c.synonyms)),
            *(forms[p.kind].format(word) for p in title.privates.values() for word in (p.id, *_words(p))),
            *(f"lay {tile} {hex} 0" for tile in names.tiles for hex in sorted(names.hexes)[:2]),
            *(f"token {hex}" for hex in title.map.hexes),
            *(f"discard {train}" for train in title.trains),
        ]
    )
    reading = grammar.read(text, names, default_actor="Ann")
    assert reading.errors == ()
    assert len(reading.orders) == text.count("\n") + 1


def _words(private: PrivateData) -> tuple[str, ...]:
    """The synonyms of a private, those of a concession after that word."""
    if private.kind != "concession":
        return private.synonyms
    return tuple(f"concession {word.removeprefix('concession ')}" for word in private.synonyms)


def test_the_minor_of_yuzovka_has_two_names() -> None:
    for edition, printed in (("v2.0", "D"), ("2020", "Y")):
        reading = grammar.read("buy D; buy Y", vocabulary(load_title("1861", edition)), default_actor="Ann")
        assert [grammar.write(order) for order in reading.orders] == [f"buy {printed}"] * 2


def test_one_for_each_title_and_players() -> None:
    title = load_title("1861")
    assert vocabulary(title, ["Ann"]) is vocabulary(title, ("Ann",))
    assert vocabulary(title, ("Ann",)) is not vocabulary(title, ("Bob",))


def test_players_are_not_called_like_companies() -> None:
    with pytest.raises(ValueError, match="cannot be told apart"):
        vocabulary(load_title("1861"), ("Ann", "kb"))


@pytest.mark.parametrize(
    ("name", "several"),
    [
        ("1861", {"25", "635", "637"}),  # two curves into one edge, and the cities of Kiev and Moscow
        ("1844", {"25"}),
    ],
)
def test_exits_find_the_turn_of_every_tile(name: str, several: set[str]) -> None:
    """Whatever way a tile lies, its exits lead back to a turn that looks the same, or to the question which one."""
    title = load_title(name)
    names = vocabulary(title)
    hex = min(names.hexes)
    asked = []
    for tile in names.tiles:
        for rotation in range(6):
            face = title.map.tiles[TileId(tile)].face.turned(rotation)
            points = ",".join(names.edges[edge] for edge in sorted(face.exits))
            reading = grammar.read(f"lay {tile} {hex} exits {points}", names, default_actor="Ann")
            if reading.errors:
                assert reading.errors[0].reason == "turns"
                asked.append(tile)
            else:
                assert (reading.orders[0].rotation - rotation) % names.turns[tile] == 0  # type: ignore[union-attr]
    assert set(asked) == several


def face(*paths: tuple[tuple[str, int], tuple[str, int]], cities: int = 0) -> Face:
    return Face("yellow", cities=(Stop("city", 20, 1),) * cities, paths=paths)


def test_turns_after_which_a_tile_looks_the_same() -> None:
    straight = face((("e", 0), ("e", 3)))
    curve = face((("e", 0), ("e", 2)))
    crossing = face((("e", 0), ("e", 3)), (("e", 1), ("e", 4)))
    city = face((("e", 0), ("c", 0)), (("e", 3), ("c", 0)), cities=1)
    pair = face((("e", 0), ("c", 0)), (("e", 3), ("c", 1)), cities=2)
    every = face(*((("e", n), ("c", 0)) for n in range(6)), cities=1)
    assert [turns_alike(f) for f in (straight, curve, crossing, city, pair, every)] == [3, 6, 3, 3, 3, 1]


def test_the_names_that_tests_of_the_notation_use() -> None:
    names = vocabulary(load_title("1844"), SWISS.players)
    for field in ("players", "companies", "privates", "mountains", "tunnels", "kinds", "trains", "panels", "edges"):
        same = sorted(getattr(names, field)) == sorted(getattr(SWISS, field))
        assert same and type(getattr(names, field)) is type(getattr(SWISS, field)), field
    assert {**names.tiles, **SWISS.tiles} == names.tiles
    assert names.panels == SWISS.panels and names.edges == SWISS.edges


def test_the_names_of_1841_that_tests_of_the_notation_use() -> None:
    names = vocabulary(load_title("1841"), ITALIAN.players)
    for field in ("players", "privates", "concessions", "trains", "edges", "pool", "currency"):
        assert getattr(names, field) == getattr(ITALIAN, field), field
    for field in ("companies", "kinds", "tiles"):
        assert {**getattr(names, field), **getattr(ITALIAN, field)} == getattr(names, field), field
    assert ITALIAN.hexes <= names.hexes


def test_titles_are_compared_by_what_they_are() -> None:
    assert vocabulary(load_title("1861")) is not vocabulary(load_title("1861", "2020"))


def test_what_is_laid_over_a_hex_is_no_tile_to_lay() -> None:
    """A piece with incomes is a panel, called by them in the order of the phases; other pieces have no name."""
    title = load_title("1861")
    incomes = {"gray": 40, "brown": 30, "green": 20, "yellow": 10}
    pieces = {
        TileId("X1"): Tile(TileId("X1"), Face("gray", offboards=(Stop("offboard", incomes),)), 2, overlay=True),
        TileId("X2"): Tile(TileId("X2"), face((("e", 0), ("e", 2))), 5, overlay=True),
    }
    names = vocabulary(replace(title, map=replace(title.map, tiles={**title.map.tiles, **pieces})))
    assert names.panels == {"X1": (10, 20, 30, 40)}
    assert names.incomes("X1") == "10/20/30/40"
    assert not {"X1", "X2"} & set(names.tiles)


def test_privates_by_what_is_ordered_with_them() -> None:
    title = load_title("1861")
    sorts = {"P": "private", "M": "mountain", "T": "tunnel"}
    privates = {PrivateId(p): PrivateData(PrivateId(p), p, 0, 0, 0, kind=kind) for p, kind in sorts.items()}
    names = vocabulary(replace(title, privates=privates))
    assert [tuple(group) for group in (names.privates, names.mountains, names.tunnels)] == [("P",), ("M",), ("T",)]


def test_a_private_has_names_unless_a_player_is_called_so() -> None:
    title = load_title("1844")
    reading = grammar.read("use eva for SBB; use Furka", vocabulary(title, ("Ann",)), default_actor="Ann")
    assert [order.private for order in reading.orders if isinstance(order, UsePrivate)] == ["P7", "P4"]
    names = vocabulary(title, ("Ann", "Eva"))
    assert names.privates["P7"] == ("Oerlikon",) and names.privates["P4"] == ("Furka",)
