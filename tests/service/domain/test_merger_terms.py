"""Consents to mergers, given ahead for one merger."""

from __future__ import annotations

from functools import cache

import pytest

import engine
from engine import Game
from engine.core import orders as o
from engine.core.ids import CompanyId
from engine.robots import sensible
from grammar import write
from moderator.domain.vocabulary import vocabulary
from tests.kit.games import situations_1841 as italian
from tests.kit.games.ahead_table import AheadTable
from tests.kit.games.standing_positions import PLAYERS, begun, refused

TITLES = ("1861", "1863", "1867", "1841")


@cache
def proposed(title: str) -> tuple[Game, o.Merge, str, str]:
    """A position in which a merger may be proposed to another player: the order, that player, and a company that he
    directs in it. In 1841 his company is asked for consent, in the others he himself."""
    if title == "1841":
        described = (
            italian.firm("SFTG", {"Bob": 5}, "E5", markers="H8"),
            italian.firm("SFTN", {"Cat": 5}, "E7", markers="H8"),
        )
        position = italian.situation(*described, tiles={"H8": "14#0"}, options={"merger_consent": "yes"})
        game = AheadTable.of(position.turn("SFTG", "merge")).game
        return game, o.Merge(CompanyId("SFTG"), (CompanyId("SFTN"),), CompanyId("AFI")), "Cat", "SFTN"
    game = begun(title)
    while True:
        ask = game.asked()[0]
        for choice in game.legal(ask.actor) if ask.what == "merger.turn" else ():
            trial, order = game.fork(), choice.sample()
            if isinstance(order, o.Merge) and not isinstance(trial.submit(order), engine.Refused):
                (asked, *_) = trial.asked()
                mine = (
                    c for c in order.minors if game.title.policies.director(game.title, game.state, c) == asked.player
                )
                if asked.what == "consent":
                    return game, order, str(asked.player), str(next(mine))
        game.submit(sensible(game, ask))


def subject(game: Game, order: o.Merge) -> str:
    """The merger as a consent names it."""
    minors = order.minors if game.title.name == "1841" else (order.actor, *order.minors)
    return write(o.Agree(order.actor, o.Merger(minors, order.into)), vocabulary(game.title, PLAYERS)).partition(" ")[2]


def given(title: str, text: str, head: str) -> tuple[AheadTable, str]:
    """The table after ``text`` of the player who is asked, and the merger. ``head``: his own, or a company's."""
    game, order, player, company = proposed(title)
    one = AheadTable(game.fork())
    text = text.replace("MERGER", subject(game, order)).replace("INTO", order.into).replace("LEADER", order.actor)
    block = one.say(player, text, player if head == "player" else company)
    assert block.stands, block.lines
    one.submit(order, str(game.asked()[0].player))
    return one, player


@pytest.mark.parametrize("head", ["player", "company"])
@pytest.mark.parametrize("word", ["agree", "refuse"])
@pytest.mark.parametrize("title", TITLES)
def test_consent_ahead_counts_under_the_head_of_the_player_and_of_his_company(title: str, word: str, head: str) -> None:
    one, player = given(title, f"{word} MERGER", head)
    assert [(move.player, move.origin) for move in one.moves[1:]] == [(player, "consent")]
    assert type(one.moves[1].order) is (o.Agree if word == "agree" else o.Refuse)


@pytest.mark.parametrize("title", TITLES)
def test_one_merger_is_not_agreed_to_and_refused_under_two_heads(title: str) -> None:
    game, order, player, company = proposed(title)
    merger = subject(game, order)
    one = AheadTable(game.fork())
    assert refused(one, player, f"{player}: agree {merger}\n{company}: refuse {merger}") == ["ahead.contradicts"]
    one.say(player, f"{player}: agree {merger}")
    one.say(player, f"{company}: refuse {merger}")
    assert one.standing() == [f"{company}: refuse {merger}"], "the later one replaces the earlier one"
