from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from dreamreview.tui.wording import brief
from tests.tui.host import running


def test_a_sentence_that_fits_is_left_whole() -> None:
    assert brief("it is split already: S joins it", 31) == "it is split already: S joins it"


def test_a_sentence_that_is_too_long_loses_its_last_clauses() -> None:
    said = "it is split, and that already: S joins it"
    assert brief(said, 40) == "it is split, and that already"
    assert brief(said, 20) == "it is split"
    assert brief(said, 3) == "it is split"


@given(st.text(alphabet="ab:;, ", max_size=40), st.integers(0, 50))
def test_a_brief_sentence_is_the_start_of_the_whole_one(sentence: str, cells: int) -> None:
    told = brief(sentence, cells)
    assert sentence.startswith(told)
    assert told == sentence or cell_len(sentence) > cells


async def test_what_is_said_on_a_narrow_screen_ends_with_a_clause() -> None:
    async with running(size=(40, 12)) as host:
        await host.sees("0 of 5 decided")
        await host.press("right_square_bracket", "s", "s")
        assert host.text.splitlines()[0].split("   ")[0].strip() == "0/5  it is split already: S joins it"
        await host.press("v")
        assert host.text.splitlines()[0].split("   ")[0].strip() == "0/5  space toggles"
