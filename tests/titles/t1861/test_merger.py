"""Merger rounds of 1861: who may convert or merge, and what comes of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.core.events import ConsentAsked, Formed, RoundBegan
from engine.core.ids import CompanyId, HexId
from engine.core.title import Play
from engine.families.f1867.mergers.nationalisation import nationalise
from tests.kit.games.course_1861 import NETWORK, agreed, mergers, minor, operating_turn, refuse_shares
from tests.kit.games.situations import Played, company, situation

EDITIONS = ("v2.0", "first", "2020")


# ---- when and who ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("14.1", "5.2")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("phase", "follows"), [("2", False), ("3", True), ("5", True), ("7", True)])
def test_a_merger_round_after_each_operating_round_of_phases_3_to_7(edition: str, phase: str, follows: bool) -> None:
    described = minor("M-K", "Bob", 110, trains="7")
    game = situation(described, edition=edition, phase=phase, tiles={"H10": "4#0"}, round="OR 2.1")
    operating_turn(game, "M-K").do("M-K: run best; done")
    rounds = [str(e.round) for e in game.told(RoundBegan)]
    assert rounds[0] == ("MR 2.1" if follows else "OR 2.2")


@pytest.mark.rule("14.1", "5.2")
def test_the_first_3_train_brings_a_merger_round_at_once() -> None:
    game = situation(minor("M-K", "Bob", 110, trains="2", cash=225), phase="2", tiles={"H10": "4#0"}, supply={"2": 0})
    operating_turn(game, "M-K").do("M-K: run best; train 3; done")
    assert game.asked == ["Bob M-K merger.turn"]


@pytest.mark.rule("14.1", "15.3", "5.7")
@pytest.mark.parametrize("edition", EDITIONS)
def test_no_merger_round_after_the_round_in_which_phase_8_began(edition: str) -> None:
    described = company("MVR", {"Bob": 2}, at="r5c6", markers="", cash=1000, trains="5")
    game = situation(minor("M-K", "Ann"), described, edition=edition, phase="7", supply={"7": 0}, round="OR 5.1")
    operating_turn(game, "MVR").do("MVR: train 8; done")
    assert "MR" not in {e.round.kind for e in game.told(RoundBegan)}


@pytest.mark.rule("14.2")
def test_minors_are_asked_in_operating_order_and_one_that_declined_may_still_be_merged() -> None:
    game = mergers(minor("K-R", "Bob", 110), minor("M-V", "Bob", 120), minor("V", "Cat", 100))
    assert game.asked == ["Bob M-V merger.turn"]
    game.do("M-V: decline")
    assert game.asked == ["Bob K-R merger.turn"]
    assert game.refusals("V: decline") == {"order.not_asked"}
    agreed(game, "K-R: merge M-V into NW")
    assert game.status("M-V") == "closed"
    refuse_shares(game)
    assert game.asked == ["Cat V merger.turn"]


@pytest.mark.rule("14.2")
def test_a_minor_that_could_do_nothing_is_not_asked() -> None:
    game = mergers(minor("SP-W", "Bob", 90), minor("V", "Cat", 100))
    assert game.asked == ["Cat V merger.turn"]
    game.do("V: decline")
    assert game.state.round.kind != "MR"


@pytest.mark.rule("14.3")
def test_every_other_owner_is_asked_once_and_all_at_once() -> None:
    game = mergers(minor("M-V", "Bob"), minor("K-R", "Cat"), minor("V", "Cat"), minor("M-B", "Ann"))
    game.do("M-V: merge K-R, V, M-B into NW")
    assert sorted(game.asked) == ["Ann consent", "Cat consent"]
    assert [e.player for e in game.told(ConsentAsked)] == ["Cat", "Ann"]
    game.do("Ann: agree")
    assert game.asked == ["Cat consent"]
    game.do("Cat: agree merger V, M-B, K-R, M-V into NW")
    assert game.director("NW") == "Cat"


@pytest.mark.rule("14.3", "14.12")
def test_one_refusal_ends_the_attempt_and_closes_this_group() -> None:
    game = mergers(minor("M-V", "Bob"), minor("K-R", "Cat"), minor("V", "Cat"), minor("M-B", "Ann"))
    before = game.without_agenda()
    game.do("M-V: merge K-R, M-B into NW\nAnn: refuse")
    assert game.asked == ["Bob M-V merger.turn"]
    assert game.without_agenda() == before
    assert game.refusals("M-V: merge M-B, K-R into SW") == {"merge.tried"}
    assert game.refusals("M-V: merge K-R into NW") == game.refusals("M-V: convert to NW") == set()


@pytest.mark.rule("14.3")
def test_consent_is_to_what_is_asked() -> None:
    game = mergers(minor("M-V", "Bob"), minor("K-R", "Cat"))
    game.do("M-V: merge K-R into NW")
    assert game.refusals("Cat: agree merger M-V, K-R into SW") == {"consent.other_subject"}
    assert game.refusals("M-V: decline") == {"order.not_asked"}


@pytest.mark.rule("14.7")
@pytest.mark.parametrize(
    ("bob", "cat", "refused"),
    [(6, 4, set()), (7, 0, {"merge.of_one_player"}), (6, 5, {"merge.too_many"}), (2, 0, set())],
)
def test_how_many_minors_merge(bob: int, cat: int, refused: set[str]) -> None:
    names = ["N", "M-K", "M-NN", "K-R", "M-V", "R-O", "O-K", "K-B", "K-K", "V", "E", "D"]
    owners = ["Bob"] * bob + ["Cat"] * cat
    group = [company(n, o, at="r6c4", markers="H8") for n, o in zip(names, owners, strict=False)]
    game = mergers(*group)
    others = ", ".join(names[1 : bob + cat])
    assert game.refusals(f"N: merge {others} into NW") == refused


@pytest.mark.rule("14.7", "14.19")
@pytest.mark.parametrize(
    ("order", "check"),
    [
        ("merge M-V into NW", "merge.twice"),
        ("merge K-R, K-R into NW", "merge.twice"),
        ("merge SW into NW", "merge.not_minors"),
        ("merge T-R into NW", "merge.not_minors"),
        ("merge K-R into SW", "form.company"),
        ("merge K-R into V", "form.company"),
        ("convert to SW", "form.company"),
    ],
)
def test_what_cannot_be_merged(order: str, check: str) -> None:
    public = company("SW", {"Ann": 2}, at="r5c6", markers="")
    game = mergers(minor("M-V", "Bob"), minor("K-R", "Bob"), minor("V", "Bob"), public)
    assert check in game.refusals(f"M-V: {order}")


@pytest.mark.rule("14.19")
def test_without_a_public_company_nobody_is_asked() -> None:
    names = ("GRR", "MK", "MKV", "MKN", "MVR", "NW", "SE", "SW")
    publics = [company(n, {"Ann": 2}, at="r5c6", markers="", trains="5") for n in names]
    game = mergers(minor("M-V", "Bob"), minor("K-R", "Bob"), *publics)
    assert game.state.round.kind == "OR"
    free = mergers(minor("M-V", "Bob"), minor("K-R", "Bob"), *publics[1:])
    assert {line.split()[-1] for line in free.menu() if "decline" not in line} == {"GRR"}


# ---- connection -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("14.8")
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_full_city_between_blocks_unless_one_of_them_stands_there(edition: str) -> None:
    tiles = {**NETWORK, "I13": "63#0"}
    railway = company("MVR", {"Ann": 2}, at="r5c6", markers="I13", trains="5")
    described = (minor("K-R", "Bob", 120), minor("V", "Bob", 110), minor("M-V", "Bob", 100), railway)
    game = mergers(*described, tiles=tiles, edition=edition)
    assert game.refusals("K-R: merge V into NW") == {"merge.connection"}
    assert game.refusals("K-R: merge V, M-V into NW") == set()
    free = mergers(*described[:3], tiles=tiles, edition=edition)
    blocked = {"merge.connection"} if edition == "first" else set()
    assert free.refusals("K-R: merge V into NW") == blocked, "a free circle does not block but in the first edition"


LOOP = {"H8": "637#0", "I9": "7#1", "H10": "3#3"}
"""Green Moscow; the spaces of M-K and M-NN are joined by track around the corner, that of N is not."""


@pytest.mark.rule("14.8", "7.15")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("tiles", "other", "refused"),
    [
        ({}, "M-NN", {"merge.connection"}),
        ({"H8": "637#0"}, "M-NN", {"merge.connection"}),
        (LOOP, "N", {"merge.connection"}),
        (LOOP, "M-NN", set()),
        ({"H8": "638#0"}, "N", set()),
    ],
)
def test_one_hex_is_no_connection_but_track_and_a_joined_city_are(
    edition: str, tiles: dict[str, str], other: str, refused: set[str]
) -> None:
    game = mergers(minor("M-K", "Bob"), minor("N", "Bob"), minor("M-NN", "Bob"), tiles=tiles, edition=edition)
    assert game.refusals(f"M-K: merge {other} into NW") == refused


# ---- conversion -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("14.4", "14.5", "14.6", "14.17")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("at", "after"),
    [("r6c7", "100 r5c6"), ("r5c7", "110 r4c6"), ("r4c7", "120 r4c7"), ("r3c7", "135 r3c7"), ("r2c7", "150 r3c8"),
     ("r1c7", "165 r2c8")],
)  # fmt: skip
def test_the_price_of_a_conversion(edition: str, at: str, after: str) -> None:
    other = company("MVR", {"Ann": 2}, at=after.split()[1], markers="", trains="5")
    described = company("K-R", "Bob", at=at, cash=30, loans=1, trains="5")
    game = mergers(described, other, edition=edition, privates={"WVR": "K-R"}, cash={"Bob": 500})
    game.do("K-R: convert to NW")
    assert game.price("NW") == after
    assert game.order() == ["MVR", "NW"]
    assert game.shares("NW") == {"Bob": 2, "Treasury": 8}
    assert (game.director("NW"), game.markers("NW"), game.status("K-R")) == ("Bob", ["G15"], "closed")
    assert (game.money("NW"), game.loans("NW"), game.trains("NW")) == (30, 1, "5")
    assert game.state.privates["WVR"] == "NW"  # type: ignore[index]


@pytest.mark.rule("14.5", "10.7")
def test_a_conversion_goes_beneath_even_without_leaving_its_space() -> None:
    described = minor("K-R", "Bob", 120), minor("V", "Ann", 120), company("MVR", {"Ann": 2}, at="r4c7", markers="")
    game = mergers(*described)
    game.do("K-R: convert to NW")
    assert game.state.prices["MVR"].since < game.state.prices["NW"].since  # type: ignore[index]
    assert game.state.prices["V"].since < game.state.prices["NW"].since  # type: ignore[index]


@pytest.mark.rule("14.4")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("at", ["r5c6", "r4c6", "r3c6", "r1c5", "r2c6", "r6c6"])
def test_only_the_yellow_zone_converts(edition: str, at: str) -> None:
    game = mergers(company("K-R", "Bob", at=at), minor("V", "Bob", 35), edition=edition)
    assert game.refusals("K-R: convert to NW") == {"convert.zone"}


@pytest.mark.rule("4.7", "10.2", "14.4", "14.5")
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_minor_bought_for_215_earns_its_way_into_the_zone(edition: str) -> None:
    described = company("M-K", "Bob", at="r5c6", cash=215, trains="3")
    game = situation(described, edition=edition, tiles={"H10": "4#0"})
    operating_turn(game, "M-K").do("M-K: run best; done")
    assert game.price("M-K") == "110 r5c7"
    game.do("M-K: convert to GRR")
    assert game.price("GRR") == "110 r4c6"
    assert game.shares("GRR")["Bob"] == 2


@pytest.mark.rule("17.1", "14.4")
def test_in_the_column_the_zone_is_100_to_165() -> None:
    for at, refused in (("r1c10", {"convert.zone"}), ("r1c11", set()), ("r1c16", set())):
        game = mergers(
            company("K-R", "Bob", at=at), company("V", "Bob", at="r1c1"), edition="2020", options={"chart": "column"}
        )
        assert game.refusals("K-R: convert to NW") == refused


# ---- the merged company ---------------------------------------------------------------------------------------------


@pytest.mark.rule("14.9")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("high", "low", "rulebook", "site"),
    [
        (135, 100, "200 r1c9", "200 r1c9"),
        (165, 110, "200 r1c9", "200 r1c9"),
        (65, 60, "120 r4c7", "120 r4c7"),
        (70, 50, "120 r4c7", "120 r4c7"),
        (55, 50, "100 r5c6", "100 r5c6"),
        (110, 90, "200 r1c9", "200 r1c9"),
        (120, 55, "165 r2c8", "165 r2c8"),
        (50, 45, "90 r5c5", "100 r5c6"),
        (40, 35, "70 r6c4", "100 r5c6"),
    ],
)
def test_the_price_of_a_merger(edition: str, high: int, low: int, rulebook: str, site: str) -> None:
    game = mergers(minor("K-R", "Bob", high), minor("V", "Bob", low), minor("M-V", "Bob", low), edition=edition)
    game.do("K-R: merge V, M-V into NW keep G15, I19")
    assert game.price("NW") == (site if edition == "2020" else rulebook)


def four(edition: str, **rest: object) -> Played:
    return mergers(
        minor("K-R", "Bob", 120), minor("M-V", "Cat", 110), company("R-O", "Cat", at="r5c7", markers="I19"),
        company("O-K", "Bob", at="r6c7", markers="E9"), edition=edition, **rest,
    )  # fmt: skip


@pytest.mark.rule("14.11", "14.10", "14.13")
@pytest.mark.parametrize(("edition", "director"), [("v2.0", "Bob"), ("first", "Bob"), ("2020", "Cat")])
def test_the_director_among_equals(edition: str, director: str) -> None:
    game = agreed(four(edition), "K-R: merge M-V, R-O, O-K into NW")
    assert game.price("NW") == "200 r1c9"
    assert game.shares("NW") == {"Bob": 2, "Cat": 2, "Treasury": 6}
    assert game.director("NW") == director
    assert game.asked == [f"{director} NW merger.keep"]
    assert [e.director for e in game.told(Formed)] == [director]


@pytest.mark.rule("14.11")
@pytest.mark.parametrize("edition", EDITIONS)
def test_most_shares_make_the_director_whoever_leads(edition: str) -> None:
    game = mergers(minor("K-R", "Bob", 120), minor("M-V", "Cat", 110), minor("V", "Cat", 100), edition=edition)
    agreed(game, "K-R: merge M-V, V into NW keep G15, I13")
    assert game.director("NW") == "Cat"
    assert game.asked == ["Cat NW merger.keep"], "the leader's choice of markers is not his to make"
    assert game.shares("NW") == {"Bob": 1, "Cat": 2, "Treasury": 7}


@pytest.mark.rule("14.13")
def test_two_markers_stay_and_the_director_chooses_which() -> None:
    game = agreed(four("v2.0"), "K-R: merge M-V, R-O, O-K into NW")
    for spaces in ("G15", "G15, I13, E9", "G15, H8", "G15, G15"):
        assert game.refusals(f"NW: keep {spaces}") == {"keep.markers"}, spaces
    game.do("NW: keep I19, E9")
    assert game.markers("NW") == ["E9", "I19"]
    assert not game.state.board.at(HexId("G15"), 0)
    assert game.title.policies.marker_cost(game.title, game.state, CompanyId("NW"), HexId("E13")) == 40 * 2


@pytest.mark.rule("14.13")
def test_the_leader_who_becomes_director_names_them_with_the_merger() -> None:
    game = mergers(minor("K-R", "Bob"), minor("M-V", "Bob"), minor("V", "Bob"))
    assert game.refusals("K-R: merge M-V, V into NW keep G15, E9") == {"keep.markers"}
    game.do("K-R: merge M-V, V into NW keep G15, I19")
    assert game.markers("NW") == ["G15", "I19"]


@pytest.mark.rule("14.13", "8.6", "8.4")
@pytest.mark.parametrize("edition", EDITIONS)
def test_of_two_in_one_hex_one_stays_and_the_next_is_the_second(edition: str) -> None:
    game = mergers(minor("M-K", "Bob"), minor("M-NN", "Bob"), tiles=LOOP, edition=edition)
    game.do("M-K: merge M-NN into NW")
    assert game.asked == ["Bob NW merger.keep"]
    assert game.refusals("NW: keep H8/M-K, H8/M-NN") == {"keep.markers"}
    game.do("NW: keep H8/M-K")
    assert game.markers("NW") == ["H8"]
    assert game.title.policies.marker_cost(game.title, game.state, CompanyId("NW"), HexId("I13")) == 20 * 3


@pytest.mark.rule("8.6", "8.4")
@pytest.mark.parametrize(
    ("edition", "kept", "rate"),
    [("v2.0", "M-NN", 20), ("first", "M-NN", 20), ("2020", "M-K", 20), ("2020", "M-NN", 0)],
)
def test_18xx_games_charges_nothing_for_the_second_if_the_marker_of_the_first_went(
    edition: str, kept: str, rate: int
) -> None:
    game = mergers(minor("M-K", "Bob"), minor("M-NN", "Bob"), tiles=LOOP, edition=edition)
    game.do(f"M-K: merge M-NN into NW\nNW: keep H8/{kept}")

    def cost(hex: str) -> int:
        return game.title.policies.marker_cost(game.title, game.state, CompanyId("NW"), HexId(hex))

    assert cost("I13") == rate * 3
    game.state = replace(game.state, board=game.state.board.place(HexId("I13"), 0, CompanyId("NW")))
    assert cost("G15") == 40 * 2, "the third is paid for everywhere"


@pytest.mark.rule("8.6", "14.2")
@pytest.mark.parametrize(("edition", "kept", "rate"), [("v2.0", "M-K", 20), ("2020", "M-NN", 20), ("2020", "M-K", 0)])
def test_the_first_of_them_is_the_earliest_in_operating_order_whoever_led(edition: str, kept: str, rate: int) -> None:
    game = mergers(minor("M-K", "Bob", 110), minor("M-NN", "Bob", 120), tiles=LOOP, edition=edition)
    game.do(f"M-NN: decline\nM-K: merge M-NN into NW\nNW: keep H8/{kept}")
    assert game.title.policies.marker_cost(game.title, game.state, CompanyId("NW"), HexId("I13")) == rate * 3


@pytest.mark.rule("8.6", "14.13")
@pytest.mark.parametrize(
    ("edition", "kept", "rate"),
    [("v2.0", "N", 20), ("first", "M-NN", 20), ("2020", "M-K", 20), ("2020", "N", 0), ("2020", "M-NN", 0)],
)
def test_of_three_in_one_hex_it_is_the_same(edition: str, kept: str, rate: int) -> None:
    tiles = {**LOOP, "G9": "7#3", "G7": "7#5"}
    game = mergers(minor("M-K", "Bob", 135), minor("N", "Bob"), minor("M-NN", "Bob"), tiles=tiles, edition=edition)
    game.do(f"M-K: merge N, M-NN into NW\nNW: keep H8/{kept}")

    def cost(hex: str) -> int:
        return game.title.policies.marker_cost(game.title, game.state, CompanyId("NW"), HexId(hex))

    assert cost("I13") == rate * 3
    game.state = replace(game.state, board=game.state.board.place(HexId("I13"), 0, CompanyId("NW")))
    assert cost("G15") == 40 * 2


@pytest.mark.rule("8.6", "14.13")
@pytest.mark.parametrize(
    ("edition", "kept", "rate"), [("v2.0", None, 20), ("first", None, 20), ("2020", "M-K", 20), ("2020", "M-NN", 0)]
)
def test_of_two_in_one_city_18xx_games_asks_which_stays(edition: str, kept: str | None, rate: int) -> None:
    """Brown Moscow is one city, where both markers look the same once they are the company's."""
    game = mergers(minor("M-K", "Bob"), minor("M-NN", "Bob"), phase="5", tiles={"H8": "638#0"}, edition=edition)
    game.do("M-K: merge M-NN into NW")
    assert (game.asked == ["Bob NW merger.keep"]) is (kept is not None)
    if kept is not None:
        assert game.refusals("NW: keep H8") == {"keep.markers"}, "which of them?"
        game.do(f"NW: keep H8/{kept}")
    assert game.markers("NW") == ["H8"]
    assert len(game.state.board.at(HexId("H8"), 0)) == 1
    assert game.title.policies.marker_cost(game.title, game.state, CompanyId("NW"), HexId("I13")) == rate * 3


