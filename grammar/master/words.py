"""The words of a game master as values, and each of them written in its canonical form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Check:
    """Nothing is to be done: the answer says what each word would do."""

    def __str__(self) -> str:
        return "check"


@dataclass(frozen=True, slots=True)
class Help:
    def __str__(self) -> str:
        return "help"


@dataclass(frozen=True, slots=True)
class Show:
    """``what``: ``clock``, ``position``, ``board``, ``log`` or ``seats``."""

    what: str

    def __str__(self) -> str:
        return f"show {self.what}"


@dataclass(frozen=True, slots=True)
class Reason:
    """The reason of all words of the mail, as the players read it."""

    text: str

    def __str__(self) -> str:
        return f"reason: {self.text}"


@dataclass(frozen=True, slots=True)
class Pause:
    """Moments as written, such as ``2026-12-24 20:00 Europe/Zurich``; empty for at once, and for without an end."""

    begin: str = ""
    until: str = ""

    def __str__(self) -> str:
        begin, until = self.begin and f" from {self.begin}", self.until and f" until {self.until}"
        return f"pause{begin}{until}"


@dataclass(frozen=True, slots=True)
class Resume:
    def __str__(self) -> str:
        return "resume"


@dataclass(frozen=True, slots=True)
class Extend:
    """More time, in hours, for each answer that is awaited."""

    hours: int

    def __str__(self) -> str:
        return f"extend {self.hours} hours"


@dataclass(frozen=True, slots=True)
class Until:
    """The moment, as written, at which the answers that are awaited are due."""

    moment: str

    def __str__(self) -> str:
        return f"until {self.moment}"


@dataclass(frozen=True, slots=True)
class Clock:
    """Terms of the clocks, each a name and a value."""

    terms: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        return " ".join(("clock", *(f"{name}={value}" for name, value in self.terms)))


@dataclass(frozen=True, slots=True)
class Option:
    """Another value of an option of the game, as written."""

    name: str
    value: str

    def __str__(self) -> str:
        return f"option {self.name} {self.value}"


@dataclass(frozen=True, slots=True)
class Undo:
    """Back to the position after order ``number``. ``through``: the last wrong order; None if it is the next one alone.
    ``whole``: no later order is played again."""

    number: int
    through: int | None = None
    whole: bool = False

    def __str__(self) -> str:
        through = "" if self.through is None else f" through {self.through}"
        return f"undo to {self.number}{through}{' whole' if self.whole else ''}"


@dataclass(frozen=True, slots=True)
class Redo:
    def __str__(self) -> str:
        return "redo"


@dataclass(frozen=True, slots=True)
class Give:
    """The seat of ``seat`` to another person."""

    seat: str
    name: str
    address: str

    def __str__(self) -> str:
        return f"give {self.seat} to {self.name} <{self.address}>"


@dataclass(frozen=True, slots=True)
class Open:
    """The seat is offered to others."""

    seat: str

    def __str__(self) -> str:
        return f"open {self.seat}"


@dataclass(frozen=True, slots=True)
class Robot:
    """A robot moves for the seat, or does so no longer."""

    seat: str
    on: bool = True

    def __str__(self) -> str:
        return f"robot {self.seat} {'on' if self.on else 'off'}"


@dataclass(frozen=True, slots=True)
class End:
    def __str__(self) -> str:
        return "end game"


@dataclass(frozen=True, slots=True)
class CorrectPay:
    """An amount from one purse to another: players, companies or the bank, as written."""

    amount: int
    source: str
    target: str

    def __str__(self) -> str:
        return f"correct pay {self.amount} from {self.source} to {self.target}"


@dataclass(frozen=True, slots=True)
class CorrectMove:
    """Ordinary certificates of a company from one place to another: players, companies or the pool, as written."""

    number: int
    company: str
    source: str
    target: str

    def __str__(self) -> str:
        return f"correct move {self.number} {self.company} from {self.source} to {self.target}"


@dataclass(frozen=True, slots=True)
class AddMaster:
    name: str
    address: str

    def __str__(self) -> str:
        return f"add master {self.name} <{self.address}>"


@dataclass(frozen=True, slots=True)
class RemoveMaster:
    address: str

    def __str__(self) -> str:
        return f"remove master {self.address}"


@dataclass(frozen=True, slots=True)
class Say:
    """A text for all players."""

    text: str

    def __str__(self) -> str:
        return _passage("say", self.text)


@dataclass(frozen=True, slots=True)
class Answer:
    """A text for one player."""

    seat: str
    text: str

    def __str__(self) -> str:
        return _passage("answer", self.text, self.seat)


@dataclass(frozen=True, slots=True)
class Enter:
    """Orders that the player of ``seat`` gave by letter or telephone."""

    seat: str
    text: str

    def __str__(self) -> str:
        return _passage("enter", self.text, self.seat)


MasterWord: TypeAlias = (
    Check | Help | Show | Reason | Pause | Resume | Extend | Until | Clock | Option | Undo | Redo | Give | Open | Robot
    | End | CorrectPay | CorrectMove | AddMaster | RemoveMaster | Say | Answer | Enter
)  # fmt: skip


def _passage(word: str, text: str, seat: str = "") -> str:
    head = f"{word} {seat}".strip()
    return f"{head}: {text}" if "\n" not in text else f"{head}:\n{text}\nend {word}"
