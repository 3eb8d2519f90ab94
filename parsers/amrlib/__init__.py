"""AMRs by amrlib's models: run in this process, or behind a small service."""
