"""The questions that a seat is asked now, with all legal answers, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.core import orders as o
from engine.core.agenda import Ask, Menu
from engine.core.game import Game
from engine.core.ids import HexId, PlayerId
from engine.sensible import FOR
from moderator.words.question import lots, menu, passing
from moderator.words.question.answers import Answer, answers
from moderator.words.question.costs import costs
from moderator.words.question.gains import gains
from moderator.words.question.later import later
from moderator.words.question.loan_terms import loan_terms
from moderator.words.question.train_duty import train_duty
from moderator.words.question.trains_ahead import trains_ahead, trains_on_loan
from moderator.words.question.with_sales import with_sales
from moderator.words.texts import Words
from moderator.words.wording import describe_question, describe_subject, subject_of

_OF_SHARES: Final = (
    o.Buy, o.BuyFrom, o.Sell, o.SellGroup, o.Short, o.HalfShort, o.Transfer, o.Take, o.Redeem, o.Exchange, o.Prefer,
    o.OfferAgain, o.Convert, o.Merge, o.Nationalise, o.Refinance, o.Crisis,
)  # fmt: skip
"""Kinds of orders that move shares."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question that a seat is asked now, with all legal answers."""

    ask: Ask
    legal: Menu
    text: str
    groups: tuple[menu.Group, ...]
    answers: tuple[Answer, ...]
    lots: tuple[str, ...] = ()
    """A description of each lot on offer, one on a line."""
    passing: str = ""
    """The consequences of a pass; "" if none is worth telling."""
    later: str = ""
    """A text on the rest of the turn, which the menu does not show yet; "" if there is none."""

    paying: str = ""
    """The price of each train and marker in the answers, with the loans and the money of the director that it needs."""
    gain: str = ""
    """The best run after the lays and markers of the answers; "" if no answer has both."""
    subject: str = ""
    """The subject of the consent that the player is asked for; "" if there is none."""

    @property
    def optional(self) -> bool:
        """True if the question goes with another one of the player's, which may be answered instead."""
        return self.ask.what.endswith(FOR)

    @property
    def about_shares(self) -> bool:
        """True if an answer would move shares, so that its reader needs to see who holds which."""
        orders = [choice.order for choice in self.legal]
        subjects = [order.subject for order in orders if isinstance(order, o.Agree)]
        return any(isinstance(order, _OF_SHARES) for order in orders) or any(
            isinstance(subject, o.ShareSale | o.Merger) for subject in subjects
        )

    @property
    def built(self) -> frozenset[HexId]:
        """The hexes of the lays in the menu."""
        return frozenset(choice.order.hex for choice in self.legal if isinstance(choice.order, o.Lay))

    @property
    def beside_answers(self) -> tuple[menu.Group, ...]:
        """The groups that say more than the answers do."""
        shown = {answer.text for answer in self.answers}
        return tuple(group for group in self.groups if not group.is_plain_in(shown))


def questions(own: Words, game: Game, seat: PlayerId, *, timed: bool = False) -> tuple[Question, ...]:
    """All questions that ``seat`` is asked now. ``timed``: a deadline runs."""
    asks = [ask for ask in game.asked() if ask.player == seat]
    found: list[Question] = []
    for ask in asks:
        again = any(other.ask.what == ask.what for other in found)
        legal = game.legal(ask.actor)
        subject = subject_of(legal)
        given = answers(game, ask, legal, alone=len(asks) == 1)
        found.append(
            Question(
                ask,
                legal,
                describe_question(game, ask, legal, own.language, timed=timed, again=again),
                tuple(menu.groups(own, game.title, game.state, legal)),
                given,
                lots.lots(own, game.title, game.state, ask, legal),
                passing.pass_cost(own, game.title, game.state, ask, legal),
                _later(own, game, ask, legal),
                costs(own, game, legal, given),
                gains(own, game, ask, given),
                describe_subject(game.title, subject, own.language, ask.actor) if subject is not None else "",
            )
        )
    return tuple(found)


def _later(own: Words, game: Game, ask: Ask, legal: Menu) -> str:
    told = later(own, game.title, game.state, ask, legal)
    title, state = game.title, game.state
    more = (tell(own, title, state, ask, legal) for tell in (train_duty, trains_ahead, trains_on_loan, loan_terms))
    return " ".join(filter(None, (told, *more, with_sales(own, game, ask, legal))))


_SUGGESTED: Final = 3
"""The maximum number of answers that a reader is shown who was not understood."""


def suggested(
    game: Game, seat: PlayerId, likely: Sequence[str] = (), *, alone: bool = False
) -> tuple[tuple[str, ...], ...]:
    """The lines of legal answers: the ``likely`` ones, then, unless these stand ``alone``, answers to the first
    question that ``seat`` is asked now; none if it is asked nothing."""
    first = [tuple(text.split("\n")) for text in likely]
    if alone:
        return tuple(first)
    asks = [ask for ask in game.asked() if ask.player == seat]
    found = answers(game, asks[0], game.legal(asks[0].actor), alone=len(asks) == 1) if asks else ()
    return tuple(dict.fromkeys((*first, *(answer.lines for answer in found))))[:_SUGGESTED]


def anytime(game: Game, seat: PlayerId, asked: tuple[Question, ...] = ()) -> tuple[menu.Group, ...]:
    """The orders that ``seat`` may give at any moment, except those in the menu of a question in ``asked``."""
    legal = tuple(c for c in game.unasked(seat) if not any(c in question.legal for question in asked))
    return tuple(menu.anytime(game.title, legal))
