"""Attempts with headers: what mail servers and lists write, odd addresses, and how our server's findings read."""

from __future__ import annotations

from tests.kit.spoofing.attempts import ANN, BOB, DAN, EVIL, OUR_SERVER, OWN, Draft, Forger, kind, secret_of
from tests.kit.spoofing.seats import as_somebody

PASSED = "dmarc=pass header.from=players.example"


# ---- findings that are none


@kind()
def seals_in_many_forms(f: Forger) -> Draft:
    """ARC sets as forwarders write them; our server found no chain whole that a trusted one has sealed."""
    sealer = f.pick("lists.example.net", "LISTS.example.net", "players.example", OUR_SERVER, "evil.example", "")
    number = f.pick("1", "2", "01", "99", "100", "0", "-1", "\u0661", "1;i=2", "1" * 400)
    fields = [
        f"ARC-Seal: i={number}; a=rsa-sha256; cv={f.pick('pass', 'none', 'fail')}; d={sealer}; s=x; b=x",
        f"ARC-Message-Signature: i={number}; a=rsa-sha256; d={sealer}; h=from:to; bh=x; b=x",
        f"ARC-Authentication-Results: i={number}; {f.pick(OUR_SERVER, 'lists.example.net')}; {PASSED}",
    ]
    f.random.shuffle(fields)
    if f.random.random() < 0.5:
        fields += [fields[0].replace(f"i={number}", "i=1"), fields[1]]
    return Draft(f.wanted(), f.known.now, f.pick(ANN, EVIL), fields)


@kind()
def findings_in_many_forms(f: Forger) -> Draft:
    """Below the line with which our server took the mail in, in forms that a program may read as its own."""
    said = f.pick(
        f"{OUR_SERVER}; {PASSED}",
        f"{OUR_SERVER}/1; {PASSED}",
        f"{OUR_SERVER} (comment; {PASSED}) 1; {PASSED}",
        f"{f.encoded(OUR_SERVER)}; {PASSED}",
        f"\r\n\t{OUR_SERVER};\r\n\t{PASSED}",
        f"mx.exаmple.org; {PASSED}",
        f"{OUR_SERVER}.; {PASSED}",
        f"{OUR_SERVER}; none; {PASSED}",
        f"{OUR_SERVER};" + " " * 9_000 + PASSED,
    )
    name = f.pick("Authentication-Results", "authentication-RESULTS", "Authentication-Results:Authentication-Results")
    before = f.pick("Received: from x by y; x", "X-Spam-Status: No", "DKIM-Signature: v=1; d=players.example; b=x")
    return Draft(f.wanted(), f.known.now, ANN, [before, f"{name}: {said}", f"Received-SPF: pass {ANN}"],
                 checked=f.random.random() < 0.7)  # fmt: skip


@kind()
def findings_below_some_that_cannot_be_read(f: Forger) -> Draft:
    """He says something in the SMTP session that makes our server's own line odd, and writes a good one below it."""
    said = f.pick("x" * 9_000, "\u00fc@evil.example", "\x07", '"x@evil.example', "(x@evil.example")
    odd = f"Authentication-Results: {OUR_SERVER}; spf=fail smtp.mailfrom={said}"
    return Draft(f.wanted(), f.known.now, ANN, top=[odd, f"Authentication-Results: {OUR_SERVER}; {PASSED}"],
                 checked=False)  # fmt: skip


@kind()
def findings_in_a_return_path(f: Forger) -> Draft:
    """Our server quotes in its findings what the forger said in the SMTP session."""
    path = f.pick(
        f'"x; {PASSED}"@evil.example',
        f'"x" ({PASSED}) "@evil.example',
        "ann@players.example@evil.example",
        '"evil@evil.example ; dkim=pass header.d=players.example"@evil.example',
        "x;dkim=pass@evil.example",
        "ann=players.example@evil.example",
        "@players.example:forger@evil.example",
    )
    domain = f.pick(
        "players.example", "evil.example; dkim=pass header.d=players.example", "(players.example) evil.example"
    )
    of = "header.from=players.example"
    quoted = [
        f"Authentication-Results: {OUR_SERVER}; spf=pass smtp.mailfrom={path}; dkim=none; dmarc=fail {of}",
        f"Authentication-Results: {OUR_SERVER}; spf=pass smtp.helo={domain}; dmarc=fail {of}",
        f'Authentication-Results: {OUR_SERVER}; spf=softfail reason="{PASSED}" smtp.mailfrom={path}',
        f"Authentication-Results: {OUR_SERVER}; dkim=fail ({PASSED}) header.i=@players.example; spf=none",
    ]
    return Draft(f.wanted(), f.known.now, ANN, top=[f.random.choice(quoted)], return_path=EVIL, checked=False)


