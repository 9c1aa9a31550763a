"""The companies that a merger or the Secession takes out of play or brings into it, as long as it is under way."""

from __future__ import annotations

from collections.abc import Mapping

from engine.core.ids import CompanyId
from engine.core.state import State
from engine.core.title import Title
from engine.titles.t1841.mergers.fragments import parts_of
from engine.titles.t1841.mergers.merger import Merging
from engine.titles.t1841.mergers.secession import Secession
from engine.titles.t1841.names import IRSFF


def unsettled(title: Title, state: State) -> Mapping[CompanyId, tuple[str, str]]:
    """The companies whose control is open now; see ``Policies.unsettled``. A new company without a president is frozen
    as soon as all shares are exchanged."""
    found: dict[CompanyId, tuple[str, str]] = {}
    for frame in state.agenda:
        if isinstance(frame, Merging):
            found |= {part: ("merged", frame.into) for part in frame.parts if part != frame.into}
            if frame.stage == "shares":
                found[frame.into] = ("formed", "")
        elif isinstance(frame, Secession) and frame.stage != "end":
            found |= {IRSFF: ("divided", ""), **dict.fromkeys(parts_of(title), ("formed", ""))}
    return found
