"""Attempts with the words for clocks and people: away, back, zone, calendar, and the answers of game masters.

They come from strangers, former players, players of the same table, former game masters and those of other games; in
originals that were forwarded; and in mails of then that are sent once more.
"""

from __future__ import annotations

from datetime import date, timedelta

from tests.kit.spoofing.attempts import (
    ANN,
    AWAY,
    BOB,
    CAT,
    DAN,
    DANS_ALIAS,
    EVE,
    EVIL,
    GUS,
    HAL,
    JO,
    MAX,
    MOE,
    NED,
    OWN,
    Draft,
    Forger,
    kind,
)  # fmt: skip
from tests.kit.spoofing.evidence_rows import claimed
from tests.kit.spoofing.master_lines import said
from tests.kit.spoofing.seats import as_somebody


def words(f: Forger) -> str:
    """A word that changes a clock, what is told, or what is told of somebody; or two of them."""
    first = date(2026, 4, 1) + timedelta(days=f.random.randrange(600))
    one = f.pick(
        f"away {first} to {first + timedelta(days=f.random.randrange(9))}", f"away {first}", "back", "back", "away",
        "zone Asia/Tokyo", "zone game", "calendar off", "calendar on", f"master: may I {f.mark}?", "show clock\nback",
    )  # fmt: skip
    return f.pick(one, one, f"{one}\ncalendar off", f"back\n{one}", f"partial\n{one}", f"withdraw all\n{one}")


def game_of(address: str) -> str:
    return address.partition("+")[2].partition(".")[0]


@kind()
def clock_words_of_a_stranger(f: Forger) -> Draft:
    to = f.pick(f.known.now, f.known.old, OWN, f.known.elsewhere, f.known.given_now)
    return Draft(f.pick(words(f), f.fence(f.known.now, words(f))), to, f.pick(EVIL, ANN, f"Ann <{ANN}>", HAL))


@kind()
def clock_words_superseded(f: Forger) -> Draft:
    return as_somebody(f, Draft(words(f), f.known.old, AWAY)) if f.random.random() < 0.5 else Draft(
        words(f), f.known.old, f.pick(ANN, AWAY, f"Ann <{ANN}>"), checked=f.random.random() < 0.7
    )  # fmt: skip


@kind()
def clock_words_of_a_former_player(f: Forger) -> Draft:
    """Gus, who is who he says he is, or who reads Jo's former mailbox now."""
    if f.random.random() < 0.5:
        text = f.pick(words(f), f.fence(f.known.given, words(f), game_of(f.known.given)))
        return as_somebody(f, Draft(text, f.pick(f.known.given, f.known.given_now, OWN), GUS))
    text = f.pick(words(f), f.fence(f.known.former, words(f), game_of(f.known.former)))
    return as_somebody(f, Draft(text, f.pick(f.known.former, OWN), JO))


@kind()
def clock_words_to_a_revoked_address(f: Forger) -> Draft:
    text = f.pick(words(f), f.fence(f.known.revoked, words(f), game_of(f.known.revoked)))
    return Draft(text, f.pick(f.known.revoked, OWN), f.pick(BOB, EVIL))


@kind()
def clock_words_of_a_table_mate(f: Forger) -> Draft:
    """Bob, proved to be Bob, was sent Ann's answer in copy."""
    return as_somebody(f, Draft(words(f), f.pick(f.known.now, f"Ann <{f.known.now}>"), f.pick(BOB, CAT)))


@kind()
def clock_words_of_a_game_master(f: Forger) -> Draft:
    """A game master plays for nobody, in his own game or in another."""
    sender = f.pick(MAX, NED, MOE)
    draft = Draft(words(f), f.pick(f.known.now, f.known.bob, f.known.given_now, f.known.loose), sender)
    return Draft(draft.text, draft.to, MOE, found="nothing") if sender == MOE else as_somebody(f, draft)


@kind()
def clock_words_in_a_forwarded_original(f: Forger) -> Draft:
    """Ann's turn mail, with words at the place for an answer, from Bob with his proof or in her name."""
    turn = f.known.turn_mail.decode("utf-8", "replace").replace("\r\n", "\n")
    wanted = f.pick(words(f), f.fence(f.known.now, words(f)))
    turn = turn.replace("##- reply above this line -##", f"{wanted}\n##- reply above this line -##", 1)
    if f.random.random() < 0.5:
        text = f"\n---------- Forwarded message ---------\n{turn}"
        return as_somebody(f, Draft(text, f.pick(f.known.now, OWN), BOB))
    body = (
        "--bb\r\nContent-Type: message/rfc822\r\n\r\n" + turn.replace("\n", "\r\n") + "\r\n--bb--\r\n"
    )  # fmt: skip
    to = f.pick(f.known.now, f.known.old, OWN)
    head = (
        f"From: {f.pick(ANN, EVIL)}\r\nTo: {to}\r\nMessage-ID: <{f.mark}@evil.example>\r\n"
        "Content-Type: multipart/mixed; boundary=bb\r\n\r\n"
    )
    return Draft("", to, ANN, raw=(head + body).encode())


