"""Credentials of every shape that is known, made anew at each run, and what only looks like one.

No sample is a key that opens anything, nor stands in this file: a template says what a key begins with, and what it is
made of is drawn.
"""

from __future__ import annotations

import base64
import random
import re
import string
import uuid
from collections.abc import Callable, Mapping

ALNUM = string.ascii_letters + string.digits
ALPHABETS: Mapping[str, str] = {
    "A": ALNUM,
    "T": ALNUM + "_-",
    "B": ALNUM + "+/",
    "H": "0123456789abcdef",
    "L": string.ascii_lowercase + string.digits,
    "U": string.ascii_uppercase + string.digits,
    "D": string.digits,
    "S": "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
    "O": "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
}
_HOLE = re.compile(r"\{([ATBHLUDSOP]|UUID)(\d*)\}")
_WORDS = ("kettle", "Osprey", "lantern", "Quartz", "willow", "Brisket", "pelican", "Tundra")


def fill(template: str, draw: random.Random) -> str:
    """Return a template with each ``{A20}`` replaced by 20 drawn characters, ``{P}`` by what a person thinks of."""
    return _HOLE.sub(lambda hole: _drawn(hole[1], int(hole[2] or 0), draw), template)


def _drawn(kind: str, size: int, draw: random.Random) -> str:
    if kind == "UUID":
        return str(uuid.UUID(int=draw.getrandbits(128), version=4))
    if kind == "P":
        return f"{draw.choice(_WORDS)}{draw.choice('-_.')}{draw.randrange(1000, 9999)}{draw.choice(_WORDS)}"
    letters = ALPHABETS[kind]
    while True:
        text = "".join(draw.choice(letters) for _ in range(size))
        is_mixed = kind == "D" or size < 6 or (re.search(r"\d", text) and re.search(r"[A-Za-z]", text))
        if is_mixed and text[:1].isalnum() and text[-1:].isalnum():
            return text


