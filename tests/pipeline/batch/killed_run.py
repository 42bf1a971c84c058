"""A program for the tests that kill it: `batch label` with a labeller that takes its time."""

import sys

from henceforth.pipeline.cli import main

sys.path.insert(0, sys.argv[1])

from conftest import RuleLabeller

sys.exit(main(sys.argv[3:], labeller=RuleLabeller(seconds=float(sys.argv[2]))))
