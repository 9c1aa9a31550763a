"""One action of a record of 18xx.games, what is the same in every title: the method that converts its type, and what is
said of an action that cannot be converted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from engine.core.agenda import Ask
from engine.core.ids import BANK, POOL, CompanyId, TrainName
from engine.core.orders import Pay, Route, Run, Train
from engine.site18xx.runs import OtherEarnings
from engine.site18xx.walk import Action, SiteError, Walk

Handler = Callable[[Action], None]


def handler_of(walk: Walk, converter: object, action: Action) -> Handler:
    """The method ``on_TYPE`` of the converter. ``SiteError`` for a type that the title does not have."""
    handler: Handler | None = getattr(converter, f"on_{action['type']}", None)
    if handler is None:
        raise walk.problem(f"{action['type']!r} is no action of this game")
    return handler


def handle(walk: Walk, handler: Handler, action: Action) -> None:
    """Convert the action. ``SiteError`` names what it lacks, or what is not as the site writes it."""
    try:
        handler(action)
    except SiteError:
        raise
    except KeyError as missing:
        raise walk.problem(f"has no {missing.args[0]}, or nothing of that name is known") from missing
    except (TypeError, AttributeError, IndexError, ValueError) as wrong:
        raise walk.problem(f"is not as the site writes it: {wrong}") from wrong


def answers_only(questions: Mapping[str, str]) -> Callable[[Action, Ask], bool]:
    """A test of whether an action can answer a question. ``questions``: type of an action -> the question that it and
    nothing else answers."""

    def answers(action: Action, ask: Ask) -> bool:
        question = questions.get(action["type"])
        return ask.what == question if question else ask.what not in questions.values()

    return answers


def check_known(rules: Sequence[str], known: Mapping[str, object]) -> None:
    """``ValueError`` for an optional rule of the site that is not known."""
    unknown = [rule for rule in rules if rule not in known]
    if unknown:
        raise ValueError(f"optional rule {unknown[0]!r} is not known; known are: {', '.join(known)}")


def play_run(walk: Walk, company: CompanyId, read: Callable[[], tuple[Route, ...]]) -> None:
    """Play the runs that ``read`` finds in the action. ``SiteError`` where they earn something else than it says."""
    try:
        routes = read()
    except OtherEarnings as other:
        raise walk.problem(str(other)) from other
    walk.play(Run(company, routes))


def play_dividend(walk: Walk, action: Action, payments: Mapping[str, str]) -> None:
    """Play a dividend. ``payments``: the site's word -> ours."""
    kind = action["kind"]
    if kind not in payments:
        raise walk.problem(f"{kind!r} is no way to pay; known are: {', '.join(payments)}")
    walk.play(Pay(walk.company(action["entity"]), payments[kind]))  # type: ignore[arg-type]


def play_train(
    walk: Walk,
    company: CompanyId,
    train: TrainName,
    owner: str,
    price: int,
    trade: TrainName | None = None,
    worth: int = 0,
) -> None:
    """Play a purchase of a train of ``owner``, to which everybody who is asked agrees. A price is named where it is not
    the printed one. ``trade``: the train that the company gives in part payment; ``worth``: what it gets for that."""
    if train not in walk.game.title.trains:
        raise walk.problem(f"there is no {train}-train")
    face = owner in (BANK, POOL) and price == walk.game.title.trains[train].cost - worth
    walk.play(Train(company, train, None if owner == BANK else owner, None if face else price, trade=trade))
    walk.answer_consents()


def start_price(action: Action) -> int:
    """The price of a company that is started. The site adds its cell of the chart."""
    return int(str(action["share_price"]).split(",")[0])
