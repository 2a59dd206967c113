from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamreview.model.secrets import REDACTED, find_secrets, mask, redact


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("key is sk-live-0000FAKE1111FAKE2222", "sk-live-0000FAKE1111FAKE2222"),
        ("deploy with ghp_0FAKE0FAKE0FAKE0FAKE please", "ghp_0FAKE0FAKE0FAKE0FAKE"),
        ("AWS: AKIA00FAKE00FAKE00FA.", "AKIA00FAKE00FAKE00FA"),
        ("slack xoxb-0000-1111-FAKEFAKE", "xoxb-0000-1111-FAKEFAKE"),
        ("google AIzaFAKE0000FAKE0000FAKE0000FAKE0000F", "AIzaFAKE0000FAKE0000FAKE0000FAKE0000F"),
        ("bot123456789:AAfake0000fake0000fake0000", "bot123456789:AAfake0000fake0000fake0000"),
        ("-H 'Authorization: Bearer aa00FAKE11bb22cc'", "aa00FAKE11bb22cc"),
        ("eyJhbGciOiJub25lIn0.eyJzdWIiOiJmYWtlIn0.c2ln", "eyJhbGciOiJub25lIn0.eyJzdWIiOiJmYWtlIn0.c2ln"),
        ("mysql://app:FAKE-pw-77@db.example.invalid/shop", "FAKE-pw-77"),
        ("DB_PASSWORD=swordfish", "swordfish"),
        ('"password": "Tr0mbone-9"', "Tr0mbone-9"),
        ("**Password:** `blue-kite-41`", "blue-kite-41"),
        ("the printer password is kite-41-blue.", "kite-41-blue"),
        ("密码：FAKE-0000-pw", "FAKE-0000-pw"),
        ("Passwort: FAKE-0000-pw", "FAKE-0000-pw"),
        ("| token | FAKE-0000-tok |", "FAKE-0000-tok"),
        ("API token for the mailer: `Fake77Fake88Fake99`", "Fake77Fake88Fake99"),
        ("the old access key, 0F1E2D3C4B5A69788796, still works", "0F1E2D3C4B5A69788796"),
        ("backup --api-token=Fake0000 --quiet", "Fake0000"),
        ("machine x login me password fakepass0", "fakepass0"),
        ("password: p@$$w0rd!x", "p@$$w0rd!x"),
        ("SMTP_PASS=FAKE-0000-mail", "FAKE-0000-mail"),
        ("SECRET_KEY_BASE=fake0000fake1111fake", "fake0000fake1111fake"),
        ("pw: FAKE-0000-pw", "FAKE-0000-pw"),
        ("Authorization: Basic RkFLRTpGQUtFRkFLRQ==", "RkFLRTpGQUtFRkFLRQ=="),
        ("Cookie: session=fake0000fake1111", "fake0000fake1111"),
        ("https://0123456789abcdef0123456789abcdef@errors.example.invalid/4", "0123456789abcdef0123456789abcdef"),
        ("https://hooks.slack.com/services/T00FAKE00/B00FAKE00/Fake0000Fake", "T00FAKE00/B00FAKE00/Fake0000Fake"),
        ("the password for the hall is blue-kite-41", "blue-kite-41"),
        ("FAKE-cabin-0000 is the password of the cabin", "FAKE-cabin-0000"),
        ("Passwort fürs WLAN: blau-0000-wal", "blau-0000-wal"),
        ("密码是：FAKE-0000-pw", "FAKE-0000-pw"),
        ("パスワードは FAKE-0000-pw", "FAKE-0000-pw"),
        ("пароль от сети: FAKE-0000-pw", "FAKE-0000-pw"),
        ("webhook https://hooks.example.invalid/in?token=FAKE0000FAKE0000", "FAKE0000FAKE0000"),
        ("密码是fake2025，不要外传", "fake2025"),
        ("口令：fake2025。", "fake2025"),
        ("https://example.invalid/in?token=TOKEN&access_token=aB3fAkE5fG7hI9jK", "aB3fAkE5fG7hI9jK"),
        ("credentials: guest/fake2025", "guest/fake2025"),
        ("password: Fake2025pw...", "Fake2025pw"),
        ("Right key: `qz_live_fake0fake1fake2fake3fake`.", "qz_live_fake0fake1fake2fake3fake"),
        ("Login credentials: otto@7seas.example / Kite2026!", "Kite2026!"),
        ("Login: `otto` / `Kite2026!`", "Kite2026!"),
        ("Login for the sail shop: otto / Kite2026!", "Kite2026!"),
        ("Log-in of the tide shop: otto / FAKE-tide-44xz", "FAKE-tide-44xz"),
        ("Zugangsdaten zum Hafen: otto / FAKE-tide-44xz", "FAKE-tide-44xz"),
        ("Basic auth: otto:FAKE-tide-44xz", "FAKE-tide-44xz"),
        ("user otto, pw FAKE-tide-44xz", "FAKE-tide-44xz"),
        ("The wifi key is FAKE-guest-4410", "FAKE-guest-4410"),
        ("Gate code: 4410#", "4410#"),
        ("PIN of the boat safe: 44107", "44107"),
        ("The alarm code is 44-10-7.", "44-10-7"),
        ("Password of the harbour database for all apprentices: fake-tide-77-pw", "fake-tide-77-pw"),
        ("Token of the tide server, put here by Ana: `td-Fake00Fake11Fake22`", "td-Fake00Fake11Fake22"),
    ],
)
def test_finds_the_value_and_nothing_else(text: str, secret: str) -> None:
    spans = find_secrets(text)
    assert [text[span.start : span.stop] for span in spans] == [secret]


