"""A game master without a shell: his words, the evidence that they need, and what everybody is told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import get_args

import pytest
from sqlmodel import select

from engine.core.ids import PlayerId
from engine.robots import sensible
from grammar.master import words as m
from grammar.master.reading import read_master
from moderator.adapters.tables import DeadlineRow, GameRow, MotionRow
from moderator.domain.records.record import read_record, replay_record
from moderator.render.game_log import log_words
from moderator.service.decision.motions import end_lapsed
from moderator.service.listing.games import log_of
from moderator.service.operation.verification import replay_all
from moderator.service.play.deadlines import sweep_deadlines
from moderator.service.play.journal.export import export_record
from moderator.service.play.journal.rebuild import rebuild
from moderator.service.play.masters.master import add_master_in, name_master
from moderator.service.play.new_games import Person
from tests.kit.service.mail_service import WRITTEN, Letter, Service, mail
from tests.kit.service.straight import play_on

MAX, EVE, EVIL, DAN = "max@master.example", "eve@master.example", "forger@evil.example", "dan@elsewhere.example"


class Scene:
    """A game of Ann, Bob and Cat with clocks, whose game master is Max. Ann is asked."""

    def __init__(self, root: Path) -> None:
        self.service = Service.open(root)
        self.game = self.service.ready_game(deadline_hours=72)
        settings = self.service.desk.settings.model_copy(update={"authserv_id": "mx.example.org"})
        self.service = replace(self.service, desk=replace(self.service.desk, settings=settings))
        name_master(self.service.desk, self.game, Person("Max", MAX))
        self.service.run()

    def letters(self, address: str = MAX) -> list[Letter]:
        return self.service.mailbox(address)

    def address(self, who: str = MAX) -> str:
        """Where a game master's words go."""
        return next(one.reply_to for one in reversed(self.letters(who)) if ".master." in one.reply_to)

    def write(
        self, text: str, *, sender: str = MAX, to: str = "", proof: bool = False, date: str = WRITTEN
    ) -> Letter | None:
        """A mail of a game master; the answer to it."""
        before, to = len(self.letters(sender)), to or self.address(sender)
        content = mail(text, sender=sender, to=to, date=date)
        if proof:
            domain = sender.rpartition("@")[2]
            head = f"Authentication-Results: mx.example.org; dmarc=pass header.from={domain}\r\n"
            content = head.encode() + b"Received: from x by mx.example.org; x\r\n" + content
        self.service.send(content, to, sender)
        self.service.run()
        new = self.letters(sender)[before:]
        return next((one for one in new if one.kind == "office"), next(iter(new), None))

    def row(self) -> GameRow:
        with self.service.session() as session:
            return session.get_one(GameRow, self.game)

    def log(self) -> list[str]:
        """The entries of `railpost game log` besides orders."""
        with self.service.session() as session:
            return [log_words(entry) for entry in log_of(session, self.game) if entry.kind != "order"]

    def due(self) -> DeadlineRow:
        with self.service.session() as session:
            return session.exec(select(DeadlineRow).where(DeadlineRow.state != "met")).one()

    def told(self, player: str) -> str:
        return words(self.service.letters(player)[-1])


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path)


def words(letter: Letter | None) -> str:
    assert letter is not None
    return " ".join(letter.text.split())


# ---- the log

REASON = "the lamp is broken"
ACTS: Mapping[str, str] = {
    "pause from 2026-12-24 20:00 Europe/Zurich until 2027-01-02 20:00 Europe/Zurich": "paused: from 2026-12-24 20:00",
    "pause": f"paused: {REASON}",
    "resume": "resumed: ",
    "extend 48 hours": "deadlines: 48 hours more: ",
    "until 2026-12-24 20:00 Europe/Zurich": "deadlines: until 2026-12-24 20:00 Europe/Zurich: ",
    "clock grace=4": "terms of the clocks: grace=4: ",
    "option late default": "terms of the clocks: late=default: ",
    "undo to 0": "back to the position after order 0: ",
    "redo": "the undo taken back: ",
    "enter Bob: bid 30": "orders from a letter: Bob: ",
    "robot Ann on": "a robot moves for: Ann: ",
    "robot Ann off": "plays again: Ann: ",
    "open Ann": "open seat: Ann: ",
    f"give Ann to Dan <{DAN}>": "the seat of Ann: Ann from ",
    "say: Good evening.": "to all players: Good evening.",
    f"add master Eve <{EVE}>": "the game master: Max, Eve: ",
    f"remove master {EVE}": "the game master: Max: ",
    "correct pay 30 from bank to Ann": "was corrected: pay 30 from bank to Ann: ",
    "end game": "ended by the game master: ",
}
"""Every word of a game master that is an act, in an order in which each can be done -> what the log says of it."""


