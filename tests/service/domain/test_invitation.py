"""Invitations to give orders ahead, in games of every title."""

from __future__ import annotations

from collections import Counter

import pytest

import engine
from engine import Game, Setup
from engine.core import events as ev
from engine.core import orders as o
from engine.robots import sensible
from grammar import read
from moderator.domain.ahead.invitation import REMARK, Invitation, invitation
from moderator.domain.block import play_block
from moderator.domain.fork import Fork
from moderator.domain.vocabulary import vocabulary
from tests.kit.samples import one_in

NAMES = ("Ann", "Bob", "Cat", "Dan")
MOST = 500


def begun(name: str, seed: int) -> Game:
    return Game.start(engine.load_title(name), Setup(NAMES, seed=str(seed)))


def invited(game: Game, player: str, *kept: tuple[str, str]) -> Invitation | None:
    return invitation(game, vocabulary(game.title, NAMES), player, kept)


def at_round(name: str, kind: str, number: int, seed: int = 4) -> Game:
    """The game when the round of a kind begins for the ``number``-th time."""
    game, found = begun(name, seed), 0
    while not game.finished:
        events = game.submit(sensible(game, game.asked()[0]))
        assert not isinstance(events, engine.Refused)
        found += sum(isinstance(event, ev.RoundBegan) and event.round.kind == kind for event in events)
        if found == number:
            return game
    raise AssertionError(f"{name} has no such round")


# ---- what is said ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", engine.title_names())
def test_a_stock_round_names_the_players_who_come_before(name: str) -> None:
    game = at_round(name, "SR", 2)
    (first,) = {ask.player for ask in game.asked()}
    later = invited(game, first)
    assert later is not None and later.later and later.lines == (f"{first}: pass until anybody acts",)
    walked, asked = game.fork(), list[str]()
    while walked.state.round == game.state.round:
        ask = walked.asked()[0]
        asked.append(ask.player)
        assert not isinstance(walked.submit(o.Pass(ask.player)), engine.Refused)
    for place, player in enumerate(asked[1:], 2):
        found = invited(game, player)
        line = f"{player}: pass until anybody acts"
        assert found == Invitation("stock", (line,), place, tuple(asked[: place - 1]), standing=True), player
    for player in set(NAMES) - set(asked):
        assert invited(game, player) is None, "he is passed over"


@pytest.mark.parametrize("name", [name for name in engine.title_names() if name != "1841"])
def test_an_auction_of_privates_has_a_plan_for_all_lots_as_an_example(name: str) -> None:
    game = begun(name, 4)
    player = next(p for p in NAMES if p not in {ask.player for ask in game.asked()})
    found = invited(game, player)
    assert found is not None and found.kind == "auction" and found.lines
    (line,) = found.lines
    assert line.startswith(f"{REMARK}plan ")
    *lots, budget = [part.split()[0] for part in line.removeprefix(f"{REMARK}plan ").split(", ")]
    assert budget == "budget"
    assert set(lots) <= set(game.lots_to_come()) and len(lots) <= 6
    fewer = invited(game, player, (player, f"lot {lots[0]}"))
    assert fewer is not None and lots[0] not in fewer.lines[0], "he has answered for this lot"


def test_who_is_asked_for_a_bid_in_a_stock_round_is_not_invited_to_pass() -> None:
    """There ``pass`` leaves the auction, and a standing pass ends with the next bid of another."""
    game = begun("1861", 3)
    for _ in range(200):
        ask = game.asked()[0]
        if ask.what == "auction.bid" and not any(lot in game.title.privates for lot in game.lots_to_come()):
            assert invited(game, str(ask.player)) is None
            return
        assert game.submit(sensible(game, ask))
    raise AssertionError("no company was put up for auction")


def test_nobody_is_invited_where_bids_are_sealed() -> None:
    assert [invited(begun("1841", 4), player) for player in NAMES] == [None] * 4


