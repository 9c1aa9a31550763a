"""The verdict of our receiving server on the sender of a mail (RFC 8601), and the sender that the mail names.

Anybody can write an ``Authentication-Results`` header. Only the topmost one with the name of our own server counts, and
only if it is above the ``Received`` header with which that server took the mail in: headers that came with the mail are
below it. If there is none, or the first one that could be it cannot be read, the sender has proved nothing.

A signature (RFC 6376) stays valid when somebody sends the mail again. It proves only the fields that it names, and not
the text if it leaves out the end of it (``l=``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from email.message import Message
from typing import Any, Final, Literal

import authres

from moderator.domain.senders import domain_of, one_sender
from moderator.service.reading.message import ODD, head_of, is_cut, value, values
from moderator.service.reading.recipients import spelled_out
from moderator.settings import Settings

Verdict = Literal["pass", "fail", "none"]

_RESULTS: Final = "authentication-results"
_LONGEST: Final = 8_000
_AGAINST: Final = frozenset({"fail", "softfail", "hardfail"})
_MOST_FIELDS: Final = 1_000


@dataclass(frozen=True, slots=True)
class Found:
    """The sender of a mail and the verdict on it. ``sender`` is the one address in From, or "" if there is not exactly
    one. ``verdict`` is about its domain: ``pass`` if our server has proof, ``fail`` if it has proof of the contrary,
    ``none`` otherwise. ``written_to`` has the values of To and Cc as the writer put them, with odd forms of addresses
    spelled out. It is empty if either is repeated, and leaves out one that a signature of the sender's organization
    does not cover: anybody may have added such fields later. ``date`` is the value of Date as it stands. ``signed``:
    the mail has such a signature, so that others can send it again with the proof."""

    sender: str
    verdict: Verdict
    written_to: tuple[str, ...] = ()
    date: str = ""
    signed: bool = False


@dataclass(frozen=True, slots=True)
class _Signature:
    """The header fields that a signature covers, in small letters. ``partial``: it does not cover the whole text."""

    fields: frozenset[str]
    partial: bool


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one method in one header. ``properties``: name, such as ``header.from`` -> value, in small
    letters."""

    method: str
    result: str
    properties: dict[str, str]


def identify(content: bytes, settings: Settings) -> Found:
    """The sender of ``content`` and the verdict on it. Raises nothing."""
    try:
        head = head_of(content)
        fields = [(str(name).lower(), str(value)) for name, value in head.raw_items()][:_MOST_FIELDS]
        sender = one_sender([value for name, value in _all_fields(head) if name == "from"])
        signatures, hidden = _signatures(_all_fields(head), domain_of(sender)), is_cut(content)
        to, copies = (_written(values(head, name), name.lower(), signatures) for name in ("To", "Cc"))
        written_to = spelled_out((*to, *copies)) if to is not None and copies is not None and not hidden else ()
        whole = not hidden and not any(one.partial for one in signatures)
        verdict = _verdict(fields, sender, settings, whole=whole)
        return Found(sender, verdict, written_to, value(head, "Date"), bool(signatures))
    except ODD:
        return Found("", "none")


def date_of(content: bytes) -> str:
    """The value of ``Date``, as it stands in the header."""
    try:
        return value(head_of(content), "Date")
    except ODD:
        return ""


def _all_fields(head: Message) -> Iterable[tuple[str, str]]:
    return ((str(name).lower(), str(value)) for name, value in head.raw_items())


def _signatures(fields: Iterable[tuple[str, str]], domain: str) -> list[_Signature]:
    """The signatures that may be the proof of the sender, valid or not: those of his domain, of a parent, of a
    subdomain, or of another subdomain of the same organization (DMARC's relaxed alignment, RFC 7489 3.1.1). A signature
    too long to be read may be one, too, and covers nothing."""
    found = []
    for said in (" ".join(said.split()) for name, said in fields if name == "dkim-signature"):
        tags = _tags(said)
        if len(said) > _LONGEST:
            found.append(_Signature(frozenset(), partial=True))
        elif _related(tags.get("d", ""), domain):
            covered = frozenset(name.strip() for name in tags.get("h", "").split(":"))
            found.append(_Signature(covered, partial="l" in tags))
    return found


def _related(one: str, other: str) -> bool:
    """True if both domains may be of one organization: they have their last two labels in common. Under a public suffix
    of two labels that is too many, which only makes the rule stricter."""
    ends = [domain.rstrip(".").split(".")[-2:] for domain in (one, other)]
    return ends[0] == ends[1] and len(ends[0]) == 2


def _written(found: Sequence[str], name: str, signatures: Sequence[_Signature]) -> tuple[str, ...] | None:
    """The only field of that name. It is left out if a signature of the sender does not cover it: then anybody may have
    added it without breaking the signature. None if there are several."""
    if len(found) > 1:
        return None
    return tuple(found) if all(name in one.fields for one in signatures) else ()


