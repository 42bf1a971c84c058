"""Opens what a command works on: the store, the session of a subject, the recordings."""

from collections.abc import Awaitable, Callable, Generator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import anyio
import click

from ..session import Session
from ..stores.memory import MemoryStore
from .exits import GivenError
from .options import Asking, Where
from .output import remark

if TYPE_CHECKING:
    from ..intake import Labeller
    from ..settings import Settings
    from ..stores.protocol import Store

T = TypeVar("T")
Work = Callable[[Session], Awaitable[T]]


def look(where: Where, work: Work[T]) -> T:
    """Run work that only reads; a database that is not there is not made."""
    settings = where.settings()
    with closing(store_to_read(settings)) as store:
        return anyio.run(work, _session(settings, store))


def change(where: Where, work: Work[T], *, make: bool = False) -> T:
    """Run work that writes but calls no model.

    Raises:
        GivenError: If there is no database, unless one is to be made: what is to be
            changed would not be in it.
    """
    settings = where.settings()
    if not make and is_missing(settings):
        raise GivenError(f"there is no database {settings.db!r}: nothing was changed.")
    with closing(store_to_write(settings)) as store:
        return anyio.run(work, _session(settings, store))


def ask(where: Where, asking: Asking, work: Work[T]) -> T:
    """Run work that may call the model."""
    settings = where.settings(**asking.named())
    with taped(asking), closing(store_to_write(settings)) as store:
        return anyio.run(work, _session(settings, store, given_labeller()))


def given_labeller() -> "Labeller | None":
    """The labeller that `main` was given; None for the model of the settings."""
    given: Labeller | None = click.get_current_context().find_root().obj
    return given


def labeller_of(settings: "Settings") -> "Labeller":
    """What labels turns: the labeller that `main` was given, else the model of the settings."""
    given = given_labeller()
    if given is not None:
        return given
    from ..labelling.labeller import ModelLabeller
    from ..registry import registry_of

    return ModelLabeller(settings, registry=registry_of(settings))


@contextmanager
def taped(asking: Asking) -> Generator[None]:
    """Record or replay what goes on inside, where the options say so."""
    if asking.record and asking.replay:
        raise click.UsageError("--record and --replay exclude each other.")
    folder = asking.record or asking.replay
    if folder is None:
        yield
        return
    from ..replay.recording import recording

    if asking.replay and not folder.is_dir():
        raise click.BadParameter(f"there is no folder {str(folder)!r}", param_hint="--replay")
    with recording(folder, mode="record" if asking.record else "replay"):
        yield


def speaker_of(settings: "Settings") -> str:
    """The speaker whose rules are meant.

    Raises:
        GivenError: If none is set.
    """
    if settings.subject is None:
        raise GivenError(
            "whose rules? Give --subject NAME, set HENCEFORTH_SUBJECT, or write subject in "
            "henceforth.toml."
        )
    return settings.subject


def store_to_write(settings: "Settings") -> "Store":
    """The database, made if it is missing."""
    from ..stores.sql import SqlStore

    return SqlStore(settings.db)


def store_to_read(settings: "Settings") -> "Store":
    """The database; where there is none, one that is empty, and a word about it."""
    if not is_missing(settings):
        return store_to_write(settings)
    remark(f"there is no database {settings.db!r}; nothing is kept yet.")
    return MemoryStore()


def is_missing(settings: "Settings") -> bool:
    """Whether the database is a file that is not there."""
    return "://" not in settings.db and not Path(settings.db).expanduser().exists()


def _session(settings: "Settings", store: "Store", labeller: "Labeller | None" = None) -> Session:
    return Session(speaker_of(settings), store=store, settings=settings, labeller=labeller)
