"""Attempts as programs would make them: reports, automatic answers and unsubscribing, by who never had the mail.

The forger knows what an answer in copy shows: the secret address, the Message-ID, and who it is from. Return paths he
guesses, or has those of mails that he, or the player before, was sent himself.
"""

from __future__ import annotations

from email import message_from_bytes

from tests.kit.service import robot_mails
from tests.kit.spoofing.attempts import ANN, BOB, CAT, EVIL, GUS, JO, OWN, Draft, Forger, kind, secret_of


def raw(
    f: Forger, content: bytes, to: str, *, sender: str = "MAILER-DAEMON@evil.example", path: str | None = None
) -> Draft:
    """The mail of a program, marked."""
    marked = content.replace(b"Subject:", f"X-Mark: {f.mark}\r\nSubject:".encode(), 1)
    return Draft("", to, sender, raw=marked, return_path=f.pick("", EVIL) if path is None else path)


def somewhere(f: Forger) -> str:
    """An address of ours that a forger can know."""
    return f.pick(OWN, f.known.now, f.known.old, f.known.bob, guessed_path(f), "postmaster@example.org")


def guessed_path(f: Forger) -> str:
    number = f.known.message_id.strip("<>").partition("@")[0]
    name = f.pick(
        f.random.randbytes(12).hex(), number, number[::-1], f"{int(number, 16) + 1:024x}", "0", "ann",
        secret_of(f.known.now),
        secret_of(f.known.own_path)[:-1] + "0", f"{number}0",
    )  # fmt: skip
    return f"railpost-bounces+{name}@example.org"


# ---- bounces


@kind()
def bounce_that_shows_the_address(f: Forger) -> Draft:
    to = somewhere(f)
    code = f.pick("5.1.1", "5.2.1", "5.7.1", "5.0.0")
    return raw(f, robot_mails.status(ANN, code, to=to, returned=f.shown()), to)


@kind()
def bounce_with_the_whole_mail(f: Forger) -> Draft:
    """The original that Ann forwarded, without its return path."""
    to = somewhere(f)
    content = robot_mails.status(ANN, to=to, returned="HERE")
    whole = content.replace(b"text/rfc822-headers", b"message/rfc822").replace(b"HERE", f.known.turn_mail)
    return raw(f, whole, to)


@kind()
def bounce_of_qmail(f: Forger) -> Draft:
    to = somewhere(f)
    text = (
        "Hi. This is the qmail-send program at mx.players.example.\nI'm afraid I wasn't able to deliver your mail to "
        f"the following addresses.\nThis is a permanent error; I've given up.\n\n<{ANN}>:\n"
        "Sorry, no mailbox here by that name. (#5.1.1)\n\n--- Below this line is a copy of the message.\n\n"
        f"Return-Path: <{guessed_path(f)}>\n{f.shown()}\nhello\n"
    )
    return raw(f, robot_mails.plain("failure notice", text, sender="MAILER-DAEMON@mx.players.example", to=to), to)


@kind()
def bounce_in_no_form(f: Forger) -> Draft:
    to = somewhere(f)
    subject = f.pick(
        "Undelivered Mail Returned to Sender", "Mail delivery failed", "Delivery Status Notification (Failure)"
    )
    text = f"550 5.1.1 <{ANN}>: Recipient address rejected: User unknown\n\n{f.shown()}"
    headers = {"X-Failed-Recipients": ANN, f.pick("References", "In-Reply-To"): f.known.message_id}
    sender = f.pick("postmaster@example.org", "mailer-daemon@players.example", "bounces@evil.example", ANN)
    return raw(f, robot_mails.plain(subject, text, sender=sender, to=to, headers=headers), to, sender=sender)


@kind()
def bounce_to_a_guessed_path(f: Forger) -> Draft:
    to = guessed_path(f)
    to = f.pick(to, to.upper(), f"<{to}>", f"x <{to}>, {OWN}")
    return raw(f, robot_mails.status(ANN, to=to, returned=f.shown()), to)


@kind()
def bounce_to_his_own_path(f: Forger) -> Draft:
    """To the secret return path of what the forger was sent himself, with Ann's name and mail in it."""
    content = robot_mails.status(f.pick(ANN, BOB), to=f.known.own_path, returned=f.shown())
    return raw(f, content, f.known.own_path)


