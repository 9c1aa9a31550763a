"""Lays and runs in a turn mail: each lay in words that an order may repeat and as a picture, hexes marked on the map,
the best run and the last one with a line for each train."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

import engine
from engine import orders as o
from engine.core.decide import effects
from engine.core.events import Paid
from engine.core.game import Game
from engine.core.ids import BANK, CompanyId
from engine.robots import sensible
from grammar import read, write
from moderator import render
from moderator.adapters.png import png
from moderator.domain.pictures import Picture
from moderator.domain.transcript import Shown
from moderator.domain.vocabulary import vocabulary
from moderator.render.pictures import drawn
from moderator.words.position.board_views import is_changed
from moderator.words.position.lay_views import lay_lines, turned
from moderator.words.question.best_run import best_routes
from moderator.words.question.track_limits import track_limit
from moderator.words.texts import words
from tests.kit.games.render_games import info
from tests.service.render.test_pictures import shown

_ORDERS = {"1841": 420, "1844": 420, "1863": 620}
"""Orders until companies of the title lay and run."""
_STEP = 9


@pytest.fixture(scope="module", params=engine.title_names())
def turns(request: pytest.FixtureRequest) -> list[Game]:
    """Positions of a game between robots in which somebody may lay track."""
    game = Game.start(engine.load_title(request.param), engine.Setup(("Ann", "Bob", "Cat"), seed="lays"))
    found = []
    while len(game.orders) < _ORDERS.get(request.param, 320) and not game.finished:
        ask = game.asked()[0]
        if any(isinstance(choice.order, o.Lay) for choice in game.legal(ask.actor)):
            found.append(game.fork())
        assert game.submit(sensible(game, ask))
    assert len(found) > 3 * _STEP
    return [*found[::_STEP], found[-1]]


def lays_of(game: Game) -> Iterator[o.Lay]:
    for choice in game.legal(game.asked()[0].actor):
        if isinstance(choice.order, o.Lay):
            yield choice.order


def mail_of(game: Game, **changes: object) -> render.Rendered:
    seat = game.asked()[0].player
    return render.turn_mail(game, info(game, seat, **changes), seat, max(0, len(game.orders) - 20))


@pytest.mark.in_turn(2)
def test_the_sides_of_a_lay_can_be_written_in_an_order(turns: list[Game]) -> None:
    seen = unclear = 0
    for game in turns:
        names = vocabulary(game.title)
        for lay in lays_of(game):
            joins = turned(game.title, game.state, lay.hex, lay.tile, lay.rotation).joins
            if not re.search("[-+]", joins):
                continue
            given = write(lay, names).replace(f" {lay.hex} {lay.rotation}", f" {lay.hex} {joins}", 1)
            reading = read(given, names, default_actor=str(lay.actor))
            seen += 1
            if reading.errors:
                assert [fault.reason for fault in reading.errors] == ["turns"], given  # two turns have these sides
                unclear += 1
            else:
                (order,) = reading.orders
                assert isinstance(order, o.Lay)
                new, meant = (
                    game.title.map.tiles[lay.tile].face.turned(turn).exits for turn in (order.rotation, lay.rotation)
                )
                assert (order.tile, order.hex, new) == (lay.tile, lay.hex, meant)
    assert seen > 20 and unclear < seen / 2


@pytest.mark.in_turn(2)
def test_every_lay_says_what_it_joins_or_adds_in_the_text(turns: list[Game]) -> None:
    for game in turns:
        title, state = game.title, game.state
        for line in lay_lines(title, state, game.legal(game.asked()[0].actor)):
            for tile, some in line.tiles:
                for turn in some:
                    old, new = state.board.face(line.hex), title.map.tiles[tile].face.turned(turn.turn)
                    assert bool(turn.joins) == bool(new.exits - old.exits), (line.hex, tile, turn)
                    assert bool(turn.joins) != bool(turn.adds), (line.hex, tile, turn)
        text = mail_of(game).text
        for lay in lays_of(game):
            assert re.search(rf"\b{re.escape(lay.tile)}\b", text) and str(lay.hex) in text


def test_the_cost_told_with_a_lay_is_the_cash_that_it_takes(turns: list[Game]) -> None:
    tried = 0
    for game in turns:
        title, company = game.title, game.asked()[0].actor
        choices = [c for c in game.legal(company) if isinstance(c.order, o.Lay) and c.order.using is None]
        told = {
            (line.hex, tile, turn.turn): line.cost
            for line in lay_lines(title, game.state, choices) for tile, some in line.tiles for turn in some
        }  # fmt: skip
        assert len(told) == len(choices)
        for lay in (choice.order for choice in choices):
            assert isinstance(lay, o.Lay)
            events = [e for e in effects(title, game.state, lay) if isinstance(e, Paid)]
            paid = sum(e.amount for e in events if e.payer == company and e.payee == BANK)
            assert told[lay.hex, lay.tile, lay.rotation] == paid, lay
            tried += 1
    assert tried > 60


@pytest.mark.in_turn(2)
def test_a_mail_tells_how_many_tiles_may_still_be_laid(turns: list[Game]) -> None:
    seen = set()
    for game in turns:
        company = game.asked()[0].actor
        lays = [lay for lay in lays_of(game) if lay.using is None]
        if company not in game.title.companies or not lays:
            continue
        mail = mail_of(game)
        told = " ".join(mail.text.split()).partition("Lay track (")[2].partition(")")[0]
        assert f"Lay track</b> ({told})" in mail.html
        most, trial = 0, game.fork()
        while order := next((lay for lay in lays_of(trial) if lay.using is None), None):
            assert trial.submit(order)
            most += 1
        said = re.match(r"(one|up to \d+) (?:more )?tiles?", told)
        assert said and most <= (1 if said[1] == "one" else int(said[1].split()[-1])), (told, most)
        upgrades = [lay for lay in lays if game.state.board.face(lay.hex).paths]
        assert not upgrades or "an upgrade" in told or "upgrades" in told
        if re.search("(not|none of them) an upgrade", told):
            assert not upgrades
        seen.add(told)
    assert seen


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("1861", {"up to 2 tiles, at most one of them an upgrade; the second costs R20 more",
                  "one more tile, new or an upgrade; the costs include R20 for it"}),
        ("1867", {"up to 2 tiles, at most one of them an upgrade; the second costs $20 more",
                  "one more tile, new or an upgrade; the costs include $20 for it"}),
        ("1863", {"up to 2 tiles, only the first may be an upgrade", "one more tile, not an upgrade"}),
        ("1844", {"one tile, new or an upgrade"}),
        ("1841", {"one tile, new or an upgrade", "up to 2 tiles, new or upgrades, each from another token",
                  "one more tile, new or an upgrade, from another token"}),
    ],
)  # fmt: skip
def test_the_limits_of_track_are_those_of_the_title(name: str, told: set[str]) -> None:
    game = Game.start(engine.load_title(name), engine.Setup(("Ann", "Bob", "Cat"), seed="lays"))
    found = set[str]()
    while not game.finished and not told <= found and len(game.orders) < 900:
        ask = game.asked()[0]
        if any(isinstance(c.order, o.Lay) and c.order.using is None for c in game.legal(ask.actor)):
            found.add(track_limit(words(), game.title, game.state).replace("\u00a0", " "))
        assert game.submit(sensible(game, ask))
    assert told <= found


@pytest.mark.parametrize("name", engine.title_names())
def test_a_tile_without_a_new_side_says_what_it_adds(name: str) -> None:
    game = Game.start(engine.load_title(name), engine.Setup(("Ann", "Bob", "Cat"), seed="adds"))
    map, state = game.title.map, game.state
    hex, seen = next(hex for hex, printed in map.hexes.items() if not printed.face.exits), set()
    for tile, upgrades in map.upgrades.items():
        before = replace(state, board=replace(state.board, tiles={**state.board.tiles, hex: (tile, 0)}))
        for new, turns in upgrades.items():
            for turn in turns:
                if map.tiles[new].face.turned(turn).exits == map.tiles[tile].face.exits:
                    found = turned(game.title, before, hex, new, turn)
                    assert not found.joins and found.adds, (tile, new, turn)
                    seen |= {key for key, _ in found.adds}
    assert seen and seen <= {"circles", "value", "ways"}


@pytest.mark.in_turn(2)
def test_a_turn_mail_has_a_sheet_of_all_lays_and_marks_their_hexes(turns: list[Game]) -> None:
    for game in turns:
        mail = mail_of(game)
        lays = {(str(lay.hex), str(lay.tile), lay.rotation) for lay in lays_of(game)}
        (sheet,) = (picture for picture in mail.pictures if picture.kind == "lays")
        assert set(sheet.lays) == lays and len(sheet.lays) == len(lays)
        assert f'src="cid:{sheet.id}"' in mail.html
        said = set(re.findall(r">([^<]+)</text>", drawn(game, sheet).svg))
        assert {f"{tile} ({turn})" for _, tile, turn in lays} <= said
        maps = [picture for picture in mail.pictures if picture.id.startswith(("picture-part", "picture-map"))]
        assert any(picture.id == "picture-part" for picture in maps)
        hexes = {hex for hex, _, _ in lays}
        assert all(set(picture.marked) == hexes for picture in maps)
        marked = "".join(drawn(game, picture).svg for picture in maps)
        assert marked.count('stroke="#003fbf" stroke-width="9"/>') >= len(hexes)
        assert all(f'id="hex-{hex}"' in marked for hex in hexes)


@pytest.mark.in_turn(2)
def test_a_part_of_the_map_is_never_wider_than_a_telephone_can_show(turns: list[Game]) -> None:
    for game in turns:
        for picture in mail_of(game).pictures:
            if picture.id.startswith("picture-part"):
                across = {game.title.map.hexes[engine.ids.HexId(hex)].x for hex in picture.hexes}
                assert (max(across) - min(across)) / (1 if game.title.map.flat else 2) < 8


@pytest.mark.in_turn(2)
def test_the_best_run_and_the_last_have_a_line_for_each_train(turns: list[Game]) -> None:
    seen = set()
    for game in turns:
        company = CompanyId(game.asked()[0].actor)
        found = {p.id.removesuffix("-below"): p for p in mail_of(game).pictures if p.company and p.kind == "map"}
        for id, picture in found.items():
            svg = drawn(game, picture).svg
            heading = picture.heading
            assert str(company) in heading and heading in svg.replace("&#39;", "'") and heading in picture.alt
            if id == "picture-best":
                best = best_routes(game.title, game.state, company)
                assert [(t, list(way)) for t, way in picture.runs] == [(r.train, [*r.hexes]) for r in best.routes]
                for route, value in zip(best.routes, best.values, strict=True):
                    assert f"{route.train} = {value}: " in svg
            assert png(svg, width=300).startswith(b"\x89PNG")
            seen.add(id)
    assert seen == {"picture-best", "picture-last"}


def test_what_a_picture_of_an_older_service_lacks_is_as_it_was() -> None:
    kept = {
        "id": "picture-map", "kind": "map", "at": 3, "alt": "", "hexes": ["H8"], "rings": 1, "since": None,
        "company": "", "runs": [], "near": False,
    }  # fmt: skip
    assert Picture.restored(kept) == Picture("picture-map", "map", 3, "", ("H8",), 1)


@pytest.mark.in_turn(2)
def test_a_run_is_shown_on_a_lay_that_is_not_made_yet(turns: list[Game]) -> None:
    seen = 0
    for game in turns:
        company = game.asked()[0].actor
        if company not in game.title.companies:
            continue
        for lay in list(lays_of(game))[:6]:
            later = game.fork()
            if isinstance(later.submit(lay), engine.Refused) or not later.state.companies[CompanyId(company)].trains:
                continue
            routes = later.best_run(CompanyId(company)).routes
            if not any(str(lay.hex) in route.hexes for route in routes):
                continue
            text = write(lay, vocabulary(game.title))
            said = render.text_run(later, CompanyId(company), routes, (text,))
            assert f"after {text}, which is not laid yet" in said
            (picture,) = shown(game, Shown("run", "", said, CompanyId(company), routes, (text,))).pictures
            svg = drawn(game, picture).svg
            assert "not laid yet" in svg and f">{lay.tile}</text>" in svg
            seen += 1
    assert seen


def test_pictures_for_a_dark_screen_are_dark() -> None:
    game = Game.start(engine.load_title("1861"), engine.Setup(("Ann", "Bob", "Cat"), seed="dark"))
    for wish, paper in (("on", "#ffffff"), ("dark", "#1b1e22")):
        pictures = mail_of(game, pictures=wish).pictures
        assert pictures
        for picture in pictures:
            assert f'fill="{paper}" shape-rendering="crispEdges"/>' in drawn(game, picture).svg


def test_a_mail_names_the_routes_of_the_best_run_and_what_its_lays_add(turns: list[Game]) -> None:
    named = changed = 0
    for game in turns:
        company = CompanyId(game.asked()[0].actor)
        best = best_routes(game.title, game.state, company)
        mail = mail_of(game)
        text = " ".join(mail.text.split())
        if "on the track now" not in text.partition("YOU")[0].partition("Run trains")[2]:
            continue
        told = text.partition("Run trains")[2].partition("| run best")[0]
        for route in best.routes:
            assert "-".join(route.hexes) in told and "-".join(route.hexes) in mail.html
            named += 1
        for lays, change in re.findall(r"`([^`]+)`(: the best run stays| brings the best run to) ", text):
            after = game.fork()
            for order in read(lays, vocabulary(game.title), default_actor=company).orders:
                assert after.submit(order)
            now = best_routes(game.title, after.state, company)
            assert (now.value == best.value) == (change == ": the best run stays")
            if now.proven and best.proven and best.value and now.value > best.value:
                (more,) = re.findall(rf"`{re.escape(lays)}` brings .*?, \D*?([\d,]+)[^,]* more than", text)
                assert int(more.replace(",", "")) == now.value - best.value
            changed += 1
    assert named and changed


def test_the_map_in_plain_text_has_towns_turns_and_what_is_printed_near_the_lays(turns: list[Game]) -> None:
    towns = near = 0
    for game in turns:
        title, state = game.title, game.state
        text = mail_of(game).text
        map = text.partition("\nMAP: tile/turn, sides joined, value")[2].partition("\nHOW TO ANSWER")[0]
        for hex, (tile, turn) in state.board.tiles.items():
            (line,) = re.findall(rf"^{hex}\b[^:]*: {re.escape(tile)}/{turn}[ ,].*(?:\n .*)*", map, re.M)
            if of := len(state.board.face(hex).towns):
                assert ("; town" if of == 1 else f"; {of} towns") in " ".join(line.split())
                towns += 1
        built = {lay.hex for lay in lays_of(game)}
        printed = map.partition("\nNear these lays, as printed:\n")[2].partition("\n\n")[0]
        around = {other for hex in built for other in title.map.hexes[hex].neighbors.values()}
        for hex in built | around:
            face, lies = title.map.hexes[hex].face, is_changed(state, hex)
            if face.cities or face.towns or face.paths:
                assert bool(re.search(rf"^{hex}\b", printed, re.M)) == (not lies), hex
                near += not lies
    assert towns and near


@pytest.mark.parametrize("name", engine.title_names())
def test_a_mail_says_in_which_hexes_an_area_lies_and_which_lead_into_it(name: str) -> None:
    game = Game.start(engine.load_title(name), engine.Setup(("Ann", "Bob", "Cat"), seed="areas"))
    mail = mail_of(game)
    for told in (" ".join(mail.text.split()), mail.html):
        area = {"1841": "Marseille", "1844": "Milano", "1861": "Caucasus", "1863": "Acton", "1867": "Detroit"}[name]
        hexes = {
            "1841": "in P4 Q3 Q5 from O3 O5", "1844": "in L15 M18 M20 M22 from K14 L21",
            "1861": "in J20 I21 K21 from I19 J18 K19 L20", "1863": "in A10 from B9 B11", "1867": "in A17 A19 from B18",
        }[name]  # fmt: skip
        assert re.search(rf"{area} \d+(?: \(\d+\))? {hexes}[;.]", told), area
    for hex, of in game.title.map.hexes.items():
        assert not of.face.offboards or hex in mail.text, hex
