"""Games of 1844 in the form of 18xx.games, whatever the site may have recorded, become the same games here."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import engine
from engine.core.decide import decide_to_state
from engine.core.events import CertificatesMoved, CompanyOpened, TrainMoved, TrainsFlipped
from engine.core.ids import BANK, IPO, POOL, CompanyId, PlayerId, PrivateId, TrainName
from engine.core.orders import Agree, Done, Order, Refuse, Sell
from engine.robots import random_order
from engine.site18xx.t1844.certificates import SiteBooks
from engine.site18xx.t1844.converter import SET_ASIDE, Converter
from engine.site18xx.t1844.shares import purchase, sale
from engine.site18xx.trains import Cards
from engine.steps.course import Course
from engine.titles.t1844.names import OWN_5H, SBB
from engine.titles.t1844.sbb import MarkerChoice
from engine.titles.t1844.stock.auction import opened
from moderator.domain.records.import_18xx import Import, RecordError, read_import
from tests.kit.games.situations_1844 import situation, swiss
from tests.kit.records.site_form_1844 import site_record
from tests.kit.samples import prove, sampled
from tests.proofs.test_games import remembered_runs

Data = dict[str, Any]
NAMES = ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus")
UNASKED = 0.02
"""How often a power is used where it may be."""


def chance_game(players: int, seed: int, most: int = 100_000) -> engine.Game:
    """A game of chance in the edition that the site plays. Consent is always given: the site asks for none."""
    title = engine.load_title("1844", "18xx.games")
    game = engine.Game.start(title, engine.Setup(NAMES[:players], "", NAMES[0]))
    chance = random.Random(seed)
    while not game.finished and len(game.orders) < most:
        ask = game.asked()[int(chance.random() * len(game.asked()))]
        free = ask.what != "consent" and chance.random() < UNASKED
        powers = game.unasked(ask.player) if free else ()
        order: Order = powers[0].sample(0) if powers else random_order(game, ask, chance)
        order = Agree(order.actor) if isinstance(order, Refuse) else order
        assert game.submit(order), order
    while game.orders and isinstance(game.orders[-1], Done) and not game.finished:
        game.undo(len(game.orders) - 1)  # a record has no trace of what its next action would tell
    return game


def imported(folder: Path, data: Any) -> Import:
    """``data`` read and played to its end."""
    path = folder / "record.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    record = read_import(path)
    for _ in record.play():
        pass
    return record


def same(read: engine.Game, game: engine.Game) -> bool:
    """True if the game that was read is ``game``, or goes on with the end of a turn that the site ends by itself."""
    if len(read.orders) == len(game.orders) + 1 and isinstance(read.orders[-1], Done):
        read.undo(len(game.orders))
    return read.digest() == game.digest()


@pytest.fixture(scope="module")
def short() -> engine.Game:
    """The beginning of a game: the auction, launches, a few operating rounds."""
    with remembered_runs():
        return chance_game(4, 3, 260)


@pytest.fixture
def data(short: engine.Game) -> Data:
    return site_record(short)


@pytest.mark.parametrize("number", sampled([10, 11, 12, 13, 14, 16, 20], [14]))
def test_games_that_the_sites_engine_wrote_end_as_they_did_there(records: Path, number: int) -> None:
    """Random players, every action accepted by the site's engine: debts, forced sales, seven players."""
    record = read_import(records / "played" / f"1844_{number}.json")
    for _ in record.play():
        pass
    assert record.game.finished
    assert {str(p): wealth for p, wealth in record.game.standings()} == record.result


# ---- what may stand in a record --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "seed", "passes", "most"), [prove((3, 2, 1.0, 10_000)), (5, 1, 0.5, 600), prove((7, 4, 0.0, 600))]
)
def test_a_game_written_as_the_site_does_is_the_same_game(
    tmp_path: Path, players: int, seed: int, passes: float, most: int
) -> None:
    with remembered_runs():
        game = chance_game(players, seed, most)
        record = imported(tmp_path, site_record(game, number=seed, seed=seed, passes=passes))
    assert game.finished == (len(game.orders) > 600)
    assert same(record.game, game)
    assert record.result == (dict(game.standings()) if game.finished else {})


