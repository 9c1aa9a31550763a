"""The mails of 1841: what only this title has is in them, they are narrow, and they are as approved."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import grammar
from engine.core.game import Game
from engine.core.ids import PlayerId
from moderator import render
from moderator.domain.vocabulary import vocabulary
from moderator.render import Rendered
from tests.kit.games import mail_checks
from tests.kit.games.render_1841 import MOMENTS, asked, game_from
from tests.kit.games.render_games import info
from tests.kit.games.situations_1841 import firm, situation

GOLDEN = Path(__file__).parent / "golden"


def turn_mail(game: Game, seat: PlayerId) -> Rendered:
    return render.turn_mail(game, info(game, seat, id="1841-7"), seat, 0)


@pytest.mark.parametrize("moment", MOMENTS)
def test_lines_are_short_and_the_html_is_whole(moment: str) -> None:
    mail_checks.lines_are_short_and_whole(MOMENTS[moment](), "1841-7")


@pytest.mark.parametrize("moment", MOMENTS)
def test_the_example_can_be_carried_out(moment: str) -> None:
    game = MOMENTS[moment]()
    mail_checks.example_can_be_carried_out(game, turn_mail(game, asked(game)).text)


def test_two_shares_at_half_an_odd_price_bring_the_unit_that_one_loses() -> None:
    text = turn_mail(MOMENTS["help"](), PlayerId("Ann")).text.replace("\N{NO-BREAK SPACE}", " ")
    assert "// 1 to 6; L. 37 each, two for L. 75; price to L. 71, with 6 to" in text


def happened(game: Game, *orders: str) -> str:
    """The story of a game after these orders, on one line."""
    names = vocabulary(game.title, game.state.players)
    for order in grammar.read("\n".join(orders), names).orders:
        assert game.submit(order)
    said = " ".join(turn_mail(game, asked(game)).text.split())
    return said.partition("WHAT HAPPENED ")[2].partition(" PLAYERS, in")[0]


def test_a_sale_at_half_price_tells_its_money_once() -> None:
    said = happened(MOMENTS["help"](), "SFTN: sell 1 SFTN")
    assert "SFTN: sold 1 share of SFTN at half price for L. 37; price of SFTN" in said and said.count("L. 37") == 1


def test_who_goes_on_after_a_bankruptcy_is_told() -> None:
    sftn = firm("SFTN", {"Ann": 5, "Bob": 5}, "F4", markers="H4/1")
    position = situation(sftn, tiles={"G5": "9#1", "F6": "1#0"}, cash={"Ann": 10, "Bob": 100})
    said = happened(game_from(position.turn("SFTN", "trains")), "SFTN: bankrupt loan")
    assert "Ann is bankrupt and goes on with a loan: L. 500 less in the end" in said


def test_leaving_the_game_is_no_example() -> None:
    """Ann's SFTN must have a train, and nothing can pay for it."""
    sftn = firm("SFTN", {"Ann": 5, "Bob": 5}, "F4", markers="H4/1")
    position = situation(sftn, tiles={"G5": "9#1", "F6": "1#0"}, cash={"Ann": 10, "Bob": 100})
    text = turn_mail(game_from(position.turn("SFTN", "trains")), PlayerId("Ann")).text
    assert "| bankrupt resign" in text
    assert mail_checks.examples_of(text)[0] == "SFTN: bankrupt loan"


def test_every_order_of_the_help_can_be_read() -> None:
    game = MOMENTS["company"]()
    mail_checks.orders_of_help_can_be_read(game, asked(game), "SFTG", 15)


@pytest.mark.parametrize(
    ("moment", "said"),
    [
        ("company", "SFTN (Ann, through SFTG)"),
        ("stock", "AFI (frozen: AFI, CTS own each other)"),
        ("stock", "// 1 to 350; Ann must agree"),
        ("help", "The cheapest costs L.\u00a0350, and L.\u00a0350 is missing."),
        ("merge", "shares: Ann 1, Bob 2, Cat 1 of 10; it has | // L.\u00a0136, tokens D8, E9"),
        ("exchange", "exchange for share // you pay L.\u00a070"),
        ("exchange", "exchange for cash // you receive L.\u00a070"),
        ("founding", "| token P12 // Lucca: tokens at L.\u00a0200 each"),
        ("founding", "| token E7 // Busto Arsizio: tokens at L.\u00a0100 each"),
        ("tie", "Ann had bid L.\u00a025 on Bayard"),
    ],
)
def test_what_a_player_must_know(moment: str, said: str) -> None:
    game = MOMENTS[moment]()
    assert said.replace("\u00a0", " ") in " ".join(turn_mail(game, asked(game)).text.split()).replace("\u00a0", " ")


