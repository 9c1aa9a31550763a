"""Attempts with the words of game masters, votes, consents and undos, each in the name of somebody else.

The secret address of a game master leaks when he forwards a mail with it; that of a consent, when he answers in copy.
Of Moe, the master of Dan's game, our server never had proof: under ``token``, whoever has his address and forges From
may say what takes nothing from anybody, and Moe is asked about all else.
"""

from __future__ import annotations

from tests.kit.spoofing.attempts import (
    ANN,
    AWAY,
    BOB,
    CAT,
    DAN,
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
    secret_of,
)  # fmt: skip
from tests.kit.spoofing.clock_words import game_of
from tests.kit.spoofing.evidence_rows import claimed
from tests.kit.spoofing.seats import as_somebody


def takes(f: Forger) -> str:
    """Words that take something from somebody, or give power to somebody."""
    one = f.pick(
        "undo to 0", "undo to 0 whole", "redo", "end game", f"give Ann to Evil <{EVIL}>",
        "give Dan to Eve <eve@x.example>",
        f"add master Evil <{EVIL}>", f"remove master {MAX}", "open Bob", "robot Cat on", "enter Ann: pass",
        "enter Dan:\npass\nend enter", "correct pay 5 from bank to Bob\nreason: a mistake",
        "correct move 1 MB from Bob to pool\nreason: a mistake",
    )  # fmt: skip
    return f.pick(one, one, f"{one}\npause", f"extend 24 hours\n{one}")


def conducts(f: Forger) -> str:
    return f.pick(
        "pause", "pause until 2027-12-24 20:00 Europe/Zurich", "resume", "extend 48 hours", "clock rest=Sat,Sun",
        "option late default", f"say: you have lost {f.mark}", "answer Ann: write to forger@evil.example",
        "until 2027-12-24 20:00 UTC",
    )  # fmt: skip


def office_words(f: Forger) -> str:
    return f.pick(
        takes(f), conducts(f), "show log", "show seats", "help", f"check\n{takes(f)}", f"reason: because\n{takes(f)}"
    )


def votes(f: Forger) -> str:
    """The requests of players about their game as a table."""
    return f.pick(
        "vote yes", "vote yes 1", "vote no", "vote no 1\nvote yes", "propose end game",
        "propose pause because I say so", "propose option hours 9",
        "propose undo to 0", "propose robot Bob on", "undo", "undo yes", f"{f.orders()}\nvote yes",
    )  # fmt: skip


def anybody(f: Forger) -> str:
    """An address that is no game master's of Ann's game."""
    return f.pick(EVIL, ANN, BOB, CAT, AWAY, GUS, HAL, JO, NED)


def as_who(f: Forger, draft: Draft) -> Draft:
    """With proof of the sender, unless it is Ann, whose mailbox nobody else has."""
    return draft if draft.sender in (ANN, AWAY) else as_somebody(f, draft)


# ---- at a game master's address


@kind()
def office_words_in_his_name(f: Forger) -> Draft:
    sender = f.pick(MAX, f"Max <{MAX}>", MAX.upper(), f'"{MAX}" <{EVIL}>', f"{MAX}, {EVIL}")
    return Draft(office_words(f), f.known.office, sender, checked=f.random.random() < 0.8)


@kind()
def office_words_of_somebody_else(f: Forger) -> Draft:
    """Players, strangers, former players and former masters, each with proof of who he is."""
    return as_who(f, Draft(office_words(f), f.known.office, anybody(f)))


@kind()
def office_words_of_the_master_of_another_game(f: Forger) -> Draft:
    if f.random.random() < 0.5:
        return Draft(office_words(f), f.known.office, MOE, found="nothing", return_path=f.pick(MOE, EVIL))
    return as_somebody(f, Draft(office_words(f), f.pick(f.known.loose_office, f.known.former_office), MAX))


@kind()
def office_words_of_a_former_master(f: Forger) -> Draft:
    """Ned, who is who he says he is, at his address of then, or a guessed one."""
    secret = f.pick(secret_of(f.known.former_office), secret_of(f.known.office), f.token(), "")
    guessed = f"railpost+{f.pick(f.known.game, game_of(f.known.former_office))}.master.{secret}@example.org"
    return as_somebody(f, Draft(office_words(f), f.pick(f.known.former_office, guessed), NED))


