"""Build standing orders from the parse tree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from lark import Token, Transformer

from engine.core import orders as o
from engine.core import programs as p
from engine.core.ids import Actor, CompanyId, PlayerId, TrainName
from grammar import parts as read

_ANYBODY: Final = "anybody"
_NOT_LEADING: Final = "not as director"
_DROP_REST: Final = "drop the rest"
_WITHOUT_LOANS: Final = "without loans"
_IF_NEEDED: Final = "train if needed"
_STEP: Final = p.PlanLot(CompanyId(""), 0).step


@dataclass(frozen=True, slots=True)
class _Number:
    """A number with its meaning in the order."""

    of: str
    amount: int


@dataclass(frozen=True, slots=True)
class _Unless:
    item: p.LotName


@dataclass(frozen=True, slots=True)
class _Named:
    """A company with its part in the order."""

    of: str
    company: CompanyId


class ProgramBuilder(Transformer[Token, Any]):
    """The part of the builder for standing orders. ``actor`` is the player or company under whose head they stand."""

    actor: Actor

    def _standing(self, program: p.Program) -> o.Standing:
        return o.Standing(self.actor, program)

    # ---- conditions

    def anybody(self, parts: list[Any]) -> str:
        return _ANYBODY

    def acts(self, parts: list[Any]) -> p.Condition:
        return p.Condition("acts", read.word(parts, "A_PLAYER") or "")

    def sells(self, parts: list[Any]) -> p.Condition:
        return p.Condition("sells", read.word(parts, "A_PLAYER") or "")

    def founds(self, parts: list[Any]) -> p.Condition:
        return p.Condition("founds", read.word(parts, "A_PLAYER") or "")

    def starts(self, parts: list[Any]) -> p.Condition:
        return p.Condition("starts", read.company(parts))

    def floats(self, parts: list[Any]) -> p.Condition:
        return p.Condition("floats", read.company(parts))

    def sold(self, parts: list[Any]) -> p.Condition:
        return p.Condition("sold", read.company(parts))

    def started(self, parts: list[Any]) -> p.Condition:
        return p.Condition("started", read.company(parts))

    def unstarted(self, parts: list[Any]) -> p.Condition:
        return p.Condition("unstarted", read.company(parts))

    def passed(self, parts: list[Any]) -> p.Condition:
        return p.Condition("passed", read.word(parts, "A_PLAYER") or "")

    def nobody(self, parts: list[Any]) -> p.Condition:
        return p.Condition("acts")

    def give_up(self, parts: list[Any]) -> o.Standing:
        return self._standing(p.Unless(tuple(read.of(parts, p.Condition))))

    def only_if(self, parts: list[Any]) -> o.Standing:
        return self._standing(p.OnlyIf(tuple(read.of(parts, p.Condition))))

    def under(self, parts: list[Any]) -> p.Condition:
        return p.Condition("under", read.company(parts), read.amount(parts))

    def over(self, parts: list[Any]) -> p.Condition:
        return p.Condition("over", read.company(parts), read.amount(parts))

    def least(self, parts: list[Any]) -> p.Condition:
        return p.Condition("least", read.company(parts), read.amount(parts))

    def most(self, parts: list[Any]) -> p.Condition:
        return p.Condition("most", read.company(parts), read.amount(parts))

    def direct(self, parts: list[Any]) -> p.Condition:
        return p.Condition("direct", read.company(parts))

    def on_sale(self, parts: list[Any]) -> p.Condition:
        return p.Condition("on_sale", read.word(parts, "A_TRAIN") or "")

    def track(self, parts: list[Any]) -> p.Condition:
        return p.Condition("track")

    def round_ends(self, parts: list[Any]) -> p.Condition:
        return p.Condition("round")

    def until(self, parts: list[Any]) -> tuple[p.Condition, ...]:
        return tuple(read.of(parts, p.Condition))

    # ---- stock turns

    def pass_until(self, parts: list[Any]) -> o.Standing:
        return self._standing(p.PassUntil(_until(parts), *read.of(parts, str)[:1]))

    def all_rounds(self, parts: list[Any]) -> str:
        return "all"

    def other_questions(self, parts: list[Any]) -> str:
        return "other"

    def up_to(self, parts: list[Any]) -> _Number:
        return _Number("count", read.amount(parts))

    def within(self, parts: list[Any]) -> _Number:
        return _Number("price", read.amount(parts))

    def not_leading(self, parts: list[Any]) -> str:
        return _NOT_LEADING

    def buy_shares(self, parts: list[Any]) -> o.Standing:
        numbers = {one.of: one.amount for one in read.of(parts, _Number)}
        source = "pool" if read.word(parts, "A_POOL") is not None else read.said(parts, "treasury", "ipo")
        return self._standing(
            p.BuyShares(
                read.company(parts), numbers.get("count"), numbers.get("price"), _until(parts),
                _NOT_LEADING not in parts, source, read.said(parts, "director", "double"),
            )
        )  # fmt: skip

    def sell_shares(self, parts: list[Any]) -> o.Standing:
        keep, *under = read.numbers(parts)
        return self._standing(p.SellShares(read.company(parts), keep, under[0] if under else None))

    # ---- auctions

    def unless(self, parts: list[Any]) -> _Unless:
        return _Unless(_item(parts))

    def lot_limit(self, parts: list[Any]) -> p.PlanLot:
        steps = [part[1] for part in parts if isinstance(part, tuple)]
        unless = next((one.item for one in read.of(parts, _Unless)), None)
        return p.PlanLot(_item(parts), read.amount(parts), steps[0] if steps else _STEP, unless)

    def group(self, parts: list[Any]) -> tuple[p.PlanLot, ...]:
        return tuple(read.of(parts, p.PlanLot))

    def budget(self, parts: list[Any]) -> _Number:
        return _Number("budget", read.amount(parts))

    def drop_rest(self, parts: list[Any]) -> str:
        return _DROP_REST

    def plan(self, parts: list[Any]) -> o.Standing:
        budgets = [one.amount for one in read.of(parts, _Number)]
        groups = tuple(group for group in read.of(parts, tuple) if group)
        return self._standing(p.AuctionPlan(groups, min(budgets, default=None), _DROP_REST in parts))

    # ---- consent, and companies

    def agree_terms(self, parts: list[Any]) -> o.Standing:
        return self._standing(_terms(parts, agree=True))

    def refuse_terms(self, parts: list[Any]) -> o.Standing:
        return self._standing(_terms(parts, agree=False))

    def agree_shares(self, parts: list[Any]) -> o.Standing:
        return self._standing(_share_terms(parts, agree=True))

    def refuse_shares(self, parts: list[Any]) -> o.Standing:
        return self._standing(_share_terms(parts, agree=False))

    def agree_token(self, parts: list[Any]) -> o.Standing:
        return self._standing(_token_terms(parts, agree=True))

    def refuse_token(self, parts: list[Any]) -> o.Standing:
        return self._standing(_token_terms(parts, agree=False))

    def partner(self, parts: list[Any]) -> _Named:
        return _Named("partner", read.company(parts))

    def into(self, parts: list[Any]) -> _Named:
        return _Named("into", read.company(parts))

    def agree_mergers(self, parts: list[Any]) -> o.Standing:
        return self._standing(_merger_terms(parts, agree=True))

    def refuse_mergers(self, parts: list[Any]) -> o.Standing:
        return self._standing(_merger_terms(parts, agree=False))

    def decline_mergers(self, parts: list[Any]) -> o.Standing:
        return self._standing(p.DeclineMergers(_until(parts)))

    def without_loans(self, parts: list[Any]) -> str:
        return _WITHOUT_LOANS

    def if_needed(self, parts: list[Any]) -> str:
        return _IF_NEEDED

    def routine(self, parts: list[Any]) -> o.Standing:
        steps = [_step(part) for part in parts if not isinstance(part, tuple | Token) and part != _WITHOUT_LOANS]
        return self._standing(p.TurnRoutine(tuple(steps), _until(parts), _WITHOUT_LOANS not in parts))

    def discard_first(self, parts: list[Any]) -> o.Standing:
        return self._standing(p.DiscardFirst(TrainName(read.word(parts, "A_TRAIN") or "")))


def _until(parts: list[Any]) -> tuple[p.Condition, ...]:
    return next((tuple(part) for part in read.of(parts, tuple) if part and isinstance(part[0], p.Condition)), ())


def _item(parts: list[Any]) -> p.LotName:
    found = read.item(parts)
    assert found is not None
    return found


def _terms(parts: list[Any], *, agree: bool) -> p.Terms:
    train, company, player = (read.word(parts, kind) for kind in ("A_TRAIN", "A_COMPANY", "A_PLAYER"))
    buyer: Actor | None = CompanyId(company) if company else PlayerId(player) if player else None
    private = None if train is not None else read.private(parts)
    return p.Terms(agree, private, None if train is None else TrainName(train), buyer, read.number(parts))


def _share_terms(parts: list[Any], *, agree: bool) -> p.Terms:
    count, *amount = read.numbers(parts)
    player = read.word(parts, "A_PLAYER")
    buyer = PlayerId(player) if player else None
    return p.Terms(agree, None, None, buyer, amount[0] if amount else None, read.company(parts), count)


def _token_terms(parts: list[Any], *, agree: bool) -> p.Terms:
    company = read.word(parts, "A_COMPANY")
    buyer = CompanyId(company) if company else None
    (space,) = read.of(parts, o.Space)
    amount = read.number(parts)
    return p.Terms(agree, None, None, buyer, amount, hex=space.hex, exit=space.exit, beside=space.company)


def _merger_terms(parts: list[Any], *, agree: bool) -> p.MergerTerms:
    named = {one.of: one.company for one in read.of(parts, _Named)}
    return p.MergerTerms(agree, named.get("partner"), named.get("into"), _until(parts))


_STEPS: Final[Mapping[type, p.Step]] = {o.RunBest: "run best", o.Run: "run none", o.Done: "done"}


def _step(part: Any) -> p.Step:
    """The step of a routine that an order of a turn stands for."""
    if part == _IF_NEEDED:
        return "train if needed"
    if isinstance(part, o.Pay):
        return {"full": "pay full", "half": "pay half", "none": "pay none"}[part.kind]  # type: ignore[return-value]
    return _STEPS[type(part)]
