"""Consequences that a mail of 1863 tells before a decision, and dividends that are ordered without a sum."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import Game, Range
from engine.core import events as ev
from engine.core import orders as o
from engine.core.ids import BANK, CompanyId, PlayerId
from grammar import read
from moderator.domain.asks import of_any_amount
from moderator.domain.vocabulary import vocabulary
from moderator.render import turn_mail
from moderator.words.question.questions import questions
from moderator.words.texts import words
from tests.kit.games.render_1863 import MOMENTS, RAILS, asked, game_from
from tests.kit.games.render_games import info
from tests.kit.games.situations_1863 import situation, tube
from tests.kit.service.mail_service import Service
from tests.kit.service.position_game import begin_at


def told(game: Game) -> str:
    seat = asked(game)
    words = " ".join(turn_mail(game, info(game, seat), seat, max(0, len(game.orders) - 1)).text.split())
    return words.replace("| // ", "").replace("// ", "")  # a note may be broken


@pytest.mark.rule("1863:7.2", "1863:7.1")
def test_helping_says_who_pays_how_much_and_what_becomes_of_the_price() -> None:
    game = MOMENTS["crisis"]()
    said, (ask,) = told(game), game.asked()
    helped = game.fork()
    events = helped.submit(o.Crisis(CompanyId(ask.actor), "help"))
    assert isinstance(events, tuple)
    president, company = PlayerId(ask.player), CompanyId(ask.actor)
    paid = {(e.payer, e.payee): e.amount for e in events if isinstance(e, ev.Paid)}
    before, after = (g.title.price(g.state, company) for g in (game, helped))
    bill, cash = paid[president, BANK], paid[company, president]
    assert f"crisis help price £{before} to £{after}; {president} pays £{bill} and gets its £{cash};" in said
    assert "; its loans of £200 stay" in said
    left = game.fork()
    assert left.submit(o.Crisis(CompanyId(ask.actor), "liquidate"))
    assert "crisis liquidate price £45 to £0; now £220 is missing, with its loans" in said


@pytest.mark.rule("1863:8.3")
def test_half_shares_and_half_shorts_stand_beside_the_holdings() -> None:
    game = MOMENTS["halves"]()
    said = told(game)
    own = said.partition(" YOU ")[2].partition(" PLAYERS")[0]
    assert f"{asked(game)}" in own and "half a share of MET" in own
    assert "half a short of MET" in said
    page = turn_mail(game, info(game, asked(game)), asked(game), 0).html
    assert page.count("half a share of MET") >= 2 and "half a short of MET" in page


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service.open(tmp_path)


@pytest.mark.parametrize("word", ["full", "none"])
def test_a_whole_turn_may_be_ordered_before_its_revenue_is_known(service: Service, word: str) -> None:
    """`dividend` needs a sum, which nobody knows before the run."""
    game = MOMENTS["company"]()
    (ask,) = game.asked()
    name = begin_at(service, "1863", game.state)
    service.say(ask.player, f"{ask.actor}: run best; pay {word}; done")
    assert service.outcomes()[-1] == "applied"
    events = [e for at in range(1, 4) for e in service.position(name).events(at)]
    revenue = next(e.revenue for e in events if isinstance(e, ev.Ran) and e.company == ask.actor)
    paid = next(e.dividend for e in events if isinstance(e, ev.Distributed) and e.company == ask.actor)
    assert paid == (revenue if word == "full" else 0) and revenue > 0
    answer = next(m for m in reversed(service.letters(ask.player)) if "carried out" in m.subject)
    assert f"carried out, read as `dividend {paid}`" in " ".join(answer.text.split())


def test_nothing_but_all_or_nothing_is_read_without_a_sum(service: Service) -> None:
    game = MOMENTS["company"]()
    (ask,) = game.asked()
    begin_at(service, "1863", game.state)
    service.say(ask.player, f"{ask.actor}: run best; pay half; done")
    assert service.outcomes()[-1] == "unreadable"


# ---- the end of a turn


def railway(*, cash: int = 40, loans: int = 2, minor: bool = False, sold: bool = False) -> Game:
    """Ann's MET begins its turn. A loan costs \N{POUND SIGN}5 a turn. ``sold``: no share is on its charter."""
    owner: str | dict[str, int] = "Ann" if minor else {"Ann": 6, "Bob": 4} if sold else {"Ann": 4}
    met = tube("MET", owner, 100, minor=minor, cash=cash, trains="2T", loans=loans, last_run=40, tokens=3)
    return game_from(situation(met, tube("BAK", "Bob", 65, minor=True), rate=5, tiles=RAILS).turn("MET"))


