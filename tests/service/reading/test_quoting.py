"""What of a mail is read: quotations, signatures, blocks, addresses in copy.

Numbers are those of the rows of the fault list.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.service.mail_service import Letter, Service, mail

EACH = pytest.mark.usefixtures("each_database")
"""What hangs on rows; how a text is read hangs on none."""


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service.open(tmp_path)


@pytest.fixture
def game(service: Service) -> str:
    """Ann is asked to open TSR, then come Bob and Cat."""
    return service.ready_game()


def quoted(letter: Letter) -> str:
    return "\n".join(f"> {line}" for line in letter.text.splitlines())


@pytest.mark.fault(26)
@pytest.mark.parametrize(
    "head",
    [
        "On Sun, 1 Mar 2026 at 13:00, Railpost <{0}> wrote:",
        "On Sun, 1 Mar 2026 at 13:00, Railpost <{0}>\nwrote:",
        "Am So., 1. März 2026 um 13:00 Uhr schrieb Railpost <{0}>:",
        "Le dim. 1 mars 2026 à 13:00, Railpost <{0}> a écrit :",
        "Railpost <{0}> ezt írta (2026. márc. 1.):",
    ],
)
def test_26_orders_above_the_whole_quoted_turn_mail(service: Service, game: str, head: str) -> None:
    turn = service.letters("Ann")[-1]
    service.say("Ann", f"open TSR 25\n\n{head.format(turn.reply_to)}\n\n{quoted(turn)}\n")
    assert service.outcomes() == ["applied"], service.details()
    assert service.log(game) == ["Ann: open TSR 25"]


@pytest.mark.fault(26)
def test_26_our_own_mail_is_no_orders_even_if_it_comes_back_without_marks(service: Service, game: str) -> None:
    turn = service.letters("Ann")[-1]
    without_mark = "\n".join(turn.text.splitlines()[1:])
    service.say("Ann", without_mark)
    assert service.outcomes() == ["empty"]  # its first line begins a quotation
    assert service.log(game) == []


@pytest.mark.fault(26)
def test_26_what_stands_below_the_mark_is_not_read(service: Service, game: str) -> None:
    turn = service.letters("Ann")[-1]
    service.say("Ann", f"open TSR 25\n\n{turn.text}")
    assert service.log(game) == ["Ann: open TSR 25"]


@pytest.mark.fault(27)
def test_27_orders_below_and_between_quotations(service: Service, game: str) -> None:
    turn = service.letters("Ann")[-1]
    service.say("Ann", f"On Sun, 1 Mar 2026, Railpost <{turn.reply_to}> wrote:\n> TSR\nopen TSR 25\n> more\nlimit 60\n")
    assert service.log(game) == ["Ann: open TSR 25"]
    assert service.held(game) == [("Ann", "Ann: limit 60 on TSR", "waiting")]


@pytest.mark.fault(28)
@pytest.mark.parametrize(
    "head",
    [
        "From: Railpost <railpost@example.org>\nSent: Sunday, March 1, 2026 1:00 PM\nTo: Ann\nSubject: your turn",
        "Von: Railpost <railpost@example.org>\nGesendet: Sonntag, 1. März 2026\nAn: Ann\nBetreff: x",
        "Van: Railpost <railpost@example.org>\nVerzonden: zondag 1 maart 2026\nAan: Ann\nOnderwerp: x",
        "Da: Railpost <railpost@example.org>\nInviato: domenica 1 marzo 2026\nA: Ann\nOggetto: x",
        "De: Railpost <railpost@example.org>\nEnviado: domingo, 1 de marzo de 2026\nPara: Ann\nAsunto: x",
        "Från: Railpost <railpost@example.org>\nSkickat: den 1 mars 2026\nTill: Ann\nÄmne: x",
        "Fra: Railpost <railpost@example.org>\nSendt: 1. marts 2026\nTil: Ann\nEmne: x",
        "Od: Railpost <railpost@example.org>\nWysłano: niedziela, 1 marca 2026\nDo: Ann\nTemat: x",
        "Od: Railpost <railpost@example.org>\nOdesláno: neděle 1. března 2026\nKomu: Ann\nPředmět: x",
        "发件人: Railpost <railpost@example.org>\n发送时间: 2026年3月1日\n收件人: Ann\n主题: x",
        "보낸 사람: Railpost <railpost@example.org>\n보낸 날짜: 2026년 3월 1일\n받는 사람: Ann\n제목: x",
        "De : Railpost <railpost@example.org>\nEnvoyé : dimanche 1 mars 2026 13:00\nÀ : Ann\nObjet : x",
        "De: Railpost <railpost@example.org>\nEnviada: domingo, 1 de março de 2026\nPara: Ann\nAssunto: x",
        "Lähettäjä: Railpost <railpost@example.org>\nLähetetty: 1. maaliskuuta 2026\nVastaanottaja: Ann",
        "От: Railpost <railpost@example.org>\nОтправлено: 1 марта 2026 г.\nКому: Ann\nТема: x",
        "Feladó: Railpost <railpost@example.org>\nElküldve: 2026. március 1.\nCímzett: Ann\nTárgy: x",
        "Gönderen: Railpost <railpost@example.org>\nGönderildi: 1 Mart 2026 Pazar\nKime: Ann\nKonu: x",
        "差出人: Railpost <railpost@example.org>\n送信日時: 2026年3月1日\n宛先: Ann\n件名: x",
        "*From:* Railpost <railpost@example.org>\n*Sent:* Sunday, March 1, 2026\n*To:* Ann",
        "________________________________\nFrom: Railpost <railpost@example.org>\nSent: Sunday, March 1, 2026",
    ],
)
def test_28_quotations_as_outlook_makes_them(service: Service, game: str, head: str) -> None:
    """Without our mark, which an unusual program might drop."""
    service.say("Ann", f"open TSR 25\n\n{head}\n\nopen TSR 400\nlimit 500\n")
    assert service.log(game) == ["Ann: open TSR 25"], service.outcomes()
    assert service.held(game) == []


@pytest.mark.fault(28)
def test_28_any_language_ends_at_our_mark(service: Service, game: str) -> None:
    service.say("Ann", "open TSR 25\n\n##- odpovězte nad touto čarou -##\nopen TSR 400\n")
    assert service.log(game) == ["Ann: open TSR 25"]


@pytest.mark.fault(29)
def test_29_a_signature_that_looks_like_an_order(service: Service, game: str) -> None:
    service.say("Ann", "open TSR 25\n-- \npass\nlimit 500\n")
    assert service.log(game) == ["Ann: open TSR 25"]
    assert service.held(game) == []


@pytest.mark.fault(29)
@pytest.mark.parametrize(
    "footer", ["Sent from my iPhone", "Gesendet von meinem Telefon", "Best regards,\nAnn", "Viele Grüße\nAnn"]
)
def test_29_footers_of_telephones_and_closings(service: Service, game: str, footer: str) -> None:
    service.say("Ann", f"open TSR 25\n\n{footer}\n")
    assert service.log(game) == ["Ann: open TSR 25"]


FOOTER = (
    "This message is meant for its addressee alone.\nPass it on to nobody, and keep no copy.\n"
    "Use of it is forbidden.\nRun a virus scanner.\n"
)
"""One that a program could take for orders."""


@pytest.mark.fault(29)
def test_29_unknown_lines_apply_nothing_of_what_is_above_them(service: Service, game: str) -> None:
    answer = service.say("Ann", f"open TSR 25\n{FOOTER}")
    assert service.outcomes() == ["unreadable"]
    assert service.log(game) == []
    assert answer is not None
    assert answer.text.count("NOT READABLE") == 1  # one answer for the whole footer
    assert "between a line `BEGIN` and a line `END`" in " ".join(answer.text.split())


@pytest.mark.fault(29)
def test_29_partial_applies_what_is_above_unknown_lines(service: Service, game: str) -> None:
    service.say("Ann", f"partial\nopen TSR 25\n{FOOTER}")
    assert service.outcomes() == ["partial"]
    assert service.log(game) == ["Ann: open TSR 25"]


@pytest.mark.fault(29)
def test_29_the_end_word_stops_the_reading(service: Service, game: str) -> None:
    service.say("Ann", f"open TSR 25\nEND\n{FOOTER}")
    assert service.outcomes() == ["applied"]
    assert service.log(game) == ["Ann: open TSR 25"]


@pytest.mark.fault(29)
def test_29_an_end_word_above_all_orders_ends_nothing(service: Service, game: str) -> None:
    service.say("Ann", "\nEND\nopen TSR 25\nEND\npass\n")
    assert service.outcomes() == ["applied"]
    assert service.log(game) == ["Ann: open TSR 25"]


@pytest.mark.fault(30)
def test_30_the_answer_says_how_many_lines_were_not_read(service: Service, game: str) -> None:
    answer = service.say("Ann", "open TSR 25\n-- \nAnn\nDirector of everything\n")
    assert answer is not None
    assert "3 " in answer.text
    assert "open TSR 25" in answer.text


@pytest.mark.fault(30)
def test_30_a_fenced_block_is_read_where_a_signature_would_end_the_text(service: Service, game: str) -> None:
    service.say("Ann", f"Hello,\nmy orders:\n-- \nBest regards,\nBEGIN {game} at 1\nopen TSR 25\nEND\n")
    assert service.log(game) == ["Ann: open TSR 25"]


@pytest.mark.fault(30)
def test_30_orders_that_look_like_closings_or_heads_are_orders(service: Service, game: str) -> None:
    from moderator.service.reading.extract import extract

    text = "take 1\nA: pass\nDe: pass\nTo: pass\n- 5"
    assert extract(text).text == text


@pytest.mark.fault(31)
def test_31_an_example_with_its_mark_left_is_not_carried_out_but_hinted_at(service: Service, game: str) -> None:
    answer = service.say("Ann", "> open TSR 25\n")
    assert service.outcomes() == ["empty"]
    assert service.log(game) == []
    assert answer is not None
    assert "open TSR 25" in answer.text


@pytest.mark.fault(31)
def test_31_an_example_of_ours_keeps_its_bar(service: Service, game: str) -> None:
    answer = service.say("Ann", "| open TSR 25\n")
    assert service.outcomes() == ["unreadable"]
    assert service.log(game) == []
    assert answer is not None


@pytest.mark.fault(32)
def test_32_two_blocks_for_one_game_are_none(service: Service, game: str) -> None:
    answer = service.say("Ann", f"BEGIN {game} at 1\nopen TSR 25\nEND\nBEGIN {game} at 1\npass\nEND\n")
    assert service.outcomes() == ["two_blocks"]
    assert service.log(game) == []
    assert answer is not None
    assert "2 blocks" in answer.text


@pytest.mark.fault(32)
def test_32_blocks_for_two_games_are_handled_each(service: Service, game: str) -> None:
    first = service.address("Ann")
    other = service.game()
    second = service.address("Ann")
    text = f"BEGIN {game} at 1\nopen TSR 25\nEND\nBEGIN {other} at 1\npass\nEND\n"
    service.send(mail(text, to=f"{first}, {second}"), first)
    service.run()
    assert service.log(game) == ["Ann: open TSR 25"]
    assert service.log(other) == ["Ann: pass"]
    assert service.outcomes() == ["applied"]
    answers = [letter for letter in service.letters("Ann") if letter.kind == "transcript"]
    assert len(answers) == 1
    assert "open TSR 25" in answers[0].text
    assert other in answers[0].text


@pytest.mark.fault(32)
def test_32_one_bad_block_does_not_hinder_the_other(service: Service, game: str) -> None:
    first = service.address("Ann")
    other = service.game()
    second = service.address("Ann")
    text = f"BEGIN {game} at 1\nopen TSR 3\nEND\nBEGIN {other} at 1\npass\nEND\n"
    service.send(mail(text, to=f"{first}, {second}"), first)
    service.run()
    assert service.log(game) == []
    assert service.log(other) == ["Ann: pass"]
    assert service.details() == ["refused, applied"]


@pytest.mark.fault(32)
def test_32_a_block_without_its_end_is_not_applied(service: Service, game: str) -> None:
    service.say("Ann", f"BEGIN {game} at 1\nopen TSR 25\n")
    assert service.outcomes() == ["unreadable"]
    assert service.log(game) == []


@EACH
@pytest.mark.fault(33)
def test_33_orders_count_where_the_seat_is_in_copy(service: Service, game: str) -> None:
    address = service.address("Ann")
    service.send(mail("open TSR 25", to="table@lists.example", cc=address), address)
    service.run()
    assert service.log(game) == ["Ann: open TSR 25"]
    assert service.mailbox("table@lists.example") == []


@EACH
@pytest.mark.fault(33)
def test_33_a_mail_to_the_table_without_the_seat_is_nobodys(service: Service, game: str) -> None:
    service.send(mail("open TSR 25", to="table@lists.example, railpost@example.org"))
    service.run()
    assert service.outcomes() == ["wrong_token"]
    assert service.log(game) == []


@EACH
@pytest.mark.fault(33)
def test_33_a_fenced_block_with_the_secret_word_counts_anywhere(service: Service, game: str) -> None:
    token = service.address("Ann").split("@")[0].split(".")[-1]
    service.send(mail(f"BEGIN {game} at 1 token {token}\nopen TSR 25\nEND\n"))
    service.run()
    assert service.log(game) == ["Ann: open TSR 25"]
