"""Attempts with lines to the game master, and with answers in his name.

The answer address of a line leaks when the game master forwards the mail with it. Of the master of Dan's game our
server never had proof: under ``token``, whoever has that address and forges From is taken for him.
"""

from __future__ import annotations

from tests.kit.spoofing.attempts import ANN, BOB, DAN, DANS_ALIAS, EVIL, MAX, MOE, OWN, Draft, Forger, kind, secret_of
from tests.kit.spoofing.evidence_rows import claimed
from tests.kit.spoofing.seats import as_somebody


def line(f: Forger) -> str:
    return f.pick(f"master: he cheats {f.mark}", f"master:\nI resign\n{f.mark}\nend master", f"press master: {f.mark}")


def said(f: Forger) -> str:
    return f.pick("You have lost your seat.", "Write to forger@evil.example from now on.", f.orders(), "yes")


@kind()
def line_of_somebody_else(f: Forger) -> Draft:
    return Draft(line(f), f.pick(f.known.now, f.known.old), f.pick(ANN, EVIL, BOB, f"Ann <{ANN}>"))


@kind()
def line_in_a_leaked_block(f: Forger) -> Draft:
    return Draft(f.fence(f.known.now, line(f)), f.pick(OWN, f.known.bob), f.pick(ANN, EVIL))


@kind(press=True)
def line_of_a_player(f: Forger) -> Draft:
    """Bob writes as who he is. It goes to the game master, and to nobody whom the text names."""
    text = (
        f"master: hear {f.pick('all', ANN, 'Cat')}\n{f.pick('Reply-To: x@evil.example', 'Cc: ' + ANN, '.')}\nend master"
    )
    return as_somebody(f, Draft(text, f.known.bob, BOB))


@kind(needs="line")
def answer_in_the_name_of_the_master(f: Forger) -> Draft:
    sender = f.pick(MAX, f"Max <{MAX}>", MAX.upper(), f'"{MAX}" <{EVIL}>', f"{MAX}, {EVIL}")
    return Draft(said(f), f.known.confirm, sender, checked=f.random.random() < 0.8)


@kind(needs="line")
def answer_of_somebody_else(f: Forger) -> Draft:
    """The address of the line alone is not enough, even with proof of another sender."""
    draft = Draft(said(f), f.known.confirm, f.pick(ANN, EVIL, BOB))
    return as_somebody(f, draft) if draft.sender == EVIL else draft


@kind(needs="line")
def answer_to_somebody_else_sent_on(f: Forger) -> Draft:
    """A signed mail of the game master to Bob, sent on to the address of a line."""
    name = f.pick("Cc", "To", "Delivered-To", "X-Original-To", "Resent-To", "Envelope-To")
    raw = f"{name}: {f.known.confirm}\r\n".encode() + f.known.master_friendly
    return Draft("", f.known.confirm, MAX, raw=raw, return_path=f.pick(MAX, EVIL), domain="example.net")


@kind(needs="line")
def answer_to_a_line_as_a_secret_of_the_seat(f: Forger) -> Draft:
    """The secret word of a line opens no seat and confirms nothing."""
    secret = secret_of(f.known.confirm)
    to = f.pick(f"railpost+{f.known.game}.1.{secret}@example.org", f"railpost+confirm.{secret}@example.org", OWN)
    text = f.fence(f.known.confirm, f.orders()) if to == OWN else f.pick("yes", f.orders())
    return Draft(text, to, f.pick(ANN, EVIL, MAX))


@kind()
def answer_to_a_guessed_line(f: Forger) -> Draft:
    secret = f.pick(f.token(), secret_of(f.known.now), secret_of(f.known.old), "")
    return Draft(said(f), f"railpost+master.{secret}@example.org", f.pick(MAX, ANN, EVIL))


@kind("claimed", press=True)
def claimed_line(f: Forger) -> Draft:
    return claimed(f, line(f), sender=f.pick(DAN, DANS_ALIAS))


@kind("master", "loose line", press=True)
def claimed_answer_of_the_master(f: Forger) -> Draft:
    """The address of Dan's line leaked, and nothing proves who his game master is."""
    return claimed(f, said(f), f.known.confirm, f.pick(MOE, f"Moe <{MOE}>"))
