"""Standing orders by mail: they are kept, listed, taken back, told when they end, and secret from all others."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlmodel import text

from moderator.service.people.hand_over import hand_over
from moderator.service.play import undo
from moderator.service.table.table import lock_table
from tests.kit.games.situations_1844 import situation, swiss
from tests.kit.service.mail_service import Service
from tests.kit.service.position_game import begin_at

pytestmark = pytest.mark.usefixtures("each_database")


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service.open(tmp_path / "var")


@pytest.fixture
def game(service: Service) -> str:
    return service.ready_game("1861")


def told(service: Service, player: str, number: int = -1) -> str:
    return " ".join(service.letters(player)[number].text.split())


def first_of(service: Service, game: str) -> tuple[str, str, str]:
    """The players, from the one who opens the first lot."""
    order = service.position(game).state.players
    at = order.index(service.position(game).asked()[0].player)
    first, second, third = (str(order[(at + n) % 3]) for n in range(3))
    return first, second, third


def second_wins(service: Service, game: str, plan: str) -> tuple[str, str, str]:
    """The players, after the second has won the first lot with ``plan``."""
    first, second, third = first_of(service, game)
    service.say(second, plan)
    service.say(first, "open TSR 20")
    service.say(third, "drop")
    service.say(first, "drop")
    return first, second, third


def test_a_plan_is_kept_listed_and_taken_back(service: Service, game: str) -> None:
    _, second, _ = first_of(service, game)
    service.say(second, "plan TSR 40, BSS 60, budget 90")
    assert "Your `plan` is kept as a standing order until it ends by itself" in told(service, second)
    assert told(service, second).count("plan TSR 40, BSS 60, budget 90") == 2, "as it was written, and in the list"
    service.say(second, "show standing")
    assert f"1. {second}: plan TSR 40, BSS 60, budget 90" in told(service, second)
    service.say(second, "withdraw 1")
    assert service.held(game) == [(second, f"{second}: plan TSR 40, BSS 60, budget 90", "withdrawn")]


def test_a_plan_bids_and_its_owner_is_told_what_is_left(service: Service, game: str) -> None:
    first, second, _ = second_wins(service, game, "plan TSR 40, BSS 60, budget 90")
    assert service.log(game)[:2] == [f"{first}: open TSR 20", f"{second}: bid 25"]
    assert [status for *_, status in service.held(game)] == ["replaced", "waiting"]
    assert service.held(game)[-1][1] == f"{second}: plan BSS 60, budget 65"
    (won,) = [letter for letter in service.letters(second) if letter.subject.endswith("a lot was won")]
    told_of_it = " ".join(won.text.split())
    assert "You won TSR for R25. What is left of your plan stands." in told_of_it
    assert f"takes it back): | {second}: plan BSS 60, budget 65" in told_of_it


def test_nobody_else_sees_a_limit_of_a_plan(service: Service, game: str) -> None:
    """Each number of the plan is one that occurs nowhere else."""
    first, _, third = second_wins(service, game, "plan TSR 137, BSS 268, budget 379")
    service.say(first, "show record")
    service.say(third, "show orders")
    others = " ".join(letter.text + letter.html for who in (first, third) for letter in service.letters(who))
    assert [number for number in ("137", "268", "379") if number in others] == []
    with service.desk.database.reading() as session:
        entries = session.connection().execute(text("select text from entry")).scalars()
        assert [one for one in entries if any(number in one for number in ("137", "268", "379"))] == []


def test_the_end_of_an_order_is_told_with_its_reason(service: Service, game: str) -> None:
    first, second, _ = first_of(service, game)
    service.say(second, f"pass until {first} acts")
    service.say(first, "open TSR 20")
    letters = " ".join(" ".join(letter.text.split()) for letter in service.letters(second))
    assert f"Your standing order `{second}: pass until {first} acts` has ended. {first} did more than pass" in letters


def test_a_turn_that_is_given_up_is_told_with_its_reason_and_to_its_owner_alone(service: Service) -> None:
    """1844. Three players in a stock round; the last keeps two turns. He hears of their end before he is asked."""
    sbb = swiss("SBB", {"Bob": (1, 2), "Ann": (0, 1)}, pool=(1, 2), cash=500)
    position = situation(sbb, phase="5", cash={"Ann": 3000, "Bob": 100, "Cat": 1000}).stock("Ann")
    name = begin_at(service, "1844", position.state)
    turns = "Cat:\n  unless Ann acts or SBB is at least 4137911\n  buy SBB from pool\nCat: buy SBB from pool"
    service.say("Cat", turns)
    assert "`Cat: unless Ann acts or SBB is at least 4137911; buy SBB from pool`" in told(service, "Cat").replace(
        "``", "`"
    )
    service.say("Cat", "show standing")
    assert "unless Ann acts or SBB is at least 4137911" in told(service, "Cat")
    service.say("Ann", "buy SBB from pool")
    assert [status for *_, status in service.held(name)] == ["lapsed", "lapsed"]
    assert "have lapsed: none of them was carried out. Ann did more than pass." in told(service, "Cat")
    follows = "They were to follow `Cat: unless Ann acts or SBB is at least 4137911; buy SBB from pool`, which was not"
    assert follows in told(service, "Cat")
    assert [ask.player for ask in service.position(name).asked()] == ["Bob"]
    others = " ".join(letter.text + letter.html for who in ("Ann", "Bob") for letter in service.letters(who))
    assert "4137911" not in others and "unless" not in others


def test_a_mail_that_is_only_a_trial_keeps_nothing(service: Service, game: str) -> None:
    _, second, _ = first_of(service, game)
    service.say(second, "check\nplan TSR 40")
    assert "Your `plan` would be kept as a standing order" in told(service, second)
    assert service.held(game) == []


def test_standing_orders_stand_in_a_service_that_was_opened_again(service: Service, game: str, tmp_path: Path) -> None:
    first, second, _ = first_of(service, game)
    service.say(second, f"plan TSR 40 or BSS 60, N 150 unless TSR; pass until {first} acts")
    service.desk.database.close()
    again = Service.open(tmp_path / "var")
    again.clock.moment = service.clock.moment
    again.say(first, "open TSR 20")
    assert again.log(game)[-1] == f"{second}: bid 25"


def test_a_plan_that_another_player_cuts_short_says_so(service: Service, game: str) -> None:
    first, second, third = first_of(service, game)
    service.say(second, "plan TSR 20, BSS 60")
    service.say(first, "open TSR 20")
    service.say(third, "drop")
    (cut,) = [letter for letter in service.letters(second) if letter.subject.endswith("the plan goes on")]
    assert "TSR is no longer for sale. What is left of your plan stands." in " ".join(cut.text.split())


def test_the_last_lot_of_a_plan_is_told_as_won_and_the_plan_as_ended(service: Service, game: str) -> None:
    first, second, third = first_of(service, game)
    service.say(second, "plan TSR 40")
    service.say(first, "open TSR 20")
    service.say(third, "drop")
    service.say(first, "drop")
    (won,) = [letter for letter in service.letters(second) if "You won TSR for R25." in " ".join(letter.text.split())]
    assert "lapsed" not in won.subject and "plan TSR 40` has ended" in " ".join(won.text.split())


def test_an_end_without_a_win_is_not_called_lapsed(service: Service, game: str) -> None:
    first, second, _ = first_of(service, game)
    service.say(second, "pass until anybody acts")
    service.say(first, "open TSR 20")
    assert not any("lapsed" in letter.subject for letter in service.letters(second))


def test_a_refused_mail_does_not_say_that_a_standing_order_was_kept(service: Service, game: str) -> None:
    _, second, _ = first_of(service, game)
    service.say(second, "plan TSR 40, BSS 60\nnot more than 80 altogether please")
    assert service.outcomes()[-1] == "unreadable" and service.held(game) == []
    assert "standing order" not in told(service, second)


def test_only_what_is_replaced_is_named_as_replaced(service: Service, game: str) -> None:
    _, second, _ = first_of(service, game)
    service.say(second, "plan TSR 40\npass until the round ends")
    service.say(second, "plan TSR 50")
    assert f"Replaced: `{second}: plan TSR 40`." in told(service, second)
    assert "`withdraw` takes all of it back" in told(service, second)
    assert [status for *_, status in service.held(game)] == ["replaced", "waiting", "waiting"]


def test_an_undo_takes_back_what_a_plan_won_and_says_that_it_is_over(service: Service, game: str) -> None:
    _, second, _ = second_wins(service, game, "plan TSR 40, BSS 60")
    undo.undo(service.desk, game, 1, "a slip")
    service.run()
    statuses = [status for *_, status in service.held(game)]
    assert "waiting" not in statuses, "what is left of the plan was made by what went"
    letters = " ".join(" ".join(letter.text.split()) for letter in service.letters(second))
    assert "plan BSS 60" in letters


def test_who_gets_the_seat_does_not_get_its_standing_orders(service: Service, game: str) -> None:
    _, second, _ = first_of(service, game)
    service.say(second, "plan TSR 40")
    with service.desk.sitting() as sitting:
        seat = next(one for one in lock_table(sitting, game).seats if one.player == second)
        hand_over(sitting, seat, "Dan", "dan@example.org")
    assert [status for *_, status in service.held(game)] == ["withdrawn"]


def test_a_limit_for_a_lot_of_the_plan_changes_it_and_says_so(service: Service, game: str) -> None:
    first, second, third = first_of(service, game)
    service.say(second, "plan TSR 60 or BSS 45, budget 200")
    service.say(second, "limit 30 on TSR")
    assert f"Your plan is now `{second}: plan TSR 30 or BSS 45, budget 200`." in told(service, second)
    assert [status for *_, status in service.held(game)] == ["replaced", "replaced", "waiting"]
    service.say(first, "open TSR 20; limit 90 on TSR")
    service.say(third, "drop")
    bids = [line for line in service.log(game) if line.startswith(f"{second}: bid")]
    assert bids == [f"{second}: bid 25"], "the next bid would be above the later limit"


def test_a_plan_says_that_it_replaces_a_limit(service: Service, game: str) -> None:
    _, second, _ = first_of(service, game)
    service.say(second, "limit 80 on TSR")
    service.say(second, "plan TSR 30, BSS 45")
    assert f"Replaced: `{second}: limit 80 on TSR`." in told(service, second)
    assert [status for *_, status in service.held(game)] == ["replaced", "waiting"]


def test_a_semicolon_in_a_plan_is_answered_with_the_whole_plan(service: Service, game: str) -> None:
    _, second, _ = first_of(service, game)
    service.say(second, "plan TSR 25; BSS 90")
    assert service.held(game) == []
    answer = told(service, second)
    assert "`BSS 90` is no order by itself" in answer and "write `plan TSR 25, BSS 90`" in answer
    service.say(second, "plan TSR 25, BSS 90")
    service.say(second, "show kept")
    assert f"1. {second}: plan TSR 25, BSS 90" in told(service, second)


def test_an_order_that_is_done_at_once_is_not_called_kept(service: Service) -> None:
    """1844: Ann, on turn, buys the only certificate that her order is for. Bob may not sell what he orders."""
    sbb = swiss("SBB", {"Bob": (1, 2), "Ann": (0, 1)}, pool=(1, 2), cash=500)
    position = situation(sbb, phase="5", cash={"Ann": 3000, "Bob": 100, "Cat": 100}).stock("Ann")
    begin_at(service, "1844", position.state)
    service.say("Ann", "buy SBB double up to 3")
    answer = told(service, "Ann")
    assert "1> buy SBB double up to 3 carried out." in answer
    assert "Your standing order `Ann: buy SBB double up to 3` has ended. You hold 3 shares of SBB" in answer
    assert "lapsed" not in answer and "kept" not in answer
    service.say("Bob", "sell down SBB to 3")
    assert "1> sell down SBB to 3 lapsed The pool has no room" in told(service, "Bob")
    assert "kept" not in told(service, "Bob")
