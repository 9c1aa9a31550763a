"""The block of an invitation to give orders ahead opens with one tap, in every mail that has one."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from urllib.parse import unquote

import pytest

import engine
from engine import Game, Setup
from engine.core.ids import PlayerId
from engine.robots import sensible
from grammar import read
from moderator import render
from moderator.domain.ahead.invitation import invitation
from moderator.domain.info import GameInfo
from moderator.domain.vocabulary import vocabulary
from moderator.words.links import LONGEST
from tests.kit.games.render_games import info

NAMES = ("Ann", "Bob", "Cat")
TITLES = ("1841", "1844", "1861", "1863", "1867")
_LINK = re.compile(r'href="(mailto:[^"]*)"[^>]*>Give th')


def begun(name: str) -> tuple[Game, PlayerId, GameInfo]:
    """A plain game in which somebody is invited, with him and what the service knows."""
    game = Game.start(engine.load_title(name), Setup(NAMES, seed="plain"))
    names = vocabulary(game.title, NAMES)
    while not game.finished:
        asked = {ask.player for ask in game.asked()}
        for player in (each for each in game.state.players if each not in asked):
            found = invitation(game, names, player)
            if found is not None:
                return game, player, replace(info(game, player), invitation=found)
        assert game.submit(sensible(game, game.asked()[0]))
    raise AssertionError("nobody is invited")


@pytest.mark.parametrize("name", TITLES)
def test_the_block_is_a_link_that_reads_as_the_same_orders(name: str) -> None:
    game, player, known = begun(name)
    for mail in (render.invitation_mail(game, known, player), render.news_mail(game, known, player, 0)):
        link = unescape(_LINK.findall(mail.html)[0])
        assert len(link) <= LONGEST
        to, _, fields = link.partition("?")
        assert unquote(to.removeprefix("mailto:")) == known.reply_to
        subject, _, body = fields.partition("&body=")
        assert unquote(subject) == f"subject=Re: {mail.subject}"
        sent = unquote(body).split("\r\n")
        shown = [line.removeprefix("| ") for line in mail.text.splitlines() if line.startswith("| ")]
        assert sent == [line for line in shown if line in sent] and len(sent) >= 3
        assert sent[0] == f"BEGIN {known.id} at {known.at}" and sent[-1] == "END"
        assert read("\n".join(sent[1:-1]), vocabulary(game.title, NAMES)).errors == ()


def test_there_is_no_link_without_an_address_or_to_a_block_that_is_too_long() -> None:
    game, player, known = begun("1861")
    assert "mailto:" not in render.invitation_mail(game, replace(known, reply_to=""), player).html
    assert known.invitation is not None
    long = replace(known, invitation=replace(known.invitation, lines=known.invitation.lines * 60))
    mail = render.invitation_mail(game, long, player)
    assert not _LINK.findall(mail.html) and mail.html.count(known.invitation.lines[0].splitlines()[0]) >= 60
