"""The words by which an order to an agent is known: whom it addresses and what it wants (lower case)."""

from __future__ import annotations

import re

from dreamreview.dream import order_tongues
from dreamreview.model.patterns import Pattern


def _any(*alternatives: str) -> Pattern:
    return Pattern("|".join(alternatives), re.MULTILINE)


_AI = r"(?:ais?|llms?|gpt|claude|copilot|chatbots?|language models?)"
_AGENT = r"(?:models?|assistants?|agents?|helpers?|bots?|crawlers?|summari[sz]ers?|consolidators?|dreamers?)"
_LEAD = r"(?:important|urgent|attention|notice|note|message|memo|hello|dear|reminder|hint|hey|listen)"
_WHICHEVER = (
    r"(?:all|any|every|whichever|whatever|future|automated|ai|llm|language|memory|reading|other|our ai|your ai)"
)
_READS = (
    r"(?:reading|that reads?|who reads?|which reads?|processing|that process(?:es)?|who process(?:es)?|summari[sz]ing"
    r"|that summari[sz]es|opening|loading|that loads?|picking up|that picks? up|that finds?|finding|seeing|that sees?)"
)
_ALL = (
    r"(?:all|any|every|each|the|these|those|your|my|our|its|their|previous|prior|earlier|above|other|open|of|own"
    r"|pending)"
)

ADDRESS = _any(
    rf"(?:^|[\s\"'“„«(>*_#-]){_LEAD}[ ,:!-]{{1,3}}(?:(?:for|to) )?(?:the |you |my )?(?:{_WHICHEVER} ){{1,3}}{_AGENT}\b",
    rf"(?:^|[\s\"'“„«(>*_#-]){_LEAD}[ ,:!-]{{1,3}}(?:(?:for|to) )?(?:the |you |my |all |any |every ){{0,2}}{_AI}\b",
    rf"(?:^\s*|[.!?;]\s+|[\"'“„«(>*_#-]\s*)to (?:the |you |my |all |any |every ){{0,2}}{_AI}\b",
    rf"\bto (?:the |you |my |all |any |every ){{0,2}}{_AI}(?: \w+){{0,2}}\s*:",
    rf"\b(?:whichever|whatever|any|every) (?:ai |language )?(?:{_AI}|{_AGENT}) (?:reads|processes|loads|opens"
    rf"|picks up|sees)\b",
    rf"\bas an? {_AI}(?: {_AGENT})? (?:with (?:\w+ )?(?:access|permission)|(?:that is |who is )?reading)\b",
    rf"\b(?:if|in case) you(?:'re| are) (?:an? )?(?:\w+ )?(?:{_AI}|{_AGENT})\b",
    rf"\b(?:{_AI}|{_AGENT}) {_READS} (?:this|these|the)\b|\bwho(?:so)?ever (?:reads"
    rf"|processes) this\b[^.]{{0,30}}\b{_AGENT}\b",
    r"\ban alle (?:ki-?)?(?:assistenten|agenten|modelle)\b",
    r"\bhinweis (?:für|an) (?:die |alle )?(?:ki|assistenten|agenten)",
    r"(?:致|给|所有|各位)(?:所有|各位)?(?:ai|智能|人工智能)\s?(?:助手|代理|模型)",
    r"(?:ai)?アシスタント(?:へ|は|:|：)",
    r"(?:для|внимание)[, ]+(?:все[хм] )?(?:ии|ассистент|агент)",
)
"""Speaks to whatever agent happens to read it."""

ADDRESS_PLAIN = _any(
    rf"(?:^\s*|[.!?;]\s+|[\"“„«]|(?:^|[\s(>*_#-])(?:{_LEAD} )?(?:to|for) (?:the |all |any |every |our |my )?"
    rf"|(?:^|[\s(>*_#-]){_LEAD}[ ,:]+)"
    rf"(?:ai |automated |memory |dream |dreaming |background |next |future |all |any |every |the ){{0,2}}"
    rf"(?:{_AI}|{_AGENT})"
    r"(?: (?:that|who|which|working)\b[^.!?:\n]{0,60})?\s*[:,]",
    r"(?:^\s*|[.!?;]\s+|[\s>*_\"“(#-])system\s*:",
)
"""Names an agent, as an owner's own rule may as well."""

ROLE = _any(
    r"(?:^|[\s>*_\"“(#\[<|-])(?:\[?system\]?\s*(?:message|prompt|notice|override|update|instruction"
    r"|note)s?\s*[:\]>]|\[system\]"
    r"|important system \w+|<\|?(?:im_start|system|assistant|inst)\b|\[/?inst\]|<<sys>>|<system(?:-reminder|-prompt)?>"
    r"|developer message\s*:|system[- ]override|begin (?:system|new) (?:prompt|instructions?))",
)
"""Poses as the system that an agent obeys."""

