"""The dialogue by mail, with a game that no title folder knows: the moderator knows kinds of orders, and no title."""

from __future__ import annotations

from pathlib import Path

import pytest

import engine
from engine import Game
from moderator.domain.info import GameInfo
from moderator.domain.transcript import Transcript
from moderator.service.pipeline import process
from moderator.service.table import undo
from tests import toy_title
from tests.mail_service import Service, mail


class PlainWords:
    """Mails in the barest words, so that only what the moderator decides is under test."""

    def __init__(self) -> None:
        self.transcripts: list[Transcript] = []
        self.broken = False

    def welcome_mail(self, game: Game, info: GameInfo, seat: str) -> Bare:
        return Bare("welcome", str(info))

    def turn_mail(self, game: Game, info: GameInfo, seat: str, since: int) -> Bare:
        if self.broken:
            raise RuntimeError("no words")
        return Bare("turn", f"since {since}, {info.at}")

    def news_mail(self, game: Game, info: GameInfo, seat: str, since: int) -> Bare:
        return Bare("news", f"since {since}")

    def transcript_mail(self, game: Game, info: GameInfo, transcript: Transcript) -> Bare:
        self.transcripts.append(transcript)
        return Bare(transcript.outcome, "\n".join(f"{s.what}: {s.text}" for s in transcript.shown))

    held_mail = transcript_mail

    def help_mail(self, game: Game, info: GameInfo, seat: str) -> Bare:
        return Bare("help", "help")

    def game_over_mail(self, game: Game, info: GameInfo, seat: str, *, since: int | None = None) -> Bare:
        return Bare("over", f"{game.standings()} seed {info.seed}")

    def stranger_mail(self) -> Bare:
        return Bare("stranger", "who are you")

    def operator_mail(self, problem: str) -> Bare:
        return Bare("operator", problem)

    def text_position(self, game: Game, seat: str) -> str:
        return f"position after {len(game.orders)} orders"

    def text_map(self, game: Game) -> str:
        return "map"

    def text_lays(self, game: Game, actor: str) -> str:
        return f"lays of {actor}"


class Bare:
    def __init__(self, subject: str, text: str) -> None:
        self.subject, self.text, self.html = subject, text, ""


class Table(Service):
    """The service with the toy, and what it said last."""

    def words(self) -> PlainWords:
        words: PlainWords = self.desk.words  # type: ignore[assignment]
        return words

    @property
    def last(self) -> Transcript:
        return self.words().transcripts[-1]

    @property
    def verdicts(self) -> list[tuple[str | None, str]]:
        return [(line.canonical, line.verdict) for line in self.last.lines]

    @property
    def notes(self) -> list[str]:
        return [key for key, _ in self.last.notes]


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return _open(tmp_path, PlainWords())


def _open(root: Path, words: PlainWords) -> Table:
    service = Service.open(root, toy_title.load, toy_title.vocabulary)
    from dataclasses import replace

    return Table(root, replace(service.desk, words=words), service.clock)


@pytest.fixture
def game(table: Table, monkeypatch: pytest.MonkeyPatch) -> str:
    """X is Ann's, Y is Bob's. Ann is asked to open P; then come X's turn, Y's turn, and all that again."""
    monkeypatch.setattr(engine, "editions", lambda name: ("one",))
    return table.game("toy")


def to_companies(table: Table) -> None:
    """Past the auction: X is asked."""
    table.say("Ann", "pass")


# ---- the block


def test_a_whole_game_by_mail(table: Table, game: str) -> None:
    for _ in range(toy_title.ROUNDS):
        table.say("Ann", "open P 10")
        table.say("Bob", "bid 15")
        table.say("Cat", "drop")
        table.say("Ann", "drop")
        table.say("Ann", "redeem 1; pay none; done")
        table.say("Bob", "pay none; done")
    assert table.position(game).finished
    assert table.complaints == []
    over = [letter for letter in table.letters("Cat") if letter.kind == "over"]
    assert len(over) == 1
    assert "seed a seed" in over[0].text
    table.say("Ann", "pass")
    assert table.outcomes()[-1] == "game_over"


def test_one_illegal_line_refuses_the_block(table: Table, game: str) -> None:
    to_companies(table)
    table.say("Ann", "redeem 1\nredeem 3\npay none")
    assert table.outcomes()[-1] == "refused"
    assert table.log(game) == ["Ann: pass"]
    assert table.verdicts == [("redeem 1", "checked"), ("redeem 3", "refused"), ("pay none", "not_reached")]
    assert [f.check for f in table.last.lines[1].failures] == ["redeem.count"]


