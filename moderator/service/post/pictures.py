"""Draws the pictures of mails when the mails are sent: no decision waits for a picture, and a mail waits only for its
own."""

from __future__ import annotations

import hashlib
import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

from engine import Game
from moderator.adapters.mosaic import Pieces
from moderator.adapters.png import png
from moderator.adapters.tables import GameRow
from moderator.domain.pictures import Picture
from moderator.domain.ports import Attached, Outgoing
from moderator.render.pictures import drawn, in_pieces
from moderator.service.desk import Desk
from moderator.service.games import Games

log = logging.getLogger("railpost")

_MOST: Final = 400_000
"""The most bytes of a whole mail; a picture that would make it larger is left out."""
_HEAD: Final = 4_000
"""The most bytes of headers and MIME parts."""
_BASE64: Final = 78 / 57
"""Bytes on the wire for each byte of a file."""
_QUOTED: Final = 1.1
"""Bytes on the wire for each byte of a text, on average."""
_GAMES: Final = 20
_DRAWN: Final = 16
"""The number of pictures kept for the next mails: all players get the same ones when a game begins or ends."""
_IMAGE: Final = r'<img [^>]*src="cid:{}"[^>]*>\n?'


class Album:
    """Draws the pictures of mails. It has games of its own, because those of the desk belong to the thread that
    decides."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._games: Games | None = None
        self._png = lru_cache(_DRAWN)(png)
        kept = desk.settings.pictures_kept_mb * 1_000_000
        self._pieces = Pieces(kept, desk.settings.data / "pictures")

    def complete(self, mail: Outgoing, game: str | None, kept: Sequence[Mapping[str, Any]]) -> Outgoing:
        """``mail`` with its pictures inside. One that cannot be drawn, or for which the mail has no room, is taken
        out of the HTML, whose tables say the same; the log says why."""
        room = _MOST - _HEAD - _QUOTED * (len(mail.text.encode()) + len(mail.html.encode()))
        positions: dict[int, Game] = {}
        for number, one in enumerate(kept):
            id, data = str(one.get("id")), self._drawn(game, one, positions)
            if data and (size := _BASE64 * len(data)) <= room:
                room -= size
                attached = Attached(_content_id(mail, number), data)
                html = mail.html.replace(f'"cid:{id}"', f'"cid:{attached.content_id}"')
                mail = replace(mail, html=html, parts=(*mail.parts, attached))
            else:
                if data:
                    log.info("picture %s of mail %s has no room: %s bytes", id, mail.message_id, len(data))
                mail = replace(mail, html=without(mail.html, id))
        return mail

    def _drawn(self, game: str | None, kept: Mapping[str, Any], positions: dict[int, Game]) -> bytes:
        """The PNG; empty if it cannot be made. ``positions``: those read for this mail, by decision."""
        try:
            picture = Picture.restored(kept)
            if picture.at not in positions:
                positions[picture.at] = self._position(game, picture.at)
            if (mosaic := in_pieces(positions[picture.at], picture)) is not None:
                return self._pieces.png(mosaic)
            shown = drawn(positions[picture.at], picture)
            return self._png(shown.svg, width=shown.width)
        except Exception:
            log.exception("a picture of game %s cannot be drawn", game)  # a mail without it is better than no mail
            return b""

    def _position(self, game: str | None, at: int) -> Game:
        with self._desk.database.reading() as session:
            row = session.get_one(GameRow, game)
            if not 0 <= at <= row.at:
                raise ValueError(f"{game} has had no decision {at}")
            games = self._own()
            return games.get(session, row).game if at == row.at else games.position(session, row, at)

    def _own(self) -> Games:
        if self._games is None:
            self._games = self._desk.games.another(_GAMES)
        return self._games


def without(html: str, *ids: str) -> str:
    """``html`` without the pictures of these names."""
    for id in ids:
        html = re.sub(_IMAGE.format(re.escape(id)), "", html)
    return html


def _content_id(mail: Outgoing, number: int) -> str:
    """The Content-ID of a picture. It is different for each picture of each mail, and the same however often the mail
    is sent."""
    name, _, domain = mail.message_id.strip("<>").rpartition("@")
    return f"{number}.{hashlib.sha256(name.encode()).hexdigest()[:24]}@{domain}"
