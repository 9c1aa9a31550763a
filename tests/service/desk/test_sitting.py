"""A sitting at the desk: what it shows is what the rules say, and what it writes is what the service carries out."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import islice

import pytest

import engine
from engine import Game, Refused, Setup
from engine.core import orders as o
from engine.core.events import Ran
from engine.core.ids import HexId, PlayerId, TrainName
from engine.positions import write_position
from engine.robots import random_order, sensible
from grammar import read, write
from moderator import library
from moderator.desk.sitting import Sitting
from moderator.domain.vocabulary import vocabulary
from tests.kit.games.kept_games import LONG, plain
from tests.kit.titles import TITLES

POSITIONS = 12


def sitting(game: Game, seat: str = "") -> Sitting:
    found = Sitting.open(write_position(game, seat), reply_to="railpost+1861-1.abc@example.org", subject="Re: turn")
    assert isinstance(found, Sitting)
    return found


def positions(title: str, most: int = POSITIONS) -> list[Game]:
    """The same game at several moments."""
    found, more = _played(title)
    found += islice(more, max(0, most - len(found)))
    return [game.fork() for game in found[:most]]


@cache
def _played(title: str) -> tuple[list[Game], Iterator[Game]]:
    """The moments to which the game has been played, and those to come."""
    return [], _moments(title)


def _moments(title: str) -> Iterator[Game]:
    game = Game.start(engine.load_title(title), Setup(("Ann", "Bob", "Cat"), seed="desk"))
    chance = random.Random(3)
    while not game.finished:
        if len(game.orders) % 29 == 11:
            yield game.fork()
        order = (
            sensible(game, game.asked()[0]) if chance.random() < 0.7 else random_order(game, game.asked()[0], chance)
        )
        game.submit(order)


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("title", TITLES)
def test_the_menu_is_that_of_the_rules_and_orders_have_the_same_result(title: str) -> None:
    chance = random.Random(5)
    for game in positions(title):
        seat = game.asked()[0].player
        desk, seen = sitting(game, seat), game.seen_by(seat)
        view = desk.view()
        asks = [ask for ask in seen.asked() if ask.player == seat]
        assert [one["actor"] for one in view["asked"]] == [ask.actor for ask in asks]
        for shown, ask in zip(view["asked"], asks, strict=True):
            menu = seen.legal(ask.actor)
            lays = {str(c.order.hex) for c in menu if isinstance(c.order, o.Lay)}
            assert {hex for hex, one in shown["hexes"].items() if "lay" in one["kinds"]} == lays
            for hex in sorted(lays)[:2]:
                assert [lay["order"] for lay in desk.lays(ask.actor, hex)] == [
                    write(c.order, vocabulary(seen.title))
                    for c in menu if isinstance(c.order, o.Lay) and c.order.hex == hex
                ]  # fmt: skip
            for choice in chance.sample(menu, min(6, len(menu))):
                one = sitting(game, seat)
                order = choice.sample(chance.randrange(9))
                said = one.give(f"{order.actor}: {write(order, vocabulary(seen.title))}")
                direct = seen.check(order)
                assert said == {"refused": []}, (title, order, said)
                assert not isinstance(direct, Refused)
                assert one.given[-1].events == direct
                assert one.mail()["lines"] == [f"{order.actor}: {write(order, vocabulary(seen.title))}"]


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("title", TITLES)
def test_a_refusal_has_the_words_of_the_service(title: str) -> None:
    chance, refused = random.Random(9), 0
    for game in positions(title):
        ask = game.asked()[0]
        for _ in range(8):
            order = random_order(plain_of(title), plain_of(title).asked()[0], chance)
            if type(order) in (o.Limit, o.Standing):
                continue
            changed = f"{ask.actor}: {write(order, vocabulary(game.title))}"
            reading = read(changed, vocabulary(game.title, game.state.players))
            result = game.seen_by(ask.player).check(reading.orders[0]) if reading.orders else None
            if isinstance(result, Refused):
                refused += 1
                assert sitting(game, ask.player).give(changed)["refused"] == library.describe(game, result).split("\n")
    assert refused > 5


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("title", TITLES)
def test_own_runs_have_the_value_the_order_and_the_refusal_of_the_rules(title: str) -> None:
    shown = refused = 0
    for game in positions(title, 40):
        seat = game.asked()[0].player
        desk, seen = sitting(game, seat), game.seen_by(seat)
        best = desk.runs()
        if best is None or not any(row["way"] for row in best["trains"]):
            continue
        shown += 1
        order = read(f"{best['actor']}: {best['order']}", vocabulary(seen.title)).orders[0]
        direct = seen.check(order)
        assert not isinstance(direct, Refused)
        revenue = next(event.revenue for event in direct if isinstance(event, Ran))
        assert str(revenue) in best["says"].replace(",", "") and best["layers"]["runs"]
        ways = [row["way"][::-1] for row in best["trains"]]
        assert desk.runs(ways)["legal"], "the same run the other way round"  # type: ignore[index]
        for spoilt in ([way[:1] for way in ways], [[*way, *way] for way in ways], [["A99"] for _ in ways]):
            found = desk.runs(spoilt)
            assert found is not None
            routes = [
                o.Route(TrainName(row["train"]), tuple(map(HexId, row["way"]))) for row in found["trains"] if row["way"]
            ]
            direct = seen.check(o.Run(found["actor"], tuple(routes)))
            assert found["legal"] is not isinstance(direct, Refused)
            if isinstance(direct, Refused):
                refused += 1
                said = {text for row in found["trains"] for text in row["refused"]} | set(found["refused"])
                assert set(library.describe(seen, direct).split("\n")) <= said
    assert shown and refused


def plain_of(title: str) -> Game:
    return plain(title) if title in LONG else plain("1861")


def test_undo_redo_and_edited_text_lead_to_the_same_position() -> None:
    game = positions("1861")[0]
    seat = game.asked()[0].player
    desk = sitting(game, seat)
    for _ in range(4):
        ask = desk.game.asked()[0]
        order = sensible(desk.game, ask)
        assert desk.give(f"{order.actor}: {write(order, vocabulary(game.title))}") == {"refused": []}
    text, digest = desk.text(), desk.game.told_digest()
    desk.undo()
    desk.undo()
    assert desk.game.told_digest() != digest
    desk.redo()
    desk.redo()
    assert (desk.text(), desk.game.told_digest()) == (text, digest)
    assert desk.replace(text) == {"refused": []}
    assert desk.game.told_digest() == digest
    assert desk.replace("pass; pass; pass; bid 3 on nothing")["refused"]
    assert desk.text() == text, "nothing has changed"


def test_what_others_would_do_is_never_in_the_mail() -> None:
    game = next(one for one in positions("1861") if one.asked()[0].what == "auction.bid")
    seat = game.asked()[0].player
    desk = sitting(game, seat)
    desk.give("drop")
    assert desk.mail()["lines"] == [f"{seat}: drop"]
    assert desk.view()["over"]
    other = desk.game.asked()[0]
    order = sensible(desk.game, other)
    assert desk.give(f"{order.actor}: {write(order, vocabulary(game.title))}") == {"refused": []}
    assert [one["own"] for one in desk.view()["given"]] == [True, False]
    while PlayerId(seat) not in [ask.player for ask in desk.game.asked()]:
        order = sensible(desk.game, desk.game.asked()[0])
        desk.give(f"{order.actor}: {write(order, vocabulary(game.title))}")
    order = sensible(desk.game, next(ask for ask in desk.game.asked() if ask.player == seat))
    desk.give(f"{order.actor}: {write(order, vocabulary(game.title))}")
    assert desk.mail()["lines"] == [f"{seat}: drop"], "a later turn is a what-if too"


def test_a_board_without_a_seat_sends_nothing() -> None:
    desk = sitting(positions("1844")[2])
    ask = desk.game.asked()[0]
    order = sensible(desk.game, ask)
    assert desk.give(f"{order.actor}: {write(order, vocabulary(desk.game.title))}") == {"refused": []}
    assert desk.mail()["lines"] == []


def test_a_link_that_was_cut_is_told() -> None:
    text = write_position(positions("1861")[0], "Ann")
    assert Sitting.open(text[:-40]) == {
        "why": "cut", "text": "this is no whole position: it begins with P1. and ends with a check that fits"
    }  # fmt: skip


@pytest.mark.parametrize("title", TITLES)
def test_tables_map_and_chart_can_be_shown(title: str) -> None:
    desk = sitting(positions(title)[-1])
    assert "Ann" in desk.tables()
    board = desk.board()
    assert board["svg"].startswith("<svg") and set(board["hexes"]) == {str(hex) for hex in desk.game.title.map.hexes}
    assert desk.chart().startswith("<svg")


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("title", TITLES)
def test_orders_prepared_beforehand_have_the_result_that_they_have_without(title: str) -> None:
    for game in positions(title, 3):
        seat = game.asked()[0].player
        ready, plain = sitting(game, seat), sitting(game, seat)
        for _ in range(2):
            asked = ready.view()["asked"]
            assert plain.view()["asked"] == asked
            if not asked or not asked[0]["answers"]:
                break
            actor, before = asked[0]["actor"], ready.view()
            for answer in asked[0]["answers"]:
                ready.prepare(answer["text"], actor)
            assert ready.view() == before, "nothing is given yet"
            text = asked[0]["answers"][-1]["text"]
            assert ready.give(text, actor) == plain.give(text, actor)
            assert ready.view() == plain.view()
            assert ready.game.told_digest() == plain.game.told_digest()
            assert (ready.board(), ready.tables()) == (plain.board(), plain.tables())


def test_what_was_prepared_is_not_used_after_a_change() -> None:
    game = next(one for one in positions("1861") if one.asked()[0].what == "company.turn")
    seat, actor = game.asked()[0].player, game.asked()[0].actor
    desk = sitting(game, seat)
    first = desk.view()["asked"][0]["answers"][0]["text"]
    desk.prepare(first, actor)
    assert desk.give(first, actor)["refused"] == []
    once = desk.view()
    count = len(desk.given)
    desk.undo()
    assert desk.view()["given"] == once["given"][:-1]
    desk.redo()
    assert desk.view() == once
    desk.prepare("nonsense", actor)
    assert desk.give("nonsense", actor)["refused"]
    assert len(desk.given) == count
    assert desk.replace("")["refused"] == []
    assert desk.view()["given"] == []
    desk.prepare(first, actor)
    desk.replace(f"{actor}: {first}")
    assert desk.give(first, actor)["refused"], "it was given already"