@kind()
def proof_of_another_domain(f: Forger) -> Draft:
    """Good signatures, of domains near hers."""
    domain = f.pick(
        "sub.players.example", "players.example.evil.example", "xplayers.example", "example", "players.example."
    )
    said = f.pick(f"dkim=pass header.d={domain}", f"spf=pass smtp.mailfrom=x@{domain}", f"dkim=pass header.i=@{domain}")
    top = [f"Authentication-Results: {OUR_SERVER}; {said}; dmarc=fail header.from=players.example"]
    return Draft(f.wanted(), f.known.now, ANN, top=top, checked=False)


@kind()
def signed_mail_with_more_headers(f: Forger) -> Draft:
    """Ann's mail to her old address, its signature good, with headers on top that it does not cover."""
    raw = f.known.sent.partition(b"x; x\r\n")[2]
    name = f.pick("To", "Cc", "Delivered-To", "X-Original-To", "Resent-To", "Resent-Cc", "Reply-To", "Envelope-To")
    more = [f"{name}: {f.known.now}", f"Subject: {f.mark}", f"In-Reply-To: {f.known.message_id}"]
    f.random.shuffle(more)
    head = "\r\n".join([*more[: f.random.randint(1, 3)], f"{name}: {f.known.now}", ""])
    return Draft("", f.known.now, ANN, raw=head.encode() + raw, return_path=f.pick(ANN, EVIL), domain="players.example")


@kind()
def signed_mail_sent_on(f: Forger) -> Draft:
    """The same resent, as RFC 5322 3.6.6 has it, by a list, or in several copies."""
    raw = f.known.sent.partition(b"x; x\r\n")[2]
    head = f.pick(
        f"Resent-From: {ANN}\r\nResent-To: {f.known.now}\r\nResent-Message-ID: <{f.mark}@evil.example>\r\n",
        f"List-Id: <table.lists.example.net>\r\nX-Original-To: {f.known.now}\r\n",
        f"Resent-From: {EVIL}\r\nResent-Date: Mon, 02 Mar 2026 12:00:00 +0000\r\nDelivered-To: {f.known.now}\r\n",
        f"X-Forwarded-For: {ANN} {f.known.now}\r\nX-Forwarded-To: {f.known.now}\r\n",
    )
    once = Draft("", f.known.now, ANN, raw=head.encode() + raw, return_path=f.pick(ANN, EVIL), domain="players.example")
    again = Draft(
        "", f.known.now, ANN, raw=raw, return_path=ANN, domain="players.example", top=[f"Delivered-To: {f.known.now}"]
    )
    return again if f.random.random() < 0.3 else once


# ---- fields that say who or where


@kind()
def resent_fields(f: Forger) -> Draft:
    fields = [
        f"Resent-From: {ANN}",
        f"Resent-Sender: {f.pick(ANN, EVIL)}",
        f"Resent-To: {f.pick(f.known.now, f.known.loose)}",
        f"Resent-Message-ID: <{f.mark}@players.example>",
    ]
    f.random.shuffle(fields)
    return Draft(f.wanted(), f.pick(OWN, f.known.now), f.pick(EVIL, ANN), fields[: f.random.randint(1, 4)])


@kind()
def list_fields(f: Forger) -> Draft:
    fields = [
        f"List-Id: <{f.pick(f.known.game, '1861-9', 'x')}.{f.pick('example.org', 'lists.example.net')}>",
        f"List-Post: <mailto:{f.known.now}>",
        f"List-Unsubscribe: <mailto:{f.known.bob_stop}>",
        "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
        "Precedence: list",
        f"Mailing-List: list {f.known.now}",
        f"X-Railpost: {f.known.game} turn",
        f"Feedback-ID: {f.known.game}:x",
    ]
    f.random.shuffle(fields)
    return Draft(f.wanted(), f.pick(f.known.now, f.known.old, OWN), f.pick(ANN, EVIL), fields[: f.random.randint(1, 4)])


