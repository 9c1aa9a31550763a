"""The texts of one language, from ``templates``: sentences by key and mails by name, filled with facts."""

from __future__ import annotations

import logging
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from dataclasses import fields
from functools import lru_cache
from typing import Any

from jinja2 import (
    ChoiceLoader,
    Environment,
    FunctionLoader,
    PackageLoader,
    StrictUndefined,
    Template,
    TemplateError,
    pass_context,
)
from jinja2.runtime import Context
from markupsafe import Markup, escape

import templates
from engine.core.state import Round
from engine.core.title import Title
from engine.svg.colors import plain_color
from moderator.domain.counts import counted
from moderator.domain.figures.history import Income
from moderator.words import asking, rule_text, times
from moderator.words.contrast import ink
from moderator.words.position import lay_text
from moderator.words.position.board_views import HexLine, Piece, example_hexes
from moderator.words.position.views import CompanyLine, Holding
from moderator.words.text import clean, fold, verbatim

log = logging.getLogger("railpost.words")

_SPACE = re.compile(r"[ \t\r\n]+")
"""White space that may be collapsed; a non-breaking space may not."""
_ROWS = 20_000
"""The maximum number of rows of maps that are cached, of about 200 bytes each."""
_ORDERS = "/orders.txt.j2"
"""The page of a title's orders in its folder."""
TABLES = ("checks", "asks", "events", "words", "defaults", "glossary")


class Words:
    """The tables and templates of one language. Use ``words`` to get one."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.env = _environment(language)
        self._known = dict(self.env.globals)
        self.tables: dict[str, dict[str, Any]] = {
            name: _flat(tomllib.loads(templates.table(language, name))) for name in TABLES
        }
        self._own: dict[str, dict[str, dict[str, Any]]] = {}
        """Title -> the tables with the title's own entries."""
        self._compiled: dict[str, Template] = {}
        self._rows: dict[tuple[str, str, str, HexLine], str] = {}

    def own(self, title: str) -> dict[str, dict[str, Any]]:
        """The tables for a title: those of the language, with the entries that its family and it add or replace."""
        if not title:
            return self.tables
        if title not in self._own:
            above = self.own(templates.family(self.language, title))
            texts = {name: templates.table(self.language, name, title) for name in TABLES}
            self._own[title] = {name: above[name] | _flat(tomllib.loads(text)) for name, text in texts.items()}
        return self._own[title]

    def find(self, table: str, key: str, title: str = "") -> Any:
        """The entry under ``key`` for a title; None if there is none."""
        return self.own(title)[table].get(key)

    def say(self, table: str, key: str, /, **facts: Any) -> str:
        """The sentence for ``key``. If there is none, or if it needs a fact that is missing, the key with all facts, so
        that a person reads something rough rather than nothing. The log tells the operator; in tests that is a
        failure."""
        name = getattr(facts.get("title"), "name", "")
        source = self.find(table, key, name)
        try:
            if isinstance(source, str):
                return _SPACE.sub(" ", self._filled(self._template(source), facts)).strip()
            reason = "there are none"
        except (TemplateError, TypeError, KeyError) as error:
            reason = f"{type(error).__name__}: {error}"
        log.error("no words for %s in %s of %s: %s", key, table, name or "all titles", reason)
        return _rough(key, facts)

    def word(self, key: str, default: str | None = None, title: str = "") -> str:
        """A fixed word or heading. If the language has none: ``default`` or, without it, the last part of the key."""
        found = self.find("words", key, title)
        return found if isinstance(found, str) else (key.rpartition(".")[2] if default is None else default)

    def listed(self, table: str, key: str, title: str = "") -> list[Any]:
        """The list under ``key`` in a table; empty if there is none."""
        return list(self.find(table, key, title) or ())

    def text(self, name: str, /, **context: Any) -> str:
        """The plain text of the template ``name``, such as ``turn``, folded for narrow screens."""
        return fold(self._filled(self.env.get_template(f"{name}.txt.j2"), {"words": self, **context}))

    def page(self, name: str, /, **context: Any) -> str:
        """The HTML of the template ``name``, a page or a part of one, for a browser: styles are not inlined."""
        return self._page(name, context).strip() + "\n"

    def map_row(self, name: str, title: Title, hex: HexLine) -> str:
        """A hex as a row of the map, rendered with the template ``name``. Rows are cached, because most hexes stay the
        same from mail to mail."""
        key = (name, title.name, title.facts_digest, hex)
        if key not in self._rows:
            if len(self._rows) >= _ROWS:
                self._rows.clear()
            facts = {"words": self, "title": title, "h": hex}
            self._rows[key] = self._filled(self.env.get_template(name), facts).strip()
        return self._rows[key]

    def _page(self, name: str, context: Mapping[str, Any]) -> str:
        return self._filled(self.env.get_template(f"{name}.html.j2"), {"words": self, **context})

    def _filled(self, template: Template, facts: Mapping[str, Any]) -> str:
        """Render a template. Does the same as ``template.render``, but without copying the global names each time,
        because a mail has a hundred sentences."""
        context = template.new_context({**self._known, **facts}, shared=True)
        return "".join(template.root_render_func(context))

    def _template(self, source: str) -> Template:
        found = self._compiled.get(source)
        if found is None:
            found = self._compiled[source] = self.env.from_string(source)
        return found