def test_the_log_has_each_act_of_a_game_master_with_its_reason(scene: Scene) -> None:
    """And every player is told the reason. `answer` is for one player alone; `correct move` is logged as `correct pay`
    is."""
    used = {type(one) for text in ACTS for _, one in read_master(text, ("Ann", "Bob", "Cat")).words}
    others = {m.Check, m.Show, m.Reason, m.Help, m.Answer, m.CorrectMove}
    assert used == set(get_args(m.MasterWord)) - others, "a new word: what does the log say of it?"
    scene.service.say("Ann", "open TSR 25")
    for text, line in ACTS.items():
        before = len(scene.service.letters("Cat"))
        answer = scene.write(f"reason: {REASON}\n{text}", proof=True, date=f"a date of {text}")
        assert "1861-1: done" in words(answer), text
        kept = "" if text.startswith("say") else REASON
        logged = [one for one in scene.log() if line in one and kept in one]
        assert len(logged) == 1, (text, scene.log()[-3:])
        told = " ".join(words(letter) for letter in scene.service.letters("Cat")[before:])
        assert kept in told and told, text


def test_the_operator_names_a_game_master_for_a_reason(scene: Scene) -> None:
    name_master(scene.service.desk, scene.game, Person("Eve", EVE), REASON)
    scene.service.run()
    assert scene.log()[-1] == f"the game master: Eve: {REASON}"
    assert f"The reason: {REASON}." in scene.told("Cat")


# ---- what he may do at once


def test_the_first_mail_to_a_master_has_his_address(scene: Scene) -> None:
    letter = scene.letters()[0]
    assert letter.subject == "[1861-1] you are a game master"
    assert letter.reply_to.startswith("railpost+1861-1.master.")
    assert "`help` lists the words" in words(letter)
    assert "you get it as a mail" in words(letter)


def test_he_gives_more_time(scene: Scene) -> None:
    before = scene.due().due_at
    answer = scene.write("extend 48 hours\nreason: Ann has no electricity")
    assert words(answer).startswith("##- reply above this line -## 1861-1: done. 1> extend 48 hours done")
    assert scene.due().due_at == before + timedelta(hours=48)
    for player in ("Ann", "Bob", "Cat"):
        assert "gives 48 hours more to everybody" in scene.told(player)
        assert "The reason: Ann has no electricity." in scene.told(player)


def test_he_pauses_and_resumes(scene: Scene) -> None:
    scene.write("pause until 2026-12-24 20:00 Europe/Zurich")
    assert scene.row().status == "paused"
    scene.write("resume")
    assert scene.row().status == "running"


def test_a_check_does_nothing(scene: Scene) -> None:
    before = len(scene.service.letters("Ann"))
    answer = scene.write("check\npause\nend game\nundo to 5")
    assert "only tried" in words(answer) or "nothing was done" in words(answer)
    assert "2> pause would be done" in words(answer)
    assert "3> end game would be done" in words(answer)
    assert "4> undo to 5 refused: 1861-1 has no orders to take back" in words(answer)
    assert scene.row().status == "running"
    assert len(scene.service.letters("Ann")) == before


def test_a_mail_with_a_fault_does_nothing(scene: Scene) -> None:
    answer = scene.write("pause\nextent 48 hours")
    assert "2> extent 48 hours cannot be read: no word of a game master begins like that." in words(answer)
    assert "Did you mean `extend 48 hours`?" in words(answer)
    assert "1> pause not done" in words(answer)
    assert scene.row().status == "running"


def test_words_after_a_refused_one_are_left(scene: Scene) -> None:
    answer = scene.write("extend 24 hours\nresume\npause")
    assert "2> resume refused: 1861-1 is not paused 3> pause not done" in words(answer)
    assert "done up to a line that was refused" in words(answer)
    assert scene.row().status == "running"


