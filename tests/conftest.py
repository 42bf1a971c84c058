"""PostgreSQL for the tests that want it: one server a run, started when first asked for."""

from collections.abc import Callable, Iterator
from itertools import count

import pytest
from postgres_server import Postgres, running

_NUMBERS = count(1)


@pytest.fixture(scope="session")
def _server() -> Iterator[Postgres]:
    with running() as server:
        yield server


@pytest.fixture(scope="session")
def new_database(_server: Postgres) -> Callable[[], str]:
    """Makes an empty PostgreSQL database and gives its address."""
    return lambda: _server.database(f"t{next(_NUMBERS)}")


@pytest.fixture
def own_server() -> Iterator[Postgres]:
    """A PostgreSQL server that the test may stop and start."""
    with running() as server:
        yield server
