"""Closed word classes as AMR treats them: the words of English whose number does not grow.

Everything open (nouns, verbs, adjectives) is in ``weights/amr/lexicon.json`` and the labeller.
"""

from __future__ import annotations

from typing import Final

from compsim.vectors import dates
from compsim.vectors.numbers import NUMBER_WORDS

__all__: list[str] = []


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


def _row(words: str) -> list[str]:
    return words.split()


def _map(pairs: str) -> dict[str, str]:
    return dict(pair.split("=") for pair in pairs.split())


#: How subjects hang below their verb.
SUBJECTS: Final = ("nsubj", "nsubjpass", "csubj", "csubjpass")

PRONOUNS: Final = _map(
    "i=i me=i my=i mine=i you=you your=you yours=you he=he him=he his=he she=she her=she hers=she "
    "it=it its=it we=we us=we our=we ours=we they=they them=they their=they theirs=they "
    "'em=they 's=we"
)
REFLEXIVES: Final = _map(
    "myself=i yourself=you yourselves=you himself=he herself=she itself=it ourselves=we "
    "themselves=they oneself=one"
)
#: Dropped wherever they stand.
ARTICLES: Final = _set("the a an")
MODALS: Final = {
    "can": ("possible-01", "ARG1"),
    "ca": ("possible-01", "ARG1"),
    "could": ("possible-01", "ARG1"),
    "may": ("possible-01", "ARG1"),
    "might": ("possible-01", "ARG1"),
    "must": ("obligate-01", "ARG2"),
    "should": ("recommend-01", "ARG1"),
    "ought": ("recommend-01", "ARG1"),
    "dare": ("dare-01", "ARG1"),
}
#: Adverbs that say of a whole clause what a modal verb would.
MODAL_ADVERBS: Final = {
    "maybe": ("possible-01", "ARG1"),
    "perhaps": ("possible-01", "ARG1"),
    "possibly": ("possible-01", "ARG1"),
    "probably": ("probable-01", "ARG1"),
}
NEGATIONS: Final = _set("not n't n\u2019t never no nor nt")
WEEKDAYS: Final = frozenset(dates.WEEKDAYS)
MONTHS: Final = {name: number for number, name in enumerate(dates.MONTHS, start=1)}
NUMBERS: Final = {word: str(number) for word, number in NUMBER_WORDS.items()} | _map(
    "hundred=100 thousand=1000 million=1000000 billion=1000000000 dozen=12 half=0.5"
)
ORDINALS: Final = {
    word: str(number)
    for number, word in enumerate(
        _row("first second third fourth fifth sixth seventh eighth ninth tenth"), start=1
    )
}
#: Determiners and quantifiers that stay, with their role.
DETERMINERS: Final = {
    **dict.fromkeys(_set("this that all every each any both another either neither such"), "mod"),
    **dict.fromkeys(_set("some many few several much more most less enough half"), "quant"),
}
DEMONSTRATIVES: Final = _map("these=this those=that")
UNITS: Final = {
    **dict.fromkeys(
        _set("second minute hour day week month year decade century"), "temporal-quantity"
    ),
    **dict.fromkeys(
        _set("mile kilometer kilometre meter metre foot inch yard centimeter centimetre"),
        "distance-quantity",
    ),
    **dict.fromkeys(
        _set("dollar euro pound cent yen franc rupee peso ruble yuan"), "monetary-quantity"
    ),
    **dict.fromkeys(_set("kilogram gram ton tonne ounce kilo"), "mass-quantity"),
    **dict.fromkeys(_set("liter litre gallon pint"), "volume-quantity"),
    **dict.fromkeys(_set("degree"), "temperature-quantity"),
    **dict.fromkeys(_set("percent %"), "percentage-entity"),
}
#: Relations to a person that AMR spells out with have-rel-role-91.
KIN: Final = _set(
    "mother father parent brother sister sibling son daughter wife husband spouse uncle aunt "
    "nephew niece cousin grandmother grandfather grandparent grandson granddaughter grandchild "
    "mom dad mum mommy daddy friend boyfriend girlfriend fiance fiancee stepmother stepfather "
    "widow classmate neighbor neighbour"
)
#: Offices that AMR spells out with have-org-role-91.
OFFICES: Final = _set(
    "president minister senator mayor governor chairman chairwoman chairperson secretary director "
    "ambassador chancellor congressman ceo spokesman spokeswoman spokesperson official professor"
)
#: Parts of bodies and things.
PARTS: Final = _set(
    "arm back beak bottom branch chest corner door ear edge end eye face finger foot front fur "
    "hair "
    "hand head heart inside knee leaf leg mouth neck nose outside paw roof root shoulder side skin "
    "stomach surface tail toe tooth top wall wheel wing part portion"
)
COLLECTIVES: Final = _set(
    "group crowd bunch pack herd flock team pile stack set series collection band line row crew "
    "pair couple swarm army"
)
AMOUNTS: Final = _set(
    "cup glass bottle bowl piece slice bag box can bit amount plate bucket pound lot handful"
)
#: Nouns that make a phrase with "in", "on" or "at" a time.
TIMES: Final = _set(
    "morning afternoon evening night noon midnight dawn dusk day week weekend month year decade "
    "century hour minute second moment time spring summer autumn fall winter season today "
    "yesterday tomorrow tonight past future present era age period easter christmas birthday"
)
#: Prepositions that are a concept of their own: a place or time relative to something.
RELATIVE: Final = _set(
    "above across after against along amid among around before behind below beneath beside between "
    "beyond inside near opposite outside over past since through throughout under underneath "
    "until till up down"
)
PLACE_PREPOSITIONS: Final = _set("in on at near under behind beside above below inside outside")
#: The role of a prepositional phrase where the labeller does not say it: below a verb...
VERB_PREPOSITIONS: Final = {
    **dict.fromkeys(
        _set("in at on above below behind beside beneath between inside near outside under among "
             "underneath beyond amid opposite"),
        "location",
    ),
    **dict.fromkeys(_set("through across along over past around up down throughout"), "path"),
    **dict.fromkeys(_set("to into onto toward towards"), "destination"),
    **dict.fromkeys(_set("from off"), "source"),
    **dict.fromkeys(_set("during after before since until till"), "time"),
    "with": "accompanier",
    "without": "manner",
    "by": "manner",
    "for": "beneficiary",
    "about": "topic",
    "as": "mod",
    "of": "mod",
    "despite": "concession",
    "against": "prep-against",
    "like": "compared-to",
    "than": "compared-to",
    "except": "exception",
}  # fmt: skip
#: ... and below a noun.
NOUN_PREPOSITIONS: Final = {
    **VERB_PREPOSITIONS,
    **dict.fromkeys(_set("through across along over past around"), "location"),
    **dict.fromkeys(_set("on off against"), "location"),
    "of": "poss",
    "for": "purpose",
    "from": "source",
    "to": "destination",
    "like": "example",
    "as": "mod",
    "by": "mod",
    "with": "have-03",
}
#: The role of a PropBank modifier.
MODIFIERS: Final = {
    "ARGM-ADV": "manner", "ARGM-COM": "accompanier", "ARGM-DIR": "direction", "ARGM-DIS": "mod",
    "ARGM-EXT": "extent", "ARGM-GOL": "destination", "ARGM-LOC": "location", "ARGM-MNR": "manner",
    "ARGM-PRD": "mod", "ARGM-PRP": "purpose", "ARGM-TMP": "time", "ARGM-CAU": "cause",
    "ARGM-ADJ": "mod", "ARGM-CXN": "compared-to", "ARGM-REC": "mod", "ARGM-PRR": "mod",
}  # fmt: skip
FREQUENCIES: Final = _set(
    "often frequently rarely seldom sometimes occasionally repeatedly daily weekly monthly yearly "
    "twice regularly"
)
TIME_ADVERBS: Final = _set(
    "now then today yesterday tomorrow tonight soon recently already still ago later early earlier "
    "once always immediately currently afterwards finally eventually formerly previously lately "
    "ever anymore before again"
)
DEGREES: Final = _set(
    "very so too quite extremely almost nearly really completely totally entirely fully highly "
    "rather fairly slightly somewhat much well partly deeply greatly absolutely barely hardly "
    "how enough pretty incredibly"
)
PLACES: Final = _set(
    "here there everywhere anywhere somewhere nowhere upstairs downstairs abroad outside inside "
    "outdoors indoors nearby overseas above below home"
)
DIRECTIONS: Final = _set(
    "away back forward forwards backward backwards up down out in off left right north south east "
    "west together apart around over"
)
MODS: Final = _set("also only just even alone simply especially merely mainly mostly as else")
#: Adverbs that mark degrees of comparison.
COMPARISON: Final = _set("more most less least too so as enough")
SUBORDINATORS: Final = {
    "because": "cause", "if": "condition", "unless": "condition", "when": "time", "while": "time",
    "whenever": "time", "as": "time", "before": "time", "after": "time", "until": "time",
    "till": "time", "since": "time", "once": "time", "although": "concession",
    "though": "concession", "whereas": "contrast", "like": "compared-to", "than": "compared-to",
    "so": "purpose", "by": "manner", "without": "manner", "for": "purpose", "despite": "concession",
    "in": "time", "where": "location", "wherever": "location",
}  # fmt: skip
QUESTION_ROLES: Final = {
    "where": "location", "when": "time", "how": "manner", "why": "cause", "whither": "destination",
}  # fmt: skip
QUESTION_WORDS: Final = _set("who whom what which whose where when how why")
CONTINENTS: Final = _set("africa america antarctica asia australia europe")
COUNTRIES: Final = _set(
    "afghanistan algeria argentina austria bangladesh belgium brazil bulgaria canada chile china "
    "colombia croatia cuba denmark egypt england ethiopia finland france germany ghana greece "
    "hungary iceland india indonesia iran iraq ireland israel italy jamaica japan jordan kenya "
    "korea kuwait lebanon libya malaysia mexico morocco nepal netherlands nigeria norway pakistan "
    "palestine peru philippines poland portugal romania russia scotland serbia singapore somalia "
    "spain sudan sweden switzerland syria taiwan thailand tunisia turkey uganda ukraine usa "
    "venezuela vietnam wales yemen zimbabwe"
)
PLANETS: Final = _set("mercury venus earth mars jupiter saturn uranus neptune pluto")
#: Words that end a name and say what it names.
NAME_TYPES: Final = _set(
    "river lake mountain sea ocean island desert canyon bay city university college school "
    "hospital "
    "company bank museum church park street road bridge airport station hotel building tower war "
    "party newspaper team club festival"
)
