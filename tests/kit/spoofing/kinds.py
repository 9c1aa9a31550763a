"""The kinds of attempts to act for somebody else, or to have the service write to somebody."""

from __future__ import annotations

from tests.kit.spoofing.attempts import ANN, BOB, CAT, EVIL, OUR_SERVER, Draft, Forger, kind

# ---- the sender is forged


@kind()
def from_alone(f: Forger) -> Draft:
    return Draft(
        f.pick(f.orders(), f"BEGIN {f.known.game}\n{f.orders()}\nEND"), "railpost@example.org", f.pick(ANN, BOB)
    )


@kind()
def old_token(f: Forger) -> Draft:
    return Draft(f.orders(), f.known.old, f.pick(ANN, EVIL, f"Ann <{ANN}>"))


@kind()
def leaked_token_forged_sender(f: Forger) -> Draft:
    return Draft(f.orders(), f.known.now, f.pick(ANN, f"Ann <{ANN}>", ANN.upper()))


@kind()
def leaked_token_own_sender(f: Forger) -> Draft:
    return Draft(
        f.orders(),
        f.known.now,
        f.pick(EVIL, "ann+x@evil.example", BOB),
        return_path=f.pick(EVIL, BOB),
    )


@kind()
def leaked_fence(f: Forger) -> Draft:
    to = f.pick("railpost@example.org", f.known.bob, f.known.cat)
    return Draft(f.fence(f.known.now, f.orders()), to, f.pick(ANN, EVIL))


@kind()
def forged_results_below(f: Forger) -> Draft:
    forged = [f.forged_results() for _ in range(f.random.randint(1, 4))]
    return Draft(
        f.orders(), f.known.now, fields=[*forged, *f.random.choice(([], ["Received: from x by mx.example.org; x"]))]
    )


@kind()
def forged_results_alone(f: Forger) -> Draft:
    """Our server's filter was down."""
    return Draft(f.orders(), f.known.now, fields=[f.forged_results()], checked=False)


@kind()
def forged_seal(f: Forger) -> Draft:
    said = "dmarc=pass header.from=players.example; arc=pass"
    return Draft(
        f.orders(),
        f.known.now,
        fields=[
            f"ARC-Seal: i={f.pick('1', '2')}; cv=none; d={f.pick('lists.example.net', 'evil.example')}; b=x",
            f"ARC-Authentication-Results: i=1; {f.pick('lists.example.net', OUR_SERVER)}; {said}",
        ],
    )


@kind()
def two_senders(f: Forger) -> Draft:
    other = f.pick(EVIL, BOB, ANN)
    if f.random.random() < 0.5:
        return Draft(f.orders(), f.known.now, f.pick(f"{ANN}, {other}", f"{other}, {ANN}", f"Us: {ANN}, {other};"))
    return Draft(f.orders(), f.known.now, other, fields=[f"From: {ANN}"])


@kind()
def parsing_tricks(f: Forger) -> Draft:
    sender = f.pick(
        f'"{ANN}" <{EVIL}>',
        f"{ANN} <{EVIL}>",
        f"{ANN}<{EVIL}>",
        f"{ANN}){EVIL}",
        f"{ANN}({EVIL})x",
        f"<{ANN}> <{EVIL}>",
        f"<{EVIL}> ({ANN})",
        f'"{ANN}, " {EVIL}',
        f"{EVIL} {ANN}",
        f"<{ANN}",
        f"{ANN}\0{EVIL}",
        f"{ANN}%evil.example@evil.example",
        f"<@evil.example:{ANN}>",
        "ann@players.example.evil.example",
        "ann@players\u3002example",
        "\u0430nn@players.example",
        f"{ANN}\r\n\t<{EVIL}>",
        f"(\r\n {ANN}) {EVIL}",
        "ann@рlayers.example",
    )
    return Draft(f.orders(), f.known.now, sender)


@kind()
def encoded_tricks(f: Forger) -> Draft:
    sender = f.pick(
        f"{f.encoded(ANN)} <{EVIL}>",
        f"{f.encoded(f'Ann <{ANN}>')} <{EVIL}>",
        f.encoded(ANN),
        f.encoded(f"<{ANN}>"),
        f"{f.encoded(f'x{chr(13)}{chr(10)}From: {ANN}')} <{EVIL}>",
        f"{f.encoded('ann')}@players.example",
        f"{f.encoded(f'Ann <{ANN}>,')} {EVIL}",
    )
    return Draft(f.orders(), f.known.now, sender)


