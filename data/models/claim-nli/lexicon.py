"""Words that the perturbations exchange: number words, months, verbs, units, opposites, groups, hedges, causes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

WORD_NUMBERS: Final = "two three four five six seven eight nine ten eleven twelve twenty thirty fifty".split()
MONTHS: Final = "January February March April June July August September October November December".split()
DAYS: Final = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
VERBS: Final[Mapping[str, str]] = {
    form: base
    for base, forms in (
        line.split(":")
        for line in (
            "increase:increases,increased;reduce:reduces,reduced;improve:improves,improved;show:shows,showed;"
            "find:finds,found;win:wins,won;play:plays,played;star:stars,starred;become:becomes,became;"
            "include:includes,included;contain:contains,contained;cause:causes,caused;lead:leads,led;make:makes,made;"
            "take:takes,took;receive:receives,received;release:releases,released;write:writes,wrote;"
            "direct:directs,directed;produce:produces,produced;appear:appears,appeared;begin:begins,began;"
            "die:dies,died;live:lives,lived;work:works,worked;serve:serves,served;join:joins,joined;"
            "create:creates,created;use:uses,used;require:requires,required;protect:protects,protected;"
            "prevent:prevents,prevented;affect:affects,affected;support:supports,supported;"
            "suggest:suggests,suggested;remain:remains,remained;depend:depends,depended;belong:belongs,belonged;"
            "marry:marries,married;move:moves,moved;open:opens,opened;publish:publishes,published;"
            "represent:represents,represented;attend:attends,attended;graduate:graduates,graduated;"
            "announce:announces,announced;agree:agrees,agreed;confirm:confirms,confirmed;explain:explains,explained"
        ).split(";")
    )
    for form in forms.split(",")
}
UNITS: Final = (
    ("mg", "g", "µg"),
    ("milligrams", "grams", "micrograms"),
    ("km", "miles", "m"),
    ("kilometers", "miles", "meters"),
    ("kilometres", "miles", "metres"),
    ("minutes", "hours", "seconds"),
    ("hours", "days", "minutes"),
    ("days", "weeks", "months"),
    ("weeks", "months", "days"),
    ("months", "years", "weeks"),
    ("years", "months", "decades"),
    ("million", "billion", "thousand"),
    ("billion", "million", "trillion"),
    ("kg", "pounds", "tonnes"),
    ("feet", "metres", "miles"),
    ("dollars", "euros", "pounds"),
    ("percent", "percentage points"),
    ("%", " percentage points"),
    ("mL", "L"),
    ("ml", "l"),
    ("cm", "mm", "m"),
    ("mm", "cm"),
    ("acres", "hectares", "square miles"),
)
OPPOSITES: Final = (
    ("increase", "decrease"), ("increases", "decreases"), ("increased", "decreased"), ("higher", "lower"),
    ("more", "less"), ("before", "after"), ("first", "last"), ("won", "lost"), ("improved", "worsened"),
    ("improves", "worsens"), ("reduced", "raised"), ("reduces", "raises"), ("positive", "negative"),
    ("effective", "ineffective"), ("successful", "unsuccessful"), ("same", "different"), ("always", "never"),
    ("largest", "smallest"), ("larger", "smaller"), ("older", "younger"), ("oldest", "youngest"), ("early", "late"),
    ("most", "least"), ("best", "worst"), ("better", "worse"), ("north", "south"), ("northern", "southern"),
    ("east", "west"), ("eastern", "western"), ("male", "female"), ("likely", "unlikely"), ("accepted", "rejected"),
    ("common", "rare"), ("high", "low"), ("up", "down"), ("with", "without"), ("including", "excluding"),
    ("start", "end"), ("began", "ended"), ("significant", "insignificant"), ("significantly", "barely"),
    ("rose", "fell"), ("gained", "lost"), ("strong", "weak"), ("faster", "slower"), ("outside", "inside"),
)  # fmt: skip
POPULATIONS: Final = (
    ("adults", "children", "adolescents", "infants"), ("children", "adults", "older people"), ("men", "women"),
    ("women", "men"), ("boys", "girls"), ("girls", "boys"), ("patients", "healthy volunteers", "animals"),
    ("mice", "humans", "rats"), ("rats", "humans", "patients"), ("humans", "mice", "monkeys"),
    ("people", "mice", "dogs"),
    ("participants", "animals"), ("students", "teachers", "parents"), ("animals", "humans"), ("infants", "adults"),
    ("in vitro", "in patients"), ("in vivo", "in vitro"), ("cells", "patients"), ("individuals", "animals"),
    ("Americans", "Canadians", "Europeans"), ("players", "coaches"), ("females", "males"), ("males", "females"),
)  # fmt: skip
HEDGES: Final = (
    ("may be", "is"), ("might be", "is"), ("could be", "is"), ("may have", "has"), ("might have", "has"),
    ("may", "will"), ("might", "will"), ("could", "will"), ("can", "always will"), ("suggests that", "proves that"),
    ("suggest that", "prove that"), ("suggest", "prove"), ("possibly", "certainly"), ("probably", "definitely"),
    ("likely", "certainly"), ("appears to be", "is"), ("appear to be", "are"), ("seems to be", "is"),
    ("is thought to be", "is"), ("is believed to be", "is"), ("potential", "proven"), ("possible", "proven"),
    ("often", "always"), ("sometimes", "always"), ("usually", "always"), ("about", "exactly"), ("some", "all"),
    ("many", "all"), ("most", "all"), ("several", "all"), ("one of the", "the only one of the"),
    ("at least", "exactly"),
)  # fmt: skip
CAUSES: Final = (
    ("is associated with", "causes"), ("are associated with", "cause"), ("was associated with", "caused"),
    ("were associated with", "caused"), ("associated with", "caused by"), ("linked to", "caused by"),
    ("linked with", "caused by"), ("correlated with", "caused by"), ("related to", "caused by"),
    ("is a risk factor for", "is the cause of"), ("predicts", "causes"), ("contributes to", "is the sole cause of"),
)  # fmt: skip
WEAKER: Final = (
    ("causes", "may cause"), ("is", "may be"), ("was", "may have been"), ("all", "some"), ("all", "most"),
    ("every", "almost every"), ("always", "often"), ("never", "rarely"), ("proves", "suggests"),
)  # fmt: skip
