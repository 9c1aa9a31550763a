"""A game by mail whose player answers from the desk."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from engine import Game, Setup, load_title
from engine.core import orders as o
from engine.core.agenda import Ask
from engine.positions import write_position
from engine.robots import sensible
from moderator.desk.own_runs import best_ways, runner
from moderator.render.desk_link import desk_link
from tests.kit.browser.desk import OpenDesk
from tests.kit.service.mail_service import Service
from tests.kit.service.position_game import begin_at

MOST = 200
STRANGE = "Xanthippe"
"""A player whose name no program has in it."""


@dataclass
class Table:
    """A game by mail, at a moment."""

    service: Service
    name: str
    url: str

    @property
    def game(self) -> Game:
        return self.service.position(self.name)

    @property
    def ask(self) -> Ask:
        return self.game.asked()[0]

    def link(self, ask: Ask | None = None) -> str:
        """The link to the desk for the player who is asked: of several, by ``ask``."""
        player = (ask or self.ask).player
        letter = next(one for one in reversed(self.service.letters(player)) if one.reply_to)
        position = write_position(self.game, player)
        facts = {"reply_to": letter.reply_to, "subject": letter.subject, "game": self.name}
        return desk_link(self.url, position, at=str(len(self.game.orders)), **facts)

    def carries_out(self, desk: OpenDesk, ask: Ask | None = None) -> list[str]:
        """Send the mail that the page has made; the orders that were carried out on it. ``ask``: as in ``link``."""
        player, before = (ask or self.ask).player, len(self.service.log(self.name))
        to, subject, text = desk.mail()
        assert subject.startswith("Re: ")
        self.service.say(player, text, to=to)
        return self.service.log(self.name)[before:]


def earns(game: Game, actor: str) -> bool:
    company = runner(game, [actor])
    return company is not None and any(best_ways(game, company))


def table(root: Path, url: str, title: str = "1861") -> Table:
    """A game that begins."""
    service = Service.open(root)
    return Table(service, service.ready_game(title), url)


def table_at(root: Path, url: str, what: str, title: str = "1861", *, lay: bool = False, run: bool = False) -> Table:
    """A game in which ``what`` is asked. ``lay``: and track may be laid; ``run``: and a train earns something."""
    service = Service.open(root)
    return Table(service, begin_at(service, title, _moment(title, what, lay, run).state), url)


@cache
def _moment(title: str, what: str, lay: bool, run: bool) -> Game:
    """The first such moment of a game between plain players."""
    game = Game.start(load_title(title), Setup(("Ann", "Bob", "Cat"), "a seed", "Ann"))
    for _ in range(MOST):
        ask = game.asked()[0]
        laid = not lay or any(isinstance(choice.order, o.Lay) for choice in game.legal(ask.actor))
        if ask.what == what and laid and not (run and not earns(game, ask.actor)):
            return game
        game.submit(sensible(game, ask))
    raise AssertionError(f"{what} was never asked")


def company_turn(url: str, title: str, root: Path) -> Table:
    return table_at(root, url, "company.turn", title, lay=True)


def begun(title: str) -> Game:
    return Game.start(load_title(title), Setup((STRANGE, "Bob", "Cat"), "desk"))


def some_position(url: str) -> str:
    """A link to the desk with the first position of a game."""
    game = begun("1861")
    return desk_link(url, write_position(game, game.asked()[0].player))
