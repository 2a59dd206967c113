"""What the local engine knows about words: which say nothing alone, which mean the same, which exclude one another."""

from __future__ import annotations

from collections.abc import Mapping


def words(text: str) -> frozenset[str]:
    """Return the words of a text written with blanks between them."""
    return frozenset(text.split())


def lines(text: str) -> tuple[str, ...]:
    """Return the lines of a text, blanks around them and empty lines at its ends left out."""
    return tuple(line.strip() for line in text.strip().splitlines())


def heads(text: str) -> Mapping[str, str]:
    """Map each word of a line to the first word of that line."""
    heads: dict[str, str] = {}
    for line in lines(text):
        first, *rest = line.split()
        for word in (first, *rest):
            heads.setdefault(word, first)
    return heads


def pairs(text: str) -> frozenset[frozenset[str]]:
    """Return the pairs of words of a text, each written with a stroke between them."""
    return frozenset(frozenset(pair.split("/")) for pair in text.split())


STOP_WORDS = words(
    """
    a an the this that these those it its they them their theirs he him his she her hers we us our ours you your yours
    i me my mine who whom whose which what as of to in on at by for from with into onto upon about over under up down
    off out and or nor but so than then if when while where whether because since until till before after during
    through per via is are was were be been being am do does did done doing has have had having will would shall should
    can could may might must ought let lets get gets got also too just only even still yet very quite really rather
    almost already again always ever often sometimes usually here there thus hence such same other another each every
    any all both either some most more less much many few several itself himself herself themselves myself one ones
    s t d ll re ve etc eg ie vs others please otherwise instead however therefore though although once twice now today
    anybody anyone anything everybody everyone everything somebody someone something thing things way ways kind sort
    time times lot lots bit well around across along behind beyond within between among against toward towards
    и в во на с со к ко у о об от до из за по под над при для без не ни что чтобы как так то это этот эта эти тот та те
    он она оно они мы вы я его её ее их наш ваш мой свой а но или же ли бы если когда где уже ещё еще только также
    есть был была было были быть
    der das den dem des ein eine einen einem einer und oder aber ist sind waren wird werden nicht zu im vom
    le la les un une du de et dans avec cette qui que el los las y o en
    no not never none nobody nothing neither nor nowhere cannot without no-one noone isnt arent wasnt werent dont
    doesnt didnt wont wouldnt shouldnt cant couldnt mustnt hasnt havent hadnt neednt aint nicht kein keine keinen
    niemals nie jamais pas nunca не нет ни никогда нельзя без запрещено
    """
)
"""Words that carry no topic by themselves: English, Russian, and unmistakable German, French and Spanish ones."""

CJK_STOP_CHARS = frozenset(
    "的了在是和与或也就都而及着被把从对于请要会能可以这那个些之其为他她它们我你您"
    "はがをのでともへや"
)  # fmt: skip
"""Characters that carry no topic by themselves in Chinese and Japanese."""

CJK_TWINS: Mapping[str, str] = dict(
    pair.split("/")
    for pair in """
    星期天/周日 星期/周 礼拜/周 上线/部署 发布/部署 合并请求/PR 使用/用 采用/用 必须/要 需要/要
    务必/要 应当/要 应该/要 之前/前 以前/前 之后/后 禁止/不要 不超过/最多 不多于/最多 不少于/最少
    不低于/最少 不得/不要 不可/不要 切勿/不要 简短/短 简洁/短 回复/回答 答复/回答 至少/最少
    数据库/库 代码/码 喜欢/偏好 喜爱/偏好
    """.split()  # noqa: SIM905 - a table of pairs reads best as one text
)
"""Chinese words to the word that stands for both, in the order they are replaced."""

UNSTEMMED = words("staging string building during evening morning spring ceiling")
"""Words that look like forms of others and are not."""

SYNONYMS = heads(
    """
    child kid
    woman lady
    father dad daddy
    mother mum mom mummy
    couch sofa
    path trail
    jump leap
    outside outdoors
    inside indoors
    group bunch
    forest woods
    shout yell
    cup mug
    couple pair
    shop store
    answer reply response
    begin start commence
    end finish conclude
    change swap alter modify switch
    repair fix mend
    build compile
    buy purchase
    delete remove erase
    run execute
    release deploy ship publish rollout
    require need necessitate
    forbid prohibit ban
    allow permit
    show display
    send mail dispatch
    keep retain preserve
    big large huge
    small little tiny
    quick fast rapid
    different separate distinct
    error failure fault
    image picture photo photograph
    doc document documentation
    config configuration setting settings
    repo repository
    dir directory folder
    app application
    db database
    env environment
    auth authentication
    prod production
    dev development
    pr pull-request merge-request
    test spec
    mock fake stub stand-in
    dependency dep
    parameter param argument
    message msg
    person human
    boss manager
    salary wage
    car automobile
    bike bicycle
    wedding marriage
    doctor physician
    lawyer attorney
    film movie
    shoe footwear
    rock stone
    slice cut chop
    talk speak
    look gaze
    trek hike
    hat cap
    coat jacket
    guest visitor
    customer client
    meeting appointment
    timeout time-out
    limit maximum max ceiling cap-limit
    minimum min
    nightly night
    weekly week
    daily day
    monthly month
    yearly year annual annually
    hourly hour
    anybody anyone
    half-hour half-an-hour
    last final
    whole entire complete full
    override bypass circumvent
    confirm acknowledge
    fetch retrieve
    store save
    create add
    prefer favour favor like
    leader head
    own responsible
    speaker presenter
    lint linter
    float floating-point
    integer int int64 int32
    square squared
    """
)
"""Words to the word that stands for all that mean the same."""

