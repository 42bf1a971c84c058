"""`python -m henceforth`: the command line."""

import sys

from .pipeline.cli import main

sys.exit(main())