@kind()
def other_sender_fields(f: Forger) -> Draft:
    names = f.random.sample(
        [
            "Sender",
            "Reply-To",
            "Resent-From",
            "Return-Path",
            "X-Original-From",
            "X-Sender",
            "Envelope-From",
            "On-Behalf-Of",
        ],
        3,
    )
    return Draft(f.orders(), f.known.now, EVIL, [f"{name}: {ANN}" for name in names])


# ---- whose secret it is


@kind()
def another_seat(f: Forger) -> Draft:
    """Cat, who is who she says she is, orders for Ann."""
    number = f.known.cat.replace(".3.", f.pick(".1.", ".2."))
    to = f.pick(f.known.cat, number)
    text = f.pick("Ann: open TSR 25", "Ann: pass", "Bob: pass", f"BEGIN {f.known.game} at 1\nAnn: pass\nEND")
    return Draft(text, to, CAT, return_path=CAT, domain="players.example")


@kind()
def another_game(f: Forger) -> Draft:
    secret = f.known.elsewhere.partition("@")[0].rpartition(".")[2]
    to = f.known.now.replace(f.known.now.partition("@")[0].rpartition(".")[2], secret)
    text = f.pick(f.orders(), f.fence(f.known.elsewhere, f.orders()))
    return Draft(text, f.pick(to, "railpost@example.org"), ANN)


@kind()
def guessed_token(f: Forger) -> Draft:
    to = f"railpost+{f.known.game}.{f.pick('1', '2', '3')}.{f.token()}@example.org"
    return Draft(f.orders(), to, f.pick(ANN, EVIL))


@kind()
def forwarded_turn_mail(f: Forger) -> Draft:
    """Bob, who is who he says he is, forwards Ann's turn mail to his own address, with orders in it."""
    turn = f.known.turn_mail.decode("utf-8", "replace").replace("\r\n", "\n")
    turn = turn.replace("##- reply above this line -##", f"{f.fence(f.known.now, 'open TSR 25')}\n")
    to = f.pick(f.known.bob, "railpost@example.org")
    way = f.random.randrange(3)
    if way == 0:
        text = "show position\n\n---------- Forwarded message ---------\n" + turn
    elif way == 1:
        text = "show position\n\n" + "\n".join("> " + line for line in turn.split("\n"))
    else:
        body = (
            "--bb\r\nContent-Type: text/plain\r\n\r\nshow position\r\n--bb\r\nContent-Type: message/rfc822\r\n\r\n"
            + turn
            + "\r\n--bb--\r\n"
        )
        head = (
            f"From: {BOB}\r\nTo: {to}\r\nMessage-ID: <{f.mark}@players.example>\r\n"
            "Content-Type: multipart/mixed; boundary=bb\r\n\r\n"
        )
        return Draft("", to, BOB, return_path=BOB, domain="players.example", raw=(head + body).encode())
    return Draft(text, to, BOB, return_path=BOB, domain="players.example")


@kind()
def quoted_token(f: Forger) -> Draft:
    fence = f.fence(f.known.now, f.orders())
    text = f.pick(
        "\n".join(f"> {line}" for line in fence.split("\n")),
        f"##- reply above this line -##\n{fence}",
        f"On Sun, 1 Mar 2026, Ann <{ANN}> wrote:\n{fence}",
        f"-----Original Message-----\nFrom: Ann\nSent: 2026\n{fence}",
    )
    return Draft(
        text,
        f.pick("railpost@example.org", f.known.bob),
        f.pick(BOB, ANN),
        return_path=BOB,
        domain="players.example" if f.random.random() < 0.1 else "evil.example",
    )


@kind()
def two_seats_at_once(f: Forger) -> Draft:
    return Draft(f.orders(), f"{f.known.old}, {f.known.bob}, {f.known.now}", f.pick(ANN, EVIL))


@kind()
def sent_again(f: Forger) -> Draft:
    """A mail of Ann's own, byte by byte, that was seen on its way."""
    path = f.pick(ANN, EVIL)
    return Draft("", f.pick(f.known.old, f.known.now), ANN, return_path=path, raw=f.known.sent)


@kind()
def sent_again_elsewhere(f: Forger) -> Draft:
    """The same, to her present address."""
    raw = f.known.sent.replace(f.known.old.encode(), f.known.now.encode())
    return Draft("", f.known.now, ANN, raw=raw.replace(b"Message-ID: <", f"Message-ID: <{f.mark}".encode()))


