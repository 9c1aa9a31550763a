"""Spoilt mails: bytes and structure of real ones changed, and messages made from the grammar of MIME."""

from __future__ import annotations

import random
import re
from base64 import b64encode
from collections.abc import Callable, Sequence

LARGEST = 2_000_000
TOKENS: tuple[bytes, ...] = (
    b"\r\n", b"\n", b"\r", b"\0", b"\r\n\r\n", b"--", b"--=_b", b"--=_b--", b"=", b"=\r\n", b"=3D", b"=?utf-8?b?",
    b"?=", b"\xff", b"\xc3\x28", b"\xef\xbb\xbf", b"\xfe\xff", b"> ", b">" * 50, b"-- \r\n", b"BEGIN\r\n", b"END\r\n",
    b"BEGIN 1861-1 at 1\r\n", b"From: ", b"From: a@b, c@d\r\n", b"Content-Type: ",
    b"Content-Type: multipart/mixed; boundary=", b"message/rfc822", b"Content-Transfer-Encoding: base64\r\n",
    b"Content-Transfer-Encoding: x-uuencode\r\n", b"text/html", b"format=flowed", b"charset=", b"punycode", b"utf-7",
    b"utf-16", b"idna", b"unicode_escape", b"name*0*=utf-8'en'%", b"\"", b";", b"(" * 30, b"<" * 30,
    b"<table><tr><td>", b"<blockquote>", b"<ol><li>", b"<!--", b"&#x110000;", b"&nbsp;", b"style='margin:9e9em'",
    b"<pre>", b"<![CDATA[", b"##- reply above this line -##", b"On Sun, 1 Mar 2026 at 13:00, a@b wrote:\r\n",
    b"wrote:\r\n", b"From: a@b\r\nSent: 2026\r\n", b"-----BEGIN PGP MESSAGE-----\r\n",
    b"-----BEGIN PGP SIGNED MESSAGE-----\r\n", b"Auto-Submitted: auto-replied\r\n", b"Received: x\r\n",
    b"Message-ID: <[\r\n", b"Return-Path: <>\r\n", b"\xe2\x80\xae",
    b"Authentication-Results: example.org; dmarc=pass\r\n", b"ARC-Seal: i=1; cv=none\r\n", b"{\\rtf1\\u-1?",
    b"\\bin9999999 ", "\ufdfa".encode(), "İ".encode(), "\U000e0041".encode(), b"open TSR 25\r\n", b"limit 60\r\n",
    b"partial\r\n", b"check\r\n", b"Feedback-Type: abuse\r\n", b"Status: 5.1.1\r\n",
    b"multipart/report; report-type=delivery-status", b"\x78\x9f\x3e\x22",
)  # fmt: skip
KINDS = (
    "text/plain", "text/html", "text/plain; format=flowed; delsp=yes", "text/plain; charset=utf-16", "text/calendar",
    "text/plain; charset=punycode", "message/rfc822", "message/delivery-status", "application/ms-tnef", "image/png",
    "application/pkcs7-mime", "application/pgp-encrypted", "multipart/mixed", "multipart/digest", "text", "/", "",
    'text/plain; name="a.txt"', "message/partial; id=1", "message/external-body", "text/rfc822-headers",
)  # fmt: skip
ENCODINGS = ("7bit", "8bit", "base64", "quoted-printable", "x-uuencode", "binary", "", "gzip", "base64; x=y")
HEADERS = (
    "From", "To", "Cc", "Subject", "Date", "Message-ID", "References", "Received", "Return-Path", "Sender", "Reply-To",
    "Auto-Submitted", "Precedence", "List-Id", "X-Railpost", "Content-Type", "Content-Disposition", "MIME-Version",
    "Content-Transfer-Encoding", "Authentication-Results", "ARC-Seal", "DKIM-Signature", "X-Spam-Flag", "Delivered-To",
)  # fmt: skip


def spoilt(chance: random.Random, seeds: Sequence[bytes]) -> bytes:
    """A message that is none of ``seeds`` any more."""
    if chance.random() < 0.15:
        return made(chance, chance.choice(seeds))
    content = chance.choice(seeds)
    for _ in range(chance.choice((1, 1, 1, 2, 2, 3, 5, 8))):
        content = chance.choice(CHANGES)(chance, content, seeds)[:LARGEST]
    return content


# ---- bytes


def _flip(chance: random.Random, content: bytes, seeds: Sequence[bytes]) -> bytes:
    changed = bytearray(content)
    for _ in range(chance.randint(1, 20)):
        if changed:
            changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def _put(chance: random.Random, content: bytes, seeds: Sequence[bytes]) -> bytes:
    at = chance.randrange(len(content) + 1)
    return content[:at] + chance.choice(TOKENS) * chance.choice((1, 1, 1, 2, 9)) + content[at:]


def _put_many(chance: random.Random, content: bytes, seeds: Sequence[bytes]) -> bytes:
    """The same again and again, sometimes up to the largest mail that is read."""
    at = chance.randrange(len(content) + 1)
    token = chance.choice(TOKENS) + chance.choice((b"", chance.choice(TOKENS)))
    times = chance.choice((20, 100, 500, 500, 2_000, 2_000, 20_000 if chance.random() < 0.2 else 50))
    return content[:at] + token * times + content[at:]


def _cut(chance: random.Random, content: bytes, seeds: Sequence[bytes]) -> bytes:
    return content[: chance.randrange(len(content) + 1)]


