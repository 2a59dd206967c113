"""How one is told, in other languages than English, to ignore what one was told before (lower case)."""

from __future__ import annotations

import re

from dreamreview.model.patterns import Pattern


def _verb_first(verbs: str, which: str, nouns: str, behind: str = "") -> str:
    """Return the form of a language in which the verb stands first: ignore [all] [earlier] instructions [above]."""
    last = rf"|(?:{nouns})\w{{0,4}} (?:{behind})" if behind else ""
    return rf"\b(?:{verbs}) (?:\w+ ){{0,2}}?(?:(?:{which}) (?:\w+ ){{0,2}}?(?:{nouns}){last})"


def _verb_last(first: str, gap: str, second: str, third: str) -> str:
    """Return the form of a language in which three words follow each other with little between them."""
    return rf"(?:{first}){gap}[^.。।，\n]{{0,20}}(?:{second})[^.。।，\n]{{0,20}}(?:{third})"


_FORMS = (
    _verb_first(
        "ignora(?:d|r)?|ignoren?|olvida(?:d)?|olviden?|descarta|desestima|omite",
        "todas|todos|tus|sus|anteriores|previas",
        "instrucciones|órdenes|reglas|indicaciones|directrices|normas",
        "anteriores|previas|de arriba",
    ),
    _verb_first(
        "ignora(?:te)?|dimentica(?:te)?|trascura(?:te)?",
        "tutte|tutti|tue|tuoi|vostre|precedenti",
        "istruzioni|regole|ordini|indicazioni|direttive",
        "precedenti|di sopra|qui sopra",
    ),
    _verb_first(
        "ignor[ea]m?|esqueça|esqueçam|esquece|desconsidere",
        "todas|todos|tuas|suas|anteriores|prévias",
        "instruções|regras|ordens|orientações|diretrizes",
        "anteriores|acima|prévias",
    ),
    _verb_first(
        "ignorez?|oubliez?|négligez?",
        "toutes|tous|tes|vos|précédentes",
        "instructions|consignes|règles|directives|ordres",
        "précédentes|antérieures|ci-dessus",
    ),
    _verb_first(
        "ignorier(?:e|t)?|vergiss|vergesst|missachtet?",
        "alle|sämtliche|deine|eure|vorherigen|bisherigen|obigen",
        "anweisungen|regeln|vorgaben|instruktionen|befehle",
        "von oben|oben",
    ),
    _verb_first("negeer|vergeet", "alle|eerdere|vorige|bovenstaande|je", "instructies|regels|opdrachten|aanwijzingen"),
    _verb_first("ignorera|glöm|bortse från", "alla|tidigare|föregående|dina", "instruktioner|regler|anvisningar"),
    _verb_first(
        "ignorer|glem|se bort fra", "alle|tidligere|foregående|dine", "instruktioner|instruksjoner|regler|instrukser"
    ),
    _verb_first("unohda|ohita|sivuuta", "kaikki|aiemmat|edelliset|aikaisemmat", "ohjeet|säännöt|määräykset|käskyt"),
    _verb_first(
        "zignoruj(?:cie)?|ignoruj(?:cie)?|pomiń",
        "wszystkie|poprzednie|wcześniejsze|swoje",
        "instrukcje|polecenia|zasady|reguły",
    ),
    _verb_first("ignoruj(?:te)?|zapomeň na", "všechny|předchozí|svoje", "pokyny|instrukce|pravidla|příkazy"),
    _verb_first("ігноруй(?:те)?|забудь(?:те)?", "усі|всі|попередні|свої", "інструкції|вказівки|правила|команди"),
    _verb_first(
        "(?:про)?игнорируй(?:те)?|забудь(?:те)?", "все|всё|предыдущие|прежние|свои", "инструкц|указани|правила|команды"
    ),
    _verb_last(
        r"önceki|yukarıdaki|tüm|bütün", r" ", "talimat|komut|kural|yönerge", "yok say|görmezden gel|unut|göz ardı et"
    ),
    _verb_last("이전|위|모든|앞선", "", "지시|지침|명령|규칙", "무시하|무시해|잊어"),
    _verb_last("以前|これまで|上記|すべて|全て|前", "", "指示|命令|ルール|規則", "無視し|無視せ|忘れ[てろ]"),
    _verb_last(
        "请?(?:忽略|无视|無視|忘记|忘掉|不要理会|抛开)",
        "",
        "之前|以上|先前|前面|所有|一切|上述|此前|全部",
        "指令|指示|规则|規則|要求|提示|命令",
    ),
    r"(?:تجاهل|تجاهلوا|انس)\s+(?:جميع\s+|كل\s+)?(?:التعليمات|الأوامر|القواعد|تعليماتك)",
    r"(?:התעלם|תתעלם|התעלמו|שכח)\s+(?:\S+\s+){0,2}(?:ההוראות|הכללים|ההנחיות)",
    _verb_last("पिछले|सभी|ऊपर", "", "निर्देश|नियम|आदेश", "अनदेखा|नज़रअंदाज़|नजरअंदाज|भूल जा"),
    r"(?:bỏ qua|quên|phớt lờ)(?: \S+){0,4}? (?:hướng dẫn|chỉ dẫn|chỉ thị|quy tắc|lệnh)(?: \S+)? (?:trước|ở trên|trên)",
    r"(?:abaikan|lupakan) (?:semua )?(?:instruksi|perintah|arahan|aturan)(?: \w+){0,2}? (?:sebelumnya|di atas)",
)
OVERRIDE = Pattern("|".join(_FORMS))
"""Wants what was said before ignored."""

WORDS = re.split(
    " ",
    "instruc istruzion regole ordini indica diret instruç regras ordens orienta consignes"
    " règles ordres anweisung regeln vorgaben befehle instructies regels opdrachten aanwijz"
    " instruk instruksj instrukser regler anvisning ohjeet säännöt määräykset käskyt"
    " polecenia zasady reguły pokyny pravidla příkazy інструкц вказів правила команди"
    " инструкц указани команды talimat komut kural yönerge 지시 지침 명령 규칙 指示 命令 ルール 規則 指令 规则"
    " 要求 提示 التعليمات الأوامر القواعد تعليماتك ההוראות הכללים ההנחיות निर्देश नियम आदेश"
    " hướng chỉ quy lệnh perintah arahan aturan normas órdenes reglas",
)
"""Words of which one stands in every such sentence."""
