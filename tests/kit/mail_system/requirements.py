"""What the mail system needs of this machine, and what to say when it is not there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

POSTFIX = Path("/usr/sbin/postfix")
POSTFIX_MASTER = Path("/usr/lib/postfix/sbin/master")
DOVECOT = Path("/usr/sbin/dovecot")
LMTP = Path("/usr/lib/dovecot/lmtp")
IMAP = Path("/usr/lib/dovecot/imap")
_PACKAGES = {POSTFIX: "postfix", DOVECOT: "dovecot-core", IMAP: "dovecot-imapd", LMTP: "dovecot-lmtpd"}


class Missing(Exception):
    """The mail system cannot run here; one line with what is missing and how to get it."""


@cache
def missing_programs() -> str:
    """One line with what is missing and how to get it; empty if nothing is."""
    packages = [package for path, package in _PACKAGES.items() if not path.exists()]
    if packages:
        return f"not installed: {', '.join(packages)}; on Debian `make test-deps` gets them"
    if os.geteuid() != 0:
        return "Postfix and Dovecot can be started by root alone: run the tests as root"
    if shutil.which("openssl") is None or shutil.which("setpriv") is None:
        return "not installed: openssl or util-linux; on Debian `make test-deps` gets them"
    version = subprocess.run([DOVECOT, "--version"], capture_output=True, text=True, check=False).stdout
    if not re.match(r"2\.3\.", version):
        return f"Dovecot is {version.strip() or 'unknown'}: the configuration of the tests is that of 2.3 (Debian 12)"
    return ""