def _leave_out(chance: random.Random, content: bytes, seeds: Sequence[bytes]) -> bytes:
    at = chance.randrange(len(content) + 1)
    return content[:at] + content[at + chance.choice((1, 2, 10, 100, 1_000)) :]


def _double(chance: random.Random, content: bytes, seeds: Sequence[bytes]) -> bytes:
    start, end = sorted(chance.randrange(len(content) + 1) for _ in range(2))
    return content[:end] + content[start:end] * chance.choice((1, 1, 2, 5)) + content[end:]


def _cross(chance: random.Random, content: bytes, seeds: Sequence[bytes]) -> bytes:
    other = chance.choice(seeds)
    return content[: chance.randrange(len(content) + 1)] + other[chance.randrange(len(other) + 1) :]


# ---- structure


def _line_ends(chance: random.Random, content: bytes, seeds: Sequence[bytes]) -> bytes:
    ends = chance.choice(((b"\n",), (b"\r",), (b"\n", b"\r", b"\r\n"), (b" \r\n",), (b"=\r\n",), (b"\r\n\r\n",)))
    return re.sub(rb"\r?\n", lambda _: chance.choice(ends), content)


def _header(chance: random.Random, content: bytes, seeds: Sequence[bytes]) -> bytes:
    name, value = chance.choice(HEADERS), chance.choice(TOKENS) * chance.choice((1, 1, 5, 3_000))
    line = name.encode() + b": " + value + b"\r\n"
    return line + content if chance.random() < 0.5 else content.replace(b"\r\nTo:", b"\r\n" + line + b"To:", 1)


def _lines(chance: random.Random, content: bytes, seeds: Sequence[bytes]) -> bytes:
    lines = content.split(b"\n")
    at, to = chance.randrange(len(lines)), chance.randrange(len(lines))
    match chance.randrange(4):
        case 0:
            lines[at], lines[to] = lines[to], lines[at]
        case 1:
            del lines[min(at, to) : max(at, to)]
        case 2:
            lines[at:at] = [lines[to]] * chance.choice((1, 3, 200))
        case 3:
            chance.shuffle(lines)
    return b"\n".join(lines)


def _value(chance: random.Random, content: bytes, seeds: Sequence[bytes]) -> bytes:
    """Another type, charset, encoding or boundary somewhere."""
    kind, encoding = chance.choice(KINDS).encode(), chance.choice(ENCODINGS).encode()
    shape, new = chance.choice(
        (
            (rb"(?i)(content-type: *)[^;\r\n]*", rb"\g<1>" + kind),
            (rb"(?i)(content-transfer-encoding: *)[^\r\n]*", rb"\g<1>" + encoding),
            (
                rb"(?i)(charset=)[\"\w-]*",
                rb"\g<1>" + chance.choice((b"utf-7", b"idna", b"x", b"", b"utf-16", b"hz", b"cp037")),
            ),
            (rb"(?i)(boundary=)\S*", rb"\g<1>" + chance.choice((b"", b'""', b'"-"', b'" "', b"=_b=_b", b"in"))),
            (rb"--=_b", chance.choice((b"", b"-=_b", b"--=_b--", b"--=_b\r\n--=_b", b" --=_b"))),
        )
    )
    places = list(re.finditer(shape, content))
    if not places:
        return _put(chance, content, seeds)
    place = chance.choice(places)
    return content[: place.start()] + place.expand(new) + content[place.end() :]


CHANGES: tuple[Callable[[random.Random, bytes, Sequence[bytes]], bytes], ...] = (
    _flip, _put, _put, _put_many, _cut, _leave_out, _double, _cross, _line_ends, _header, _lines, _value, _value,
)  # fmt: skip


# ---- from the grammar


def made(chance: random.Random, seed: bytes) -> bytes:
    """A message of parts by chance; ``seed`` gives its header and some of its texts."""
    head, _, body = seed.partition(b"\r\n\r\n")
    kept = [line for line in head.split(b"\r\n") if not line.lower().startswith((b"content-", b"mime-", b"\t", b" "))]
    return b"\r\n".join(kept) + b"\r\n" + _entity(chance, body, chance.choice((0, 2, 4, 14)))


def _entity(chance: random.Random, body: bytes, depth: int) -> bytes:
    if depth and chance.random() < 0.75:
        border = chance.choice(("=_b", "x", f"b{depth}", "a b", "'()+_,-./:=?"))
        kind = chance.choice(("mixed", "alternative", "related", "signed", "report", "digest", "encrypted", "x"))
        inner = [_entity(chance, body, depth - 1) for _ in range(chance.choice((0, 1, 1, 2, 3)))]
        between = f"\r\n--{border}\r\n".encode()
        end = f"\r\n--{border}--\r\n".encode() if chance.random() < 0.9 else b""
        named = f'Content-Type: multipart/{kind}; boundary="{border}"\r\n\r\n'.encode()
        return (named + b"".join(between + one for one in inner) + end)[: LARGEST // 4]
    kind, encoding = chance.choice(KINDS), chance.choice(ENCODINGS)
    text = chance.choice((body[:3_000], b"open TSR 25\r\n", b"".join(chance.choices(TOKENS, k=chance.randint(0, 30)))))
    said = b64encode(text) if encoding == "base64" and chance.random() < 0.8 else text
    where = chance.choice(
        ("", "", "inline", "attachment", 'attachment; filename="a.txt"', "attachment; filename=a.zip")
    )
    head = [f"Content-Type: {kind}", f"Content-Transfer-Encoding: {encoding}"]
    head += [f"Content-Disposition: {where}"] if where else []
    return "\r\n".join([*head, "", ""]).encode() + said