OVERRIDE = _any(
    rf"\b(?:ignore|disregard|forget|override|bypass|discard|drop)\b(?: {_ALL}){{1,4}} ?(?:\w+ ){{0,2}}?"
    r"(?:instructions?|rules?|prompts?|guidelines?|constraints?|directives?|orders|messages|safety|polic(?:y|ies)"
    r"|restrictions?|told)\b",
    r"\b(?:ignore|disregard|forget) (?:everything|anything|all)(?: (?:you|that|written|said|above|before))+\b",
)
OVERRIDE_ABROAD = order_tongues.OVERRIDE
"""The same in other languages."""
PERSONA = _any(
    r"\byou (?:are|will be) now\b",
    r"\bfrom (?:now|here) on,? (?:you\b|(?:always |never )?(?:answer|approve|reply|say|act|treat|forward|send"
    r"|accept|grant"
    r"|recommend)\b)",
    r"\b(?:maintenance|developer|debug|god|admin|unrestricted) mode\b",
    r"\byour new (?:task|role|goal|instructions?|job)\b|\bnew instructions?\s*:|\bact as (?:if|an?|the)\b",
    r"\bab (?:jetzt|sofort) (?:antwort|bist|sag|genehmig)\w*|从现在(?:开始|起)|今後は|с этого момента",
)
SECRECY = _any(
    r"\b(?:do not|don't|dont|never|must not|without)\b (?:\w+ ){0,2}?(?:tell|telling|mention|mentioning|inform"
    r"|informing|ask"
    r"|asking|notify|notifying|alert|alerting|show|showing|reveal|report|reporting|log|disclose|warn|consult|consulting"
    r"|waiting for) (?:this|it|about|that|to|with|any|the|him|her|them|anyone|anybody|your|its|[a-z]+)\b",
    r"\bkeep (?:this|it) (?:secret|hidden|between us)",
    r"\band not (?:to )?(?:mention|tell|inform|report|reveal|show) (?:it|this|that|them|anyone|anybody|the user)\b",
    r"\b(?:remove|delete|erase|hide) this (?:line|note|entry|comment|message|instruction)",
    r"\bnicht (?:dem|den|die) (?:nutzer|benutzer)\w* (?:sagen|fragen|melden)",
    r"不要(?:告诉|通知|询问|提及)|ユーザーに(?:は)?(?:言わ|知らせ|伝え)|не (?:говори|сообщай|спрашивай)",
)
EXFILTRATE = _any(
    r"\b(?:send|forward|post|upload|e-?mail|exfiltrate|transmit|copy|leak|reveal|print|output|expose|share|append"
    r"|dump)\b"
    r" (?:\w+ ){0,6}?(?:secrets?|keys?|tokens?|passwords?|credentials?|env\w*|\.env|list|contents?|memor(?:y|ies)"
    r"|files?"
    r"|notes|contacts?|addresses|history|system prompt|conversation|data|folder)\b",
    r"发送(?:给|到)|送信|отправь",
)
DESTROY = _any(
    r"\b(?:delete|erase|wipe|remove|purge|overwrite|truncate|drop|replace|disable|empty|clear|reset)\b (?:\w+ ){0,3}?"
    r"(?:all|every|everything|each|notes?|memor(?:y|ies)|files?|folders?|index|databases?|tables?|backups?|limits?"
    r"|checks?"
    r"|tests?|rules?|history|records?|feedback|safety|interlocks?|alarms?|logs?)\b",
    r"\brm -rf?\b|删除(?:所有|全部)|すべて削除|удали(?:те)? (?:все|всё)|\blösche? (?:\w+ )?(?:alle|alles)",
)
APPROVE = _any(
    r"\bwithout (?:asking|permission|approval|review|confirmation)\b",
    r"\b(?:owner|user|reviewer|admin|team) (?:has|have) (?:already )?(?:agreed|approved|consented|authori[sz]ed)\b",
    rf"\b(?:approve|accept|apply|merge|confirm|grant|refund|pay|authori[sz]e|unlock|open|transfer"
    rf"|whitelist)\b(?: {_ALL}){{0,4}}"
    r" ?(?:\w+ ){0,2}?(?:proposals?|changes?|requests?|everyone|everything|payments?|invoices?|refunds?|access"
    r"|permissions?"
    r"|them|doors?|orders?|transfers?|pull requests?|suggestions?|own)\b",
    r"\b(?:already|has been|have been) (?:accepted|approved|authori[sz]ed)\b|\balready (?:\w+ )?(?:accepted"
    r"|approved)\b",
    r"\b(?:mark|set|flag|change)\b (?:\w+ ){0,4}?(?:as|to) (?:paid|approved|trusted|resolved|verified|accepted|done"
    r"|safe)\b",
    r"批准(?:所有|全部)|genehmig\w* (?:\w+ )?(?:alle|jede)\w*",
)
POISON = _any(
    r"\b(?:store|save|add|append|write|put)\b [\"'“„«][^\"'”“»\n]{3,200}[\"'”“»] (?:to|in|into) (?:their|your|its|the)"
    r" (?:\w+ ){0,2}(?:rules|instructions|memory|memories|preferences|prompt)\b",
    r"\b(?:store|save|remember|record|add|write|keep|persist)\b (?:this|the following|it|that)(?: \w+){0,4} (?:as"
    r"|in|into|to)"
    r" (?:\w+ ){0,3}(?:preference|rule|memory|fact|instruction|memories|index|feedback|truth)\b",
    r"\btreat (?:this|it) as (?:\w+ ){0,3}(?:rule|fact|instruction|trusted|authori\w+)",
    r"\b(?:ignore|disregard|forget)\b (?:all |any |the )?(?:earlier|previous|prior|other) (?:\w+ ){0,2}?(?:notes?"
    r"|entries"
    r"|memories|facts)\b",
    r"\b(?:raise|set|increase|boost) the (?:confidence|priority|importance|rank|score|weight) of this "
    r"(?:line|note|entry|memory|rule|fact|file)\b",
    r"\b(?:promote|rank|pin|mark|keep) this (?:line|note|entry|memory|rule|instruction|file)\b",
)
ALTER = _any(
    r"\b(?:change|set|raise|lower|increase|reduce|update|switch|rewrite|edit|correct|replace)\b (?:\w+ ){1,6}?(?:to"
    r"|with|by)\b"
    r"|\badd (?:a |an |the |this |one )?(?:\w+ ){0,2}(?:line|note|entry|rule|fact|memory)s?\b",
)
PRETEND = _any(
    r"\b(?:tell|inform|assure|answer|convince)\b (?:the |all |every |any |each )?(?:user|member|guest|customer"
    r"|people|visitor"
    r"|reader|client|passenger|owner|everyone|anyone|anybody|everybody)s?\b",
    r"\brecommend\b (?:\w+ ){1,6}to (?:every|all|any|each)\b",
    r"\b(?:claim|pretend|insist|state|say|write|reply|answer|note) that\b|\b(?:always )?(?:answer|reply"
    r"|respond) (?:with|only)\b",
)
SKIP = _any(
    r"\b(?:skip|omit|bypass|turn off|disable|leave out|suppress|silence)\b (?:\w+ ){0,3}?(?:reviews?|checks?|approvals?"
    r"|confirmations?|tests?|alarms?|warnings?|validation|verification|safety|questions?|human)\b"
    r"|\b(?:trust|obey|follow)\b (?:\w+ ){0,3}?(?:link|source|file|command|instruction|page|address|everything)s?\b",
)
RUN = _any(
    r"\b(?:run|execute|call|invoke|eval|install|fetch|download|visit|open|curl|wget)\b[^.!?\n]{0,40}"
    r"(?:`[^`]+`|https?://\S+|\bthe (?:following )?(?:command|script|tool|code)\b|\bcurl\b|\bbash\b|\|\s*sh\b)",
)

