"""The invitation in a game that began in the middle of an operating round, whose beginning it does not have."""

from __future__ import annotations

import engine
from moderator.domain.ahead.invitation import invitation
from moderator.domain.vocabulary import vocabulary
from tests.kit.games.situations_1844 import situation, swiss


def test_a_company_that_has_operated_is_not_said_to_operate_later() -> None:
    """VZ operates now, MOB and AB have yet to; JN, which Bob directs, too, has had its turn."""
    rows = (
        swiss("VZ", {"Bob": 5}, "r3c9"), swiss("MOB", {"Bob": 5}, trains="3H", markers="I6"),
        swiss("JN", {"Bob": 5}, trains="3H"), swiss("AB", {"Cat": 5}, "r3c8"),
    )  # fmt: skip
    position = situation(*rows, edition="18xx.games", phase="3", tiles={"I6": "57#1", "K10": "57#0"}).operating(
        "VZ", "MOB", "AB"
    )
    game = engine.Game(position.title, engine.Setup(position.state.players), position.state)
    assert game.asked()[0].actor == "VZ"
    found = invitation(game, vocabulary(game.title), "Bob")
    assert found is not None
    assert [company for _, company in found.companies] == ["MOB"]
