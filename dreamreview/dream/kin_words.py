"""Words by which people say the same thing over again: near in meaning, not equal, and never the only evidence."""

from __future__ import annotations

from collections.abc import Mapping

from dreamreview.dream.tongues import german_root, is_cyrillic, russian_root
from dreamreview.dream.words import lines

_ENGLISH = """
    answer reply respond response message | short brief briefly concise terse few quick
    explain explanation reason reasoning why rationale justification
    first before lead ahead start beginning opening | end finish close last final stop over
    show display see visible view present appear expose
    user member customer client people person visitor passenger patient guest subscriber
    tell say state name mention describe inform note speak | write put record note document enter save
    keep retain store hold preserve leave stay remain live survive last
    drop discard delete remove throw erase purge forget prune lose gone | save dump backup snapshot copy archive
    night nightly evening overnight | day daily | week weekly | month monthly | year yearly annual
    quarter quarterly | morning noon afternoon | run execute start launch call invoke perform use do
    build make create produce generate construct assemble
    check verify test inspect lint validate examine control look review audit
    push commit submit open send merge land
    fail failure error break broken crash fault problem wrong trouble defect bug
    retry repeat again resend attempt try rerun | deliver send mail ship arrive reach dispatch forward post push
    leave go depart sail exit start out | come arrive return back | dirty unclean soiled
    cost charge fee price pay rate | money amount price sum cash payment | refund repay reimburse return back
    lend loan borrow rent hire issue | form format shape pattern look layout style structure
    label tag sticker name mark | code number id identifier | letter character | wait queue delay sit pending hang
    slow long late | fast quick prompt | ask request want demand require need expect
    wish like prefer want favour love | dislike hate annoy avoid refuse mind
    disturb interrupt bother call contact ping | allow may permit accept fine okay ok
    forbid ban never prohibit refuse reject block deny disallow | bypass override skip circumvent evade ignore
    own responsible lead head handle manage run maintain charge look | owner maintainer lead head
    live reside home based located lie | work job task | plan schedule timetable calendar roster
    meeting appointment talk call sync session | change edit alter modify update adjust switch swap move
    move transfer migrate relocate shift | split separate apart divide own distinct different
    mix combine blend bundle together merge join | refactor restructure reshape rename reorganise cleanup
    feature behaviour functionality | fix repair correct patch mend | bug issue fault defect
    integer whole int int64 number | float floating decimal fraction point | database db postgres store server
    mock fake stub stand-in double in-memory | real actual genuine true production live | data record entry row
    copy duplicate replicate | table list sheet | wide broad | narrow slim | public open
    secret password credential token key | machine host server box node | container image docker | port socket
    service app application program tool | page screen site website view form | button link | colour color
    picture image photo drawing artwork cover | sound audio noise tone music | quiet silent silence mute still
    speak talk say voice pronounce | pronounce say | word term | sentence line phrase statement
    text copy wording prose | empty blank missing absent without | full complete whole entire total
    free available spare | once twice | often frequently regularly | rarely seldom | always every each
    only just solely exclusively | must should shall have need | more above exceed over beyond
    less below under fewer | maximum most limit cap ceiling up bound | minimum least floor | hour clock
    local home own | phone mobile telephone watch cell smartphone | mail email letter | chat message slack text sms
    laptop computer pc notebook | door gate entrance | open unlock | close shut lock | switch turn
    off disable disabled | on enable enabled | safe secure | danger dangerous risk hazard unsafe
    hurt injure injury harm | cold cool freeze chill | warm hot heat | wire connect attach plug series hook
    cable cord | sensor probe thermometer gauge | read measure record log report
    publish release deploy ship rollout live go out launch | release version deployment | rollback revert undo
    freeze frozen lock | window slot period time interval | deadline due limit | holiday vacation leave absence away
    weekend saturday sunday | home house flat | travel trip commute train ride crossing | eat food meal lunch dinner
    drink coffee tea | vegetarian vegan meat-free meatless plant-based | allergy allergic intolerance | child kid
    wife husband spouse partner | team crew group staff | colleague coworker teammate | boss manager supervisor
    customer-facing public | invoice bill | contract agreement | supplier vendor provider | order purchase buy
    warehouse storage stock inventory depot | ticket issue | pull request pr merge-request mr | branch fork
    main master trunk | squash collapse | review approve inspect read approval
    approve accept sign sign-off confirm okay | comment remark note feedback | style convention format
    indent indentation tab space | quote quotation | variable name | function method | class type
    library package dependency module | upgrade update bump | framework stack | frontend ui interface client
    backend server api | pipeline ci runner build | job task run | cache store | log trace record
    monitor watch observe track | alert alarm warn warning page notify notification | dashboard board panel
    chart graph plot | metric number measure | latency delay | queue backlog | thread process worker | lock mutex
    token key | session login | account profile | role permission right | environment env stage
    config setting option | flag switch option toggle | default standard usual normal | custom own special
    manual hand person human | automatic automatically self machine | script program tool
    shell terminal console command | folder directory path | file document | line row | column field
    header heading title | body content text | link url address | draft proposal | idea suggestion proposal
    decision decide agree settle choose | agree accept | disagree object | history past log
    summary recap overview digest abstract | detail specific | example sample instance | template pattern form
    guide manual documentation docs handbook | glossary vocabulary dictionary
    translate translation localise localisation | language tongue | emoji smiley emoticon | greeting hello
    tone voice style | list bullet enumeration | capital uppercase | zone timezone | swap exchange rotate change
    rest resting idle unused | weekly sunday | capture record tape | minute second | room studio
    episode show programme | host presenter speaker | guest interviewee | sponsor advertiser | read spot
    subject title headline | newsletter bulletin mailing | subscriber reader listener | speed pace rate
    weight mass | size dimension pixel | temperature degree heat | shelf rack | kiln oven | boat ship ferry vessel
    train rail | car vehicle van truck | road street | map chart | crop plant | animal pet | school class course
    student pupil learner | teacher instructor tutor | exam test quiz | homework assignment | grade mark score
    book title volume | library archive | museum exhibition | garden yard | water irrigate irrigation | harvest pick
    medicine drug pill medication | dose amount | doctor physician gp clinician | hospital clinic | lab laboratory
    sample specimen
"""
_GERMAN = """
    ausgabe herausgeben ausgeben ausleihen ausleihe verleihen abholung abholen abgeben vergeben
    ausleihe ausleihen ausgeliehen mieten vermieten leihen verleih
    prüfen prüfung kontrollieren kontrolle testen test checken untersuchen
    sperren sperre gesperrt blockieren verboten untersagt verbieten untersagen tabu
    schicken senden versenden erhalten bekommen gehen zustellen verschicken | gerät tablet rechner computer maschine
    mail e-mail email nachricht | kunde kunden gast mieter nutzer mitglied besucher
    mitarbeiter mensch person kollege | papierlos digital
    speichern gespeichert stehen ablegen sichern sicherung kopie backup festhalten | sicherung kopie abzug backup
    aufbewahren aufheben aufgehoben liegen bleiben behalten vorhalten speichern | preis betrag geld summe kosten
    ganz ganzzahl zahl | gleitkomma kommazahl dezimal bruch float
    ausmustern aussortieren aussortiert ausgemustert entsorgen wegwerfen
    zurück rückgabe zurückgeben zurücknehmen zurückzahlen rückzahlung zurückgezahlt
    rückzahlung zurückgezahlt zurückzahlen erstatten erstattung auszahlen | innerhalb binnen | gültig gilt gelten
    einchecken pushen committen hochladen abgeben | bauserver server runner ci | gemeinsam alle geteilt
    abbrechen scheitern fehlschlagen bricht | verschwinden weg verloren fehlen verlieren | drehen gedreht umdrehen
    unterschrift unterschreiben signatur signieren unterzeichnen | wartung warten gewartet pflege instandhaltung
    antwort antworten erwidern rückmeldung | kurz knapp bündig | zuerst erst zunächst vorher bevor vor
    danach anschließend später hinterher | wollen möchten wünschen bevorzugen mögen | nie niemals keinesfalls
    immer stets jedesmal jeder jede jedes | fehler bug problem störung mangel | bauen bau build
    veröffentlichen veröffentlichung release ausrollen deployment freigeben freigabe
    besprechung treffen termin meeting | leiten führen verantwortlich zuständig kümmern verantworten
    zahlen bezahlen zahlung zahlungsanbieter | wöchentlich woche | täglich tag | nachts nacht nächtlich
    monatlich monat | akku batterie | kapazität restkapazität | händler lieferant verkäufer anbieter | rad fahrrad
    liste tabelle aufstellung | ausdrucken drucken druck | anruf anrufen telefon telefonieren | standort filiale ort
    öffnen öffnung offen | schließen geschlossen zu | meldung nachricht hinweis benachrichtigung
    start beginn anfang starten beginnen | ende schluss beenden | löschen entfernen
    ändern änderung wechseln anpassen | zeile eintrag satz
"""
_RUSSIAN = """
    коротко кратко сжато лаконично | отвечать ответ писать пиши сообщение | билет билеты
    продавать продаются купить покупка продажа приобрести | читать чтение приходят получать
    вмещает место места вместимость | данные прогноз сведения информация
    брать берём загружать загружается получать скачивать | резервный копия бэкап
    делать делается снимать снимает создавать проводить | хранить хранится хранятся писать жить живут держать лежать
    цена сумма деньги стоимость | целый целое | дробь дробей | бесплатно бесплатный даром
    ездить проезд поездка ехать | ребёнок дети детей детский | до младше моложе
    проверять проверка проверяет осматривать контроль | выход выходить перед до
    обязательно обязательна должен нужно | каждый всякий любой | ночь ночью ночной
    отправлять отправляется уходить уходит посылать | запрещено нельзя запрет | начинать начало старт
    заканчивать конец окончание | выпуск релиз версия публикация выкладывать | ошибка сбой баг проблема
    сначала сперва прежде | ревью проверка обзор | запускать запуск прогонять | сервер машина | заказ заказывать
    встреча созвон собрание | оплата платёж платить | клиент покупатель пользователь | удалять стирать убирать
    менять изменять замена | отпуск отдых выходной | начальник руководитель | сотрудник работник
"""


