"""The first screen of the README does what it says."""

import re
import subprocess
import sys
from pathlib import Path

README = (Path(__file__).parent.parent / "README.md").read_text("utf-8")


def test_the_program_prints_what_the_readme_says_it_prints(tmp_path: Path) -> None:
    program, printed = re.findall(r"```(?:python|text)\n(.*?)```", README, flags=re.DOTALL)[:2]

    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stdout) == (0, printed), done.stderr


def test_the_two_commands_are_targets_of_the_makefile() -> None:
    makefile = (Path(__file__).parent.parent / "Makefile").read_text("utf-8")

    commands = re.findall(r"^make (\w+)", README, flags=re.MULTILINE)

    assert commands
    assert all(f"\n{command}:" in makefile for command in commands)
