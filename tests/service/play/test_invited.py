"""Invitations by mail: who gets them when a round begins, and how they are answered."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from engine import Game
from engine.core.ids import CompanyId
from engine.families.f1867.stock.frame import StockRound
from engine.robots import sensible
from grammar import write_section
from moderator.domain.ahead.invitation import Invitation
from moderator.domain.asks import giver
from moderator.domain.vocabulary import vocabulary
from moderator.entrypoints.robot_player import as_text, orders_of_turn
from moderator.service.table.invitations import with_invitation
from moderator.service.table.notices import turn_mail
from moderator.service.table.seats import info_for
from moderator.service.table.table import lock_table
from tests.kit.games import situations
from tests.kit.games.situations import company
from tests.kit.service.mail_service import Letter, Service, mail
from tests.kit.service.position_game import begin_at
from tests.service.domain.test_invitation import at_round

SECTION = "ORDERS AHEAD"


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service.open(tmp_path)


def stock(service: Service) -> str:
    """A stock round; when Ann, Bob and Cat have passed, in this order, the next one begins with Ann's turn."""
    found = situations.situation(
        company("NW", {"Bob": 5, "Cat": 2, "Ann": 1}, at="r3c9", cash=700, pool=1, trains="3"),
        company("MKN", {"Ann": 5, "Bob": 2, "Cat": 1}, at="r3c8", cash=900, pool=1, trains="3"),
        round="SR 3", cash={"Ann": 400, "Bob": 400, "Cat": 400},
    )  # fmt: skip
    found.turns(*found.title.begin(found.title, found.state)[:1], StockRound(found.state.players[0]))
    return begin_at(service, "1861", found.state)


@cache
def before_operating() -> tuple[Game, str, str]:
    """A game in which an operating round begins with an order, its player and the order."""
    game = at_round("1861", "OR", 6)
    last = len(game.orders) - 1
    order = game.orders[last]
    game.undo(last)
    text = write_section(order.actor, [order], vocabulary(game.title, game.state.players))
    return game, giver(game, order), text


def operating(service: Service) -> tuple[str, str, str]:
    """A game before its operating round, and the order with which that begins: game, player, order."""
    game, player, text = before_operating()
    return begin_at(service, "1861", game.state), player, text


def all_pass(service: Service, *players: str) -> Letter:
    """The answer to the last of the players who pass."""
    answers = [service.say(player, "pass") for player in players]
    assert answers[-1] is not None
    return answers[-1]


def section(letter: Letter) -> list[str]:
    """The lines of the invitation in a mail, without bars; none if it does not invite."""
    if SECTION not in letter.text:
        return []
    part = letter.text[letter.text.index(SECTION) :].partition("\n\n")[0]
    return [line.removeprefix("| ") for line in part.splitlines() if line.startswith("| ")]


def kinds(service: Service, player: str, since: int) -> list[str]:
    return [letter.kind for letter in service.letters(player)[since:]]


@pytest.mark.parametrize(
    ("notify", "expected"), [("turn", []), ("daily", ["invitation"]), ("round", ["news"]), ("all", ["news"])]
)
def test_who_is_not_on_turn_is_invited_as_he_wishes_in_one_mail(
    service: Service, notify: str, expected: list[str]
) -> None:
    stock(service)
    service.say("Bob", f"notify {notify}")
    all_pass(service, "Ann", "Bob")
    since = len(service.letters("Bob"))
    all_pass(service, "Cat")
    assert kinds(service, "Bob", since) == expected
    for letter in service.letters("Bob")[since:]:
        assert "Bob: pass until anybody acts" in section(letter)


def test_who_begins_the_round_is_invited_in_the_answer_to_him(service: Service) -> None:
    stock(service)
    service.say("Cat", "notify daily")
    all_pass(service, "Ann", "Bob")
    since = len(service.letters("Cat"))
    answer = all_pass(service, "Cat")
    assert section(answer) == [f"BEGIN 1861-1 at {service.at('1861-1')}", "Cat: pass until anybody acts", "END"]
    assert "You act third in this stock round, after Ann and Bob." in " ".join(answer.text.split())
    assert kinds(service, "Cat", since) == ["transcript"]


