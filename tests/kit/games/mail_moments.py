"""Moments of every title at which mails are looked at: an auction or stock turn, a company's turn, the end."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Mapping
from typing import Final

from engine.core.game import Game
from moderator import render
from moderator.adapters.png import png
from moderator.render import Rendered
from moderator.render.pictures import drawn
from tests.kit.games import render_1841, render_1844, render_1863
from tests.kit.games.render_games import info, played

MOMENTS: Final[Mapping[str, Callable[[], Game]]] = {
    "1861-stock": lambda: played(905),
    "1861-company": lambda: played(1130),
    "1844-stock": render_1844.stock_debt,
    "1844-company": render_1844.company_turn,
    "1841-stock": render_1841.stock,
    "1841-company": render_1841.company,
    "1863-stock": render_1863.stock,
    "1863-company": render_1863.company,
}
EACH_TITLE: Final = ("1861-company", "1844-stock", "1841-company", "1863-stock")
"""One of each title."""


def turn_mail(game: Game, **changes: object) -> Rendered:
    """The turn mail to whoever is asked first, who has not been told of the last twenty orders."""
    seat = game.asked()[0].player
    return render.turn_mail(game, info(game, seat, **changes), seat, max(0, len(game.orders) - 20))


def files(game: Game, mail: Rendered) -> dict[str, bytes]:
    """The pictures of a mail as PNG, by name."""
    found = {picture.id: drawn(game, picture) for picture in mail.pictures}
    return {id: png(shown.svg, width=shown.width) for id, shown in found.items()}


def with_blank_pictures(game: Game, mail: Rendered) -> str:
    """The same with nothing in the pictures: they are as large, and nothing has to be drawn as PNG."""
    html = mail.html
    for picture in mail.pictures:
        found = re.search(r'viewBox="[^ ]+ [^ ]+ ([^ ]+) ([^ "]+)"', drawn(game, picture).svg)
        assert found is not None
        blank = f'<svg xmlns="http://www.w3.org/2000/svg" width="{found[1]}" height="{found[2]}"/>'
        data = base64.b64encode(blank.encode()).decode()
        html = html.replace(f'"cid:{picture.id}"', f'"data:image/svg+xml;base64,{data}#{picture.id}"')
    return html


def with_pictures(game: Game, mail: Rendered) -> str:
    """The HTML with its pictures inside, as a mail program shows it."""
    html = mail.html
    for id, data in files(game, mail).items():
        html = html.replace(f'"cid:{id}"', f'"data:image/png;base64,{base64.b64encode(data).decode()}"')
    return html
