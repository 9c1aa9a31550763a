"""What directors of 1844 sell shares for: a train that their company must have and its treasury cannot pay."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.games.situations_1844 import EDITIONS, Swiss, situation, swiss

both = pytest.mark.parametrize("edition", EDITIONS)


def mob(edition: str = "rulebook", cash: int = 600, director: int = 0, **more: Any) -> Swiss:
    """MOB must have a train; the 6 costs 630 and the 6H 550. Bob directs it and the BLS, and has five AB at 135."""
    rows = (
        swiss("MOB", {"Bob": 5}, cash=cash),
        swiss("BLS", {"Bob": 5}, par=90, trains="5H"),
        swiss("AB", {"Cat": 5, "Bob": 5}, "r3c9"),
    )
    given: dict[str, Any] = {"phase": "6", "tiles": {"I6": "57#1"}, "cash": {"Bob": director}, **more}
    return situation(*rows, edition=edition, **given).turn("MOB", "trains")


@pytest.mark.rule("1844:11.13")
def test_after_a_sale_the_treasury_does_not_pay_for_the_train() -> None:
    """MOB has 600: for the 6H at 550 nothing was sold, for the 6 at 630 it was."""
    game = mob()
    assert not game.reasons("MOB: train 6H")
    game.do("MOB: sell 5 AB")
    facts = {"train": "6H", "price": 550, "least": 601, "cash": 600}
    assert game.reasons("MOB: train 6H") == {"help.purpose": facts}
    assert [line for line in game.accepted() if line.startswith("train")] == ["train 6"]
    game.do("MOB: train 6; done")
    assert (game.money("MOB"), game.money("Bob"), game.trains("MOB")) == (0, 5 * 135 - 30, "6")


@pytest.mark.rule("1844:11.13", "1844:11.3")
def test_after_a_sale_a_train_of_a_sister_costs_what_the_treasury_has_not() -> None:
    """The 5H, printed 400: with 600 in the treasury no price for it needs help, with 300 those from 301 on do."""
    rich = mob()
    rich.do("MOB: sell 1 AB")
    assert rich.reasons("MOB: train 5H from BLS for 1") == {
        "help.purpose": {"train": "5H", "price": 1, "least": 601, "cash": 600}
    }
    poor = mob(cash=300)
    assert not poor.reasons("MOB: train 5H from BLS for 1")
    poor.do("MOB: sell 1 AB")
    for price in (1, 300):
        assert poor.reasons(f"MOB: train 5H from BLS for {price}")["help.purpose"]["least"] == 301
    assert "train 5H from BLS for 301" in poor.menu()
    poor.do("MOB: train 5H from BLS for 301; done")
    assert (poor.money("MOB"), poor.money("Bob")) == (0, 134)


@pytest.mark.rule("1844:11.13", "1844:12.12")
@both
def test_who_has_sold_buys(edition: str) -> None:
    """Neither an end of the turn nor EVA comes between the sale and the train."""
    game = mob(edition, privates={"P7": "Bob"}, options={"help_purpose": "short"})
    assert not game.reasons("Bob: use P7 for MOB")
    game.do("MOB: sell 1 AB")
    assert game.reasons("MOB: done") == {"train.must_own": {"company": "MOB"}}
    assert game.reasons("Bob: use P7 for MOB") == {"use.sold_for_train": {"company": "MOB"}}
    game.do("MOB: train 6")
    assert not game.reasons("Bob: use P7 for MOB"), "there is room for it, and nothing is due"


@pytest.mark.rule("1844:11.13", "1844:12.12")
@pytest.mark.parametrize(("edition", "options"), [("18xx.games", {}), ("rulebook", {"help_purpose": "train"})])
def test_on_the_site_eva_may_come_after_a_sale(edition: str, options: dict[str, str]) -> None:
    """The owner of P7 may use it in every step of the turn, and the company then has a train."""
    game = mob(edition, privates={"P7": "Bob"}, options=options)
    game.do("MOB: sell 1 AB")
    assert game.reasons("MOB: done") == {"train.must_own": {"company": "MOB"}}
    game.do("Bob: use P7 for MOB; MOB: done")
    assert (game.money("MOB"), game.money("Bob"), game.trains("MOB")) == (600, 135, "5H")


@pytest.mark.rule("1844:11.13", "1844:11.8")
def test_the_train_that_the_sale_was_for_leaves_the_others_free() -> None:
    game = mob()
    game.do("MOB: sell 1 AB; train 6")
    assert game.reasons("MOB: train 6H") == {"train.money": {"train": "6H", "cost": 550, "cash": 0}}
    assert game.reasons("MOB: sell 1 BLS") == {"help.not_obliged": {"company": "MOB"}}
    assert not game.reasons("MOB: done")


@pytest.mark.rule("1844:11.13", "1844:6.22")
def test_a_treasury_that_has_grown_since_leaves_no_dead_end() -> None:
    """P4 brings MOB its 80 after the sale: 600 become 680, and everything on offer can be paid."""
    game = mob(privates={"P4": "MOB"})
    game.do("MOB: sell 1 AB; use P4")
    assert game.money("MOB") == 680 and not game.reasons("MOB: train 6H")
    game.do("MOB: train 6H; done")


@pytest.mark.rule("1844:11.13")
@pytest.mark.parametrize(
    ("edition", "options", "bank", "sister"),
    [
        ("rulebook", {}, {"help.purpose"}, {"help.purpose"}),
        ("rulebook", {"help_purpose": "train"}, set(), {"help.purpose"}),
        ("18xx.games", {}, set(), {"help.purpose"}),
        ("18xx.games", {"help_purpose": "short"}, {"help.purpose"}, {"help.purpose"}),
    ],
)
def test_how_the_editions_differ(edition: str, options: dict[str, str], bank: set[str], sister: set[str]) -> None:
    """On 18xx.games the treasury may pay for a train of the bank after a sale. A train of a sister needs what the last
    sale brought: with 300 in the treasury and 50 in the director's hands, sold for 135, its price is at least 351."""
    game = mob(edition, options=options)
    game.do("MOB: sell 1 AB")
    assert game.refusals("MOB: train 6H") == bank
    poor = mob(edition, cash=300, director=50, options=options)
    poor.do("MOB: sell 1 AB")
    least = 351 if (edition, options) == ("18xx.games", {}) or options == {"help_purpose": "train"} else 301
    assert poor.refusals(f"MOB: train 5H from BLS for {least - 1}") == sister
    assert not poor.refusals(f"MOB: train 5H from BLS for {least}")
    assert f"train 5H from BLS for {least}" in poor.menu()


