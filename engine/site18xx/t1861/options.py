"""Options that a record of 18xx.games needs because its players did what the site's page does not offer, or did before
the site was changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.titles.t1861.names import NIKOLAEV, STATE


def beyond_the_page(actions: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """The options that a record needs because its players did something that the site's page does not offer but its
    engine accepts: starting another minor before Nikolaev, or paying more than asked for a private that all have
    passed."""
    options: dict[str, str] = {}
    bids = [a for a in actions if a["type"] == "bid"]
    minor = next((a["corporation"] for a in bids if a.get("corporation")), NIKOLAEV)
    if minor != NIKOLAEV:
        options["first_minor"] = "any"
    players, passes, private = {a.get("entity") for a in actions if a.get("entity_type") == "player"}, 0, None
    for action in actions:
        if action["type"] == "bid":
            if action.get("company") not in (None, private) and passes >= len(players):
                options["dutch_price"] = "more"  # it may have been such a sale
            private, passes = action.get("company"), 0
        elif action["type"] == "pass" and action.get("entity_type") == "player":
            passes += 1
    return options


def trains_run_again(actions: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """The option that a record needs if the state railway may have run a train that a company has run in the same
    round, as the site allowed until February 2025. It makes no difference if the company ran it in an earlier round."""
    ran: set[str] = set()
    for action in actions:
        if action["type"] == "run_routes":
            trains = {str(route["train"]) for route in action.get("routes", ()) if route.get("connections")}
            if action["entity"] != STATE:
                ran |= trains
            elif ran & trains:
                return {"state_railway_trains": "all"}
            else:
                ran.clear()
    return {}
