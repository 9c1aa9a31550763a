"""Documents as PDF, set by Typst with the shipped font. Equal documents give equal bytes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import typst

from moderator.adapters.png import FONTS

MAIN: Final = "main.typ"


def pdf(files: Mapping[str, str]) -> bytes:
    """The PDF of a document. ``files`` maps names to texts: ``main.typ`` is the document, and it reads the others.
    Raises ``ValueError`` with the message of Typst if it is no document."""
    found = _compiled(files, "pdf")
    assert isinstance(found, bytes)
    return found


def pages(files: Mapping[str, str], dots: float = 72) -> list[bytes]:
    """The pages of a document of such ``files`` as PNG, with ``dots`` per inch."""
    found = _compiled(files, "png", dots)
    return found if isinstance(found, list) else [found]


def _compiled(files: Mapping[str, str], form: str, dots: float = 72) -> bytes | list[bytes]:
    with TemporaryDirectory(prefix="railpost-") as folder:
        for name, text in files.items():
            Path(folder, name).write_text(text, encoding="utf-8")
        try:
            found: bytes | list[bytes] | None = typst.compile(
                Path(folder, MAIN),
                root=Path(folder),
                font_paths=[FONTS[0].parent],
                ignore_system_fonts=True,
                format=form,  # type: ignore[call-overload]
                ppi=dots,
                timestamp=0,
            )
        except typst.TypstError as error:
            raise ValueError(f"not a document: {error.message}") from error
    assert found is not None
    return found
