"""Pin the requirements: exact versions with hashes, and no address of any package host in the files.

What builds the wheel, and what builds the dependencies that come as source only, is pinned to the same versions: in a
file of its own, and in pyproject.toml, which tools read that build in an environment of their own.

What does this is pinned as well. ``python -m tools.pin`` runs it.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tools.requirements import needed_by, pins

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


BUILD = "requirements-build.txt"
BACKEND = "hatchling"
TOOLS = {BACKEND, "setuptools"}
"""The backends of our wheel, and of the dependencies that come as source only."""
_REQUIRES = re.compile(rf'^requires = \["{BACKEND}==[^"]+"\]$', re.MULTILINE)


def main() -> None:
    pip_compile = str(Path(sys.executable).with_name("pip-compile"))
    for name, (purpose, extra) in FILES.items():
        target = CHECKOUT / name
        command = [pip_compile, *QUIET, *extra, "--output-file", name, "pyproject.toml"]
        subprocess.run(command, cwd=CHECKOUT, check=True)
        lines = [line for line in target.read_text().splitlines() if line and line[0] != "#"]
        target.write_text("\n".join([f"# {purpose} {WRITTEN}", *lines]) + "\n")
    dev = (CHECKOUT / "requirements-dev.txt").read_text()
    (CHECKOUT / BUILD).write_text(build_requirements(dev))
    project = CHECKOUT / "pyproject.toml"
    project.write_text(with_backend(project.read_text(), dev))


def build_requirements(dev: str) -> str:
    """The requirements that build wheels, out of ``dev``."""
    blocks = [pin.text for pin in needed_by(TOOLS, pins(dev)).values()]
    purpose = "What builds the wheel of Railpost, and of dependencies that come as source only, exact."
    return "\n".join([f"# {purpose} {WRITTEN}", *blocks]) + "\n"


def with_backend(project: str, dev: str) -> str:
    """pyproject.toml with the version of the backend that is in the requirements ``dev``."""
    if not _REQUIRES.search(project):
        raise ValueError(f'pyproject.toml has no line `requires = ["{BACKEND}==..."]`')
    return _REQUIRES.sub(f'requires = ["{BACKEND}=={pins(dev)[BACKEND].version}"]', project)


if __name__ == "__main__":
    main()
