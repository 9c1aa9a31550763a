"""The plain texts for ``show private`` and ``show company``: what a private, a concession or a company is, found by its
short name or by its full one."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping

from engine.core.charter import Charter
from engine.core.game import Game
from engine.core.ids import CompanyId, PrivateId
from engine.core.title import Title
from engine.holders.charters import charter_of
from grammar.nearest import nearest
from moderator.words.position import views
from moderator.words.position.facts import position_facts
from moderator.words.question import lots
from moderator.words.texts import words

_SHORT = 4
"""The fewest letters of a part of a full name that are enough to find it."""


def text_company(game: Game, said: str, language: str = "en") -> str:
    """The company that ``said`` names in full, or the private if there is no such company; "" if there is neither."""
    found = find_item(game.title, said, privates_first=False)
    return "" if found is None else _shown(game, found, language)


def text_private(game: Game, said: str, language: str = "en") -> str:
    """The private that ``said`` names in full, or the company if there is no such private; "" if there is neither."""
    found = find_item(game.title, said, privates_first=True)
    return "" if found is None else _shown(game, found, language)


def find_item(title: Title, said: str, *, privates_first: bool) -> PrivateId | CompanyId | None:
    """The private or company called ``said``: by its name in orders, its full name, or a part of that which only one
    has. A word that is nearly the name of only one is taken for it."""
    wanted = _plain(said)
    for tables in _names(title, privates_first=privates_first):
        exact = [id for id, names in tables.items() if wanted in names]
        if exact:
            return exact[0]
    for tables in _names(title, privates_first=privates_first):
        parts = [id for id, names in tables.items() if len(wanted) >= _SHORT and any(wanted in one for one in names)]
        if parts:
            return parts[0] if len(parts) == 1 else None
    all = {id: names for tables in _names(title, privates_first=privates_first) for id, names in tables.items()}
    near = nearest(wanted, {name: str(id) for id, names in all.items() for name in names}, lambda _: False)
    return next((id for id in all if id == near), None)


def _names(
    title: Title, *, privates_first: bool
) -> tuple[Mapping[PrivateId | CompanyId, tuple[str, ...]], Mapping[PrivateId | CompanyId, tuple[str, ...]]]:
    """All names of privates and of companies, the full one last. Of synonyms, numbers alone are left out."""

    def plain(id: str, synonyms: Iterable[str], name: str) -> tuple[str, ...]:
        return tuple(map(_plain, (id, *(one for one in synonyms if not one.isdigit()), name)))

    privates = {id: plain(id, one.synonyms, one.name) for id, one in title.privates.items()}
    companies = {id: plain(id, one.synonyms, one.name) for id, one in title.companies.items()}
    return (privates, companies) if privates_first else (companies, privates)  # type: ignore[return-value]


def _plain(said: str) -> str:
    """``said`` in lower case, without accents, and with single spaces."""
    apart = unicodedata.normalize("NFKD", said.casefold())
    return " ".join("".join(letter for letter in apart if not unicodedata.combining(letter)).split())


def _shown(game: Game, id: PrivateId | CompanyId, language: str) -> str:
    if id in game.title.privates:
        return _private(game, PrivateId(id), language)
    return _company(game, CompanyId(id), language)


def _private(game: Game, id: PrivateId, language: str) -> str:
    own, title, state = words(language), game.title, game.state
    facts = lots.private_facts(own, title, state, id)
    owner = {"closed": id not in state.privates, "owner": state.privates.get(id)}
    starts = facts["starts"]
    return own.text(
        "private_shown", title=title, state=state, **facts,
        rest=own.say("words", "lot.rest", title=title, **facts),
        owned=own.say("words", "lot.owner", title=title, **owner),
        company=lots.lot_line(own, title, state, starts["id"]) if starts is not None else "",
    )  # fmt: skip


def _company(game: Game, id: CompanyId, language: str) -> str:
    own, title, state = words(language), game.title, game.state
    facts = position_facts(own, title, state, None) | {"share_lines": ""}
    charter, told = charter_of(title, state, id), lots.company_facts(title, state, id)
    rights = (
        private for private in title.privates if title.policies.remarks(title, state, private).get("company") == id
    )
    return own.text(
        "company_shown", c=views.company(title, state, id), homes=told["placed"] or told["homes"],
        destination=title.companies[id].destination, status=state.companies[id].status, since=told["since"],
        certificates=_certificates(charter), rights=[private for private in rights if private in state.privates],
        no_home=own.say("words", "lot.no_home", title=title, **told) if told["unstarted"] else "", **facts,
    )  # fmt: skip


def _certificates(charter: Charter) -> tuple[tuple[int, int], ...]:
    """Each kind of certificate as its shares and the number of such certificates; certificates without shares are left
    out."""
    return tuple((kind.shares, number) for kind, number in charter.certificates.values() if kind.shares > 0)
