"""Parsers turn sentences into role graphs; ``load`` makes one by name.

Built in are ``srl`` (the pipeline that comes with the package), ``stored`` (parses from a file),
``framenet-stored`` and ``ucca-stored`` (annotation in the XML of FrameNet and UCCA),
``verbnet-server`` (a running verbnet-parser service) and ``llm`` (a chat endpoint) for semantic
roles; ``concepts`` (the pipeline again) for role graphs whose nodes are concepts; ``amr`` (rules
over the pipeline, an approximation), ``amrlib`` (a model run here), ``amr-stored`` (a PENMAN file)
and ``amr-server`` (a running ``parsers/amrlib/server.py``) for AMRs.

Other packages add theirs through the entry-point group ``compsim.parsers``:
``my-parser = "my_package:MyParser"``.

>>> load("stored", path="parses.jsonl")  # doctest: +SKIP
<compsim.parsers.files.stored_roles.StoredParser object at ...>
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from compsim.catalogue import Catalogue

if TYPE_CHECKING:
    from compsim.parsers.base import Parser

__all__ = ["load"]

_PARSERS: Final = Catalogue(
    "parser",
    {
        "srl": "compsim.parsers.roles.srl:SrlParser",
        "concepts": "compsim.parsers.grammar.parser:ConceptParser",
        "amr": "compsim.parsers.amr_rules.parser:BuiltinAmrParser",
        "stored": "compsim.parsers.files.stored_roles:StoredParser",
        "framenet-stored": "compsim.parsers.files.framenet:FrameNetParser",
        "ucca-stored": "compsim.parsers.files.ucca:UccaParser",
        "verbnet-server": "compsim.parsers.remote.verbnet_server:VerbNetServerParser",
        "llm": "compsim.parsers.remote.llm:LlmParser",
        "amrlib": "compsim.parsers.amrlib.parser:AmrlibParser",
        "amr-stored": "compsim.parsers.files.stored_amr:StoredAmrParser",
        "amr-server": "compsim.parsers.remote.amr_server:AmrServerParser",
    },
)


def load(name: str, **options: Any) -> Parser:
    """Make the parser called ``name`` with its options.

    Args:
        name: A name of this package or of another one's entry point. It may carry its first option
            behind a colon: ``"srl:en_core_web_sm"``, ``"stored:parses.jsonl"``,
            ``"verbnet-server:http://localhost:8080"``.
        **options: ``srl``, ``amr``: pipeline; ``concepts``: pipeline, rules; ``stored``,
            ``amr-stored``: path, sentences; ``framenet-stored``, ``ucca-stored``: path;
            ``verbnet-server``: url, timeout, retries, workers;
            ``llm``: url, model, api_key, timeout, retries, workers; ``amrlib``: model, device;
            ``amr-server``: url, timeout, retries, batch.

    Returns:
        The parser.

    Raises:
        UnknownNameError: There is no parser of this name.
        InputError: The parser does not have an option.
        MissingExtraError: A package it needs is not installed.
        DataError: A file is missing or malformed, or another package's parser is broken.

    Examples:
        >>> (graph,) = load("srl").parse(["Cats chase mice."])
        >>> {role: node.label for role, node in graph.roles().items()}
        {'Verb': 'chase', 'Agent': 'Cats', 'Patient': 'mice'}
    """
    name, colon, argument = name.partition(":")
    parser: Parser = _PARSERS.make(name, options, argument if colon else None)
    return parser
