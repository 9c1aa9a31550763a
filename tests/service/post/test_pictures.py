"""Pictures are drawn when a mail is sent: decided and queued is only what they show."""

from __future__ import annotations

import shutil
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path

import pytest
from PIL import Image
from sqlmodel import col, select

from engine.svg.mosaic import Mosaic, Piece
from moderator.adapters import mosaic
from moderator.adapters.mosaic import Pieces
from moderator.adapters.png import Palette
from moderator.adapters.tables import OutboxRow
from moderator.domain.ports import Outgoing
from moderator.service.operation.mbox import mbox_of
from moderator.service.pipeline import work_off
from moderator.service.post import pictures
from tests.kit.service.mail_service import Letter, Service, mail


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service.open(tmp_path, pictures=True)


@pytest.fixture
def game(service: Service) -> str:
    """Ann is asked to open TSR, then come Bob and Cat."""
    return service.ready_game()


def turn(service: Service, player: str) -> Letter:
    return [letter for letter in service.letters(player) if letter.kind == "turn"][-1]


def parts(letter: Letter) -> list[EmailMessage]:
    return [part for part in letter.message.walk() if isinstance(part, EmailMessage) and not part.is_multipart()]


def test_a_mail_is_text_or_html_with_its_pictures(service: Service, game: str) -> None:
    letter = turn(service, "Ann")
    assert letter.message.get_content_type() == "multipart/alternative"
    assert isinstance(letter.message, EmailMessage)
    text, related = letter.message.iter_parts()
    assert (text.get_content_type(), related.get_content_type()) == ("text/plain", "multipart/related")
    assert isinstance(related, EmailMessage)
    html, *images = related.iter_parts()
    assert html.get_content_type() == "text/html"
    assert images
    for image in images:
        assert image.get_content_type() == "image/png"
        assert image.get_content_disposition() == "inline"
        assert image.get_content().startswith(b"\x89PNG")
        assert f'src="cid:{image["Content-ID"].strip("<>")}"' in html.get_content()
    assert html.get_content().count("<img ") == len(images)


