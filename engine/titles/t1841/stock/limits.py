"""Limits on holdings: certificates of a player and of a company, 60 % of a company over a player's whole chain, and the
duty to sell what exceeds them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from engine.core.checks import Fact, Failure
from engine.core.ids import Actor, CompanyId, PlayerId
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.charters import all_shares
from engine.holders.control import chain_of, controlled_by, controller_of, owner_of
from engine.holders.ledger import all_shares_in, counted, held_together, holders, shares
from engine.shares.limits import limit_of, most_shares
from engine.titles.t1841.names import HISTORY
from engine.titles.t1841.rulings import rulings_of

COMPANY_CERTIFICATES: Final = 5
"""Certificates of other companies that a company may have."""
CERTIFICATES: Final = "certificates"

Sale = tuple[CompanyId, int]
"""A company and a number of its shares."""


@dataclass(frozen=True, slots=True)
class Excess:
    """A holding over a limit. ``what``: ``certificates``, or a company. ``over``: how many certificates the holder has
    too many, how many shares of the company his chain has too many, or how many shares of its owner a company has.
    ``limit``: certificates, or per cent of the company; 0 for an owner of the holder."""

    what: str
    over: int
    limit: int


def certificates_of(title: Title, state: State, holder: Actor) -> int:
    """The number of certificates that count toward the holder's limit: a player's own, without concessions and without
    those of his companies; a company's certificates of other companies."""  # rule 5.11
    player = player_of(state, holder)
    if player is not None:
        return counted(title, state, player)
    return sum(n for (place, of, _), n in state.holdings.items() if place == holder and of != holder)


def certificate_limit(title: Title, state: State, holder: Actor) -> int:
    """The number of certificates that the holder may have. It does not change when a bankrupt player leaves."""
    # rule 5.10, 5.15
    return COMPANY_CERTIFICATES if player_of(state, holder) is None else limit_of(title, state)


def player_of(state: State, holder: Actor) -> PlayerId | None:
    """The holder as a player; None if it is a company."""
    return next((p for p in state.players if p == holder), None)


def decider_of(title: Title, state: State, holder: Actor) -> PlayerId | None:
    """The player who acts for the holder: the holder himself, or the player who controls the company."""
    return player_of(state, holder) or controller_of(title, state, CompanyId(holder))


def by_holder(title: Title, state: State, holder: Actor, company: CompanyId) -> tuple[tuple[str, int], ...]:
    """The percentages of ``company`` that count together for the holder, each with its owner: his player and the
    companies that this player controls. Shares that the company holds of itself do not count."""  # rule 5.12
    return _percentages(title, state, company, _together(title, state, holder))


def _together(title: Title, state: State, holder: Actor) -> frozenset[Actor]:
    """The holder's player and the companies that this player controls; the holder alone if nobody controls it."""
    player = decider_of(title, state, holder)
    return frozenset({holder} if player is None else {player, *controlled_by(title, state, player)})


def _percentages(
    title: Title, state: State, company: CompanyId, chain: frozenset[Actor]
) -> tuple[tuple[str, int], ...]:
    each = 100 // all_shares(title, state, company)
    return tuple((h, shares(title, state, h, company) * each) for h in holders(state, company) if h in chain)


def check_certificates(title: Title, state: State, holder: Actor) -> list[Failure]:
    """Why the holder may not take one more certificate."""  # rule 5.10, 5.15
    held, limit = certificates_of(title, state, holder), certificate_limit(title, state, holder)
    if held < limit:
        return []
    facts: dict[str, Fact] = {"holder": holder, "held": held, "limit": limit}
    if player_of(state, holder) is None:
        return [Failure("buy.company_certificates", facts)]
    return [Failure("buy.certificate_limit", facts)]


def check_sixty(title: Title, state: State, holder: Actor, company: CompanyId, more: int) -> list[Failure]:
    """Why the holder may not take ``more`` shares of the company: his chain would then have over 60 %."""  # rule 5.12
    most, now = most_shares(title, state, company), held_together(title, state, holder, company)
    if now + more <= most:
        return []
    return [_over_sixty(title, state, holder, company, _together(title, state, holder), more)]


