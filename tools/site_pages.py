"""The pages at the top of the checkout as pages of the site (a hook of MkDocs, which mkdocs.yml names).

README.md is the first page. Links are those that lead from file to file in the checkout; on the site all pages stand
side by side, so ``docs/`` and ``../`` go.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

CHECKOUT = Path(__file__).resolve().parents[1]
TOP = {"README.md": "index.md", **{name: name for name in ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")}}
"""A page at the top of the checkout -> its name on the site."""
_LINK = re.compile(r"(\]\()(docs/|(?:\.\./)+)?([^)\s#:]+)")

_FENCE = re.compile(r"^(```[a-z]+) \d+$", re.MULTILINE)
"""The head of a block of orders of a title; with a number in it MkDocs takes it for text."""


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    from mkdocs.structure.files import File

    for name, here in TOP.items():
        text = (CHECKOUT / name).read_text(encoding="utf-8")
        files.append(File.generated(config, here, content=as_on_site(text)))
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    return markdown if page.file.src_uri in TOP.values() else as_on_site(markdown)


def as_on_site(text: str) -> str:
    """``text`` with the links that the site has, and without the title in the head of a block of orders."""

    def link(found: re.Match[str]) -> str:
        start, folder, target = found.groups()
        if folder == "docs/":
            return f"{start}{target}"
        if target in TOP:
            return f"{start}{TOP[target]}"
        return found[0]

    return _FENCE.sub(r"\1", _LINK.sub(link, text))