@lru_cache(maxsize=8)
def words(language: str = "en") -> Words:
    """The texts of a language, or of English if there are none."""
    return Words(language if language in templates.LANGUAGES else templates.LANGUAGES[0])


class _Context(Context):
    """The facts of one rendering. All templates have the same global names, so a context need not list its own."""

    def __init__(
        self, environment: Environment, parent: dict[str, Any], name: str | None,
        blocks: dict[str, Callable[[Context], Iterator[str]]], globals: MutableMapping[str, Any] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(environment, parent, name, blocks)


def _environment(language: str) -> Environment:
    env = Environment(
        loader=ChoiceLoader([PackageLoader("templates", language), FunctionLoader(lambda path: _page(language, path))]),
        autoescape=lambda name: name is not None and name.endswith(".html.j2"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,  # a template that changes is a new version of the service
    )
    filters: dict[str, Callable[..., Any]] = {
        "money": _money, "place": _place, "plural": counted, "listed": _listed, "either": _either, "clean": clean,
        "ended": _ended, "word": _word, "more": _more, "of_player": _of_player, "piece": _piece, "hand": _hand,
        "map_row": _map_row, "sentence": _sentence,
        "pairs": _pairs, "round_name": _round_name, "code": _code, "a_train": _a_train,
        "ground": plain_color, "ink": ink, "private": _private,
        "verbatim": verbatim, "origin": origin, "some_hex": _some_hex, "some_part": _some_part,
        "pay_order": "`pay {}`".format, "nobody": _nobody, "income": _income,
    }  # fmt: skip
    for more in (times, asking, lay_text, rule_text):
        filters |= more.filters(words)
    env.filters.update(filters)
    env.context_class = _Context
    env.globals["language"] = language
    env.globals["by"] = _by
    return env


def _page(language: str, path: str) -> str | None:
    """A page of a title from another package. ``FileNotFoundError`` if a title has no page of its orders."""
    found = templates.page(language, path)
    if found is None and path.endswith(_ORDERS):
        raise FileNotFoundError(f"templates/{language}/{path} is missing: mails need it to list the title's orders")
    return found


def _code(text: str) -> Markup:
    """A sentence as HTML: escaped, with text between backticks as code."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))


@pass_context
def _money(context: Context, amount: int) -> str:
    """An amount in the title's currency."""
    title: Title = context["title"]
    sign = "-" if amount < 0 else ""
    form = words(context["language"]).word("money", title=title.name)
    return sign + form.format(currency=title.currency, amount=f"{abs(amount):,}")


@pass_context
def _place(context: Context, hex: str) -> str:
    """A hex with its printed name, if it has one."""
    title: Title = context["title"]
    found = title.map.hexes.get(hex)  # type: ignore[call-overload]
    return f"{hex} {found.name}" if found is not None and found.name else str(hex)


@pass_context
def _word(context: Context, key: str, group: str = "") -> str:
    """The language's word for a key of the engine, such as ``Pool``, ``minor`` or ``track``."""
    title = getattr(context.get("title"), "name", "")
    return words(context["language"]).word(f"{group}.{key}" if group else str(key), str(key), title)


@pass_context
def _more(context: Context, name: str) -> str:
    """A text with the facts that only this title has about ``name``: a company or private, "" for the whole game,
    "map" for the present map, or "printed" for the unchanging part of the map. Empty if there are none."""
    title: Title = context["title"]
    facts = title.policies.remarks(title, context["state"], name)
    if not facts.keys() - {"kept", "floats", "homes"}:  # it only says how the name is listed, and how it floats
        return ""
    private = title.privates.get(name)  # type: ignore[call-overload]
    kind = {"": "game", "map": "map", "printed": "printed"}.get(name, "company") if private is None else private.kind
    return words(context["language"]).say("words", f"more.{kind}", title=title, **facts)


@pass_context
def _of_player(context: Context, name: str) -> str:
    """A text with the facts that only this title has about a player; empty if there are none."""
    title: Title = context["title"]
    facts = {} if name in ("map", "printed") else title.policies.remarks(title, context["state"], name)
    return words(context["language"]).say("words", "more.player", title=title, **facts) if facts else ""


@pass_context
def _private(context: Context, id: str) -> str:
    """A private as it is called in lists of items for sale: the word for orders, perhaps with its full name."""
    title: Title = context["title"]
    name = title.privates[id].name  # type: ignore[index]
    return words(context["language"]).say("words", "private", title=title, id=id, name=name)


@pass_context
def _piece(context: Context, piece: Piece) -> str:
    """The words for a piece laid over a hex: a tunnel, other track, or a panel of incomes."""
    own = words(context["language"])
    facts = {field.name: getattr(piece, field.name) for field in fields(piece)}
    return own.say("words", f"piece.{piece.kind}", title=context["title"], **facts)


@pass_context
def _map_row(context: Context, hex: HexLine) -> str:
    """A hex as a row of the map, as text or HTML like the template that asks for it."""
    own, html = words(context["language"]), context.eval_ctx.autoescape
    row = own.map_row("hex.html.j2" if html else "hex.txt.j2", context["title"], hex)
    return Markup(row) if html else row


@pass_context
def _hand(context: Context, holding: Holding) -> str:
    """The special certificates of a holding, such as `` (director, 1 double)``; empty if there are none."""
    if not holding.director and not holding.doubles and not holding.shorts:
        return ""
    own, facts = words(context["language"]), {"director": holding.director, "doubles": holding.doubles}
    said = own.say("words", "hand", **facts, shorts=holding.shorts, title=context.get("title"))
    return f" ({said})" if said else ""


@pass_context
def _nobody(context: Context, line: CompanyLine) -> str:
    """Why nobody controls a company now, such as ``merging into AFI``."""
    key, name = line.waits or ("circle" if line.circle else "chain" if line.chain else "none", "".join(line.chain[-1:]))
    own = words(context["language"])
    return own.say("words", f"nobody.{key}", title=context["title"], name=name, circle=line.circle)


@pass_context
def _pairs(context: Context, rows: Iterable[tuple[str, int]]) -> str:
    """Names with amounts, such as ``Ann R40, Bob R15``."""
    return ", ".join(f"{_word(context, name, 'places')} {_money(context, amount)}" for name, amount in rows)


@pass_context
def _round_name(context: Context, round: Round) -> str:
    """The name of a round, such as ``Operating round 3.1``."""
    own, title = words(context["language"]), context.get("title")
    name = title if isinstance(title, str) else getattr(title, "name", "")
    kind = own.word(f"rounds.{round.kind}", round.kind, name)
    facts = {"key": round.kind, "kind": kind, "set": round.set, "number": round.number}
    return own.say("words", "round", title=title, **facts)


@pass_context
def _a_train(context: Context, train: str, capital: bool = False) -> str:
    """A train with its article, such as ``a 3H-train``. ``capital``: it begins a sentence."""
    text = words(context["language"]).say("words", "a_train", title=context["title"], train=str(train))
    return text[:1].upper() + text[1:] if capital else text


@pass_context
def _income(context: Context, income: Income) -> str:
    """The revenue of a company in a round, what became of it, and the income of a share."""
    share = income.per_share
    exact = None if share is None else int(share) if share.denominator == 1 else round(float(share), 2)
    facts = {"revenue": income.revenue, "kind": income.kind, "share": exact}
    return words(context["language"]).say("words", "income_of", title=context["title"], **facts)


@pass_context
def _by(context: Context, name: str | None) -> str:
    """``name`` followed by a space; empty if the paragraph is about ``name``."""
    return "" if not name or name == context.get("own") else f"{_word(context, name, 'places')} "


@pass_context
def origin(context: Context, title: Title) -> str:
    """The sentences on the parts of the game that are reconstructed or corrected; empty if its facts are those of the
    printed game."""
    return said_of_origin(words(context["language"]), title)


def said_of_origin(own: Words, title: Title) -> str:
    if not title.reconstructed and not title.own_facts:
        return ""
    parts = tuple(own.word(f"part_of_box.{part}", title=title.name) for part in title.reconstructed)
    return own.say("words", "origin", title=title, parts=parts, digest=title.facts_digest)


def _some_hex(title: Title) -> str:
    """A hex of the title's map, for examples."""
    return example_hexes(title.map)[1]


def _some_part(title: Title) -> str:
    """A part of the title's map as orders name it, for examples."""
    return "-".join(example_hexes(title.map))


def _ended(text: str) -> str:
    """A text of somebody else with a full stop at its end, unless it ends with a mark of its own."""
    text = text.strip()
    return text if not text or text[-1] in ".!?\N{HORIZONTAL ELLIPSIS}" else f"{text}."


@pass_context
def _listed(context: Context, items: Iterable[Any] | str | None, none: str | None = None) -> str:
    """Join items as ``a, b and c``. ``none``: the text if there are none, by default the language's word."""
    return _join(context, items, "and", none)


@pass_context
def _either(context: Context, items: Iterable[Any] | str | None, none: str | None = None) -> str:
    """Join items as ``a, b or c``. ``none``: the text if there are none, by default the language's word."""
    return _join(context, items, "or", none)


def _join(context: Context, items: Iterable[Any] | str | None, last: str, none: str | None) -> str:
    own = words(context["language"])
    shown = [items] if isinstance(items, str) else [str(i) for i in items or ()]
    if not shown:
        return own.word("none") if none is None else none
    if len(shown) == 1:
        return shown[0]
    return f"{', '.join(shown[:-1])} {own.word(last)} {shown[-1]}"


def _sentence(text: str) -> str:
    """``text`` with a capital at the beginning and a full stop at the end."""
    text = text.strip()
    if not text:
        return text
    return text[0].upper() + text[1:] + ("" if text[-1] in ".!?:" else ".")


def _flat(table: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in table.items():
        if isinstance(value, dict):
            flat |= _flat(value, f"{prefix}{key}.")
        else:
            flat[prefix + key] = value
    return flat


def _rough(key: str, facts: Mapping[str, Any]) -> str:
    shown = ", ".join(f"{k}: {_shown(v)}" for k, v in facts.items() if k != "title")
    return f"{key} ({shown})" if shown else key


def _shown(value: Any) -> str:
    return ", ".join(map(_shown, value)) if isinstance(value, tuple | list) else str(value)
