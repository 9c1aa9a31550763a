"""The files of a volume: its page, its positions, its record."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from itertools import groupby
from typing import Any, Final

from engine.core.events import Event
from engine.core.game import Game
from engine.core.state import Round, State
from engine.core.title import Title
from engine.positions import write_position
from engine.svg import Moment
from engine.svg.marks import changed_hexes
from grammar import write
from moderator.archive.pieces import PICTURES, Pieces, layers_of
from moderator.archive.rounds import Rounds, graphs_of
from moderator.archive.timeline import Timeline
from moderator.archive.volume import Volume
from moderator.domain.tenures import Stay
from moderator.domain.vocabulary import vocabulary
from moderator.render.desk_link import desk_link
from moderator.render.tenures import stay_words
from moderator.words.clauses import clauses
from moderator.words.texts import Words, words

FORM: Final = 3
"""Version of the format of the files. A page of another version is written anew when its game changes."""
_CALL, _END = b"railpost(", b");\n"
STEPS: Final = "steps.json"
"""The file from which a later build goes on; no page loads it."""
POSITIONS: Final = "positions.js"
"""The file with the positions as text, which a page loads only when one of them is to be tried on the desk."""
ROOT: Final = "../../"
"""Path from the folder of a volume to that of the site."""


@dataclass(frozen=True, slots=True)
class Written:
    """An order in words: its actor, its text in the notation of orders, its consequences, and the hexes that it
    changed."""

    number: int
    round: Round
    actor: str
    text: str
    told: tuple[str, ...]
    hexes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Chapter:
    """The orders of one round."""

    round: Round
    orders: tuple[Written, ...]


@dataclass(frozen=True, slots=True)
class Earlier:
    """An earlier state of a volume: its ``base`` and ``marks``, its orders in words, its rounds, its positions.
    ``texts``: the same positions as text, if they are kept."""

    base: str
    marks: list[int]
    orders: list[Written]
    rounds: list[Any]
    data: Mapping[str, Any]
    texts: list[str] = field(default_factory=list[str])

    def common(self, volume: Volume) -> int:
        """The number of orders, counted from the start, that ``volume`` has in common with it."""
        if self.base != volume.base or not volume.base or (volume.desk and not self.texts):
            return 0
        pairs = zip(self.marks, volume.marks, strict=False)
        return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(self.marks), len(volume.marks)))


@dataclass(slots=True)
class Shown:
    """A volume ready to be shown: everything that its page is made of."""

    pieces: Pieces
    timeline: Timeline = field(default_factory=Timeline)
    orders: list[Written] = field(default_factory=list)
    rounds: Rounds = field(default_factory=Rounds)
    moments: list[Moment] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)


@lru_cache(maxsize=8)
def asset(name: str) -> tuple[str, bytes]:
    """The path under which pages load a script or a style, and its contents. The name has a digest of the contents, so
    that a page always loads what it was built with."""
    content = (files("moderator.archive") / "assets" / name).read_bytes()
    stem, _, kind = name.partition(".")
    return f"assets/{stem}-{hashlib.sha256(content).hexdigest()[:12]}.{kind}", content


def show(volume: Volume, own: Words, earlier: Earlier | None = None) -> Shown:
    """Every position of a volume in parts, and every order in words. What ``earlier`` has in common is taken from
    there."""
    shown = Shown(Pieces(own, volume.game.title))
    names = vocabulary(volume.game.title, volume.game.state.players)
    known = 0 if earlier is None else earlier.common(volume)
    if earlier is not None and known:
        shown.timeline, shown.orders = Timeline.of_data(earlier.data, known), earlier.orders[:known]
        shown.rounds = Rounds.of_data(earlier.rounds, known)
        shown.texts = earlier.texts[: known + 1] if volume.desk else []
        shown.pieces.of_start(volume.game.state)  # to get the frames of its pictures
    else:
        known = 0
        shown.timeline.add(0, shown.pieces.of_start(volume.game.at(0)))
        shown.texts = [_text(volume, volume.game.at(0))] if volume.desk else []
    title, begun = volume.game.title, volume.game.at(shown.rounds.begun)
    for step in volume.steps(known):
        told = _told(own, volume, step.events)
        text = write(step.order, names)
        hexes = tuple(sorted(changed_hexes(step.before.board, step.after.board)))
        shown.orders.append(Written(step.number, step.before.round, str(step.order.actor), text, told, hexes))
        shown.timeline.add(step.number, shown.pieces.of_step(step))
        begun = shown.rounds.add(title, begun, step)
        if volume.desk:
            shown.texts.append(_text(volume, step.after))
    shown.moments = shown.rounds.moments(title, begun, volume.game.state)
    return shown


def _text(volume: Volume, state: State) -> str:
    """A position as everybody may see it, for the desk."""
    return write_position(Game.resume(volume.game.title, volume.game.setup, (), state))


def _told(own: Words, volume: Volume, events: tuple[Event, ...]) -> tuple[str, ...]:
    return tuple(text for text, _ in clauses(own, volume.game.title, events, None))


def files_of(volume: Volume, earlier: Earlier | None = None) -> dict[str, bytes]:
    """The files of a volume, by their names in its folder. ``earlier`` is the state that is there already."""
    own = words("en")
    shown = show(volume, own, earlier)
    return {
        **({STEPS: _steps(volume, shown)} if volume.marks else {}),
        "index.html": _page(own, volume, shown).encode(),
        "game.js": _data(shown),
        **({POSITIONS: _script(b"railpostPositions(", shown.texts)} if shown.texts else {}),
        "record.txt": volume.record.encode(),
    }


def earlier_of(files: Mapping[str, bytes]) -> Earlier | None:
    """The state that files of a volume keep for a later build; None if they have another format or cannot be read."""
    try:
        steps = json.loads(files[STEPS])
        data = json.loads(files["game.js"].removeprefix(_CALL).removesuffix(_END))
        if (steps["form"], data["form"]) != (FORM, FORM):
            return None
        orders = [
            Written(number, Round(*round), actor, text, tuple(told), tuple(hexes))
            for number, (round, actor, text, told, hexes) in enumerate(steps["orders"], 1)
        ]
        texts = json.loads(files.get(POSITIONS, b"([]);").partition(b"(")[2].removesuffix(_END).removesuffix(b");"))
        return Earlier(steps["base"], steps["marks"], orders, steps["rounds"], data, texts)
    except (KeyError, TypeError, ValueError):
        return None


def _steps(volume: Volume, shown: Shown) -> bytes:
    orders = [[[o.round.kind, o.round.set, o.round.number], o.actor, o.text, o.told, o.hexes] for o in shown.orders]
    rounds = shown.rounds.as_data()
    steps = {"form": FORM, "base": volume.base, "marks": volume.marks, "orders": orders, "rounds": rounds}
    return json.dumps(steps, ensure_ascii=False, separators=(",", ":")).encode()


def facts_of(volume: Volume) -> dict[str, Any]:
    """The row of a volume in the index."""
    game, title = volume.game, volume.game.title
    edition = words("en").word(f"editions.{title.edition}", title.edition, title.name)
    return {
        "name": volume.name,
        "title": title.name,
        "full_title": title.full_name,
        "edition": title.edition,
        "edition_name": edition,
        "players": [str(player) for player in game.setup.players],
        "standings": [[str(player), wealth] for player, wealth in game.standings()],
        "orders": len(game.orders),
        "status": volume.status,
        "begun": volume.begun,
        "ended": volume.ended,
    }


def _page(own: Words, volume: Volume, shown: Shown) -> str:
    game = volume.game
    parts = shown.timeline.last()
    chapters = [Chapter(round, tuple(orders)) for round, orders in groupby(shown.orders, lambda o: o.round)]
    pictures = {
        name: {"box": parts[f"{name}.box"], "layers": layers_of(name, shown.pieces.frames[name], parts)}
        for name in PICTURES
    }
    return own.page(
        "archive_game",
        subject=f"{volume.name}: {game.title.full_name}",
        root=ROOT,
        style=asset("archive.css")[0],
        script=asset("game.js")[0],
        data="game.js",
        desk=desk_link(volume.desk, shown.texts[-1]) if shown.texts else "",
        positions=POSITIONS,
        title=game.title,
        state=game.state,
        game={**facts_of(volume), "seat": volume.seat, "fault": volume.fault, "over": _over(volume),
              "file": f"{volume.name}.txt"},
        parts=parts,
        pictures=pictures,
        graphs=graphs_of(own, shown.moments),
        spots=_spots(game.title),
        standings=game.standings(),
        persons=volume.persons,
        seats={player: _seat(stays) for player, stays in volume.stays.items()},
        press=volume.press,
        opening=_told(own, volume, game.opening),
        chapters=chapters,
    )  # fmt: skip


def _spots(title: Title) -> dict[str, list[tuple[str, str]]]:
    """The companies and hexes that orders can be found by, each with its name."""
    return {
        "companies": [(company.id, company.name) for company in title.companies.values()],
        "hexes": [(hex.id, hex.name) for hex in title.map.hexes.values()],
    }


def _seat(stays: tuple[Stay, ...]) -> dict[str, Any]:
    """The time that a seat has used, how often the table waited for it and, if it has had several persons, each of
    them."""
    told = [(stay_words(stay), stay.used) for stay in stays] if len(stays) > 1 else []
    return {"used": sum(stay.used for stay in stays), "waits": sum(stay.waits for stay in stays), "stays": told}


def _over(volume: Volume) -> bool:
    return volume.game.finished or volume.status in ("finished", "ended")


def _data(shown: Shown) -> bytes:
    """The positions as a script, because pages that are opened from a folder can load only scripts."""
    rounds = shown.rounds.spans(shown.moments)
    data: Mapping[str, Any] = {"form": FORM, "orders": len(shown.orders), "rounds": rounds, **shown.timeline.as_data()}
    return _script(_CALL, data)


def _script(call: bytes, data: Any) -> bytes:
    return call + json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode() + _END
