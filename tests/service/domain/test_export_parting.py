"""A game that 18xx.games would record without telling all of it: the refusal says in which round."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.events import RoundBegan
from engine.core.orders import Pay
from moderator.domain.records import export_18xx
from moderator.domain.records.export_18xx import NotExported, export_game
from moderator.domain.records.import_18xx import Import, read_game
from tests.service.domain.test_export_18xx import play


def test_a_game_that_is_read_otherwise_is_refused_with_the_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """A company pays its shareholders, and is read as if it had kept all."""
    game = play("1841", "v2", 3, 3, ())
    paid = next(n for n, order in enumerate(game.orders) if isinstance(order, Pay) and order.kind == "full")
    game.undo(paid + 1)
    began = [e.round for n in range(1, paid + 2) for e in game.events(n) if isinstance(e, RoundBegan)]

    def otherwise(name: str, data: Any) -> Import:
        next(a for a in data["actions"] if a["type"] == "dividend" and a["kind"] == "payout")["kind"] = "withhold"
        return read_game(name, data)

    monkeypatch.setattr(export_18xx, "read_game", otherwise)
    with pytest.raises(NotExported) as refused:
        export_game(game)
    assert str(refused.value).endswith(f"its actions do not tell all that happens in {began[-1]}")
