"""docs/library.md: everything that it shows is carried out, in its order."""

from __future__ import annotations

import re
from typing import Any

from tests.kit.checkout import CHECKOUT

PAGE = CHECKOUT / "docs" / "library.md"


def test_the_page_can_be_followed_from_top_to_bottom() -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) == 19
    names: dict[str, Any] = {}
    for block in blocks:
        exec(block, names)
    assert (names["same"].state, names["read"][0].actor) == (names["record"].state, "Ann")
    assert len(names["game"].orders) == 100
    assert {order.actor for order in names["game"].orders} >= {"Ann", "Bob", "Cat"}


def test_no_example_in_python_stands_where_none_is_run() -> None:
    """The other pages show listings; the README's example has a test of its own (``test_pages``)."""
    others = [page for page in CHECKOUT.glob("**/*.md") if page != PAGE and ".venv" not in page.parts]
    assert [page.name for page in others if "```python" in page.read_text(encoding="utf-8")] == []
