"""Pin the requirements: exact versions with hashes, and no address of any package host in the files.

python -m tools.pin PATH-TO-PIP-COMPILE
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]
WRITTEN = "Written by `make pin` from pyproject.toml; edit that instead."
FILES = {
    "requirements.txt": ("What Railpost runs with, exact.", ()),
    "requirements-dev.txt": ("What Railpost is run, checked and built with, exact.", ("--extra", "dev")),
}
QUIET = (
    "--quiet", "--upgrade", "--generate-hashes", "--strip-extras", "--allow-unsafe", "--annotation-style", "line",
    "--no-header", "--no-emit-options", "--no-emit-index-url", "--no-emit-find-links", "--no-emit-trusted-host",
)  # fmt: skip


def main(pip_compile: str) -> None:
    for name, (purpose, extra) in FILES.items():
        target = CHECKOUT / name
        command = [pip_compile, *QUIET, *extra, "--output-file", name, "pyproject.toml"]
        subprocess.run(command, cwd=CHECKOUT, check=True)
        pins = [line for line in target.read_text().splitlines() if not line.startswith("#")]
        target.write_text("\n".join([f"# {purpose} {WRITTEN}", *pins]) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
