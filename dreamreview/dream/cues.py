"""By which words a text denies, corrects, plans, guesses or limits what it says."""

from __future__ import annotations

from dreamreview.dream.words import lines, words


def _phrases(text: str) -> tuple[str, ...]:
    return tuple(phrase.strip() for phrase in text.replace("\n", "|").split("|") if phrase.strip())


NEGATIONS = words(
    """
    no not never none nobody nothing neither nor nowhere cannot without no-one noone isnt arent wasnt werent dont
    doesnt didnt wont wouldnt shouldnt cant couldnt mustnt hasnt havent hadnt neednt aint avoid refuse forbid
    forbidden prohibited nicht kein keine keinen niemals nie jamais pas nunca не нет ни
    никогда нельзя без запрещено
    """
)
"""Words that deny what follows."""

DENYING_PAIRS = frozenset((("free", "of"), ("rather", "than"), ("instead", "of")))
"""Two words that deny what follows."""

AFTER_NEGATIONS = words("gone uninstalled retired discontinued forbidden prohibited blocked blocks")
"""Words that deny what stands before them: "the fence is gone"."""

PASSED = words("removed disabled deprecated rejected refused off dropped cancelled canceled terminated abolished")
"""Words that do so only where a verb of being stands before them: "the door is off", "was removed"."""

REMOVALS = NEGATIONS | words(
    """
    remove removes removed removing removal drop drops dropped dropping delete deletes deleted deleting replace replaces
    replaced replacing retire retired eliminate eliminates eliminated eliminating cleanup instead stop stops stopped
    missing lack lacks lacked lacking absent
    """
)
"""Words of a sentence that rules something out, in whatever form."""

CJK_NEGATIONS = _phrases(
    """
    不要 | 不能 | 不再 | 不得 | 不是 | 不用 | 禁止 | 没有 | 不 | 无 | 未 | 别 | 勿 | ない | ません | 않
    """
)
"""Characters that deny, longest first."""

CLAUSE_WORDS = words(
    """
    before after until till because but if when while which that so whereas unless although though since then and or
    """
)
"""Words at which the reach of a negation ends."""

CORRECTIONS = _phrases(
    """
    no longer | any more | anymore | from now on | changed his mind | changed her mind | changed their mind
    changed our mind | changed my mind | moved to | switched to | switched from | migrated to
    migrated from | replaced by | replaced with | upgraded | downgraded | corrected | correction | turned out
    used to be | renamed to | nicht mehr | ab jetzt | ab sofort | künftig | sind es jetzt | отныне
    больше не | теперь | перешли | перенесли | переехали | 以后 | 改为
    改成 | 改用 | 迁移 | 不再 | 现在 | 今后 | に変更 | 変更した | 変更され | もう
    """
)
"""Phrases by which a text says that something was otherwise before."""

FORMER = _phrases(
    "used to | formerly | previously | in former times | früher | ehemals | раньше | прежде | 以前は | 原来"
)
"""Phrases by which a text says how something was before."""

ONLY = _phrases(
    "only | solely | exclusively | nothing but | no one but | nur | ausschließlich | только | лишь | 只 | 仅 | だけ"
)
"""Phrases by which a text says that something holds of nothing else."""

CONDITIONS = _phrases("if | when | whenever | unless | in case | wenn | falls | если | когда | 如果 | 若 | 当")
"""Phrases that open a condition: two that exclude one another may each have a consequence."""

PLANS = _phrases(
    """
    plan to | plan: | plan from | plan ( | plans to | planned to | planned for | is planned | are planned
    planned: | planning to | idea: | todo: | to do: | intend | going to | next step | we should | aim to
    hope to | wir wollen | geplant | планируем | 计划 | 打算 | 予定
    """
)
"""Phrases by which a text says that something is meant to be done."""

OPINIONS = _phrases(
    """
    seem | seems | may need | might | maybe | perhaps | vielleicht
    anscheinend | vermutlich | похоже | кажется | наверное | видимо | asks us | asks to | has been fine | to be fine
    apparently | probably | i think | 好像 | 可能
    """
)
"""Phrases by which a text says less than that it is so."""

REPORTED = _phrases(
    """
    says that | said that | thinks that | thought that | claims that | claimed that | believes that | believed that
    finds that | found that | told me | told us | reckons | meint, dass | sagt, dass | говорит, что | считает, что
    """
)
"""Phrases by which a text says who holds something to be so."""

