"""What stands around orders is not read, whoever wrote it, in whatever language; and no mistyped order is taken for it.

Numbers are those of the rows of the fault list. The argument why no order is lost is in ``docs/faults.md``.
"""

from __future__ import annotations

import html
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from engine import load_title
from grammar import Vocabulary, read, without_prose
from moderator.domain.vocabulary import vocabulary
from moderator.service.reading.parse import parse
from moderator.service.reading.text_choice import written
from tests.kit.checkout import CHECKOUT
from tests.kit.notation.mistyped_orders import MISTYPED, slips
from tests.kit.samples import prove
from tests.kit.service.around_orders import ALL, Around
from tests.kit.service.mail_service import Service, mail

ORDERS = "open TSR 25\nlimit 60"
READ = ["open TSR 25", "limit 60"]
ADDRESS = "railpost+1861-1.abcdefgh@example.org"
TURN = (
    "##- Reply above this line -##\n1861-1, decision 1.\n\nANSWER LIKE THIS, for example, without the bars\n"
    "| open TSR 20\n\n"
    "You may: pass\nlimit 500\n"
)
NAMES = vocabulary(load_title("1861"), ("Ann", "Bob", "Cat"))
SWISS = vocabulary(load_title("1844"), ("Ann", "Bob", "Cat"))
ITALIAN = vocabulary(load_title("1841"), ("Ann", "Bob", "Cat"))
TITLES = (("1861", NAMES), ("1844", SWISS), ("1841", ITALIAN))


def in_text(one: Around) -> Iterator[str]:
    """The mail as plain text, as programs lay it out and as people do."""
    said = one.text.replace("{a}", ADDRESS)
    quoted = "\n".join(f"> {line}" for line in TURN.splitlines())
    match one.kind:
        case "opening":
            yield f"{said}\n\n{ORDERS}\n"
            yield f"{said}\n{ORDERS}\n"
        case "attribution":
            yield f"{ORDERS}\n\n{said}\n{quoted}\n"
            yield f"{ORDERS}\n\n{said}\n\n{quoted}\n"
            yield f"{said}\n{quoted}\n\n{ORDERS}\n"
            yield f"{ORDERS}\n{said}\n{quoted}\n"
            yield f"{ORDERS}\n\n{said}\n{TURN}"
        case "head":
            yield f"{ORDERS}\n\n{said}\n\n{TURN}"
            yield f"{ORDERS}\n\n\n{said}\n\n{TURN.partition('-##')[2]}" if "> " not in said else f"{ORDERS}\n\n{said}"
        case "closing":
            yield f"{ORDERS}\n\n{said}\n"
            yield f"{ORDERS}\n{said}\n"
        case _:
            yield f"{ORDERS}\n\n{said}\n"
            yield f"{ORDERS}\n\nCheers,\nAnn\n\n{said}\n"


def in_html(one: Around) -> Iterator[str]:
    """The mail as a page, as Gmail and Apple Mail (lines) or Outlook (paragraphs) lay it out."""
    said = one.text.replace("{a}", ADDRESS)
    for line, empty in (("<div>{}</div>", "<div><br></div>"), ("<p class=MsoNormal>{}</p>", "<p>&nbsp;</p>")):

        def lines(text: str, line: str = line) -> str:
            return "".join(line.format(html.escape(row)) for row in text.split("\n"))

        orders, turn = lines(ORDERS), f"<pre>{html.escape(TURN)}</pre>"
        match one.kind:
            case "opening":
                yield lines(said) + empty + orders
            case "attribution":
                yield orders + empty + f"<div class=quote>{lines(said)}<blockquote>{turn}</blockquote></div>"
            case "head":
                yield orders + empty + f"<hr>{lines(said)}{turn}"
            case _:
                yield orders + empty + lines(said)


KINDS = sorted({one.kind for one in ALL})


def orders_in(content: bytes, names: Vocabulary = NAMES) -> list[str] | str:
    """The orders that are read in a mail; or what stopped it."""
    found = written(parse(content)).extracted
    reading = read(without_prose(found.text, names).text, names, default_actor="Ann")
    return str(reading.errors[0]) if reading.errors else [line.text for s in reading.sections for line in s.orders]


def refused(one: Around) -> list[str]:
    """The forms of a mail in which it is not read as it is meant."""
    mails = [mail(text) for text in in_text(one)] + [mail(html=page) for page in in_html(one)]
    return [f"{one.kind} {one.language}: {found}" for content in mails if (found := orders_in(content)) != READ]


