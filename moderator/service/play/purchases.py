"""Read purchases of offered shares and of tokens that name their sum, as other programs write them: orders only if the
sum is right."""

from __future__ import annotations

import re
from typing import Final

from engine import Refused
from engine.core.ids import CompanyId
from engine.core.orders import Take, Tokens
from grammar.lexer import lexicon
from grammar.normalise import key, normalise
from moderator.domain.asks import asks_of
from moderator.service.games import Live

_BOUGHT: Final = re.compile(
    r"(?:i(?:'?ll| will|'?d like to)? )?(?:buy|purchase|take|get) (?P<count>[0-9]|an?|one)(?: 10%)?(?: treasury)?"
    r" (?:shares? (?:of|in) (?:the )?(?P<company>\S+?)|(?P<named>\S+?) shares?)"
    r"(?: (?:from|out of) (?:the |its )?(?:company's )?(?:treasury|charter|offering))?"
    r"(?: (?:for|at) (?P<sum>(?:\S+ )?\S*[0-9])(?P<each> each| per share)?)?",
    re.IGNORECASE,
)
"""A purchase of shares, as other programs write it."""
_TOKENS: Final = re.compile(
    r"(?:(?P<company>[^\s:]+):? )?(?:buys?|purchases?|takes?) (?P<count>[0-9]) (?:tokens|markers)"
    r" for (?P<sum>(?:\S+ )?\S*[0-9])",
    re.IGNORECASE,
)
"""A purchase of tokens for a sum in all."""


def with_purchases(live: Live, player: str, text: str) -> str:
    """``text`` with purchases for a sum as orders, if the sum is right."""
    return _taken(live, player, "\n".join(_tokens(live, player, line) for line in text.split("\n")))


def _tokens(live: Live, player: str, line: str) -> str:
    """``line``, or the order for it if it buys tokens for just what they cost the company that is asked for them."""
    found = _TOKENS.fullmatch(normalise(line).strip(" .!"))
    asks = asks_of(live.game, player)
    if found is None or len(asks) != 1:
        return line
    actor, names = asks[0].actor, lexicon(live.vocabulary)
    if found["company"] and names.actors.get(key(found["company"])) != actor:
        return line
    trial = live.game.fork()
    if isinstance(trial.submit(Tokens(CompanyId(actor), int(found["count"]))), Refused):
        return line
    paid = live.game.state.money(actor) - trial.state.money(actor)
    fits = names.amount(key(found["sum"]).replace(" ", "")) == str(paid)
    return f"{actor}: tokens {found['count']}" if fits else line


def _taken(live: Live, player: str, text: str) -> str:
    """``text`` with a purchase of shares in the words of other programs as the answer to an offer of just these shares:
    `take 1`. A sum that is not their price leaves it as it is."""
    asks = asks_of(live.game, player)
    if len(asks) != 1 or len(asks[0].about) != 2:
        return text
    company, price = asks[0].about
    if not any(isinstance(choice.order, Take) for choice in live.game.legal(asks[0].actor)):
        return text

    def taken(line: str) -> str:
        found = _BOUGHT.fullmatch(normalise(line).strip(" .!"))
        names = lexicon(live.vocabulary)
        if found is None or names.actors.get(key(found["company"] or found["named"])) != company:
            return line
        count = int(found["count"]) if found["count"].isdigit() else 1
        whole = int(price) * (1 if found["each"] else count)
        fits = found["sum"] is None or names.amount(key(found["sum"]).replace(" ", "")) == str(whole)
        return f"take {count}" if fits else line

    return "\n".join(map(taken, text.split("\n")))