SAFETY = _phrases(
    """
    allerg | anaphyla | epipen | intoleran | not even traces | not even a trace
    danger | safety | safe to | unsafe | injur | poison | emergency | severe | lethal | аллерг
    опасн | 过敏 | 危险 | 安全 | アレルギー | 危険
    """
)
"""Stems that mark a fact which must not be weakened by a single remark."""

SCOPES = tuple(
    words(line)
    for line in lines(
        """
        staging production prod dev development qa preview canary sandbox test tests 测试 生产 预发 开发
        feature release hotfix
        frontend backend
        linux windows macos android ios
        get post put patch
        public private internal
        """
    )
)
"""Sets of words that say for what a statement holds; two statements for different ones do not meet."""

EXCLUSIVE_ROLES = words(
    """
    own lead owner leader head maintainer chair responsible charge name call provider host vendor supplier live
    located born handle manage leitet verantwortet verantwortlich zuständig heißt wohnt gehört отвечает руководит
    возглавляет зовут живёт 负责 主管 担当
    """
)
"""Words of relations that one name fills at a time."""

ACTIVITIES = words("management handling naming hosting calling leading charging")
"""Words of the same roots that name a field of work: error handling, user management."""

DONE = words(
    """
    done complete completed finished shipped released deployed delivered launched implemented migrated moved merged
    switched replaced installed built fixed resolved closed removed landed live erledigt fertig готово сделано
    """
)
"""Words that report a plan as carried out."""

DONE_MARKS = _phrases(
    """
    ✅ | [x] | ☑ | 已完成 | 完成了 | 已上线 | 已迁移 | 已部署 | 完了 | 済み
    is on | are on | is in use | are in use | in place | now uses | now use | now runs | now run
    """
)
"""Signs and phrases that do so."""

SOFTENING = _phrases(
    """
    skip | skipped | is fine | be fine | was fine | were fine | went fine | seems fine | looks fine | nothing happened
    | is ok | be ok | no problem | no issue | okay | harmless | exaggerated | overdone
    unnecessary | needless | relax | loosen | no reaction | raise the limit | lockern | harmlos
    übertrieben | unnötig | ничего не было | можно | необязательно | 没事 | 没关系 | 大丈夫
    """
)
"""Phrases by which a remark makes light of a danger."""

NOT_YET = _phrases("yet | noch nicht | ещё не | еще не | 还没 | 尚未 | まだ | 아직")
"""Phrases by which a text says that something is still to come, so that its denial is not to last."""

NORMS = words("must shall should target targets goal goals require requires required needs soll muss")
"""Words that say how something is meant to be."""

AIMS = words("goal goals target targets milestone milestones ziel ziele objectif objetivo цель")
"""Words of an amount that is to be reached, beside which one that was reached may stand."""

PROGRESS = words("complete completed completion progress achieved eliminated improved improvement fertig готово")
"""Words of how far something has come: a share that was reached is one of its day."""

REPORTS = words("fails failed failing failure crashes crashed broken breaks currently measured observed got returned")
"""Words that say how something turned out."""

PERIODS = words("until till end ends ended expire expires due valid deadline starts begins opens closes runs bis до")
"""Words that make a date the point of a sentence and not its stamp."""

RHYTHMS = {
    "hourly": "hour", "daily": "day", "nightly": "day", "weekly": "week", "fortnightly": "fortnight",
    "monthly": "month", "quarterly": "quarter", "yearly": "year", "annual": "year", "annually": "year",
}  # fmt: skip
"""Words for how often something is done, to the time between."""

BOUNDS = words("up most least max maximum min minimum limit ceiling cap 最多 最少 上限")
"""Words that make an amount a bound."""

SETTLED = words(
    "fixed resolved completed complete cleaned issue issues bug bugs error errors problem problems done solved closed"
)
"""Words of a matter that is over or was a fault: what is said of it does not stand against what holds."""

RESOLUTIONS = words(
    "decision decisions decided agreement agreements agreed resolution resolutions resolved adr adrs beschluss"
    " beschlüsse entscheidung entscheidungen решение решения 决定 決定"
)
"""Words of a heading below which a dated line says what holds from that day on."""

STAMPS = words(
    "date dat updat creat modifi phiên bản version vers status stat author decision last final revis 更新 日期 最后"
    " 时间 状态"
)
"""Stems of words that say of a text when or by whom it was written, and nothing of its matter."""
