"""Finds the quoted and forwarded parts of a mail. Mail programs announce them in many languages. Where a rule can tell,
no language is known: a quotation has marks before its lines, or comes below a line of dashes with words, below our own
mark, subject or first line, or below the sender, date and recipients of another mail. Only the verb of an attribution
that names neither address nor date ("On 23 Nov, Ann wrote:") is listed. The lines right above a quotation that name the
sender, a date or an address are its attribution."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

QUOTED: Final = re.compile(r"\s*(?:[^\W\d_]{1,3})?>")
"""A quoted line: `>`, perhaps with the initials of its writer before it."""
_WIDEST: Final = 400
"""The number of characters of a line that are looked at; an attribution is short."""
_HIGHEST: Final = 4
"""The most lines over which mail programs break an attribution."""
_MARK: Final = re.compile(r"##-.{0,200}-##|^\W*[0-9a-z]{1,40}-\d{1,9}, [^\W\d_]+ \d+[:.]", re.IGNORECASE)
"""Our own mark, and the first line of our mails below it: ``1861-7, decision 26: ...``."""
_SUBJECT: Final = re.compile(
    r"(?:[^\W\d_][^:：@<>\[\]]{0,30}[:：][\s*_]*){0,4}\[[0-9a-z]{1,40}-\d{1,9}\]\s+[^\W_].*", re.IGNORECASE
)
"""The subject of a mail of ours, perhaps with ``Subject:`` and ``Re:`` before it."""
_FORWARD: Final = re.compile(r"-{4,}\s*[^\W_].*[^\W_]\s*-{4,}|begin forwarded message:", re.IGNORECASE)
"""A line of dashes with words in it, above a mail that is forwarded or quoted whole; and one that could be taken for
the beginning of a block. No order looks like them."""
_DASHES: Final = re.compile(r"[*_]*-{3,}\s*[^\W_].*\S\s*-{3,}[*_]*")
"""Such a line with fewer dashes, or with marks around it. It counts if it names a sender or has the verb of an
attribution."""
_WROTE: Final = re.compile(
    r"\b(?:wrote|writes|written by|original message|schrieb\w*|geschrieben|a écrit|écrit|escribi[óo]|escreveu"
    r"|ha scritto|scritto|schreef|geschreven|napisał\w*|pisze|napsal\w*|skrev|kirjoitti|írta|a scris|написал\w*|пишет"
    r"|писал\w*|написав\w*|пише|έγραψε|yazdı|menulis)\b|写道|寫道|書きました|のメール|님이|작성",
    re.IGNORECASE,
)
"""The verb of an attribution."""
_TITLED: Final = re.compile(
    r"(?:begin )?forwarded message|(?:the )?original message|quoted (?:text|message)|previous message|original|"
    r"(?:ursprüngliche|weitergeleitete) nachricht|message (?:d'origine|original|transféré)|"
    r"mensaje (?:original|reenviado)|messaggio (?:originale|inoltrato)|mensagem (?:original|encaminhada)|"
    r"(?:oorspronkelijk|doorgestuurd) bericht|wiadomość (?:oryginalna|przekazana)|oryginalna wiadomość|"
    r"(?:původní|přeposlaná) zpráva|(?:ursprungligt|vidarebefordrat) meddelande|"
    r"(?:oprindelig|videresendt) (?:meddelelse|besked)|(?:opprinnelig|videresendt) melding|"
    r"(?:alkuperäinen|välitetty) viesti|(?:исходное|пересылаемое|пересланное) сообщение|"
    r"(?:початкове|переслане) повідомлення|(?:orijinal|özgün|iletilen) (?:mesaj|ileti)|pesan (?:asli|diteruskan)|"
    r"(?:eredeti|továbbított) üzenet|mesaj (?:original|redirecționat)|(?:αρχικό|προωθημένο) μήνυμα|"
    r"元のメッセージ|転送(?:された)?メッセージ|원본 ?메시지|전달된 ?메시지|(?:原始|转发的?|轉寄的?)(?:邮件|郵件)",
    re.IGNORECASE,
)
"""A line of its own above a mail that is quoted whole."""
_AROUND: Final = " \t\xa0-=_*~#|[](){}<>:：.,\"'"
_ADDRESS: Final = re.compile(r"[\w.-]+\+[0-9a-z]{1,40}-\d{1,9}(?:\.\d+)?\.[a-z2-7]{8,40}@[\w.-]+", re.IGNORECASE)
"""A seat's address."""
_ANGLED: Final = re.compile(r"<[^<>@\s]+@[^<>\s]+>")
_SHORT: Final = 60
"""The most characters of a line without a colon that is an attribution because it names a sender and a date."""
_SENDER: Final = re.compile(r"@|\brailpost\b", re.IGNORECASE)
_DATE: Final = re.compile(r"\d{1,2}[:.]\d\d|\d{1,4}\s?[-./年년]\s?\d{1,2}|\b(?:19|20)\d\d\b")
_COLON: Final = re.compile("[:\uff1a][\\s*_\u200e\u200f\u202a-\u202e\u2066-\u2069]*$")
_LABEL: Final = re.compile(r"[\s*|]*[^\W\d_][^:：@<>]{0,30}[:：]")
"""``From:`` in any language."""
_OWN: Final = re.compile(r"\b(?:address|alias|begin|press)\b", re.IGNORECASE)
"""Words of lines that are for our reader, although they may have an address or a date in them."""


