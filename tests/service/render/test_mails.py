"""The mails: playable from alone, narrow, escaped, and safe to be quoted back."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

import engine
import grammar
from engine.core import events as ev
from engine.core.checks import Failure
from engine.core.game import Game
from engine.core.ids import CompanyId, HexId, PlayerId, TileId
from engine.core.lots import lot
from moderator import render
from moderator.domain.info import REPLY_MARK
from moderator.domain.transcript import Shown, Transcript, TranscriptLine
from moderator.domain.vocabulary import vocabulary
from moderator.render import Rendered
from moderator.words.question.menu import groups
from moderator.words.story import story
from moderator.words.text import clean, fold
from moderator.words.texts import words
from tests.kit.games import mail_checks
from tests.kit.games.mail_checks import structure
from tests.kit.games.render_games import PLAYERS, info, played
from tests.kit.samples import one_in, sampled

GOLDEN = Path(__file__).parent / "golden"
POSITIONS = (0, 3, 40, 150, 300, 420, 560, 700, 850, 1000, 1240)
"""Numbers of orders at which mails are looked at, from the first auction to the last operating rounds."""
EACH_TIME = (0, 40, 300, 700, 1240)


def asked_seat(game: Game) -> PlayerId:
    return game.asked()[0].player if game.asked() else PlayerId("Ann")


def turn(orders: int, since: int | None = None) -> tuple[Game, Rendered]:
    game = played(orders)
    seat = asked_seat(game)
    back = max(-1, len(game.orders) - 20) if since is None else since
    return game, render.turn_mail(game, info(game, seat), seat, back)


# ---- every mail -----------------------------------------------------------------------------------------------------


def every_mail(orders: int) -> dict[str, Rendered]:
    game = played(orders)
    seat = asked_seat(game)
    about = info(game, seat)
    back = max(0, len(game.orders) - 30)
    return {
        "turn": render.turn_mail(game, about, seat, back),
        "news": render.news_mail(game, about, seat, back),
        "help": render.help_mail(game, about, seat),
        "welcome": render.welcome_mail(game, about, seat) if orders < 50 else render.stranger_mail(),
        "over": render.game_over_mail(game, info(game, seat, seed="open now"), seat, since=back),
        "transcript": render.transcript_mail(game, about, a_transcript()),
        "held": render.held_mail(game, about, a_transcript()),
        "stranger": render.stranger_mail(),
    }


@pytest.mark.parametrize("orders", sampled(POSITIONS, EACH_TIME))
def test_lines_are_short_and_the_html_is_whole(orders: int) -> None:
    for name, mail in every_mail(orders).items():
        long = [line for line in mail.text.splitlines() if len(line) > 78 and "@" not in line and "5e5e" not in line]
        assert long == [], name
        assert structure(mail.html).external == [], name
        assert "\n" not in mail.subject and mail.subject
        for trace in ("{{", "{%", "Undefined", "PlayerId", "None,", " .other", "told."):
            assert trace not in mail.text + mail.html, (name, trace)


@pytest.mark.parametrize("orders", sampled(POSITIONS, EACH_TIME))
def test_mails_that_can_be_answered_begin_with_the_mark(orders: int) -> None:
    for name, mail in every_mail(orders).items():
        if name in ("stranger", "over"):
            assert REPLY_MARK not in mail.text
        elif not (name == "welcome" and orders >= 50):
            assert mail.text.splitlines()[0] == REPLY_MARK, name
            assert REPLY_MARK in mail.html


def test_nothing_of_a_strangers_mail_is_in_its_answer() -> None:
    assert render.stranger_mail() == render.stranger_mail()


# ---- the turn mail --------------------------------------------------------------------------------------------------


def test_a_turn_mail_holds_what_is_needed() -> None:
    game, mail = turn(850)
    seat = asked_seat(game)
    for needed in (
        f"{seat}, it is your turn", "Tue 24 Nov 2026, 18:00 (Europe/Berlin)", "ANSWER LIKE THIS", "WHAT HAPPENED",
        "WHAT IS LEGAL NOW", "YOU", "PLAYERS", "COMPANIES", "MARKET", "MAP", "HOW TO ANSWER",
        "railpost+1861-7.abcdefgh.qrstuvwx@mail.example.org", "at 143 token qrstuvwx", "New trains:", "Phase ",
    ):  # fmt: skip
        assert needed in mail.text, needed
    for player in game.state.players:
        assert f"{player}{' (Priority Deal)' if player == game.state.priority else ''}: R" in mail.text
    for company in game.state.prices:
        assert re.search(rf"^{re.escape(company)} \(.*\): R", mail.text, re.MULTILINE), company
    for hex in game.state.board.tiles:
        assert re.search(rf"^{hex}\b.*: ", mail.text, re.MULTILINE), hex


def test_the_first_lines_say_whose_turn_it_is_and_until_when() -> None:
    _, mail = turn(300)
    top = "\n".join(mail.text.splitlines()[:6])
    assert "it is your turn" in top
    assert "18:00" in top
    assert mail.text.index("ANSWER LIKE THIS") < mail.text.index("WHAT HAPPENED") < mail.text.index("PLAYERS")


def read(game: Game, text: str, actor: str | None = None) -> grammar.Reading:
    return grammar.read(text, vocabulary(game.title, game.state.players), default_actor=actor)


@pytest.mark.parametrize("orders", one_in(3, [*POSITIONS[:-1], *range(500, 1200, 23)]))
def test_the_example_is_a_legal_answer_once_the_bars_are_gone(orders: int) -> None:
    game, mail = turn(orders)
    for example in mail_checks.examples_of(mail.text):
        reading = read(game, example, None if ":" in example else game.asked()[0].player)
        assert reading.errors == ()
        assert reading.orders
        trial = game.fork()
        for order in reading.orders:
            result = trial.submit(order)
            if isinstance(result, engine.Refused):  # only because others must answer something in between
                assert [f.check for f in result.failures] == ["order.not_asked"]
                assert order is not reading.orders[0]


@pytest.mark.parametrize("orders", sampled(POSITIONS, EACH_TIME))
def test_a_turn_mail_sent_back_as_it_is_orders_nothing(orders: int) -> None:
    game, mail = turn(orders)
    for actor in (None, *(ask.actor for ask in game.asked())):
        assert read(game, mail.text, actor).orders == ()
        assert read(game, "\n".join(structure(mail.html).text), actor).orders == ()


def test_ranges_are_orders_with_their_bounds_beside_them() -> None:
    game = played(0)
    found = groups(words(), game.title, game.state, game.legal(game.asked()[0].actor))
    lines = [(line.order, line.note) for group in found for line in group.lines]
    assert lines == [("open TSR 20", "20 to 315 in steps of 5"), ("pass", "")]


def test_everything_on_the_menu_is_in_the_mail() -> None:
    for orders in POSITIONS:
        game, mail = turn(orders)
        for ask in game.asked():
            if ask.player == asked_seat(game):
                for choice in game.legal(ask.actor):
                    heading = words().word(f"group.{type(choice.order).__name__}", None, "1861")
                    assert heading.split(" (")[0] in mail.text


def test_all_lays_are_shown_on_demand() -> None:
    game = next(g for n in range(200, 260) if (g := played(n)).asked() and len(menu_lays(g)) > 8)
    actor = game.asked()[0].actor
    text = render.text_lays(game, actor)
    for order in menu_lays(game):
        assert re.search(rf"^{order.hex}\b.*\b{re.escape(order.tile)} \(.*\b{order.rotation}\b", text, re.MULTILINE)


def menu_lays(game: Game) -> list[engine.orders.Lay]:
    menu = game.legal(game.asked()[0].actor)
    return [c.order for c in menu if isinstance(c.order, engine.orders.Lay)]


# ---- the story ------------------------------------------------------------------------------------------------------


def test_money_of_a_turn_is_told_in_one_paragraph() -> None:
    _, mail = turn(1240, since=0)
    assert "Income from private companies: " in mail.text
    assert re.search(r"ran .*; paid R\d+", mail.text.replace("\n  ", " "))
    assert "Operating round 2.1" in mail.text
    assert "; ." not in mail.text
    assert ".." not in mail.text.replace("...", "")


def test_nothing_is_told_twice_for_a_reader_who_is_up_to_date() -> None:
    _, mail = turn(300, since=300)
    assert "WHAT HAPPENED" not in mail.text


def test_players_who_pass_one_after_the_other_are_told_in_one_line() -> None:
    game = Game.start(engine.load_title("1861"), engine.Setup(("Ann", "Bob", "Cat"), "seed", "Ann"))
    told = []
    for player in ("Ann", "Bob"):
        game.submit(engine.orders.Pass(PlayerId(player)))
        told.append([(p.head, p.clauses) for p in story(words("en"), game, 0)[0].paragraphs])
    assert told == [[("Ann", ["passed"])], [("", ["Passed: Ann and Bob"])]]


# ---- transcripts ----------------------------------------------------------------------------------------------------


GRR_LATER = {"actor": "GRR", "order": "GRR: done", "kind": "turn", "name": "GRR", "now": False}


def a_transcript(text: str = "lay 8 K9 1", **changes: object) -> Transcript:
    fault = grammar.Unreadable(4, 1, "tokn", ("`token`", "`lay`"), "token", reason="unknown")
    facts: dict[str, object] = {
        "game_id": "1861-7",
        "seat": "Ann",
        "lines": (
            TranscriptLine(
                2, text, "lay 8 K9 1", "accepted",
                events=(ev.TileLaid(CompanyId("GRR"), HexId("K9"), TileId("8"), 1),),
            ),
            TranscriptLine(3, "bid 7", "bid 7", "refused", (Failure("bid.step", {"amount": 7, "step": 5}),)),
            TranscriptLine(4, "tokn I13", None, "unreadable", unreadable=fault),
            TranscriptLine(5, "done", "done", "not_reached"),
        ),
        "words": (),
        "ignored_lines": 3,
        "outcome": "refused",
        "notes": (("held.section", GRR_LATER), ("stale", {"given": 140, "at": 143})),
        "state_token": 143,
        "shown": (Shown("map", "", "MAP\nH8 Moscow: as printed"),),
    }  # fmt: skip
    return Transcript(**{**facts, **changes})  # type: ignore[arg-type]


def test_a_transcript_answers_every_line() -> None:
    game = played(300)
    mail = render.transcript_mail(game, info(game, "Ann"), a_transcript())
    for needed in (
        "2> lay 8 K9 1\n  carried out.", "3> bid 7\n  REFUSED", "A bid must be a multiple of R5; R7 is not (1861 v2.0",
        "4> tokn I13\n  NOT READABLE", "Line 4, column 1: `tokn`", "Did you mean `token`?", "5> done\n  not looked at",
        "3 lines of quotation or signature were not read.", "GRR laid tile 8 in K9, turned 1",
        "Kept for the next turn of GRR: `GRR: done`.", "decision 140, which is past",
        "H8 Moscow: as printed", "WHOSE TURN",
    ):  # fmt: skip
        assert needed.replace("\n  ", " ") in mail.text.replace("\n  ", " "), needed
    assert mail.subject == "[1861-7] your orders: refused, nothing changed"


def test_what_was_only_checked_is_told_as_what_would_be() -> None:
    game = played(300)
    event = ev.Passed(PlayerId("Ann"))
    lines = (TranscriptLine(1, "pass", "pass", "checked", events=(event,)),)
    mail = render.transcript_mail(game, info(game, "Ann"), a_transcript(lines=lines, outcome="checked", shown=()))
    assert "WHAT WOULD HAPPEN" in mail.text
    assert "would be accepted; nothing was changed" in mail.text


def test_the_order_that_was_understood_stands_beside_what_was_written() -> None:
    game = played(300)
    mail = render.transcript_mail(game, info(game, "Ann"), a_transcript("tile #8 k9 exits N,SE"))
    assert "read as `lay 8 K9 1`" in mail.text


# ---- what others wrote ----------------------------------------------------------------------------------------------


NASTY = "x\nWHOSE TURN\nBob\u202e\x00\u2028<b onclick=alert(1)>&\"'"


def test_what_a_player_wrote_stays_on_its_line_and_is_escaped() -> None:
    game = played(300)
    notes = (("quoted_orders", {"text": NASTY}),)
    mail = render.transcript_mail(game, info(game, "Ann"), a_transcript(NASTY, notes=notes, shown=()))
    assert mail.text.count("\nWHOSE TURN") == 1
    for sign in ("\u202e", "\x00", "\u2028"):
        assert sign not in mail.text + mail.html + mail.subject
    assert "<b onclick" not in mail.html
    assert "&lt;b onclick" in mail.html


def test_names_of_players_are_escaped_in_html() -> None:
    game = Game.start(engine.load_title("1861"), engine.Setup(("A<i>&", "Bob", "Cat"), seed="s", priority="A<i>&"))
    for mail in (
        render.turn_mail(game, info(game, "A<i>&"), PlayerId("A<i>&"), -1),
        render.welcome_mail(game, info(game, "A<i>&"), PlayerId("A<i>&")),
    ):
        assert "A<i>" not in mail.html
        assert "A&lt;i&gt;&amp;" in mail.html
        structure(mail.html)


def test_cleaning_leaves_one_line() -> None:
    assert clean(" a\tb\r\nc\u200b ") == "a b  c"


def test_folding_keeps_words_whole_and_indents_what_follows() -> None:
    address = "railpost+" + "x" * 80 + "@example.org"
    assert address in fold(f"Ann: {address} and more").splitlines()[-2:][0] + fold(address)
    folded = fold("Ann: " + "word " * 30)
    assert all(len(line) <= 72 for line in folded.splitlines())
    assert folded.splitlines()[1].startswith("  word")
    assert fold("a\n\n\n\nb") == "a\n\nb\n"


def test_folding_keeps_short_words_to_write_on_one_line() -> None:
    for before in range(40, 72):
        folded = fold(f"{'x' * before} `leave waiting list` and more, as long as a line can be at most.")
        assert "`leave waiting list`" in folded and all(len(line) <= 72 for line in folded.splitlines())
    long = f"`correct move {'1 K-R and ' * 12}`"
    assert all(len(line) <= 72 for line in fold(long).splitlines())


# ---- the end --------------------------------------------------------------------------------------------------------


def test_the_last_mail_has_standings_and_the_seed() -> None:
    game = played(2000)
    assert game.finished
    mail = render.game_over_mail(game, info(game, "Bob", seed="a seed for tests", asked=()), PlayerId("Bob"))
    rows = [f"{place}. {p}: R{wealth:,}" for place, (p, wealth) in enumerate(game.standings(), 1)]
    assert "\n".join(rows) in mail.text
    assert '"a seed for tests"' in mail.text
    assert "5e" * 32 in mail.text


def test_every_lot_is_named_so_that_players_can_check_it() -> None:
    # Two players of the 2020 edition: the Priority Deal is drawn, and two privates that are not in the game.
    game = engine.Game.start(engine.load_title("1861", "2020"), engine.Setup(("Ann", "Bob"), seed="a seed for tests"))
    mail = render.game_over_mail(game, info(game, "Bob", seed=game.setup.seed), PlayerId("Bob"))
    said = re.findall(r"^Lot (\d+), (.*): (\S+), of (.*)\.$", mail.text, re.MULTILINE)
    assert len(said) == game.state.lots == 3
    for number, purpose, chosen, candidates in said:
        assert lot(game.setup.seed, int(number), purpose, re.split(", | and ", candidates)) == chosen


def test_orders_that_are_shown_or_held_have_bars_before_them() -> None:
    game = played(300)
    shown = (Shown("orders", "", "142: GRR:\n  done\n143: Ann: pass"),)
    mail = render.transcript_mail(game, info(game, "Ann"), a_transcript(shown=shown))
    assert "| 142: GRR:\n|   done\n| 143: Ann: pass" in mail.text.replace("| done", "|   done")
    turn_mail = render.turn_mail(game, info(game, "Ann", held=("GRR:\n  run best\n  done",)), PlayerId("Ann"), 290)
    assert "| GRR:\n|   run best\n|   done" in turn_mail.text


def test_equal_wealth_shares_the_place() -> None:
    game = played(0)
    mail = render.game_over_mail(game, info(game, "Ann"), PlayerId("Ann"), since=0)
    assert "\n".join(f"1. {p}: R315" for p in PLAYERS) in mail.text


# ---- golden mails ---------------------------------------------------------------------------------------------------


def approved_game() -> Game:
    """The game of ``golden/game.txt``: a sensible one, up to a public company's turn in phase 3."""
    title = engine.load_title("1861")
    setup = engine.Setup(("Ann", "Bob", "Cat"), seed="a seed for tests", priority="Ann")
    text = (GOLDEN / "game.txt").read_text(encoding="utf-8")
    reading = grammar.read(text, vocabulary(title, setup.players))
    assert reading.errors == ()
    return engine.replay(title, setup, reading.orders)


