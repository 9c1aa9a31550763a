"""A count of seconds that nobody can set: since the machine started, with its sleep if the system can count it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Final, Protocol

_BOOT_ID: Final = Path("/proc/sys/kernel/random/boot_id")


class Meter(Protocol):
    @property
    def boot(self) -> str:
        """Names the boot that ``seconds`` are counted from; empty where that cannot be known."""
        ...

    def seconds(self) -> float: ...


class BootMeter:
    """The machine's own count."""

    def __init__(self) -> None:
        try:
            self.boot = _BOOT_ID.read_text(encoding="ascii").strip()
        except OSError:
            self.boot = ""

    def seconds(self) -> float:
        return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))
