"""Phrases of letters, each with the order of the notation that it can only mean.

A phrase is a pattern in small letters without articles. In braces stand the parts that it names: {T} a train, {C} a
company or private, {D} and {E} others, {N} and {M} amounts, {H} a space, {R} the rest of an order.
"""

from __future__ import annotations

from typing import Final

NUMBERS: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
PLACEHOLDER: Final = {
    "T": r"(?P<train>[0-9][0-9a-z+]*)",
    "C": r"(?P<company>[^\s,;]+?)",
    "D": r"(?P<other>[^\s,;]+?)",
    "E": r"(?P<third>[^\s,;]+?)",
    "N": r"(?P<number>\S*[0-9]\S*)",
    "H": r"(?P<hex>[a-z][0-9]{1,2}(?:/\S+)?)",
    "R": r"(?P<rest>.+?)(?: turns?| sixths?)?",
    "M": r"(?P<more>\S*[0-9]\S*)",
}
"""Letter in braces -> a pattern."""

_MONEY: Final = "(?:money|revenues?|earnings|income|profits?|dividends?|cash|proceeds)"
UNITS: Final = r"francs?|pounds?|lire|dollars?|roubles?|rubles?|sfr|frs?\."
RESTRICTING: Final = "or|if|unless|not|no|never|maybe|perhaps|but|until|except|instead|only|else"
"""Words that make more of a remark in brackets than a remark."""
_PLACED: Final = "(?:home |station |company )?(?:token|marker|station|station marker)"
_OFFER: Final = "it|this|that|(?:this |that )?(?:sale|offer|deal|merger|price|proposal|request|purchase)"
_TAKE: Final = r"take \g<number>[ of \g<company>]"
_LIMIT: Final = r"limit \g<number>[ on \g<company>]"
_AUTO: Final = "(?:auto|proxy)[- ]?bid(?:ding)?"
_BIDDING: Final = (
    rf"(?:{_AUTO}|bid|bidding|raise(?: bid)?|(?:keep|go)(?: on)?(?: bidding| raising)?"
    r"|stay(?: in)?(?: bidding| auction)?|(?:set )?limit)"
)
_CAP: Final = (
    "(?:max(?:imum)?(?: bid| price| limit)?|(?:to )?at most|(?:to )?(?:no|not) (?:more|higher) than|limit"
    "|up ?to(?: max(?:imum)?| at most| limit)?)(?: of| is| at| to)?"
)
_ON_LOT: Final = r"(?: (?:on|for|in)(?: auction (?:of|for))? {C})"
_THEN_OUT: Final = (
    "(?:,? (?:and |then |but )*(?:i(?:'?ll)? )?(?:(?:drop|get|go|stop)(?: (?:out|bidding))?|(?:i'?m |am )?out"
    "|pass(?= (?:a|b)))(?: (?:after|above|beyond) that| afterwards| above| beyond| then)?)?"
)
_BEGUN: Final = tuple(rf"{verb} \g<company> at \g<number> in \g<hex>" for verb in ("start", "open"))
_LEAST: Final = "(?: (?:minimum|min|price|reserve))?(?: of)?"
_STAYS: Final = "(?:survives|stays|remains|continues|lives on)"
_AT: Final = "(?:with|turned|rotated|facing|rotation|rot\\.?|orientation|turn|at|to|in)"
_TURNED: Final = rf"(?:{_AT} )?(?:rotation |orientation |turn )?"
_ON: Final = "(?:on|in|at|onto) (?:hex )?"
_TILE: Final = r"(?:tile)?(?: no\.?| number)? ?#?(?P<tile>[^\s,]+)"

_COLOR: Final = "(?:yellow|green|brown|gr[ae]y)"
_LAY: Final = f"(?:lay|place|put|build)(?: {_COLOR})?(?: track)?"
_LAID: Final = r"lay \g<tile> \g<hex> \g<rest>"

