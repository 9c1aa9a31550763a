"""The mails of 1863: what only this title has is in them, they are narrow, and they are as approved."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.game import Game
from engine.core.ids import PlayerId
from moderator import render
from moderator.render import Rendered
from tests.kit.games import mail_checks
from tests.kit.games.render_1863 import MOMENTS, asked
from tests.kit.games.render_games import info

GOLDEN = Path(__file__).parent / "golden"


def turn_mail(game: Game, seat: PlayerId) -> Rendered:
    return render.turn_mail(game, info(game, seat, id="1863-7"), seat, 0)


@pytest.mark.parametrize("moment", MOMENTS)
def test_lines_are_short_and_the_html_is_whole(moment: str) -> None:
    mail_checks.lines_are_short_and_whole(MOMENTS[moment](), "1863-7")


@pytest.mark.parametrize("moment", MOMENTS)
def test_the_example_can_be_carried_out(moment: str) -> None:
    game = MOMENTS[moment]()
    mail_checks.example_can_be_carried_out(game, turn_mail(game, asked(game)).text)


def test_every_order_of_the_help_can_be_read() -> None:
    game = MOMENTS["company"]()
    mail_checks.orders_of_help_can_be_read(game, asked(game), "MET", 15)


@pytest.mark.parametrize(
    ("moment", "said"),
    [
        ("auction", "Ann has bid £6 on ARD."),
        ("stock", "You may act as MET instead."),
        ("stock", "transfer 1 DIS from MET to Ann // 1 to 3"),
        ("stock", "value £1,040 (cash £260, privates £70, trains £350, shares £370, last revenue £90, loans -£100)"),
        ("stock", "may take 9 loans more, of 10 in all"),
        ("stock", "sold short by Cat 2 (8 left)"),
        ("stock", "RMR (mail markers: routes through them earn more); "),
        ("stock", "DIS 0 (2 shorts)"),
        ("floating", "| float CIR as minor at 40 tokens 1 // £105 in cash, the bid included"),
        ("company", "the price becomes £90 with £0 to £55, £100 with £60 to £105, £110 with £110 to £115,"),
        ("company", "the company pays £30 (interest £5, markers £10, trains £15)"),
        ("company", "Interest on each loan is £5; 5 of 33 loans are taken."),
        ("company", "Mail markers: C10, M10."),
        ("dividend", "| MET: dividend 60"),
        ("dividend", "£110 at most. The price becomes £90 with £0 to £55, £100 with £60 to £105 and £110 with £110."),
        ("crisis", "CLR must pay £25 (interest and costs) and has £5"),
        ("halves", "exchange for share"),
    ],
)
def test_what_a_player_must_know(moment: str, said: str) -> None:
    game = MOMENTS[moment]()
    assert said in " ".join(turn_mail(game, asked(game)).text.split())


@pytest.mark.rule("1863:2.2", "1863:12.1")
def test_holdings_and_cash_of_others_are_shown_and_the_bank_is_not() -> None:
    text = turn_mail(MOMENTS["stock"](), PlayerId("Ann")).text
    assert (
        "Bob: £185, worth £985, 7 of 21 certificates" in text
        and "Cat: £420, worth £350, " in text
        and "ELR (Bob): £150" in text
    )
    assert "Bank £" not in text


def test_the_map_says_what_is_printed_and_what_is_reconstructed() -> None:
    said = " ".join(render.text_map(MOMENTS["company"]()).split())
    assert "Red hexes now (and in phase IV): North East (Waltham) 30 (40), Q4; Acton 40 (60), A10." in said
    assert "Mail markers are placed in C10, H11, M10 and Q10." in said
    assert "These parts are reconstructed, and may differ from the printed game: " in said


def test_the_welcome_mail_says_what_is_reconstructed() -> None:
    game = MOMENTS["auction"]()
    said = " ".join(render.welcome_mail(game, info(game, "Ann", id="1863-7"), PlayerId("Ann")).text.split())
    assert "These parts are reconstructed, and may differ from the printed game: " in said
    assert "the map, the tiles," in said


@pytest.mark.parametrize("moment", MOMENTS)
def test_the_mail_is_as_approved(moment: str) -> None:
    game = MOMENTS[moment]()
    mail_checks.as_approved(GOLDEN / f"1863-{moment}.txt", turn_mail(game, asked(game)).text)
