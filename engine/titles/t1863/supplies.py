"""The supplies of trains: the current one, its export, and the number of 2T that there are after the first operating
round."""

from __future__ import annotations

from engine.core.events import Exported, SupplySet, TrainMoved
from engine.core.ids import BANK, TrainName
from engine.core.state import State
from engine.core.title import Play, Title
from engine.titles.t1863.ends import LAST_TRAIN, signal_end
from engine.titles.t1863.names import TWO_T
from engine.titles.t1863.pieces import first_supply
from engine.titles.t1863.rulings import rulings_of


def cards(title: Title) -> tuple[TrainName, ...]:
    """The supplies in the order in which they are sold, each under the name of its first face."""
    return tuple(name for name, train in title.trains.items() if train.card is None)


def current(title: Title, state: State) -> TrainName | None:
    """The supply that trains are sold from now; None when all are gone."""  # rule 5.5
    return next((card for card in cards(title) if state.supply.get(card, 1)), None)


def faces(title: Title, card: TrainName) -> tuple[TrainName, ...]:
    """The trains that a card of a supply may be bought as."""  # rule 3.2, 5.33
    return tuple(name for name, train in title.trains.items() if card in (name, train.card))


def cut_first_supply(play: Play) -> None:
    """The 2T were not limited in the first operating round; from now on there are so many as the number of players
    says."""  # rule 5.5, 12.34, 5.31
    number = first_supply(play.title, len(play.state.players))
    if rulings_of(play.title).first_supply == "sold":
        sold = sum(company.trains.count(TWO_T) for company in play.state.companies.values())
        number = max(0, number - sold)
    play.emit(SupplySet(TWO_T, number))


def export(play: Play) -> None:
    """A train of the current supply goes to the LPTB. That counts as a purchase, but begins no phase."""
    # rule 4.8, 12.24, 4.44
    train = current(play.title, play.state)
    if train is not None:
        play.emit(TrainMoved(train, BANK, ""), Exported(train))
        signal_if_last(play)


def signal_if_last(play: Play) -> None:
    """The end is in sight when the last train has left the supply."""  # rule 11.1
    if current(play.title, play.state) is None:
        signal_end(play, LAST_TRAIN)
