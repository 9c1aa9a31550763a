"""The files that people expect of a project: each is well formed, and calls what exists."""

from __future__ import annotations

import configparser
import re
import tomllib
from pathlib import Path
from typing import Any

import yaml

import engine


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def targets(checkout: Path) -> set[str]:
    return set(re.findall(r"^([a-z-]+):", (checkout / "Makefile").read_text(), re.M))


def test_hooks_are_local_and_call_the_makefile(checkout: Path) -> None:
    (repo,) = read(checkout / ".pre-commit-config.yaml")["repos"]
    assert repo["repo"] == "local"
    entries = [hook["entry"] for hook in repo["hooks"]]
    assert {"make format", "make lint", "make types"} <= set(entries)
    for hook in repo["hooks"]:
        assert re.fullmatch(r"make ([a-z]+)", hook["entry"])
        assert hook["entry"].removeprefix("make ") in targets(checkout)
        assert hook["language"] == "system"
        assert hook["pass_filenames"] is False


def test_the_workflow_runs_what_every_change_must_pass(checkout: Path) -> None:
    workflow = read(checkout / ".github" / "workflows" / "ci.yml")
    steps = workflow["jobs"]["run"]["steps"]
    commands = "\n".join(step.get("run", "") for step in steps).splitlines()
    assert ".ci/run" in commands
    assert (checkout / ".ci" / "run").stat().st_mode & 0o111
    assert {name for line in commands for name in re.findall(r"^make (\S+)", line)} <= targets(checkout)
    assert workflow["permissions"] == {"contents": "read"}


def test_issue_forms_have_what_a_forge_asks_of_them(checkout: Path) -> None:
    forms = [path for path in (checkout / ".github" / "ISSUE_TEMPLATE").glob("*.yml") if path.name != "config.yml"]
    assert len(forms) >= 3
    for path in forms:
        form = read(path)
        assert form["name"]
        assert form["description"]
        names = [field["id"] for field in form["body"]]
        assert len(names) == len(set(names)), path.name
        assert all(field["attributes"]["label"] for field in form["body"]), path.name
        assert any(field.get("validations", {}).get("required") for field in form["body"]), path.name


def test_editors_are_told_the_line_length_of_the_linter(checkout: Path) -> None:
    settings = configparser.ConfigParser()
    settings.read_string("[top]\n" + (checkout / ".editorconfig").read_text())
    project = tomllib.loads((checkout / "pyproject.toml").read_text())
    assert settings["*"].getint("max_line_length") == project["tool"]["ruff"]["line-length"]
    assert settings["Makefile"]["indent_style"] == "tab"


def test_the_version_is_the_newest_of_the_changelog(checkout: Path) -> None:
    project = tomllib.loads((checkout / "pyproject.toml").read_text())["project"]
    versions = re.findall(r"^## (\d+\.\d+\.\d+)$", (checkout / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    assert versions[0] == project["version"] == engine.__version__


def test_reports_of_holes_go_to_no_invented_address(checkout: Path) -> None:
    text = (checkout / "SECURITY.md").read_text(encoding="utf-8")
    assert not re.search(r"\S+@\S+|://", text)
    assert "private" in text
