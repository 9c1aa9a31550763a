"""Turns HTML into plain text: with its line breaks, without hidden text, and with a ``>`` in place of each quotation.

A page is made plain before it is laid out. Tables, lists and measures (``margin-top: 99999em``) can make a page grow
without end, and nobody wrote the numbers that a list puts before orders.
"""

from __future__ import annotations

import re
from typing import Final

from inscriptis.css_profiles import STRICT_CSS_PROFILE
from inscriptis.html_engine import Inscriptis
from inscriptis.html_properties import Display
from inscriptis.model.config import ParserConfig
from inscriptis.model.html_element import HtmlElement
from lxml import etree
from lxml.html import HTMLParser, document_fromstring

from moderator.service.reading.message import ODD, Malformed

_GONE: Final = HtmlElement(display=Display.none)
_NO_TEXT: Final = ("script", "style", "head", "title")
_CONFIG: Final = ParserConfig(css={**STRICT_CSS_PROFILE, **dict.fromkeys(_NO_TEXT, _GONE)})
_BLOCKS: Final = frozenset({"table", "tbody", "thead", "tfoot", "tr", "ul", "ol", "li", "dl", "dt", "dd"})
_CELLS: Final = frozenset({"td", "th"})
_HIDDEN: Final = re.compile(r"display\s*:\s*none", re.IGNORECASE)
_AS_WRITTEN: Final = re.compile(r"white-space\s*:\s*pre", re.IGNORECASE)
_DEEPEST: Final = 200
_MOST_ELEMENTS: Final = 20_000
_LONGEST_STYLE: Final = 2_000


def html_to_text(html: str, *, whole: bool = False) -> str:
    """The text of a page, or of a piece of one; if ``whole``, with its quotations and hidden text. ``Malformed`` if it
    has no end or cannot be read."""
    if not html.strip():
        return ""
    try:
        parser = HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, huge_tree=True)
        page = document_fromstring(html.encode("utf-8", "replace"), parser=parser)
        if any(fault.type == etree.ErrorTypes.ERR_RESOURCE_LIMIT for fault in parser.error_log):
            raise Malformed("HTML without end", "html_deep")  # the parser drops what comes after
        if not whole:
            _mark_quotations(page)
        _make_plain(page, whole=whole)
        return str(Inscriptis(page, _CONFIG).get_text())
    except etree.ParserError:  # nothing in it but comments
        return ""
    except (*ODD, etree.LxmlError) as error:
        raise Malformed(f"HTML: {error}", "html") from error


def _make_plain(page: etree._Element, *, whole: bool) -> None:
    deep = 0
    for number, (event, element) in enumerate(etree.iterwalk(page, events=("start", "end"))):
        deep += 1 if event == "start" else -1
        if deep > _DEEPEST or number > 2 * _MOST_ELEMENTS:
            raise Malformed("HTML without end", "html_deep")
        if event == "end" or not isinstance(element.tag, str):
            continue
        style = element.get("style", "")[:_LONGEST_STYLE]
        element.attrib.clear()
        if _HIDDEN.search(style) and not whole:
            element.set("style", "display: none")
        elif _AS_WRITTEN.search(style):
            element.set("style", "white-space: pre")
        if element.tag in _BLOCKS:
            element.tag = "div"
        elif element.tag in _CELLS:
            element.tag = "span"
            element.tail = f" {element.tail or ''}"


def _mark_quotations(page: etree._Element) -> None:
    """Put a line with ``>`` in place of each quotation, so that the text above it is recognised as its head."""
    for quotation in list(page.iter("blockquote")):
        quotation[:] = []
        quotation.tag, quotation.text = "div", ">"