def test_the_same_mail_again_does_nothing_more(scene: Scene) -> None:
    scene.write("extend 48 hours")
    due = scene.due().due_at
    assert scene.write("extend 48 hours") is None
    assert scene.due().due_at == due
    assert scene.service.outcomes()[-1] == "duplicate"


def test_he_writes_to_all_and_to_one(scene: Scene) -> None:
    scene.write("say:\nGood evening.\nThe next game begins in May.\nend say\nanswer Bob: you may sell")
    assert "The next game begins in May." in scene.told("Ann")
    assert "you may sell" in scene.told("Bob")
    assert "you may sell" not in "".join(words(one) for one in scene.service.letters("Ann"))


def test_a_text_with_his_secret_address_is_not_passed_on(scene: Scene) -> None:
    answer = scene.write(f"say: write to {scene.address()}")
    assert "secret address" in words(answer)
    assert "secret address in it" not in scene.told("Ann")


def test_he_sees_the_game_and_no_secret(scene: Scene) -> None:
    scene.service.say("Bob", "limit 30 on TSR")
    answer = scene.write("show clock\nshow position\nshow board\nshow log\nshow seats\nhelp")
    text = words(answer)
    assert "1. Ann, since " in text and "asked now, the answer is due by" in text
    assert "give Ann to Max" in text
    assert "limit 30" not in text


def test_he_sees_who_plays_each_seat_and_how_it_is(scene: Scene) -> None:
    scene.service.say("Bob", "away 2026-03-01 to 2026-03-20")
    scene.write(f"give Cat to Dan <{DAN}>", proof=True)
    scene.service.clock.pass_by(hours=80)
    sweep_deadlines(scene.service.desk)
    scene.service.run()
    answer = scene.write("show seats", proof=True)
    assert answer is not None
    text = words(answer)
    assert "1. Ann, since Sun 1 Mar 2026, 12:00 (UTC); late: the answer was due by Wed 4 Mar 2026" in text
    assert "2. Bob, since Sun 1 Mar 2026, 12:00 (UTC); away until Fri 20 Mar 2026; wrote last on" in text
    assert "3. Cat, played by Dan, since" in text
    assert "example" not in text.partition("3. Cat")[0].partition("show seats")[2], "no address of a player"


def test_a_master_who_plays_does_not_see_when_others_wrote(scene: Scene) -> None:
    scene.service.say("Bob", "show clock")
    name_master(scene.service.desk, scene.game, Person("Ann", "ann@players.example"))
    scene.service.run()
    answer = scene.write("show seats", sender="ann@players.example", to=scene.address("ann@players.example"))
    assert "2. Bob, since" in words(answer) and "wrote last" not in words(answer)


def test_the_help_shows_addresses_in_html_too(scene: Scene) -> None:
    letter = scene.write("help")
    assert letter is not None
    assert "give Ann to Max &lt;max@example.org&gt;" in letter.html


# ---- what needs his yes, or proof


def test_what_takes_something_needs_his_yes(scene: Scene) -> None:
    answer = scene.write(f"give Bob to Dan <{DAN}>")
    assert "waits for consent" in words(answer)
    assert scene.service.seat(scene.game, "Bob").address == "bob@players.example"
    asked = next(one for one in scene.letters() if one.subject.startswith("[1861-1] yes or no"))
    scene.write("yes", to=asked.reply_to)
    assert scene.service.seat(scene.game, "Bob").address == DAN
    assert "Done: `give Bob to Dan" in words(scene.letters()[-1])


def test_all_are_told_why_a_seat_is_given_away(scene: Scene) -> None:
    before = scene.service.mailbox("bob@players.example")
    scene.write(f"give Bob to Dan <{DAN}>\nreason: Bob has no time", proof=True)
    gone = scene.service.mailbox("bob@players.example")[len(before) :]
    for letter in (gone[-1], scene.service.letters("Ann")[-1], scene.service.letters("Cat")[-1]):
        assert "The reason: Bob has no time." in words(letter)


def test_his_no_ends_it(scene: Scene) -> None:
    scene.write("end game")
    asked = next(one for one in scene.letters() if one.subject.startswith("[1861-1] yes or no"))
    scene.write("no", to=asked.reply_to)
    assert scene.row().status == "running"
    scene.write("yes", to=asked.reply_to, date="Fri, 02 Jan 2026 10:00:00 +0000")
    assert scene.row().status == "running"


