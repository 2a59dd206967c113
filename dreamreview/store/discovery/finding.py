"""Which memory folders a person may mean who names none: configured, around the current folder, of Claude Code."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dreamreview.store.discovery.layouts import holds_memory, memories_of, problem_of, repository_of
from dreamreview.store.discovery.slugs import Projects, from_home, slug_of

PROJECTS = 2000
"""Projects of Claude Code that are looked at."""
CONFIGURED = "the configuration"
HERE = "the current folder"
CLAUDE = "Claude Code"


@dataclass(frozen=True, slots=True)
class FoundStore:
    """One memory folder, and where it comes from."""

    folder: str
    """Absolute, as it was reached."""
    source: str
    """Who led to it, for people: ``the configuration``, ``the current folder``, ``Claude Code``, a place in it."""
    label: str
    """What it is about, for people: a project, else the folder itself."""
    problem: str = ""
    """Why it cannot be looked at; empty where it can."""


@dataclass(frozen=True, slots=True)
class Found:
    """All that was found, each folder once, the nearest first."""

    stores: tuple[FoundStore, ...] = ()
    problems: tuple[str, ...] = ()
    """What could not be looked through, one sentence each."""

    @property
    def usable(self) -> tuple[FoundStore, ...]:
        """Those that can be looked at."""
        return tuple(store for store in self.stores if not store.problem)


@dataclass(frozen=True, slots=True)
class Places:
    """Where to look."""

    here: str
    """The current folder, absolute."""
    home: str
    """The home folder of the person."""
    claude: str
    """Where Claude Code keeps its own, such as ``~/.claude``."""
    configured: tuple[str, ...] = ()
    moved: str | None = None
    """The folder that Claude Code's settings name instead."""


def find(places: Places) -> Found:
    """Return the memory folders there are; none is opened, and no folder is walked deeper than its layout says.

    Empty folders are left out, but for those of the configuration. A folder that several ways or links lead to is
    there once, by the first of them. What cannot be read stays, with its problem, behind the others.
    """
    problems: list[str] = []
    once: dict[str, FoundStore] = {}
    for store in _candidates(places, problems):
        once.setdefault(os.path.realpath(store.folder), store)
    return Found(tuple(sorted(once.values(), key=lambda store: bool(store.problem))), tuple(problems))


def around(here: str, home: str) -> tuple[FoundStore, ...]:
    """Return the memory folders of the current folder, else of the repository around it."""
    return tuple(_of_project(here, home)) or tuple(_of_repository(here, home))


def _candidates(places: Places, problems: list[str]) -> Iterator[FoundStore]:
    for folder in places.configured:
        problem = problem_of(folder) or ("" if os.path.isdir(folder) else "there is no such folder")
        yield FoundStore(folder, CONFIGURED, from_home(folder, places.home), problem)
    yield from around(places.here, places.home)
    if places.moved is not None and (holds_memory(places.moved) or problem_of(places.moved)):
        label = from_home(places.moved, places.home)
        yield FoundStore(places.moved, "Claude Code's settings", label, problem_of(places.moved))
    yield from _of_claude(places, problems)


def _of_project(project: str, home: str) -> Iterator[FoundStore]:
    for inner in memories_of(project):
        folder = os.path.normpath(os.path.join(project, inner))
        yield FoundStore(folder, HERE if inner == "." else inner, from_home(project, home))


def _of_repository(here: str, home: str) -> Iterator[FoundStore]:
    root = repository_of(here)
    if root is not None and root not in (here, home):
        yield from _of_project(root, home)


def _of_claude(places: Places, problems: list[str]) -> Iterator[FoundStore]:
    """Yield the memory of each project of Claude Code, that of the current one first, the others by their name."""
    top = os.path.join(places.claude, "projects")
    projects, here = Projects(places.home), {slug_of(places.here), slug_of(repository_of(places.here) or places.here)}
    found: list[tuple[bool, str, FoundStore]] = []
    for slug in _projects(top, problems):
        folder = os.path.join(top, slug, "memory")
        problem = problem_of(folder)
        if problem or holds_memory(folder):
            store = FoundStore(folder, CLAUDE, projects.label(slug), problem)
            found.append((slug not in here, store.label.casefold(), store))
    yield from (store for _, _, store in sorted(found, key=lambda each: each[:2]))


def _projects(top: str, problems: list[str]) -> Sequence[str]:
    try:
        with os.scandir(top) as entries:
            names = sorted(entry.name for entry in entries if entry.name[:1] != ".")
    except FileNotFoundError:
        return ()
    except OSError as error:
        problems.append(f"{top} cannot be read: {(error.strerror or str(error)).lower()}")
        return ()
    if len(names) > PROJECTS:
        problems.append(f"{top} holds {len(names)} projects; only the first {PROJECTS} were looked at")
    return names[:PROJECTS]
