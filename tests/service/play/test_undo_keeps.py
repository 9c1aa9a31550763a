"""After an undo the later orders that still fit are played again; whoever is concerned decides anew."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlmodel import col, select

from engine.robots import sensible
from moderator.adapters.tables import EntryRow, HeldRow
from moderator.service.operation.verification import replay_all
from moderator.service.people.hand_over import hand_over
from moderator.service.play.again.redo import redo
from moderator.service.play.journal.rebuild import rebuild
from moderator.service.play.masters import pauses
from moderator.service.play.undo import Wrong, foresee_undo, take_back
from moderator.service.table.table import lock_seat
from tests.kit.service.mail_service import Service
from tests.kit.service.restoration import go_back, railpost
from tests.kit.service.straight import play_on

GAME = "1861-1"
STAY = 93
"""The orders before those of Ann's company SP-W in the first operating round."""
TAKEN = ("SP-W: lay 4 B8 1", "SP-W: train 2", "SP-W: done")
BOBS = ["M-K: lay 3 H10 2", "M-K: train 2", "M-K: done"]
"""The turn of Bob's company, which follows."""
ANEW = "SP-W: train 2; done"


def in_the_second_stock_round(service: Service) -> None:
    service.game()
    play_on(service, GAME, sensible, lambda game: str(game.state.round) == "SR 2")


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service.made(tmp_path, in_the_second_stock_round)


def back(service: Service, **more: object) -> None:
    take_back(service.desk, GAME, Wrong(STAY, why="Ann laid the wrong tile.", **more))  # type: ignore[arg-type]
    service.run()


def waiting(service: Service, player: str = "") -> list[str]:
    return [text for who, text, status in service.held(GAME) if status == "waiting" and player in ("", who)]


def given(service: Service, *origins: str) -> list[str]:
    """All orders that came by one of ``origins``, those that were taken back too."""
    with service.desk.database.reading() as session:
        wanted = select(EntryRow).where(EntryRow.kind == "order", col(EntryRow.origin).in_(origins))
        return [row.text for row in session.exec(wanted.order_by(col(EntryRow.at))).all()]


def said(service: Service, player: str, number: int = -1) -> str:
    return " ".join(service.letters(player)[number].text.split())


def agrees(service: Service) -> None:
    """The log leads to what players were told, by the orders alone."""
    assert [found.fault for found in replay_all(service.desk.database, service.desk.games)] == [""]
    found = rebuild(service.desk, GAME)
    assert found is not None and not found.differs


def test_a_company_elsewhere_keeps_its_turn(service: Service) -> None:
    back(service)
    assert service.log(GAME)[-1] == f"undo {STAY}" and len(service.position(GAME).orders) == STAY
    notice = said(service, "Bob")
    assert f"gone back to the position after order {STAY}." in notice and "Ann laid the wrong tile." in notice
    assert "Taken back: `SP-W: lay 4 B8 1`, `SP-W: train 2`, `SP-W: done`." in notice and "Asked now: Ann." in notice
    assert waiting(service, "Bob")[:3] == BOBS
    service.say("Ann", ANEW)
    assert given(service, "mail", "kept")[:5] == ["SP-W: train 2", "SP-W: done", *BOBS]
    assert given(service, "kept")[:3] == BOBS
    assert "Played again, as they were before the undo: `M-K: lay 3 H10 2`" in said(service, "Bob")
    agrees(service)


def test_an_order_that_does_not_fit_goes_with_its_turn_and_the_rest_waits(service: Service) -> None:
    back(service)
    service.say("Ann", ANEW)
    asked = service.position(GAME).asked()
    assert [(ask.player, ask.actor) for ask in asked] == [("Ann", "SP-W")]  # her tile is missing, so she decides anew
    answer = said(service, "Ann", -2)
    assert "`SP-W: run best` is gone: another question, or other answers than then." in answer
    assert "`SP-W: done` is gone: an earlier order of the same turn is gone." in answer
    assert waiting(service, "Bob") == ["M-K: lay 7 G9 4", "M-K: run best", "M-K: done"]
    service.say("Ann", "SP-W: done")
    assert "M-K: lay 7 G9 4" in given(service, "kept")
    agrees(service)


def test_the_same_answer_leads_to_the_same_position(service: Service) -> None:
    before = service.position(GAME)
    back(service)
    service.say("Ann", "\n".join(("SP-W:", *(text.partition(": ")[2] for text in TAKEN))))
    assert service.position(GAME).told_digest() == before.told_digest() and not waiting(service)
    agrees(service)


def test_what_is_kept_ready_outlasts_a_restart(service: Service) -> None:
    back(service)
    again = service.again()
    again.say("Ann", ANEW)
    assert given(again, "kept")[:3] == BOBS
    agrees(again)