def test_an_unclear_answer_is_asked_again(scene: Scene) -> None:
    scene.write("end game")
    asked = next(one for one in scene.letters() if one.subject.startswith("[1861-1] yes or no"))
    again = scene.write("perhaps", to=asked.reply_to)
    assert again is not None
    assert again.reply_to == asked.reply_to
    scene.write("yes", to=again.reply_to)
    assert scene.row().status == "ended"


def test_it_lapses(scene: Scene) -> None:
    scene.write("end game")
    asked = next(one for one in scene.letters() if one.subject.startswith("[1861-1] yes or no"))
    scene.service.clock.pass_by(hours=scene.service.desk.settings.confirm_hours + 1)
    assert end_lapsed(scene.service.desk) == 1
    scene.service.run()
    assert "Nobody has answered in time" in words(scene.letters()[-1])
    scene.write("yes", to=asked.reply_to)
    assert scene.row().status == "running"


def test_with_proof_it_is_done_at_once(scene: Scene) -> None:
    scene.write("end game\nreason: we agreed on it", proof=True)
    assert scene.row().status == "ended"
    assert "we agreed on it" in scene.told("Ann")


def test_a_motion_that_cannot_be_done_any_more_is_told(scene: Scene) -> None:
    scene.write("robot Bob on")
    asked = next(one for one in scene.letters() if one.subject.startswith("[1861-1] yes or no"))
    scene.write("robot Bob on", proof=True, date="Fri, 02 Jan 2026 10:00:00 +0000")
    scene.write("yes", to=asked.reply_to, proof=True)
    assert "cannot be done any more: Bob: nothing would change." in words(scene.letters()[-1])


def test_of_several_words_agreed_on_all_are_done_or_none(scene: Scene) -> None:
    due, before = scene.due().due_at, len(scene.service.letters("Ann"))
    scene.write("extend 48 hours\nrobot Bob on\nrobot Bob off")
    assert "refused" in words(scene.letters()[-1])  # nothing would change: it is tried first
    scene.write("extend 48 hours\ngive Cat to Dan <dan@elsewhere.example>\nrobot Bob on")
    asked = next(one for one in reversed(scene.letters()) if one.subject.startswith("[1861-1] yes or no"))
    scene.write("robot Bob on", proof=True, date="Fri, 02 Jan 2026 10:00:00 +0000")
    log, at = scene.service.log(scene.game), scene.row().at
    before = len(scene.service.letters("Ann"))
    scene.write("yes", to=asked.reply_to, proof=True)
    told = words(scene.letters()[-1])
    assert "any more: `robot Bob on`: Bob: nothing would change. Nothing of it was done." in told
    assert (scene.due().due_at, scene.service.log(scene.game), scene.row().at) == (due, log, at)
    assert len(scene.service.letters("Ann")) == before and not scene.letters(DAN)
    assert scene.service.seat(scene.game, "Cat").address == "cat@players.example"
    assert not scene.service.complaints
    scene.service.say("Ann", "auction TSR at 20")
    assert len(scene.service.position(scene.game).orders) == 1


# ---- orders from a letter, undo


def test_he_enters_orders_from_a_letter(scene: Scene) -> None:
    before = len(scene.service.letters("Ann"))
    answer = scene.write("enter Ann: auction TSR at 20", proof=True)
    assert "done" in words(answer)
    copy = scene.service.letters("Ann")[before]
    assert "The game master has entered these orders for you." in words(copy)
    assert len(scene.service.position(scene.game).orders) == 1


def test_what_he_enters_is_played_by_the_rules(scene: Scene) -> None:
    before = len(scene.service.letters("Ann"))
    answer = scene.write("enter Ann:\nauction TSR at 5\nend enter", proof=True)
    assert "1> enter Ann: auction TSR at 5 refused" in words(answer)
    assert "at least" in words(answer)
    assert len(scene.service.letters("Ann")) == before
    assert not scene.service.position(scene.game).orders


def test_he_cannot_change_an_address_by_a_letter(scene: Scene) -> None:
    scene.write(f"enter Bob: address {DAN}", proof=True)
    assert scene.service.seat(scene.game, "Bob").address == "bob@players.example"
    with scene.service.session() as session:
        assert not session.exec(select(MotionRow)).all()