def test_instructions_and_nested_moves(tmp_path: Path, short: engine.Game, data: Data) -> None:
    share_pass = {"type": "program_share_pass", "entity": 102, "entity_type": "player", "unconditional": True}
    disable = {"type": "program_disable", "entity": 102, "entity_type": "player", "reason": "enough"}
    actions: list[Data] = []
    for action in data["actions"]:
        if action["type"] == "pass" and action["entity_type"] == "player" and actions:
            nested = [*actions[-1].get("auto_actions", ()), {k: v for k, v in action.items() if k != "id"}, disable]
            actions[-1] = {**actions[-1], "auto_actions": nested}
        else:
            actions += [{**share_pass, "id": 10_000 + action["id"]}, action]
    assert same(imported(tmp_path, {**data, "actions": actions}).game, short)


def test_fields_that_are_not_needed(tmp_path: Path, short: engine.Game, data: Data) -> None:
    for action in data["actions"]:
        for name in ("tokener", "slot", "share_price" if action["type"] == "sell_shares" else "extra_revenue"):
            action.pop(name, None)
        for route in action.get("routes", ()):
            del route["revenue"]
    del data["settings"]
    assert same(imported(tmp_path, data).game, short)


def test_a_mountain_railway_bought_and_not_yet_placed_is_no_order(tmp_path: Path, data: Data) -> None:
    place = next(n for n, a in enumerate(data["actions"]) if a["entity"] == "B1")
    before = imported(tmp_path, {**data, "actions": data["actions"][: place - 1]}).game
    assert imported(tmp_path, {**data, "actions": data["actions"][:place]}).game.orders == before.orders
    assert len(imported(tmp_path, {**data, "actions": data["actions"][: place + 1]}).game.orders) > len(before.orders)


# ---- names of the site -----------------------------------------------------------------------------------------


def test_a_certificate_that_has_left_the_ipo_is_bought_from_the_pool() -> None:
    known, ann = SiteBooks(engine.load_title("1844")), PlayerId("Ann")
    fnm, sbb = CompanyId("FNM"), CompanyId("SBB")
    known.follow([CertificatesMoved(fnm, "director", 1, IPO, ann), CompanyOpened(fnm)])
    assert known.hands()[fnm] == {ann: [0], POOL: [1, 2, 3], IPO: [4, 5, 6, 7, 8]}
    assert [purchase(known, ann, fnm, [n]).source for n in ("FNM_3", "FNM_4")] == ["pool", "ipo"]
    bought = [purchase(known, ann, sbb, [n]).certificate for n in ("SBB_0", "SBB_10", "SBB_11")]
    assert bought == ["director", None, "double"]