def test_the_map_names_borders_passes_and_ports() -> None:
    game = MOMENTS["company"]()
    text = render.text_map(game)
    said = " ".join(text.split()).replace("\u00a0", " ")
    assert "Borders now: C7 S,SE; F12 SW;" in said
    assert "Passes, which can hold tokens but cannot be homes: A5, C15, " in said
    assert "Ports: G17 L. 40, M17 L. 20, " in said


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_turn_mail_does_not_list_what_is_printed_on_the_map(moment: str) -> None:
    """Borders move with the phases, passes and ports never do: ``show map`` lists them."""
    game = MOMENTS[moment]()
    said = " ".join(turn_mail(game, asked(game)).text.split())
    assert "Borders now: " in said
    assert "Passes, which hold" not in said
    assert "Ports: " not in said


@pytest.mark.parametrize("moment", MOMENTS)
def test_the_mail_is_as_approved(moment: str) -> None:
    game = MOMENTS[moment]()
    mail_checks.as_approved(GOLDEN / f"1841-{moment}.txt", turn_mail(game, asked(game)).text)


def test_the_question_how_many_tokens_says_what_they_cost() -> None:
    game = MOMENTS["founding"]()
    for order in grammar.read("CTLP: token E7", vocabulary(game.title, game.state.players)).orders:
        assert game.submit(order)
    text = turn_mail(game, asked(game)).text.replace("\u00a0", " ")
    assert "| tokens 1 // 1 for L. 100" in text


@pytest.mark.parametrize(("own", "suggested"), [(4, "run best; pay full"), (2, "run best; pay full; done")])
def test_the_example_ends_no_turn_that_owes_a_sale_beside_its_run(own: int, suggested: str) -> None:
    """With 40 % of SSFL of her own and 30 % of SFTN's, Ann has too much: SFTN must sell before its turn is over."""
    game = game_from(
        situation(
            firm("SFTN", {"Ann": 4}, "F4", trains="4", markers="H4/1"),
            firm("SSFL", {"Ann": own, "SFTN": 3}, "C5"),
            tiles={"G5": "9#1", "F6": "1#0"},
        ).turn("SFTN", "run")
    )
    text = turn_mail(game, PlayerId("Ann")).text
    assert mail_checks.examples_of(text)[0] == f"SFTN: {suggested}"


def test_a_concession_starts_its_company_until_that_is_started() -> None:
    """From then on it keeps the presidency with its owner."""
    owned: dict[str, str | None] = {"Bayard": "Ann", "C-SFTG": "Ann", "C-SSFL": "Ann"}
    game = situation(firm("SFTG", {"Ann": 3}, "F4"), phase="3", privates=owned, round="SR 2", cash={"Ann": 300})
    said = " ".join(turn_mail(game_from(game.stock("Ann")), PlayerId("Ann")).text.split())
    assert "C-SFTG (its owner is president of SFTG)" in said
    assert "C-SSFL (to start SSFL)" in said


@pytest.mark.parametrize("moment", MOMENTS)
def test_things_are_called_as_in_the_rulebook(moment: str) -> None:
    """Tokens and presidents, in text and HTML; shares that nobody has bought are on offer, also in orders."""
    game = MOMENTS[moment]()
    mail = turn_mail(game, asked(game))
    for said in (mail.text, mail.html):
        others = re.findall(r"\b(?:markers?|director|treasury)\b", " ".join(said.split()).replace("for director", ""))
        assert others == []


@pytest.mark.parametrize("others", [True, False])
def test_mails_are_written_while_a_frozen_company_is_the_first_to_operate(others: bool) -> None:
    """The next train is told of as long as somebody can buy it."""
    frozen, bob = firm("AFI", {"Pool": 2}, "J3"), (firm("CTS", {"Bob": 3}, "F4"),) if others else ()
    game = situation(frozen, *bob, phase="3", supply={"3": 0}, round="SR 2", cash={"Ann": 300}).stock("Ann")
    mail = turn_mail(game_from(game), PlayerId("Ann"))
    assert ("The first 4 begins phase 4" in mail.text) is others


