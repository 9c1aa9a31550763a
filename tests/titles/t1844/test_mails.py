"""The mails of 1844: what only this title has is in them, they are narrow, and they are as approved."""

from __future__ import annotations

import os
import random
import re
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import pytest

import engine
import grammar
from engine.core.game import Game
from engine.core.ids import CompanyId, HexId, PlayerId, PrivateId
from engine.core.orders import BuyMountain, Pass, Tunnel
from engine.robots import random_order
from engine.titles.t1844.names import ROUNDS, SBB_DUE
from moderator import render
from moderator.domain.records.record import read_record, replay_record, write_record
from moderator.domain.vocabulary import vocabulary
from moderator.render import Rendered
from moderator.service.play.journal.export import teller
from moderator.words.story import story
from moderator.words.texts import words
from tests.kit.games import mail_checks
from tests.kit.games.mail_checks import Structure, structure
from tests.kit.games.render_1844 import MOMENTS, asked, game_from
from tests.kit.games.render_games import info
from tests.kit.games.situations_1844 import situation, swiss
from tests.kit.samples import sampled

GOLDEN = Path(__file__).parent / "golden"


def mails(game: Game, seat: PlayerId) -> dict[str, Rendered]:
    about = info(game, seat, id="1844-7", seed="open now" if game.finished else None)
    return {
        "turn": render.turn_mail(game, about, seat, 0),
        "news": render.news_mail(game, about, seat, 0),
        "help": render.help_mail(game, about, seat),
        "welcome": render.welcome_mail(game, about, seat),
        "over": render.game_over_mail(game, about, seat, since=0),
    }


def unfolded(game: Game, seat: str) -> str:
    """A turn mail on one line."""
    return re.sub(r"[ \n]+", " ", mails(game, PlayerId(seat))["turn"].text)


def turn_text(moment: str) -> str:
    game = MOMENTS[moment]()
    return mails(game, asked(game))["turn"].text


@pytest.mark.parametrize("moment", MOMENTS)
def test_lines_are_short_and_the_html_is_whole(moment: str) -> None:
    game = MOMENTS[moment]()
    for seat in game.state.players:
        for name, mail in mails(game, seat).items():
            long = [x for x in mail.text.splitlines() if len(x) > 78 and "@" not in x and "5e5e" not in x]
            assert long == [], name
            assert structure(mail.html).external == [], name
            for trace in ("{{", "{%", "Undefined", "PlayerId", "None,", " .other", "told.", "more."):
                assert trace not in (mail.text + mail.html).replace("show more.", ""), (name, trace)


# ---- a whole game ---------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def whole() -> Game:
    """A game between players of chance, to its end. Do not change it."""
    game = engine.Game.start(engine.load_title("1844"), engine.Setup(("Ann", "Bob", "Cat", "Dan"), seed="s"))
    hand = random.Random(1)
    while not game.finished:
        ask = game.asked()[0]
        assert game.submit(random_order(game, ask, hand))
    return game


def played(orders: int) -> tuple[Game, str, Structure]:
    game = whole().fork()
    game.undo(orders)
    mail = render.turn_mail(game, info(game, asked(game), id="1844-7"), asked(game), max(-1, orders - 20))
    return game, mail.text, structure(mail.html)


@pytest.mark.parametrize("orders", sampled(range(0, 900, 17), range(0, 900, 408)))
def test_the_example_is_legal_and_the_mail_itself_orders_nothing(orders: int) -> None:
    game, text, html = played(min(orders, len(whole().orders) - 1))
    names = vocabulary(game.title, game.state.players)
    for actor in (None, *(ask.actor for ask in game.asked())):
        assert grammar.read(text, names, default_actor=actor).orders == ()
        assert grammar.read("\n".join(html.text), names, default_actor=actor).orders == ()
    reading = grammar.read(mail_checks.examples_of(text)[-1], names, default_actor=game.asked()[0].player)
    assert reading.orders
    assert reading.errors == ()
    for order in reading.orders:
        result = game.submit(order)
        if isinstance(result, engine.Refused):  # only because others must answer something in between
            assert [f.check for f in result.failures] == ["order.not_asked"]
            assert order is not reading.orders[0]


