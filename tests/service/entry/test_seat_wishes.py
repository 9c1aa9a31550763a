"""Players wish for places when they join; what conflicts is decided by lot, and everybody is told."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from pathlib import Path

import pytest
from sqlmodel import select

from moderator.adapters.tables import GameRow, GuestRow
from moderator.domain.records.record import read_record, replay_record
from moderator.domain.seating import deal_places, dealt, place_of
from moderator.service.play.journal.export import export_record
from tests.kit.service.guests import address_of, answer, forming, said, write
from tests.kit.service.mail_service import Letter, Service

pytestmark = pytest.mark.usefixtures("each_database")
SEEDS = [f"seed {number}" for number in range(60)]


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service.open(tmp_path)


def joins(service: Service, game: str, **wishes: str) -> list[Letter]:
    """Each joins with his wish and agrees; the first mail from the game to each."""
    for name, wish in wishes.items():
        write(service, name, f"join {game}{f' prefer {wish}' if wish else ''}")
        answer(service, name)
    for name in wishes:
        answer(service, name, kind="may begin")
    found = [[one for one in service.mailbox(address_of(name)) if one.kind == "welcome"] for name in wishes]
    return [letters[0] for letters in found if letters]


def row(service: Service, game: str) -> GameRow:
    with service.session() as session:
        return session.exec(select(GameRow).where(GameRow.id == game)).one()


def test_wishes_that_do_not_conflict_are_granted(service: Service) -> None:
    game = forming(service)
    first, *_ = welcomes = joins(service, game, Ann="last", Bob="first", Cat="")
    assert len(welcomes) == 3
    state = service.position(game).state
    assert state.players == ("Bob", "Cat", "Ann") and state.priority == "Bob"
    assert str(service.position(game).asked()[0].player) == "Bob", "he begins"
    for letter in welcomes:
        assert "Bob wished to begin: granted." in said(letter)
        assert "Ann wished to be last in the order of play: granted." in said(letter)
        assert "Whoever has seat 1 begins" in said(letter)
    assert "1. Bob" in first.text and "Bob wished to begin: granted." in " ".join(first.html.split())


def test_he_is_asked_and_told_what_he_wishes(service: Service) -> None:
    game = forming(service)
    (asked,) = write(service, "Ann", f"join {game} as Anna prefer the third seat")
    assert "You wish to have seat 3; if others wish for the same, the lot decides." in said(asked)
    (joined,) = answer(service, "Ann")
    assert "You wish to have seat 3" in said(joined)
    with service.session() as session:
        assert session.exec(select(GuestRow.wish).where(GuestRow.name == "Anna")).one() == "seat 3"


def test_the_lot_decides_between_two_and_is_in_the_record(service: Service) -> None:
    game = forming(service)
    welcome, *_ = joins(service, game, Ann="first", Bob="seat 1", Cat="last")
    players = service.position(game).state.players
    found = row(service, game)
    assert players[2] == "Cat" and sorted(found.wishes) == [["Ann", "first"], ["Bob", "seat 1"], ["Cat", "last"]]
    assert list(players) == deal_places(found.seed, ["Cat", "Bob", "Ann"], found.wished), "anybody can draw it again"
    winner, loser = players[:2]
    assert f"{winner} wished to" in said(welcome) and f"the lot fell on {winner}" in said(welcome)
    assert f"{loser} wished to" in said(welcome) and "seat 2 came by lot" in said(welcome)
    text = export_record(service.desk, game)
    assert text is not None and f"the lot fell on {winner}" in text and f'[Priority "{winner}"]' in text
    assert replay_record(read_record(text)).state.players == players


def test_a_place_that_the_game_does_not_have(service: Service) -> None:
    game = forming(service, (3, 5))
    for wish in ("seat 6", "seat 0", "middle", "first prefer last"):
        (told,) = write(service, "Ann", f"join {game} as Ann prefer {wish}")
        assert f"`prefer {wish}` names no place" in said(told) and "`prefer seat 5`" in said(told)
        assert f"join {game} as Ann prefer first" in said(told)
    (told,) = write(service, "Bob", f"join {game} prefer")
    assert "prefer first" in said(told)
    with service.session() as session:
        assert session.exec(select(GuestRow.id)).all() == []


def test_a_seat_that_is_not_there_when_fewer_begin(service: Service) -> None:
    order = deal_places("a seed", ["Ann", "Bob", "Cat"], {"Ann": "seat 5"})
    (told,) = dealt(order, {"Ann": "seat 5"})
    assert not told.granted and told.rivals == 0 and order[told.place - 1] == "Ann"


# ---- the deal itself


def test_the_deal_does_not_depend_on_the_order_of_joining() -> None:
    wishes = {"Ann": "first", "Bob": "first", "Dan": "last", "Eve": "seat 2"}
    for seed in SEEDS:
        assert len({tuple(deal_places(seed, names, wishes)) for names in permutations(("Ann", "Bob", "Cat"))}) == 1


def test_every_wish_that_can_be_granted_is() -> None:
    names = ("Ann", "Bob", "Cat", "Dan")
    for seed in SEEDS:
        for first in names:
            for wish in ("first", "last", "seat 2", "seat 4"):
                order = deal_places(seed, names, {first: wish})
                assert order[(place_of(wish, 4) or 0) - 1] == first and sorted(order) == sorted(names)


def test_rivals_have_the_same_chance() -> None:
    names = ("Ann", "Bob", "Cat", "Dan")
    won = Counter(deal_places(f"{number}", names, {"Ann": "first", "Bob": "first"})[0] for number in range(2000))
    assert set(won) == {"Ann", "Bob"} and all(900 < count < 1100 for count in won.values())
    others = Counter(deal_places(f"{number}", names, {"Ann": "first", "Bob": "first"})[3] for number in range(3000))
    assert all(count > 400 for count in others.values()) and len(others) == 4


def test_without_wishes_places_are_drawn_as_ever() -> None:
    """Games that begun before there were wishes can be checked by the same words of their last mail."""
    assert deal_places("a seed", ["Cat", "Ann", "Bob"], {}) == deal_places("a seed", ["Ann", "Bob", "Cat"], {})
    counted = Counter(tuple(deal_places(f"{number}", ["Ann", "Bob", "Cat"], {})) for number in range(1200))
    assert len(counted) == 6 and min(counted.values()) > 130
