"""What the user wants: read strictly, refused in one line that names file and key, never from a memory folder."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as laws
from hypothesis import strategies as st

from dreamreview.errors import UsageError
from dreamreview.model.secrets import described, find_secrets, mask
from dreamreview.settings import Budget, Chosen, Settings, choose_folder, load, private_folder, stated


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in list(os.environ):
        if name.startswith(("DREAMREVIEW", "XDG_", "CLAUDE")) or name in {"VISUAL", "EDITOR", "NO_COLOR"}:
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    return tmp_path / "home"


def _load(tmp_path: Path, text: str | bytes, **environment: str) -> Settings:
    path = tmp_path / "config.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return load({"DREAMREVIEW_CONFIG": str(path), **environment})


def test_without_a_file_the_defaults_hold() -> None:
    found = load()
    assert found.stores == ()
    assert found.ignore == (".consolidate-lock", ".DS_Store")
    assert found.size_limit == 8 * 1024 * 1024
    assert (found.engine, found.hours, found.sessions) == ("local", 24, 5)
    assert found.retention == {"session_state": 90, "compact_summary": 90}
    assert (found.source, found.now, found.folder, found.has_colour, found.editor) == (None, None, None, True, "")


def test_the_environment_is_kept_for_engines_and_told_to_nobody() -> None:
    found = load({"MY_KEY": "invented-secret"})
    assert found.process["MY_KEY"] == "invented-secret"
    assert "invented-secret" not in repr(found)
    assert (found.engine, found.model, found.command, found.environment) == ("local", None, (), ())


def test_keys_of_a_kind_that_the_user_names_are_masked_until_they_are_not_named(tmp_path: Path) -> None:
    line = f"- The mailer uses {'kite_' + '7Hq2'}Lm93Xc since May, kite_sail_colours is a table."
    assert mask(line) == line
    assert _load(tmp_path, "secrets = ['kite_']").secrets == ("kite_",)
    try:
        assert mask(line) == "- The mailer uses *** since May, kite_sail_colours is a table."
        assert [described(span.rule) for span in find_secrets(line)] == ["a key of a kind that you named"]
    finally:
        assert load().secrets == ()
    assert mask(line) == line


def test_private_copies_lie_in_the_cache_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/var/cache/kay")
    assert private_folder() == "/var/cache/kay/dreamreview/dreams"


def test_everything_can_be_stated(tmp_path: Path, home: Path) -> None:
    found = _load(
        tmp_path,
        """
        stores = ["~/notes", "work/memory", "/srv/memory", "~/notes"]
        ignore = ["*.bak", "drafts/**"]
        size_limit = "2 MiB"
        engine = "command"
        command = ["my-dreamer", "--quick"]
        model = "dreamer-4.2"
        effort = "high"
        timeout = 90
        environment = ["MY_KEY", "_other2"]
        transcripts = ["~/sessions", "chats/today.jsonl"]
        hosted_sessions = ["sesn_01Ab", "sesn_02"]
        hours = 12.5
        sessions = 3
        theme = "daylight"
        [keymap]
        accept = "y,ctrl+a"
        [budgets]
        turns = 30
        tokens = 100000
        seconds = 90
        cost_usd = 1.5
        changes = 40
        [retention]
        session_state = 30
        note = "45d"
        rule = "forever"
        """,
    )
    assert found.stores == (str(home / "notes"), str(tmp_path / "work/memory"), "/srv/memory")
    assert found.ignore == ("*.bak", "drafts/**")
    assert found.size_limit == 2 * 1024 * 1024
    assert (found.engine, found.command) == ("command", ("my-dreamer", "--quick"))
    assert (found.model, found.effort, found.timeout) == ("dreamer-4.2", "high", 90.0)
    assert found.environment == ("MY_KEY", "_other2")
    assert found.transcripts == (str(home / "sessions"), str(tmp_path / "chats/today.jsonl"))
    assert (found.gates.hours, found.gates.sessions) == (12.5, 3)
    assert found.hosted_sessions == ("sesn_01Ab", "sesn_02")
    assert found.keymap == {"accept": "y,ctrl+a"}
    assert found.theme == "daylight"
    assert found.budgets == Budget(turns=30, tokens=100_000, seconds=90.0, cost_usd=1.5, changes=40)
    assert found.policy.retention_days == {"session_state": 30, "note": 45, "rule": None}
    assert found.source == str(tmp_path / "config.toml")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("stores = 'x'", "stores: it must be a list of texts"),
        ("stores = ['']", "stores: it must be a list of texts"),
        ("ignore = [1]", "ignore: it must be a list of texts"),
        ("size_limit = 0", "size_limit: it must be a number of bytes above 0"),
        ("size_limit = true", "size_limit: it must be a number of bytes"),
        ("size_limit = '8 parsecs'", "size_limit: it must be a number of bytes"),
        ("size_limit = -5", "size_limit: it must be a number of bytes"),
        ("keymap = 'vi'", "keymap: it must be a table"),
        ("theme = 3", "theme: it must be the name of a theme"),
        ("theme = ''", "theme: it must be the name of a theme"),
        ("[keymap]\naccept = 1", "keymap.accept: it must name a key"),
        ("engine = 'gpt'", "engine: it must be one of local, claude, hosted, command"),
        ("engine = ['local']", "engine: it must be one of"),
        ("engine = 'command'", "command: it must say what the command engine runs"),
        ("model = 'a model'", "model: it must be the id of a model"),
        ("effort = 'utmost'", "effort: it must be one of low, medium, high, xhigh, max"),
        ("timeout = 0", "timeout: it must be a number above 0"),
        ("environment = ['A=1']", "environment: A=1 is no name of an environment variable"),
        ("environment = 'KEY'", "environment: it must be a list of texts"),
        ("transcripts = [1]", "transcripts: it must be a list of texts"),
        ("hosted_sessions = 'sesn_1'", "hosted_sessions: it must be a list of texts"),
        ("hosted_sessions = ['a/b']", "hosted_sessions: it must be a list of at most 100 ids of sessions"),
        ("hosted_sessions = ['a', 'a']", "hosted_sessions: it must be a list of at most 100 ids of sessions"),
        ("[budgets]\nchanges = 0", "budgets.changes: it must be a whole number above 0"),
        ("hours = 0", "hours: it must be a number above 0"),
        ("hours = nan", "hours: it must be a number above 0"),
        ("hours = inf", "hours: it must be a number above 0"),
        ("hours = 1e9", "hours: it must be at most 100000"),
        ("hours = true", "hours: it must be a number above 0"),
        ("sessions = 2.5", "sessions: it must be a whole number above 0"),
        ("sessions = 0", "sessions: it must be a whole number above 0"),
        ("[retention]\nnote = 0", "retention.note: it must be a number of days above 0"),
        ("[retention]\nnote = '0d'", "retention.note: it must be a number of days above 0"),
        ("[retention]\nnote = 'for ever'", "retention.note: it must be a number of days above 0"),
        ('[retention]\n"a\\nb" = true', "retention.'a\\nb': it must be a number of days above 0"),
        ("[budgets]\nmoney = 1", "budgets.money: there is no such key; known are turns, tokens, seconds, cost_usd"),
        ("[budgets]\ncost_usd = 0", "budgets.cost_usd: it must be a number above 0"),
        ("[budgets]\nturns = 1.5", "budgets.turns: it must be a whole number above 0"),
        ("secrets = ['ab']", "secrets: ab is no beginning of a key: 3 to 40 letters, digits, _, . and -"),
        ("secrets = ['.*']", "secrets: .* is no beginning of a key"),
        ("horus = 5", "horus: there is no such key; known are stores, ignore, size_limit"),
        ("hours = ", "it is not TOML: "),
        ("hours = 1\nhours = 2", "it is not TOML: "),
        (b"\xff\xfe", "it is not UTF-8 text (at byte 0)"),
    ],
)
def test_a_mistake_is_one_line_that_names_file_and_key(tmp_path: Path, text: str | bytes, place: str) -> None:
    with pytest.raises(UsageError) as caught:
        _load(tmp_path, text)
    message = str(caught.value)
    assert message.startswith(f"{tmp_path / 'config.toml'}: {place}")
    assert "\n" not in message


@pytest.mark.parametrize(
    ("stated", "size"), [("1", 1), ("'1'", 1), ("'3 kB'", 3000), ("'3KiB'", 3072), ("'1 GiB'", 1 << 30)]
)
def test_a_size_may_have_a_unit(tmp_path: Path, stated: str, size: int) -> None:
    assert _load(tmp_path, f"size_limit = {stated}").size_limit == size


def test_a_named_file_must_be_there_and_readable(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"none\.toml does not exist; correct DREAMREVIEW_CONFIG"):
        load({"DREAMREVIEW_CONFIG": str(tmp_path / "none.toml")})
    with pytest.raises(UsageError, match="cannot be read: is a directory"):
        load({"DREAMREVIEW_CONFIG": str(tmp_path)})
    with pytest.raises(UsageError, match="larger than a configuration can be"):
        _load(tmp_path, " " * ((1 << 20) + 1))


def test_the_file_of_the_user_is_found(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "xdg"))
    (home / "xdg/dreamreview").mkdir(parents=True)
    (home / "xdg/dreamreview/config.toml").write_bytes(b"\xef\xbb\xbfhours = 7\r\n")
    assert load().hours == 7
    assert load().source == str(home / "xdg/dreamreview/config.toml")


def test_an_empty_variable_is_none() -> None:
    names = ("DREAMREVIEW_CONFIG", "DREAMREVIEW_NOW", "DREAMREVIEW_FOLDER", "NO_COLOR", "VISUAL", "EDITOR")
    found = load(dict.fromkeys(names, ""))
    assert (found.source, found.now, found.folder, found.has_colour, found.editor) == (None, None, None, True, "")


def test_editor_and_colour_come_from_the_environment() -> None:
    assert load({"EDITOR": "vi", "NO_COLOR": "1"}).has_colour is False
    assert load({"EDITOR": "vi"}).editor == "vi"
    assert load({"EDITOR": "vi", "VISUAL": "code --wait"}).editor == "code --wait"


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("2026-09-15T12:00:00Z", datetime(2026, 9, 15, 12, tzinfo=UTC)),
        ("2026-09-15t12:00:00.25z", datetime(2026, 9, 15, 12, 0, 0, 250_000, tzinfo=UTC)),
        ("2026-09-15 14:00:00+02:00", datetime(2026, 9, 15, 12, tzinfo=UTC)),
        ("2026-09-15T12:00:00.123456789Z", datetime(2026, 9, 15, 12, 0, 0, 123_456, tzinfo=UTC)),
    ],
)
def test_the_clock_can_be_fixed(text: str, instant: datetime) -> None:
    found = load({"DREAMREVIEW_NOW": text})
    assert found.clock() == found.clock() == instant
    assert found.clock().utcoffset() == timedelta(0)


@pytest.mark.parametrize(
    "text",
    ["now", "2026-09-15", "2026-09-15T12:00:00", "2026-13-01T00:00:00Z", "2026-09-15T12:00Z", "1757937600",
     "0001-01-01T00:00:00+14:00", "2026-09-15T12:00:00Z\n", "\x1b[2J"],
)  # fmt: skip
def test_an_instant_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"DREAMREVIEW_NOW: .* is no RFC 3339 instant") as caught:
        load({"DREAMREVIEW_NOW": text})
    assert str(caught.value).isprintable()


def test_an_unfixed_clock_runs() -> None:
    before = datetime.now(UTC)
    assert before <= load({}).clock() <= datetime.now(UTC)


def test_the_folder_is_taken_from_the_nearest_source(tmp_path: Path, home: Path) -> None:
    config = "stores = ['/srv/memory']"
    (home / ".claude").mkdir()
    claude = home / ".claude/settings.json"
    claude.write_text('{"autoMemoryDirectory": "~/claude-memory"}')
    full = _load(tmp_path, config, DREAMREVIEW_FOLDER="~/env")
    here = str(tmp_path / "elsewhere")
    assert choose_folder("sub", full) == Chosen(f"{here}/sub", "the command line")
    assert choose_folder(None, full) == Chosen(str(home / "env"), "DREAMREVIEW_FOLDER")
    assert choose_folder(None, _load(tmp_path, config)) == Chosen("/srv/memory", str(tmp_path / "config.toml"))
    assert choose_folder(None, load()) == Chosen(str(home / "claude-memory"), str(claude))
    claude.write_text("{broken")
    Path("MEMORY.md").touch()
    assert choose_folder(None, load()) == Chosen(here, "the current folder")
    Path("MEMORY.md").unlink()
    with pytest.raises(UsageError, match="no memory folder: name one"):
        choose_folder(None, load())


def test_a_command_takes_the_one_memory_of_the_current_folder_in_any_layout(tmp_path: Path) -> None:
    serena = tmp_path / "elsewhere/.serena/memories"
    serena.mkdir(parents=True)
    (serena / "build.md").write_text("- the build takes an hour\n")
    assert choose_folder(None, load()) == Chosen(str(serena), "the current folder")
    bank = tmp_path / "elsewhere/memory-bank"
    bank.mkdir()
    (bank / "progress.md").write_text("- half of it\n")
    with pytest.raises(UsageError) as caught:
        choose_folder(None, load())
    assert str(caught.value) == f"name one of the memory folders of the current folder: {serena}, {bank}"


def test_what_is_only_found_is_not_chosen_by_environment_or_configuration(tmp_path: Path, home: Path) -> None:
    (home / ".claude").mkdir()
    (home / ".claude/settings.json").write_text('{"autoMemoryDirectory": "~/claude-memory"}')
    Path("MEMORY.md").touch()
    assert stated(None, load()) is None
    assert stated(None, _load(tmp_path, "stores = ['a', 'b']")) is None
    assert stated(None, _load(tmp_path, "stores = ['a']")) == Chosen(str(tmp_path / "a"), str(tmp_path / "config.toml"))
    assert stated("x", load()) == Chosen(str(tmp_path / "elsewhere/x"), "the command line")


def test_of_several_stores_the_one_around_the_current_folder_is_meant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = _load(tmp_path, "stores = ['a', 'a/b', 'c', 'ab']")
    (tmp_path / "a/b/deep").mkdir(parents=True)
    with pytest.raises(UsageError, match=r"name one of the configured folders: .*/a, .*/a/b, .*/c, .*/ab"):
        choose_folder(None, found)
    monkeypatch.chdir(tmp_path / "a/b/deep")
    assert choose_folder(None, found).folder == str(tmp_path / "a/b")
    monkeypatch.chdir(tmp_path / "a")
    assert choose_folder(None, found).folder == str(tmp_path / "a")


def test_a_configuration_inside_the_memory_folder_is_refused(tmp_path: Path) -> None:
    found = _load(tmp_path, "hours = 3")
    (tmp_path / "alias").symlink_to(tmp_path)
    for folder in (tmp_path, tmp_path / "alias"):
        with pytest.raises(UsageError, match="is inside the memory folder; move the configuration out of it"):
            choose_folder(str(folder), found)
    assert choose_folder(str(tmp_path / "home"), found).folder == str(tmp_path / "home")


@laws(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from(["stores", "ignore", "size_limit", "keymap", "theme", "engine", "command", "retention", "hours"]),
    st.sampled_from(["[]", "{}", "''", "'x'", "1", "-1", "0.5", "true", "nan", "1979-05-27", "[[1]]", "{a = {b = 1}}"]),
)
def test_any_value_is_read_or_refused(tmp_path: Path, key: str, value: str) -> None:
    refusal, found = "", None
    try:
        found = _load(tmp_path, f"{key} = {value}")
    except UsageError as error:
        refusal = str(error)
    assert (found is None) == refusal.startswith(f"{tmp_path / 'config.toml'}: ")