def test_the_block_is_answered_as_it_stands_by_a_reply(service: Service) -> None:
    game = stock(service)
    service.say("Bob", "notify daily")
    all_pass(service, "Ann", "Bob", "Cat")
    letter = service.letters("Bob")[-1]
    assert letter.kind == "invitation" and "You act second" in letter.text
    answer = service.say("Bob", "\n".join(section(letter)))
    assert answer is not None and service.outcomes()[-1] == "held"
    assert service.held(game) == [("Bob", "Bob: pass until anybody acts", "waiting")]
    service.say("Ann", "pass")
    assert service.log(game)[-1] == "Bob: pass"


def test_who_has_answered_is_not_asked_again(service: Service) -> None:
    stock(service)
    service.say("Bob", "notify all")
    all_pass(service, "Ann", "Bob")
    all_pass(service, "Cat")
    assert section(service.letters("Bob")[-1])
    service.say("Bob", "pass")
    with service.desk.sitting() as sitting:
        table = lock_table(sitting, "1861-1")
        seat = next(seat for seat in table.seats if seat.player == "Bob")
        assert with_invitation(table, seat, info_for(table, seat)).invitation is None


def test_an_answer_from_elsewhere_needs_consent_as_any_order(service: Service) -> None:
    game = stock(service)
    service.say("Bob", "notify daily")
    all_pass(service, "Ann", "Bob", "Cat")
    letter = service.letters("Bob")[-1]
    content = mail("\n".join(section(letter)), sender="eve@elsewhere.example", to=letter.reply_to)
    service.send(content, letter.reply_to)
    service.run()
    assert service.outcomes()[-1] == "unconfirmed" and service.held(game) == []


def test_an_answer_that_comes_when_he_is_asked_is_too_late_and_does_nothing(service: Service) -> None:
    game = stock(service)
    service.say("Bob", "notify daily")
    all_pass(service, "Ann", "Bob", "Cat")
    letter = service.letters("Bob")[-1]
    service.say("Ann", "pass")
    assert service.letters("Bob")[-1].kind == "turn"
    log = service.log(game)
    service.say("Bob", "\n".join(section(letter)), to=letter.reply_to)
    assert service.outcomes()[-1] == "stale"
    assert service.log(game) == log and service.held(game) == []


def test_the_welcome_to_a_game_invites_to_bid_ahead(service: Service) -> None:
    """The examples count only when somebody takes them from behind the ``//``."""
    game = service.ready_game()
    (letter,) = [letter for letter in service.letters("Cat") if letter.kind == "welcome"]
    lines = section(letter)
    assert "// plan TSR 30, BSS 45, MYR 60, MRR 75, WVR 90, budget 120" in lines
    service.say("Cat", "\n".join(lines))
    assert service.held(game) == [] and service.outcomes()[-1] == "empty"
    service.say("Cat", "\n".join(line.removeprefix("// ") for line in lines))
    assert service.outcomes()[-1] == "held" and len(service.held(game)) == len(lines) - 2


# ---- operating rounds ------------------------------------------------------------------------------------------------


def test_whoever_has_companies_is_invited_and_the_turn_mail_offers_later_ones(service: Service) -> None:
    game, player, text = operating(service)
    for name in before_operating()[0].state.players:
        service.say(name, "notify all")
    service.say(player, text)
    now = service.position(game)
    assert now.state.round.kind == "OR"
    (asked,) = {ask.player for ask in now.asked()}
    offered = 0
    for name in now.state.players:
        lines = section(service.letters(name)[-1])
        companies = [line.partition(":")[0] for line in lines if ":" in line]
        for each in companies:
            assert now.title.policies.director(now.title, now.state, CompanyId(each)) == name
            assert each not in {ask.actor for ask in now.asked()}
        assert bool(lines) == bool(companies) and (not lines or (lines[0][:5] == "BEGIN") == (name != asked))
        offered += len(companies)
        if lines and name != asked:
            assert "in this round:" in " ".join(service.letters(name)[-1].text.split())
            service.say(name, "\n".join(lines))
            assert service.outcomes()[-1] == "held"
    assert offered > 2 and section(service.letters(asked)[-1])
    (held,) = {status for *_, status in service.held(game)}
    assert held == "waiting"


