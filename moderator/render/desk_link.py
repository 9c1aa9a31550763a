"""The link that opens a position on the desk, the page on which a turn is tried."""

from __future__ import annotations

from urllib.parse import quote


def desk_link(url: str, position: str, *, reply_to: str = "", subject: str = "", game: str = "", at: str = "") -> str:
    """The link to the desk at ``url`` with ``position``. All stands behind ``#``, which browsers send to no server.
    ``reply_to`` and ``subject``: where the mail with the orders goes, and the subject it answers. ``game`` and ``at``
    name the decision, by which the page keeps a draft."""
    fields = {"p": position, "r": reply_to, "s": subject, "g": game, "d": at}
    return f"{url}#" + "&".join(f"{name}={quote(value, safe='')}" for name, value in fields.items() if value)
