"""`henceforth batch report`: what a label set holds, as tables, JSON or a page."""

from pathlib import Path

import click

from ...batch.reporting import report_on
from ..batch_options import terms_of, workers_option
from ..options import FILE, Shown, shown_options
from ..output import print_json, remark, show
from ..views.batch import report_view


@click.command("report")
@click.argument("labels", metavar="LABELS...", type=FILE, nargs=-1, required=True)
@shown_options
@workers_option
@click.option("--html", type=FILE, help="Write a page that needs nothing else.")
def command(labels: tuple[Path, ...], shown: Shown, workers: int, html: Path | None) -> None:
    """Say what a label set holds.

    How many turns carry instructions, of what kind, for what and where; how often rules are
    replaced, taken back or contradicted; and who has the most questions to answer.
    """
    counted = report_on(labels, terms_of(shown.settings()), workers=workers)
    if html is not None:
        from ...batch.page import page

        html.write_text(page(counted), "utf-8", newline="\n")
        remark(f"the page is {str(html)!r}.")
    if shown.as_json:
        print_json(counted.model_dump(mode="json"))
    elif html is None:
        show(*report_view(counted))
