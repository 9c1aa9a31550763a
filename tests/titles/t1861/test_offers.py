"""Shares offered when a public company of 1861 is formed: the two stages, their limits, and mergers taken back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from engine.core.events import Passed, Restored, TurnBegan
from engine.core.ids import PlayerId
from engine.core.secret import HIDDEN
from engine.holders.ledger import counted
from tests.kit.games.course_1861 import NETWORK, agreed, mergers, minor, operating_turn, whole_round
from tests.kit.games.situations import Described, Played, company, situation

EDITIONS = ("v2.0", "first", "2020")


# ---- two shares -----------------------------------------------------------------------------------------------------


def two_owners(edition: str, bob: int, cat: int, ann: int = 0) -> Played:
    return mergers(minor("K-R", "Bob", 135), minor("M-V", "Cat", 120), minor("V", "Ann", 100), edition=edition,
                   cash={"Ann": ann, "Bob": bob, "Cat": cat})  # fmt: skip


@pytest.mark.rule("14.12", "14.15", "14.18", "14.16")
def test_who_comes_to_two_shares_first_is_director_and_the_second_stage_starts_with_him() -> None:
    game = agreed(two_owners("v2.0", bob=500, cat=500), "K-R: merge M-V into NW")
    assert game.shares("NW") == {"Bob": 1, "Cat": 1, "Treasury": 8}
    assert game.asked == ["Bob offer.shares"]
    game.do("Bob: take 0")
    assert game.asked == ["Cat offer.shares"]
    game.do("Cat: take 1")
    assert game.director("NW") == "Cat"
    assert game.shares("NW") == {"Bob": 1, "Cat": 2, "Treasury": 7}
    assert game.asked == ["Cat offer.shares"]
    assert game.refusals("Cat: take 2") == {"offer.one_each", "offer.money"}
    game.do("Cat: take 1")
    assert game.asked == ["Bob offer.shares"], "Ann cannot pay"
    game.do("Bob: take 1")
    assert (game.money("NW"), game.shares("NW")) == (600, {"Bob": 2, "Cat": 3, "Treasury": 5})


@pytest.mark.rule("14.12")
def test_a_merger_in_which_nobody_can_pay_is_taken_back() -> None:
    game = two_owners("v2.0", bob=0, cat=199)
    before = game.without_agenda()
    agreed(game, "K-R: merge M-V into NW")
    assert [e.reason for e in game.told(Restored)] == ["nobody_has_two_shares"]
    assert game.without_agenda() == before
    assert game.asked == ["Bob K-R merger.turn"]
    assert game.refusals("K-R: merge M-V into SW") == {"merge.tried"}
    assert game.refusals("K-R: merge M-V, V into SW") == game.refusals("K-R: convert to NW") == set()


@pytest.mark.rule("14.12")
def test_a_merger_in_which_nobody_will_pay_is_taken_back() -> None:
    game = two_owners("v2.0", bob=500, cat=500)
    before = game.without_agenda()
    agreed(game, "K-R: merge M-V into NW")
    game.do("Bob: take 0\nCat: take 0")
    assert game.without_agenda() == before
    game.do("K-R: decline")
    assert game.asked == ["Cat M-V merger.turn"]
    assert game.refusals("M-V: merge K-R into NW") == set(), "another leader may try the same group"


@pytest.mark.rule("14.12")
def test_the_2020_edition_refuses_at_once_what_nobody_could_pay() -> None:
    assert two_owners("2020", bob=0, cat=199).refusals("K-R: merge M-V into NW") == {"merge.two_shares"}
    assert two_owners("2020", bob=0, cat=200).refusals("K-R: merge M-V into NW") == set()
    game = agreed(two_owners("2020", bob=0, cat=200), "K-R: merge M-V into NW")
    game.do("Cat: take 1")
    assert game.director("NW") == "Cat"


@pytest.mark.rule("14.12")
def test_the_first_edition_obliges_the_owner_of_the_earliest_minor() -> None:
    assert two_owners("first", bob=199, cat=500).refusals("K-R: merge M-V into NW") == {"merge.two_shares"}
    game = agreed(two_owners("first", bob=200, cat=500), "K-R: merge M-V into NW")
    assert game.asked == ["Bob offer.shares"]
    assert game.refusals("Bob: take 0") == {"offer.obliged"}
    game.do("Bob: take 1")
    assert (game.director("NW"), game.money("Bob")) == ("Bob", 0)
    assert game.asked == ["Cat offer.shares"]
    game.do("Cat: take 2")
    assert game.director("NW") == "Cat"


@pytest.mark.rule("14.12", "14.13")
def test_markers_are_chosen_by_a_director_of_one_share() -> None:
    game = two_owners("v2.0", bob=500, cat=500, ann=500)
    agreed(game, "K-R: merge M-V, V into NW")
    assert game.asked == ["Bob NW merger.keep"]
    game.do("NW: keep G15, I13\nBob: take 1")
    assert game.asked == ["Cat offer.shares"], "to the left of Bob; Ann holds a share and is the last"
    game.do("Cat: take 0")
    assert game.asked == ["Ann offer.shares"]


@pytest.mark.rule("1.11", "1.7", "14.12")
def test_the_seed_of_lots_is_in_nothing_that_is_shown() -> None:
    game = agreed(two_owners("v2.0", bob=500, cat=500), "K-R: merge M-V into NW")
    assert game.asked == ["Bob offer.shares"]
    assert "'situation'" not in repr(replace(game.state, seed=HIDDEN))
    game.do("Bob: take 0\nCat: take 0")
    (back,) = game.told(Restored)
    assert not back.state.seed
    assert game.state.seed.reveal() == "situation"


# ---- many owners ----------------------------------------------------------------------------------------------------

OWNED = ("M-V", "K-R", "V", "M-B", "M-K", "N")
"""Minors of as many owners, all joined; the first of them operates first."""


def merged_by(owners: int, edition: str = "v2.0", also: Sequence[Described] = ()) -> Played:
    """That many minors at 100, each of another owner with 1,500, have merged into NW at 200; M-V's owner is asked."""
    players = ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay")[: max(owners, 3)]
    group = [minor(name, player, 100) for name, player in zip(OWNED, players[:owners], strict=False)]
    cash = dict.fromkeys(players, 1500)
    game = mergers(*also, *group, edition=edition, players=" ".join(players), cash=cash)
    agreed(game, f"M-V: merge {', '.join(OWNED[1:owners])} into NW")
    if game.asked[0].endswith("merger.keep"):
        game.do(f"NW: {game.menu()[0]}")
    return game


