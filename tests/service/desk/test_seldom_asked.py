"""Rare questions, answered by taps on a telephone: consents, mergers, nationalisations and offers, in positions of
games of chance. The service does with the mail as the page foretold."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

import engine
from engine import Game, Setup
from engine.core.agenda import Ask
from engine.core.events import LotDrawn
from engine.core.orders import Order
from engine.robots import random_order, sensible
from engine.steps.consent import Consent
from tests.kit.browser.desk import PATIENCE, OpenDesk, desk_in
from tests.kit.browser.desk_memory import Memory
from tests.kit.browser.desk_table import Table
from tests.kit.browser.finger import Finger, foretold, shows
from tests.kit.browser.pages import PHONE
from tests.kit.samples import sampled
from tests.kit.service.mail_service import Service
from tests.kit.service.position_game import begin_at

GAMES = 30
"""The most games that are played in search of the questions."""
LONG = 900
"""The most orders of one."""
SURE = 0.6
"""The part of the orders that the plain player gives; chance gives the others."""
SEED = "e"
CONSENTS = [
    f"{answer} {subject}"
    for answer in ("Agree", "Refuse", "asks")
    for subject in ("TrainSale", "PrivateSale")
]  # fmt: skip
MERGERS = ["Agree Merger", "Refuse Merger", "asks Merger"]
AGREED = "1841 merger_consent"
"""1841 with the ruling by which the other president must agree to a merger."""
NEEDED = {
    "1841": [
        *CONSENTS, *(f"{answer} ShareSale" for answer in ("Agree", "Refuse", "asks")), "company.turn Merge",
        "company.turn Convert", "merger.exchange Exchange", "merger.keep Keep", "offer.shares Take", "discard Discard",
        "secession.part Prefer", "tokens.number Tokens", "company.help Sell",
    ],
    AGREED: MERGERS,
    "1861": [
        *CONSENTS, *MERGERS, "merger.turn Merge", "merger.turn Convert", "merger.turn Decline", "merger.keep Keep",
        "nationalise Nationalise", "announce Pass", "offer.shares Take",
    ],
    "1867": [
        *CONSENTS, *MERGERS, "merger.turn Merge", "merger.turn Convert", "merger.turn Decline", "merger.keep Keep",
        "nationalise Nationalise", "offer.shares Take",
    ],
    "1863": [*MERGERS, "merger.turn Convert", "bill.crisis Crisis", "halves.share Exchange"],
    "1844": ["Agree TrainSale", "Refuse TrainSale", "asks TrainSale", "discard Discard"],
}  # fmt: skip
"""Title and ruling -> the questions with their answers, of which each must be found and tapped. ``asks``: the order by
which a player asks another one for consent."""


@dataclass(frozen=True)
class Moment:
    """An order that may be given in a position. ``kind``: as in ``NEEDED``."""

    kind: str
    game: Game
    ask: Ask
    order: Order
    after: Game


def kind_of(before: Game, ask: Ask, order: Order, after: Game) -> str:
    for game, word in ((before, type(order).__name__), (after, "asks")):
        top = None if game.finished else game.state.top
        if isinstance(top, Consent):
            return f"{word} {type(top.subject).__name__}"
    return f"{ask.what} {type(order).__name__}"


def moment(game: Game, ask: Ask, order: Order) -> Moment:
    after = game.fork()
    after.submit(order)
    return Moment(kind_of(game, ask, order, after), game.fork(), ask, order, after)


def moments(row: str, title: str, options: dict[str, str]) -> dict[str, Moment]:
    """The first moment of each kind that is needed for a row of ``NEEDED``."""
    found = dict[str, Moment]()
    for number in range(GAMES):
        chance = random.Random(f"{title}{number}{SEED}")
        game = Game.start(
            engine.load_title(title, options=options), Setup(("Ann", "Bob", "Cat"), seed=f"{SEED}{number}")
        )
        while not game.finished and len(game.orders) < LONG and not set(NEEDED[row]) <= found.keys():
            ask = game.asked()[0]
            order = sensible(game, ask) if chance.random() < SURE else random_order(game, ask, chance)
            consent = isinstance(game.state.top, Consent)
            for each in [choice.sample() for choice in game.legal(ask.actor)] if consent else [order]:
                one = moment(game, ask, each)
                found.setdefault(one.kind, one)
            game.submit(order)
    return {kind: one for kind, one in found.items() if kind in NEEDED[row]}


def tapped(desk: OpenDesk, table: Table, one: Moment) -> bool:
    """Give the order by taps, send the mail, and hold the game against what the page has foretold. False where it
    cannot be held: a lot was drawn, or more followed of itself."""
    before = table.game
    ask = next(ask for ask in before.asked() if ask.actor == one.ask.actor)
    desk.follow(table.link(ask).partition("#")[2])
    expect(desk.find("#round")).to_contain_text(f"{ask.player}: ", timeout=PATIENCE)
    assert desk.page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0
    if one.kind.partition(" ")[0] in ("Agree", "Refuse"):
        assert desk.find("#asked button").count() == 2, "each answer is there once"
    finger = Finger(desk, before)
    finger.give(one.order)
    expect(desk.find("#given li.own")).to_have_count(1)
    if ask.player not in [each.player for each in finger.game.asked()]:
        expect(desk.find("#asked")).to_contain_text("Your turn is over")
    shows(desk, foretold(finger.game, ask.player))
    carried = table.carries_out(desk, ask)
    assert carried
    if len(carried) > 1 or any(isinstance(event, LotDrawn) for event in finger.events):
        return False
    assert table.game.told_digest() == finger.game.told_digest(), one.kind
    return True


@pytest.mark.parametrize("row", sampled(NEEDED, ["1861"]))
def test_what_is_seldom_asked_is_carried_out_as_foretold(
    browser: Browser, url: str, memory: Memory, row: str, tmp_path: Path
) -> None:
    title, _, ruling = row.partition(" ")
    options = {ruling: "yes"} if ruling else {}
    found = moments(row, title, options)
    assert found.keys() == set(NEEDED[row])
    held = 0
    with desk_in(browser, PHONE, memory=memory) as desk:
        desk.open(url, "There is no position here yet.")
        service = Service.open(tmp_path)
        for kind in NEEDED[row]:
            name = begin_at(service, title, found[kind].game.state, options)
            held += tapped(desk, Table(service, name, url), found[kind])
    assert held > len(found) * 2 // 3, "few positions were held against what the page had foretold"
