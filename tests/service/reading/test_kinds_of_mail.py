"""Mails of the kinds that were once read wrongly, on a running service: what each does, and what its writer is told.

Numbers are those of the rows of the fault list.
"""

from __future__ import annotations

from base64 import encodebytes
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.kit.service.mail_service import Service
from tests.kit.service.odd_mails import file, packed_rtf, part, parts, raw, rtf_property, winmail

MIXED = 'multipart/mixed; boundary="=_b"'
ALTERNATIVE = 'multipart/alternative; boundary="=_b"'
TEXT, HTML = "text/plain; charset=utf-8", "text/html; charset=utf-8"
THREE = ("notify all", "open TSR 25", "limit 60")
FOOTER = "_______________________________________________\nplayers mailing list -- players@lists.example\n"


def lines(*said: str) -> bytes:
    return "".join(f"{line}\r\n" for line in said).encode()


def page(*said: str) -> bytes:
    return "".join(f"<div>{line}</div>" for line in said).encode()


def rich(*said: str) -> bytes:
    """A ``winmail.dat`` as Outlook makes it for a mail in rich text."""
    text = "{\\rtf1\\ansi\\ansicpg1252\\fromtext " + "\\par\r\n".join(said) + "\\par}"
    return file(winmail(properties=[rtf_property(packed_rtf(text.encode()))]), "application/ms-tnef", "winmail.dat")


def attached(text: str) -> bytes:
    """A text file in UTF-16 without a charset, below an empty text."""
    head = 'Content-Disposition: attachment; filename="orders.txt"', "Content-Transfer-Encoding: base64"
    told = part(encodebytes(text.encode("utf-16")), 'text/plain; name="orders.txt"', *head)
    return parts(part("\r\n\r\n", TEXT), told)


def deep(levels: int, *said: str) -> bytes:
    """An answer in HTML above quotations within quotations."""
    begin, end = '<div class="gmail_quote"><blockquote><div dir="ltr"><div>', "</div></div></blockquote></div>"
    return page(*said) + b"<div>" + (begin * levels + "open TSR 400" + end * levels).encode() + b"</div>"


class Answered:
    """Ann's mail with this body to a new game: its outcome, the game's log, what is kept, and the answer's words."""

    def __init__(self, root: Path, body: bytes, kind: str = TEXT, head: Sequence[str] = ()) -> None:
        service = Service.open(root)
        game = service.ready_game()
        before, to = len(service.letters("Ann")), service.address("Ann")
        service.send(raw(body, to=to, kind=kind, head=head), to)
        service.run()
        assert service.complaints == []
        (self.outcome,) = service.outcomes()
        self.log, self.kept = service.log(game), [text for _, text, _ in service.held(game)]
        self.notify = service.seat(game, "Ann").notify
        self.told = " ".join(service.letters("Ann")[before].text.split())

    @property
    def changed(self) -> bool:
        return bool(self.log or self.kept)


@pytest.mark.fault(16)
def test_16_a_text_beside_its_rich_form_is_ordered_once(tmp_path: Path) -> None:
    body = parts(part(lines("open TSR 25", "limit 60"), TEXT), rich("open TSR 25", "  limit 60"))
    found = Answered(tmp_path, body, MIXED)
    assert (found.log, found.kept) == (["Ann: open TSR 25"], ["Ann: limit 60 on TSR"])
    assert found.told.count("> open TSR 25") == 1


@pytest.mark.fault(9)
def test_09_of_two_plain_forms_one_is_tried(tmp_path: Path) -> None:
    said = "check", "Ann: open TSR 25"
    forms = parts(part(lines(*said), "text/plain; charset=us-ascii"), part(lines(*said), TEXT), part(page(*said), HTML))
    found = Answered(tmp_path, forms, ALTERNATIVE)
    assert found.outcome == "checked" and not found.changed
    assert found.told.count("> Ann: open TSR 25") + found.told.count("> open TSR 25") == 1


