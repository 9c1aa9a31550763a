"""Ways round the rule of evidence that were found by reading the source, each of them closed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from sqlmodel import col, select

from moderator.adapters.tables import SeatRow, SeatToken
from moderator.service.people.address_change import sweep_pending
from moderator.service.people.hand_over import hand_over
from moderator.service.play.deadlines import sweep_deadlines
from moderator.service.robots.unsubscribe import unsubscribe
from tests.kit.service import robot_mails
from tests.kit.service.mail_service import Service, mail
from tests.service.people.test_identity import ANN, AWAY, NEW, PASSED, pendings, under, write

pytestmark = pytest.mark.usefixtures("each_database")
EVIL, OWN, MASTER = "forger@evil.example", "railpost@example.org", "master@example.net"
DAN = "dan@elsewhere.example"
POLICIES = ("token", "token+authenticated")


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service.open(tmp_path)


@pytest.fixture
def game(service: Service) -> str:
    """Ann is asked to open TSR, then come Bob and Cat."""
    return service.ready_game()


def shown(service: Service, player: str = "Ann") -> str:
    """The header of a player's latest mail, as a forwarded original shows it to others."""
    letter = service.letters(player)[-1]
    address = f"{player.lower()}@players.example"
    return f"Message-ID: {letter.message['Message-ID']}\nTo: {address}\nReply-To: {letter.reply_to}\n"


def twice(service: Service) -> tuple[str, str]:
    """Ann's first secret address, and the one that superseded it."""
    old = service.address("Ann")
    for player in ("Ann", "Bob", "Cat"):
        service.say(player, "pass")
    assert service.address("Ann") != old
    return old, service.address("Ann")


# ---- reports


@pytest.mark.fault(70, 73)
@pytest.mark.parametrize("identity", POLICIES)
def test_a_forged_report_that_shows_the_secret_address_stops_nothing(tmp_path: Path, identity: str) -> None:
    """A Message-ID and the secret address stand in every answer that Ann sends in copy."""
    service = under(Service.open(tmp_path), identity=identity)
    game = service.game(deadline_hours=24)
    for letter in list(service.letters("Ann")):
        back = f"Message-ID: {letter.message['Message-ID']}\nTo: {ANN}\nReply-To: {letter.reply_to}\n"
        service.send(robot_mails.status(to=OWN, returned=back), return_path="")
        service.send(robot_mails.complaint(to=OWN, returned=back), return_path=EVIL)
        service.send(robot_mails.status(to=letter.reply_to, returned=back), return_path="")
    service.say("Cat", "show position")
    service.run()
    seat = service.seat(game, "Ann")
    assert (seat.bounces, seat.unreachable_at, seat.stopped_at) == (0, None, None)
    assert "does not prove" in service.mailbox(MASTER)[-1].text
    service.clock.pass_by(hours=25)
    assert sweep_deadlines(service.desk) == 1  # her clock runs, and she is reminded
    service.run()
    assert service.letters("Ann")[-1].kind == "reminder"


@pytest.mark.fault(73, 76)
def test_nobodys_mail_stops_without_the_table_being_told(service: Service, game: str) -> None:
    letter = service.letters("Ann")[-1]
    back = str(letter.message["Return-Path"]).strip("<>")
    service.send(robot_mails.complaint(to=back, returned=shown(service)))
    service.run()
    assert service.seat(game, "Ann").stopped_at is not None
    for other in ("Bob", "Cat"):
        assert "Ann gets no more mail" in service.letters(other)[-1].subject


# ---- an unreachable seat