def test_every_order_of_the_help_can_be_read() -> None:
    game = MOMENTS["company"]()
    text = render.help_mail(game, info(game, asked(game)), asked(game)).text
    names = vocabulary(game.title, game.state.players)
    block = text[text.index("ORDERS, one to a line") : text.index("WORDS for the moderator")]
    given = [line[2:] for line in block.splitlines() if line.startswith("| ")]
    assert len(given) > 20
    for line in given:
        reading = grammar.read(line, names, default_actor="MOB")
        assert (len(reading.orders), reading.errors) == (1, ()), line


# ---- what this title has --------------------------------------------------------------------------------------------


def test_money_stays_on_one_line_with_its_currency() -> None:
    assert "310\u00a0SFR" in turn_text("company")


def test_both_faces_of_a_train_are_one_card() -> None:
    text = turn_text("stock").replace("\n  ", " ")
    assert "New trains: 3 for 180\u00a0SFR or 3H for 150\u00a0SFR, 8 left (on sale)" in text


def test_debt_papers_and_launches_stand_in_the_tables() -> None:
    text = turn_text("stock").replace("\n  ", " ")
    assert "Bob: 75\u00a0SFR, worth 688\u00a0SFR, 6 of 24 certificates, debt 27\u00a0SFR; " in text
    assert "B1 (H7, 10/40/50/60, pays 40\u00a0SFR a round)" in text
    assert "T2 (J9, pays 10\u00a0SFR a round once a company has run through it), T3 (unused)" in text
    assert "not launched: 3 of 5 shares sold" in text
    assert "historical; destination J13 Brig: 500\u00a0SFR once joined to home" in text
    assert "| repay 1 // 1 to 27; you owe 27\u00a0SFR" in text


def test_no_words_of_other_titles() -> None:
    for moment in MOMENTS:
        said = set(turn_text(moment).replace("(", " ").split())
        assert not {"Priority", "minor", "loan", "loans"} & said, moment


def test_the_map_tells_what_lies_over_it_and_what_areas_pay() -> None:
    game = MOMENTS["company"]()
    for text in (turn_text("company"), render.text_map(game)):
        assert "H7 Rochers de Naye: printed SW-W-NW-NE-E-SE; B1 40\u00a0SFR now (10/40/50/60)" in text
        assert "H17 Andermatt: 8/3 SW-E NE-SE, 10; town; track SW-E" in text
        assert "J9: printed NW-SE; tunnel NW-SE" in text
        assert "Stuttgart 40 in A18 A20 B17 from B19 B21; " in " ".join(text.split())


def test_a_power_used_in_anothers_turn_is_told_apart_from_it() -> None:
    text = turn_text("company").replace("\n  ", " ")
    assert "Cat: P4 laid track in H17, H19, H21, H23 and I16; P4 closed; received\u00a080\u00a0SFR for P4." in text


def test_tunnels_are_on_the_menu_with_their_price() -> None:
    assert "| tunnel H19 NE-SE // 100\u00a0SFR" in turn_text("company")


def test_who_must_help_sees_what_he_pays_and_what_he_will_owe() -> None:
    text = turn_text("help")
    # 4H: 260; MOB has 75, Bob 75 and 60 for the share: 50 are missing, 75 are owed.
    assert "| train 4H // 260\u00a0SFR, of which you pay 135\u00a0SFR and owe 75\u00a0SFR" in text
    assert "MOB must have a train before its turn ends." in text


def test_powers_are_offered_to_who_is_not_asked() -> None:
    game = MOMENTS["formation"]()
    assert "| Bob: use P7 for MOB" in mails(game, PlayerId("Bob"))["news"].text
    assert "use P7" not in mails(game, PlayerId("Ann"))["news"].text


def test_lays_of_a_private_are_listed_apart() -> None:
    game = MOMENTS["company"]()
    game.state = replace(game.state, privates={**game.state.privates, PrivateId("P2"): PlayerId("Bob")})
    text = render.text_lays(game, CompanyId("GB"))
    assert "One tile more with P2:" in text
    assert "(`lay 5 F21 0`)" in text
    assert "F21 Goldau (30\u00a0SFR): 5 (0 SW-W; 5 SW-SE), " in text and "G18 Stans: 14 (1 E-SE+W,NW), " in text


