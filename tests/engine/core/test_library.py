"""The engine as a library: what a programmer does with nothing but its public names."""

from __future__ import annotations

import pydoc
import tomllib
from pathlib import Path
from typing import Any

import pytest

import engine
from engine.robots import sensible
from moderator import library

NIKOLAEV = engine.ids.CompanyId("N")


def a_minor_with_a_train() -> engine.Game:
    """The first operating round of three players: the Nikolaev, in printed Moscow, has bought a train."""
    game = engine.Game.start(engine.load_title("1861"), engine.Setup(("Ann", "Bob", "Cat"), seed="a", priority="Ann"))
    while game.state.round.kind == "SR":
        ask = game.asked()[0]
        menu = game.legal(ask.actor)
        opening = [c.order for c in menu if isinstance(c.order, engine.orders.Open)]
        first = opening[0] if opening and "N" not in game.state.prices else menu[-1].order
        assert game.submit(first)
    assert game.submit(engine.orders.Train(NIKOLAEV, engine.ids.TrainName("2")))
    return game


def test_runs_are_judged_and_the_best_is_found_whoever_is_on_turn() -> None:
    game = a_minor_with_a_train()
    best = game.best_run(NIKOLAEV)
    assert (best.value, best.proven) == (80, True)  # Moscow and St. Petersburg, 40 each; Tver is skipped
    checked = game.check_run(NIKOLAEV, best.routes)
    assert checked.failures == ()
    assert checked.total == best.value
    absurd = (engine.orders.Route(engine.ids.TrainName("9"), (engine.ids.HexId("H8"), engine.ids.HexId("E1"))),)
    assert {f.check for f in game.check_run(NIKOLAEV, absurd).failures} == {"run.no_such_train"}


def test_a_power_of_a_private_may_be_used_by_who_is_not_asked() -> None:
    """1844, played plainly until companies may use privates: the owner of P4 is listed its order at any moment."""
    furka = engine.ids.PrivateId("P4")
    game = engine.Game.start(engine.load_title("1844"), engine.Setup(("Ann", "Bob", "Cat"), seed="a"))
    while game.state.phase != "3":
        assert game.submit(sensible(game, game.asked()[0]))
    owner = game.state.privates[furka]
    by_player = {player: game.unasked(player) for player in game.state.players}
    order = engine.orders.UsePrivate(engine.ids.PlayerId(str(owner)), furka)
    assert by_player == {p: (engine.Exact(order),) if p == owner else () for p in game.state.players}
    asked, cash = game.asked(), game.state.money(order.actor)
    assert game.submit(order)
    assert furka not in game.state.privates and game.state.money(order.actor) == cash + 80
    assert game.asked() == asked  # whoever was asked still is
    assert not game.check(order)


def test_best_runs_of_both_sorts_of_train_are_proven() -> None:
    """Every company that has a train when 1844, played plainly, comes to its third phase."""
    game = engine.Game.start(engine.load_title("1844"), engine.Setup(("Ann", "Bob", "Cat"), seed="a"))
    while game.state.phase != "3":
        assert game.submit(sensible(game, game.asked()[0]))
    running = [company for company, now in game.state.companies.items() if now.trains]
    for company in running:
        best = game.best_run(company)
        assert best.proven
        assert game.check_run(company, best.routes).total == best.value
    assert any(game.best_run(company).value for company in running)


# ---- how it greets --------------------------------------------------------------------------------------------------


def at_the_start() -> engine.Game:
    return engine.Game.start(engine.load_title("1861"), engine.Setup(("Ann", "Bob", "Cat"), seed="a", priority="Ann"))


def test_what_is_shown_at_a_prompt_fits_a_line() -> None:
    game = a_minor_with_a_train()
    shown = [repr(one) for one in (game, game.title, game.state, game.state.board, game.title.map)]
    assert [text for text in shown if len(text) > 120] == []
    assert repr(game.title) == "<Title 1861, edition v2.0>"
    assert repr(at_the_start()) == "<Game 1861 v2.0: 3 players, 0 orders, SR 1, phase 2, asks Ann>"


