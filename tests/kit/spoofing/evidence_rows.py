"""Attempts after which something follows, by a row of the table of evidence that says so: these are counted apart.

Of Dan our server never had proof. Under ``token``, whoever has his present secret address and forges From is taken for
him; under ``token+authenticated`` none of it follows. A report to the return path of a mail that Dan had, and the
unsubscribe address that stands in it, count under both: they are in the header of an original that he forwarded.
"""

from __future__ import annotations

from tests.kit.service import robot_mails
from tests.kit.spoofing.attempts import ANN, DAN, DANS_ALIAS, EVE, EVIL, FAY, OWN, SECOND, Draft, Forger, kind


def claimed(f: Forger, text: str, to: str = "", sender: str = "") -> Draft:
    """From Dan, as far as anybody can say."""
    sender = sender or f.pick(DAN, f"Dan <{DAN}>", DAN.upper())
    return Draft(
        text,
        to or f.known.loose,
        sender,
        found="nothing",
        checked=f.random.random() < 0.8,
        return_path=f.pick(DAN, EVIL),
    )


@kind("claimed")
def claimed_orders(f: Forger) -> Draft:
    return claimed(
        f, f.pick("pass", "open TSR 25", "Dan: pass", "limit 80 on TSR", f"BEGIN {f.known.loose_game}\npass\nEND")
    )


@kind("claimed")
def claimed_block(f: Forger) -> Draft:
    return claimed(f, f.fence(f.known.loose, f.pick("pass", "open TSR 30"), f.known.loose_game), OWN)


@kind("claimed")
def claimed_words(f: Forger) -> Draft:
    return claimed(
        f, f.pick("notify all", "notify daily", "notify round", "limit 85 on TSR\nnotify all", "zone Asia/Tokyo")
    )


@kind("claimed")
def claimed_withdrawal(f: Forger) -> Draft:
    ahead = claimed(f, "limit 90 on TSR")
    draft = claimed(f, f.pick("withdraw all", "withdraw 1"))
    draft.before = (ahead,)
    return draft


@kind("claimed", press=True)
def claimed_press(f: Forger) -> Draft:
    return claimed(
        f,
        f.pick(
            f"press Eve: sell NW! {f.mark}",
            f"press\nI resign {f.mark}\nend press",
            f"press Fay, Eve\n{f.mark}\nend press",
        ),
    )


@kind("claimed")
def claimed_revocation(f: Forger) -> Draft:
    return claimed(f, f.pick("revoke", "show position\nrevoke"))


@kind("claimed")
def claimed_by_the_alias(f: Forger) -> Draft:
    return claimed(
        f, f.pick("pass", "notify all", "limit 95 on TSR", "alias remove dan@else.example"), sender=DANS_ALIAS
    )


@kind("claimed")
def claimed_addresses(f: Forger) -> Draft:
    """Where Dan writes from, and is written to, is asked about, and so is what changes his other seats: his seat is
    heard of, and nothing else follows."""
    days = "2027-01-02 to 2027-01-04"
    text = f.pick(
        f"alias {EVIL}", f"address {EVIL}", f"address {f.third()}", f"alias {f.third()}", f"alias {EVE}",
        f"away everywhere {days}", "back everywhere",
    )  # fmt: skip
    return claimed(f, text, sender=f.pick(DAN, DANS_ALIAS))


@kind()
def claimed_and_superseded(f: Forger) -> Draft:
    at = f.random.choice((1, 4, 99))
    text = f.pick(
        "notify all", "withdraw all", "press Eve: hello", f"BEGIN {f.known.loose_game} AT {at}\npass\nEND", "revoke"
    )
    return claimed(f, text, f.known.loose_old)


@kind()
def claimed_by_a_table_mate(f: Forger) -> Draft:
    return claimed(f, f.pick("pass", "Dan: pass", "notify all", "revoke"), sender=f.pick(EVE, FAY))


@kind("yes", "loose question")
def claimed_answer(f: Forger) -> Draft:
    """Dan's confirmation address leaked, too."""
    return claimed(f, f.pick("yes", "no"), f.known.confirm)


@kind("yes", "alias")
def claimed_answer_of_an_alias(f: Forger) -> Draft:
    """Ann's new alias, of which there was no proof yet, is asked whether it is hers; its answer address leaked."""
    return claimed(f, f.pick("yes", "no"), f.known.confirm, SECOND)


@kind("return path")
def report_to_a_leaked_path(f: Forger) -> Draft:
    path = f.known.loose_path
    content = f.pick("bounce", "complaint")
    made = (
        robot_mails.status(DAN, to=path)
        if content == "bounce"
        else robot_mails.complaint(DAN, to=path, returned=f"To: {DAN}\n")
    )
    raw = made.replace(b"Subject:", f"X-Mark: {f.mark}\r\nSubject:".encode(), 1)
    return Draft("", path, "MAILER-DAEMON@evil.example", raw=raw, return_path="")


@kind("link")
def unsubscribe_by_a_leaked_link(f: Forger) -> Draft:
    to = f.known.loose_stop
    link = to.partition("+stop.")[2].partition("@")[0] if f.random.random() < 0.5 else ""
    return Draft("unsubscribe", OWN if link else to, f.pick(EVIL, ANN), link=link)
