"""The rest of a turn waits while others are asked: the answer says what stands, what waits for whom, and what must be
sent again."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.ids import CompanyId
from tests.kit.games.course_1861 import operating_turn
from tests.kit.games.situations import Played, company, situation
from tests.kit.service.mail_service import Service
from tests.kit.service.position_game import begin_at

TO_VORONEZH = {"H10": "4#0", "H12": "8#3", "I13": "6#0"}
"""From Moscow a 2-train earns R50 to Tula and R60 to Voronezh."""


def moscow(runs: str = "", cash: int = 100) -> Played:
    """Bob's MVR has a 2-train in Moscow, Ann's N another; ``runs``: the ruling on announced runs."""
    game = situation(
        company("MVR", {"Bob": 2}, at="r6c4", trains="2", markers="H8", cash=cash),
        company("N", "Ann", at="r6c1", trains="2", markers="E1", cash=0),
        phase="2", tiles=TO_VORONEZH, options={"runs": runs} if runs else {},
    )  # fmt: skip
    return operating_turn(game, "MVR")


class Table:
    """A game that goes on from ``moscow``, and what the players are told."""

    def __init__(self, root: Path, game: Played) -> None:
        self.service = Service.open(root)
        options = {"runs": "director"} if game.title.options["runs"] == "director" else None
        self.game = begin_at(self.service, "1861", game.state, options)

    def say(self, player: str, text: str) -> str:
        letter = self.service.say(player, text)
        assert letter is not None
        return " ".join(letter.text.split())

    def last(self, player: str) -> str:
        return " ".join(self.service.letters(player)[-1].text.split())

    @property
    def cash(self) -> int:
        return self.service.position(self.game).state.money(CompanyId("MVR"))


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path, moscow())


@pytest.mark.rule("1861:9.10")
def test_a_turn_mail_says_who_may_announce_more_than_a_low_run(table: Table) -> None:
    said = table.last("Bob").replace("| // ", "").replace("// ", "")
    wanted = "run none Ann and Cat may then announce a better run (1861 v2.0 9.10, §10.6), and the turn waits for them"
    assert wanted in said


def test_where_the_director_alone_declares_nobody_is_named(tmp_path: Path) -> None:
    table = Table(tmp_path, moscow("director"))
    assert "announce" not in table.last("Bob")
    assert "kept for later" not in table.say("Bob", "run 2 H8-H10; pay none; done")


@pytest.mark.rule("1861:9.10")
def test_what_stands_below_a_low_run_waits_until_others_have_answered(table: Table) -> None:
    """It was refused: the answers to the question have no menu, so that it counted as no interruption."""
    answer = table.say("Bob", "run 2 H8-H10; pay none; done")
    assert "run 2 H8-H10 carried out" in answer
    assert "pay none kept for later. 1> done kept for later" in answer
    wanted = (
        "`MVR: pay none; done`, waits for Ann and Cat, who may announce a better run than R50 (1861 v2.0 9.10, §10.6)"
    )
    assert wanted in answer
    assert "It is carried out by itself after that; you need not send it again." in answer
    table.say("Ann", "pass")
    table.say("Cat", "announce MVR 2 H8-I13")
    assert table.cash == 160
    assert "carried out, as you ordered ahead: `mvr: pay none`" in table.last("Bob").casefold()


@pytest.mark.rule("1861:9.10")
def test_a_low_run_alone_says_what_may_be_sent_now(table: Table) -> None:
    answer = table.say("Bob", "run 2 H8-H10")
    assert "MVR's turn goes on when Ann and Cat have answered: they may announce a better run than R50" in answer
    assert "You may send the rest of the turn now, below `MVR:`; it is kept until then." in answer
    assert "kept for later" in table.say("Bob", "MVR: pay none; done")
    table.say("Ann", "pass")
    table.say("Cat", "pass")
    assert table.cash == 150


def test_a_trial_says_the_same_of_what_would_be(table: Table) -> None:
    answer = table.say("Bob", "check\nrun 2 H8-H10; pay none; done")
    assert "`MVR: pay none; done`, would wait for Ann and Cat, who may announce a better run than R50" in answer


@pytest.mark.rule("1861:11.11")
def test_a_purchase_that_needs_consent_is_not_called_carried_out(table: Table) -> None:
    answer = table.say("Bob", "run best; pay none; train 2 from N for 30; done")
    assert "train 2 from N for 30 asks for consent, and waits for it." in answer
    assert "The rest of MVR's turn, `MVR: done`, waits for Ann. It is carried out by itself after that" in answer
    assert "would be refused" not in answer
    table.say("Ann", "agree")
    assert table.cash == 130


@pytest.mark.parametrize(
    ("answer", "cash"), [("yes", 130), ("Yes!", 130), ("Sure.", 130), ("No.", 160), ("No, thanks!", 160), ("ok", 160)]
)
def test_a_bare_yes_or_no_answers_a_question_for_consent(table: Table, answer: str, cash: int) -> None:
    table.say("Bob", "run best; pay none; train 2 from N for 30; done")
    table.say("Ann", answer)
    assert table.cash == cash


def test_a_bare_no_to_a_turn_is_no_order(table: Table) -> None:
    answer = table.say("Bob", "no")
    assert "`no` begins no order" in answer and table.cash == 100


def test_a_rest_that_consent_makes_impossible_is_told_at_once(table: Table) -> None:
    """The company has R160 after its run: a train of R100 can be paid after a refusal, and not after R90 for N's."""
    orders = "run best; pay none; train 2 from N for 90; train 2; done"
    wanted = "If Ann agrees, `MVR: train 2; done` would be refused, and none of it carried out"
    assert wanted in table.say("Bob", f"check\n{orders}")
    answer = table.say("Bob", orders)
    assert wanted in answer and "As things stand" not in answer
    assert "Send the rest anew now, and it replaces this." in answer
    table.say("Ann", "agree")
    said = table.last("Bob")
    assert "`MVR: train 2; done`, have lapsed: none of them was carried out." in said
    assert "Send again what you still want of them." in said
    assert table.cash == 70


def test_a_rest_that_can_follow_consent_and_refusal_alike_is_not_warned_of(table: Table) -> None:
    answer = table.say("Bob", "run best; pay none; train 2 from N for 10; done")
    assert "would be refused" not in answer


def test_consent_given_ahead_leaves_nothing_to_wait_for(table: Table) -> None:
    table.say("Ann", "N: agree train 2 to MVR for 30")
    answer = table.say("Bob", "MVR: run best; pay none; train 2 from N for 30")
    assert "turn goes on when" not in answer
    assert table.cash == 130
