"""Mails of a player's that somebody else sends on to the service, with their proof or with findings of his own."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlmodel import select

from moderator.adapters.tables import SeatRow
from moderator.domain.ports import Incoming
from moderator.service.fairness import Rank, place_of
from tests.kit.service.mail_service import Service, mail
from tests.service.people.test_identity import ANN, under

pytestmark = pytest.mark.usefixtures("each_database")
POLICIES = ("token", "token+authenticated")
OWN, BOB = "railpost@example.org", "bob@players.example"
FOUND = "Authentication-Results: mx.example.org; dmarc=pass header.from=players.example\r\n"
TAKEN = "Received: from x by mx.example.org; x\r\n"


def signed(text: str, to: str, *, domain: str = "players.example", more: str = "", number: str = "") -> bytes:
    signature = f"v=1; a=rsa-sha256; d={domain}; s=x; h=from:to:subject:date; bh=x; b=x{more}"
    return mail(text, sender=ANN, to=to, message_id=number, headers={"DKIM-Signature": signature})


def arrive(service: Service, content: bytes, *, above: str = FOUND + TAKEN) -> str | None:
    """Deliver it as our mail server hands it on; its outcome."""
    service.send(above.encode() + content, OWN, ANN)
    service.run()
    return service.outcomes()[-1]


def block(service: Service, game: str, text: str) -> str:
    secret = service.address("Ann").partition("@")[0].rpartition(".")[2]
    return f"BEGIN {game} TOKEN {secret}\n{text}\nEND"


# ---- a block in a mail to somebody else


@pytest.mark.fault(34, 37)
@pytest.mark.parametrize("identity", POLICIES)
@pytest.mark.parametrize("text", ["open TSR 25", "revoke", "alias ann@new.example", "notify all"])
@pytest.mark.parametrize("to", [BOB, f'"{OWN}" <{BOB}>', "undisclosed-recipients:;"])
def test_a_block_in_a_mail_to_somebody_else_is_asked_about(tmp_path: Path, identity: str, text: str, to: str) -> None:
    service = under(Service.open(tmp_path), identity=identity)
    game = service.ready_game()
    content = signed(block(service, game, text), BOB).replace(f"To: {BOB}".encode(), f"To: {to}".encode())
    assert arrive(service, content) == "unconfirmed"
    assert service.log(game) == [] and service.seat(game, "Ann").notify == "turn"


@pytest.mark.parametrize("identity", POLICIES)
@pytest.mark.parametrize("to", [OWN, f"Bob <{BOB}>, Railpost <{OWN.upper()}>", "railpost+x@example.org"])
def test_a_block_in_a_mail_to_the_service_counts(tmp_path: Path, identity: str, to: str) -> None:
    service = under(Service.open(tmp_path), identity=identity)
    game = service.ready_game()
    assert arrive(service, signed(block(service, game, "open TSR 25"), to)) == "applied"


# ---- proof that is none


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return under(Service.open(tmp_path), identity="token+authenticated")


@pytest.fixture
def game(service: Service) -> str:
    return service.ready_game()


@pytest.mark.fault(34)
@pytest.mark.parametrize(
    "said",
    [
        "spf=fail smtp.mailfrom=" + "x" * 9_000, "spf=fail smtp.mailfrom=\u00fc@evil.example", "spf=fail \x07",
        'spf=fail smtp.mailfrom="x@evil.example', "spf=fail (x smtp.mailfrom=x@evil.example",
    ],
    ids=["long", "utf-8", "control", "quote", "parenthesis"],
)  # fmt: skip
def test_findings_of_ours_that_cannot_be_read_let_none_below_them_count(service: Service, game: str, said: str) -> None:
    above = f"Authentication-Results: mx.example.org; {said}\r\n{FOUND}{TAKEN}"
    assert arrive(service, mail("open TSR 25", to=service.address("Ann")), above=above) == "unconfirmed"
    assert service.log(game) == []


@pytest.mark.fault(34)
def test_a_signed_mail_with_another_message_id_is_a_copy(service: Service, game: str) -> None:
    to = service.address("Ann")
    assert arrive(service, signed("notify all", to, number="<1@players.example>")) == "notified"
    assert arrive(service, mail("notify turn", to=to)) == "notified"
    assert arrive(service, signed("notify all", to, number="<2@players.example>")) == "duplicate"
    assert service.seat(game, "Ann").notify == "turn"


def test_the_same_words_of_another_moment_are_no_copy(service: Service, game: str) -> None:
    to = service.address("Ann")
    assert arrive(service, signed("notify all", to)) == "notified"
    assert arrive(service, mail("notify turn", to=to)) == "notified"
    later = signed("notify all", to).replace(b"Date: Sun, 01 Mar 2026", b"Date: Mon, 02 Mar 2026")
    assert b"02 Mar" in later and arrive(service, later) == "notified"
    assert service.seat(game, "Ann").notify == "all"


@pytest.mark.fault(34)
def test_a_copy_that_a_sibling_subdomain_did_not_sign_is_not_the_writers(service: Service, game: str) -> None:
    ann = "ann@news.players.example"
    with service.desk.sitting() as sitting:
        sitting.session.exec(select(SeatRow).where(SeatRow.player == "Ann")).one().address = ann
    above = FOUND.replace("players.example", "news.players.example") + TAKEN + f"Cc: {service.address('Ann')}\r\n"
    content = signed("open TSR 25", BOB, domain="mail.players.example").replace(ANN.encode(), ann.encode())
    assert arrive(service, content, above=above) == "unconfirmed"
    assert service.log(game) == []


@pytest.mark.fault(34)
def test_a_signature_of_a_part_of_the_text_is_no_proof(service: Service, game: str) -> None:
    content = signed("open TSR 25", service.address("Ann"), more="; l=0")
    assert arrive(service, content) == "unconfirmed"
    delivered = FOUND.replace("; dmarc", f"; spf=pass smtp.mailfrom={ANN}; dmarc") + TAKEN
    assert arrive(service, content, above=delivered) == "applied"


@pytest.mark.fault(34)
def test_a_signature_below_what_is_read_of_a_header_is_no_proof(service: Service, game: str) -> None:
    padding = "X-Pad: x\r\n" * 15_000
    first, _, rest = signed("open TSR 25", service.address("Ann")).partition(b"DKIM-Signature")
    assert arrive(service, first + padding.encode() + b"DKIM-Signature" + rest) == "unconfirmed"


# ---- the order of mails that wait


def test_a_mail_to_a_superseded_address_is_not_in_the_lane_of_the_player(tmp_path: Path) -> None:
    """Others know an old address and her From line: they must not hold up her own order."""
    service = Service.open(tmp_path)
    service.ready_game()
    old = service.address("Ann")
    for player in ("Ann", "Bob", "Cat"):
        service.say(player, "pass")
    now = service.address("Ann")
    assert now != old
    places = []
    with service.desk.sitting() as sitting:
        for to in (old, now, f"{old}, {now}"):
            content = mail("pass", sender=ANN, to=to)
            came = Incoming("1", service.clock.now(), len(content), content, ANN)
            places.append(place_of(sitting, came))
    late, own, both = places
    assert (late.rank, own.rank) == (Rank.OTHER, Rank.PLAYER)
    assert own == both and {late.lane, late.share}.isdisjoint({own.lane, own.share})
