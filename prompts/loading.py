"""Read a prompt: its text, its examples, and the ref that stands in each label's provenance.

The file of a version is Markdown. What stands before the first heading `## Example` is the text
for the system message; `{{dimensions}}` in it stands for the registry. Each `## Example …` holds
two fenced blocks: ```yaml with the turn as in `Example.turn`, and ```json with the answer.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from ..schemas.dimensions import Registry

LABEL_TURN = "label_turn"


class PromptError(ValueError):
    """There is no such prompt, or no such version, or its file does not have the form."""


@dataclass(frozen=True)
class Example:
    """A turn and the answer that is right for it.

    Attributes:
        turn: The fields of the turn: `text`, and where they matter `before`, `context`, `day`.
        answer: The answer in the shape that the model writes, as JSON.
    """

    turn: Mapping[str, Any]
    answer: str


@dataclass(frozen=True)
class Prompt:
    """One version of a prompt.

    Attributes:
        text: The system message; `{{dimensions}}` stands for the registry.
        ref: Name, version and the first digits of the file's digest: `label_turn@3+1f0c9a2e`.
    """

    text: str
    examples: tuple[Example, ...]
    ref: str

    def system(self, registry: Registry) -> str:
        """The text with the dimensions of the registry in it."""
        return self.text.replace("{{dimensions}}", _dimensions(registry))


def load_prompt(name: str, version: str | None = None) -> Prompt:
    """A version of a prompt; without one the latest.

    Raises:
        PromptError: If there is none.
    """
    versions = prompt_versions(name)
    number = int(version.removeprefix("v")) if version else max(versions, default=0)
    if number not in versions:
        known = ", ".join(f"{name}@{each}" for each in versions) or "none"
        raise PromptError(f"there is no prompt {name}@{version or 'latest'}; there are: {known}")
    return _loaded(name, number)


def prompt_versions(name: str) -> tuple[int, ...]:
    """The versions that ship, the oldest first."""
    folder = _folder(name)
    if not folder.is_dir():
        return ()
    found = (re.fullmatch(r"v(\d+)\.md", file.name) for file in folder.iterdir())
    return tuple(sorted(int(each[1]) for each in found if each))


def _folder(name: str) -> Traversable:
    return files(__name__.rpartition(".")[0]).joinpath(name)


@lru_cache(maxsize=32)
def _loaded(name: str, number: int) -> Prompt:
    raw = _folder(name).joinpath(f"v{number}.md").read_text("utf-8")
    content = raw.replace("\r\n", "\n")
    digest = sha256(content.encode("utf-8")).hexdigest()[:8]
    return parsed(content, ref=f"{name}@{number}+{digest}")


def parsed(content: str, *, ref: str) -> Prompt:
    """The prompt in the text of a file.

    Raises:
        PromptError: If an example lacks its turn or its answer, or one of them cannot be read.
    """
    text, *sections = re.split(r"^## Example\b", content, flags=re.MULTILINE)
    examples = tuple(_example(section, ref) for section in sections)
    return Prompt(text=text.strip(), examples=examples, ref=ref)


def _example(section: str, ref: str) -> Example:
    import yaml

    title = section.partition("\n")[0].strip(" :")
    blocks = dict(re.findall(r"^(?:`{3,})(\w+)\n(.*?)\n`{3,}$", section, re.MULTILINE | re.DOTALL))
    try:
        turn, answer = yaml.safe_load(blocks["yaml"]), json.loads(blocks["json"])
    except (KeyError, ValueError, yaml.YAMLError) as error:
        raise PromptError(f"{ref}: example {title!r} cannot be read: {error!r}") from error
    return Example(turn=turn, answer=json.dumps(answer, ensure_ascii=False))


def _dimensions(registry: Registry) -> str:
    """The registry as lines: definition, examples of values, and the targets that belong here."""
    return "\n".join(
        f"- {each.name}: {each.definition}"
        + (f"; e.g. {', '.join(each.examples)}" if each.examples else "")
        + (f"; targets: {', '.join(each.targets)}" if each.targets else "")
        for each in registry.dimensions
    )
