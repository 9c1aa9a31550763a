"""Carries out the words of a game master, one by one. Each of them is an act that commands have, too."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final

from grammar.master import words as m
from moderator.adapters.tables import GameRow, MailRow
from moderator.domain.clocks import wall
from moderator.domain.evidence import Request
from moderator.domain.outcome import Outcome
from moderator.domain.senders import names_service
from moderator.domain.transcript import TranscriptLine
from moderator.service.decision.resumption import resume_in
from moderator.service.desk import Sitting
from moderator.service.games import Live
from moderator.service.locks import lock_game
from moderator.service.people.hand_over import hand_over
from moderator.service.play.again.redo import redo_in
from moderator.service.play.answers import answer, tell_others
from moderator.service.play.deputy import set_caretaker
from moderator.service.play.masters import master, pauses
from moderator.service.play.masters.acts import under_way
from moderator.service.play.masters.corrections import correct_in
from moderator.service.play.new_games import Person
from moderator.service.play.options import set_option_in
from moderator.service.play.press import has_secret
from moderator.service.play.to_master import WITHOUT_PRESS, write_from_master
from moderator.service.play.turn import handle
from moderator.service.play.undo import Wrong, take_back_in
from moderator.service.post.counters import count
from moderator.service.table.acts import note_act
from moderator.service.table.anonymity import said_in, told_in, why_unsaid
from moderator.service.table.game_master import master_of, may_know, office_at
from moderator.service.table.notices import notice
from moderator.service.table.result import Result
from moderator.service.table.seat_text import Said
from moderator.service.table.table import lock_seat, open_table, seats_of
from moderator.service.table.trust import entered

_TAKES: Final = (
    m.Undo, m.Redo, m.Give, m.Open, m.Robot, m.End, m.AddMaster, m.RemoveMaster, m.Enter, m.CorrectPay, m.CorrectMove,
)  # fmt: skip
"""Words that take something from somebody, or give power to somebody."""
ACTS: Final = (*_TAKES, m.Pause, m.Resume, m.Extend, m.Until, m.Clock, m.Option)
"""Words that judge: a game master who plays does not say them alone."""
_DONE: Final = ("applied", "held", "sealed", "withdrawn")


SECRET: Final = "the text has a secret address in it, which nobody else may see"
_ENTERED: Final = frozenset({"check", "withdraw", "show", "help"})
"""Words for the moderator that may stand beside entered orders."""
_BAD: Final = frozenset({"refused", "unreadable", "ambiguous", "not_reached"})


class NotPlayed(ValueError):
    """Orders that were entered for a player are not carried out. ``lines``: what became of each."""

    def __init__(self, lines: tuple[TranscriptLine, ...], outcome: Outcome) -> None:
        super().__init__(outcome)
        self.lines, self.outcome = lines, outcome


@dataclass(slots=True)
class Doing:
    """The tools with which the words of one mail or one motion are carried out. ``by``: the address of the game master,
    or empty for the table. ``moved``: the games that moved, which count once the transaction is committed."""

    sitting: Sitting
    game: str
    by: str
    reason: str
    mail: MailRow | None
    trial: bool = False
    moved: list[Live] = field(default_factory=list)


def request_for(word: m.MasterWord) -> Request:
    """The request that ``word`` makes."""
    if isinstance(word, m.Check | m.Reason):
        return "check"
    if isinstance(word, m.Show):
        return "show"
    if isinstance(word, m.Help):
        return "help"
    return "take" if isinstance(word, _TAKES) else "conduct"


def perform(doing: Doing, word: m.MasterWord) -> None:
    """Carry out ``word``; in a trial everything is checked and nothing is done. ``ValueError`` says why it cannot be
    done."""
    sitting, game, reason, trial = doing.sitting, doing.game, doing.reason, doing.trial
    match word:
        case m.Pause(begin, until):
            start, end = (wall.parse(text) if text else None for text in (begin, until))
            pauses.pause_in(sitting, game, reason, begin=start, until=end, trial=trial)
        case m.Resume():
            resume_in(sitting, game, reason, trial=trial)
        case m.Extend(hours):
            master.extend_in(sitting, game, hours, reason, trial=trial)
        case m.Until(text):
            moment, zone = wall.parse(text)
            master.move_deadlines_in(sitting, game, moment, zone, reason, trial=trial)
        case m.Clock(terms):
            master.set_terms_in(sitting, game, terms, reason, trial=trial)
        case m.Option(name, value):
            set_option_in(sitting, game, name, value, reason, by_table=not doing.by, trial=trial)
        case m.Say(text):
            _check_text(doing, text)
            master.say_in(sitting, game, text, trial=trial)
        case m.End():
            master.end_in(sitting, game, reason, trial=trial)
        case m.AddMaster(name, address):
            master.add_master_in(sitting, game, Person(name, address), reason, trial=trial)
        case m.RemoveMaster(address):
            master.remove_master_in(sitting, game, address, reason, trial=trial)
        case m.Undo(number, through, whole):
            wrong = Wrong(number, through, keep=not whole, why=reason)
            table, _ = take_back_in(sitting, game, wrong, trial=trial)
            doing.moved += [] if trial else [table.live]
        case m.Redo():
            table, _ = redo_in(sitting, game, reason, trial=trial)
            doing.moved += [] if trial else [table.live]
        case m.CorrectPay() | m.CorrectMove():
            corrected = correct_in(sitting, game, word, reason, trial=trial)
            doing.moved += [] if corrected is None else [corrected]
        case m.Give() | m.Open() | m.Robot():
            _seat(doing, word)
        case m.Answer(player, text):
            _answer(doing, player, text)
        case m.Enter(player, text):
            _enter(doing, player, text)


def _seat(doing: Doing, word: m.Give | m.Open | m.Robot) -> None:
    """Hand a seat over, offer it, or let a robot move for it."""
    sitting = doing.sitting
    row = under_way(sitting.session, doing.game)
    seat = lock_seat(sitting, doing.game, word.seat)
    if isinstance(word, m.Give):
        if names_service((word.address,), sitting.settings.mailbox, sitting.settings.domain):
            raise ValueError(f"{word.address} is an address of the service itself")
        if not doing.trial:
            hand_over(sitting, seat, word.name, word.address, doing.reason)
        return
    caretaker = "open" if isinstance(word, m.Open) else "robot" if word.on else ""
    if seat.caretaker == caretaker:
        raise ValueError(f"{seat.player}: nothing would change")
    if not doing.trial:
        set_caretaker(open_table(sitting, row), seat, caretaker, doing.reason)


def _answer(doing: Doing, player: str, text: str) -> None:
    """Write to one player, as an answer to a line of his does."""
    _check_text(doing, text, player)
    sitting = doing.sitting
    row, seat = lock_game(sitting.session, doing.game), lock_seat(sitting, doing.game, player)
    if doing.trial:
        return
    office = office_at(row, doing.by)
    found = master_of(row, sitting.settings)
    assert found is not None
    who = found if office is None else replace(found, name=office.name, address=office.address)
    write_from_master(open_table(sitting, row), seat, who, text, doing.mail)


def _enter(doing: Doing, player: str, text: str) -> None:
    """Play the orders that a player gave by letter or telephone. He gets the answer that a mail of his would get. They
    are tried first, because all of them are played or none."""
    sitting = doing.sitting
    row, seat = under_way(sitting.session, doing.game), lock_seat(sitting, doing.game, player)
    if row.waits:
        raise ValueError(f"{doing.game} waits: it is paused or on hold, and goes on first")
    said = Said(seat, row.at, f"check\n{text}", notes=(("entered", {}),), origin=entered(sitting.desk, doing.by))
    tried = handle(sitting, said, None)
    _check_entered(tried)
    if not doing.trial:
        result = handle(sitting, replace(said, text=text), None, master=doing.mail)
        if result.outcome not in _DONE:
            raise NotPlayed(result.transcript.lines, result.outcome)
        answer(sitting, [result], None)
        _tell_entered(result, player, doing.reason)
        tell_others(result)
        doing.moved.append(result.table.live)


def _tell_entered(result: Result, player: str, reason: str) -> None:
    """Tell the others, and the log, that orders of ``player`` came in another way than by mail."""
    table = result.table
    note_act(table.sitting, table.row, "enter", f"{player}: {reason}" if reason else player)
    for seat in table.seats:
        if seat.player != player:
            notice(table, seat, "entered_for", {"player": player, "reason": reason})


def _check_entered(tried: Result) -> None:
    """``ValueError`` if a text that was ``tried`` has something that is no order, or an order that is refused."""
    told = tried.transcript
    other = next((word.kind for word in told.words if word.kind not in _ENTERED), "press" if told.press else "")
    if other:
        raise ValueError(f"`{other}` cannot be entered for a player: only orders, `check` and `withdraw`, all or none")
    if tried.outcome not in ("checked", "withdrawn") or any(line.verdict in _BAD for line in told.lines):
        raise NotPlayed(told.lines, tried.outcome)


def names_player(
    sitting: Sitting, row: GameRow, address: str, text: str, reader: str = "", words: Iterable[m.MasterWord] = ()
) -> str:
    """Why a ``text`` of the game master at ``address`` goes to no players, or not to ``reader`` alone: it tells who
    plays an anonymous game, or who is to play by his ``words``. Empty if it does not. A game master who plays is told
    nothing of the others: the answer would say who they are."""
    seats, given = seats_of(sitting.session, row.id), [word for word in words if isinstance(word, m.Give)]
    said = said_in((one for word in given for one in (word.name, word.address)), text) if row.veiled else ""
    if may_know(sitting.session, row, seats, address):
        said = said or told_in(sitting.session, row, (seat for seat in seats if seat.player != reader), text)
    return why_unsaid(said) if said else ""


def _check_text(doing: Doing, text: str, reader: str = "") -> None:
    """``ValueError`` if a text may not go to players, or to ``reader`` alone: it has a secret, it is too long, or there
    were too many today."""
    sitting, settings = doing.sitting, doing.sitting.settings
    if has_secret(sitting, doing.by, text):
        raise ValueError(SECRET)
    if why := names_player(sitting, lock_game(sitting.session, doing.game), doing.by, text, reader):
        raise ValueError(why)
    if len(text) > settings.longest_press:
        raise ValueError(f"the text has more than {settings.longest_press} characters")
    most = settings.press_per_day or WITHOUT_PRESS
    if not doing.trial and count(sitting, f"office:said:{doing.game}:{doing.by}") > most:
        raise ValueError(f"a game master writes to players at most {most} times a day")