@pytest.mark.rule("8.6", "13.9")
def test_a_company_that_is_started_anew_pays_for_its_second_marker_again() -> None:
    game = mergers(minor("M-K", "Bob"), minor("M-NN", "Bob"), tiles=LOOP, edition="2020")
    game.do("M-K: merge M-NN into NW\nNW: keep H8/M-NN")
    play = Play(game.title, game.state)
    nationalise(play, CompanyId("NW"), "chosen")
    assert not any("free" in mark for mark in play.state.marks)


@pytest.mark.rule("14.13")
def test_two_in_one_joined_city_leave_one_without_a_question() -> None:
    game = mergers(minor("N", "Bob"), minor("M-K", "Bob"))
    game.do("N: merge M-K into NW")
    assert game.markers("NW") == ["H8"]
    assert game.state.board.at(HexId("H8"), 0) == ("NW",)
    assert game.asked != ["Bob NW merger.keep"]


@pytest.mark.rule("14.13", "8.3")
def test_with_a_marker_in_another_hex_the_two_are_in_different_hexes() -> None:
    tiles = {**NETWORK, "H8": "638#0"}
    game = mergers(minor("N", "Bob"), minor("M-K", "Bob"), minor("K-R", "Bob"), tiles=tiles)
    game.do("N: merge M-K, K-R into NW")
    assert game.markers("NW") == ["G15", "H8"]


