"""Generated notes of an agent: facts in plain sentences, some of them said twice in other words, many nearly alike."""

from __future__ import annotations

import random

NAMES = 2500
"""Projects, machines and people that are spoken of, the first of them far more often than the others."""


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_SYLLABLES = _words(
    """
    ba be do ga ka ko la le li lo ma me mi mo na ne ni no pa pe ra re ri ro sa se si so ta te ti to va ve vi zu
    """
)
_THINGS = _words(
    """
    archive backup barrier boiler bridge buffer cache camera catalogue cluster compressor controller counter crane
    dashboard database elevator exporter feed filter firewall forklift freezer furnace gateway generator greenhouse
    heater importer index kiln ledger library listener loader lock log mailbox mast mixer monitor network oven panel
    parser pipeline planner printer proxy pump queue reactor recorder register renderer report router sampler
    scanner scheduler sensor server silo socket sorter spreadsheet storage switch telescope terminal thermostat
    tower trailer turbine valve vault ventilator warehouse watcher winch workshop
    """
)
_STUFF = _words(
    """
    alarms amounts badges bills blueprints bookings cables certificates contracts coordinates crates drawings
    entries estimates events exports forms invoices keys labels ledgers letters licences logs manuals maps
    measurements meetings messages metrics minutes orders packages parcels passports payments permits photos plans
    prices profiles quotes readings receipts recipes records refunds reports requests results routes samples
    schedules scripts seeds sessions shipments signatures sketches snapshots statements subscriptions tables tags
    tickets timetables tokens transcripts vouchers warnings
    """
)
_PLACES = _words(
    """
    annex atrium attic basement bay canteen cellar corridor courtyard depot dock foyer gallery garage garden hall
    hangar harbour kitchen laboratory lobby loft mezzanine office pier plant platform quarry reception shed stable
    stairwell studio terrace tunnel yard
    """
)
_EVENTS = _words(
    """
    audit briefing calibration cleanup closing delivery demo drill election exam fair festival handover harvest
    inspection inventory launch maintenance migration opening payroll rehearsal release renovation review shipment
    shutdown survey training transfer trial upgrade visit
    """
)
_KINDS = _words(
    """
    annual blue borrowed broken cheap compressed digital double encrypted foreign frozen green handwritten heavy
    hourly leaky missing narrow new nightly official old outdated portable printed raw rented rusty scanned sealed
    secret signed silent slow spare steep temporary urgent wooden
    """
)
_DEEDS = _words(
    """
    checked cleaned closed copied counted labelled locked measured moved opened painted packed replaced sorted
    tested
    """
)
_NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 10: "ten", 12: "twelve"}
_SHAPES = tuple(
    tuple(line.strip() for line in shape.splitlines())
    for shape in """
    The {thing} of {name} keeps its {kind} {stuff} for {n} days
    For {w} days {name}'s {thing} keeps its {kind} {stuff}

    {name} writes {kind} {stuff} to the {thing} every {n} minutes
    Every {w} minutes, {kind} {stuff} are written to the {thing} by {name}

    Before each {event} the {thing} of {name} is {deed} by {who}
    {who} has the {thing} of {name} {deed} before every {event}

    {who} prefers {kind} {stuff} in the {thing} of {name}
    In {name}'s {thing}, {kind} {stuff} are preferred by {who}

    The {thing} for {name} listens on port {port} behind the {place}
    Behind the {place}, {name}'s {thing} is listening on port {port}

    {who} looks after the {kind} {thing} of {name} in the {place}
    The {kind} {thing} of {name} in the {place} is looked after by {who}

    Never start the {event} of {name} while the {kind} {thing} is being {deed}
    While the {kind} {thing} is being {deed}, {name}'s {event} is never started

    The {event} of {name} failed because the {thing} in the {place} had {kind} {stuff}
    {name}'s {event} has failed since there were {kind} {stuff} in the {thing} of the {place}

    {name} reads at most {n} {kind} {stuff} at a time from the {thing}
    From the {thing}, {name} is reading {w} {kind} {stuff} at a time at most

    After the {event}, {who} counts the {kind} {stuff} that {name} left in the {place}
    {who} always counts the {kind} {stuff} left by {name} in the {place} after the {event}

    The bill for the {kind} {thing} of {name} came to {port} euros after the {event}
    After the {event}, {name} got a bill of {port} euros for the {kind} {thing}

    {who} sends the {kind} {stuff} of {name} to the {place} before the {event}
    Before the {event}, the {kind} {stuff} of {name} are sent to the {place} by {who}
    """.strip().split("\n\n")
)
"""Two wordings of each sort of fact."""


def _name(rnd: random.Random) -> str:
    return "".join(rnd.choices(_SYLLABLES, k=rnd.choice((3, 3, 4)))).capitalize()


def notes(count: int, planted: int, seed: int = 11) -> tuple[list[str], frozenset[tuple[int, int]]]:
    """Return so many notes, and the places of those of them that say the same in other words, lower place first."""
    rnd = random.Random(seed)
    names = sorted({_name(rnd) for _ in range(max(NAMES, count // 4))})
    rnd.shuffle(names)
    facts: set[tuple[str, str]] = set()
    while len(facts) < count - planted:
        facts.add(_fact(rnd, names))
    listed = sorted(facts)
    rnd.shuffle(listed)
    texts = [(number, first) for number, (first, _) in enumerate(listed)]
    texts += [(number, listed[number][1]) for number in rnd.sample(range(len(listed)), planted)]
    rnd.shuffle(texts)
    places: dict[int, list[int]] = {}
    for place, (number, _) in enumerate(texts):
        places.setdefault(number, []).append(place)
    twice = frozenset((found[0], found[1]) for found in places.values() if len(found) == 2)
    return [text for _, text in texts], twice


def _fact(rnd: random.Random, names: list[str]) -> tuple[str, str]:
    """Return one fact in two wordings."""
    number = rnd.choice(sorted(_NUMBERS))
    often = names[min(int(rnd.paretovariate(0.6)) - 1, len(names) - 1)]
    parts = {
        "name": often if rnd.random() < 0.3 else rnd.choice(names),
        "who": rnd.choice(names),
        "thing": rnd.choice(_THINGS),
        "stuff": rnd.choice(_STUFF),
        "place": rnd.choice(_PLACES),
        "event": rnd.choice(_EVENTS),
        "kind": rnd.choice(_KINDS),
        "deed": rnd.choice(_DEEDS),
        "port": str(rnd.randrange(1025, 9999)),
        "n": str(number),
        "w": _NUMBERS[number],
    }
    one, other = rnd.choice(_SHAPES)
    return one.format(**parts) + ".", other.format(**parts) + "."
