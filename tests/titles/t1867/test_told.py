"""Facts of 1867 that mails tell besides those of all titles: homes, exports, rivers, neutral markers, trade-ins."""

from __future__ import annotations

import re

import pytest

import engine
from engine.core.checks import Failure
from engine.core.game import Game
from engine.titles.t1867.homes import check_opening
from moderator import render
from moderator.words.wording import describe_failure
from tests.kit.games.course_1867 import company, minor, public, stock, turn
from tests.kit.games.render_games import info
from tests.kit.games.situations import Played


def game_from(played: Played, orders: str = "") -> Game:
    """A game that begins with the position, and goes on with the orders."""
    setup = engine.Setup(tuple(played.state.players), seed="a seed for tests")
    game = Game(played.title, setup, played.state, _kept={0: played.state})
    for order in played.read(orders):
        result = game.submit(order)
        assert not isinstance(result, engine.Refused), f"{order}: {result}"
    return game


def mail(game: Game) -> str:
    """The text of the turn mail to whoever is asked, on lines of any length."""
    seat = game.asked()[0].player
    return " ".join(render.turn_mail(game, info(game, seat), seat, 0).text.split())


def refusal(order: str, phase: str = "2") -> str:
    """The words of the refusal of Ann's opening bid."""
    played = stock(phase=phase, cash={"Ann": 300})
    (read,) = played.read(f"Ann: {order}")
    failures: list[Failure] = list(check_opening(played.title, played.state, read))  # type: ignore[arg-type]
    return " ".join(describe_failure(played.title, failure) for failure in failures)


# ---- homes ----------------------------------------------------------------------------------------------------------


def auction(place: str) -> Game:
    return game_from(stock(phase="2", cash={"Ann": 300, "Bob": 300, "Cat": 300}), f"Ann: open NO 100 in {place}")


@pytest.mark.parametrize(("place", "told"), [("M9", "M9 Trois-Rivières"), ("L12/N", "L12 Montreal (`L12/2`)")])
def test_who_may_bid_for_a_minor_is_told_its_home(place: str, told: str) -> None:
    text = mail(auction(place))
    assert f"opened NO at $100; its home will be {told}" in text
    assert f"The home of NO will be {place}, whoever wins its auction." in text


def test_a_stock_turn_says_who_chooses_the_home_of_a_minor() -> None:
    text = mail(game_from(stock(phase="2", cash={"Ann": 300})))
    assert "Who opens the auction of a minor names its home" in text
    assert "Homes: O7 Quebec, D8 Sudbury," in " ".join(text.split())


def test_a_home_without_its_city_lists_only_cities_that_are_free() -> None:
    assert "`L12/SW` or `L12/N`." in refusal("open NO 100 in L12")
    assert "L12/3" in refusal("open NO 100 in L12", phase="3")


@pytest.mark.parametrize(("place", "hex"), [("D2", "D2 Timmins"), ("L12/3", "L12 Montreal")])
def test_a_home_under_a_neutral_marker_is_refused_for_that_reason(place: str, hex: str) -> None:
    said = refusal(f"open NO 100 in {place}")
    assert f"A neutral marker fills that city of {hex} until the first 3-train" in said
    assert "L12/SW, L12/N" in said and "L12," not in said


def test_a_bid_without_a_home_is_told_places_as_orders_name_them() -> None:
    said = refusal("open NO 100")
    assert "`open NO 100 in O7`" in said and "L12/SW" in said and "F16/NE" in said


# ---- exports --------------------------------------------------------------------------------------------------------


def operating(phase: str, trains: str = "4") -> Game:
    return game_from(turn(public("CNR", "Ann", markers="M9", cash=900, trains=trains), phase=phase, stage="trains"))


@pytest.mark.parametrize(("phase", "train"), [("4", "4"), ("5", "5"), ("6", "6"), ("7", "7")])
def test_the_train_that_is_exported_next_is_told(phase: str, train: str) -> None:
    assert f"After this operating round the bank exports the first new train: a {train}-train" in mail(operating(phase))


def test_exports_are_announced_before_they_begin_and_end_with_phase_8() -> None:
    assert "From phase 4 on the bank exports the first new train after every operating round" in mail(operating("3"))
    assert "exports" not in mail(operating("8"))


def test_in_a_stock_round_the_next_operating_round_is_meant() -> None:
    game = game_from(stock(public("CNR", "Ann", markers="M9", trains="4"), phase="5", cash={"Ann": 300}))
    assert "After the next operating round the bank exports the first new train: a 5-train" in mail(game)


def test_an_export_is_called_an_export() -> None:
    played = turn(public("CNR", "Ann", markers="M9", cash=900, trains="4"), phase="5", stage="trains")
    game = game_from(played, "CNR: done")
    text = mail(game)
    assert "he bank exported a 5-train, as if it had been bought" in text


