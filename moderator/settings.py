"""The service's settings: defaults, a TOML file over them, and ``RAILPOST_…`` in the environment over both."""

from __future__ import annotations

import difflib
import os
import re
import tomllib
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError, ValidationInfo, field_validator, model_validator
from pydantic_settings import BaseSettings, InitSettingsSource, PydanticBaseSettingsSource, SettingsConfigDict

from moderator.input_limits import LARGEST_SETTINGS, UnusableError, read_text, shortened

LONGEST_LOCAL_PART = 64
"""RFC 5321 4.5.3.1.1, in octets."""
_LONGEST_LINE = 4_000
"""Characters in a line of the file; the longest in the example has 120."""
_LARGEST = 10**12
"""For numbers of bytes and the like."""
_LONGEST_TIME = {"_hours": 87_600, "_minutes": 87_600 * 60, "_seconds": 87_600 * 3600, "_timeout": 87_600 * 3600}
"""Ten years: a moment that is reckoned from it has a date."""
_SECRET_PART = len("+1861-123456.12.") + 26

Security = Literal["tls", "starttls", "none"]
_LOOPBACK = re.compile(r"localhost|127(\.\d{1,3}){3}|::1", re.IGNORECASE)
_DOMAIN = re.compile(
    r"(?=.{1,253}$)(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)*[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
)
"""RFC 1123 2.1: labels of letters, digits and hyphens; another script is written in its form of ASCII (RFC 5890)."""
_ADDRESS = re.compile(r"[^\s<>@,;:\"()\[\]\\]{1,64}@[A-Za-z0-9.-]{1,253}")
_DATABASES = ("sqlite:///", "postgresql+psycopg://")
_LARGEST_PORT = 65_535
_NOT_SETTINGS = frozenset({"RAILPOST_CONFIG", "RAILPOST_DEBUG", "RAILPOST_COMPLETE"})
"""Variables that are none of the settings: the file of them, tracebacks, and a shell that completes."""
_OF_TESTS = frozenset(
    f"RAILPOST_{name}" for name in ("RECORDS", "APPROVE", "SEED", "LOAD", "SERVICES", "FLOOD", "CHAOS")
)
"""Variables of the tests and of `make bench`, which run the commands in their own environment."""


class BadConfiguration(Exception):
    """A setting that cannot be used: file, line and reason in one sentence."""


