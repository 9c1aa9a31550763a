"""Whom a mail says it is from, and what our own server found out about that."""

from __future__ import annotations

from pathlib import Path

import pytest

from moderator.domain.senders import address_in, one_sender, same_address
from moderator.service.people.identity import identify
from moderator.settings import Settings
from moderator.settings_file import BadConfiguration, load

ANN = "ann@players.example"


# ---- exactly one address, or none


@pytest.mark.fault(36)
@pytest.mark.parametrize(
    "field",
    [
        "ann@players.example",
        "Ann <ann@players.example>",
        "<Ann@Players.Example>",
        '"Ann (x), y" <ann@players.example>',
        "ann@players.example (Ann)",
        "(a (nested) one) ann@players.example",
        "=?utf-8?q?=C3=84nn?= <ann@players.example>",
        "Ann\r\n <ann@players.example>",
        '"bob@else.example" <ann@players.example>',
        "\udcc4nn <ann@players.example>",
        "Ann O'Hara <ann@players.example> (work)",
    ],
)
def test_one_sender(field: str) -> None:
    assert one_sender([field]) == ANN


@pytest.mark.fault(4, 36)
@pytest.mark.parametrize(
    "field",
    [
        "",
        "Ann",
        "ann@players.example, bob@else.example",
        "Ann <ann@players.example>, <bob@else.example>",
        "Friends: ann@players.example;",
        "undisclosed-recipients:;",
        "<>",
        "<ann@players.example",
        "ann@players.example>",
        # CVE-2023-27043: what stands behind the address of another parser
        "ann@players.example)bob@else.example",
        "ann@players.example<bob@else.example>",
        "ann@players.example(<bob@else.example>",
        "ann@players.example <bob@else.example>",
        "<ann@players.example> <bob@else.example>",
        "<ann@players.example>bob@else.example",
        "<<ann@players.example>>",
        "<@relay.example:ann@players.example>",
        # encoded words are names
        "=?utf-8?q?ann=40players.example?=",
        "=?utf-8?q?=3Cann@players.example=3E?= <bob@else.example>",
        "=?utf-8?b?YW5uQHBsYXllcnMuZXhhbXBsZQ==?=",
        "=?utf-8?q?ann?=@players.example",
        # no plain address
        '"ann"@players.example',
        "ann @players.example",
        "ann@players.example\0",
        "ann@[192.0.2.1]",
        "ann@players",
        "ann@players..example",
        ".ann@players.example",
        "änn@players.example",
        "ann@pläyers.example",
        "Ann\n<ann@players.example>",
        "a\\nn@players.example",
        "x" * 70 + "@players.example",
        "(" * 1_500,
        '"' + "a" * 1_500,
        "Ann <ann@players.example>" + " " * 3_000,
    ],
)
def test_no_sender(field: str) -> None:
    assert one_sender([field]) == ""


@pytest.mark.fault(36)
def test_two_fields_are_none() -> None:
    assert one_sender([ANN, ANN]) == ""
    assert one_sender([]) == ""


@pytest.mark.fault(39)
def test_addresses_are_compared_as_people_mean_them() -> None:
    assert same_address("Ann@Players.Example", "ann@players.EXAMPLE")
    assert not same_address("ann+games@players.example", "ann@players.example")
    assert not same_address("a.nn@players.example", "ann@players.example")
    assert not same_address("", "")
    assert address_in(" Ann@Players.Example ") == ANN
    assert address_in("<ann@players.example>") == ""


# ---- what our server found out

OURS = Settings(authserv_id="mx.example.org", arc_sealers=("lists.example.net",))
PASSED = "Authentication-Results: mx.example.org; dmarc=pass header.from=players.example"
RECEIVED = "Received: from somewhere by mx.example.org; Sun, 1 Mar 2026 12:00:00 +0000"
FORGED = PASSED


def verdict(*head: str, sender: str = ANN, settings: Settings = OURS) -> str:
    content = "\r\n".join([*head, f"From: {sender}", "Subject: x", "", "pass", ""]).encode()
    return identify(content, settings).verdict


@pytest.mark.fault(34)
@pytest.mark.parametrize(
    ("results", "expected"),
    [
        ("dmarc=pass header.from=players.example", "pass"),
        ("dmarc=pass (p=reject dis=none) header.from=Players.Example;", "pass"),
        ("dkim=pass header.d=players.example header.s=a; spf=none smtp.mailfrom=x@y.example", "pass"),
        ("dkim=fail header.d=players.example; dkim=pass header.i=@players.example", "pass"),
        ("spf=pass (says 192.0.2.1) smtp.mailfrom=ann@players.example", "pass"),
        ("spf=pass smtp.mailfrom=players.example; dmarc=none header.from=players.example", "pass"),
        ("dkim=pass header.d=example", "none"),
        ("dkim=pass header.d=mail.players.example", "none"),
        ("dkim=pass header.d=else.example", "none"),
        ("dkim=pass header.d=layers.example", "none"),
        ("spf=pass smtp.mailfrom=ann@players.example.else.example", "none"),
        ("spf=pass smtp.helo=players.example", "none"),
        ("dmarc=pass header.from=else.example", "none"),
        ("dmarc=pass", "none"),
        ("auth=pass smtp.auth=bob@else.example; spf=none; dkim=none", "none"),
        ("none", "none"),
        ("dmarc=fail header.from=players.example", "fail"),
        ("dmarc=fail header.from=players.example; dkim=pass header.d=players.example", "fail"),
        ("dmarc=fail header.from=players.example; dmarc=pass header.from=players.example", "fail"),
        ("spf=softfail smtp.mailfrom=ann@players.example; dkim=none", "fail"),
        ("dkim=fail header.d=players.example", "fail"),
        ("arc=pass; dmarc=fail header.from=players.example", "fail"),
    ],
)
def test_what_is_proof(results: str, expected: str) -> None:
    assert verdict(f"Authentication-Results: mx.example.org; {results}", RECEIVED) == expected