@kind()
def several_recipients_fields(f: Forger) -> Draft:
    """Two To headers, one of which somebody put there later."""
    first, second = f.random.sample([f.known.now, f.known.old, OWN, f.known.bob, BOB], 2)
    fields = [
        f"{f.pick('To', 'TO', 'Cc', 'Bcc')}: {first}",
        *([f"Cc: {f.known.now}"] if f.random.random() < 0.3 else []),
    ]
    return Draft(f.wanted(), second, f.pick(ANN, EVIL), fields)


@kind()
def encoded_recipients(f: Forger) -> Draft:
    """Addresses in encoded words, charsets and continuations."""
    now, secret = f.known.now, secret_of(f.known.now)
    to = f.pick(
        f.encoded(now), f"{f.encoded(now)} <{OWN}>", f"=?utf-7?q?{now}?=", f"=?x?q?{now}?= <{f.known.old}>",
        f"{now[:20]}\r\n {now[20:]}", f"railpost+{f.known.game}.1.{f.encoded(secret)}@example.org",
        f"<{f.encoded(now)}>", f"=?utf-16?b?AAA=?= {now}", f"{OWN}\r\n\t({now})", f"undisclosed-recipients:; {now}",
        f"Group: {now}, {f.known.old};",
    )  # fmt: skip
    fields = [f"{f.pick('Cc', 'Delivered-To', 'X-Original-To')}: {f.encoded(now)}"]
    return Draft(f.wanted(), to, f.pick(ANN, EVIL), fields if f.random.random() < 0.5 else [])


@kind()
def odd_sender_fields(f: Forger) -> Draft:
    """Names of header fields that one program reads as From, and another does not."""
    name = f.pick("From ", "from", "FROM\t", "From\u200b", "X-From", "F\u0433om", "From\0", "\u00a0From", " From")
    order = [f"{name}: {ANN}", *([f"From: {EVIL}"] if f.random.random() < 0.6 else [])]
    return Draft(f.wanted(), f.known.now, "" if len(order) > 1 else EVIL, order)


@kind()
def comments_and_groups(f: Forger) -> Draft:
    sender = f.pick(
        f"Ann (<{ANN}>) <{EVIL}>", f"(({ANN})) {EVIL}", f"{EVIL} ({ANN}", f"Us: {ANN};", f"Us:;{ANN}", f"<{ANN}>{ANN}",
        f"{ANN},", f",{ANN}", f"{ANN};{EVIL}", f"<<{ANN}>>", f'"{EVIL}" <{ANN}> <{EVIL}>', f"{ANN} via list <{EVIL}>",
        f"'{ANN}' via x <{EVIL}>", f"ann @players.example, {EVIL}", f"ann@(x)players.example {EVIL}", f"mailto:{ANN}",
    )  # fmt: skip
    return Draft(f.wanted(), f.known.now, sender)


# ---- addresses written oddly


@kind()
def odd_letters_in_the_secret(f: Forger) -> Draft:
    """Text that folds to the letters of a secret is no more than the secret; what does not is none."""
    secret = secret_of(f.pick(f.known.old, f.known.now))
    changed = f.pick(
        secret.upper(), secret.title(), "".join(chr(ord(c) + 0xFEE0) for c in secret), secret.replace("k", "\u212a"),
        secret.replace("s", "\u017f"), secret.replace("i", "\u0131"), "\u00ad".join(secret), f"{secret}\u200b",
        secret.replace("a", "\u0430"), secret[::-1], f"{secret}a", secret[:-1], f" {secret}", f"{secret}=",
        f"0{secret}",
    )  # fmt: skip
    to = f"railpost+{f.known.game}.1.{changed}@example.org"
    text = f.pick(f.wanted(), f"BEGIN {f.known.game} token {changed}\n{f.orders()}\nEND")
    return Draft(text, f.pick(to, to, OWN), f.pick(EVIL, BOB, ANN), found="fail")