@kind()
def bounces_and_a_new_address(f: Forger) -> Draft:
    """As many as make a seat unreachable, and then who takes it over."""
    new = f.pick("bob-second@evil.example", EVIL)
    tos = [somewhere(f) for _ in range(4)]
    many = tuple(raw(f, robot_mails.status(ANN, to=to, returned=f.shown()), to) for to in tos)
    return Draft(f"address {new}", f.pick(f.known.now, f.known.old), new, return_path=new, before=many)


@kind()
def bounce_of_a_former_address(f: Forger) -> Draft:
    """Reports of whoever reads Gus's and Jo's former mail."""
    path, whose = (f.known.given_path, GUS) if f.random.random() < 0.5 else (f.known.former_path, JO)
    many = tuple(raw(f, robot_mails.status(whose, to=path), path) for _ in range(3))
    return Draft("show position", OWN, whose, return_path=whose, domain="players.example", before=many)


# ---- complaints


@kind()
def complaint_that_shows_the_address(f: Forger) -> Draft:
    to = somewhere(f)
    return raw(f, robot_mails.complaint(f.pick(ANN, CAT), to=to, returned=f.shown()), to, sender="fbl@provider.example")


@kind()
def complaint_with_the_whole_mail(f: Forger) -> Draft:
    to = somewhere(f)
    content = robot_mails.complaint(ANN, to=to, returned="HERE")
    whole = content.replace(b"text/rfc822-headers", b"message/rfc822").replace(b"HERE", f.known.turn_mail)
    return raw(f, whole, to, sender=f.pick("fbl@provider.example", ANN))


@kind()
def complaint_to_a_guessed_path(f: Forger) -> Draft:
    to = f.pick(guessed_path(f), f.known.own_path)
    return raw(f, robot_mails.complaint(ANN, to=to, returned=f.shown()), to, sender="fbl@provider.example")


@kind()
def complaint_of_a_former_address(f: Forger) -> Draft:
    """Gus calls his old mail spam; it is not he who plays now."""
    path, whose = (f.known.given_path, GUS) if f.random.random() < 0.5 else (f.known.former_path, JO)
    return raw(f, robot_mails.complaint(whose, to=path, returned=f"To: {whose}\n"), path, sender="fbl@provider.example")


@kind()
def complaint_in_words(f: Forger) -> Draft:
    to = somewhere(f)
    text = f"Feedback-Type: abuse\nOriginal-Rcpt-To: {ANN}\n\n{f.shown()}\nPlease stop sending this to {ANN}."
    return raw(
        f,
        robot_mails.plain("Abuse report", text, sender="abuse@players.example", to=to),
        to,
        sender="abuse@players.example",
    )


# ---- receipts and automatic answers


@kind()
def receipt(f: Forger) -> Draft:
    to = somewhere(f)
    content = robot_mails.read_receipt(to=to, message_id=f.known.message_id)
    displayed = f.pick("displayed", "deleted", "failed", "denied/error").encode()
    return raw(f, content.replace(b"; displayed", b"; " + displayed), to, sender=ANN)


@kind()
def away_by_a_message_id(f: Forger) -> Draft:
    to = f.pick(OWN, guessed_path(f), f.known.given_path, f.known.former_path)
    headers = {"In-Reply-To": f.known.message_id, "References": f.known.message_id}
    headers |= {f.pick("Auto-Submitted", "X-Autoreply"): "auto-replied"}
    subject = f.pick("Automatic reply: your turn", "Out of office", "Abwesenheitsnotiz")
    return raw(f, robot_mails.plain(subject, "I am away.", to=to, headers=headers), to, sender=ANN)


@kind()
def challenge(f: Forger) -> Draft:
    to = f.pick(OWN, f.known.now, f.known.old)
    text = f"Please confirm your message by answering.\n{f.shown()}"
    sender = f.pick(ANN, "robot@spamarrest.com")
    return raw(f, robot_mails.plain("Sender verification required", text, sender=sender, to=to), to, sender=sender)


@kind()
def program_with_orders(f: Forger) -> Draft:
    """A mail without a return path, or from a program, plays for nobody."""
    headers = f.pick("Auto-Submitted: auto-generated", "Precedence: bulk", "X-Loop: auto", "Auto-Submitted: no")
    return Draft(
        f.wanted(), f.known.now, f.pick(ANN, "noreply@players.example"), [headers], return_path="", found="fail"
    )


