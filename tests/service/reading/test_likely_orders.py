"""Orders in a newcomer's own words: each proposal is legal, and the likeliest legal order is named."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path

import pytest

import engine
from engine import Game, Setup
from engine.core import orders as o
from engine.core.decide import asked as asked_first
from engine.core.ids import CompanyId
from engine.robots import sensible
from engine.titles.t1863.money.crisis import Bill
from engine.titles.t1863.turn.company_turn import TURNS
from grammar import read
from moderator.domain.advice.advice import advised, meant_by
from moderator.domain.asks import asks_of
from moderator.domain.block import Block, play_block
from moderator.domain.fork import Fork
from moderator.domain.transcript import Transcript
from moderator.domain.vocabulary import vocabulary
from tests.kit.games.questions import Asked, asked, questions
from tests.kit.games.situations_1863 import situation, tube
from tests.kit.service.mail_service import Service
from tests.kit.service.position_game import begin_at
from tests.kit.titles import TITLES


def answer(root: Path, title: str, at: Asked, text: str) -> str:
    """The answer to the player who is asked there, without line breaks."""
    service = Service.open(root)
    begin_at(service, title, at.state)
    letter = service.say(str(at.ask.player), text)
    assert letter is not None
    return " ".join(letter.text.split())


@pytest.mark.parametrize(
    ("title", "what", "text", "order"),
    [
        ("1844", "par", "par 80", "start FNM at 80"),
        ("1844", "par", "start at 80", "start FNM at 80"),
        ("1867", "offer.shares", "buy 2", "take 2"),
        ("1867", "merger.turn", "convert BO to CPR", "convert to CPR"),
        ("1867", "merger.turn", "decline BO", "decline"),
        ("1863", "floating.float", "start at 80", "float MET as minor at 80 tokens 1"),
        ("1863", "company.dividend", "pay 0", "dividend 0"),
    ],
)
def test_a_line_that_has_all_words_of_one_legal_order_is_written_as_that(
    tmp_path: Path, title: str, what: str, text: str, order: str
) -> None:
    assert f"Write it as `{order}`." in answer(tmp_path, title, asked(title, what), text)


@pytest.mark.parametrize(
    ("title", "what", "text", "order"),
    [
        ("1867", "auction.bid", "I go to 40", "bid 40"),
        ("1867", "consent", "ja, einverstanden", "agree merger NO, PM into CPR"),
        ("1867", "consent", "ok", "agree merger NO, PM into CPR"),
        ("1863", "floating.float", "par 80", "float MET as minor at 80 tokens 1"),
    ],
)
def test_a_message_that_has_all_words_of_one_legal_order_leads_to_it_and_orders_nothing(
    tmp_path: Path, title: str, what: str, text: str, order: str
) -> None:
    at = asked(title, what)
    said = answer(tmp_path, title, at, text)
    assert f"If you mean `{order}`, answer with just that. This looks like a message" in said
    assert "carried out" not in said


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("Buy 1 share of {company} from the treasury for {price}", True),
        ("I'll buy a {company} share", True),
        ("buy 2 shares of {company} at {price} each", True),
        ("buy 1 share of {company} from its treasury for 1", False),
        ("bought 1 share of {company}", False),
        ("buy 1 share of {other}", False),
    ],
)
def test_a_purchase_of_the_shares_that_are_offered_takes_them_if_the_sum_is_right(
    tmp_path: Path, text: str, taken: bool
) -> None:
    at = asked("1867", "offer.shares")
    company, price = at.ask.about
    said = answer(tmp_path, "1867", at, text.format(company=company, price=price, other="GTR"))
    assert company != "GTR" and ("1> take" in said and "bought" in said and f"of {company} from" in said) == taken


@pytest.mark.parametrize(("sum", "bought"), [("L. 100", True), ("L100", True), ("L. 150", False)])
def test_tokens_are_bought_for_a_sum_only_if_it_is_right(tmp_path: Path, sum: str, bought: bool) -> None:
    at = asked("1841", "founding.tokens")
    said = answer(tmp_path, "1841", at, f"{str(at.ask.actor).lower()} buys 2 tokens for {sum}")
    assert ("1> tokens 2 carried out" in said) == bought, said


@pytest.mark.parametrize("text", ["liquidate", "I choose liquidation: liquidate", "help to the company"])
def test_a_company_in_a_crisis_may_be_named_with_one_word(tmp_path: Path, text: str) -> None:
    london = situation(
        tube("MET", "Ann", 100, minor=True, loans=2, cash=10), tube("UER", "Cat", 100, markers=""), rate=15
    )
    london.frames(TURNS.begin(CompanyId("UER")), Bill(CompanyId("MET"), "costs"))
    way = "help" if "help" in text else "liquidate"
    at = Asked(london.state, asked_first(london.title, london.state)[0])
    assert f"If you mean `MET: crisis {way}`, answer with just that." in answer(tmp_path, "1863", at, text)


@pytest.mark.parametrize(
    ("title", "what", "text", "right"),
    [
        ("1844", "stock.turn", "buy B1", "| buy B1 in H7 with panel 10/20/50/80 or | buy B1 in H7"),
        ("1844", "stock.turn", "buy RhB share from initial offering", "| buy FNM from ipo or | buy FNM from pool"),
        ("1844", "stock.turn", "buy SBB", "| buy FNM from ipo or | buy FNM from pool"),
        ("1844", "stock.turn", "sell 3 FNM", "| pass or | buy FNM from ipo"),
        ("1863", "privates.open", "open Thames Tunnel at 20", "| open GRE 20 or | open ARD 20"),
        ("1867", "merger.turn", "convert N to NW", "| BO: convert to CNR or | BO: convert to CPR"),
        ("1867", "auction.bid", "bid 22", "| bid 25"),
        ("1867", "auction.bid", "raise 20", "| bid 25 or | drop"),
        ("1861", "auction.open", "bid 30", "| open TSR 30"),
    ],
)
def test_what_cannot_be_done_leads_to_what_can_be_done_instead(
    tmp_path: Path, title: str, what: str, text: str, right: str
) -> None:
    said = answer(tmp_path, title, asked(title, what), text)
    assert f"without the bars: {right}" in said
    assert "Write it as" not in said and "If you mean" not in said


def test_a_refusal_within_a_turn_names_what_is_legal_there(tmp_path: Path) -> None:
    """An order that could be sent alone would leave out the orders before it."""

    def rich(at: Asked) -> bool:
        trains = at.state.companies[at.ask.actor].trains  # type: ignore[index]
        return at.ask.about[1] == "redeem" and bool(trains) and at.state.money(at.ask.actor) > 250

    said = answer(tmp_path, "1861", asked("1861", "company.turn", rich), "run best; pay none; train 8; done")
    assert "Legal here: `train " in said and "without the bars" not in said


_NATURAL = (
    "yes", "no", "ok", "pass please", "raise to 40", "bid 7", "buy 4", "take 3", "decline N", "convert to NW",
    "merge N", "open TSR at 3", "start at 80", "par 80", "buy a share", "sell 3", "sell 9 NW", "pay nothing",
    "pay all", "train 5", "buy a 2-train from the bank", "lay 8", "token", "run", "with 2 markers", "liquidate",
    "help", "dividend 7", "loan 3", "buy B1", "float MET", "limit", "plan", "nationalise", "exchange", "discard",
    "agree", "refuse it", "done now",
)  # fmt: skip


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("title", TITLES)
def test_every_proposal_is_legal_for_its_reader(title: str) -> None:
    loaded = engine.load_title(title)
    game = Game.start(loaded, Setup(("Ann", "Bob", "Cat"), seed="plain", priority="Ann"))
    proposed, whats = 0, dict[str, int]()
    for at in islice(questions(title), 400):
        whats[at.ask.what] = whats.get(at.ask.what, 0) + 1
        if whats[at.ask.what] not in (1, 40):
            continue
        game.state = at.state
        for text in _NATURAL:
            proposed += _checked(game, str(at.ask.player), text, at)
    assert proposed > 100


def _checked(game: Game, player: str, text: str, at: Asked) -> int:
    """Play all that is proposed for ``text``. Returns its number."""
    names = vocabulary(game.title, ("Ann", "Bob", "Cat"))
    default = at.ask.actor if len(asks_of(game, player)) == 1 else None
    reading, fork = read(text, names, default_actor=default), Fork(game)
    block = play_block(fork, player, reading, text, partial=False)
    told = Transcript("1", player, tuple(block.lines), (), 0, "", (), 0)
    told = advised(fork, player, told, names)
    likely = (*told.likely, *meant_by(game, player, text, names)[1])
    whole = [one.strip("`") for line in told.lines if line.unreadable is not None for one in line.unreadable.whole]
    for proposal in (*likely, *whole):
        tries = (proposal, *(f"{before}; {proposal}" for before in _STEPS if before and proposal in whole))
        assert any(_stands(game, player, one, at) for one in tries), (at.ask, text, proposal)
    return len(likely) + len(whole)


@pytest.mark.parametrize(("title", "into"), [("1867", "CPR"), ("1861", "NW")])
def test_a_share_taken_after_a_conversion_in_the_same_mail_is_kept_for_the_offer(title: str, into: str) -> None:
    at = asked(title, "merger.turn")
    block = _played(title, at, f"convert to {into}; take 1")
    assert [(line.canonical, line.verdict) for line in block.lines] == [
        (f"convert to {into}", "accepted"),
        (f"take 1 of {into}", "held"),
    ]


def test_orders_on_one_line_are_told_as_they_stand() -> None:
    block = _played("1867", asked("1867", "merger.turn"), "convert to CPR; frobnicate; decline")
    columns = [line.column for line in block.lines]
    assert len(columns) > 1 and columns == sorted(set(columns))


def _played(title: str, at: Asked, text: str) -> Block:
    game = Game.start(engine.load_title(title), Setup(("Ann", "Bob", "Cat"), seed="plain", priority="Ann"))
    game.state = at.state
    reading = read(text, vocabulary(game.title, ("Ann", "Bob", "Cat")), default_actor=at.ask.actor)
    return play_block(Fork(game), str(at.ask.player), reading, text, partial=False)


_STEPS = tuple(
    f"{run}{pay}".strip("; ")
    for run in ("", "run best; ")
    for pay in ("pay full", "pay half", "pay none", "dividend 0", "")
)
"""Orders that may come before a later step of a company's turn."""


