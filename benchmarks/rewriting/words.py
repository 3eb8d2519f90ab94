"""Words that decide whether a sentence can be told otherwise: closed classes and verb classes.

The verb classes are those of reference grammars: verbs without a passive (the "middle" verbs of
Quirk et al., 1985, 3.67), symmetric verbs, verbs of the dative alternation (Levin, 1993, 2.1 and
2.2), and verbs that with a bare noun are one expression ("take place").
"""

from __future__ import annotations

from typing import Final

__all__ = [
    "BOUND",
    "DATIVE_FOR",
    "DATIVE_TO",
    "LIGHT",
    "MEASURES",
    "NO_EXCHANGE",
    "NO_PASSIVE",
    "PLURAL",
    "POLARITY",
    "QUANTIFIERS",
    "SYMMETRIC",
    "VAGUE",
]


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


#: Verbs whose object can be no subject.
NO_PASSIVE: Final = _set(
    "have become resemble lack cost weigh fit suit equal mean last become remain seem stay get let "
    "want need like wish hope feel look sound smell taste involve include contain comprise concern "
    "possess befit fail escape flee regret mind stand enter leave reach turn join exceed hold "
    "approach cross travel walk run try start begin stop finish keep continue end go come take "
    "say undergo think"
)
#: Verbs whose object is no participant, so that it can be no subject of theirs either.
NO_EXCHANGE: Final = _set(
    "have do get make take give go become resemble lack cost weigh fit suit equal mean last remain "
    "seem stay let feel look sound smell taste include contain comprise exceed come say work think "
    "require take undergo walk run travel"
)
#: With these, who and whom may change places and nothing is said otherwise.
SYMMETRIC: Final = _set(
    "meet marry resemble equal match date divorce border adjoin encounter parallel intersect rival "
    "complement cross join face mirror accompany touch fight battle be become remain"
)
#: Verbs that with a bare noun, or with a noun of action, are one expression.
LIGHT: Final = _set(
    "take make give have do get pay catch keep lose play set hold put run draw bear raise cast "
    "throw gain go bring"
)
#: "give the book to Mary", "give Mary the book".
DATIVE_TO: Final = _set(
    "give send show tell teach offer lend hand pay sell throw pass feed bring grant award mail "
    "email ship lease loan owe toss serve write read promise"
)
#: "buy a book for Mary", "buy Mary a book".
DATIVE_FOR: Final = _set("buy make build cook bake find fetch knit order pour draw")
#: Heads of phrases that measure and are no object: "ran two miles".
MEASURES: Final = _set(
    "mile kilometer kilometre meter metre foot inch yard pound kilo gram ton dollar cent euro "
    "second minute hour day week month year decade century time while percent degree way distance "
    "night morning evening afternoon summer winter spring autumn fall lot bit deal number "
    "couple majority half million billion thousand hundred dozen rest bunch kind sort type some "
    "amount one other most"
)
#: Words whose reach depends on their place, so that no phrase with one of them is moved.
QUANTIFIERS: Final = _set(
    "no nobody nothing none neither nor few little any anybody anyone anything every everybody "
    "everyone everything each all both most either only even also too just almost nearly hardly "
    "not never such same other another else many much more less enough several such"
)
#: Words that stand below a negation.
POLARITY: Final = _set("any anybody anyone anything anywhere ever yet anymore either at until")
#: Words for someone who stands elsewhere in the sentence, so that their phrase is not moved.
BOUND: Final = _set(
    "his her hers its their theirs own itself himself herself themselves myself yourself "
    "ourselves yourselves oneself"
)
#: Subjects that need not be anybody.
VAGUE: Final = _set("it there this that these those what which who whom whose one another")
#: Nouns without an -s that take a plural verb.
PLURAL: Final = _set("people police cattle clergy folk")
