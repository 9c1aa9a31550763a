"""``python -m tests.kit.service.mortal``: does to itself what its standard input says, a word for each time it runs.

``FILE WORD WORD ...``: ``FILE`` counts the runs. A word is the name of a signal, a status to end with, ``stay``, or
``alarm``.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

from moderator.adapters.rehearsal import step_forward

_PATIENCE = 60.0


def main(text: str) -> int:
    name, *words = text.split()
    runs = Path(name)
    count = len(runs.read_text()) if runs.exists() else 0
    runs.write_text("x" * (count + 1))
    word = words[count]
    if word.isdecimal():
        return int(word)
    if word == "stay":
        time.sleep(_PATIENCE)
    elif word == "alarm":
        step_forward(0.1)
        time.sleep(_PATIENCE)
    else:
        if word != "SIGKILL":
            signal.signal(signal.Signals[word], signal.SIG_DFL)  # whoever runs the tests may ignore it
        os.kill(os.getpid(), signal.Signals[word])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.stdin.read()))
