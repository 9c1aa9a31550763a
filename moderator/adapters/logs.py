"""The service's log: lines for people or JSON for programs, without text that people wrote and without secrets.

The message of an exception may contain a piece of a mail. So the log of an unforeseen exception gives only its kind and
the places in the code that it passed through. All output also passes ``redact``, which leaves no control character in
it.
"""

from __future__ import annotations

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from typing import Any, Final, Literal

_FIELDS: Final = ("mail", "outbox", "game", "player", "outcome", "state", "kind")
"""Facts that a line may give besides its message, from ``extra``."""
_NOISY: Final = ("alembic", "aiosmtplib", "imapclient", "sqlalchemy", "mail.log")
_LONGEST: Final = 2_000


def set_up(form: Literal["text", "json"], level: int = logging.INFO) -> None:
    """From now on, send the log to standard error in this form."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if form == "json" else TextLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for name in _NOISY:  # their messages are of no use, or are what goes over the wire
        logging.getLogger(name).setLevel(logging.ERROR)


def set_up_last_resort() -> None:
    """Format the warnings that go to standard error in our form where no log is set up, as in most commands."""
    if logging.lastResort is not None:
        logging.lastResort.setFormatter(TextLines())


class TextLines(logging.Formatter):
    """One line for each event: time (UTC), level, message."""

    def format(self, record: logging.LogRecord) -> str:
        lines = [f"{_when(record)} {record.levelname} {_message(record)}"]
        lines += (f"  {line}" for line in _trace(record))
        return "\n".join(lines)


class JsonLines(logging.Formatter):
    """One JSON object for each event: ``time``, ``level``, ``logger``, ``event`` (the message before it is filled in,
    which is the same for all events of a kind), ``message``, the facts of ``_FIELDS`` that are known, and ``trace`` for
    an exception."""

    def format(self, record: logging.LogRecord) -> str:
        said: dict[str, Any] = {
            "time": _when(record), "level": record.levelname.lower(), "logger": record.name,
            "event": _redacted(str(record.msg))[:_LONGEST], "message": _message(record),
        }  # fmt: skip
        for name in _FIELDS:
            value = getattr(record, name, None)
            if value is not None and value != "":
                said[name] = value if isinstance(value, int) else _redacted(str(value))[:_LONGEST]
        trace = _trace(record)
        if trace:
            said["trace"] = trace
        return json.dumps(said, ensure_ascii=False)


def _when(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _message(record: logging.LogRecord) -> str:
    """The message in one line."""
    try:
        text = record.getMessage()
    except (TypeError, ValueError):
        text = str(record.msg)
    return " ".join(_redacted(text).split())[:_LONGEST]


def _redacted(text: str) -> str:
    from moderator.domain.redaction import redact  # its patterns take a twentieth of the time of a command's start

    return redact(text)


def _trace(record: logging.LogRecord) -> list[str]:
    """Kinds and places of an exception and of those that led to it, innermost last, without their messages."""
    error = record.exc_info[1] if record.exc_info else None
    found: list[str] = []
    while error is not None and len(found) < 60:
        places = [
            f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(error.__traceback__)
        ]
        found = [*places, type(error).__qualname__, *found]
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return found