@pytest.mark.parametrize(
    ("numbers", "percent", "count", "doubles"),
    [
        (["NOB_1"], 25, 1, None),
        (["NOB_0"], 25, 1, None),
        (["NOB_0", "NOB_2"], 75, 3, None),
        (["JN_2"], 20, 1, None),
        (["SBB_11", "SBB_3"], 15, 3, 1),
        (["SBB_1", "SBB_2"], 10, 2, 0),
    ],
)
def test_a_sale_is_counted_in_shares(
    short: engine.Game, numbers: list[str], percent: int, count: int, doubles: int | None
) -> None:
    action = {"shares": numbers, "percent": percent}
    company = CompanyId(numbers[0].split("_")[0])
    sold = sale(short.title, short.state, "Ann", short.state.players[0], action)
    assert sold == Sell("Ann", company, count, doubles)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("next", "percent", "doubles", "heir", "kept", "pool"),
    [
        ("Cat", 15, 1, "D 1s", None, "2d 4s"),
        ("Cat", 10, 1, "D 1s", "1s", "2d 3s"),
        ("Dan", 10, 0, "D 1s", "1s", "1d 5s"),
    ],
)
def test_the_director_of_the_sbb_sells_all_that_he_has_or_all_but_a_share(
    next: str, percent: int, doubles: int, heir: str, kept: str | None, pool: str
) -> None:
    """Part of the director's certificate: what his successor gives for it goes to the pool, he keeps another single."""
    held = {"Bob": (1, 1), "Ann": (1, 1), "Eva": (1, 1), "Cat": (1, 1), "Dan": (0, 3)}
    players = "Ann Bob Cat Dan Eva" if next == "Cat" else "Ann Bob Dan Cat Eva"
    rows = swiss("SBB", held, pool=(1, 3))
    game = situation(rows, edition="18xx.games", phase="5", players=players).stock("Bob", round="SR 5")
    bob = game.state.players[1]
    order = sale(game.title, game.state, bob, bob, {"shares": ["SBB_1", "SBB_0"], "percent": percent})
    assert order.doubles == doubles
    after = decide_to_state(game.title, game.state, order)
    assert not isinstance(after, engine.Refused)
    game.state = after.state
    found = game.certificates("SBB")
    assert (found[next], found.get("Bob"), found["Pool"]) == (heir, kept, pool)


def test_a_card_keeps_its_number_whichever_side_it_shows() -> None:
    cards = Cards(SET_ASIDE)
    three, three_h, nob = TrainName("3"), TrainName("3H"), CompanyId("NOB")
    assert (cards.owner("3-1"), cards.side("3-1")) == (BANK, "3")
    cards.follow([TrainMoved(three_h, BANK, "NOB")], "3-0")
    cards.follow([TrainMoved(three, BANK, "NOB")], "3-1")
    assert (cards.side("3-0"), cards.side("3-1")) == ("3H", "3")
    cards.follow([TrainsFlipped(three, three_h)])
    assert (cards.owner("3-1"), cards.side("3-1")) == ("NOB", "3H")
    cards.follow([TrainMoved(three_h, "NOB", "")])  # given up without a choice: the record has yet to say which
    assert cards.waits(nob) and cards.named(nob, "3-1")
    assert (cards.owner("3-0"), cards.owner("3-1")) == ("NOB", "")
    cards.follow([TrainMoved(OWN_5H, "", SBB), TrainMoved(TrainName("5H"), "", "NOB")])
    assert (cards.side("5-2"), cards.owner("5-1")) == (OWN_5H, "NOB")


def test_the_marker_that_the_sbb_takes_back_is_told_by_the_one_that_stays() -> None:
    position = situation(
        swiss("SBB", {"Ann": (2, 3)}, markers="I4/0 I4/1", trains="SBB5H"), edition="18xx.games", phase="5"
    ).turns(Course(()), MarkerChoice())
    game = engine.Game(position.title, engine.Setup(position.state.players), position.state)
    action = {"type": "remove_token", "entity": "SBB", "entity_type": "corporation", "city": "I4-0-1", "slot": 0}
    players = {str(n): player for n, player in enumerate(position.state.players)}
    Converter(game, players, [action], over=False).step(0)
    assert game.state.board.places_of(SBB) == (("I4", 0),)


# ---- what is refused -------------------------------------------------------------------------------------------


def spoil(records: Path, id: int, **fields: Any) -> Data:
    """The recorded game with fields of one action changed; a field that is None is left out."""
    data: Data = json.loads((records / "1844" / "160062.json").read_text(encoding="utf-8"))
    action = next(a for a in data["actions"] if a["id"] == id)
    action.update(fields)
    for name in [name for name, value in fields.items() if value is None]:
        del action[name]
    return data