@pytest.mark.rule("14.10", "14.15", "1.6")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("owners", "most"), [(2, 5), (3, 5), (4, 5), (5, 5), (6, 4)])
def test_the_directors_certificate_of_a_merger_of_single_minors_is_on_offer(
    edition: str, owners: int, most: int
) -> None:
    """Until somebody has two shares it lies unsold with the ordinary ones and counts for two of the shares left."""
    game = merged_by(owners, edition)
    assert game.asked == ["Ann offer.shares"]
    ones = {str(player): 1 for player in game.state.players[:owners]}
    assert game.shares("NW") == {**ones, "Treasury": 10 - owners}
    accepted = game.accepted()
    assert accepted == [f"take {1 if edition == 'first' else 0}"], "the first owner is obliged there"
    too_many = "offer.limit" if most == 5 else "offer.none_left"
    assert too_many in game.refusals(f"Ann: take {most + 1}")
    game.do(f"Ann: take {most}")
    assert (game.director("NW"), game.money("Ann"), game.money("NW")) == ("Ann", 1500 - 200 * most, 200 * most)
    held = {kind: n for (place, name, kind), n in game.state.holdings.items() if (place, name) == ("Ann", "NW")}
    assert held == {"director": 1, "ordinary": most - 1}
    left = {kind: n for (place, name, kind), n in game.state.holdings.items() if (place, name) == ("Treasury", "NW")}
    assert left.get("ordinary", 0) == 10 - owners - most and "director" not in left


@pytest.mark.rule("14.12", "14.15")
def test_the_last_owner_may_take_the_lead_when_the_others_have_declined() -> None:
    game = merged_by(6)
    for player in ("Ann", "Bob", "Cat", "Dan", "Eve"):
        game.do(f"{player}: take 0")
    game.do("Fay: take 4")
    assert game.director("NW") == "Fay"
    assert game.shares("NW") == {"Ann": 1, "Bob": 1, "Cat": 1, "Dan": 1, "Eve": 1, "Fay": 5}


@pytest.mark.rule("14.15", "14.18", "1.6")
def test_two_owners_in_turn_buy_what_a_merger_of_four_has_left() -> None:
    game = merged_by(4)
    game.do("Ann: take 2")
    assert game.director("NW") == "Ann"
    game.do("Bob: take 4")
    assert (game.director("NW"), game.shares("NW")) == ("Bob", {"Ann": 3, "Bob": 5, "Cat": 1, "Dan": 1})