def test_pictures_are_drawn_when_a_mail_is_sent_and_not_before(
    service: Service, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[Mosaic] = []

    def png(_: Pieces, mosaic: Mosaic) -> bytes:
        drawn.append(mosaic)
        return b"\x89PNG"

    monkeypatch.setattr(Pieces, "png", png)
    address = service.address("Ann")
    service.send(mail("open TSR 25", to=address), address)
    service.take_in()
    work_off(service.desk, service.complaints.append)
    assert not drawn
    with service.session() as session:
        waiting = session.exec(select(OutboxRow).where(OutboxRow.state == "queued")).all()
        assert any(row.pictures for row in waiting)
        assert all("PNG" not in row.html for row in waiting)
    service.run()
    assert drawn


def test_a_piece_of_many_pictures_is_drawn_once(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[Piece] = []

    def draw(piece: Piece, colors: Palette) -> Image.Image:
        drawn.append(piece)
        return Image.new("P", piece.size)

    monkeypatch.setattr(mosaic, "_drawn", draw)
    service.game()
    shown = [part for player in ("Ann", "Bob", "Cat") for letter in service.letters(player) for part in parts(letter)]
    images = [part for part in shown if part.get_content_type() == "image/png"]
    assert len(images) > 2 and len(drawn) == len(set(drawn)) > 100


def first_turn_mail(service: Service) -> tuple[OutboxRow, Outgoing]:
    """The first turn mail, without its pictures."""
    with service.session() as session:
        row = session.exec(select(OutboxRow).where(OutboxRow.kind == "turn").order_by(col(OutboxRow.id))).first()
    assert row is not None
    mail = Outgoing(
        message_id=row.message_id, recipient=row.recipient, return_path="", sender="a@example.org", reply_to="",
        subject="", text=row.text, html=row.html, created_at=row.created_at,
    )  # fmt: skip
    return row, mail


def test_a_service_that_keeps_no_pieces_sends_the_same_pictures(service: Service, game: str) -> None:
    row, mail = first_turn_mail(service)
    folder = service.root / "pictures"
    assert any(folder.iterdir())
    kept = pictures.Album(service.desk).complete(mail, row.game, row.pictures)
    shutil.rmtree(folder)
    settings = service.desk.settings.model_copy(update={"pictures_kept_mb": 0})
    anew = pictures.Album(replace(service.desk, settings=settings)).complete(mail, row.game, row.pictures)
    assert anew == kept and anew.parts and not folder.exists()


def test_a_mail_that_is_sent_again_is_the_same(service: Service, game: str) -> None:
    row, mail = first_turn_mail(service)
    one, other = (pictures.Album(service.desk).complete(mail, row.game, row.pictures) for _ in range(2))
    assert one == other and one.parts
    service.say("Ann", "open TSR 25")
    assert pictures.Album(service.desk).complete(mail, row.game, row.pictures) == one


@pytest.mark.parametrize(
    "spoiled", [{"at": 999}, {"kind": "film"}, {"hexes": ["ZZ99"]}, {"runs": [["9", ["H8"]]], "company": "NW"}]
)
def test_a_picture_that_cannot_be_drawn_is_left_out(
    service: Service, game: str, spoiled: dict[str, object], caplog: pytest.LogCaptureFixture
) -> None:
    with service.session() as session:
        row = session.exec(select(OutboxRow).where(OutboxRow.kind == "turn")).first()
    assert row is not None
    mail = Outgoing(
        message_id=row.message_id, recipient=row.recipient, return_path="", sender="a@example.org", reply_to="",
        subject="", text=row.text, html=row.html, created_at=row.created_at,
    )  # fmt: skip
    kept = [{**row.pictures[-1], **spoiled}]
    sent = pictures.Album(service.desk).complete(mail, row.game, kept)
    assert sent.parts == ()
    assert f'cid:{kept[0]["id"]}"' not in sent.html and sent.html.endswith("</html>\n")
    assert "cannot be drawn" in caplog.text


def test_a_mail_never_grows_too_large(service: Service, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Pieces, "png", lambda *_: b"\x89PNG" + bytes(250_000))
    service.say("Ann", "open TSR 25")
    letter = turn(service, "Bob")
    assert len(letter.message.as_bytes()) < 400_000
    assert [part.get_content_type() for part in parts(letter)].count("image/png") <= 1
    assert letter.html.count("<img ") == [part.get_content_type() for part in parts(letter)].count("image/png")


@pytest.mark.parametrize(("wish", "images"), [("off", 0), ("map only", 1), ("on", 2)])
def test_a_seat_says_which_pictures_it_wants(service: Service, game: str, wish: str, images: int) -> None:
    answer = service.say("Bob", f"pictures {wish}")
    assert service.outcomes()[-1] == "notified"
    assert answer is not None and "Pictures in your mails:" in answer.text
    service.say("Ann", "open TSR 25")
    assert turn(service, "Bob").html.count("<img ") == images


def test_check_only_tries_the_choice_of_pictures(service: Service, game: str) -> None:
    service.say("Bob", "check\npictures off")
    assert service.outcomes()[-1] == "checked"
    assert service.seat(game, "Bob").pictures == "on"


@pytest.mark.parametrize("word", ["show map", "show map G9-K15", "show map H8", "show chart", "show tiles"])
def test_what_is_asked_for_is_answered_with_a_picture(service: Service, game: str, word: str) -> None:
    service.say("Bob", "pictures off")
    answer = service.say("Bob", word)
    assert answer is not None
    assert [part.get_content_type() for part in parts(answer)].count("image/png") == 1
    assert answer.html.count("<img ") == 1


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("show board", "THE PRINTED BOARD"), ("show hex H8", "HEX H8 Moscow"), ("show company NW", "COMPANY NW"),
        ("show phase", "PHASES"), ("show run", "Name one: `show run X`"), ("show run NW", "has nothing to show"),
    ],
)  # fmt: skip
def test_what_is_asked_for_is_told(service: Service, game: str, word: str, said: str) -> None:
    answer = service.say("Bob", word)
    assert answer is not None and said in " ".join(answer.text.split())


def test_a_copy_of_a_mail_has_no_broken_pictures(service: Service, game: str) -> None:
    found = mbox_of(service.desk, game, raw=True)
    assert found is not None and found.mails
    assert b"cid:" not in found.content and b"<img" not in found.content


def test_a_service_without_pictures_sends_none(tmp_path: Path) -> None:
    service = Service.open(tmp_path)
    game = service.game()
    letter = turn(service, "Ann")
    assert "<img" not in letter.html and [p.get_content_type() for p in parts(letter)] == ["text/plain", "text/html"]
    assert service.seat(game, "Ann").pictures == "on"