def test_the_version_is_that_of_the_package(checkout: Path) -> None:
    project = tomllib.loads((checkout / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert engine.__version__ == project["version"]


def test_mistakes_with_a_setup_and_an_order_are_named() -> None:
    with pytest.raises(TypeError, match=r'a tuple of names in seating order, Setup\(\("Ann", "Bob"\)\), not \'Ann\''):
        engine.Setup("Ann", "Bob")  # type: ignore[arg-type]
    assert engine.Setup(["Ann", "Bob"]).players == ("Ann", "Bob")  # type: ignore[arg-type]
    game = at_the_start()
    for act in (game.submit, game.check):
        with pytest.raises(TypeError, match=r"a value of engine.orders, such as Pass.*, not 'open TSR 25'"):
            act("open TSR 25")  # type: ignore[arg-type]
    assert len(game.orders) == 0


def test_a_setup_says_what_a_title_does_not_have() -> None:
    title, players = engine.load_title("1861"), ("Ann", "Bob", "Cat")
    with pytest.raises(TypeError, match="the seed is a text, not 5"):
        engine.Setup(players, seed=5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="priority cannot be of 'Zed', who is not among Ann, Bob, Cat"):
        engine.Game.start(title, engine.Setup(players, priority="Zed"))
    with pytest.raises(ValueError, match="1861 has no private 'XYZ'; there are: TSR, "):
        engine.Game.start(title, engine.Setup(players, privates=("TSR", "XYZ")))
    with pytest.raises(ValueError, match="is for 3 to 6 players, not 2"):
        engine.Game.start(title, engine.Setup(players[:2]))
    with pytest.raises(TypeError, match=r"a title comes from engine.load_title"):
        engine.Game.start("1861", engine.Setup(players))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"a setup is an engine.Setup"):
        engine.Game.start(title, players)  # type: ignore[arg-type]
    with pytest.raises(engine.FaultyFacts, match="the text of a file, not its name"):
        engine.load_title("1861", facts="my-1861.json")


def test_the_parts_of_an_order_have_the_types_that_it_says() -> None:
    game, ids = at_the_start(), engine.ids
    wrong: tuple[tuple[Any, str], ...] = (
        (
            engine.orders.Open(ids.PlayerId("Ann"), ids.PrivateId("TSR"), "25"),  # type: ignore[arg-type]
            r"amount of Open must be int \| None",
        ),
        (engine.orders.Lay(ids.CompanyId("N"), 57, ids.HexId("H8"), 0), "tile of Lay must be str, not 57"),  # type: ignore[arg-type]
        (engine.orders.Token(ids.CompanyId("N"), "H8"), "space of Token must be Space, not 'H8'"),  # type: ignore[arg-type]
        (engine.orders.Run(ids.CompanyId("N"), ("2 H8",)), "routes of Run must be "),  # type: ignore[arg-type]
        (game.legal(ids.PlayerId("Ann"))[0], r"give one of them, such as choice\.sample\(\)"),
    )
    for order, said in wrong:
        with pytest.raises(TypeError, match=said):
            game.check(order)
        with pytest.raises(TypeError, match=said):
            game.submit(order)


def test_names_and_numbers_that_there_are_not_are_named() -> None:
    game = a_minor_with_a_train()
    ask: Any = game.asked()[0]
    with pytest.raises(TypeError, match=r"the actor of the question, ask.actor .'N'."):
        game.legal(ask)
    with pytest.raises(KeyError, match="1861 has no company 'ZZ'; there are: NW, "):
        game.best_run(engine.ids.CompanyId("ZZ"))
    with pytest.raises(KeyError, match="1861 has no company 'ZZ'"):
        game.check_run(engine.ids.CompanyId("ZZ"), ())
    with pytest.raises(TypeError, match=r"a route is an engine.orders.Route"):
        game.check_run(NIKOLAEV, ("2 E1-H8",))  # type: ignore[arg-type]
    for number in (0, len(game.orders) + 1):
        with pytest.raises(ValueError, match=f"there is no order {number}: the game has {len(game.orders)}"):
            game.events(number)


def test_what_a_picture_cannot_show_is_named() -> None:
    game = at_the_start()
    with pytest.raises(KeyError, match="the map of 1861 has no hex 'Z99'"):
        game.board_svg(hexes=["Z99"])
    with pytest.raises(TypeError, match=r"hexes are several: write \['H8'\] for one"):
        game.board_svg(hexes="H8")
    with pytest.raises(TypeError, match=r"give a position, such as game.at\(0\), not 0"):
        game.board_svg(since=0)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="runs are a company and its routes"):
        game.board_svg(runs="N")  # type: ignore[arg-type]
    with pytest.raises(KeyError, match="1861 has no company 'ZZ'"):
        game.board_svg(runs=("ZZ", ()))


