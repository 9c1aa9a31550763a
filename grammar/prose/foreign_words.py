"""Words of other games, programs and languages that people write in place of the words of orders.

By themselves they are never read as orders; ``wordings`` reads phrases that have some of them. They only lead to a
suggestion, and a line that would be an order with the suggested word is not taken for prose if no order stands above
it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_MEANT: Final = {
    "agree": "accept approve consent einverstanden ja yes zustimmen",
    "bid": "biete gebot raise",
    "buy": "acquire kauf kaufe kaufen purchase",
    "decline": "ablehnen",
    "discard": "scrap trash verschrotte",
    "done": "end ende fertig finish finished",
    "drop": "aussteigen fold quit raus",
    "help": "hilfe",
    "lay": "baue bauen build gleis lege legen place track upgrade",
    "loan": "borrow",
    "merge": "fusion fusioniere",
    "open": "eröffne eröffnen offen öffne",
    "pass": "gepasst passe skip weiter",
    "pay": "distribute payout zahle",
    "refuse": "nein no reject",
    "run": "fahre operate",
    "sell": "verkauf verkaufe verkaufen",
    "show": "zeige",
    "start": "float found gründe gründen launch",
    "token": "home bahnhof place station",
    "train": "lok zug",
    "withdraw": "cancel",
    "withhold": "einbehalten",
}
MEANT: Final[Mapping[str, tuple[str, ...]]] = {
    word: tuple(order for order, others in _MEANT.items() if word in others.split())
    for words in _MEANT.values()
    for word in words.split()
}
"""Written word, in lower case -> the words of orders that may be meant, the likeliest first."""
