from __future__ import annotations

import pytest

from dreamreview.cli.patch import quoted


@pytest.mark.parametrize(
    ("path", "printed"),
    [
        ("a/notes.md", b"a/notes.md"),
        ("a/sp ace b/é.md", "a/sp ace b/é.md".encode()),
        ('a/q"uote.md', b'"a/q\\"uote.md"'),
        ("a/back\\slash.md", b'"a/back\\\\slash.md"'),
        ("a/tab\tnew\nline.md", b'"a/tab\\tnew\\nline.md"'),
        ("a/esc\x1b.md", b'"a/esc\\033.md"'),
        ("a/bad\udcff.md", b'"a/bad\\377.md"'),
        ("a/c1\x9b.md", b'"a/c1\\302\\233.md"'),
    ],
)
def test_a_path_is_quoted_as_git_does(path: str, printed: bytes) -> None:
    assert quoted(path) == printed
