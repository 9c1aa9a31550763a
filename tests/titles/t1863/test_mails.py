"""The mails of 1863: what only this title has is in them, they are narrow, and they are as approved."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.game import Game
from engine.core.ids import PlayerId
from engine.titles.t1863.mergers.merger_round import MergerRound
from engine.titles.t1863.stock.frame import StockRound
from engine.titles.t1863.stock.stock_round import begin_stock_round
from moderator import render
from moderator.render import Rendered
from moderator.render.shows import text_map
from tests.kit.games import mail_checks
from tests.kit.games.render_1863 import MOMENTS, RAILS, asked, game_from
from tests.kit.games.render_games import info
from tests.kit.games.situations_1863 import London, situation, tube

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


def test_giving_up_a_company_is_no_example() -> None:
    game = MOMENTS["lptb"]()
    assert mail_checks.examples_of(turn_mail(game, asked(game)).text) == ["DIS: nationalise no"]


def test_every_order_of_the_help_can_be_read() -> None:
    game = MOMENTS["company"]()
    mail_checks.orders_of_help_can_be_read(game, asked(game), "MET", 15)


@pytest.mark.parametrize(
    ("moment", "said"),
    [
        ("auction", "Ann has bid £6 on ARD."),
        ("stock", "You may act as MET instead."),
        ("transfer", "Ann: took 2 shares of DIS from MET for £160; Ann is president of DIS;"),
        ("floating", "The new company then pays £50 for each marker, but none for one in its home."),
        ("acquisition", "Whoever buys ELR may also pay with its cash and the loans that it can take."),
        ("lot", "Up for auction: CLR trains; CLR gets the money."),
        ("crisis", "and its president pays whatever is still missing then."),
        ("stock", "transfer 1 DIS from MET to Ann // 1 to 3"),
        ("stock", "value £1,040 (cash £260, privates £70, trains £350, shares £370, last revenue £90, loans -£100)"),
        ("stock", "has 1 of the 10 loans that a major may have; can take 9 more now;"),
        ("stock", "sold short by Cat 2 (8 left)"),
        ("stock", "RMR (mail markers: routes through them earn more); "),
        ("stock", "DIS 0 (2 shorts)"),
        ("stock", "SHARES, with a star for the president; below zero are shorts Ann Bob Cat"),
        ("floating", "SHARES, with a star for the president; below zero"),
        ("halves", "SHARES, with a star for the president Ann Bob Cat"),
        ("floating", "| float CIR as minor at 40 tokens 1 // £105 in cash, the bid included"),
        ("company", "The price becomes £90 with £0 to £55, £100 with £56 to £109, £110 with £110 to £119,"),
        ("company", "and MET pays £30 (interest £5, markers £10, trains £15)"),
        ("company", "taken; the rate is set after a stock round: £5 for every 3 taken, at least £5."),
        ("company", "Mail markers: C10, M10."),
        ("dividend", "| MET: dividend 60; done"),
        ("dividend", "£110 at most. What the price becomes: £0 to £55 makes it £90; £60 to £100 makes it £100; £110"),
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
    assert (
        "Red hexes now (and in phase IV), their hexes and those that lead in: North East (Waltham) 30 (40) in" in said
    )
    assert "in Q4 from P3 P5 Q6; Acton 40 (60) in A10 from B9 B11." in said
    assert "Mail markers are placed in C10, H11, M10 and Q10." in said
    assert "These parts are reconstructed, and may differ from the printed game: " in said


def test_the_welcome_mail_says_what_is_reconstructed() -> None:
    game = MOMENTS["auction"]()
    said = " ".join(render.welcome_mail(game, info(game, "Ann", id="1863-7"), PlayerId("Ann")).text.split())
    assert "These parts are reconstructed, and may differ from the printed game: " in said
    assert "the map, the tiles," in said


def test_privates_that_are_not_in_the_game_are_told_once() -> None:
    game = MOMENTS["auction"]()
    said = " ".join(render.welcome_mail(game, info(game, "Ann", id="1863-7"), PlayerId("Ann")).text.split())
    told = said.partition("WHAT HAPPENED ")[2].partition(" HOW IT GOES")[0]
    assert told.count("CLK") == 1 and told.count("not in this game") == 1 and " by lot" in told


def happened(position: London, orders: str) -> str:
    game = game_from(position, orders)
    said = " ".join(turn_mail(game, asked(game)).text.split())
    return said.partition("WHAT HAPPENED ")[2].partition(" PLAYERS, in")[0]


def test_a_float_and_a_conversion_tell_each_sum_once() -> None:
    stock = situation(round="SR 1", cash={"Ann": 350, "Bob": 100, "Cat": 100})
    told = happened(
        stock.frames(StockRound(PlayerId("Ann"))),
        "Ann: start MET at 5\nBob: drop\nCat: drop\nAnn: float MET as minor at 120 tokens 1",
    )
    assert told.count("£240") == 1 and told.count("£120") == 1
    minor = situation(tube("BAK", "Ann", 65, minor=True, cash=300, trains="2T"), round="MR 2.1", cash={"Ann": 100})
    told = happened(minor.frames(MergerRound()), "BAK: convert tokens 2")
    assert told.endswith("BAK: became a major company; paid £100 for its markers; has 3 markers in all.")


def test_the_list_of_new_trains_says_when_there_are_none() -> None:
    met = tube("MET", {"Ann": 4}, 110, trains="5T", loans=1)
    position = situation(met, tube("BAK", "Ann", 65, minor=True), phase="V", supply={"5T": 0}, tiles=RAILS)
    text = turn_mail(game_from(position.turn("MET")), PlayerId("Ann")).text
    assert "New trains: none left." in text and "After the run: " in text and "Then trains" not in text
    assert "1 of 33 loans is taken" in text


@pytest.mark.parametrize("moment", MOMENTS)
def test_the_mail_is_as_approved(moment: str) -> None:
    game = MOMENTS[moment]()
    mail_checks.as_approved(GOLDEN / f"1863-{moment}.txt", turn_mail(game, asked(game)).text)


PRINTED = (
    "A route earns the best of these: £60 from N to S, £60 from W to E, £100 by stations of all four sides",
    "(outer circle), £60 round the inner circle.",
    "2T £5, 3T £10, 2+1e £15, 4T £20, 2+2e £30, 5T £40, 2+3e £50; and each marker on the map £10.",
)
LOST = "The texts of the charters are lost"


@pytest.mark.rule("1863:12.31", "1863:5.6", "1863:13.1")
@pytest.mark.parametrize("edition", ["historical", "equal"])
def test_the_map_tells_what_bonuses_pay_and_what_trains_cost(edition: str) -> None:
    game = game_from(situation(tube("MET", {"Ann": 5}, 110), edition=edition))
    said = " ".join(text_map(game).split())
    assert all(sentence in said for sentence in PRINTED) and (LOST in said) is (edition == "historical")


@pytest.mark.rule("1863:8.3", "1863:8.9")
def test_a_company_is_told_what_a_merger_will_bring_before_it_is_proposed() -> None:
    parts = tube("MET", {"Ann": 5, "Bob": 3}, 110, cash=100), tube("DIS", {"Ann": 2}, 100, cash=100)
    game = game_from(situation(*parts, round="MR 2.1").frames(MergerRound()))
    said = " ".join(turn_mail(game, asked(game)).text.replace("|     //", "").split())
    assert said.count("share price £200, president Ann, shares:") == 1  # in the menu, and not in YOU again
    assert "DIS and MET as MET" not in said
    assert "Ann 3 and a half" in said and "Bob 1 and a half" in said


@pytest.mark.rule("1863:8.6", "1863:8.5")
@pytest.mark.parametrize(
    ("moment", "says"),
    [
        (
            "acquisition",
            "is paid a tenth of the bid, and whoever is short of it pays as much for each short;",
        ),
        ("lot", " In it: "),
    ],
)
def test_a_bidder_is_told_what_he_gets_and_what_ends(moment: str, says: str) -> None:
    game = MOMENTS[moment]()
    assert says in " ".join(turn_mail(game, asked(game)).text.split())


def test_a_company_that_is_broken_up_is_not_called_frozen() -> None:
    position = situation(
        tube("MET", {"Pool": 2, "Bob": 1}, 0, cash=20, trains="2T", loans=2, tokens=4),
        tube("BAK", "MET", 65, minor=True, cash=30, trains="2T", last_run=20),
        tube("ELR", {"Bob": 3, "Ann": 1}, 100, cash=150, markers="Q20"),
        round="MR 2.1",
        cash={"Ann": 310, "Bob": 185, "Cat": 300},
    )
    game = game_from(position.frames(MergerRound()))
    said = " ".join(turn_mail(game, asked(game)).text.split())
    assert "MET (being broken up): " in said and "BAK (waits for what becomes of MET, which controls it): " in said
    assert "frozen" not in said


@pytest.mark.rule("1863:5.4")
def test_a_company_without_a_train_is_told_why_its_price_will_move() -> None:
    position = situation(
        tube("MET", {"Ann": 4, "Bob": 2}, 110, cash=260, last_run=90), round="OR 2.1", cash={"Ann": 310, "Bob": 185}
    ).turn("MET")
    said = " ".join(turn_mail(game_from(position), PlayerId("Ann")).text.split())
    assert "MET has no train, so it does not run now and earns nothing. The dividend" in said
    assert "£110 at most. What the price becomes: £0 to £55 makes it £90; £60 to £100 makes it £100; £110" in said
    assert happened(position, "MET: dividend 0").endswith("MET: did not run: it had no train; price £110 to £90.")
    assert "; paid £60 from its treasury (Ann £24, Bob £12, MET £24); price £110" in happened(
        position, "MET: dividend 60"
    )
    assert happened(position, "MET: dividend 110").endswith(" (Ann £44, Bob £22, MET £44); the price stays.")


def test_a_company_that_has_run_nothing_is_not_said_to_have_run() -> None:
    position = situation(
        tube("MET", {"Ann": 4, "Bob": 2}, 110, cash=260, trains="2T", last_run=90), tiles=RAILS, round="OR 2.1"
    )
    said = " ".join(turn_mail(game_from(position.turn("MET"), "MET: run none"), PlayerId("Ann")).text.split())
    assert "MET ran no train, and has earned nothing. The dividend" in said and "has run:" not in said


def test_the_first_example_of_a_stock_turn_commits_to_nothing() -> None:
    """The one that founds a company comes after it, and is said to be an example."""
    position = situation(round="SR 1", cash={"Ann": 300, "Bob": 300, "Cat": 300})
    play = position.play()
    begin_stock_round(play)
    game = game_from(position.frames(*play.state.agenda))
    text = turn_mail(game, asked(game)).text
    first, *others = mail_checks.examples_of(text)
    assert first == "pass"
    assert all(other.startswith("start ") for other in others)
    assert "an example; a first bid of" in " ".join(text.split())


def test_a_question_for_consent_says_what_the_merger_leads_to() -> None:
    bak, clr = tube("BAK", {"Ann": 2, "Cat": 1}, 100), tube("CLR", {"Bob": 2, "Cat": 2}, 110)
    cash = {"Ann": 1000, "Bob": 1000, "Cat": 1000}
    position = situation(bak, clr, cash=cash, round="MR 2.1").frames(MergerRound())
    game = game_from(position, "BAK: merge CLR into BAK")
    text = " ".join(turn_mail(game, PlayerId("Cat")).text.split())
    assert "The price is then £200, and Cat is president and must buy 1 share at once, for £200." in text
