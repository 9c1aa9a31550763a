"""What of a mail is quoted or forwarded, as mail programs of many languages mark it."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from mailparser_reply.constants import MAIL_LANGUAGES
from mailparser_reply.parser import EmailMessage

QUOTED: Final = re.compile(r"\s*>")
WIDEST: Final = 400
"""Characters of a line that are looked at for the heads of quotations; they are short, and the patterns are slow."""
_MARK: Final = re.compile(r"##-.{0,200}-##")
_FORWARD: Final = re.compile(r"-{5,}\s*[^\W_].*[^\W_]\s*-{5,}|begin forwarded message:", re.IGNORECASE)
"""What mail programs of any language put above a mail that is forwarded or quoted whole. No order looks like it."""
_YEAR_OR_ADDRESS: Final = re.compile(r"\b(?:19|20)\d\d\b|@")
_MOST_LOOKED_AT: Final = 20_000
"""Characters of a mail that are looked at for them."""
_FROM: Final = (
    "From Von De Da Van Od Fra Från Lähettäjä От Від Feladó Kimden Gönderen Από 差出人 送信者 发件人 寄件者 寄件人 "
    "Remitente Expéditeur Mittente Nadawca Afzender Avsändare Saatja Nuo Od Pošiljatelj Šalje מאת من"
)
_OTHERS: Final = (
    "Sent To Subject Date Cc Gesendet An Betreff Datum Envoyé À A Objet Enviado Enviada Para Assunto Asunto Fecha "
    "Data Inviato Oggetto Verzonden Aan Onderwerp Skickat Till Ämne Sendt Til Emne Lähetetty Vastaanottaja Aihe Päivä "
    "Wysłano Do Temat Odesláno Komu Předmět Odoslané Predmet Отправлено Дата Кому Тема Надіслано Küldve Elküldve "
    "Címzett Tárgy Gönderildi Gönderilme Tarih Kime Kimden Konu Στάλθηκε Προς Θέμα Saadetud Kellele Teema Išsiųsta Kam "
    "Tema Poslano Za נשלח אל נושא تاريخ إلى الموضوع 送信日時 日付 宛先 件名 发送时间 日期 收件人 主题 "
    "寄件日期 傳送時間 主旨"
)
"""What Outlook and others write before the sender, and before date, recipients and subject."""


def above_quotation(lines: list[str], rest: str) -> list[str]:
    """The lines with quoted mails left empty: what follows our mark or a quoted mail's head. After one that says who
    wrote (``On … wrote:``) and that lines with ``>`` follow, unquoted lines go on being the writer's. Under a head as
    Outlook makes it (``From: … Sent: …``) all is quoted, and a ``>`` there is another one's. ``rest`` is put where
    there is more that may be heads than is looked at."""
    kept = list(lines)
    mark = next((n for n, line in enumerate(lines) if _MARK.search(line) and not QUOTED.match(line)), None)
    forward = next((n for n, line in enumerate(lines) if _FORWARD.fullmatch(line.strip()[:WIDEST])), None)
    end = min(n for n in (mark, forward, len(lines)) if n is not None)
    looked_at, cut = _looked_at(kept[:end])
    for first, last in _heads(looked_at):
        after = next((line for line in lines[last + 1 :] if line.strip()), "")
        if QUOTED.match(after) and lines[last].rstrip().endswith(":"):
            kept[first : last + 1] = [""] * (last + 1 - first)
        else:
            end = min(end, first)
    if cut is not None and cut < end:
        kept[cut], end = rest, cut + 1
    kept[end:] = [""] * (len(kept) - end)
    quotation = next((n for n, line in enumerate(kept) if QUOTED.match(line)), end)
    if quotation < len(lines):
        _drop_attribution(kept, quotation)
    return kept


def _drop_attribution(lines: list[str], end: int) -> None:
    """The line above a quotation that says who wrote it, in a language that is not known to us."""
    above = [n for n in range(end) if lines[n].strip()][-2:]
    if above and lines[above[-1]].rstrip().endswith(":"):
        for n in reversed(above):
            if "@" in lines[n]:
                for drop in range(n, above[-1] + 1):
                    lines[drop] = ""
                return


def _looked_at(lines: list[str]) -> tuple[list[str], int | None]:
    """The lines with those left empty that cannot belong to the head of a quotation, because it takes long to look at
    lines; and the first one that is too much."""
    likely: set[int] = set()
    for number, line in enumerate(lines):
        said = line.strip()[:WIDEST]
        if said.endswith((":", "：")):
            likely.update((number - 2, number - 1, number))
        elif ":" in said[:60] or "：" in said[:60] or said.startswith("-----"):
            likely.add(number)
    looked_at, left = [""] * len(lines), _MOST_LOOKED_AT
    for number in sorted(n for n in likely if n >= 0):
        said = lines[number].strip()[:WIDEST]
        left -= len(said)
        if left < 0:
            return looked_at, number
        looked_at[number] = said
    return looked_at, None


def _heads(lines: list[str]) -> list[tuple[int, int]]:
    """First and last line of every head of a quotation ("On … wrote:", "From: … Sent: …") in about a dozen languages.

    The head of a section of orders (``A: pass``) looks like one too: a head has an address or a year in it.
    """
    text = "\n".join(lines)
    found = []
    for match in sorted(
        (*_header_pattern().finditer(text), *_labels_pattern().finditer(text)), key=lambda m: (m.start(), m.end())
    ):
        said = match.group()
        if not _YEAR_OR_ADDRESS.search(said) and "--" not in said:
            continue
        start = match.start() + len(said) - len(said.lstrip())
        first = text.count("\n", 0, start)
        found.append((first, first + said.strip().count("\n")))
    return found


@cache
def _header_pattern() -> re.Pattern[str]:
    pattern: re.Pattern[str] = EmailMessage(text="", languages=list(MAIL_LANGUAGES)).HEADER_REGEX
    return pattern


@cache
def _labels_pattern() -> re.Pattern[str]:
    """A line that says who sent, and right below it another such line."""
    first, others = ("|".join(map(re.escape, words.split())) for words in (_FROM, _OTHERS))
    return re.compile(
        rf"^[* ]*(?:{first})[* \u00a0\u202f]{{0,3}}[:：].*(?:\n[* ]*(?:{others})[* \u00a0\u202f]{{0,3}}[:：].*)+",
        re.IGNORECASE | re.MULTILINE,
    )
