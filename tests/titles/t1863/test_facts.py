"""The data of 1863 as it is loaded: trains with two faces, supplies, red hexes with spaces, tags and costs."""

from __future__ import annotations

import json

import pytest

import engine
from engine import FaultyFacts
from engine.core.ids import CompanyId, HexId, TrainName
from engine.titles.t1863 import pieces
from engine.titles.t1863.box import facts_of
from engine.titles.t1863.names import MET, OSI, PCN, UER
from engine.titles.t1863.turn.supplies import cards, faces
from tests.kit.games.situations_1863 import EDITIONS, title


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_it_is_loaded_for_three_to_six(edition: str, players: int) -> None:
    found = engine.load_title("1863", edition)
    assert found.table[players].cash == 350
    assert {n: row.certificate_limit for n, row in found.table.items()} == {3: 21, 4: 16, 5: 13, 6: 11}


@pytest.mark.rule("1863:9.1", "1863:9.18")
def test_privates_bring_no_revenue() -> None:
    assert {private.income for private in title().privates.values()} == {0}


@pytest.mark.rule("1863:12.10")
def test_r10_a_card_is_bought_as_either_of_two_trains() -> None:
    found = title()
    assert cards(found) == ("2T", "3T", "4T", "5T")
    assert [faces(found, card) for card in cards(found)] == [
        ("2T",), ("3T", "2+1e"), ("4T", "2+2e"), ("5T", "2+3e"),
    ]  # fmt: skip
    assert (found.trains[TrainName("4T")].rusts, found.trains[TrainName("2+3e")].rusts) == ("2T", "3T")


@pytest.mark.rule("1863:13.2", "1863:13.3")
@pytest.mark.parametrize(
    ("options", "supply"),
    [
        ({}, (18, 8, 9)),
        ({"short_game": "II"}, (18, 8, 9)),
        ({"short_game": "III"}, (16, 8, 9)),
        ({"short_game": "both", "long_game": "yes"}, (16, 10, 9)),
    ],
)
def test_cards_for_six(options: dict[str, str], supply: tuple[int, ...]) -> None:
    started = engine.Game.start(title(**options), engine.Setup(tuple("ABCDEF"), seed="cards"))
    assert tuple(started.state.supply[TrainName(t)] for t in ("3T", "4T", "5T")) == supply
    assert "2T" not in started.state.supply


@pytest.mark.rule("1863:12.34")
@pytest.mark.parametrize(("ruling", "left"), [("no", 5), ("II", 3), ("III", 5), ("both", 3)])
def test_trains_of_phase_ii(ruling: str, left: int) -> None:
    assert pieces.first_supply(title(short_game=ruling), 5) == left


@pytest.mark.rule("1863:12.31")
def test_r31_amounts_of_bonuses() -> None:
    found = pieces.bonuses(title())
    assert (found.north_south, found.east_west, found.outer_circle, found.inner_circle) == (60, 60, 100, 60)
    assert (found.mail, found.toll) == ((10, 40, 60), 5)


def test_hexes_have_their_tags() -> None:
    found = title()
    assert pieces.tagged(found, "S") >= {"Q20", "I22"}
    assert pieces.tagged(found, "N") >= {"K2"}
    assert pieces.mail_hexes(found) == {"C10", "H11", "M10", "Q10"}
    assert pieces.prisons(found) == {"K8", "M16"}
    assert {pieces.bank_of(found, HexId(h)) for h in ("K2", "I22", "L13")} == {"N", "S", "river"}
    assert not pieces.inner_circle(found, "ring") & pieces.inner_circle(found, "inside")


def test_red_hexes_have_spaces_as_cities_have() -> None:
    found = title().map.hexes
    for hex, slots in (("Q4", 1), ("A10", 0)):
        (area,) = found[HexId(hex)].face.cities
        assert (area.kind, area.slots) == ("offboard", slots)
        assert found[HexId(hex)].face.offboards == ()


@pytest.mark.rule("1863:12.53")
def test_r53_markers() -> None:
    found = title()
    assert pieces.lptb_markers(found) == 8
    assert (pieces.most_markers(found, MET), pieces.most_markers(found, UER)) == (7, 11)
    assert found.companies[PCN].charter.homes == (("Q4", 0),)
    assert found.companies[CompanyId("UER")].charter.homes == ()


@pytest.mark.rule("1863:8.7", "1863:13.1")
@pytest.mark.parametrize(("edition", "most"), [("historical", 11), ("equal", 7)])
def test_no_maximum_of_markers_is_a_bonus_of_historical_play(edition: str, most: int) -> None:
    """Section 2: of its markers there are eleven."""
    assert pieces.most_markers(title(edition), UER) == most


