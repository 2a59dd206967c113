"""The user's own keys: laid over the bindings of a screen, and where two commands then share one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from textual.binding import Binding, BindingsMap

from dreamreview.tui.commands.base import CommandType

Meet = Callable[[CommandType, CommandType], bool]
"""Tells whether two commands of a screen can hold at the same moment."""


def rebound(usual: BindingsMap, keymap: Mapping[str, str]) -> BindingsMap:
    """Return bindings with the user's keys in place of the usual ones of their commands, and before all others.

    A command keeps its key where only another command that shares it was moved.
    """
    every: dict[tuple[str, str], Binding] = {}
    for _, binding in usual:
        every.setdefault((binding.id or "", binding.action), binding)
    moved = {binding.id for binding in every.values() if binding.id in keymap}
    chosen = [
        replace(binding, key=keymap[binding.id]) for binding in every.values() if binding.id and binding.id in moved
    ]
    kept = [binding for _, binding in usual if binding.id not in moved]
    return BindingsMap([*(replace(binding, key_display=None) for binding in chosen), *kept])


def keys_of(command: CommandType, keymap: Mapping[str, str]) -> list[str]:
    """Return the keys of a command under a keymap, as Textual names them."""
    binding = command.binding()
    given = replace(binding, key=keymap.get(command.id(), binding.key))
    return [made.key for made in Binding.make_bindings([given])]


def clashes(commands: Iterable[CommandType], keymap: Mapping[str, str], can_meet: Meet) -> Iterator[str]:
    """Yield one sentence for each key that the keymap gives to a command while another that can hold has it too."""
    every = list(commands)
    keys = {command: keys_of(command, keymap) for command in every}
    for place, one in enumerate(every):
        for other in every[place + 1 :]:
            if not {one.id(), other.id()} & keymap.keys() or not can_meet(one, other):
                continue
            first, second = (one, other) if one.id() in keymap else (other, one)
            for key in keys[one]:
                if key in keys[other]:
                    yield (
                        f"{key} is the key of {first.title()} ({first.id()}) and of {second.title()} ({second.id()}): "
                        f"it does the first; give one of them another key under [keymap]"
                    )


def unknown(commands: Iterable[CommandType], keymap: Mapping[str, str]) -> Iterator[str]:
    """Yield one sentence for each id of a keymap that no command has."""
    known = {command.id() for command in commands}
    for name in keymap:
        if name not in known:
            yield f"[keymap] names {name}, which is no command: the help and the palette name them"
