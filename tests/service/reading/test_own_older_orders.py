"""The player's own older order, quoted by a program that marks no line, is not carried out."""

from __future__ import annotations

from pathlib import Path

import pytest

from moderator.service.reading.extract import extract
from tests.kit.service.mail_service import Service, mail

SAID = "Sorry, ignore my last mail; I am still counting."
OLDER = "open TSR 25"
ABOVE = [
    "---- On Mon, 23 Nov 2026 12:02:50 +0100 Ann <ann@players.example> wrote ---",
    "--- Original Message ---", "*-------- Original Message --------*",
    "On 23 Nov, Ann wrote:", "Am Montag schrieb Ann:",
    "Ann <ann@players.example> wrote:", "On Nov 23 you wrote:", "23 Nov 2026 Railpost", "Ann a écrit :",
    "Ann escribió:", "Ann napisała:", "Ann skrev:", "Анна написала:", "Ann 写道：",
    "Ann\n1861-1, decision 1: carried out.",
    "-----Original Appointment-----", "Railpost, 23.11.2026, 12:02",
    "Quoting Ann <ann@players.example>:", "=== Original ===", "[Quoted text]", "Ursprüngliche Nachricht:",
    "Forwarded message:", "元のメッセージ", "railpost+1861-1.2.abcdefghijklmnop@example.org",
    "Reply to: <railpost+1861-1.2.abcdefghijklmnop@example.org>:",
    "[1861-1] bid on TSR or drop", "Re: [1861-1] bid on TSR or drop", "Betreff: AW: [1861-1] N operates",
    "*Subject:* Re: [1861-1] N operates",
]  # fmt: skip


@pytest.mark.fault(28)
@pytest.mark.parametrize("line", ABOVE)
@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_what_stands_below_an_attribution_is_not_read(line: str, gap: str) -> None:
    assert OLDER not in extract(f"{SAID}\n\n{line}{gap}{OLDER}\n").text
    assert SAID in extract(f"{SAID}\n\n{line}{gap}{OLDER}\n").text


@pytest.mark.fault(28)
@pytest.mark.parametrize(
    "line",
    [
        "From Ann:", "From: Ann", "Von: Ann", "23 Nov 12:02 Ann:", "23.11.2026 12:02 Ann", "In reply to Ann:",
        "Nov 23, 2026, 12:02 PM Ann", "Ann (23 Nov 12:02):", "On 23/11 12:02, Ann noted",
    ],
)  # fmt: skip
def test_a_line_that_may_attribute_what_is_below_it_refuses_the_mail(tmp_path: Path, line: str) -> None:
    """No word of a language tells whether it does, so nothing is carried out, and the writer is told the line."""
    service = Service.open(tmp_path)
    game = service.ready_game()
    answer = service.say("Ann", f"{SAID}\n\n{line}\n\n{OLDER}\n")
    assert service.log(game) == [] and service.outcomes() in (["unreadable"], ["empty"])
    assert answer is not None


@pytest.mark.fault(27)
@pytest.mark.parametrize("mark", ["C>", "AB> ", " a>"])
def test_initials_before_the_mark_quote_a_line(mark: str) -> None:
    assert extract(f"{SAID}\n{mark}{OLDER}\n").text.strip() == SAID


@pytest.mark.fault(28)
@pytest.mark.parametrize(
    "above",
    [
        "--- OR 3.1 ---", "My orders for today:", "I wrote to Bob, and here I go.", "On Monday I travel.",
        "Ann wrote:\n> You are next.", "Here are my moves of 23 Nov:",
        "[1861-1]", "Orders for [1861-1]:", "This is for [1861-1] only",
    ],
)  # fmt: skip
def test_new_orders_below_other_lines_are_read(above: str) -> None:
    assert OLDER in extract(f"{above}\n{OLDER}\n").text


@pytest.mark.fault(28)
def test_an_older_order_of_his_own_is_not_carried_out(tmp_path: Path) -> None:
    service = Service.open(tmp_path)
    game = service.ready_game()
    address = service.address("Ann")
    service.send(mail(f"{SAID}\n\n{ABOVE[0]}\n\n{OLDER}\n", to=address), address)
    service.run()
    assert service.log(game) == [] and service.outcomes() == ["empty"]
