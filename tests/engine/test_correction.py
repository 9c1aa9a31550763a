"""Corrections of a position: sums stay, nobody has less than nothing, directors stay."""

from __future__ import annotations

import random

import pytest

from engine import Game, Setup, State, Title, load_title
from engine.core.ids import BANK, POOL, CompanyId, PlayerId
from engine.correction import Payment, Transfer, corrected
from engine.holders.control import owner_of
from engine.holders.ledger import holders, shares
from engine.robots import sensible

PLAYERS = ("Ann", "Bob", "Cat")


@pytest.fixture(scope="module")
def game() -> Game:
    """A game of robots in which companies have several shareholders."""
    game = Game.start(load_title("1861"), Setup(PLAYERS, "corrections"))
    while len(game.orders) < 330 and not game.finished:
        game.submit(sensible(game, game.asked()[0]))
    return game


def test_sums_stay_and_no_director_changes(game: Game) -> None:
    """Whatever is tried at random is refused, or keeps the sums of money and certificates and every director."""
    title, state, chance = game.title, game.state, random.Random(5)
    done = {Payment: 0, Transfer: 0}
    companies = list(state.companies)
    for _ in range(4_000):
        wanted = (
            Payment(chance.randrange(0, 200), *chance.sample((*state.players, *companies, BANK), 2))
            if chance.random() < 0.5
            else Transfer(chance.randrange(0, 3), chance.choice(companies), *chance.sample((*state.players, POOL), 2))
        )
        try:
            after = corrected(title, state, wanted)
        except ValueError:
            continue
        done[type(wanted)] += 1
        assert sum(after.cash.values()) == sum(state.cash.values())
        assert min(after.cash.values()) >= 0 and min(after.holdings.values()) >= 0
        for company in companies:
            total = [sum(n for (_, of, _), n in one.holdings.items() if of == company) for one in (state, after)]
            assert total[0] == total[1]
            director = owner_of(title, after, company)
            assert director == owner_of(title, state, company)
            if director is not None:
                most = max(shares(title, after, one, company) for one in holders(after, company))
                assert shares(title, after, director, company) >= most
        state = after
    assert min(done.values()) > 50


def again_and_again(title: Title, state: State, wanted: Transfer) -> None:
    for _ in range(10):
        state = corrected(title, state, wanted)


def test_a_director_stays(game: Game) -> None:
    title, state = game.title, game.state
    company, director = next(
        (name, owner)
        for name in state.companies
        if (owner := owner_of(title, state, name)) in state.players and len(holders(state, name)) > 1
    )
    other = next(one for one in holders(state, company) if one != director)
    given = Transfer(1, CompanyId(company), director, other)
    with pytest.raises(ValueError, match=f"would have more shares of {company} than its director"):
        again_and_again(title, state, given)


def test_nobody_pays_what_he_has_not(game: Game) -> None:
    ann = PlayerId("Ann")
    with pytest.raises(ValueError, match="and cannot pay"):
        corrected(game.title, game.state, Payment(game.state.money(ann) + 1, ann, PlayerId("Bob")))
