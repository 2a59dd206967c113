"""Which of the snapshots of a store are kept as they grow old."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

ALL_FOR = timedelta(days=1)
"""Age up to which every snapshot is kept."""

DAILY_FOR = timedelta(days=30)
"""Age up to which the last one of each day is kept; beyond it, the last one of each week."""


def thinned(moments: Iterable[datetime], now: datetime) -> frozenset[datetime]:
    """Return the moments whose snapshots stay: all of a day, daily for a month, weekly after, and always the newest.

    Days and weeks are those of the calendar in UTC, weeks from Monday. What lies ahead of now, since a clock was set
    back, is as good as new.
    """
    kept: dict[tuple[str, int], datetime] = {}
    stays = set()
    newest: datetime | None = None
    for moment in moments:
        newest = moment if newest is None else max(newest, moment)
        age = now - moment
        if age <= ALL_FOR:
            stays.add(moment)
            continue
        day = moment.astimezone(UTC).date().toordinal()
        slot = ("day", day) if age <= DAILY_FOR else ("week", (day - 1) // 7)
        kept[slot] = max(moment, kept.get(slot, moment))
    return frozenset(stays | set(kept.values()) | ({newest} if newest else set()))