SHAPES: Mapping[str, str] = {
    "anthropic": "sk-ant-api03-{T86}",
    "openrouter": "sk-or-v1-{H64}",
    "helicone": "pk-helicone-{L7}-{L7}-{L7}-{L7}",
    "openai": "sk-{A48}",
    "google-api": "AIza{T35}",
    "groq": "gsk_{A52}",
    "perplexity": "pplx-{A48}",
    "hugging-face": "hf_{A34}",
    "replicate": "r8_{A37}",
    "nvidia": "nvapi-{T64}",
    "xai": "xai-{A80}",
    "mem0": "m0-{A40}",
    "tavily": "tvly-{A32}",
    "jina": "jina_{A61}",
    "firecrawl": "fc-{H32}",
    "langsmith": "lsv2_pt_{H32}_{H10}",
    "pinecone": "pcsk_{T70}",
    "voyage": "pa-{T43}",
    "together": "tgp_v1_{T43}",
    "fireworks": "fw_{A24}",
    "cerebras": "csk-{L48}",
    "weights-and-biases": "wandb_v1_{T77}",
    "composio": "ak_{A20}",
    "github": "ghp_{A36}",
    "github-fine": "github_pat_{A22}_{A59}",
    "gitlab": "glpat-{T20}",
    "bitbucket": "ATBB{A32}",
    "atlassian": "ATATT3x{T180}={U8}",
    "sourcegraph": "sgp_{H40}",
    "aws-access-key": "AKIA{U16}",
    "aws-bedrock": "ABSK{B110}",
    "google-oauth": "ya29.{T120}",
    "google-refresh": "1//0{T80}",
    "azure-secret": "{A3}8Q~{A34}",
    "azure-key": "{B76}AZDO{A4}",
    "digitalocean": "dop_v1_{H64}",
    "cloudflare": "cfut_{A40}",
    "cloudflare-origin": "v1.0-{H24}-{H146}",
    "heroku": "HRKU-{UUID}",
    "fly": "fm2_{B400}",
    "render": "rnd_{A32}",
    "vercel": "vcp_{A56}",
    "netlify": "nfp_{A36}",
    "supabase": "sbp_{H40}",
    "planetscale": "pscale_tkn_{T43}",
    "neon": "napi_{L64}",
    "aiven": "AVNS_{A19}",
    "alibaba": "LTAI{A20}",
    "tencent": "AKID{A32}",
    "yandex": "AQVN{T36}",
    "scaleway": "SCW{U17}",
    "databricks": "dapi{H32}",
    "shopify": "shpat_{H32}",
    "vault": "hvs.{T90}",
    "terraform": "{A14}.atlasv1.{T67}",
    "pulumi": "pul-{H40}",
    "doppler": "dp.pt.{A43}",
    "1password": "ops_eyJ{T250}",
    "1password-key": "A3-{U6}-{U6}-{U5}-{U5}-{U5}-{U5}",
    "age": "AGE-SECRET-KEY-1{U58}",
    "tailscale": "tskey-auth-{A17}-{A32}",
    "docker": "dckr_pat_{T27}",
    "prefect": "pnu_{A36}",
    "circleci": "CCIPAT_{A22}_{H40}",
    "buildkite": "bkua_{H40}",
    "sonarqube": "squ_{H40}",
    "npm": "npm_{A36}",
    "pypi": "pypi-AgEI{T150}",
    "rubygems": "rubygems_{H48}",
    "crates": "cio{A32}",
    "nuget": "oy2{L43}",
    "clojars": "CLOJARS_{H60}",
    "packagist": "packagist_uut_{A68}",
    "artifactory": "AKCp{A69}",
    "slack": "xoxb-{D12}-{D13}-{A24}",
    "discord": "M{A23}.{A6}.{T38}",
    "telegram": "{D10}:AA{T33}",
    "twilio": "SK{H32}",
    "sendgrid": "SG.{T22}.{T43}",
    "mailgun": "key-{H32}",
    "mailchimp": "{H32}-us14",
    "brevo": "xkeysib-{H64}-{A16}",
    "resend": "re_{A8}_{A24}",
    "stripe": "sk_live_{A24}",
    "hook-secret": "whsec_{A32}",
    "square": "sq0atp-{T22}",
    "braintree": "access_token$production${L16}${H32}",
    "plaid": "access-production-{UUID}",
    "razorpay": "rzp_live_{A14}",
    "flutterwave": "FLWSECK-{H32}-X",
    "adyen": "AQEyhmf{T100}",
    "airtable": "pat{A14}.{H64}",
    "notion": "ntn_{A46}",
    "linear": "lin_api_{A40}",
    "asana": "1/{D16}:{H32}",
    "figma": "figd_{T40}",
    "hubspot": "pat-na1-{UUID}",
    "typeform": "tfp_{T59}",
    "dropbox": "sl.{T135}",
    "clickup": "pk_{D8}_{U32}",
    "trello": "ATTA{A72}",
    "contentful": "CFPAT-{T43}",
    "mapbox": "sk.ey{A80}.{T22}",
    "postman": "PMAK-{H24}-{H34}",
    "readme": "rdme_{L70}",
    "grafana": "glsa_{A32}_{H8}",
    "new-relic": "NRAK-{U27}",
    "sentry": "sntrys_{A90}_{A43}",
    "honeycomb": "hcaik_{L58}",
    "dynatrace": "dt0c01.{U24}.{U64}",
    "launchdarkly": "sdk-{UUID}",
    "posthog": "phx_{A43}",
    "jwt": "eyJ{T33}.{T90}.{T43}",
    "facebook": "EAAG{A160}",
    "twitter": "AAAAAAAAAAAAAAAAAAAAA{A24}%2B{A40}",
    "instagram": "IGQV{T120}",
    "bitcoin": "xprv{S107}",
}
"""Shape to a template of a key that is known by its form alone."""

