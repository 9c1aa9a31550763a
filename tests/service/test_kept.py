"""Small things that are kept: a transaction sees the same throughout, and at once what it changes itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import delete
from sqlmodel import Session

from moderator.adapters.tables import KeptRow
from moderator.service.desk import Desk
from moderator.service.service_facts import (
    all_kept,
    forget,
    look_again,
    look_up,
    recall,
    recall_to_change,
    remember,
    remember_first,
)
from tests.kit.service.mail_service import Service

pytestmark = pytest.mark.usefixtures("each_database")


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = Service.open(tmp_path).desk
    with desk.sitting() as sitting:
        remember(sitting, "tea", {"cups": 1})
    return desk


def later(desk: Desk, key: str) -> dict[str, object] | None:
    """As the next transaction sees it."""
    with desk.database.transaction() as session:
        return recall(session, key)


def seen(session: Session, *keys: str) -> list[dict[str, object] | None]:
    return [recall(session, key) for key in keys]


def test_several_keys_are_looked_up_at_once(desk: Desk) -> None:
    with desk.database.transaction() as session:
        look_up(session, ("tea", "milk"))
        assert seen(session, "tea", "milk", "sugar") == [{"cups": 1}, None, None]


def test_keys_are_found_by_how_they_begin_letter_by_letter(desk: Desk) -> None:
    names = ("a_b/c% one", "a_b/c% two", "aXb/c% three", "a_b/cX four", "an a_b/c% five")
    with desk.sitting() as sitting:
        for name in names:
            remember(sitting, name, {"name": name})
    with desk.database.reading() as session:
        assert list(all_kept(session, "a_b/c% ")) == ["one", "two"]


def test_a_transaction_sees_what_it_changes(desk: Desk) -> None:
    with desk.sitting() as sitting:
        assert seen(sitting.session, "tea", "milk") == [{"cups": 1}, None]
        remember(sitting, "tea", {"cups": 2})
        assert remember_first(sitting, "milk", {"litres": 1}) == {"litres": 1}
        assert remember_first(sitting, "tea", {"cups": 3}) == {"cups": 2}
        assert seen(sitting.session, "tea", "milk") == [{"cups": 2}, {"litres": 1}]
        assert recall_to_change(sitting.session, "tea") == {"cups": 2}
        assert forget(sitting.session, "tea")
        assert not forget(sitting.session, "sugar")
        assert recall(sitting.session, "tea") is None
    assert [later(desk, key) for key in ("tea", "milk")] == [None, {"litres": 1}]


def test_what_is_changed_to_another_value_in_place_is_not_kept(desk: Desk) -> None:
    with desk.database.transaction() as session:
        found = recall(session, "tea")
        assert found is not None
        found["cups"] = 9
        assert recall(session, "tea") == {"cups": 1}
    assert later(desk, "tea") == {"cups": 1}


def test_after_all_rows_were_replaced_they_are_read_again(desk: Desk) -> None:
    with desk.database.transaction() as session:
        assert recall(session, "tea") is not None
        session.connection().execute(delete(KeptRow))
        look_again(session)
        assert recall(session, "tea") is None
