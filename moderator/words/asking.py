"""Filters of templates that say who the game master is and how to ask him."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from jinja2 import pass_context
from jinja2.runtime import Context

from moderator.words.times import Words


class Master(Protocol):
    """The game master. ``name`` is empty if it is the operator of the service."""

    @property
    def name(self) -> str: ...


def filters(words: Callable[[str], Words]) -> dict[str, Callable[..., str]]:
    """The filters by their names. ``words``: language -> its words."""

    def say(context: Context, key: str, **facts: object) -> str:
        return words(context["language"]).say("words", key, **facts)

    @pass_context
    def the_master(context: Context, master: Master | None, capital: bool = False) -> str:
        """The game master by name, such as ``Max, the game master``, if the game names him. ``capital``: he begins a
        sentence."""
        name = master.name if master is not None else ""
        text = say(context, "the_master", name=name)
        return text[:1].upper() + text[1:] if capital and not name else text

    @pass_context
    def master_at(context: Context, master: Master | None) -> str:
        """The same with his address."""
        return say(context, "master_at", who=the_master(context, master), master=master)

    @pass_context
    def ask_master(context: Context, master: Master | None) -> str:
        """The person to ask and the way, to follow words such as ``If you have questions,``."""
        return say(context, "ask_master", master=master)

    return {"the_master": the_master, "master_at": master_at, "ask_master": ask_master}