@pytest.mark.parametrize(
    ("type", "fields", "said"),
    [
        ("lay_tile", {"rotation": 0}, "lay."),
        ("lay_tile", {"tile": "999-0"}, "lay."),
        ("lay_tile", {"hex": "Z99"}, "lay."),
        ("lay_tile", {"rotation": None}, "has no rotation"),
        ("lay_tile", {"rotation": "north"}, "not as the site writes it"),
        ("lay_tile", {"entity": "B&O"}, "there is no company 'B&O'"),
        ("lay_tile", {"entity": "B1", "entity_type": "company"}, "B1 has not just been bought"),
        ("bid", {"entity": 77}, "there is no player 77"),
        ("bid", {"company": "P3"}, "bid.item"),
        ("bid", {"price": 13}, "bid.too_low"),
        ("bid", {"price": None}, "has no price"),
        ("bid", {"type": "merge"}, "'merge' is no action of this game"),
        ("par", {"share_price": "75,1,4"}, "start.price"),
        ("buy_shares", {"shares": ["NOB_0"]}, "buy."),
        ("sell_shares", {"share_price": 85}, "which brings 90"),
        ("sell_shares", {"percent": 15}, "no whole number of shares"),
        ("sell_shares", {"percent": None}, "has no percent"),
        ("buy_train", {"price": 1}, "train.face_value"),
        ("buy_train", {"variant": "9E"}, "there is no 9E-train"),
        ("buy_train", {"train": "3-0", "variant": "3"}, "train.not_on_sale"),
        ("buy_train", {"exchange": "2-3"}, "not exchanged"),
        ("buy_train", {"type": "bankrupt"}, "bankrupt of VSB"),
        ("dividend", {"kind": "half"}, "'half' is no way to pay"),
        ("place_token", {"city": "D19-0-0"}, "token."),
        ("buy_company", {"company": "P1"}, "P1 cannot be bought from the bank"),
    ],
)
def test_an_action_that_does_not_fit_is_named(
    tmp_path: Path, records: Path, type: str, fields: dict[str, Any], said: str
) -> None:
    original = json.loads((records / "1844" / "160062.json").read_text(encoding="utf-8"))["actions"]
    id = next(a["id"] for a in original if a["type"] == type)
    with pytest.raises(RecordError) as error:
        imported(tmp_path, spoil(records, id, **fields))
    assert f"(id {id}, " in str(error.value)
    assert said in str(error.value)


def changed(data: Data, kind: str, change: Callable[[Data], None]) -> tuple[Data, Data]:
    """``data`` with its first action of a kind changed, and that action."""
    action = next(a for a in data["actions"] if a["type"] == kind and a.get("routes", True))
    change(action)
    return data, action


def test_a_run_that_earns_something_else_is_named(tmp_path: Path, data: Data) -> None:
    def more(action: Data) -> None:
        action["routes"][0]["revenue"] += 10

    data, run = changed(data, "run_routes", more)
    route = run["routes"][0]
    with pytest.raises(RecordError, match=f"id {run['id']}, run_routes .*: the record counts") as error:
        imported(tmp_path, data)
    assert f": {route['train']} " in str(error.value) and f" for {route['revenue']}" in str(error.value)


def test_a_refused_run_is_named_as_the_record_has_it(tmp_path: Path, data: Data) -> None:
    def away(action: Data) -> None:
        action["routes"][0]["connections"] = [["A20", "B19"], ["B19", "C18", "C16"]]

    data, run = changed(data, "run_routes", away)
    with pytest.raises(
        RecordError, match=f"id {run['id']}, run_routes .*: {run['routes'][0]['train']} A20-B19-C18-C16"
    ):
        imported(tmp_path, data)


