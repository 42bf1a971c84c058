"""`henceforth keys`: the keys that open the service."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TypeVar

import click

from ...keys import Keys
from ...settings import Settings
from ...stores.keys import KeptKey, KeptKeys
from ...stores.sql import SqlStore
from ..options import FILE
from ..output import print_json, show

T = TypeVar("T")

_db = click.option("--db", metavar="FILE|URL", help="The database [HENCEFORTH_DB].")
_config = click.option("--config", type=FILE, help="A settings file other than henceforth.toml.")
_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")


@click.group("keys")
def command() -> None:
    """Make, list and revoke the keys that open the service.

    A key belongs to one tenant. It is shown once, when it is made; kept is its hash.
    """


@command.command("create")
@click.option("--tenant", metavar="NAME", help="Whose subjects it reaches [HENCEFORTH_TENANT].")
@click.option("--name", required=True, help="What it is for.")
@_db
@_config
@_json
def create(
    tenant: str | None, name: str, db: str | None, config: Path | None, as_json: bool
) -> None:
    """Make a key, and show it: it cannot be shown again."""
    settings = Settings.load(config, db=db, tenant=tenant)
    made = _with(settings, lambda keys: keys.create(tenant=settings.tenant, name=name))
    if as_json:
        print_json(made.model_dump(mode="json"))
    else:
        show(f"Key {made.id} of tenant {made.tenant!r}. It is shown this once:")
        print(made.key)


@command.command("list")
@click.option("--tenant", metavar="NAME", help="Only the keys of this tenant.")
@_db
@_config
@_json
def listed(tenant: str | None, db: str | None, config: Path | None, as_json: bool) -> None:
    """List the keys, revoked ones too."""
    found = _with(Settings.load(config, db=db), lambda keys: keys.all(tenant))
    if as_json:
        print_json({"keys": [each.model_dump(mode="json", exclude={"hash"}) for each in found]})
    else:
        show(*(_line(each) for each in found) if found else ("There are no keys.",))


@command.command("revoke")
@click.argument("id")
@_db
@_config
def revoke(id: str, db: str | None, config: Path | None) -> None:
    """Let a key open nothing from now on, in every process."""
    _with(Settings.load(config, db=db), lambda keys: keys.revoke(id))
    show(f"Key {id} opens nothing any more.")


def _with(settings: Settings, work: Callable[[Keys], T]) -> T:
    with closing(SqlStore(settings.db)) as store:
        return work(Keys(KeptKeys(store)))


def _line(key: KeptKey) -> str:
    since = f"revoked {key.revoked:%Y-%m-%d}" if key.revoked else f"since {key.created:%Y-%m-%d}"
    return f"{key.id}  {key.tenant}  {since}  {key.name}"