VARIANTS = (
    *(
        "sk-proj-{T140}",
        "sk-svcacct-{T140}",
        "sk-kimi-{A64}",
        "sk-lf-{UUID}",
        "xai-{T70}",
        "tvly-dev-{T52}",
        "hf_{A37}",
    ),
    *("gho_{A36}", "ghu_{A36}", "ghs_{A36}", "ghr_{A76}", "gldt-{T20}", "glrt-{T20}", "glcbt-1a_{T20}", "glptt-{H40}"),
    *("ASIA{U16}", "ABIA{U16}", "GOCSPX-{T28}", "doo_v1_{H64}", "dor_v1_{H64}", "sb_secret_{T31}", "pscale_pw_{T43}"),
    *("hvb.{T140}", "hvr.{T90}", "dp.st.dev.{A43}", "tskey-api-{A17}-{A32}", "dckr_oat_{T32}", "CCIPRJ_{A22}_{H40}"),
    *("xoxp-{D12}-{D12}-{D12}-{H32}", "xapp-1-A{U10}-{D13}-{H64}", "xoxe.xoxp-1-{A120}", "bot{D10}:AA{T33}"),
    *("rk_live_{A99}", "sk_test_{A24}", "secret_{A43}", "lin_oauth_{H64}", "sntryu_{H64}", "shpss_{H32}", "EAAA{T60}"),
    *(
        "ck_{H40}",
        "cs_{H40}",
        "vercel_blob_rw_{A16}_{A30}",
        "eyJ{T33}.{T90}",
        "cmVmdGtu{A56}",
        "{H36}NRAL",
        "sqp_{H40}",
    ),
    *("github_pat_{A40}", "phx_{A47}", "glagent-{T50}", "ATCTT3x{T180}={U8}", "A3-{U6}-{U11}-{U5}-{U5}-{U5}"),
)
"""Other templates of the same issuers."""

AROUND = (
    "the mailer uses {} since May",
    "- `{}` (rotate in autumn)",
    "| mailer | {} | Odile |",
    '"value": "{}",',
    "Mailer: {}.",
    "{}",
    "der Schlüssel lautet {}, bitte nicht weitergeben",
    "邮件服务用 {} 登录",
)
"""Where a key stands in a note."""