ANTONYMS = pairs(
    """
     on/off enable/disable open/close start/stop begin/end before/after above/below up/down in/out hot/cold
    high/low fast/slow early/late first/last old/new left/right add/remove insert/delete
    accept/reject allow/forbid allow/refuse increase/decrease raise/lower minimum/maximum always/never must/may
    long/short wide/narrow thick/thin heavy/light hard/soft hard/easy wet/dry full/empty true/false yes/no
    success/failure public/private internal/external manual/automatic manually/automatically sync/async
    synchronous/asynchronous required/optional mandatory/optional tabs/spaces tab/space light/dark day/night
    near/far inside/outside indoors/outdoors indoor/outdoor love/hate like/dislike good/bad best/worst clean/dirty
    rich/poor strong/weak safe/dangerous same/different together/apart upper/lower uppercase/lowercase win/lose
    arrive/leave enter/exit ascend/descend ascending/descending asleep/awake alive/dead happy/sad loud/quiet
    before/afterwards more/less most/least even/odd warm/cool sunny/rainy rebase/merge squash/merge serif/sans
    encrypted/plain online/offline active/inactive visible/hidden local/remote include/exclude lock/unlock
    attach/detach approve/deny approve/decline grant/revoke mount/unmount load/unload fill/empty gather/scatter
    shallow/deep rough/smooth sharp/blunt tight/loose sweet/bitter forward/backward forwards/backwards top/bottom
    front/back ahead/behind like/hate love/dislike
    apply/remove put/remove attach/remove install/uninstall assemble/dismantle build/demolish build/destroy
    create/destroy save/delete keep/delete keep/remove pack/unpack wrap/unwrap plug/unplug cover/uncover fold/unfold
    zip/unzip tie/untie dress/undress connect/disconnect join/separate combine/separate merge/split
    lift/lower hit/miss pass/fail find/lose remember/forget
    teach/learn lead/follow advance/retreat attract/repel
    rise/fall rise/sink climb/fall float/sink grow/shrink expand/shrink expand/contract freeze/melt heat/cool
    save/spend save/waste earn/spend laugh/cry smile/frown shout/whisper praise/blame agree/disagree
    admit/deny confirm/deny ignore/notice ignore/watch obey/disobey trust/distrust hire/fire employ/dismiss
    live/die wake/sleep eat/fast work/rest accelerate/brake inhale/exhale permit/forbid permit/prohibit
    naked/clothed naked/dressed crowded/empty crowded/deserted full/deserted busy/idle occupied/vacant
    moving/motionless moving/still moving/stationary mobile/immobile calm/agitated noisy/quiet noisy/silent
    loud/silent beautiful/ugly straight/curved vertical/horizontal bright/dim bright/dark
    cheap/expensive cruel/kind damp/dry dull/sharp fresh/stale friendly/hostile frequent/rare healthy/sick
    honest/dishonest major/minor modern/ancient permanent/temporary polite/rude positive/negative present/absent
    similar/different simple/complex simple/complicated cloudy/sunny tidy/messy upstairs/downstairs urban/rural
    guilty/innocent raw/cooked wild/tame sober/drunk barefoot/shod bald/hairy broken/intact correct/wrong right/wrong
    single/married awake/sleeping public/secret fixed/variable finite/infinite static/dynamic relative/absolute
    verbose/terse strict/lenient eager/lazy blocking/nonblocking
    """
)
"""Words of which at most one can hold of the same thing."""

GROUPS = tuple(
    words(line)
    for line in lines(
        """
        red blue green yellow black white purple orange brown pink grey gray silver golden gold teal violet beige
        staging production prod dev development test testing qa preview canary sandbox local localhost
        feature release hotfix main master trunk develop
        first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth last
        one two three four five six seven eight nine ten eleven twelve
        north south east west nord sued ost
        spring summer autumn fall winter
        morning noon afternoon evening night midnight
        get post put patch
        man woman
        boy girl
        king queen
        male female
        big small
        young old elderly senior junior teenage adult
        sit stand walk run lie jump dance sleep kneel
        sun moon
        buy sell
        solid liquid
        dress undress
        import export
        push pull
        upload download
        postgres postgresql mysql sqlite mariadb mongodb oracle redis
        npm yarn pnpm bun
        python java rust ruby typescript javascript kotlin swift
        linux windows macos android ios
        frontend backend
        guest host sponsor member manager admin customer
        english german french spanish italian russian chinese japanese korean
        wood metal plastic glass stone brick paper cotton leather bronze steel
        """
    )
)
"""Sets of words of which only one can fit at one place."""
