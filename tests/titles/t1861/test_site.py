"""Games of 1861 in the form of 18xx.games, whatever the site may have recorded, become the same games here."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import engine
from engine.core.events import Bought, CertificatesMoved, CertificatesSet, DirectorChanged
from engine.core.ids import TREASURY, CompanyId
from engine.core.orders import Agree, Order, Refuse
from engine.robots import random_order
from engine.site18xx.actions import effective
from engine.site18xx.f1867.certificates import SiteBooks
from engine.site18xx.f1867.privates import drawn, in_play
from engine.site18xx.t1861.converter import PRIVATES
from moderator.domain.records.import_18xx import Import, RecordError, read_import
from tests.kit.records.site_form import site_record
from tests.kit.samples import prove
from tests.proofs.test_games import NAMES, remembered_runs

Data = dict[str, Any]


def chance_game(players: int, seed: int, options: dict[str, str], most: int = 100_000) -> engine.Game:
    """A game of chance in the edition that the site plays. Consent is always given: the site records no other."""
    title = engine.load_title("1861", "2020", options)
    privates = drawn(PRIVATES, seed) if players == 2 else None
    game = engine.Game.start(title, engine.Setup(NAMES[:players], "", NAMES[0], privates))
    chance = random.Random(seed)
    while not game.finished and len(game.orders) < most:
        ask = game.asked()[int(chance.random() * len(game.asked()))]
        order: Order = random_order(game, ask, chance)
        order = Agree(order.actor) if isinstance(order, Refuse) else order
        assert game.submit(order), order
    return game


def imported(folder: Path, data: Any) -> Import:
    """``data`` (text or what becomes JSON) read and played to its end."""
    path = folder / "record.json"
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    record = read_import(path)
    for _ in record.play():
        pass
    return record


@pytest.fixture(scope="module")
def short() -> engine.Game:
    """The beginning of a game: privates, minors, a few operating rounds."""
    with remembered_runs():
        return chance_game(4, 6, {}, 150)


@pytest.fixture
def data(short: engine.Game) -> Data:
    return site_record(short)


# ---- what may stand in a record --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "seed", "options", "form"),
    [
        prove((2, 4, {}, {"passes": 1})),
        prove((3, 2, {"chart": "column"}, {"passes": 0.5})),
        (3, 4, {}, {"passes": 0, "offers_first": True}),
        prove((5, 3, {}, {"passes": 0.5, "offers_first": True})),
        prove((6, 5, {"chart": "column"}, {"passes": 0})),
        prove((6, 3, {"merger_fails": "stays"}, {"passes": 0.5})),
    ],
)
def test_a_game_written_as_the_site_does_is_the_same_game(
    tmp_path: Path, players: int, seed: int, options: dict[str, str], form: dict[str, Any]
) -> None:
    with remembered_runs():
        game = chance_game(players, seed, options)
        record = imported(tmp_path, site_record(game, number=seed, seed=seed, **form))
    assert record.game.digest() == game.digest()
    assert dict(record.game.standings()) == dict(record.result)


def test_chat_instructions_and_remarks_are_no_moves(tmp_path: Path, short: engine.Game, data: Data) -> None:
    extra = [
        {"type": "program_share_pass", "entity": 102, "entity_type": "player", "unconditional": True},
        {"type": "message", "entity": 101, "entity_type": "player", "message": "hello"},
        {"type": "log", "entity": 101, "entity_type": "player", "message": "a remark"},
        {"type": "program_disable", "entity": 102, "entity_type": "player", "reason": "enough"},
    ]
    actions = [x for action in data["actions"] for x in (*({**e, "id": 10_000 + action["id"]} for e in extra), action)]
    disable = {"type": "program_disable", "entity": 102, "entity_type": "player"}
    actions[-1] = {**actions[-1], "auto_actions": [disable]}
    assert imported(tmp_path, {**data, "actions": actions}).game.digest() == short.digest()


def test_nested_moves_are_moves(tmp_path: Path, short: engine.Game, data: Data) -> None:
    actions: list[Data] = []
    for action in data["actions"]:
        if action["type"] == "pass" and actions:
            nested = [*actions[-1].get("auto_actions", ()), {**action, "id": None}]
            actions[-1] = {**actions[-1], "auto_actions": nested}
        else:
            actions.append(action)
    assert len(actions) < len(data["actions"])
    assert imported(tmp_path, {**data, "actions": actions}).game.digest() == short.digest()


def test_what_was_taken_back_does_not_count(tmp_path: Path, short: engine.Game, data: Data) -> None:
    actions = data["actions"]
    by = {"entity": 100, "entity_type": "player"}
    undo, redo = {"type": "undo", **by}, {"type": "redo", **by}
    back = {"type": "undo", **by, "action_id": actions[20]["id"]}
    mixed = [
        *actions[:40],
        undo,
        undo,
        redo,
        redo,
        undo,
        *actions[39:50],
        back,
        *actions[21:60],
        back,
        redo,
        *actions[60:],
    ]
    assert imported(tmp_path, {**data, "actions": mixed}).game.digest() == short.digest()


def test_an_undo_goes_by_the_place_in_the_list_not_by_the_number() -> None:
    def move(id: int) -> Data:
        return {"type": "pass", "id": id}

    actions = [move(5), move(9), move(3), {"type": "undo", "id": 10, "action_id": 9}, move(11)]
    assert [a["id"] for a in effective(actions)] == [5, 9, 11]
    assert effective([*actions, {"type": "undo", "id": 12, "action_id": 0}]) == []
    gone = [move(1), move(2), {"type": "undo", "id": 3}, move(4), {"type": "undo", "id": 5, "action_id": 2}]
    assert [a["id"] for a in effective(gone)] == [1]


def test_fields_that_old_records_do_not_have_are_not_needed(tmp_path: Path, short: engine.Game, data: Data) -> None:
    for action in data["actions"]:
        for name in ("variant", "tokener", "slot", "created_at"):
            action.pop(name, None)
        if action["type"] == "bid":
            action.setdefault("corporation", None)
        if action["type"] in ("buy_shares", "sell_shares"):
            del action["percent"]
        for route in action.get("routes", ()):
            del route["revenue"], route["revenue_str"]
    del data["settings"], data["status"]
    record = imported(tmp_path, {**data, "status": "active"})
    assert record.game.digest() == short.digest()


def test_a_game_under_way_stays_where_it_is(tmp_path: Path, short: engine.Game, data: Data) -> None:
    record = imported(tmp_path, data)
    assert not record.game.finished and record.result == {}
    assert len(record.game.orders) <= len(short.orders) + 1


def test_a_game_that_the_players_broke_off_has_the_standings_of_that_moment(
    tmp_path: Path, short: engine.Game, data: Data
) -> None:
    end = {"type": "end_game", "entity": 100, "entity_type": "player", "id": 99_999}
    standings = {str(100 + NAMES.index(p)): wealth for p, wealth in short.standings()}
    record = imported(tmp_path, {**data, "status": "finished", "actions": [*data["actions"], end], "result": standings})
    assert dict(record.game.standings()) == dict(record.result)


def test_players_may_have_any_names(tmp_path: Path, data: Data) -> None:
    for player, name in zip(data["players"], ("N", "n", "a: b; // c", ""), strict=True):
        player["name"] = name
    record = imported(tmp_path, data)
    assert list(record.names.values()) == ["N (player 1)", "n (player 2)", "a b c", "(player 4)"]


def test_a_result_may_be_given_by_name(tmp_path: Path, data: Data) -> None:
    assert imported(tmp_path, {**data, "result": {"Ann": 5, "101": 7}}).result == {"Ann": 5, "Bob": 7}


def test_moves_may_call_players_by_name(tmp_path: Path, short: engine.Game, data: Data) -> None:
    names = {player["id"]: player["name"] for player in data["players"]}
    for action in data["actions"]:
        for move in (action, *action.get("auto_actions", ())):
            if move["entity_type"] == "player":
                move["entity"] = names[move["entity"]]
    assert imported(tmp_path, {**data, "status": "active"}).game.digest() == short.digest()


def test_a_private_that_nobody_takes_is_sold_to_the_first_who_does(tmp_path: Path) -> None:
    def by(player: int, **fields: Any) -> Data:
        return {"type": "bid" if fields else "pass", "entity": player, "entity_type": "player", **fields}

    players = [{"id": n, "name": name} for n, name in enumerate(NAMES[:3])]
    moves = [
        *map(by, (0, 1, 2)),
        by(0),
        by(1, company="TSR", price=15),
        *map(by, (2, 0, 1)),
        by(2, company="BSS", price=25),
    ]
    actions = [{**move, "id": n} for n, move in enumerate(moves, 1)]
    game = imported(tmp_path, {"title": "1861", "players": players, "actions": actions, "status": "active"}).game
    assert (game.state.privates["TSR"], game.state.privates["BSS"]) == ("Bob", "Cat")  # type: ignore[index]
    assert [a.actor for a in game.asked()] == ["Ann"]


def test_a_record_may_go_beyond_what_the_page_of_the_site_offers(tmp_path: Path) -> None:
    """A private that all have passed over is taken for more than is asked, and a minor sold before Nikolaev."""

    def by(player: int, **fields: Any) -> Data:
        return {"type": "bid" if fields else "pass", "entity": player, "entity_type": "player", **fields}

    players = [{"id": n, "name": name} for n, name in enumerate(NAMES[:3])]
    moves = [*map(by, (0, 1, 2)), by(0), by(1, company="TSR", price=35)]
    for player, private, price in ((2, "BSS", 30), (0, "MYR", 40), (1, "MRR", 50), (2, "WVR", 60)):
        moves += [by(player, company=private, price=price), by((player + 1) % 3), by((player + 2) % 3)]
    moves += [by(0, corporation="M-K", price=100), by(1), by(2)]
    actions = [{**move, "id": n} for n, move in enumerate(moves, 1)]
    game = imported(tmp_path, {"title": "1861", "players": players, "actions": actions, "status": "active"}).game
    assert (game.title.options["dutch_price"], game.title.options["first_minor"]) == ("more", "any")
    assert game.state.privates["TSR"] == "Bob"  # type: ignore[index]
    assert game.state.money("Bob") == 420 - 35 - 50
    assert game.state.companies["M-K"].status == "open"  # type: ignore[index]


def test_the_privates_of_a_game_for_two_are_told_by_bids_or_by_the_sites_lot() -> None:
    stay = drawn(PRIVATES, 29683)
    assert len(stay) == 3 and in_play(PRIVATES, stay[:2], 29683) == stay
    assert in_play(PRIVATES, ("WVR", "TSR", "MYR"), None) == ("TSR", "MYR", "WVR")
    with pytest.raises(ValueError, match="cannot be told"):
        in_play(PRIVATES, set(PRIVATES) - set(stay), 29683)


def test_certificates_are_known_by_their_numbers() -> None:
    def formed(*owners: str) -> SiteBooks:
        """MK, formed of a minor of each of the owners."""
        books, minors = SiteBooks(engine.load_title("1861")), [CompanyId(m) for m in ("N", "V", "E")]
        for minor, owner in zip(minors, owners, strict=False):
            books.follow([CertificatesMoved(minor, "minor", 1, TREASURY, owner)])
        dealt = CertificatesSet(mk, (("Ann", "ordinary", 1), (TREASURY, "ordinary", 7)))
        books.follow([dealt, *(CertificatesSet(minor, ()) for minor in minors[: len(owners)])])
        return books

    mk = CompanyId("MK")
    assert formed("Ann", "Bob", "Ann").hands()[mk] == {TREASURY: [1, 2, 3, 4, 5, 8, 6], "Ann": [0], "Bob": [7]}
    known = formed("Ann", "Bob")  # nobody leads before one of them takes a second
    known.name(mk, [1])
    taken = CertificatesMoved(mk, "director", 1, TREASURY, "Bob"), CertificatesMoved(mk, "ordinary", 1, "Bob", TREASURY)
    known.follow([*taken, Bought("Bob", mk, 1, 100, "treasury"), DirectorChanged(mk, "Bob")])  # type: ignore[arg-type]
    assert known.hands()[mk] == {TREASURY: [2, 3, 4, 5, 6, 7, 1], "Ann": [8], "Bob": [0]}


# ---- what is refused -------------------------------------------------------------------------------------------


def first(data: Data, kind: str) -> Data:
    action: Data = next(a for a in data["actions"] if a["type"] == kind)
    return action


def change(kind: str, **fields: Any) -> Callable[[Data], None]:
    """Change the first action of a kind; a field that is None is left out."""

    def apply(data: Data) -> None:
        action = first(data, kind)
        action.update(fields)
        for name in [name for name, value in fields.items() if value is None]:
            del action[name]

    return apply


@pytest.mark.parametrize(
    ("kind", "fields", "said"),
    [
        ("lay_tile", {"tile": "999-0"}, "lay."),
        ("lay_tile", {"hex": "Z99"}, "lay."),
        ("lay_tile", {"rotation": None}, "has no rotation"),
        ("lay_tile", {"rotation": "north"}, "not as the site writes it"),
        ("lay_tile", {"entity": "B&O"}, "there is no company 'B&O'"),
        ("bid", {"entity": 77}, "there is no player 77"),
        ("bid", {"company": "B&O"}, "open.order"),
        ("bid", {"price": 13}, "bid.step"),
        ("bid", {"price": None}, "has no price"),
        ("bid", {"type": "take_loan"}, "'take_loan' is no action of this game"),
        ("buy_train", {"price": 1}, "train.face_value"),
        ("buy_train", {"exchange": "2-3"}, "not exchanged"),
    ],
)
def test_an_action_that_does_not_fit_is_named(
    tmp_path: Path, data: Data, kind: str, fields: dict[str, Any], said: str
) -> None:
    id = first(data, kind)["id"]
    change(kind, **fields)(data)
    with pytest.raises(RecordError) as error:
        imported(tmp_path, data)
    assert f"record.json: action {id} (id {id}, " in str(error.value)
    assert said in str(error.value)


def test_a_run_that_earns_something_else_is_named(tmp_path: Path, data: Data) -> None:
    run = next(a for a in data["actions"] if a["type"] == "run_routes" and a["routes"])
    run["routes"][0]["revenue"] += 10
    with pytest.raises(RecordError, match=f"id {run['id']}, run_routes .*: the record counts"):
        imported(tmp_path, data)


def without(key: str) -> Callable[[Data], Any]:
    return lambda data: {k: v for k, v in data.items() if k != key}


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (lambda data: '{\n"title": "1861",\n"players": [}', "line 3: is not JSON"),
        (lambda data: [], "an exported game is an object"),
        (without("title"), "has no title"),
        (without("players"), "has no players"),
        (without("actions"), "has no actions"),
        (lambda data: {**data, "title": "1830"}, "is a game of 1830; there are: "),
        (lambda data: {**data, "settings": {"optional_rules": ["moon"]}}, "optional rule 'moon' is not known"),
        (lambda data: {**data, "players": data["players"][:1]}, "is for 2 to 6 players"),
        (lambda data: {**data, "players": data["players"][:1] * 3}, "same id"),
        (lambda data: {**data, "actions": [*data["actions"][:3], 7]}, "action 4 is not an object"),
        (lambda data: {**data, "actions": [{"id": 8}]}, "action 1 (id 8) has no type"),
        (lambda data: {**data, "actions": [{"id": 8, "type": "bid"}]}, "action 1 (id 8), bid, has no entity"),
        (lambda data: {**data, "actions": [{"id": 1, "type": "undo", "action_id": 4}]}, "goes back to action 4"),
        (lambda data: {**data, "result": {"Zoe": 1}}, "'Zoe', who is not a player"),
    ],
)
def test_a_file_that_is_no_record_is_refused_with_the_reason(
    tmp_path: Path, data: Data, broken: Callable[[Data], Any], said: str
) -> None:
    with pytest.raises(RecordError) as error:
        imported(tmp_path, broken(data))
    assert str(error.value).startswith("record.json") and said in str(error.value)
