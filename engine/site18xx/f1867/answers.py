"""Answers that 18xx.games does not record, in 1861 and its cousins."""

from __future__ import annotations

from engine.core.agenda import Ask
from engine.core.game import Game
from engine.core.ids import CompanyId, PlayerId
from engine.core.orders import Decline, Nationalise, Order, Take
from engine.families.f1867.stock.share_offers import OpenOffers
from engine.site18xx.f1867.formation import kept_markers

PASSES = ("stock.turn", "auction.open")
"""Questions that a player answers with a pass."""


def own_answer(game: Game, ask: Ask) -> Order | None:
    """The answer that does nothing, to a question that only cousins ask; None if there is none."""
    company = CompanyId(ask.actor)
    match ask.what:
        case "merger.turn":
            return Decline(company)
        case "offer.shares":
            return None if isinstance(game.state.top, OpenOffers) else Take(PlayerId(ask.actor), 0)
        case "nationalise":
            return Nationalise(company, False)
        case "merger.keep":
            return kept_markers(game, company, ())
    return None
