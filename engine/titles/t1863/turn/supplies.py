"""The supplies of trains: the current one, its export, and the number of 2T after the first operating round."""

from __future__ import annotations

from engine.core.events import Exported, SupplySet, TrainMoved
from engine.core.ids import BANK, TrainName
from engine.core.state import State
from engine.core.title import Play, Title
from engine.titles.t1863.ending.ends import LAST_TRAIN, signal_end
from engine.titles.t1863.names import TWO_T
from engine.titles.t1863.pieces import first_supply
from engine.titles.t1863.rulings import rulings_of


def cards(title: Title) -> tuple[TrainName, ...]:
    """The supplies in the order in which they are sold, each named after its first train."""
    return tuple(name for name, train in title.trains.items() if train.card is None)


def current(title: Title, state: State) -> TrainName | None:
    """The supply from which trains are sold now, or None when all are sold out."""  # rule 5.5
    return next((card for card in cards(title) if state.supply.get(card, 1)), None)


def faces(title: Title, card: TrainName) -> tuple[TrainName, ...]:
    """The trains as which a card of a supply may be bought."""  # rule 3.2, 5.33
    return tuple(name for name, train in title.trains.items() if card in (name, train.card))


def cut_first_supply(play: Play) -> None:
    """Limit the 2T, which were not limited in the first operating round, to the number for this number of players. By a
    ruling this number includes those already sold."""  # rule 5.5, 12.34, 5.31
    number = first_supply(play.title, len(play.state.players))
    if rulings_of(play.title).first_supply == "sold":
        sold = sum(company.trains.count(TWO_T) for company in play.state.companies.values())
        number = max(0, number - sold)
    play.emit(SupplySet(TWO_T, number))


def export(play: Play) -> None:
    """Send a train of the current supply to the LPTB. This counts as a purchase, but begins no phase."""
    # rule 4.8, 12.24, 4.44
    train = current(play.title, play.state)
    if train is not None:
        play.emit(TrainMoved(train, BANK, ""), Exported(train))
        signal_if_last(play)


def signal_if_last(play: Play) -> None:
    """Signal the end of the game when the last train has left the supplies."""  # rule 11.1
    if current(play.title, play.state) is None:
        signal_end(play, LAST_TRAIN)