def above_quotation(lines: Sequence[str]) -> list[str]:
    """``lines`` with quoted mails and their attributions left empty. Lines with ``>`` stay where they are, and unquoted
    lines after them are still the writer's. Below everything else that begins a quotation, all lines are quoted, and a
    ``>`` there belongs to somebody else."""
    kept = list(lines)
    end = _end(lines)
    kept[end:] = [""] * (len(lines) - end)
    quoted = [n for n, line in enumerate(kept) if QUOTED.match(line) and not (n and QUOTED.match(kept[n - 1]))]
    for place in [*quoted, *([end] if end < len(lines) else [])]:
        first, last = _attribution(kept, place)
        kept[first : last + 1] = [""] * (last + 1 - first)
    return kept


def _end(lines: Sequence[str]) -> int:
    """The number of the line at which a mail begins that is quoted without a mark before each line; the number of lines
    if there is none."""
    labels: list[int] = []
    for number, whole in enumerate(lines):
        line = whole[:_WIDEST]
        if QUOTED.match(line) or not line.strip():
            continue
        if _MARK.search(line) or _divides(line.strip()):
            return number
        labels = [*labels[-_HIGHEST:], number] if _LABEL.match(line) else []
        first = next((n for n in labels if _tells(lines[n])), number)
        if first < number and _names_both(lines[first : number + 1]):
            return first
        below = next((one for one in lines[number + 1 :] if one.strip()), "")
        if _COLON.search(line) and not QUOTED.match(below):
            first, last = _attribution(lines, number + 1)
            if _names_both(lines[first : last + 1]):
                return first
            said = _said(line)
            if (_WROTE.search(said) or _ANGLED.search(said)) and not _OWN.search(said):
                return number
        if below and not (QUOTED.match(below) or _COLON.search(below)) and _is_bare(line.strip()):
            return number
    return len(lines)


def _divides(line: str) -> bool:
    """True for a line of dashes with words in it, a title, our subject or a seat's address, above a mail that is quoted
    whole."""
    bare = line.strip(_AROUND)
    if (
        _SUBJECT.fullmatch(line.strip(" \t\xa0*_|#"))
        or _FORWARD.fullmatch(line)
        or _TITLED.fullmatch(bare)
        or _ADDRESS.fullmatch(bare)
    ):
        return True
    return bool(_DASHES.fullmatch(line) and (_SENDER.search(line) or _WROTE.search(line)))


def _is_bare(line: str) -> bool:
    """True for a short line that is nothing but a sender and a date: ``23 Nov 2026 Railpost``."""
    return len(line) <= _SHORT and line[-1:].isalnum() and _names_both([line]) and "@" not in line


def _attribution(lines: Sequence[str], end: int) -> tuple[int, int]:
    """The first and last line of the attribution right above line ``end``. If there is none, the last is before the
    first."""
    last = next((n for n in range(end - 1, -1, -1) if lines[n].strip()), -1)
    first = max(last, 0)
    while first > 0 and last - first + 1 < _HIGHEST and lines[first - 1].strip():
        first -= 1
    first = next((n for n in range(first, last + 1) if _tells(lines[n])), end)
    told = lines[first : last + 1]
    if not told or not (_COLON.search(told[-1][:_WIDEST]) or _names_both(told)):
        return end, end - 1
    return first, last


def _tells(line: str) -> bool:
    said = _said(line)
    return not _OWN.search(said) and bool(_SENDER.search(said) or _DATE.search(said))


def _names_both(lines: Sequence[str]) -> bool:
    """True if the lines name both a sender and a date."""
    said = "\n".join(map(_said, lines))
    return not _OWN.search(said) and bool(_SENDER.search(said) and _DATE.search(said))


def _said(line: str) -> str:
    return line[:_WIDEST].split("//", 1)[0]
