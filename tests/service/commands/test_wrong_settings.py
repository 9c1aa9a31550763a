"""Wrong settings: every command says in one sentence what is wrong and what would be right, and ends with 2."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from moderator.entrypoints import cli
from moderator.settings import Settings
from moderator.settings_file import GONE, BadConfiguration, load

WRONG = [
    ('domain = "not a domain!!"', "domain: 'not a domain!!' is not a domain: write one as games.example.org"),
    ('domain = ""', "domain: '' is not a domain"),
    ('dkim_domain = "-x.example"', "dkim_domain: '-x.example' is not a domain"),
    (
        'database = "mongodb://here/games"',
        "database: a database is sqlite:///… or postgresql+psycopg://…, not 'mongodb'",
    ),
    ('database = "postgresql://here/games"', "not 'postgresql'"),
    ('operator = "the boss"', "operator: 'the boss' is not an address: write one as master@example.org"),
    ('operator = "a@b.example, c@d.example"', "is not an address"),
    (
        'http_listen = "8025"',
        "http_listen: '8025' is not a place to listen: write an address and a port, as 127.0.0.1:8025",
    ),
    ('http_listen = "127.0.0.1:99999"', "is not a place to listen"),
    ("poll_seconds = 0", "poll_seconds: Input should be greater than 0"),
    ("idle_second = 60", "idle_second: there is no such setting"),
    (
        "clock_tolerance = 60",
        "clock_tolerance: this setting is gone, remove it: the clock may always differ by 60 seconds",
    ),
]
COMMANDS = [["game", "list"], ["mail", "list"], ["health"], ["run"], ["outbox", "list"]]


@pytest.mark.parametrize(("text", "said"), WRONG)
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_wrong_setting_is_refused_by_every_command(tmp_path: Path, text: str, said: str, command: list[str]) -> None:
    file = tmp_path / "railpost.toml"
    file.write_text(text + "\n", encoding="utf-8")
    result = CliRunner().invoke(cli.app, ["--config", str(file), "--data", str(tmp_path / "var"), *command])
    assert result.exit_code == 2
    told = " ".join(result.output.split())
    assert said in told
    assert f"{file}, line 1: " in told
    assert not (tmp_path / "var").exists()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("RAILPOST_DOMIAN", "RAILPOST_DOMIAN in the environment: there is no such setting; is it RAILPOST_DOMAIN?"),
        ("RAILPOST_MOST_HOPS", "RAILPOST_MOST_HOPS in the environment: this setting is gone, remove it: a mail that"),
        ("RAILPOST_XYZZY", "RAILPOST_XYZZY in the environment: there is no such setting"),
    ],
)
def test_a_variable_that_is_no_setting_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, said: str
) -> None:
    monkeypatch.setenv(name, "x")
    result = CliRunner().invoke(cli.app, ["--data", str(tmp_path), "game", "list"])
    assert (result.exit_code, said in " ".join(result.output.split())) == (2, True)


@pytest.mark.parametrize("domain", ["example.org", "games.example.org", "localhost", "xn--bcher-kva.example", "a-b.c1"])
def test_domains_of_all_kinds_are_admitted(domain: str) -> None:
    assert Settings(domain=domain).domain == domain


def test_a_wrong_value_is_found_where_it_was_taken_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment comes before the file, whose line is not to blame."""
    config = tmp_path / "railpost.toml"
    config.write_text("smtp_port = 25\nimap_port = 99999\n", encoding="utf-8")
    monkeypatch.setenv("RAILPOST_SMTP_PORT", "abc")
    with pytest.raises(BadConfiguration) as wrong:
        load(config)
    said = str(wrong.value).splitlines()
    assert any(line.startswith("RAILPOST_SMTP_PORT in the environment: ") for line in said)
    assert any(line.startswith(f"{config}, line 2: imap_port: ") for line in said)
    assert len(said) == 2


@pytest.mark.parametrize("name", GONE)
def test_a_setting_that_is_gone_is_named_as_gone(tmp_path: Path, name: str) -> None:
    """Nobody should take the name for a slip, or believe that the value still counts."""
    assert name not in Settings.model_fields
    (tmp_path / "railpost.toml").write_text(f"pictures = false\n{name} = 30\n", encoding="utf-8")
    with pytest.raises(BadConfiguration, match=rf"line 2: {name}: this setting is gone, remove it: {GONE[name]}"):
        load(tmp_path / "railpost.toml")


def test_the_variables_of_tests_and_of_make_are_no_unknown_settings(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Commands that a test runs would refuse to start."""
    files = [checkout / "Makefile", *(checkout / "tests").rglob("*.py")]
    used = re.compile(r"""(?:amount\(|environ\.get\(|^export )"?(RAILPOST_\w+)""", re.MULTILINE)
    names = {name for file in files for name in used.findall(file.read_text(encoding="utf-8"))}
    assert "RAILPOST_CHAOS" in names
    for name in sorted(names - {f"RAILPOST_{field.upper()}" for field in Settings.model_fields}):
        monkeypatch.setenv(name, "1")
    load()