@kind()
def sent_again_signed(f: Forger) -> Draft:
    """The same as it was, with her provider's signature still good, delivered to her present address; or with one more
    header, which the signature does not cover."""
    more = f.pick("", f"Cc: {f.known.now}\r\n", f"To: {f.known.now}\r\n", f"X-Original-To: {f.known.now}\r\n")
    raw = more.encode() + f.known.sent.partition(b"x; x\r\n")[2]
    delivered = [f"Delivered-To: {f.known.now}"]
    return Draft("", f.known.now, ANN, top=delivered, return_path=f.pick(ANN, EVIL), domain="players.example", raw=raw)


@kind()
def block_in_a_mail_to_somebody_else(f: Forger) -> Draft:
    """A mail of Ann's to Bob, with a block of hers in it and with her proof as it was."""
    own = f"Message-ID: <{f.mark}@players.example>\r\nDate: Sun, 01 Mar 2026 11:58:00 +0000\r\nSubject: look\r\n"
    signature = "DKIM-Signature: v=1; d=players.example; s=x; h=from:to:cc:subject:date; bh=x; b=x\r\n"
    to = f.pick(BOB, f'"railpost@example.org" <{BOB}>', "undisclosed-recipients:;")
    text = f.fence(f.known.now, f.wanted()).replace("\n", "\r\n")
    raw = f"{f.pick(signature, '')}From: {ANN}\r\nTo: {to}\r\n{own}\r\n{text}\r\n"
    return Draft("", to, ANN, return_path=ANN, domain="players.example", raw=raw.encode())


@kind()
def sent_again_with_another_message_id(f: Forger) -> Draft:
    """Ann's signed mail, to the address that it was for."""
    raw = f.known.sent.partition(b"x; x\r\n")[2].replace(b"Message-ID: <", f"Message-ID: <{f.mark}".encode())
    return Draft("", f.known.old, ANN, return_path=EVIL, domain="players.example", raw=raw)


@kind()
def signed_by_a_sibling_or_in_part(f: Forger) -> Draft:
    """To Bob, with a Cc that no signature covers; or her first words, with others below what is signed."""
    sibling = f.random.random() < 0.5
    tags = "d=mail.players.example; h=from:to" if sibling else "d=players.example; h=from:to:cc; l=0"
    head = f"Cc: {f.known.now}\r\nTo: {BOB}" if sibling else f"To: {f.known.now}"
    top = f"DKIM-Signature: v=1; s=x; bh=x; b=x; {tags}\r\nFrom: {ANN}\r\n{head}\r\n"
    raw = f"{top}Message-ID: <{f.mark}@players.example>\r\n\r\n{f.wanted()}\r\n"
    found = f"Authentication-Results: {OUR_SERVER}; dkim=pass; dmarc=pass header.from=players.example"
    return Draft("", f.known.now, ANN, top=[found], checked=False, raw=raw.encode())


# ---- what is written goes into mails


@kind()
def header_injection(f: Forger) -> Draft:
    bad = f"\r\n Bcc: {f.third()}\r\n X-Injected: {f.mark}"
    cr = f"\rBcc: {f.third()}\rX-Injected: {f.mark}"
    name = f.pick("Message-ID", "In-Reply-To", "References", "Subject", "Reply-To", "Return-Path", "Thread-Topic")
    return Draft(
        f.pick(f.orders(), "show position"),
        f.pick(f.known.now, f.known.old),
        EVIL,
        [f"{name}: <x{f.pick(bad, cr)}@evil.example>"],
        message_id=False,
    )


@kind()
def names_with_line_ends(f: Forger) -> Draft:
    inside = f.encoded(f"Ann\r\nBcc: {f.third()}\r\nX-Injected: {f.mark}\r\n\r\nhello")
    sender = f.pick(f"{inside} <forger@evil.example>", f'"Ann\r\n Bcc: {f.third()}" <{ANN}>', f"{inside} <{ANN}>")
    return Draft(
        "show position",
        f.pick(f.known.now, f.known.bob),
        sender,
        [f"Subject: {inside}", f"Reply-To: {inside} <{f.third()}>"],
    )


@kind()
def markup(f: Forger) -> Draft:
    """What is shown to the player whose seat it is."""
    bad = f.pick(
        "<script>alert(1)</script>",
        "{{ 7 * 7 }}",
        "{% for x in y %}",
        "<img src=x onerror=alert(1)>",
        "</p><h1>Railpost",
        "{{ info.token }}",
        "##- reply above this line -##",
        "| open TSR 25",
        "\u202eopen\u202c",
        "<a href='http://evil.example'>yes</a>",
    )
    return Draft(f"{f.pick('check', 'show position', 'open TSR 25')}\n{bad} {f.mark}", f.known.now, EVIL)