@pytest.mark.rule("1844:11.13")
def test_the_site_looks_at_one_share_of_the_last_sale() -> None:
    """Two shares at 135 with 200 in the treasury: the price of the 5H is at least 470 - 135 + 1, not 201."""
    game = mob("18xx.games", cash=200)
    game.do("MOB: sell 2 AB")
    assert game.refusals("MOB: train 5H from BLS for 335") == {"help.purpose"}
    assert not game.refusals("MOB: train 5H from BLS for 336")
    assert "train 5H from BLS for 336" in game.menu()


@pytest.mark.rule("1844:11.13")
def test_where_the_sites_bounds_contradict_each_other_there_is_no_price() -> None:
    """The 5H is printed 400; treasury and cash had 450 before the sale, so that none of it was needed."""
    game = mob("18xx.games", cash=300, director=150)
    assert not game.refusals("MOB: train 5H from BLS for 1")
    game.do("MOB: sell 1 AB")
    for price in (1, 300, 400):
        assert game.refusals(f"MOB: train 5H from BLS for {price}") == {"help.purpose"}
    assert not any("from BLS" in line for line in game.menu()) and not game.refusals("MOB: train 6H")


@pytest.mark.rule("1844:11.13", "1844:10.9")
def test_the_printed_price_of_another_directors_train_needs_nothing_of_a_sale() -> None:
    rows = (swiss("MOB", {"Bob": 5}, cash=300), swiss("BLS", {"Cat": 5}, par=90, trains="5H"))
    ab = swiss("AB", {"Cat": 5, "Bob": 5}, "r3c9")
    given: dict[str, Any] = {"phase": "6", "tiles": {"I6": "57#1"}, "cash": {"Bob": 150}}
    game = situation(*rows, ab, edition="18xx.games", **given).turn("MOB", "trains")
    game.do("MOB: sell 1 AB")
    assert not game.refusals("MOB: train 5H from BLS for 400")
