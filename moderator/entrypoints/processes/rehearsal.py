"""``python -m moderator.entrypoints.processes.rehearsal``: decides a mail and forgets what came of it.

The service runs this for a mail that it has begun too often without coming to an end. If the mail was at fault, only
this process dies. Standard input has the settings of the service and the number of the mail as JSON.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from moderator.adapters.database import Database
from moderator.adapters.rehearsal import step_forward
from moderator.entrypoints.processes.assembly import REHEARSED, desk_on
from moderator.service.pipeline import rehearse
from moderator.settings import Settings


def main(given: dict[str, Any]) -> None:
    """Try the mail that ``given`` names."""
    settings = Settings(**given["settings"])
    step_forward(settings.lease_seconds * REHEARSED)
    rehearse(desk_on(settings, Database(settings.database_url)), given["mail"])


if __name__ == "__main__":
    main(json.load(sys.stdin))
