"""What nobody may see before the end is shown nowhere: two games that differ in their seed alone are told alike."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

import pytest

import engine
from engine import Game, Setup
from engine.core.ids import PlayerId, PrivateId
from engine.core.orders import Lay, SealedBids
from engine.core.secret import HIDDEN, SealedOrder, Secret
from engine.core.state import Frame
from engine.robots import random_order, sensible
from moderator.render import mails, shows
from moderator.words import item_shows
from tests.kit.games.render_games import PLAYERS, info
from tests.kit.samples import sampled

SEED = "nobody may see this"


def played(name: str, orders: int) -> Game:
    title = engine.load_title(name, engine.editions(name)[0])
    game, chance = Game.start(title, Setup(PLAYERS, seed=SEED)), random.Random(orders)
    while len(game.orders) < orders and not game.finished:
        game.submit(random_order(game, game.asked()[0], chance))
    return game


def reseeded(game: Game) -> Game:
    """The same position with another seed: whatever depends on lots to come is different in it."""
    other = game.fork()
    other.state = replace(game.state, seed=Secret("another"))
    other.setup = replace(game.setup, seed="another")
    return other


def everything(game: Game, seat: PlayerId) -> list[str]:
    """Every mail and page that tells a seat of the game."""
    facts, since = info(game, seat), max(0, len(game.orders) - 3)
    found = [
        mails.turn_mail(game, facts, seat, since), mails.news_mail(game, facts, seat, since),
        mails.welcome_mail(game, facts, seat), mails.help_mail(game, facts, seat),
    ]  # fmt: skip
    pages = [shows.text_position(game, seat)]
    pages += [show(game) for show in (shows.text_map, shows.text_trains, shows.text_tiles, shows.text_board)]
    pages += [shows.text_phase(game)]
    pages += [shows.text_lays(game, ask.actor) for ask in game.asked() if ask.what == "company.turn"]
    pages += [item_shows.text_company(game, company) for company in game.title.companies]
    return [part for mail in found for part in (mail.subject, mail.text, mail.html or "")] + pages


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("orders", sampled([0, 1, 40, 150, 260, 400], [40]))
@pytest.mark.parametrize("name", engine.title_names())
def test_nothing_that_is_shown_depends_on_the_seed(name: str, orders: int) -> None:
    game = played(name, orders)
    for player in game.state.players:
        told = everything(game, player)
        assert told == everything(reseeded(game), player)
        assert not any(SEED in part for part in told)


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("name", engine.title_names())
def test_what_tells_a_seat_cannot_reach_past_its_view(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rendering and robots work where the seed cannot be read at all, and their game knows no other."""
    game = played(name, 60)
    for player in game.state.players:
        seen = game.seen_by(player)
        assert not seen.setup.seed and not seen.state.seed and seen.told_digest() == game.told_digest()
        assert all(not seen.at(number).seed for number in range(0, len(game.orders) + 1, 7))
        assert all(not before.seed for _, before, _ in seen.happened(0))
        assert [seen.events(number) for number in range(1, 61, 7)] == [
            game.events(number) for number in range(1, 61, 7)
        ]
    again = played(name, 60)  # for nothing is read a second time of a position that is remembered
    told = [everything(game, player) for player in game.state.players]
    answers = [sensible(game, ask) for ask in game.asked()]

    def reached(secret: Secret) -> str:
        assert not secret, "a secret was read"
        return ""

    monkeypatch.setattr(Secret, "reveal", reached)
    assert [everything(again, player) for player in again.state.players] == told
    assert [sensible(again, ask) for ask in again.asked()] == answers


def test_a_seat_finds_what_is_known_of_its_view_again() -> None:
    game = Game.start(engine.load_title("1861"), Setup(PLAYERS, seed=SEED))
    while not any(isinstance(choice.order, Lay) for choice in game.legal(game.asked()[0].actor)):
        game.submit(sensible(game, game.asked()[0]))
    ask = game.asked()[0]
    seen, other = game.seen_by(ask.player), next(player for player in PLAYERS if player != ask.player)
    assert seen.seen_by(ask.player).state == seen.state == game.seen_by(ask.player).state
    assert seen.seen_by(ask.player).at(3) == game.seen_by(ask.player).at(3) == seen.seen_by(PlayerId(other)).at(3)
    game.state.board.remember("known", True)
    trial = seen.seen_by(ask.player)
    trial.submit(next(c.sample(0) for c in trial.legal(ask.actor) if isinstance(c.order, Lay)))
    assert len(trial.orders) == len(seen.orders) + 1 == len(game.orders) + 1
    assert game.state.board.cache["known"], "trying a lay has dropped what is known of the game's own board"
    game.submit(trial.orders[-1])
    assert not trial.at(len(seen.orders)).board.cache, "a board of the past is remembered"


@dataclass(frozen=True, slots=True)
class Sealing(Frame):
    """A round in which orders are sealed."""

    given: tuple[SealedOrder, ...] = ()


def test_a_sealed_order_is_seen_by_its_giver_only() -> None:
    game = played("1861", 0)
    ann, bob = game.state.players[:2]
    mine = SealedBids(ann, ((PrivateId("MYSTERY"), 424_242),))
    sealed = SealedOrder(ann, SealedBids(ann, ()), mine)
    game.state = replace(game.state, agenda=(*game.state.agenda, Sealing((sealed,))))
    game.orders.append(mine)
    game._asked = (game.state, ())
    assert "424242" not in f"{sealed!r} {sealed} {game.state.agenda}"
    of_ann, of_bob = game.seen_by(ann), game.seen_by(bob)
    assert of_ann.state.top == game.state.top and of_ann.orders[-1] == mine
    assert of_bob.state.top == Sealing((sealed.taken_out(),)) and of_bob.orders[-1] == SealedBids(ann, ())
    with pytest.raises(ValueError, match="the sealed order of Ann is not known here"):
        sealed.taken_out().opened()


def test_a_secret_is_shown_by_nothing_but_its_own_word() -> None:
    secret = Secret(SEED)
    assert SEED not in f"{secret!r} {secret} {[secret]}" and secret.reveal() == SEED
    assert secret == Secret(SEED) != Secret("another") and bool(secret) and not HIDDEN


@pytest.mark.parametrize("name", engine.title_names())
def test_a_view_has_no_secret_until_the_game_is_over(name: str) -> None:
    game = played(name, 30)
    view = game.view(game.state.players[0])
    assert view == replace(game.state, seed=HIDDEN) and SEED not in repr(game) + repr(view)
    game.state = replace(game.state, finished=True)
    assert game.view(game.state.players[0]).seed.reveal() == SEED
