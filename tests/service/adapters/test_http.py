"""The HTTP entry point: one click stops mail, nothing follows from a GET, and nobody can keep it busy."""

from __future__ import annotations

import http.client
import json
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from select import select

import pytest

from moderator.adapters import http as adapter
from moderator.adapters.http import HttpServer
from moderator.adapters.tables import GameRow
from moderator.entrypoints.processes.web import http_server, site_of
from moderator.entrypoints.processes.worker import Worker
from moderator.service.service_facts import remember
from tests.kit.patience import PATIENCE
from tests.kit.service.mail_service import Service
from tests.kit.service.shop import Shop

EACH = pytest.mark.usefixtures("each_database")
"""What is read from the database, or written."""


@dataclass
class Got:
    status: int
    body: str
    headers: dict[str, str]


class Web:
    """A service with its entry point, and Ann's unsubscribe address in it."""

    def __init__(self, root: Path) -> None:
        settings = {"http_listen": "127.0.0.1:0", "public_url": "https://play.example.org"}
        shop = Shop(root)
        self.service = shop.service
        object.__setattr__(self.service.desk, "settings", self.service.desk.settings.model_copy(update=settings))
        self.round: Worker = shop.round
        self.game = self.service.ready_game()
        self.round.sweep()
        self.server: HttpServer = http_server(self.service.desk)  # type: ignore[assignment]
        self.server.start()

    def path(self, player: str) -> str:
        header = str(self.service.letters(player)[-1].message["List-Unsubscribe"])
        found = re.search(r"<https://play\.example\.org(/unsubscribe/[^>]+)>", header)
        assert found is not None, header
        return found[1]

    def ask(self, method: str, path: str, body: bytes | None = None) -> Got:
        link = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=PATIENCE)
        try:
            link.request(method, path, body)
            answer = link.getresponse()
            return Got(answer.status, answer.read().decode(), dict(answer.getheaders()))
        finally:
            link.close()

    def stopped(self, player: str) -> bool:
        return self.service.seat(self.game, player).stopped_at is not None


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Web]:
    running = Web(tmp_path)
    yield running
    running.server.stop()


@EACH
@pytest.mark.fault(42, 74)
def test_one_click_stops_mail_and_says_so_in_a_last_one(web: Web) -> None:
    letter = web.service.letters("Ann")[-1].message
    assert str(letter["List-Unsubscribe-Post"]) == "List-Unsubscribe=One-Click"
    got = web.ask("POST", web.path("Ann"), b"List-Unsubscribe=One-Click")
    assert got.status == 200
    assert web.stopped("Ann")
    assert not web.stopped("Bob")
    web.round.mail()
    assert web.service.letters("Ann")[-1].kind == "stopped"
    again = web.ask("POST", web.path("Ann"), b"List-Unsubscribe=One-Click")
    assert again.status == 200
    assert "already" in again.body


@pytest.mark.fault(42)
@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH"])
def test_nothing_follows_from_any_other_method(web: Web, method: str) -> None:
    before = (web.service.outcomes(), web.service.at(web.game), len(web.service.letters("Ann")))
    for path in (web.path("Ann"), web.path("Ann") + "?List-Unsubscribe=One-Click", "/health", "/metrics", "/"):
        web.ask(method, path)
    web.round.mail()
    assert not web.stopped("Ann")
    assert (web.service.outcomes(), web.service.at(web.game), len(web.service.letters("Ann"))) == before


@pytest.mark.fault(42)
def test_the_page_asks_and_its_button_posts(web: Web) -> None:
    got = web.ask("GET", web.path("Ann"))
    assert got.status == 200
    assert '<form method="post">' in got.body
    assert got.headers["Cache-Control"] == "no-store"
    assert got.headers["Referrer-Policy"] == "no-referrer"


@pytest.mark.parametrize(
    "path", ["/unsubscribe/1.aaaaaaaaaaaaaaaaaaaaaaaaaa", "/unsubscribe/", "/unsubscribe/%00", "/../x", "/" + "a" * 900]
)
def test_addresses_that_nobody_was_given(web: Web, path: str) -> None:
    assert web.ask("GET", path).status == 404
    assert web.ask("POST", path, b"List-Unsubscribe=One-Click").status == 404
    assert not any(web.stopped(player) for player in ("Ann", "Bob", "Cat"))


def test_the_secret_address_that_plays_does_not_unsubscribe(web: Web) -> None:
    token = web.service.address("Ann").rpartition(".example.org")[0].split(".")[-1].partition("@")[0]
    assert web.ask("POST", f"/unsubscribe/{token}", b"").status == 404


@pytest.mark.fault(44)
def test_names_are_escaped(tmp_path: Path) -> None:
    from moderator import render

    page = render.unsubscribe_page("ask", {"player": "<script>alert(1)</script>", "game": "1861-1"})
    assert "<script>" not in page
    assert "&lt;script&gt;" in page


