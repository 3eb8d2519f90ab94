"""A corpus of many files, scored or encoded by many workers: past what one machine can hold.

A corpus is a folder of Parquet files, its *shards*, with one document a row. Each shard becomes one
file of the same name in another folder, with one row for each of its rows, in their order. A file
appears there when it is whole, so a run that was interrupted, or whose workers were killed, goes on
with the shards that are missing.

>>> import tempfile
>>> from pathlib import Path
>>> import pyarrow as pa, pyarrow.parquet as pq
>>> folder = Path(tempfile.mkdtemp())
>>> (folder / "corpus").mkdir()
>>> texts = ["The man bit the dog.", "It rained. The dog bit the man.", None]
>>> pq.write_table(pa.table({"id": [1, 2, 3], "text": texts}), folder / "corpus" / "a.parquet")
>>> score_shards(  # workers=2 runs two processes of Ray; 0 needs none
...     folder / "corpus",
...     folder / "scores",
...     query="Who bit the man?",
...     method="verbnet-cn",
...     vectors="builtin",
...     workers=0,
... )
[ShardResult(name='a.parquet', rows=3, failed=1, skipped=False)]
>>> rows = pq.read_table(folder / "scores" / "a.parquet").to_pylist()
>>> [(row["id"], row["sentence"] or row["error"]) for row in rows]
[(1, 'The man bit the dog.'), (2, 'The dog bit the man.'), (3, 'the text is null')]
"""

from __future__ import annotations

from compsim.distributed.encoded import read_documents
from compsim.distributed.run import ShardResult, encode_shards, score_shards

__all__ = ["ShardResult", "encode_shards", "read_documents", "score_shards"]
