"""Attempts with secret addresses that do not count: superseded, void, another player's, or those of questions."""

from __future__ import annotations

from moderator.domain.senders import domain_of
from tests.kit.spoofing.attempts import (
    ANN,
    AWAY,
    BOB,
    CAT,
    DAN,
    EVIL,
    GUS,
    HAL,
    JO,
    JO_NOW,
    OWN,
    SECOND,
    Draft,
    Forger,
    kind,
    secret_of,
)  # fmt: skip

HUGE = (0, 1, 2, 3, 4, 5, 6, 7, 99, 847, 10**9, 10**12, 10**300)
"""Decisions before the present one, that one, and later ones."""


def as_somebody(f: Forger, draft: Draft) -> Draft:
    """The draft from its sender with proof, as a player has it for himself."""
    draft.return_path, draft.domain = draft.sender, domain_of(draft.sender)
    return draft


# ---- superseded addresses


@kind()
def superseded_and_a_later_decision(f: Forger) -> Draft:
    at = f.random.choice(HUGE)
    text = f"BEGIN {f.known.game} AT {at}\n{f.orders()}\nEND"
    return Draft(text, f.known.old, f.pick(ANN, ANN, AWAY, EVIL))


@kind()
def superseded_in_a_fence(f: Forger) -> Draft:
    at = f.random.choice(HUGE)
    to = f.pick(OWN, f.known.bob, f.known.cat, f.known.elsewhere, f.known.old)
    return Draft(f.fence(f.known.old, f.wanted(), at=f.random.choice((None, at))), to, f.pick(ANN, AWAY, EVIL))


@kind()
def superseded_words(f: Forger) -> Draft:
    return Draft(f.words(), f.known.old, f.pick(ANN, f"Ann <{ANN}>", AWAY, EVIL))


@kind()
def superseded_and_several_words(f: Forger) -> Draft:
    words = "\n".join(f.words() for _ in range(f.random.randint(2, 4)))
    return Draft(f.pick(words, f"check\n{words}", f"partial\n{words}", f"show position\n{words}"), f.known.old)


@kind()
def superseded_and_not_checked(f: Forger) -> Draft:
    """Our server's filter was down."""
    return Draft(f.wanted(), f.known.old, f.pick(ANN, AWAY), checked=False)


@kind()
def superseded_by_a_table_mate(f: Forger) -> Draft:
    return as_somebody(f, Draft(f.pick(f.wanted(), f.fence(f.known.old, f.wanted())), f.known.old, f.pick(BOB, CAT)))


@kind()
def superseded_with_her_other_game(f: Forger) -> Draft:
    """Her present address in another game lends the old one nothing."""
    to = f.pick(f"{f.known.old}, {f.known.elsewhere}", f"{f.known.elsewhere}, {f.known.old}")
    text = f"BEGIN {f.known.game}\n{f.orders()}\nEND"
    return Draft(text, to, f.pick(ANN, EVIL), found="fail")


@kind()
def superseded_and_sent_again(f: Forger) -> Draft:
    """Ann's own mail of then, changed a little, so that it is none that was seen."""
    raw = f.known.sent.partition(b"x; x\r\n")[2]
    way = f.random.randrange(4)
    if way == 0:
        raw = b"\r\n".join(line for line in raw.split(b"\r\n") if not line.lower().startswith(b"message-id:"))
    elif way == 1:
        raw = b"\r\n".join(line for line in raw.split(b"\r\n") if not line.lower().startswith(b"date:"))
    elif way == 2:
        raw = raw.replace(b"\r\n\r\n", f"\r\n\r\nBEGIN {f.known.game} AT 4\r\n".encode(), 1) + b"\r\nEND\r\n"
    else:
        raw += b"\r\nlimit 85 on TSR\r\n"
    return Draft("", f.known.old, ANN, raw=raw, return_path=f.pick(ANN, EVIL))


# ---- void ones