BESIDE: Mapping[str, str] = {
    "env line": "export MAILER_API_KEY=«{A32}»",
    "env with quotes": 'DB_PASSWORD="«{P}»"',
    "env of Windows": "set UPLOAD_TOKEN=«{A24}»",
    "env of PowerShell": '$env:UPLOAD_SECRET = "«{A24}»"',
    "env of a container": "docker run -e POSTGRES_PASSWORD=«{P}» db",
    "line of a Dockerfile": "ENV AUTH_TOKEN=«{H40}»",
    "access key of AWS": "aws_secret_access_key = «{B40}»",
    "session token of AWS": "AWS_SESSION_TOKEN=«{B200}»",
    "env of Datadog": "DD_API_KEY=«{H32}»",
    "Django": "SECRET_KEY = '«{A50}»'",
    "Rails": "SECRET_KEY_BASE=«{H128}»",
    "JSON": '{"password": "«{P}»"}',
    "JSON key of a client": '"client_secret": "«{A32}»",',
    "JSON camel case": '{"apiKey":"«{A32}»","region":"north"}',
    "JSON access token": '"accessToken": "«{A40}»"',
    "YAML": "  password: «{P}»",
    "YAML with a dash": 'api-key: "«{A32}»"',
    "YAML of a secret": "auth_token: '«{H40}»'",
    "TOML": 'secret = "«{A24}»"',
    "XML": "<password>«{P}»</password>",
    "XML with a namespace": "<ns:apiKey>«{A24}»</ns:apiKey>",
    "attribute": '<add key="SmtpPassword" value="«{P}»"/>',
    "Python": "client = Mail(password='«{P}»')",
    "Ruby": ":secret => '«{A24}»'",
    "PHP": "define('DB_PASSWORD', '«{P}»');",
    "Go": 'token := "«{A32}»"',
    "C#": 'string password = "«{P}»";',
    "SQL": "CREATE USER kite WITH PASSWORD '«{P}»';",
    "SQL of MySQL": "ALTER USER kite IDENTIFIED BY '«{P}»';",
    "connection string": "Server=db;User Id=kite;Password=«{P}»;Encrypt=yes",
    "ODBC": "DRIVER={x};UID=kite;PWD=«{P}»;",
    "JDBC": "jdbc:postgresql://db/shop?user=kite&password=«{A16}»",
    "Azure storage": "DefaultEndpointsProtocol=https;AccountName=kite;AccountKey=«{B86}»==;",
    "service bus": "SharedAccessKeyName=Root;SharedAccessKey=«{B43}»=",
    "postgres": "postgres://kite:«{P}»@db.example.invalid:5432/shop",
    "mongodb": "mongodb+srv://kite:«{A20}»@cluster.example.invalid/shop",
    "redis": "redis://:«{A24}»@cache:6379/0",
    "amqp": "amqp://kite:«{P}»@queue:5672/",
    "mssql": "mssql+pyodbc://kite:«{P}»@db/shop",
    "ftp": "ftp://kite:«{P}»@files.example.invalid",
    "smtp": "smtps://kite:«{A16}»@mail.example.invalid:465",
    "git with a login": "git clone https://kite:«{A24}»@code.example.invalid/shop.git",
    "git with a token": "https://oauth2:«{A24}»@code.example.invalid/shop.git",
    "cloudinary": "cloudinary://{D15}:«{A27}»@kite",
    "proxy": "http_proxy=http://kite:«{P}»@proxy:3128",
    "Sentry address": "https://«{H32}»@errors.example.invalid/4",
    "query": "https://api.example.invalid/v1/list?api_key=«{A32}»&page=2",
    "query of a token": "wss://live.example.invalid/?token=«{A32}»",
    "signed address of AWS": "https://b.example.invalid/a?X-Amz-Date=20260101&X-Amz-Signature=«{H64}»",
    "signed address of Azure": "https://b.example.invalid/a?sv=2024&sig=«{A40}%3D»",
    "bearer": "Authorization: Bearer «{A40}»",
    "bearer of curl": 'curl -H "Authorization: Bearer «{T40}»" https://api.example.invalid',
    "basic": "Authorization: Basic «{B31}»=",
    "token header": "Authorization: Token «{H40}»",
    "key header": "X-Api-Key: «{A32}»",
    "private token header": "PRIVATE-TOKEN: «{T20}»",
    "subscription header": "Ocp-Apim-Subscription-Key: «{H32}»",
    "hook header": '-H "x-webhook-secret: «{H40}»"',
    "cookie": "Cookie: session=«{A40}»",
    "second cookie": "Cookie: lang=en; sid=«{A32}»",
    "set cookie": "Set-Cookie: auth=«{A32}»; Path=/; HttpOnly",
    "login of curl": "curl -u kite:«{P}» https://api.example.invalid",
    "login of wget": "wget --user kite:«{P}» https://api.example.invalid",
    "flag": "backup --password «{P}» --quiet",
    "flag with an equals sign": "backup --api-token=«{A24}»",
    "MySQL": "mysql -h db -u kite -p«{P}» shop",
    "sshpass": "sshpass -p '«{P}»' ssh kite@host",
    "docker login": "docker login -u kite -p «{A24}» registry.example.invalid",
    "redis-cli": "redis-cli -h cache -a «{A24}» ping",
    "openssl": "openssl rsa -passin pass:«{P}» -in a.pem",
    "PGPASSWORD": "PGPASSWORD=«{P}» psql -h db shop",
    "netrc": "machine api.example.invalid login kite password «{P}»",
    "pgpass": "db.example.invalid:5432:shop:kite:«{P}»",
    "npmrc": "//registry.example.invalid/:_authToken=«{A36}»",
    "pip": "index-url = https://kite:«{A24}»@pypi.example.invalid/simple",
    "slack hook": "https://hooks.slack.com/services/«T{U8}/B{U10}/{A24}»",
    "discord hook": "https://discord.com/api/webhooks/«{D18}/{T68}»",
    "teams hook": "https://kite.webhook.office.com/webhookb2/«{UUID}@{UUID}/IncomingWebhook/{H32}/{UUID}»",
    "lark hook": "https://open.feishu.cn/open-apis/bot/v2/hook/«{UUID}»",
    "zapier hook": "https://hooks.zapier.com/hooks/catch/«{D7}/{L7}»",
    "make hook": "https://hook.eu1.make.com/«{L32}»",
    "ifttt hook": "https://maker.ifttt.com/trigger/door/with/key/«{A43}»",
    "mattermost hook": "https://chat.example.invalid/hooks/«{L26}»",
    "dingtalk hook": "https://oapi.example.invalid/robot/send?access_token=«{H64}»",
    "okta": "Authorization: SSWS «{T42}»",
    "twitch": "PASS oauth:«{L30}»",
    "one-time codes": "otpauth://totp/Kite:odile?secret=«{O32}»&issuer=Kite",
    "network code": "WIFI:T:WPA;S:Boathouse;P:«{P}»;;",
    "WireGuard": "PrivateKey = «{B43}=»",
    "prose": "the password of the boathouse is «{P}»",
    "prose before": "«{P}» is the password of the boathouse",
    "prose in German": "Das Passwort lautet «{P}»",
    "prose in French": "mot de passe : «{P}»",
    "prose in Spanish": "la contraseña es «{P}»",
    "prose in Dutch": "wachtwoord: «{P}»",
    "prose in Swedish": "lösenord: «{P}»",
    "prose in Polish": "hasło: «{P}»",
    "prose in Russian": "пароль: «{P}»",
    "prose in Chinese": "密码：«{P}»",
    "prose in Japanese": "パスワードは「«{P}»」です",
    "prose in Korean": "비밀번호: «{P}»",
    "prose in Portuguese": "senha: «{P}»",
    "key in a file": "API key saved to ~/.env: `«{A32}»`",
    "key sent to a file": 'echo "«{B60}»" > ~/.config/kite/api_key',
    "secret that begins with digits": "client_secret: «{D12}-{L32}»",
    "table": "| API key | `«{A32}»` |",
    "bold": "**Token:** «{H40}»",
    "UUID as a key": "- API key: `«{UUID}»`",
    "numbers": "passcode: «{D8}»",
    "login in a pair": "Login of the boathouse: kite / «{P}»",
    "user and password": "user kite, pw «{P}»",
    "code of a door": "Gate code: «{D5}»",
    "PIN": "PIN of the safe: «{D6}»",
}
"""What is known by what stands beside it: a name, and a line with the value between «guillemets»."""