def test_partial_carries_out_what_stands_before_the_first_failure(table: Table, game: str) -> None:
    to_companies(table)
    table.say("Ann", "partial\nredeem 1\nredeem 3\npay none")
    assert table.outcomes()[-1] == "partial"
    assert table.log(game) == ["Ann: pass", "X: redeem 1"]
    assert table.verdicts == [("redeem 1", "accepted"), ("redeem 3", "refused"), ("pay none", "not_reached")]


def test_one_unreadable_line_refuses_the_block_and_all_such_lines_are_named(table: Table, game: str) -> None:
    to_companies(table)
    table.say("Ann", "redeem 1\nredem 1\npay nun\ndone")
    assert table.outcomes()[-1] == "unreadable"
    assert table.log(game) == ["Ann: pass"]
    assert [v for _, v in table.verdicts] == ["checked", "unreadable", "unreadable", "not_reached"]


def test_a_block_that_ends_without_done_means_it(table: Table, game: str) -> None:
    to_companies(table)
    table.say("Ann", "redeem 1; pay none")
    assert table.log(game)[1:] == ["X: redeem 1", "X: pay none", "X: done"]
    assert "done.implied" in table.notes


def test_a_turn_with_something_left_to_do_goes_on(table: Table, game: str) -> None:
    to_companies(table)
    table.say("Ann", "redeem 1")
    assert table.log(game)[1:] == ["X: redeem 1"]
    assert "done.missing" in table.notes
    table.say("Ann", "pay none; done")
    assert table.log(game)[1:] == ["X: redeem 1", "X: pay none", "X: done"]


def test_pass_is_written_back_as_the_right_word(table: Table, game: str) -> None:
    table.say("Ann", "open P 10")
    table.say("Bob", "pass")
    assert table.log(game)[-1] == "Bob: drop"
    assert table.verdicts == [("drop", "accepted")]


def test_nobody_orders_for_somebody_else(table: Table, game: str) -> None:
    to_companies(table)
    table.say("Bob", "X: redeem 1")
    assert table.outcomes()[-1] == "refused"
    assert [f.check for f in table.last.lines[0].failures] == ["seat.not_yours"]
    table.say("Bob", "Ann: pass")
    assert table.outcomes()[-1] == "refused"
    assert table.log(game) == ["Ann: pass"]


# ---- check and show


def test_check_changes_nothing(table: Table, game: str) -> None:
    at = table.at(game)
    table.say("Ann", "check\nopen P 10")
    assert table.outcomes() == ["checked"]
    assert table.verdicts == [("open P 10", "checked")]
    assert (table.log(game), table.at(game)) == ([], at)


def test_check_does_not_betray_what_others_gave_ahead(table: Table, game: str) -> None:
    table.say("Ann", "open P 10\nlimit 60")
    table.say("Bob", "check\nbid 15")
    assert [type(e).__name__ for e in table.last.lines[0].events if "Bid" in type(e).__name__] == ["BidMade"]
    assert table.log(game) == ["Ann: open P 10"]


def test_a_refused_block_does_not_betray_it_either(table: Table, game: str) -> None:
    table.say("Ann", "open P 10\nlimit 60")
    table.say("Bob", "bid 15\nBob: bid 20\nredeem 1")
    seen = [e for line in table.last.lines for e in line.events]
    assert all(getattr(e, "player", "Bob") == "Bob" for e in seen)


def test_an_old_address_still_shows_and_checks(table: Table, game: str) -> None:
    old = table.address("Ann")
    table.say("Ann", "open P 10")
    table.say("Ann", "show map\nshow position", to=old)
    assert table.outcomes()[-1] == "shown"
    assert [s.what for s in table.last.shown] == ["map", "position"]


def test_show_at_an_earlier_decision_also_after_an_undo(table: Table, game: str) -> None:
    table.say("Ann", "open P 10")
    table.say("Bob", "bid 15")
    undo(table.desk, game, 0)
    table.run()
    table.say("Ann", "show at 3")
    assert table.last.shown[0].text == "position after 2 orders"
    table.say("Ann", "show at 4")
    assert table.last.shown[0].text == "position after 0 orders"
    table.say("Ann", "show at 400")
    assert table.notes == ["show.at_unknown"]