@pytest.mark.parametrize("paid", ["repaid", "nothing left"])
def test_what_a_debtor_repays_after_a_par_is_no_order_of_its_own(paid: str) -> None:
    """The site asks him again after the par and records the repayment; ours has repaid with the par."""
    cash = {"Ann": 200 if paid == "repaid" else 160, "Bob": 90}
    described = situation(swiss("MOB", {"Cat": 5}), edition="18xx.games", cash=cash, debts={"Ann": 50})
    position = described.stock("Ann", round="SR 3")
    game = engine.Game(position.title, engine.Setup(position.state.players), position.state)
    players = {str(n): player for n, player in enumerate(position.state.players)}
    actions: list[Data] = [
        {"type": "par", "corporation": "AB", "share_price": "80,3,4"},
        {"type": "payoff_player_debt"},
        {"type": "buy_company", "company": "T2", "price": 50},
    ]
    actors = [list(players.values()).index(PlayerId(name)) for name in ("Ann", "Ann", "Bob")]
    moves = [{**a, "entity": n, "entity_type": "player"} for a, n in zip(actions, actors, strict=True)]
    converter = Converter(game, players, moves, over=False)
    played = [converter.step(n).orders for n in range(3)]
    assert [len(orders) for orders in played] == [1, 0, 1]
    assert game.state.debt(players[str(actors[0])]) == (10 if paid == "repaid" else 50)
    assert game.state.privates[PrivateId("T2")] == "Bob"


def test_a_pass_of_an_auctioneer_who_can_only_pass_is_his_own() -> None:
    """The site asks Cat, who has 175 for P6 at 180. Then all have passed, and with 200 she bids."""
    left = {f"P{n}": "Cat" if n == 5 else None if n > 5 else "Bob" for n in range(1, 8)}
    cash = {"Ann": 500, "Bob": 150, "Cat": 175}
    position = situation(edition="18xx.games", players="Ann Bob Cat", privates=left, cash=cash)
    position.turns(Course(("trade",)), opened(position.title, position.state, PrivateId("P6")))
    game = engine.Game(position.title, engine.Setup(position.state.players), position.state)
    players = {str(n): player for n, player in enumerate(position.state.players)}
    moves: list[Data] = [{"type": "pass", "entity": n, "entity_type": "player"} for n in (2, 0)]
    moves.append({"type": "bid", "company": "P6", "price": 180, "entity": 2, "entity_type": "player"})
    converter = Converter(game, players, moves, over=False)
    assert [len(converter.step(n).orders) for n in range(3)] == [1, 1, 1]
    assert game.state.money(PlayerId("Cat")) == 200, "the privates have paid once"


@pytest.mark.parametrize(("number", "ends"), [(20, (144, 602, 834)), prove((13, (541, 1335)))])
def test_a_record_may_end_anywhere(tmp_path: Path, records: Path, number: int, ends: tuple[int, ...]) -> None:
    """It tells nothing of what comes next: whether a sale is for a train or of a stock round, who bores a tunnel, and
    that the site ends a turn in which nothing can be bought."""
    data = json.loads((records / "played" / f"1844_{number}.json").read_text(encoding="utf-8"))
    whole, states = read_import(records / "played" / f"1844_{number}.json"), {}
    for played in whole.play():
        if played.last:
            states[played.number] = told(whole.game)
        if played.number > max(ends):
            break
    for end in ends:
        part = imported(tmp_path, {**data, "actions": whole.actions[:end], "status": "active"})
        assert told(part.game) == states[end], end


def told(game: engine.Game) -> tuple[object, ...]:
    """The part of a position that the site tells."""
    now = game.state
    return now.round, now.cash, now.holdings, now.companies, now.prices, now.privates, now.board.overlays


