"""The refusals that players of 1841 read: they name the sum, the circle, the border, the missing link."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.core.checks import Failure
from moderator.words.wording import describe_failure
from tests.kit.games.situations_1841 import Italian, firm, fresh, situation

Begin = Callable[[], Italian]
TO_LOMBARDY: Any = {"G5": "9#1", "F6": "55#0", "E7": "57#1"}
"""Torino - Vercelli - Busto Arsizio."""
THROUGH_AUSTRIA: Any = {"H10": "57#1", "G11": "8#5", "H12": "6#0", "J12": "8#1", "K11": "57#1"}
"""Cremona - Mantova - Parma."""


def said(game: Italian, order: str) -> str:
    """The sentences of the refusal, one after the other."""
    found = game.failures(order)
    return " ".join(describe_failure(game.title, Failure(check, facts)) for check, facts in found.items())


def torino(phase: str = "3") -> Italian:
    sftn = firm("SFTN", {"Ann": 5}, "F4", markers="H4/1", tokens=2)
    return situation(sftn, tiles=TO_LOMBARDY, phase=phase).turn("SFTN", "token")


def cremona(phase: str = "4") -> Italian:
    afi = firm("AFI", {"Bob": 5}, "E5", markers="H10", tokens=2)
    return situation(afi, tiles=THROUGH_AUSTRIA, phase=phase).turn("AFI", "token")


def place_for_sale() -> Italian:
    sftn = firm("SFTN", {"Ann": 5}, "F4", markers="H4/1", tokens=2, cash=50)
    owner = firm("CTS", {"Bob": 5}, "E4", markers="E7 H10")
    return situation(sftn, owner, tiles=TO_LOMBARDY, phase="3").turn("SFTN", "acquire")


def two_builds() -> Italian:
    sftg = firm("SFTG", {"Ann": 5}, "F4", markers="H4/0 D8", cash=500)
    game = situation(sftg, phase="3").turn("SFTG")
    game.do("SFTG: lay 7 I3 4")
    return game


def circle_of(*companies: str, turn: str = "Ann") -> Italian:
    """Ann owns the first by a share more than the last has of it; each owns the next."""
    first, *others = companies
    chain = [firm(of, {owner: 2, "Bob": 2}, "F4", cash=500) for owner, of in zip(companies, others, strict=False)]
    return situation(
        firm(first, {"Ann": 2, companies[-1]: 2}, "F4", cash=500), *chain, cash={"Ann": 9, "Cat": 300}
    ).stock(turn, "SR 2")


def sixty() -> Italian:
    sftn, sftg = firm("SFTN", {"Ann": 3}, "F4"), firm("SFTG", {"SFTN": 4, "Ann": 2}, "F4")
    return situation(sftn, sftg, cash={"Ann": 500}, round="SR 2").stock("Ann")


def chain() -> Italian:
    sftg, sftn = firm("SFTG", {"Ann": 5}, "F4"), firm("SFTN", {"SFTG": 3}, "C3")
    return situation(sftg, sftn).turn("SFTN", "sell")


def nobody_takes() -> Italian:
    sftg = firm("SFTG", {"Ann": 3, "Bob": 1}, "F4")
    return situation(sftg, cash={"Ann": 5}, round="SR 2").stock("Ann")


def merger(
    first: str, second: str, tiles: Any = (), phase: str = "5", more: tuple[Any, ...] = (), **at: str
) -> Italian:
    afi = firm("AFI", {"Bob": 5}, at.get("a", "E5"), markers=first)
    cts = firm("CTS", {"Bob": 5}, at.get("b", "E7"), markers=second)
    return situation(afi, cts, *more, tiles=dict(tiles), phase="5").turn("AFI", "merge")


NEIGHBOURS = {"D8": "57#2", "E9": "621#2"}
"""Como and Bergamo, joined."""
OVER_BORDER = {"H10": "57#1", "G11": "8#5", "H12": "57#2"}
"""Cremona and Mantova."""

BAD: list[tuple[Begin, str, str]] = [
    (
        lambda: fresh("Ann Bob Cat Dan"), "Ann: bids 500 on Bayard, 341 on C-SFLP",
        "Your bids add up to L.\u00a0841, and you have L.\u00a0840",
    ),
    (
        lambda: circle_of("AFI", "ATFA", turn="Cat"), "Cat: buy 1 AFI from Ann for 70",
        "With that AFI would be owned by ATFA, which is owned by AFI again: such a circle is not allowed",
    ),
    (
        lambda: circle_of("AFI", "ATFA"), "Ann: sell 1 AFI",
        "AFI would be owned by ATFA, which is owned by AFI again: such a circle is not allowed",
    ),
    (
        lambda: circle_of("AFI", "ATFA", "CFCC"), "Ann: sell 1 AFI",
        "AFI would be owned by CFCC, which is owned by ATFA, which is owned by AFI again: such a circle is not",
    ),
    (
        sixty, "Ann: buy SFTG",
        "Ann would have 70 % of SFTG with all that Ann controls, and the limit is 60 %: Ann has 20 %, SFTN has 40 %",
    ),
    (
        two_builds, "SFTG: lay 58 I5 2",
        (
            "Each tile of a turn must be laid from a different base (a token in a city): after I3, SFTG has no base"
            " left that reaches I5 Asti"
        ),
    ),
    (
        torino, "SFTN: token E7",
        "The way of SFTN to E7 Busto Arsizio leads over a border that is active now, at E7 SW (1841 clarified 6.23",
    ),
    (
        cremona, "AFI: token K11",
        "The way of AFI to K11 Parma leads over borders that are active now, at G11 SE and H12 S",
    ),
    (place_for_sale, "SFTN: token E7 from CTS for 5", "leads over a border that is active now, at E7 SW"),
    (
        lambda: merger("H10", "H12", OVER_BORDER), "AFI: merge CTS into ILTF",
        "No way connects a city token of AFI with one of CTS, except over a border that is active now, at G11 SE",
    ),
    (
        lambda: merger("H10", "M3"), "AFI: merge CTS into ILTF",
        (
            "No way connects a city token of AFI with one of CTS: AFI has tokens in H10, CTS in M3, and no track"
            " leads from one to another"
        ),
    ),
    (
        lambda: merger("D8", "E9", NEIGHBOURS), "AFI: merge CTS into ILTF at 100",
        "The new company cannot have the price L.\u00a0100; it has L.\u00a0141, so name none",
    ),
    (
        lambda: merger("D8", "E9", NEIGHBOURS, a="O3", b="O2"), "AFI: merge CTS into ILTF at 300",
        "The new company cannot have the price L.\u00a0300; it has L.\u00a0269 or L.\u00a0295",
    ),
    (
        lambda: merger("D8", "E9", NEIGHBOURS, a="O3", b="O2"), "AFI: merge CTS into ILTF",
        "AFI and CTS are both above L.\u00a0250: choose the price of the new company, `at 269` or `at 295`",
    ),
    (
        nobody_takes, "Ann: sell 2 SFTG",
        (
            "1 share of SFTG may be sold, not 2: the president's certificate cannot go to the pool, and nobody"
            " else has enough shares to take it over (Bob has 1)"
        ),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("begin", "order", "says"), BAD)
def test_a_refusal_says_what_is_wrong_and_where(begin: Begin, order: str, says: str) -> None:
    assert says in said(begin(), order)


@pytest.mark.rule("1841:10.11")
def test_who_fills_a_city_on_the_way_is_named() -> None:
    """Como lies between Busto Arsizio and Bergamo."""
    way = {"E7": "57#1", "D8": "6#5", "E9": "621#2"}
    assert not said(merger("E7", "E9", way), "AFI: merge CTS into ILTF")
    filled = merger("E7", "E9", way, more=(firm("ATFA", {"Cat": 5}, "F4", markers="D8"),))
    assert said(filled, "AFI: merge CTS into ILTF").startswith(
        "No way connects a city token of AFI with one of CTS: tokens of ATFA fill cities on the way (1841"
    )
