"""Words that all titles share say nothing that only one of them has."""

from __future__ import annotations

import re
import tomllib

import pytest

import engine
from engine.acts.act import Turn
from engine.acts.pay_out import PAY, PayOut
from engine.acts.run_trains import Earned
from engine.acts.turns import Turns
from engine.core.checks import Fact, Failure
from engine.core.ids import CompanyId
from engine.titles.t1863.stock.circles import circle_refused
from moderator.words.texts import words
from moderator.words.wording import describe_failure
from templates import family, table
from tests.kit.titles import TITLES


@pytest.mark.parametrize("name", TITLES)
def test_hexes_of_examples_are_on_the_map_of_the_title(name: str) -> None:
    title = engine.load_title(name)
    said = words().text("moderator_words", title=title, mark="| ")
    said += words().say("words", "notes.show.unknown", title=title, argument="all")
    examples = re.findall(r"(?:map|hex|see you at) ([A-Za-z]+\d+)(?:-([A-Za-z]+\d+))?", said)
    found = {hex for pair in examples for hex in pair if hex}
    assert len(examples) == 5 and len(found) == 2
    assert found <= set(title.map.hexes)


@pytest.mark.parametrize("name", TITLES)
def test_a_refusal_names_the_dividends_that_the_title_has(name: str) -> None:
    title = engine.load_title(name)
    turns = next(step for step in title.steps.values() if isinstance(step, Turns))
    acts = [place.act for place in turns.places if isinstance(place.act, PayOut)]
    assert acts or name == "1863", "1863 has its own dividends"
    game = engine.Game.start(title, engine.Setup(("Ann", "Bob", "Cat"), seed="words"))
    for act in acts:
        turn = Turn(CompanyId("X"), PAY, (Earned(40),))
        failure = act.due(title, game.state, turn)
        assert failure is not None
        assert set(re.findall("`pay ([a-z]+)`", describe_failure(title, failure))) == set(act.ways)


@pytest.mark.parametrize("name", TITLES)
def test_a_title_repeats_no_refusal_that_all_share(name: str) -> None:
    above = family("en", name)
    shared, own = words().own(above)["checks"], tomllib.loads(table("en", "checks", name))
    repeated = [
        f"{part}.{key}"
        for part, texts in own.items()
        for key, text in texts.items()
        if shared.get(f"{part}.{key}") == text
    ]
    assert (own or above) and repeated == []


LAY = {"hex": "X1", "cost": 80, "spendable": 70, "missing": 10}
TOKEN = {"hex": "X1", "cost": 80, "cash": 70, "missing": 10}


@pytest.mark.parametrize(("check", "facts"), [("lay.money", LAY), ("token.money", TOKEN)])
def test_a_refusal_for_want_of_money_speaks_of_loans_where_there_are_loans(check: str, facts: dict[str, Fact]) -> None:
    said = {name: describe_failure(engine.load_title(name), Failure(check, facts)) for name in TITLES}
    assert all("too little" in text for text in said.values())
    assert [name for name, text in said.items() if "loan" in text] == ["1861", "1867"]


@pytest.mark.parametrize(
    ("ruling", "said"),
    [
        ("shares", "No company may hold shares of one above it: EHL would hold shares of MET, which is above it"),
        ("presidencies", "to be its president: EHL would have enough of MET, which is above it"),
    ],
)
def test_a_refused_circle_of_1863_says_what_the_ruling_forbids(ruling: str, said: str) -> None:
    title = engine.load_title("1863", options={"circles": ruling})
    refused = circle_refused(title, CompanyId("MET"), ((CompanyId("EHL"), CompanyId("MET")),))
    assert said in describe_failure(title, refused)


def test_a_title_without_a_page_of_orders_is_told_what_is_missing() -> None:
    with pytest.raises(FileNotFoundError, match=r"templates/en/1777/orders\.txt\.j2 is missing"):
        words().text("1777/orders")
