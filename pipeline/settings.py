"""Settings: from arguments, then `HENCEFORTH_*` variables, then `henceforth.toml`."""

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeAlias
from zoneinfo import ZoneInfo

from pydantic import BeforeValidator, Field, SecretStr, ValidationError, field_validator

from ..schemas.base import Shape
from .durations import duration
from .errors import SettingsError

CONFIG_FILE = "henceforth.toml"
ENV_PREFIX = "HENCEFORTH_"

Duration = Annotated[timedelta, BeforeValidator(duration), Field(ge=timedelta())]


Screen: TypeAlias = Literal["off", "gate", "full"]

_SIZE = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)b(?![a-z])", re.IGNORECASE)
"""Billions of parameters, as names of models tell them: `qwen2.5-coder-1.5b-instruct`."""

SMALL = 4.0
"""Billions of parameters from which a model is left to judge alone."""


class Settings(Shape):
    """What a deployment can set; `Settings.load` collects it from all places.

    Attributes:
        model: Any litellm model string. Nothing is labelled without it.
        api_base: The endpoint, where it is not the provider's own.
        api_key: The key, where litellm should not read the provider's own variable.
        temperature: 0 makes a model as steady as it can be.
        timeout: Seconds that one request may take.
        max_tokens: The longest answer asked for.
        concurrency: How many requests may be under way at the same time.
        preceding: How many messages before the turn the model sees.
        attempts: How often a request is tried, and how often an answer may be asked for anew.
        total_time: Seconds that one question to the model may take, all tries and waits included.
        window: Tokens of turn text shown to the model at once, estimated on the safe side.
        retries: How often a turn that waits is tried before it is given up.
        retry_after: How long it waits after it failed again; twice as long each time.
        signals: How many inferred signals put a proposal in force.
        links: Who settles what code cannot: `ask` the user, or the `model` first.
        undo_window: How long forgotten text stays before it is redacted: `7d`, `12h`, `0`.
        forgotten: Whether forgotten text is redacted after the undo window, or retained.
        timezone: The zone of the subject, for turns that come without one.
        db: The SQLite file, or the address of a database.
        tenant: The tenant whose subjects these are.
        subject: The speaker whose rules are meant, where a command names none.
        registry: A TOML file that adds dimensions to the registry.
        prompt: Version of the prompt, such as `3`; the latest when unset.
        screen: What a small trained judge decides before the model is asked: nothing (`off`),
            which turns are surely empty (`gate`), or which intents a turn may hold (`full`, for
            models too small to tell). `auto` is `full` for a model whose name says that it has
            less than 4 billion parameters, and `off` for others.
    """

    model: str | None = Field(default=None, min_length=1)
    api_base: str | None = Field(default=None, pattern=r"^https?://\S+$")
    api_key: SecretStr | None = None
    temperature: float = Field(default=0.0, ge=0, le=2)
    timeout: float = Field(default=60.0, gt=0)
    max_tokens: int = Field(default=1024, ge=16)
    concurrency: int = Field(default=4, ge=1)
    preceding: int = Field(default=4, ge=0)
    attempts: int = Field(default=3, ge=1)
    total_time: float = Field(default=180.0, gt=0)
    window: int = Field(default=2000, ge=100)
    retries: int = Field(default=12, ge=1)
    retry_after: Duration = timedelta(seconds=30)
    signals: int = Field(default=2, ge=1)
    links: Literal["ask", "model"] = "ask"
    undo_window: Duration = timedelta(days=7)
    forgotten: Literal["redact", "retain"] = "redact"
    timezone: str = "UTC"
    db: str = Field(default="henceforth.db", min_length=1)
    tenant: str = Field(default="default", pattern=r"^[^/]+$")
    subject: str | None = Field(default=None, min_length=1)
    registry: Path | None = None
    prompt: str | None = Field(default=None, pattern=r"^v?\d+$")
    screen: Screen | Literal["auto"] = "auto"

    @field_validator("timezone")
    @classmethod
    def _known_zone(cls, name: str) -> str:
        try:
            ZoneInfo(name)
        except (ValueError, OSError, LookupError):
            raise ValueError("the name of a time zone, such as Europe/Lisbon") from None
        return name

    @property
    def screening(self) -> Screen:
        """What the trained judge decides, with `auto` resolved by the name of the model."""
        if self.screen != "auto":
            return self.screen
        size = _SIZE.search(self.model or "")
        return "full" if size and float(size[1]) < SMALL else "off"

    @property
    def zone(self) -> ZoneInfo:
        """The zone of the subject."""
        return ZoneInfo(self.timezone)

    @classmethod
    def load(cls, config: str | Path | None = None, **given: Any) -> Self:
        """Collect the settings: arguments win over variables, variables over the file.

        Args:
            config: The file to read; without it `henceforth.toml` in the working directory,
                if there is one.
            given: Settings by name; None counts as not given.

        Raises:
            SettingsError: If a value is not allowed, a key is unknown, or the file named is
                missing or unreadable.
        """
        sources = (
            _Source("the arguments", {k: v for k, v in given.items() if v is not None}),
            _Source("the environment", _environment(cls)),
            _file(config),
        )
        merged = {k: v for source in reversed(sources) for k, v in source.values.items()}
        try:
            return cls.model_validate(merged)
        except ValidationError as error:
            raise _explained(error, sources) from error


@dataclass(frozen=True)
class _Source:
    name: str
    values: Mapping[str, Any]

    def names(self, key: str) -> str:
        """How a person finds the key in this source."""
        variable = self.name == "the environment"
        return f"{ENV_PREFIX}{key.upper()} in {self.name}" if variable else f"{key} in {self.name}"


def _environment(settings: type[Settings]) -> Mapping[str, Any]:
    """The variables that are set; an empty one counts as not set."""
    names = {key: f"{ENV_PREFIX}{key.upper()}" for key in settings.model_fields}
    return {key: os.environ[name] for key, name in names.items() if os.environ.get(name)}


def _file(config: str | Path | None) -> _Source:
    path = Path(config or CONFIG_FILE)
    if config is None and not path.is_file():
        return _Source(str(path), {})
    try:
        return _Source(str(path), tomllib.loads(path.read_text("utf-8")))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(key=None, origin=str(path), allowed=f"a TOML file: {error}") from error


def _explained(error: ValidationError, sources: tuple[_Source, ...]) -> SettingsError:
    """The first fault in the words of the person who set the value."""
    fault = error.errors(include_url=False, include_context=False)[0]
    key = str(fault["loc"][0])
    origin = next((source.names(key) for source in sources if key in source.values), key)
    if fault["type"] == "extra_forbidden":
        return SettingsError(key=key, origin=origin, allowed=_known(key))
    shown = None if key == "api_key" else fault["input"]
    allowed = fault["msg"].removeprefix("Value error, ").removeprefix("Input should be ")
    return SettingsError(key=key, origin=origin, allowed=allowed, value=shown)


def _known(key: str) -> str:
    from difflib import get_close_matches

    names = list(Settings.model_fields)
    close = get_close_matches(key, names, n=1)
    return f"{close[0]}? There is no such setting" if close else f"one of {', '.join(names)}"
