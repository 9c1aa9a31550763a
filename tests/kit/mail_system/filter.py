"""The filter between Postfix and the mailboxes: it removes every Authentication-Results header that comes with a mail
and writes the one of our server. It is a milter, as OpenDMARC and rspamd are.

What it finds out about a sender is told to it by the tests: there is no DNS here in which SPF and DKIM could look.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from email.utils import getaddresses

AUTHSERV_ID = "mx.example.org"
NAME = "authentication-results"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What SPF, DKIM and DMARC say of a mail, in the words of RFC 8601."""

    spf: str = "none"
    dkim: str = "none"
    dmarc: str = "fail"


PASSED = Verdict("pass", "pass", "pass")


@dataclass
class Identities:
    """Who may write as whom.

    Somebody who logged in is himself: his mail passes if it says that it is from his own address (or from one of
    ``addresses``), and fails otherwise. Nobody who did not log in passes, unless his HELO name is in ``hosts``: so a
    test says what our server found out about a host elsewhere.
    """

    addresses: dict[str, set[str]] = field(default_factory=dict)
    hosts: dict[str, Verdict] = field(default_factory=dict)

    def verdict(self, user: str, helo: str, senders: list[str]) -> Verdict:
        """Of a mail by ``user`` (empty if nobody logged in) from a host ``helo`` that says it is from ``senders``."""
        if not user:
            return self.hosts.get(helo, Verdict())
        own = {user.lower(), *(address.lower() for address in self.addresses.get(user, ()))}
        if len(senders) == 1 and senders[0].lower() in own:
            return PASSED
        return Verdict(spf="pass", dkim="none", dmarc="fail")


@dataclass
class Message:
    """What the milter has heard of one message."""

    user: str = ""
    helo: str = ""
    mail_from: str = ""
    headers: list[tuple[str, str]] = field(default_factory=list)

    def foreign(self) -> int:
        """How many Authentication-Results headers came with it."""
        return sum(name.strip().lower() == NAME for name, _ in self.headers)

    def results(self, identities: Identities) -> str:
        """The value of the header that is ours."""
        written = [value for name, value in self.headers if name.strip().lower() == "from"]
        senders = [address for _, address in getaddresses(written) if address]
        verdict = identities.verdict(self.user, self.helo, senders)
        domain = _safe(senders[0].rpartition("@")[2]) if len(senders) == 1 else "invalid"
        parts = [AUTHSERV_ID]
        if self.user:
            parts.append(f"auth=pass smtp.auth={_safe(self.user)}")
        parts.append(f"spf={verdict.spf} smtp.mailfrom={_safe(self.mail_from) or 'none'}")
        parts.append(f"dkim={verdict.dkim}" + (f" header.d={domain}" if verdict.dkim != "none" else ""))
        parts.append(f"dmarc={verdict.dmarc} header.from={domain}")
        return "; ".join(parts)


def _safe(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9.@_+=-]", "", text)[:200]