def _clusters() -> Mapping[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    number = 0
    for table, root in ((_ENGLISH, None), (_GERMAN, german_root), (_RUSSIAN, russian_root)):
        for row in "|".join(lines(table)).split("|"):
            number += 1
            for word in row.split():
                found.setdefault(root(word) if root else _english(word), set()).add(number)
    return {key: frozenset(numbers) for key, numbers in found.items()}


def _english(word: str) -> str:
    from dreamreview.dream.similarity import stem

    return stem(word)


_ROWS = _clusters()
SAME_ROW = 0.8
"""How near two words of one row are."""
SAME_HEAD = 0.75
"""How near two words are that begin alike, or of which one is the end or the head of the other, a compound."""
_HEAD = 5
"""Letters from which words that begin alike are near."""


def kin(one: str, other: str) -> float:
    """Return how near two different keys are in meaning, 0 to 1; 0 where nothing is known."""
    rows = _ROWS.get(one)
    if rows and not rows.isdisjoint(_ROWS.get(other, frozenset())):
        return SAME_ROW
    short, long = sorted((one, other), key=len)
    if len(short) < _HEAD - 1 or not (short.isalpha() and long.isalpha()):
        return 0.0
    is_compound = len(short) >= _HEAD and (long.startswith(short) or long.endswith(short))
    begins_alike = short[:_HEAD] == long[:_HEAD] and len(long) - len(short) <= 3
    near_end = is_cyrillic(short) and len(short) >= 4 and long.startswith(short[:-1]) and len(long) - len(short) <= 2
    return SAME_HEAD if is_compound or begins_alike or near_end else 0.0