def test_a_question_to_a_trainless_company_says_what_no_means() -> None:
    played = turn(
        public("CNR", "Bob", 90, markers="M9", cash=900, trains="5"),
        public("GTR", "Cat", 80, markers="N12", trains="3"),
        phase="5",
        stage="trains",
        supply={"5": 0},
    )
    game = game_from(played, "CNR: done")
    assert game.asked()[0].what == "nationalise"
    text = mail(game)
    assert "If not, it must buy a train in its next turn or be nationalised at the end of it. Silence means no." in text


# ---- the map --------------------------------------------------------------------------------------------------------


def test_rivers_that_no_track_crosses_are_told_with_their_price() -> None:
    river = "$80 each for L10-M11, M9-M11, M9-N10, N8-N10, N8-O9"
    assert river in mail(operating("3"))
    crossed = turn(public("CNR", "Ann", markers="M9", trains="4"), tiles={"M9": "57#0", "M11": "9#0"}, phase="3")
    assert "$80 each for L10-M11, M9-N10, N8-N10, N8-O9" in mail(game_from(crossed))


def test_neutral_markers_are_told_until_they_leave() -> None:
    assert "Neutral markers fill D2 and L12/3 until the first 3-train." in mail(operating("2", "2"))
    assert "Neutral markers" not in mail(operating("3"))


def test_a_hex_that_is_closed_is_told_until_it_opens() -> None:
    assert "No track is laid in M13 before phase 3." in mail(operating("2", "2"))
    assert "M13 before" not in mail(operating("3"))


def test_the_map_tells_bonuses_and_exits_of_first_tiles() -> None:
    text = " ".join(render.text_map(operating("3")).split())
    assert "D2 Timmins earns $40 more if F16, L12 or O7 counts in the same run." in text
    assert "NFB $10 for F18 Buffalo, MB $10 for L12 Montreal" in text and "A19 Detroit or A17" in text
    assert "The first tile must have an exit: L10 S; K13 NE; G15 SW." in text


def test_track_that_is_too_dear_is_refused_with_all_that_it_pays_for() -> None:
    ca = minor("CA", "Ann", markers="M9", cash=0, loans=2, trains="2")
    played = turn(ca, stage="track", phase="2", tiles={"M9": "57#0"})
    (order,) = played.read("CA: lay 9 M11 0")
    refused = game_from(played).submit(order)
    assert isinstance(refused, engine.Refused)
    said = describe_failure(played.title, refused.failures[0])
    assert "costs $80, with terrain, rivers that it crosses and a second tile;" in said


# ---- trade-ins, the CN ----------------------------------------------------------------------------------------------


def test_prices_of_trade_ins_are_told_in_phase_8() -> None:
    text = mail(operating("8", "8"))
    less = "costs less with another in part payment"
    assert (
        f"A 2+2-train {less}: a 5-train leaves $325, a 6-train leaves $275, a 7-train leaves $200, an 8-train" in text
    )
    assert f"A 5+5E-train {less}: a 5-train leaves $1,225" in text
    assert "The order is `train 5+5E trade 5+5E`." in text
    assert "in part payment" not in mail(operating("7"))


def test_the_menu_tells_what_is_paid_with_a_train_in_part_payment() -> None:
    """It told the whole price of the new train."""
    text = mail(operating("8", "8"))
    assert "| train 8 trade 8 // $500 | train 2+2 trade 8 // $100" in text
    assert "| train 2+2 // $600" in text


def test_the_national_railway_is_said_never_to_operate() -> None:
    game = game_from(turn(public("CNR", "Ann", markers="M9", trains="4"), phase="6", privates={"MB": "CN"}))
    assert "owns MB, 7 markers left; never operates" in mail(game)


# ---- track ----------------------------------------------------------------------------------------------------------


def layer(laid: str = "") -> Game:
    """CA lays at Trois-Rivières, with track on both banks of two rivers: M11 is worth 0, 80 or 160."""
    described = minor("CA", "Bob", 100, cash=500, trains="3", markers="M9")
    tiles = {"M9": "57#0", "L10": "3#5"}
    played = turn(described, company("BO", "Ann", at="r1c10", trains="4", markers="C17"), stage="track", then="BO",
                  phase="3", tiles=tiles)  # fmt: skip
    return game_from(played, laid)


@pytest.mark.rule("7.19", "7.8")
def test_lays_in_a_hex_of_a_river_have_their_own_costs() -> None:
    seat = layer().asked()[0].player
    found = render.turn_mail(layer(), info(layer(), seat), seat, 0)
    for told in (" ".join(found.text.split()), " ".join(re.sub("<[^>]+>", "", found.html).split())):
        assert "M11 ($80): 7 (3 N-NE), 8 (1 SW-N; 3 N-SE), 9 (0 S-N) M11 ($160): 7 (2 NW-N)" in told


@pytest.mark.rule("7.19", "7.1", "7.8")
def test_the_second_lay_tells_river_and_fee_together() -> None:
    told = mail(layer("CA: lay 9 M7 0"))
    assert "M11 ($100): 7 (3 N-NE), 8 (1 SW-N; 3 N-SE), 9 (0 S-N) M11 ($180): 7 (2 NW-N)" in told
    assert "Lay track (one more tile, new or an upgrade; the costs include $20 for it), as `lay" in told
