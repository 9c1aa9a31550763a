"""Two lists of actions of 18xx.games compared: one that the site has recorded, and one that we write of the same game.

They are equal if each action is the same as the one in its place: ``auto_actions`` are laid out where they stand,
players are told apart by their seat, and what belongs to the page (numbers, users, times, chat, standing instructions)
is left out. A choice that cannot matter is no difference: which of several equal trains of one company runs or is sold,
which of several equal certificates in one hand are sold, the order of the runs, and the direction in which a leg is
written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any, Final

from engine.site18xx.actions import Action, effective, unfolded

PAGE: Final = ("id", "user", "created_at", "auto_actions", "skip", "original_id")
"""Fields that belong to the page on which the action was made."""
BY_THE_PLAYERS: Final = ("end_game",)
"""Actions by which people end a game before its end."""
USUAL: Final[Mapping[str, Mapping[str, Any]]] = {"run_routes": {"extra_revenue": 0, "subsidy": 0}}
"""Fields that the site reads as these where an action has none."""
TEXTS: Final = ("revenue_str",)
"""Fields of a run that only people read."""
OWN: Final = ("run_routes", "discard_train")
"""Actions that name trains of the company that acts."""
POOL: Final = "Pool"
PRIVATES: Final = "the step of its turn in which a company buys a private"
PLACES: Final = "the place in a city in which a token stands"
NEAR: Final = 8
"""Actions before and after a pass among which the purchase of a private stands that could have been made instead."""
IN_ANY_STEP: Final = (("buy_company", "corporation"), ("pass", "corporation"))


@dataclass(frozen=True, slots=True)
class Difference:
    """``at``: place of the first action in the recorded list, from 0; ``theirs``, ``ours``: what stands there.
    ``why``: in what two actions that stand in the same place differ. ``free``: the choice of a player in which they
    differ, which cannot matter and which our orders do not tell; empty where there is none."""

    at: int
    theirs: tuple[Action, ...]
    ours: tuple[Action, ...]
    why: str = ""
    free: str = ""

    def __str__(self) -> str:
        if self.why:
            return f"{self.at}: {self.theirs[0]['type']} of {self.theirs[0]['entity']}: {self.why}"
        return f"{self.at}: {_line(self.theirs)} // ours {_line(self.ours)}"


@dataclass(frozen=True, slots=True)
class List:
    """``moves``: every move that counts, players by their seats. ``numbers``: the number, from 1, of the action that
    counts to which each belongs."""

    moves: Sequence[Action]
    numbers: Sequence[int]


def laid_out(actions: Sequence[Action], players: Iterable[object]) -> List:
    """The moves of ``actions``. ``players``: the names that it uses for them, by seat."""
    seats = {str(name): f"seat {number}" for number, name in enumerate(players, 1)}
    found = [(n, move) for n, move in unfolded(effective(actions)) if move["type"] not in BY_THE_PLAYERS]
    moves = [_plain(move, seats) for _, move in found]
    for at in range(1, len(moves)):  # tokens that go together have no order
        here = at
        while here and _removals(moves[here - 1], moves[here]) and moves[here - 1]["city"] > moves[here]["city"]:
            moves[here - 1], moves[here] = moves[here], moves[here - 1]
            here -= 1
    return List(moves, [n for n, _ in found])


def _removals(one: Action, other: Action) -> bool:
    return bool(one["type"] == other["type"] == "remove_token" and one["entity"] == other["entity"])


@dataclass(slots=True)
class Comparison:
    """``sources``: for either list, the owner that each of its trains is bought from, in the order of the purchases.
    ``hands``: for either list, number of an action -> certificate -> who has it before that action. Either list has
    books of its own: after an equal certificate has been taken, the two differ by its number for good."""

    theirs: List
    ours: List
    sources: tuple[Sequence[str], Sequence[str]]
    hands: tuple[Sequence[Mapping[str, str]], Sequence[Mapping[str, str]]]
    _trains: dict[str, str] = field(default_factory=dict)
    """The recorded number of a train -> the number of the one in its place in our list, where they differ."""

    def differences(self) -> Iterator[Difference]:
        """The differences between the lists, in order."""
        theirs, ours = self.theirs.moves, self.ours.moves
        bought = [_counted(moves) for moves in (theirs, ours)]
        keys = [[_key(move) for move in moves] for moves in (theirs, ours)]
        for tag, a, b, c, d in SequenceMatcher(None, keys[0], keys[1], autojunk=False).get_opcodes():
            if tag != "equal":
                near = theirs[max(0, a - NEAR) : b + NEAR]
                buyers = {m["entity"] for m in near if (m["type"], m["entity_type"]) == IN_ANY_STEP[0]}
                both = (*theirs[a:b], *ours[c:d])
                step = all((m["type"], m["entity_type"]) in IN_ANY_STEP and m["entity"] in buyers for m in both)
                yield Difference(a, tuple(theirs[a:b]), tuple(ours[c:d]), free=PRIVATES if step else "")
                continue
            for at, (their, our) in enumerate(zip(theirs[a:b], ours[c:d], strict=True)):
                why = self._papers((a + at, c + at), their, our) or self._other(their, our)
                why = why or self._rolling(their, our, (bought[0][a + at], bought[1][c + at]))
                if why:
                    yield Difference(a + at, (their,), (our,), why)
                elif their.get("slot") != our.get("slot"):
                    yield Difference(a + at, (their,), (our,), f"slot {our['slot']}, not {their['slot']}", PLACES)

    # ---- within two actions of the same kind ------------------------------------------------------------------------

    def _papers(self, at: tuple[int, int], their: Action, our: Action) -> str:
        """In which certificates they differ."""
        if "shares" not in their:
            return ""
        held = [
            sorted((hands[lines.numbers[here]].get(n, ""), _size(n)) for n in move["shares"])
            for hands, lines, here, move in zip(self.hands, (self.theirs, self.ours), at, (their, our), strict=True)
        ]
        return "" if held[0] == held[1] else f"{our['shares']} lie elsewhere than {their['shares']}"

    def _other(self, their: Action, our: Action) -> str:
        """In which field they differ of those that may be left out."""
        for key in ("variant", "tokener"):
            if key in their and key in our and their[key] != our[key]:
                return key
        pairs = zip(*(sorted(move.get("routes", ()), key=_run) for move in (their, our)), strict=True)
        for route, run in pairs:
            shared = route.keys() & run.keys() - {"train", *TEXTS}
            turned = any(route.get(key) != run.get(key) for key in ("connections", "hexes"))
            wrong = [key for key in sorted(shared) if _in_order(route[key]) != _in_order(run[key]) and not turned]
            if wrong:
                return f"{wrong[0]}: {route[wrong[0]]}, ours {run[wrong[0]]}"
        return ""

    def _rolling(self, their: Action, our: Action, bought: tuple[int, int]) -> str:
        """In which train they differ. Another of the company that gives it or runs it is as good."""
        for number, other in _trains(their, our):
            if self._trains.get(number, number) == other:
                continue
            if their["type"] not in OWN and not self._from_one_owner(bought):
                return f"{other} in place of {number}"
            before = next((n for n in {*self._trains, other} if self._trains.get(n, n) == other), other)
            self._trains[before], self._trains[number] = self._trains.get(number, number), other
        return ""

    def _from_one_owner(self, bought: tuple[int, int]) -> bool:
        """True if both lists buy their next train, after so many, from the same company or the bank."""
        theirs, ours = (of[at] for of, at in zip(self.sources, bought, strict=True))
        return theirs == ours and theirs not in ("", POOL)


def _plain(move: Action, seats: Mapping[str, str]) -> Action:
    said = {**USUAL.get(move["type"], {}), **{key: value for key, value in move.items() if key not in PAGE}}
    if move["entity_type"] == "player":
        said["entity"] = seats[str(move["entity"])]
    return said


def _key(move: Action) -> str:
    """The fields that must be the same in any case."""
    said = {key: value for key, value in move.items() if key not in ("variant", "tokener", "slot")}
    if "shares" in said:
        said["shares"] = sorted(map(_size, said["shares"]))
    if "routes" in said:
        said["routes"] = sorted(map(_run, said["routes"]))
    if "train" in said:
        said["train"] = _kind(said["train"])
    if "hexes" in said:
        said["hexes"] = sorted(said["hexes"])
    return repr(sorted(said.items()))


def _size(number: str) -> tuple[str, str]:
    """A certificate by its company and size. The SBB of 1844 has doubles."""
    company, index = number.rsplit("_", 1)
    double = company == "SBB" and int(index) > 10
    return company, "president" if index == "0" else "double" if double else "single"


def _run(route: Action) -> str:
    """A run by the kind of its train, what it earns, and its legs in either direction."""
    legs = sorted(min(leg, leg[::-1]) for leg in route["connections"])
    return repr((_kind(route["train"]), route.get("revenue"), legs))


def _in_order(value: Any) -> Any:
    return sorted(value) if isinstance(value, list) else value


def _kind(train: str) -> str:
    return train.rsplit("-", 1)[0]


def _trains(their: Action, our: Action) -> Iterator[tuple[str, str]]:
    """The trains that stand in the same places, as many as can be with the same numbers."""
    if "train" in their:
        yield their["train"], our["train"]
    runs = [sorted((_run(r), r["train"]) for r in move.get("routes", ())) for move in (their, our)]
    for (_, number), (_, other) in zip(*runs, strict=True):
        yield number, other


def _counted(moves: Iterable[Action]) -> list[int]:
    """For each move, how many trains have been bought before it."""
    count, found = 0, list[int]()
    for move in moves:
        found.append(count)
        count += move["type"] == "buy_train"
    return found


def _line(moves: Iterable[Action]) -> str:
    return "; ".join(_short(move) for move in moves) or "nothing"


def _short(move: Action) -> str:
    rest = {key: value for key, value in move.items() if key not in ("type", "entity", "entity_type")}
    return " ".join(map(str, (move["entity"], move["type"], *rest.values())))