def test_help_and_notify(table: Table, game: str) -> None:
    answer = table.say("Ann", "help")
    assert answer is not None
    assert answer.subject == "help"
    table.say("Cat", "notify all")
    assert table.outcomes() == ["helped", "notified"]
    table.say("Ann", "open P 10")
    assert table.letters("Cat")[-1].kind == "news"


@pytest.mark.parametrize(("setting", "news"), [("turn", 0), ("round", 1), ("all", 3)])
def test_who_is_told_what_while_he_is_not_on_turn(table: Table, game: str, setting: str, news: int) -> None:
    table.say("Cat", f"notify {setting}")
    to_companies(table)
    table.say("Ann", "pay none; done")
    table.say("Bob", "pay none; done")
    assert sum(letter.kind == "news" for letter in table.letters("Cat")) == news


# ---- orders given ahead


def test_several_turns_in_one_mail(table: Table, game: str) -> None:
    """Bob's Y waits while Ann's X has its turn, and is played when it is asked."""
    table.say("Bob", "Y: redeem 1; pay none; done")
    assert table.outcomes() == ["held"]
    assert table.log(game) == []
    to_companies(table)
    table.say("Ann", "pay none; done")
    assert table.log(game)[-3:] == ["Y: redeem 1", "Y: pay none", "Y: done"]
    assert table.held(game) == [("Bob", "Y:\n  redeem 1\n  pay none\n  done", "used")]


def test_the_second_section_waits_for_the_first(table: Table, game: str) -> None:
    to_companies(table)
    table.say("Ann", "X: pay none; done\nAnn: open P 20\nX: redeem 1; pay none; done")
    assert table.verdicts[:2] == [("pay none", "accepted"), ("done", "accepted")]
    assert [v for _, v in table.verdicts[2:]] == ["held"] * 4
    table.say("Bob", "pay none; done")
    assert table.log(game)[-1] == "Ann: open P 20"
    table.say("Bob", "drop")
    table.say("Cat", "drop")
    assert table.log(game)[-3:] == ["X: redeem 1", "X: pay none", "X: done"]


def test_what_does_not_fit_any_more_lapses_as_a_whole_with_a_message(table: Table, game: str) -> None:
    table.say("Bob", "Y: pay none; redeem 9; done")
    to_companies(table)
    table.say("Ann", "pay none; done")
    assert not any(entry.startswith("Y") for entry in table.log(game))
    assert table.held(game)[0][2] == "lapsed"
    lapsed = next(t for t in table.words().transcripts if t.outcome == "lapsed")
    assert lapsed.seat == "Bob"
    assert [f.check for f in lapsed.notes[0][1]["failures"]] == ["redeem.count"]  # type: ignore[attr-defined]


def test_a_held_turn_waits_through_other_questions(table: Table, game: str) -> None:
    """Bob's turn of Y is not used up, nor lost, when Bob is asked in an auction before it."""
    table.say("Bob", "Y: pay none; done")
    table.say("Ann", "open P 10")
    assert table.held(game)[0][2] == "waiting"
    table.say("Bob", "drop")
    table.say("Cat", "drop")
    table.say("Ann", "pay none; done")
    assert table.held(game)[0][2] == "used"


def test_a_later_mail_replaces_what_is_held_for_the_same_turn(table: Table, game: str) -> None:
    table.say("Bob", "Y: redeem 1; pay none; done")
    table.say("Bob", "Y: pay none; done")
    assert [status for *_, status in table.held(game)] == ["replaced", "waiting"]
    assert "held.replaced" in table.notes


def test_withdraw(table: Table, game: str) -> None:
    table.say("Bob", "Y: pay none; done")
    table.say("Bob", "withdraw")
    assert table.outcomes() == ["held", "withdrawn"]
    assert table.held(game)[0][2] == "withdrawn"
    to_companies(table)
    table.say("Ann", "pay none; done")
    assert not any(entry.startswith("Y") for entry in table.log(game))


def test_a_limit_bids_in_secret_up_to_its_maximum_and_then_drops(table: Table, game: str) -> None:
    table.say("Ann", "open P 10\nlimit 30")
    table.say("Bob", "bid 15")
    assert table.log(game) == ["Ann: open P 10", "Bob: bid 15"]
    table.say("Cat", "drop")
    assert table.log(game)[-1] == "Ann: bid 20"
    table.say("Bob", "bid 30")
    assert table.log(game)[-1] == "Ann: drop"
    assert not any("limit" in entry for entry in table.log(game))
    assert table.held(game)[0][2] == "used"


