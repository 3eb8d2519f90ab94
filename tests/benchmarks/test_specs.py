"""Methods and their options as the command line has them."""

from __future__ import annotations

import pytest

from compsim.benchmarks.specs import method_labels
from compsim.benchmarks.tasks.similarity.sts import specs_of
from compsim.errors import InputError, UnknownNameError
from compsim.registry import named


def test_options_follow_their_method() -> None:
    specs = specs_of(
        "sbert,hybrid:whole=mean-cn,vectors=builtin, amr-smatch:top-concept=false,hybrid:sbert",
        None,
        vectors="numberbatch",
    )
    assert [(spec.title, spec.options) for spec in specs] == [
        ("sbert", {}),
        ("hybrid:whole=mean-cn,vectors=builtin", {"whole": "mean-cn", "vectors": "builtin"}),
        ("amr-smatch:top-concept=false", {"top_concept": False}),
        ("hybrid:sbert", {"whole": "sbert", "vectors": "numberbatch"}),
    ]


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("hybrid:mean-cn", {"whole": "mean-cn"}),
        ("hybrid:sbert=a/b=c", {"whole": "sbert:a/b=c"}),
        ("hybrid:whole=sbert:a,scheme=roles-first", {"whole": "sbert:a", "scheme": "roles-first"}),
        ("callable:mine.py:scores", {"function": "mine.py:scores"}),
        ("sbert:my,model", {"model": "my,model"}),
        ("conv-cn", {}),
    ],
)
def test_what_stands_behind_a_name(text: str, options: dict[str, object]) -> None:
    assert named(text) == (text.partition(":")[0], options)


def test_what_cannot_be_is_named() -> None:
    with pytest.raises(InputError, match=r"'vectors=builtin' follows no method: write NAME:vec"):
        method_labels("vectors=builtin,sbert")
    with pytest.raises(InputError, match=r"'vectors=builtin' follows no method"):
        method_labels("sbert,vectors=builtin")
    with pytest.raises(InputError, match="names is empty"):
        method_labels(" , ")
    with pytest.raises(UnknownNameError, match="there is no method 'hybird'"):
        named("hybird:whole=sbert")