@kind()
def other_reports(f: Forger) -> Draft:
    """Reports about many mails, and answers to invitations, with orders in them."""
    head = f.pick(
        "Subject: Report domain: example.org Submitter: evil.example Report-ID: 1", "TLS-Report-Domain: example.org",
        "Content-Type: text/calendar; method=REPLY", "Content-Type: message/feedback-report",
        "Content-Type: message/delivery-status", "Content-Type: multipart/report; report-type=tlsrpt; boundary=bb",
        "Content-Type: multipart/report; boundary=bb",
    )  # fmt: skip
    to = f.pick(f.known.now, OWN)
    content = f"From: {ANN}\r\nTo: {to}\r\n{head}\r\nX-Mark: {f.mark}\r\n\r\n{f.orders()}\r\n{f.shown()}"
    return Draft("", to, ANN, raw=content.encode(), return_path=f.pick("", EVIL), found="fail")


# ---- unsubscribing


def stop(f: Forger, token: str) -> Draft:
    to = f"railpost+stop.{token}@example.org"
    text, sender = f.pick("", "unsubscribe"), f.pick(ANN, BOB, EVIL)
    return Draft(text, f.pick(to, to.upper(), f"x <{to}>"), sender, link=token)


@kind()
def unsubscribe_of_another_seat(f: Forger) -> Draft:
    """Bob's own, with the number of Ann's seat."""
    token = f.known.bob_stop.partition("+stop.")[2].partition("@")[0]
    number, _, word = token.partition(".")
    others = [str(one) for one in range(14) if str(one) != number]
    return stop(f, f"{f.random.choice((*others, '01', f'{number}{number}', '-1', '', '9' * 30))}.{word}")


@kind()
def unsubscribe_altered(f: Forger) -> Draft:
    token = f.known.bob_stop.partition("+stop.")[2].partition("@")[0]
    number, _, word = token.partition(".")
    at = f.random.randrange(len(word))
    changed = word[:at] + ("a" if word[at] != "a" else "b") + word[at + 1 :]
    return stop(
        f,
        f.pick(
            f"{number}.{changed}",
            f"{number}.{word[:-1]}",
            f"{number}.",
            number,
            f"{number}.{word}a",
            f"{number}..{word}",
        ),
    )


@kind()
def unsubscribe_with_a_secret(f: Forger) -> Draft:
    """Other words than the one that stops mail."""
    word = f.pick(*map(secret_of, (f.known.now, f.known.old, f.known.bob, f.known.given)), f.token())
    return stop(f, f.pick(word, *(f"{number}.{word}" for number in range(1, 8))))


@kind()
def unsubscribe_in_words(f: Forger) -> Draft:
    headers = ["List-Unsubscribe: <mailto:railpost@example.org>", "List-Unsubscribe-Post: List-Unsubscribe=One-Click"]
    text = f.pick("unsubscribe", "STOP", "remove me", "stop", "List-Unsubscribe=One-Click")
    return Draft(text, f.pick(OWN, f.known.now, f.known.old), f.pick(ANN, EVIL), headers)


# ---- what was forwarded


@kind()
def original_as_an_attachment(f: Forger) -> Draft:
    """Bob, or anybody, sends on the original that Ann forwarded, with its header and with orders in it."""
    turn = f.known.turn_mail.replace(b"##- reply above this line -##", f.fence(f.known.now, f.wanted()).encode())
    form = f.pick(
        "message/rfc822", "text/plain; name=mail.txt", 'text/plain; name="original.eml"', "application/octet-stream",
        "text/rfc822-headers", "message/partial; id=x; number=1; total=1", "multipart/digest; boundary=cc",
    )  # fmt: skip
    sender, to = f.pick(BOB, EVIL), f.pick(OWN, f.known.now, f.known.old)
    head = (
        f"From: {sender}\r\nTo: {to}\r\nSubject: Fwd: your turn\r\nMessage-ID: <{f.mark}@players.example>\r\n"
        "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=bb\r\n\r\n"
    )
    said = f.pick("", "see below", "show position")
    body = (
        f"--bb\r\nContent-Type: text/plain\r\n\r\n{said}\r\n"
        f"--bb\r\nContent-Type: {form}\r\nContent-Disposition: attachment\r\n\r\n"
    )
    content = (head + body).encode() + turn + b"\r\n--bb--\r\n"
    return Draft("", to, sender, raw=content, return_path=sender, domain=sender.partition("@")[2])


@kind()
def answer_in_her_thread(f: Forger) -> Draft:
    """Everything of her mail but the secret."""
    subject = str(message_from_bytes(f.known.turn_mail)["Subject"])
    fields = [f"In-Reply-To: {f.known.message_id}", f"References: {f.known.message_id}", f"Thread-Topic: {subject}"]
    return Draft(f.wanted(), f.pick(OWN, f"railpost+{f.known.game}.1@example.org"), ANN, fields)