def test_the_routine_that_an_invitation_names_is_kept_as_a_standing_order(service: Service) -> None:
    game, player, text = operating(service)
    for name in before_operating()[0].state.players:
        service.say(name, "notify all")
    service.say(player, text)
    named = 0
    for name in service.position(game).state.players:
        letter = service.letters(name)[-1]
        found = re.search(r"`([^`]*each turn[^`]*)`", " ".join(letter.text.split()))
        assert (found is not None) == bool(section(letter))
        if found is not None:
            service.say(name, found.group(1))
            assert service.held(game)[-1] == (name, found.group(1), "waiting")
            named += 1
    assert named > 1


def test_a_company_without_an_offered_line_is_named_as_such(service: Service) -> None:
    letters = service.letters  # of the first player who is invited for a part of his companies
    service.ready_game("1867")
    for player in ("Ann", "Bob", "Cat"):
        service.say(player, "notify round")
    for _ in range(120):
        game = service.position("1867-1")
        for name in game.state.players:
            text = " ".join(letters(str(name))[-1].text.split())
            if "operate in this round:" in text and "write lines of your own" in text:
                offered = {line.partition(":")[0] for line in section(letters(str(name))[-1])}
                missing = re.search(r"For (.*?) write lines of your own", text)
                assert missing is not None
                assert not offered & set(re.split(r", | and ", missing.group(1)))
                return
        ask = game.asked()[0]
        service.say(str(ask.player), as_text(game, orders_of_turn(game, str(ask.player), sensible)))
    raise AssertionError("nobody was invited for a part of his companies")


def test_a_reminder_does_not_invite_again(service: Service) -> None:
    game, player, text = operating(service)
    service.say(player, text)
    with service.desk.sitting() as sitting:
        table = lock_table(sitting, game)
        asked = next(seat for seat in table.seats if seat.question)
        turn_mail(table, asked, "reminder")
        turn_mail(table, asked)
    service.run()
    reminder, again = service.letters(asked.player)[-2:]
    assert [reminder.kind, again.kind] == ["reminder", "turn"]
    assert not section(reminder) and section(again)


def test_lines_are_short_and_nothing_is_read_as_an_order(service: Service) -> None:
    stock(service)
    service.say("Bob", "notify daily")
    all_pass(service, "Ann", "Bob", "Cat")
    letter = service.letters("Bob")[-1]
    assert max(len(line) for line in letter.text.splitlines() if "@" not in line) <= 72
    assert len(letter.text.splitlines()) < 25
    before = service.held("1861-1")
    service.say("Bob", letter.text.split("\n", 1)[1])  # the whole mail comes back without any mark of quotation
    assert service.held("1861-1") == before


# ---- standing orders -------------------------------------------------------------------------------------------------


def invitations(service: Service, game: str) -> dict[str, Invitation | None]:
    """The invitation that each player would get now."""
    with service.desk.sitting() as sitting:
        table = lock_table(sitting, game)
        return {seat.player: with_invitation(table, seat, info_for(table, seat)).invitation for seat in table.seats}


def test_who_has_a_plan_is_not_asked_for_bids(service: Service) -> None:
    game = service.ready_game()
    service.say("Bob", "plan TSR 60, WVR 120")
    assert service.outcomes() == ["held"]
    found = invitations(service, game)
    assert found["Bob"] is None and found["Cat"] is not None


def test_who_passes_until_somebody_acts_is_not_asked_for_a_pass(service: Service) -> None:
    game = stock(service)
    service.say("Bob", "pass until anybody acts")
    found = invitations(service, game)
    assert found["Bob"] is None and found["Cat"] is not None


def test_a_company_that_takes_the_same_steps_each_turn_is_not_asked_for(service: Service) -> None:
    game, player, text = operating(service)
    service.say(player, text)
    asked = {ask.player for ask in service.position(game).asked()}
    name, found = next((n, one) for n, one in invitations(service, game).items() if one is not None and n not in asked)
    first = found.lines[0].partition(":")[0]
    service.say(name, f"{first}: each turn run best, done")
    assert service.outcomes()[-1] == "held"
    left = invitations(service, game)[name]
    assert left is None or first not in [one for _, one in left.companies]
