from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from dreamreview.errors import StoreError
from dreamreview.store import git


def test_it_returns_the_bytes_of_stdout(tmp_path: Path) -> None:
    assert git.run(["hash-object", "--stdin"], cwd=str(tmp_path), data=b"hello\n") == (
        b"ce013625030ba8dba906f756967f9e9ca394464a\n"
    )


def test_a_failure_names_the_command_and_the_reason(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"git cat-file ended with status 128: fatal: .*"):
        git.run(["cat-file", "-p", "HEAD"], cwd=str(tmp_path))


def test_inherited_variables_do_not_reach_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    monkeypatch.setenv("GIT_INDEX_FILE", "/nowhere/index")
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.bare")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "what")
    repository = str(tmp_path / "history.git")
    git.run(["init", "-q", "--bare", repository], cwd=str(tmp_path))
    assert git.run(["rev-parse", "--is-bare-repository"], git_dir=repository) == b"true\n"
    assert os.environ["GIT_DIR"] == "/nowhere"


def test_a_users_configuration_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".gitconfig").write_text("[core\nbroken", encoding="ascii")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert git.run(["config", "--get", "core.autocrlf"], cwd=str(tmp_path)) == b"false\n"


def test_a_repository_above_the_folder_is_not_found(tmp_path: Path) -> None:
    git.run(["init", "-q", str(tmp_path)], cwd=str(tmp_path))
    (tmp_path / "inner").mkdir()
    with pytest.raises(StoreError, match="not a git repository"):
        git.run(["rev-parse", "--git-dir"], cwd=str(tmp_path / "inner"))


def test_git_missing_from_path_is_one_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(StoreError, match="git was not found: install git"):
        git.run(["version"])
    os.symlink("/usr/bin/env", tmp_path / "env")
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    with pytest.raises(StoreError, match="git was not found: install git"):
        git.run(["version"])


def test_git_missing_at_import_is_the_same_error(tmp_path: Path) -> None:
    program = (
        "from dreamreview.store import git\nfrom dreamreview.errors import StoreError\n"
        "try:\n    git.run(['version'])\nexcept StoreError as error:\n    print(error)"
    )
    environment = {**os.environ, "PATH": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("git was not found: install git")


def test_importing_the_door_does_not_import_gitpython() -> None:
    program = "import sys, dreamreview.store.differ as _; print('git' in sys.modules, 'unidiff' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False False\n"


BLOB = b"blob\nmark :1\ndata 6\nhello\n\n"
COMMIT = b"commit refs/heads/main\ncommitter a <a@b> 1 +0000\ndata 1\nm\nM 100644 :1 a.md\n"
IMPORT = ["fast-import", "--quiet"]


@pytest.fixture
def repository(tmp_path: Path) -> str:
    git.run(["init", "-q", "--bare", str(tmp_path / "history.git")], cwd=str(tmp_path))
    return str(tmp_path / "history.git")


def names(repository: str) -> list[str]:
    return git.run(["for-each-ref", "--format=%(refname)"], git_dir=repository).decode("ascii").split()


def test_a_command_beside_a_block_gets_its_stdin_in_two_parts(repository: str) -> None:
    given: list[int] = []

    def texts() -> Iterator[bytes]:
        yield BLOB
        for n in range(40):
            yield b"blob\ndata 70000\n" + b"%07d\n" % n * 8750
            given.append(n)

    def rest() -> Iterator[bytes]:
        assert len(given) == 40, "the rest is asked for once the first part is through"
        yield COMMIT
        yield b"get-mark :1\n"

    with git.running(IMPORT, git_dir=repository, parts=texts()) as command:
        assert names(repository) == []
        assert command.finish(rest()) == b"ce013625030ba8dba906f756967f9e9ca394464a\n"
    assert names(repository) == ["refs/heads/main"]
    assert git.run(["show", "main:a.md"], git_dir=repository) == b"hello\n"


@pytest.mark.parametrize("error", [OSError("a pipe is gone"), MemoryError(), ValueError("surrogates")])
def test_a_command_whose_stdin_cannot_be_worked_out_makes_no_commit(repository: str, error: Exception) -> None:
    def texts() -> Iterator[bytes]:
        yield BLOB
        raise error

    with (
        pytest.raises(StoreError, match=r"git fast-import was not given all that it was to work on"),
        git.running(IMPORT, git_dir=repository, parts=texts()) as command,
    ):
        command.finish([COMMIT])
    assert names(repository) == []


def test_a_block_that_fails_leaves_no_command_running_and_no_commit(repository: str) -> None:
    seen: list[git.Running] = []

    def fail() -> None:
        with git.running(IMPORT, git_dir=repository, parts=[BLOB]) as command:
            seen.append(command)
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert [command.status for command in seen] == [0]
    assert names(repository) == []


def test_a_command_that_fails_early_says_so_when_it_is_waited_for(repository: str) -> None:
    far_more_than_a_pipe_holds = b"nonsense\n" * 100_000
    with git.running(IMPORT, git_dir=repository, parts=[far_more_than_a_pipe_holds]) as command:
        with pytest.raises(StoreError, match=r"git fast-import ended with status 128: fatal: Unsupported command"):
            command.finish([COMMIT])
        assert command.status == 128


def test_a_command_is_not_started_where_git_is_missing(repository: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", repository)
    with pytest.raises(StoreError, match="git was not found"), git.running(IMPORT, git_dir=repository, parts=[BLOB]):
        pass