@kind()
def office_words_to_a_seat(f: Forger) -> Draft:
    """The secret of an office opens no seat, and a player's address takes no words of a game master."""
    secret = secret_of(f.known.office)
    if f.random.random() < 0.5:
        to = f.pick(f"railpost+{f.known.game}.1.{secret}@example.org", f"railpost+confirm.{secret}@example.org", OWN)
        text = f.fence(f.known.office, f.orders()) if to == OWN else f.pick("yes", f.orders())
        return Draft(text, to, f.pick(ANN, EVIL, MAX))
    return as_somebody(f, Draft(takes(f), f"railpost+{f.known.game}.master.{secret_of(f.known.bob)}@example.org", BOB))


@kind()
def office_words_in_a_forwarded_original(f: Forger) -> Draft:
    """A mail that shows the address of the game master, sent on by somebody who was sent it."""
    text = f"FYI\n\n-------- Forwarded Message --------\nReply-To: {f.known.office}\nTo: {MAX}\n\n{office_words(f)}"
    draft = Draft(f.pick(text, office_words(f)), f.pick(f.known.office, OWN), f.pick(BOB, EVIL, NED))
    draft.fields = [f"References: <x@example.org>\r\nCc: {f.known.office}"]
    return as_somebody(f, draft)


@kind()
def office_words_sent_again(f: Forger) -> Draft:
    """Max's own signed mail of then: as it was, with another Message-ID, or with a header that no signature covers."""
    raw = f.random.choice(f.known.office_spoken)
    way = f.random.randrange(5)
    if way == 1:
        raw = raw.replace(b"Message-ID: <", f"Message-ID: <{f.mark}".encode())
    elif way == 2:
        name = f.pick("To", "Cc", "Delivered-To", "X-Original-To", "Resent-To", "Envelope-To")
        raw = f"{name}: {f.pick(f.known.loose_office, f.known.now)}\r\n".encode() + raw
    elif way == 3:
        raw = b"\r\n".join(line for line in raw.split(b"\r\n") if not line.lower().startswith(b"message-id:"))
    elif way == 4:  # what a signature in the relaxed form leaves open
        raw = raw.replace(b"Date: Sun, 01 Mar", f.pick("Date:  Sun, 01 Mar", "Date: Sun,\r\n 01 Mar").encode())
    return Draft("", f.known.office, MAX, raw=raw, return_path=f.pick(MAX, EVIL), domain="example.net")


@kind()
def office_words_sent_again_and_changed(f: Forger) -> Draft:
    """The same with another date or other words: the signature is broken."""
    raw = f.random.choice(f.known.office_spoken)
    if f.random.random() < 0.5:
        raw = raw.replace(b"Date: Sun, 01 Mar", b"Date: Mon, 02 Mar")
    else:
        raw += f"\r\n{office_words(f)}\r\n".encode()
    return Draft("", f.known.office, MAX, raw=raw, return_path=f.pick(MAX, EVIL))


@kind()
def a_friendly_mail_of_the_master_sent_on(f: Forger) -> Draft:
    """A signed mail of Max to Bob, sent on to his office."""
    name = f.pick("Cc", "To", "Delivered-To", "X-Original-To", "Resent-To", "Envelope-To")
    raw = f"{name}: {f.known.office}\r\n".encode() + f.known.master_friendly
    return Draft("", f.known.office, MAX, raw=raw, return_path=f.pick(MAX, EVIL), domain="example.net")


@kind()
def office_words_of_a_program(f: Forger) -> Draft:
    field = f.pick("Auto-Submitted: auto-replied", "Auto-Submitted: auto-generated", "X-Autoreply: yes")
    return as_somebody(f, Draft(office_words(f), f.pick(f.known.office, f.known.loose_office), MAX, [field]))


@kind("office", press=True)
def claimed_office_words(f: Forger) -> Draft:
    """Moe, as far as anybody can say. What takes something from somebody waits for his own yes."""
    asked = f"give Eve to Evil <evil{f.count}@evil.example>"
    text = f.pick(asked, f"undo to 0\n{asked}", f"reason: he is ill\n{asked}", f"say: hear {f.mark}")
    return claimed(f, text, f.known.loose_office, f.pick(MOE, f"Moe <{MOE}>"))