@pytest.mark.rule("14.14", "6.7")
@pytest.mark.parametrize("edition", EDITIONS)
def test_everything_goes_into_the_new_company(edition: str) -> None:
    game = mergers(
        minor("K-R", "Bob", cash=30, loans=2, trains="4"), minor("M-V", "Bob", cash=5, loans=2, trains="5"),
        minor("V", "Bob", cash=0, loans=2), edition=edition, privates={"WVR": "M-V", "TSR": "Ann"}, cash={"Bob": 1000},
    )  # fmt: skip
    game.do("K-R: merge M-V, V into NW keep G15, I19")
    assert (game.money("NW"), game.loans("NW"), game.trains("NW")) == (35, 6, "4 5")
    assert game.state.privates == {"WVR": "NW", "TSR": "Ann"}
    assert [game.status(m) for m in ("K-R", "M-V", "V")] == ["closed"] * 3
    assert not game.state.companies["NW"].operated  # type: ignore[index]


@pytest.mark.rule("14.14", "11.10")
def test_trains_over_the_limit_are_given_up_before_shares_are_offered() -> None:
    names = ("K-R", "M-V", "V", "M-B")
    group = [minor(n, "Bob", trains=t) for n, t in zip(names, ("3", "3", "4", "5"), strict=True)]
    game = mergers(*group, cash={"Bob": 1000})
    game.do("K-R: merge M-V, V, M-B into NW keep G15, I19")
    assert game.asked == ["Bob NW discard"]
    assert game.refusals("NW: discard 6") == {"discard.not_owned"}
    game.do("NW: discard 3")
    assert (game.trains("NW"), game.state.pool_trains) == ("3 4 5", ("3",))
    assert game.asked == ["Bob offer.shares"]


@pytest.mark.rule("14.20", "3.4", "13.3")
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_formed_company_has_not_operated(edition: str) -> None:
    game = mergers(minor("K-R", "Bob", trains="5"), minor("M-V", "Bob"), edition=edition)
    game.do("K-R: merge M-V into NW")
    assert not game.state.companies["NW"].operated  # type: ignore[index]
    refuse_shares(game)
    assert game.state.round.kind == "OR"
    assert game.asked == ["Bob NW company.turn"], "formed in the first merger round, it operates in the next round"
