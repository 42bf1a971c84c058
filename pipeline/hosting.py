"""One store for many people: a session for each of them, whenever one is asked for."""

from collections.abc import Callable
from datetime import datetime

from ..schemas.context import Context
from ..schemas.dimensions import Registry, default_registry
from ..schemas.ids import SubjectId
from .intake import Labeller
from .session import Session, now_in_utc
from .settings import Settings
from .stores.protocol import Store


class Host:
    """Opens sessions for the people a process serves; they share its store and its labeller.

    Args:
        store: Where rules are kept; to be closed by whoever opened it.
        settings: How; their tenant is that of people for whom none is named.
        labeller: What labels turns; by default the model of the settings.
        clock: The time.
    """

    def __init__(
        self,
        store: Store,
        *,
        settings: Settings | None = None,
        labeller: Labeller | None = None,
        clock: Callable[[], datetime] = now_in_utc,
    ) -> None:
        self.store, self.settings = store, settings or Settings.load()
        self.labeller, self.clock = labeller, clock
        self.registry = _registry(self.settings)

    def session(
        self, speaker: str, *, tenant: str | None = None, context: Context | None = None
    ) -> Session:
        """The session of one speaker; it costs next to nothing.

        Raises:
            ValueError: If speaker and tenant do not name a subject.
        """
        return Session(
            speaker,
            store=self.store,
            labeller=self.labeller,
            settings=self.settings.model_copy(update={"tenant": tenant or self.settings.tenant}),
            context=context,
            registry=self.registry,
            clock=self.clock,
        )

    def session_of(self, subject: SubjectId) -> Session:
        """The session of a subject that the store knows."""
        tenant, _, speaker = subject.partition("/")
        return self.session(speaker, tenant=tenant)


def _registry(settings: Settings) -> Registry:
    if settings.registry is None:
        return default_registry()
    return default_registry().extended(settings.registry.read_text("utf-8"))