ACTS = (
    (OVERRIDE, "tells its reader to ignore instructions"),
    (OVERRIDE_ABROAD, "tells its reader to ignore instructions"),
    (PERSONA, "gives its reader a new role"),
    (SECRECY, "wants something kept from a person"),
    (POISON, "wants to be remembered as a rule"),
    (APPROVE, "wants approvals"),
    (EXFILTRATE, "wants data sent or revealed"),
    (DESTROY, "wants something removed or replaced"),
    (SKIP, "wants a safeguard left out"),
    (PRETEND, "wants people told something"),
    (ALTER, "wants something changed or added"),
    (RUN, "wants a command run"),
)
"""What an order wants, the most telling first."""
TELLING = frozenset({OVERRIDE, OVERRIDE_ABROAD, PERSONA, SECRECY, POISON})
"""Wishes that an owner's own rule for an agent hardly has."""

COMMAND = _any(
    r"(?:^|[.,:;!?—–\"“-]\s*|\b(?:and|then|now|please)\s+|\byou (?:must|should|have to|need to|will|shall)(?: now"
    r"| always)?\s+)"
    r"(?:please |now |always |then |immediately )?(?:delete|send|forward|approve|accept|reveal|ignore|disregard|forget"
    r"|replace|remove|apply|run|execute|answer|reply|store|overwrite|disable|merge|upload|post|grant|write|say|tell"
    r"|e-?mail"
    r"|copy|open|pay|refund|drop|recommend|change|set|mark|promote|rewrite|transfer|add|save|skip|omit|bypass"
    r"|pretend|claim|trust|rank|pin|raise|lower|update|switch|erase|wipe|unlock|whitelist"
    r"|print|treat|act|stop|hide|obey|follow|confirm|accept|use)\b",
    r"\b(?:lösch|send|antwort|genehmig|ignorier)e?\b|忽略|删除|发送|批准|不要|удали|отправь|игнорируй|無視|削除|送信"
    r"|\bignor(?:ez|a)\b",
)
PLAIN_OVERRIDE = Pattern(
    r"instruction|prompt|directive|guideline|told|said|above|before|\b(?:all|your) (?:\w+ )?rules|[^\x00-\x7f]"
)
"""What an order must be about to stand for itself, without a word to an agent."""
OUTWARD = Pattern(r"@|https?://|\b(?:address|number|account|link|url|server|footer|below|inbox)\b")
YOU_NOW = Pattern(r"\byou (?:must|have to|will|shall) (?:now|immediately|at once)\b")
CLAUSE_START = Pattern(
    r"(?:^\s*|[.,:;!?—–\"“„*_>()\[-]\s*|\b(?:and|then|now|please|must|you should|you will)\s+)$", re.MULTILINE
)

