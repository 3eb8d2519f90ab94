"""Figures of SR by its authors: Spearman's rho times 100, by model, rewriting and file.

Files are in the order of ``datasets.sts.sr.FILES``; a cell that cannot be read in the text at hand
is None.

>>> relation, structure = PUBLISHED["all-MiniLM-L6-v2"]
>>> relation[0], structure[0], LEXICAL_PART["all-MiniLM-L6-v2"][0][0]
(0.35, 17.84, 25.0)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["LEXICAL_PART", "PRINTED", "PUBLISHED"]

#: Table 4 in the authors' repository, the files in the order of ``FILES``, relation and structure.
PUBLISHED: Final = {
    "all-MiniLM-L6-v2": (
        (0.35, 14.60, 13.99, 27.86, 14.05, 48.29),
        (17.84, 15.89, 7.68, 18.27, 6.51, 12.76),
    ),
    "all-mpnet-base-v2": (
        (24.24, 41.92, 24.33, 34.66, 16.95, 23.43),
        (23.83, 23.44, 6.67, 24.03, 12.09, 23.94),
    ),
    "sup-simcse-roberta-large": (
        (40.29, 52.83, 8.03, 31.62, 25.80, 40.62),
        (23.32, 24.99, -0.85, 17.64, 13.45, 37.62),
    ),
    "sentence-t5-xl": (
        (45.03, 54.48, 17.65, 46.28, 34.13, 51.78),
        (22.95, 20.33, 11.70, 26.83, 23.00, 35.41),
    ),
    "text-embedding-ada-002": (
        (27.61, 31.17, 6.92, 27.59, 19.47, 36.92),
        (21.81, 20.86, 12.48, 26.63, 14.22, 13.03),
    ),
}
#: Table 4 of the paper, of the models that the repository does not have. A cell that cannot be read
#: in the text at hand is None.
PRINTED: Final[Mapping[str, tuple[tuple[float | None, ...], ...]]] = {
    "sup-simcse-bert-base": (
        (30.39, 38.82, 44.87, 30.15, 38.07, 41.79),
        (19.14, 21.82, 35.38, 14.17, 19.68, 37.27),
    ),
    "sup-simcse-bert-large": (
        (38.8, 43.48, 44.13, 30.64, 40.09, 48.80),
        (19.93, 23.52, 33.27, 15.60, 18.59, 35.13),
    ),
    "sentence-t5-base": (
        (33.61, 39.36, 52.59, 35.72, 42.53, 47.63),
        (15.60, 21.55, None, 23.31, 20.80, 35.45),
    ),
    "sentence-t5-large": (
        (51.08, 50.20, 51.09, 39.85, 44.80, 53.82),
        (17.03, 22.83, 36.20, 24.30, 21.83, 35.90),
    ),
    "instructor-base": (
        (1.33, 28.06, 48.64, 31.46, 36.75, 18.68),
        (17.48, 18.73, None, 21.06, 15.95, 23.31),
    ),
    "instructor-large": (
        (21.88, 40.88, 49.41, 38.50, 40.71, 41.74),
        (20.96, 26.35, 36.36, 22.09, 19.34, 29.79),
    ),
    "instructor-xl": (
        (28.97, 37.67, 48.94, 39.30, 42.34, 35.24),
        (20.46, 18.32, 34.89, 19.97, 20.28, 26.55),
    ),
}
#: Table 6 of the paper: words changed or added. The sentences are not published.
LEXICAL_PART: Final[Mapping[str, tuple[tuple[float | None, ...], ...]]] = {
    "sup-simcse-bert-base": ((32.77, 27.89, 45.54, 5.01, 17.86, 40.06),),
    "sup-simcse-bert-large": ((33.29, 28.99, 45.18, 4.49, 17.55, 40.74),),
    "sup-simcse-roberta-large": ((38.24, 35.32, 48.06, 6.59, 19.64, 42.69),),
    "all-MiniLM-L6-v2": ((25.00, 19.21, None, 6.88, 17.78, 25.13),),
    "all-mpnet-base-v2": ((30.82, 28.96, 45.53, 7.92, 18.14, 28.11),),
    "sentence-t5-base": ((34.24, 23.90, None, 6.39, 22.41, 36.00),),
    "sentence-t5-large": ((36.11, 24.48, 48.38, 6.61, 21.61, 38.79),),
    "sentence-t5-xl": ((37.49, 25.94, 48.81, 7.70, 21.46, 36.31),),
    "instructor-base": ((28.02, 21.48, 45.61, 7.31, 18.20, 26.96),),
    "instructor-large": ((32.69, 28.00, 46.92, 8.31, 18.68, 39.30),),
    "instructor-xl": ((28.57, 20.86, 49.97, 7.81, 20.38, 31.18),),
    "text-embedding-ada-002": ((26.43, 26.70, None, None, 20.73, 26.37),),
}
