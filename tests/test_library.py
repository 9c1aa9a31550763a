"""The engine as a library: what a programmer does with nothing but its public names."""

from __future__ import annotations

import engine
from engine.robots import sensible

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
