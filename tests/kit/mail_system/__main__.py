"""A mail system by hand: ``python -m tests.kit.mail_system``, until Ctrl-C.

With ``--configuration FILE`` settings for a service on it are written there, with its password beside them.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import sys
from pathlib import Path

from tests.kit.mail_system import AUTHSERV_ID, DOMAINS, PASSWORD, MailSystem, Missing
from tests.kit.mail_system.service import configuration, server_settings


def write_configuration(system: MailSystem, file: Path) -> None:
    """A configuration for a service whose mailbox is ``railpost@example.org``."""
    file.unlink(missing_ok=True)
    values = server_settings(system, file.parent)
    authority = file.parent / "authority.pem"
    shutil.copy(system.ca_file, authority)
    more = {"tls_ca_file": authority, "operator": "master@example.org", "authserv_id": AUTHSERV_ID, "authserv_hops": 1}
    part = file.with_suffix(".part")
    part.write_text(configuration({**values, **more}), encoding="utf-8")
    folder = file.parent.stat()  # of the service's user, whose files these are
    for each in (values["imap_password_file"], authority, part):
        os.chown(each, folder.st_uid, folder.st_gid)
    part.rename(file)


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--configuration", type=Path)
    given = options.parse_args()
    try:
        with MailSystem() as system:
            if given.configuration is not None:
                write_configuration(system, given.configuration)
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
