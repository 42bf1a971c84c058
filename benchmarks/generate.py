"""Make transcripts: seeded, in the form of OpenAI messages, any number of turns.

python benchmarks/generate.py 100000 transcripts/ --seed 7
"""

import argparse
import json
import random
from collections.abc import Iterator
from pathlib import Path

LANGUAGES = ("German", "French", "Polish", "Japanese", "Portuguese", "Arabic", "Hindi", "Dutch")
LENGTHS = ("under 50 words", "under 100 words", "to three sentences", "to one paragraph")
TOOLS = ("pytest", "pnpm", "ruff", "uv", "make", "podman", "just", "cargo")
TOPICS = ("the quarterly report", "a login form", "the train to Porto", "a birthday", "the logs")

TALK = (
    "Can you look at {topic}? Number {n}.",
    "Thanks, that helps with {topic}, item {n}.",
    "What do you know about {topic}? I have {n} of them.",
    "Write a summary of {topic}, version {n}.",
)
RULES = (
    "From now on answer in {language}. ({n})",
    "Please always keep answers {length}. ({n})",
    "In this project always use {tool} for that. ({n})",
    "Write this one in {language}, number {n}.",
    "Forget what I said about answer length. ({n})",
)
RULE_SHARE = 0.15
REPEATED_SHARE = 0.05
TURNS_A_CONVERSATION = 8
CONVERSATIONS_A_PERSON = 12
CONVERSATIONS_A_FILE = 2_000
START = 1_767_225_600


def text(numbers: random.Random, n: int) -> str:
    """What is said in one turn."""
    if numbers.random() < REPEATED_SHARE:
        n = 0
    template = numbers.choice(RULES if numbers.random() < RULE_SHARE else TALK)
    return template.format(
        n=n,
        language=numbers.choice(LANGUAGES),
        length=numbers.choice(LENGTHS),
        tool=numbers.choice(TOOLS),
        topic=numbers.choice(TOPICS),
    )


def conversations(turns: int, seed: int) -> Iterator[dict[str, object]]:
    """Conversations with so many user turns in all."""
    numbers = random.Random(seed)  # nothing secret depends on it
    made = 0
    for number in range(-(-turns // TURNS_A_CONVERSATION)):
        messages: list[dict[str, str]] = []
        for _ in range(min(TURNS_A_CONVERSATION, turns - made)):
            made += 1
            messages.append({"role": "user", "content": text(numbers, made)})
            messages.append({"role": "assistant", "content": f"Answer {made % 97}."})
        yield {
            "id": f"c{number:07}",
            "user": f"person-{number // CONVERSATIONS_A_PERSON:06}",
            "created": START + number * 60,
            "messages": messages,
        }


def write(turns: int, folder: Path, *, seed: int) -> list[Path]:
    """Write them to files in the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    files: list[Path] = []
    lines: list[str] = []

    def save() -> None:
        files.append(folder / f"chats-{len(files):04}.jsonl")
        files[-1].write_text("".join(lines), "utf-8", newline="\n")
        lines.clear()

    for conversation in conversations(turns, seed):
        lines.append(json.dumps(conversation, ensure_ascii=False) + "\n")
        if len(lines) == CONVERSATIONS_A_FILE:
            save()
    if lines:
        save()
    return files


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("turns", type=int)
    asked.add_argument("folder", type=Path)
    asked.add_argument("--seed", type=int, default=7)
    given = asked.parse_args()
    print(f"{len(write(given.turns, given.folder, seed=given.seed))} files")
