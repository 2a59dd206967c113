"""Every shape of a credential is found wherever it stands, and nothing that only looks like one."""

from __future__ import annotations

import os
import random

import pytest

from dreamreview.model import secret_shapes
from dreamreview.model.secrets import described, find_secrets, mask
from tests.model.secret_samples import (
    AROUND,
    BESIDE,
    LOOK_ALIKES,
    PLAIN,
    SHAPES,
    STAND_INS,
    VARIANTS,
    beside,
    fill,
    prefix_of,
)

DRAWS = max(2, int(8 * float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))))
KNOWN_BESIDE = {
    *("azure-connection", "slack-hook", "discord-hook", "teams-hook", "lark-hook", "zapier-hook", "make-hook"),
    *("ifttt-hook", "mattermost-hook", "okta", "twitch", "one-time", "wifi", "registry-auth", "openvpn"),
}
"""Shapes that need something beside them; their samples are in `BESIDE`."""


def found(text: str) -> list[str]:
    return [text[span.start : span.stop] for span in find_secrets(text)]


def draws(name: str) -> list[random.Random]:
    return [random.Random(f"{name} {number}") for number in range(DRAWS)]


def test_every_shape_of_the_table_has_a_sample() -> None:
    names = [shape.name for shape in secret_shapes.SHAPES]
    assert len(names) == len(set(names)) >= 100
    assert set(names) == set(SHAPES) | KNOWN_BESIDE


@pytest.mark.parametrize("name", SHAPES)
def test_a_key_is_found_by_its_form_wherever_it_stands(name: str) -> None:
    for draw in draws(name):
        key = fill(SHAPES[name], draw)
        assert [around for around in AROUND if found(around.format(key)) != [key]] == []
        assert [span.rule for span in find_secrets(AROUND[0].format(key))] == [name]


@pytest.mark.parametrize("template", VARIANTS)
def test_the_other_forms_of_an_issuer_are_found(template: str) -> None:
    for draw in draws(template):
        key = fill(template, draw)
        assert [around for around in AROUND if found(around.format(key)) != [key]] == []


@pytest.mark.parametrize("name", BESIDE)
def test_a_value_is_found_by_what_stands_beside_it(name: str) -> None:
    for draw in draws(name):
        line, value = beside(BESIDE[name], draw)
        values = found(line)
        assert len(values) == 1, line
        assert values[0].removesuffix("==").removesuffix("=") == value.removesuffix("=")


@pytest.mark.parametrize("name", BESIDE)
def test_nothing_of_a_value_but_its_ends_is_left_once_it_is_masked(name: str) -> None:
    for draw in draws(name):
        line, value = beside(BESIDE[name], draw)
        assert value not in mask(line)
        assert len(value) < 12 or value[6:-4] not in mask(line)


@pytest.mark.parametrize("name", [name for name, template in SHAPES.items() if len(prefix_of(template)) > 1])
def test_the_beginning_of_a_key_with_a_stand_in_behind_it_is_none(name: str) -> None:
    texts = [f"set it to {prefix_of(SHAPES[name])}{stand_in} in the file" for stand_in in STAND_INS]
    assert [text for text in texts if found(text)] == []


@pytest.mark.parametrize("name", LOOK_ALIKES)
def test_what_only_looks_like_a_key_is_left_alone(name: str) -> None:
    assert [text for draw in draws(name) if found(text := LOOK_ALIKES[name](draw))] == []


@pytest.mark.parametrize("text", PLAIN)
def test_what_only_speaks_of_keys_is_left_alone(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize("kind", ["RSA ", "EC ", "OPENSSH ", "ENCRYPTED ", "DSA ", ""])
def test_a_private_key_of_any_kind_is_found(kind: str) -> None:
    draw = random.Random(kind)
    body = "\n".join(fill("{B64}", draw) for _ in range(12))
    text = f"before\n-----BEGIN {kind}PRIVATE KEY-----\n{body}\n-----END {kind}PRIVATE KEY-----\nafter\n"
    assert found(text) == [body]


def test_a_private_key_in_a_line_of_json_is_found() -> None:
    draw = random.Random(7)
    body = "\\n".join(fill("{B64}", draw) for _ in range(4))
    text = f'"private_key": "-----BEGIN PRIVATE KEY-----\\n{body}\\n-----END PRIVATE KEY-----\\n",'
    assert body not in mask(text)
    assert all(part not in mask(text) for part in body.split("\\n"))


def test_every_rule_has_words_for_a_reader() -> None:
    lines = [beside(template, random.Random(name))[0] for name, template in BESIDE.items()]
    rules = {span.rule for line in lines for span in find_secrets(line)} | set(SHAPES)
    assert all(described(rule).split()[0] in {"a", "an", "the", "what"} for rule in rules)
