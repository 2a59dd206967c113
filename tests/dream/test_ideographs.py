from __future__ import annotations

import pytest

from dreamreview.dream.ideographs import by_chance
from dreamreview.dream.paraphrase import closeness
from dreamreview.dream.similarity import Weights
from dreamreview.dream.slots import read

EVEN = Weights({})


def _reason(one: str, other: str) -> str | None:
    near, far = read(one), read(other)
    return by_chance(near, far, closeness(near.bag, far.bag, EVEN))


@pytest.mark.parametrize(
    ("one", "other", "reason"),
    [
        ("桟橋の管理は毎週見直す。", "桟橋の照明を今週設置した。", "too little in common"),
        (
            "記録更新：準備段階完了の状態に変更した。",
            "記録更新：検査段階完了の状態に変更した。",
            "準備 in one, 検査 in the other",
        ),
        ("夜班船不载自行车。", "自行车不能上夜班船。", None),
        ("码头的灯每晚八点打开。", "每天晚上 8 点打开码头的灯。", None),
        ("The lamp burns oil.", "The lamp burns gas.", None),
    ],
)
def test_characters_that_meet_by_chance_make_no_two_texts_one(one: str, other: str, reason: str | None) -> None:
    assert _reason(one, other) == reason