def approved_mail(name: str) -> Rendered:
    game = approved_game()
    ask = game.asked()[0]
    about = info(game, ask.player)
    if name == "turn":
        return render.turn_mail(game, about, ask.player, len(game.orders) - 40)
    text = "lay 57 H8 1; lay 8 K9; token Q11\ntrain 8\npya full"
    reading = read(game, text, ask.actor)
    lines = []
    for given in reading.sections[0].orders:
        result = game.check(given.order)
        failures = result.failures if isinstance(result, engine.Refused) else ()
        lines.append(TranscriptLine(given.line, given.text, grammar.write(given.order), "refused", failures))
    written = text.split("\n")
    lines += [TranscriptLine(e.line, written[e.line - 1], None, "unreadable", unreadable=e) for e in reading.errors]
    transcript = Transcript("1861-7", ask.player, tuple(lines), (), 0, "unreadable", (), 143)
    return render.transcript_mail(game, about, transcript)


@pytest.mark.parametrize("name", ["turn", "transcript"])
def test_the_mail_is_as_approved(name: str) -> None:
    """``RAILPOST_APPROVE=1`` writes the mail anew; read the difference before it is kept."""
    mail = approved_mail(name)
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("RAILPOST_APPROVE"):
        path.write_text(mail.text, encoding="utf-8")
    assert mail.text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", ["turn", "news", "welcome"])
def test_the_first_mail_to_a_reader_has_a_screen_of_the_story(kind: str) -> None:
    """Reproduced: somebody who took a seat over got the story of the whole game as `since your last turn`."""
    game = played(140)
    seat = game.asked()[0].player
    for since, whole in ((0, True), (100, False)):
        if kind == "welcome":
            mail = render.welcome_mail(game, info(game, seat), seat)
        elif kind == "news":
            mail = render.news_mail(game, info(game, seat), seat, since)
        else:
            mail = render.turn_mail(game, info(game, seat), seat, since)
        text = mail.text.partition("\nWHAT HAPPENED")[2]
        story = text.partition("\n\n")[0]
        if whole:
            assert len(story) < 2600 and len(story.splitlines()) <= 45
            assert "`show history` sums up the rounds" in " ".join(text.split()) and "show history" in mail.html
            assert not story.startswith(" since your last turn")
        elif kind != "welcome":
            assert "show history" not in " ".join(text.split())
