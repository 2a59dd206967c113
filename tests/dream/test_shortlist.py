from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamreview.dream import shortlist as module
from dreamreview.dream.shortlist import shortlist

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dreamreview.dream.shortlist import Pair

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))
FERRY = "- Tickets for the evening ferry are sold at the kiosk.\n"
LAMP = "- The lamp on the mole is green.\n"


def near(files: Mapping[str, str], *brought: tuple[str, int]) -> Sequence[Pair]:
    return shortlist(files.get, sorted(files), brought).pairs


def places(pairs: Sequence[Pair]) -> list[tuple[str, int, str, int]]:
    return [(pair.new.path, pair.new.first, pair.old.path, pair.old.first) for pair in pairs]


def test_lines_with_rare_words_in_common_are_found_where_they_stand() -> None:
    files = {"a.md": LAMP + FERRY, "b.md": LAMP, "new.md": "The ferry in the evening: a ticket is sold at the kiosk.\n"}
    (pair,) = near(files, ("new.md", 1))
    assert places([pair]) == [("new.md", 1, "a.md", 2)]
    assert (pair.is_close, pair.score > 1.9) == (True, True)


def test_new_lines_are_not_held_against_one_another() -> None:
    assert near({"a.md": FERRY, "b.md": FERRY}, ("a.md", 1), ("b.md", 1)) == ()


def test_lines_that_share_next_to_nothing_are_left_out() -> None:
    assert near({"a.md": FERRY, "b.md": "- The kiosk has a new roof of copper and slate.\n"}, ("b.md", 1)) == ()


def test_a_line_of_common_words_is_found_where_it_stands_word_for_word() -> None:
    files = {f"{number:03d}.md": f"- The kiosk sells ice number {100 + number}.\n" for number in range(300)}
    files |= {"a.md": "- The kiosk sells ice.\n", "new.md": "- The kiosk sells ice.\n"}
    assert places(near(files, ("new.md", 1))) == [("new.md", 1, "a.md", 1)]


def test_a_file_that_changed_is_searched_but_for_what_is_new() -> None:
    files = {"a.md": "- Spare oars lie in the shed.\n" + FERRY + FERRY}
    assert places(near(files, ("a.md", 3))) == [("a.md", 3, "a.md", 2)]


def test_only_so_many_passages_are_kept_for_each_new_one() -> None:
    files = {f"{number}.md": FERRY for number in range(40)} | {"new.md": FERRY}
    assert len(near(files, ("new.md", 1))) == module.NEAREST


def test_lines_to_be_looked_at_may_be_fewer_than_those_that_are_new() -> None:
    files = {"a.md": FERRY, "b.md": FERRY, "new.md": LAMP + FERRY}
    new = [("new.md", 1), ("new.md", 2), ("b.md", 1)]
    found = shortlist(files.get, sorted(files), new, [("new.md", 1), ("new.md", 2)])
    assert places(found.pairs) == [("new.md", 2, "a.md", 1)]


def test_a_file_that_is_shorter_than_told_or_gone_brings_nothing() -> None:
    assert near({"a.md": FERRY, "new.md": LAMP}, ("new.md", 9), ("gone.md", 1)) == ()


def test_work_beyond_its_limits_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"a.md": FERRY, "new.md": "- At the kiosk tickets for the evening ferry are sold.\n"}
    assert len(near(files, ("new.md", 1))) == 1
    with monkeypatch.context() as patch:
        patch.setattr(module, "MEETINGS", 1)
        assert near(files, ("new.md", 1)) == ()
    monkeypatch.setattr(module, "SEARCHED", len(FERRY) - 1)
    assert near(files, ("new.md", 1)) == ()


WORDS = st.sampled_from(["ferry", "kiosk", "lamp", "mole", "green", "ticket", "evening", "the", "is", "8080", "渡轮"])
TEXTS = st.lists(st.lists(WORDS, min_size=1, max_size=6).map(" ".join), min_size=1, max_size=8)


@settings(max_examples=int(150 * SCALE), deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=4), st.data())
def test_pairs_hold_what_is_new_on_one_side_and_what_stands_on_the_other(
    texts: list[list[str]], data: st.DataObject
) -> None:
    files = {f"{number}.md": "\n".join(f"- {line}" for line in lines) for number, lines in enumerate(texts)}
    everything = [(path, line) for path in files for line in range(1, files[path].count("\n") + 2)]
    new = data.draw(st.sets(st.sampled_from(everything)))
    found = near(files, *new)
    assert found == near(dict(reversed(files.items())), *sorted(new, reverse=True))
    for pair in found:
        assert set(pair.new.places) <= new
        assert new.isdisjoint(pair.old.places)
        assert 0.5 <= pair.score <= 2.0 + 1e-9
