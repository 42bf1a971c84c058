"""Who calls: a key of a tenant, or nobody on loopback; and how often."""

from typing import Annotated

from anyio import to_thread
from fastapi import Depends, HTTPException, Request
from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from ...schemas.base import Shape
from ..keys import Keys


class Caller(Shape):
    """Whose subjects a call may reach.

    Attributes:
        key: The id of the key; None where no key is asked for.
    """

    tenant: str
    key: str | None = None


class Door:
    """Lets callers in.

    Args:
        keys: The keys that open it; None to ask for none.
        tenant: Whose subjects those without a key reach.
        rate: How many requests one key may make, as `count/period`.

    Raises:
        ValueError: If the rate is none.
    """

    def __init__(self, keys: Keys | None, *, tenant: str, rate: str) -> None:
        self._keys, self._tenant = keys, tenant
        self._rate: RateLimitItem = parse(rate)
        self._limiter = MovingWindowRateLimiter(MemoryStorage())

    async def let_in(self, authorization: str | None) -> Caller:
        """The caller.

        Raises:
            HTTPException: 401 without a key that opens anything, 429 when it comes too often.
        """
        caller = await self._known(authorization)
        if not self._limiter.hit(self._rate, caller.key or ""):
            again = self._limiter.get_window_stats(self._rate, caller.key or "").reset_time
            raise _too_often(again)
        return caller

    async def _known(self, authorization: str | None) -> Caller:
        if self._keys is None:
            return Caller(tenant=self._tenant)
        scheme, _, key = (authorization or "").partition(" ")
        if scheme.lower() != "bearer" or not key:
            raise _no_key("A key is needed, as `Authorization: Bearer …`.")
        found = await to_thread.run_sync(self._keys.check, key.strip())
        if found is None:
            raise _no_key("The key opens nothing.")
        return Caller(tenant=found.tenant, key=found.id)


def _no_key(detail: str) -> HTTPException:
    return HTTPException(401, detail, {"www-authenticate": "Bearer"})


def _too_often(again: float) -> HTTPException:
    from time import time  # the limiter counts by this clock

    wait = max(1, round(again - time()))
    return HTTPException(429, "Too many requests of this key.", {"retry-after": str(wait)})


async def _caller(request: Request) -> Caller:
    door: Door = request.app.state.door
    caller = await door.let_in(request.headers.get("authorization"))
    request.state.caller = caller
    return caller


Called = Annotated[Caller, Depends(_caller)]
"""The caller of a route; without it a route is open to all."""
