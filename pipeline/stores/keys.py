"""API keys as they are kept: whose they are, and the hash of each; never a key itself."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import insert, select, update

from ...schemas.base import Shape
from .sql import SqlStore
from .tables import api_keys


class KeptKey(Shape):
    """One key of a tenant.

    Attributes:
        id: The part of the key that is no secret.
        name: What it is for, in the words of whoever made it.
        hash: Of the secret part.
        revoked: Since when it opens nothing any more.
    """

    id: str
    tenant: str
    name: str
    hash: str
    created: datetime
    revoked: datetime | None = None


class KeptKeys:
    """The keys in a database, beside the rules."""

    def __init__(self, store: SqlStore) -> None:
        self._store = store

    def add(self, key: KeptKey) -> None:
        """Keep a new key."""
        times = {"created": key.created.isoformat(), "revoked": None}
        with self._store.writing() as connection:
            connection.execute(insert(api_keys).values(key.model_dump() | times))

    def get(self, id: str) -> KeptKey | None:
        """The key with the id, revoked or not."""
        with self._store.reading() as connection:
            row = connection.execute(select(api_keys).where(api_keys.c.id == id)).mappings().first()
        return KeptKey.model_validate(row) if row else None

    def all(self, tenant: str | None = None) -> Sequence[KeptKey]:
        """All keys, those of one tenant where it is named, the oldest first."""
        wanted = select(api_keys).order_by(api_keys.c.created, api_keys.c.id)
        if tenant is not None:
            wanted = wanted.where(api_keys.c.tenant == tenant)
        with self._store.reading() as connection:
            rows = connection.execute(wanted).mappings().all()
        return tuple(map(KeptKey.model_validate, rows))

    def revoke(self, id: str, *, now: datetime) -> bool:
        """Let the key open nothing from now on; False when there is none, or it is revoked."""
        at = (api_keys.c.id == id, api_keys.c.revoked.is_(None))
        with self._store.writing() as connection:
            changed = connection.execute(
                update(api_keys).where(*at).values(revoked=now.isoformat())
            )
        return changed.rowcount == 1
