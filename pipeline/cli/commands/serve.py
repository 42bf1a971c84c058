"""`henceforth serve`: the HTTP service."""

from pathlib import Path

import click

from ..extras import extra
from ..opened import given_labeller
from ..options import FILE

DEFAULT_PORT = 8470


@click.command("serve")
@click.option("--db", metavar="FILE|URL", help="The database [HENCEFORTH_DB].")
@click.option("--config", type=FILE, help="A settings file other than henceforth.toml.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", default=DEFAULT_PORT, show_default=True, help="The port; 0 for a free one.")
@click.option("--no-keys", is_flag=True, help="Ask for no key; on loopback only.")
@click.option("--deadline", type=float, help="Seconds that labelling may hold up a reply.")
@click.option("--rate", metavar="COUNT/PERIOD", help="Requests of one key, such as 600/minute.")
@click.option("--grace", type=float, help="Seconds that what is under way may take at the end.")
@click.option("--max-body", type=int, metavar="BYTES", help="The largest request.")
def command(
    db: str | None,
    config: Path | None,
    host: str,
    port: int,
    no_keys: bool,
    deadline: float | None,
    rate: str | None,
    grace: float | None,
    max_body: int | None,
) -> None:
    """Serve henceforth over HTTP, to backends of any language.

    Every call needs a key of `henceforth keys create`. On SIGTERM the service takes no more calls
    and finishes those under way.
    """
    with extra("server"):
        from ...service.options import Options
        from ...service.running import Address, serve
    from ...settings import Settings

    given = {"deadline": deadline, "rate": rate, "grace": grace, "body": max_body}
    options = Options.model_validate({key: each for key, each in given.items() if each is not None})
    serve(
        Settings.load(config, db=db),
        Address(host=host, port=port),
        options=options,
        with_keys=not no_keys,
        labeller=given_labeller(),
    )
