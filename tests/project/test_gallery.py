"""The gallery shows every title at its start, in the middle and at its end, and its page names every picture."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import engine
from tools.gallery import CAPTIONS, PAGE, page


@pytest.fixture
def gallery(checkout: Path) -> Path:
    return checkout / "docs" / "gallery"


def test_the_page_names_every_picture(gallery: Path) -> None:
    written = (gallery / PAGE).read_text(encoding="utf-8")
    assert written == page()
    named = re.findall(r"\]\(([^)]+)\)", written)
    assert sorted(named) == sorted(path.name for path in gallery.glob("*.png"))


@pytest.mark.parametrize("name", engine.title_names())
def test_every_title_is_shown_from_start_to_end(gallery: Path, name: str) -> None:
    shown = {f"{kind}-{when}" for kind in ("map", "chart") for when in ("start", "middle", "end")}
    shown |= {"tiles", "runs", "telephone-map", "telephone-chart", "worth", "prices"}
    assert {path.stem.removeprefix(f"{name}-") for path in gallery.glob(f"{name}-*.png")} == shown == set(CAPTIONS)


def test_the_page_goes_from_start_to_end(gallery: Path) -> None:
    part = (gallery / PAGE).read_text(encoding="utf-8").split("\n## ")[1]
    places = [part.index(f"-map-{when}.png") for when in ("start", "middle", "end")]
    assert places == sorted(places)


def test_the_pictures_are_small(gallery: Path) -> None:
    sizes = [path.stat().st_size for path in gallery.iterdir()]
    assert max(sizes) < 150_000
    assert sum(sizes) < 3_000_000
