"""The service in this process: a real store, a labeller that knows its turns by heart."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from labelling import ByHeart
from starlette.testclient import TestClient

from henceforth.pipeline.hosting import Host
from henceforth.pipeline.keys import Keys
from henceforth.pipeline.service.app import make_app
from henceforth.pipeline.service.options import Options
from henceforth.pipeline.settings import Settings
from henceforth.pipeline.stores.keys import KeptKeys
from henceforth.pipeline.stores.sql import SqlStore


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "rules.db"


@pytest.fixture
def store(file: Path) -> Iterator[SqlStore]:
    store = SqlStore(file)
    yield store
    store.close()


@pytest.fixture
def keys(store: SqlStore) -> Keys:
    return Keys(KeptKeys(store))


@pytest.fixture
def labeller() -> ByHeart:
    return ByHeart()


@pytest.fixture
def options() -> Options:
    return Options(body=20_000, batch=5)


@pytest.fixture
def host(store: SqlStore, labeller: ByHeart) -> Host:
    return Host(store, settings=Settings(), labeller=labeller)


@pytest.fixture
def client(host: Host, keys: Keys, options: Options) -> Iterator[TestClient]:
    """A client with a key of the tenant `acme`."""
    key = keys.create(tenant="acme", name="tests").key
    with TestClient(
        make_app(host, keys=keys, options=options), headers={"authorization": f"Bearer {key}"}
    ) as client:
        yield client