def beside(template: str, draw: random.Random) -> tuple[str, str]:
    """Return a line made of such a template, and the value in it."""
    before, rest = fill(template, draw).split("«")
    value, after = rest.split("»")
    return before + value + after, value


# --- what only looks like one -----------------------------------------------------------------------------------------

STAND_INS = (
    *("xxxxxxxxxxxxxxxxxxxxxxxxxxxx", "XXXXXXXXXXXXXXXX", "<your-key>", "${KEY}", "...", "…", "REDACTED", "********"),
    *("your-api-key-goes-here", "YOUR_KEY_HERE", "{{ key }}", "[redacted]", "example-key-for-the-docs", "`", " "),
)
"""What stands in place of a key behind its beginning."""


def prefix_of(template: str) -> str:
    """Return what a key of a template begins with."""
    return template.partition("{")[0]


def _image(draw: random.Random) -> str:
    return base64.b64encode(b"\x89PNG\r\n\x1a\n" + draw.randbytes(600)).decode()


def _wrapped(draw: random.Random) -> str:
    text = _image(draw)
    return "\n".join(text[at : at + 76] for at in range(0, len(text), 76))


def _certificate(draw: random.Random) -> str:
    body = base64.b64encode(draw.randbytes(600)).decode()
    lines = "\n".join(body[at : at + 64] for at in range(0, len(body), 64))
    return f"-----BEGIN CERTIFICATE-----\n{lines}\n-----END CERTIFICATE-----"


LOOK_ALIKES: Mapping[str, Callable[[random.Random], str]] = {
    "git sha": lambda draw: fill("fixed in {H40}, released later", draw),
    "short sha": lambda draw: fill("the token check came with {H12}", draw),
    "sha256 of a container": lambda draw: fill("image: db@sha256:{H64}", draw),
    "integrity": lambda draw: fill('"integrity": "sha512-{B86}=="', draw),
    "checksum": lambda draw: fill("md5:{H32}  secret.zip", draw),
    "hash of a token": lambda draw: fill('"token_hash": "{H64}"', draw),
    "hash of a password": lambda draw: fill("password: $2b$12${A53}", draw),
    "UUID": lambda draw: fill("Comment ID: {UUID}", draw),
    "UUID of who issued": lambda draw: fill('"token_issued_by": "{UUID}"', draw),
    "UUID that begins alike": lambda draw: fill("fc{H6}-41ba-4a1d-9fce-{H12}", draw),
    "ULID": lambda draw: fill("order 01J{U23} shipped", draw),
    "picture": lambda draw: f"![kite](data:image/png;base64,{_image(draw)})",
    "picture over lines": _wrapped,
    "certificate": _certificate,
    "public key of SSH": lambda draw: fill("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{B43} odile@kite", draw),
    "fingerprint": lambda draw: fill("key fingerprint SHA256:{B43}", draw),
    "address of a wallet": lambda draw: fill("the token contract is 0x{H40}", draw),
    "trace id": lambda draw: fill("traceparent: 00-{H32}-{H16}-01", draw),
    "etag": lambda draw: fill('ETag: "{H32}"', draw),
    "nonce in a page": lambda draw: fill("style.{H8}.css and app-{A8}.js", draw),
    "public key of Stripe": lambda _: "publishable key: see the dashboard",
    "time": lambda _: "token expires at 2026-05-01T10:30:00Z",
}
"""Drawn text that holds no credential."""

