"""Letters: what they tell is offered as an answer, orders nothing by itself, and is no guess."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path
from urllib.parse import unquote

import pytest

import engine
from engine import Game, Setup
from engine.core import decide as rules
from engine.core import orders as o
from engine.core.agenda import Range
from engine.robots import sensible
from grammar import write
from moderator.domain.advice.advice import meant_by
from moderator.domain.advice.dictation import dictated
from moderator.domain.vocabulary import vocabulary
from tests.kit.games.questions import Asked, asked, questions
from tests.kit.service.mail_service import Service
from tests.kit.service.position_game import begin_at
from tests.kit.titles import TITLES


def told(title: str, at: Asked, text: str) -> str:
    """The answer that is offered to the player who is asked there, for a letter."""
    loaded = engine.load_title(title)
    game = Game.resume(loaded, Setup(tuple(at.state.players)), (), at.state)
    _, found = meant_by(game, at.ask.player, text, vocabulary(loaded, at.state.players), message=False)
    return next(iter(found), "")


def legal(title: str, at: Asked) -> list[o.Order]:
    return [choice.sample(0) for choice in rules.menu(engine.load_title(title), at.state, at.ask)]


AROUND = ("{}", "Dear Railpost,\n\nthank you for your letter.\n{}\n\nWith kind regards\nBob")


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize(
    ("title", "what", "text", "orders"),
    [
        ("1861", "auction.bid", "I would like to bid thirty for the TSR.", "bid 30 on TSR"),
        ("1861", "auction.bid", "Bid 30 for me now, but I will not pay more than 45.", "bid 30; limit 45"),
        ("1861", "auction.bid", "I'm out.", "drop"),
        ("1863", "auction.bid", "That is too rich for me.", "drop"),
        ("1844", "auction.bid", "Please go on for me, but never above one hundred and five francs.", "limit 105"),
        ("1863", "auction.bid", "For Greathead I bid fifteen pounds, up to 25 at most.", "bid 15; limit 25"),
        ("1844", "stock.turn", "I should like to buy a share of FNM from the pool.", "buy FNM from pool"),
        ("1841", "stock.turn", "Let me start SFMA at a price of 100 lire.", "start SFMA at 100"),
        ("1844", "stock.turn", "Buy FNM from the pool. Auto pass.", "buy FNM from pool; pass until anybody acts"),
        ("1844", "stock.turn", "Buy FNM from the pool and auto pass.", "buy FNM from pool; pass until anybody acts"),
        (
            "1844",
            "stock.turn",
            "Buy FNM from the pool. If I am asked again, please pass.",
            "buy FNM from pool; pass until anybody acts",
        ),
        ("1867", "consent", "Yes, I gladly agree to that.", "agree merger NO, PM into CPR"),
    ],
)
def test_a_letter_is_offered_as_the_orders_that_it_tells(
    title: str, what: str, text: str, orders: str, around: str
) -> None:
    assert told(title, asked(title, what), around.format(text)) == orders


LETTER = """Dear Railpost,

please let {company} put tile number {tile} in {hex}, turned {turn}. After that its trains should run for the best
result, and everything is to be paid out to the shareholders. No new train this time, that will be all.

