"""Reads the orders and words of one text, without the prose around them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from grammar import LONGEST_TEXT, Apart, Reading, Vocabulary, Word, read, trial_asked, without_prose, write
from grammar.normalise import key
from moderator.domain.asks import able, asks_of
from moderator.domain.transcript import Note, Notes
from moderator.service.games import Live
from moderator.service.play.purchases import with_purchases
from moderator.service.table.seat_text import Said

_LONGEST_OF_OTHERS: Final = 20_000
"""The number of characters that are read of a text not known to be the player's; a turn's orders have a few hundred."""
_FOOTER: Final = 3
"""This many unknown lines below the last order are not orders, but a footer that was put under the mail."""
_ANSWERS: Final[Mapping[str, tuple[str, ...]]] = {"yes": ("agree",), "no": ("refuse", "decline")}
"""A bare answer -> the orders that say the same, besides those that end in the word itself."""
_SAME: Final = {
    **dict.fromkeys(("sure", "agreed", "accepted", "yes please", "deal"), "yes"),
    **dict.fromkeys(("nope", "no thanks", "no thank you", "no deal", "sorry no"), "no"),
}
"""Other words for a bare answer. `ok` is none of them: it may only say that a mail has been read."""
_MESSAGE: Final = 4
"""The fewest words of a message in which a line could not be read as an order."""
_TOLD: Final = 60
"""The number of characters that are quoted of a paragraph that was not read."""
_PARAGRAPHS: Final = 6
"""The number of such paragraphs that are quoted."""


def read_text(live: Live, player: str, said: Said) -> tuple[Reading, Notes]:
    """The orders and words of ``player`` in ``said``, and notes on what was left out. Orders without a head are for the
    only actor that he is asked for, or for himself if he is asked nothing. If he is asked for several, they are for the
    only one for whom the first of them is possible now, and otherwise ambiguous. Orders below a question, or below
    words that forbid to carry them out, are read as if ``check`` stood above them."""
    longest = LONGEST_TEXT if said.writer == "own" else _LONGEST_OF_OTHERS
    text, notes, apart = with_purchases(live, player, _answered(live, player, said.text)), list[Note](), Apart("")
    if not said.fenced:
        apart = without_prose(text, live.vocabulary)
        text = apart.text
        notes.extend(_told(apart.prose))
    actors = _acting(live, player, text, longest)
    default = actors[0] if len(actors) == 1 else None
    reading = read(text, live.vocabulary, default_actor=default, may_act=actors, longest=longest)
    reading, left = _without_footer(reading)
    reading = _without_signature(reading, player, text) if apart.prose else reading
    if said.above and not said.fenced:
        apart = replace(apart, above=(*said.above.split("\n"), *apart.above))
    reading, trial = _as_trial(reading, apart, live.vocabulary)
    return reading, (*trial, *notes, *left)


def _answered(live: Live, player: str, text: str) -> str:
    """``text``, or the order for which it stands if it is a bare yes or no: to a single question, which only one of the
    orders that are legal now answers so."""
    said = key(text.strip(" .!\n").replace(",", ""))
    said = _SAME.get(said, said)
    asks = asks_of(live.game, player) if said in _ANSWERS else []
    if len(asks) != 1:
        return text
    legal = [write(choice.sample(0), live.vocabulary) for choice in live.game.legal(asks[0].actor)]
    found = [order for order in legal if order.split()[0] in _ANSWERS[said] or order.split()[-1] == said]
    return found[0] if len(found) == 1 else text


def _as_trial(reading: Reading, apart: Apart, vocabulary: Vocabulary) -> tuple[Reading, Notes]:
    """``reading`` with the word ``check``, and the note that says why, if the prose around its orders asks for a
    trial."""
    given = (write(one.order, vocabulary) for section in reading.sections for one in section.orders)
    asked = trial_asked(apart.above, apart.below, given) if reading.sections else None
    if asked is None or any(word.kind == "check" for word in reading.words):
        return reading, ()
    words = (Word("check"), *reading.words)
    facts = {"text": _shortened(asked.line), "why": asked.why, "below": asked.below}
    return replace(reading, words=words), (("trial", facts),)


def _acting(live: Live, player: str, text: str, longest: int) -> tuple[str, ...]:
    """The actors that the orders of ``player`` without a head may be for."""
    asks = asks_of(live.game, player)
    if len(asks) < 2:
        return tuple(ask.actor for ask in asks) or (player,)
    read_as = {
        ask.actor: read(text, live.vocabulary, default_actor=ask.actor, longest=longest).orders[:1] for ask in asks
    }
    orders = {str(actor): first[0] for actor, first in read_as.items() if first}
    return tuple(dict.fromkeys(ask.actor for ask in (able(live.game, asks, orders) if orders else asks)))


def _told(paragraphs: Sequence[str]) -> Notes:
    if not paragraphs:
        return ()
    texts = tuple(map(_shortened, paragraphs[:_PARAGRAPHS]))
    return (("prose", {"texts": texts, "left": len(paragraphs) - len(texts)}),)


def _shortened(text: str) -> str:
    return f"{text[:_TOLD].rstrip()} ..." if len(text) > _TOLD else text


def _without_signature(reading: Reading, player: str, text: str) -> Reading:
    """``reading`` without the fault of the writer's own name below a message that has no order."""
    if reading.ordered and not reading.orders and not reading.skipped and len(reading.errors) == 1:
        error, last = reading.errors[0], len(text.rstrip().split("\n"))
        if error.reason == "colon" and error.line == last and key(error.piece) == key(player):
            return replace(reading, errors=())
    return reading


def is_message(reading: Reading, text: str, players: Sequence[str]) -> bool:
    """True if ``text`` is a message to a person: it has no order, and no line of it begins like one."""
    if not text.strip() or reading.orders or reading.skipped or reading.sections or reading.words or reading.press:
        return False
    names = {key(player) for player in players}
    return not reading.errors or (
        len(text.split()) >= _MESSAGE
        and all(
            error.nearest is None
            if error.reason in ("unknown", "head")
            else error.reason == "colon" and key(error.piece) in names
            for error in reading.errors
        )
    )


def _without_footer(reading: Reading) -> tuple[Reading, Notes]:
    """``reading`` without its footer: of many unknown lines below the last order, only the first is answered. Where no
    order was read, the lines may be the orders, and each is answered."""
    last = max((given.line for section in reading.sections for given in section.orders), default=0)
    below = sorted({error.line for error in reading.errors if error.line > last})
    if not last or len(below) < _FOOTER:
        return reading, ()
    kept = tuple(error for error in reading.errors if error.line <= below[0])
    return replace(reading, errors=kept), (("footer", {"line": below[0]}),)
