"""Compiling the kernels once, ahead of the processes that test: each would do so for itself."""

from __future__ import annotations

import subprocess
import sys
from typing import Final

#: What is compiled beside each other: one kernel takes as long as all others together.
PROGRAMS: Final = (
    "from compsim.comparison.kernel import warm_up; warm_up()",
    "import numpy as np\n"
    "from importlib import import_module\n"
    "from compsim import doctor\n"
    "for module in doctor._KERNELS:\n"
    "    if module != 'compsim.comparison.kernel':\n"
    "        import_module(module).warm_up()\n"
    "from compsim.alignment.alignment import align_graphs\n"
    "align_graphs(np.ones((1, 1)), [], [])\n",
)


def begin() -> list[subprocess.Popen[bytes]]:
    """Processes that compile all kernels, or find their machine code on disk, and end."""
    return [
        # -P: the installed package, not the folder beside which the tests are started.
        subprocess.Popen(
            [sys.executable, "-P", "-c", program],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for program in PROGRAMS
    ]
