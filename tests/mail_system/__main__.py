"""A mail system by hand: ``python -m tests.mail_system``, until Ctrl-C."""

from __future__ import annotations

import signal
import sys

from tests.mail_system import DOMAINS, PASSWORD, MailSystem, Missing


def main() -> None:
    try:
        with MailSystem() as system:
            sys.stdout.write(
                f"folder {system.folder}\nsmtp {system.smtp}\nsubmission {system.submission}\n"
                f"submissions {system.submissions}\nimap {system.imap}\nimaps {system.imaps}\n"
                f"every address at {', '.join(DOMAINS)}, password {PASSWORD}; Ctrl-C ends it\n"
            )
            sys.stdout.flush()
            signal.sigwait({signal.SIGINT, signal.SIGTERM})
    except Missing as reason:
        sys.exit(str(reason))


if __name__ == "__main__":
    main()
