from __future__ import annotations

import pytest

from dreamreview.model.frontmatter import find_block, find_embedded, merge, read
from dreamreview.model.memory import Frontmatter


def block(text: str) -> Frontmatter:
    texts = text.split("\n")
    found = find_block(texts)
    assert found is not None
    return read(texts, *found)


def test_a_flat_block_is_read() -> None:
    found = block("---\nname: Kiln rules\ntype: project\n---\nBody")
    assert (found.first, found.last) == (1, 4)
    assert found.values == {"name": "Kiln rules", "type": "project"}
    assert found.lines == {"name": 2, "type": 3}
    assert found.problem is None


def test_nested_keys_are_joined_with_a_dot_also_after_a_trailing_blank() -> None:
    found = block("---\nname: kiln\nmetadata: \n  type: feedback\n  modified: 2026-04-09T10:00:00.000Z\n---")
    assert found.values["metadata.type"] == "feedback"
    assert found.values["metadata.modified"] == "2026-04-09T10:00:00.000Z"
    assert found.lines["metadata.type"] == 4
    assert found.problem is None


@pytest.mark.parametrize(
    ("line", "value", "problem"),
    [
        ("name: Kiln rule: never open hot", "Kiln rule: never open hot", "line 2: an unquoted value holds a colon"),
        ('name: "hot" means above 60', '"hot" means above 60', "line 2: text stands after a closing quote"),
        ("name: `just fire` first", "`just fire` first", "line 2: the value starts with '`'"),
        ("name: @lotte owns it", "@lotte owns it", "line 2: the value starts with '@'"),
        (
            "name: [draft] kiln notes",
            "[draft] kiln notes",
            "line 2: the value starts with '[' but is no list or mapping",
        ),
        ("name: *bold* words", "*bold* words", "line 2: the value starts with '*'"),
        ('name: "never closed', '"never closed', "line 2: a quote is never closed"),
        ("name: see ticket #12 for why", "see ticket #12 for why", None),
        ("name: 'it''s fine'", "it's fine", None),
        ('name: "one \\"idea\\": two"', 'one "idea": two', None),
        ("name: https://kiln.invalid/x", "https://kiln.invalid/x", None),
        ("name: 1.10", "1.10", None),
        ("name: no", "no", None),
        ("name:", "", None),
    ],
)
def test_a_value_is_kept_as_written_and_its_fault_named(line: str, value: str, problem: str | None) -> None:
    found = block(f"---\n{line}\nother: x\n---")
    assert found.values["name"] == value
    assert found.values["other"] == "x"
    assert found.problem == problem


def test_lists_are_read_in_every_style() -> None:
    found = block(
        '---\ntags: [hot, "a, b", \'c\']\nrelates_to:\n- a.md\n- "b.md"\nsupersedes: [[old-kiln]], [[older|O]]\n'
        "long: [x,\n  y]\nsuperseded_by:\n  - c.md\n---"
    )
    assert found.lists == {
        "tags": ("hot", "a, b", "c"),
        "relates_to": ("a.md", "b.md"),
        "supersedes": ("old-kiln", "older"),
        "long": ("x", "y"),
        "superseded_by": ("c.md",),
    }
    assert found.values["relates_to"] == "a.md, b.md"
    assert found.problem is None


def test_a_value_may_go_on_over_several_lines() -> None:
    found = block('---\nabout: |\n  first: line\n  second\nsaid: "one\n  two"\nplain: three\n  four\n---')
    assert found.values == {"about": "first: line second", "said": "one two", "plain": "three four"}
    assert found.problem is None


def test_json_between_the_fences_is_read() -> None:
    found = block('---\n{\n  "title": "Cone chart",\n  "tags": ["x", "y"],\n  "meta": {"n": 1.10, "ok": true}\n}\n---')
    assert found.values == {"title": "Cone chart", "tags": "x, y", "meta.n": "1.10", "meta.ok": "true"}
    assert found.lists == {"tags": ("x", "y")}
    assert found.lines["tags"] == 4
    assert found.problem is None


def test_broken_json_is_read_line_by_line_and_reported() -> None:
    found = block('---\n{\n  "title": "Cone chart",\n  "type": "fact"\n---')
    assert found.values == {"title": "Cone chart", "type": "fact"}
    assert found.problem == "line 2: a brace opens it, but it is no JSON"


def test_json_nested_without_end_is_no_crash() -> None:
    assert block("---\n{" + '"a":[' * 50_000 + "\n---").problem == "line 2: a brace opens it, but it is no JSON"


def test_a_line_that_is_no_key_is_reported_and_the_rest_read() -> None:
    found = block("---\nname: kiln\nhalf a thought\ntype: fact\n---")
    assert found.problem == "line 3: neither a key nor part of a value"
    assert found.values["type"] == "fact"


def test_a_key_that_stands_twice_is_reported_and_the_later_counts() -> None:
    found = block("---\ntype: fact\ntype: rule\n---")
    assert found.values == {"type": "rule"}
    assert found.lines == {"type": 3}
    assert found.problem == "line 3: the key 'type' stands there twice"


def test_a_block_that_is_never_closed_ends_with_its_last_key() -> None:
    found = block("---\nname: kiln\ntype: fact\n\nBody: no key of it\n")
    assert (found.first, found.last) == (1, 3)
    assert found.values == {"name": "kiln", "type": "fact"}
    assert found.problem == "line 1: the block is never closed"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "---",
        "---\n",
        "---\n\n## 17:05 note\n---\n",
        "---\nJust words here\n---\n",
        "text\n---\nname: x\n---",
        "----\nname: x\n---",
    ],
)
def test_a_rule_at_the_top_is_no_frontmatter(text: str) -> None:
    assert find_block(text.split("\n")) is None


def test_a_block_in_the_middle_needs_small_keys_and_no_gap() -> None:
    assert find_embedded(["---", "task: tidy", "---"], 0) == 2
    assert find_embedded(["---", "Port: 9001", "---"], 0) is None
    assert find_embedded(["---", "task: tidy", "", "---"], 0) is None
    assert find_embedded(["---", "task: tidy"], 0) is None


def test_of_two_blocks_the_first_wins() -> None:
    texts = ["---", "name: a", "---", "---", "name: b", "type: fact", "---"]
    both = merge(read(texts, 0, 2), read(texts, 3, 6))
    assert both.values == {"name": "a", "type": "fact"}
    assert both.lines == {"name": 2, "type": 6}
    assert (both.first, both.last) == (1, 3)
