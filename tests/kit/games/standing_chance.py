"""Players who give standing orders by chance, and a naive judge of what those orders do."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from engine import Game, State
from engine.acts.buy_train import new_trains
from engine.core import decide as rules
from engine.core import orders as o
from engine.core import programs as p
from engine.core.events import BidMade, Event, MarkerPlaced, OverlayLaid, RoundBegan, Sold, TileLaid, Won
from engine.core.ids import CompanyId, PlayerId
from engine.holders.ledger import shares
from engine.robots import sensible
from moderator.domain.ahead.orders import Held
from tests.kit.games.ahead_table import AheadTable


@dataclass
class Chance:
    """A game of players who act by chance (as the sensible robot where nothing stands for them) and now and then give
    a standing order. ``given``: for each order that was taken, the number of moves made before it."""

    game: Game
    chance: random.Random
    often: float = 0.3
    table: AheadTable = field(init=False)
    given: list[tuple[int, Held]] = field(default_factory=list)
    gone: dict[int, int] = field(default_factory=dict)
    """id of an order -> number of moves when it no longer stood."""
    kept: list[tuple[int, Held]] = field(default_factory=list)
    """The turns that were kept, each with the number of moves made before it."""
    tried: int = 0
    _texts: list[str] = field(default_factory=list)
    """The turns that waited last."""
    _before: tuple[int, int] = (0, 0)
    """The numbers of moves and of ends at that time."""

    def __post_init__(self) -> None:
        self.table = AheadTable(self.game.fork())

    def play(self, orders: int) -> None:
        """Play until so many orders were carried out or the game is over."""
        while len(self.table.moves) < orders and not self.table.game.finished:
            if self.chance.random() < self.often:
                self._give(self.chance.choice(self.table.game.state.players))
            asked = self.table.game.asked()
            if not asked:
                return
            ask = self.chance.choice(asked)
            self.table.submit(sensible(self.table.game, ask), ask.player)
            self._note()

    def _give(self, player: PlayerId) -> None:
        game = self.table.game
        mine = [
            company
            for company, now in game.state.companies.items()
            if now.status == "open" and game.title.policies.director(game.title, game.state, company) == player
        ]
        head, text = random_text(game, player, mine, self.chance)
        self.tried += 1
        self.table.say(player, text, head)
        self._note()

    def _note(self) -> None:
        """Note which orders have come and gone."""
        known = {held.text: held for _, held in self.given if id(held) not in self.gone}
        standing = {held.text: held for held in self.table.waiting if held.kind == "standing"}
        ended = [end.held for end in self.table.ends if end.held.kind == "standing"]
        turns = [held for held in self.table.waiting if held.kind == "turn"]
        at_once = [end.held for end in self.table.ends[self._before[1] :] if end.held.kind == "turn"]
        self.kept += [(self._before[0], held) for held in at_once if held.text not in self._texts]
        self.kept += [(len(self.table.moves), held) for held in turns if held.text not in self._texts]
        self._texts = [held.text for held in turns]
        self._before = len(self.table.moves), len(self.table.ends)
        for text, held in known.items():
            if text not in standing:
                self.gone[id(held)] = len(self.table.moves)
        for text, held in standing.items():
            if text not in known:
                self.given.append((len(self.table.moves), held))
        for held in ended:
            if all(held.text != other.text for _, other in self.given):  # it came and went at once
                self.given.append((len(self.table.moves), held))
                self.gone[id(held)] = len(self.table.moves)


def random_text(game: Game, player: PlayerId, mine: Sequence[CompanyId], chance: random.Random) -> tuple[str, str]:
    """The head and text of an order that may make sense in the position."""
    companies = list(game.state.companies)
    any_company = chance.choice(companies)
    price = chance.choice((30, 55, 70, 90, 110, 150, 300))
    kind = chance.choice(
        ("pass", "buy", "sell", "plan", "routine", "terms", "discard", "guarded", "guarded", "mergers", "shares")
    )
    until = _until(game, player, chance)
    if kind == "guarded":
        return _guarded(player, mine, until, chance, f"{any_company} is {chance.choice(_PRICES)} {price}")
    if kind in ("routine", "discard") and mine:
        company = chance.choice(mine)
        if kind == "discard":
            return company, f"discard {chance.choice(list(game.title.trains))} first"
        steps = chance.choice(("run best, pay full, done", "run best, pay none, train if needed, done", "done"))
        loans = " without loans" if game.title.name in _WITH_LOANS and chance.random() < 0.5 else ""
        return company, f"each turn {steps}{loans}" + (f" until {until}" if chance.random() < 0.5 else "")
    if kind == "mergers" and game.title.name in _WITH_MERGERS:
        return _mergers(game, player, mine, until, chance)
    if kind == "shares" and game.title.name == "1841":
        goods = f"1 {any_company} to anybody"
        return player, chance.choice((f"agree {goods} for at least {price}", f"refuse {goods}"))
    if kind == "buy":
        goal = chance.choice((f"up to {chance.randint(1, 5)}", f"while at most {price}", f"until {until}"))
        return player, f"buy {any_company} {goal}{chance.choice(('', ' not as director'))}"
    if kind == "sell":
        return player, f"sell down {any_company} to {chance.randint(0, 3)}" + chance.choice(("", f" if under {price}"))
    if kind == "plan" and (lots := list(game.lots_to_come())):
        return player, _plan(lots, chance)
    if kind == "terms":
        private = chance.choice([*game.state.privates, ""]) if game.state.privates else ""
        goods = private or f"train {chance.choice(list(game.title.trains))}"
        head = player if private or not mine else chance.choice(mine)
        terms = chance.choice((f"agree {goods} to anybody for at least {price}", f"refuse {goods} to anybody"))
        return head, terms
    return player, chance.choice((f"pass until {until}", f"pass in all rounds until {until}"))


_WITH_LOANS = ("1861", "1867", "1863")
_WITH_MERGERS = (*_WITH_LOANS, "1841")


def _mergers(
    game: Game, player: PlayerId, mine: Sequence[CompanyId], until: str, chance: random.Random
) -> tuple[str, str]:
    head = chance.choice((player, *mine))
    if head != player and game.title.name in _WITH_LOANS and chance.random() < 0.5:
        return head, f"decline in all rounds until {until}"
    named = chance.choice(("", f" with {chance.choice(list(game.state.companies))}"))
    return head, f"{chance.choice(('agree', 'refuse'))} mergers{named}" + chance.choice(("", f" until {until}"))


_PRICES = ("under", "over", "at least", "at most")


def _guarded(
    player: PlayerId, mine: Sequence[CompanyId], until: str, chance: random.Random, price: str
) -> tuple[str, str]:
    """Turns kept ahead, each under a condition."""
    if mine and chance.random() < 0.3:
        return chance.choice(mine), f"unless {until}; run best; pay full; done"
    guards = (f"unless {until}", f"only if {price}", "only if nobody acts", "only if Ann has passed")
    turns = (f"{chance.choice(guards)}; pass" for _ in range(chance.randint(1, 3)))
    return player, f"\n{player}: ".join(turns)


def _plan(lots: list[str], chance: random.Random) -> str:
    chosen = chance.sample(lots, min(len(lots), chance.randint(1, 4)))
    limits = [f"{lot} {chance.choice((20, 45, 80, 130, 190))}" for lot in chosen]
    if len(limits) > 2 and chance.random() < 0.5:
        limits[:2] = [" or ".join(limits[:2])]
    elif len(limits) > 1 and chance.random() < 0.5:
        limits[-1] += f" unless {chosen[0]}"
    budget = chance.choice(([], ["budget 200"]))
    return f"plan {', '.join((*limits, *budget, *chance.choice(([], ['drop the rest']))))}"


def _until(game: Game, player: PlayerId, chance: random.Random) -> str:
    other = chance.choice([one for one in game.state.players if one != player])
    company, price = chance.choice(list(game.state.companies)), chance.choice((40, 70, 100, 150))
    conditions = (
        "anybody acts", f"{other} acts", "anybody sells", f"{company} is sold", f"{company} starts",
        f"{company} is under {price}", f"{company} is over {price}", f"I direct {company}", "the track changes",
        f"{chance.choice(list(game.title.trains))} is on sale", "the round ends", "anybody starts a company",
    )  # fmt: skip
    return " or ".join(chance.sample(conditions, chance.randint(1, 2)))


Seen: TypeAlias = tuple[str, o.Order, tuple[Event, ...], str]
"""A move: its player, the order, its events, and the kind of round in which it was made."""


# ---- the judge ------------------------------------------------------------------------------------------------------


def faults(play: Chance) -> Iterator[str]:
    """Everything that a standing order did and should not have done, found by replaying the moves one by one."""
    states, events = _replayed(play)
    for number, move in enumerate(play.table.moves):
        if move.origin == "held":
            yield from _untimely(play, number, states, events)
        if move.origin != "standing":
            continue
        before, after = states[number], states[number + 1]
        reasons = []
        for begun, held in play.given:
            if held.player != move.player or (begun > number and held.since == 0 and begun > number + 300):
                continue
            reason = _against(play, held, move.order, before, after, events[begun:number], begun)
            if reason == "":
                break
            reasons.append(f"{held.text}: {reason}")
        else:
            yield f"move {number}, {move.player}: {move.order}: {reasons}"


def _untimely(play: Chance, number: int, states: Sequence[State], events: Sequence[Seen]) -> Iterator[str]:
    """A move of a kept turn, if the conditions of every turn that could have given it were against it. Only the first
    order of a turn is looked at: those after it may themselves make a condition come true."""
    move, reasons = play.table.moves[number], list[str]()
    for begun, held in play.kept:
        if begun > number or held.player != move.player or move.order not in held.orders:
            continue
        if held.lead != move.order:
            return
        guards = [order.program for order in held.orders if isinstance(order, o.Standing)]
        wrong = [one for one in guards if _against_guard(play, one, held, states[: number + 1], events[:number], begun)]
        if not wrong:
            return
        reasons.append(f"{held.text}: {wrong}")
    if reasons:
        yield f"move {number}, {move.player}: {move.order}: {reasons}"


def _against_guard(
    play: Chance, guard: p.Program, held: Held, states: Sequence[State], events: Sequence[Seen], begun: int
) -> bool:
    match guard:
        case p.Unless(conditions=conditions):
            return any(_is_true(play, one, held, states[-1], events[begun:]) for one in conditions)
        case p.OnlyIf(conditions=(p.Condition(what="passed", name=name),)):
            return not _has_passed(play, name, states, events)
        case p.OnlyIf(conditions=conditions):
            return not all(_is_true(play, one, held, states[-1], ()) for one in conditions)
    return False


def _has_passed(play: Chance, name: str, states: Sequence[State], events: Sequence[Seen]) -> bool:
    """True if the last of the turns in this stock round in which ``name`` was asked was a pass and nothing else."""
    turn: int | None = None
    for number in reversed(range(len(events))):
        _, order, happened, kind = events[number]
        if kind != "SR" or any(isinstance(event, RoundBegan) for event in happened):
            break
        asks = [ask for ask in rules.asked(play.game.title, states[number]) if ask.actor == order.actor]
        if not any(ask.what == "stock.turn" for ask in asks):
            continue
        if order.actor != name and turn is not None:
            break
        if order.actor == name:
            turn = number
            if not isinstance(order, o.Pass | o.Done):
                return False
    return turn is not None


def _replayed(play: Chance) -> tuple[list[State], list[Seen]]:
    game, states, events = play.game.fork(), [play.game.state], []
    for move in play.table.moves:
        kind = game.state.round.kind
        result = game.submit(move.order)
        assert isinstance(result, tuple), (move, result)
        states.append(game.state)
        events.append((move.player, move.order, result, kind))
    assert game.digest() == play.table.game.digest()
    return states, events


def _against(
    play: Chance, held: Held, order: o.Order, before: State, after: State,
    since: Sequence[Seen], begun: int,
) -> str:  # fmt: skip
    """The reason why ``order`` is not what the order ``held`` says; empty if it is."""
    standing, title = held.orders[0], play.game.title
    assert isinstance(standing, o.Standing)
    program, player = standing.program, PlayerId(held.player)
    match program, order:
        case p.PassUntil(), o.Pass() | o.Done() | o.Drop():
            return _came_true(play, program.until, held, before, since)
        case p.BuyShares(), o.Buy() if order.company == program.company:
            had, has = (shares(title, state, player, order.company) for state in (before, after))
            if program.count is not None and (had >= program.count or has > program.count):
                return f"{had} shares were enough, and {has} are too many"
            paid = before.money(player) - after.money(player)
            if program.price is not None and paid > program.price:
                return f"{paid} is too much"
            director = title.policies.director
            if not program.leading and director(title, after, order.company) == player != director(
                title, before, order.company
            ):
                return "it makes him director"
            assert has > had
            return _came_true(play, program.until, held, before, since)
        case p.BuyShares(), o.Done():
            return ""
        case p.SellShares(), o.Sell() if order.company == program.company:
            left = shares(title, after, player, order.company)
            price = title.chart.price(before.prices[order.company].cell)
            if left < program.keep:
                return f"{left} are left"
            return "" if program.under is None or price < program.under else f"the price is {price}"
        case p.AuctionPlan(), o.Bid(amount=amount):
            return _over(play, program, before, amount, player)
        case p.AuctionPlan(), o.Open() | o.Drop():
            return ""
        case p.Terms(agree=agree), o.Agree(subject=subject):
            sale = o.TrainSale | o.PrivateSale | o.ShareSale | o.TokenSale
            fits = agree and isinstance(subject, sale) and subject.price >= (program.amount or 0)
            return "" if fits else "other terms"
        case p.Terms(agree=agree), o.Refuse(subject=subject):
            return "other terms" if agree else ""
        case p.MergerTerms(agree=agree), o.Agree(subject=subject) | o.Refuse(subject=subject):
            if not isinstance(subject, o.Merger) or agree != isinstance(order, o.Agree):
                return "other terms"
            leader = before.top.order.actor  # type: ignore[attr-defined]
            parts = {leader, *subject.minors}
            if standing.actor not in (player, *parts) or program.partner not in (None, *parts):
                return "another company"
            return _came_true(play, program.until, held, before, since)
        case p.DeclineMergers(), o.Decline():
            if order.actor != standing.actor:
                return "another company"
            return _came_true(play, program.until, held, before, since)
        case p.TurnRoutine(), _:
            if order.actor != standing.actor:
                return "another company"
            company = CompanyId(order.actor)
            if not program.loans and after.companies[company].loans > before.companies[company].loans:
                return "a loan"
            return _came_true(play, program.until, held, before, since)
        case p.DiscardFirst(), o.Discard():
            return "" if order.actor == standing.actor and order.train == program.train else "another train"
    return "another kind"


def _over(play: Chance, plan: p.AuctionPlan, before: State, amount: int, player: PlayerId) -> str:
    lot = play.game.title.policies.lot(play.game.title, before)
    assert lot is not None
    found = next((one for one in plan.lots if one.item == lot.item), None)
    if found is None:
        return "no lot of the plan"
    return "" if amount <= min(found.maximum, plan.budget if plan.budget is not None else amount) else "above the limit"


def _came_true(
    play: Chance, until: Sequence[p.Condition], held: Held, before: State,
    since: Sequence[Seen],
) -> str:  # fmt: skip
    """The first of the conditions that was true before the move; empty if none was."""
    for one in until:
        if _is_true(play, one, held, before, since):
            return f"{one} was true"
    return ""


def _is_true(
    play: Chance, one: p.Condition, held: Held, state: State,
    since: Sequence[Seen],
) -> bool:  # fmt: skip
    title, others = play.game.title, [seen for seen in since if seen[0] != held.player]
    named = [(order, events, kind) for who, order, events, kind in others if one.name in ("", who)]
    match one.what:
        case "acts":
            return any(_is_act(order, kind) for order, _, kind in named)
        case "sells":
            return any(isinstance(event, Sold) for _, events, _ in named for event in events)
        case "founds":
            return any(isinstance(order, o.Start | o.Float) for order, *_ in named)
        case "sold":
            sales = ((who, e) for who, _, events, _ in since for e in events if isinstance(e, Sold))
            return any(
                e.company == one.name and held.player != (who if e.player in state.companies else e.player)
                for who, e in sales
            )
        case "under" | "over" | "least" | "most":
            marker = state.prices.get(CompanyId(one.name))
            price = None if marker is None else title.chart.price(marker.cell)
            if price is None:
                return False
            more, less = price > one.amount, price < one.amount
            return {"under": less, "over": more, "least": not less, "most": not more}[one.what]
        case "direct":
            company = state.companies[CompanyId(one.name)]
            director = title.policies.director(title, state, CompanyId(one.name))
            return company.status == "open" and director == held.player
        case "on_sale":
            return one.name in new_trains(title, state)
        case "track":
            return any(
                isinstance(e, TileLaid | MarkerPlaced | OverlayLaid) for _, _, events, _ in others for e in events
            )
    return False


def _is_act(order: o.Order, round: str) -> bool:
    """True if an order does more than pass, in an auction or in a round of players' turns."""
    passes = o.Pass | o.Done | o.Drop | o.Decline | o.Refuse
    if isinstance(order, passes) or (isinstance(order, o.Take) and order.count == 0):
        return False
    if isinstance(order, o.SealedBids) and not order.bids:
        return False
    return round not in ("OR", "MR") or isinstance(order, o.Open | o.Bid | o.SealedBids)


