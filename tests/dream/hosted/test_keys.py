"""Whether a key may be found is told without the SDK, and never against it."""

from __future__ import annotations

from pathlib import Path

import pytest

from dreamreview.dream.hosted.keys import may_have_key


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path))
    return tmp_path


@pytest.mark.parametrize(
    ("environment", "told"),
    [
        ({}, False),
        ({"ANTHROPIC_API_KEY": ""}, False),
        ({"ANTHROPIC_BASE_URL": "https://example.org"}, False),
        ({"ANTHROPIC_API_KEY": "x"}, True),
        ({"ANTHROPIC_AUTH_TOKEN": "x"}, True),
        ({"ANTHROPIC_PROFILE": "work"}, True),
        ({"ANTHROPIC_CONFIG_DIR": "/etc/x"}, True),
        ({"ANTHROPIC_ORGANIZATION_ID": "org"}, False),
        ({"ANTHROPIC_ORGANIZATION_ID": "org", "ANTHROPIC_FEDERATION_RULE_ID": "rule"}, True),
    ],
)
def test_a_variable_that_leads_to_a_key_is_enough(environment: dict[str, str], told: bool) -> None:
    assert may_have_key(environment) is told


def test_a_folder_of_profiles_is_left_to_the_sdk(home: Path) -> None:
    assert not may_have_key({"APPDATA": str(home)})
    (home / ".config" / "anthropic").mkdir(parents=True)
    (home / "Anthropic").mkdir()
    assert may_have_key({"APPDATA": str(home)})
