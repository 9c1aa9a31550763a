"""Records of 18xx.games: what a spoiled copy is refused for, and the books that the importer keeps."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import engine
from engine.core.events import (
    Bought,
    CertificatesMoved,
    Event,
    Exchanged,
    MarkerPlaced,
    MarkerRemoved,
    Merged,
    Sold,
    TokensBought,
    TrainMoved,
    TrainsRusted,
)
from engine.core.ids import BANK, POOL, TREASURY, CompanyId, HexId, PlayerId, TrainName
from engine.site18xx.slots import Slots
from engine.site18xx.t1841.certificates import SiteBooks as Books
from engine.site18xx.t1841.converter import Converter
from engine.site18xx.t1841.replies import new_tokens
from engine.site18xx.trains import Cards
from moderator.domain.records.import_18xx import RecordError, read_import
from tests.kit.games.situations_1841 import firm, situation

Data = dict[str, Any]
SFTG, AFI, SFTC, SFTN = map(CompanyId, ("SFTG", "AFI", "SFTC", "SFTN"))
ANN, BOB = PlayerId("Ann"), PlayerId("Bob")


@pytest.fixture
def record(records: Path) -> Data:
    data: Data = json.loads((records / "1841" / "132002.json").read_text(encoding="utf-8"))
    actions = json.loads((records / "1841" / "132002.actions.json").read_text(encoding="utf-8"))
    return data | {"actions": actions}


def refusal(folder: Path, data: Data) -> RecordError:
    """Why the record cannot be played."""
    path = folder / "record.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(RecordError) as raised:
        for _ in read_import(path).play():
            pass
    return raised.value


SPOILED: tuple[tuple[str, int, dict[str, Any], str], ...] = (
    ("a bid over one's cash", 1, {"price": 900}, "bid.money"),
    ("a price that no company starts at", 54, {"share_price": "101,3,5"}, "start.price"),
    ("a tile turned as it does not fit", 90, {"rotation": 1}, "lay."),
    ("a token where the company cannot come to", 214, {"city": "H8-0-0"}, "token."),
    ("a train that is not for sale yet", 91, {"train": "5-0", "variant": "5"}, "train."),
    ("a merger into a company that runs", 342, {"corporation": "CTDA"}, ""),
)


@pytest.mark.parametrize(("number", "changes", "check"), [s[1:] for s in SPOILED], ids=[s[0] for s in SPOILED])
def test_a_spoiled_copy_is_refused_by_action_and_rule(
    tmp_path: Path, record: Data, number: int, changes: dict[str, Any], check: str
) -> None:
    record["actions"][number - 1] |= changes
    error = refusal(tmp_path, record)
    assert f"action {number} " in str(error)
    if check:
        assert error.refused is not None
        assert [f.check for f in error.refused.failures if f.check.startswith(check)], error.refused


@pytest.mark.parametrize(
    ("number", "changes", "said"),
    [
        (206, {"choice": "perhaps"}, "'perhaps' is no choice of this game"),
        (94, {"entity": "SFXX"}, "there is no company 'SFXX'"),
        (1, {"company": "Nowhere"}, "there is no concession 'Nowhere'"),
        (135, {"kind": "half"}, "'half' is no way to pay"),
        (89, {"type": "lay_everything"}, "'lay_everything' is no action of this game"),
        (64, {"percent": 7}, "7 % are no whole number of shares of IRSFF"),
    ],
)
def test_an_action_that_the_site_never_writes_is_named(
    tmp_path: Path, record: Data, number: int, changes: dict[str, Any], said: str
) -> None:
    record["actions"][number - 1] |= changes
    error = refusal(tmp_path, record)
    assert f"action {number} " in str(error)
    assert said in str(error)


def test_a_run_that_earns_something_else_is_refused(tmp_path: Path, record: Data) -> None:
    record["actions"][133]["routes"][0]["revenue"] += 10
    error = refusal(tmp_path, record)
    assert "action 134 " in str(error)
    assert "which earns" in str(error)


def test_a_record_that_ends_in_another_round_than_it_says_is_refused(tmp_path: Path, record: Data) -> None:
    """A record whose actions cannot tell the position stops with the reason."""
    assert "it stands in Stock Round 40 on the site" in str(
        refusal(tmp_path, {**record, "turn": 40, "round": "Stock Round"})
    )


def test_editions_and_options_are_those_of_the_site() -> None:
    assert Converter.edition([]) == "v2"
    assert Converter.edition(["lite", "version_1"]) == "v1"
    rules = ["version_1", "lite", "p2p_purchases", "sfli_run_variant"]
    title = engine.load_title("1841", Converter.edition(rules), Converter.options(rules))
    assert {"map": "lite", "player_trades": "yes", "sfli_runs": "yes"}.items() <= dict(title.options).items()
    assert title.options["stalemate"] == "goes_on"  # a record never ends where the site goes on
    with pytest.raises(ValueError, match="'no_bank' is not known; known are: version_1, lite"):
        Converter.options(["no_bank"])


# ---- certificates ---------------------------------------------------------------------------------------------------


def books() -> Books:
    return Books(engine.load_title("1841", "v2"))


def moved(company: CompanyId, kind: str, count: int, source: str, target: str) -> CertificatesMoved:
    return CertificatesMoved(company, kind, count, source, target)


def places(kept: Books, company: CompanyId) -> dict[str, list[int]]:
    """Where the nine certificates of a major lie."""
    found: dict[str, list[int]] = {}
    for index in range(9):
        found.setdefault(kept.place_of(company, f"{company}_{index}"), []).append(index)
    return found


def started() -> Books:
    """Ann is president of SFTG with three more shares, Bob has four."""
    kept = books()
    kept.follow([moved(SFTG, "director", 1, TREASURY, ANN)])
    kept.follow([moved(SFTG, "ordinary", 3, TREASURY, ANN)])
    kept.follow([moved(SFTG, "ordinary", 4, TREASURY, BOB)])
    return kept


def named(kept: Books, numbers: list[int], place: str, events: list[Event]) -> Books:
    kept.name(SFTG, numbers, place)
    kept.follow(events)
    return kept


CASES: dict[str, tuple[Callable[[], Books], dict[str, list[int]]]] = {
    "what is bought is what is named": (
        lambda: named(started(), [8], TREASURY, [moved(SFTG, "ordinary", 1, TREASURY, BOB)]),
        {ANN: [0, 1, 2, 3], BOB: [4, 5, 6, 7, 8]},
    ),
    "the buyer who becomes president gives his first two for the certificate": (
        lambda: named(
            started(),
            [8],
            TREASURY,
            [
                Bought(BOB, SFTG, 1, 100, "treasury"),
                moved(SFTG, "director", 1, ANN, BOB),
                moved(SFTG, "ordinary", 1, TREASURY, ANN),
                moved(SFTG, "ordinary", 1, BOB, ANN),
            ],
        ),
        {ANN: [1, 2, 3, 4, 5], BOB: [0, 6, 7, 8]},
    ),
    "with the president's certificate go the first two of who takes it": (
        lambda: named(
            started(),
            [1, 2, 3, 0],
            ANN,
            [
                moved(SFTG, "director", 1, ANN, BOB),
                moved(SFTG, "ordinary", 3, ANN, POOL),
                moved(SFTG, "ordinary", 2, BOB, POOL),
                Sold(ANN, SFTG, 5, 500),
            ],
        ),
        {POOL: [1, 2, 3, 4, 5], BOB: [0, 6, 7], TREASURY: [8]},
    ),
    "who keeps half of it gets the pool's first": (
        lambda: named(
            started(),
            [1, 2, 3, 0],
            ANN,
            [
                moved(SFTG, "director", 1, ANN, BOB),
                moved(SFTG, "ordinary", 2, ANN, POOL),
                moved(SFTG, "ordinary", 2, BOB, POOL),
                Sold(ANN, SFTG, 4, 400),
            ],
        ),
        {POOL: [2, 3, 4, 5], ANN: [1], BOB: [0, 6, 7], TREASURY: [8]},
    ),
    "a certificate that lies elsewhere than was thought changes places with another": (
        lambda: named(started(), [4], ANN, [moved(SFTG, "ordinary", 1, ANN, POOL), Sold(ANN, SFTG, 1, 100)]),
        {ANN: [0, 2, 3], BOB: [1, 5, 6, 7], POOL: [4], TREASURY: [8]},
    ),
}


@pytest.mark.parametrize(("made", "lie"), CASES.values(), ids=list(CASES))
def test_certificates_lie_where_the_site_has_them(made: Callable[[], Books], lie: dict[str, list[int]]) -> None:
    expected = lie if TREASURY in lie or 8 in {i for found in lie.values() for i in found} else {**lie, TREASURY: [8]}
    assert places(made(), SFTG) == expected


def test_president_of_a_merged_major_gets_pairs_first() -> None:
    """He changes the first two shares for the certificate, and they come last in what is unsold."""
    kept = books()
    kept.follow([moved(SFTC, "director", 1, TREASURY, ANN), moved(SFTN, "director", 1, TREASURY, ANN)])
    formed = (Merged((SFTC, SFTN), AFI, 100), moved(AFI, "director", 1, TREASURY, ANN), Exchanged(ANN, AFI, 2, True))
    kept.follow([*formed, moved(AFI, "ordinary", 2, TREASURY, BOB)])
    assert places(kept, AFI) == {ANN: [0], TREASURY: [1, 2, 5, 6, 7, 8], BOB: [3, 4]}
    paid = books()
    paid.follow([*formed[:2], Exchanged(ANN, AFI, 2, True, -100), moved(AFI, "ordinary", 2, TREASURY, BOB)])
    assert places(paid, AFI) == {ANN: [0], BOB: [1, 2], TREASURY: [3, 4, 5, 6, 7, 8]}


# ---- trains and places for markers ----------------------------------------------------------------------------------


def test_trains_are_followed_by_number() -> None:
    trains = Cards(latest=True)
    three, four = TrainName("3"), TrainName("4")
    for number, owner in (("3-0", SFTG), ("3-1", SFTG), ("4-0", SFTN)):
        trains.follow([TrainMoved(TrainName(number[0]), BANK, owner)], number)
    trains.follow([TrainMoved(three, SFTG, SFTN)])
    assert [trains.owner(n) for n in ("3-0", "3-1", "4-0", "4-1")] == [SFTG, SFTN, SFTN, BANK]  # the last moves first
    assert trains.owner("3-1", not_of=SFTN) == SFTG
    trains.follow([TrainMoved(four, SFTN, POOL)])
    assert trains.waits(SFTN)
    assert trains.named(SFTN, "4-0")
    assert not trains.waits(SFTN)
    trains.follow([TrainsRusted(three)])
    assert trains.owner("3-0") == BANK


def test_markers_take_the_first_free_place_or_the_one_named() -> None:
    state, hex, slots = situation().state, HexId("L12"), Slots()
    slots.follow([MarkerPlaced(SFTG, hex, 0)], state, 1)
    slots.follow([MarkerPlaced(SFTN, hex, 0)], state)
    assert (slots.at((hex, 0), 0), slots.at((hex, 0), 1)) == (SFTN, SFTG)
    slots.follow([MarkerRemoved(SFTN, hex, 0), MarkerPlaced(SFTC, hex, 0)], state)
    assert (slots.at((hex, 0), 0), slots.at((hex, 0), 1), slots.at((hex, 0), 2)) == (SFTC, SFTG, None)


@pytest.mark.parametrize("cash", [20, 60])
def test_a_token_bought_as_a_minor_is_transformed_is_one_new_token(cash: int) -> None:
    """Nobody can take a certificate, so the order to transform also buys the token: at once, or with Cat's money."""
    game = situation(
        firm("SFTC", {"Cat": 2, "Ann": 1}, "F3", cash=cash, markers="D8"),
        cash={"Ann": 0, "Bob": 0, "Cat": 60},
        edition="v1",
    ).turn("SFTC", "merge")
    before, known = game.state, len(game.events)
    game.do("SFTC: transform CTS")
    events = game.events[known:]
    (bought,) = [event for event in events if isinstance(event, TokensBought)]
    assert (bought.count, new_tokens(game.title, before, events, bought)) == (2, 1)