def check_sixty_then(
    title: Title, state: State, holder: Actor, company: CompanyId, deed: Callable[[Play], object]
) -> list[Failure]:
    """Why the holder may not make a purchase that is legal so far: the presidency would bring him companies that hold
    shares of the same company, and with these his chain would have over 60 %."""  # rule 5.12
    if rulings_of(title).purchase_limit == "before":
        return []
    play = Play(title, state)
    deed(play)
    then = play.state
    if owner_of(title, then, company) == owner_of(title, state, company):
        return []  # nobody controls other companies than before
    if held_together(title, then, holder, company) <= most_shares(title, state, company):
        return []
    more = shares(title, then, holder, company) - shares(title, state, holder, company)
    return [_over_sixty(title, state, holder, company, _together(title, then, holder), more)]


def _over_sixty(
    title: Title, state: State, holder: Actor, company: CompanyId, chain: frozenset[Actor], more: int
) -> Failure:
    """The failure that the chain has over 60 %. ``chain``: those whose shares count with the holder's. The fact
    ``gained`` names those among them that count only after the purchase."""
    found, had = _percentages(title, state, company, chain), _together(title, state, holder)
    each = 100 // all_shares(title, state, company)
    facts: dict[str, Fact] = {
        "company": company,
        "player": decider_of(title, state, holder),
        "holders": found,
        "gained": tuple(h for h, _ in found if h not in had),
        "held": sum(percent for _, percent in found),
        "more": more * each,
        "most": most_shares(title, state, company) * each,
    }
    return Failure("buy.sixty_percent", facts)


def over_limits(title: Title, state: State, holder: Actor) -> tuple[Excess, ...]:
    """All excesses of the holder: certificates, and each company of which he has shares while his player's chain has
    over 60 % of it. Under a ruling, all that a company has of its owners is too much."""  # rule 5.12, 5.14, 10.5
    found, owners = [], _owners(title, state, holder)
    held, limit = certificates_of(title, state, holder), certificate_limit(title, state, holder)
    if held > limit:
        found.append(Excess(CERTIFICATES, held - limit, limit))
    together = all_shares_in(title, state, _together(title, state, holder))
    for company, now in state.companies.items():
        if now.status != "open" or company == holder or not (counts := together.get(company)):
            continue
        most = most_shares(title, state, company)
        if (counts <= most and company not in owners) or not (own := shares(title, state, holder, company)):
            continue
        if company in owners:
            found.append(Excess(company, own, 0))
        else:
            found.append(Excess(company, counts - most, most * 100 // all_shares(title, state, company)))
    return tuple(found)


def _owners(title: Title, state: State, holder: Actor) -> tuple[Actor, ...]:
    """The owners of a company whose shares it must sell."""
    kept = rulings_of(title).owners_stock == "kept" or player_of(state, holder) is not None
    return () if kept else chain_of(title, state, CompanyId(holder))


def has_history(state: State, company: CompanyId) -> bool:
    """True if the company has performed an operating round."""  # rule 6.3
    return company in state.marks.get(HISTORY, frozenset())


def binding(
    title: Title, state: State, holder: Actor, sales: Callable[[], Iterable[Sale]], after: Callable[[Sale], State]
) -> tuple[Excess, ...]:
    """The excesses for which the holder must sell: those that some legal sale reduces. If no sale does, he is excused.
    ``sales``: his legal sales, asked for only if he has an excess; ``after``: the position that a sale leads to."""
    # rule 5.13
    excesses = over_limits(title, state, holder)
    if not excesses:
        return ()
    left = [_amounts(title, after(sale), holder) for sale in sales()]
    return tuple(e for e in excesses if any(rest.get(e.what, 0) < e.over for rest in left))


def lessened(title: Title, excesses: Iterable[Excess], holder: Actor, after: State) -> bool:
    """True if any of the excesses is smaller in the position ``after`` a sale."""
    rest = _amounts(title, after, holder)
    return any(rest.get(e.what, 0) < e.over for e in excesses)


def _amounts(title: Title, state: State, holder: Actor) -> dict[str, int]:
    return {e.what: e.over for e in over_limits(title, state, holder)}