def test_two_limits_bid_against_each_other(table: Table, game: str) -> None:
    table.say("Ann", "open P 10\nlimit 40")
    table.say("Cat", "limit 50 on P")
    table.say("Bob", "drop")
    assert table.position(game).state.money("Cat") == 100 - 45
    assert [status for *_, status in table.held(game)] == ["used", "used"]


def test_a_limit_without_an_item_needs_a_running_auction(table: Table, game: str) -> None:
    table.say("Cat", "limit 50")
    assert table.outcomes() == ["refused"]
    assert table.held(game) == []


def test_consent_given_ahead_is_used_when_it_is_asked_for(table: Table, game: str) -> None:
    table.say("Bob", "Y: agree train 2 to X for 5")
    assert table.outcomes() == ["held"]
    to_companies(table)
    table.say("Ann", "train 2 from Y for 5; pay none; done")
    assert "Y: agree train 2 to X for 5" in table.log(game)
    assert table.log(game)[-2:] == ["X: pay none", "X: done"]
    assert table.held(game)[0][2] == "used"


def test_consent_to_something_else_is_not_used(table: Table, game: str) -> None:
    table.say("Bob", "Y: agree train 2 to X for 50")
    to_companies(table)
    table.say("Ann", "train 2 from Y for 5; pay none; done")
    assert table.log(game)[-1] == "X: train 2 from Y for 5"
    assert [status for *_, status in table.held(game)] == ["waiting", "waiting"]
    assert "held.rest" in table.notes


def test_the_rest_of_a_turn_waits_for_the_answer_of_another(table: Table, game: str) -> None:
    to_companies(table)
    table.say("Ann", "train 2 from Y for 5; redeem 1; pay none; done")
    assert [v for _, v in table.verdicts] == ["accepted", "held", "held", "held"]
    table.say("Bob", "agree")
    assert table.log(game)[-3:] == ["X: redeem 1", "X: pay none", "X: done"]


def test_consent_without_a_subject_needs_a_question(table: Table, game: str) -> None:
    table.say("Bob", "Y: agree")
    assert table.outcomes() == ["refused"]


# ---- tokens and questions


def test_one_answer_does_not_make_anothers_stale(table: Table, game: str) -> None:
    """Bob and Cat are asked the same; Cat's mail answers the turn mail he got before Bob's answer."""
    to_companies(table)
    table.say("Ann", "merge Y into X")
    cat = table.address("Cat")
    table.say("Bob", "agree")
    table.say("Cat", "agree", to=cat)
    assert table.outcomes()[-1] == "applied"
    assert table.log(game)[-2:] == ["Bob: agree", "Cat: agree"]


def test_the_same_question_about_something_else_makes_it_stale(table: Table, game: str) -> None:
    to_companies(table)
    table.say("Ann", "train 2 from Y for 5")
    bob = table.address("Bob")
    table.say("Bob", "refuse")
    table.say("Ann", "train 2 from Y for 50")
    table.say("Bob", "agree", to=bob)
    assert table.outcomes()[-1] == "stale"


def test_addresses_are_secret_short_and_lower_case(table: Table, game: str) -> None:
    addresses = {letter.reply_to for player in ("Ann", "Bob", "Cat") for letter in table.letters(player)}
    assert len(addresses) == 3
    for address in addresses:
        local = address.split("@")[0]
        assert local == local.lower()
        assert len(local.encode()) <= 64
    to_companies(table)
    assert table.address("Ann") not in addresses


def test_the_decision_counter_never_repeats(table: Table, game: str) -> None:
    table.say("Ann", "open P 10")
    old = table.address("Bob")
    seen = table.at(game)
    undo(table.desk, game, 0)
    table.run()
    assert table.at(game) == seen + 1
    table.say("Bob", "bid 15", to=old)
    assert table.outcomes()[-1] == "stale"
    assert table.log(game) == ["Ann: open P 10", "undo 0"]


def test_undo_gives_back_what_was_held_and_tells_everyone(table: Table, game: str) -> None:
    table.say("Ann", "open P 10\nlimit 60")
    assert undo(table.desk, game, 0) == 1
    table.run()
    assert table.held(game)[0][2] == "undone"
    undone = [t for t in table.words().transcripts if t.outcome == "undone"]
    assert sorted(t.seat for t in undone) == ["Ann", "Bob", "Cat"]
    table.say("Ann", "open P 25")
    assert table.log(game)[-1] == "Ann: open P 25"


# ---- people


