"""Recorded games as judges: every lay and every marker of theirs is legal in the position before it."""

from __future__ import annotations

from pathlib import Path

import pytest

import engine
from engine.acts.lay_track import Earlier, check_lay, lay_price, list_lays
from engine.acts.place_token import check_token, city_space, list_tokens, token_city
from engine.core.ids import CompanyId, HexId, TileId
from engine.core.orders import Lay
from engine.families.f1867.turn.company_turn import RULES
from engine.families.f1867.turn.first_marker import check_first_marker, first_marker_spaces
from engine.holders.charters import charter_of
from tests.kit.games.positions import from_record, recorded, start

GAMES = ("29683", "167259")


def loan_money(title: engine.Title, kind: str, data: dict[str, int]) -> int:
    return data["cash"] + title.loan * max(0, {"minor": 2, "public": 5}[kind] - data["loans"])


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.rule(
    "1861:7.1", "1861:7.5", "1861:7.6", "1861:7.7", "1861:7.8", "1861:7.10", "1861:7.11", "1861:7.12", "1861:7.17"
)
def test_every_recorded_lay_is_legal_and_costs_what_was_paid(records: Path, game: str) -> None:
    title = engine.load_title("1861", "2020")
    base = start(title)
    earlier: Earlier = ()
    turn: tuple[str, str] = ("", "")
    count = 0
    previous_spend = None
    for action, before in recorded(records / "1861", game, title):
        if previous_spend is not None:
            company, cash, loans, price = previous_spend
            now = before["corporations"][company]
            assert now["cash"] == cash - price + title.loan * (now["loans"] - loans)
            previous_spend = None
        if action["type"] != "lay_tile":
            continue
        company = CompanyId(action["entity"])
        if (company, before["round"]) != turn:
            turn, earlier = (company, before["round"]), ()
        state = from_record(base, title, before)
        lay = Lay(company, TileId(action["tile"].rsplit("-", 1)[0]), HexId(action["hex"]), action["rotation"])
        data = before["corporations"][company]
        spendable = loan_money(title, charter_of(title, state, company).kind, data)
        assert check_lay(title, state, company, lay, earlier, spendable, RULES) == (), (action["id"], lay)
        listed = list_lays(title, state, company, earlier, spendable, RULES)
        same = [x for x in listed if (x.hex, x.tile) == (lay.hex, lay.tile)]
        after = {state.board.lay(x.hex, x.tile, x.rotation).face(x.hex).exits for x in same}
        assert state.board.lay(lay.hex, lay.tile, lay.rotation).face(lay.hex).exits in after
        for other in listed:
            assert check_lay(title, state, company, other, earlier, spendable, RULES) == ()
        price = lay_price(title, state, lay, earlier, RULES)
        previous_spend = (company, data["cash"], data["loans"], price)
        earlier = (*earlier, (lay.hex, bool(state.board.face(lay.hex).paths)))
        count += 1
    assert count >= 98


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.rule("1861:8.1", "1861:8.2", "1861:8.3", "1861:8.4", "1861:8.7", "1861:3.13")
def test_every_recorded_marker_is_legal_and_costs_what_was_paid(records: Path, game: str) -> None:
    title = engine.load_title("1861", "2020")
    base = start(title)
    count = 0
    paid = None
    for action, before in recorded(records / "1861", game, title):
        if paid is not None:
            company, left = paid
            assert before["corporations"][company]["cash"] == left
            paid = None
        if action["type"] != "place_token":
            continue
        count += 1
        where, _, city = action["city"].rsplit("-", 2)
        state = from_record(base, title, before)
        hex = HexId(
            where
            if where in title.map.hexes
            else next(h for h, t in before["tiles"].items() if t.startswith(f"{where}#"))
        )
        matching = [h for h, t in before["tiles"].items() if t.startswith(f"{where}#")] or [hex]
        if action["entity_type"] == "player" or before["round"].startswith("SR"):
            company = CompanyId(str(action.get("tokener") or action["entity"]))
            spaces = first_marker_spaces(title, state, company)
            chosen = [s for s in spaces if s.hex in matching]
            assert chosen
            for space in chosen:
                assert check_first_marker(title, state, company, space) == ()
            continue
        company = CompanyId(action["entity"])
        cash = before["corporations"][company]["cash"]
        legal = [s for s in list_tokens(title, state, company, cash, False) if s.hex in matching]
        assert legal, action
        for space in legal:
            assert check_token(title, state, company, space, cash, False) == ()
        wanted = [s for s in legal if s == city_space(state, s.hex, int(city))]
        assert wanted, (action, legal)
        costs = {title.policies.marker_cost(title, state, company, s.hex) for s in wanted}
        if len(costs) == 1:
            paid = (company, cash - costs.pop())
        assert token_city(title, state, company, wanted[0]) == int(city)
    assert count >= 3
