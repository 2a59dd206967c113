"""What more it takes for two texts in scripts without blanks to say the same: their characters meet by chance."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from dreamreview.dream.relation import ANCHOR, ANCHORS, anchors
from dreamreview.dream.similarity import CJK

if TYPE_CHECKING:
    from dreamreview.dream.paraphrase import Closeness
    from dreamreview.dream.slots import Reading

MOSTLY = 0.5
"""Share of what a text says from which it is one in such a script."""
HEAVY = 0.57
"""Share of the heavier text that both must say, anchors added."""
BOTH = 1.15
"""Sum of both shares, likewise."""
RUN = 8
"""Characters up to which one run in the place of another is another thing and no other wording."""
FRAME = 2 / 3
"""Share of the briefer text that stands around it in both."""
_CHARACTER = re.compile(f"[{CJK}]")


def by_chance(one: Reading, other: Reading, close: Closeness) -> str | None:
    """Say why two texts that seem alike only share characters, or name different things in one frame; else None."""
    if not (_is_cjk(one) and _is_cjk(other)):
        return None
    extra = ANCHOR * min(anchors(one, other), ANCHORS)
    if close.heavy + extra < HEAVY or close.light + close.heavy + 2 * extra < BOTH:
        return "too little in common"
    codes = SequenceMatcher(None, one.sequence, other.sequence, autojunk=False).get_opcodes()
    changed = [code for code in codes if code[0] != "equal"]
    equal = sum(code[2] - code[1] for code in codes if code[0] == "equal")
    if len(changed) != 1 or changed[0][0] != "replace" or equal < FRAME * min(len(one.sequence), len(other.sequence)):
        return None
    _, start, stop, to_start, to_stop = changed[0]
    if max(stop - start, to_stop - to_start) > RUN:
        return None
    near, far = "".join(one.sequence[start:stop]), "".join(other.sequence[to_start:to_stop])
    return None if near in far or far in near else f"{near} in one, {far} in the other"


def _is_cjk(reading: Reading) -> bool:
    characters = sum(_CHARACTER.fullmatch(key) is not None for key in reading.sequence)
    return characters >= MOSTLY * max(len(reading.sequence), 1)
