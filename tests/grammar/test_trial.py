"""Lines of a mail that make its orders a trial: a glued ``check``, a question, words that forbid. And prose that does
not."""

from __future__ import annotations

import pytest

from grammar import trial_asked
from tests.kit.service.around_orders import ALL

GLUED = [
    "1.check", "\uff11\uff0echeck", "\uac00.check", "\u4e00\u3001check", "\u300ccheck\u300d", "\u3010check\u3011",
    "1-check", "~check~", "<b>check</b>", "<div><i>Check</i></div>", "=EF=BB=BFcheck", "\ufeffcheck", "* check *",
    "#check", "(a) check:", "2) CHECK!",
]  # fmt: skip
ASKING = [
    "\u0395\u03c0\u03b9\u03c4\u03c1\u03ad\u03c0\u03b5\u03c4\u03b1\u03b9;",
    "Is this legal?", "Would this be legal?", "How about\uff1f", "Geht das?", "\u00bfEs legal?", "Can I do that?)",
]  # fmt: skip
FORBIDDING = [
    "What if:", "Do not carry this out yet.", "Please don\u2019t play this", "Not yet, only asking:", "Test only",
    "This is only a test.", "dry run", "trial", "DRAFT", "proposal", "(not final)", "No action please",
    "Can I do this", "Just wondering", "Tell me what happens", "work in progress", "Darf ich das", "Puis-je faire cela",
    "puedo hacerlo", "mag dit", "czy mog\u0119",
    "\u043c\u043e\u0436\u043d\u043e \u043b\u0438 \u0442\u0430\u043a", "\u53ef\u4ee5\u5417",
    "\u3067\u304d\u307e\u3059\u304b",
    "nur pr\u00fcfen",
    "Bitte noch nicht ausf\u00fchren", "juste un essai", "s\u00f3lo prueba", "solo prova", "nog niet uitvoeren",
    "jeszcze nie", "bara ett test",
    "\u0442\u043e\u043b\u044c\u043a\u043e \u043f\u0440\u043e\u0432\u0435\u0440\u043a\u0430",
    "\uccb4\ud06c\ub9cc \ud574 \uc8fc\uc138\uc694", "\u78ba\u8a8d\u306e\u307f", "\u5148\u522b\u6267\u884c",
]  # fmt: skip
PLAIN = [
    "Good morning all", "My moves for this round", "Checked with Bob, all is well.", "See https://maps.example/a?b=c",
    "Sorry to keep you waiting.", "I could not write earlier.",
    "I protest against your greed!", "Here is what I do:", "Ich konnte gestern nicht schreiben.", "",
]  # fmt: skip


@pytest.mark.parametrize(("why", "lines"), [("check", GLUED), ("question", ASKING), ("forbids", FORBIDDING)])
def test_lines_above_the_orders_that_make_them_a_trial(why: str, lines: list[str]) -> None:
    found = {line: trial_asked(["Hello Bob,", line]) for line in lines}
    assert {line: asked and asked.why for line, asked in found.items()} == dict.fromkeys(lines, why)


@pytest.mark.parametrize("line", PLAIN)
def test_other_lines_leave_orders_as_they_are(line: str) -> None:
    assert trial_asked([line]) is None


def test_no_greeting_of_any_language_makes_a_trial() -> None:
    greetings = [one.text for one in ALL if one.kind == "opening" and "?" not in one.text]
    assert len(greetings) > 80 and not [said for said in greetings if trial_asked(said.split("\n"))]


RETRACTING = [
    "Actually, please hold off until Bob has replied.", "On second thoughts I would rather not.", "Forget that.",
    "Please don\u2019t carry this out before Friday.", "I have changed my mind.", "Lieber doch nicht!",
]  # fmt: skip


@pytest.mark.parametrize("line", [*ASKING, *FORBIDDING])
def test_below_the_orders_no_question_counts(line: str) -> None:
    asked = trial_asked([], [line])
    assert asked is None or (asked.why == "forbids" and line not in ASKING)
    assert trial_asked([], ["1.check"]) is not None


@pytest.mark.parametrize("line", RETRACTING)
def test_what_takes_orders_back_below_them_makes_them_a_trial(line: str) -> None:
    asked = trial_asked([], ["Thanks!", line])
    assert asked is not None and (asked.line, asked.why, asked.below) == (line, "forbids", True)


@pytest.mark.parametrize(
    ("line", "orders", "trial"),
    [
        ("please lay no track", ("lay 24 D2 4", "run best", "done"), True),
        ("please lay no track", ("run best", "done"), False),
        ("I do not want a train now", ("run best", "train 2"), True),
        ("No train now", ("run best", "done"), False),
        ("No, I won't run them", ("run best",), True),
        ("no run this time", ("run none",), False),
    ],
)
def test_orders_that_the_letter_around_them_leaves_out_are_a_trial(
    line: str, orders: tuple[str, ...], trial: bool
) -> None:
    assert (trial_asked([line], [], orders) is not None) == trial
    assert (trial_asked([], [line], orders) is not None) == trial


@pytest.mark.parametrize(
    ("line", "orders", "trial"),
    [
        ("Next I buy a train.", ("run best",), True), ("Then place a token in Moscow", ("lay 8 K9 1",), True),
        ("Next turn I will buy a train.", ("run best",), False), ("Next I buy a train.", ("run best", "done"), False),
        ("Thanks for the train!", ("run best",), False),
    ],
)  # fmt: skip
def test_a_line_that_goes_on_below_the_orders_makes_them_a_trial(
    line: str, orders: tuple[str, ...], trial: bool
) -> None:
    asked = trial_asked([], [line], orders)
    assert (asked is not None and asked.why == "goes_on") == trial


def test_no_closing_signature_or_footer_makes_a_trial() -> None:
    orders = ("lay 8 K9 1", "token K9", "run best", "pay full", "train 2", "sell 1 NW", "bid 30", "loan 1")
    around = [one.text for one in ALL if one.kind in ("closing", "signature", "footer")]
    assert len(around) > 80 and not [said for said in around if trial_asked([], said.split("\n"), orders)]