def test_every_assignment_of_a_line_is_found() -> None:
    text = "MODIFY GUEST /PASSWORD=FAKE0077 /PASSWORD2=FAKE0088 /KEEP"
    assert [text[span.start : span.stop] for span in find_secrets(text)] == ["FAKE0077", "FAKE0088"]


def test_a_private_key_is_one_span_without_its_frame() -> None:
    text = "x\n-----BEGIN RSA PRIVATE KEY-----\nFAKEfake0000\nFAKEfake1111\n-----END RSA PRIVATE KEY-----\n"
    (span,) = find_secrets(text)
    assert text[span.start : span.stop] == "FAKEfake0000\nFAKEfake1111"


def test_a_private_key_that_never_ends_is_still_found() -> None:
    text = "-----BEGIN PRIVATE KEY-----\nMIIFAKE0000FAKE0000FAKE\n\nnext paragraph"
    assert "FAKE0000" not in mask(text)
    assert mask(text).endswith("next paragraph")


@pytest.mark.parametrize(
    "text",
    [
        "read from `PAYMENT_API_KEY`, no API key in the build",
        "the token is read from `$UPLOAD_TOKEN`",
        "export TOKEN=$(pass show mail)",
        "token: <token>",
        "password: ***",
        "password=xxxxxxxx",
        "secret: ${SECRET}",
        "API_KEY=your_api_key_here",
        "sk-xxxxxxxxxxxxxxxxxxxxxxxx",
        "fixed in 4b1d0c9c7d21f6e83b5aa90f2c7714d30be55a1c",
        "the token check landed in commit 4b1d0c9c7d21f6e83b5aa90f2c7714d30be55a1c",
        "authlib pinned to 1.3.2, token-bucket 0.3.0",
        "password policy: at least 12 characters",
        "Login times: 08:00 / 17:00",
        "Login: see docs / login.md",
        "login: sso / keycloak-v2",
        "Logins: build12 / build13",
        "The user enters, pw resets follow",
        "The gate code is with Nadia, changed on 2026-05-01",
        "Locker code: 2026-05-01",
        "error code: 4410",
        "PIN 4410 drives the lamp",
        "max_tokens=4096 and token_limit: 8000",
        "the key to the shed hangs behind the boiler",
        "cache key: linux-x64-node22-lockfile",
        "password: required",
        "password = os.environ['DB_PASSWORD']",
        "secret: /run/secrets/db",
        "tokens rotate on 2026-05-01",
        "Bearer authentication is used everywhere",
        "passwords live in 1Password",
        "password: 1Password vault, item mail",
        "postgres://user:password@host/db",
        "postgres://user:$PGPASSWORD@host/db",
        "a header `-----BEGIN PRIVATE KEY-----` is refused by the hook",
        "sk-learn is the import name",
        "PWD=/home/me/src",
        "TOKEN_FILE=/run/tokens/upload1",
        "TOKEN_TTL=3600s",
        "the public key AAAAC3NzaC1lZDI1NTE5AAAAIFake0000Fake",
        "primary key usr01HXYZFakeFake0000abcd",
        "key fingerprint SHA256FakeFake0000FakeFake1111",
        "the password is stored in 1Password, item mail-prod-01",
        "pass: 12 of 14 tests",
        "OAuth2 is the token scheme",
        "version 1.2.3 is the secret of its success",
        "They pass=through the gate",
        "**Session Key**: agent:main:matrix:direct:4400000001",
        "**SSH 密钥**: 已生成并配置（ed25519）",
        "API_KEY=已经换成ed25519",
        "`GLASS_API_KEY` = gk-fake-de12... ✅",
        "GLASS_API_KEY=gk-fake-de12…",
        "https://example.invalid/debug?input_token=TOKEN&access_token=APPID|SECRET",
        "API_KEY=APPNAME",
        "credentials: stored—see the wiki",
        "credentials: username+password",
        "token: expired→renewed",
        "token: OAuth2",
        "signature secret comes from `HOOK_SECRET`. Last release was `4be0a9c7d21f6e83b5aa90f2c7714d30be55a1c9`",
        "Login: GitHub / Google2 / Apple",
        "Login credentials: otto@7seas.example / 2026-03-30",
        "Cache key: qz_live_see_the_table_of_keys",
        "Credentials: `/home/ana/tide/credentials.json` (client of the project `tide-tables-490415`)",
        "Token seen in the handbook: `td-Fake00Fake11Fake22` is a sample",
        "token from the vault: see vault/prod/tide-server-1-main",
    ],
)
def test_leaves_text_that_only_speaks_of_secrets(text: str) -> None:
    assert find_secrets(text) == ()
    assert mask(text) == text


