"""The defaults of 1867: those of 1861."""

from __future__ import annotations

import engine


def test_the_defaults_are_those_of_the_family_and_of_every_question_of_1861_but_the_state_railway() -> None:
    of_1861 = engine.default_rules(engine.load_title("1861"))
    of_1867 = engine.default_rules(engine.load_title("1867"))
    assert {what: rules for what, rules in of_1861.items() if not what.startswith("state_railway")} == of_1867
