"""Which things are of a kind: to deny all that is said of dogs denies what is said of a puppy."""

from __future__ import annotations

from dreamreview.dream.similarity import stem
from dreamreview.dream.words import lines, words

_KINDS = """
    person: man woman boy girl child baby adult teenager youth youngster toddler infant lady gentleman guy fellow
    person: player athlete swimmer runner cyclist biker rider skater skier surfer dancer singer musician artist
    person: worker employee engineer developer designer manager teacher student pupil doctor nurse patient lawyer
    person: cook chef waiter driver pilot sailor soldier officer policeman firefighter farmer fisherman gardener
    person: customer guest visitor member user colleague friend neighbour neighbor parent mother father sister brother
    child: boy girl baby toddler infant kid
    adult: man woman lady gentleman
    man: gentleman guy fellow father brother husband boyfriend uncle grandfather
    woman: lady mother sister wife girlfriend aunt grandmother
    animal: dog cat horse cow pig sheep goat rabbit mouse rat bird fish monkey lion tiger bear wolf fox deer elephant
    animal: donkey camel squirrel badger turtle frog snake hamster kangaroo panda zebra giraffe puppy kitten chicken
    animal: duck goose insect bee
    dog: puppy terrier poodle retriever shepherd hound bulldog collie dachshund spaniel labrador
    cat: kitten tabby
    horse: pony stallion mare foal
    cow: calf bull ox
    rabbit: bunny hare
    bird: duck goose chicken hen parrot eagle owl crow raven gull pigeon sparrow swan
    fish: salmon trout tuna shark cod carp
    insect: bee ant fly wasp butterfly beetle mosquito
    vehicle: car truck lorry van bus bike motorcycle motorbike scooter tram train taxi tractor jeep
    car: taxi jeep cab limousine
    boat: canoe kayak ferry yacht raft ship sailboat
    aircraft: plane airplane aeroplane helicopter glider jet
    plane: airplane aeroplane jet
    instrument: guitar piano keyboard flute violin drum trumpet saxophone cello harp clarinet organ banjo ukulele
    weapon: gun rifle pistol sword knife
    gun: rifle pistol shotgun
    tool: hammer saw drill screwdriver wrench spanner axe shovel
    vegetable: carrot onion potato tomato pepper cucumber cabbage lettuce broccoli garlic eggplant bean pea zucchini
    fruit: apple banana orange lemon pear peach plum grape cherry strawberry melon mango pineapple
    meat: beef pork chicken ham bacon lamb turkey steak sausage
    food: meat fish bread rice pasta noodle soup salad cheese cake pizza sandwich egg vegetable fruit
    drink: water tea coffee milk juice beer wine lemonade
    clothing: shirt dress coat jacket trousers jeans skirt sweater hat sock shoe
    furniture: table chair bed sofa couch desk shelf cabinet wardrobe bench
    building: house church school hospital factory barn hotel castle tower
    tree: oak pine birch maple willow palm
    flower: rose tulip daisy lily sunflower
    game: chess football soccer tennis basketball baseball hockey rugby volleyball cricket
    database: postgres postgresql mysql sqlite mariadb mongodb oracle redis
    language: python java rust ruby typescript javascript kotlin swift
    cut: slice chop carve trim mince dice
    move: walk run go travel
    walk: stroll hike march pace wander stride
    run: jog sprint
    talk: chat whisper
    cook: fry boil bake roast grill
    """
"""A kind and what is of it, a line each; a kind may go on in the next line."""