class Settings(BaseSettings):
    """Everything that an operator can choose."""

    model_config = SettingsConfigDict(env_prefix="RAILPOST_", extra="forbid", frozen=True)

    data: Path = Path("var")
    """Folder of the database and, unless ``mail`` says otherwise, of the Maildirs."""
    database: str = ""
    """SQLAlchemy URL; empty is ``railpost.db`` in ``data``."""
    mail: Path | None = None
    """Folder with one Maildir per address; ``mail`` in ``data`` by default."""
    domain: str = "railpost.example"
    """The domain of the service's addresses."""
    mailbox: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9.-]*$")] = "railpost"
    """Local part of the service's address."""
    operator: str = ""
    """Address that is told of what needs a person; empty tells the log only."""
    poll_seconds: Annotated[float, Field(gt=0)] = 20
    largest_mail: Annotated[int, Field(ge=10_000)] = 2_000_000
    """Bytes; larger ones are not read."""
    identity: Literal["token", "token+authenticated"] = "token"
    """Evidence that orders need besides a seat's secret address: an address of the player, or that and proof of it."""
    authserv_id: Annotated[str, Field(validate_default=True)] = ""
    """Name with which our receiving mail server signs its Authentication-Results (RFC 8601); empty believes none."""
    authserv_hops: Annotated[int, Field(ge=0, le=20)] = 0
    """``Received`` headers that our own servers write above that one, such as the one of a delivery by LMTP."""
    arc_sealers: tuple[str, ...] = ()
    """Domains of mailing lists and forwarders whose seals (RFC 8617) are believed."""
    confirm_hours: Annotated[int, Field(ge=1)] = 72
    """For so long a mail from elsewhere, or a new alias, may be confirmed."""
    confirmations_per_day: Annotated[int, Field(ge=1)] = 10
    """So often a day a seat is asked for a confirmation."""
    address_delay_hours: Annotated[int, Field(ge=0)] = 72
    """After so long a new address of record takes effect, unless the old one stops it."""
    most_aliases: Annotated[int, Field(ge=0)] = 5
    """Other addresses of one person."""
    lease_seconds: Annotated[int, Field(ge=5)] = 120
    most_attempts: Annotated[int, Field(ge=1)] = 3
    """A mail that the service has begun so often without coming to an end is tried by another process first."""
    games_in_memory: Annotated[int, Field(ge=1)] = 1_000
    strangers_per_day: Annotated[int, Field(ge=0)] = 1
    """Fixed answers to one address that is not known, or not identified."""
    answers_per_seat: Annotated[int, Field(ge=1)] = 200
    """Answers a day to mails of one seat that change nothing (a game's own moves are never counted)."""
    full_refusals_per_seat: Annotated[int, Field(ge=1)] = 40
    """Full answers a day to refused or kept orders of one seat; further ones are short."""
    answers_per_game: Annotated[int, Field(ge=1)] = 1_000
    """The same for a whole game."""
    same_text_answers: Annotated[int, Field(ge=1)] = 5
    """So often a day a seat is answered to the same text, as long as it changes nothing."""
    press_per_day: Annotated[int, Field(ge=0)] = 30
    """Words to other players that a seat may have passed on in a day; 0: none are."""
    longest_press: Annotated[int, Field(ge=100)] = 8_000
    """Characters of one text to other players."""
    others_per_seat: Annotated[int, Field(ge=1)] = 30
    """Mails a day to a seat's secret address that are dealt with, of each kind that is not known to be the player's:
    from another address, without proof, or with an address that is superseded."""
    strangers_per_hour: Annotated[int, Field(ge=0)] = 300
    """Fixed answers of the whole service to people who are not known; beyond, a breaker opens."""
    breaker_per_hour: Annotated[int, Field(ge=10)] = 5_000
    """Answers of the whole service to mails that change nothing, of players and of others apart; beyond, a breaker
    opens."""
    breaker_hours: Annotated[int, Field(ge=1)] = 6
    """A breaker closes by itself after so long. While it is open each seat gets a few such answers an hour."""
    most_hops: Annotated[int, Field(ge=5)] = 30
    """A mail that passed more servers goes round in circles."""
    bounces_allowed: Annotated[int, Field(ge=1)] = 3
    """So many mails in a row come back for good before a seat counts as unreachable."""
    silent_hours: Annotated[int, Field(ge=1)] = 96
    """After so long without a sign of life a seat that is asked something is reminded, and the operator told."""
    largest_answer: Annotated[int, Field(ge=20_000)] = 400_000
    """Bytes of text in one mail of ours; what was asked to be shown is cut to it."""
    pictures: bool = True
    """Draw maps and charts for mails; if not, every mail goes without, whatever a seat wants."""
    public_url: Annotated[str, Field(pattern=r"^(https?://[^\s<>,]+)?$")] = ""
    """Where the HTTP entry point can be reached (https), for unsubscribing with one click; empty: by mail only."""
    dkim_selector: str = ""
    """Sign outgoing mail with the key of this selector; empty leaves signing to the mail server."""
    dkim_key: Path | None = None
    """File with the private key in PEM."""
    dkim_domain: str = ""
    """Domain that signs; ``domain`` by default."""

    imap_host: str = ""
    """The IMAP server that has the service's mailbox; empty takes mail from the Maildir in ``mail``."""
    imap_security: Security = "tls"
    """``tls`` from the first byte on, ``starttls``, or ``none``, which is for a server on this machine alone."""
    imap_port: Annotated[int, Field(ge=0, le=65_535)] = 0
    """0 is 993 with ``tls`` and 143 otherwise."""
    imap_user: str = ""
    imap_password_file: Path | None = None
    """File with the password and nothing else; read whenever the service logs in."""
    imap_folder: Annotated[str, Field(min_length=1)] = "INBOX"
    imap_filed: Annotated[str, Field(min_length=1)] = "Railpost"
    """Folder below which mail is filed by its outcome, as ``Railpost/applied``."""
    imap_idle: bool = True
    """Be told of new mail (IMAP IDLE) where the server can; polling goes on beside it."""
    idle_seconds: Annotated[float, Field(gt=0, le=540)] = 240
    """So often the watch for new mail is renewed; servers and routers forget connections that say nothing."""
    mail_since: Annotated[str, Field(pattern=r"^(start|all|\d{4}-\d\d-\d\d)$")] = "start"
    """Which mail of an IMAP mailbox is taken: what comes from the first ``start`` on, ``all`` that lies there, or what
    came on a day or later."""
    smtp_host: str = ""
    """The SMTP server that takes our mail; empty delivers into the Maildirs in ``mail``."""
    smtp_security: Security = "starttls"
    smtp_port: Annotated[int, Field(ge=0, le=65_535)] = 0
    """0 is 465 with ``tls``, 587 with ``starttls`` and 25 with ``none``."""
    smtp_user: str = ""
    smtp_password_file: Path | None = None
    """As ``imap_password_file``. Without ``smtp_user`` nobody logs in."""
    tls_ca_file: Path | None = None
    """Certificates of authorities to trust instead of the system's."""
    server_timeout: Annotated[float, Field(gt=0)] = 30
    """Seconds after which an IMAP or SMTP server that says nothing counts as away."""

    log_format: Literal["text", "json"] = "text"
    """The log in lines for people, or one JSON object a line for programs that collect logs."""
    alarm_command: str = ""
    """Run, without a shell, with what the operator must know on its standard input: works when mail does not."""
    alarm_seconds: Annotated[float, Field(gt=0)] = 10
    """The command is ended after so long."""
    alarms_per_hour: Annotated[int, Field(ge=1)] = 10
    """The command is run at most so often; what is left out is counted in the next run."""
    alarm_again_hours: Annotated[int, Field(ge=1)] = 6
    """The same trouble is told again after so long."""
    away_minutes: Annotated[int, Field(ge=0)] = 10
    """A mail server that has been away for so long is told to the operator. One that refuses our login is told at
    once."""
    clock_tolerance: Annotated[int, Field(ge=1)] = 60
    """Seconds by which the machine's clock may disagree with the time that has passed, before deadlines are frozen."""
    outage_minutes: Annotated[int, Field(ge=1)] = 30
    """After so long without work (stopped, or a mail server away) deadlines that fell into it are moved."""
    outage_hours: Annotated[int, Field(ge=0)] = 24
    """They are moved by so much at least, and by the length of the outage if that is longer."""
    disk_free_mb: Annotated[int, Field(ge=0)] = 500
    """``railpost health`` is red with less room for the database."""
    stranger_mail_days: Annotated[int, Field(ge=0)] = 30
    """After so long what strangers and programs wrote is emptied; 0: never."""
    finished_mail_days: Annotated[int, Field(ge=0)] = 365
    """So long after the end of a game what its players wrote and were written is emptied; 0: never."""
    late_minutes: Annotated[int, Field(ge=1)] = 15
    """``railpost health`` is red when a mail has waited so long to be decided, or one that is due to be sent."""
    backup_hours: Annotated[int, Field(ge=0)] = 36
    """``railpost health`` asks for a look when the newest backup is older, and is red after three times as long; 0:
    backups are not looked for."""
    mails_per_day: Annotated[int, Field(ge=0)] = 0
    """Mails that may be sent a day (UTC); 0 is without limit. News stop at three quarters of it, and everything that no
    game waits for at nine tenths."""
    http_listen: str = ""
    """``127.0.0.1:8025``: `railpost run` serves unsubscribing, health and metrics there, for a proxy with TLS before
    it; empty serves nothing."""

    archive: Path | None = None
    """Folder of the web site of all games that `railpost run` keeps up to date, for everybody to open; by default there
    is none."""

    @field_validator("*")
    @classmethod
    def _in_range(cls, value: Any, info: ValidationInfo) -> Any:
        name = str(info.field_name)
        most = next((most for end, most in _LONGEST_TIME.items() if name.endswith(end)), _LARGEST)
        if isinstance(value, int | float) and not value <= most:
            raise ValueError(f"at most {most}")
        return value

    @field_validator("domain", "dkim_domain", "arc_sealers")
    @classmethod
    def _is_a_domain(cls, value: str | tuple[str, ...], info: ValidationInfo) -> str | tuple[str, ...]:
        for domain in (value,) if isinstance(value, str) else value:
            if not _DOMAIN.fullmatch(domain) and (domain or info.field_name == "domain"):
                raise ValueError(f"{domain!r} is not a domain: write one as games.example.org")
        return value

    @field_validator("operator")
    @classmethod
    def _is_an_address(cls, value: str) -> str:
        if value and not _ADDRESS.fullmatch(value):
            raise ValueError(f"{value!r} is not an address: write one as master@example.org")
        return value

    @field_validator("database")
    @classmethod
    def _has_a_driver(cls, value: str) -> str:
        if value and not value.startswith(_DATABASES):
            raise ValueError(
                f"a database is {' or '.join(f'{known}…' for known in _DATABASES)}, not {value.partition(':')[0]!r}"
            )
        return value

    @field_validator("http_listen")
    @classmethod
    def _can_be_listened_on(cls, value: str) -> str:
        found = re.fullmatch(r"[^\s/]+:(\d{1,5})", value)
        if value and (found is None or int(found[1]) > _LARGEST_PORT):
            raise ValueError(f"{value!r} is not a place to listen: write an address and a port, as 127.0.0.1:8025")
        return value

    @field_validator("authserv_id")
    @classmethod
    def _can_prove(cls, value: str, info: ValidationInfo) -> str:
        if not value.strip() and info.data.get("identity") == "token+authenticated":
            raise ValueError("`token+authenticated` needs the name of the server whose results are trusted")
        return value.strip()

    @field_validator("imap_security", "smtp_security")
    @classmethod
    def _only_here(cls, value: Security, info: ValidationInfo) -> Security:
        host = info.data.get(str(info.field_name).replace("security", "host"), "")
        if value == "none" and host and not _LOOPBACK.fullmatch(host):
            raise ValueError(f"`none` would send passwords and secret addresses to {host} for everybody to read")
        return value

    @field_validator("mail_since")
    @classmethod
    def _is_a_day(cls, value: str) -> str:
        if value not in {"start", "all"}:
            date.fromisoformat(value)
        return value

    @field_validator("imap_password_file", "smtp_password_file")
    @classmethod
    def _has_user(cls, value: Path | None, info: ValidationInfo) -> Path | None:
        user = info.data.get(str(info.field_name).replace("password_file", "user"), "")
        if value is not None and not user:
            raise ValueError("there is a password and no user")
        return value

    @field_validator("mailbox")
    @classmethod
    def _fits(cls, value: str) -> str:
        if len(value) + _SECRET_PART > LONGEST_LOCAL_PART:
            raise ValueError(f"at most {LONGEST_LOCAL_PART - _SECRET_PART} characters: secret addresses begin with it")
        return value

    @model_validator(mode="after")
    def _signs_or_not(self) -> Settings:
        if bool(self.dkim_selector) != (self.dkim_key is not None):
            raise ValueError("dkim_selector and dkim_key go together")
        return self

    @property
    def address(self) -> str:
        return f"{self.mailbox}@{self.domain}"

    @property
    def database_url(self) -> str:
        return self.database or f"sqlite:///{self.data / 'railpost.db'}"

    @property
    def database_path(self) -> Path | None:
        """The database's file; None if it is on a server."""
        prefix = "sqlite:///"
        return Path(self.database_url.removeprefix(prefix)) if self.database_url.startswith(prefix) else None

    @property
    def mail_folder(self) -> Path:
        return self.mail or self.data / "mail"


