"""Orders given ahead are for one question: whatever fires in games of chance was meant for just that."""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import pytest

import engine
from engine import Ask, Game, Setup
from engine.core import events as ev
from engine.core import orders as o
from engine.core.ids import PlayerId
from engine.holders.charters import charter_of
from engine.robots import random_order
from grammar import read
from moderator.domain.ahead.orders import Held, settle
from moderator.domain.asks import giver
from moderator.domain.block import play_block
from moderator.domain.fork import Fork, Move
from moderator.domain.vocabulary import vocabulary

NAMES = ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay")
GIVEN = 0.35
"""So often somebody gives something ahead."""
MOST = 1_500
SAMPLE = [
    ("1861", "v2.0", 3, 1),
    ("1863", "historical", 4, 118),
]
PORTION = 20


@dataclass
class Watcher:
    """The course of a game as the players were told it: by questions and events alone."""

    lot: str = ""
    left: set[str] = field(default_factory=set)
    holder: str = ""
    turns: Counter[str] = field(default_factory=Counter)
    rounds: Counter[str] = field(default_factory=Counter)
    round: str = ""

    def see(self, events: Sequence[object], asked: Sequence[Ask], round_kind: str) -> None:
        for event in events:
            match event:
                case ev.Opened(player=player, item=item):
                    self.lot, self.left, self.holder = item, set(), player
                case ev.BidMade(player=player):
                    self.holder = player
                case ev.Dropped(player=player, item=item):
                    if item != self.lot:  # put up as soon as another was sold
                        self.lot, self.left, self.holder = item, set(), ""
                    self.left.add(player)
                case ev.Won():
                    self.lot, self.holder = "", ""
                    self.left.clear()
                case ev.TurnEnded(company=company):
                    self.turns[company] += 1
                case ev.RoundBegan(round=begun):
                    self.rounds[begun.kind] += 1
        self.round = round_kind
        lots = [ask for ask in asked if ask.what.startswith("auction.")]
        up = lots[0].about[0] if lots else ""
        if up and (up != self.lot or lots[0].player in self.left):  # all had left, and it begins anew
            self.lot, self.left, self.holder = up, set(), ""
        elif not up:  # sold, or all have left it for good
            self.lot, self.left, self.holder = "", set(), ""

    def stock_round(self) -> int:
        """The number of the stock round under way, or of the next one."""
        return self.rounds["SR"] + (self.round != "SR")

    def merger_round(self) -> int:
        return self.rounds["MR"] + (self.round != "MR")


Meaning = tuple[str, str, int]
"""Kind, name, and which one of them."""


def meaning(seen: Watcher, player: str, actor: str, order: o.Order) -> Meaning | None:
    """The meaning that a person at the table gives to ``order``; None where there is nothing that it could be for."""
    match order:
        case o.Bid(item=item) | o.Drop(item=item) | o.Limit(item=item):
            name = item or seen.lot
            return ("lot", name, 0) if name and not (name == seen.lot and player in seen.left) else None
        case o.Pass() if actor == player:
            if seen.lot and player not in seen.left and player != seen.holder:
                return ("lot", seen.lot, 0)
            return ("stock", player, seen.stock_round())
        case o.Agree() | o.Refuse():
            return ("consent", repr(order.subject), 0)
        case o.Decline() | o.Convert() | o.Merge():
            return ("merger", actor, seen.merger_round())
    return ("stock", player, seen.stock_round()) if actor == player else ("turn", actor, seen.turns[actor] + 1)


def fits(meant: Meaning, seen: Watcher, ask: Ask, order: o.Order) -> bool:
    """True if ``ask`` is the question that was meant."""
    kind, name, number = meant
    match kind:
        case "lot":
            return ask.what.startswith("auction.") and ask.about[0] == name
        case "stock":
            return ask.actor == name and ask.what == "stock.turn" and number == seen.rounds["SR"]
        case "turn":
            return ask.actor == name and number == seen.turns[name] + 1
        case "merger":
            return ask.actor == name and number == seen.rounds["MR"]
    assert isinstance(order, o.Agree | o.Refuse)
    return repr(order.subject) == name


def past(meant: Meaning, seen: Watcher) -> bool:
    """True if what was meant is over, by what the players were told."""
    kind, name, number = meant
    match kind:
        case "stock":
            return number < seen.rounds["SR"] or (number == seen.rounds["SR"] and seen.round != "SR")
        case "turn":
            return number <= seen.turns[name]
        case "merger":
            return number < seen.rounds["MR"] or (number == seen.rounds["MR"] and seen.round != "MR")
    return False


def given_ahead(game: Game, player: str, chance: random.Random) -> str:
    """Something that a player may write out of turn, sensible or not."""
    title, state = game.title, game.state
    directed = [c for c in state.companies if title.policies.director(title, state, c) == player]
    privates, companies = list(title.privates), list(title.companies)
    amount = chance.choice((5, 25, 60, 105, 150))
    plain = [
        "pass", "drop", f"bid {amount}", f"limit {amount}", f"bid {amount} on {chance.choice(privates)}",
        f"limit {amount} on {chance.choice(privates)}", f"drop {chance.choice(privates)}",
        f"buy {chance.choice(companies)}", f"sell 1 {chance.choice(companies)}",
    ]  # fmt: skip
    if not directed:
        return f"{player}: {chance.choice(plain)}"
    company, other = chance.choice(directed), chance.choice(companies)
    train = chance.choice(list(title.trains))
    of_company = [
        f"{company}: run best; done", f"{company}: done", f"{company}: train {train}; done",
        f"{company}: agree train {train} to {other} for {amount}", f"{company}: pay none; done",
    ]  # fmt: skip
    if charter_of(title, state, company).kind == "minor":
        of_company.append(f"{company}: decline")
    return chance.choice([f"{player}: {chance.choice(plain)}", *of_company])


