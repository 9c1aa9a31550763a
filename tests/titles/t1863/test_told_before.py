"""Consequences that a mail of 1863 tells before a decision, and dividends that are ordered without a sum."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import Game
from engine.core import events as ev
from engine.core import orders as o
from engine.core.ids import BANK, CompanyId, PlayerId
from moderator.render import turn_mail
from tests.kit.games.render_1863 import MOMENTS, asked
from tests.kit.games.render_games import info
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
