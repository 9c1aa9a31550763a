"""Write standing orders as text, in canonical form. Each reads as a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, assert_never

from engine.core import programs as p
from engine.core.ids import CompanyId
from engine.core.orders import Space

_STEP: Final = p.PlanLot(CompanyId(""), 0).step

_PASS: Final[Mapping[p.Scope, str]] = {"stock": "pass", "all": "pass in all rounds", "other": "pass other questions"}


def write_program(program: p.Program, source: Callable[[str], str] = str, space: Callable[[Space], str] = str) -> str:
    """The text of ``program``, without its actor. ``source`` gives the title's word for a place of shares, ``space``
    the text of a city space."""
    match program:
        case p.PassUntil(until=until, scope=scope):
            return _PASS[scope] + _until(until)
        case p.BuyShares():
            return _buy(program, source)
        case p.SellShares(company=company, keep=keep, under=under):
            return f"sell down {company} to {keep}" + ("" if under is None else f" if under {under}")
        case p.AuctionPlan():
            return _plan(program)
        case p.Terms(agree=agree, amount=amount):
            goods = f"{_goods(program, space)} to {program.buyer or 'anybody'}"
            if agree:
                return f"agree {goods} for at least {amount}"
            return f"refuse {goods}" + ("" if amount is None else f" for under {amount}")
        case p.MergerTerms(agree=agree, partner=partner, into=into, until=until):
            said = ["agree" if agree else "refuse", "mergers"]
            said += [f"with {partner}"] if partner else []
            said += [f"into {into}"] if into else []
            return " ".join(said) + _until(until)
        case p.DeclineMergers(until=until):
            return "decline in all rounds" + _until(until)
        case p.TurnRoutine(steps=steps, until=until, loans=loans):
            return f"each turn {', '.join(steps)}" + ("" if loans else " without loans") + _until(until)
        case p.OnlyIf(conditions=conditions):
            return f"only if {' and '.join(map(write_condition, conditions))}"
        case p.Unless(conditions=conditions):
            return f"unless {write_conditions(conditions)}"
        case p.DiscardFirst(train=train):
            return f"discard {train} first"
        case _:
            assert_never(program)


def write_conditions(until: Iterable[p.Condition]) -> str:
    """The text of conditions of which any one is enough."""
    return " or ".join(map(write_condition, until))


def write_condition(one: p.Condition) -> str:
    """The text of one condition."""
    match one.what:
        case "acts":
            return f"{one.name or 'anybody'} acts"
        case "sells":
            return f"{one.name or 'anybody'} sells"
        case "founds":
            return f"{one.name or 'anybody'} starts a company"
        case "starts" | "floats":
            return f"{one.name} {one.what}"
        case "started":
            return f"{one.name} has started"
        case "unstarted":
            return f"{one.name} has not started"
        case "passed":
            return f"{one.name} has passed"
        case "sold":
            return f"{one.name} is sold"
        case "under" | "over":
            return f"{one.name} is {one.what} {one.amount}"
        case "least" | "most":
            return f"{one.name} is at {one.what} {one.amount}"
        case "direct":
            return f"I direct {one.name}"
        case "on_sale":
            return f"train {one.name} is on sale"
        case "track":
            return "the track changes"
        case "round":
            return "the round ends"
        case _:
            assert_never(one.what)


def _until(until: Sequence[p.Condition]) -> str:
    return f" until {write_conditions(until)}" if until else ""


def _buy(program: p.BuyShares, source: Callable[[str], str]) -> str:
    said = ["buy", program.company]
    said += [program.certificate] if program.certificate else []
    said += [f"from {source(program.source)}"] if program.source else []
    said += [] if program.count is None else [f"up to {program.count}"]
    said += [] if program.price is None else [f"while at most {program.price}"]
    text = " ".join(said) + _until(program.until)
    return text if program.leading else f"{text} not as director"


def _goods(program: p.Terms, space: Callable[[Space], str]) -> str:
    if program.hex is not None:
        return f"token {space(Space(program.hex, program.exit, program.beside))}"
    if program.company is not None:
        return f"{program.count} {program.company}"
    return program.private or f"train {program.train}"


def _plan(program: p.AuctionPlan) -> str:
    said = [" or ".join(map(_lot, group)) for group in program.groups]
    said += [] if program.budget is None else [f"budget {program.budget}"]
    said += ["drop the rest"] if program.drop_rest else []
    return f"plan {', '.join(said)}"


def _lot(lot: p.PlanLot) -> str:
    step = "" if lot.step == _STEP else f" step {lot.step}"
    return f"{lot.item} {lot.maximum}{step}" + ("" if lot.unless is None else f" unless {lot.unless}")