_NEAR = """
    plane airplane aeroplane jet
    rabbit bunny hare
    bicycle bike cycle
    motorcycle motorbike
    truck lorry
    boat ship
    stir mix whisk beat blend
    dig burrow
    leap jump hop spring bounce vault
    run jog sprint race dash
    walk stroll pace stride march hike wander
    look watch stare gaze view observe
    talk speak chat
    throw toss hurl fling pitch
    shout yell scream
    cry weep
    laugh giggle
    smile grin
    hit strike knock
    push shove
    pull drag tug tow
    grab catch seize grip clutch hold
    carry hold bring bear
    lift raise hoist
    put place pack sprinkle lay
    lie lay rest recline
    sleep nap doze
    eat chew gnaw munch devour bite
    feed nourish
    drink sip
    wash clean rinse scrub wipe
    break crack smash shatter
    tear rip
    draw sketch
    fight wrestle box brawl
    wade splash
    swim paddle
    climb scale
    fall tumble
    slip slide
    hug embrace
    pet stroke caress
    brush comb groom
    close shut
    tie fasten
    chase pursue hunt
    gather collect
    build construct assemble
    practice exercise train drill
    perform play
    compete participate partake race
    make produce prepare
    use apply employ
    check verify test
    start launch boot
    wear dress clothe
    shoot fire
    piano keyboard
    hurdle barrier obstacle fence
    shore beach coast seaside
    street road lane
    path trail track
    sidewalk pavement
    forest wood woods
    hill slope incline hillside mountain
    sea ocean
    river stream creek
    lake pond
    field meadow pasture lawn grass
    yard garden
    earth ground soil dirt
    rock stone boulder
    stick branch twig
    rink park
    stair step staircase
    couch sofa
    phone telephone cellphone
    television tv
    computer laptop
    rubbish garbage trash
    picture photo photograph image
    knife blade
    bowl dish
    pan pot
    plate dish
    cup mug
    box carton package
    bag sack
    hat cap
    jacket coat
    trousers pants
    dress gown
    uniform outfit costume clothing
    glasses spectacles
    cosmetic makeup
    meal food
    game match
    trick stunt
    movie film
    city town
    panda bear
    """
"""Words that may stand for one another where one text denies what the other says."""
_PARTS = frozenset(map(stem, words("piece slice bit group crowd number pair part kind type sort set bunch cluster")))
"""Words that say how much there is of what follows, and nothing of their own."""


def _narrower() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for line in lines(_KINDS):
        kind, members = line.split(":")
        found.setdefault(stem(kind), set()).update(map(stem, members.split()))
    return {kind: frozenset(members) - {kind} for kind, members in found.items()}


_NARROWER = _narrower()
_NONE: frozenset[str] = frozenset()
_NEAR_OF: dict[str, frozenset[str]] = {}
for _line in lines(_NEAR):
    _group = frozenset(map(stem, _line.split()))
    for _word in _group:
        _NEAR_OF[_word] = _NEAR_OF.get(_word, _NONE) | _group
_PERSON = stem("person")
LEAST = 4
"""Letters from which one word that begins as another ends is taken for a form of it: grass and grassy."""


def narrower(kind: str) -> frozenset[str]:
    """Return the stems of what is of a kind, also of the kinds in it; nothing for what is no kind."""
    direct = _NARROWER.get(kind, _NONE)
    return direct.union(*(_NARROWER.get(each, _NONE) for each in direct)) if direct else _NONE


def is_said(key: str, said: frozenset[str]) -> bool:
    """Tell whether words speak of a thing, or of one that is of its kind, by this or by a near word."""
    if key in said or key in _PARTS or not narrower(key).isdisjoint(said):
        return True
    if not _NEAR_OF.get(key, _NONE).isdisjoint(said):
        return True
    return any(min(len(key), len(word)) >= LEAST and (key.startswith(word) or word.startswith(key)) for word in said)


def is_akin(one: str, other: str) -> bool:
    """Tell whether one stem is of the kind that the other names, so that both may speak of one thing."""
    return one == other or one in narrower(other) or other in narrower(one)


def is_somebody(one: str, other: str) -> bool:
    """Tell whether one stem says no more than that there is a person, and the other which sort of person."""
    return _PERSON in (one, other) and is_akin(one, other)
