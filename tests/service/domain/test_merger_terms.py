"""Consents to mergers, for one merger or on terms that stand; and terms for loans, shares and markers."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

import engine
from engine import Game
from engine.core import orders as o
from engine.core.ids import CompanyId
from engine.robots import sensible
from grammar import write
from moderator.domain.vocabulary import vocabulary
from tests.kit.games import situations as russian
from tests.kit.games import situations_1841 as italian
from tests.kit.games.ahead_table import AheadTable
from tests.kit.games.course_1861 import operating_turn
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


# ---- terms that stand -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("head", ["player", "company"])
@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("agree mergers", o.Agree),
        ("refuse mergers", o.Refuse),
        ("refuse mergers with LEADER", o.Refuse),
        ("agree mergers into INTO", o.Agree),
        ("agree mergers with LEADER into INTO until the round ends", o.Agree),
        ("refuse mergers into OTHER", None),
        ("refuse mergers with OTHER", None),
    ],
)
@pytest.mark.parametrize("title", TITLES)
def test_terms_answer_the_mergers_that_they_speak_of(title: str, text: str, answer: type | None, head: str) -> None:
    game, order, *_ = proposed(title)
    parties = {order.actor, *order.minors, order.into}
    other = next(c for c, now in game.state.companies.items() if c not in parties and now.status != "closed")
    one, player = given(title, text.replace("OTHER", other), head)
    found = [(move.player, move.origin, type(move.order)) for move in one.moves[1:]]
    assert found == ([] if answer is None else [(player, "standing", answer)])
    assert answer is o.Agree or len(one.standing()) == 1, "what was not agreed to leaves the terms as they were"


@pytest.mark.parametrize("title", TITLES)
def test_terms_for_a_named_company_come_before_those_for_all(title: str) -> None:
    game, order, player, company = proposed(title)
    one = AheadTable(game.fork())
    one.say(player, f"{company}: refuse mergers\n{company}: agree mergers with {order.actor}")
    one.submit(order, str(game.asked()[0].player))
    assert type(one.moves[1].order) is o.Agree


@pytest.mark.parametrize("title", TITLES)
def test_later_terms_for_the_same_mergers_replace_the_earlier_ones(title: str) -> None:
    game, _, player, company = proposed(title)
    one = AheadTable(game.fork())
    one.say(player, f"{company}: agree mergers")
    one.say(player, f"{company}: refuse mergers")
    assert one.standing() == [f"{company}: refuse mergers"]
    assert refused(one, player, f"{company}: agree mergers; refuse mergers") == ["ahead.contradicts"]


@pytest.mark.parametrize(
    ("text", "check"),
    [
        ("COMPANY: refuse mergers with COMPANY", "standing.own_partner"),
        ("COMPANY: agree mergers until PLAYER acts", "standing.never"),
        ("LEADER: agree mergers", "seat.not_yours"),
        ("PLAYER: decline in all rounds", "standing.companies"),
        ("COMPANY: decline in all rounds until PLAYER acts", "standing.never"),
    ],
)
@pytest.mark.parametrize("title", ["1861", "1863", "1867"])
def test_terms_without_a_meaning_are_refused_with_their_reason(title: str, text: str, check: str) -> None:
    game, order, player, company = proposed(title)
    text = text.replace("COMPANY", company).replace("LEADER", order.actor).replace("PLAYER", player)
    assert refused(AheadTable(game.fork()), player, text) == [check]


@pytest.mark.parametrize("title", ["1861", "1863", "1867"])
def test_terms_for_a_company_that_is_closed_are_refused_and_end(title: str) -> None:
    game, order, player, company = proposed(title)
    one = AheadTable(game.fork())
    third = next(c for c in game.state.companies if c not in {company, order.actor, order.into, *order.minors})
    one.say(player, f"refuse mergers with {third}")
    now = replace(game.state.companies[third], status="closed")
    one.game.state = replace(game.state, companies={**game.state.companies, third: now})
    assert refused(one, player, f"agree mergers with {third}") == ["ahead.closed"]
    one.submit(order, str(game.asked()[0].player))
    assert one.reasons()[0] == ("ahead.closed",)


@pytest.mark.parametrize("title", ["1861", "1863", "1867"])
def test_a_company_declines_in_each_merger_round(title: str) -> None:
    game, order, *_ = proposed(title)
    player, leader = str(game.asked()[0].player), str(order.actor)
    one = AheadTable(game.fork())
    one.say(player, f"{leader}: decline in all rounds")
    mine = [move for move in one.moves if move.order == o.Decline(CompanyId(leader))]
    assert [move.origin for move in mine] == ["standing"] and one.standing() == [f"{leader}: decline in all rounds"]
    one.say(player, f"{leader}: decline in all rounds until the round ends")
    for _ in range(60):
        if not one.standing():
            break
        ask = one.game.asked()[0]
        one.submit(sensible(one.game, ask), str(ask.player))
    assert one.reasons() in ([("standing.until",)], [("ahead.over",)]), "or another has merged it in this round"


# ---- without loans --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("cash", "loans"), [(0, True), (500, False)])
def test_a_routine_without_loans_ends_before_it_takes_one(cash: int, loans: bool) -> None:
    """1861: K-R owes interest for a loan, and earns nothing."""
    described = russian.company("K-R", "Ann", at="r6c2", cash=cash, loans=1, trains="2")
    other = russian.company("SP-W", "Bob", at="r10c1", trains="2")
    position = operating_turn(russian.situation(described, other, phase="3"), "K-R", then="SP-W")
    for text, ends in (("", False), (" without loans", loans)):
        one = AheadTable.of(position)
        one.say("Ann", f"K-R: each turn run none, pay none, done{text}")
        assert one.reasons() == ([("standing.loans",)] if ends else []), text
        assert (one.game.asked()[0].actor == "K-R") is ends


# ---- 1841: shares and markers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("terms", "price", "answer"),
    [
        ("agree 1 SFTG to Cat for at least 70", 70, o.Agree),
        ("agree 1 SFTG to Cat for at least 71", 70, None),
        ("agree 2 SFTG to anybody for at least 70", 70, None),
        ("refuse 1 SFTG to anybody for under 71", 70, o.Refuse),
        ("refuse 1 SFTG to anybody for under 70", 70, None),
        ("refuse 1 SFTG to Bob", 70, None),
        ("refuse 1 SFTG to anybody", 70, o.Refuse),
    ],
)
def test_terms_for_the_sale_of_shares(terms: str, price: int, answer: type | None) -> None:
    firm = italian.firm("SFTG", {"Ann": 4, "Bob": 3}, "F4", history=False)
    one = AheadTable.of(italian.situation(firm, cash={"Ann": 500, "Cat": 500}, round="SR 2").stock("Cat"))
    one.say("Ann", terms)
    one.say("Cat", f"buy 1 SFTG from Ann for {price}")
    assert [type(move.order) for move in one.moves[1:]] == ([] if answer is None else [answer])


@pytest.mark.parametrize(
    ("terms", "answer"),
    [
        ("agree token J6 to SFTN for at least 7", o.Agree),
        ("agree token J6 to SFTN for at least 8", None),
        ("refuse token J6 to anybody for under 8", o.Refuse),
        ("refuse token P12 to anybody", None),
    ],
)
def test_terms_for_the_sale_of_a_marker(terms: str, answer: type | None) -> None:
    sftg = italian.firm("SFTG", {"Bob": 5}, "D5", markers="J6 P12", tokens=3, cash=5)
    sftn = italian.firm("SFTN", {"Ann": 5}, "F4", markers="H4/0", cash=36, tokens=2, trains="4")
    position = italian.situation(sftn, sftg, tiles={"I5": "4#2", "J6": "57#2"}, phase="4").turn("SFTN", "acquire")
    one = AheadTable.of(position)
    assert one.say("Bob", f"SFTG: {terms}").stands
    one.say("Ann", "SFTN: token J6 from SFTG for 7")
    assert [type(move.order) for move in one.moves[1:2]] == ([] if answer is None else [answer])


def test_terms_for_what_one_does_not_have_are_refused() -> None:
    sftg = italian.firm("SFTG", {"Bob": 3}, "D5", markers="J6", tokens=3, cash=5)
    one = AheadTable.of(italian.situation(sftg, phase="4").turn("SFTG", "acquire"))
    assert refused(one, "Bob", "agree 4 SFTG to Ann for at least 7") == ["ahead.gone"]
    assert refused(one, "Bob", "SFTG: agree token P12 to anybody for at least 7") == ["ahead.gone"]
    assert refused(one, "Bob", "agree token J6 to anybody for at least 7") == ["ahead.gone"]
