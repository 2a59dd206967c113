"""The shapes of keys that speak for themselves: what an issuer begins, ends or marks them with.

Each pattern is anchored by the words of which one must stand in a line before it is tried, repeats no group that
repeats itself, and bounds what it repeats, so that a line takes work in proportion to its length. Sources: the
documentation of the issuers; the prefixes of mem0's dream skill and of OpenClaw's log redactor are among them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dreamreview.model.patterns import Pattern

_EDGE = r"(?<![A-Za-z0-9_])"
_LONE = r"(?<![A-Za-z0-9_\-./])"
"""Where a short beginning stands that could as well be a part of an id or a path."""
_T = r"[A-Za-z0-9_\-]"
_A = r"[A-Za-z0-9]"
_B = r"[A-Za-z0-9+/]"
_H = r"[0-9a-f]"
_UUID = rf"{_H}{{8}}-{_H}{{4}}-{_H}{{4}}-{_H}{{4}}-{_H}{{12}}"


@dataclass(frozen=True, slots=True)
class Shape:
    """How the keys of an issuer look."""

    name: str
    said: str
    """What it is, to stand in a sentence."""
    needs: tuple[str, ...]
    """Words of which one stands in every line that holds such a key: what it begins with, where that is known."""
    pattern: Pattern
    """Its group ``v`` is the key."""


def _shape(name: str, said: str, needs: str, source: str, before: str = _EDGE) -> Shape:
    named = source if "(?P<v>" in source else f"{before}(?P<v>{source})"
    return Shape(name, said, tuple(needs.split()), Pattern(named))


SHAPES: tuple[Shape, ...] = (
    # providers of models
    _shape("anthropic", "a key of Anthropic", "sk-ant-", rf"sk-ant-{_T}{{16,400}}"),
    _shape("openrouter", "a key of OpenRouter", "sk-or-", rf"sk-or-{_T}{{16,400}}"),
    _shape("google-api", "a key of Google", "AIza", rf"AIza{_T}{{24,60}}"),
    _shape("groq", "a key of Groq", "gsk_", rf"gsk_{_A}{{16,120}}"),
    _shape("perplexity", "a key of Perplexity", "pplx-", rf"pplx-{_T}{{16,120}}"),
    _shape("hugging-face", "a token of Hugging Face", "hf_ api_org_", rf"(?:hf|api_org)_{_A}{{16,120}}"),
    _shape("replicate", "a token of Replicate", "r8_", rf"r8_{_A}{{16,120}}"),
    _shape("nvidia", "a key of NVIDIA", "nvapi-", rf"nvapi-{_T}{{20,120}}"),
    _shape("xai", "a key of xAI", "xai-", rf"xai-{_T}{{20,200}}"),
    _shape("mem0", "a key of mem0", "m0-", rf"m0-{_A}{{12,120}}", _LONE),
    _shape("tavily", "a key of Tavily", "tvly-", rf"tvly-{_T}{{16,120}}"),
    _shape("jina", "a key of Jina", "jina_", rf"jina_{_T}{{16,120}}"),
    _shape("firecrawl", "a key of Firecrawl", "fc-", rf"fc-{_H}{{32}}(?!{_T})", _LONE),
    _shape("langsmith", "a key of LangSmith", "lsv2_ ls__", rf"(?:lsv2_(?:pt|sk)_|ls__){_T}{{16,120}}"),
    _shape("pinecone", "a key of Pinecone", "pcsk_", rf"pcsk_{_T}{{16,120}}"),
    _shape("voyage", "a key of Voyage", "pa-", rf"pa-{_T}{{40,60}}(?!{_T})", _LONE),
    _shape("together", "a key of Together", "tgp_v1_", rf"tgp_v1_{_T}{{16,120}}"),
    _shape("fireworks", "a key of Fireworks", "fw_", rf"fw_{_A}{{20,60}}"),
    _shape("cerebras", "a key of Cerebras", "csk-", rf"csk-{_A}{{20,120}}"),
    _shape("weights-and-biases", "a key of Weights & Biases", "wandb_v", rf"wandb_v\d_{_T}{{16,200}}"),
    _shape("composio", "a key of Composio or one of its form", "ak_ ck_ cs_", rf"(?:ak|ck|cs)_{_T}{{12,80}}"),
    _shape("helicone", "a key of Helicone", "sk-helicone pk-helicone", rf"(?:sk|pk)-helicone-{_T}{{7,80}}"),
    _shape("openai", "a key of OpenAI or one of its form", "sk-", rf"sk-{_T}{{16,400}}"),
    # code hosts
    _shape("github", "a token of GitHub", "ghp_ gho_ ghu_ ghs_ ghr_", rf"gh[opusr]_{_A}{{16,255}}"),
    _shape("github-fine", "a token of GitHub", "github_pat_", r"github_pat_[A-Za-z0-9_]{16,255}"),
    _shape(
        "gitlab",
        "a token of GitLab",
        "glpat- gldt- glrt- glcbt- glptt- glft- glsoat- glimt- glagent- glffct- gloas- glrtr- GR1348941",
        rf"(?:gl(?:pat|dt|rtr?|cbt|ptt|ft|soat|imt|agent|ffct|oas)-|GR1348941){_T}{{12,200}}",
    ),
    _shape("bitbucket", "a token of Bitbucket", "ATBB ATCTT3", rf"AT(?:BB|CTT3){_T}{{20,200}}(?:=[0-9A-Z]{{8}})?"),
    _shape("atlassian", "a token of Atlassian", "ATATT3", rf"ATATT3{_T}{{20,250}}(?:=[0-9A-Z]{{8}})?"),
    _shape("sourcegraph", "a token of Sourcegraph", "sgp_", rf"sgp_(?:{_H}{{16}}_|local_)?{_H}{{32,40}}"),
    # clouds
    _shape("aws-access-key", "an access key of AWS", "AKIA ASIA ABIA ACCA", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}"),
    _shape("aws-bedrock", "a key of AWS Bedrock", "ABSK bedrock-api-key-", rf"(?:ABSK|bedrock-api-key-){_B}{{40,400}}"),
    _shape("google-oauth", "a token of Google", "ya29. GOCSPX-", rf"(?:ya29\.|GOCSPX-){_T}{{16,400}}"),
    _shape("google-refresh", "a refresh token of Google", "1//0", rf"1//0{_T}{{30,200}}", _LONE),
    _shape("azure-secret", "a client secret of Azure", "Q~", rf"{_A}{{3}}[0-9]Q~[A-Za-z0-9_~.\-]{{31,34}}", _LONE),
    _shape(
        "azure-key",
        "a key of Azure",
        "AzFu ACDb ASbM AZDO AIoT AzSe +AEh +ARm +AMC +ASt JQQJ99",
        rf"{_B}{{30,76}}(?:AzFu|ACDb|ASbM|AZDO|AIoT|AzSe|\+AEh|\+ARm|\+AMC|\+ASt|JQQJ99){_B}{{4,40}}={{0,2}}",
        r"(?<![A-Za-z0-9+/])",
    ),
    _shape(
        "azure-connection",
        "a key in a connection string",
        "AccountKey= SharedAccessKey= SharedSecret=",
        rf"(?:AccountKey|SharedAccessKey|SharedSecret)=(?P<v>{_B}{{20,120}}={{0,2}})",
    ),
    _shape("digitalocean", "a token of DigitalOcean", "dop_v1_ doo_v1_ dor_v1_", rf"do[opr]_v1_{_A}{{16,80}}"),
    _shape("cloudflare", "a token of Cloudflare", "cfut_ cfat_ cfk_", rf"(?:cfut|cfat|cfk)_{_T}{{20,120}}"),
    _shape("cloudflare-origin", "a key of Cloudflare", "v1.0-", rf"v1\.0-{_H}{{24}}-{_H}{{100,200}}"),
    _shape("heroku", "a key of Heroku", "HRKU-", rf"HRKU-{_T}{{30,80}}"),
    _shape("fly", "a token of Fly.io", "fm1r_ fm2_ fo1_", r"(?:fm1r|fm2|fo1)_[A-Za-z0-9+/=_\-]{24,800}"),
    _shape("render", "a key of Render", "rnd_", rf"rnd_{_A}{{20,60}}"),
    _shape(
        "vercel",
        "a token of Vercel",
        "vercel_ vcp_ vck_ vca_ vci_ vcr_",
        rf"(?:vercel_blob_rw|vc[pkair])_{_T}{{20,120}}",
    ),
    _shape("netlify", "a token of Netlify", "nfp_ nfc_ nfo_ nfu_ nfi_ nfr_", rf"nf[pcouir]_{_A}{{20,80}}"),
    _shape("supabase", "a key of Supabase", "sbp_ sb_secret_", rf"(?:sbp|sb_secret)_{_T}{{16,80}}"),
    _shape("planetscale", "a key of PlanetScale", "pscale_", rf"pscale_(?:tkn|pw|oauth)_{_T}{{20,80}}"),
    _shape("neon", "a key of Neon", "napi_", rf"napi_{_A}{{30,100}}"),
    _shape("aiven", "a password of Aiven", "AVNS_", rf"AVNS_{_T}{{12,40}}"),
    _shape("alibaba", "an access key of Alibaba Cloud", "LTAI", rf"LTAI{_A}{{12,30}}"),
    _shape("tencent", "a secret id of Tencent Cloud", "AKID", rf"AKID{_A}{{32}}"),
    _shape("yandex", "a token of Yandex", "AQVN y0_ YCAJ", rf"(?:AQVN{_T}{{34,40}}|y0_{_T}{{30,80}}|YCAJ{_T}{{36}})"),
    _shape("scaleway", "an access key of Scaleway", "SCW", r"SCW[A-Z0-9]{17}"),
    _shape("databricks", "a token of Databricks", "dapi", rf"dapi{_H}{{24,64}}(?:-\d)?"),
    _shape("shopify", "a token of Shopify", "shpat_ shpca_ shppa_ shpss_", r"shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{16,64}"),
    # keepers of secrets and infrastructure
    _shape("vault", "a token of Vault", "hvs. hvb. hvr.", rf"hv[sbr]\.{_T}{{16,300}}"),
    _shape("terraform", "a token of Terraform", ".atlasv1.", rf"{_A}{{10,20}}\.atlasv1\.{_T}{{40,100}}"),
    _shape("pulumi", "a token of Pulumi", "pul-", rf"pul-{_H}{{40}}(?!{_T})", _LONE),
    _shape(
        "doppler",
        "a token of Doppler",
        "dp.",
        rf"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_\-]{{2,35}}\.)?{_A}{{40,44}}",
    ),
    _shape("1password", "a token of 1Password", "ops_ey", rf"ops_ey{_T}{{40,2000}}"),
    _shape(
        "1password-key",
        "a secret key of 1Password",
        "A3-",
        r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}",
    ),
    _shape("age", "a key of age", "AGE-SECRET-KEY-", r"AGE-SECRET-KEY-1[A-Z0-9]{20,80}"),
    _shape("tailscale", "a key of Tailscale", "tskey-", rf"tskey-{_T}{{16,120}}"),
    _shape("docker", "a token of Docker", "dckr_", rf"dckr_(?:pat|oat)_{_T}{{12,80}}"),
    _shape("prefect", "a key of Prefect", "pnu_ pnb_", rf"pn[ub]_{_A}{{30,60}}"),
    # building and packages
    _shape("circleci", "a token of CircleCI", "CCIPAT_ CCIPRJ_", rf"CCIP(?:AT|RJ)_{_T}{{20,120}}"),
    _shape("buildkite", "a token of Buildkite", "bkua_ bkct_ bkaj_ bkpt_ bkrt_", rf"bk[a-z]{{2}}_{_T}{{20,120}}"),
    _shape("sonarqube", "a token of SonarQube", "squ_ sqp_ sqa_", rf"sq[upa]_{_H}{{40}}"),
    _shape("npm", "a token of npm", "npm_", rf"npm_{_A}{{16,80}}"),
    _shape("pypi", "a token of PyPI", "pypi-AgE", rf"pypi-AgE{_T}{{16,400}}"),
    _shape("rubygems", "a key of RubyGems", "rubygems_", rf"rubygems_{_H}{{16,64}}"),
    _shape("crates", "a token of crates.io", "cio", rf"cio{_A}{{32}}(?!{_T})"),
    _shape("nuget", "a key of NuGet", "oy2", r"oy2[a-z0-9]{43}(?![A-Za-z0-9])"),
    _shape("clojars", "a token of Clojars", "CLOJARS_", rf"CLOJARS_{_H}{{40,64}}"),
    _shape("packagist", "a token of Packagist", "packagist_", rf"packagist_(?:ort|out|uut|ack|acs)_{_A}{{20,120}}"),
    _shape(
        "artifactory", "a key of Artifactory", "AKC cmVmdGtu", rf"(?:AKC[a-z0-9]{_A}{{40,100}}|cmVmdGtu{_A}{{40,80}})"
    ),
    # chat and hooks
    _shape(
        "slack",
        "a token of Slack",
        "xox xapp- xwfp-",
        r"(?:xox[abceoprsd](?:\.xox[bp])?|xapp|xwfp)-[A-Za-z0-9\-]{8,400}",
    ),
    _shape(
        "slack-hook",
        "a hook of Slack",
        "hooks.slack.com/",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<v>[A-Za-z0-9/]{16,120})",
    ),
    _shape("discord", "a token of a Discord bot", ".", rf"[MNO]{_T}{{23,27}}\.{_T}{{6}}\.{_T}{{27,40}}"),
    _shape("discord-hook", "a hook of Discord", "/api/webhooks/", rf"/api/webhooks/(?P<v>\d{{6,24}}/{_T}{{16,120}})"),
    _shape("telegram", "a token of a Telegram bot", ":AA", rf"(?:bot)?\d{{6,12}}:AA{_T}{{20,60}}"),
    _shape(
        "teams-hook",
        "a hook of Teams",
        "webhook.office.com/",
        rf"webhook\.office\.com/webhookb2/(?P<v>{_T}{{8,40}}@{_T}{{8,40}}/IncomingWebhook/{_A}{{16,64}}/{_T}{{8,80}})",
    ),
    _shape("lark-hook", "a hook of Lark", "/bot/v2/hook/", rf"/open-apis/bot/v2/hook/(?P<v>{_T}{{16,64}})"),
    _shape(
        "zapier-hook",
        "a hook of Zapier",
        "hooks.zapier.com/",
        r"hooks\.zapier\.com/hooks/catch/(?P<v>\d{3,12}/[A-Za-z0-9]{5,40})",
    ),
    _shape("make-hook", "a hook of Make", ".make.com/", r"hook\.[a-z0-9]{2,6}\.make\.com/(?P<v>[a-z0-9]{20,60})"),
    _shape("ifttt-hook", "a key of IFTTT", "/with/key/", rf"/with/key/(?P<v>{_T}{{16,80}})"),
    _shape(
        "mattermost-hook",
        "a hook of a chat",
        "/hooks/",
        r"https?://[a-z0-9.\-]{3,80}/hooks/(?P<v>(?:[A-Za-z0-9]{17}/)?[A-Za-z0-9]{26,64})(?![A-Za-z0-9])",
    ),
    # mail, telephone, money
    _shape("twilio", "a key of Twilio", "SK", rf"SK{_H}{{32}}(?!{_T})"),
    _shape("sendgrid", "a key of SendGrid", "SG.", rf"SG\.{_T}{{12,80}}\.{_T}{{12,120}}"),
    _shape("mailgun", "a key of Mailgun", "key-", rf"key-{_H}{{24,40}}(?!{_T})", _LONE),
    _shape("mailchimp", "a key of Mailchimp", "-us", rf"{_H}{{32}}-us\d{{1,2}}(?!{_T})", _LONE),
    _shape("brevo", "a key of Brevo", "xkeysib- xsmtpsib-", rf"x(?:key|smtp)sib-{_T}{{30,120}}"),
    _shape("resend", "a key of Resend", "re_", rf"re_(?=[A-Za-z_]{{0,40}}\d){_A}{{6,12}}_{_A}{{20,40}}"),
    _shape(
        "stripe",
        "a key of Stripe",
        "sk_ rk_ pk_",
        rf"[srp]k_(?:live|test|prod)_{_A}{{8,250}}",
    ),
    _shape("hook-secret", "a secret of a hook", "whsec_", rf"whsec_{_B}{{16,120}}={{0,2}}"),
    _shape(
        "square", "a token of Square", "sq0atp- sq0csp- EAAA", rf"(?:sq0(?:atp|csp)-{_T}{{16,60}}|EAAA{_T}{{56,64}})"
    ),
    _shape(
        "braintree",
        "a token of PayPal",
        "access_token$",
        rf"access_token\$(?:production|sandbox)\${_A}{{8,24}}\${_H}{{32}}",
    ),
    _shape(
        "plaid", "a token of Plaid", "access- public-", rf"(?:access|public)-(?:sandbox|development|production)-{_UUID}"
    ),
    _shape("razorpay", "a key of Razorpay", "rzp_", rf"rzp_(?:live|test)_{_A}{{10,30}}"),
    _shape("flutterwave", "a key of Flutterwave", "FLWSECK", rf"FLWSECK(?:_TEST)?-{_T}{{12,80}}"),
    _shape("adyen", "a key of Adyen", "AQE", rf"AQE[a-z]hmf{_T}{{20,200}}"),
    # work
    _shape("airtable", "a token of Airtable", "pat", rf"pat{_A}{{14}}\.{_H}{{64}}"),
    _shape("notion", "a token of Notion", "secret_ ntn_", rf"(?:secret|ntn)_{_A}{{20,80}}"),
    _shape("linear", "a key of Linear", "lin_", rf"lin_(?:api|oauth|wh)_{_A}{{16,80}}"),
    _shape("asana", "a token of Asana", "/", rf"[12]/\d{{12,20}}(?:/\d{{12,20}})?:{_H}{{32}}(?!{_T})", _LONE),
    _shape("figma", "a token of Figma", "figd_ figu_ figo_ figdh_ figuh_ figoh_", rf"fig[duo]h?_{_T}{{16,80}}"),
    _shape("hubspot", "a token of HubSpot", "pat-", rf"pat-[a-z]{{2}}\d-{_UUID}"),
    _shape("typeform", "a token of Typeform", "tfp_", rf"tfp_{_T}{{30,80}}"),
    _shape("dropbox", "a token of Dropbox", "sl.", rf"sl\.(?:u\.)?{_T}{{60,1500}}"),
    _shape("clickup", "a token of ClickUp", "pk_", r"pk_\d{5,10}_[A-Z0-9]{24,40}"),
    _shape("trello", "a token of Trello", "ATTA", rf"ATTA{_A}{{50,80}}"),
    _shape("contentful", "a token of Contentful", "CFPAT-", rf"CFPAT-{_T}{{30,60}}"),
    _shape("mapbox", "a token of Mapbox", "sk.ey", rf"sk\.ey{_T}{{20,200}}\.{_T}{{12,60}}"),
    _shape("postman", "a key of Postman", "PMAK-", rf"PMAK-{_H}{{24}}-{_H}{{34}}"),
    _shape("readme", "a key of ReadMe", "rdme_", r"rdme_[a-z0-9]{40,80}"),
    # watching
    _shape("grafana", "a token of Grafana", "glsa_ glc_", rf"(?:glsa_{_T}{{16,80}}|glc_{_B}{{30,400}}={{0,2}})"),
    _shape(
        "new-relic",
        "a key of New Relic",
        "NRAK- NRII- NRSP- NRAA- NRAL",
        rf"(?:NR[A-Z]{{2}}-{_T}{{20,60}}|{_H}{{36}}NRAL)",
    ),
    _shape("sentry", "a token of Sentry", "sntrys_ sntryu_", r"sntry[su]_[A-Za-z0-9+/=_\-]{16,400}"),
    _shape(
        "honeycomb",
        "a key of Honeycomb",
        "hca hcb hcc",
        r"hc[abc](?:ik|ic|lk|mk)_[a-z0-9]{40,80}",
    ),
    _shape("dynatrace", "a token of Dynatrace", "dt0", rf"dt0[a-z]\d\d\.{_A}{{20,40}}\.{_A}{{40,80}}"),
    _shape("launchdarkly", "a key of LaunchDarkly", "sdk- api-", rf"(?:sdk|api)-{_UUID}(?!{_T})", _LONE),
    _shape("posthog", "a key of PostHog", "phx_", rf"phx_{_A}{{30,80}}"),
    # tokens and seeds of no one issuer
    _shape("jwt", "a signed token", "eyJ", rf"eyJ{_T}{{8,4000}}\.{_T}{{8,8000}}(?:\.{_T}{{0,2000}})?"),
    # people
    _shape("facebook", "a token of Facebook", "EAA", r"EAA[A-Z][A-Za-z0-9]{60,400}"),
    _shape("twitter", "a token of X", "AAAAAAAAAAAAAAAAAAAA", r"A{20,24}[A-Za-z0-9%]{50,140}"),
    _shape("twitch", "a token of Twitch", "oauth:", r"oauth:(?P<v>[a-z0-9]{30})(?![A-Za-z0-9])"),
    _shape("instagram", "a token of Instagram", "IGQ", rf"IGQ[A-Z]{_T}{{60,300}}"),
    _shape("okta", "a token of Okta", "SSWS", rf"SSWS[ \t]{{1,3}}(?P<v>{_T}{{20,80}})"),
    _shape("bitcoin", "a private key of a wallet", "xprv yprv zprv", r"[xyz]prv[1-9A-HJ-NP-Za-km-z]{100,112}"),
    _shape(
        "one-time",
        "the seed of one-time codes",
        "otpauth://",
        r"otpauth://[a-z]{4}/[^\s?]{0,200}\?(?:[^\s]{0,200}&)?secret=(?P<v>[A-Z2-7a-z]{8,200}={0,6})",
    ),
    _shape("wifi", "the password of a network", "WIFI:", r"WIFI:(?:[TSHR]:[^;\s]{0,80};){0,4}P:(?P<v>[^;\s]{4,64});"),
    _shape(
        "registry-auth",
        "a login of a registry",
        "_auth",
        r"_auth(?:Token)?[ \t]{0,2}=[ \t]{0,2}[\"']?(?P<v>[A-Za-z0-9+/=_.~\-]{12,400})",
    ),
    _shape(
        "openvpn",
        "a key of a network",
        "PrivateKey PresharedKey",
        rf"\b(?:PrivateKey|PresharedKey)[ \t]{{0,2}}=[ \t]{{0,2}}(?P<v>{_B}{{43}}=)",
    ),
)
"""Every shape, by name; what a broader one takes as well is told by the one that stands first."""

_AMID = frozenset(
    (
        *("azure-secret", "azure-key", "azure-connection", "google-refresh", "terraform", "slack-hook", "discord"),
        *("discord-hook", "telegram", "teams-hook", "lark-hook", "zapier-hook", "make-hook", "ifttt-hook"),
        *("mattermost-hook", "mailchimp", "asana", "new-relic", "registry-auth"),
    )
)
"""Shapes that are known by something amid them, or by what stands before them."""
_HEAD = 2
_HEADS = re.compile(rf"(?<![A-Za-z0-9_])[A-Za-z0-9_]{{{_HEAD}}}")
_BY_HEAD: dict[str, list[Shape]] = {}
for _each in SHAPES:
    if _each.name not in _AMID:
        for _head in {need[:_HEAD] for need in _each.needs}:
            _BY_HEAD.setdefault(_head, []).append(_each)
_ELSEWHERE = tuple(shape for shape in SHAPES if shape.name in _AMID)
_PLACE = {shape.name: place for place, shape in enumerate(SHAPES)}
OWN = "own"
"""Name of the shapes that a user adds."""
_ADDED: list[Shape] = []


def know(beginnings: Iterable[str]) -> None:
    """Take what begins so for a key from now on, in this process: the user's list, in place of the one before."""
    _ADDED[:] = [
        _shape(OWN, "a key of a kind that you named", text, rf"{re.escape(text)}[A-Za-z0-9_.\-]{{8,400}}")
        for text in beginnings
    ]


def shapes_in(text: str) -> list[Shape]:
    """Return the shapes of which a word stands in a text, in the order of the table."""
    heads = _BY_HEAD.keys() & set(_HEADS.findall(text))
    found = {shape.name: shape for head in heads for shape in _BY_HEAD[head]}
    candidates = (*found.values(), *_ELSEWHERE, *_ADDED)
    standing = [shape for shape in candidates if stands(text, shape.needs)]
    return sorted(standing, key=lambda shape: _PLACE.get(shape.name, len(_PLACE))) if len(standing) > 1 else standing


def stands(text: str, words: Sequence[str]) -> bool:
    """Tell whether one of some words is in a text."""
    for word in words:  # noqa: SIM110 - a generator takes twice the time, and this is asked of every line drawn
        if word in text:
            return True
    return False