@EACH
def test_health_says_what_the_service_knows_and_no_more(web: Web) -> None:
    got = web.ask("GET", "/health")
    assert (got.status, json.loads(got.body)["state"]) == (200, "green")
    with web.service.desk.sitting() as sitting:
        remember(sitting, "breaker seats", {"count": 7, "until": "2999-01-01T00:00:00+00:00"})
    site = site_of(web.service.desk)
    answer = site.health()
    assert answer.status == 503
    assert json.loads(answer.body)["findings"]["breaker"] == "red"
    for secret in ("Ann", "players.example", web.game):
        assert secret not in answer.body


@EACH
def test_figures(web: Web) -> None:
    web.service.say("Ann", "open TSR 25")
    text = web.ask("GET", "/metrics").body
    assert 'railpost_mails_total{outcome="applied"} 1.0' in text
    assert 'railpost_outbox{state="sent"}' in text
    assert 'railpost_games{state="running"} 1.0' in text
    assert 'railpost_health{finding="breaker"} 0.0' in text
    assert "players.example" not in text


@EACH
def test_the_age_of_the_oldest_question_is_a_figure(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("moderator.entrypoints.processes.web._FRESH", 0.0)
    clock = web.service.clock

    def age() -> float:
        found = re.search(r"^railpost_question_oldest_seconds (\S+)$", web.ask("GET", "/metrics").body, re.M)
        assert found is not None
        return float(found[1])

    asked = age()
    clock.moment += timedelta(hours=5)
    assert age() == asked + 5 * 3_600
    web.service.say("Ann", "open TSR 25")  # another question now
    assert age() == 0
    clock.moment += timedelta(minutes=2)
    assert age() == 120
    with web.service.desk.sitting() as sitting:
        sitting.session.get_one(GameRow, web.game).status = "paused"
    assert age() == 0, "a game that pauses waits for nobody"


@EACH
def test_with_the_database_away_it_is_said(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(*_: object) -> None:
        raise RuntimeError("no database, and a secret in the words")

    monkeypatch.setattr(web.service.desk.database, "transaction", gone)
    got = web.ask("POST", web.path("Ann"), b"")
    assert got.status == 503
    assert "secret" not in got.body


# ---- bounds


def raw(web: Web, content: bytes, seconds: float = PATIENCE) -> bytes:
    """What is answered to these bytes."""
    answer = b""
    with socket.create_connection(("127.0.0.1", web.server.port), timeout=seconds) as link:
        try:
            link.sendall(content)
            while part := link.recv(65_536):
                answer += part
        except OSError:
            return answer
    return answer


@pytest.mark.parametrize(
    "content",
    [
        b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 50_000 + b"\r\n",
        b"GET / HTTP/1.1\r\nX: " + b"y" * 1_000_000 + b"\r\n\r\n",
        b"POST /unsubscribe/x HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n",
        b"POST /unsubscribe/x HTTP/1.1\r\nContent-Length: -5\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"\r\n\r\n",
    ],
)
def test_too_much_and_nonsense_are_refused_and_the_next_is_served(web: Web, content: bytes) -> None:
    answer = raw(web, content, 5)
    assert not re.match(rb"HTTP/1\.\d 2", answer)
    assert web.ask("GET", "/health").status == 200


def test_who_is_slow_is_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapter, "_READ_SECONDS", 0.5)
    web = Web(tmp_path)
    until = time.monotonic() + PATIENCE
    with socket.create_connection(("127.0.0.1", web.server.port), timeout=PATIENCE) as link:
        link.settimeout(0.1)
        try:
            while time.monotonic() < until:  # a byte now and then, for ever
                link.sendall(b"G")
                with suppress(TimeoutError):
                    if not link.recv(100):
                        break
            else:
                pytest.fail("nobody cut it off")
        except OSError:
            pass
    web.server.stop()


def drip(web: Web, contents: list[bytes], served: Callable[[], None]) -> int:
    """Clients that send a byte each in turn, for ever, while ``served`` is done; how many of them are still there."""
    with ExitStack() as stack:
        links = [
            stack.enter_context(socket.create_connection(("127.0.0.1", web.server.port), timeout=PATIENCE))
            for _ in contents
        ]
        for at in range(40):
            for link, content in zip(links, contents, strict=True):
                with suppress(OSError):  # it was cut off
                    link.sendall(content[at : at + 1] or b"x")
            if at % 10 == 5:
                served()
        return sum(not select([link], [], [], 0)[0] for link in links)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"GET /health HTTP/1.1\r\nX: ",
        b"POST /unsubscribe/x HTTP/1.1\r\nContent-Length: 9000\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    ],
    ids=["silent", "header", "body", "TLS"],
)
def test_clients_that_send_a_byte_at_a_time_stop_nobody_else(web: Web, content: bytes) -> None:
    def served() -> None:
        assert web.ask("GET", "/health").status == 200
        assert web.ask("POST", web.path("Ann"), b"List-Unsubscribe=One-Click").status == 200

    drip(web, [content] * 60, served)
    assert web.stopped("Ann")


