"""Records seen: positions, what differs, figures, pictures, results, and files that are spoiled somewhere."""

from __future__ import annotations

import csv
import io
import json
import random
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

import engine
from engine.robots import random_order, sensible
from moderator.domain.figures.statistics import statistics
from moderator.domain.records.record import write_record
from moderator.entrypoints import cli


def played(
    title: str = "1861", edition: str | None = None, orders: int = 260, names: tuple[str, ...] = ()
) -> engine.Game:
    game = engine.Game.start(engine.load_title(title, edition), engine.Setup(names or ("Ann", "Bob", "Cat"), "a seed"))
    while len(game.orders) < orders and not game.finished:
        game.submit(sensible(game, game.asked()[0]))
    return game


@pytest.fixture(scope="module")
def game() -> engine.Game:
    return played()


@pytest.fixture
def file(tmp_path: Path, game: engine.Game) -> Path:
    path = tmp_path / "game.txt"
    path.write_text(write_record(game, {"Game": "1861-7"}, sealed=False), encoding="utf-8")
    return path


def railpost(*words: object, status: int = 0) -> str:
    result = CliRunner().invoke(cli.app, [str(word) for word in words])
    assert result.exit_code == status, result.output
    return result.output


# ---- positions -------------------------------------------------------------------------------------------------------


def test_a_position_is_shown_in_words(file: Path, game: engine.Game) -> None:
    assert f"after {len(game.orders)} orders" in railpost("record", "show", file)
    early = railpost("record", "show", file, "--at", "3")
    assert "after 3 orders" in early and "TSR" in early
    assert "the record has 260" in railpost("record", "show", file, "--at", "261", status=2)


def test_what_differs_between_two_positions_is_told(file: Path, game: engine.Game) -> None:
    last = len(game.orders)
    said = railpost("record", "show", file, "--diff", last - 1, last)
    assert ", now " in said
    assert railpost("record", "show", file, "--diff", 5, 5) == "nothing differs\n"
    back = railpost("record", "show", file, "--diff", last, last - 1)
    assert len(back.splitlines()) == len(said.splitlines())


def test_a_position_is_drawn(file: Path, tmp_path: Path) -> None:
    picture = tmp_path / "map.svg"
    railpost("record", "show", file, "--at", "200", "--svg", "-o", picture)
    assert ElementTree.parse(picture).getroot().tag.endswith("svg")
    plain, marked = (railpost("record", "show", file, "--svg", *more) for more in ((), ("--diff", 100, 260)))
    assert plain.startswith("<svg") and plain != marked
    assert "goes with neither" in railpost("record", "show", file, "--svg", "--stats", status=2)


# ---- figures ---------------------------------------------------------------------------------------------------------


@pytest.mark.in_turn(2)
@pytest.mark.parametrize(("title", "edition"), [("1861", None), ("1844", None), ("1841", "v2"), ("1863", None)])
def test_the_figures_are_those_of_the_game(title: str, edition: str | None) -> None:
    game = played(title, edition, 200)
    found = statistics(game)
    assert sum(one.orders for one in found.rounds) == len(game.orders)
    assert [one.first for one in found.rounds[1:]] == [one.last + 1 for one in found.rounds[:-1]]
    bought = [one for one in found.trains if one.price is not None]
    owned = sum(len(company.trains) for company in game.state.companies.values())
    assert len([one for one in found.trains if one.source == "Bank"]) >= min(owned, 1)
    assert all(one.order <= len(game.orders) and one.company in game.title.companies for one in bought)
    assert all(one.revenue >= 0 for one in found.earned)
    assert dict(found.worth[-1].worth) == dict(game.standings())


def test_the_figures_are_shown(file: Path, game: engine.Game) -> None:
    said = railpost("record", "show", file, "--stats")
    assert [line for line in said.splitlines() if line and line[0] != " "] == [
        "Rounds",
        "Trains",
        "Revenue",
        "Net worth",
    ]
    last = said.strip().splitlines()[-1].split()
    assert sorted(map(int, last[-3:])) == sorted(wealth for _, wealth in game.standings())


# ---- results ---------------------------------------------------------------------------------------------------------


def test_results_are_csv(file: Path, game: engine.Game) -> None:
    text = railpost("record", "results", file, "--csv")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [(row["player"], int(row["wealth"])) for row in rows] == list(game.standings())
    assert {(row["record"], row["title"], row["status"], row["players"]) for row in rows} == {
        ("1861-7", "1861", "under way", "3")
    }
    assert rows[0]["place"] == "1"


def test_several_records_are_added_up(tmp_path: Path) -> None:
    paths = []
    for seed in (1, 2):
        game = engine.Game.start(engine.load_title("1861", "2020"), engine.Setup(("Ann", "Bob"), f"{seed}", "Ann"))
        chance = random.Random(seed)
        while not game.finished:
            game.submit(random_order(game, game.asked()[0], chance))
        paths.append(tmp_path / f"{seed}.txt")
        paths[-1].write_text(write_record(game, {}), encoding="utf-8")
    said = railpost("record", "results", *paths)
    assert "mean wealth" in said and sum(int(line.split()[2]) for line in said.splitlines()[-2:]) >= 2
    missing = railpost("record", "results", paths[0], tmp_path / "none.txt", status=2)
    assert "No such file" in missing and "Ann" in missing