def test_an_unknown_sender_gets_one_fixed_text_a_day_at_his_return_path(table: Table, game: str) -> None:
    for _ in range(3):
        table.send(mail("open P 10", sender="forged@victim.example"), return_path="stranger@else.example")
    table.run()
    assert table.outcomes() == ["unknown_sender"] * 3
    assert [letter.kind for letter in table.mailbox("stranger@else.example")] == ["stranger"]
    assert table.mailbox("forged@victim.example") == []
    table.clock.pass_by(days=1)
    table.send(mail("open P 10", sender="forged@victim.example"), return_path="stranger@else.example")
    table.run()
    assert len(table.mailbox("stranger@else.example")) == 2


def test_from_alone_is_never_enough(table: Table, game: str) -> None:
    table.send(mail("open P 10", sender="Ann <ann@players.example>"))
    table.run()
    assert table.outcomes() == ["wrong_token"]
    assert table.log(game) == []


@pytest.mark.parametrize(
    "address", ["railpost+toy-1.1.aaaaaaaaaaaaaaaaaaaaaaaaaa", "railpost+toy-1.2.{token}", "railpost+toy-9.1.{token}"]
)
def test_a_wrong_token_opens_nothing(table: Table, game: str, address: str) -> None:
    token = table.address("Ann").split("@")[0].split(".")[-1]
    to = address.format(token=token) + "@example.org"
    table.send(mail("open P 10", to=to), to)
    table.run()
    assert table.outcomes() == ["wrong_token"]
    assert table.log(game) == []


def test_answers_go_to_the_address_of_record_only(table: Table, game: str) -> None:
    address = table.address("Ann")
    table.send(mail("open P 10", sender="ann@holiday.example", to=address), address, "ann@holiday.example")
    table.run()
    assert table.outcomes() == ["applied"]
    assert table.mailbox("ann@holiday.example") == []
    assert [letter.kind for letter in table.letters("Ann")] == ["welcome", "turn", "transcript"]


@pytest.mark.parametrize(
    "headers",
    [
        {"Auto-Submitted": "auto-replied"},
        {"Auto-Submitted": "auto-generated (rule)"},
        {"X-Autoreply": "yes"},
        {"Precedence": "bulk"},
    ],
)
def test_robots_get_no_answer(table: Table, game: str, headers: dict[str, str]) -> None:
    before = len(table.letters("Ann"))
    address = table.address("Ann")
    table.send(mail("open P 10", to=address, headers=headers), address)
    table.run()
    assert table.outcomes() == ["robot"]
    assert len(table.letters("Ann")) == before


def test_a_null_return_path_gets_no_answer(table: Table, game: str) -> None:
    address = table.address("Ann")
    table.send(mail("open P 10", to=address), address, return_path="")
    table.run()
    assert table.outcomes() == ["robot"]
    assert table.log(game) == []


def test_our_own_mail_is_not_read(table: Table, game: str) -> None:
    table.send(mail("open P 10", sender="railpost@example.org", to=table.address("Ann")))
    table.run()
    assert table.outcomes() == ["robot"]


# ---- nothing is lost


def test_bytes_are_stored_as_they_came(table: Table, game: str) -> None:
    from moderator.adapters.tables import MailRow

    content = mail("open P 10", to=table.address("Ann")) + b"\xff\x00\r\n"
    table.send(content)
    table.run()
    with table.session() as session:
        row = session.get(MailRow, 1)
        assert row is not None
        assert row.content.endswith(content)


def test_a_fault_of_ours_is_an_outcome_is_told_and_stops_no_other_mail(table: Table, game: str) -> None:
    table.words().broken = True
    table.say("Ann", "open P 10")
    assert table.outcomes() == ["error"]
    assert table.log(game) == []
    assert "no words" in table.complaints[0]
    assert [letter.text.strip() for letter in table.mailbox("master@example.net")] == ["mail 1: RuntimeError: no words"]
    assert table.notes == ["error"]
    table.say("Ann", "show position")
    assert table.outcomes() == ["error", "shown"]


def test_a_mail_that_ended_in_an_error_can_be_tried_again(table: Table, game: str) -> None:
    from moderator.adapters.tables import MailRow

    table.words().broken = True
    table.say("Ann", "open P 10")
    table.words().broken = False
    with table.session() as session, session.begin():
        row = session.get(MailRow, 1)
        assert row is not None
        row.outcome = None
    table.run()
    assert table.outcomes() == ["applied"]
    assert table.log(game) == ["Ann: open P 10"]