@kind()
def revoked(f: Forger) -> Draft:
    at = f.random.choice(HUGE)
    game = f.known.revoked.partition("+")[2].partition(".")[0]
    text = f.pick(
        f.wanted(), f.fence(f.known.revoked, f.wanted(), game), f"BEGIN {game} AT {at}\n{f.orders()}\nEND", "yes"
    )
    return Draft(text, f.pick(f.known.revoked, OWN), f.pick(BOB, EVIL))


@kind()
def given_away(f: Forger) -> Draft:
    """Gus, who is who he says he is, has no seat any more."""
    game = f.known.given.partition("+")[2].partition(".")[0]
    to = f.pick(f.known.given, OWN, f.known.given_now.replace(secret_of(f.known.given_now), secret_of(f.known.given)))
    text = f.pick(f.wanted(), f.fence(f.known.given, f.wanted(), game), "Gus: pass")
    return as_somebody(f, Draft(text, to, GUS))


@kind()
def given_away_and_forged(f: Forger) -> Draft:
    return Draft(f.wanted(), f.known.given, f.pick(HAL, EVIL, f"Gus <{HAL}>"))


@kind()
def given_away_and_leaked(f: Forger) -> Draft:
    """Gus, proved to be Gus, has even seen the present address of his successor."""
    return as_somebody(f, Draft(f.wanted(), f.known.given_now, GUS))


@kind()
def given_away_and_stopped(f: Forger) -> Draft:
    """The unsubscribe address that Gus was sent."""
    to = f.known.given_stop
    return as_somebody(f, Draft("unsubscribe", to, f.pick(GUS, HAL), link=to.partition("+stop.")[2].partition("@")[0]))


@kind()
def from_a_former_address(f: Forger) -> Draft:
    """Whoever reads Jo's former mailbox now."""
    game = f.known.former.partition("+")[2].partition(".")[0]
    to = f.pick(f.known.former, OWN)
    return as_somebody(f, Draft(f.pick(f.wanted(), f.fence(f.known.former, f.wanted(), game)), to, JO))


@kind()
def a_former_address_and_forged(f: Forger) -> Draft:
    return Draft(f.wanted(), f.known.former, f.pick(JO_NOW, JO))


@kind()
def stopped_from_a_former_address(f: Forger) -> Draft:
    to = f.known.former_stop
    return as_somebody(f, Draft("", to, JO, link=to.partition("+stop.")[2].partition("@")[0]))


# ---- other people's


@kind()
def many_addresses(f: Forger) -> Draft:
    guessed = [f"railpost+{f.known.game}.{f.random.randint(1, 3)}.{f.token()}@example.org" for _ in range(40)]
    known = [f.known.old, f.known.now, f.known.bob, f.known.cat, f.known.elsewhere, f.known.revoked, f.known.given]
    all_of_them = [*guessed, *f.random.sample(known, f.random.randint(2, len(known)))]
    f.random.shuffle(all_of_them)
    half = len(all_of_them) // 2
    return Draft(
        f.pick(f.wanted(), f"BEGIN {f.known.game}\n{f.orders()}\nEND"), ", ".join(all_of_them[:half]),
        f.pick(ANN, EVIL), [f"Cc: {', '.join(all_of_them[half:])}"],
    )  # fmt: skip


@kind()
def many_blocks(f: Forger) -> Draft:
    known = (f.known.old, f.known.now, f.known.cat, f.known.revoked)
    text = "\n\n".join(f.fence(address, f.orders(), f.pick(f.known.game, "", "1861-9")) for address in known)
    return Draft(text, f.pick(OWN, f.known.bob), f.pick(BOB, ANN, EVIL), found="fail")


@kind()
def a_table_mate_with_the_present_one(f: Forger) -> Draft:
    """Bob, proved to be Bob, was sent Ann's answer in copy."""
    way = f.pick(f.known.now, f"{f.known.now}, {f.known.bob}", f"Ann <{f.known.now}>")
    return as_somebody(f, Draft(f.wanted(), way, BOB))


