"""Alerts the operator through a program of his own, which gets the text on its standard input."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
from contextlib import suppress


class CommandHook:
    """Runs ``command`` for at most ``seconds``. It is split as a shell would split it, but runs without a shell."""

    def __init__(self, command: str, seconds: float) -> None:
        self._words, self._seconds = shlex.split(command), seconds

    def __call__(self, text: str) -> str:
        """Run the command. Returns the reason for a failure in one line, or an empty string."""
        try:
            running = subprocess.Popen(
                self._words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                start_new_session=True,
            )  # fmt: skip
        except (OSError, ValueError) as error:
            return f"it cannot be started: {error}"
        with running:
            try:
                _, said = running.communicate(text.encode("utf-8", "replace"), self._seconds)
            except subprocess.TimeoutExpired:
                _end(running)
                return f"it did not end within {self._seconds:g} seconds"
        if running.returncode:
            return f"it ended with {running.returncode}: {said.decode('utf-8', 'replace').strip()[-200:]}"
        return ""


def _end(running: subprocess.Popen[bytes]) -> None:
    """Kill the program and all processes it has started."""
    with suppress(ProcessLookupError):
        os.killpg(running.pid, signal.SIGKILL)
    running.wait()
