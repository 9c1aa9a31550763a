"""`take 1` behind a conversion or a merger in one mail: it is used at the offer, at once or later."""

from __future__ import annotations

from pathlib import Path

import pytest

import engine
from engine import Game, Setup
from engine.core import orders as o
from engine.core.ids import CompanyId
from engine.holders.ledger import shares
from engine.robots import sensible
from grammar import write
from moderator.domain.vocabulary import vocabulary
from tests.kit.service.mail_service import Service
from tests.kit.service.position_game import begin_at


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service.open(tmp_path)


def merging(kind: type[o.Convert] | type[o.Merge], *, consent: bool) -> tuple[Game, o.Convert | o.Merge]:
    """A plain game of 1867 whose player may convert, or merge, so that nobody, or somebody else, must agree."""
    game = Game.start(engine.load_title("1867"), Setup(("Ann", "Bob", "Cat"), seed="plain"))
    while not game.finished:
        ask = game.asked()[0]
        for choice in game.legal(ask.actor) if ask.what == "merger.turn" else ():
            trial, order = game.fork(), choice.order
            if not isinstance(order, kind) or not trial.submit(order):
                continue
            if consent == (trial.asked()[0].what == "consent") and _is_offered(trial, ask.player):
                return game, order
        assert game.submit(sensible(game, ask))
    raise AssertionError("no such moment")


def _is_offered(trial: Game, player: str) -> bool:
    """True if ``player`` is asked for shares once all agree and the others take one each."""
    while (ask := trial.asked()[0]).what in ("consent", "offer.shares"):
        if ask.what == "offer.shares" and ask.player == player:
            return True
        agree = [c.order for c in trial.legal(ask.actor) if isinstance(c.order, o.Agree)]
        if not trial.submit(agree[0] if agree else o.Take(ask.player, 1)):
            return False
    return False


def say(service: Service, game: Game, order: o.Convert | o.Merge) -> str:
    """Begin there and send the order with `take 1` behind it; returns the answer in one line."""
    player, company = game.asked()[0].player, game.asked()[0].actor
    service.say(player, f"{company}: {write(order, vocabulary(game.title))}; take 1")
    service.run()
    answer = next(letter for letter in reversed(service.letters(player)) if "take 1" in letter.text)
    return " ".join(answer.text.split())


def test_a_share_is_taken_at_once_and_nothing_says_that_it_was_kept(service: Service) -> None:
    at, order = merging(o.Convert, consent=False)
    player = at.asked()[0].player
    game = begin_at(service, "1867", at.state)
    text = say(service, at, order)
    assert f"{player} bought 1 share of {order.into}" in text
    assert f"carried out, read as `take 1 of {order.into}`" in text
    assert [state for *_, state in service.held(game)] == ["used"]
    assert "Kept for" not in text and "kept for" not in text


def test_a_share_is_kept_until_the_others_have_agreed_and_then_taken(service: Service) -> None:
    at, order = merging(o.Merge, consent=True)
    player, into = at.asked()[0].player, CompanyId(order.into)
    game = begin_at(service, "1867", at.state)
    text = say(service, at, order)
    assert [state for *_, state in service.held(game)] == ["waiting"], text
    assert f"Kept for the offer of {into}'s shares: `{player}: take 1 of {into}`." in text
    while (now := service.position(game)).asked()[0].what == "consent":
        service.say(now.asked()[0].player, f"{now.asked()[0].actor}: agree")
        service.run()
    while (now := service.position(game)).asked()[0].what == "offer.shares" and service.held(game)[0][2] == "waiting":
        service.say(now.asked()[0].player, "take 1")
        service.run()
    assert [state for *_, state in service.held(game)] == ["used"]
    after = service.position(game)
    assert shares(after.title, after.state, player, into) == 2, "one for his minor, and the one that he took"
