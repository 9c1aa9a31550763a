"""The time zone in which a person is told times in all his games."""

from __future__ import annotations

from moderator.adapters.tables import SeatRow
from moderator.domain.clocks.zones import GAME, zone_called, zones_near
from moderator.service.desk import Sitting
from moderator.service.people.journal import note
from moderator.service.table.persons import wish_zone


class NoZone(ValueError):
    """There is no such time zone; ``near`` are the names nearest to it."""

    def __init__(self, text: str, near: tuple[str, ...]) -> None:
        meant = f"; do you mean {' or '.join(near)}?" if near else ", such as Europe/Zurich"
        super().__init__(f"{text!r} is not a time zone{meant}")
        self.near = near


def set_zone(sitting: Sitting, seat: SeatRow, text: str, *, trial: bool = False) -> str:
    """Tell the person who has ``seat`` times in the zone called ``text``, in all his games; ``game`` is the zone of
    each game's deadlines. Returns its IANA name, empty for ``game``. ``NoZone`` if there is no such zone. A ``trial``
    stores nothing."""
    zone = "" if text.casefold() == GAME else zone_called(text)
    if not zone and text.casefold() != GAME:
        raise NoZone(text, zones_near(text))
    if not trial:
        wish_zone(sitting.session, seat.address, zone)
        note(sitting, seat, "zone")
    return zone
