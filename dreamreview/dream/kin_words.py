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
    quarter quarterly | noon midday | run execute start launch call invoke perform use do
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
    table list sheet | narrow slim | public open | secret password credential token key
    machine host server box node | container image docker | port socket | service app application program tool
    page screen site website view form | button link | picture image photo drawing artwork cover
    sound audio noise tone music | quiet silent silence mute still | speak talk say voice pronounce
    sentence line phrase statement | text copy wording prose | empty blank missing absent without
    full complete whole entire total | free available spare | once twice | rarely seldom | always every each
    only just solely exclusively | must should shall have need | more above exceed over beyond
    less below under fewer | maximum most limit cap ceiling up bound | minimum least floor | local home own
    phone mobile telephone watch cell smartphone | mail email letter | chat message slack text sms | open unlock
    close shut lock | switch turn | off disable disabled | on enable enabled | safe secure
    danger dangerous risk hazard unsafe | hurt injure injury harm | cold cool freeze chill | warm hot heat
    wire connect attach plug series hook | sensor probe thermometer gauge | read measure record log report
    publish release deploy ship rollout live go out launch | release version deployment | freeze frozen lock
    window slot period time interval | holiday vacation leave absence away | weekend saturday sunday
    home house flat | travel trip commute train ride crossing | eat food meal | drink coffee tea
    vegetarian vegan meat-free meatless plant-based | allergy allergic intolerance | spouse partner wife
    team crew group staff | colleague coworker teammate | customer-facing public
    warehouse storage stock inventory depot | ticket issue | pull request pr merge-request mr | branch fork
    main master trunk | squash collapse | review approve approval | sick ill unwell | put file store place keep
    label mark write inscribe
    approve accept sign sign-off confirm okay | comment remark note feedback | style convention format
    indent indentation tab space | quote quotation | variable name | class type | library package dependency module
    upgrade update bump | framework stack | frontend ui interface client | backend server api
    pipeline ci runner build | job task run | cache store | monitor watch observe track
    alert alarm warn warning page notify notification | dashboard board panel | chart graph plot
    metric number measure | queue backlog | thread process worker | lock mutex | session login | account profile
    role permission right | environment env stage | config setting option | flag switch option toggle
    default standard usual normal | custom own special | manual hand person human
    automatic automatically self machine | script program tool | shell terminal console command
    folder directory path | file document | line row | column field | header heading title | body content text
    link url address | draft proposal | idea suggestion proposal | decision decide agree settle choose | agree accept
    disagree object | history past log | summary recap overview digest abstract | detail specific
    example sample instance | template pattern form | guide manual documentation docs handbook
    glossary vocabulary dictionary | translate translation localise localisation | language tongue
    emoji smiley emoticon | greeting hello | tone voice style | list bullet enumeration | capital uppercase
    zone timezone | swap exchange rotate change | rest resting idle unused | capture record tape
    minute second | room studio | episode show programme | host presenter speaker | guest interviewee
    sponsor advertiser | read spot | subject title headline | newsletter bulletin mailing
    subscriber reader listener | speed pace rate | size dimension pixel | temperature degree heat | shelf rack
    boat ship ferry vessel | train rail | car vehicle van truck | map chart | animal pet | school class course
    student pupil learner | teacher instructor tutor | exam test quiz | homework assignment | grade mark score
    book title volume | library archive | museum exhibition | garden yard | water irrigate irrigation | harvest pick
    medicine drug pill medication | dose amount | doctor physician gp clinician | lab laboratory | sample specimen
    include contain comprise hold cover carry | staff employee personnel worker crew
    advance ahead beforehand prior earlier | supply provide deliver bring furnish | total sum overall altogether
    detail breakdown particular itemise itemize | top head above first | bottom below underneath beneath under
    long lengthy wordy verbose | short little few | message text note mail memo | anything something
    book reserve schedule arrange | appointment meeting booking slot reservation | stock inventory goods supplies
    count tally stocktake stocktaking | last final latest | wide width broad | reel roll coil
    hot warm heated temperature preheat | oven kiln stove | load put insert fill | earlier sooner before
    donate give gift | leftover left remaining surplus spare | closing close shut end | opening open start
    restart reboot reset relaunch | terminal reader device machine | ahead advance early
    publish post announce issue | rota roster schedule shift | hate dislike loathe | like love enjoy fond
    morning early am | afternoon pm | sign approve authorise authorize countersign | contract agreement deal
    supplier vendor provider wholesaler | website site page web homepage online | tax vat duty
    price cost rate fee tariff | list name enumerate show | every each all any | print write state show display
    exception exemption | hospital clinic ward | child kid infant | notice warning lead | day date
    holiday bank-holiday vacation | loaf bread | free gratis complimentary | employee worker staff colleague
    refuse decline reject deny | require need must demand want | let allow permit | enough sufficient adequate
    complete finish done ready | near close adjacent beside next | far distant remote | inside within indoors
    outside outdoors exterior | begin start commence open launch kick-off | stop end halt quit cease finish
    continue resume proceed carry | increase raise grow rise up | decrease reduce lower cut shrink drop down
    improve better enhance | worsen degrade | create make build set-up establish found | destroy wreck ruin demolish
    attach enclose append add include | detach remove separate unplug disconnect | connect join link plug attach
    receive get obtain accept collect | collect gather fetch pick | bring carry take transport
    buy purchase acquire order | sell vend trade | own possess belong have hold | rent lease hire let
    charge bill invoice | pay settle | find locate discover detect spot | lose misplace | search look seek
    choose pick select prefer opt | explain describe clarify outline | understand grasp follow | know aware
    remember recall remind | forget omit miss | think believe assume suppose guess | say tell mention state remark
    ask question query inquire | write draft compose note jot | read study peruse go | print publish
    copy duplicate clone replicate | translate render | teach train instruct coach | learn study practise practice
    try attempt test trial pilot | practise rehearse drill | help assist support aid | support maintain service
    serve provide | protect guard secure shield | attack threaten | warn alert caution flag
    promise commit guarantee pledge | refuse object | agree consent approve | argue dispute discuss
    discuss debate talk | meet gather convene | visit call see | invite ask | join attend participate take
    leave depart quit | arrive come reach land | travel go commute drive | walk go foot | drive car
    fly flight plane | wait hold pause | hurry rush quick | sleep rest nap | wake rise | eat dine lunch
    cook bake prepare | clean wash tidy | cut trim slice chop | break split crack snap
    fix repair mend patch resolve solve | install set-up mount fit deploy | uninstall remove drop
    configure set adjust tune | enable activate switch-on turn | disable deactivate switch-off
    run operate work function execute | crash fail die abort | freeze hang stall stuck | load open
    download fetch pull | upload push send publish | import load ingest read | export dump write
    encrypt secure cipher | sign stamp | log record track trace | measure weigh gauge time
    estimate guess expect forecast | calculate compute work | sum total add | compare match contrast
    sort order arrange rank | filter select sieve | group bundle batch cluster | merge combine join unite
    divide split share part | convert turn transform change | replace substitute swap exchange | rename retitle
    refer point link cite | quote cite | highlight emphasise emphasize stress
    summarise summarize sum recap condense | shorten cut trim abbreviate | extend lengthen prolong renew
    renew extend refresh | expire lapse end run | validate check verify confirm | approve confirm accept clear
    cancel abort call drop revoke | postpone delay defer push | schedule plan set book | repeat recur redo again
    skip miss omit leave jump | avoid prevent stop keep | require mandate enforce | suggest propose recommend advise
    decide choose settle agree resolve | expect await anticipate | hope want wish | worry fear concern
    important key crucial essential vital critical | urgent pressing asap immediate
    necessary required needed mandatory compulsory | optional voluntary | possible feasible | impossible infeasible
    easy simple straightforward trivial | hard difficult tricky tough | correct right proper accurate
    wrong incorrect false mistaken | new fresh recent latest | old former previous | current present actual
    next following upcoming | same identical equal | different other distinct separate | similar alike akin
    various several many different | single one sole only | double twice two | triple three thrice | half fifty
    whole entire full complete all | part piece portion share bit | most majority | few handful | enough plenty
    big large huge great | small little tiny minor | tall high | low short | thick heavy | thin light slim
    early soon | late delayed overdue | fast quick rapid speedy | slow sluggish | often frequently regularly usually
    always invariably constantly | sometimes occasionally | now currently presently | later afterwards then
    soon shortly | daily everyday | yearly annually | weekday workday | hour time clock | moment instant
    period span stretch duration time | deadline due limit cutoff | place location spot site position
    room hall space | building house premises | office workplace desk | shop store outlet | town city
    street road lane | country land nation | area region zone district | border edge boundary limit | front face
    back rear | side edge | middle centre center | end finish tail | top peak summit | bottom base foot
    person human individual | man guy | woman lady | friend pal mate | guest visitor attendee | member participant
    customer client buyer shopper patron | seller vendor dealer merchant | boss manager chief head lead supervisor
    company firm business enterprise employer | partner associate | owner proprietor | tenant renter lodger
    landlord owner | nurse carer | parent mother mum | baby infant | name title label | title heading headline
    address location | number figure count amount | amount quantity volume | list catalogue catalog register
    table grid chart | picture photo image shot | drawing sketch diagram | film movie video clip
    song track tune music | story tale | article post piece | newspaper paper | parcel package packet box
    box case crate carton | bag sack pouch | bottle flask | cup mug glass | plate dish | knife blade
    key code pin password | lock bolt latch | door gate entrance entry | window pane | floor ground storey | roof top
    stairs steps | table desk bench | chair seat stool | bed cot | lamp light bulb | screen display monitor
    phone telephone mobile cell handset | computer laptop machine pc notebook | tablet ipad pad | camera webcam
    battery accu cell | power electricity current mains | cable wire lead cord | plug socket outlet
    switch button toggle knob | valve tap | pipe tube hose | engine motor | pump compressor | fan blower vent
    filter strainer | tank reservoir container vessel | wheel tyre tire | tool instrument | screw bolt
    rope line cord string | cloth fabric textile | wood timber | metal steel iron | oil grease lubricant
    gas fuel petrol | fire flame blaze | ice frost | rain shower wet | wind breeze gale | plant crop flower
    seed grain | soil earth ground | field plot bed | greenhouse glasshouse polytunnel | dog hound | horse pony
    cow cattle | chicken hen poultry | bee hive colony | meal food dish | dinner supper | cake pastry
    vegetable veg | milk dairy | water drink beverage | allergy allergen intolerance | money cash funds
    wage salary pay | budget fund | debt loan | discount rebate reduction deduction | receipt slip voucher
    gift present | ticket pass | insurance cover policy | fine penalty | deposit caution advance
    law rule regulation | rule guideline policy convention | licence license permit | duty obligation
    meeting session conference call | agenda programme | minutes notes protocol | decision resolution | vote ballot
    report account summary | project undertaking | task job chore duty | goal aim target objective
    plan scheme roadmap | idea thought concept | problem issue trouble | solution fix answer remedy
    error mistake bug slip | cause reason | effect result outcome | test exam trial check | result outcome finding
    data figures records information | page sheet | version release edition revision | draft sketch outline
    change edit modification alteration | history log record | query search request | network net
    internet web online | connection link | request call query | interface api | user login account
    password passphrase secret | permission right access | code source program | function method routine
    test spec check | build compile | commit check-in | merge integrate land | rollback revert undo back
    pipeline workflow ci | runner agent worker | container docker pod | environment stage tier | cache buffer
    timer schedule cron | event message notification | hook callback trigger | monitoring alerting observability
    metric measure figure | threshold limit bound | latency delay lag | click press tap hit push | scroll swipe
    drag move | type enter key input | icon symbol | font typeface | colour color shade hue | background backdrop
    margin border edge padding | layout arrangement design | spelling orthography | word term expression
    paragraph section passage | chapter part | temperature heat degrees | speed velocity pace | weight mass load
    size dimension measurement | proof rise ferment rest prove mature | laminate fold | score slash cut
    proofer prover | dough batter | market stall stand booth
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


def rows(keys: frozenset[str]) -> frozenset[str]:
    """Return a mark for each row that one of some keys stands in, by which texts of near words find one another."""
    return frozenset(f"~{number}" for key in keys for number in _ROWS.get(key, ()))


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
