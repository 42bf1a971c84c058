"""`henceforth apply`: every user turn of a transcript, each for its speaker."""

import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import anyio
import click

from ....schemas.outcome import Status
from ....schemas.turn import Turn
from ...session import now_in_utc
from ...settings import Settings
from ...transcripts.lines import Fault
from ...transcripts.observing import Observed, observe_all
from ...transcripts.turns import Read, read_transcript
from ..exits import Exit, GivenError
from ..opened import labeller_of, speaker_of, store_to_write, taped
from ..options import FILE, Asking, Where, asking_options, where_options
from ..output import print_json, remark, show
from ..progress import progress
from ..views.applied import applied_json, applied_view


@click.command("apply")
@click.argument("transcript", type=FILE)
@click.option("--conversation", metavar="ID", help="For lines that name none; the file's name.")
@click.option(
    "--concurrency", type=click.IntRange(min=1), metavar="N", help="Requests under way at a time."
)
@click.option(
    "--rejects", type=FILE, metavar="FILE", help="Keep the lines that cannot be read in this file."
)
@where_options
@asking_options
def command(
    transcript: Path,
    where: Where,
    asking: Asking,
    conversation: str | None,
    concurrency: int | None,
    rejects: Path | None,
) -> int:
    """Observe every user turn of a transcript.

    TRANSCRIPT is JSON lines of turns or of OpenAI messages, or a JSON file of conversations;
    - is stdin. Turns seen before cost nothing, so an interrupted run is simply started again.
    """
    settings = where.settings(**asking.named(), concurrency=concurrency)
    read = read_transcript(
        _content(transcript),
        file="stdin" if str(transcript) == "-" else transcript,
        zone=settings.zone,
        now=now_in_utc().astimezone(settings.zone),
        conversation=conversation,
        preceding=settings.preceding,
    )
    turns = [turn for _, turn in read.turns]
    if any(turn.speaker is None for turn in turns):
        speaker_of(settings)
    _report(read, rejects)
    done = _observed(turns, settings, asking)
    if where.as_json:
        print_json(applied_json(done, read.faults))
    else:
        show(*applied_view(done, read.faults))
    waits = any(each.outcome.status is Status.PENDING for each in done)
    return Exit.PARTLY if waits or read.faults else Exit.OK


def _content(transcript: Path) -> bytes:
    if str(transcript) == "-":
        return sys.stdin.buffer.read()
    try:
        return transcript.read_bytes()
    except OSError as error:
        raise GivenError(f"{str(transcript)!r} cannot be read: {error.strerror}.") from error


def _report(read: Read, rejects: Path | None) -> None:
    """Say what is left out and what is odd, before anything long begins."""
    for fault in read.faults:
        remark(f"{fault.place}: {fault.why}")
    if read.backwards:
        remark(f"the clock goes backwards {read.backwards} times; turns count as they were said.")
    if rejects is not None and read.faults:
        _keep(read.faults, rejects)


def _keep(faults: Sequence[Fault], rejects: Path) -> None:
    rejects.write_bytes(b"".join(fault.raw + b"\n" for fault in faults))
    remark(f"{len(faults)} lines are in {str(rejects)!r}.")


def _observed(turns: Sequence[Turn], settings: Settings, asking: Asking) -> list[Observed]:
    done: list[Observed] = []

    with (
        taped(asking),
        closing(store_to_write(settings)) as store,
        progress("observing", len(turns)) as step,
    ):

        def each(observed: Observed) -> None:
            done.append(observed)
            step()

        async def work() -> None:
            labeller = labeller_of(settings)
            await observe_all(turns, store=store, labeller=labeller, settings=settings, each=each)

        if turns:
            try:
                anyio.run(work)
            except BaseException:
                remark(f"{len(done)} of {len(turns)} turns are done.")
                raise
    return done
