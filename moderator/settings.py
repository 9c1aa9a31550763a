"""The service's settings, their defaults and limits; ``settings_file`` reads them."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationInfo, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

LONGEST_LOCAL_PART = 64
"""RFC 5321 4.5.3.1.1, in octets."""
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


class Settings(BaseSettings):
    """Everything that an operator can choose, in the order of ``deploy/railpost.toml``.

    The text below a setting is its whole explanation, with its unit: ``tools/settings.py`` writes it into that file and
    into ``docs/operating.md``. Examples stand in the file where a default would say nothing.
    """

    model_config = SettingsConfigDict(env_prefix="RAILPOST_", extra="forbid", frozen=True)

    data: Annotated[Path, Field(examples=["/var/lib/railpost"])] = Path("var")
    """Folder with the database and, unless ``mail`` names another, the Maildirs."""
    database: Annotated[str, Field(examples=["postgresql+psycopg:///railpost"])] = ""
    """SQLAlchemy URL of the database; empty: the SQLite file ``railpost.db`` in ``data``."""
    mail: Annotated[Path | None, Field(examples=["/var/lib/railpost/mail"])] = None
    """Folder with a Maildir for each address; by default the folder ``mail`` in ``data``."""
    domain: Annotated[str, Field(examples=["games.example.org"])] = "railpost.example"
    """Domain of all addresses of the service."""
    mailbox: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9.-]*$")] = "railpost"
    """Part of the service's address before the ``@``; keep it short, because secret addresses begin with it."""
    operator: Annotated[str, Field(examples=["you@example.org"])] = ""
    """Address that gets mail about everything that needs a person; empty: only the log reports it."""

    imap_host: Annotated[str, Field(examples=["imap.example.org"])] = ""
    """IMAP server with the service's mailbox; empty: mail is read from the Maildir in ``mail``."""
    imap_security: Security = "tls"
    """Encryption of the IMAP connection: ``tls`` from the first byte on, ``starttls``, or ``none``, which is allowed
    only for a server on the same machine."""
    imap_port: Annotated[int, Field(ge=0, le=65_535)] = 0
    """Port of the IMAP server; 0: the usual one, 993 with ``tls`` and 143 otherwise."""
    imap_user: Annotated[str, Field(examples=["railpost@games.example.org"])] = ""
    """User name for the login at the IMAP server."""
    imap_password_file: Annotated[Path | None, Field(examples=["/etc/railpost/password"])] = None
    """File that contains the IMAP password and nothing else; the service reads it at every login."""
    imap_folder: Annotated[str, Field(min_length=1)] = "INBOX"
    """Folder of the IMAP mailbox in which new mail arrives."""
    imap_filed: Annotated[str, Field(min_length=1)] = "Railpost"
    """Folder of the IMAP mailbox below which decided mail is filed by its outcome, for example ``Railpost/applied``."""
    imap_idle: bool = True
    """``true``: the IMAP server tells the service of new mail at once (IDLE), if it can; the service looks every
    ``poll_seconds`` as well."""
    idle_seconds: Annotated[float, Field(gt=0, le=540)] = 240
    """Seconds after which IDLE is renewed, because servers and routers drop silent connections; at most 540."""
    mail_since: Annotated[str, Field(pattern=r"^(start|all|\d{4}-\d\d-\d\d)$")] = "start"
    """The mail in an IMAP mailbox that the service takes: ``start``, all that arrives after the first look; ``all``;
    or a date such as ``2026-03-01``, all that arrived on that day or later."""
    poll_seconds: Annotated[float, Field(gt=0)] = 20
    """Seconds between two looks into the mailbox."""
    largest_mail: Annotated[int, Field(ge=10_000)] = 2_000_000
    """Largest mail that the service reads, in bytes; a larger one is answered, but not read."""

    smtp_host: Annotated[str, Field(examples=["smtp.example.org"])] = ""
    """SMTP server that accepts the service's mail; empty: mail is delivered into the Maildirs in ``mail``."""
    smtp_security: Security = "starttls"
    """Encryption of the SMTP connection: ``tls`` from the first byte on, ``starttls``, or ``none``, which is allowed
    only for a server on the same machine."""
    smtp_port: Annotated[int, Field(ge=0, le=65_535)] = 0
    """Port of the SMTP server; 0: the usual one, 465 with ``tls``, 587 with ``starttls`` and 25 with ``none``."""
    smtp_user: Annotated[str, Field(examples=["railpost@games.example.org"])] = ""
    """User name for the login at the SMTP server; empty: mail is sent without a login."""
    smtp_password_file: Annotated[Path | None, Field(examples=["/etc/railpost/password"])] = None
    """File that contains the SMTP password and nothing else; the service reads it at every login."""
    mails_per_day: Annotated[int, Field(ge=0)] = 0
    """Mails that the service may send in a day (UTC); 0: no limit. It stops sending news at three quarters of the
    limit, and everything that no game waits for at nine tenths."""
    largest_answer: Annotated[int, Field(ge=20_000)] = 400_000
    """Most text in a mail that the service sends, in bytes; what a player asked to see is cut to fit."""
    pictures: bool = True
    """``true``: mails contain maps and charts as pictures."""
    pictures_kept_mb: Annotated[int, Field(ge=0)] = 64
    """Megabytes of drawn hexes and other pieces of pictures to keep in memory, and as many again in the folder
    ``pictures`` of ``data``, which may be deleted at any time; 0: none are kept, and each picture takes many times as
    long."""
    dkim_selector: Annotated[str, Field(examples=["games"])] = ""
    """DKIM selector of the key with which the service signs its mail; empty: signing is left to the mail server."""
    dkim_key: Annotated[Path | None, Field(examples=["/etc/railpost/dkim.pem"])] = None
    """File with the private DKIM key in PEM; needed if ``dkim_selector`` is set."""
    dkim_domain: Annotated[str, Field(examples=["games.example.org"])] = ""
    """Domain in whose name mail is signed; empty: the one in ``domain``."""

    tls_ca_file: Annotated[Path | None, Field(examples=["/etc/railpost/authority.pem"])] = None
    """File with the certificates of the authorities to trust for both servers; by default the system's."""
    server_timeout: Annotated[float, Field(gt=0)] = 30
    """Seconds without a response after which an IMAP or SMTP server counts as unreachable."""

    identity: Literal["token", "token+authenticated"] = "token"
    """Proof that orders need besides the secret address: ``token``, that From is an address of the player's;
    ``token+authenticated``, also that the mail really comes from there, as our mail server found."""
    authserv_id: Annotated[str, Field(validate_default=True, examples=["mx.example.org"])] = ""
    """Name under which our mail server writes ``Authentication-Results`` (RFC 8601); empty: no such header is
    trusted."""
    authserv_hops: Annotated[int, Field(ge=0, le=20)] = 0
    """Number of ``Received`` headers that our own servers write above ``Authentication-Results``, such as one for
    delivery by LMTP."""
    arc_sealers: tuple[str, ...] = ()
    """Domains of mailing lists and forwarders whose ARC seals (RFC 8617) are trusted."""
    confirm_hours: Annotated[int, Field(ge=1)] = 72
    """Hours in which a player can confirm a mail that came from another address, or a new alias."""
    confirmations_per_day: Annotated[int, Field(ge=1)] = 10
    """Most requests for a confirmation that a seat gets in a day."""
    address_delay_hours: Annotated[int, Field(ge=0)] = 72
    """Hours between the agreed change of a player's address and the first mail to the new one; until then, the old
    address can stop the change."""
    most_aliases: Annotated[int, Field(ge=0)] = 5
    """Most addresses from which a player may write besides the address of record."""
    join_hours: Annotated[int, Field(ge=1)] = 72
    """Hours in which an entrant must agree that a full game may begin, and in which an open seat or place is kept for
    the person to whom it is offered."""

    strangers_per_day: Annotated[int, Field(ge=0)] = 1
    """Most fixed answers in a day to one address whose mail does not come to a valid secret address."""
    words_per_address: Annotated[int, Field(ge=0)] = 5
    """Most answers in a day to one address for words such as ``games`` and ``join``, which need no secret address; 0:
    nobody joins by mail."""
    words_per_domain: Annotated[int, Field(ge=0)] = 60
    """Most such answers in a day to all addresses of one domain together; answers to mail with proof of its sender
    count apart, up to ten times as many."""
    answers_per_seat: Annotated[int, Field(ge=1)] = 200
    """Most answers in a day to mails of one player that contain no order; moves and refused orders never count."""
    full_refusals_per_seat: Annotated[int, Field(ge=1)] = 40
    """Answers in a day that explain refused or kept orders of one player in full; further ones say only which it
    was."""
    answers_per_game: Annotated[int, Field(ge=1)] = 1_000
    """Answers in a day to mails without orders in one game; beyond it, players who had more than their share get
    none."""
    others_per_seat: Annotated[int, Field(ge=1)] = 30
    """Most mails in a day to one seat's secret address that are read though they may not be the player's; those from
    another address, without proof, and to a superseded address count separately."""
    same_text_answers: Annotated[int, Field(ge=1)] = 5
    """Most answers in a day to the same text from one seat, while it changes nothing."""
    press_per_day: Annotated[int, Field(ge=0)] = 30
    """Most messages (``press``) that one player may send to other players in a day; 0: none."""
    longest_press: Annotated[int, Field(ge=100)] = 8_000
    """Longest message to other players, in characters."""
    strangers_per_hour: Annotated[int, Field(ge=0)] = 300
    """Answers in an hour to all strangers together, beyond which strangers get none for ``breaker_hours``."""
    breaker_per_hour: Annotated[int, Field(ge=10)] = 5_000
    """Answers in an hour to all mails that change nothing, counted separately for players and others, beyond which
    answers to that group become few for ``breaker_hours``."""
    breaker_hours: Annotated[int, Field(ge=1)] = 6
    """Hours for which a breaker limits answers once ``strangers_per_hour`` or ``breaker_per_hour`` is exceeded;
    ``railpost breaker --reset`` ends it sooner."""
    bounces_allowed: Annotated[int, Field(ge=1)] = 3
    """Number of mails to a player that must bounce for good, one after another, before the seat counts as
    unreachable."""
    silent_hours: Annotated[int, Field(ge=1)] = 96
    """Hours without any mail from a player who must answer, after which the player gets a reminder and the operator is
    told."""

    late_again_hours: Annotated[int, Field(ge=0)] = 48
    """Hours after which a late player is reminded again and the operator told again; 0: only once."""

    log_format: Literal["text", "json"] = "text"
    """Form of the log: ``text``, lines for people, or ``json``, an object on each line for programs that collect
    logs."""
    alarm_command: Annotated[str, Field(examples=["/usr/local/bin/tell-me --now"])] = ""
    """Command that gets each alarm on its standard input, without a shell; it works when mail does not."""
    alarm_seconds: Annotated[float, Field(gt=0)] = 10
    """Seconds after which an alarm command that still runs is ended."""
    alarms_per_hour: Annotated[int, Field(ge=1)] = 10
    """Most runs of the alarm command in an hour; the next run says how many alarms were left out."""
    alarm_again_hours: Annotated[int, Field(ge=1)] = 6
    """Hours after which a problem that persists is reported again."""
    away_minutes: Annotated[int, Field(ge=0)] = 10
    """Minutes for which a mail server must be unreachable before the operator is told; a refused login is told at
    once."""
    disk_free_mb: Annotated[int, Field(ge=0)] = 500
    """Free space for the database, in megabytes, below which ``railpost health`` is red."""
    stranger_mail_days: Annotated[int, Field(ge=0)] = 30
    """Days after which the text of mail from strangers and programs is deleted; 0: never."""
    finished_mail_days: Annotated[int, Field(ge=0)] = 365
    """Days after the end of a game at which the text of mail from and to its players is deleted; 0: never."""
    late_minutes: Annotated[int, Field(ge=1)] = 15
    """Minutes that a mail may wait to be decided or sent before ``railpost health`` is red."""
    backup_hours: Annotated[int, Field(ge=0)] = 36
    """Age of the newest backup, in hours, from which ``railpost health`` says ``look``; it says ``red`` at three times
    that age; 0: backups are not checked."""

    outage_minutes: Annotated[int, Field(ge=1)] = 30
    """Minutes without work (the service was stopped, or a mail server unreachable) that count as an outage, which moves
    the deadlines that fell into it or come soon after."""
    outage_hours: Annotated[int, Field(ge=0)] = 24
    """Hours by which an outage moves deadlines at least; a longer outage moves them by its length."""

    archive: Annotated[Path | None, Field(examples=["/var/lib/railpost/archive"])] = None
    """Folder in which ``railpost run`` keeps a public web site of all games; by default there is none."""

    desk_url: Annotated[
        str, Field(pattern=r"^(https?://[^\s<>#]+)?$", examples=["https://games.example.org/desk/"])
    ] = ""
    """Address of the page of ``railpost desk build``; turn mails and pages of the archive then have links that open the
    position on it. Empty: they have none."""
    desk_with_address: bool = False
    """True: that link has the secret address for the answer, so that the page can open a finished mail. It is then as
    secret as the mail."""
    desk_with_facts: bool = False
    """True: the page was built with the corrected facts of all games that have some, so that these have links, too."""

    http_listen: Annotated[str, Field(examples=["127.0.0.1:8025"])] = ""
    """Address and port on which ``railpost run`` serves unsubscribing, health and metrics by HTTP, behind a proxy with
    TLS; empty: it serves nothing."""
    public_url: Annotated[str, Field(pattern=r"^(https?://[^\s<>,]+)?$", examples=["https://games.example.org"])] = ""
    """Public URL (https) at which mail programs reach ``http_listen``, so that players can unsubscribe with one click;
    empty: only by mail."""

    lease_seconds: Annotated[int, Field(ge=5)] = 120
    """Seconds for which a service reserves a piece of work before another service on the same database may take it."""
    most_attempts: Annotated[int, Field(ge=1)] = 3
    """Attempts at a mail that end with a crash, after which another process tries it first; a mail that ends that
    process, too, is put aside."""
    games_in_memory: Annotated[int, Field(ge=1)] = 1_000
    """Number of games that are kept in memory; others are loaded when needed."""

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
