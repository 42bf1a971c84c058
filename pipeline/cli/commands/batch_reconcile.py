"""`henceforth batch reconcile`: labels in, a store for each person out."""

from dataclasses import asdict
from pathlib import Path

import click

from ...batch.reconciling import reconcile_files
from ..batch_options import terms_of, workers_option
from ..options import FILE, Shown, shown_options
from ..output import print_json, remark


@click.command("reconcile")
@click.argument("labels", metavar="LABELS...", type=FILE, nargs=-1, required=True)
@click.option("-o", "--out", type=FILE, required=True, help="A database (.db), or a folder.")
@shown_options
@workers_option
@click.option(
    "--as-of",
    metavar="TIME",
    help="What the undo window is counted back from.",
)
@click.option("--replace", is_flag=True, help="Replace what is there.")
@click.option("--engine", type=click.Choice(["local", "ray"]), default="local", show_default=True)
def command(
    labels: tuple[Path, ...],
    out: Path,
    shown: Shown,
    workers: int,
    as_of: str | None,
    replace: bool,
    engine: str,
) -> None:
    """Fold labels into a store for each person.

    Turns count in the order they were said. The same labels give the same bytes, in any order
    of files and with any number of workers.
    """
    terms = terms_of(shown.settings(), as_of)
    if engine == "ray":
        from ...batch.on_ray import reconcile_on_ray

        totals = reconcile_on_ray(labels, out, terms, replace=replace)
    else:
        totals = reconcile_files(labels, out, terms, workers=workers, replace=replace)
    if shown.as_json:
        print_json({"written": str(out), **asdict(totals)})
    else:
        remark(
            f"{totals.subjects:,} subjects in {str(out)!r}: {totals.turns:,} turns, "
            f"{totals.rules:,} rules, {totals.in_force:,} of them active, "
            f"{totals.questions:,} open questions."
        )
