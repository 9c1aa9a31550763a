"""Single things in words: an event, a failed check, a question, a line that could not be read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from engine import Game
from engine.core import events as ev
from engine.core.agenda import Ask
from engine.core.checks import Failure
from engine.core.ids import BANK, POOL, TREASURY, PlayerId
from engine.core.orders import Agree, Subject
from engine.core.title import Title
from grammar import Unreadable, write
from moderator.domain.vocabulary import vocabulary
from moderator.render.board_views import piece
from moderator.render.words import Words, words


def describe_event(title: Title, event: ev.Event, language: str = "en") -> str | None:
    """One clause, without a full stop; None for events that are not told."""
    return clause(words(language), title, key_of(event), facts_of(title, event, language))


def describe_failure(title: Title, failure: Failure, language: str = "en") -> str:
    """One sentence with the facts and the address of the rule."""
    own = words(language)
    text = own.say("checks", failure.check, title=title, **failure.facts)
    return own.say("words", "failure", text=text, address=title.addresses.get(failure.check, ""), title=title)


def describe_ask(title: Title, ask: Ask, language: str = "en", subject: Subject | None = None) -> str:
    """The question, in a sentence or two; ``subject``: what consent is asked for."""
    own = words(language)
    shown = describe_subject(title, subject, language, ask.actor) if subject is not None else ""
    return own.say("asks", f"{ask.what}.text", title=title, about=ask.about, actor=ask.actor, subject=shown)


def asked_of(game: Game, player: PlayerId, language: str = "en") -> tuple[str, ...]:
    """Every question that ``player`` must answer now, for himself or a company."""
    found = []
    for ask in game.asked():
        if ask.player == player:
            legal = game.legal(ask.actor)
            subject = next((choice.order.subject for choice in legal if isinstance(choice.order, Agree)), None)
            found.append(describe_ask(game.title, ask, language, subject))
    return tuple(found)


def describe_subject(title: Title, subject: Subject, language: str = "en", actor: str = "") -> str:
    """The thing that is agreed to; ``actor``: whose consent it needs, the seller of a train."""
    facts = {f.name: getattr(subject, f.name) for f in fields(subject)}
    seller = actor if actor in title.companies else ""
    return words(language).say("words", f"subject_of.{type(subject).__name__}", title=title, seller=seller, **facts)


def describe_unreadable(unreadable: Unreadable, language: str = "en") -> str:
    """The place where reading stopped, the piece there, what was expected, and the nearest thing that is right."""
    facts = {f.name: getattr(unreadable, f.name) for f in fields(unreadable)}
    return words(language).say("words", f"unreadable.{unreadable.reason}", **facts)


def clause(own: Words, title: Title, key: str, facts: Mapping[str, Any], about: str | None = None) -> str | None:
    """The clause for ``Type.reason``, falling back to the type's own; None for what is not told. ``about``: the name
    that the paragraph is about, which is not repeated."""
    kind = key.partition(".")[0]
    for found in (key, f"{kind}.other", kind):
        source = own.find("events", found, title.name)
        if source == "":
            return None
        if source is not None:
            return own.say("events", found, title=title, own=about, **facts) or None
    return own.say("events", key, title=title, **facts)


def facts_of(title: Title, event: ev.Event, language: str = "en") -> dict[str, Any]:
    """An event's fields, and what words may ask for besides."""
    facts: dict[str, Any] = {f.name: getattr(event, f.name) for f in fields(event)}
    facts |= {"paid": 0, "payments": ()}
    facts.setdefault("payee", None)
    if isinstance(event, ev.ConsentAsked | ev.ConsentGiven | ev.ConsentRefused):
        facts["subject_text"] = describe_subject(title, event.subject, language, event.actor)
    if isinstance(event, ev.OverlayLaid):
        shown = piece(title, event.tile, event.rotation)
        facts |= {"kind": shown.kind, "ends": shown.ends, "values": shown.values}
    if isinstance(event, ev.Lapsed):
        facts["order_text"] = write(event.order, vocabulary(title))
    return facts


def key_of(event: ev.Event) -> str:
    """Type and reason: the key of an event's words."""
    name = type(event).__name__
    reason = _reason(event)
    return f"{name}.{reason}" if reason else name


def _reason(event: ev.Event) -> str:
    match event:
        case ev.Distributed():
            return event.kind
        case ev.LotDrawn():
            return event.purpose
        case ev.Passed() | ev.Dropped():
            return "forced" if event.forced else ""
        case ev.Won():
            return "" if event.amount else "free"
        case ev.Ran():
            return "" if event.routes else "none"
        case ev.PrivateMoved():
            return "" if event.owner else "none"
        case ev.CertificatesMoved():
            return "redeemed" if (event.source, event.target) == (POOL, TREASURY) else ""
        case ev.TrainMoved():
            return _train_reason(event)
        case _:
            return str(getattr(event, "reason", ""))


def _train_reason(event: ev.TrainMoved) -> str:
    if event.target == "":
        return "removed"
    if event.target == POOL:
        return "discarded"
    return {BANK: "bank", POOL: "pool", "": "given"}.get(event.source, "")