@pytest.mark.rule("1863:5.6", "1863:6.6")
def test_what_is_due_at_the_end_of_a_turn_counts_loans_and_trains_of_the_turn() -> None:
    """The mail told what its present loans and trains cost. Orders that add to them add as much as it says now."""
    said = told(railway(cash=300))
    assert (
        "`done` ends the turn, and MET pays £25 (interest £10, markers £10, trains £5), £5 more for each loan" in said
    )
    assert "£10 more for a 3T-train that it buys, £15 more for a 2+1e-train that it buys; it has £300 now." in said
    for game in (railway(), MOMENTS["company"]()):
        places = any(isinstance(c.order, o.Token) for c in game.legal(game.asked()[0].actor))
        assert ("more for a marker that it places" in told(game)) == places
    for orders, due in (("", 25), ("loan 2; ", 35)):
        game, paid = railway(cash=300), 0
        names = vocabulary(game.title, game.setup.players)
        for order in read(f"run best; pay none; {orders}done", names, default_actor="MET").orders:
            events = game.submit(of_any_amount(game, order))
            assert isinstance(events, tuple), (order, events)
            paid = sum(e.amount for e in events if isinstance(e, ev.Paid) and (e.payer, e.payee) == ("MET", BANK))
        assert paid == due


@pytest.mark.rule("1863:5.6")
def test_it_is_told_with_the_dividend_and_before_the_end_too() -> None:
    game = railway(cash=300)
    assert isinstance(game.submit(o.RunBest(CompanyId("MET"))), tuple)
    assert "`done` ends the turn, and MET pays £25" in told(game)
    assert isinstance(game.submit(o.Dividend(CompanyId("MET"), 0)), tuple)
    assert isinstance(game.submit(o.Borrow(CompanyId("MET"), 1)), tuple)
    assert "`done` ends the turn, and MET pays £30 (interest £15, markers £10, trains £5)" in told(game)


@pytest.mark.rule("1863:6.1", "1863:6.4")
@pytest.mark.parametrize(
    ("loans", "cash", "minor", "says"),
    [
        (0, 40, True, "has 0 of the 2 loans that a minor may have; can take 2 more now;"),
        (1, 40, False, "has 1 of the 10 loans that a major may have; can take "),
        (2, 0, False, "can take none now, as its value must be more than its new loans bring (1863 "),
        (10, 0, False, "has 10 of the 10 loans that a major may have; can take none now;"),
        (2, 3000, False, "has 2 of the 10 loans that a major may have; can take 8 more now;"),
    ],
)
def test_the_limit_of_loans_is_told_with_its_reason(loans: int, cash: int, minor: bool, says: str) -> None:
    game = railway(loans=loans, cash=cash, minor=minor)
    assert says in told(game)
    room = next(
        (c.high for c in game.legal(CompanyId("MET")) if isinstance(c, Range) and isinstance(c.order, o.Borrow)), 0
    )
    assert f"can take {room or 'none'}" in told(game)


@pytest.mark.rule("1863:5.6")
@pytest.mark.parametrize(("cash", "ways"), [(40, ["full", "none"]), (25, ["full", "none"]), (24, ["none"])])
def test_a_whole_turn_is_offered_as_far_as_its_costs_can_be_paid(service: Service, cash: int, ways: list[str]) -> None:
    """Only `run best` was offered. The turn costs \N{POUND SIGN}25; the 2T earns at least that."""
    game = railway(cash=cash, sold=True)
    (ask,) = game.asked()
    (question,) = questions(words(), game, PlayerId("Ann"))
    whole = [one.text for one in question.answers if not one.text.startswith(("lay", "token"))]
    assert whole == [f"run best; pay {way}; done" for way in ways]
    name = begin_at(service, "1863", game.state)
    service.say(ask.player, f"{ask.actor}: {whole[0]}")
    assert service.outcomes()[-1] == "applied"
    assert all(now.actor != ask.actor for now in service.position(name).asked())


@pytest.mark.rule("1863:5.6")
def test_a_turn_that_ends_in_a_crisis_is_not_offered_whole() -> None:
    (question,) = questions(words(), railway(cash=0, loans=10), PlayerId("Ann"))
    assert [one.text for one in question.answers if one.text.endswith("done")] == []
