"""Render invitations to give orders ahead: a section of other mails, and a mail of its own."""

from __future__ import annotations

from engine.core.game import Game
from engine.core.ids import PlayerId
from moderator.domain.info import GameInfo
from moderator.render.facts import about_game
from moderator.render.mails import Rendered, rendered
from moderator.words.texts import words


def invitation_mail(game: Game, info: GameInfo, seat: PlayerId, language: str = "en") -> Rendered:
    """The mail to a player who is not asked when a round begins: what he will be asked in it, and how he may answer
    now."""
    own, game = words(language), game.seen_by(seat)
    subject = own.say("words", "subject.invited", info=info, title=game.title, round=game.state.round)
    return rendered(own, "invited", subject, about_game(own, game, info, seat) | {"questions": ()})
