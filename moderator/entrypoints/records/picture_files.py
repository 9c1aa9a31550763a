"""The position of a game as files: its map, its price chart and the tiles that are left."""

from __future__ import annotations

from pathlib import Path

from engine import Game
from moderator.adapters.png import png
from moderator.domain.pictures import Kind, Picture
from moderator.render.pictures import drawn

_KINDS: tuple[Kind, ...] = ("map", "chart", "tiles")


def pictures_in(folder: Path) -> list[Path]:
    """Paths of the files that ``write_pictures`` writes."""
    return [folder / f"{kind}.png" for kind in _KINDS]


def write_pictures(game: Game, folder: Path) -> list[Path]:
    """Write ``map.png``, ``chart.png`` and ``tiles.png`` into ``folder``, which is created if it is missing. Returns
    their paths. Raises ``OSError`` if they cannot be written."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = pictures_in(folder)
    for kind, path in zip(_KINDS, paths, strict=True):
        shown = drawn(game, Picture(kind, kind, 0, ""))
        path.write_bytes(png(shown.svg, width=shown.width))
    return paths
