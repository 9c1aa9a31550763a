"""The site of pages: `make docs` builds it, with every page, the public names of `engine`, and no link that leads
nowhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

import engine
from tools.site_pages import as_on_site


def build(config: Path, target: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mkdocs", "build", "--config-file", config, "--site-dir", target]
    env = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    return subprocess.run(list(map(str, command)), env=env, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def site(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("site")
    done = build(checkout / "mkdocs.yml", target)
    assert done.returncode == 0, done.stderr
    return target


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, str]:
    return {path.relative_to(site).as_posix(): path.read_text(encoding="utf-8") for path in site.rglob("*.html")}


def listed(nav: list[Any]) -> list[str]:
    """The pages of a navigation, in its order."""
    found: list[str] = []
    for entry in nav:
        for target in entry.values():
            found += listed(target) if isinstance(target, list) else [target]
    return found


def test_every_page_is_in_the_navigation(checkout: Path, pages: dict[str, str]) -> None:
    nav = listed(yaml.safe_load((checkout / "mkdocs.yml").read_text(encoding="utf-8"))["nav"])
    assert len(nav) == len(set(nav))
    beside = {"CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "index.md"}
    assert set(nav) == beside | {
        path.relative_to(checkout / "docs").as_posix() for path in checkout.glob("docs/**/*.md")
    }
    first = pages["index.html"]
    for name in nav:
        here = name.replace("README.md", "index.html").replace(".md", ".html")
        assert here in pages
        assert f'href="{here}"' in first or here == "index.html" or f'href="{here.removesuffix("index.html")}' in first


def test_every_public_name_of_the_engine_is_on_its_page(pages: dict[str, str]) -> None:
    anchors = set(re.findall(r'id="(engine\.[\w.]+)"', pages["api.html"]))
    assert {f"engine.{name}" for name in engine.__all__} <= anchors
    assert {"engine.Game.submit", "engine.orders.Bid", "engine.Setup.players"} <= anchors
    assert "Carry out <code>order</code> and return its events" in pages["api.html"]


def test_tables_and_orders_are_set_as_such(pages: dict[str, str]) -> None:
    assert pages["operating.html"].count("<table>") > 5
    shown = pages["notation.html"]
    assert 'id="1863-london-underground"' in shown
    assert "```" not in shown


def test_a_page_fetches_nothing_from_elsewhere(pages: dict[str, str]) -> None:
    for name, text in pages.items():
        fetched = re.findall(r"<(?:script|img|iframe|source)\b[^>]*\bsrc=[\"']?([^\"'\s>]+)", text)
        fetched += re.findall(
            r"<link\b[^>]*\brel=[\"']?(?:stylesheet|preconnect|icon)[^>]*\bhref=[\"']?([^\"'\s>]+)", text
        )
        assert fetched, name
        assert [address for address in fetched if re.match(r"(\w+:)?//", address)] == [], name


def test_a_link_that_leads_nowhere_stops_the_build(checkout: Path, tmp_path: Path) -> None:
    config = yaml.safe_load((checkout / "mkdocs.yml").read_text(encoding="utf-8"))
    small = {**config, "nav": [{"First": "index.md"}], "hooks": [], "plugins": ["search"], "docs_dir": "pages"}
    (tmp_path / "mkdocs.yml").write_text(yaml.safe_dump(small), encoding="utf-8")
    (tmp_path / "pages").mkdir()
    page = tmp_path / "pages" / "index.md"
    for text, found in (("# A\n\n[a](#a)\n", 0), ("# A\n\n[a](b.md)\n", 1), ("# A\n\n[a](#b)\n", 1)):
        page.write_text(text, encoding="utf-8")
        assert build(tmp_path / "mkdocs.yml", tmp_path / "out").returncode == found, text


def test_links_of_the_checkout_become_links_of_the_site() -> None:
    text = "[a](docs/b.md#c) [d](../CHANGELOG.md) [e](README.md) [f](g.md) `docs/b.md`"
    assert as_on_site(text) == "[a](b.md#c) [d](CHANGELOG.md) [e](index.md) [f](g.md) `docs/b.md`"
    assert as_on_site("```orders 1844\npass\n```\n") == "```orders\npass\n```\n"
