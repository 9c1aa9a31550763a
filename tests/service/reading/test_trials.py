"""Orders of a mail that asks or forbids are only tried out, and the answer says why and how to order."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.service.mail_service import Service, mail


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service.open(tmp_path)


def sent(service: Service, text: str) -> tuple[str | None, str]:
    """The outcome of Ann's mail, and the text of the answer."""
    game = service.ready_game()
    address = service.address("Ann")
    service.send(mail(text, to=address), address)
    service.run()
    carried_out = service.log(game)
    (outcome,) = service.outcomes()
    assert (carried_out == []) == (outcome != "applied")
    return outcome, " ".join(service.letters("Ann")[-1].text.split())


@pytest.mark.parametrize(
    "above",
    [
        "1.check", "\u300ccheck\u300d", "~check~", "\uac00.check", "<b>check</b>", "Is this legal?", "What if:",
        "Do not carry this out yet.", "Test only", "(not final)", "nur pr\u00fcfen", "\u78ba\u8a8d\u306e\u307f",
    ],
)  # fmt: skip
def test_what_asks_or_forbids_above_the_orders_makes_them_a_trial(service: Service, above: str) -> None:
    outcome, answer = sent(service, f"{above}\nopen TSR 25\n")
    assert outcome == "checked" and "below your orders" not in answer
    assert "only tried out and nothing was changed" in answer and "send them again without that line" in answer
    assert "WHAT WOULD HAPPEN" in answer


@pytest.mark.parametrize("below", ["On second thoughts I would rather wait.", "Forget that, I write tomorrow."])
def test_what_takes_orders_back_below_them_makes_them_a_trial(service: Service, below: str) -> None:
    outcome, answer = sent(service, f"Dear moderator,\n\nopen TSR 25\n\n{below}\nAnn")
    assert outcome == "checked"
    assert f"`{below}` below your orders sounds as if they should not be carried out" in answer


@pytest.mark.parametrize(
    "text",
    [
        "Good morning all\nopen TSR 25\n", "open TSR 25\n\nIs that all right with you?\n",
        "Is this legal?\nBEGIN\nopen TSR 25\nEND\n",
    ],
)  # fmt: skip
def test_greetings_questions_below_and_fenced_orders_are_carried_out(service: Service, text: str) -> None:
    outcome, _ = sent(service, text)
    assert outcome == "applied"


@pytest.mark.parametrize("line", ["1)check", "[check]", "/check", "check?", "checks", "just check please"])
def test_a_line_that_is_nearly_check_lets_nothing_be_carried_out(service: Service, line: str) -> None:
    assert sent(service, f"{line}\nopen TSR 25\n")[0] in ("checked", "unreadable")


def test_check_below_the_orders_is_no_order_to_carry_them_out(service: Service) -> None:
    assert sent(service, "open TSR 25\n1.check\n")[0] in ("checked", "unreadable")


@pytest.mark.parametrize(
    "text",
    [
        "1.chekc\nopen TSR 25\n", "\u300cchcek\u300d\nopen TSR 25\n", "\uff11.partial\nopen TSR 25\n",
        "1.open TSR 25\nlimit 60\n", "\u300copen TSR 25\u300d\nlimit 60\n", "\uac00.open TSR 25\nlimit 60\n",
        "=EF=BB=BFopen TSR 25\nlimit 60\n", "open TSR 25\n2.limit 60\n", "open TSR 25\n1.done\n",
        "open TSR 25\n\u300crun best\u300d\n",
    ],
)  # fmt: skip
def test_no_order_or_word_with_something_glued_to_it_is_left_out(service: Service, text: str) -> None:
    """Row 29: the mail is refused, so that the orders around the line are not carried out without it."""
    outcome, answer = sent(service, text)
    assert outcome == "unreadable" and "NOT READABLE" in answer


def test_a_word_glued_to_a_thousand_marks_takes_no_time(service: Service) -> None:
    assert sent(service, f"{'<a>' * 1_000}\nopen TSR 25\n")[0] == "applied"
