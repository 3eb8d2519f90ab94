"""Pronouns by their features: person, number, gender, and what kind of thing they stand for.

Tables of word vectors leave them out, or hold vectors of little use, and yet "He loves her" and
"She loves him" differ in nothing else. Case says nothing here ("he", "him" and "his" are one), the
role does.

>>> import numpy as np
>>> he, him, she, we = (pronoun_vector(w, 300, None) for w in ("he", "him", "she", "we"))
>>> bool(he @ him > 0.999 and he @ she > he @ we)
True
>>> pronoun_vector("cat", 300, None) is None
True
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt

from compsim.vectors.axes import axis

__all__ = ["PRONOUNS", "pronoun_vector"]

Floats = npt.NDArray[np.float32]

#: All forms of each pronoun (a closed class: Huddleston and Pullum 2002, chapter 5), its features,
#: and the noun for what it stands for.
_PRONOUNS: Final = (
    ("i me my mine myself", "1 singular person", "person"),
    ("we us our ours ourselves", "1 plural person", "people"),
    ("you your yours yourself yourselves", "2 person", "person"),
    ("he him his himself", "3 singular person male", "man"),
    ("she her hers herself", "3 singular person female", "woman"),
    ("it its itself", "3 singular thing", "thing"),
    ("they them their theirs themselves themself", "3 plural", "people"),
    ("one oneself", "3 singular person", "person"),
    ("this", "3 singular thing near", "thing"),
    ("that", "3 singular thing far", "thing"),
    ("these", "3 plural thing near", "thing"),
    ("those", "3 plural thing far", "thing"),
    ("someone somebody", "3 singular person some", "person"),
    ("anyone anybody", "3 singular person any", "person"),
    ("everyone everybody", "3 singular person all", "people"),
    ("nobody no-one none", "3 singular person no", "people"),
    ("something", "3 singular thing some", "thing"),
    ("anything", "3 singular thing any", "thing"),
    ("everything", "3 singular thing all", "thing"),
    ("nothing", "3 singular thing no", "thing"),
    ("who whom whose whoever", "singular person open", "person"),
    ("what whatever", "singular thing open", "thing"),
    ("which whichever", "thing open", "thing"),
    ("where", "place open", "place"),
    ("when", "time open", "time"),
    ("why", "reason open", "reason"),
    ("how", "manner open", "way"),
)
#: The number of the pronoun that a form is one of, by the form in lower case.
PRONOUNS: Final = {form: place for place, row in enumerate(_PRONOUNS) for form in row[0].split()}

#: How much of a pronoun, squared, is its person (1, 2, 3), each other feature, the pronoun itself,
#: and the noun. "He" and "she" are then alike by about .5, "he" and "we" by .1, "he" and "man" by
#: .4.
_PERSON, _FEATURE, _ITSELF, _NOUN = 0.35, 0.125, 0.3, 0.2


def pronoun_vector(
    word: str, dim: int, noun: Callable[[str], Floats | None] | None
) -> Floats | None:
    """A unit vector, float32 (dim,), for a pronoun in lower case, None for any other word.

    ``noun`` gives the unit vector of the noun that a pronoun stands for, None where it has none.
    """
    place = PRONOUNS.get(word)
    if place is None:
        return None
    _, features, kind = _PRONOUNS[place]
    total = np.sqrt(_ITSELF) * axis(f"pronoun {place}", dim)
    for feature in features.split():
        weight = _PERSON if feature.isdigit() else _FEATURE
        total = total + np.sqrt(weight) * axis(f"feature {feature}", dim)
    meant = None if noun is None else noun(kind)
    if meant is not None:
        total = total + np.sqrt(_NOUN) * meant
    return np.asarray(total / np.linalg.norm(total), dtype=np.float32)
