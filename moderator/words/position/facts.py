"""The facts about a position for templates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.core.ids import HexId, PlayerId
from engine.core.state import State
from engine.core.title import Title
from engine.svg.marks import changed_hexes
from moderator.words.position import board_views, views
from moderator.words.position.next_train import next_train
from moderator.words.position.share_views import as_text, heads, share_table
from moderator.words.text import MARK
from moderator.words.texts import Words


@dataclass(frozen=True, slots=True)
class Kept:
    """The tables that a mail does not repeat. ``hexes``: only these are listed, those that have changed; None for all.
    ``shares``: no share has changed hands. ``listed``: as ``hexes``, in plain text, which has no map beside the
    list."""

    hexes: frozenset[HexId] | None = None
    shares: bool = False
    listed: frozenset[HexId] | None = None

    @staticmethod
    def since(old: State, new: State) -> Kept:
        """The tables that are the same in both positions. What a hex earns may depend on the phase."""
        if old.phase != new.phase:
            return Kept(None, old.holdings == new.holdings)
        return Kept(changed_hexes(old.board, new.board), old.holdings == new.holdings)


def position_facts(own: Words, title: Title, state: State, seat: PlayerId | None) -> dict[str, Any]:
    """The facts about a position. ``seat``: the reader; None for no reader in particular."""
    companies, players, trains = views.companies(title, state), views.players(title, state), views.trains(title, state)
    changes = next_train(title, state, trains)
    areas = board_views.areas(title, state, None if changes is None else changes.value)
    shares = share_table(state, players, companies)

    def column(holder: str) -> str:
        return own.word(f"columns.{holder}", holder, title.name)

    return {
        "title": title,
        "state": state,
        "seat": seat,
        "mark": MARK,
        "players": players,
        "companies": companies,
        "mine": () if seat is None else views.directed(companies, seat),
        "market": views.market(title, state),
        "trains": trains,
        "next": changes,
        "shares": shares,
        "share_lines": as_text(shares, column),
        "share_heads": heads(shares, column),
        "phase": views.phase(title, state),
        "board": board_views.board(title, state),
        "areas": areas,
        "changing": any(area.then != area.now for area in areas),
        "unsold": views.unsold(title, state),
        "for_sale": views.for_sale(title, state),
        "unstarted": views.unstarted(title, state),
        "bank": views.bank(state),
        "had_turn": frozenset(),
        "near": (),
        "kept": Kept(),
    }