@pytest.mark.fault(28, 29)
@pytest.mark.parametrize(("kind", "every"), [row for kind in KINDS for row in ((kind, 4), prove((kind, 1)))])
def test_28_what_stands_around_orders_refuses_none(kind: str, every: int) -> None:
    ours = [one for one in ALL if one.kind == kind][::every]
    wrong = [said for one in ours for said in refused(one)]
    forms = sum(len([*in_text(one), *in_html(one)]) for one in ours)
    languages = Counter(one.language for one in ours)
    sys.stdout.write(f"{kind}: {len(ours)} in {len(languages)} languages, {forms} mails; {dict(languages)}\n")
    assert wrong == []


@pytest.mark.fault(29)
@pytest.mark.parametrize("said", ["Well done Bob!", "Wys\u0142ano z aplikacji Onet Poczta"])
def test_29_a_word_near_to_one_that_any_word_may_follow_is_prose(said: str) -> None:
    """`done` and `Onet` are near to `zone`, which any word may follow."""
    assert refused(Around("closing", "en", "", said)) == []


def test_28_the_corpus_is_large_enough() -> None:
    assert len(ALL) >= 200 and len({one.language for one in ALL}) >= 15
    assert all(one.source for one in ALL) and len({(one.kind, one.text) for one in ALL}) > len(ALL) - 5


# ---- mistyped orders

PLACES = {
    "first": "{}\n\ndone",
    "above": "{}\ndone",
    "below": "done\n{}",
    "last": "done\n\n{}",
    "after a greeting": "Hi all,\n{}\n\ndone",
    "before a signature": "done\n\n{}\n\nCheers,\nAnn",
    "in a closing": "done\n\nThanks for the game!\n{}\nAnn",
}
SIGNATURES = ("Ann", "as Ann")


def let_through(written: str, names: Vocabulary) -> list[str]:
    """The places in which a line is not read."""
    return [place for place, text in PLACES.items() if written not in without_prose(text.format(written), names).text]


@pytest.mark.fault(29)
@pytest.mark.parametrize("written", MISTYPED)
def test_29_no_mistyped_order_is_prose(written: str) -> None:
    harmless = {"below", "last", "before a signature", "in a closing"} if written in SIGNATURES else set()
    assert set(let_through(written, NAMES)) <= harmless


def mistyped(title: str, names: Vocabulary, chance: random.Random) -> Iterator[str]:
    """Every example of the manual with one slip that makes it unreadable, in an order by chance."""
    manual = (CHECKOUT / "docs" / "notation.md").read_text(encoding="utf-8")
    tag = "orders" if title == "1861" else f"orders {title}"
    found = set()
    for text in re.findall(rf"^```{tag}\n(.*?)^```$", manual, re.MULTILINE | re.DOTALL):
        for section in read(text, names, default_actor="Ann").sections:
            for given in section.orders:
                found |= {*slips(given.text), *slips(f"{section.actor}: {given.text}")}
    for line in chance.sample(sorted(found), len(found)):
        if line.strip() and read(line, names, default_actor="Ann").errors:
            yield line


@pytest.mark.fault(29)
@pytest.mark.parametrize(("title", "names"), TITLES, ids=[title for title, _ in TITLES])
def test_29_no_slip_of_a_finger_makes_prose_of_an_order(title: str, names: Vocabulary) -> None:
    tried = list(islice(mistyped(title, names, random.Random(1861)), 40))
    assert len(tried) == 40
    assert {line: places for line in tried if (places := let_through(line, names))} == {}


@pytest.mark.prove
@pytest.mark.fault(29)
@pytest.mark.parametrize(("title", "names"), TITLES, ids=[title for title, _ in TITLES])
def test_29_no_slip_of_a_finger_at_all_makes_prose_of_an_order(title: str, names: Vocabulary) -> None:
    lines = list(mistyped(title, names, random.Random(1861)))
    through = {line: places for line in lines if (places := let_through(line, names))}
    sys.stdout.write(f"{title}: {len(lines)} mistyped orders in {len(PLACES)} places\n")
    assert through == {}


# ---- through the whole service


@pytest.mark.fault(29)
def test_29_what_was_not_read_is_told(tmp_path: Path) -> None:
    service = Service.open(tmp_path)
    game = service.ready_game()
    answer = service.say("Ann", "Hi all\n\nopen TSR 25\n\nCheers,\nAnn\n")
    assert service.log(game) == ["Ann: open TSR 25"]
    assert answer is not None
    assert "Not read: `Hi all`, `Cheers, Ann`." in " ".join(answer.text.split())


