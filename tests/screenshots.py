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
from pathlib import Path

os.environ["TEXTUAL_ANIMATIONS"] = "none"
os.environ.pop("NO_COLOR", None)
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

FONT = "DejaVu Sans Mono"
FONT_FOLDERS = ("/usr/share/fonts/truetype/dejavu", "/usr/share/fonts/TTF", "/usr/share/fonts/dejavu-sans-mono-fonts")
WIDE, USUAL, TINY = (120, 36), (80, 24), (40, 12)
PICTURES = {
    "review": ("review", WIDE),
    "review-80": ("review", USUAL),
    "narrow": ("review", TINY),
    "decided": ("review-decided", USUAL),
    "lines": ("lines", USUAL),
    "sources": ("sources", USUAL),
    "conflict": ("conflict", WIDE),
    "conflict-80": ("conflict", USUAL),
    "settle": ("settle", USUAL),
    "bulk": ("bulk", USUAL),
    "editor": ("editor", USUAL),
    "apply": ("apply", USUAL),
    "applied": ("applied", USUAL),
    "history": ("history", USUAL),
    "memory": ("memory", WIDE),
    "inbox": ("inbox", USUAL),
    "stores": ("stores", (100, 20)),
    "dreaming": ("dreaming", USUAL),
    "help": ("help", USUAL),
    "palette": ("palette", USUAL),
}
"""Name of a picture to the scene it shows, and its size in cells."""


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


async def draw(name: str, folder: Path, fonts: str) -> None:
    """Draw one picture."""
    from tests.tui.scenes import SCENES

    scene, size = PICTURES[name]
    app, store = SCENES[scene].app()
    async with app.run_test(size=size, notifications=True) as pilot:
        await SCENES[scene].acting(store)(pilot)
        svg = app.export_screenshot(title="dreamreview")
    svg = re.sub(r"\bterminal-\d+-([\w-]+)", r"terminal-\1", svg)
    (folder / f"{name}.svg").write_text(svg, encoding="utf-8")
    (folder / f"{name}.png").write_bytes(to_png(svg, fonts))


async def main(folder: Path, only: str | None = None) -> None:
    """Draw all pictures."""
    fonts = font_folder()
    folder.mkdir(parents=True, exist_ok=True)
    for name in PICTURES:
        if only is None or name in only.split(","):
            await draw(name, folder, fonts)
            sys.stdout.write(f"{folder / name}.png\n")


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[1] / "screenshots"
    asyncio.run(main(target, sys.argv[2] if len(sys.argv) > 2 else None))
