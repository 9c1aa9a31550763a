"""The steps of the site in a company's turn in 1844, and the actors behind actions of privates, for records that are
read."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import islice
from typing import Any, ClassVar

from engine.acts.act import turn_in
from engine.core.game import Game
from engine.core.ids import CompanyId, PlayerId, PrivateId
from engine.site18xx import turn
from engine.titles.t1844.names import OERLIKON
from engine.titles.t1844.policies import operating_order
from engine.titles.t1844.turn.operating_round import OperatingRound
from engine.titles.t1844.turn.trains import must_own


class Step(IntEnum):
    """The site's steps of a turn, in order."""

    TRACK = 0
    TOKEN = 1
    RUN = 2
    PAY = 3
    TRAINS = 4
    PRIVATES = 5
    OVER = 6


STEPS: Mapping[str, Step] = {
    "lay_tile": Step.TRACK,
    "place_token": Step.TOKEN,
    "run_routes": Step.RUN,
    "dividend": Step.PAY,
    "buy_train": Step.TRAINS,
}
ONCE = ("place_token", "run_routes", "dividend")
"""Actions that end their step."""

AHEAD = 500
"""Number of actions to search for the next actor. In real records it is found in the next twenty."""
OWN_STEPS = (*STEPS, "pass")
"""Actions of a company in its own turn."""
BESIDE = ("pass", "buy_company", "choose_ability", "destination_connection")
"""Actions that may come between a sale and the purchase that it pays for."""


@dataclass(slots=True)
class SiteTurn(turn.SiteTurn):
    """Tracks the site's step in the current turn."""

    STEPS: ClassVar[Mapping[str, int]] = STEPS
    ONCE: ClassVar[Collection[str]] = ONCE
    END: ClassVar[int] = Step.OVER


@dataclass(slots=True)
class Acting:
    """Finds the actor, by our names, of an action that names a private, or a player in his company's turn."""

    game: Game
    actions: Sequence[Mapping[str, Any]]
    companies: Mapping[str, CompanyId]
    """Companies by the site's names."""
    players: Mapping[str, PlayerId]
    turn: SiteTurn

    def stands_for(self, number: int) -> str | None:
        """The actor of action ``number``: the company for which a private's tile or tunnel is laid or a train is paid,
        or the player who lays a mountain railway or uses a power in his stock turn. None if the action itself names the
        actor."""
        action = self.actions[number]
        if action.get("entity_type") == "company":
            return self._of_private(number, str(action["entity"]))
        if action.get("entity_type") == "player" and action["type"] == "sell_shares":
            return self._payer(number)
        return None

    def owner(self, private: str) -> str | None:
        """The present owner of a private."""
        return self.game.state.privates.get(PrivateId(private))

    def _of_private(self, number: int, private: str) -> str | None:
        owner, now = self.owner(private), self._in_turn()
        chosen = self.companies.get(str(self.actions[number].get("choice")))
        if chosen is not None and self._may_use(chosen, owner):  # the site offers only the company on turn
            return chosen
        mover, player = self._next(number), self._player(owner)
        if mover is None:
            self.turn.look_at(self.game.state)
            late = self.turn.past(self.actions[number])
            return now if now and self._may_use(now, owner) and not late else self._to_come(owner) or now or player
        if mover in self.players.values():  # in his stock turn the owner always has another action to come
            return player if mover == player else now or player
        late = self.turn.past(self.actions[number])
        company = next((c for c in self.companies.values() if c == mover), None)
        if company is None or self._may_use(company, owner) or now is None or late:
            return company
        return now if self._director(now) == player else company

    def _player(self, owner: str | None) -> str | None:
        """The player behind the owner of a private: the owner himself, or the director of the owning company."""
        company = next((c for c in self.game.state.companies if c == owner), None)
        return owner if company is None else self._director(company)

    def _director(self, company: CompanyId) -> PlayerId | None:
        return self.game.title.policies.director(self.game.title, self.game.state, company)

    def _may_use(self, company: CompanyId, owner: str | None) -> bool:
        return owner in (company, self._director(company))

    def _to_come(self, owner: str | None) -> str | None:
        """The first company that may use a private of ``owner``, among those still to operate in this round."""
        state = self.game.state
        waiting = next((f.waiting for f in state.agenda if isinstance(f, OperatingRound)), frozenset())
        order = operating_order(self.game.title, state)
        return next((c for c in order if c in waiting and self._may_use(c, owner)), None)

    def _in_turn(self) -> CompanyId | None:
        now = turn_in(self.game.state)
        return None if now is None else now.company

    def _payer(self, number: int) -> str | None:
        """The company whose train the director's sales at action ``number`` pay for; None for sales of a stock
        round."""
        seller = self.actions[number]["entity"]
        for action in islice(self.actions, number + 1, number + 1 + AHEAD):
            if action["type"] in ("buy_train", "bankrupt"):
                return self.companies.get(str(action["entity"]))
            if action["type"] == "choose_ability" and action["entity"] == OERLIKON:
                return self.companies.get(str(action.get("choice")))
            again = action["type"] == "sell_shares" and action["entity"] == seller
            aside = action["type"] in BESIDE and action["entity_type"] != "player"
            if not again and not aside:
                return None
        return self._latest(number)  # the record goes no further

    def _latest(self, number: int) -> str | None:
        """The company that acted just before the sales, if it must still buy a train: on the site it has at least
        passed in an earlier step. None otherwise: they are sales of a stock round."""
        seller = self.actions[number]["entity"]
        for action in reversed(self.actions[:number]):
            if action.get("entity_type") == "corporation" and action["type"] in OWN_STEPS:
                company = self.companies.get(str(action["entity"]))
                if company is None or self._director(company) != self.players.get(str(seller)):
                    return None
                return company if must_own(self.game.title, self.game.state, company) else None
            sale = action["type"] == "sell_shares" and action["entity"] == seller
            if not sale and (action["type"] not in BESIDE or action.get("entity_type") == "player"):
                return None
        return None

    def _next(self, number: int) -> str | None:
        """The next company or player to act after action ``number``, by our names; None if none is found."""
        for later in range(number + 1, min(len(self.actions), number + 1 + AHEAD)):
            action = self.actions[later]
            if action.get("entity_type") == "company" or action["type"] == "discard_train":
                continue
            name = str(action.get("entity"))
            if action.get("entity_type") == "player":
                return (self._payer(later) if action["type"] == "sell_shares" else None) or self.players.get(name)
            return self.companies.get(name)
        return None