def test_an_entry_of_a_menu_gives_its_first_order() -> None:
    game = at_the_start()
    opening, passing = game.legal(engine.ids.PlayerId("Ann"))
    assert isinstance(opening, engine.Range)
    assert opening.sample() == opening.sample(0) == opening.order
    assert passing.sample() == passing.order


def test_undo_counts_the_orders_that_stay() -> None:
    game = a_minor_with_a_train()
    game.undo(3)
    assert len(game.orders) == 3
    with pytest.raises(ValueError, match="no position after 4 orders: the game has 3"):
        game.undo(4)


def test_the_manual_page_has_the_names_that_a_program_needs() -> None:
    page = pydoc.plain(pydoc.render_doc(engine))
    for name in ("load_title", "Game.start", "submit", "Refused", "orders", "replay"):
        assert name in page
    assert "default_factory" not in page


# ---- text -----------------------------------------------------------------------------------------------------------


def test_orders_are_read_and_written() -> None:
    game = at_the_start()
    (order,) = library.read_orders(game, "open TSR 25")
    assert order == engine.orders.Open(engine.ids.PlayerId("Ann"), engine.ids.PrivateId("TSR"), 25)
    assert library.write_orders(game, [order]) == "Ann: open TSR 25"
    assert library.read_orders(game, "Ann: open TSR 25\nBob: pass") == (
        order, engine.orders.Pass(engine.ids.PlayerId("Bob")),
    )  # fmt: skip
    with pytest.raises(ValueError, match=r"(?s)Line 1, column 1: `opne` begins no order.*Did you mean `open`"):
        library.read_orders(game, "opne TSR 25")
    with pytest.raises(ValueError, match="Line 1: `check` is a word for the moderator, not an order"):
        library.read_orders(game, "check\nopen TSR 25")


def test_results_are_said_in_english() -> None:
    game = at_the_start()
    (dear,) = library.read_orders(game, "open TSR 900")
    refused = game.check(dear)
    said = library.describe(game, refused)
    assert isinstance(refused, engine.Refused)
    assert len(said.splitlines()) == len(refused.failures)
    assert "900" in said and "§" in said
    (order,) = library.read_orders(game, "open TSR 25")
    assert "TSR" in library.describe(game, game.submit(order))


def test_a_record_is_written_and_read() -> None:
    game = a_minor_with_a_train()
    text = library.write_record(game, {"Event": "Club night"})
    assert '[Event "Club night"]' in text
    again = library.read_record(text)
    assert (again.state, list(again.orders)) == (game.state, list(game.orders))
    with pytest.raises(library.RecordError, match=r"^here:1:1: no tag Title"):
        library.read_record("nothing", "here")
    with pytest.raises(TypeError, match=r"give the text of the file, path.read_text\(\)"):
        library.read_record(Path("game.txt"))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"orders are several: write \[order\] for one"):
        library.write_orders(game, game.orders[0])  # type: ignore[arg-type]


def test_games_are_exchanged_with_another_site() -> None:
    title = engine.load_title("1861", "2020")
    game = engine.Game.start(title, engine.Setup(("Ann", "Bob", "Cat"), seed="a", priority="Ann"))
    for order in library.read_orders(game, "Ann: open TSR 25\nBob: bid 30\nCat: drop\nAnn: drop"):
        assert game.submit(order)
    again = library.read_18xx(library.write_18xx(game))
    assert engine.told(title, again.state) == engine.told(title, game.state)
    with pytest.raises(library.NotExported, match=r"does not play 1861 by the rules of the edition v2.0"):
        library.write_18xx(at_the_start())
    with pytest.raises(ValueError, match=r"^their.json, line 1: is not JSON"):
        library.read_18xx("game", "their.json")
    with pytest.raises(ValueError, match=r"^their.json: has no title"):
        library.read_18xx("{}", "their.json")