def load(path: Path | None = None, **given: Any) -> Settings:
    """Settings with those of the TOML file ``path``; ``given`` ones win. ``BadConfiguration`` says what is wrong."""
    _all_known(os.environ)
    text, values = "", {}
    if path is not None:
        try:
            text = read_text(path, LARGEST_SETTINGS)
            values = _parsed(text)
        except OSError as error:
            raise BadConfiguration(f"{path}: {error.strerror}") from error
        except UnusableError as error:
            where = f"{path}, line {error.line}" if error.line else f"{path}"
            raise BadConfiguration(f"{where}: {error}") from error
        except tomllib.TOMLDecodeError as error:
            line = re.search(r"line (\d+)", str(error))
            number = line[1] if line else text.count("\n") + 1  # at its end
            raise BadConfiguration(f"{path}, line {number}: {error}") from error

    try:
        return (Settings if path is None else _read_from(values))(**given)
    except ValidationError as error:
        raise BadConfiguration("\n".join(_complaints(error, path, text))) from error


def _read_from(values: dict[str, Any]) -> type[Settings]:
    """Settings that are ``values`` where neither arguments nor the environment say otherwise."""

    class FromFile(Settings):
        @classmethod
        def settings_customise_sources(
            cls, settings_cls: type[BaseSettings], init_settings: PydanticBaseSettingsSource,
            env_settings: PydanticBaseSettingsSource, dotenv_settings: PydanticBaseSettingsSource,
            file_secret_settings: PydanticBaseSettingsSource,
        ) -> tuple[PydanticBaseSettingsSource, ...]:  # fmt: skip
            return (init_settings, env_settings, InitSettingsSource(settings_cls, values))

    return FromFile