# ---- offers ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("14.15", "14.16", "14.17", "1.6")
def test_offers_after_a_conversion() -> None:
    game = mergers(minor("K-R", "Bob", 120), cash={"Ann": 120, "Bob": 1000, "Cat": 119})
    game.do("K-R: convert to NW")
    assert game.asked == ["Bob offer.shares"]
    assert game.refusals("Bob: take 5") == {"offer.limit"}
    assert game.refusals("Bob: take 1 of SW") == {"offer.company"}
    game.do("Bob: take 3")
    assert (game.money("Bob"), game.money("NW")) == (640, 360)
    assert game.asked == ["Bob offer.shares"]
    game.do("Bob: take 1")
    assert game.asked == ["Ann offer.shares"], "Cat cannot pay"
    game.do("Ann: take 1")
    assert game.shares("NW") == {"Ann": 1, "Bob": 6, "Treasury": 3}
    assert game.state.round.kind == "OR", "once round"


@pytest.mark.rule("14.16", "14.17")
@pytest.mark.parametrize(("edition", "then"), [("v2.0", "Bob"), ("first", "Bob"), ("2020", "Ann")])
def test_the_2020_edition_does_not_ask_an_owner_again_who_has_just_converted(edition: str, then: str) -> None:
    game = mergers(minor("K-R", "Bob", 120), edition=edition, cash={"Ann": 120, "Bob": 1000, "Cat": 119})
    game.do("K-R: convert to NW\nBob: take 1")
    assert game.asked == [f"{then} offer.shares"]


@pytest.mark.rule("14.16", "14.18")
def test_the_2020_edition_asks_a_director_again_when_somebody_else_has_ended_the_first_stage() -> None:
    minors = (minor("K-R", "Bob", 120), minor("M-V", "Bob", 110), minor("V", "Cat", 100))
    game = mergers(*minors, edition="2020", cash={"Ann": 300, "Bob": 1000, "Cat": 1000})
    agreed(game, "K-R: merge M-V, V into NW keep G15, I13")
    game.do("Bob: take 1\nCat: take 0")
    assert game.asked == ["Bob offer.shares"], "Cat would come after him"
    game = mergers(*minors, edition="2020", cash={"Ann": 300, "Bob": 0, "Cat": 1000})
    agreed(game, "K-R: merge M-V, V into NW keep G15, I13")
    game.do("Cat: take 0")
    assert game.asked == ["Ann offer.shares"], "Cat would be the first, for Bob cannot pay"
    game = mergers(*minors, edition="2020", cash={"Ann": 300, "Bob": 1000, "Cat": 0})
    agreed(game, "K-R: merge M-V, V into NW keep G15, I13")
    game.do("Bob: take 1")
    assert game.asked == ["Ann offer.shares"], "Bob would be the first"


@pytest.mark.rule("14.15", "14.18")
def test_a_holder_who_takes_more_than_the_director_takes_over() -> None:
    game = mergers(
        minor("K-R", "Bob", 120), minor("M-V", "Bob", 110), minor("V", "Cat", 100), cash={"Cat": 600, "Ann": 300}
    )
    agreed(game, "K-R: merge M-V, V into NW keep G15, I13")
    assert game.director("NW") == "Bob"
    assert game.asked == ["Cat offer.shares"]
    game.do("Cat: take 2")
    assert game.director("NW") == "Cat"
    assert game.shares("NW") == {"Bob": 2, "Cat": 3, "Treasury": 5}
    assert game.asked == ["Cat offer.shares"]


@pytest.mark.rule("14.15", "14.16")
def test_when_all_shares_are_sold_nobody_is_asked() -> None:
    game = mergers(minor("K-R", "Bob", 55), minor("M-V", "Bob", 50), minor("V", "Cat", 50),
                   cash={"Ann": 1000, "Bob": 1000, "Cat": 1000})  # fmt: skip
    agreed(game, "K-R: merge M-V, V into NW keep G15, I13")
    game.do("Bob: take 4\nCat: take 3")
    assert game.shares("NW") == {"Bob": 6, "Cat": 4}
    assert game.state.round.kind != "MR"


@pytest.mark.rule("14.15", "1.6", "14.7")
def test_six_merged_minors_are_sixty_percent() -> None:
    names = ["N", "M-K", "M-NN", "K-R", "M-V", "V"]
    group = [company(n, "Bob", at="r8c2", markers="H8" if n[0] in "NM" and n != "M-V" else None) for n in names]
    game = mergers(*group, cash={"Ann": 0, "Bob": 1000})
    game.do("N: merge M-K, M-NN, K-R, M-V, V into NW keep G15, I19")
    assert game.shares("NW") == {"Bob": 6, "Treasury": 4}
    assert [e.actor for e in game.told(Passed) if e.forced][:2] == ["Bob", "Bob"]


