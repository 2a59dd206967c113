from __future__ import annotations

from dreamreview.dream.duplicates import excerpt, groups


def test_groups_need_every_pair_to_agree() -> None:
    assert groups({(0, 1): 0.9, (1, 2): 0.8}) == [(0, 1)]
    assert groups({(0, 1): 0.9, (1, 2): 0.8, (0, 2): 0.7}) == [(0, 1, 2)]


def test_the_surest_pair_comes_first() -> None:
    assert groups({(0, 1): 0.7, (1, 2): 0.9}) == [(1, 2)]


def test_groups_do_not_share_members() -> None:
    assert groups({(0, 1): 0.9, (2, 3): 0.9, (1, 2): 0.8}) == [(0, 1), (2, 3)]


def test_an_excerpt_is_one_short_masked_line() -> None:
    assert excerpt("a\nb") == "a b"
    assert len(excerpt("word " * 40)) <= 60
    assert "a1B2a1B2a1B2" not in excerpt("the token ghp_" + "a1B2" * 9)
