"""`python -m henceforth`: the command line."""

from .pipeline.cli import main

main()