def test_he_goes_back(scene: Scene) -> None:
    scene.service.say("Ann", "auction TSR at 20")
    scene.write("undo to 0\nreason: a mistake", proof=True)
    assert not scene.service.position(scene.game).orders
    assert "The reason: a mistake." in scene.told("Cat")


def test_an_undo_keeps_what_fits_and_is_taken_back(scene: Scene) -> None:
    scene.service.say("Ann", "auction TSR at 20")
    scene.service.say("Bob", "bid 25")
    before = scene.service.position(scene.game).told_digest()
    answer = scene.write("undo to 1\nreason: Bob misread the price", proof=True)
    assert "done" in words(answer)
    assert len(scene.service.position(scene.game).orders) == 1
    scene.write("redo", proof=True)
    assert scene.service.position(scene.game).told_digest() == before


# ---- corrections


def opened(scene: Scene) -> Scene:
    """TSR is sold to Bob."""
    scene.service.say("Ann", "auction TSR at 20")
    scene.service.say("Bob", "bid 25")
    for player in ("Cat", "Ann"):
        scene.service.say(player, "drop")
    return scene


def test_he_corrects_money(scene: Scene) -> None:
    opened(scene)
    before = scene.service.position(scene.game).state
    scene.write("correct pay 5 from bank to bob\nreason: TSR was 20 in our house rules", proof=True)
    after = scene.service.position(scene.game).state
    assert after.money(PlayerId("Bob")) == before.money(PlayerId("Bob")) + 5
    assert sum(after.cash.values()) == sum(before.cash.values())
    assert any("TSR was 20 in our house rules." in words(one) for one in scene.service.letters("Cat"))
    asked = str(scene.service.position(scene.game).asked()[0].player)
    before_orders = len(scene.service.position(scene.game).orders)
    scene.service.say(asked, "auction BSS at 30")
    assert len(scene.service.position(scene.game).orders) == before_orders + 1


def test_a_correction_stays_in_log_record_and_replay(scene: Scene) -> None:
    opened(scene)
    scene.write("correct pay 5 from bank to Bob\nreason: a mistake", proof=True)
    digest = scene.service.position(scene.game).told_digest()
    built = rebuild(scene.service.desk, scene.game)
    assert built is not None and not built.differs
    text = export_record(scene.service.desk, scene.game)
    assert text is not None
    assert replay_record(read_record(text)).told_digest() == digest
    again = scene.service.again()
    assert again.position(scene.game).told_digest() == digest


def test_a_long_game_that_was_corrected_leads_where_it_did(scene: Scene) -> None:
    """The correction comes where a snapshot is, and so long ago that no position of that time is in memory."""
    service = scene.service
    play_on(service, scene.game, sensible, lambda game: len(game.orders) == 25)
    player = PlayerId(service.position(scene.game).asked()[0].player)
    had = service.position(scene.game).state.money(player)
    scene.write(f"correct pay 5 from bank to {player}\nreason: a mistake", proof=True)
    play_on(service, scene.game, sensible, lambda game: len(game.orders) == 90)
    game = service.position(scene.game)
    _, before, _ = list(game.happened(24))[1]
    assert before.money(player) == had + 5
    assert [found.fault for found in replay_all(service.desk.database, service.desk.games)] == [""]
    text = export_record(service.desk, scene.game)
    assert text is not None
    assert replay_record(read_record(text)).told_digest() == game.told_digest()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("correct pay 5 from bank to Bob", "a correction needs a reason"),
        ("correct pay 5000 from Ann to Bob\nreason: x", "and cannot pay 5000"),
        ("correct pay 0 from bank to Bob\nreason: x", "an amount is at least 1"),
        ("correct pay 5 from Bob to Bob\nreason: x", "both are the same"),
        ("correct pay 5 from Zoe to Bob\nreason: x", "Zoe is neither a player nor a company nor the bank"),
        ("correct pay 5 from bank to K-R\nreason: x", "K-R is not in play"),
        ("correct move 1 K-R from Ann to Bob\nreason: x", "K-R is not in play"),
        ("correct move 1 XYZ from Ann to Bob\nreason: x", "no company is called XYZ"),
    ],
)
def test_a_correction_that_does_not_hold_together_is_refused(scene: Scene, text: str, why: str) -> None:
    before = scene.service.position(scene.game).told_digest()
    assert why in words(scene.write(text, proof=True))
    assert scene.service.position(scene.game).told_digest() == before


