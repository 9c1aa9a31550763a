"""Standing orders: when they may be given, what they answer, and when they end.

A standing order is a small program (``engine.core.programs``) that one player keeps. It reads nothing but the public
position and what others have done, and it acts only through ordinary orders that the rules decide, one at a time, when
its player is asked: exactly as if he had been at the table.
"""

from moderator.domain.ahead.standing.answers import BID, DROP, Answer, answer, rank
from moderator.domain.ahead.standing.conditions import given_up, is_guard
from moderator.domain.ahead.standing.course import advance, ended, with_limit, won_by
from moderator.domain.ahead.standing.terms import clash, pointless, purpose, standing_occasion

__all__ = [
    "BID", "DROP", "Answer", "advance", "answer", "clash", "ended", "given_up", "is_guard", "pointless", "purpose",
    "rank", "standing_occasion", "with_limit", "won_by",
]  # fmt: skip