@pytest.mark.rule("1863:3.2")
def test_costs_of_trains() -> None:
    found = title()
    assert [pieces.operating_cost(found, train) for train in found.trains] == [5, 10, 15, 20, 30, 40, 50]


@pytest.mark.rule("1863:12.3")
@pytest.mark.parametrize(("players", "number"), [(3, 6), (4, 9), (5, 12), (6, 12)])
def test_r3_privates_of_a_game(players: int, number: int) -> None:
    state = engine.Game.start(title(), engine.Setup(tuple("ABCDEF"[:players]), seed="privates")).state
    assert len(state.privates) == number


@pytest.mark.rule("1863:12.5")
@pytest.mark.parametrize(("agreed", "number"), [("no", 6), ("yes", 7)])
def test_r5_the_clink_club_is_one_more(agreed: str, number: int) -> None:
    found = title(clink_club=agreed)
    state = engine.Game.start(found, engine.Setup(tuple("ABC"), seed="clink")).state
    assert len(state.privates) == number
    assert ("CLK" in state.privates) is (agreed == "yes")


@pytest.mark.parametrize("name", [OSI, "LPTB", "Pirate"])
def test_no_player_is_called_like_a_place(name: str) -> None:
    with pytest.raises(ValueError, match=f"cannot be called {name}"):
        engine.Game.start(title(), engine.Setup(("Ann", "Bob", name)))


def test_a_corrected_board_is_loaded() -> None:
    text = engine.export_facts(title())
    assert engine.compare_facts(engine.load_title("1863", facts=text)) == ()
    dearer = engine.load_title("1863", facts=text.replace('"cost": 40}', '"cost": 60}'))
    assert dearer.map.hexes[HexId("L13")].face.terrain == 60
    assert "hexes" in dearer.reconstructed


SPOILED_RULES = [
    (("loans", "rates", "value"), [5, 10, 10], "must be above 10"),
    (("loans", "rates", "value"), [], "must have 1 to 99 entries"),
    (("loans", "per_rate", "value"), {"3": 3, "4": 4, "5": 5}, "'6' is missing"),
    (("loans", "limit", "minor", "value"), 0, "must be 1 or more"),
    (("loans", "interest", "value"), "the lowest rate", "must stay"),
    (("limits", "holding_limit", "value", "company"), 60, "must stay"),
    (("bonuses", "mail", "value"), {"one": 10, "two": 40}, "'C10 and Q10' is missing"),
    (("bonuses", "edge_to_edge", "N-S", "value"), "60", "must be a whole number"),
    (("bonuses", "edge_to_edge", "N-E"), {"value": 60}, "'N-E' is not known here"),
    (("costs", "plain", "value"), -10, "must be 0 or more"),
    (("costs", "bridge"), {"value": 10}, "'bridge' is not known here"),
    (("train_supply", "first_OR_2T", "value"), 5, "must stay"),
]


def with_rules(place: tuple[str, ...], value: object) -> str:
    """A file of corrections in which the rules, as the box has them whole, have ``value`` at a place."""
    data = json.loads(engine.export_facts(title()))
    data["rules"] = json.loads(json.dumps(facts_of(title().rulings).data["rules"]))
    at = data["rules"]
    for word in place[:-1]:
        at = at[word]
    at[place[-1]] = value
    return json.dumps(data, indent=1)


@pytest.mark.parametrize(("place", "value", "reason"), SPOILED_RULES)
def test_figures_of_rules_are_corrected_and_nothing_else_there(
    place: tuple[str, ...], value: object, reason: str
) -> None:
    text = with_rules(place, value)
    with pytest.raises(FaultyFacts) as caught:
        engine.load_title("1863", facts=text)
    (fault,) = caught.value.faults
    assert reason in fault.reason and fault.reason.startswith("rules: ")
    assert fault.line > text[: text.index('"rules"')].count("\n")


def test_a_figure_of_a_rule_is_corrected() -> None:
    found = engine.load_title("1863", facts=with_rules(("bonuses", "edge_to_edge", "E-W", "value"), 40))
    assert (pieces.bonuses(found).north_south, pieces.bonuses(found).east_west) == (60, 40)
    (one,) = engine.compare_facts(found)
    assert (one.shipped, one.corrected) == (60, 40)


def test_a_file_has_those_figures_of_rules_alone_that_can_be_corrected() -> None:
    rules = json.loads(engine.export_facts(title()))["rules"]
    assert list(rules) == ["loans", "bonuses", "costs", "limits"]
    assert list(rules["limits"]) == ["lptb_tokens"] and rules["costs"]["plain"]["value"] == 10
