"""The engine as a library: what a programmer does with nothing but its public names."""

from __future__ import annotations

import engine

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
