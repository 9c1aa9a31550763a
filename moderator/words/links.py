"""Links that open a finished answer in the reader's mail program (``mailto:``, RFC 6068)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

from moderator.words.question.answers import Answer

LONGEST: Final = 1800
"""The maximum number of characters of a link. Some programs cut longer ones."""


@dataclass(frozen=True, slots=True)
class Links:
    """Makes the links of one mail. ``reply_to``: the address for its answer; "" if there is none. ``subject``: that of
    the mail. ``seat``: its reader's. ``alone``: he is asked one thing only, so that his own orders need no head."""

    reply_to: str
    subject: str
    seat: str = ""
    alone: bool = False

    def answer(self, answer: Answer) -> str:
        """The link to ``answer``; "" if there is none."""
        return self.text(answer.lines)

    def order(self, actor: str, order: str) -> str:
        """The link to a single order as it stands in a menu; "" if there is none."""
        return self.text([order if self.alone and actor == self.seat else f"{actor}: {order}"])

    def text(self, lines: Sequence[str]) -> str:
        """The link to a mail with these ``lines``; "" if there is no address to answer to, or if it would get too long.
        All is encoded that programs take for something else: some read ``+`` as a blank, and ``&`` separates fields."""
        if not self.reply_to:
            return ""
        body = quote("\r\n".join(lines), safe=",-/:;")
        link = f"mailto:{quote(self.reply_to, safe='@')}?subject={quote('Re: ' + self.subject)}&body={body}"
        return link if len(link) <= LONGEST else ""
