"""1841 as its players meet it by mail: companies that act through their owners, consent, mergers, circles."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.games.situations_1841 import Italian, firm, situation
from tests.kit.service.mail_service import Letter, Service
from tests.kit.service.position_game import begin_at


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service.open(tmp_path)


def say(service: Service, player: str, text: str) -> Letter:
    answer = service.say(player, text)
    assert answer is not None
    return answer


def question(service: Service, player: str) -> Letter:
    """The latest mail that asked ``player`` something."""
    return next(letter for letter in reversed(service.letters(player)) if letter.kind == "turn")


def words(letter: Letter) -> str:
    """The text of a mail in one line."""
    return " ".join(letter.text.split())


def chain() -> Italian:
    """Ann runs SFTG, which runs SFTN; Bob runs RSFS."""
    return situation(
        firm("SFTG", {"Ann": 5, "Bob": 1}, at="I2", cash=900, trains="4"),
        firm("SFTN", {"SFTG": 3, "Cat": 1}, at="C3", cash=300, trains="4"),
        firm("RSFS", {"Bob": 4, "Ann": 1}, at="F4", cash=200, trains="4", markers="M7"),
        cash={"Ann": 400, "Bob": 400, "Cat": 400},
    )


def test_a_company_that_another_company_owns_buys_a_share(service: Service) -> None:
    game = begin_at(service, "1841", chain().turn("SFTN", "buy", waiting="RSFS").state)
    asked = question(service, "Ann")
    assert asked.subject.endswith("SFTN operates")
    assert "SFTN (Ann, through SFTG)" in words(asked)
    say(service, "Ann", "SFTN: buy RSFS from treasury; done")
    assert service.log(game)[-2:] == ["SFTN: buy RSFS from offering", "SFTN: done"]
    told = words(question(service, "Bob"))
    assert "Ann Bob Cat own SFTN SFTG" in told
    assert "RSFS 1 4* - 4 1 -" in told


def test_whoever_does_not_run_a_company_is_told_who_does(service: Service) -> None:
    game = begin_at(service, "1841", chain().turn("SFTN", "buy", waiting="RSFS").state)
    answer = say(service, "Bob", "SFTN: buy RSFS from treasury")
    assert answer.subject.endswith("refused, nothing changed")
    assert "SFTN is run by SFTG, which is run by Ann" in words(answer)
    assert service.log(game)[1:] == []


def test_a_purchase_from_another_player_is_agreed_by_mail(service: Service) -> None:
    game = begin_at(service, "1841", chain().stock("Bob", "SR 2").state)
    assert "buy 1 SFTG from Ann for 1" in words(question(service, "Bob"))
    say(service, "Bob", "buy 1 SFTN from Cat for 95")
    asked = question(service, "Cat")
    assert asked.subject.endswith("do you agree? Bob buys 1 share of SFTN for L. 95")
    assert "Bob buys 1 share of SFTN for L. 95" in words(asked)
    say(service, "Cat", "agree")
    assert service.log(game)[-2:] == ["Bob: buy 1 SFTN from Cat for 95", "Cat: agree"]
    assert service.position(game).state.money("Cat") == 495


def test_consent_to_a_purchase_can_be_given_ahead(service: Service) -> None:
    game = begin_at(service, "1841", chain().stock("Bob", "SR 2").state)
    say(service, "Cat", "agree 1 SFTN to Bob for 95")
    assert service.held(game) == [("Cat", "Cat: agree 1 SFTN to Bob for 95", "waiting")]
    say(service, "Bob", "buy 1 SFTN from Cat for 95")
    assert service.held(game)[-1][2] == "used"
    assert service.position(game).state.money("Cat") == 495


def merger() -> Italian:
    """SFTG may merge. Bob's pairs take the presidency; Dan, Ann and SSFL have single shares left."""
    return situation(
        firm("SFTG", {"Bob": 2, "Ann": 3, "Cat": 1, "Dan": 1}, "E4", cash=100, markers="D8", pool=1),
        firm("SFTN", {"Bob": 3, "Cat": 1, "SSFL": 1}, "C5", cash=36, markers="E9", pool=2),
        firm("SSFL", "Eve", "A1"),
        tiles={"D8": "57#2", "E9": "621#2"},
        players="Ann Bob Cat Dan Eve",
        cash=dict.fromkeys(("Ann", "Bob", "Cat", "Dan", "SSFL"), 300),
    ).turn("SFTG", "merge")


def test_orders_of_a_company_that_has_merged_lapse_with_the_name_of_the_new_one(service: Service) -> None:
    """Its president directs the new company as before, so nobody took it from him."""
    begin_at(service, "1841", merger().state)
    say(service, "Bob", "merge SFTN into AFI; done")
    answer = next(words(m) for m in reversed(service.letters("Bob")) if m.subject.startswith("[1841-1] your orders"))
    assert "1> done lapsed SFTG has become AFI." in answer and "no longer direct" not in answer


def test_a_merger_asks_every_holder_of_a_single_share_also_a_company(service: Service) -> None:
    """Bob's pairs take the presidency; Dan, Ann and SSFL, which Eve runs, have single shares left."""
    game = begin_at(service, "1841", merger().state)
    assert "merge SFTN into AFI | // share price L. 141" in words(question(service, "Bob"))
    say(service, "Bob", "merge SFTN into AFI")
    for _ in range(8):
        asks = service.position(game).asked()
        if not asks or asks[0].what != "merger.exchange":
            break
        player = asks[0].player
        text = words(question(service, player))
        assert f"Say what becomes of the old shares of {asks[0].actor}" in text
        assert "exchange for share // you pay L. 70" in text
        say(service, player, "exchange for share")
    log = service.log(game)
    assert "SSFL: exchange for share" in log and "Dan: exchange for share" in log


def test_a_circle_freezes_two_companies_and_the_turn_mail_says_why(service: Service) -> None:
    position = situation(
        firm("AFI", "CTS", "F4", markers="D8"),
        firm("CTS", {"AFI": 3, "Ann": 1}, "E4", markers="E9"),
        firm("SSFL", "Eve", "A1"),
        players="Ann Bob Eve",
        cash={"Ann": 300},
    ).stock("Ann", "SR 3")
    begin_at(service, "1841", position.state)
    text = words(question(service, "Ann"))
    assert "AFI (frozen: AFI, CTS own each other)" in text or "AFI (frozen: CTS, AFI own each other)" in text
    answer = say(service, "Ann", "AFI: done")
    assert "nobody can order it now" in words(answer)
