"""The time zone in which a seat is told times."""

from __future__ import annotations

from moderator.adapters.tables import SeatRow
from moderator.domain.wall import zone_of
from moderator.service.desk import Sitting
from moderator.service.people.journal import note


def set_zone(sitting: Sitting, seat: SeatRow, zone: str) -> None:
    """Tell the seat times in ``zone`` (an IANA name). ``UTC`` is that of the game's deadlines. ``ValueError`` for an
    unknown zone."""
    zone_of(zone)
    seat.zone = zone
    note(sitting, seat, "zone")