PLAIN = (
    "sk-folding-cube-spinner and sk-circle-fade-dot-spinner are classes of a page",
    "models: xai-grok-4-fast-non-reasoning, pplx-70b-online-chat, jina_embeddings_v2_base_en",
    "secret_scanning_alert_location and secret_rotation_schedule_v2 are events",
    "npm_config_registry and npm_lifecycle_event are set by the runner",
    "models/marts/fct_campaign_performance_v2.sql",
    "fw_update_firmware_on_reboot, re_export_all_symbols_v2",
    "key-value-store-for-settings and key-down-handler-for-lists",
    "hf_hub_download_with_progress is the function",
    "pat-downs_and-other_words are no token",
    "https://hooks.slack.com/services/ is where hooks live",
    "https://hooks.example.invalid/hooks/on-push",
    "PASSWORD=${DB_PASSWORD}",
    "PASSWORD=$(pass show db)",
    "password: ${{ secrets.DB_PASSWORD }}",
    "password: {{ vault_db_password }}",
    'password = os.environ["DB_PASSWORD"]',
    "token = process.env.MAILER_TOKEN",
    'secret: !vault "kv/mailer#secret"',
    "api_key: op://kite/mailer/credential",
    "secret: arn:aws:secretsmanager:eu-north-1:000000000000:secret:mailer-a1B2c3",
    "password_file: /run/secrets/db_password",
    "DB_PASSWORD_FILE=/run/secrets/db1",
    "api_key=YOUR_API_KEY",
    "api_key: <paste yours>",
    "token: changeme",
    "password: null",
    "secret = getenv('MAILER_SECRET')",
    "password: string, token: string",
    "postgres://user:password@host:5432/db",
    "postgres://kite:kite@localhost/shop",
    "postgres://${USER}:${PASSWORD}@host/db",
    "mongodb://<user>:<password>@host/db",
    "https://example.com/reset?token=YOUR_TOKEN",
    "https://example.com/?key=value&page=2",
    "http://localhost:8080/@odile:8443/path",
    "see https://example.com:8443/users/@odile",
    "Authorization: Bearer <token>",
    "Authorization: Bearer $TOKEN",
    "Authorization: Bearer YOUR_ACCESS_TOKEN",
    "Bearer tokens go into the Authorization header",
    "basic authentication is switched off",
    "the Cookie: header is dropped",
    "curl -u user:password https://example.com",
    "curl -u $USER:$PASS https://example.com",
    "mysql -u root -p shop",
    "docker login -u kite -p $REGISTRY_TOKEN",
    "-p 8080:80 and --port 5432",
    "password policy: 12 characters, two of them digits",
    "the key lies under the third pot",
    "keys: j, k, g g, ctrl+c",
    "token limit 8000, max_tokens=4096, 128k tokens",
    "JWT_SECRET, API_KEY and DB_PASSWORD have to be set",
    "ignore `.env`, `secrets.yml` and `id_rsa`",
    "secret santa is on 2026-12-06",
    "the password was rotated on 2026-05-01",
    "passwords live in the vault kite-prod, item mailer-2",
    "OpenAI API key: openai/gpt-5.4",
    "needs an API Key: kite-voice-maker(text to speech), kite-music-maker(songs)",
    "credentials: degrees=800yr, benchmarks=5yr",
    "Real-time token balances through Multicall3 for batches",
    "primary key (order_id, line_no)",
    "cache key: build-linux-x64-node22",
    "session key: agent:main:matrix:direct:4400000001",
    "AKIAIOSFODNN7EXAMPLE is the access key of the manual",
    "the token `ghp_` begins all of them",
    "an `eyJ` at the start means a JWT",
    "-----BEGIN PUBLIC KEY----- is fine to share",
    "parola d'ordine, heslo dne, mot du jour",
)
"""Lines that speak of credentials, or look like them, and hold none."""
