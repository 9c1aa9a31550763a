"""An answer to a question of the service is read as people write it, and only if it is plain."""

from __future__ import annotations

import pytest

from moderator.service.decision.consent import consent


@pytest.mark.parametrize(
    "text",
    [
        "yes", "Yes.", "YES!", "y", "ok", "Okay, thanks", "yes please", "Yes, that was me.", "yes 👍", "yes 👍🏽",
        '"yes"',
        "*yes*", "**Yes**", "_yes_", "`yes`", "“Yes”", "(yes)", "Ja", "ja, bitte", "네", "네, 맞습니다.", "예",
        "はい", "「はい」",
        "はい、お願いします", "是", "Oui", "Oui, c'est moi", "Sí", "Si\u0301", "Sim", "да", "Yes, I confirm",
        "yes, it’s mine",
        "\n\n  yes\n\nBest wishes\nAnn", "Yes, thank you", "ｙｅｓ",
    ],
)  # fmt: skip
def test_a_plain_yes(text: str) -> None:
    assert consent(text) == "yes"


@pytest.mark.parametrize(
    "text",
    [
        "no", "No!", "n", "no thanks", "No, that was not me.", "No, it wasn't me", '"no"', "*no*", "no 👎", "Nein",
        "Nee",
        "non merci", "아니요", "いいえ", "不是", "нет", "stop", "No, sorry", "nein, das war ich nicht",
    ],
)  # fmt: skip
def test_a_plain_no(text: str) -> None:
    assert consent(text) == "no"


@pytest.mark.parametrize(
    "text",
    [
        "", "yes?", "Yes？", "no?", "yes but not now", "yes, but only the first", "yes no", "no yes", "no, ja", "y n",
        "yes, that was not me", "No, that was me", "no problem, yes", "not yes", "yesterday", "yes 👎", "yes 🤔",
        "yes (?)",
        "yes, I think so", "yes if it is still possible", "ja nein", "ja, aber nicht jetzt", "네?", "> yes",
        "open TSR 25",
        "maybe\nyes", "Thanks, I am away", "no, do it", "no problem", "👍", "yes / no", "yes, it was you",
        "yes" + " ok" * 200,
    ],
)  # fmt: skip
def test_what_is_neither(text: str) -> None:
    assert consent(text) == ""