@kind()
def press_for_her(f: Forger) -> Draft:
    text = f.pick("press: sell NW!", "press Bob, Cat\nsell NW!\nend press", "press all: sell NW!\npass")
    return Draft(text, f.pick(f.known.now, f.known.old), f.pick(ANN, EVIL))


@kind(press=True)
def hostile_press(f: Forger) -> Draft:
    """A player of the game, and proved to be, says what would do something anywhere else."""
    bad = f.pick(
        "<script>alert(1)</script><img src=x onerror=alert(1)>",
        "{{ 7 * 7 }} {% for x in y %} {{ info.token }}",
        f"Subject: x\nBcc: {f.third()}\nX-Injected: x\n\n--bb\nContent-Type: text/html\n\n<h1>Railpost",
        "##- reply above this line -##",
        f"BEGIN {f.known.game}\n{f.orders()}\nEND",
        f"-- \n> {f.orders()}\nOn Monday Ann wrote\n| open TSR 25",
        "\u202eopen\u202c\u0000\u2028open TSR 25",
        "</blockquote></body><a href='http://evil.example'>yes</a>",
        "yes",
    )
    who = f.pick("press", "press Ann", "press Cat, Ann")
    return Draft(f"{who}\n{bad}\n{f.mark}\nend press", f.known.bob, BOB, return_path=BOB, domain="players.example")


# ---- changes of who is who


@kind()
def alias_for_others(f: Forger) -> Draft:
    return Draft(
        f"alias {f.pick(f.third(), 'forger@evil.example')}",
        f.pick(f.known.now, f.known.old),
        f.pick(ANN, EVIL),
    )


@kind()
def address_for_others(f: Forger) -> Draft:
    new = f.pick(f.third(), EVIL)
    return Draft(f"address {new}", f.pick(f.known.now, f.known.old), f.pick(ANN, new))


@kind()
def revoked_by_others(f: Forger) -> Draft:
    return Draft(f.pick("revoke", "new address"), f.pick(f.known.now, f.known.old), f.pick(ANN, EVIL))


@kind()
def guessed_confirmation(f: Forger) -> Draft:
    secret = f.pick(f.token(), f.known.now.partition("@")[0].rpartition(".")[2], "aaaaaaaaaaaaaaaaaaaaaaaaaa", "")
    return Draft("yes", f"railpost+confirm.{secret}@example.org", f.pick(ANN, EVIL))


@kind()
def guessed_stop(f: Forger) -> Draft:
    return Draft("", f"railpost+stop.{f.pick('1', '2', '3')}.{f.token()}@example.org", ANN)


# ---- robots, and mail for others


@kind()
def forged_bounce(f: Forger) -> Draft:
    to = f.pick("railpost@example.org", f"railpost-bounces+{f.token()}@example.org", f.known.now)
    body = (
        f"From: MAILER-DAEMON@evil.example\r\nTo: {to}\r\nMessage-ID: <{f.mark}@evil.example>\r\n"
        "Content-Type: multipart/report; report-type=delivery-status; boundary=bb\r\n\r\n"
        "--bb\r\nContent-Type: text/plain\r\n\r\nfailed\r\n--bb\r\nContent-Type: message/delivery-status\r\n\r\n"
        f"Reporting-MTA: dns; evil.example\r\n\r\nFinal-Recipient: rfc822; {ANN}\r\nAction: failed\r\n"
        f"Status: 5.1.1\r\n\r\n--bb\r\nContent-Type: text/rfc822-headers\r\n\r\n"
        f"Message-ID: <{'0' * 24}@example.org>\r\n--bb--\r\n"
    )
    return Draft("", to, "MAILER-DAEMON@evil.example", return_path=f.pick("", EVIL), raw=body.encode())


@kind()
def reflector(f: Forger) -> Draft:
    victim = f.third()
    text = f"Buy now http://evil.example/{f.mark}\nshow position"
    to = f.pick("railpost@example.org", f.known.old, f"railpost+{f.known.game}.1.{f.token()}@example.org")
    return Draft(
        text,
        to,
        victim,
        [f"Reply-To: {victim}", f"Cc: {f.third()}", f"Disposition-Notification-To: {victim}"],
        return_path=victim,
    )


@kind()
def confirmation_of_the_forged(f: Forger) -> Draft:
    """Orders that come with their own confirmation, and answers to secret addresses that say only that."""
    return Draft(
        f.pick("yes\nopen TSR 25", "open TSR 25\nyes", "confirm\nopen TSR 25"),
        f.pick(f.known.now, f.known.old),
        f.pick(ANN, EVIL),
    )
