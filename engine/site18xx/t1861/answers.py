"""Answers of 1861 that 18xx.games does not record."""

from __future__ import annotations

from typing import Final

from engine.core.agenda import Ask
from engine.core.game import Game
from engine.core.ids import CompanyId, PlayerId
from engine.core.orders import Decline, Nationalise, Order, Run, Take
from engine.families.f1867.stock.share_offers import OpenOffers
from engine.site18xx.answers import EmptyAnswers
from engine.site18xx.t1861.formation import kept_markers


def _own_answer(game: Game, ask: Ask) -> Order | None:
    company = CompanyId(ask.actor)
    match ask.what:
        case "merger.turn":
            return Decline(company)
        case "offer.shares":
            return None if isinstance(game.state.top, OpenOffers) else Take(PlayerId(ask.actor), 0)
        case "nationalise":
            return Nationalise(company, False)
        case "state_railway.run":
            return Run(company, ())
        case "merger.keep":
            return kept_markers(game, company, ())
    return None


empty_answer: Final = EmptyAnswers(passes=("stock.turn", "auction.open"), other=_own_answer)