def overspent(play: Chance) -> Iterator[str]:
    """Plans of which more was won than their limits, their budget, or their groups allow, in the moves that they made
    themselves."""
    _, events = _replayed(play)
    for begun, held in play.given:
        plan = held.orders[0].program  # type: ignore[union-attr]
        if not isinstance(plan, p.AuctionPlan):
            continue
        bids = dict[str, tuple[int, str]]()
        won = dict[str, int]()
        over = play.gone.get(id(held), len(events))
        for (who, _, happened, _), move in list(zip(events, play.table.moves, strict=True))[begun:over]:
            for event in happened:
                if isinstance(event, BidMade):
                    bids[event.item] = (event.amount, move.origin if who == held.player else "")
                if (
                    isinstance(event, Won)
                    and event.player == held.player
                    and bids.get(event.item, (0, ""))[1] == "standing"
                ):
                    won[event.item] = event.amount
        limits = {str(lot.item): lot.maximum for lot in plan.lots}
        mine = {item: amount for item, amount in won.items() if item in limits}
        if plan.budget is not None and sum(mine.values()) > plan.budget:
            yield f"{held.text}: {mine}"
        if any(amount > limits[item] for item, amount in mine.items()):
            yield f"{held.text}: {mine} above a limit"
        for group in plan.groups:
            if sum(lot.item in mine for lot in group) > 1:
                yield f"{held.text}: {mine} is two of one group"