def test_a_company_of_one_certificate_pays_by_itself() -> None:
    game = at_round("1861", "OR", 6)
    found = [one for player in NAMES if (one := invited(game, player)) is not None]
    lines = [line for one in found for line in one.lines]
    minors = {c for c, data in game.title.companies.items() if data.charter.kind == "minor"}
    assert {line.partition(": ")[2] for line in lines if line.partition(":")[0] in minors} == {"run best; done"}
    others = {line.partition(": ")[2] for line in lines if line.partition(":")[0] not in minors}
    assert others == {"run best; pay full; done"}


def test_companies_with_orders_are_not_asked_for_again() -> None:
    game = at_round("1844", "OR", 5)
    player, found = next((p, one) for p in NAMES if (one := invited(game, p)) is not None and not one.later)
    company = found.lines[0].partition(":")[0]
    again = invited(game, player, (company, f"turn {company}"))
    assert again is None or company not in [name for _, name in again.companies]
    assert again is None or found.lines[0] not in again.lines


def test_nobody_is_invited_when_the_game_is_over() -> None:
    game = begun("1861", 4)
    while not game.finished:
        game.submit(sensible(game, game.asked()[0]))
    assert [invited(game, player) for player in NAMES] == [None] * 4


# ---- whole games -----------------------------------------------------------------------------------------------------


class Watcher:
    """A game whose invitations are held against its course."""

    def __init__(self, name: str, seed: int) -> None:
        self.game = begun(name, seed)
        self.count = Counter[str]()
        self.had: set[str] = set()
        self.promised: dict[str, str] = {}
        """Company -> the player who was told that it will operate in the round under way."""

    def play(self) -> Counter[str]:
        while not self.game.finished and len(self.game.orders) < MOST:
            events = self.game.submit(sensible(self.game, self.game.asked()[0]))
            assert not isinstance(events, engine.Refused)
            for event in events:
                self._see(event)
            self._look(any(isinstance(event, ev.RoundBegan) for event in events))
        return self.count

    def _see(self, event: object) -> None:
        match event:
            case ev.RoundBegan():
                title, state = self.game.title, self.game.state
                for company, player in self.promised.items():  # he has lost it, or it was closed or frozen meanwhile
                    lost = title.policies.director(title, state, company) != player  # type: ignore[arg-type]
                    closed = state.companies[company].status != "open"  # type: ignore[index]
                    assert lost or closed, f"{company} did not operate, though {player} was told so"
                self.had.clear()
                self.promised.clear()
            case ev.TurnBegan(company=company) | ev.TurnEnded(company=company) | ev.CompanyLeft(company=company):
                self.had.add(company)
                self.promised.pop(company, None)

    def _look(self, began: bool) -> None:
        asked = {ask.player for ask in self.game.asked()}
        for player in NAMES if began else asked:
            found = invited(self.game, player)
            if found is None:
                continue
            self.count[found.kind] += 1
            assert found.later == (player in asked)
            self._can_be_sent(player, found)
            if found.kind == "operating":
                assert not self.had & {name for _, name in found.companies}
                self.promised |= {name: player for _, name in found.companies}

    def _can_be_sent(self, player: str, found: Invitation) -> None:
        """The whole block is kept as it stands. Examples are, too, once they are taken from behind the ``//``."""
        text = "\n".join(line.removeprefix(REMARK) for line in found.lines)
        reading = read(text, vocabulary(self.game.title, NAMES), default_actor=player)
        fork = Fork(self.game)
        block = play_block(fork, player, reading, text, partial=False)
        assert block.stands and not fork.moves, (text, block.lines)
        assert {line.verdict for line in block.lines} == {"held"}, (text, block.lines)
        if any(line.startswith(REMARK) for line in found.lines):
            untouched = read("\n".join(found.lines), vocabulary(self.game.title, NAMES), default_actor=player)
            assert not untouched.orders and not untouched.errors


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("name", engine.title_names())
@pytest.mark.parametrize("seed", one_in(5, range(1, 6)))
def test_what_is_offered_can_be_sent_and_what_is_promised_comes(name: str, seed: int) -> None:
    count = Watcher(name, seed).play()
    assert count["operating"] > 0 and count["stock"] > 0, count
