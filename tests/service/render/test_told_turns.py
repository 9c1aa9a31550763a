"""A menu tells which orders end the turn, what follows from a merger or conversion, and which lays bring a duty."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

import engine
from engine import Ask, Game, Refused
from engine.acts.act import Turn
from engine.acts.player.turns import PlayerTurns
from engine.acts.turns import Turns
from engine.core import events as ev
from engine.core import orders as o
from engine.core.agenda import Choice, Menu
from engine.core.decide import effects
from engine.core.ids import CompanyId
from moderator import render
from moderator.words.question.menu import named_places
from moderator.words.question.turn_end import ends_turn
from moderator.words.texts import words
from tests.kit.games.render_games import info
from tests.service.render.test_told_before import asked_in, given, question

_IDLE = (o.Pass, o.Decline, o.Refuse)
_MOST = 30
_SHORT = ("merger.keep", "markers.stay", "tokens.number")
"""Questions of which the menu does not say who is asked."""


def one_of_each(menu: Menu) -> Iterator[o.Order]:
    """An order of each kind that may be carried out without a search."""
    kinds: dict[type[o.Order], Choice] = {}
    for choice in menu:
        kinds.setdefault(type(choice.order), choice)
    return (choice.sample(0) for kind, choice in kinds.items() if kind is not o.RunBest)


def settled(game: Game, order: o.Order) -> tuple[Game, list[Ask]]:
    """The game after the order and all that is asked because of it, and those questions."""
    trial, depth, asks = game.fork(), len(game.state.agenda), list[Ask]()
    assert not isinstance(trial.submit(order), Refused), order
    while len(trial.state.agenda) > depth and trial.state.round == game.state.round and trial.asked():
        if len(asks) > _MOST:
            break
        ask = trial.asked()[0]
        asks.append(ask)
        given = [choice.sample(0) for choice in trial.legal(ask.actor)]
        agree = next((each for each in given if isinstance(each, o.Agree)), ask.silence)
        idle = next((each for each in given if isinstance(each, _IDLE)), given[0])
        assert not isinstance(trial.submit(agree or idle), Refused)
    return trial, asks


def has_ended(before: Game, after: Game, company: str) -> bool:
    events = (e for at in range(len(before.orders) + 1, len(after.orders) + 1) for e in after.events(at))
    return any(isinstance(event, ev.TurnEnded) and event.company == company for event in events)


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("name", engine.title_names())
def test_an_order_that_ends_a_companys_turn_says_so(name: str) -> None:
    kinds, seen = set[str](), 0
    for seed in ("plain", "ends") if name == "1841" else ("plain",):
        for game, ask in asked_in(name, seed)[:: 2 if name == "1841" else 6]:
            step, turn = game.title.steps[type(game.state.top)], game.state.top
            if not isinstance(step, Turns) or not isinstance(turn, Turn) or ask.actor != turn.company:
                continue
            for order in one_of_each(game.legal(ask.actor)):
                if isinstance(order, o.Done):
                    continue
                seen += 1
                told = ends_turn(words(), game.title, game.state, order)
                ended = has_ended(game, settled(game, order)[0], turn.company)
                assert bool(told) == ended or (told and isinstance(order, o.Merge)), order  # a merger may be taken back
                if ended:
                    assert told == f"ends the turn of {turn.company}"
                    kinds.add(type(order).__name__)
    assert seen > 50 and kinds <= ({"Convert", "Merge", "Bankrupt"} if name == "1841" else set())
    assert kinds or name != "1841"


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("name", engine.title_names())
def test_an_order_that_ends_a_players_turn_says_so(name: str) -> None:
    ended = set[str]()
    for game, ask in asked_in(name):
        if not isinstance(game.title.steps[type(game.state.top)], PlayerTurns) or {"Buy", "Start"} <= ended:
            continue
        for order in one_of_each(game.legal(ask.actor)):
            told = ends_turn(words(), game.title, game.state, order)
            turn = getattr(game.state.top, "turn", None)
            first = next((e for e in effects(game.title, game.state, order) if isinstance(e, ev.Became)), None)
            over = first is not None and getattr(first.frame, "turn", turn) != turn
            if told:
                ended.add(type(order).__name__)
            if over and not isinstance(order, o.Pass):
                assert told.startswith("ends your turn"), order
        if len(ended) > 1:
            heading = (
                "Buy one certificate \\(ends your turn\\)" if name != "1863" else "Buy one share \\(ends your turn\\)"
            )
            mail = render.turn_mail(game, info(game, ask.player), ask.player, 0)
            if any(isinstance(c.order, o.Buy) for c in game.legal(ask.actor)):
                assert re.search(heading, " ".join(mail.text.split()))
    assert {"Buy", "Start"} <= ended and "Sell" not in ended


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("name", ["1841", "1861", "1863", "1867"])
def test_a_merger_or_conversion_says_who_is_asked_next(name: str) -> None:
    seen = set[str]()
    for seed in ("plain", "ends"):
        for game, ask in asked_in(name, seed):
            legal = game.legal(ask.actor)
            for kind in (o.Convert, o.Merge):
                order = next((c.sample(0) for c in legal if isinstance(c.order, kind)), None)
                if order is None:
                    continue
                groups = [g for g in question(game, ask).groups if g.kind == kind.__name__]
                told = "; ".join((groups[0].remark, groups[0].lines[0].note))
                for later in settled(game, order)[1]:
                    if words().word(f"follows.{later.what}", "", name):
                        seen.add(later.what)
                        if later.what not in _SHORT:
                            assert re.search(rf"then [^;]*\b{re.escape(later.actor)}\b", told), (later, told)
    assert seen & {"offer.shares", "window.buy_or_short", "merger.exchange"}


@pytest.mark.parametrize("name", ["1841", "1844"])
def test_a_lay_that_brings_the_duty_to_buy_a_train_says_so(name: str) -> None:
    told_of = 0
    for seed in ("lays", "plain"):
        for game, ask in asked_in(name, seed):
            if told_of > 2 or not isinstance(game.state.top, Turn):
                continue
            said = question(game, ask).later
            found = re.search(rf"{ask.actor} need not have a train now, but (.*?) gives it a route\. Then: (.*)", said)
            if found is None:
                continue
            told_of += 1
            assert found[2].startswith(f"{ask.actor} must have a train before its turn ends")
            done = o.Done(CompanyId(ask.actor))
            bound = set()
            lays = [c.order for c in game.legal(ask.actor) if isinstance(c.order, o.Lay)]
            for lay in lays:
                trial = game.fork()
                assert trial.submit(lay)
                result = trial.submit(done)
                if isinstance(result, Refused) and {f.check for f in result.failures} & {"train.must_own"}:
                    bound.add(str(lay.hex))
            if found[1].startswith("any lay"):
                assert bound == {str(lay.hex) for lay in lays}
            else:
                assert set(re.findall(r"[A-Z]\d+", found[1])) == bound
    assert told_of


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("name", engine.title_names())
def test_an_order_that_ends_the_turn_says_what_its_player_decides_first(name: str) -> None:
    """Reproduced: `start` of 1841 was told to end the turn, though shares, homes and tokens follow."""
    found = set[str]()
    for game, ask in asked_in(name):
        if not isinstance(game.title.steps[type(game.state.top)], PlayerTurns):
            continue
        for order in one_of_each(game.legal(ask.actor)):
            told, after = ends_turn(words(), game.title, game.state, order), game.fork()
            if not told or isinstance(after.submit(order), Refused) or after.state.round != game.state.round:
                continue
            deeper = len(after.state.agenda) > len(game.state.agenda)
            more = deeper and not after.finished and after.asked()[0].player == ask.player
            assert ("after" in told) >= more, order
            found |= {type(order).__name__} if more else set()
    assert found == ({"Start"} if name == "1841" else set())


def test_a_turn_that_begins_with_the_run_says_why_there_is_no_track() -> None:
    seen = set[str]()
    for game, ask in asked_in("1861"):
        legal, text = game.legal(ask.actor), question(game, ask).text
        said = re.findall(r"Its track step is over|No track can be laid: [^.]*", text)
        if any(isinstance(c.order, o.RunBest) for c in legal):
            assert bool(said) != any(isinstance(c.order, o.Lay) for c in legal)
            seen |= set(said)
        else:
            assert not said
    assert len(seen) > 1


def test_a_marker_that_is_left_but_cannot_be_placed_says_why() -> None:
    told = 0
    for game, ask in asked_in("1861"):
        if re.search(r"It can place no marker now|It lacks the money to place a marker", question(game, ask).text):
            told += 1
            assert not any(isinstance(c.order, o.Token) for c in game.legal(ask.actor))
            assert len(game.state.board.places_of(CompanyId(ask.actor))) < game.title.policies.markers(
                game.title, game.state, CompanyId(ask.actor)
            )
    assert told


def test_what_may_be_taken_after_a_conversion_may_stand_in_the_same_answer() -> None:
    tried = 0
    for game, ask in asked_in("1861"):
        if ask.what != "merger.turn":
            continue
        found = question(game, ask)
        merges = any(isinstance(c.order, o.Merge) for c in game.legal(ask.actor))
        assert ("No merger is possible now." in found.text) == (not merges)
        group = next((g for g in found.groups if g.kind == "Convert"), None)
        take = re.search(r"`(\w+: take 1)` may follow in the same answer", group.remark) if group else None
        if group is not None and take is not None:
            tried += 1
            after = given(game, ask, group.lines[0].order)
            assert after is not None and "each to" in group.remark
            assert given(after, ask, take[1]) is not None
    assert tried


def test_the_menu_says_which_minors_come_first_and_which_later() -> None:
    told = [g.remark for game, ask in asked_in("1861")[:200] for g in question(game, ask).groups if g.kind == "Open"]
    assert any("N comes before all other minors" in remark for remark in told)
    assert any("only from phase 3 on" in remark for remark in told)


def test_homes_have_their_names_where_the_list_is_not_too_long() -> None:
    title = engine.load_title("1867")
    assert named_places(title, ("J12", "L12/SW", "L12/N")) == ("J12 Ottawa", "L12/SW Montreal", "L12/N Montreal")
    long = ("J12", "L12/SW", "L12/N", "D8", "F8", "M9", "N12")
    assert named_places(title, long)[:4] == ("J12 Ottawa", "L12/SW", "L12/N", "D8 Sudbury")
    assert named_places(title, ("J12",) * 17) == ("J12",) * 17
