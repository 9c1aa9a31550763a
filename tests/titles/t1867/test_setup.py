"""Before the first operating round of 1867: money, limits, markers, the five privates and their auction.

Numbers in docstrings are rows and situations of the rule sheet."""

from __future__ import annotations

import pytest

from engine.core.ids import CompanyId, HexId, PrivateId, TrainName
from tests.kit.games.course_1867 import begun, minor, places, public, stock, turn

NAMES = ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay")


@pytest.mark.rule("1.1", "1.2", "1.3", "1.4")
@pytest.mark.parametrize(
    ("players", "cash", "certificates", "trains", "privates"),
    [
        (2, 420, 21, (7, 5, 3, 3, 1, 1), 3),
        (3, 420, 21, (10, 7, 4, 4, 2, 2), 5),
        (4, 315, 16, (10, 7, 4, 4, 2, 2), 5),
        (5, 252, 13, (10, 7, 4, 4, 2, 2), 5),
        (6, 210, 11, (10, 7, 4, 4, 2, 2), 5),
    ],
)
def test_what_each_number_of_players_begins_with(
    players: int, cash: int, certificates: int, trains: tuple[int, ...], privates: int
) -> None:
    """Rows 1.1 to 1.4, 1.7."""
    game = begun(" ".join(NAMES[:players]))
    assert {game.money(name) for name in NAMES[:players]} == {cash}
    assert game.money("Bank") == 15_000 - players * cash
    assert game.title.table[players].certificate_limit == certificates
    assert tuple(game.state.supply[TrainName(t)] for t in "234567") == trains
    assert len(game.state.privates) == privates


MINORS = ["BO", "CS", "CV", "KP", "OP", "TN", "AE", "NO", "PM", "BBG", "LPS", "QLS", "SLA", "TGB", "THB"]


@pytest.mark.rule("1.4", "3.14", "1.5")
@pytest.mark.parametrize(("players", "limit"), [(2, 21), (3, 21), (4, 16), (5, 13), (6, 11)])
def test_nobody_opens_an_auction_at_the_limit(players: int, limit: int) -> None:
    """Rows 1.4, 1.5: Ann has five privates, a share and for the rest minors, one certificate each."""
    owned = dict.fromkeys(("C&SL", "NFB", "MB", "QB", "SCT"), "Ann")
    for held, refused in ((limit - 1, set()), (limit, {"buy.certificate_limit"})):
        shares = public("GTR", {"Bob": 2, "Ann": 1}, markers="", trains="3")
        minors = [minor(name, "Ann", 50, markers="") for name in MINORS[: held - 6]]
        game = stock(shares, *minors, phase="3", players=" ".join(NAMES[:players]), cash={"Ann": 100}, privates=owned)
        assert game.refusals("Ann: open CA 100 in M9") == refused


@pytest.mark.rule("1.8", "1.12")
def test_how_many_markers_a_company_has() -> None:
    """Rows 1.8, 1.9, 1.12: 16 minors, 8 publics, CN; one of CN's stands in Toronto, where the south-west exit is."""
    game = begun()
    found = [(c.charter.kind, c.charter.markers) for c in game.title.companies.values()]
    assert sorted(found) == [("minor", 1)] * 16 + [("national", 8)] + [("public", 3)] * 8
    assert places(game, "CN") == ["F16/0"]
    assert (("e", 1), ("c", 0)) in game.state.board.face(HexId("F16")).paths


@pytest.mark.rule("1.12", "8.1", "7.14")
def test_cn_blocks_its_city_in_toronto() -> None:
    """Row 1.9: no route of another company leads through the city, and nobody may stand there."""
    game = turn(minor("CA", "Bob", markers="E17", trains="3"), phase="3",
                tiles={"E17": "207#2", "F16": "120#1", "G15": "57#1"})  # fmt: skip
    title, state = game.title, game.state
    assert state.board.blocks(HexId("F16"), 0, frozenset({CompanyId("CA")}))
    assert not state.board.blocks(HexId("F16"), 1, frozenset({CompanyId("CA")}))
    assert title.policies.director(title, state, CompanyId("CN")) is None


# ---- privates -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("2.1", "2.2")
@pytest.mark.parametrize(
    ("name", "least", "face", "income", "where"),
    [
        ("C&SL", 20, 30, 10, set()),
        ("NFB", 30, 45, 15, {"F18"}),
        ("MB", 40, 60, 20, {"L12"}),
        ("QB", 50, 75, 25, {"O7"}),
        ("SCT", 60, 90, 30, {"A17", "A19"}),
    ],
)
def test_the_five_privates(name: str, least: int, face: int, income: int, where: set[str]) -> None:
    """Row 2.1; the bonus of row 2.7 is 10."""
    private = begun().title.privates[PrivateId(name)]
    assert (private.minimum, private.face, private.income) == (least, face, income)
    assert (set(private.bonus_hexes), private.bonus) == (where, 10 if where else 0)


@pytest.mark.rule("2.2", "2.3", "2.4", "2.6", "2.9")
def test_privates_come_in_the_order_of_their_list() -> None:
    """Row 2.2: a pass before the first bid does not exclude, a pass after it does."""
    game = begun("Ann Bob Cat Dan")
    assert game.refusals("Ann: open NFB 30") == {"open.order"}
    assert game.refusals("Ann: open C&SL 19") == {"open.too_low", "bid.step"}
    assert game.refusals("Ann: open CA 100") == {"open.order"}
    game.do("Ann: pass\nBob: open C&SL 20\nCat: bid 25\nDan: drop\nAnn: bid 30\nBob: drop\nCat: drop")
    assert (game.money("Ann"), game.state.privates[PrivateId("C&SL")]) == (285, "Ann")
    assert game.asked == ["Bob auction.open"], "to the left of the winner"


@pytest.mark.rule("2.7", "2.8")
def test_a_private_for_nothing() -> None:
    """Situation 10: 16 passes, and the second private begins with the player to the left."""
    game = begun("Ann Bob Cat Dan")
    for price in (20, 15, 10, 5):
        for name in ("Ann", "Bob", "Cat", "Dan"):
            assert game.menu()[0] == f"open C&SL {price}"
            game.do(f"{name}: pass")
    assert (game.money("Ann"), game.state.privates[PrivateId("C&SL")]) == (315, "Ann")
    assert game.asked == ["Bob auction.open"]
    assert game.menu()[0] == "open NFB 30"


@pytest.mark.rule("2.7")
def test_a_reduced_private_goes_to_the_first_who_takes_it() -> None:
    """Row 2.3: at exactly the price."""
    game = begun("Ann Bob Cat Dan")
    game.do("Ann: pass\nBob: pass\nCat: pass\nDan: pass")
    assert game.refusals("Ann: open C&SL 20") == {"open.asked_price"}
    game.do("Ann: pass\nBob: open C&SL 15")
    assert (game.money("Bob"), game.asked) == (300, ["Cat auction.open"])


@pytest.mark.rule("2.15", "5.1", "5.2")
@pytest.mark.parametrize(("phase", "refused"), [("2", {"lay.closed"}), ("3", set())])
def test_granby_is_closed_until_phase_3(phase: str, refused: set[str]) -> None:
    """Row 2.8: M13 is the only blocked hex, whoever owns a private."""
    game = turn(minor("CA", "Bob", markers="N12", trains="2"), phase=phase, tiles={"N12": "6#1"}, stage="track")
    assert game.refusals("CA: lay 58 M13 2") == refused
    assert [str(hex) for hex, data in game.title.map.hexes.items() if data.closed_until] == ["M13"]
    assert len(begun().state.privates) == 5, "the site's sixth private is never seen"