def test_equal_wealth_shares_the_place(tmp_path: Path) -> None:
    path = tmp_path / "new.txt"
    path.write_text('[Title "1861"]\n[Edition "v2.0"]\n[Seat1 "Ann"]\n[Seat2 "Bob"]\n[Seat3 "Cat"]\n[Priority "Ann"]\n')
    rows = list(csv.DictReader(io.StringIO(railpost("record", "results", path, "--csv"))))
    assert {row["place"] for row in rows} == {"1"}


@pytest.mark.fault(45)
@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(1)"])
def test_a_name_in_a_record_of_others_is_no_formula_in_a_table(tmp_path: Path, name: str) -> None:
    path = tmp_path / "theirs.txt"
    path.write_text(HEAD.replace("Ann", name))
    rows = list(csv.DictReader(io.StringIO(railpost("record", "results", path, "--csv"))))
    assert [row["player"] for row in rows] == [f"'{name}", "Bob", "Cat"]


# ---- spoiled records -------------------------------------------------------------------------------------------------

HEAD = '[Title "1861"]\n[Edition "v2.0"]\n[Seat1 "Ann"]\n[Seat2 "Bob"]\n[Seat3 "Cat"]\n[Priority "Ann"]\n'
BODY = "\nAnn: open TSR 20\nBob: bid 25\nCat: drop\nAnn: drop\n"


def spoiled(tmp_path: Path, text: str, status: int) -> str:
    path = tmp_path / "spoiled.txt"
    path.write_text(text, encoding="utf-8")
    return railpost("record", "show", path, status=status)


def test_a_broken_order_in_the_middle_is_named_and_all_before_it_shown(tmp_path: Path) -> None:
    said = spoiled(tmp_path, f"{HEAD}{BODY}Cat: opem BSS 30\nCat: open BSS 30\n", 1)
    assert "after 4 orders" in said and "spoiled.txt:12:" in said and "opem" in said and "perhaps `open`" in said


def test_an_illegal_order_in_the_middle_is_named_with_its_rule(tmp_path: Path) -> None:
    said = spoiled(tmp_path, f"{HEAD}{BODY}Cat: open BSS 1000\nAnn: drop\n", 1)
    assert "after 4 orders" in said and "spoiled.txt:12:1: order 5" in said and "1861 v2.0" in said


def test_a_position_beyond_the_broken_order_is_refused_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "spoiled.txt"
    path.write_text(f"{HEAD}{BODY}Cat: opem BSS 30\n", encoding="utf-8")
    said = railpost("record", "show", path, "--at", 5, status=2)
    assert "the record has 4; it cannot be played further: spoiled.txt:12:" in said


@pytest.mark.parametrize(
    ("tag", "status", "said"),
    [
        ('[Event "a friendly game"]', 0, "after 4 orders"),
        ('[Option.chart "spiral"]', 1, "spoiled.txt:7:1: option chart cannot be 'spiral'"),
        ('[Option.moon "full"]', 1, "spoiled.txt:7:1: 1861 has no option 'moon'"),
        ("[Event a friendly game]", 1, "spoiled.txt:7:1: not a tag"),
        ('[Seat1 "Dan"]', 1, "spoiled.txt:7:1: a second tag Seat1: the first is in line 3"),
        ('[Engine "99.0.0"]', 0, "after 4 orders"),
        ('[Rules "99"]', 0, "after 4 orders"),
    ],
)
def test_a_tag_that_means_nothing_is_kept_and_one_that_is_wrong_is_named(
    tmp_path: Path, tag: str, status: int, said: str
) -> None:
    assert said in spoiled(tmp_path, f"{HEAD}{tag}\n{BODY}", status)


def test_a_record_of_other_rules_is_shown_up_to_where_it_departs(file: Path, game: engine.Game) -> None:
    text = file.read_text(encoding="utf-8")
    third = text[text.index("[Digests") :].split()[4]
    other = third[:-1] + ("0" if third[-1] != "0" else "1")
    file.write_text(text.replace(f" {third} ", f" {other} ", 1), encoding="utf-8")
    said = railpost("record", "show", file, status=1)
    assert "after 2 orders" in said and "no longer leads where it did" in said
    assert "the record cannot be played further: game.txt:" in said and "order 3, " in said


def test_a_record_of_18xx_games_that_stops_is_shown_up_to_there(tmp_path: Path) -> None:
    actions = [
        {"type": "bid", "entity": 1, "entity_type": "player", "id": 1, "company": "TSR", "price": 20},
        {"type": "bid", "entity": 2, "entity_type": "player", "id": 2, "company": "TSR", "price": 21},
    ]
    players = [{"id": number, "name": name} for number, name in enumerate(("Ann", "Bob", "Cat"), 1)]
    path = tmp_path / "site.json"
    path.write_text(json.dumps({"title": "1861", "players": players, "actions": actions, "status": "active"}))
    said = railpost("record", "show", path, status=1)
    assert "after 1 order\n" in said and "site.json: action 2 (id 2, bid of 2)" in said
