"""The round under way, as the game remembers it: perhaps it began in the middle of an operating round, whose beginning
it does not have."""

from __future__ import annotations

import engine
from engine.core.events import Event, RoundBegan
from moderator.domain.ahead.invitation import invitation
from moderator.domain.rounds import round_so_far
from moderator.domain.vocabulary import vocabulary
from tests.kit.games.kept_games import plain
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
    found = invitation(game, vocabulary(game.title, game.state.players), "Bob")
    assert found is not None
    assert [company for _, company in found.companies] == ["MOB"]


def newest_round(game: engine.Game) -> tuple[Event, ...] | None:
    """The same in the plainest way: all events of the last 200 orders, from the last beginning of a round on."""
    found: list[Event] | None = None
    for number in range(max(0, len(game.orders) - 200) + 1, len(game.orders) + 1):
        for event in game.events(number):
            if isinstance(event, RoundBegan):
                found = []
            elif found is not None:
                found.append(event)
    return None if found is None else tuple(found)


def test_a_round_is_followed_back_to_its_beginning() -> None:
    """Further than the game keeps events, and as a seat sees it."""
    whole, longest = plain("1861"), 0
    for number in range(0, len(whole.orders), 29):
        game = engine.replay(whole.title, whole.setup, whole.orders[:number])
        found = newest_round(game)
        assert round_so_far(game.seen_by(game.state.players[0])) == found == round_so_far(game)
        begun = next((n for n in range(number, 0, -1) if any(isinstance(e, RoundBegan) for e in game.events(n))), 0)
        longest = max(longest, number - begun)
    assert longest > 40
