"""Everything the engine and the service can say has words, and the words ask for no fact that is not given."""

from __future__ import annotations

import re
from typing import Any, get_args

import pytest
from jinja2 import meta

import engine
import grammar
import templates
from engine.core import events as ev
from engine.core import orders as o
from engine.core.agenda import Ask
from engine.core.charter import Charter
from engine.core.checks import Fact, Failure
from engine.core.ids import CompanyId, HexId, PhaseName, PlayerId, PrivateId, TileId, TrainName
from engine.core.state import Frame, Round
from engine.titles.t1841.ending.end_signals import AREAS, PRICE
from engine.titles.t1841.ending.ends import BANK_BROKEN, LAST_PLAYER
from engine.titles.t1841.ending.stalemate import STALEMATE
from engine.titles.t1863.ending import ends
from moderator.domain import transcript as contract
from moderator.domain.info import Notify
from moderator.domain.outcome import Outcome
from moderator.render import describe_ask, describe_event, describe_failure, describe_unreadable
from moderator.words.texts import words
from tests.kit.engine_keys import asks, facts, keys, reasons
from tests.kit.games.mail_checks import DOUBLED

ENGLISH = words("en")
GIVEN = {"title", "language", "by", "own", "about", "actor"}
"""Names that every sentence may use."""
ALWAYS = {"title", "language", "by"}
"""Those of a check."""
CACHE_KEYS = re.compile(r"(routes|network|board|reach)\..*")
EVENT_OF = {
    "pay": "Paid", "pay_with_loans": "Paid", "move_price": "PriceSet", "draw": "LotDrawn",
}  # fmt: skip


def has(table: str, key: str) -> bool:
    return any(ENGLISH.find(table, key, title) is not None for title in templates.titles("en"))


@pytest.fixture(scope="module")
def title() -> engine.Title:
    return engine.load_title("1861")


# ---- nothing is missing ---------------------------------------------------------------------------------------------


def test_every_check_of_the_engine_has_words() -> None:
    missing = {
        key: sorted(where)
        for key, where in keys().items()
        if not has("checks", key) and not has("asks", f"{key}.text") and not CACHE_KEYS.fullmatch(key)
    }
    assert missing == {}


def test_words_of_a_check_ask_only_for_facts_it_has() -> None:
    """The words of a title fit the checks in its folder. A shared check may fit none but one title's words: the others
    have their own step with their own facts."""
    wrong = []
    for own, key, given in facts():
        found = {title: ENGLISH.find("checks", key, title) for title in ([own] if own else templates.titles("en"))}
        sources = {title: source for title, source in found.items() if source}
        lacking = {
            title: sorted(asked)
            for title, source in sources.items()
            if (asked := meta.find_undeclared_variables(ENGLISH.env.parse(source)) - ALWAYS - given)
        }
        if sources and len(lacking) == len(sources):
            wrong.append((key, lacking))
    assert wrong == []


@pytest.mark.parametrize(
    ("name", "reason"),
    [("1841", why) for why in (BANK_BROKEN, LAST_PLAYER, PRICE, AREAS, STALEMATE)]
    + [("1863", why) for why in (ends.LAST_TRAIN, ends.LAST_MARKER, ends.BANKRUPTCY, ends.LAST_PLAYER, ends.STALEMATE)],
)
def test_the_end_of_a_game_says_why(name: str, reason: str) -> None:
    told = describe_event(engine.load_title(name), ev.GameOver(((PlayerId("Ann"), 100),), reason))
    assert told is not None and "; the game is over: Ann " in told


@pytest.mark.parametrize("name", templates.titles("en"))
@pytest.mark.parametrize("source", ["treasury", "pool"])
def test_a_place_after_an_article_has_none_of_its_own(name: str, source: str) -> None:
    told = describe_event(engine.load_title(name), ev.Bought(PlayerId("Ann"), CompanyId("X"), 1, 100, source))
    assert told is not None and DOUBLED.search(told) is None