@pytest.mark.fault(40, 68)
@pytest.mark.parametrize("identity", POLICIES)
def test_three_bounces_and_a_new_address_do_not_take_a_seat(tmp_path: Path, identity: str) -> None:
    service = under(Service.open(tmp_path), identity=identity)
    game = service.game()
    now = service.address("Ann")
    while len(service.letters("Ann")) < 3:
        write(service, "show position", results=PASSED)
    for letter in list(service.letters("Ann"))[:3]:
        service.send(robot_mails.status(to=str(letter.message["Return-Path"]).strip("<>")), return_path="")
    service.run()
    assert service.seat(game, "Ann").unreachable_at is not None
    write(service, "address bob-second@else.example", sender="bob-second@else.example", to=now, results=PASSED)
    for _ in range(3):
        service.clock.pass_by(hours=100)
        sweep_pending(service.desk)
        service.run()
    assert service.seat(game, "Ann").address == ANN and service.mailbox("bob-second@else.example") == []
    assert any("railpost seat address" in letter.text for letter in service.mailbox(MASTER))


# ---- superseded addresses


@pytest.mark.fault(38)
@pytest.mark.parametrize("named", [4, 5, 99])
def test_the_decision_that_counts_is_never_later_than_that_of_the_address(
    service: Service, game: str, named: int
) -> None:
    old, _ = twice(service)
    log = service.log(game)
    assert service.at(game) == 4
    told = write(service, f"BEGIN {game} AT {named}\npass\nEND", to=old)
    assert service.log(game) == log and service.outcomes()[-1] == "stale"
    assert told[0].reply_to == service.address("Ann")


@pytest.mark.fault(38)
def test_an_earlier_decision_may_be_named_and_is_past(service: Service, game: str) -> None:
    _, now = twice(service)
    log = service.log(game)
    write(service, f"BEGIN {game} AT 1\npass\nEND", to=now)
    assert service.log(game) == log and service.outcomes()[-1] == "stale"
    write(service, f"BEGIN {game} AT 4\npass\nEND", to=now)
    assert service.log(game) == [*log, "Ann: pass"]


@pytest.mark.fault(38)
@pytest.mark.parametrize("text", ["withdraw all", "press Bob: hello", "notify all", f"alias {NEW}", f"address {NEW}"])
def test_a_superseded_address_changes_nothing(service: Service, game: str, text: str) -> None:
    old, now = twice(service)
    service.say("Ann", "limit 80 on TSR")
    told = write(service, text, to=old)
    assert service.outcomes()[-1] == "stale" and pendings(service) == []
    assert "newer one has been sent" in told[0].text and told[0].reply_to == now
    assert [status for *_, status in service.held(game)] == ["waiting"] and service.seat(game, "Ann").notify == "turn"
    assert service.mailbox(NEW) == [] and all(letter.kind != "press" for letter in service.letters("Bob"))


@pytest.mark.fault(38)
def test_revoke_by_a_superseded_address_is_asked_about(service: Service, game: str) -> None:
    old, now = twice(service)
    asked = write(service, "revoke", to=old)
    assert service.outcomes()[-1] == "unconfirmed" and "+confirm." in asked[0].reply_to
    write(service, "show position", to=now)
    assert service.outcomes()[-1] == "shown"  # nothing is void yet
    write(service, "yes", to=asked[0].reply_to)
    write(service, "show map", to=now)
    assert service.outcomes()[-1] == "wrong_token"


@pytest.mark.fault(38)
@pytest.mark.parametrize("sender", [ANN, EVIL])
def test_a_superseded_address_still_shows_and_tries_at_the_address_of_record(
    service: Service, game: str, sender: str
) -> None:
    old, _ = twice(service)
    for text, outcome in (("show position", "shown"), ("check\nopen TSR 25", "checked"), ("help", "helped")):
        assert len(write(service, text, sender=sender, to=old)) == 1
        assert service.outcomes()[-1] == outcome
    assert service.mailbox(EVIL) == []


@pytest.mark.fault(38)
def test_news_and_press_do_not_supersede_the_mail_that_is_about_to_be_answered(service: Service, game: str) -> None:
    service.say("Cat", "notify all")
    first = service.address("Cat", "welcome")
    service.say("Ann", "open TSR 25")  # Cat gets news of it
    service.say("Bob", "press Cat: what do you think?")
    assert [letter.kind for letter in service.letters("Cat")][-2:] == ["news", "press"]
    write(service, "limit 80 on TSR", sender="cat@players.example", to=first, player="Cat")
    assert service.outcomes()[-1] == "held"