@pytest.mark.parametrize(("round", "sells"), [("SR 1", False), ("SR 2", True)])
def test_concessions_are_the_banks_to_sell_from_the_second_stock_round_on(round: str, sells: bool) -> None:
    """Nobody has shares yet: there is no table of them."""
    game = situation(phase="2", privates={"C-SSFL": None}, round=round, cash={"Ann": 300}).stock("Ann")
    text = turn_mail(game_from(game), PlayerId("Ann")).text
    assert ("The bank sells" in text) is sells
    assert "SHARES" not in text


@pytest.mark.parametrize(
    ("edition", "says"),
    [
        ("clarified", "CTS must have another token, and L.\u00a030 is missing: sell certificates at half price."),
        ("v1", "Others have paid for CTS's new token: it must now raise L.\u00a050 itself. Sell certificates"),
    ],
)
def test_who_pays_for_a_compulsory_token_is_said(edition: str, says: str) -> None:
    """By the site's ruling Cat's 30 L. pay at once, and the company sells for the whole price afterwards."""
    minor = firm("SFTC", {"Cat": 2, "Ann": 1}, "F3", cash=20, markers="D8")
    game = situation(minor, cash={"Ann": 0, "Bob": 0, "Cat": 30}, edition=edition).turn("SFTC", "merge")
    text = turn_mail(game_from(game, "SFTC: transform CTS"), PlayerId("Cat")).text
    assert says in " ".join(text.split(" ")).replace("\n", " ").replace("  ", " ")


def companies(game: Game) -> str:
    """The table of companies, on one line, of the mail to whoever is asked."""
    said = " ".join(turn_mail(game, asked(game)).text.split())
    return said.partition("COMPANIES, in operating order ")[2].partition(" MARKET")[0]


def test_companies_that_merge_are_not_called_frozen() -> None:
    said = companies(MOMENTS["exchange"]())
    assert "SFTG (merging into AFI): " in said and "SFTN (merging into AFI): " in said and "frozen" not in said
    assert ">frozen<" not in turn_mail(MOMENTS["exchange"](), asked(MOMENTS["exchange"]())).html


def test_the_parts_of_a_company_that_is_divided_are_not_called_frozen() -> None:
    said = companies(MOMENTS["secession"]())
    assert "SFV (being formed): " in said and "SFL (being formed): " in said and "frozen" not in said
    assert "SFTG (waits for what becomes of SFL, which controls it): " in said


def test_companies_that_own_each_other_are_called_frozen() -> None:
    game = MOMENTS["stock"]()
    assert "AFI (frozen: AFI, CTS own each other): " in companies(game)
    assert turn_mail(game, asked(game)).html.count(">frozen: ") == 2


def test_a_merger_is_told_before_what_goes_over() -> None:
    game = MOMENTS["exchange"]()
    said = " ".join(turn_mail(game, asked(game)).text.split()).partition("WHAT HAPPENED ")[2]
    assert said.index("SFTG and SFTN became AFI at L. 141") < said.index("AFI took over L. 100 of SFTG")


def test_the_html_shows_what_may_be_ordered_as_code() -> None:
    game = MOMENTS["exchange"]()
    assert "(<code" in turn_mail(game, asked(game)).html and "`show map`" not in turn_mail(game, asked(game)).html


def test_the_money_of_an_exchange_is_told_once() -> None:
    for answer, told in (("share", "received 1 share of AFI and paid L. 70"), ("cash", "received L. 70 instead of")):
        game = MOMENTS["exchange"]()
        names = vocabulary(game.title, game.state.players)
        assert game.submit(grammar.read(f"Bob: exchange for {answer}", names).orders[0])
        text = render.turn_mail(game, info(game, "Ann", id="1841-7"), PlayerId("Ann"), 0).text
        said = " ".join(text.split()).partition("WHAT HAPPENED ")[2].partition(" PLAYERS, in")[0]
        assert f"Bob {told}" in said and said.count("L. 70") == 1, said
