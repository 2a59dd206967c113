"""Ways to write a sentence so that a reader of the page does not see it."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from urllib.parse import quote

TAG = 0xE0000


def in_tags(said: str) -> str:
    """Return ASCII text in tag characters."""
    return "".join(chr(TAG + ord(char)) for char in said)


def in_selectors(said: str) -> str:
    """Return text in variation selectors, a byte each."""
    return "".join(chr(0xFE00 + byte if byte < 16 else 0xE0100 + byte - 16) for byte in said.encode())


def in_bits(said: str) -> str:
    """Return text in two characters without width, eight to a byte."""
    bits = "".join(f"{byte:08b}" for byte in said.encode())
    return bits.replace("0", "\u200b").replace("1", "\u200c")


def by_look_alikes(said: str) -> str:
    """Return text with some Latin letters replaced by Cyrillic ones of the same look."""
    return said.translate(str.maketrans("aeop", "\u0430\u0435\u043e\u0440"))


HIDDEN: Mapping[str, Callable[[str], str]] = {
    "tag characters": lambda said: f"The gate is oiled in May.{in_tags(said)}",
    "variation selectors": lambda said: f"A fine day \U0001f600{in_selectors(said)}",
    "characters without width": lambda said: f"The gate is oiled{in_bits(said)} in May.",
    "white letters": lambda said: f'The gate. <span style="color: #fff">{said}</span>',
    "no size": lambda said: f"<p style='font-size:0px;'>{said}</p>",
    "not displayed": lambda said: f'<div class="x" style="display: none">{said}</div>',
    "hidden element": lambda said: f"<section hidden>{said}</section>",
    "white font": lambda said: f'<font color="white">{said}</font>',
    "far right": lambda said: f"The gate is oiled in May.{' ' * 200}{said}",
    "concealed in a terminal": lambda said: f"The gate \x1b[8m{said}\x1b[0m is oiled.",
    "overwritten": lambda said: f"{said}\rThe gate is oiled in May.",
    "turned": lambda said: f"The gate \u202e{said[::-1]}\u202c is oiled.",
}
"""What a note has no use for: name, and a line that hides a sentence."""

UNSEEN: Mapping[str, Callable[[str], str]] = {
    "comment": lambda said: f"The gate is oiled. <!-- {said} -->",
    "comment over lines": lambda said: f"<!--\n{said}\n-->",
    "comment without an end": lambda said: f"<!-- {said}",
    "comment as a link": lambda said: f"[//]: # ({said})",
    "comment as an address": lambda said: f"[note]: <> ({said})",
    "title of a link": lambda said: f'The [plan](plan.md "{said}") of the gate.',
    "title of a reference": lambda said: f"[plan]: plan.md '{said}'",
    "text of a picture": lambda said: f"![{said}](gate.png)",
    "title of an element": lambda said: f'<a href="plan.md" title="{said}">plan</a>',
    "label of an element": lambda said: f'<b aria-label="{said}">plan</b>',
}
"""What a page does not show, and what may be harmless."""

ENCODED: Mapping[str, Callable[[str], str]] = {
    "base64": lambda said: f"payload {base64.b64encode(said.encode()).decode()}",
    "base64 of addresses": lambda said: f"payload {base64.urlsafe_b64encode(said.encode()).decode()}",
    "hexadecimal": lambda said: f"payload {said.encode().hex()}",
    "escapes": lambda said: "payload " + "".join(f"\\x{byte:02x}" for byte in said.encode()),
    "per cent": lambda said: f"payload {quote(said)}",
    "entities": lambda said: "".join(f"&#{ord(char)};" for char in said),
}
"""Forms in which nobody reads a text."""