@pytest.mark.fault(38)
def test_an_address_is_superseded_when_the_newer_one_was_sent_and_not_before(service: Service, game: str) -> None:
    old = service.address("Ann")
    for player in ("Ann", "Bob", "Cat"):
        service.say(player, "pass")
    seat = service.seat(game, "Ann").id
    with service.session() as session, session.begin():
        newer = session.exec(select(SeatToken).where(SeatToken.seat == seat, col(SeatToken.at) > 1)).all()
        assert [token.sent_at for token in newer] == [service.clock.now()] * 2
        for token in newer:
            token.sent_at = None  # our mail server takes no mail at the moment
    write(service, "notify all", to=old)
    assert service.outcomes()[-1] == "notified"


# ---- confirmations


@pytest.mark.fault(40)
@pytest.mark.parametrize("identity", POLICIES)
def test_a_foreign_request_takes_nothing_away_from_the_players_own(tmp_path: Path, identity: str) -> None:
    service = under(Service.open(tmp_path), identity=identity)
    game = service.game()
    write(service, f"address {NEW}", results=PASSED)
    write(service, "address junk@evil.example", sender=EVIL, to=service.address("Ann", "turn"), results=PASSED)
    service.clock.pass_by(hours=100)
    sweep_pending(service.desk)
    assert service.seat(game, "Ann").address == NEW


@pytest.mark.fault(37)
@pytest.mark.parametrize("identity", POLICIES)
def test_a_confirmation_that_leaked_confirms_nothing(tmp_path: Path, identity: str) -> None:
    """Ann answers `yes` in copy to Bob, who sees the address."""
    service = under(Service.open(tmp_path), identity=identity)
    game = service.game()
    write(service, "open TSR 25", sender=AWAY)
    ask = service.address("Ann")
    write(service, "yes", sender="bob@players.example", to=ask, results=PASSED)
    assert service.log(game) == [] and service.outcomes()[-1] == "unconfirmed"
    write(service, "no", sender="bob@players.example", to=ask, results=PASSED)
    write(service, "yes", to=ask, results=PASSED)
    assert service.log(game) == ["Ann: open TSR 25"]


# ---- what others still have of a seat


def given_to_dan(service: Service, game: str) -> None:
    with service.desk.sitting() as sitting:
        seat = sitting.session.exec(select(SeatRow).where(SeatRow.game == game, SeatRow.player == "Ann")).one()
        hand_over(sitting, seat, "Dan", DAN)
    service.run()


@pytest.mark.fault(40, 74)
@pytest.mark.parametrize("way", ["hand-over", "address"])
def test_the_unsubscribe_address_of_the_one_before_stops_nothing(service: Service, game: str, way: str) -> None:
    header = str(service.letters("Ann")[-1].message["List-Unsubscribe"])
    found = re.search(r"mailto:([^?>]+)", header)
    assert found is not None
    stop = found.group(1)
    if way == "hand-over":
        given_to_dan(service, game)
    else:
        write(service, f"address {DAN}")
        write(service, "yes", to=service.address("Ann"))
        service.clock.pass_by(hours=100)
        sweep_pending(service.desk)
        service.run()
    assert service.seat(game, "Ann").address == DAN
    service.send(mail("unsubscribe", sender=ANN, to=stop), stop, ANN)
    service.run()
    assert service.seat(game, "Ann").stopped_at is None and service.outcomes()[-1] == "quarantine"
    assert unsubscribe(service.desk, stop.partition("+stop.")[2].partition("@")[0]) == "unknown"
    header = str(service.mailbox(DAN)[-1].message["List-Unsubscribe"])
    assert stop not in header
    found = re.search(r"\+stop\.([^@]+)@", header)
    assert found is not None and unsubscribe(service.desk, found.group(1)) == "stopped"