def test_a_mail_that_kills_the_service_is_given_up_after_three_attempts(
    table: Table, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from moderator.service import pipeline

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(pipeline, "process", killed)
    table.send(mail("open P 10", to=table.address("Ann")))
    for _ in range(3):
        with pytest.raises(KeyboardInterrupt):
            table.run()
        table.clock.pass_by(minutes=10)
    monkeypatch.setattr(pipeline, "process", process)
    table.run()
    assert table.outcomes() == ["error"]


def test_a_lease_keeps_others_off_until_it_runs_out(table: Table, game: str) -> None:
    from moderator.service.pipeline import _claim

    table.send(mail("open P 10", to=table.address("Ann")))
    from moderator.adapters.maildir import MaildirIntake, folder_for
    from moderator.service.pipeline import take_in

    take_in(table.desk, MaildirIntake(folder_for(table.desk.settings.mail_folder, table.desk.settings.address)))
    assert _claim(table.desk) == 1
    assert _claim(table.desk) is None
    table.clock.pass_by(minutes=10)
    assert _claim(table.desk) == 1


def test_a_service_started_again_goes_on_where_it_was(table: Table, game: str) -> None:
    table.say("Ann", "open P 10\nlimit 60")
    table.send(mail("bid 15", sender="bob@players.example", to=table.address("Bob")))
    again = _open(table.root, PlainWords())
    again.run()
    assert again.outcomes() == ["applied", "applied"]
    again.say("Cat", "drop")
    assert again.log(game) == ["Ann: open P 10", "Bob: bid 15", "Cat: drop", "Ann: bid 20"]


def test_two_services_on_one_database(table: Table, game: str) -> None:
    other = _open(table.root, PlainWords())
    other.say("Ann", "open P 10")
    table.say("Bob", "bid 15")
    other.say("Cat", "drop")
    assert table.position(game).orders == other.position(game).orders
    assert len(table.log(game)) == 3


def test_too_large_a_mail_is_answered_and_not_read(table: Table, game: str) -> None:
    address = table.address("Ann")
    table.send(mail("open P 10\n" + "x" * 2_100_000, to=address), address)
    table.run()
    assert table.outcomes() == ["too_large"]
    assert table.log(game) == []
    assert table.notes == ["too_large"]


def test_a_deadline_reminds_once_and_is_met_by_an_answer(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    from moderator.service.deadlines import sweep_deadlines

    monkeypatch.setattr(engine, "editions", lambda name: ("one",))
    table.game("toy", deadline_hours=24)
    assert sweep_deadlines(table.desk) == 0
    table.clock.pass_by(hours=25)
    assert sweep_deadlines(table.desk) == 1
    assert sweep_deadlines(table.desk) == 0
    table.run()
    assert table.letters("Ann")[-1].kind == "reminder"
    table.say("Ann", "pass")
    table.say("Ann", "pay none; done")
    table.clock.pass_by(hours=25)
    assert sweep_deadlines(table.desk) == 1
    table.run()
    assert table.letters("Bob")[-1].kind == "reminder"


def test_a_daily_digest(table: Table, game: str) -> None:
    from moderator.service.notices import daily_news

    table.say("Cat", "notify daily")
    table.say("Ann", "pass")
    assert daily_news(table.desk) == 0
    table.clock.pass_by(days=1)
    assert daily_news(table.desk) == 1
    assert daily_news(table.desk) == 0


def test_silence_stands_for_an_answer_where_the_rules_say_so(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    from moderator.service.deadlines import sweep_deadlines

    monkeypatch.setattr(engine, "editions", lambda name: ("one",))
    game = table.game("toy", deadline_hours=24)
    table.say("Ann", "pass")
    table.say("Ann", f"train {toy_title.CAR} from Y for 1")
    assert [a.what for a in table.position(game).asked()] == ["consent"]
    table.clock.pass_by(hours=25)
    assert sweep_deadlines(table.desk) == 1
    table.run()
    assert table.log(game)[-1].endswith("refuse")
    assert [a.player for a in table.position(game).asked()] == ["Ann"]
    assert table.letters("Ann")[-1].kind == "turn"
    assert table.letters("Bob")[-1].kind == "news"
    assert sweep_deadlines(table.desk) == 0


def test_a_transcript_tells_what_others_had_given_ahead(table: Table, game: str) -> None:
    table.say("Bob", "limit 20 on P")
    table.say("Cat", "limit 10 on P")
    table.say("Ann", "open P 10")
    told = [type(event).__name__ for events in table.last.moves for event in events]
    assert told.count("Opened") == 1
    assert {"BidMade", "Dropped"} <= set(told)
