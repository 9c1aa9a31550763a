"""The companies that a merger or the Secession takes out of play or brings into it, as long as it is under way."""

from __future__ import annotations

from collections.abc import Mapping

from engine.core.ids import CompanyId
from engine.core.state import State
from engine.core.title import Title
from engine.titles.t1841.fragments import parts_of
from engine.titles.t1841.merging import Merging
from engine.titles.t1841.names import IRSFF
from engine.titles.t1841.secession import Secession


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
