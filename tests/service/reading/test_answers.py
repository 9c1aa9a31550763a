"""What people read when they write what people write: every answer true, short, and with what to do next."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from moderator.domain.transcript import Facts
from moderator.service.people import requests as pending
from moderator.words.position import board_views
from tests.kit.service.mail_service import Letter, Service


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service.open(tmp_path)


@pytest.fixture
def game(service: Service) -> str:
    """Ann is asked to open TSR, then come Bob and Cat."""
    return service.ready_game(deadline_hours=48)


def answer(service: Service, player: str, text: str, to: str | None = None) -> str:
    """What ``player`` is answered, without line breaks."""
    letter = service.say(player, text, to=to)
    assert letter is not None
    return plain(letter)


def plain(letter: Letter) -> str:
    return " ".join(letter.text.split())


# ---- what to do next


def test_who_is_refused_reads_that_all_must_be_sent_again(service: Service, game: str) -> None:
    said = answer(service, "Ann", "open TSR 22")
    assert "Correct your orders and send all of them again" in said and "`help` explains the orders" in said


def test_who_writes_a_remark_between_orders_reads_how_to_write_one(service: Service, game: str) -> None:
    said = answer(service, "Ann", "open TSR 25\nThat was easy.\nlimit 60")
    assert "A remark needs `//` before it." in said


def test_who_writes_a_name_alone_reads_what_it_may_mean(service: Service, game: str) -> None:
    said = answer(service, "Ann", "Ann\nopen TSR 20")
    assert "`Ann` says who acts, and is not an order. It needs a colon before its orders: `Ann:`." in said


def test_what_is_carried_out_is_not_followed_by_advice(service: Service, game: str) -> None:
    assert "again" not in answer(service, "Ann", "open TSR 20")


def test_orders_that_come_too_late_are_not_blamed_on_another_line(service: Service, game: str) -> None:
    old = service.address("Ann")
    service.say("Ann", "open TSR 20")
    said = answer(service, "Ann", "open TSR 25", to=old)
    assert "not carried out" in said and "because of a line" not in said and "Reply to the newest mail" in said


def test_a_welcome_says_how_to_ask_for_help_and_where_rulings_are_told(service: Service, game: str) -> None:
    for player, begins in (
        ("Ann", "It is your turn: your first"),
        ("Bob", "Ann begins; you get a mail when it is your turn"),
    ):
        welcome = next(letter for letter in service.letters(player) if letter.kind == "welcome")
        for needed in (begins, "Reply `help` to get", "docs/rulings.md", "ask the game master"):
            assert needed in plain(welcome)
            assert needed.replace("`help`", "<code>help</code>") in welcome.html


# ---- show


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("trains", "New trains: 2 for R100, 10 left"),
        ("prices", "MARKET, BANK AND TRAINS"),
        ("tiles", "yellow: 3 (2), 4 (4)"),
    ],
)
def test_everything_that_can_be_asked_for_is_shown(service: Service, game: str, word: str, told: str) -> None:
    assert told in answer(service, "Bob", f"show {word}")
    assert service.outcomes() == ["shown"]


def test_tiles_on_the_map_are_not_left(service: Service, game: str) -> None:
    position = service.position(game)
    before = dict(board_views.tiles(position.title, position.state)["yellow"])
    hex, tile = next((h, t) for h, tiles in position.title.map.first_lays.items() for t in tiles if before.get(t))
    laid = replace(position.state, board=position.state.board.lay(hex, tile, 0))
    after = dict(board_views.tiles(position.title, laid)["yellow"])
    assert after == before | {tile: (before[tile] or 0) - 1}


@pytest.mark.parametrize("word", ["lays", "tokens"])
def test_a_list_that_is_empty_says_so(service: Service, game: str, word: str) -> None:
    assert f"`show {word}` has nothing to show" in answer(service, "Bob", f"show {word}")


def test_a_record_is_shown_line_by_line_so_that_it_replays(service: Service, game: str) -> None:
    letter = service.say("Bob", "show record")
    assert letter is not None
    commitment = next(line for line in letter.text.splitlines() if line.startswith("[Commitment"))
    assert commitment.endswith('"]') and len(commitment) > 72
    assert "\0" not in letter.text + letter.html


# ---- what waits


def test_what_is_kept_is_listed_in_every_answer_until_it_is_withdrawn(service: Service, game: str) -> None:
    service.say("Bob", "bid 30 on TSR")
    letter = service.say("Bob", "show map")
    assert letter is not None
    assert "You have given ahead (`withdraw` takes it back): | Bob: bid 30 on TSR" in plain(letter)
    assert "<code>| Bob: bid 30 on TSR</code>" in letter.html
    assert "Withdrawn: `Bob: bid 30 on TSR`." in answer(service, "Bob", "withdraw")
    assert "You have given ahead" not in answer(service, "Bob", "show map")


def test_several_that_are_kept_are_counted_as_withdraw_counts_them(service: Service, game: str) -> None:
    service.say("Bob", "bid 30 on TSR")
    service.say("Bob", "limit 45 on TSR")
    letter = service.say("Bob", "show map")
    assert letter is not None
    assert "`withdraw 1` takes back: | Bob: bid 30 on TSR `withdraw 2` takes back: | Bob: limit 45" in plain(letter)
    assert "<code>withdraw 2</code> takes back:<br>" in letter.html
    assert "Withdrawn: `Bob: limit 45 on TSR`." in answer(service, "Bob", "withdraw 2")


def test_withdraw_takes_one_by_its_place_or_all(service: Service, game: str) -> None:
    for text in ("limit 40 on TSR", "limit 50 on BSS", "limit 60 on MYR"):
        service.say("Bob", text)
    assert "Withdrawn: `Bob: limit 50 on BSS`." in answer(service, "Bob", "withdraw 2")
    assert "nothing of that kind is kept" in answer(service, "Bob", "withdraw 3")
    assert "Withdrawn: `Bob: limit 40 on TSR`, `Bob: limit 60 on MYR`." in answer(service, "Bob", "withdraw all")
    assert "Nothing was withdrawn: nothing is kept." in answer(service, "Bob", "withdraw")


def test_orders_of_several_lines_are_withdrawn_as_one_would_write_them(service: Service, game: str) -> None:
    service.say("Bob", "sell 1 NW\nbuy SE")
    assert "`Bob: sell 1 NW; buy SE`" in answer(service, "Bob", "withdraw")


def test_check_does_not_say_that_something_is_kept(service: Service, game: str) -> None:
    said = answer(service, "Bob", "check\nbid 30 on TSR")
    assert "Would be kept for the auction of TSR: `Bob: bid 30 on TSR`." in said
    assert "Kept for" not in said
    said = answer(service, "Bob", "check\nlimit 60 on TSR")
    assert "A standing bid up to R60 on TSR would be kept" in said


def test_a_standing_bid_is_told_in_money_and_what_it_does(service: Service, game: str) -> None:
    said = answer(service, "Bob", "limit 60 on TSR")
    assert (
        "A standing bid up to R60 on TSR is kept until TSR is sold: it raises for you when you are outbid, and " in said
    )


def test_orders_given_ahead_that_lapse_say_which_and_why(service: Service, game: str) -> None:
    service.say("Bob", "bid 30 on TSR")
    service.say("Ann", "open TSR 40")
    letter = service.letters("Bob")[-1]  # he is asked what he had answered ahead
    assert letter.kind == "turn"
    lapsed = "you gave ahead, `Bob: bid 30 on TSR`, have lapsed: none of them was carried out."
    assert f"{lapsed} A bid must be at least R45 now" in plain(letter)


def test_orders_given_ahead_that_are_carried_out_are_told_in_a_mail_of_their_own(service: Service, game: str) -> None:
    service.say("Bob", "bid 45")
    service.say("Ann", "open TSR 40")
    letter = service.letters("Bob")[-1]
    assert letter.subject == f"[{game}] orders you had given ahead: carried out"
    assert "Carried out, as you ordered ahead: `Bob: bid 45 on TSR`." in plain(letter)


def test_an_order_of_a_company_is_not_kept_for_a_player_who_can_never_be_asked_for_it(
    service: Service, game: str
) -> None:
    said = answer(service, "Bob", "train 2")
    assert "but does not say which company acts: you direct none now" in said and "kept" not in said
    assert service.outcomes() == ["refused"] and service.held(game) == []


# ---- no word of code in HTML


def test_words_to_write_are_code_in_the_html_of_short_mails(service: Service, game: str) -> None:
    facts: Facts = {"player": "Ann", "name": "Dan", "withdrawn": ("GRR:\n  run best\n  done",), "orders": 1}
    with service.desk.sitting() as sitting:
        pending.write(sitting, service.seat(game, "Ann"), ("seat_here", facts))
    service.run()
    letter = service.letters("Ann")[-1]
    assert "<code>help</code>" in letter.html and "`" not in letter.html
    assert "`GRR: run best; done`" in plain(letter)
    assert "1 order has been carried out" in plain(letter)


@pytest.mark.parametrize(
    ("orders", "subject"),
    [
        ("open TRS 25", "checked: not readable"),
        ("open TSR 3", "checked: would be refused"),
        ("open TSR 25", "checked, nothing changed"),
    ],
)
def test_the_subject_says_what_a_check_came_to(service: Service, game: str, orders: str, subject: str) -> None:
    answer = service.say("Ann", f"check\n{orders}")
    assert service.outcomes() == ["checked"]
    assert answer is not None and subject in answer.subject


def test_a_withdrawal_of_nothing_says_so(service: Service, game: str) -> None:
    answer = service.say("Bob", "withdraw")
    assert answer is not None and answer.subject.endswith("nothing to withdraw")
    service.say("Bob", "limit 40 on TSR")
    answer = service.say("Bob", "withdraw")
    assert answer is not None and answer.subject.endswith("withdrawn")


@pytest.mark.parametrize("head", ["press", "press Bob"])
def test_press_is_shown_as_it_was_written(service: Service, game: str, head: str) -> None:
    letter = service.say("Ann", f"{head}: hi")
    assert letter is not None and f"> {head}: hi" in letter.text.splitlines()
