"""`henceforth batch label`: every user turn of files and folders, each paid for once."""

from contextlib import ExitStack
from dataclasses import asdict
from datetime import datetime
from pathlib import Path

import click

from ...batch.cache import LabelCache
from ...batch.estimate import Estimate, estimate
from ...batch.readers import ReadOptions, found
from ...batch.readers.formats import FORMATS
from ...batch.readers.formats.table import COLUMN_FIELDS
from ...batch.readers.options import UNDATED
from ...batch.running import Ended, Job, label_files, turns_of
from ...batch.spending import budget
from ...errors import SettingsError
from ...registry import registry_of
from ...settings import Settings
from ..batch_progress import labelling_bar
from ..exits import Exit
from ..opened import given_labeller, labeller_of, taped
from ..options import FILE, Asking, Shown, asking_options, shown_options
from ..output import print_json, remark
from ..times import start_of


@click.command("label")
@click.argument("inputs", metavar="IN...", type=FILE, nargs=-1, required=True)
@click.option("-o", "--out", type=FILE, required=True, help="A .parquet file, or JSON lines.")
@shown_options
@asking_options
@click.option("--tenant", metavar="NAME", help="Of which tenant [HENCEFORTH_TENANT].")
@click.option("--speaker", metavar="NAME", help="Whose transcripts these are, all of them.")
@click.option("--format", "form", type=click.Choice(list(FORMATS)), help="If not by content.")
@click.option("--column", "columns", metavar="FIELD=NAME", multiple=True, help="For tables.")
@click.option("--undated", metavar="TIME", help="When records without a time were said.")
@click.option("--concurrency", type=click.IntRange(min=1), help="Requests under way at a time.")
@click.option("--cache", type=FILE, help="The file of paid labels; beside OUT when not given.")
@click.option("--rejects", type=FILE, help="Broken records; OUT.rejects.jsonl when not given.")
@click.option("--budget", "most", metavar="AMOUNT", help="The most to spend: $5, '2M tokens'.")
@click.option("--dry-run", is_flag=True, help="Count and estimate; send and write nothing.")
@click.option("--engine", type=click.Choice(["local", "ray"]), default="local", show_default=True)
def command(
    inputs: tuple[Path, ...],
    out: Path,
    shown: Shown,
    asking: Asking,
    tenant: str | None,
    speaker: str | None,
    form: str | None,
    columns: tuple[str, ...],
    undated: str | None,
    concurrency: int | None,
    cache: Path | None,
    rejects: Path | None,
    most: str | None,
    dry_run: bool,
    engine: str,
) -> int:
    """Label every user turn of files and folders.

    IN are files or folders of exports; each file's format is told by its content. Run the same
    command again after any end: what was labelled is never paid for twice.
    """
    settings = shown.settings(**asking.named(), tenant=tenant, concurrency=concurrency)
    if settings.model is None and given_labeller() is None:
        raise SettingsError(
            key="model",
            origin="model (--model, HENCEFORTH_MODEL, or henceforth.toml)",
            allowed="any litellm model string, such as ollama_chat/qwen3; none is set",
        )
    rejects = rejects or out.with_name(out.name + ".rejects.jsonl")
    own = {out.resolve(), rejects.resolve()}
    job = Job(
        sources=[each for each in found(inputs) if each.path not in own],
        options=ReadOptions(
            format=form,
            speaker=speaker or settings.subject,
            columns=dict(_column(each) for each in columns),
            preceding=settings.preceding,
            zone=settings.zone,
            undated=_undated(undated, settings),
        ),
        settings=settings,
        registry=registry_of(settings),
        out=out,
        cache=cache or out.with_name("henceforth-labels.db"),
        rejects=rejects,
        budget=budget(most) if most else None,
    )
    if dry_run:
        return _estimated(job, as_json=shown.as_json)
    return _labelled(job, asking, engine=engine, as_json=shown.as_json)


def _column(text: str) -> tuple[str, str]:
    field, equals, name = text.partition("=")
    if not equals or not name or field not in COLUMN_FIELDS:
        known = ", ".join(COLUMN_FIELDS)
        raise click.BadParameter(
            f"{text!r} is not FIELD=NAME with a field of {known}", param_hint="--column"
        )
    return field, name


def _undated(text: str | None, settings: Settings) -> datetime:
    if text is None:
        return UNDATED
    return start_of(text, settings.zone, option="--undated")


def _labelled(job: Job, asking: Asking, *, engine: str, as_json: bool) -> int:
    with taped(asking), labelling_bar(job.size) as watch:
        labeller = labeller_of(job.settings)
        if engine == "ray":
            from ...batch.on_ray import label_on_ray

            ended = label_on_ray(job, labeller if given_labeller() else None)
        else:
            ended = label_files(job, labeller, watch)
    if as_json:
        print_json(_as_json(ended))
    else:
        remark(_told(ended))
    for name in ended.skipped:
        remark(f"{name} is no transcript and was passed by.")
    if ended.stopped:
        remark(f"stopped, {ended.stopped}: the same command goes on from here.")
    return Exit.PARTLY if ended.stopped or ended.counts.failed or ended.counts.rejected else Exit.OK


def _as_json(ended: Ended) -> dict[str, object]:
    spending = ended.spending
    spent = {"asked": spending.asked, "tokens": spending.tokens, "cost": spending.cost}
    written = {"written": str(ended.written), "stopped": ended.stopped}
    return {**written, "counts": asdict(ended.counts), "spent": spent}


def _told(ended: Ended) -> str:
    counts, spending = ended.counts, ended.spending
    kinds = {
        "asked for": spending.asked,
        "paid for before": counts.cached,
        "written by machines": counts.machine,
        "failed": counts.failed,
        "records rejected": counts.rejected,
    }
    parts = ", ".join(f"{count:,} {kind}" for kind, count in kinds.items() if count)
    cost = "" if spending.cost is None else f", ${spending.cost:,.2f}"
    spent = f"{spending.tokens:,} tokens{cost}"
    return f"{counts.turns:,} turns in {str(ended.written)!r}: {parts or 'none'}; {spent}."


def _estimated(job: Job, *, as_json: bool) -> int:
    with ExitStack() as opened:
        cache = opened.enter_context(LabelCache(job.cache)) if job.cache.exists() else None
        made = estimate(
            turns_of(job),
            recipe=job.recipe,
            cache=cache,
            settings=job.settings,
            registry=job.registry,
            priced=given_labeller() is None,
        )
    if as_json:
        print_json(asdict(made))
    else:
        print(_estimate_text(made))
    return Exit.OK


def _estimate_text(made: Estimate) -> str:
    cost = "its price is not known" if made.cost is None else f"about ${made.cost:,.2f}"
    return (
        f"{made.turns:,} turns: {made.machine:,} by machines, {made.cached:,} paid for or "
        f"repeated, {made.asked:,} to ask for. About {made.tokens_in:,} tokens in "
        f"({made.prefix:,} of each request never change) and {made.tokens_out:,} out: {cost}. "
        f"{made.rejected:,} records cannot be read."
    )