@kind()
def claimed_office_words_that_only_read(f: Forger) -> Draft:
    return claimed(f, f.pick(f"check\n{takes(f)}", "show log", "help"), f.known.loose_office, MOE)


@kind()
def claimed_office_words_of_players(f: Forger) -> Draft:
    return claimed(f, office_words(f), f.known.loose_office, f.pick(DAN, EVE, EVIL))


# ---- consents


@kind(needs="loose motion")
def consent_of_somebody_else(f: Forger) -> Draft:
    """Moe is asked for his yes, and answers in copy to others."""
    text = f.pick("yes", "Yes, please.", "ja", "no", "ok")
    return as_who(f, Draft(text, f.known.confirm, f.pick(EVIL, ANN, BOB, MAX, NED, GUS)))


@kind(needs="loose motion")
def consent_of_a_program(f: Forger) -> Draft:
    draft = Draft("yes", f.known.confirm, MOE, ["Auto-Submitted: auto-replied"], found="nothing")
    draft.return_path = f.pick(MOE, "")
    return draft


@kind(needs="loose motion")
def consent_elsewhere(f: Forger) -> Draft:
    """The secret word of a consent opens nothing else, and is not guessed."""
    secret = f.pick(secret_of(f.known.confirm), f.token(), secret_of(f.known.loose_office))
    to = f.pick(
        f"railpost+confirm.{secret}@example.org", f"railpost+master.{secret}@example.org",
        f"railpost+{f.known.loose_game}.master.{f.token()}@example.org", f"railpost+motion.{f.token()}@example.org",
    )  # fmt: skip
    return Draft(f.pick("yes", office_words(f)), to, f.pick(MOE, EVIL, DAN), found="nothing")


@kind(needs="loose motion")
def consent_sent_on(f: Forger) -> Draft:
    """A mail of the players that is sent on to where a consent goes."""
    raw = f"{f.pick('Cc', 'To', 'Resent-To')}: {f.known.confirm}\r\n".encode() + f.known.answered
    return Draft("", f.known.confirm, ANN, raw=raw, return_path=f.pick(ANN, EVIL), domain="players.example")


# ---- votes and undos of players


@kind(needs="vote")
def a_vote_of_a_stranger(f: Forger) -> Draft:
    to = f.pick(f.known.now, f.known.old, OWN, f.known.cat, f.known.given_now)
    sender = f.pick(EVIL, ANN, f"Ann <{ANN}>", CAT)
    return Draft(f.pick(votes(f), f.fence(f.known.now, votes(f))), to, sender, checked=f.random.random() < 0.8)


@kind(needs="vote")
def a_vote_of_a_table_mate(f: Forger) -> Draft:
    """Bob, proved to be Bob, was sent the answers of Ann and Cat in copy."""
    return as_somebody(f, Draft(votes(f), f.pick(f.known.now, f.known.cat), BOB))


@kind(needs="vote")
def a_vote_of_former_people(f: Forger) -> Draft:
    to = f.pick(f.known.now, f.known.given, f.known.given_now, f.known.former)
    return as_somebody(f, Draft(votes(f), to, f.pick(GUS, JO, NED)))


@kind(needs="vote")
def a_vote_of_a_game_master(f: Forger) -> Draft:
    """He has no vote: neither at a player's address nor at his own."""
    return as_somebody(f, Draft(votes(f), f.pick(f.known.now, f.known.cat, f.known.office), MAX))


@kind(needs="vote")
def a_vote_to_an_old_address(f: Forger) -> Draft:
    text = f.pick(votes(f), f"check\n{votes(f)}")
    return as_somebody(f, Draft(text, f.known.old, AWAY)) if f.random.random() < 0.5 else Draft(text, f.known.old, ANN)


@kind(needs="vote")
def a_vote_of_a_program(f: Forger) -> Draft:
    return Draft(votes(f), f.known.now, ANN, [f"Auto-Submitted: {f.pick('auto-replied', 'auto-generated')}"])
