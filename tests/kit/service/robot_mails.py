"""Mails as programs write them, for tests: reports, bounces, automatic answers. Made up here, in their known forms."""

from __future__ import annotations

from collections.abc import Mapping

ANN = "ann@players.example"
DAEMON = "Mail Delivery System <MAILER-DAEMON@mx.players.example>"


def plain(
    subject: str, text: str, *, sender: str = "ann@players.example", to: str, headers: Mapping[str, str] | None = None
) -> bytes:
    """A text with whatever headers."""
    lines = [f"From: {sender}", f"To: {to}", f"Subject: {subject}", "Date: Sun, 01 Mar 2026 12:10:00 +0000"]
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    return ("\r\n".join([*lines, "Content-Type: text/plain; charset=utf-8", "", ""]) + text).encode()


def report(
    kind: str,
    fields: str,
    *,
    to: str,
    returned: str = "",
    sender: str = "Mail Delivery System <MAILER-DAEMON@mx.players.example>",
    said: str = "This is a report.",
    first: str = "",
) -> bytes:
    """A multipart/report (RFC 6522) with its machine-readable part and the headers of what it is about."""
    part = {
        "delivery-status": "message/delivery-status",
        "disposition-notification": "message/disposition-notification",
        "feedback-report": "message/feedback-report",
    }[kind]
    pieces = [
        f"From: {sender}", f"To: {to}", "Subject: report", "MIME-Version: 1.0",
        f'Content-Type: multipart/report; report-type={kind};\r\n boundary="rr"', "",
        "--rr", "Content-Type: text/plain", "", said, "",
        "--rr", f"Content-Type: {part}", "", fields, "",
        "--rr", "Content-Type: text/rfc822-headers", "", returned, "", "--rr--", "",
    ]  # fmt: skip
    return "\r\n".join(piece.replace("\r\n", "\n").replace("\n", "\r\n") for piece in pieces).encode()


def status(
    recipient: str = "ann@players.example", code: str = "5.1.1", action: str = "failed", *, to: str, returned: str = ""
) -> bytes:
    """A delivery status notification (RFC 3464)."""
    fields = (
        "Reporting-MTA: dns; mx.players.example\n\n"
        f"Final-Recipient: rfc822; {recipient}\nAction: {action}\nStatus: {code}\n"
        "Diagnostic-Code: smtp; said so\n"
    )
    return report("delivery-status", fields, to=to, returned=returned)


def complaint(recipient: str = "ann@players.example", *, to: str, returned: str = "") -> bytes:
    """A feedback report (RFC 5965)."""
    fields = f"Feedback-Type: abuse\nUser-Agent: Loop/1\nVersion: 1\nOriginal-Rcpt-To: {recipient}\n"
    return report("feedback-report", fields, to=to, returned=returned, sender="fbl@provider.example")


def read_receipt(*, to: str, message_id: str = "") -> bytes:
    """A message disposition notification (RFC 8098)."""
    fields = (
        "Reporting-UA: program\nFinal-Recipient: rfc822; ann@players.example\n"
        f"Original-Message-ID: {message_id}\nDisposition: manual-action/MDN-sent-manually; displayed\n"
    )
    return report("disposition-notification", fields, to=to, sender="ann@players.example")
