"""Attacks on a game master's address, and accidents at it: nothing is done that nobody agreed to."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import select

from moderator.adapters.tables import AliasRow, EntryRow, GameRow, MotionRow, OutboxRow
from moderator.service.decision.motions import end_lapsed
from moderator.service.operation.backup import backup
from moderator.service.operation.verification import replay_all
from moderator.service.past.game_loader import write_snapshot
from moderator.service.people.hand_over import hand_over
from moderator.service.play.journal.rebuild import rebuild
from moderator.service.play.masters.master import add_master_in, name_master
from moderator.service.play.new_games import Person
from moderator.service.robots.bounces import refused
from moderator.service.table.table import lock_seat, open_table
from tests.kit.service.mail_service import WRITTEN, mail
from tests.kit.service.restoration import go_back, railpost
from tests.service.play.test_master_by_mail import EVE, MAX, Scene, words

ANN, ELSEWHERE = "ann@players.example", "ann@elsewhere.example"


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path)


def appoint(scene: Scene, *people: tuple[str, str]) -> None:
    first, *rest = people
    name_master(scene.service.desk, scene.game, Person(*first))
    for one in rest:
        with scene.service.desk.sitting() as sitting:
            add_master_in(sitting, scene.game, Person(*one))
    scene.service.run()


def alias(scene: Scene, address: str, record: str = ANN) -> None:
    with scene.service.desk.database.transaction() as session:
        now = scene.service.clock.now()
        session.add(AliasRow(address=address, record=record, created_at=now, confirmed_at=now))


def motions(scene: Scene) -> list[tuple[str, str]]:
    with scene.service.session() as session:
        rows = session.exec(select(MotionRow).order_by(MotionRow.id)).all()  # type: ignore[arg-type]
        return [(row.needs, row.state) for row in rows]


# ---- a master who plays, by another address of his


def test_a_master_who_plays_from_another_address_decides_nothing_alone(scene: Scene) -> None:
    alias(scene, ELSEWHERE)
    appoint(scene, ("Anna", ELSEWHERE))
    scene.write("pause", sender=ELSEWHERE, proof=True)
    assert scene.row().status == "running"
    assert motions(scene) == [("most", "open")]


def test_his_other_address_is_no_second_master(scene: Scene) -> None:
    alias(scene, ELSEWHERE)
    appoint(scene, ("Ann", ANN), ("Anna", ELSEWHERE))
    scene.write("pause", sender=ANN, proof=True)
    assert motions(scene) == [("most", "open")]


def test_his_proposal_from_another_address_counts_as_his_vote(scene: Scene) -> None:
    alias(scene, ELSEWHERE)
    appoint(scene, ("Anna", ELSEWHERE))
    scene.write("pause", sender=ELSEWHERE, proof=True)
    scene.service.say("Bob", "vote yes")
    assert scene.row().status == "paused"


def test_a_master_who_begins_to_play_consents_to_nothing_alone(scene: Scene) -> None:
    scene.write("end game")
    asked = scene.letters()[-2].reply_to
    if "+motion." not in asked:
        asked = scene.letters()[-1].reply_to
    with scene.service.desk.sitting() as sitting:
        hand_over(sitting, lock_seat(sitting, scene.game, "Bob"), "Max", MAX)
    scene.service.run()
    scene.write("yes", to=asked)
    assert scene.row().status == "running"


# ---- consent to what was, not to what came since


def consent_address(scene: Scene, who: str = MAX) -> str:
    return next(one.reply_to for one in reversed(scene.letters(who)) if "+motion." in one.reply_to)


def test_a_removed_master_has_no_motion_any_more(scene: Scene) -> None:
    appoint(scene, ("Ann", ANN), ("Eve", EVE))
    scene.write("pause", sender=ANN, proof=True)
    asked = consent_address(scene, EVE)
    appoint(scene, ("Eve", EVE))
    scene.write("yes", sender=EVE, to=asked)
    assert scene.row().status == "running"


def test_entered_orders_answer_only_the_question_of_then(scene: Scene) -> None:
    scene.write("enter Ann: pass")
    asked = consent_address(scene)
    scene.service.clock.pass_by(minutes=5)
    for player, order in (("Ann", "auction TSR at 20"), ("Bob", "bid 25"), ("Cat", "pass")):
        scene.service.say(player, order)
    assert [str(ask.player) for ask in scene.service.position(scene.game).asked()] == ["Ann"]
    before = scene.service.log(scene.game)
    scene.write("yes", to=asked)
    assert scene.service.log(scene.game) == before
    assert "Ann has played since this was asked" in words(scene.letters()[-1])


def test_an_undo_is_of_the_orders_of_then(scene: Scene) -> None:
    scene.service.say("Ann", "auction TSR at 20")
    scene.write("undo to 0\nreason: Ann was ill")
    asked = consent_address(scene)
    scene.service.clock.pass_by(minutes=5)
    scene.write("undo to 0", proof=True, date="Sun, 01 Mar 2026 12:01:00 +0000")
    scene.service.say("Ann", "auction TSR at 25")
    scene.write("yes", to=asked, proof=True)
    assert scene.service.log(scene.game)[-1] == "Ann: open TSR 25"
    assert "taken back" in words(scene.letters()[-1])


def test_a_seat_that_was_handed_over_meanwhile_is_not_given_away(scene: Scene) -> None:
    scene.write("give Ann to Dan <dan@elsewhere.example>")
    asked = consent_address(scene)
    scene.service.clock.pass_by(minutes=5)
    with scene.service.desk.sitting() as sitting:
        hand_over(sitting, lock_seat(sitting, scene.game, "Ann"), "Eve", EVE)
    scene.service.run()
    scene.write("yes", to=asked)
    assert scene.service.seat(scene.game, "Ann").address == EVE


def test_a_new_player_has_his_own_voice(scene: Scene) -> None:
    scene.service.say("Bob", "propose end game")
    scene.service.say("Cat", "vote yes")
    with scene.service.desk.sitting() as sitting:
        hand_over(sitting, lock_seat(sitting, scene.game, "Cat"), "Eve", EVE)
    scene.service.run()
    assert any("end game" in words(one) for one in scene.letters(EVE))
    scene.service.say("Ann", "vote yes")
    assert scene.row().status == "running"


def test_a_vote_from_another_address_counts_when_it_is_confirmed(scene: Scene) -> None:
    scene.service.say("Bob", "propose pause")
    to = scene.service.address("Ann")
    scene.service.send(mail("vote yes", sender="ann@hotel.example", to=to), to, "ann@hotel.example")
    scene.service.run()
    scene.service.say("Ann", "yes", to=scene.service.address("Ann"))
    assert motions(scene) == [("most", "carried")]
    assert scene.row().status == "paused"


# ---- mails that are not what they seem


def test_a_block_for_another_game_is_not_carried_out_here(scene: Scene) -> None:
    scene.write("BEGIN 1861-2\npause\nEND")
    assert scene.row().status == "running"


def test_a_block_for_another_game_below_words_stops_them(scene: Scene) -> None:
    scene.write("pause\n\nBEGIN 1861-2\nextend 48 hours\nEND")
    assert scene.row().status == "running"


def test_words_of_a_mail_that_was_cut_off_are_not_carried_out(scene: Scene) -> None:
    to = scene.address()
    whole = mail("pause", sender=MAX, to=to)
    head = whole.partition(b"\n\n")[0].replace(b"Content-Type: text/plain", b"X-Was: text/plain") + b"\n"
    cut = head + (
        b'Content-Type: multipart/alternative; boundary="b"\n\n--b\nContent-Type: text/plain\n\nundo to 0\npause\n'
    )
    scene.service.send(cut, to, MAX)
    scene.service.run()
    assert scene.row().status == "running"


def test_an_html_mail_with_quotation_below_says_only_what_is_above(scene: Scene) -> None:
    to = scene.address()
    html = (
        "<p>extend 24 hours</p><hr><p><b>From:</b> Ann &lt;ann@players.example&gt;<br>"
        "<b>Sent:</b> Sunday, 1 March 2026 12:00<br>"
        f"<b>To:</b> Max &lt;{MAX}&gt;<br><b>Subject:</b> Re: pause</p><p>pause</p><p>end game</p>"
    )
    content = mail(html, sender=MAX, to=to).replace(b"text/plain", b"text/html")
    before = scene.due().due_at
    scene.service.send(content, to, MAX)
    scene.service.run()
    assert scene.row().status == "running"
    assert scene.due().due_at == before + timedelta(hours=24)


@pytest.mark.parametrize(
    "fields", [{"Auto-Submitted": "auto-replied"}, {"X-Autoreply": "yes"}, {"Precedence": "auto_reply"}]
)
def test_an_out_of_office_is_neither_a_word_nor_a_yes(scene: Scene, fields: dict[str, str]) -> None:
    scene.write("end game")
    asked = consent_address(scene)
    for text, to in (("yes", asked), ("pause", scene.address())):
        scene.service.send(mail(text, sender=MAX, to=to, headers=fields), to, MAX)
    scene.service.run()
    assert scene.row().status == "running"
    assert motions(scene) == [("own", "open")]


def test_a_date_that_is_folded_anew_is_the_same(scene: Scene) -> None:
    scene.write("extend 48 hours")
    due, to = scene.due().due_at, scene.address()
    for date in (b"Sun,  01 Mar 2026\n 11:59:00 +0000", b"Sun, 1 Mar 2026 12:59:00 +0100"):
        content = mail("extend 48 hours", sender=MAX, to=to, message_id="<another@master.example>")
        scene.service.send(content.replace(WRITTEN.encode(), date), to, MAX)
        scene.service.run()
        assert scene.service.outcomes()[-1] == "duplicate"
    assert scene.due().due_at == due


# ---- orders that are entered


def test_entered_orders_are_played_all_or_not_at_all(scene: Scene) -> None:
    text = "enter Ann:\npartial\nauction TSR at 20\nauction MYW at 20\nbuy nonsense\nend enter"
    scene.write(text, proof=True)
    assert not scene.service.position(scene.game).orders
    scene.service.say("Ann", "auction TSR at 20")
    assert scene.service.log(scene.game)[-1] == "Ann: open TSR 20"


def test_nobody_reads_orders_given_ahead_by_entering_others(scene: Scene) -> None:
    scene.service.say("Bob", "limit 77 on TSR")
    for number, text in enumerate(("withdraw all", "withdraw all\nnonsense", "show orders", "check\nwithdraw all")):
        for check in ("", "check\n"):
            date = f"Sun, 01 Mar 2026 12:{number}{len(check)}:00 +0000"
            scene.write(f"{check}enter Bob:\n{text}\nend enter", date=date)
    assert "77" not in " ".join(words(one) for one in scene.letters())


@pytest.mark.parametrize(
    "text", ["press all: hello", "master: hello", "propose pause", "vote yes", "undo", "alias x@y.example"]
)
def test_what_is_no_order_cannot_be_entered(scene: Scene, text: str) -> None:
    before = len(scene.service.letters("Cat"))
    answer = scene.write(f"enter Ann:\n{text}\nend enter", proof=True)
    assert "refused" in words(answer)
    assert len(scene.service.letters("Cat")) == before
    assert motions(scene) == []


# ---- secret words, and floods


@pytest.mark.parametrize(
    "text",
    ["say: write to {}", "answer Bob: write to {}", "pause\nreason: write to {}", "say:\nwrite\n{}\nend say"],
)
def test_no_text_of_his_has_a_secret_address(scene: Scene, text: str) -> None:
    secret = scene.address().partition(".master.")[2].partition("@")[0]
    for number, told in enumerate((scene.address().upper(), secret, f"{secret[:9]} {secret[9:]}")):
        scene.write(text.format(told), date=f"Sun, 01 Mar 2026 12:0{number}:00 +0000")
    told = " ".join(words(one) for player in ("Ann", "Bob", "Cat") for one in scene.service.letters(player)).lower()
    assert secret not in told and secret[9:] not in told
    assert scene.row().status == "running"


def test_no_reason_of_a_proposal_has_a_secret_address(scene: Scene) -> None:
    to = scene.service.address("Ann")
    scene.service.say("Ann", f"propose pause because {to}", to=to)
    assert to not in " ".join(words(one) for one in scene.service.letters("Bob"))


def test_a_mail_of_very_many_words_is_not_carried_out(scene: Scene) -> None:
    before = len(scene.service.letters("Ann"))
    scene.write("\n".join("say: hello" for _ in range(500)))
    assert len(scene.service.letters("Ann")) - before <= 50


def test_players_are_not_flooded_in_a_masters_name(scene: Scene) -> None:
    scene.service = replace(
        scene.service,
        desk=replace(scene.service.desk, settings=scene.service.desk.settings.model_copy(update={"press_per_day": 5})),
    )
    before = len(scene.service.letters("Ann"))
    for number in range(12):
        scene.write(f"say: hello {number}")
    assert len(scene.service.letters("Ann")) - before == 5
    assert "a day" in words(scene.letters()[-1])


def test_a_playing_master_puts_no_more_than_three_things_to_the_vote(scene: Scene) -> None:
    appoint(scene, ("Ann", ANN))
    for hours in range(24, 30):
        scene.write(f"extend {hours} hours", sender=ANN, proof=True)
    assert len(motions(scene)) == 3
    assert "3" in words(scene.letters(ANN)[-1])


def test_the_same_thing_is_not_asked_twice(scene: Scene) -> None:
    scene.write("end game")
    scene.write("end game", date="Sun, 01 Mar 2026 12:01:00 +0000")
    assert motions(scene) == [("own", "open")]


# ---- mails that come back


def test_the_operator_is_told_that_a_master_is_not_reached(scene: Scene) -> None:
    scene.write("help")
    with scene.service.desk.database.transaction() as session:
        row = session.exec(select(OutboxRow).where(OutboxRow.recipient == MAX).order_by(OutboxRow.id.desc())).first()  # type: ignore[union-attr]
        assert row is not None
        row.state, row.error = "failed", "550 5.1.1 no such user"
    refused(scene.service.desk)
    scene.service.run()
    assert any(MAX in one.text for one in scene.service.mailbox("master@example.net"))


# ---- two things at once


def test_a_vote_that_ends_the_game_ends_the_others(scene: Scene) -> None:
    scene.service.say("Bob", "propose end game")
    scene.service.say("Bob", "propose pause")
    scene.service.say("Cat", "vote yes 1")
    scene.service.say("Ann", "vote yes 1\nvote yes 2")
    assert scene.row().status == "ended"
    assert motions(scene) == [("all", "carried"), ("most", "lapsed")]
    assert end_lapsed(scene.service.desk) == 0


def test_entered_orders_name_the_mail_that_brought_them(scene: Scene) -> None:
    scene.write("enter Ann: auction TSR at 20", proof=True)
    with scene.service.session() as session:
        entry = session.exec(select(EntryRow).where(EntryRow.kind == "order")).one()
    assert entry.origin == "entered" and entry.mail is not None
    found = rebuild(scene.service.desk, scene.game)
    assert found is not None and found.differs == ""


def test_a_restored_copy_gives_each_master_his_new_address(scene: Scene, tmp_path: Path) -> None:
    before, copy = scene.address(), tmp_path / "copy.db"
    backup(scene.service.desk, copy)
    go_back(scene.service, copy)
    told = scene.letters()[-1]
    assert ".master." in told.reply_to and told.reply_to != before
    assert "restored from a copy" in words(told)
    found = rebuild(scene.service.desk, scene.game)
    assert found is not None and found.differs == ""


def test_after_a_restore_a_master_goes_on_at_his_new_address(scene: Scene, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    railpost(scene.service, "backup", str(copy))
    before = scene.address()
    assert scene.write("say: this is lost") is not None
    go_back(scene.service, copy)
    assert "applied" not in scene.service.outcomes()
    assert scene.write("say: to the void one", to=before) is None
    assert scene.service.outcomes()[-1] == "wrong_token"
    assert "done" in words(scene.write("say: here I am"))
    assert scene.service.outcomes()[-1] == "applied"
    assert "here I am" in scene.told("Ann")


def test_a_snapshot_of_before_a_correction_counts_no_more(scene: Scene) -> None:
    scene.service.say("Ann", "auction TSR at 20")
    with scene.service.desk.sitting() as sitting:
        live = open_table(sitting, sitting.session.get_one(GameRow, scene.game)).live
        row = sitting.session.get_one(GameRow, scene.game)
        write_snapshot(sitting.session, live.pieces, row.at, row.orders, live.game.state, live.game.told_digest())
    scene.write("correct pay 5 from bank to Bob\nreason: a mistake", proof=True)
    desk = scene.service.desk
    assert [found.fault for found in replay_all(desk.database, desk.games)] == [""]
