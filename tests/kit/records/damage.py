"""Records that somebody has spoiled, or that have odd names in them: each with how far it can be played, and what is
said of the place where that ends."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

import engine
from engine.core.ids import HexId, TileId
from engine.robots import sensible
from moderator.domain.records.adopted_position import write_adopted
from moderator.domain.records.record import write_record

HEAD: Final = '[Title "1861"]\n[Edition "v2.0"]\n[Seat1 "Ann"]\n[Seat2 "Bob"]\n[Seat3 "Cat"]\n[Priority "Ann"]\n'
BODY: Final = "\nAnn: open TSR 20\nBob: bid 25\nCat: drop\nAnn: drop\n"
ODD_NAMES: Final = (
    "<b>Ann</b>", "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "</title></script>", "A&amp B'\"",
    "عمر بن زيد", "דנה-12", "🚂 Lok", "👩\u200d👩\u200d👧", "한국철도", "=1+1", "#import $x$ *b* _e_", "@ann `x` \\",
    "{{ 7 * 7 }}", "Zoë e\u0301",
)  # fmt: skip
"""Names of players as somebody may have chosen them."""


@dataclass(frozen=True)
class Spoiled:
    """``orders``: so many are played; None for a file of which not even the game can be told. ``said``: all of it is in
    what is said of the place; empty where nothing is at fault."""

    name: str
    make: str | Callable[[], str]
    orders: int | None
    said: tuple[str, ...] = ()

    def write(self, folder: Path) -> Path:
        """The file in ``folder``."""
        text = self.make if isinstance(self.make, str) else self.make()
        path = folder / ("spoiled.json" if self.name.startswith("site") else "spoiled.txt")
        path.write_text(text, encoding="utf-8")
        return path


_BID_OF_21 = {"type": "bid", "company": "TSR", "price": 21}


def played(players: tuple[str, ...] = ("Ann", "Bob", "Cat"), orders: int = 60, facts: str = "") -> engine.Game:
    """A game of 1861 between robots."""
    title = engine.load_title("1861", "v2.0", {}, facts)
    game = engine.Game.start(title, engine.Setup(players, "a seed", players[0]))
    while len(game.orders) < orders:
        game.submit(sensible(game, game.asked()[0]))
    return game


def _tag(tag: str) -> str:
    return f"{HEAD}{tag}\n{BODY}"


def _site(*actions: Mapping[str, Any], names: tuple[str, ...] = ("Ann", "Bob", "Cat"), **more: Any) -> str:
    """A game of 1861 as 18xx.games exports one, with a good bid before ``actions``."""
    players = [{"id": number, "name": name} for number, name in enumerate(names, 1)]
    first = {"type": "bid", "entity": 1, "entity_type": "player", "id": 1, "company": "TSR", "price": 20}
    said = [first, *({"entity": 2, "entity_type": "player", "id": n, **a} for n, a in enumerate(actions, 2))]
    return json.dumps({"title": "1861", "players": players, "actions": said, "status": "active", **more})


@cache
def _good() -> engine.Game:
    return played(orders=40)


def _facts(otherwise: Mapping[str, Any]) -> str:
    """A record of a game with own facts, in which a company is described otherwise."""
    data = json.loads(engine.export_facts(engine.load_title("1861", "v2.0")))
    next(company for company in data["companies"] if company["sym"] == "N").update(otherwise)
    return write_record(played(facts=json.dumps(data)), {}, sealed=False)


def _off_the_map() -> str:
    """A record with a position that counts as it was told, on whose map a tile lies off the map."""
    game = _good()
    tiles = {**game.state.board.tiles, HexId("Z99"): (TileId("57"), 0)}
    odd = replace(game.state, board=replace(game.state.board, tiles=tiles))
    data = base64.b64encode(write_adopted(game.title, odd)).decode()
    return write_record(game, {}, sealed=False).replace("[Result", f'[Adopted.40 "{data}"]\n[Result', 1)


def _unreadable_position() -> str:
    data = base64.b64encode(zlib.compress(b"{}")).decode()
    return write_record(_good(), {}, sealed=False).replace("[Result", f'[Adopted.30 "{data}"]\n[Result', 1)


def spoiled() -> tuple[Spoiled, ...]:
    """All of them."""
    described: list[dict[str, Any]] = [
        {"color": ""}, {"color": "none"}, {"color": '"/><script>x</script>', "text_color": "url(x)"},
        {"name": "<b>N</b> & Rail"},
    ]  # fmt: skip
    facts = [(f"company with {one}", partial(_facts, one)) for one in described]
    return (
        Spoiled("unknown tag", _tag('[Weather "<i>fine</i>"]'), 4),
        Spoiled("unknown option", _tag('[Option.moon "full"]'), 0, ("spoiled.txt:7:1", "no option 'moon'")),
        Spoiled("no tag at all", BODY, None, ("spoiled.txt:1:1", "no tag Title")),
        Spoiled("tag that is none", _tag("[Event a game]"), 0, ("spoiled.txt:7:1", "not a tag")),
        Spoiled("empty file", "", None, ("spoiled.txt:1:1", "no tag Title")),
        Spoiled("no orders", HEAD, 0),
        Spoiled("other engine", _tag('[Engine "99.0.0"]'), 4),
        Spoiled("other rules", _tag('[Rules "99"]'), 4),
        Spoiled("other rules, then illegal", _tag('[Rules "99"]') + "Ann: bid 1000\n", 4, (":13:", "version 99")),
        Spoiled("broken word", f"{HEAD}{BODY}Cat: opem BSS 30\nCat: pass\n", 4, ("spoiled.txt:12:", "perhaps `open`")),
        Spoiled("broken in the first order", f"{HEAD}\nAnn: opem TSR 20\n", 0, ("spoiled.txt:8:", "perhaps `open`")),
        Spoiled("illegal", f"{HEAD}{BODY}Cat: open BSS 1000\n", 4, ("spoiled.txt:12:", "1861 v2.0")),
        Spoiled("another's turn", f"{HEAD}{BODY}Bob: open BSS 30\n", 4, ("spoiled.txt:12:", "is illegal")),
        Spoiled("unknown actor", f"{HEAD}{BODY}<b>Dan</b>: open BSS 30\n", 4, ("spoiled.txt:12:",)),
        Spoiled("tile off the map", f"{HEAD}{BODY}NW: lay 57 Z99 0\n", 4, ("spoiled.txt:12:", "Z99")),
        Spoiled("unknown tile", f"{HEAD}{BODY}NW: lay 5777 H8 0\n", 4, ("spoiled.txt:12:", "5777")),
        Spoiled("position off the map", _off_the_map, 39, ("after order 40", "a hex Z99")),
        Spoiled("position of nothing", _unreadable_position, 29, ("spoiled.txt:", "after order 30")),
        Spoiled("name with a semicolon", HEAD.replace("Bob", "B&amp;b") + BODY, None, (":3:1", "cannot be a name")),
        Spoiled("name like a tag", HEAD.replace("Ann", "[Ann]") + BODY, 0, ("spoiled.txt:8:", "[Ann]")),
        Spoiled("name of the game", _tag('[Game "../../<script>x</script>"]'), 4),
        *(Spoiled(name, text, 60) for name, text in facts),
        Spoiled("site: good", _site(weather="<i>fine</i>"), 1),
        Spoiled("site: illegal", _site(_BID_OF_21), 1, ("action 2 (id 2, bid", "Bob: bid 21 on TSR is illegal")),
        Spoiled("site: unknown action", _site({"type": "dance<b>"}), 1, ("action 2 (id 2, dance",)),
        Spoiled("site: off the map", _site({"type": "lay_tile", "hex": "Z99", "tile": "57-0"}), 1, ("action 2",)),
        Spoiled("site: no company", _site({"type": "bid", "company": "XYZ", "price": 25}), 1, ("action 2",)),
        Spoiled("site: no title", '{"players": [], "actions": []}', None, ("spoiled.json", "no title")),
        Spoiled("site: cut off", _site()[:-20], None, ("spoiled.json",)),
    )  # fmt: skip


def with_names() -> tuple[tuple[str, ...], ...]:
    """Odd names in threes, the last three with one that is counted twice."""
    every = (*ODD_NAMES, *ODD_NAMES[: -len(ODD_NAMES) % 3])
    return tuple(every[n : n + 3] for n in range(0, len(every), 3))