LEADING: Final = (
    r"(?:ok|okay|alright|fine|and|then|so|now|well|please|kindly|first|next|finally|after that|afterwards),? +",
    (
        r"(?:i|we|it)(?:'?ll|'?d like to| will| shall| would like to| want to| wish to| have decided to| choose to"
        r"| am going to|'?m going to)? +"
    ),
    r"(?:let me|let us|let's) +",
)
"""Beginnings that say nothing."""
_TELLING: Final = (
    *("lay", "upgrade", "run", "pay", "keep", "withhold", "buy", "sell", "place", "take", "repay", "discard"),
    *("merge", "convert", "start", "raise", "open", "drop", "decline", "redeem", "distribute", "build", "put", "get"),
    *("purchase", "float", "offer", "auction", "exchange", "nationalise", "nationalize", "agree", "refuse", "return"),
)
VERBS: Final = {"passes": "pass", **{f"{verb}s": verb for verb in _TELLING}}
"""Verb of a sentence that tells an order -> the verb of the order. The past is that of reports: it orders nothing."""
AS_IN_REPORTS: Final = ("bid", "let", "put", "set")
"""Verbs that are the same in the past: behind a name, they may report what it did."""
ENDING: Final = (
    r"[,.!]* +(?:please|pls|plz|thanks|thank you|thank you very much|now|for now|this time|this turn|then|too)"
)
"""Endings that say nothing."""

