"""What a browser is given: the page, its style and script, and the terminal and font that `textual-serve` ships.

Everything comes from this server, and the page's own policy lets the browser ask nobody else.
"""

from __future__ import annotations

from html import escape
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

ASSETS = {
    "page.css": ("dreamreview.tui.browser", "assets/page.css", "text/css"),
    "page.js": ("dreamreview.tui.browser", "assets/page.js", "text/javascript"),
    "xterm.css": ("textual_serve", "static/css/xterm.css", "text/css"),
    "textual.js": ("textual_serve", "static/js/textual.js", "text/javascript"),
    "mono.ttf": ("textual_serve", "static/fonts/RobotoMono-VariableFont_wght.ttf", "font/ttf"),
}
"""Name in the page's address to package, place in the package, and content type; there is nothing else to ask for."""


def page(title: str, host: str, key: str) -> str:
    """Return the page of the app under a title, for a browser that reached it under this name."""
    template = Template((files("dreamreview.tui.browser") / "assets" / "page.html").read_text("utf-8"))
    readable = title.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return template.substitute(title=escape(readable), socket=escape(f"ws://{host}/{key}/socket"))


def asset(name: str) -> tuple[bytes, str] | None:
    """Return the bytes and the content type of a part of the page, or None if it has no such part."""
    if name not in ASSETS:
        return None
    package, place, kind = ASSETS[name]
    file: Traversable = files(package)
    for part in place.split("/"):
        file = file / part
    return file.read_bytes(), kind


def headers(host: str) -> dict[str, str]:
    """Return what every answer tells the browser: load from here alone, be framed by nobody, keep and tell nothing."""
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src data:; "
        f"connect-src ws://{host}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return {
        "Content-Security-Policy": policy,
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Cache-Control": "no-store",
        "Referrer-Policy": "no-referrer",
        "Server": "dreamreview",
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
    }
