"""`henceforth batch diff`: two label sets side by side, and the rules they give."""

from pathlib import Path

import click

from ...batch.differing import compare
from ..batch_options import terms_of
from ..exits import Exit
from ..options import FILE, Shown, shown_options
from ..output import print_json, show
from ..views.batch import differences_view


@click.command("diff")
@click.argument("a", type=FILE)
@click.argument("b", type=FILE)
@shown_options
def command(a: Path, b: Path, shown: Shown) -> int:
    """Compare two label sets, and the rules they give.

    A and B label the same turns with other models, prompts or versions.
    """
    found = compare(a, b, terms_of(shown.settings()))
    if shown.as_json:
        print_json(found.model_dump(mode="json"))
    else:
        show(*differences_view(found))
    differs = found.same < found.both or found.only_a or found.only_b
    return Exit.PARTLY if differs else Exit.OK
