"""`henceforth schema`: the JSON Schema of a shape."""

from difflib import get_close_matches

import click

from ....schemas.export import SHAPES, json_schema
from ..exits import GivenError
from ..options import Shown, shown_options
from ..output import print_json, show
from ..views.tables import filled


@click.command("schema")
@click.argument("name", required=False)
@shown_options
def command(name: str | None, shown: Shown) -> None:
    """Print the JSON Schema of a shape.

    Without NAME the shapes are listed.
    """
    if name is None:
        rows = [(each, shape.says) for each, shape in SHAPES.items()]
        if shown.as_json:
            print_json({"shapes": dict(rows)})
        else:
            show(filled("Shapes", ("name", "what it is"), rows))
    elif name in SHAPES:
        print(json_schema(name), end="")
    else:
        close = get_close_matches(name, SHAPES, n=1)
        hint = f"did you mean {close[0]!r}?" if close else "`henceforth schema` lists them."
        raise GivenError(f"there is no shape {name!r}: {hint}")
