"""Build every mail and every sentence that people read, from the texts in ``templates``.

The Python code here only makes views of the position; it contains no text for people.
"""

from moderator.render.calendar import calendar
from moderator.render.digest import digest_mail, digest_section
from moderator.render.guest_mails import catch_up_mail, guest_mail, observer_mail
from moderator.render.invitations import invitation_mail
from moderator.render.mails import (
    Rendered,
    game_over_mail,
    health_words,
    held_mail,
    help_mail,
    news_mail,
    notice_mail,
    operator_mail,
    operator_words,
    press_mail,
    stranger_mail,
    transcript_mail,
    turn_mail,
    unsubscribe_page,
    welcome_mail,
)
from moderator.render.master_mails import from_master_mail, master_answer_mail, to_master_mail
from moderator.render.shows import (
    text_board,
    text_clock,
    text_hex,
    text_history,
    text_lays,
    text_map,
    text_origin,
    text_phase,
    text_position,
    text_run,
    text_seats,
    text_tiles,
    text_trains,
)
from moderator.words.glossary import text_rules, text_word, text_words
from moderator.words.item_shows import text_company, text_private
from moderator.words.wording import describe_ask, describe_event, describe_failure, describe_unreadable

__all__ = [
    "Rendered",
    "calendar",
    "catch_up_mail",
    "describe_ask",
    "describe_event",
    "describe_failure",
    "describe_unreadable",
    "digest_mail",
    "digest_section",
    "from_master_mail",
    "game_over_mail",
    "guest_mail",
    "health_words",
    "held_mail",
    "help_mail",
    "invitation_mail",
    "master_answer_mail",
    "news_mail",
    "notice_mail",
    "observer_mail",
    "operator_mail",
    "operator_words",
    "press_mail",
    "stranger_mail",
    "text_board",
    "text_clock",
    "text_company",
    "text_hex",
    "text_history",
    "text_lays",
    "text_map",
    "text_origin",
    "text_phase",
    "text_position",
    "text_private",
    "text_rules",
    "text_run",
    "text_seats",
    "text_tiles",
    "text_trains",
    "text_word",
    "text_words",
    "to_master_mail",
    "transcript_mail",
    "turn_mail",
    "unsubscribe_page",
    "welcome_mail",
]  # fmt: skip
