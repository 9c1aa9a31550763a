"""The notation of orders: converts text to the engine's orders, and orders to text.

    reading = grammar.read("GRR: lay 8 K9 1; done", vocabulary)
    reading.orders, reading.errors
    grammar.write(order)

``docs/notation.md`` is the manual. The ``.lark`` files of this folder are authoritative: ``common.lark`` for all
titles, and one file for the additions of each title.
"""

from grammar.builders.words import Word
from grammar.faults import Unreadable
from grammar.normalise import MOST_GROWTH, normalise, one_break
from grammar.parser import add_title
from grammar.pieces import LONGEST_PIECE
from grammar.press import EVERYONE, MASTER, Press, passages
from grammar.prose.prose import CUT, Apart, may_order, without_prose
from grammar.prose.trial import Asked, trial_asked
from grammar.reading import read
from grammar.result import LONGEST_TEXT, OrderLine, Reading, Section, Skipped
from grammar.vocabulary import FLAT_TOP, POINTY_TOP, Vocabulary
from grammar.write import write, write_block, write_route, write_section, write_space, write_subject

__all__ = [
    "CUT",
    "EVERYONE",
    "FLAT_TOP",
    "LONGEST_PIECE",
    "LONGEST_TEXT",
    "MASTER",
    "MOST_GROWTH",
    "POINTY_TOP",
    "Apart",
    "Asked",
    "OrderLine",
    "Press",
    "Reading",
    "Section",
    "Skipped",
    "Unreadable",
    "Vocabulary",
    "Word",
    "add_title",
    "may_order", "normalise",
    "one_break",
    "passages",
    "read",
    "trial_asked",
    "without_prose",
    "write",
    "write_block",
    "write_route",
    "write_section",
    "write_space",
    "write_subject",
]  # fmt: skip