class Table:
    """A game of chance at which the players give orders ahead."""

    def __init__(self, name: str, edition: str, players: int, seed: int) -> None:
        self.chance = random.Random(seed)
        title = engine.load_title(name, edition=edition)
        self.game = Game.start(title, Setup(NAMES[:players], seed=str(seed)))
        self.seen = Watcher()
        self.seen.rounds[self.game.state.round.kind] += not any(
            isinstance(event, ev.RoundBegan) for event in self.game.opening
        )
        self.seen.see(self.game.opening, self.game.asked(), self.game.state.round.kind)
        self.waiting: list[tuple[Held, Meaning]] = []
        self.count = Counter[str]()

    def play(self) -> Counter[str]:
        while not self.game.finished and len(self.game.orders) < MOST:
            if self.chance.random() < GIVEN:
                self.give(self.chance.choice(self.game.state.players))
            asks = self.game.asked()
            fork = Fork(self.game)
            order = random_order(self.game, self.chance.choice(asks), self.chance)
            assert not isinstance(fork.submit(order, giver(self.game, order), "mail"), engine.Refused)
            self.settle(fork, [])
        return self.count

    def give(self, player: PlayerId) -> None:
        """``player`` gives something ahead; who is asked answers what he is asked, which is tested elsewhere."""
        if any(ask.player == player for ask in self.game.asked()):
            return
        text = given_ahead(self.game, player, self.chance)
        reading = read(text, vocabulary(self.game.title, self.game.state.players), default_actor=player)
        if reading.errors:
            self.count["unreadable"] += 1
            return
        section = reading.sections[0]
        meant = meaning(self.seen, player, section.actor, section.orders[0].order)
        fork = Fork(self.game)
        block = play_block(fork, player, reading, text, partial=False)
        if not block.stands:
            self.count["refused"] += 1
            return
        assert not fork.moves, text
        assert meant is not None, f"kept, though it is for nothing: {text}"
        self.count["kept"] += len(block.held)
        self.waiting = [
            (held, mean) for held, mean in self.waiting if held.player != player or not block.replaces(held)
        ]
        self.settle(fork, [(held, meant) for held in block.held])

    def settle(self, fork: Fork, new: list[tuple[Held, Meaning]]) -> None:
        """Everything that waits is used where it fits; each order that fires is held against what was meant."""
        self.waiting += new
        means = {id(held): meant for held, meant in self.waiting}
        settled = settle(fork, [held for held, _ in self.waiting])
        for closed in settled.closed:
            if closed.remainder is not None:
                means[id(closed.remainder)] = means[id(closed.held)]
            self.count[closed.ending] += 1
        fired = iter(settled.used)
        for move in fork.moves:
            if move.origin != "mail":
                held, order = next(fired)
                self._check(move, means[id(held)], f"{held.text}: {order}")
            else:
                self._go_on(move)
        assert next(fired, None) is None
        ended = {id(closed.held) for closed in settled.closed}
        rests = [closed.remainder for closed in settled.closed if closed.remainder is not None]
        left = [held for held, _ in self.waiting if id(held) not in ended]
        over = {id(closed.held) for closed in settled.closed}
        self.waiting = [(held, means[id(held)]) for held in (*left, *(r for r in rests if id(r) not in over))]
        for held, meant in self.waiting:
            assert not past(meant, self.seen), f"waits for what is past: {held.text}, {meant}"

    def _check(self, move: Move, meant: Meaning, what: str) -> None:
        if meant[0] == "turn" and isinstance(move.order, o.Done) and not self._asked(move):
            return
        ask = self._asked(move)
        assert ask is not None, what
        assert fits(meant, self.seen, ask, move.order), f"{what} fired at {ask}; meant was {meant}"
        self.count["fired"] += 1
        self._go_on(move)

    def _asked(self, move: Move) -> Ask | None:
        return next(
            (ask for ask in self.game.asked() if (ask.player, ask.actor) == (move.player, move.order.actor)), None
        )

    def _go_on(self, move: Move) -> None:
        events = self.game.submit(move.order)
        assert not isinstance(events, engine.Refused)
        self.seen.see(events, self.game.asked(), self.game.state.round.kind)


def everywhere(first: int, number: int) -> Iterator[tuple[str, str, int, int]]:
    """Games over all titles, editions and numbers of players, in turn."""
    kinds = [
        (name, edition, players)
        for name in engine.title_names()
        for edition in engine.editions(name)
        for players in sorted(engine.load_title(name, edition=edition).table)
    ]
    for seed in range(first, first + number):
        yield (*kinds[seed * 7 % len(kinds)], seed)


@pytest.mark.parametrize(("name", "edition", "players", "seed"), SAMPLE)
def test_what_fires_was_meant_for_the_question(name: str, edition: str, players: int, seed: int) -> None:
    count = Table(name, edition, players, seed).play()
    assert count["fired"] > 0 and count["lapsed"] > 0 and count["refused"] > 0, count


@pytest.mark.prove
@pytest.mark.parametrize("first", range(0, 200, PORTION))
def test_what_fires_in_two_hundred_games(first: int) -> None:
    count = Counter[str]()
    for name, edition, players, seed in everywhere(first, PORTION):
        count += Table(name, edition, players, seed).play()
    sys.stdout.write(f"seeds {first} to {first + PORTION - 1}: {dict(sorted(count.items()))}\n")
    assert count["fired"] > PORTION
