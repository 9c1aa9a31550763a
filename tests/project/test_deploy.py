"""deploy/ and docs/operating.md: the configuration has every setting, units and commands are right, and the page
followed on loopback ends in a game."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from moderator.adapters.hook import CommandHook
from moderator.entrypoints import cli
from moderator.entrypoints.output import Status
from moderator.settings import Settings
from moderator.settings_file import load
from tests.kit.mail_system import MailSystem
from tests.kit.mail_system.__main__ import write_configuration
from tests.kit.mail_system.player import Player

# ---- the configuration


@pytest.fixture
def example(checkout: Path) -> str:
    return (checkout / "deploy" / "railpost.toml").read_text(encoding="utf-8")


def test_the_example_has_every_setting_once_and_says_what_it_is(example: str) -> None:
    lines = example.splitlines()
    places = {found[1]: number for number, line in enumerate(lines) if (found := re.match(r"#?(\w+) = ", line))}
    assert places.keys() == Settings.model_fields.keys()
    assert len(re.findall(r"^#?\w+ = ", example, re.M)) == len(places)
    for name, number in places.items():
        assert lines[number - 1].startswith("# "), name


def test_the_example_is_a_configuration_as_it_is_and_with_everything_in_it(example: str, tmp_path: Path) -> None:
    (tmp_path / "railpost.toml").write_text(example, encoding="utf-8")
    assert load(tmp_path / "railpost.toml").domain == "games.example.org"
    (tmp_path / "all.toml").write_text(re.sub(r"^#(?=\w+ = )", "", example, flags=re.M), encoding="utf-8")
    load(tmp_path / "all.toml")


def test_what_is_commented_out_is_the_default_or_an_example_for_nothing(example: str) -> None:
    for name, value in re.findall(r"^#(\w+) = (.*)$", example, re.M):
        default = Settings.model_fields[name].default
        given = tomllib.loads(f"x = {value}")["x"]
        given = tuple(given) if isinstance(given, list) else given
        assert given == default or default in (None, ""), name


# ---- units and containers


UNITS = ("railpost.service", "railpost-backup.service", "railpost-failed@.service")


def unit(path: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if "=" in line and not line.startswith(("#", "[")):
            name, _, value = line.partition("=")
            found.setdefault(name, []).append(value)
    return found


def test_the_units_run_commands_that_there_are(checkout: Path) -> None:
    for name in UNITS:
        (line,) = unit(checkout / "deploy" / name)["ExecStart"]
        found = re.search(r"/opt/railpost/bin/(railpost .*?)(?:'|$)", line)
        assert found is not None
        assert parses(shlex.split(found[1])[1:]) == ""


@pytest.mark.parametrize("name", UNITS)
def test_the_services_are_hardened(checkout: Path, name: str) -> None:
    found = unit(checkout / "deploy" / name)
    for setting in ("ProtectSystem", "ProtectHome", "NoNewPrivileges", "PrivateDevices", "MemoryDenyWriteExecute"):
        assert found[setting][0] in ("strict", "true"), setting
    assert found["CapabilityBoundingSet"] == [""]
    assert found["User"] == ["railpost"]
    assert found["SystemCallFilter"] == ["@system-service", "~@privileged @resources"]
    assert found["UMask"] == ["0077"]
    if shutil.which("systemd-analyze"):
        command = ["systemd-analyze", "verify", str(checkout / "deploy" / name)]
        result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
        assert [
            line for line in result.stderr.splitlines() if "railpost" in line and "not executable" not in line
        ] == []


def test_the_service_is_started_again_unless_its_settings_cannot_be_used(checkout: Path) -> None:
    found = unit(checkout / "deploy" / "railpost.service")
    assert found["Restart"] == ["always"]
    assert found["RestartPreventExitStatus"] == [str(int(Status.USAGE))]


def test_a_backup_that_fails_tells_the_operator(checkout: Path) -> None:
    (started,) = unit(checkout / "deploy" / "railpost-backup.service")["OnFailure"]
    assert started == "railpost-failed@%n.service"
    (command,) = unit(checkout / "deploy" / "railpost-failed@.service")["ExecStart"]
    assert command.endswith(" alarm %i")
    assert {path.name for path in (checkout / "deploy").glob("*.service")} == set(UNITS)


def test_the_service_that_stands_still_is_ended_and_started_again(checkout: Path) -> None:
    found = unit(checkout / "deploy" / "railpost.service")
    assert found["Type"] == ["notify"]
    assert found["WatchdogSec"] == ["10min"]
    assert found["LimitCORE"] == ["0"]  # a core has secrets in it


def test_every_module_that_is_started_exists(checkout: Path) -> None:
    texts = [path.read_text(encoding="utf-8") for path in sorted((checkout / "deploy").iterdir()) if path.is_file()]
    modules = re.findall(r'(?:python3?"?,? +"?-m"?,? +"?)([\w.]+)', "\n".join(texts))
    ours = [name for name in modules if name != "venv"]
    assert "tests.kit.mail_system" in ours
    for name in ours:
        found = importlib.util.find_spec(name)
        assert found is not None, name
        assert found.submodule_search_locations is None or importlib.util.find_spec(f"{name}.__main__"), name


def test_every_command_of_railpost_in_deploy_parses(checkout: Path) -> None:
    compose = yaml.safe_load((checkout / "deploy" / "compose.yaml").read_text(encoding="utf-8"))
    (_, *check) = compose["services"]["railpost"]["healthcheck"]["test"]
    file = (checkout / "deploy" / "Dockerfile").read_text(encoding="utf-8")
    entry, *_ = (json.loads(found) for found in re.findall(r"^ENTRYPOINT (\[.*\])$", file, re.M))
    started, *_ = (json.loads(found) for found in re.findall(r"^CMD (\[.*\])$", file, re.M))
    for words in (check, [*entry, *started]):
        assert words[0] == "railpost"
        assert parses(words[1:]) == "", words


def test_the_compose_file_holds_together(checkout: Path) -> None:
    compose: dict[str, Any] = yaml.safe_load((checkout / "deploy" / "compose.yaml").read_text(encoding="utf-8"))
    services = compose["services"]
    assert services.keys() == {"postgresql", "mail", "railpost"}
    assert "ports" not in {key for service in services.values() for key in service}
    volumes = {mount.partition(":")[0] for service in services.values() for mount in service.get("volumes", ())}
    assert volumes == compose["volumes"].keys()
    stages = re.findall(r"^FROM .* AS (\w+)$", (checkout / "deploy" / "Dockerfile").read_text(), re.M)
    assert {service["build"]["target"] for service in services.values() if "build" in service} <= set(stages)
    assert set(services["railpost"]["depends_on"]) <= services.keys()
    for name in services["railpost"]["environment"]:
        assert name == "RAILPOST_CONFIG" or name.removeprefix("RAILPOST_").lower() in Settings.model_fields


def test_every_image_is_named_by_a_digest_that_must_be_given(checkout: Path) -> None:
    """No tag, and no digest that somebody made up: an image is what the registry had when it was looked up."""
    file = (checkout / "deploy" / "Dockerfile").read_text(encoding="utf-8")
    stages = re.findall(r"^FROM .* AS (\w+)$", file, re.M)
    bases = [base for base in re.findall(r"^FROM (\S+)", file, re.M) if base not in stages]
    assert bases
    for base in bases:
        assert base.endswith("@${PYTHON_DIGEST}"), base
    assert "ARG PYTHON_DIGEST\n" in file  # without a default
    compose = yaml.safe_load((checkout / "deploy" / "compose.yaml").read_text(encoding="utf-8"))
    for service in compose["services"].values():
        given = service["image"] if "image" in service else service["build"]["args"]["PYTHON_DIGEST"]
        assert re.search(r"\$\{[A-Z]+_DIGEST:\?[^}]+\}$", given), given


@pytest.mark.parametrize(
    ("said", "status"), [('"sha256:' + "0a" * 32 + '"', 0), ("Name: python", 1), ("", 1), ('"sha256:12"', 1)]
)
def test_digests_are_looked_up_and_nothing_else_is_written(
    checkout: Path, tmp_path: Path, said: str, status: int
) -> None:
    shutil.copy(checkout / "deploy" / "digests", tmp_path / "digests")
    docker = tmp_path / "bin" / "docker"
    docker.parent.mkdir()
    docker.write_text(f"#!/bin/sh\necho \"$@\" >> {tmp_path}/asked\necho '{said}'\n")
    docker.chmod(0o755)
    path = f"{docker.parent}:{os.environ['PATH']}"
    result = subprocess.run(
        [tmp_path / "digests"], env={"PATH": path}, capture_output=True, text=True, check=False, timeout=60
    )
    assert result.returncode == status, result.stderr
    assert (tmp_path / ".env").exists() == (status == 0)
    if status == 0:
        digest = said.strip('"')
        assert (tmp_path / ".env").read_text() == f"PYTHON_DIGEST={digest}\nPOSTGRES_DIGEST={digest}\n"
        images = [line.split()[3] for line in (tmp_path / "asked").read_text().splitlines()]
        places = [checkout / "deploy" / "Dockerfile", checkout / "deploy" / "compose.yaml"]
        named = set(re.findall(r"(\S+)@\$\{", "".join(place.read_text() for place in places)))
        assert set(images) == named
    else:
        assert "no digest for python:3.11-slim-bookworm" in result.stderr


def test_containers_have_no_more_than_they_need(checkout: Path) -> None:
    compose = yaml.safe_load((checkout / "deploy" / "compose.yaml").read_text(encoding="utf-8"))
    services = compose["services"]
    for name, service in services.items():
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert "privileged" not in service
        if name != "mail":  # for trials alone: Postfix and Dovecot begin as root and become others
            assert "cap_add" not in service
            assert service["read_only"] is True
            assert service["user"] not in ("root", "0", 0)
    file = (checkout / "deploy" / "Dockerfile").read_text(encoding="utf-8")
    shipped = file.partition(" AS railpost\n")[2].partition("\nFROM ")[0]
    assert re.findall(r"^USER (\S+)$", shipped, re.M) == [services["railpost"]["user"]]
    assert re.search(rf"--uid {services['railpost']['user'].split(':')[0]} ", shipped)


@pytest.mark.parametrize("name", ["deploy/Dockerfile", "Makefile", "docs/operating.md"])
def test_what_is_installed_and_what_builds_it_is_pinned(checkout: Path, name: str) -> None:
    """Source is built with tools that are installed before, by their hashes: pip fetches none by itself."""
    text = (checkout / name).read_text(encoding="utf-8")
    kinds = []
    for command in re.findall(r"(?:/|-m )pip (?:install|wheel) [^\n]*", text):
        if "pip-tools" in command:  # looks up what will be pinned, and installs nothing that runs
            continue
        pinned, wheels = "--require-hashes" in command, "--only-binary :all:" in command
        if pinned and wheels:
            kinds.append("tools")
        elif pinned:
            assert "--no-build-isolation" in command, command
            assert kinds[-1] == "tools", f"not just after the tools: {command}"
            kinds.append("requirements")
        else:
            assert "--no-deps" in command, command
            assert re.search(r"\.whl\b|--no-build-isolation", command), command
    assert kinds.count("requirements") == kinds.count("tools") > 0


def test_a_build_sees_nothing_but_what_it_needs(checkout: Path) -> None:
    lines = [
        line for line in (checkout / ".dockerignore").read_text().splitlines() if line and not line.startswith("#")
    ]
    assert lines[0] == "*"
    seen = {line[1:] for line in lines if line.startswith("!")}
    assert all((checkout / name).exists() for name in seen)
    assert seen.isdisjoint({".git", ".venv", "var", "demo", "deploy", "docs"})
    shipped = tomllib.loads((checkout / "pyproject.toml").read_text())
    packages = shipped["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    named = {shipped["project"]["readme"], *shipped["project"]["license-files"], "pyproject.toml"}
    file = (checkout / "deploy" / "Dockerfile").read_text(encoding="utf-8")
    copied = set(re.findall(r"^COPY (\w+) \w+$", file, re.M))
    assert seen == {*packages, *named, *copied, *re.findall(r"-r (\S+)", file)}


def test_files_of_a_trial_belong_to_the_services_user(mail_system: MailSystem, tmp_path: Path) -> None:
    folder = tmp_path / "trial"
    folder.mkdir()
    os.chown(folder, 10001, 10001)
    write_configuration(mail_system, folder / "railpost.toml")
    assert {(file.name, file.stat().st_uid) for file in folder.iterdir()} == {
        (name, 10001) for name in ("railpost.toml", "password", "authority.pem")
    }


# ---- the page


def commands(page: str) -> list[str]:
    """The commands of the page, without what is remarked behind them."""
    found = []
    for line in re.findall(r"^    (.*)$", page, re.M):
        line = re.sub(r"\s+#.*$", "", line)
        if match := re.match(r"(?:sudo -u railpost )?(?:/opt/railpost/bin/)?railpost (.+)$", line):
            found.append(match[1])
    return found


def parses(words: list[str]) -> str:
    """What is wrong with a command line: a command or an option that there is not. Nothing is done."""
    if words[0] == "--config":  # it is not there, but there is such an option
        words = words[2:]
    result = CliRunner().invoke(cli.app, [*words, "--help"])
    return "" if result.exit_code == 0 else result.output


def test_a_command_that_there_is_not_is_noticed() -> None:
    for wrong in (["post", "list"], ["mail", "burn"], ["mail", "list", "--colour", "red"]):
        assert "No such" in parses(wrong)


def test_every_command_of_the_page_exists_with_its_options(checkout: Path) -> None:
    page = (checkout / "docs" / "operating.md").read_text(encoding="utf-8")
    found = commands(page)
    assert len(found) >= 40
    for line in found:
        assert parses(shlex.split(line)) == "", line


def test_every_command_that_a_finding_or_an_alarm_names_exists(checkout: Path) -> None:
    text = (checkout / "templates" / "en" / "words.toml").read_text(encoding="utf-8")
    found = set(re.findall(r"`railpost ([^`{]+?)`", text))
    assert len(found) > 10
    for line in sorted(found):
        assert parses(shlex.split(line)) == "", line


@pytest.fixture
def followed(mail_system: MailSystem, tmp_path: Path) -> Path:
    """Step 4 of the page on loopback: the folder of the configuration."""
    file = tmp_path / "etc" / "railpost.toml"
    file.parent.mkdir()
    write_configuration(mail_system, file)
    text = file.read_text(encoding="utf-8")
    mine = f"page{os.getpid()}@example.org"
    text = text.replace("railpost@example.org", mine).replace(
        'mailbox = "railpost"', f'mailbox = "{mine.split("@", maxsplit=1)[0]}"'
    )
    file.write_text(text + 'disk_free_mb = 1\nhttp_listen = "127.0.0.1:0"\n', encoding="utf-8")
    return file.parent


def test_the_page_followed_on_loopback_ends_in_a_game_and_a_green_service(
    followed: Path, mail_system: MailSystem, checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAILPOST_CONFIG", str(followed / "railpost.toml"))
    page = (checkout / "docs" / "operating.md").read_text(encoding="utf-8")
    steps = page.partition("## From an empty server")[2].partition("\n## ")[0]

    def railpost(*words: str) -> str:
        result = CliRunner().invoke(cli.app, list(words))
        assert result.exit_code == 0, (result.output, result.exception)
        return result.stdout

    waiting, *rest = [re.sub(r"--config \S+ ", "", line) for line in commands(steps)]
    assert waiting == "mail waiting"
    assert "0" in railpost(*shlex.split(waiting))
    service = subprocess.Popen(
        [sys.executable, "-m", "moderator.entrypoints.cli", "run"], cwd=checkout, stderr=subprocess.PIPE, text=True
    )
    try:
        until = time.monotonic() + 60
        while CliRunner().invoke(cli.app, ["health"]).exit_code:
            assert time.monotonic() < until, railpost("health")
            time.sleep(0.5)
        for line in rest:
            words = [word.replace("@example.org", "@players.example") for word in shlex.split(line)]
            railpost(*words)
        players = [Player(mail_system, f"{name}@players.example") for name in ("ann", "bob", "cat")]
        for player in players:
            player.wait(1)
            player.close()
        for line in railpost("health").splitlines():
            assert line.startswith("green"), line
        railpost("backup", str(followed / "today.db"))
    finally:
        service.send_signal(signal.SIGTERM)
        _, log = service.communicate(timeout=60)
    assert service.returncode == 0, log
    assert "Traceback" not in log
    railpost("health")


def test_the_alarm_command_of_the_page_is_taken_apart_as_it_says() -> None:
    assert CommandHook("true --silent --data-binary @- https://push.example.net/railpost", 5)("text") == ""