def load_for_command(config: Path | None, data: Path | None) -> Settings:
    """Settings as a command line has them: ``railpost.toml`` of the present folder if no file is named.
    ``BadConfiguration`` as ``load``."""
    if config is None and Path("railpost.toml").is_file():
        config = Path("railpost.toml")
    return load(config, **({"data": data} if data is not None else {}))


def _all_known(environment: Mapping[str, str]) -> None:
    """``BadConfiguration`` for a variable that looks like a setting and is none: it would be ignored."""
    known = {f"RAILPOST_{name.upper()}" for name in Settings.model_fields}
    for name in sorted(environment):
        if name.upper().startswith("RAILPOST_") and name.upper() not in known | _NOT_SETTINGS | _OF_TESTS:
            near = difflib.get_close_matches(name.upper(), known, 1)
            raise BadConfiguration(
                f"{name} in the environment: there is no such setting" + (f"; is it {near[0]}?" if near else "")
            )


def _parsed(text: str) -> dict[str, Any]:
    """The settings of a TOML text. ``UnusableError`` besides TOML's own: no setting is a table or a list of lists."""
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > _LONGEST_LINE:
            raise UnusableError(f"has {len(line)} characters in one line; at most {_LONGEST_LINE} are read", number)
    try:
        values = tomllib.loads(text)
    except RecursionError as error:
        raise UnusableError("has lists within lists without end; no setting is more than a list of texts") from error
    except tomllib.TOMLDecodeError:
        raise
    except ValueError as error:  # a number of thousands of digits
        raise UnusableError(f"has a value that cannot be read: {error}") from error
    for name, value in values.items():
        if isinstance(value, dict):
            raise UnusableError(f"{shortened(name)} is a table; a setting is written NAME = VALUE, without tables")
        if isinstance(value, list) and any(isinstance(one, list | dict) for one in value):
            raise UnusableError(f"{shortened(name)} has lists or tables in a list; it can be a list of texts")
    return values


def _complaints(error: ValidationError, path: Path | None, text: str) -> list[str]:
    found = []
    variables = {name.upper(): name for name in os.environ}
    for fault in error.errors():
        name = str(fault["loc"][0]) if fault["loc"] else "?"
        variable = variables.get(f"RAILPOST_{name.upper()}")  # it is taken before the file
        at = re.compile(rf"\s*{re.escape(name)}\s*=")
        number = next((n for n, line in enumerate(text.split("\n"), 1) if at.match(line)), 0)
        where = f"{path}, line {number}: " if number else ""
        unknown = fault["type"] == "extra_forbidden"
        said = "there is no such setting" if unknown else str(fault["msg"]).removeprefix("Value error, ")
        found.append(f"{variable} in the environment: {said}" if variable else f"{where}{name}: {said}")
    return found