def test_a_mountain_railway_is_one_example_and_what_there_is_to_choose_from() -> None:
    game = MOMENTS["stock"]()
    game.submit(Pass(PlayerId("Bob")))
    game.submit(Pass(PlayerId("Cat")))
    text = mails(game, PlayerId("Ann"))["turn"].text
    assert "| buy B2 in L13 with panel 10/20/50/80" in text
    assert "  Hexes: L13, I14, G14, F19, J29, L23" in text
    panels = "10/20/50/80, 10/40/50/60, 10/50/80/10"
    assert f"Panels, with what a run earns there in phases 1-2/3-4/5-6/7: {panels}" in " ".join(text.split())
    assert "150 SFR; once a company has run there, it pays you 40 SFR before each operating round" in " ".join(
        text.replace("|     //", "").split()
    ).replace("\u00a0", " ")


# ---- records --------------------------------------------------------------------------------------------------------


def test_a_record_comes_back_as_the_same_game() -> None:
    """All rulings are pinned; powers used by others and panels called by their incomes are read again."""
    title = engine.load_title("1844", "18xx.games", {"runs": "best"})
    game = engine.Game.start(title, engine.Setup(("Ann", "Bob", "Cat"), seed="s"))
    hand = random.Random(1)
    while len(game.orders) < 300 and not game.finished:
        ask = game.asked()[0]
        papers = [choice.order for choice in game.legal(ask.actor) if isinstance(choice.order, BuyMountain)]
        assert game.submit(papers[0] if papers else random_order(game, ask, hand))
    text = write_record(game, {}, tell=teller(game), sealed=False)
    assert re.search(r"buy B\d in \w+ with panel 10/\d+/\d+/\d+\n", text)
    again = read_record(text)
    assert again.title.options == title.options
    assert replay_record(again).digest() == game.digest()


# ---- golden mails ---------------------------------------------------------------------------------------------------


def approved(moment: str) -> str:
    game = MOMENTS[moment]()
    found = mails(game, PlayerId("Bob") if moment == "formation" else asked(game))
    return found[{"formation": "news", "over": "over"}.get(moment, "turn")].text


@pytest.mark.parametrize("moment", MOMENTS)
def test_the_mail_is_as_approved(moment: str) -> None:
    """``RAILPOST_APPROVE=1`` writes the mail anew; read the difference before it is kept."""
    path = GOLDEN / f"1844-{moment}.txt"
    text = approved(moment)
    if os.environ.get("RAILPOST_APPROVE"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def test_whether_a_destination_is_reached() -> None:
    game = MOMENTS["company"]()
    assert "destination a tunnel in H19 Gotthard: 120\u00a0SFR once anybody builds it" in unfolded(game, "Bob")
    assert game.submit(Tunnel(CompanyId("GB"), HexId("H19"), (3, 5)))
    assert "destination a tunnel in H19 Gotthard: reached" in unfolded(game, "Bob")


def test_a_late_launch_leaves_no_destination() -> None:
    position = situation(swiss("MOB", {"Bob": 4}, par=80), phase="6", cash={"Bob": 200}).stock("Bob")
    game = game_from(position, "Bob: buy MOB")
    assert "destination H13 Thun: void, all its money came with the launch" in unfolded(game, "Bob")


@pytest.mark.parametrize(("formed", "kinds"), [(False, "pre-SBB 2, regional 2"), (True, "regional 2, historical 2")])
def test_limits_are_those_of_companies_in_the_game(formed: bool, kinds: str) -> None:
    """In phase 5 the pre-SBB companies stay until the SBB is formed, and have no limit of trains afterwards."""
    rows = [swiss("MOB", {"Bob": 5}, trains="5")] + [swiss("SBB", {"Ann": (1, 3)})] * formed
    game = situation(*rows, phase="5").turn("MOB", "trains")
    assert f"may own: {kinds}" in unfolded(game_from(game, ""), "Bob")


def test_the_formation_after_a_set_is_told_before_the_stock_round() -> None:
    position = situation(
        swiss("NOB", {"Ann": 3}), swiss("MOB", {"Bob": 5}), phase="5", round="OR 6.3", marks={SBB_DUE: True, ROUNDS: 3}
    ).turn("MOB", "trains")  # fmt: skip
    game = game_from(position, "MOB: done")
    chapter = story(words("en"), game, 0)[0]
    assert str(chapter.round) == "OR 6.3" and any("became SBB" in c for p in chapter.paragraphs for c in p.clauses)