@pytest.mark.fault(34)
def test_a_domain_below_the_signer_s_is_the_signer_s() -> None:
    head = "Authentication-Results: mx.example.org; dkim=pass header.d=players.example"
    assert verdict(head, sender="ann@post.players.example") == "pass"


@pytest.mark.fault(35)
def test_only_the_topmost_of_our_server_counts() -> None:
    failed = "Authentication-Results: mx.example.org; dmarc=fail header.from=players.example"
    assert verdict(failed, RECEIVED, FORGED) == "fail"
    assert verdict(failed, FORGED) == "fail"
    assert verdict("Authentication-Results: mx.example.org; none", FORGED) == "none"
    assert verdict("Authentication-Results: other.example; dmarc=fail header.from=players.example", PASSED) == "pass"


@pytest.mark.fault(35)
def test_below_the_received_header_of_our_server_nothing_counts() -> None:
    assert verdict(RECEIVED, FORGED) == "none"
    one_hop = OURS.model_copy(update={"authserv_hops": 1})
    assert verdict(RECEIVED, PASSED, RECEIVED, settings=one_hop) == "pass"
    assert verdict(RECEIVED, RECEIVED, FORGED, settings=one_hop) == "none"


@pytest.mark.fault(35)
@pytest.mark.parametrize(
    "forged",
    [
        "Authentication-Results: mx.example.org.evil.example; dmarc=pass header.from=players.example",
        "Authentication-Results: evil.example (mx.example.org); dmarc=pass header.from=players.example",
        "Authentication-Results: (mx.example.org) evil.example; dmarc=pass header.from=players.example",
        "Authentication-Results: evil.example; dmarc=pass header.from=players.example; mx.example.org",
        "Authentication-Results: mx.example.org dmarc=pass header.from=players.example",
        "Authentication-Results: dmarc=pass header.from=players.example",
        "Authentication-Results: mx.example.org; dmarc=pass (header.from=players.example)",
        'Authentication-Results: mx.example.org; spf=none smtp.mailfrom=";dmarc=pass header.from=players.example"@e.x',
        "Authentication-Results: mx.example.org; dmarc=pass header.from=players.example; \udcff",
        "Authentication-Results : mx.example.org; dmarc=pass header.from=players.example",
        "X-Authentication-Results: mx.example.org; dmarc=pass header.from=players.example",
        "Old-Authentication-Results: mx.example.org; dmarc=pass header.from=players.example",
        "ARC-Authentication-Results: i=1; mx.example.org; dmarc=pass header.from=players.example",
        "Received-SPF: pass (mx.example.org) envelope-from=ann@players.example",
        "Subject: =?utf-8?q?x=0d=0aAuthentication-Results=3A_mx.example.org=3B_dmarc=3Dpass?=",
        "DKIM-Signature: v=1; d=players.example",
    ],
)
def test_what_is_no_result_of_our_server(forged: str) -> None:
    content = f"{forged}\r\nFrom: {ANN}\r\n\r\npass\r\n".encode("utf-8", "surrogateescape")
    assert identify(content, OURS).verdict in ("none", "fail")


def test_without_a_server_s_name_nothing_is_believed() -> None:
    assert verdict(PASSED, settings=Settings()) == "none"


def test_whoever_has_no_one_address_has_no_proof() -> None:
    assert verdict(PASSED, sender=f"{ANN}, bob@players.example") == "fail"
    assert identify(f"{PASSED}\r\nFrom: {ANN}\r\nFrom: {ANN}\r\n\r\n".encode(), OURS).sender == ""


@pytest.mark.fault(41)
def test_arc_counts_with_our_server_s_word_and_a_sealer_that_is_known() -> None:
    broken = "dmarc=fail header.from=players.example; spf=pass smtp.mailfrom=x@lists.example.net"
    seal = "ARC-Seal: i=1; a=rsa-sha256; cv=none; d=lists.example.net; s=x; b=abc"
    said = "ARC-Authentication-Results: i=1; lists.example.net; dmarc=pass header.from=players.example"
    ours = f"Authentication-Results: mx.example.org; {broken}; arc=pass"
    assert verdict(ours, RECEIVED, seal, said) == "pass"
    assert verdict(f"Authentication-Results: mx.example.org; {broken}", RECEIVED, seal, said) == "fail"
    assert verdict(RECEIVED, seal, said) == "none"
    assert verdict(ours, RECEIVED, seal.replace("lists.", "evil."), said) == "fail"
    assert verdict(ours, RECEIVED, seal, seal, said) == "fail"
    assert verdict(ours, RECEIVED, seal, said.replace("pass", "fail")) == "fail"
    assert verdict(ours.replace("x@lists.example.net", "x@evil.example"), RECEIVED, seal, said) == "fail"
    assert verdict(ours, RECEIVED, seal, said, settings=Settings(authserv_id="mx.example.org")) == "fail"


def test_proof_is_asked_for_only_where_there_can_be_any(tmp_path: Path) -> None:
    file = tmp_path / "railpost.toml"
    file.write_text('identity = "token+authenticated"\n')
    with pytest.raises(BadConfiguration, match="needs the name of the server"):
        load(file)
    file.write_text('identity = "token+authenticated"\nauthserv_id = "mx.example.org"\n')
    assert load(file).authserv_id == "mx.example.org"
