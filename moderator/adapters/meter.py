"""A count of seconds that nobody can set. It begins when the machine starts, and includes its sleep if the system
counts it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Final, Protocol

_BOOT_ID: Final = Path("/proc/sys/kernel/random/boot_id")


class Meter(Protocol):
    @property
    def boot(self) -> str:
        """Name of the boot from which ``seconds`` are counted; empty if it is unknown."""
        ...

    def seconds(self) -> float: ...


class BootMeter:
    """The machine's own count of seconds."""

    def __init__(self) -> None:
        try:
            self.boot = _BOOT_ID.read_text(encoding="ascii").strip()
        except OSError:
            self.boot = ""

    def seconds(self) -> float:
        return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))
