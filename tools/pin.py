"""Pin the requirements: exact versions with hashes, and no address of any package host in the files.

What builds the wheel, and what builds the dependencies that come as source only, is pinned to the same versions: in a
file of its own, and in pyproject.toml, which tools read that build in an environment of their own.

What does this is pinned as well. ``python -m tools.pin`` runs it.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
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


DOCS = "requirements-docs.txt"
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
    (CHECKOUT / DOCS).write_text(docs_requirements(pip_compile))
    project = CHECKOUT / "pyproject.toml"
    project.write_text(with_backend(project.read_text(), dev))


def docs_requirements(pip_compile: str) -> str:
    """The requirements of the group ``docs``, in the versions of requirements-dev.txt where that has them too: both are
    installed into one environment."""
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())
    command = [pip_compile, *QUIET, "--constraint", "requirements-dev.txt", "--output-file", "-", "-"]
    group = "\n".join(project["dependency-groups"]["docs"])
    done = subprocess.run(command, cwd=CHECKOUT, check=True, input=group, stdout=subprocess.PIPE, text=True)
    return documented(done.stdout)


def documented(compiled: str) -> str:
    """The file of the group ``docs`` from what pip-compile wrote: its annotations name the project, not standard input
    or the file of constraints."""
    text = re.sub(r"-c requirements-dev\.txt(?:, )?", "", compiled).replace("-r -", "railpost (pyproject.toml)")
    lines = [line.rstrip() for line in text.splitlines() if line and line[0] != "#"]
    return "\n".join([f"# What builds the pages of Railpost, exact. {WRITTEN}", *lines]) + "\n"


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
