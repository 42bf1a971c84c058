"""`henceforth demo`: replay the document sequence and show what comes of it."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import anyio
import click

from ...session import Session
from ...settings import Settings
from ..exits import Exit
from ..opened import given_labeller, store_to_write, taped
from ..options import Asking, Shown, asking_options, shown_options
from ..output import print_json, remark, show
from .offline import RECORDINGS
from .playing import Played, play
from .recorded import Recorded, read_recorded, write_recorded
from .sequence import read_sequence
from .telling import is_as_expected, played_json, played_view

SUBJECT = "demo"


@click.command("demo")
@shown_options
@asking_options
def command(shown: Shown, asking: Asking) -> int:
    """Replay a recorded conversation; needs no model and no key.

    Six turns, each in its own conversation. After each, its labels, its changes and the rules
    in force are shown, and fresh processes say what they would be told. The exit code is 1
    where that is not what must hold. With --model a live model is asked instead, and with
    --record its answers are kept for --replay.
    """
    with TemporaryDirectory(prefix="henceforth-") as folder:
        db = Path(folder) / "demo.db"
        if asking.record or (asking.model and not asking.replay) or given_labeller():
            settings = _live(shown, asking, db)
        else:
            asking = replace(asking, replay=asking.replay or RECORDINGS)
            settings = _recorded(asking.replay or RECORDINGS, db)
            remark("answers come from recordings; nothing is sent.")
        played = _played(settings, asking, db, as_json=shown.as_json)
    if asking.record:
        write_recorded(asking.record, _made_with(settings))
    as_expected = all(is_as_expected(each) for each in played)
    if shown.as_json:
        print_json({"as_expected": as_expected, "turns": [played_json(each) for each in played]})
    return Exit.OK if as_expected else Exit.PARTLY


def _played(settings: Settings, asking: Asking, db: Path, *, as_json: bool) -> list[Played]:
    """Play all of it; what is for people is shown as it comes."""
    played: list[Played] = []

    async def run() -> None:
        async for each in play(read_sequence(), session, db=db, subject=SUBJECT):
            played.append(each)
            if not as_json:
                show(*played_view(len(played), each))

    with taped(asking), closing(store_to_write(settings)) as store:
        labeller = given_labeller()

        def session() -> Session:
            return Session(SUBJECT, store=store, settings=settings, labeller=labeller)

        anyio.run(run)
    return played


def _live(shown: Shown, asking: Asking, db: Path) -> Settings:
    """The settings of a live run: what goes into a request is fixed, so that it can be replayed."""
    given = shown.settings(**asking.named())
    return Settings(
        model=given.model,
        api_base=given.api_base,
        api_key=given.api_key,
        prompt=given.prompt,
        timeout=given.timeout,
        total_time=given.total_time,
        db=str(db),
    )


def _recorded(folder: Path, db: Path) -> Settings:
    made_with = read_recorded(folder)
    return Settings(
        model=made_with.model, api_base=made_with.api_base, prompt=made_with.prompt, db=str(db)
    )


def _made_with(settings: Settings) -> Recorded:
    from ....prompts import prompt_versions
    from ...labelling.label import PROMPT

    latest = str(max(prompt_versions(PROMPT), default=0))
    return Recorded(
        model=settings.model or "",
        api_base=settings.api_base,
        prompt=settings.prompt or latest,
    )
