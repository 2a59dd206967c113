"""Draws the screens of the app into screenshots/: SVG as Textual exports it, PNG for places that show no SVG.

    python tests/screenshots.py [FOLDER]

Needs DejaVu Sans Mono (package fonts-dejavu-core) and resvg-py: without the font, resvg draws empty screens and says
nothing, so this fails instead.
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

os.environ["TEXTUAL_ANIMATIONS"] = "none"
os.environ.pop("NO_COLOR", None)
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

FONT = "DejaVu Sans Mono"
FONT_FOLDERS = ("/usr/share/fonts/truetype/dejavu", "/usr/share/fonts/TTF", "/usr/share/fonts/dejavu-sans-mono-fonts")
WIDE, SMALL = (120, 36), (80, 24)
STORES = {"stores": (100, 20)}
"""Pictures of the inbox over several stores, by name with their size."""


def font_folder() -> str:
    """Return the folder that holds the font."""
    for folder in FONT_FOLDERS:
        if os.path.exists(os.path.join(folder, "DejaVuSansMono.ttf")):
            return folder
    sys.exit(f"{FONT} is missing in {', '.join(FONT_FOLDERS)}: install fonts-dejavu-core")


def to_png(svg: str, folder: str) -> bytes:
    """Draw an SVG with the one font."""
    import resvg_py

    svg = re.sub(r"@font-face\s*{[^}]*}", "", svg)
    svg = re.sub(r"font-family:[^;]*;", f"font-family: {FONT};", svg)
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg, font_dirs=[folder], skip_system_fonts=True, font_family=FONT, monospace_family=FONT
        )
    )


def scenes() -> dict[str, tuple[tuple[int, int], Callable[..., Awaitable[None]]]]:
    """Return name to size and what is pressed before the picture is taken."""

    async def at_start(host: object) -> None:
        del host

    def pressing(*keys: str, sees: str = "") -> Callable[..., Awaitable[None]]:
        async def press(host: object) -> None:
            from tests.tui.host import Host

            assert isinstance(host, Host)
            for key in keys:
                await host.press(key)
            if sees:
                await host.sees(sees)

        return press

    async def browsing(host: object) -> None:
        from tests.tui.host import Host

        assert isinstance(host, Host)
        await host.press("m")
        await host.until(lambda: "finding" in host.text and not re.search(r"reading|comparing", host.text))
        await host.press("j", "l")

    return {
        "review": (WIDE, at_start),
        "review-80": (SMALL, pressing("a", "r")),
        "conflict": (WIDE, pressing("}")),
        "conflict-80": (SMALL, pressing("}")),
        "apply": (WIDE, pressing("A", "b", "a", "a", "ctrl+s", sees="y writes")),
        "help": (SMALL, pressing("question_mark")),
        "inbox": (SMALL, pressing("q", sees="pending")),
        "memory": (WIDE, browsing),
        "lines": (SMALL, pressing("v", "space")),
        "narrow": ((40, 12), at_start),
    }


async def draw(name: str, folder: Path, fonts: str) -> None:
    """Draw one scene."""
    from tests.tui.host import running, running_several
    from tests.tui.sample import sample_store, sample_stores

    if name in STORES:
        async with running_several(sample_stores(), size=STORES[name]) as host:
            await host.sees(r"stores · 5 pending · \d+ undecided · 1 cannot be read *\n")
            svg = host.app.export_screenshot(title="dreamreview")
    else:
        size, act = scenes()[name]
        async with running(sample_store(), size=size) as host:
            await host.sees(r"\d+ of \d+ dec")
            await act(host)
            await host.pilot.pause()
            svg = host.app.export_screenshot(title="dreamreview")
    (folder / f"{name}.svg").write_text(svg, encoding="utf-8")
    (folder / f"{name}.png").write_bytes(to_png(svg, fonts))


async def main(folder: Path, only: str | None = None) -> None:
    """Draw all scenes."""
    fonts = font_folder()
    folder.mkdir(parents=True, exist_ok=True)
    for name in (*scenes(), *STORES):
        if only is None or name in only.split(","):
            await draw(name, folder, fonts)
            sys.stdout.write(f"{folder / name}.png\n")


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[1] / "screenshots"
    asyncio.run(main(target, sys.argv[2] if len(sys.argv) > 2 else None))
