"""Tries a piece of work in a process of its own first, because it may have ended the service before."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from moderator.domain.ports import NotNow

_FIRST_TO_GO: Final = b"1000"
"""Score of the process that Linux ends first if memory runs out."""
_FROM_OUTSIDE: Final = ("SIGTERM", "SIGINT", "SIGHUP")
"""Signals that end a process because somebody wants it to end."""
_TIMES: Final = 2
"""Runs that must die. One death proves nothing: whoever kills the service may kill what it started a moment before."""


class Rehearsal:
    """Runs the module ``module`` in a process that gets ``seconds``."""

    def __init__(self, module: str, seconds: float) -> None:
        self._module, self._seconds = module, seconds

    def __call__(self, text: str) -> str:
        """Run the module with ``text`` on its standard input. Returns how the process died, in words, if it died each
        time, and an empty string if it came to its end. Raises ``NotNow`` if neither can be told."""
        died = ""
        for _ in range(_TIMES):
            died = self._once(text)
            if not died:
                break
        return died

    def _once(self, text: str) -> str:
        try:
            running = subprocess.Popen(
                [sys.executable, "-m", self._module], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
            )
        except OSError as error:
            raise NotNow(f"no process can be started: {error.strerror}") from error
        with running:
            try:
                running.communicate(text.encode(), self._seconds)
            except subprocess.TimeoutExpired:
                running.kill()
                return f"it is not through after {self._seconds:g} seconds"
        status = running.returncode
        if status > 0:
            raise NotNow(f"a process ended with status {status}")
        if status == 0:
            return ""
        name = signal.Signals(-status).name
        if name in _FROM_OUTSIDE:
            raise NotNow(f"a process was told to end: {name}")
        return f"it ends the process that tries it: {name}"


def step_forward(seconds: float) -> None:
    """End this process after ``seconds`` of its own accord, should the one that started it be gone, and have it ended
    before any other if the machine runs out of memory. Only Linux knows how to do the latter."""
    signal.setitimer(signal.ITIMER_REAL, seconds)
    with suppress(OSError):
        Path(f"/proc/{os.getpid()}/oom_score_adj").write_bytes(_FIRST_TO_GO)