Kind regards
"""


def laid(title: str, at: Asked) -> o.Lay | None:
    """A lay of the company that is asked, after which its run is chosen in full."""
    game = Game.resume(engine.load_title(title), Setup(tuple(at.state.players)), (), at.state)
    for order in legal(title, at):
        trial = game.fork()
        if isinstance(order, o.Lay) and order.using is None and trial.submit(order):
            company = order.actor
            if trial.submit(o.RunBest(company)) and trial.submit(o.Pay(company, "full")):
                return order
    return None


@pytest.mark.parametrize("title", ["1861", "1844", "1841"])
def test_a_whole_turn_is_read_from_a_letter_or_dictated(title: str) -> None:
    at = asked(title, "company.turn", lambda one: laid(title, one) is not None)
    lay = laid(title, at)
    assert lay is not None
    facts = {"company": lay.actor, "tile": lay.tile, "hex": lay.hex, "turn": lay.rotation}
    wanted = (
        f"{lay.actor}: {write(lay, vocabulary(engine.load_title(title), at.state.players))}; run best; pay full; done"
    )
    assert told(title, at, LETTER.format(**facts)) == wanted
    spelled = " ".join(str(lay.actor).replace("-", ""))
    place = f"{lay.hex[0]} {lay.hex[1:]}"
    dictated = f"{spelled} lay tile {lay.tile} on {place} turned {lay.rotation} and then run the best route"
    assert told(title, at, f"{dictated} and then pay everything out and then done") == wanted


def test_sales_of_several_companies_are_one_order_where_a_title_sells_them_at_once() -> None:
    """1841 sells once in a turn; what may be bought then is paid with all of it."""

    def holds_two(one: Asked) -> bool:
        return len({order.company for order in legal("1841", one) if isinstance(order, o.Sell)}) > 1

    at = asked("1841", "stock.turn", holds_two)
    first, second = sorted({order.company for order in legal("1841", at) if isinstance(order, o.Sell)})[:2]
    said = f"sell one {' '.join(first)} and then sell one {' '.join(second)}"
    assert told("1841", at, said) == f"sell 1 {first}, 1 {second}"


def test_a_lay_that_may_be_several_is_not_guessed() -> None:
    """The tile fits in several turns, and the letter names none."""
    at = asked("1844", "company.turn")
    several = [one for one in legal("1844", at) if isinstance(one, o.Lay) and (one.tile, one.hex) == ("5", "G26")]
    assert len(several) > 1
    assert told("1844", at, "Please lay tile 5 in G26 and then run the best routes.") == ""
    assert told("1844", at, "Please lay tile 5 in G26, turned 5.") == "RhB: lay 5 G26 5"
    assert told("1844", at, "Please put tile 5 on G26, with one turn or so.") == ""
    assert told("1844", at, "Please put tile 5 on G26, that is in the east, with 5 turns.") == "RhB: lay 5 G26 5"


@pytest.mark.parametrize(
    "text",
    [
        "I do not want to buy a 2-train.",
        "We never buy a train at that price.",
        "N shall not buy the 2 train, I think.",
    ],
)
def test_a_refusal_is_never_offered_as_an_order(text: str) -> None:
    assert "train" not in told("1861", asked("1861", "company.turn"), text)


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("title", TITLES)
def test_whatever_is_offered_is_legal(title: str) -> None:
    """A letter of loose words at every kind of question of a game."""
    text = "Buy a train or a share, sell one, bid 30, start at 100, lay tile 8, run best, pay full, agree, join, done."
    seen, offered = set[str](), 0
    for at in questions(title):
        if at.ask.what in seen:
            continue
        seen.add(at.ask.what)
        line = told(title, at, text)
        game = Game.resume(engine.load_title(title), Setup(tuple(at.state.players)), (), at.state)
        for piece in filter(None, line.rpartition(": ")[2].split("; ")):
            offered += 1
            order = next(
                (one for one in _orders(game, at) if write(one, vocabulary(game.title, at.state.players)) == piece),
                None,
            )
            assert order is None or game.submit(order)
    assert seen


def _orders(game: Game, at: Asked) -> list[o.Order]:
    return [choice.sample(0) for choice in game.legal(at.ask.actor)]


@pytest.mark.parametrize(
    "text",
    [
        "Should I buy the 2-train?",
        "If Ann has a 2-train, buy a 2-train.",
        "Buy the 2-train unless it rusts soon.",
        "Either buy a 2-train or else nothing.",
    ],
)
def test_questions_and_conditions_are_no_orders(text: str) -> None:
    assert told("1861", asked("1861", "company.turn"), text) == ""


def test_full_names_are_understood() -> None:
    at = asked("1867", "stock.turn", lambda one: any(line == "buy GWR from treasury" for line in lines("1867", one)))
    assert told("1867", at, "I should like to buy one share of the Great Western Railway from its treasury.") == (
        "buy GWR from treasury"
    )


def lines(title: str, at: Asked) -> list[str]:
    return [write(one, vocabulary(engine.load_title(title), at.state.players)) for one in legal(title, at)]


def test_a_letter_by_mail_orders_nothing_and_is_one_tap_from_its_orders(tmp_path: Path) -> None:
    service = Service.open(tmp_path)
    at = asked("1844", "company.turn")
    name = begin_at(service, "1844", at.state)
    before = len(service.position(name).orders)
    text = (
        "Dear Railpost,\n\nplease let the RhB lay tile number five in G 26, turned 5. That will be all.\n\nYours\nAnn"
    )
    letter = service.say(str(at.ask.player), text)
    assert letter is not None
    said = " ".join(letter.text.split())
    assert (
        "Your letter seems to say: `RhB: lay 5 G26 5; done`. If that is what you mean, answer with just that." in said
    )
    assert "NOT READABLE" not in said and "| RhB: lay 5 G26 5; done or" in said
    assert len(service.position(name).orders) == before
    links = re.findall(r'href="mailto:[^"]*body=([^"]*)"', letter.html)
    assert "RhB: lay 5 G26 5; done" in [unquote(link) for link in links]
    answer = service.say(str(at.ask.player), "RhB: lay 5 G26 5; done")
    assert answer is not None and len(service.position(name).orders) > before


def test_a_sale_of_all_shares_is_offered_with_their_number() -> None:
    """`sell all NW` was offered as a sale of one."""
    game = Game.start(engine.load_title("1861"), Setup(("Ann", "Bob", "Cat"), seed="plain"))
    while True:
        ask = game.asked()[0]
        sales = [
            c for c in game.legal(ask.actor) if isinstance(c.order, o.Sell) and isinstance(c, Range) and c.high > 1
        ]
        if ask.what == "stock.turn" and sales:
            break
        assert game.submit(sensible(game, ask))
    company, most = sales[0].order.company, sales[0].high  # type: ignore[union-attr]
    names = vocabulary(game.title, game.state.players)
    _, found = meant_by(game, ask.player, f"I will sell all {company}.", names, message=False)
    assert next(iter(found)) == f"sell {most} {company}"


def left_out(title: str, at: Asked, text: str) -> tuple[str, tuple[str, ...]]:
    """The orders that are offered for a letter, and the parts of it that they leave out."""
    loaded = engine.load_title(title)
    game = Game.resume(loaded, Setup(tuple(at.state.players)), (), at.state)
    notes, _ = meant_by(game, at.ask.player, text, vocabulary(loaded, at.state.players), message=False)
    return next(((str(facts["order"]), tuple(facts["left"])) for key, facts in notes if key == "letter"), ("", ()))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("title", "text", "orders", "left"),
    [
        (
            "1844", "RhB lays tile 5 in G26, turned 5.\nWhen STB operates, it keeps the money.",
            "RhB: lay 5 G26 5", ("When STB operates, it keeps the money",),
        ),
        ("1844", "RhB lays tile 5 in G26 turned 5, and I keep two shares of STB for later.", "", ()),
        (
            "1844", "RhB lays tile 5 in G26, turned 5. It places no marker. That would be all.",
            "RhB: lay 5 G26 5; done", (),
        ),
        (
            "1844",
            "the directors of the RhB have decided to let it lay the yellow tile\nnumber 5 in G26 this time, turned 5.",
            "RhB: lay 5 G26 5", (),
        ),
        (
            "1844", "RhB lays tile #5 with rotation 5 on G26 (no upgrade)\nRhB is done for this turn",
            "RhB: lay 5 G26 5; done", (),
        ),
        ("1844", "rhb lays tile five in g twenty six turned five done", "RhB: lay 5 G26 5; done", ()),
    ],
)  # fmt: skip
def test_an_offer_tells_what_of_the_letter_it_leaves_out(
    title: str, text: str, orders: str, left: tuple[str, ...]
) -> None:
    assert left_out(title, asked(title, "company.turn"), text) == (orders, left)


def test_the_parts_that_an_offer_leaves_out_are_named_in_the_answer(tmp_path: Path) -> None:
    service = Service.open(tmp_path)
    at = asked("1844", "company.turn")
    begin_at(service, "1844", at.state)
    letter = service.say(str(at.ask.player), "RhB lays tile 5 in G26, turned 5. STB then runs for the best income.")
    assert letter is not None
    said = " ".join(letter.text.split())
    assert "`RhB: lay 5 G26 5`. This leaves out: “STB then runs for the best income”." in said
    assert "Add what is missing, or answer with just that. Nothing has been carried out." in said


def test_both_shares_are_two() -> None:
    """A letter that sold both shares was offered the sale of one."""
    at = asked("1867", "stock.turn", lambda one: any(line.startswith("sell 2 ") for line in ends("1867", one)))
    company = next(line for line in ends("1867", at) if line.startswith("sell 2 ")).split()[-1]
    assert told("1867", at, f"I should like to sell both of my {company} shares.") == f"sell 2 {company}"


def ends(title: str, at: Asked) -> list[str]:
    """The orders of the menu with the second of the numbers that each may have."""
    loaded = engine.load_title(title)
    menu = rules.menu(loaded, at.state, at.ask)
    return [write(one.sample(1), vocabulary(loaded, at.state.players)) for one in menu if isinstance(one, Range)]


def test_sides_tell_the_turn_of_a_tile() -> None:
    """Each lay whose sides no other turn of the tile joins there is found from the names of its sides."""
    words = {"N": "north", "S": "south", "NE": "north-east", "NW": "northwest", "SE": "south east", "SW": "south-west"}
    title, seen = engine.load_title("1861"), 0
    for at in islice((one for one in questions("1861") if one.ask.what == "company.turn"), 3):
        names = vocabulary(title, at.state.players)
        lays = [order for order in legal("1861", at) if isinstance(order, o.Lay) and order.tile in names.tiles]
        joined = {lay: {names.edges[(edge + lay.rotation) % 6] for edge in names.tiles[lay.tile]} for lay in lays}
        for lay in lays[:20]:
            alike = [one for one in lays if (one.hex, one.tile) == (lay.hex, lay.tile) and joined[lay] <= joined[one]]
            if len(alike) > 1 or len(joined[lay]) == 6:
                continue
            sides = " and ".join(words[side] for side in sorted(joined[lay]))
            text = f"Please let {at.ask.actor} lay tile {lay.tile} in {lay.hex} so that it joins {sides}."
            assert told("1861", at, text) == f"{at.ask.actor}: {write(lay, names)}"
            seen += 1
    assert seen > 3


def test_an_article_before_a_train_is_no_hex() -> None:
    names = vocabulary(engine.load_title("1841"), ("Ann", "Bob"))
    assert dictated("CFCC runs a 5 train to a 5", names) == "CFCC runs a 5 train to A5"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("I stay in the bidding as long as it costs no more than 45 roubles. If it goes higher, I drop out.", ()),
        ("I go up to 45 roubles. The route to Moscow pays.", ("The route to Moscow pays",)),
    ],
)
def test_what_a_limit_says_is_not_left_out(text: str, left: tuple[str, ...]) -> None:
    assert left_out("1861", asked("1861", "auction.bid"), text) == ("limit 45", left)
