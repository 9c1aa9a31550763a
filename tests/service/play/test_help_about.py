"""A stranger to 18xx asks what a term, a private or a company is, with words of the notation or with his own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.service.mail_service import Service


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Service:
    opened: Service = Service.open(tmp_path_factory.mktemp("help"))
    opened.ready_game()
    return opened


def told(service: Service, text: str) -> str:
    answer = service.say("Ann", text)
    assert answer is not None
    return " ".join(answer.text.split())


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("help private TSR", "PRIVATE TSR, Tsarskoye Selo Railway"),
        ("show private tsr", "PRIVATE TSR, Tsarskoye Selo Railway"),
        ("show company TSR", "PRIVATE TSR, Tsarskoye Selo Railway"),
        ("show private Tsarskoye Selo Railway", "PRIVATE TSR, Tsarskoye Selo Railway"),
        ("show company Moscow, Vindava & Rybinsk Railway", "COMPANY MVR, Moscow, Vindava & Rybinsk Railway"),
        ("show company nikolaev", "COMPANY N, Nikolaev Railway"),
        ("help company K-B?", "COMPANY K-B, Kiev-Brest Railway"),
        ("help words", "par: the first price of a share"),
        ("help word pars", "par: the first price of a share"),
        ("help rules", "1861 is about the railways of the Russian Empire"),
        ("what does TSR do", "PRIVATE TSR, Tsarskoye Selo Railway"),
        ("Hi,\n\nwhat does the TSR do?", "PRIVATE TSR, Tsarskoye Selo Railway"),
        ("What is a par?", "par: the first price of a share"),
        ("what's Priority Deal", "Priority Deal: the card of the player who begins"),
        ("?", "how to play by mail"),
        ("How do I play?", "how to play by mail"),
        ("Hello,\n\nwhat should I write here?", "how to play by mail"),
        ("I don't understand this.", "how to play by mail"),
        ("what are the rules?", "1861 is about the railways of the Russian Empire"),
        ("What is this game about", "1861 is about the railways of the Russian Empire"),
    ],
)
def test_a_question_is_answered(service: Service, said: str, expected: str) -> None:
    before = service.outcomes().count("applied")
    answer = told(service, said)
    assert expected in answer
    assert "No order was found" not in answer and "cannot be read" not in answer
    assert service.outcomes().count("applied") == before


def test_an_unknown_name_is_told_with_all_names(service: Service) -> None:
    answer = told(service, "show private nowhere land")
    assert "There is no company and no private called `nowhere land`" in answer and "Privates: TSR, BSS" in answer


def test_an_unknown_term_leads_to_the_list(service: Service) -> None:
    assert "`help words` shows all of them" in told(service, "help word bananas")


def test_two_words_on_a_line_are_both_done(service: Service) -> None:
    answer = told(service, "show company N, show private TSR")
    assert "COMPANY N" in answer and "PRIVATE TSR" in answer


def test_a_question_beside_an_order_holds_nothing_back(tmp_path: Path) -> None:
    service = Service.open(tmp_path)
    service.ready_game()
    service.say("Ann", "show private TSR\nopen TSR 20")
    assert service.outcomes() == ["applied"]


def test_a_sentence_that_only_begins_like_a_question_is_no_order_and_no_answer(service: Service) -> None:
    answer = told(service, "what does everybody think about dinner on Sunday")
    assert "PRIVATE" not in answer and "COMPANY" not in answer


def test_a_message_with_a_question_in_it_is_still_offered_to_the_game_master(service: Service) -> None:
    answer = told(service, "What is a par?\n\nAnd may I have a week more, because I am ill and in hospital")
    assert "par: the first price of a share" in answer
    assert "may I have a week more" in answer and "end master" in answer


def test_nothing_is_guessed_in_a_sentence(tmp_path: Path) -> None:
    """`what is that` was near to THT, a private of 1863."""
    service = Service.open(tmp_path)
    service.ready_game("1863")
    assert "PRIVATE" not in told(service, "what is that")
    assert "PRIVATE THT, Thames Tunnel" in told(service, "what is the Thames Tunnel?")
