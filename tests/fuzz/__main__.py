"""``python tests/fuzz``: see ``--help`` and README.md."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from fuzz.cli import main

if __name__ == "__main__":
    sys.exit(main())
