"""The outcomes that a mail may have."""

from __future__ import annotations

from typing import Literal, TypeAlias

Outcome: TypeAlias = Literal[
    "applied", "partial", "refused", "unreadable", "ambiguous", "checked", "shown", "held", "withdrawn", "notified",
    "helped", "stale", "duplicate", "empty", "two_blocks", "game_over", "unknown_sender", "wrong_token", "robot",
    "auto_reply", "bounce", "receipt", "calendar", "report", "complaint", "challenge", "unsubscribe", "loop",
    "quarantine", "too_large", "malformed", "error", "unconfirmed", "confirmed", "declined",
    "press", "waits", "sealed",
]  # fmt: skip
"""The outcome of a mail. Every mail ends in exactly one of these, and the list is closed.

``applied``: orders were carried out. ``partial``: only those before the first failure were carried out. ``refused``: an
order breaks a rule; nothing was carried out. ``unreadable``, ``ambiguous``: a line cannot be read; nothing was carried
out. ``checked``: the mail asked only for a check. ``shown``, ``withdrawn``, ``notified``, ``helped``: the mail had only
these words for the moderator. ``press``: it had only press, or a line to
the game master or from him. ``held``: all orders wait for later turns. ``sealed``: they
wait to be opened with those of others. ``stale``: the decision is past. ``duplicate``: the mail came before. ``empty``:
there was nothing to read. ``two_blocks``: it had two blocks for one game. ``game_over``: the game is over. ``waits``:
the game is stopped, because its past is not as it was told. ``unknown_sender``: the sender is not known.
``wrong_token``: the address is none of ours. ``too_large``: the mail is too large. ``malformed``: it is no readable
message. ``error``: a fault of our own; the mail is kept and tried again. ``unconfirmed``: it came from an address that
is not known to be the player's, so he is asked. ``confirmed``, ``declined``: his answer to that, unless another outcome
such as ``applied`` fits.

The following are not answered. ``auto_reply``: somebody is away, or a program confirms that it got the mail.
``bounce``: one of our mails was not delivered, or not yet. ``receipt``: it was delivered or read. ``calendar``: an
answer to an invitation. ``report``: a report of a mail server about many mails. ``complaint``: one of our mails was
reported as spam. ``challenge``: a filter asks for proof that the sender is a person. ``unsubscribe``: no more mail is
wanted. ``loop``: a mail of our own, or one in a mail loop. ``robot``: any other mail that was not sent by a person.
``quarantine``: the mail is not what it claims to be; it is kept for the operator to look at."""
