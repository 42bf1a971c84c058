"""Options that several commands share; each kind reaches a command as one object."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from ...schemas.context import Context
    from ..settings import Settings

Result = TypeVar("Result")
Command = Callable[..., Result]
Decorator = Callable[[Command[Result]], Command[Result]]

FILE = click.Path(path_type=Path)
FOLDER = click.Path(file_okay=False, path_type=Path)


def _gathered(name: str, shape: type, *options: Decorator[Any]) -> Decorator[Any]:
    """Options whose values reach the command as one object of that shape."""
    names = [each.name for each in fields(shape)]

    def decorate(command: Command[Any]) -> Command[Any]:
        @wraps(command)
        def call(**given: Any) -> Any:
            taken = {each: given.pop(each) for each in names}
            return command(**{name: shape(**taken)}, **given)

        decorated: Command[Any] = call
        for option in reversed(options):
            decorated = option(decorated)
        return decorated

    return decorate


@dataclass(frozen=True)
class Shown:
    """For commands without a store: which settings, and in which form the answer is wanted."""

    config: Path | None
    as_json: bool

    def settings(self, **more: object) -> "Settings":
        """The settings with these options over them."""
        from ..settings import Settings

        return Settings.load(self.config, **more)


_config = click.option(
    "--config", type=FILE, metavar="FILE", help="A settings file other than henceforth.toml."
)
_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")

shown_options = _gathered("shown", Shown, _config, _json)


@dataclass(frozen=True)
class Where:
    """Which store, whose rules, and in which form the answer is wanted."""

    db: str | None
    subject: str | None
    tenant: str | None
    config: Path | None
    as_json: bool

    def settings(self, **more: object) -> "Settings":
        """The settings with these options over them."""
        from ..settings import Settings

        given = {"db": self.db, "subject": self.subject, "tenant": self.tenant}
        return Settings.load(self.config, **given, **more)


where_options = _gathered(
    "where",
    Where,
    click.option("--db", metavar="FILE|URL", help="The database [HENCEFORTH_DB]."),
    click.option("--subject", metavar="NAME", help="Whose rules [HENCEFORTH_SUBJECT]."),
    click.option("--tenant", metavar="NAME", help="Of which tenant [HENCEFORTH_TENANT]."),
    _config,
    _json,
)


@dataclass(frozen=True)
class Asking:
    """Which model is asked with which prompt, and whether that is recorded or replayed."""

    model: str | None
    api_base: str | None
    prompt: str | None
    record: Path | None
    replay: Path | None

    def named(self) -> dict[str, object]:
        """What of it is a setting."""
        return {"model": self.model, "api_base": self.api_base, "prompt": self.prompt}


asking_options = _gathered(
    "asking",
    Asking,
    click.option("--model", metavar="NAME", help="Any litellm model string [HENCEFORTH_MODEL]."),
    click.option("--api-base", metavar="URL", help="Its endpoint [HENCEFORTH_API_BASE]."),
    click.option("--prompt", metavar="N", help="Version of the prompt [HENCEFORTH_PROMPT]."),
    click.option(
        "--record", type=FOLDER, metavar="DIR", help="Keep what the model answers in this folder."
    ),
    click.option(
        "--replay", type=FOLDER, metavar="DIR", help="Answer from recordings; nothing is sent."
    ),
)


@dataclass(frozen=True)
class Moment:
    """Where something is said or written, as options give it."""

    conversation: str | None
    task: str | None
    task_type: str | None
    project: str | None
    repository: str | None
    workspace: str | None
    cwd: str | None
    file: str | None
    branch: str | None
    audience: str | None
    tag: tuple[str, ...]

    def context(self) -> "Context":
        """The context; a tag that is no `kind=value` is a usage error."""
        from ...schemas.context import Context

        given = {each.name: getattr(self, each.name) for each in fields(self)}
        tags = dict(_tag(each) for each in given.pop("tag"))
        return Context(**given, tags=tags)


def _tag(text: str) -> tuple[str, str]:
    kind, equals, value = text.partition("=")
    if not (kind and equals and value):
        raise click.BadParameter(f"{text!r} is not kind=value", param_hint="--tag")
    return kind, value


moment_options = _gathered(
    "moment",
    Moment,
    click.option("--conversation", metavar="ID", help="The conversation."),
    click.option("--task", metavar="ID", help="The task in hand."),
    click.option("--task-type", metavar="KIND", help="Its kind: email, technical-proposal."),
    click.option("--project", metavar="NAME", help="The project."),
    click.option("--repository", metavar="NAME", help="The repository."),
    click.option("--workspace", metavar="NAME", help="The workspace, channel or package."),
    click.option("--cwd", metavar="DIR", help="The working directory; informative."),
    click.option("--file", metavar="PATH", help="The file in hand."),
    click.option("--branch", metavar="NAME", help="The branch in hand."),
    click.option("--audience", metavar="WHO", help="Who will read what is written."),
    click.option("--tag", metavar="KIND=VALUE", multiple=True, help="A further kind, repeatable."),
)