@pytest.mark.parametrize("key", sorted({*asks(), "company.pay"}))
def test_every_question_has_words(key: str) -> None:
    for part in ("text", "short"):
        assert has("asks", f"{key}.{part}"), part
    assert has("words", f"asked.{key}")


def test_every_reason_in_the_engine_has_words_of_its_own() -> None:
    missing = [
        (EVENT_OF.get(call, call), reason)
        for call, reason in reasons()
        if not has("events", f"{EVENT_OF.get(call, call)}.{reason}")
        and (call, reason) != ("GameOver", reason)
        and not (call == "CompanyLeft" and reason == "")
    ]
    assert missing == []


def test_every_kind_of_event_is_told_or_left_out_on_purpose() -> None:
    for kind in get_args(ev.Event):
        name = kind.__name__
        assert has("events", name) or has("events", f"{name}.other"), name


def test_every_kind_of_order_has_a_heading() -> None:
    for kind in get_args(o.Order):
        if kind not in (o.Limit, o.Standing):  # never on a menu: the moderator's own
            assert has("words", f"group.{kind.__name__}"), kind.__name__


def test_every_outcome_verdict_and_setting_has_words() -> None:
    for outcome in get_args(Outcome):
        assert has("words", f"outcome.{outcome}"), outcome
    for verdict in get_args(contract.Verdict):
        assert has("words", f"verdict.{verdict}"), verdict
    for setting in get_args(Notify):
        assert has("words", f"notify.{setting}"), setting


def test_every_note_about_a_mail_has_words_with_its_facts() -> None:
    said = re.findall(r"``([a-z_.]+)`` \{([^}]*)\}", contract.Transcript.__doc__ or "")
    assert len(said) > 10
    for key, given in said:
        source = ENGLISH.tables["words"].get(f"notes.{key}")
        assert source is not None, key
        names = {re.match(r"\w*", part.strip()).group() for part in given.split(",")}  # type: ignore[union-attr]
        assert meta.find_undeclared_variables(ENGLISH.env.parse(source)) - GIVEN <= names | {"trial"}, key


def test_every_reason_of_the_notation_has_words(title: engine.Title) -> None:
    doc = grammar.Unreadable.__doc__ or ""
    reasons_there = re.findall(r"``([a-z]+)`` \(", doc.partition("``reason``")[2])
    assert len(reasons_there) > 8
    for reason in reasons_there:
        assert has("words", f"unreadable.{reason}"), reason
        fault = grammar.Unreadable(3, 7, "lya", ("`lay`", "`token`"), "lay", reason=reason)
        text = describe_unreadable(fault)
        assert text.startswith("Line 3, column 7")
        assert "reason" not in text


# ---- what is missing does no harm -----------------------------------------------------------------------------------


@pytest.mark.rough
def test_a_key_without_words_shows_key_and_facts(title: engine.Title, caplog: pytest.LogCaptureFixture) -> None:
    assert describe_failure(title, Failure("lay.on_water", {"hex": "H8", "depth": 3})) == (
        "lay.on_water (hex: H8, depth: 3)."
    )
    assert caplog.messages == ["no words for lay.on_water in checks of 1861: there are none"]
    assert describe_ask(title, Ask(PlayerId("Ann"), PlayerId("Ann"), "no.such")).startswith("no.such.text")


@pytest.mark.rough
def test_words_that_lack_a_fact_show_key_and_facts(title: engine.Title) -> None:
    assert describe_failure(title, Failure("bid.too_low", {"amount": 20})).startswith("bid.too_low (amount: 20)")


# ---- what is said ---------------------------------------------------------------------------------------------------


def test_a_failure_names_facts_money_and_its_rule(title: engine.Title) -> None:
    failure = Failure("bid.money", {"amount": 1200, "cash": 315})
    address = title.addresses["bid.money"]
    assert describe_failure(title, failure) == (f"A bid of R1,200 is more than you have: R315 (1861 v2.0 {address}).")