def _stands(game: Game, player: str, text: str, at: Asked) -> bool:
    """True if ``text`` is accepted, or is a word for the moderator or an order to be kept, with a value missing."""
    again = read(text, vocabulary(game.title, ("Ann", "Bob", "Cat")), default_actor=at.ask.actor)
    if again.errors:
        return text.startswith(("limit ", "plan ", "show ", "help ", "pass until ", "buy ")) and text != text.lower()
    return bool(again.words) or play_block(Fork(game), player, again, text, partial=False).stands


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("lay {tile} {hex} xx; run best; pay full; done", "run best; pay full; done"),
        ("lay {tile} {hex} {turn}\nrun beest\npay full\ndone", "run best; pay full; done"),
        ("lay 9999 {hex} {turn}\nrun best\npay none\ndone", "run best; pay none; done"),
        ("lay {tile} {hex} {turn}\nrun beest", "run best"),
    ],
)
def test_a_mail_of_which_a_line_could_not_be_read_is_shown_with_that_line_repaired(
    tmp_path: Path, text: str, right: str
) -> None:
    """Reproduced: the examples below such a mail were turns that had nothing of what it said."""
    game = Game.start(engine.load_title("1844"), Setup(("Ann", "Bob", "Cat"), seed="lays"))
    while not (
        any(isinstance(c.order, o.RunBest) for c in game.legal(game.asked()[0].actor))
        and (lays := [c.order for c in game.legal(game.asked()[0].actor) if isinstance(c.order, o.Lay)])
    ):
        assert game.submit(sensible(game, game.asked()[0]))
    ask, lay = game.asked()[0], lays[0]
    said = text.format(tile=lay.tile, hex=lay.hex, turn=lay.rotation)
    told = answer(tmp_path, "1844", Asked(game.state, ask), f"{ask.actor}:\n{said}")
    (whole,) = re.findall(rf"without the bars: \| ({ask.actor}: lay \S+ {lay.hex} \d; {right})(?: or|$)", told)
    names = vocabulary(game.title)
    for order in read(whole, names).orders:
        assert game.submit(order)


@pytest.mark.parametrize(
    ("title", "text", "why"),
    [
        ("1844", "merge NOB", None),
        ("1861", "merge", "does not answer what is asked now"),
    ],
)
def test_an_order_that_would_be_refused_even_without_its_slip_is_told_why(
    tmp_path: Path, title: str, text: str, why: str | None
) -> None:
    said = answer(tmp_path, title, asked(title, "stock.turn"), text)
    reason = said.partition("Without that mistake it would be refused: ")[2]
    assert (why in reason) if why else not reason
