"""`henceforth pending`: turns that wait to be labelled."""

from collections.abc import Sequence
from contextlib import closing

import anyio
import click

from ....schemas.ids import SubjectId
from ....schemas.outcome import Outcome
from ...session import Session
from ...settings import Settings
from ...stores.protocol import PendingTurn, Store
from ..opened import given_labeller, store_to_read, store_to_write, taped
from ..options import Asking, Where, asking_options, where_options
from ..output import print_json, show
from ..progress import progress
from ..telling import exit_of
from ..views.pending import pending_view, retried_view


@click.command("pending")
@click.option("--retry", is_flag=True, help="Label them now, the oldest first.")
@where_options
@asking_options
def command(where: Where, asking: Asking, retry: bool) -> int:
    """List turns that wait to be labelled, or try them again.

    Without a subject those of every subject of the tenant.
    """
    settings = where.settings(**asking.named())
    if retry:
        outcomes = _retried(settings, asking)
        if where.as_json:
            print_json({"turns": [each.model_dump(mode="json") for each in outcomes]})
        else:
            show(*retried_view(outcomes))
        return exit_of(outcomes)
    with closing(store_to_read(settings)) as store:
        waiting = _waiting(settings, store)
    if where.as_json:
        print_json({"pending": [each.model_dump(mode="json") for each in waiting]})
    else:
        show(*pending_view(waiting))
    return 0


def _waiting(settings: Settings, store: Store) -> Sequence[PendingTurn]:
    """The turns that wait, of the subject or of all subjects of the tenant."""
    wanted = f"{settings.tenant}/{settings.subject or ''}"
    return [
        each
        for each in store.pending()
        if each.subject == wanted or (settings.subject is None and each.subject.startswith(wanted))
    ]


def _retried(settings: Settings, asking: Asking) -> list[Outcome]:
    outcomes: list[Outcome] = []
    with taped(asking), closing(store_to_write(settings)) as store:
        waiting = _waiting(settings, store)
        with progress("labelling", len(waiting)) as step:

            def each(outcome: Outcome) -> None:
                outcomes.append(outcome)
                step()

            async def work() -> None:
                for subject in dict.fromkeys(turn.subject for turn in waiting):
                    session = Session(
                        _speaker(subject), store=store, settings=settings, labeller=given_labeller()
                    )
                    await session.retry_pending(each=each)

            anyio.run(work)
    return outcomes


def _speaker(subject: SubjectId) -> str:
    return subject.partition("/")[2]
