"""Irregular forms of English words and the form that each belongs to."""

from __future__ import annotations

from dreamreview.dream.words import heads

IRREGULAR = heads(
    """
    go went gone goes
    send sent
    run ran running
    keep kept
    write wrote written
    lose lost
    build built
    hold held
    leave left
    speak spoke spoken
    make made
    give gave given
    take took taken
    choose chose chosen
    swap swapped
    think thought
    buy bought
    bring brought
    catch caught
    teach taught
    know knew known
    grow grew grown
    show showed shown
    see saw seen
    say said
    tell told
    find found
    begin began begun
    break broke broken
    freeze froze frozen
    drive drove driven
    ride rode ridden
    eat ate eaten
    fall fell fallen
    drink drank drunk
    sing sang sung
    come came
    become became
    meet met
    pay paid
    sell sold
    spend spent
    stand stood
    wear wore worn
    win won
    read reads
    sleep slept
    steal stole stolen
    throw threw thrown
    draw drew drawn
    fly flew flown
    lie lay lain
    rise rose risen
    hide hid hidden
    bind bound
    feed fed
    bite bit bitten
    shake shook shaken
    tear tore torn
    swim swam swum
    hang hung
    dig dug
    blow blew blown
    forget forgot forgotten
    hear heard
    lend lent
    ring rang rung
    seek sought
    shoot shot
    sink sank sunk
    sit sat
    slide slid
    spin spun
    stick stuck
    strike struck
    sweep swept
    swing swung
    wake woke woken
    bend bent
    deal dealt
    fight fought
    kneel knelt
    lay laid
    mean meant
    knife knives
    wife wives
    half halves
    shelf shelves
    wolf wolves
    loaf loaves
    calf calves
    tooth teeth
    goose geese
    man men
    woman women
    child children
    person people persons
    foot feet
    mouse mice
    index indices indexes
    datum data
    analysis analyses
    criterion criteria
    tidy tidied
    id ids
    pr prs
    db dbs
    vm vms
    pc pcs
    ui uis
    agree agreed
    disagree disagreed
    free freed
    guarantee guaranteed
    lead led
    light lit
    feel felt
    understand understood
    withdraw withdrew withdrawn
    overwrite overwrote overwritten
    rewrite rewrote rewritten
    override overrode overridden
    undo undid undone
    redo redid redone
    shrink shrank shrunk
    shine shone
    learn learnt
    burn burnt
    spell spelt
    sow sowed sown
    sew sewed sewn
    mow mowed mown
    weave wove woven
    swear swore sworn
    forgive forgave forgiven
    bear bore borne
    beat beaten
    bleed bled
    breed bred
    cling clung
    creep crept
    dwell dwelt
    flee fled
    fling flung
    leap leapt
    lean leant
    mislead misled
    mistake mistook mistaken
    overcome overcame
    oversee oversaw overseen
    overtake overtook overtaken
    prove proved proven
    rebuild rebuilt
    redraw redrew redrawn
    rewind rewound
    shear sheared shorn
    sling slung
    spill spilt
    spit spat
    spoil spoilt
    swell swelled swollen
    tread trod trodden
    uphold upheld
    weep wept
    withhold withheld
    withstand withstood
    wring wrung
    label labelled labelling
    cancel cancelled cancelling
    travel travelled travelling
    model modelled modelling
    control controlled controlling
    total totalled totalling
    signal signalled signalling
    level levelled levelling
    channel channelled channelling
    fuel fuelled fuelling
    refuel refuelled refuelling
    dial dialled dialling
    equal equalled equalling
    excel excelled excelling
    fulfil fulfilled fulfilling
    patrol patrolled patrolling
    pencil pencilled pencilling
    propel propelled propelling
    compel compelled compelling
    tunnel tunnelled tunnelling
    enrol enrolled enrolling
    instil instilled instilling
    initial initialled initialling
    marshal marshalled marshalling
    """
)
"""Irregular forms to the form they belong to."""
