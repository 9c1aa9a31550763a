"""docs/library.md: everything that it shows is carried out, in its order."""

from __future__ import annotations

import re
from typing import Any

from tests.kit.checkout import CHECKOUT

PAGE = CHECKOUT / "docs" / "library.md"


def test_the_page_can_be_followed_from_top_to_bottom() -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) == 11
    names: dict[str, Any] = {}
    for block in blocks:
        exec(block, names)
    assert (names["same"].state, names["orders"][0].actor) == (names["record"].state, "Ann")
    assert names["game"].finished or len(names["game"].orders) > 50
