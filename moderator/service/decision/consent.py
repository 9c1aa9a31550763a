"""Reads ``yes`` and ``no`` in the first line of an answer, in many languages.

The word may stand in quotation marks or stars, and words that change nothing may follow it. A question mark, a ``but``
and any other word that is not listed here make the answer unclear: the person is asked again, and nothing is done.
"""

from __future__ import annotations

import re
from typing import Final, Literal
from unicodedata import normalize


def _listed(*lines: str) -> frozenset[str]:
    return frozenset(word for line in lines for word in line.split())


_YES: Final = _listed(
    "yes y yep yeah confirm confirmed ok okay agreed",  # English
    "ja jawohl bestätigt jo jep",  # German, Dutch, Scandinavian languages
    "kyllä joo jah",  # Finnish, Estonian
    "oui sí si sì sim da confirmo confirmado confermo",  # Romance languages
    "да так ano áno igen ναι evet",  # Slavic languages, Hungarian, Greek, Turkish
    "네 예 넵 はい ええ 是 是的 对 對 好 好的 확인 vâng ya có ใช่ हाँ हां نعم כן",  # Asian languages, Arabic, Hebrew
)
_NO: Final = _listed(
    "no n nope stop decline declined cancel",
    "nein nee nej nei ei",
    "non não nao nu",
    "нет ні ne nie nem όχι hayır",
    "아니요 아니오 아뇨 いいえ いや 不 不是 否 không tidak bukan ไม่ नहीं لا לא",
)
_THANKS: Final = _listed(
    "please thanks sorry bitte danke graag bedankt tack takk merci gracias grazie proszę dziękuję пожалуйста спасибо",
    "감사합니다 부탁합니다 お願いします ありがとうございます 谢谢",
)
_AFTER_YES: Final = _listed(
    "that was is it its it's me mine my mail order orders i did confirm confirmed confirming this sure of course ok",
    "okay agree agreed do go ahead carry out them both all correct right exactly indeed",
    "das war ich ist von mir meine natürlich gerne genau richtig stimmt dat ik klopt det var jag mig meg",
    "c'est c'était moi bien sûr s'il vous plaît por favor fui yo soy eu claro sono io ero to это я",
    "맞아요 맞습니다 저예요 접니다 私です そうです 是我",
)
_NOT: Final = _listed(
    "not wasn't didn't don't never nicht niet inte ikke pas nie не não non 아닙니다 私ではありません 不是我",
)
"""Without one of these, more than thanks after a ``no`` takes it back: ``no, that was me``."""
_AFTER_NO: Final = _NOT | _listed(
    "that was it me mine my mail order orders i did do this das war ich ist von mir dat ik det var jag mig meg",
    "ce n'est c'était moi fui yo eu sono io to это я 제가",
)
_GLAD: Final = re.compile("[👍👌✅✔☑🙂😀😃😄😊🙏🎉\u2764\ufe0f\u200d\U0001f3fb-\U0001f3ff]")
"""Signs that agree, and the marks that give them a colour."""
_SORRY: Final = re.compile("[👎❌✖🚫🛑🙏\ufe0f\u200d\U0001f3fb-\U0001f3ff]")
_BETWEEN: Final = re.compile(r"[\s.,!;:、。，！…\"“”„«»‹›「」『』()\[\]*_~`´‘–—-]+")
_LONGEST: Final = 200


def consent(text: str) -> Literal["yes", "no", ""]:
    """The answer in the first line of ``text`` that is not empty; "" if it is neither a plain ``yes`` nor a plain
    ``no``."""
    line = next((line.strip() for line in text.split("\n") if line.strip()), "")
    if len(line) > _LONGEST:
        return ""
    agreed = _words(line, _GLAD)
    if agreed and agreed[0] in _YES and all(_goes_with(word, _YES, _AFTER_YES) for word in agreed[1:]):
        return "yes"
    declined = _words(line, _SORRY)
    if not declined or declined[0] not in _NO:
        return ""
    rest = [word for word in declined[1:] if not _goes_with(word, _NO, _THANKS)]
    return "no" if not rest or (set(rest) <= _AFTER_NO and not _NOT.isdisjoint(rest)) else ""


def _words(line: str, signs: re.Pattern[str]) -> list[str]:
    """The words of a line in small letters, without ``signs``; a question mark is a word."""
    plain = normalize("NFKC", signs.sub(" ", line)).replace("’", "'").casefold().replace("thank you", "thanks")
    return [found for word in _BETWEEN.split(plain) if (found := word.strip("'"))]


def _goes_with(word: str, first: frozenset[str], after: frozenset[str]) -> bool:
    return word in after or word in _THANKS or (word in first and len(word) > 1)
