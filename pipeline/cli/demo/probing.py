"""Asks a fresh process which rules are in force: what one conversation left reaches the next."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from ....schemas.context import Context
from ....schemas.in_force import InForce
from ....schemas.versions import upcast
from ...settings import ENV_PREFIX

_ROOT = __name__.partition(".")[0]


def ask_afresh(context: Context, *, db: Path, subject: str) -> InForce:
    """The answer of `henceforth rules`, run as its own process on the same database.

    It is given the database, the subject and the moment, and nothing of this process: no
    settings from the environment and no settings file.
    """
    command = [sys.executable, "-m", _ROOT, "rules", "--json", "--db", str(db)]
    command += ["--subject", subject, *_options(context)]
    run = subprocess.run(
        command, cwd=db.parent, env=_bare(os.environ), capture_output=True, text=True, check=True
    )
    return InForce.model_validate(upcast(json.loads(run.stdout)))


def _options(context: Context) -> list[str]:
    given = context.model_dump(exclude_none=True, exclude={"tags"})
    named = [(name.replace("_", "-"), value) for name, value in given.items()]
    tags = [("tag", f"{kind}={value}") for kind, value in context.tags.items()]
    return [part for name, value in [*named, *tags] for part in (f"--{name}", value)]


def _bare(environment: Mapping[str, str]) -> dict[str, str]:
    kept = {name: value for name, value in environment.items() if not name.startswith(ENV_PREFIX)}
    return {**kept, "PYTHONUTF8": "1"}
