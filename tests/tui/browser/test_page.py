from __future__ import annotations

import re

import pytest

from dreamreview.tui.browser.page import ASSETS, asset, headers, page

KEY = "00112233445566778899aabbccddeeff"


def test_the_page_finds_its_app_where_it_came_from() -> None:
    assert f'"ws://localhost:9000/{KEY}/socket"' in page("/home/a/memory", "localhost:9000", KEY)


def test_a_folder_cannot_write_into_the_page() -> None:
    made = page('/tmp/"><script>$socket</script>\udcff', "127.0.0.1:80", KEY)
    assert "&quot;&gt;&lt;script&gt;$socket&lt;/script&gt;�" in made
    assert made.count("<script") == 2


@pytest.mark.parametrize("name", ASSETS)
def test_every_part_of_the_page_is_there(name: str) -> None:
    found = asset(name)
    assert found is not None
    assert len(found[0]) > 100
    assert found[1] == ASSETS[name][2]


@pytest.mark.parametrize("name", ["", "page.html", "../page.py", "nothing.js"])
def test_there_is_nothing_else_to_ask_for(name: str) -> None:
    assert asset(name) is None


def test_the_page_names_only_its_own_parts() -> None:
    style = (asset("page.css") or (b"", ""))[0].decode()
    named = re.findall(r"(?:src|href)=\"([^\"]*)\"", page("/m", "127.0.0.1:80", KEY)) + re.findall(r"url\(.*?\)", style)
    assert sorted(set(named)) == [
        "",
        "data:,",
        "part/mono.ttf",
        "part/page.css",
        "part/page.js",
        "part/textual.js",
        "part/xterm.css",
        'url("mono.ttf")',
    ]


def test_the_page_has_no_script_of_its_own_and_is_allowed_none() -> None:
    made = page("/m", "127.0.0.1:80", KEY)
    assert re.findall(r"<script[^>]*>", made) == ['<script src="part/textual.js">', '<script src="part/page.js">']
    assert re.findall(r"\son\w+=", made) == []
    assert "script-src 'self';" in headers("127.0.0.1:80")["Content-Security-Policy"]


def test_the_browser_is_told_to_ask_nobody_else() -> None:
    told = headers("127.0.0.1:80")
    policy = told["Content-Security-Policy"]
    assert policy.startswith("default-src 'none';")
    assert "connect-src ws://127.0.0.1:80;" in policy
    assert "frame-ancestors 'none'" in policy
    assert re.findall(r"https?:|\*", policy) == []
    assert told["Referrer-Policy"] == "no-referrer"
    assert told["Cache-Control"] == "no-store"