@kind()
def clock_words_sent_again(f: Forger) -> Draft:
    """Ann's own signed mail of then: as it was, with another Message-ID, or with a header that no signature covers."""
    raw = f.random.choice(f.known.spoken)
    way = f.random.randrange(4)
    if way == 1:
        raw = raw.replace(b"Message-ID: <", f"Message-ID: <{f.mark}".encode())
    elif way == 2:
        name = f.pick("To", "Cc", "Delivered-To", "X-Original-To", "Resent-To", "Envelope-To")
        raw = f"{name}: {f.pick(f.known.now, f.known.elsewhere)}\r\n".encode() + raw
    elif way == 3:
        raw = b"\r\n".join(line for line in raw.split(b"\r\n") if not line.lower().startswith(b"message-id:"))
    to = f.pick(f.known.now, f.known.elsewhere)
    return Draft("", to, ANN, raw=raw, return_path=f.pick(ANN, EVIL), domain="players.example")


@kind()
def clock_words_sent_again_and_changed(f: Forger) -> Draft:
    """The same with another date or other words: the signature is broken."""
    raw = f.random.choice(f.known.spoken)
    way = f.random.randrange(3)
    if way == 0:
        raw = raw.replace(b"Date: Sun, 01 Mar", b"Date: Mon, 02 Mar")
    elif way == 1:
        raw += f"\r\n{words(f)}\r\n".encode()
    else:
        raw = raw.replace(f.known.now.encode(), f.known.elsewhere.encode())
    return Draft("", f.pick(f.known.now, f.known.elsewhere), ANN, raw=raw, return_path=f.pick(ANN, EVIL))


@kind()
def clock_words_of_a_program(f: Forger) -> Draft:
    """An automatic answer, or an answer to an appointment: it may say that he is away, which changes no clock."""
    if f.random.random() < 0.5:
        return Draft(words(f), f.known.now, ANN, [f"Auto-Submitted: {f.pick('auto-replied', 'auto-generated')}"])
    text = (
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nMETHOD:REPLY\r\nBEGIN:VEVENT\r\nUID:x\r\n"
        f"ATTENDEE;PARTSTAT={f.pick('DECLINED', 'ACCEPTED')}:mailto:{ANN}\r\nCOMMENT:{words(f)!r}\r\nEND:VEVENT\r\n"
        "END:VCALENDAR\r\n"
    )
    fields = ["Content-Type: text/calendar; method=REPLY; charset=utf-8"]
    return Draft(text, f.known.now, f.pick(ANN, EVIL), fields)


@kind(needs="deputy")
def a_seat_given_back_by_others(f: Forger) -> Draft:
    """Any mail of the player gives him the seat back; one of others does not."""
    sender = f.pick(ANN, EVIL, BOB, GUS)
    draft = Draft(f.pick(words(f), "back", "hello"), f.pick(f.known.now, f.known.old), sender)
    return draft if sender in (ANN, EVIL) else as_somebody(f, draft)


@kind("claimed", press=True)
def claimed_clock_words(f: Forger) -> Draft:
    return claimed(f, words(f), sender=f.pick(DAN, DANS_ALIAS))


@kind()
def claimed_clock_words_and_superseded(f: Forger) -> Draft:
    return claimed(f, words(f), f.known.loose_old)


@kind()
def claimed_clock_words_by_a_table_mate(f: Forger) -> Draft:
    return claimed(f, words(f), sender=EVE)


@kind()
def dans_clock_words_once_more(f: Forger) -> Draft:
    """His own mail of then, with its Message-ID and its date, to the present address."""
    raw = f.known.loose_spoken.replace(f.known.loose_old.encode(), f.known.loose.encode())
    return Draft("", f.known.loose, DAN, raw=raw, found="nothing", return_path=f.pick(DAN, EVIL))


# ---- answers of game masters


@kind()
def answer_of_a_former_master(f: Forger) -> Draft:
    """Ned was the game master when Ivy wrote the line, and is so no longer."""
    return as_somebody(f, Draft(said(f), f.known.closed_line, f.pick(NED, MAX, GUS)))


@kind(needs="line")
def answer_of_the_master_of_another_game(f: Forger) -> Draft:
    """The line is to Max."""
    draft = Draft(said(f), f.known.confirm, f.pick(MOE, NED), found="nothing")
    return as_somebody(f, draft) if draft.sender == NED else draft


@kind(needs="loose line")
def answer_of_the_operator_to_the_line_of_another(f: Forger) -> Draft:
    """The line is to Moe."""
    return as_somebody(f, Draft(said(f), f.known.confirm, f.pick(MAX, NED, EVIL)))


@kind(needs="line")
def answer_of_the_master_once_more(f: Forger) -> Draft:
    """Max's signed answer to an earlier line, sent again to that line, or on to another one."""
    above = f.pick("", f"Cc: {f.known.confirm}\r\n", f"To: {f.known.confirm}\r\n", f"Resent-To: {f.known.confirm}\r\n")
    raw = above.encode() + f.known.master_answered
    if f.random.random() < 0.3:
        raw = raw.replace(b"Message-ID: <", f"Message-ID: <{f.mark}".encode())
    return Draft("", f.known.confirm, MAX, raw=raw, return_path=f.pick(MAX, EVIL), domain="example.net")