def test_what_is_kept_ready_outlasts_a_restore(
    service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAILPOST_DOMAIN", "example.org")
    back(service)
    copy = tmp_path / "copy.tar"
    railpost(service, "backup", str(copy))
    service.say("Ann", "SP-W: lay 58 B8 4; train 2; done")
    go_back(service, copy)
    assert len(service.position(GAME).orders) == STAY and waiting(service, "Bob")[:3] == BOBS
    service.say("Ann", ANEW, to=service.address("Ann", "turn"))
    assert given(service, "kept")[:3] == BOBS
    agrees(service)


def test_who_withdraws_is_asked(service: Service) -> None:
    back(service)
    service.say("Bob", "withdraw all")
    assert not waiting(service, "Bob")
    service.say("Ann", ANEW)
    assert [ask.actor for ask in service.position(GAME).asked()] == ["M-K"]
    service.say("Bob", "M-K: train 2; done")
    assert "M-NN: lay 7 I7 0" in given(service, "kept")  # the next company's turn is as it was
    agrees(service)


def test_another_order_of_the_player_counts_instead(service: Service) -> None:
    back(service)
    answer = service.say("Bob", "M-K: train 2; done")
    assert answer is not None and "`M-K: lay 3 H10 2` is gone: another answer came first." in answer.text
    assert BOBS[0] not in waiting(service, "Bob")
    service.say("Ann", ANEW)
    assert given(service, "held") == ["M-K: train 2", "M-K: done"]
    assert "M-NN: lay 7 I7 0" in given(service, "kept")
    agrees(service)


def test_a_successor_is_bound_to_nothing(service: Service) -> None:
    back(service)
    with service.desk.sitting() as sitting:
        hand_over(sitting, lock_seat(sitting, GAME, "Bob"), "Dan", "dan@players.example")
    service.say("Ann", ANEW)
    assert [ask.player for ask in service.position(GAME).asked()] == ["Bob"] and not waiting(service, "Bob")
    assert service.log(GAME)[-1] == "SP-W: done"


def test_a_trial_says_the_same_and_changes_nothing(service: Service) -> None:
    before, held = service.log(GAME), service.held(GAME)
    foreseen = foresee_undo(service.desk, GAME, Wrong(STAY))
    assert (service.log(GAME), service.held(GAME)) == (before, held)
    done = take_back(service.desk, GAME, Wrong(STAY))
    assert (foreseen.taken, foreseen.ready, foreseen.again) == (done.taken, done.ready, done.again)
    assert foreseen.taken == TAKEN and foreseen.numbers == (94, 95, 96)


def test_several_wrong_orders_go_with_their_turns(service: Service) -> None:
    effect = foresee_undo(service.desk, GAME, Wrong(STAY, through=97))
    assert effect.taken == (*TAKEN, *BOBS) and effect.ready[0] == "M-NN: lay 7 I7 0"
    with pytest.raises(ValueError, match="the last wrong order of 1861-1 is 94 to 120, not 93"):
        foresee_undo(service.desk, GAME, Wrong(STAY, through=93))


def test_all_may_go(service: Service) -> None:
    back(service, keep=False)
    assert not waiting(service) and "Kept ready" not in said(service, "Bob")
    service.say("Ann", ANEW)
    assert service.log(GAME)[-1] == "SP-W: done"


def test_a_second_undo_keeps_what_is_still_ready(service: Service) -> None:
    back(service)
    take_back(service.desk, GAME, Wrong(91, why="Cat's turn too."))
    service.run()
    assert waiting(service, "Bob")[:3] == BOBS
    service.say("Cat", "N: train 2; done")
    assert [ask.actor for ask in service.position(GAME).asked()] == ["SP-W"]
    service.say("Ann", ANEW)
    assert given(service, "kept")[:3] == BOBS
    agrees(service)


def test_an_undo_is_taken_back_while_nobody_has_answered(service: Service) -> None:
    before = service.position(GAME)
    back(service)
    assert redo(service.desk, GAME, "It was right.") == (27, 120)
    service.run()
    assert service.position(GAME).told_digest() == before.told_digest() and not waiting(service)
    assert "The game master has taken the undo back." in said(service, "Bob", -2)
    agrees(service)
    with pytest.raises(ValueError, match="nothing was taken back"):
        redo(service.desk, GAME)
    back(service)
    service.say("Ann", ANEW)
    with pytest.raises(ValueError, match="Ann has answered since"):
        redo(service.desk, GAME)


def test_orders_ahead_given_before_stay_and_later_ones_go(tmp_path: Path) -> None:
    service = Service.open(tmp_path)
    game = service.game()
    service.say("Cat", "limit 60 on TSR")
    service.clock.pass_by(minutes=1)
    service.say("Ann", "open TSR 20")
    service.clock.pass_by(minutes=1)
    service.say("Bob", "drop")
    service.say("Cat", "limit 80 on BSS")
    take_back(service.desk, game, Wrong(0, why="Ann meant BSS."))
    service.run()
    assert [text for _, text, status in service.held(game) if status == "waiting"][:1] == ["Cat: limit 60 on TSR"]
    assert ("Cat", "Cat: limit 80 on BSS", "undone") in service.held(game)
    assert "Withdrawn: `Cat: limit 80 on BSS`." in said(service, "Cat")
    redo(service.desk, game)
    assert ("Cat", "Cat: limit 80 on BSS", "waiting") in service.held(game)


def test_an_undo_in_a_paused_game_keeps_as_well(service: Service) -> None:
    pauses.pause(service.desk, GAME, "holidays")
    back(service)
    assert waiting(service, "Bob")[:3] == BOBS
    agrees(service)


def test_sealed_orders_are_opened_again_and_what_followed_is_kept(tmp_path: Path) -> None:
    service = Service.open(tmp_path)
    game = service.game("1841")
    bids = ("bids 41 on Bayard", "bids none", "bids none")
    for player, bid in zip(("Ann", "Bob", "Cat"), bids, strict=True):
        service.say(player, bid)
    last = play_on(service, game, sensible, lambda now: len(now.orders) >= 9)
    before = service.position(game)
    effect = take_back(service.desk, game, Wrong(1))
    service.run()
    assert (len(effect.taken), len(effect.ready)) == (3, last - 3) and service.position(game).orders[:] == []
    for player, bid in zip(("Ann", "Bob", "Cat"), bids, strict=True):
        service.say(player, bid)
    assert service.position(game).told_digest() == before.told_digest()
    with service.desk.database.reading() as session:
        left = session.exec(select(HeldRow).where(col(HeldRow.status).in_(("waiting", "anew")))).all()
    assert not left
