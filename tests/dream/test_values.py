from __future__ import annotations

import pytest

from dreamreview.dream.similarity import scan
from dreamreview.dream.values import MOST, Value, agreements, amount_of, clashes, values_of


def _values(text: str) -> tuple[Value, ...]:
    return values_of(scan(text))


def _read(text: str) -> list[tuple[str, float | str]]:
    return [(value.dimension, value.amount) for value in _values(text)]


@pytest.mark.parametrize(
    ("text", "dimension", "amount"),
    [
        ("half a minute of drums", "time", 30.0),
        ("thirty seconds of drums", "time", 30.0),
        ("ripens for 72 h", "time", 259_200.0),
        ("retries every 10 seconds", "time/every", 10.0),
        ("at most 25 MB", "size", 25e6),
        ("costs 45 euro", "euro", 45.0),
        ("costs €45", "euro", 45.0),
        ("0.5 % of the eggs", "percent", 0.5),
        ("done by 11:00", "clock", 660.0),
        ("done by noon", "clock", 720.0),
        ("done by twelve o'clock", "clock", 720.0),
        ("done by 9 o'clock", "clock", 540.0),
        ("done by seven o'clock in the evening", "clock", 1140.0),
        ("done by 5 pm", "clock", 1020.0),
        ("on Tuesdays", "weekday", 1.0),
        ("每周二开会", "weekday", 1.0),
        ("缓存 30 分钟", "time", 1800.0),
        ("中午 12 点", "clock", 720.0),
        ("since 2026-03-02", "date", "2026-03-02"),
        ("needs v2.3.1", "version", "2.3.1"),
        ("paid on the 3rd of each month", "day of month", 3.0),
        ("paid by the 12th.", "day of month", 12.0),
    ],
)
def test_amounts_are_read_in_one_unit(text: str, dimension: str, amount: float | str) -> None:
    assert (dimension, amount) in _read(text)


def test_a_number_counts_what_follows_and_labels_what_stands_before() -> None:
    (count,) = _values("feeds up to 8 lanterns")
    assert (count.dimension, count.about) == ("count", frozenset(("lantern",)))
    (label,) = _values("it needs Node 20 by now")
    assert (label.dimension, label.amount, label.names) == ("label", 20.0, False)


@pytest.mark.parametrize("text", ["episode 12 is out", "PR 312 is merged", "Track 2: the partner", "see ticket 7"])
def test_some_numbers_name_a_thing(text: str) -> None:
    assert [value.names for value in _values(text)] == [True]


@pytest.mark.parametrize("text", ["on the 3rd floor", "the 12th of May", "a 2nd try", "the 40th of them"])
def test_an_ordinal_of_something_else_is_no_day_of_a_month(text: str) -> None:
    assert "day of month" not in [value.dimension for value in _values(text)]


@pytest.mark.parametrize("text", ["takes 7-10 minutes", "takes 7 – 10 minutes", "takes 7 to 10 minutes"])
def test_both_ends_of_a_range_have_its_unit(text: str) -> None:
    assert _read(text) == [("time", 420.0), ("time", 600.0)]
    assert clashes(_values(text), _values("takes 7 minutes")) == ()
    assert len(clashes(_values(text), _values("takes 15 minutes"))) == 2


def test_two_hours_with_a_dash_are_a_range() -> None:
    assert [value.dimension for value in _values("open 08:00-16:00")] == ["clock/range", "clock/range"]


def test_sides_of_an_area_are_no_factor() -> None:
    assert ("times", 30.0) not in _read("a tile of 30 x 40 pixels")


@pytest.mark.parametrize(
    ("raw", "amount"),
    [
        ("1,206", 1206.0),
        ("88.4", 88.4),
        ("2,5", 2.5),
        ("1 000 000", 1e6),
        ("80K", 80_000.0),
        ("−3", -3.0),
        ("80's", 80.0),
    ],
)
def test_numbers_are_read_as_people_write_them(raw: str, amount: float) -> None:
    assert amount_of(raw) == amount


def test_values_clash_where_both_measure_the_same_and_differ() -> None:
    ((near, far),) = clashes(_values("A nap takes 15 minutes"), _values("A nap takes 10 minutes"))
    assert (near.raw, far.raw) == ("15 minutes", "10 minutes")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("kept 14 days", "kept 2 weeks"),
        ("takes 15 minutes", "rings every 20 seconds"),
        ("three members", "at 15:00"),
        ("8 lanterns", "two doors"),
        ("10 s, then 5 min", "10 s"),
    ],
)
def test_values_do_not_clash_where_they_agree_or_measure_something_else(one: str, other: str) -> None:
    assert clashes(_values(one), _values(other)) == ()


def test_agreement_counts_equal_values() -> None:
    assert agreements(_values("-23 LUFS at -2 dBTP"), _values("peak -2 dBTP, -23 LUFS")) == 2
    assert agreements(_values("10 apples"), _values("10 engines")) == 0


def test_of_many_amounts_the_first_are_held_against_one_another() -> None:
    one = values_of(scan(" ".join(f"{number} days" for number in range(1, 200))))
    other = values_of(scan(" ".join(f"{number} days" for number in range(500, 700))))
    found = clashes(one, other)
    assert len(found) == MOST * MOST
    assert found[0][0].raw == "1 days"
