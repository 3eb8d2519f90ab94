"""``python -m compsim.cli`` does what ``compsim`` does."""

import sys

from compsim.cli import main

sys.exit(main())
