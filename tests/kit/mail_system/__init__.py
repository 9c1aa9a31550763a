"""A whole mail system for tests: Postfix, Dovecot and a filter between them, on loopback alone.

``python -m tests.kit.mail_system FOLDER`` starts one and says where it listens.
"""

from __future__ import annotations

from tests.kit.mail_system.filter import AUTHSERV_ID, Identities, Verdict
from tests.kit.mail_system.requirements import Missing, missing_programs
from tests.kit.mail_system.system import BOUNCES, DOMAINS, PASSWORD, MailSystem

__all__ = [
    "AUTHSERV_ID", "BOUNCES", "DOMAINS", "PASSWORD", "Identities", "MailSystem", "Missing", "Verdict",
    "missing_programs",
]  # fmt: skip
