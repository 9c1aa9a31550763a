"""Render mails: each has a subject, a plain text for phones, and the same in simple HTML."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from engine.core.events import RoundBegan
from engine.core.game import Game
from engine.core.ids import PlayerId
from engine.positions import write_position
from grammar import Press
from moderator.domain.figures.history import RoundTold, before_rounds, begin_of_round, history
from moderator.domain.house_names import HOUSE_NAMES
from moderator.domain.info import REPLY_MARK, GameInfo
from moderator.domain.pictures import Picture
from moderator.domain.transcript import Transcript
from moderator.render.desk_link import desk_link
from moderator.render.facts import Invited, about_game, context_of, defaults
from moderator.render.inline_styles import mail_html
from moderator.render.options import differing
from moderator.render.pictures import of_position, of_shown
from moderator.render.subjects import cut, subject_of
from moderator.render.tenures import dealt_words, figures_words, waits_words
from moderator.render.transcript import one_line, outcome_of, transcript_view, unsealed
from moderator.words.links import Links
from moderator.words.position.board_views import printed_near
from moderator.words.position.facts import Kept
from moderator.words.question.questions import Question, anytime, questions, suggested
from moderator.words.story import Chapter, draws, fitting, latest, split, story
from moderator.words.text import MARK, WIDTH, clean, verbatim
from moderator.words.texts import Words, words
from moderator.words.times import in_words, moment
from moderator.words.wording import asked_of

_LATEST: Final = 8
"""The maximum number of paragraphs of the story before the tables of an HTML mail; earlier ones follow the tables."""
_SHORT: Final = 700
"""The maximum number of characters of those paragraphs, but at least one: less than half a screen."""
_SCREEN: Final = 2000
"""The maximum number of characters of the story in the first mail to a reader: about a screen."""
_ROUNDS: Final = 2
"""The maximum number of rounds that are summed up in a mail."""
_BUTTONS: Final = {"ask": "button", "ask_digest": "button_digest"}
"""Pages about stopping mail -> the words on their buttons."""
YES_OR_NO: Final = ("yes", "no")
_NOT_UNDERSTOOD: Final = ("empty", "unreadable")
"""The outcomes of mails after which the answer shows what a legal answer looks like."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """A mail to be sent. ``subject`` has no line breaks. ``text``: the text/plain part. ``html``: the text/html
    part."""

    subject: str
    text: str
    html: str
    pictures: tuple[Picture, ...] = ()
    """The pictures that ``html`` refers to. They are drawn when the mail is sent."""


def turn_mail(game: Game, info: GameInfo, seat: PlayerId, since: int, language: str = "en") -> Rendered:
    """The mail with everything that ``seat`` needs to answer. ``since``: the number of orders at its last turn mail; -1
    for the whole game."""
    own, whole, game = words(language), game.state, game.seen_by(seat)
    found = questions(own, game, seat, timed=info.deadline is not None)
    short = [
        own.say("asks", f"{q.ask.what}.short", title=game.title, about=q.ask.about, subject=q.subject) for q in found
    ]
    context = context_of(own, game, info, seat, whole) | {"questions": found} | _story(own, game, since)
    context["anytime"] = anytime(game, seat, found)
    built = (hex for question in found for hex in question.built)
    context["near"] = printed_near(game.title, game.state, built)
    context["first"] = all(order.actor != seat for order in game.orders)
    context["defaults"] = defaults(own, game, info, found)
    context["pictures"] = of_position(own, game, info, found, max(0, since))
    context["earlier"], context["latest"] = _split(context["chapters"])
    context["rounds_over"] = _rounds_over(game, since)
    key = "late" if info.reminder and info.late else "reminder" if info.reminder else "turn"
    subject = cut(clean(subject_of(own, key, short or [info.title], info=info, title=game.title)))
    context["links"] = Links(info.reply_to, subject, seat, len(found) == 1)
    context["desk"] = _desk(game, info, seat, subject)
    if since > 0 and info.draws and any(picture.id == "picture-map" for picture in context["pictures"]):
        kept = Kept.since(game.at(since), game.state)
        kept = replace(kept, shares=kept.shares and not any(q.about_shares for q in found))
        on_map = any(q.ask.actor in game.state.companies for q in found)
        context["kept"] = kept if on_map else replace(kept, listed=kept.hexes)
    context["chart_first"] = any(q.ask.what == "stock.turn" for q in found)
    return rendered(own, "turn", subject, context)


def _desk(game: Game, info: GameInfo, seat: PlayerId, subject: str) -> str:
    """The link that opens the turn on the desk; "" if there is no desk. A game with corrected facts has none
    unless the page has them."""
    if not info.desk_url or (game.title.own_facts and not info.desk_with_facts):
        return ""
    return desk_link(
        info.desk_url, write_position(game, seat), reply_to=info.reply_to if info.desk_with_address else "",
        subject=subject, game=info.id, at=str(info.at),
    )  # fmt: skip


def news_mail(game: Game, info: GameInfo, seat: PlayerId, since: int, language: str = "en") -> Rendered:
    """The mail with the news after the first ``since`` orders, for a seat that is not asked anything."""
    own, whole, game = words(language), game.state, game.seen_by(seat)
    context = context_of(own, game, info, seat, whole) | {"questions": ()} | _story(own, game, since)
    context["anytime"] = anytime(game, seat)
    context["pictures"] = of_position(own, game, info, since=max(0, since))
    context["earlier"], context["latest"] = _split(context["chapters"])
    context["rounds_over"] = _rounds_over(game, since)
    subject = subject_of(own, "wait", info.asked, info=info, title=game.title, round=game.state.round)
    return rendered(own, "news", subject, context)


def transcript_mail(game: Game, info: GameInfo, transcript: Transcript, language: str = "en") -> Rendered:
    """The answer to a mail: each line with its result, the story of what followed, and the players who are asked
    now."""
    return _answer(game, info, transcript, "transcript", language)


def held_mail(game: Game, info: GameInfo, transcript: Transcript, language: str = "en") -> Rendered:
    """The mail about orders that a seat had given ahead, when they are carried out or lapse."""
    return _answer(game, info, transcript, "held", language)


def help_mail(game: Game, info: GameInfo, seat: PlayerId, language: str = "en") -> Rendered:
    """The help mail: instructions for writing orders, with examples that are legal now."""
    own, whole, game = words(language), game.state, game.seen_by(seat)
    found = questions(own, game, seat, timed=info.deadline is not None)
    context = context_of(own, game, info, seat, whole) | {"questions": found, "chapters": []}
    context["anytime"] = anytime(game, seat, found)
    subject = clean(own.say("words", "subject.help", info=info, title=game.title))
    context["links"] = Links(info.reply_to, subject, seat, len(found) == 1)
    return rendered(own, "help", subject, context)


def welcome_mail(game: Game, info: GameInfo, seat: PlayerId, language: str = "en") -> Rendered:
    """The first mail of a game: seats, options, the commitment to the seed, and instructions for play by mail."""
    own, whole, game = words(language), game.state, game.seen_by(seat)
    context = context_of(own, game, info, seat, whole) | {
        "questions": questions(own, game, seat, timed=info.deadline is not None)
    }
    context |= _story(own, game, -1) | {"pictures": of_position(own, game, info), "played": len(game.orders)}
    context |= {"differs": differing(game.title, info), "dealt": dealt_words(own, info.dealt)}
    context["figures"] = {player: figures_words(own, found) for player, found in info.figures.items()}
    return rendered(own, "welcome", own.say("words", "subject.welcome", info=info, title=game.title), context)


def game_over_mail(
    game: Game, info: GameInfo, seat: PlayerId, language: str = "en", since: int | None = None
) -> Rendered:
    """The mail at the end of a game: the final standings, the seed of all lots, and the story after the first ``since``
    orders, by default of the last one."""
    own, whole, game = words(language), game.state, game.seen_by(seat)
    last = len(game.orders) - 1 if since is None else since
    context = context_of(own, game, info, seat, whole) | {"questions": (), "chapters": story(own, game, last)}
    context |= {"standings": _places(game), "draws": draws(game), "pictures": of_position(own, game, info)}
    context["differs"] = differing(game.title, info)
    context |= {"waited": waits_words(own, info.waits), "house_names": HOUSE_NAMES}
    return rendered(own, "game_over", own.say("words", "subject.game_over", info=info, title=game.title), context)


def press_mail(info: GameInfo, writer: str, to: Sequence[str], lines: Sequence[str], language: str = "en") -> Rendered:
    """The mail with a message of ``writer`` to the players ``to``; empty for all. Invisible characters are removed."""
    own = words(language)
    others = tuple(name for name in to if name not in (info.seat, writer))
    context = {"info": info, "reply_mark": REPLY_MARK, "writer": writer, "everyone": not to, "others": others}
    context |= barred(lines)
    subject = own.say("words", "subject.press", info=info, writer=writer)
    return rendered(own, "press", subject, context)


def stranger_mail(language: str = "en", *, known: bool = False) -> Rendered:
    """The fixed answer to mail that is for no seat. It repeats nothing of that mail. ``known``: its sender is a
    player."""
    own = words(language)
    return rendered(own, "stranger", own.word("subject.no_seat" if known else "subject.stranger"), {"known": known})


def operator_mail(problem: str, language: str = "en") -> Rendered:
    """The mail to the operator about a problem that needs a person."""
    return Rendered(clean(words(language).word("subject.operator")), f"{clean(problem)}\n", "")


def notice_mail(info: GameInfo, key: str, facts: Mapping[str, Any], language: str = "en") -> Rendered:
    """A short mail about a seat or the mail to it: the text ``notice.KEY``, filled with ``facts``."""
    own = words(language)
    deadline = moment(own, info.deadline, info.zone)
    about = {"info": info, "reply_mark": REPLY_MARK, "mark": MARK, "deadline": deadline}
    about |= in_words(own, dict(facts), info.zone)
    press: Sequence[Press] = facts.get("press", ())
    written = [line for one in press for line in one.text.split("\n")] or str(facts.get("said", "")).splitlines()
    about |= barred(written) if written else {}
    if isinstance(given := about.get("withdrawn"), tuple | list):
        about["withdrawn"] = tuple(one_line(str(text)) for text in given)
    subject = cut(clean(own.say("words", f"notice_subject.{key}", **about)))
    context = about | {"sentences": own.say("words", f"notice.{key}", **about)}
    context |= {"links": Links(info.reply_to, subject), "choices": _choices(key, about)}
    return rendered(own, "notice", subject, context)


def _choices(key: str, facts: Mapping[str, Any]) -> tuple[str, ...]:
    """The answers that the notice ``key`` asks for; none if it asks for nothing."""
    if key == "vote_begun":
        number = "" if facts["only"] else f" {facts['number']}"
        return f"vote yes{number}", f"vote no{number}"
    return YES_OR_NO if key.startswith(("confirm.", "office_confirm")) else ()


def operator_words(key: str, facts: Mapping[str, Any], language: str = "en") -> str:
    """A message to the operator: the text ``operator.KEY``, filled with ``facts``."""
    return words(language).say("words", f"operator.{key}", **facts)


def health_words(key: str, facts: Mapping[str, Any], language: str = "en") -> str:
    """A line on the health of the service, with advice: the text ``health.KEY``, filled with ``facts``."""
    return words(language).say("words", f"health.{key}", **facts)


def unsubscribe_page(key: str, facts: Mapping[str, Any], language: str = "en") -> str:
    """The web page about stopping mail: the text ``unsubscribe.KEY``, filled with ``facts``, with a button where it
    asks."""
    own = words(language)
    button = own.word(f"unsubscribe.{_BUTTONS[key]}") if key in _BUTTONS else ""
    sentences = own.say("words", f"unsubscribe.{key}", **facts)
    return mail_html(own, "unsubscribe", subject=own.word("unsubscribe.title"), sentences=sentences, button=button)


def _places(game: Game) -> list[tuple[int, str, int]]:
    """Place, player and wealth in the final standings. Players of equal wealth share a place."""
    rows = game.standings()
    return [(1 + sum(1 for _, other in rows if other > wealth), player, wealth) for player, wealth in rows]


def _story(own: Words, game: Game, since: int) -> dict[str, Any]:
    """The ``chapters`` of the story after the first ``since`` orders. Of a whole game (``begun``) only the latest are
    told: it is ``shortened``."""
    chapters, begun = story(own, game, since), since <= 0
    told, shortened = latest(chapters, _SCREEN) if begun else (chapters, False)
    return {"chapters": told, "begun": begun, "shortened": shortened}


def _split(chapters: list[Chapter]) -> tuple[list[Chapter], list[Chapter]]:
    """The earlier part of a story, and the latest, which stands before the tables of an HTML mail."""
    return split(chapters, min(_LATEST, fitting(chapters, _SHORT)))


def _rounds_over(game: Game, since: int) -> tuple[RoundTold, ...]:
    """The latest rounds with runs that have ended after the first ``since`` orders."""
    since = max(0, since)
    if game.at(since).round == game.state.round:
        return ()
    ended = [told for told in history(game, begin_of_round(game, since)) if told.over and told.companies]
    return tuple(ended[-_ROUNDS:])


def _answer(game: Game, info: GameInfo, transcript: Transcript, name: str, language: str) -> Rendered:
    own, seat = words(language), PlayerId(info.seat)
    game = game.seen_by(seat)
    answered = transcript_view(own, game.title, transcript)
    outcome = own.word(f"outcome.{outcome_of(transcript)}", transcript.outcome)
    context = about_game(own, game, info, seat) | {
        "questions": asked_of(game, seat, language, timed=info.deadline is not None),
        "outcome": outcome,
    }
    context |= {"transcript_at": transcript.state_token, "empty": transcript.outcome == "empty"}
    alone = bool(transcript.likely) or not any(line.verdict == "refused" for line in transcript.lines[:1])
    alone = alone and transcript.outcome not in _NOT_UNDERSTOOD
    context["suggested"] = suggested(game, seat, transcript.likely, alone=alone)
    moves = transcript.moves or [line.events for line in transcript.lines if line.verdict == "accepted"]
    begun = {event.round for events in moves for event in events if isinstance(event, RoundBegan)}
    context["rounds_over"] = _rounds_over(game, before_rounds(game, begun)) if begun else ()
    undone = transcript.outcome == "undone"
    context["unsealed"] = unsealed(transcript.notes)
    context |= {"undone": undone, "opened": transcript.outcome == "opened"}
    pictured = of_shown(own, game, transcript.state_token, transcript.shown, info.pictures)
    context |= {"pictured": pictured, "pictures": tuple(pictured.values())}
    told = {"info": info, "title": game.title, "outcome": outcome, "opened": context["opened"]}
    subject = own.say("words", f"subject.{'undone' if undone else name}", **told)
    context["links"] = Links(info.reply_to, subject)
    return rendered(own, name, subject, context | answered)


def barred(text: Iterable[str]) -> dict[str, Any]:
    """Text of somebody else: ``lines`` for HTML, and ``barred`` for plain text, where every line is short and begins
    with a bar."""
    lines = tuple(MARK + " ".join(clean(line).split()) for line in text)
    broken = (part for line in lines for part in textwrap.wrap(line, WIDTH, subsequent_indent=MARK) or [MARK])
    return {"lines": lines, "barred": verbatim("\n".join(part.rstrip() for part in broken))}


def rendered(own: Words, name: str, subject: str, context: Mapping[str, Any]) -> Rendered:
    subject = cut(clean(subject))
    invited = context.get("invited")
    if isinstance(invited, Invited):
        context = {**context, "block_link": Links(context["info"].reply_to, subject).text(invited.block)}
    html = mail_html(own, name, subject=subject, **context)
    shown = tuple(picture for picture in context.get("pictures", ()) if f'"cid:{picture.id}"' in html)
    return Rendered(subject, own.text(name, **context), html, shown)


__all__ = [
    "Chapter", "Question", "Rendered", "game_over_mail", "health_words", "held_mail", "help_mail", "moment",
    "news_mail", "notice_mail", "operator_words", "press_mail", "questions", "stranger_mail", "transcript_mail",
    "turn_mail", "unsubscribe_page", "welcome_mail",
]  # fmt: skip