BEFORE_ARTICLES: Final = (
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

RULES: Final = (
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
    (r"pay ?out|pay it(?: all)? out|dividends? in full|pay", "pay full"),
    (r"pay", "pay half"),
    (r"pay (?:nothing|nothing out|out nothing)|no dividends?|without dividends?", "pay none"),
    (rf"(?:pay|pay out|distribute)(?: out)?(?: all)?(?: of)?(?: whole| full| entire) {_MONEY}(?: out)?", "pay full"),
    (rf"(?:pay out|distribute|pay) all(?: of)?(?: {_MONEY})?(?: out)?", "pay full"),
    (r"(?:pay|distribute) (?:everything|it all|all of it)(?: out)?|pay out everything", "pay full"),
    (rf"pay(?: out)?(?: {_MONEY})? (?:in full|fully)|full(?: dividends?| payout| pay)?", "pay full"),
    (rf"(?:pay|pay out|distribute|declare) (?:out )?half(?: of)?(?: (?:{_MONEY}|it))?(?: out)?", "pay half"),
    (r"half(?: dividends?| payout| pay)?|pay half,?(?: and)? keep half|split(?: it| dividends?| money)?", "pay half"),
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
    (r"(?:i'm |i am |we're |we are )?finished", "done"),
    (r"(?:i'm |i am |we're )?passing|pass (?:here|on this|this one)", "pass"),
    (r"pass (?:'?till?|until) {R}", r"pass until \g<rest>"),
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
    (
        (
            r"(?:buy|purchase|get) (?:1 )?(?:new )?(?:train {T}|{T2}[- ]?train) for {N}"
            r" from (?:the )?(?:bank|supply|depot|box)"
        ),
        "train {tt}",
    ),
    (r"(?:buy|purchase|get) (?:1 )?new {T}", "train {tt}"),
    (r"(?:buy|purchase|get) (?:1 )?{T} from (?:bank|supply|depot|box)", "train {tt}"),
    (r"(?:buy )?train {T} from (?:bank )?(?:pool|market)", r"train \g<train> from pool"),
    (r"(?:buy )?train {T} from (?:supply|depot|box)", r"train \g<train>"),
    (
        (
            r"(?:buy|purchase|get) (?:1 )?(?:train {T}|{T2}(?:[- ]?train)?) (?:from|of|off) {C} (?:for|at|paying) "
            r"(?:price of )?{N}"
        ),
        r"train {tt} from \g<company> for \g<number>",
    ),
    (
        r"(?:buy|purchase|get) (?:1 )?(?:train {T}|{T2}[- ]?train) (?:for|at|paying) {N} from {C}",
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
    (rf"{_LAY} {_TILE} {_ON}{{H}},? {_TURNED}{{R}}", _LAID),
    (rf"{_LAY} {_TILE},? {_AT} (?:rotation |orientation |turn )?(?P<rest>[0-9]),? {_ON}{{H}}", _LAID),
    (rf"tile #?(?P<tile>[^\s,]+) {_ON}{{H}},? {_TURNED}{{R}}", _LAID),
    (rf"tile #?(?P<tile>[^\s,]+) {{H}},? {_TURNED}{{R}}", _LAID),
    (rf"#?(?P<tile>[0-9][^\s,]*) {_ON}{{H}},? {_TURNED}{{R}}", _LAID),
    (r"#?(?P<tile>[0-9][^\s,]*) {H} (?P<rest>[0-5])", _LAID),
    (rf"{{H}} (?:to |with )?tile #?(?P<tile>[^\s,]+),? {_TURNED}{{R}}", _LAID),
    (rf"lay {_TILE} {{H}},? {_TURNED}{{R}}", _LAID),
    (rf"upgrade {{H}} (?:to|with) (?:{_COLOR} )?(?:tile )?(?:number )?#?(?P<tile>[^\s,]+),? {_TURNED}{{R}}", _LAID),
    (
        rf"(?:place |put |lay |set |add |build )?{_PLACED} (?:in|on|at|into) (?:hex |city |city of )?{{H}}",
        r"token \g<hex>",
    ),
    (rf"(?:place|put|set|add|build) {_PLACED} {{H}}", r"token \g<hex>"),
    (
        r"(?:buy|purchase|get|take) (?P<number>[0-9]+) (?:station )?(?:tokens|markers|stations)(?: in (?:all|total))?",
        r"tokens \g<number>",
    ),
    # shares
    (r"sell {N} (?:of )?{C}(?: and)? {M} (?:of )?{D}", r"sell \g<number> \g<company>, {more} \g<other>"),
    (r"(?:buy|purchase|get) {C} concession(?P<price> for \S+)?", r"buy concession \g<company>[\g<price>]"),
    (r"(?:buy|purchase|get) concession (?:of|for) {C}(?P<price> for \S+)?", r"buy concession \g<company>[\g<price>]"),
    (
        (
            r"float {C} as (?P<kind>minor|major),? (?:(?:at|with|for) )?"
            r"(?:(?:par|price|par price|share price)(?: of)? )?{N}"
            r"(?:,? (?:and |with )?(?P<markers>[0-9]) (?:tokens?|markers?))?"
            r"(?:,? (?:and )?(?:contribut(?:e|ing)|with|bring(?:ing)?) (?P<shares>[0-9]) (?:shares? )?(?:of )?{D})?"
            r"(?:,? (?:and )?rest (?:from|in|with) (?:own )?cash)?"
        ),
        r"float \g<company> as \g<kind> at \g<number>[ tokens \g<markers>][ with \g<shares> \g<other>]",
    ),
    (
        (
            r"sell {N} (?:shares? )?(?:of |in )?{C}(?: shares?)?(?: to| into| in| on)?"
            r" ?(?:(?:bank )?pool|(?:open )?market|bank)?"
        ),
        r"sell \g<number> \g<company>",
    ),
    (r"(?:buy|purchase|get) (?:1 )?(?:10% )?(?:share (?:of |in )?)?{C}(?: share)?", r"buy \g<company>"),
    (r"(?:buy|purchase|get) {C} (?P<place>pool|ipo|treasury)", r"buy \g<company> from {place}"),
    (
        (
            r"(?:buy|purchase|get) (?:1 )?(?:10% )?(?:share (?:of |in )?)?{C}(?: share)? from (?:company's |its )?"
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
            r"(?:start|found|par|launch) (?:company |up )?{C},? (?:at|for|with)(?: price| par| par price"
            r"| start price| starting price)?(?: of| at)? {N}(?: in (?:hex )?{H})?"
        ),
        r"start \g<company> at \g<number>[ in \g<hex>]",
    ),
    # mergers
    (
        r"{C}(?:,| and|, and| &) {D} merge (?:into|to form|to become) {E}",
        r"merge \g<company>, \g<other> into \g<third>",
    ),
    (r"(?:becomes?|turns? into) {C}", r"convert to \g<company>"),
    (r"convert (?:to|into) (?:major|public company|major company|public)", "convert"),
    (rf"{{C}} merges? (?:with|and) {{D}},? (?:and )?(?P=other) {_STAYS}", r"merge \g<company> into \g<other>"),
    (rf"{{C}} merges? (?:with|and) {{D}},? (?:and )?(?P=company) {_STAYS}", r"merge \g<other> into \g<company>"),
    (rf"merge (?:with )?{{D}},? (?:and )?(?P=other) {_STAYS}", r"merge with \g<other> into \g<other>"),
    # auctions
    (rf"(?:{_BIDDING},? )?{_CAP} {{N}}{_ON_LOT}?{_THEN_OUT}", _LIMIT),
    (rf"(?:{_BIDDING} )?(?:on |for )?{{C}},? {_CAP} {{N}}{_THEN_OUT}", _LIMIT),
    (rf"{_BIDDING}(?: (?:on|for) {{C}})?,? (?:till|until) {{N}}{_THEN_OUT}", _LIMIT),
    (rf"{_AUTO}(?: of| to| at)? {{N}}{_ON_LOT}?{_THEN_OUT}", _LIMIT),
    (rf"{_AUTO} (?:on |for )?{{C}},? (?:of |to |at |for )?{{N}}{_THEN_OUT}", _LIMIT),
    (rf"(?:bid )?{{N}},? (?:max(?:imum)?|at most|tops){_ON_LOT}?{_THEN_OUT}", _LIMIT),
    (r"bid (?:on |for )?{C},? (?:(?:for|at|with) )?{N}", r"bid \g<number> on \g<company>"),
    (r"bids {N} (?:on|for) {C}", r"bid \g<number> on \g<company>"),
    (
        rf"(?:put|offer) {{C}}(?: up)? for (?:auction|sale),? (?:with|at|for){_LEAST} {{N}}",
        r"auction \g<company> at \g<number>",
    ),
    (rf"auction {{C}},? (?:with|for){_LEAST} {{N}}", r"auction \g<company> at \g<number>"),
    (r"raise(?: bid)? (?:on |for )?{C} to {N}", r"bid \g<number> on \g<company>"),
    (r"{N} (?:on|for) {C}", r"bid \g<number> on \g<company>"),
    (r"(?:bid|bidding|offer|make bid of|place bid of|bid of|raise bid to|raise to)(?: of)? {N}", r"bid \g<number>"),
    (
        (
            r"(?:bid|offer|make bid of|place bid of|bid of|raise bid to|raise to)(?: of)? {N} (?:on|for)"
            r"(?: private| private company| company| lot)? {C}"
        ),
        r"bid \g<number> on \g<company>",
    ),
    (
        r"(?:drop|get|go) out(?: of (?:auction|bidding|this auction))?|drop (?:auction|bidding)",
        "drop",
    ),
    (r"(?:drop|get) out of(?: auction of| auction for| bidding for)? {C}", r"drop \g<company>"),
    (
        r"(?:open|start)(?: auction| bidding)(?: of| for| on) {C}(?: at| with| for)? {N}",
        r"open \g<company> at \g<number>",
    ),
    (r"open {C},? in (?:hex )?{H},? (?:(?:with|for|at) )?{N}", r"open \g<company> at \g<number> in \g<hex>"),
    *((rf"bid {{N}} (?:for|on) {{C}},? (?:with )?(?:{_PLACED}|home) (?:in|on|at) {{H}}", said) for said in _BEGUN),
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

OF_COMPANIES: Final = ((r"(?:buy|purchase|get) {T}", "train {tt}"),)
"""Rules for companies alone: a player who says `buy 3` may mean shares."""

_STEP: Final = "(?:tiles?|track|lays?|tokens?|markers?|stations?|trains?|loans?)"
NOTHING: Final = (
    rf"(?:no|skip|without)(?: more| further| new)? {_STEP}"
    rf"|(?:lay|build|place|put|buy|purchase|get|take)s? no(?: more| further| new)? {_STEP}"
)
"""Words about a step of a turn in which nothing is done: they order nothing, and the step is left out."""
BY_ITSELF: Final = r"(?:take|get|borrow)s? (?:1 )?loans?(?: (?:that is |it )?(?:needed|needs|necessary))?"
"""Words about a step that nobody orders, for titles in which companies get the loans that they need by themselves."""
