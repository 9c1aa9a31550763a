"""Patterns of the words and numbers in which letters tell orders."""

from __future__ import annotations

import re
from typing import Final

SENTENCES: Final = re.compile(r"[.!?](?=\s|$)|\n\s*\n|\n(?=[A-Z])")
CLAUSES: Final = re.compile(
    r";|\n|,(?!\s*(?:(?:turn\w*|rotat\w*|orient\w*|so that|tow?ards|for|at|with|from)\b|the [\w&-]+,))"
    r"|\band\b|\bthen\b|\bbut\b",
    re.IGNORECASE,
)
WRAPPED: Final = re.compile(r"(?<=[^\n]{40})(?<![.!?:;])\n(?=[^\sA-Z])")
"""The end of a line within a sentence; a line of its own begins with a capital letter."""
HASTY: Final = re.compile(r";|,|\n|\band\b|\bthen\b|\s(?=(?:buy|sell|run|pay|token|full|done|no)\b)", re.IGNORECASE)
"""The parts of a text without sentences, whose writer leaves out what he can."""
BESIDE: Final = re.compile(r"\b(?:receiv\w+|spends?|costs?|worth)\b", re.IGNORECASE)
"""Words beside a number that orders nothing."""
BUILDS: Final = re.compile(r"\b(?:lays?|builds?|built|puts?|tiles?|track|upgrades?)\b", re.IGNORECASE)
LOANS: Final = re.compile(r"\bloans?\b", re.IGNORECASE)
REPAYS: Final = re.compile(r"\b(?:repay|pay(?:s|ing)? back|return)\w*", re.IGNORECASE)
SURVIVES: Final = re.compile(
    r"\b(?:into|name of|called|form|become|by|(?:shall|will|should|must) be)\W+(?:the )?([\w&-]+)"
    r"|([\w&-]+) (?:survives|stays|remains)"
)
TURN: Final = re.compile(
    r"\b(?:turn(?:ed)?|rotat\w*|rot|orientation)\W*(?:is |of |by |to |at )?([0-5])\b|\bwith ([0-5]) turns?\b",
    re.IGNORECASE,
)
SIDE: Final = re.compile(r"\b(?:(north|south)[ -]?)?(east|west|(?<=north)|(?<=south))(?:ern|wards?)?\b", re.IGNORECASE)
"""A side of a hex in words."""
NOT: Final = re.compile(r"\b(?:[Nn]o|[Nn]ot|[Nn]ever|[Nn]othing|none|[Ww]ithout|[Nn]either|nor)\b|n't\b")
"""Words that forbid or leave out. A company may be called `NO`."""
AUTO: Final = re.compile(r"\bauto[ -]?pass", re.IGNORECASE)
ASKED_AGAIN: Final = re.compile(r"\basked again\b.*\bpass\b", re.IGNORECASE | re.DOTALL)
"""A sentence that passes for the rest of the round."""
LATER: Final = re.compile(r"\b(?:when|once|as soon as)\b", re.IGNORECASE)
IF: Final = re.compile(r"\b(?:if|unless|provided|in case|or else)\b", re.IGNORECASE)
"""Words of conditions, which no offer can tell."""
RUNS: Final = re.compile(r"\b(?:runs?|running|routes?|trip|earns?|best)\b", re.IGNORECASE)
ROUTES: Final = re.compile(r"\b(?:runs?|running|routes?)\b", re.IGNORECASE)
PAYS: Final = re.compile(
    r"\b(?:pays?|paid|payout|dividends?|shareholders|distribut\w*|withholds?|keeps?|income|full|half)\b", re.IGNORECASE
)
KEEPS: Final = re.compile(r"\b(?:withholds?|keep(?:s|ing)?|retain\w*)\b", re.IGNORECASE)
PAYS_NOTHING: Final = re.compile(
    r"\bpays? (?:out )?(?:no|nothing|none)\b|\b(?:no|not|without|n't)\b(?: \w+){0,3} (?:pay|dividends?|payout)\b",
    re.IGNORECASE,
)
HALF: Final = re.compile(r"\b(?:half|split)\b", re.IGNORECASE)
BUYS: Final = re.compile(r"\b(?:buys?|bought|purchases?|takes?|acquires?|gets?|pars?)\b", re.IGNORECASE)
NO_MORE: Final = re.compile(rf"{BUYS.pattern}|\btrains?\b", re.IGNORECASE)
SELLS: Final = re.compile(r"\b(?:sells?|sold|part with|dumps?|get rid of)\b", re.IGNORECASE)
BOTH: Final = re.compile(r"\b(?:both|pair)\b", re.IGNORECASE)
ALL: Final = re.compile(r"\b(?:all|everything|every share)\b", re.IGNORECASE)
OUT: Final = re.compile(
    r"\b(?:i ?['\u2019]?m out|i am out|drop out|too (?:rich|expensive|much|high) for me|i drop|i leave)\b",
    re.IGNORECASE,
)
STARTS: Final = re.compile(r"\b(?:starts?|founds?|pars?|launch(?:es)?)\b", re.IGNORECASE)
BIDS: Final = re.compile(
    r"\b(?:bids?|bidding|offers?|rais\w+|spend|go(?:es)?|pay|up to|max\w*|limit|stay)\b", re.IGNORECASE
)
MOST: Final = re.compile(r"\b(?:not|never|no more|at most|up ?to|max\w*|limit|until|till)\b|n't\b", re.IGNORECASE)
MARKS: Final = re.compile(r"\b(?:markers?|tokens?|stations?)\b", re.IGNORECASE)
THERE: Final = re.compile(r"\b(?:there|on it|in it|same (?:place|hex|city))\b", re.IGNORECASE)
MERGES: Final = re.compile(r"\b(?:merg\w+|join\w*|converts?|becomes?|into)\b", re.IGNORECASE)
AUCTIONS: Final = re.compile(r"\bauction\w*\b", re.IGNORECASE)
ENDS: Final = re.compile(
    r"\b(?:done|finished|ends?|end of (?:my|our|the|this|its) turn"
    r"|(?:that|this) (?:is|will be|would be) all|that's all)\b",
    re.IGNORECASE,
)
YES: Final = re.compile(r"\b(?:yes|agree|accept|gladly|sure)\b", re.IGNORECASE)
TRAIN: Final = re.compile(r"(?<![\w-])([0-9][0-9a-z+]*?)(?:t|[ -]?trains?)\b", re.IGNORECASE)
ROUTE: Final = re.compile(r"\b[a-z]\d{1,2}(?:/\w+)?(?:-[a-z]\d{1,2}(?:/\w+)?)+\b", re.IGNORECASE)


TELLING: Final = (
    re.compile(r"[0-9]"), BUILDS, ROUTES, PAYS, BUYS, SELLS, STARTS, MARKS, LOANS, AUCTIONS, OUT, ENDS,
    re.compile(r"\b(?:pass|drop|decline|convert|merge|limit|bid)\b", re.IGNORECASE),
)  # fmt: skip
"""Words of parts of a letter that may tell an order."""


def numbers(clause: str) -> list[str]:
    """The numbers of a clause that are no part of a name, a train or a percentage."""
    return re.findall(r"(?<![\w-])[0-9]+(?![\w%-]|[ -]?train)", clause)
