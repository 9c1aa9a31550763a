"""Effects of the first train of a type, carried out during the buyer's turn: the new phase and its consequences."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.core.agenda import Ask, Exact, Menu
from engine.core.events import CertificatesSet, CompanyLeft, EndSignalled, Marked, PhaseBegan, TrainsRusted
from engine.core.ids import CompanyId, PhaseName, TrainName
from engine.core.orders import Nationalise, Order
from engine.core.state import Frame, State
from engine.core.title import Play, Title
from engine.families.f1867.kin import kin
from engine.families.f1867.mergers.nationalisation import nationalise, nationalise_private, trainless
from engine.families.f1867.names import LAST_TRAIN, MINOR, PUBLIC, QUESTIONS_DUE
from engine.families.f1867.policies import operating_order
from engine.families.f1867.rulings import rulings_of
from engine.holders.charters import charter_of
from engine.steps.discard import Discards


@dataclass(frozen=True, slots=True)
class NationalisationOffers(Frame):
    """Trainless public companies that have yet to be asked, in operating order."""

    companies: tuple[CompanyId, ...]


def train_bought(play: Play, company: CompanyId, train: TrainName) -> None:
    """Carry out the effects of the first train of its type: phase, rust, end signal, privates and minors. Then ask
    public companies for their decisions, and for discards after that."""
    # rule 5.8, 5.9
    if _begins_phase(play, train):
        _take_effect(play, train)
        _ask(play, train)


def train_exported(play: Play, train: TrainName) -> None:
    """Carry out the effects of the first train of its type. What is then asked is asked in the next round."""
    # rule 5.8, 5.9, 6.13
    if _begins_phase(play, train):
        _take_effect(play, train)
        play.emit(Marked(QUESTIONS_DUE, train))


def ask_what_is_due(play: Play) -> None:
    """Ask what an export at the end of the last operating round has left, if it has left anything."""
    # rule 14.21
    train = play.state.marks.get(QUESTIONS_DUE)
    if train is not None:
        play.emit(Marked(QUESTIONS_DUE, None))
        _ask(play, train)


def _begins_phase(play: Play, train: TrainName) -> bool:
    title = play.title
    return str(train) in {str(p.name) for p in title.phases} and not title.reached(play.state, train)


def _take_effect(play: Play, train: TrainName) -> None:
    """Carry out the effects that need no answer."""
    title = play.title
    play.emit(PhaseBegan(PhaseName(train)))
    rusting = title.trains[train].rusts
    if rusting is not None:
        play.emit(TrainsRusted(rusting))  # rule 5.3, 5.5, 5.7
    if train == LAST_TRAIN and not rulings_of(title).long_game:
        _signal_end(play)
    if train == "5":
        _close_unstarted_minors(play)
    if train == "6":
        for private in play.state.privates:
            nationalise_private(play, private)
    if train in ("4", "6"):
        for minor in trainless(title, play.state, MINOR):
            nationalise(play, minor, "trainless")
    elif train == "8":
        for minor in operating_order(title, play.state):  # rule 13.2
            if charter_of(title, play.state, minor).kind == MINOR:
                nationalise(play, minor, "phase")


def _ask(play: Play, train: TrainName) -> None:
    """Ask public companies without a train for their decisions, and for discards after that."""
    title = play.title
    play.push(Discards(operating_order(title, play.state), rulings_of(title).discards == "together"))  # rule 11.10
    if train in ("4", "6", "8"):
        play.push(NationalisationOffers(tuple(trainless(title, play.state, PUBLIC))))


def _close_unstarted_minors(play: Play) -> None:
    """Close the minors that have not started: they can no longer be put up for auction."""  # rule 4.3
    for company, now in play.state.companies.items():
        if charter_of(play.title, play.state, company).kind == MINOR and now.status == "unstarted":
            play.emit(CertificatesSet(company, ()), CompanyLeft(company, True, "too_late"))


def _signal_end(play: Play) -> None:
    """Signal the end of the game on the first 8-train: this set gets three operating rounds if its first is
    being played and the title says so, otherwise the next set does. By a ruling nothing changes if the bank has
    already broken."""
    # rule 15.1, 15.2, 15.6
    if rulings_of(play.title).bank_break == "final" and play.state.broke is not None:
        return
    now = play.state.round
    at_once = now.number == 1 and kin(play.title).last_rounds_at_once
    last = (now.set, 3) if at_once else (now.set + 1, 3)
    play.emit(Marked("last_round", last), EndSignalled("last_train", "this_set" if at_once else "next_set"))


class NationalisationOffersStep:
    """Asks the director of each trainless public company in turn to nationalise it or not."""  # rule 13.3

    def asked(self, title: Title, state: State, frame: NationalisationOffers) -> tuple[Ask, ...]:
        for company in frame.companies[:1]:
            director = title.policies.director(title, state, company)
            if director is not None:
                return (Ask(director, company, "nationalise", (company,), Nationalise(company, False)),)
        return ()

    def menu(self, title: Title, state: State, frame: NationalisationOffers, ask: Ask) -> Menu:
        company = frame.companies[0]
        return (Exact(Nationalise(company, True)), Exact(Nationalise(company, False)))

    def decide(self, play: Play, frame: NationalisationOffers, ask: Ask, order: Order) -> None:
        if not isinstance(order, Nationalise):
            play.refuse("order.wrong_kind", asked=ask.what)
            return
        play.become(replace(frame, companies=frame.companies[1:]))
        if order.yes:
            nationalise(play, frame.companies[0], "chosen")

    def advance(self, play: Play, frame: NationalisationOffers) -> None:
        if frame.companies:
            play.become(replace(frame, companies=frame.companies[1:]))
        else:
            play.pop()