def test_when_too_many_are_slow_the_oldest_goes(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapter, "_MOST_OPEN", 20)

    def served() -> None:
        assert web.ask("GET", "/health").status == 200

    left = drip(web, [b"GET /health HTTP/1.1\r\nX: "] * 100, served)
    assert left < 20


def test_clients_that_do_not_take_their_answer_stop_nobody_else(web: Web) -> None:
    with ExitStack() as stack:
        for _ in range(60):
            link = stack.enter_context(socket.create_connection(("127.0.0.1", web.server.port), timeout=PATIENCE))
            link.sendall(b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
        assert web.ask("GET", "/health").status == 200


def test_with_all_hands_busy_it_is_said_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapter, "_MOST_WAITING", 8)
    monkeypatch.setattr(adapter, "_ANSWER_SECONDS", PATIENCE)
    go_on, begun = threading.Event(), threading.Semaphore(0)

    def slow() -> adapter.Answer:
        begun.release()
        assert go_on.wait(PATIENCE)
        return adapter.Answer(200, "text/plain", "ok\n")

    server = HttpServer("127.0.0.1:0", adapter.Site(lambda _: slow(), lambda _: slow(), slow, slow))
    server.start()
    try:
        with ExitStack() as stack:
            links = []
            for _ in range(adapter._MOST_WAITING):
                link = stack.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE))
                link.sendall(b"GET /health HTTP/1.1\r\n\r\n")
                links.append(link)
            for _ in range(adapter._WORKERS):
                assert begun.acquire(timeout=PATIENCE)
            until = time.monotonic() + PATIENCE
            while server._places.acquire(blocking=False):  # the rest has yet to come in
                server._places.release()
                assert time.monotonic() < until
                select([], [], [], 0.01)
            with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as link:
                link.sendall(b"GET /health HTTP/1.1\r\n\r\n")
                assert link.recv(100).startswith(b"HTTP/1.1 503 ")
            go_on.set()
            assert all(link.recv(100).startswith(b"HTTP/1.1 200 ") for link in links)
    finally:
        go_on.set()
        server.stop()


@pytest.mark.parametrize(
    ("content", "status"),
    [
        (b"GET /health HTTP/1.1\r\n\r\n", 200),
        (b"GET http://play.example.org/health HTTP/1.0\r\nHost: play.example.org\r\n\r\n", 200),
        (b"GET /health?a=b HTTP/1.1\r\nX-Empty:\r\n\r\n", 200),
        (b"BREW /health HTTP/1.1\r\n\r\n", 405),
        (b"OPTIONS * HTTP/1.1\r\n\r\n", 405),
        (b"POST /health HTTP/1.1\r\nContent-Length: 0\r\n\r\n", 404),
        (b"GET /health\r\n\r\n", 400),
        (b"GET /health HTTP/2.0\r\n\r\n", 400),
        (b"GET /health HTTP/1.1\r\n continued: yes\r\n\r\n", 400),
        (b"GET /health HTTP/1.1\r\nContent-Length : 0\r\n\r\n", 400),
        (b"GET /" + b"a" * 3_000 + b" HTTP/1.1\r\n\r\n", 400),
        (b"POST /unsubscribe/x HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx", 400),
        (b"POST /unsubscribe/x HTTP/1.1\r\nContent-Length: " + b"9" * 5_000 + b"\r\n\r\n", 413),
        (b"POST /unsubscribe/x HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 411),
        (b"GET /health HTTP/1.1\r\nX: " + b"y" * 40_000 + b"\r\n\r\n", 431),
    ],
)
def test_requests_are_read_strictly(web: Web, content: bytes, status: int) -> None:
    assert raw(web, content).startswith(b"HTTP/1.1 %d " % status)


def test_a_header_that_does_not_end_is_cut_off(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapter, "_READ_SECONDS", 0.2)
    assert raw(web, b"POST /unsubscribe/x HTTP/1.1\r\nContent-Length: 100\r\n\r\nabc") == b""
    assert raw(web, b"GET /health HTTP/1.1\r\n") == b""


def test_it_ends_with_clients_on_the_line(tmp_path: Path) -> None:
    web = Web(tmp_path)
    with socket.create_connection(("127.0.0.1", web.server.port), timeout=PATIENCE) as link:
        assert web.ask("GET", "/health").status == 200
        web.server.stop()
        assert not web.server._thread.is_alive()
        with suppress(ConnectionResetError):
            assert link.recv(1) == b""
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", web.server.port), timeout=PATIENCE)


def test_an_address_that_is_taken_is_said(web: Web) -> None:
    with pytest.raises(OSError, match="in use"):
        HttpServer(f"127.0.0.1:{web.server.port}", site_of(web.service.desk))


def test_without_the_setting_nothing_listens(tmp_path: Path) -> None:
    service = Service.open(tmp_path)
    assert http_server(service.desk) is None