@kind()
def press_with_his_own_secret(f: Forger) -> Draft:
    """A mistake of a player's that would hand his seat to the table."""
    secret = secret_of(f.known.bob)
    shape = f.pick(
        secret, secret.upper(), f.known.bob, f"{secret[:13]}\n{secret[13:]}", " ".join(secret), f"*{secret}*",
        "\u200b".join(secret), f"{secret[:9]}.{secret[9:]}", "".join(chr(ord(c) + 0xFEE0) for c in secret),
    )  # fmt: skip
    return as_somebody(f, Draft(f"press\nwrite to {shape}\n{f.mark}\nend press", f.known.bob, BOB))


@kind()
def huge_numbers(f: Forger) -> Draft:
    number = f.pick("0" * 4_400 + "1", "9" * 4_400, "1" + "0" * 20, "\u0661", "0" * 400, "-1", "1e9")
    secret = secret_of(f.known.now)
    to = f.pick(
        f"railpost+{f.known.game}.{number}.{secret}@example.org",
        f"railpost+1861-{number}.1.{secret}@example.org",
        f"railpost+stop.{number}.{secret}@example.org",
        f"railpost+confirm.{number}@example.org",
        f.known.old,
    )
    text = f.pick(f"show at {number}", f"withdraw {number}", f"BEGIN {f.known.game} AT {number}\npass\nEND",
                  f"limit {number} on TSR", f"BEGIN 1861-{number}\npass\nEND")  # fmt: skip
    return Draft(text, to, f.pick(ANN, EVIL), found="fail")


# ---- questions that wait for an answer


def answer(f: Forger) -> str:
    return f.pick("yes", "no", "Yes.", "ok", "confirm\n\n> quoted", "cancel", "stop", "y", f"yes\n{f.orders()}")


@kind(needs="question")
def question_answered_by_others(f: Forger) -> Draft:
    draft = Draft(answer(f), f.known.confirm, f.pick(EVIL, BOB, CAT, GUS))
    return as_somebody(f, draft) if f.random.random() < 0.7 else draft


@kind(needs="question")
def question_answered_in_her_name(f: Forger) -> Draft:
    return Draft(answer(f), f.known.confirm, f.pick(ANN, f"Ann <{ANN}>", AWAY), return_path=f.pick(ANN, EVIL))


@kind(needs="question")
def question_answered_by_what_she_said_before(f: Forger) -> Draft:
    """Her ``yes`` to another question, as it was; its signature is still good."""
    above = f.pick(
        "", f"Cc: {f.known.confirm}\r\n", f"To: {f.known.confirm}\r\n", f"Delivered-To: {f.known.confirm}\r\n"
    )
    return Draft("", f.known.confirm, ANN, raw=above.encode() + f.known.answered, return_path=ANN,
                 domain="players.example")  # fmt: skip


@kind(needs="question")
def question_answered_by_what_she_told_others(f: Forger) -> Draft:
    """She wrote "ok" to Bob. Her provider signed it, and he sends it on to where the question wants its answer."""
    name = f.pick(
        "Cc", "To", "Delivered-To", "X-Original-To", "Resent-To", "X-Delivered-To", "Envelope-To", "Apparently-To"
    )
    raw = f"{name}: {f.known.confirm}\r\n".encode() + f.known.friendly[0]
    return Draft("", f.known.confirm, ANN, raw=raw, return_path=f.pick(ANN, EVIL), domain="players.example")


@kind(needs="question")
def question_with_others(f: Forger) -> Draft:
    """Several questions at once, and a question together with a seat's own address."""
    other = f.pick(f"railpost+confirm.{f.token()}@example.org", f.known.now, f.known.old, f.known.bob)
    to = f.pick(f"{f.known.confirm}, {other}", f"{other}, {f.known.confirm}", f"{f.known.confirm} <{other}>")
    return Draft(answer(f), to, f.pick(ANN, EVIL), found="fail")