def _verdict(fields: Sequence[tuple[str, str]], sender: str, settings: Settings, *, whole: bool) -> Verdict:
    """The verdict on ``sender``. Unless the signatures cover the ``whole`` text, only a delivery by a server of the
    sender's (SPF) proves it."""
    trusted = _trusted(fields, settings)
    domain = domain_of(sender)
    if not trusted:
        return "none"
    if domain and (_proved(trusted, domain) or _sealed(fields, trusted, domain, settings)):
        return "pass" if whole or _delivered(trusted, domain) else "none"
    dmarc = {one.result for one in trusted if one.method == "dmarc"}
    checked = {one.result for one in trusted if one.method in ("spf", "dkim")}
    if not domain or dmarc & _AGAINST or (checked & _AGAINST and "pass" not in dmarc):
        return "fail"
    return "none"


def _trusted(fields: Sequence[tuple[str, str]], settings: Settings) -> list[Result]:
    """The results in the topmost header of our own server, if it stands where that server writes it. A header above it
    that cannot be read may be our server's, and ends the search: the next one may be the sender's."""
    if not settings.authserv_id:
        return []
    passed = 0
    for name, said in fields:
        if name == "received":
            passed += 1
            if passed > settings.authserv_hops:
                return []
        elif name == _RESULTS:
            written_by, results = _read(said)
            if written_by in ("", settings.authserv_id.lower()):
                return results
    return []


def _read(value: str) -> tuple[str, list[Result]]:
    """The server that gave the results, and the results; "" if they cannot be read."""
    text = " ".join(value.split()).rstrip("; ")
    if len(text) > _LONGEST or not text.isprintable():
        return "", []
    try:
        header = authres.AuthenticationResultsHeader.parse(f"Authentication-Results: {text}")
    except Exception:  # the parser expects headers that follow the standard
        return "", []
    return str(header.authserv_id).lower(), [_result(one) for one in header.results or ()]


def _result(one: Any) -> Result:
    properties = {f"{p.type}.{p.name}".lower(): str(p.value).lower() for p in one.properties or ()}
    return Result(str(one.method).lower(), str(one.result).lower(), properties)


def _proved(results: Sequence[Result], domain: str) -> bool:
    """True if DMARC passed for this domain, or if DMARC did not fail and DKIM or SPF passed for it."""
    dmarc = [one for one in results if one.method == "dmarc"]
    if any(one.result in _AGAINST for one in dmarc):
        return False
    if any(one.result == "pass" and one.properties.get("header.from") == domain for one in dmarc):
        return True
    return any(one.result == "pass" and _aligned(_backed(one), domain) for one in results)


def _delivered(results: Sequence[Result], domain: str) -> bool:
    """True if a server of the sender's domain handed the mail to ours."""
    return any(one.method == "spf" and one.result == "pass" and _aligned(_backed(one), domain) for one in results)


def _backed(one: Result) -> str:
    """The domain that a DKIM or SPF result is about; "" for other methods."""
    if one.method == "dkim":
        return one.properties.get("header.d") or domain_of(one.properties.get("header.i", ""))
    return domain_of(one.properties.get("smtp.mailfrom", "")) if one.method == "spf" else ""


def _aligned(backed: str, domain: str) -> bool:
    """True if ``backed`` is the same domain as ``domain``, or a parent of it. A subdomain is not enough: without a list
    of public suffixes its owner cannot be known, and DMARC, which has such a list, passes where a subdomain is
    acceptable."""
    return "." in backed and (domain == backed or domain.endswith(f".{backed}"))


def _sealed(fields: Sequence[tuple[str, str]], trusted: Sequence[Result], domain: str, settings: Settings) -> bool:
    """True if ARC (RFC 8617) proves ``domain``: our server found the chain intact and the mail to come from the sealer
    itself, the settings name that sealer as trusted, and its results prove the domain. Its word alone proves
    nothing."""
    if not settings.arc_sealers or not any(one.method == "arc" and one.result == "pass" for one in trusted):
        return False
    number, sealer = _last_seal(fields)
    if sealer not in {name.lower() for name in settings.arc_sealers}:
        return False
    if not any(one.result == "pass" and _backed(one) == sealer for one in trusted):
        return False
    said = [value for name, value in fields if name == "arc-authentication-results" and _instance(value) == number]
    return len(said) == 1 and _proved(_read(said[0].partition(";")[2])[1], domain)


def _last_seal(fields: Sequence[tuple[str, str]]) -> tuple[int, str]:
    """The number and domain of the last seal; 0 and "" if there is none, or if two seals have the last number."""
    seals = [(_instance(value), _tags(value).get("d", "")) for name, value in fields if name == "arc-seal"]
    last = max((number for number, _ in seals), default=0)
    found = [sealer for number, sealer in seals if number == last]
    return (last, found[0]) if last > 0 and len(found) == 1 else (0, "")


def _instance(value: str) -> int:
    number = _tags(value).get("i", "")
    return int(number) if number.isascii() and number.isdigit() and len(number) < 3 else 0


def _tags(value: str) -> dict[str, str]:
    """The tags of a value like ``i=1; d=example.org``, as in DKIM. The first tag of each name counts."""
    tags: dict[str, str] = {}
    for part in value[:_LONGEST].split(";"):
        name, equals, said = part.partition("=")
        if equals:
            tags.setdefault(name.strip().lower(), said.strip().lower())
    return tags