def test_a_refused_lay_is_explained(title: engine.Title) -> None:
    facts_there: dict[str, Fact] = {"hex": "H8", "tile": "637", "color": "green", "phase": "2", "colors": ("yellow",)}
    text = describe_failure(title, Failure("lay.color", facts_there))
    assert text.startswith("No green track in phase 2: tile 637 is green, and only yellow may be laid (1861 v2.0 7.2")


def _value(kind: str) -> Any:
    """Something of the type that an annotation names."""
    samples: dict[str, Any] = {
        "Frame": Frame(), "Owner": "Bob", "Place": "Ann", "CompanyId": CompanyId("NW"), "PrivateId": PrivateId("TSR"),
        "PlayerId": PlayerId("Ann"), "Actor": PlayerId("Ann"), "TrainName": TrainName("3"), "HexId": HexId("H8"),
        "TileId": TileId("637"), "PhaseName": PhaseName("3"), "Round": Round("OR", 3, 1), "int": 120, "bool": False,
        "Reason": "income", "Charter | None": Charter("minor", {}, (), 1),
        "str": "x", "Any": None, "State": None, "Cell": (2, 3), "Owner | None": "Bob", "int | None": 110,
        "Order": o.Train(CompanyId("NW"), TrainName("3")),
        "Subject": o.TrainSale(TrainName("3"), CompanyId("NW"), 70),
        "tuple[Route, ...]": (o.Route(TrainName("3"), (HexId("G15"), HexId("H8"))),), "tuple[int, ...]": (90,),
        "PlayerId | None": PlayerId("Ann"), "tuple[PlayerId, ...]": (PlayerId("Ann"), PlayerId("Bob")),
        "tuple[CompanyId, ...]": (CompanyId("N"), CompanyId("M-K")), "tuple[str, ...]": ("Ann", "Bob"),
        "tuple[tuple[Place, str, int], ...]": (("Ann", "director", 1),),
        "tuple[tuple[PrivateId, int], ...]": (("MHE", 25),), "tuple[tuple[str, int], ...]": (("MHE", 25),),
        "tuple[HexId, ...]": (HexId("G15"), HexId("H8")),
        "tuple[tuple[PlayerId, int], ...]": ((PlayerId("Ann"), 900), (PlayerId("Bob"), 800)),
    }  # fmt: skip
    return "full" if kind.startswith("Literal") else samples[kind]


@pytest.mark.parametrize("kind", get_args(ev.Event), ids=lambda k: k.__name__)
def test_every_event_is_described_without_its_key(kind: Any, title: engine.Title) -> None:
    event = kind(**{f.name: _value(str(f.type)) for f in kind.__dataclass_fields__.values()})
    text = describe_event(title, event)
    if ENGLISH.tables["events"].get(kind.__name__) == "":
        assert text is None
    elif text is not None:
        assert kind.__name__ not in text
        assert "{{" not in text


def test_known_events_read_well(title: engine.Title) -> None:
    nw, ann = CompanyId("NW"), PlayerId("Ann")
    said: list[tuple[ev.Event, str | None]] = [
        (ev.TileLaid(nw, HexId("K7"), TileId("14"), 2), "NW laid tile 14 in K7 Nizhnii Novgorod, turned 2"),
        (ev.Paid("Bank", "Ann", 30, "income", "WVR"), "Ann received R30 from WVR"),
        (ev.TrainMoved(TrainName("3"), "NW", "Pool"), "NW discarded a 3-train into the pool"),
        (ev.LoansChanged(nw, 2, "taken"), "NW took 2 loans (R90)"),
        (ev.Won(ann, "TSR", 0), "Ann got TSR for nothing"),
        (ev.CompanyLeft(nw, False, "merged"), None),
    ]
    assert [describe_event(title, event) for event, _ in said] == [text for _, text in said]
