"""The HTTP entry point: a page to stop mail, health, and figures for Prometheus."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Final, TypeVar

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from sqlalchemy.exc import SQLAlchemyError

import engine
from moderator import render
from moderator.adapters.database import rows_of
from moderator.adapters.http import Answer, HttpServer, Site
from moderator.service.desk import Desk
from moderator.service.listing.counts import count
from moderator.service.listing.turns import oldest_question
from moderator.service.operation.health import Finding, findings, red
from moderator.service.operation.retention import sizes
from moderator.service.post.list_headers import seat_for
from moderator.service.robots.unsubscribe import unsubscribe

Worked = TypeVar("Worked")
_FRESH: Final = 5.0
"""Seconds for which health and figures are kept, however often they are asked for."""


def http_server(desk: Desk) -> HttpServer | None:
    """The HTTP server of the settings; None if they configure none."""
    return HttpServer(desk.settings.http_listen, site_of(desk)) if desk.settings.http_listen else None


def site_of(desk: Desk) -> Site:
    """The functions that answer HTTP requests to the service."""

    def ask(token: str) -> Answer:
        """Make a page with a button, because programs that follow links press none."""
        with desk.looking() as sitting:
            seat, digest = seat_for(sitting, token), seat_for(sitting, token, "digest")
        if seat is None:
            return _page(404, "unknown") if digest is None else _page(200, "ask_digest")
        return _page(200, "ask" if seat.stopped_at is None else "already", game=seat.game, player=seat.player)

    def stop(token: str) -> Answer:
        done = unsubscribe(desk, token)
        return _page(404 if done == "unknown" else 200, done)

    look = _cached(lambda: findings(desk, engine.__version__))
    registry = CollectorRegistry()
    registry.register(_Figures(desk, look))
    return Site(ask, stop, lambda: _health(look()), _cached(lambda: _metrics(registry)))


def _page(status: int, key: str, **facts: object) -> Answer:
    return Answer(status, "text/html", render.unsubscribe_page(key, facts))


def _cached(make: Callable[[], Worked]) -> Callable[[], Worked]:
    """A function that calls ``make`` in one thread at a time and keeps the result for ``_FRESH`` seconds."""
    kept: list[tuple[float, Worked]] = []
    making = threading.Lock()

    def get() -> Worked:
        with making:
            now = time.monotonic()
            if not kept or now - kept[0][0] > _FRESH:
                kept[:] = [(now, make())]
            return kept[0][1]

    return get


def _health(found: list[Finding]) -> Answer:
    """The health as the running service sees it. Nothing is probed for it, and it names no game and no person."""
    bad = red(found)
    state = "red" if bad else "look" if any(one.state == "look" for one in found) else "green"
    lines = {one.key: one.state for one in found}
    return Answer(503 if bad else 200, "application/json", json.dumps({"state": state, "findings": lines}) + "\n")


def _metrics(registry: CollectorRegistry) -> Answer:
    return Answer(200, "text/plain; version=0.0.4", generate_latest(registry).decode())


class _Figures(Collector):
    """Figures for Prometheus. They are read from the database when they are asked for, so that several services report
    the same."""

    def __init__(self, desk: Desk, look: Callable[[], list[Finding]]) -> None:
        self._desk, self._look = desk, look

    def describe(self) -> Iterable[Metric]:
        return ()

    def collect(self) -> Iterable[Metric]:
        health = GaugeMetricFamily("railpost_health", "0 green, 1 to look at, 2 red.", labels=["finding"])
        for one in self._look():
            health.add_metric([one.key], {"green": 0, "look": 1, "red": 2}[one.state])
        yield health
        try:
            yield from self._counted()
        except SQLAlchemyError:  # health reports it
            return

    def _counted(self) -> Iterable[Metric]:
        now = self._desk.clock.now()
        with self._desk.database.reading() as session:
            counts, room, asked = count(session), sizes(session), oldest_question(rows_of(session))
        yield _gauge("railpost_database_bytes", "Size of the database.", room["total"])
        yield _gauge("railpost_database_free_bytes", "Free space in the database (SQLite).", room["free"])
        yield _gauge("railpost_mail_bytes", "Size of the texts of incoming mails that are kept.", room["mail"])
        yield _gauge("railpost_outbox_bytes", "Size of the texts of outgoing mails that are kept.", room["outbox"])
        rows = GaugeMetricFamily("railpost_rows", "Rows of the largest tables.", labels=["table"])
        for name, number in room["rows"].items():
            rows.add_metric([name], number)
        yield rows
        mails = CounterMetricFamily("railpost_mails", "Mails that came in, by outcome.", labels=["outcome"])
        for outcome, number in counts.mails.items():
            if outcome is not None:
                mails.add_metric([outcome], number)
        yield mails
        yield _gauge("railpost_mails_waiting", "Mails to decide.", counts.mails.get(None, 0))
        yield _gauge("railpost_mails_oldest_seconds", "Age of the oldest of them.", _age(now, counts.undecided_since))
        outbox = GaugeMetricFamily("railpost_outbox", "Outgoing mails, by state.", labels=["state"])
        for state, number in counts.outbox.items():
            outbox.add_metric([state], number)
        yield outbox
        yield _gauge(
            "railpost_outbox_oldest_seconds", "Age of the oldest that is not sent.", _age(now, counts.unsent_since)
        )
        yield _gauge(
            "railpost_question_oldest_seconds", "Age of the oldest question that a game waits for.", _age(now, asked)
        )
        table = GaugeMetricFamily("railpost_games", "Games, by state.", labels=["state"])
        for state, number in counts.games.items():
            table.add_metric([state], number)
        yield table


def _gauge(name: str, what: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, what, value=value)


def _age(now: datetime, moment: datetime | None) -> float:
    return 0.0 if moment is None else max(0.0, (now - moment).total_seconds())
