"""Ticks of several machines whose services share a database.

Each machine is judged by its own ticks, and its clock is compared with those of the others. The clock of the database
is the same for all, so two machines differ if their clocks are ahead of it by different times. Which of them is right
nobody can tell from that.

Services tick as well: one that has not for a while has ended, and others may take over what it had leased.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from moderator.domain.clocks.ticks import Tick

_AT_WORK: Final = timedelta(seconds=60)
"""A machine whose last tick is older is not at work."""
_FORGOTTEN: Final = timedelta(days=7)
"""The time after which a machine that is not at work is forgotten."""
_SILENT: Final = 30.0
"""Seconds without a tick after which a service has ended. Each ticks every ten seconds in a thread of its own."""
_AWAKE: Final = 20.0
"""Seconds since its own last tick after which a service judges no other: the database may have been away for all."""


@dataclass(frozen=True, slots=True)
class MachineTick:
    """A tick of one machine. ``ahead``: seconds by which its clock is ahead of that of the database. ``name``: its host
    name, for the operator."""

    tick: Tick
    ahead: float = 0.0
    name: str = ""

    @property
    def shared(self) -> datetime:
        """The moment of the tick by the clock of the database."""
        return self.tick.wall - timedelta(seconds=self.ahead)

    def as_json(self) -> dict[str, object]:
        tick = self.tick
        return {
            "wall": tick.wall.isoformat(), "running": tick.running, "boot": tick.boot, "ahead": self.ahead,
            "name": self.name,
        }  # fmt: skip

    @staticmethod
    def restored(kept: Mapping[str, Any]) -> MachineTick:
        tick = Tick(datetime.fromisoformat(str(kept["wall"])), float(kept["running"]), str(kept["boot"]))
        return MachineTick(tick, float(kept.get("ahead", 0.0)), str(kept.get("name", "")))


def ticks_in(kept: Mapping[str, Any] | None) -> tuple[MachineTick, ...]:
    """The last tick of each machine, the latest first."""
    if kept is None:
        return ()
    return MachineTick.restored(kept), *(MachineTick.restored(one) for one in kept.get("others", ()))


def with_tick(now: MachineTick, before: Iterable[MachineTick]) -> dict[str, Any]:
    """The value to be kept after the tick ``now``."""
    others = [
        one.as_json() for one in before if one.tick.boot != now.tick.boot and abs(now.shared - one.shared) < _FORGOTTEN
    ]
    return {**now.as_json(), **({"others": others} if others else {})}


def at_work(now: MachineTick, before: Iterable[MachineTick]) -> list[MachineTick]:
    """The other machines that are at work, too."""
    return [one for one in before if one.tick.boot != now.tick.boot and abs(now.shared - one.shared) < _AT_WORK]


def services_in(
    kept: Mapping[str, Any] | None, owner: str, here: MachineTick
) -> tuple[dict[str, dict[str, Any]], frozenset[str]]:
    """The services at work, each with its last tick, after a tick of the service ``owner``; and those that have ended
    since."""
    services = dict(kept.get("services", {})) if kept is not None else {}
    own = services.get(owner)
    gone: frozenset[str] = frozenset()
    if own is not None and _seconds_since(own, here) < _AWAKE:
        gone = frozenset(name for name, tick in services.items() if _seconds_since(tick, here) > _SILENT)
    tick = {"boot": here.tick.boot, "running": here.tick.running, "shared": here.shared.isoformat()}
    return {**{name: one for name, one in services.items() if name not in gone}, owner: tick}, gone


def _seconds_since(tick: Mapping[str, Any], here: MachineTick) -> float:
    """Seconds since the tick of a service: by the count of this machine if it is on it, otherwise by the clock of the
    database."""
    if tick["boot"] == here.tick.boot and here.tick.boot:
        return here.tick.running - float(tick["running"])
    return (here.shared - datetime.fromisoformat(str(tick["shared"]))).total_seconds()