@pytest.mark.fault(15)
@pytest.mark.parametrize("text", ["👍", "🚂 🎉\n", "Thanks, that was a great round!", "fyi"])
def test_15_a_mail_without_anything_like_an_order_is_empty(tmp_path: Path, text: str) -> None:
    service = Service.open(tmp_path)
    service.ready_game()
    answer = service.say("Ann", text)
    assert service.outcomes() == ["empty"]
    told = "" if answer is None else " ".join(answer.text.split())
    assert "This looks like a message, not an order" in told and text.strip() in told


@pytest.mark.fault(18)
def test_18_a_signature_does_not_hide_an_attached_file(tmp_path: Path) -> None:
    from email.message import EmailMessage

    service = Service.open(tmp_path)
    game = service.ready_game()
    message = EmailMessage()
    message["From"], message["To"] = "ann@players.example", service.address("Ann")
    message.set_content("Sent from my iPhone\n")
    message.add_attachment("open TSR 25\n", filename="orders.txt")
    service.send(message.as_bytes(), service.address("Ann"))
    service.run()
    assert service.log(game) == ["Ann: open TSR 25"]


@pytest.mark.fault(29)
def test_29_between_two_orders_nothing_is_prose(tmp_path: Path) -> None:
    service = Service.open(tmp_path)
    game = service.ready_game()
    service.say("Ann", "open TSR 25\n\nthat was easy\n\nlimit 60\n")
    assert service.outcomes() == ["unreadable"] and service.log(game) == []


@pytest.mark.fault(29)
@pytest.mark.parametrize("text", ["BEGIN\nHi all\nopen TSR 25\nEND\n", "BEGIN\nopen TSR 25\nCheers, Ann\nEND\n"])
def test_29_in_a_block_nothing_is_prose(tmp_path: Path, text: str) -> None:
    service = Service.open(tmp_path)
    game = service.ready_game()
    service.say("Ann", text)
    assert service.outcomes() == ["unreadable"] and service.log(game) == []


@pytest.mark.fault(29)
def test_29_press_below_the_orders_is_no_prose(tmp_path: Path) -> None:
    service = Service.open(tmp_path)
    game = service.ready_game()
    service.say(
        "Ann", "Hi,\n\nopen TSR 25\n\npress Bob, Cat\nDear both,\nthe north is full.\nAnn\nend press\n\nCheers\n"
    )
    assert service.log(game) == ["Ann: open TSR 25"]
    press = next(letter for letter in service.letters("Bob") if letter.kind == "press")
    assert "the north is full." in press.text and "Cheers" not in press.text


@pytest.mark.fault(29)
def test_29_where_a_text_was_cut_is_no_prose(tmp_path: Path) -> None:
    service = Service.open(tmp_path)
    game = service.ready_game()
    service.say("Ann", "open TSR 25\n\n[... and more than is read]\n")
    assert service.outcomes() == ["unreadable"] and service.log(game) == []


def test_what_people_put_round_an_order_is_read_as_meant() -> None:
    meant = {
        "- open TSR 25\n- limit 60": READ,
        "• open TSR 25\n• limit 60": READ,
        "1. open TSR 25\n2) limit 60": READ,
        "(a) open TSR 25\n(b) limit 60.": READ,
        '"open TSR 25"\n“limit 60”': READ,
        "*open TSR 25*\n_limit 60_": READ,
        "open TSR 25!\nlimit 60 👍": READ,
        "open TSR 25, limit 60": READ,
        "Run best, done": ["Run best", "done"],
        "GRR: run 3 G15-I13-H8, 4 Q3-M7, pay full, done": ["run 3 G15-I13-H8, 4 Q3-M7", "pay full", "done"],
        "Bid £90!": ["Bid £90"],
        "Bid R 90": ["Bid R 90"],
        "train 2 from R-O for R 119": ["train 2 from R-O for R 119"],
    }
    assert {text: orders_in(mail(text)) for text in meant} == meant


def test_a_comma_parts_only_orders_that_can_all_be_read() -> None:
    for text in ("run best, doen", "open TSR 25, for Ann", "bid 1,000", "sell 2 MKN, NW"):
        assert isinstance(orders_in(mail(text)), str), text