@pytest.mark.rule("14.15", "3.14")
def test_the_certificate_limit_holds_for_offers() -> None:
    many = [company(m, "Bob", at="r8c2") for m in ("N", "M-K", "K-B", "K-K", "O-K", "R-O", "SP-W", "M-NN", "E", "M-B")]
    game = mergers(minor("K-R", "Bob", 120), *many, players="Ann Bob Cat Dan Eve", cash={"Bob": 1000})
    game.do("K-R: convert to NW")
    assert game.refusals("Bob: take 3") == {"offer.limit"}
    assert game.refusals("Bob: take 2") == set()


UNJOINED = ("K-B", "K-K", "O-K", "R-O", "SP-W", "M-NN", "S-V", "T-R", "E")
"""Minors that are joined to nothing here."""


def others_of(player: str, number: int) -> list[Described]:
    """So many certificates of ``player``: minors, and directors' certificates."""
    minors = [company(name, player, at="r9c1") for name in UNJOINED[:number]]
    publics = [company(name, {player: 2}, at="r5c6", markers="") for name in ("SW", "MK")]
    return [*minors, *publics[: max(0, number - len(UNJOINED))]]


@pytest.mark.rule("14.15", "14.12")
@pytest.mark.parametrize("edition", EDITIONS)
def test_who_is_at_his_limit_may_buy_what_does_not_add_a_certificate(edition: str) -> None:
    """Eleven certificates are the most of six players. Of two shares of the merger the director's certificate becomes
    one, so a second share leaves Ann with as many certificates as before; a third would exceed the limit."""
    game = merged_by(6, edition, also=others_of("Ann", 10))
    assert counted(game.title, game.state, PlayerId("Ann")) == 11
    if edition == "2020":
        assert game.asked == ["Bob offer.shares"], "there the limit binds before each share, and she is not asked"
        return
    assert game.refusals("Ann: take 2") == {"offer.limit"}
    game.do("Ann: take 1")
    assert (game.director("NW"), counted(game.title, game.state, PlayerId("Ann"))) == ("Ann", 11)


@pytest.mark.rule("14.15")
@pytest.mark.parametrize("edition", EDITIONS)
def test_below_his_limit_he_may_buy_one_share_more_than_certificates(edition: str) -> None:
    """With room for one certificate she takes two shares: the director's certificate and one ordinary."""
    game = merged_by(6, edition, also=others_of("Ann", 9))
    assert game.refusals("Ann: take 3") == {"offer.limit"}
    game.do("Ann: take 2")
    assert counted(game.title, game.state, PlayerId("Ann")) == 11


@pytest.mark.rule("14.15", "14.18")
@pytest.mark.parametrize(("owned", "most"), [(7, 3), (8, 2), (9, 0)])
def test_a_certificate_is_saved_too_by_taking_over_from_another_director(owned: int, most: int) -> None:
    """Bob directs with two shares of the merger, Cat has one and a limit of eleven: with a second share she has one
    certificate more, with a third she leads and has exchanged two of them."""
    group = (minor("M-V", "Bob", 100), minor("K-R", "Bob", 100), minor("V", "Cat", 100))
    game = mergers(*others_of("Cat", owned), company("MVR", {"Cat": 2}, at="r5c6", markers=""), *group,
                   players="Ann Bob Cat Dan Eve Fay", cash={"Cat": 1500})  # fmt: skip
    agreed(game, "M-V: merge K-R, V into NW keep I13, G15")
    assert counted(game.title, game.state, PlayerId("Cat")) == owned + 2
    if not most:
        assert game.state.round.kind != "MR", "she could take none, and nobody else has money"
        return
    assert game.asked == ["Cat offer.shares"]
    assert game.refusals(f"Cat: take {most + 1}") == {"offer.limit"}
    game.do(f"Cat: take {most}")
    assert counted(game.title, game.state, PlayerId("Cat")) == 11
    assert game.director("NW") == "Cat"


@pytest.mark.rule("14.12", "14.15")
@pytest.mark.parametrize(("owned", "refused"), [(10, set()), (11, {"merge.two_shares"})])
def test_the_first_edition_obliges_an_owner_at_his_limit_but_none_beyond_it(owned: int, refused: set[str]) -> None:
    names = "Ann Bob Cat Dan Eve Fay"
    game = mergers(*others_of("Ann", owned), minor("M-V", "Ann", 100), minor("K-R", "Bob", 100),
                   edition="first", players=names, cash={"Ann": 500, "Bob": 500})  # fmt: skip
    while game.asked[0] != "Ann M-V merger.turn":
        game.do(f"{game.asked[0].split()[1]}: decline")
    assert game.refusals("M-V: merge K-R into NW") == refused


