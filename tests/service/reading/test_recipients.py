"""The secret address is found in every form that mail programs give it, and a name is never taken for an address."""

from __future__ import annotations

import pytest

from moderator.service.reading.recipients import spelled_out
from tests.kit.samples import each_in_turn
from tests.kit.service.mail_service import mail
from tests.kit.service.toy_service import Table

pytestmark = pytest.mark.usefixtures("each_database")


def send(table: Table, to: str, more: str = "", *, sender: str = "ann@players.example") -> None:
    content = mail("pass", sender=sender, to="@@").replace(b"To: @@", f"To: {to}{more}".encode())
    table.send(content, "railpost@example.org", sender)
    table.run()


def forms(address: str) -> dict[str, str]:
    local, _, domain = address.partition("@")
    return {
        "folded": f"{local[:30]}\r\n {local[30:]}@{domain}",
        "folded in brackets": f"Railpost <{local[:30]}\r\n\t{local[30:]}@{domain}>",
        "encoded word": f"=?utf-8?q?{address.replace('+', '=2B').replace('@', '=40')}?=",
        "encoded word in brackets": f"Railpost <=?utf-8?q?{address.replace('+', '=2B').replace('@', '=40')}?=>",
        "encoded with its name": f"=?utf-8?q?Railpost_=3C{address.replace('+', '=2B').replace('@', '=40')}=3E?=",
        "quoted": f'"{local}"@{domain}',
        "quoted in brackets": f'"Ann, of X" <"{local}"@{domain}>',
        "quoted pair": f'"{local.replace("+", chr(92) + "+")}"@{domain}',
        "blanks": f"{local} @ {domain}",
        "percent": address.replace("+", "%2B"),
        "percent, small": f"<{address.replace('+', '%2b')}>",
        "second": f"Bob <bob@players.example>, <{local} @ {domain}>",
    }


FORMS = sorted(forms("railpost+toy-1.1.aaaa@example.org"))


@pytest.mark.parametrize("form", FORMS)
def test_an_address_in_an_odd_form_is_the_seats(table: Table, game: str, form: str) -> None:
    send(table, forms(table.address("Ann"))[form])
    assert table.outcomes() == ["applied"]


@pytest.mark.parametrize(("sender", "form"), each_in_turn(("mallory@else.example", "bob@players.example"), FORMS))
def test_it_gives_nobody_else_a_right(table: Table, game: str, form: str, sender: str) -> None:
    send(table, forms(table.address("Ann"))[form], sender=sender)
    assert table.outcomes() == ["unconfirmed"]
    assert table.log(game) == []


@pytest.mark.parametrize("header", ["Envelope-To", "X-Envelope-To"])
def test_a_header_of_a_mail_server_finds_the_seat_and_leaves_the_doubt(table: Table, game: str, header: str) -> None:
    """As with Delivered-To: the writer may not have sent it here, so the address of record is asked."""
    send(table, "somebody@else.example", f"\r\n{header}: {table.address('Ann')}")
    assert table.outcomes() == ["unconfirmed"]
    assert table.log(game) == []


def test_a_name_in_an_odd_form_beside_another_address_is_none(table: Table, game: str) -> None:
    """A mail to Mallory, who delivers it here, was not written to the seat."""
    local, _, domain = table.address("Ann").partition("@")
    percent, spaced = f"{local.replace('+', '%2B')}@{domain}", f"{local} @ {domain}"
    encoded = f"=?utf-8?q?{local.replace('+', '=2B')}=40{domain}?="
    for name in (f'"{percent}"', f'"x, {percent}, y"', encoded, f'"{spaced}"', f'"{local}\\"@{domain}"'):
        send(table, f"{name} <mallory@else.example>")
        assert table.log(game) == [], name
    assert "applied" not in table.outcomes()


@pytest.mark.parametrize(
    "value",
    [
        "",
        "a@b.example",
        "Ann <a@b.example>, b@c.example",
        '"' * 9_999,
        "=?utf-8?q?=?=",
        "=?x?b?@?=",
        "<<<>>>",
        '"\\',
        "%40",
    ],
)
def test_ordinary_and_broken_values_stay_as_they_are(value: str) -> None:
    assert spelled_out([value])[0] == value
    assert all("@" in one and " " not in one for one in spelled_out([value])[1:])
