"""A filter of templates that cites the rule behind a sentence."""

from __future__ import annotations

from collections.abc import Callable

from jinja2 import pass_context
from jinja2.runtime import Context

from engine.core.title import Title
from moderator.words.times import Words


def filters(words: Callable[[str], Words]) -> dict[str, Callable[..., str]]:
    """The filter by its name. ``words``: language -> its words."""

    @pass_context
    def by_rule(context: Context, title: Title, check: str) -> str:
        """The rule of a check, in parentheses after a space; "" if the title has none."""
        own, address = words(context["language"]), title.addresses.get(check, "")
        return f" {own.say('words', 'by_rule', title=title, address=address)}" if address else ""

    return {"by_rule": by_rule}