@kind()
def odd_addresses(f: Forger) -> Draft:
    """Percent signs, quotation marks, routes and more plus signs round a secret."""
    local, _, _ = f.known.now.partition("@")
    secret = secret_of(f.known.now)
    to = f.pick(
        f"{local.replace('+', '%2B')}@example.org", f"{local}+x@example.org", f"x+{local}@example.org",
        f"{local}%evil.example@example.org", f'"{local}"@example.org', f"<@evil.example:{local}@example.org>",
        f"{local}@[192.0.2.1]", f"{local}@example.org.", f"{local}@sub.example.org",
        f"{local}@example.org.evil.example",
        f"railpost++{f.known.game}.1.{secret}@example.org", f"railpost-{f.known.game}.1.{secret}@example.org",
        f"railpost+{f.known.game}.01.{secret}@example.org", f"railpost+{f.known.game}.1..{secret}@example.org",
        f"railpost+{f.known.game}.2.{secret}@example.org", f"railpost+{f.known.game}.3.{secret}@example.org",
        f"railpost+1861-2.1.{secret}@example.org", f"{local}@EXAMPLE.ORG", f"RAILPOST{local[8:]}@example.org",
        f"railpost+confirm.{secret}@example.org", f"railpost+stop.1.{secret}@example.org",
    )  # fmt: skip
    return Draft(f.wanted(), to, f.pick(ANN, EVIL))


@kind()
def odd_letters_in_the_sender(f: Forger) -> Draft:
    """Addresses that look like hers, or fold to it."""
    sender = f.pick(
        "\uff41nn@players.example", "ann@play\u212aers.example", "ann@players\uff0eexample",
        "ann@players.example\u200b",
        "ann@pl\u0430yers.example", "ann\u00ad@players.example", "ann@xn--plyers-4ve.example", "ann.@players.example",
        ".ann@players.example", "ann@players.example.", "a\u0301nn@players.example", "ann@players..example",
        "ann+x@players.example", "a.nn@players.example", "ann@PLAYERS.EXAMPLE.evil.example", "an\u0578@players.example",
    )  # fmt: skip
    return Draft(f.wanted(), f.known.now, sender)


@kind()
def hidden_parts(f: Forger) -> Draft:
    """Orders where only some programs show them: in HTML, in an alternative, behind a boundary."""
    fence = f.fence(f.known.now, f.orders())
    part = f.pick(
        f"Content-Type: text/html\r\n\r\n<div style='display:none'>{fence}</div><p>hello",
        f"Content-Type: text/html\r\n\r\n<blockquote>{fence}</blockquote>show position",
        f"Content-Type: text/plain; charset=utf-7\r\n\r\n{fence}",
        f"Content-Type: text/plain; charset=utf-16\r\nContent-Transfer-Encoding: 8bit\r\n\r\n{fence}",
        f"Content-Type: text/plain\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n{fence.replace('E', '=45')}",
        f"Content-Type: application/ms-tnef; name=winmail.dat\r\n\r\n{fence}",
        f"Content-Type: text/plain; format=flowed\r\n\r\n{fence}",
    )
    to = f.pick(OWN, OWN.upper())
    content = (
        f"From: {BOB}\r\nTo: {to}\r\nMessage-ID: <{f.mark}@players.example>\r\nMIME-Version: 1.0\r\n"
        f"Content-Type: multipart/{f.pick('mixed', 'alternative', 'related', 'signed')}; boundary=bb\r\n\r\n"
        f"--bb\r\nContent-Type: text/plain\r\n\r\nshow position\r\n--bb\r\n{part}\r\n--bb--\r\n"
    )
    return as_somebody(f, Draft("", to, BOB, raw=content.encode()))


@kind()
def hops_and_loops(f: Forger) -> Draft:
    """Mail that says it went round: it is put aside, and acts for nobody."""
    fields = f.random.choice(
        (
            [f"Received: from x{n} by y; x" for n in range(40)],
            [f"Message-ID: {f.known.message_id}"],
            ["X-Loop: railpost@example.org", "Auto-Submitted: auto-replied"],
            [f"X-Railpost: {f.known.game} turn"],
        )
    )
    return Draft(f.wanted(), f.known.now, f.pick(ANN, OWN), fields, message_id=len(fields) > 1, found="fail")


@kind()
def doubted_in_other_ways(f: Forger) -> Draft:
    """Dan's own address with a sender that can be read in two ways, or none."""
    sender = f.pick(
        f"{DAN}, {EVIL}", f"{DAN} <{EVIL}>", f"<{DAN}", f"{f.encoded(DAN)} <{EVIL}>", f"{DAN}\0", f"Us: {DAN};"
    )
    return Draft(f.wanted(), f.known.loose, sender)
