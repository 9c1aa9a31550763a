"""The moments at which answers are due: days that do not count, hours, absences, changes of clocks."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moderator.domain.clocks.terms import changed, parse_between, parse_rest
from moderator.domain.clocks.timetable import Days, Span, Timetable

ZONES = ("Europe/Zurich", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "America/St_Johns", "Africa/Cairo",
         "Pacific/Apia", "America/Havana")  # fmt: skip


def at(text: str, zone: str = "UTC") -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)


def shown(moment: datetime, zone: str) -> str:
    return f"{moment.astimezone(ZoneInfo(zone)):%a %Y-%m-%d %H:%M}"


def terms(**named: Any) -> Timetable:
    return Timetable(hours=72, **named)


@pytest.mark.parametrize(
    ("table", "begin", "due"),
    [
        (terms(), "2026-11-26 15:00", "Sun 2026-11-29 15:00"),
        (terms(zone="Europe/Zurich", rest=(5, 6)), "2026-11-26 15:00", "Tue 2026-12-01 15:00"),
        (terms(zone="Europe/Zurich", rest=(5, 6)), "2026-11-28 15:00", "Thu 2026-12-03 00:00"),
        (
            terms(zone="Europe/Zurich", holidays=(Days.parse("2026-12-24 to 2027-01-02"),)),
            "2026-12-23 12:00",
            "Tue 2027-01-05 12:00",
        ),
        (terms(time="20:00 Europe/Zurich"), "2026-11-26 15:00", "Sun 2026-11-29 20:00"),
        (terms(time="20:00 Europe/Zurich", rest=(6,)), "2026-11-26 15:00", "Mon 2026-11-30 20:00"),
        (terms(zone="Europe/Zurich", between=("08:00", "22:00")), "2026-11-26 03:00", "Sun 2026-11-29 08:00"),
        (
            terms(zone="Europe/Zurich", between=("08:00", "22:00"), rest=(6,)),
            "2026-11-25 23:00",
            "Mon 2026-11-30 08:00",
        ),
        (terms(zone="Europe/Zurich"), "2026-03-28 15:00", "Tue 2026-03-31 16:00"),  # a day of 23 hours
        (terms(zone="Europe/Zurich"), "2026-10-24 15:00", "Tue 2026-10-27 14:00"),  # a day of 25 hours
        (terms(time="02:30 Europe/Zurich"), "2026-03-26 01:30", "Sun 2026-03-29 03:30"),  # 02:30 is skipped
    ],
)
def test_an_answer_is_due(table: Timetable, begin: str, due: str) -> None:
    moment, kept = table.due(at(begin, table.here if table.here != "UTC" else "UTC"), table.allowed("stock"))
    assert shown(moment, table.here) == due
    assert bool(kept) == bool(table.time or (table.between and due.endswith("08:00")))


def test_each_kind_of_decision_may_have_its_own_time() -> None:
    table = terms(kinds={"answer": 24, "operating": 120})
    assert [table.allowed(kind) // timedelta(hours=1) for kind in ("answer", "operating", "stock")] == [24, 120, 72]


def test_a_bank_of_time_gives_what_is_left_and_at_least_the_increment() -> None:
    table = Timetable(bank=240, increment=12)
    assert table.runs and table.allowed("stock") == timedelta(hours=240)
    assert table.allowed("stock", 7_200) == timedelta(hours=12)
    assert table.allowed("stock", 50 * 3_600) == timedelta(hours=50)


def test_the_clock_stands_still_while_the_player_is_away() -> None:
    table = terms(zone="Europe/Zurich")
    absent = [Days.parse("2026-12-20 to 2027-01-03").span("Europe/Zurich")]
    moment, _ = table.due(at("2026-12-18 10:00", "Europe/Zurich"), table.allowed("stock"), absent)
    assert shown(moment, "Europe/Zurich") == "Tue 2027-01-05 10:00"
    now = at("2026-12-19 10:00", "Europe/Zurich")  # the absence is given while the clock runs
    due = now + timedelta(hours=48)
    assert table.moved(due, now, [], table, absent)[0] == moment
    back = at("2026-12-28 09:00", "Europe/Zurich")  # and he is back early, with 34 hours of 72 left
    assert table.moved(moment, back, absent, table, [])[0] == back + timedelta(hours=34)


def test_a_clock_of_many_years_finds_its_moment_and_keeps_the_time_that_is_left() -> None:
    """Ten years of which one day in seven counts would be seventy."""
    terms = Timetable(hours=87_600, rest=(0, 1, 2, 3, 4, 5))
    begin, whole = datetime(2026, 3, 1, 12, tzinfo=UTC), timedelta(hours=87_600)
    due, _ = terms.due(begin, whole)
    assert due > begin + timedelta(days=7_000) and terms.passed(begin, due) == whole
    away = [Days(first=date(2026, 4, 1), last=date(2026, 4, 20)).span("UTC")]
    moved, _ = terms.moved(due, begin, (), terms, away)
    assert moved > due and terms.passed(begin, moved, away) == whole


def test_warnings_come_at_the_hours_agreed_or_once_before_the_end() -> None:
    now = at("2026-11-26 12:00")
    due = now + timedelta(hours=96)
    table = terms(warnings=(6, 72, 24))
    seen = []
    moment = table.next_warning(due, now)
    while moment is not None:
        seen.append((due - moment) // timedelta(hours=1))
        moment = table.next_warning(due, moment)
    assert seen == [72, 24, 6]
    assert terms().next_warning(due, now) == due - timedelta(hours=24)
    assert terms().next_warning(now + timedelta(hours=8), now) == now + timedelta(hours=6)
    assert terms().next_warning(now, now) is None


@pytest.mark.parametrize(
    ("parse", "text", "wrong"),
    [
        (Days.parse, "2026-13-01", "names no days"),
        (Days.parse, "2026-12-24 to 2026-12-20", "ends before it begins"),
        (Days.parse, "2026-12-24 to 2028-12-20", "longer than 400 days"),
        (parse_rest, "Sat,Zun", "not a day of the week: Mon"),
        (parse_between, "22:00-08:00", "within a day"),
        (parse_between, "8 to 9", "not a span of hours"),
    ],
)
def test_what_cannot_be_read_says_what_would_be_right(parse: Any, text: str, wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong):
        parse(text)


def test_terms_are_written_as_names_and_texts() -> None:
    wishes = {
        "hours": "96", "rest": "Sat, sunday", "holidays": "2026-12-24 to 2027-01-02, 2027-04-05",
        "between": "08:00-22:00",
        "warnings": "6,72 24", "zone": "Europe/Zurich", "late": "robot", "grace": "12", "answer": "24",
    }  # fmt: skip
    found = changed(terms(), wishes.items())
    assert (found.hours, found.rest, found.between, found.warnings) == (96, (5, 6), ("08:00", "22:00"), (72, 24, 6))
    assert found.holidays == (Days.parse("2026-12-24 to 2027-01-02"), Days.parse("2027-04-05"))
    assert (found.late, found.grace, found.kinds) == ("robot", 12, {"answer": 24})
    more = changed(found, [("holidays", "+2027-05-01"), ("rest", "none"), ("answer", "off")])
    assert len(more.holidays) == 3 and more.rest == () and more.kinds == {}


@pytest.mark.parametrize(
    ("wish", "wrong"),
    [
        (("rset", "Sun"), "no term of a clock. Did you mean `rest`"),
        (("late", "resign"), "master, default, robot, open"),
        (("hours", "0"), "number of hours from 1"),
        (("zone", "Europe/Zurch"), "not a time zone"),
        (("rest", "Mon Tue Wed Thu Fri Sat Sun"), "at least one day of the week must count"),
        (("away_days", "400"), "366"),
    ],
)
def test_a_wrong_term_says_what_would_be_right(wish: tuple[str, str], wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong):
        changed(terms(), [wish])


def test_some_day_of_the_week_counts() -> None:
    with pytest.raises(ValueError, match="at least one day"):
        terms(rest=tuple(range(7)))


def test_what_is_stored_reads_back() -> None:
    table = terms(
        zone="Asia/Tokyo", rest=(6, 5), holidays=(Days.parse("2026-12-24"),), between=("08:00", "22:00"),
        warnings=(6, 24), kinds={"answer": 24}, late="default", grace=12,
    )  # fmt: skip
    assert Timetable.of(72, "", table.stored()) == table
    assert terms().stored() == {}


# ---- against a referee that counts minutes


def _is_off(table: Timetable, moment: datetime, absent: list[Span]) -> bool:
    there = moment.astimezone(ZoneInfo(table.here)).date()
    holiday = any(days.first <= there <= days.last for days in table.holidays)
    return there.weekday() in table.rest or holiday or any(a <= moment < b for a, b in absent)


def _refereed(table: Timetable, begin: datetime, quarters: int, absent: list[Span]) -> datetime:
    """The first moment on a quarter of an hour that counts, after so many quarters that count."""
    moment = begin
    while True:
        if not _is_off(table, moment, absent):
            if quarters == 0:
                return moment
            quarters -= 1
        moment += timedelta(minutes=15)


_DAY = st.integers(0, 730).map(lambda n: date(2026, 1, 1) + timedelta(days=n))
_SOME_DAYS = st.builds(lambda first, n: Days(first=first, last=first + timedelta(days=n)), _DAY, st.integers(0, 20))


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(ZONES), st.sets(st.integers(0, 6), max_size=5), st.lists(_SOME_DAYS, max_size=3),
    st.lists(_SOME_DAYS, max_size=2), st.integers(0, 730 * 96), st.integers(0, 96 * 12), st.sampled_from(ZONES),
)  # fmt: skip
def test_the_time_that_counts_is_that_of_a_referee(
    zone: str, rest: set[int], holidays: list[Days], away: list[Days], begin: int, quarters: int, other: str
) -> None:
    table = terms(zone=zone, rest=tuple(rest), holidays=tuple(holidays))
    absent = [days.span(other) for days in away]
    start = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=15 * begin)
    allowed = timedelta(minutes=15 * quarters)
    due = table.after(start, allowed, absent)
    assert due == _refereed(table, start, quarters, absent)
    assert table.passed(start, due, absent) == allowed


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(ZONES), st.sets(st.integers(0, 6), max_size=5), st.lists(_SOME_DAYS, max_size=3),
    st.lists(_SOME_DAYS, max_size=2), st.integers(0, 730 * 24 * 60), st.integers(1, 24 * 14),
    st.sampled_from(["", "20:00", "00:00", "02:30"]), st.sampled_from([None, ("08:00", "22:00"), ("00:30", "03:10")]),
)  # fmt: skip
def test_no_answer_is_due_on_a_day_that_does_not_count_or_too_early(
    zone: str, rest: set[int], holidays: list[Days], away: list[Days], minute: int, hours: int, time: str,
    between: tuple[str, str] | None,
) -> None:  # fmt: skip
    table = Timetable(
        hours=hours, time=f"{time} {zone}" if time else "", zone=zone, rest=tuple(rest), holidays=tuple(holidays),
        between=between,
    )  # fmt: skip
    absent = [days.span("UTC") for days in away]
    start = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=minute)
    due, _ = table.due(start, table.allowed("stock"), absent)
    assert not _is_off(table, due, absent)
    assert table.passed(start, due, absent) >= timedelta(hours=hours)
