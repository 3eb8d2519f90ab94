"""pyarrow, or the error that names the extra that brings it.

>>> pa.array([1, None]).null_count
1
"""

from __future__ import annotations

from compsim.missing import missing

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError as error:
    raise missing("pyarrow", "distributed", error) from error

__all__ = ["pa", "pq"]
