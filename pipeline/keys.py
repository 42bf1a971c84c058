"""API keys: made, checked, revoked. A key is shown once; what is kept opens nothing.

A key is `hf_<id>_<secret>`. The secret is 256 random bits: one round of SHA-256 is enough to keep
it, as there is nothing to guess that a slower hash would protect.
"""

import hmac
import re
import secrets
from collections.abc import Callable, Sequence
from datetime import datetime
from hashlib import sha256

from ..schemas.base import Shape
from .errors import UnknownKeyError
from .session import now_in_utc
from .stores.keys import KeptKey, KeptKeys

_FORM = re.compile(r"hf_([0-9a-f]{12})_([0-9A-Za-z_-]{43})")


class NewKey(Shape):
    """A key that was just made: the only time that it can be read."""

    id: str
    tenant: str
    key: str


class Keys:
    """The keys of a service.

    Args:
        kept: Where they are kept.
        clock: The time.
    """

    def __init__(self, kept: KeptKeys, *, clock: Callable[[], datetime] = now_in_utc) -> None:
        self._kept, self._clock = kept, clock

    def create(self, *, tenant: str, name: str) -> NewKey:
        """Make a key of a tenant."""
        id, secret = secrets.token_hex(6), secrets.token_urlsafe(32)
        now = self._clock()
        self._kept.add(KeptKey(id=id, tenant=tenant, name=name, hash=_hash(secret), created=now))
        return NewKey(id=id, tenant=tenant, key=f"hf_{id}_{secret}")

    def check(self, key: str) -> KeptKey | None:
        """Whose key it is; None when it opens nothing."""
        form = _FORM.fullmatch(key)
        kept = self._kept.get(form[1]) if form else None
        if form is None or kept is None or kept.revoked is not None:
            return None
        return kept if hmac.compare_digest(kept.hash, _hash(form[2])) else None

    def revoke(self, id: str) -> None:
        """Let a key open nothing from now on, in every process.

        Raises:
            UnknownKeyError: If there is no such key, or it is revoked already.
        """
        if not self._kept.revoke(id, now=self._clock()):
            raise UnknownKeyError(id=id)

    def all(self, tenant: str | None = None) -> Sequence[KeptKey]:
        """All keys, those of one tenant where it is named."""
        return self._kept.all(tenant)


def _hash(secret: str) -> str:
    return f"sha256:{sha256(secret.encode()).hexdigest()}"