@pytest.mark.fault(70, 73)
def test_reports_about_mail_to_the_one_before_count_for_nothing(service: Service, game: str) -> None:
    """He calls his old mail spam, and his program says that he is away: neither is about who plays now."""
    letter = service.letters("Ann")[-1]
    back = str(letter.message["Return-Path"]).strip("<>")
    given_to_dan(service, game)
    service.send(robot_mails.complaint(to=back, returned=f"Message-ID: {letter.message['Message-ID']}\nTo: {ANN}\n"))
    service.send(robot_mails.plain("Automatic reply", "away", to=back, headers={"Auto-Submitted": "auto-replied"}))
    service.run()
    seat = service.seat(game, "Ann")
    assert service.outcomes() == ["complaint", "auto_reply"]
    assert (seat.address, seat.stopped_at, seat.away_at) == (DAN, None, None)


def delivered(more: str) -> bytes:
    """The headers above a mail of which our server has proof, and ``more`` that whoever sends it on has added."""
    found = "Authentication-Results: mx.example.org; dmarc=pass header.from=players.example"
    return f"{found}\r\nReceived: from x; x\r\n{more}\r\n".encode()


def signed(text: str, to: str, covered: str = "from:to:subject:date:message-id") -> bytes:
    """A mail of Ann's with the signature of her provider."""
    signature = f"v=1; a=rsa-sha256; d=players.example; s=x; h={covered}; bh=x; b=x"
    return mail(text, sender=ANN, to=to, headers={"DKIM-Signature": signature})


@pytest.mark.fault(34, 37)
@pytest.mark.parametrize("identity", POLICIES)
@pytest.mark.parametrize("above", ["Delivered-To: {}", "X-Original-To: {}", "Cc: {}", "To: {}"])
def test_signed_orders_in_a_mail_to_somebody_else_are_asked_about(tmp_path: Path, identity: str, above: str) -> None:
    """Ann tells Bob what she is going to order. He has seen her secret address, and sends her mail there."""
    service = under(Service.open(tmp_path), identity=identity)
    game = service.game()
    now = service.address("Ann")
    service.send(delivered(above.format(now)) + signed("open TSR 25", "bob@players.example"), now, ANN)
    service.run()
    assert service.outcomes()[-1] == "unconfirmed" and service.log(game) == []


@pytest.mark.parametrize("covered", ["from:to:cc:subject", "From : To :\r\n\tCC"])
def test_a_signed_copy_to_the_secret_address_counts(service: Service, game: str, covered: str) -> None:
    service = under(service, identity="token+authenticated")
    now = service.address("Ann")
    content = signed("open TSR 25", "bob@players.example", "HERE").replace(b"HERE", covered.encode())
    service.send(delivered(f"Cc: {now}") + content, now, ANN)
    service.run()
    assert service.log(game) == ["Ann: open TSR 25"]


@pytest.mark.fault(37, 40)
@pytest.mark.parametrize("identity", POLICIES)
@pytest.mark.parametrize("above", ["Delivered-To: {}", "X-Original-To: {}", "Cc: {}", "To: {}"])
def test_a_signed_yes_to_somebody_else_confirms_nothing(tmp_path: Path, identity: str, above: str) -> None:
    """Ann's provider signed what she wrote to Bob, and the signature stays good wherever Bob sends it."""
    service = under(Service.open(tmp_path), identity=identity)
    game = service.game()
    write(service, f"address {NEW}", sender=EVIL)
    ask = service.address("Ann")
    assert "+confirm." in ask
    service.send(delivered(above.format(ask)) + signed("ok", "bob@players.example"), ask, ANN)
    service.run()
    assert service.outcomes()[-1] == "unconfirmed"
    assert [state for _, state in pendings(service)] == ["open"]
    for _ in range(3):
        service.clock.pass_by(hours=100)
        sweep_pending(service.desk)
    assert service.seat(game, "Ann").address == ANN


def test_a_seat_number_without_end_is_an_unknown_address(service: Service, game: str) -> None:
    secret = service.address("Ann").partition("@")[0].rpartition(".")[2]
    for number in ("0" * 4_400 + "1", "9" * 4_400):
        write(service, "open TSR 25", to=f"railpost+{game}.{number}.{secret}@example.org")
        assert service.outcomes()[-1] == "wrong_token" and service.log(game) == []
    assert service.complaints == []