def test_a_short_secret_is_hidden_whole_and_a_long_one_keeps_its_ends() -> None:
    assert mask("password: kite-41-blue") == "password: ***"
    assert mask("sk-live-0000FAKE1111FAKE2222") == "sk-liv…2222"


def test_redacting_leaves_the_words_around_the_secret() -> None:
    assert redact("url: redis://:FAKE-77-pw@cache/0 (old)") == f"url: redis://:{REDACTED}@cache/0 (old)"


_PIECES = st.sampled_from(
    [
        "password",
        ": ",
        "=",
        "Fake0000Fake1111",
        "sk-live-",
        "token ",
        "`",
        '"',
        "://u:",
        "@",
        "Bearer ",
        "\n",
        " is ",
        "x",
    ]
)


@given(st.lists(_PIECES, max_size=14).map("".join))
def test_what_was_redacted_is_not_found_again(text: str) -> None:
    assert find_secrets(redact(text)) == ()


@given(st.text(max_size=200) | st.lists(_PIECES, max_size=14).map("".join))
def test_spans_are_ordered_apart_and_inside_the_text(text: str) -> None:
    reach = 0
    for span in find_secrets(text):
        assert reach <= span.start < span.stop <= len(text)
        reach = span.stop


@pytest.mark.parametrize(
    "piece", ["password ", "-----BEGIN PRIVATE KEY----- ", "a://b:", "--token ", "eyJ", "key key "]
)
def test_repeated_openings_hold_no_secret(piece: str) -> None:
    assert find_secrets(piece * 4000) == ()