@pytest.mark.fault(29)
@pytest.mark.parametrize("line", ["1.check", "\uac00.check", "\u300ccheck\u300d"])
def test_29_a_check_with_something_glued_to_it_is_a_check(tmp_path: Path, line: str) -> None:
    found = Answered(tmp_path, lines(line, "Ann: open TSR 25"))
    assert found.outcome == "checked" and not found.changed
    assert "only tried out" in found.told and "WHAT WOULD HAPPEN" in found.told


@pytest.mark.fault(1, 18)
def test_18_a_check_attached_in_two_byte_characters_is_a_check(tmp_path: Path) -> None:
    found = Answered(tmp_path, attached("check\r\nAnn: open TSR 25"), MIXED)
    assert found.outcome == "checked" and not found.changed


@pytest.mark.fault(1, 18)
def test_18_orders_attached_in_two_byte_characters_are_all_carried_out(tmp_path: Path) -> None:
    found = Answered(tmp_path, attached("\r\n".join(THREE)), MIXED)
    assert (found.log, found.kept) == (["Ann: open TSR 25"], ["Ann: limit 60 on TSR"])
    assert found.notify == "all"


@pytest.mark.fault(8)
def test_08_html_above_a_plain_footer_is_all_carried_out(tmp_path: Path) -> None:
    found = Answered(tmp_path, parts(part(page(*THREE), HTML), part(FOOTER, TEXT)), MIXED)
    assert (found.log, found.kept) == (["Ann: open TSR 25"], ["Ann: limit 60 on TSR"])
    assert found.notify == "all"


@pytest.mark.fault(8, 21)
def test_21_an_answer_above_sixty_quotations_is_read(tmp_path: Path) -> None:
    found = Answered(tmp_path, deep(60, "check", "Ann:", "open TSR 25"), HTML)
    assert found.outcome == "checked" and not found.changed and "400" not in found.told


@pytest.mark.fault(28)
def test_28_an_older_order_below_dashes_with_an_attribution_is_not_carried_out(tmp_path: Path) -> None:
    above = "Sorry, forget this, I will think again.", ""
    dashes = "---- On Mon, 23 Nov 2026 12:02:50 +0100 Ann <ann@players.example> wrote ---"
    found = Answered(tmp_path, lines(*above, dashes, "", "Ann:", "  open TSR 25", "  limit 60"))
    assert found.outcome == "empty" and not found.changed
    assert "Sorry, forget this" in found.told


@pytest.mark.fault(53)
@pytest.mark.parametrize("below", [(), ("> run best", "> done")], ids=["nothing", "quoted"])
def test_53_a_head_with_nothing_to_read_below_it_keeps_nothing(tmp_path: Path, below: tuple[str, ...]) -> None:
    found = Answered(tmp_path, lines("N:", *below))
    assert found.outcome == "empty" and not found.changed
    assert "No order was read below `N:`, so nothing was kept for it." in found.told
    assert "Write the orders below the name, one to a line." in found.told
    assert ("A line that begins with `>` or a bar is a quotation" in found.told) == bool(below)


@pytest.mark.fault(53)
def test_53_numbers_before_orders_keep_nothing(tmp_path: Path) -> None:
    found = Answered(tmp_path, lines("N:", "1.run best", "2.done"))
    assert found.outcome == "unreadable" and not found.changed
    assert "2> 1.run best NOT READABLE" in found.told


@pytest.mark.fault(29)
@pytest.mark.parametrize("line", ["Do not carry this out yet.", "Is this legal?"])
def test_29_words_that_forbid_or_ask_make_a_trial(tmp_path: Path, line: str) -> None:
    found = Answered(tmp_path, lines(line, "", "Ann: open TSR 25"))
    assert found.outcome == "checked" and not found.changed
    assert f"`{line}`" in found.told and "WHAT WOULD HAPPEN" in found.told
    assert "send them again without that line" in found.told
