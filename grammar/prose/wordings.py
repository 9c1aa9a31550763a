"""Orders in the words of a letter, such as `I'll keep the money, please`: read as the orders of the notation.

Only a text that the notation does not read is looked at. Each rule replaces a phrase that has one meaning by the words
of the notation; little words go. Where a phrase leaves a choice open (`sell my shares`), no rule matches, the text
stays unreadable, and its writer is asked. Names of the game are never taken for little words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from engine.core.orders import Order
from grammar.builders.orders import ExitsError
from grammar.builders.words import Word
from grammar.faults import read_piece
from grammar.lexer import Lexicon, lexicon
from grammar.parser import StuckError, parse
from grammar.vocabulary import Vocabulary

_LONGEST: Final = 160
"""The maximum number of characters of an order in other words."""
_NUMBERS: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_PLACEHOLDER: Final = {
    "T": r"(?P<train>[0-9][0-9a-z+]*)",
    "C": r"(?P<company>[^\s,;]+?)",
    "D": r"(?P<other>[^\s,;]+?)",
    "N": r"(?P<number>\S*[0-9]\S*)",
    "H": r"(?P<hex>[a-z][0-9]{1,2}(?:/\S+)?)",
    "R": r"(?P<rest>.+?)(?: turns?| sixths?)?",
    "M": r"(?P<more>\S*[0-9]\S*)",
}
"""Letter in braces -> a pattern: a train, a company or private, another, an amount, a space, the rest of an order."""

_MONEY: Final = "(?:money|revenues?|earnings|income|profits?|dividends?|cash|proceeds)"
_UNITS: Final = "francs?|pounds?|lire|dollars?|roubles?|rubles?"
_PLACED: Final = "(?:station |company )?(?:token|marker|station|station marker)"
_OFFER: Final = "it|this|that|(?:this |that )?(?:sale|offer|deal|merger|price|proposal|request|purchase)"
_TAKE: Final = r"take \g<number>{ of company}"
_STAYS: Final = "(?:survives|stays|remains|continues|lives on)"
_AT: Final = "(?:with|turned|rotated|facing|rotation|orientation|turn|at|to|in)"

_LEADING: Final = (
    r"(?:ok|okay|alright|fine|and|then|so|now|well|please|kindly|first|next|finally|after that|afterwards),? +",
    (
        r"(?:i|we|it)(?:'ll|'d like to| will| shall| would like to| want to| wish to| have decided to| choose to"
        r"| am going to|'m going to)? +"
    ),
    r"(?:let me|let us|let's) +",
)
"""Beginnings that say nothing."""
_TELLING: Final = (
    *("lay", "upgrade", "run", "pay", "keep", "withhold", "buy", "sell", "place", "take", "repay", "discard"),
    *("merge", "convert", "start", "raise", "open", "drop", "decline", "redeem", "distribute"),
)
_VERBS: Final = {"passes": "pass", **{f"{verb}s": verb for verb in _TELLING}}
"""Verb of a sentence that tells an order -> the verb of the order. The past is that of reports: it orders nothing."""
_ENDING: Final = r",? +(?:please|pls|thanks|thank you|thank you very much|now|for now|this time|this turn|then|too)"
"""Endings that say nothing."""

_BEFORE_ARTICLES: Final = (
    (
        (
            r"(sell|buy(?: back)?|redeem|take(?: out)?|repay|pay back|loan|borrow|purchase|get)"
            r" (?:a single|one single|a|an) (.*\b(?:share|loan)\b.*)"
        ),
        r"\1 1 \2",
    ),
    (r"sell my (.*\bshare\b.*)", r"sell 1 \1"),
    (r"(?:buy|purchase|get) (?:a|an|the|one) {T}( from .*)?", r"train \g<train>\2"),
)
"""Rules that articles matter to: `a share` is one share, `my shares` may be any number."""

_RULES: Final = (
    # the money
    (
        (
            rf"(?:keep|retain|withhold|hold back)(?: all)?(?: of)?(?: this| company's)? {_MONEY}"
            r"(?: in company| in treasury| for company)?"
        ),
        "pay none",
    ),
    (r"(?:withhold|retain) (?:it|all|everything|all of it)", "pay none"),
    (rf"(?:pay|pay out|declare|distribute) (?:no|zero) {_MONEY}", "pay none"),
    (r"pay ?out", "pay full"),
    (r"pay (?:nothing|nothing out|out nothing)|no dividends?|without dividends?", "pay none"),
    (rf"(?:pay|pay out|distribute)(?: out)?(?: all)?(?: of)?(?: whole| full| entire) {_MONEY}(?: out)?", "pay full"),
    (rf"(?:pay out|distribute|pay) all(?: of)?(?: {_MONEY})?(?: out)?", "pay full"),
    (r"(?:pay|distribute) (?:everything|it all|all of it)(?: out)?|pay out everything", "pay full"),
    (rf"pay(?: out)?(?: {_MONEY})? (?:in full|fully)|full(?: dividends?| payout| pay)?", "pay full"),
    (rf"(?:pay|pay out|distribute|declare) (?:out )?half(?: of)?(?: (?:{_MONEY}|it))?(?: out)?", "pay half"),
    (r"half(?: dividends?| payout| pay)?", "pay half"),
    (r"(?:pay|declare|pay out)? ?dividends? (?:of )?{N}|(?:pay|declare) {M} (?:as )?dividend", "dividend {nm}"),
    # loans
    (r"(?:take|take out|borrow|loan|get) {N} loans?(?: from bank)?", r"loan \g<number>"),
    (r"(?:repay|pay back|pay off|return) {N}(?: loans?| of loans)?(?: to bank)?", r"repay \g<number>"),
    # turns
    (r"(?:end|finish|complete)(?: of)? (?:company's )?turn|turn (?:is )?(?:over|done|finished)", "done"),
    (
        r"(?:all |i'm |i am |we're |we are |am |are |is )?done(?: with)?(?: this)?(?: company's)?(?: turn)?(?: here)?",
        "done",
    ),
    (r"(?:i'm |i am |we're )?passing|pass (?:here|on this|this one)", "pass"),
    (
        (
            r"run (?:best|optimal|maximum|max|most profitable|most valuable|highest)(?: possible| paying)?"
            r"(?: routes?| runs?| trains?| set of routes)?"
        ),
        "run best",
    ),
    (
        (
            r"run (?:trains? )?(?:for|as|at|on) (?:best|most|maximum|max|well as possible)"
            rf"(?: possible)?(?: {_MONEY}| routes?)?"
        ),
        "run best",
    ),
    (r"run trains? best|best (?:run|runs|routes?)|(?:run )?auto(?:matic(?:ally)?)?(?: routes?| runs?)?", "run best"),
    (r"run (?:nothing|no trains?)|no run", "run none"),
    (r"run {T}(?:[- ]?train)?(?: on| along| over| via| through)? {R}", r"run \g<train> \g<rest>"),
    # trains
    (r"(?:buy|purchase|get) (?:1 )?used {T}(?:[- ]?train)?", r"train \g<train> from pool"),
    (
        r"(?:buy|purchase|get) (?:1 )?(?:new )?(?:train {T}|{T2}[- ]?train)(?: from (?:bank|supply|depot|box))?",
        "train {tt}",
    ),
    (
        r"(?:buy|purchase|get) (?:1 )?(?:used )?(?:train {T}|{T2}[- ]?train) from (?:bank )?(?:pool|market)",
        "train {tt} from pool",
    ),
    (r"(?:buy )?train {T} from (?:bank )?(?:pool|market)", r"train \g<train> from pool"),
    (r"(?:buy )?train {T} from (?:supply|depot|box)", r"train \g<train>"),
    (
        (
            r"(?:buy|purchase|get) (?:1 )?(?:train {T}|{T2}[- ]?train) (?:from|of) {C} (?:for|at|paying) "
            r"(?:price of )?{N}"
        ),
        r"train {tt} from \g<company> for \g<number>",
    ),
    (
        r"(?:buy )?train {T} from {C} (?:at|paying|for price of|at price of) {N}",
        r"train \g<train> from \g<company> for \g<number>",
    ),
    (
        r"(?:buy|purchase|get) {C}'s {T}(?:[- ]?train)? (?:for|at) {N}",
        r"train \g<train> from \g<company> for \g<number>",
    ),
    (r"(?:discard|scrap) {T}(?:[- ]?train)?", r"discard \g<train>"),
    (r"(?:buy|purchase|get) no (?:more )?trains?(?:,| and|, and)(?: am| are| is|'m)? (?:done|finished)", "done"),
    # track and markers
    (
        (
            rf"(?:(?:lay|place|put|build)(?: yellow| green| brown| gr[ae]y)?(?: track)?(?: tile)?|tile)"
            rf"(?: no\.?| number)? #?"
            rf"(?P<tile>[^\s,]+) (?:on|in|at|onto) (?:hex )?{{H}},? (?:{_AT} )?(?:rotation |orientation |turn )?{{R}}"
        ),
        r"lay \g<tile> \g<hex> \g<rest>",
    ),
    (
        rf"upgrade {{H}} (?:to|with) (?:tile )?#?(?P<tile>[^\s,]+),? (?:{_AT} )?(?:rotation |orientation |turn )?{{R}}",
        r"lay \g<tile> \g<hex> \g<rest>",
    ),
    (
        rf"(?:place |put |lay |set |add |build )?{_PLACED} (?:in|on|at|into) (?:hex |city |city of )?{{H}}",
        r"token \g<hex>",
    ),
    (rf"(?:place|put|set|add|build) {_PLACED} {{H}}", r"token \g<hex>"),
    # shares
    (
        (
            r"sell {N} (?:shares? )?(?:of |in )?{C}(?: shares?)?(?: to| into| in| on)?"
            r" ?(?:(?:bank )?pool|(?:open )?market|bank)?"
        ),
        r"sell \g<number> \g<company>",
    ),
    (r"(?:buy|purchase|get) (?:1 )?(?:share (?:of |in )?)?{C}(?: share)?", r"buy \g<company>"),
    (
        (
            r"(?:buy|purchase|get) (?:1 )?(?:share (?:of |in )?)?{C}(?: share)? from (?:company's |its )?"
            r"(?P<place>pool|market|bank pool|treasury|charter|ipo|offering|initial offering)(?: of company)?"
        ),
        r"buy \g<company> from {place}",
    ),
    (
        r"(?:redeem|buy back) {N}(?: of its own| of company's own| own)?(?: shares?)?(?: from pool| from market)?",
        r"redeem \g<number>",
    ),
    (r"(?:redeem|buy back) (?:1 )?(?:own )?share", "redeem 1"),
    (r"take {N} shares?(?: (?:of|from) (?:charter|treasury))?(?: of {C})?", _TAKE),
    (r"(?:take|buy|purchase) {N} (?:treasury|charter|further|offered) shares?", r"take \g<number>"),
    (r"take {N} from (?:charter|treasury)", r"take \g<number>"),
    (r"(?:take|buy|accept) no shares?|take (?:none|nothing)", "take 0"),
    (r"(?:take|buy|purchase|get) {N} (?:more|further|additional|extra)(?: shares?)?(?: of| in)? {C}", _TAKE),
    (
        (
            r"(?:start|found|par|launch) (?:company |up )?{C},? (?:at|for|with)(?: price| par| par price| start price"
            r"| starting price)?(?: of| at)? {N}(?: in (?:hex )?{H})?"
        ),
        r"start \g<company> at \g<number>{ in hex}",
    ),
    # mergers
    (rf"{{C}} merges? (?:with|and) {{D}},? (?:and )?(?P=other) {_STAYS}", r"merge \g<company> into \g<other>"),
    (rf"{{C}} merges? (?:with|and) {{D}},? (?:and )?(?P=company) {_STAYS}", r"merge \g<other> into \g<company>"),
    (rf"merge (?:with )?{{D}},? (?:and )?(?P=other) {_STAYS}", r"merge with \g<other> into \g<other>"),
    # auctions
    (r"(?:auto ?bid|bid|go|limit)?(?: of)? ?(?:up to|max|maximum|at most|maximum of) {N}", r"limit \g<number>"),
    (r"(?:auto ?bid|max(?:imum)? bid)(?: of| to)? {N}", r"limit \g<number>"),
    (
        r"(?:auto ?bid|bid|go|limit)? ?(?:up to|max|maximum|at most|maximum of) {N} (?:on|for) {C}",
        r"limit \g<number> on \g<company>",
    ),
    (r"raise(?: bid)? (?:on |for )?{C} to {N}", r"bid \g<number> on \g<company>"),
    (r"(?:bid|bidding|offer|make bid of|place bid of|bid of|raise bid to|raise to)(?: of)? {N}", r"bid \g<number>"),
    (
        (
            r"(?:bid|offer|make bid of|place bid of|bid of|raise bid to|raise to)(?: of)? {N} (?:on|for)"
            r"(?: private| private company| company| lot)? {C}"
        ),
        r"bid \g<number> on \g<company>",
    ),
    (r"(?:drop|get|go) out(?: of (?:auction|bidding|this auction))?|drop (?:auction|bidding)", "drop"),
    (r"(?:drop|get) out of(?: auction of| auction for| bidding for)? {C}", r"drop \g<company>"),
    (
        r"(?:open|start)(?: auction| bidding)(?: of| for| on) {C}(?: at| with| for)? {N}",
        r"open \g<company> at \g<number>",
    ),
    (r"open {C},? (?:with|for|at price of|with bid of|with opening bid of) {N}", r"open \g<company> at \g<number>"),
    (
        r"(?:buy|purchase|get) (?:private |private company |company )?{C} (?:for|at|paying) (?:price of )?{N}",
        r"buy \g<company> for \g<number>",
    ),
    # words for the moderator
    (r"(?:(?:hex|company|private|at) \S+|board|phase|lays|history)", r"show \g<0>"),
    # consent
    (rf"(?:yes,? )?(?:i |we )?agree (?:to|with) (?:{_OFFER})", "agree"),
    (r"yes,? (?:i |we )?agree", "agree"),
    (rf"(?:no,? )?(?:i |we )?refuse (?:{_OFFER})", "refuse"),
    (r"no,? (?:i |we )?refuse", "refuse"),
)
"""A phrase without articles -> the order that it is. ``{tt}`` is the train that either form named."""


def understand(text: str, vocabulary: Vocabulary, actor: str) -> Order | Word:
    """``text`` as an order or a word for the moderator, in the words of the notation or of a letter. ``StuckError`` or
    ``ExitsError`` of the notation if it is neither."""
    try:
        return read_piece(text, vocabulary, actor)
    except (StuckError, ExitsError):
        found = read_naturally(text, vocabulary, actor)
        if found is None:
            raise
        return found


def understood(text: str, vocabulary: Vocabulary) -> bool:
    """True if ``text`` can be read as ``understand`` does."""
    try:
        understand(text, vocabulary, "")
    except (StuckError, ExitsError):
        return False
    return True


def read_naturally(text: str, vocabulary: Vocabulary, actor: str) -> Order | Word | None:
    """The only order, or word that shows something, that ``text`` can be with its phrases in the words of the notation.
    None if there is none, or if several could be meant. For texts that the notation does not read."""
    found = list[Order | Word]()
    for words in _readings(text.rstrip(". !"), lexicon(vocabulary)):
        try:
            order = parse(words, vocabulary, actor)
        except (StuckError, ExitsError):
            continue
        if (not isinstance(order, Word) or order.kind == "show") and order not in found:
            found.append(order)
    return found[0] if len(found) == 1 else None


@lru_cache(maxsize=1)
def _compiled() -> tuple[Sequence[tuple[re.Pattern[str], str]], ...]:
    return tuple(tuple((_pattern(form), said) for form, said in rules) for rules in (_BEFORE_ARTICLES, _RULES))


def _pattern(form: str) -> re.Pattern[str]:
    text = form.replace("{T2}", _PLACEHOLDER["T"].replace("train", "train2"))
    for letter, pattern in _PLACEHOLDER.items():
        text = text.replace(f"{{{letter}}}", pattern)
    return re.compile(text, re.IGNORECASE)


def _readings(text: str, names: Lexicon) -> list[str]:
    """The texts in the words of the notation that ``text`` may stand for."""
    if len(text) > _LONGEST or not text.strip():
        return []
    said = _without_frame(" ".join(text.split()), names)
    before, rules = _compiled()
    found = [said]
    for pattern, form in before:
        if match := pattern.fullmatch(said):
            said = match.expand(form)
            found.append(said)
    plain = _without_little_words(said, names)
    found.append(plain)
    found.extend(_filled(form, match) for pattern, form in rules if (match := pattern.fullmatch(plain)))
    return list(dict.fromkeys(one for one in found if one != text))


def _filled(form: str, match: re.Match[str]) -> str:
    """``form`` with what the phrase named."""
    named = match.groupdict()
    train = named.get("train") or named.get("train2") or ""
    amount = named.get("number") or named.get("more") or ""
    place = (named.get("place") or "").casefold()
    form = form.replace("{tt}", train).replace("{nm}", amount)
    form = form.replace("{place}", {"bank pool": "pool", "initial offering": "offering"}.get(place, place))
    form = form.replace("{ of company}", f" of {named['company']}" if named.get("company") else "")
    form = form.replace("{ in hex}", f" in {named['hex']}" if named.get("hex") else "")
    return match.expand(form)


def _without_frame(text: str, names: Lexicon) -> str:
    """``text`` without beginnings and endings that say nothing, and with numbers in figures."""
    changed = True
    while changed:
        changed = False
        for pattern in _LEADING:
            match = re.match(pattern, text, re.IGNORECASE)
            if match and _free(match[0], names):
                text, changed = text[match.end() :], True
        match = re.search(rf"(?:{_ENDING})$", text, re.IGNORECASE)
        if match and match.start():
            text, changed = text[: match.start()], True
    text = re.sub(rf"(?<=[0-9]) (?:{_UNITS})\b", "", re.sub(r"\bL\. (?=[0-9])", "L.", text), flags=re.IGNORECASE)
    first, _, rest = text.partition(" ")
    if _free(first, names):
        text = f"{_VERBS.get(first.casefold(), first)} {rest}".rstrip()
    return " ".join(_figure(word, names) for word in text.split())


def in_sentence(word: str) -> bool:
    """True if ``word`` stands after a name in a sentence that tells an order: `NO lays ...`, `NO then ...`."""
    return word.casefold() in (*_VERBS, "is", "then")


def _figure(word: str, names: Lexicon) -> str:
    folded = word.casefold()
    return str(_NUMBERS.index(folded) + 1) if folded in _NUMBERS and folded not in names.names else word


def _free(words: str, names: Lexicon) -> bool:
    """True if none of ``words`` is a name of the game."""
    said = [word.strip(",").casefold() for word in words.split()]
    return not any(word in names.names or word in names.actors for word in said)


_LITTLE: Final = frozenset(["the", "a", "an", "my", "our", "its", "please", "kindly", "just", "also"])
"""Words that never change what an order says."""


def _without_little_words(text: str, names: Lexicon) -> str:
    return " ".join(word for word in text.split() if word.casefold() not in _LITTLE or not _free(word, names))