def test_a_destination_that_is_not_reached_is_named(tmp_path: Path, records: Path) -> None:
    nested = [{"type": "destination_connection", "entity": "VSB", "entity_type": "corporation"}]
    data = spoil(records, 68, auto_actions=[{**nested[0], "corporations": ["VSB"]}])
    with pytest.raises(RecordError, match="VSB has not reached its destination"):
        imported(tmp_path, data)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"settings": {"optional_rules": ["moon"]}}, "optional rule 'moon' is not known"),
        ({"players": [{"id": 1, "name": "Ann"}, {"id": 2, "name": "Bob"}]}, "is for 3 to 7 players"),
    ],
)
def test_a_file_that_is_no_record_of_this_game_is_refused(tmp_path: Path, data: Data, changes: Data, said: str) -> None:
    with pytest.raises(RecordError, match=said):
        imported(tmp_path, {**data, **changes})


def _corporation(kind: str, company: str, **more: Any) -> Data:
    return {"type": kind, "entity": company, "entity_type": "corporation", **more}


@pytest.mark.parametrize(
    ("operator", "first", "from_home"),
    [
        ("VZ", "VZ", True),  # the site pays from reserved homes since February 2025
        ("BLS", "VZ", False),  # in its own turn
        ("VZ", "BLS", False),  # it has operated
    ],
)
def test_a_record_shows_how_destinations_were_looked_at(operator: str, first: str, from_home: bool) -> None:
    moves = [
        _corporation("lay_tile", first, hex="K12", tile="8-0", rotation=0),
        _corporation("destination_connection", operator, corporations=["BLS"]),
    ]
    assert Converter.options((), moves) == ({} if from_home else {"destination_from": "marker"})


def _power(private: str, kind: str, **more: Any) -> Data:
    return {"type": kind, "entity": private, "entity_type": "company", **more}


LAID = _power("P4", "choose_ability", choice="Place tile")


@pytest.mark.parametrize(
    ("moves", "shared"),
    [
        ([LAID, ("I16", "X79-0", 5)], True),
        ([LAID, ("I16", "X79-3", 2)], True),
        ([("I16", "X79-0", 5), LAID], False),  # it was there first
        ([LAID, ("I16", "X78-0", 0)], False),  # SW to NW
        ([LAID, ("H23", "X78-1", 4)], True),
        ([LAID, ("J9", "X79-0", 5)], False),
        ([("H23", "X78-1", 2)], True),  # the first 5-train lays the track at some moment
    ],
)
def test_a_record_shows_a_tunnel_that_leads_into_the_furka_track(moves: list[Any], shared: bool) -> None:
    actions = [
        move if isinstance(move, dict)
        else _power("T1", "lay_tile", hex=move[0], tile=move[1], rotation=move[2])
        for move in moves
    ]  # fmt: skip
    assert Converter.options((), actions).get("shared_mouths") == ("yes" if shared else None)


def _sale(seller: int, *numbers: str) -> Data:
    return {"type": "sell_shares", "entity": seller, "entity_type": "player", "shares": list(numbers)}


def _player(kind: str, entity: int) -> Data:
    return {"type": kind, "entity": entity, "entity_type": "player"}


@pytest.mark.parametrize(
    ("moves", "again"),
    [
        ([_sale(1, "BLS_1"), _sale(1, "BLS_2")], True),
        ([_sale(1, "BLS_1"), _sale(1, "GB_2"), LAID, _sale(1, "BLS_2", "BLS_3")], True),
        ([_sale(1, "BLS_1"), _player("payoff_player_debt", 1), _sale(1, "BLS_2")], True),
        ([_sale(1, "BLS_1", "BLS_2"), _sale(1, "GB_2")], False),
        ([_sale(1, "BLS_1"), _player("pass", 1), _sale(1, "BLS_2")], False),
        ([_sale(1, "BLS_1"), _sale(2, "BLS_4"), _sale(1, "BLS_2")], False),  # the site has ended both turns
        ([_sale(1, "BLS_1"), _corporation("buy_train", "MOB"), _sale(1, "BLS_2")], False),
    ],
)
def test_a_record_shows_a_second_sale_in_a_turn(moves: list[Data], again: bool) -> None:
    assert Converter.options((), moves).get("sales_in_turn") == ("any" if again else None)
