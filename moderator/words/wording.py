"""Put single values into words: an event, a failed check, a question, a line that could not be read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

from engine import Game
from engine.core import events as ev
from engine.core.agenda import Ask, Menu
from engine.core.checks import Failure
from engine.core.ids import BANK, POOL, TREASURY, PlayerId
from engine.core.orders import Agree, Bid, Subject
from engine.core.title import Title
from grammar import Unreadable, write
from moderator.domain.vocabulary import vocabulary
from moderator.words.position.board_views import piece
from moderator.words.question.idle_steps import idle_steps
from moderator.words.question.stage import next_stage
from moderator.words.question.stakes import stake
from moderator.words.texts import Words, words

_FORMATIONS: Final = ("Convert", "Merge", "Borrow")


def describe_event(title: Title, event: ev.Event, language: str = "en") -> str | None:
    """The clause for an event, without a full stop; None for events that are not told."""
    return clause(words(language), title, key_of(event), facts_of(title, event, language))


def describe_failure(title: Title, failure: Failure, language: str = "en") -> str:
    """The sentence for a failed check, with its facts and the section of the rulebook."""
    own = words(language)
    text = own.say("checks", failure.check, title=title, **failure.facts)
    return own.say("words", "failure", text=text, address=title.addresses.get(failure.check, ""), title=title)


def describe_ask(
    title: Title, ask: Ask, language: str = "en", subject: Subject | None = None, *, timed: bool = False,
    again: bool = False, stake: str = "", auctions: bool = True, stage: str | None = None,
    kinds: tuple[str, ...] = _FORMATIONS,
) -> str:  # fmt: skip
    """A question in a sentence or two. ``subject``: the subject of the consent that is asked for, if any. ``timed``: a
    deadline runs, after which silence counts as an answer. ``again``: it follows another question of its kind.
    ``stake``: a sentence on the sums of the question. ``auctions``: something may still be sold by auction. ``stage``:
    the next stage of a turn in which the company can do something, "" if there is none; None for the present one.
    ``kinds``: the kinds of orders that are legal, as far as a text depends on them."""
    own = words(language)
    if again and own.find("asks", f"{ask.what}.again", title.name):
        return own.say("asks", f"{ask.what}.again", title=title, about=ask.about, actor=ask.actor)
    shown = describe_subject(title, subject, language, ask.actor) if subject is not None else ""
    facts = {"about": ask.about, "actor": ask.actor, "subject": shown, "timed": timed, "stake": stake}
    facts |= {"kinds": kinds, "auctions": auctions, "stage": "".join(ask.about[1:2]) if stage is None else stage}
    return own.say("asks", f"{ask.what}.text", title=title, **facts)


def asked_of(game: Game, player: PlayerId, language: str = "en", *, timed: bool = False) -> tuple[str, ...]:
    """The texts of all questions that ``player`` must answer now, for himself or for a company. ``timed``: a deadline
    runs."""
    asks = (ask for ask in game.asked() if ask.player == player)
    return tuple(describe_question(game, ask, game.legal(ask.actor), language, timed=timed) for ask in asks)


def describe_question(
    game: Game, ask: Ask, legal: Menu, language: str = "en", *, timed: bool = False, again: bool = False
) -> str:
    """A question as ``describe_ask`` has it, with all that follows from the position and its ``legal`` answers."""
    sums = stake(words(language), game.title, game.state, ask, legal)
    auctions, stage = bool(game.lots_to_come()), next_stage(game.title, game.state, legal)
    text = describe_ask(
        game.title, ask, language, subject_of(legal), timed=timed, again=again, stake=sums, auctions=auctions,
        stage=stage, kinds=tuple({type(choice.order).__name__: None for choice in legal}),
    )  # fmt: skip
    own = words(language)
    more = (idle_steps(own, game.title, game.state, ask, legal), _still_in(own, game, ask, legal))
    return " ".join(filter(None, (text, *more)))


def _still_in(own: Words, game: Game, ask: Ask, legal: Menu) -> str:
    """A sentence on the other players who can still bid for the lot, besides the holder of the bid; "" where no bid
    is asked for."""
    lot = game.lot()
    if lot is None or ask.actor != ask.player or not any(isinstance(choice.order, Bid) for choice in legal):
        return ""
    others = tuple(player for player in lot.bidders if player != ask.player)
    return own.say("words", "still_in", title=game.title, others=others, begun=lot.holder is not None)


def subject_of(legal: Menu) -> Subject | None:
    """The subject of the consent that is asked for; None if the menu asks for no consent to a subject."""
    return next((choice.order.subject for choice in legal if isinstance(choice.order, Agree)), None)


def describe_subject(title: Title, subject: Subject, language: str = "en", actor: str = "") -> str:
    """The subject of a consent. ``actor``: the player or company whose consent it needs, such as the seller of a
    train."""
    facts = {f.name: getattr(subject, f.name) for f in fields(subject)}
    seller = actor if actor in title.companies else ""
    return words(language).say("words", f"subject_of.{type(subject).__name__}", title=title, seller=seller, **facts)


def describe_unreadable(unreadable: Unreadable, language: str = "en") -> str:
    """The sentences for a fault of the notation: its place, the wrong piece, what was expected, and the suggestion."""
    facts = {f.name: getattr(unreadable, f.name) for f in fields(unreadable)}
    return words(language).say("words", f"unreadable.{unreadable.reason}", **facts)


def clause(own: Words, title: Title, key: str, facts: Mapping[str, Any], about: str | None = None) -> str | None:
    """The clause for ``Type.reason``, or that for the type if there is none; None for what is not told. ``about``: the
    subject of the paragraph, whose name is left out."""
    kind = key.partition(".")[0]
    for found in (key, f"{kind}.other", kind):
        source = own.find("events", found, title.name)
        if source == "":
            return None
        if source is not None:
            return own.say("events", found, title=title, own=about, **facts) or None
    return own.say("events", key, title=title, **facts)


def facts_of(title: Title, event: ev.Event, language: str = "en") -> dict[str, Any]:
    """The facts for the text of an event: its fields, and further facts that texts may use."""
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
    """The key of an event's text: its type, with a reason if there is one."""
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
            return "" if event.routes else event.idle or "none"
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