@kind(needs="moving")
def address_asked_for_while_she_moves(f: Forger) -> Draft:
    new = f.pick("junk@evil.example", EVIL, "ann@new.example", ANN, f.third())
    draft = Draft(f"address {new}", f.pick(f.known.now, f.known.now, f.known.old), f.pick(EVIL, new, ANN))
    return as_somebody(f, draft) if draft.sender == EVIL else draft


@kind(needs="moving")
def her_move_is_answered_by_others(f: Forger) -> Draft:
    draft = Draft(answer(f), f.known.confirm, f.pick(EVIL, BOB, ANN))
    return as_somebody(f, draft) if draft.sender != ANN else draft


@kind(needs="moving")
def seat_revoked_while_she_moves(f: Forger) -> Draft:
    text = f.pick("revoke", "new address", "withdraw all\nrevoke", f"address {EVIL}\nrevoke")
    return Draft(text, f.pick(f.known.now, f.known.old, f.known.confirm), f.pick(ANN, EVIL))


@kind(needs="alias")
def alias_answered_by_others(f: Forger) -> Draft:
    draft = Draft(answer(f), f.known.confirm, f.pick(EVIL, BOB, ANN, AWAY))
    return as_somebody(f, draft) if draft.sender != AWAY and f.random.random() < 0.6 else draft


@kind(needs="alias")
def alias_answered_in_its_name(f: Forger) -> Draft:
    """Our server has proof against it."""
    return Draft(answer(f), f.known.confirm, SECOND, found="fail")


@kind()
def question_of_then(f: Forger) -> Draft:
    """An answer to a question that is closed, once more."""
    return Draft("", OWN, ANN, raw=f.known.answered, return_path=f.pick(ANN, EVIL), domain="players.example")


@kind()
def orders_she_wrote_to_others(f: Forger) -> Draft:
    """She told Bob what she is going to order; her provider signed it, and he has it delivered to her address."""
    name = f.pick(
        "Delivered-To", "X-Original-To", "To", "Cc", "Resent-To", "Resent-Cc", "X-Forwarded-To", "Envelope-To"
    )
    raw = f"{name}: {f.known.now}\r\n".encode() + f.known.friendly[1]
    return Draft("", f.known.now, ANN, raw=raw, return_path=f.pick(ANN, EVIL), domain="players.example")


@kind()
def from_her_alias(f: Forger) -> Draft:
    """An address of hers of which there was proof before, and now is none."""
    return Draft(f.wanted(), f.known.now, f.pick(AWAY, f"Ann <{AWAY}>", AWAY.upper()), checked=f.random.random() < 0.8)


@kind()
def against_the_finding(f: Forger) -> Draft:
    """Our server found that it is not from Dan, of whom it never had proof."""
    return Draft(f.wanted(), f.known.loose, DAN, found="fail")


@kind()
def delivered_and_not_addressed(f: Forger) -> Draft:
    """Only the mail servers say that it is for Dan's seat."""
    name = f.pick("Delivered-To", "X-Original-To")
    return Draft(
        f.wanted(), f.pick(OWN, BOB, "list@lists.example.net"), DAN, [f"{name}: {f.known.loose}"], found="nothing"
    )


@kind()
def addressed_twice(f: Forger) -> Draft:
    """A second To, or a second Cc, which anybody may have put there."""
    name = f.pick("To", "Cc")
    again = [f"{name}: {f.pick(f.known.loose, BOB)}", *([f"Cc: {f.known.loose}"] if name == "Cc" else [])]
    to = f.known.loose if name == "To" else OWN
    return Draft(f.wanted(), to, DAN, again, found="nothing")


@kind()
def sent_once_more_to_the_newer_address(f: Forger) -> Draft:
    """Dan's own mail of then, with its Message-ID and its date, to his present address."""
    raw = f.known.loose_sent.replace(f.known.loose_old.encode(), f.known.loose.encode())
    return Draft("", f.known.loose, DAN, raw=raw, found="nothing", return_path=f.pick(DAN, EVIL))
