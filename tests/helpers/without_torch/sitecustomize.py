"""Where this folder is on the path, a process does without torch, which spaCy starts if it can."""

import sys

sys.modules["torch"] = None  # type: ignore[assignment]