@pytest.mark.rule("14.16")
def test_nothing_is_sold_while_shares_are_offered() -> None:
    game = mergers(minor("K-R", "Bob", 120), company("MVR", {"Bob": 5}, at="r5c6", markers=""), cash={"Bob": 1000})
    game.do("K-R: convert to NW")
    assert game.refusals("Bob: sell 1 MVR") == {"order.wrong_kind"}


@pytest.mark.rule("13.9", "14.19")
def test_a_nationalised_public_company_can_be_formed_again() -> None:
    public = company("NW", {"Ann": 2}, at="r5c6", markers="E9", cash=10)
    other = minor("K-R", "Bob", 120, trains="5")
    game = situation(other, public, phase="5", tiles=NETWORK, round="OR 4.1", cash={"Bob": 500})
    operating_turn(game, "NW").do("NW: done")
    assert game.status("NW") == "unstarted"
    game.do("K-R: convert to NW")
    assert game.shares("NW") == {"Bob": 2, "Treasury": 8}
    assert game.markers("NW") == ["G15"]
    assert not game.state.companies["NW"].operated  # type: ignore[index]


@pytest.mark.rule("14.1")
def test_a_whole_merger_round_in_its_course() -> None:
    game = situation(minor("M-K", "Bob", 110, trains="5"), phase="5", tiles=NETWORK, round="OR 4.2", cash={"Ann": 500})
    whole_round(game)
    game.do("M-K: run best; done")
    assert str(game.state.round) == "MR 4.2"
    game.do("M-K: decline")
    assert str(game.state.round) == "SR 5"


@pytest.mark.rule("14.12")
def test_where_a_failed_merger_stays_the_priority_deal_goes_on_buying() -> None:
    """As 18xx.games plays it on: Ann has the Priority Deal and no minor, and may not decline."""
    game = mergers(minor("K-R", "Bob", 135), minor("M-V", "Cat", 100), minor("V", "Cat", 100), edition="2020",
                   options={"merger_fails": "stays"}, cash={"Ann": 650, "Bob": 250, "Cat": 450})  # fmt: skip
    agreed(game, "K-R: merge M-V into NW")
    game.do("Bob: take 0\nCat: take 0")
    assert game.asked == ["Ann offer.shares", "Bob offer.shares", "Cat offer.shares"]
    assert game.director("NW") == "Bob", "who speaks for it until somebody has two shares"
    assert game.refusals("Ann: take 0") == {"offer.obliged"} and game.refusals("Ann: take 2") == {"offer.one_each"}
    game.do("Ann: take 1\nCat: take 1")
    assert (game.shares("NW"), game.director("NW")) == ({"Ann": 1, "Bob": 1, "Cat": 2, "Treasury": 6}, "Cat")
    game.do("Ann: take 1\nAnn: take 1")
    assert game.director("NW") == "Ann" and game.money("Ann") == 50
    assert game.asked == ["Cat V merger.turn"], "with 50 she can buy no more"
    game.do("V: convert to SW")
    assert not any(asked.endswith("offer.shares") for asked in game.asked), "though Cat has money"


@pytest.mark.rule("14.12", "6.2")
def test_a_company_that_nobody_directs_has_no_turn() -> None:
    game = mergers(minor("K-R", "Bob", 135), minor("M-V", "Cat", 100), edition="2020",
                   options={"merger_fails": "stays"}, cash={"Bob": 250})  # fmt: skip
    agreed(game, "K-R: merge M-V into NW")
    game.do("Bob: take 0")
    game.quietly(until="SR 5")
    assert game.status("NW") == "open" and not [e for e in game.told(TurnBegan) if e.company == "NW"]
    assert "failed merger" not in game.state.marks


@pytest.mark.rule("14.12", "3.4")
def test_whoever_comes_to_two_shares_in_a_stock_round_directs_it() -> None:
    game = mergers(minor("K-R", "Bob", 135), minor("M-V", "Cat", 100), edition="2020", round="OR 4.2",
                   options={"merger_fails": "stays"}, cash={"Bob": 250, "Cat": 900})  # fmt: skip
    agreed(game, "K-R: merge M-V into NW")
    game.do("Bob: take 0\nCat: take 0")
    assert game.asked[0].split()[1] == "stock.turn"
    game.do("Bob: buy NW\nCat: pass")
    assert (game.director("NW"), game.shares("NW")) == ("Bob", {"Bob": 2, "Cat": 1, "Treasury": 7})
