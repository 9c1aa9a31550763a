"""The service with the toy of no title folder, in the barest words: only what the moderator decides is under test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

import engine
from engine import Game
from engine.core.ids import CompanyId, PlayerId
from engine.core.orders import Route
from moderator.domain.info import CalendarEntry, GameInfo, Master
from moderator.domain.list_rows import SeatClock, ShownSeat
from moderator.domain.master_report import MasterReport
from moderator.domain.pictures import Picture
from moderator.domain.ports import Section
from moderator.domain.transcript import Facts, Notes, Transcript
from moderator.service.games import MakeVocabulary
from tests.kit.service import toy_title
from tests.kit.service.mail_service import Service


class PlainWords:
    """Mails in the barest words, so that only what the moderator decides is under test."""

    def __init__(self) -> None:
        self.transcripts: list[Transcript] = []
        self.broken = False
        self.ahead: list[tuple[str, str, Facts]] = []
        """News of orders given ahead: to whom, key and facts."""

    def _ahead(self, seat: str, notes: Notes) -> None:
        self.ahead.extend((seat, key, facts) for key, facts in notes)

    def welcome_mail(self, game: Game, info: GameInfo, seat: str) -> Bare:
        return Bare("welcome", str(info))

    def turn_mail(self, game: Game, info: GameInfo, seat: str, since: int) -> Bare:
        if self.broken:
            raise RuntimeError("no words")
        self._ahead(info.seat, info.ahead)
        return Bare("turn", f"since {since}, {info.at}")

    def news_mail(self, game: Game, info: GameInfo, seat: str, since: int) -> Bare:
        self._ahead(info.seat, info.ahead)
        return Bare("news", f"since {since}")

    def transcript_mail(self, game: Game, info: GameInfo, transcript: Transcript) -> Bare:
        self.transcripts.append(transcript)
        return Bare(transcript.outcome, "\n".join(f"{s.what}: {s.text}" for s in transcript.shown))

    def held_mail(self, game: Game, info: GameInfo, transcript: Transcript) -> Bare:
        self._ahead(info.seat, transcript.notes)
        return self.transcript_mail(game, info, transcript)

    def invitation_mail(self, game: Game, info: GameInfo, seat: str) -> Bare:
        return Bare("invited", str(info.invitation))

    def help_mail(self, game: Game, info: GameInfo, seat: str) -> Bare:
        return Bare("help", "help")

    def game_over_mail(self, game: Game, info: GameInfo, seat: str, *, since: int | None = None) -> Bare:
        self._ahead(info.seat, info.ahead)
        return Bare("over", f"{game.standings()} seed {info.seed}")

    def press_mail(self, info: GameInfo, writer: str, to: Sequence[str], lines: Sequence[str]) -> Bare:
        return Bare(f"press from {writer}", f"to {', '.join(to) or 'all'}\n" + "\n".join(lines))

    def to_master_mail(self, game: Game, info: GameInfo, lines: Sequence[str], status: str) -> Bare:
        return Bare(f"{info.seat} to the master", "\n".join(lines))

    def from_master_mail(
        self, info: GameInfo, master: Master, lines: Sequence[str], question: Sequence[str], asked_at: datetime
    ) -> Bare:
        return Bare(f"{master.name} to {info.seat}", "\n".join(lines))

    def master_answer_mail(self, game: Game, info: GameInfo, report: MasterReport) -> Bare:
        return Bare("to a master", "\n".join(f"{line.verdict}: {line.text}" for line in report.lines))

    def digest_section(self, game: Game, info: GameInfo, seat: PlayerId, since: int) -> Section:
        return Section(bool(info.asked and seat in info.asked), f"{info.id} since {since}", "")

    def digest_mail(self, sections: Sequence[Section]) -> Bare:
        return Bare("digest", "\n".join(section.text for section in sections))

    def stranger_mail(self, *, known: bool = False) -> Bare:
        return Bare("stranger", "to which game" if known else "who are you")

    def guest_mail(self, key: str, facts: Facts, reply_to: str = "") -> Bare:
        return Bare(key, "\n".join(f"{name}: {value}" for name, value in facts.items()))

    def catch_up_mail(self, game: Game, info: GameInfo, seat: PlayerId) -> Bare:
        return Bare(f"{seat}, all so far", info.reply_to)

    def observer_mail(self, game: Game, info: GameInfo, since: int) -> Bare:
        return Bare(f"news since {since}", "")

    def operator_mail(self, problem: str) -> Bare:
        return Bare("operator", problem)

    def notice_mail(self, info: GameInfo, key: str, facts: Facts) -> Bare:
        return Bare(key, str(dict(facts)))

    def operator_words(self, key: str, facts: Facts) -> str:
        return f"{key} {dict(facts)}"

    def text_position(self, game: Game, seat: str) -> str:
        return f"position after {len(game.orders)} orders"

    def text_map(self, game: Game, hexes: Sequence[str] = ()) -> str:
        return " ".join(["map", *hexes])

    def text_board(self, game: Game) -> str:
        return "board"

    def text_hex(self, game: Game, hex: str) -> str:
        return f"hex {hex}"

    def text_company(self, game: Game, company: str) -> str:
        return f"company {company}"

    def text_private(self, game: Game, private: str) -> str:
        return ""

    def text_words(self, game: Game) -> str:
        return ""

    def text_word(self, game: Game, word: str) -> str:
        return ""

    def text_rules(self, game: Game) -> str:
        return ""

    def text_phase(self, game: Game) -> str:
        return "phase"

    def text_run(self, game: Game, company: CompanyId, routes: Sequence[Route], after: Sequence[str] = ()) -> str:
        return f"run of {company}"

    def text_history(self, game: Game, what: str = "") -> str:
        return f"history {what}".strip()

    def text_trains(self, game: Game) -> str:
        return "trains"

    def text_tiles(self, game: Game) -> str:
        return "tiles"

    def text_lays(self, game: Game, actor: str, after: Sequence[str] = ()) -> str:
        return f"lays of {actor}"

    def calendar(self, info: GameInfo, entries: Sequence[CalendarEntry], now: datetime) -> str:
        return ""

    def text_clock(self, info: GameInfo, clocks: Sequence[SeatClock]) -> str:
        return f"clocks of {len(clocks)}"

    def text_seats(self, info: GameInfo, seats: Sequence[ShownSeat]) -> str:
        return f"seats of {len(seats)}"


class Bare:
    def __init__(self, subject: str, text: str) -> None:
        self.subject, self.text, self.html = subject, text, ""
        self.pictures: tuple[Picture, ...] = ()


class Table(Service):
    """The service with the toy, and what it said last."""

    def words(self) -> PlainWords:
        words: PlainWords = self.desk.words  # type: ignore[assignment]
        return words

    @property
    def last(self) -> Transcript:
        return self.words().transcripts[-1]

    @property
    def verdicts(self) -> list[tuple[str | None, str]]:
        return [(line.canonical, line.verdict) for line in self.last.lines]

    @property
    def notes(self) -> list[str]:
        return [key for key, _ in self.last.notes]


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return open_table(tmp_path, PlainWords())


def open_table(root: Path, words: PlainWords, make_vocabulary: MakeVocabulary = toy_title.vocabulary) -> Table:
    service = Service.open(root, toy_title.load, make_vocabulary)
    return Table(root, replace(service.desk, words=words), service.clock)


@pytest.fixture
def game(table: Table, monkeypatch: pytest.MonkeyPatch) -> str:
    """X is Ann's, Y is Bob's. Ann is asked to open P; then come X's turn, Y's turn, and all that again."""
    monkeypatch.setattr(engine, "editions", lambda name: ("one",))
    return table.game("toy")


def to_companies(table: Table) -> None:
    """Past the auction: X is asked."""
    table.say("Ann", "pass")