# ---- others


@pytest.mark.parametrize("text", ["pause", "end game", "show log", "help"])
def test_nobody_else_is_heard_at_his_address(scene: Scene, text: str) -> None:
    scene.write(text, sender=EVIL, to=scene.address())
    assert scene.row().status == "running"
    assert scene.service.outcomes()[-1] == "unconfirmed"
    assert "nothing in it was done" in words(scene.letters()[-1])
    assert not scene.letters(EVIL)


def test_his_name_on_a_mail_to_a_guessed_address_does_nothing(scene: Scene) -> None:
    scene.write("end game", to="railpost+1861-1.master.aaaaaaaaaaaaaaaaaaaaaaaaaa@example.org")
    assert scene.row().status == "running"
    assert scene.service.outcomes()[-1] == "wrong_token"


def test_a_former_master_is_not_heard(scene: Scene) -> None:
    before = scene.address()
    name_master(scene.service.desk, scene.game, Person("Eve", EVE))
    scene.service.run()
    scene.write("pause", to=before)
    assert scene.row().status == "running"
    assert scene.service.outcomes()[-1] == "wrong_token"
    scene.write("pause", sender=EVE)
    assert scene.row().status == "paused"


def test_a_players_address_takes_no_words_of_a_master(scene: Scene) -> None:
    answer = scene.service.say("Ann", "pause\nend game")
    assert scene.row().status == "running"
    assert answer is not None
    assert "cannot be read" in words(answer) or "not" in words(answer)


def test_a_master_adds_and_removes_another(scene: Scene) -> None:
    scene.write(f"add master Eve <{EVE}>\nreason: I am away in May", proof=True)
    assert "The game masters are now Max and Eve." in scene.told("Ann")
    assert "Max gets it as a mail" in words(scene.letters(EVE)[0])
    scene.write("pause", sender=EVE)
    assert scene.row().status == "paused"
    to = scene.address(EVE)
    scene.write(f"remove master {EVE}", proof=True)
    assert "no longer the game master" in words(scene.letters(EVE)[-1])
    scene.write("resume", sender=EVE, to=to)
    assert scene.row().status == "paused"


# ---- lateness


def test_he_is_told_that_somebody_is_late_and_may_answer_at_once(scene: Scene) -> None:
    scene.service.clock.pass_by(hours=73)
    sweep_deadlines(scene.service.desk)
    scene.service.run()
    told = scene.letters()[-1]
    assert told.subject == "[1861-1] Ann is late"
    assert "robot Ann on" in words(told)
    scene.write("extend 24 hours", to=told.reply_to)
    assert scene.due().state == "open"


# ---- a master who plays


@pytest.fixture
def playing(scene: Scene) -> Scene:
    """Ann is the game master, too."""
    name_master(scene.service.desk, scene.game, Person("Ann", "ann@players.example"))
    scene.service.run()
    return scene


def test_a_playing_master_asks_the_second(playing: Scene) -> None:
    with playing.service.desk.sitting() as sitting:
        add_master_in(sitting, playing.game, Person("Eve", EVE))
    playing.service.run()
    answer = playing.write("extend 48 hours", sender="ann@players.example")
    assert "another game master decides: Eve is asked" in words(answer)
    before = playing.due().due_at
    asked = playing.letters(EVE)[-1]
    assert "Ann, who is a game master and plays in 1861-1, cannot decide this alone" in words(asked)
    playing.write("yes", sender=EVE, to=asked.reply_to)
    assert playing.due().due_at == before + timedelta(hours=48)


def test_a_playing_master_alone_asks_the_table(playing: Scene) -> None:
    before = playing.due().due_at
    playing.write("extend 48 hours", sender="ann@players.example")
    assert playing.due().due_at == before
    assert "2 of 3 players must agree" in playing.told("Bob")
    playing.service.say("Bob", "vote yes")
    assert playing.due().due_at == before + timedelta(hours=48)


def test_a_playing_master_may_write_to_all(playing: Scene) -> None:
    playing.write("say: good evening", sender="ann@players.example")
    assert "good evening" in playing.told("Bob")
