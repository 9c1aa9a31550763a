"""Tokens, people, deadlines, and that nothing is lost."""

from __future__ import annotations

import pytest

import engine
from moderator.service.pipeline import claim, process
from moderator.service.play.deadlines import sweep_deadlines
from moderator.service.play.undo import undo
from moderator.service.table.digests import daily_news
from tests.kit.service import toy_title
from tests.kit.service.mail_service import mail
from tests.kit.service.toy_service import PlainWords, Table, open_table, to_companies

pytestmark = pytest.mark.usefixtures("each_database")

# ---- tokens and questions


@pytest.mark.fault(52)
def test_one_answer_does_not_make_anothers_stale(table: Table, game: str) -> None:
    """Bob and Cat are asked the same; Cat's mail answers the turn mail he got before Bob's answer."""
    to_companies(table)
    table.say("Ann", "merge Y into X")
    cat = table.address("Cat")
    table.say("Bob", "agree")
    table.say("Cat", "agree", to=cat)
    assert table.outcomes()[-1] == "applied"
    assert table.log(game)[-2:] == ["Bob: agree", "Cat: agree"]


@pytest.mark.fault(52)
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


@pytest.mark.fault(46)
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


@pytest.mark.fault(34)
def test_from_alone_is_never_enough(table: Table, game: str) -> None:
    table.send(mail("open P 10", sender="Ann <ann@players.example>"))
    table.run()
    assert table.outcomes() == ["wrong_token"]
    assert table.log(game) == []


@pytest.mark.fault(38)
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


@pytest.mark.fault(37)
def test_answers_go_to_the_address_of_record_only(table: Table, game: str) -> None:
    address = table.address("Ann")
    table.send(mail("open P 10", sender="ann@holiday.example", to=address), address, "ann@holiday.example")
    table.run()
    assert table.outcomes() == ["unconfirmed"] and table.log(game) == []
    assert [letter.kind for letter in table.letters("Ann")] == ["welcome", "turn", "notice"]
    table.say("Ann", "yes")
    assert table.outcomes() == ["unconfirmed", "applied"] and table.log(game) == ["Ann: open P 10"]
    assert table.mailbox("ann@holiday.example") == []
    assert [letter.kind for letter in table.letters("Ann")] == ["welcome", "turn", "notice", "transcript"]


@pytest.mark.fault(63, 64)
@pytest.mark.parametrize(
    ("headers", "outcome"),
    [
        ({"Auto-Submitted": "auto-replied"}, "auto_reply"),
        ({"Auto-Submitted": "auto-generated (rule)"}, "auto_reply"),
        ({"X-Autoreply": "yes"}, "auto_reply"),
        ({"Precedence": "bulk"}, "robot"),
    ],
)
def test_robots_get_no_answer(table: Table, game: str, headers: dict[str, str], outcome: str) -> None:
    before = len(table.letters("Ann"))
    address = table.address("Ann")
    table.send(mail("open P 10", to=address, headers=headers), address)
    table.run()
    assert table.outcomes() == [outcome]
    assert len(table.letters("Ann")) == before


def test_a_null_return_path_gets_no_answer(table: Table, game: str) -> None:
    address = table.address("Ann")
    table.send(mail("open P 10", to=address), address, return_path="")
    table.run()
    assert table.outcomes() == ["auto_reply"]
    assert table.log(game) == []


@pytest.mark.fault(66)
def test_our_own_mail_is_not_read(table: Table, game: str) -> None:
    table.send(mail("open P 10", sender="railpost@example.org", to=table.address("Ann")))
    table.run()
    assert table.outcomes() == ["loop"]


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


@pytest.mark.fault(93)
def test_a_fault_of_ours_is_an_outcome_is_told_and_stops_no_other_mail(table: Table, game: str) -> None:
    table.words().broken = True
    table.say("Ann", "open P 10")
    assert table.outcomes() == ["error"]
    assert table.log(game) == []
    assert "RuntimeError" in table.complaints[0]
    assert "no words" not in table.complaints[0], "what an error says may be somebody's mail: the log does not have it"
    assert [letter.text.strip() for letter in table.mailbox("master@example.net")] == ["mail 1: RuntimeError: no words"]
    assert table.notes == ["error"]
    table.say("Ann", "show position")
    assert table.outcomes() == ["error", "shown"]


@pytest.mark.fault(87)
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


@pytest.mark.fault(87)
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


@pytest.mark.fault(90)
def test_a_lease_keeps_others_off_until_it_runs_out(table: Table, game: str) -> None:
    table.send(mail("open P 10", to=table.address("Ann")))
    table.take_in()
    assert claim(table.desk) == 1
    assert claim(table.desk) is None
    table.clock.pass_by(minutes=10)
    assert claim(table.desk) == 1


@pytest.mark.fault(86)
def test_a_service_started_again_goes_on_where_it_was(table: Table, game: str) -> None:
    table.say("Ann", "open P 10\nlimit 60")
    table.send(mail("bid 15", sender="bob@players.example", to=table.address("Bob")))
    again = open_table(table.root, PlainWords())
    again.run()
    assert again.outcomes() == ["applied", "applied"]
    again.say("Cat", "drop")
    assert again.log(game) == ["Ann: open P 10", "Bob: bid 15", "Cat: drop", "Ann: bid 20"]


@pytest.mark.fault(90)
def test_two_services_on_one_database(table: Table, game: str) -> None:
    other = open_table(table.root, PlainWords())
    other.say("Ann", "open P 10")
    table.say("Bob", "bid 15")
    other.say("Cat", "drop")
    assert table.position(game).orders == other.position(game).orders
    assert len(table.log(game)) == 3


@pytest.mark.fault(22)
def test_too_large_a_mail_is_answered_and_not_read(table: Table, game: str) -> None:
    address = table.address("Ann")
    table.send(mail("open P 10\n" + "x" * 2_100_000, to=address), address)
    table.run()
    assert table.outcomes() == ["too_large"]
    assert table.log(game) == []
    assert table.notes == ["too_large"]


@pytest.mark.fault(62)
def test_a_deadline_reminds_once_and_is_met_by_an_answer(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
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
    table.say("Cat", "notify daily")
    table.say("Ann", "pass")
    assert daily_news(table.desk) == 0
    table.clock.pass_by(days=1)
    assert daily_news(table.desk) == 1
    assert daily_news(table.desk) == 0


def test_silence_stands_for_an_answer_where_the_rules_say_so(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
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
    answer = next(found for found in reversed(table.words().transcripts) if found.seat == "Ann")
    told = [type(event).__name__ for events in answer.moves for event in events]
    assert told.count("Opened") == 1
    assert {"BidMade", "Dropped"} <= set(told)


@pytest.mark.fault(51)
def test_a_mail_does_not_overtake_an_earlier_one_of_the_same_person(table: Table, game: str) -> None:
    """Ann's correction waits for her first mail, whoever works on that and however long; Bob's mail does not."""
    to = table.address("Ann")
    table.send(mail("open P 10", to=to), to, "ann@players.example")
    table.send(mail("open P 20", to=to), to, "ann@players.example")
    table.send(mail("show map", sender="bob@players.example", to=table.address("Bob")), to, "bob@players.example")
    table.take_in()
    assert [claim(table.desk), claim(table.desk), claim(table.desk)] == [1, 3, None]
    process(table.desk, 1, table.complaints.append)
    assert claim(table.desk) == 2
