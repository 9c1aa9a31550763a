"""Names that are taken out of records in files, because somebody asked for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import typer

from moderator.entrypoints.database_access import desk_to_read

if TYPE_CHECKING:
    from moderator.archive.record_files import NamesFor
    from moderator.archive.site import Site
    from moderator.service.desk import Desk
    from moderator.settings import Settings


def names_for(context: typer.Context, site: Site | None) -> NamesFor:
    """A function that gives the names taken out by ``site`` and by the database, and their replacements. A missing
    database is not created."""
    from moderator.service.play.journal.name_removal import names_in_record

    settings: Settings = context.obj
    path = settings.database_path
    desks: list[Desk] = []

    def found(game: str, players: Sequence[str], tags: Mapping[str, str]) -> dict[str, str]:
        names = {} if site is None else site.redacted(game, players)
        if path is not None and not path.exists():
            return names
        if not desks:
            desks.append(desk_to_read(context))
        with desks[0].database.reading() as session:
            return names | names_in_record(session, game, players, tags.get("Commitment", ""))

    return found
