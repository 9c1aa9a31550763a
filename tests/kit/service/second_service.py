"""A service in a process of its own, with the toy game and bare words.

``python -m tests.kit.service.second_service FOLDER NAME`` starts it. It says when it begins, and when it has decided
its first mail. It goes round until its standard input ends, and then says how many mails it has decided and sent, and
what went wrong.
"""

from __future__ import annotations

import json
import select
import sys
import time
from dataclasses import replace
from pathlib import Path
from secrets import token_bytes

from moderator.adapters.mail.maildir import MaildirIntake, MaildirOutlet, folder_for
from moderator.domain.ports import SystemClock
from moderator.service.desk import Desk
from moderator.service.intake import take_in
from moderator.service.pipeline import work_off
from moderator.service.post.delivery import send_due
from tests.kit.service import toy_title
from tests.kit.service.mail_service import Service
from tests.kit.service.toy_service import PlainWords


def desk_of(root: Path, owner: str) -> Desk:
    """A desk on the database of the service in ``root``, with the machine's clock and chance."""
    desk = Service.open(root, toy_title.load, toy_title.vocabulary).desk
    return replace(desk, words=PlainWords(), clock=SystemClock(), random_bytes=token_bytes, owner=owner)


READY = "ready"
"""The line that a service writes when it begins to work."""
DECIDED = "decided"
"""The line that it writes when it has decided its first mail."""


def main(root: Path, owner: str) -> None:
    desk = desk_of(root, owner)
    settings = desk.settings
    intake = MaildirIntake(folder_for(settings.mail_folder, settings.address))
    outlet = MaildirOutlet(settings.mail_folder)
    complaints: list[str] = []
    decided = sent = 0
    print(READY, flush=True)  # noqa: T201
    while not select.select([sys.stdin], [], [], 0)[0]:
        take_in(desk, intake)
        now = work_off(desk, complaints.append, 5)
        gone = send_due(desk, outlet, complaints.append, 5)
        if now and not decided:
            print(DECIDED, flush=True)  # noqa: T201
        decided, sent = decided + now, sent + gone
        if not now + gone:
            time.sleep(0.05)
    desk.database.close()
    print(json.dumps({"decided": decided, "sent": sent, "complaints": complaints}))  # noqa: T201


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