NEGATED = Pattern(r"\b(?:never|not|no|cannot|refuses?|without|don't|dont|won't|nobody|nie|nicht)\b[^.;:!?,]{0,25}$")
FROM_ELSEWHERE = Pattern(
    r" (?:(?:found|contained|written|given|that (?:come|appear|stand)|coming|seen)\s+)?(?:in|inside|within|from)\b"
    r"(?! (?:this|your|my|the (?:user|system|owner|developer)))"
)
"""Follows an instruction that is ignored for its source, which is caution and no attack."""
OF_A_SECRET = Pattern(r"[^.;]{0,30}\b(?:passwords?|secrets?|keys?|tokens?|credentials?)\b")

ANALYSIS = _any(
    r"\b(?:treat(?:ed|s)? (?:\w+ )?as (?:data|text|content|noise)|nothing happened|inject(?:ion|ed)|prompt-?injection",
    r"phish\w*|jailbreak\w*|attack\w*|attempt\w*|malicious|adversarial|red[- ]team\w*|regression (?:set|test|case)",
    r"test (?:case|string|input|fixture)|(?:was|were|got) (?:caught|blocked|refused|filtered|stripped|rejected"
    r"|dropped|ignored"
    r"|escaped|quarantined)|(?:did|does|do) not (?:act|follow|obey|comply)|refuses? (?:to|such)",
    r"we (?:reject|block|filter|strip|refuse)|detector|detects?|harmless|sanitiz\w+|untrusted|such as|for example"
    r"|e\.g\.",
    r"spam|kept as (?:an )?example|injektion|angriff\w*)\b|注入|攻击|攻撃|инъекци|атак",
)
"""Words of a report about such an order, as against the order itself."""
REPORTED = Pattern(
    r"\b(?:asked|asks|told|tells|tried|tries|wants|wanted|instruct(?:s|ed)|telling|asking|ordered|claims?|says?|said)\b"
    r"[^.!?]{0,60}$"
)

TOOL_CALL = Pattern(
    r"<(?:tool_call|function_calls?|tool_use|invoke|tool_code)\b[^>]{0,200}>|\[TOOL_CALLS?\]"
    r"|<\|(?:tool|python|im_start|im_end)\w*\|>"
    r"|\{\s*\"(?:tool|tool_name|function|name)\"\s*:\s*\"[\w.-]{1,60}\"\s*,\s*\"(?:arguments|parameters|input"
    r"|args)\"\s*:",
    re.IGNORECASE,
)

_SPEAKS_TO = re.split(
    " ",
    "llm gpt claude copilot chatbot model assist agent helper bot crawler summari consolidat dreamer system inst"
    " developer ignor disregard forget overrid bypass discard drop 助手 代理 模型 アシスタント ассистент агент 忽略"
    " 無視 忘れ игнорируй",
)
_SPEAKS_TO_AI = Pattern(r"\b(?:ais?|ki)\b|\bии\b|you (?:must|have to|will|shall) (?:now|immediately|at once)")


def may_address(plain: str) -> bool:
    """Tell whether a text, in lower case, has one of the words without which it addresses nobody, nor overrides."""
    for word in (*_SPEAKS_TO, *order_tongues.WORDS):
        if word in plain:
            return True
    return _SPEAKS_TO_AI.search(plain) is not None
