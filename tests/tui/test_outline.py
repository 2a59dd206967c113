from __future__ import annotations

from dreamreview.model.proposal import Kind
from dreamreview.tui.outline import Grouping, outline
from tests.tui.fake import FakeReview, change, edit, proposal


def _review() -> FakeReview:
    given = [
        change("d1", Kind.DATE, "Say which day", edit("e1", "b.md", 0, "a\n", "b\n")),
        change("m1", Kind.MERGE, "Twice", edit("e1", "a.md", 0, "a\n", "b\n")),
        change("d2", Kind.DATE, "Say which night", edit("e1", "a.md", 2, "a\n", "b\n")),
    ]
    return FakeReview(proposal(given=given))


def test_kinds_stand_as_the_dreamer_first_names_them() -> None:
    groups = outline(_review().cards(), Grouping.KIND, lambda _: True).groups
    assert [(group.name, group.ids) for group in groups] == [("date", ("d1", "d2")), ("merge", ("m1",))]


def test_a_group_keeps_its_place_when_its_first_card_is_hidden() -> None:
    groups = outline(_review().cards(), Grouping.KIND, lambda card: card.change.id != "d1").groups
    assert [(group.name, group.ids) for group in groups] == [("date", ("d2",)), ("merge", ("m1",))]


def test_a_card_that_is_kept_is_shown_whatever_is_hidden() -> None:
    groups = outline(_review().cards(), Grouping.FILE, lambda _: False, keep="d2").groups
    assert [(group.name, group.ids) for group in groups] == [("a.md", ("d2",))]
