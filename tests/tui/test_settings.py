"""The page of settings: what holds, where it is changed, and nothing that is secret."""

from __future__ import annotations

from dataclasses import fields

from dreamreview.settings import Budget, Settings, values
from dreamreview.tui.app import DreamReviewApp
from dreamreview.tui.detail.rows import Words
from dreamreview.tui.detail.wishes import wish_rows
from dreamreview.tui.surroundings import Surroundings
from tests.tui.fake import workspace
from tests.tui.host import Clock, Host


def told(settings: Settings) -> list[str]:
    return ["".join(part.text for part in row.parts) for row in wish_rows(settings, "dream") if isinstance(row, Words)]


def test_every_key_of_the_configuration_is_told() -> None:
    shown = {line.split()[0] for line in told(Settings()) if line}
    assert values.KEYS.keys() <= shown


def test_what_is_no_key_is_not_told_for_one() -> None:
    assert {field.name for field in fields(Settings)} - values.KEYS.keys() == {
        "source",
        "folder",
        "claude_settings",
        "now",
        "editor",
        "has_colour",
        "process",
    }


def test_values_stand_beside_their_names_and_secrets_are_only_counted() -> None:
    lines = told(
        Settings(
            source="/home/ines/.config/dreamreview/config.toml",
            stores=("/home/ines/memory",),
            engine="command",
            command=("tidy", "--all"),
            budgets=Budget(turns=20, cost_usd=0.5),
            secrets=("quay_", "tern_"),
            process={"ANTHROPIC_API_KEY": "Gannet-5521-Harbour"},
        )
    )
    assert lines[0] == "read from  /home/ines/.config/dreamreview/config.toml"
    assert "stores            /home/ines/memory  what the inbox and --all look after" in lines
    assert "budgets           turns 20, cost_usd 0.5" in lines
    assert "command           tidy --all  what the engine of that name runs" in lines
    assert "secrets           2 beginnings of keys  masked beside those of known issuers" in lines
    assert not any("quay_" in line or "Gannet" in line for line in lines)


async def test_comma_shows_the_settings() -> None:
    settings = Settings(keymap={"deciding.accept": "y"}, hours=12)
    app = DreamReviewApp(Surroundings(workspace(), Clock()), watch=None, settings=settings)
    async with app.run_test(size=(100, 40)) as pilot:
        host = Host(app, pilot, workspace())
        await host.sees("0 of 5 decided")
        await host.press("comma")
        await host.sees("Settings")
        assert "keymap            deciding.accept = y" in host.text
        assert "hours             12" in host.text
        await host.press("escape")
        await host.sees("0 of 5 decided")
