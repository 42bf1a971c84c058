"""Where a setting comes from, and what is said of a bad one."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from henceforth.pipeline.errors import SettingsError
from henceforth.pipeline.settings import Settings


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in Settings.model_fields:
        monkeypatch.delenv(f"HENCEFORTH_{name.upper()}", raising=False)
    return tmp_path


def test_arguments_win_over_variables_and_variables_over_the_file(
    empty_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (empty_folder / "henceforth.toml").write_text(
        'model = "file/m"\ntemperature = 0.3\npreceding = 9', encoding="utf-8"
    )
    monkeypatch.setenv("HENCEFORTH_TEMPERATURE", "0.2")
    monkeypatch.setenv("HENCEFORTH_PRECEDING", "8")

    settings = Settings.load(preceding=7)

    assert (settings.model, settings.temperature, settings.preceding) == ("file/m", 0.2, 7)


def test_without_anything_there_are_defaults_and_no_model() -> None:
    settings = Settings.load()

    assert (settings.model, settings.preceding, settings.signals) == (None, 4, 2)


def test_none_and_an_empty_variable_count_as_not_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HENCEFORTH_MODEL", "")
    monkeypatch.setenv("HENCEFORTH_SUBJECT", "ada")

    settings = Settings.load(subject=None)

    assert (settings.model, settings.subject) == (None, "ada")


def test_another_file_can_be_named(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('timezone = "Asia/Tokyo"', encoding="utf-8")

    settings = Settings.load(config=file)

    assert str(settings.zone) == "Asia/Tokyo"


DURATIONS = {
    "90s": timedelta(seconds=90),
    "30m": timedelta(minutes=30),
    "12 h": timedelta(hours=12),
    "7d": timedelta(days=7),
    "2W": timedelta(weeks=2),
    "0": timedelta(),
}


@pytest.mark.parametrize(("text", "length"), DURATIONS.items(), ids=DURATIONS)
def test_lengths_of_time_are_written_as_people_write_them(text: str, length: timedelta) -> None:
    assert Settings.load(undo_window=text).undo_window == length


BAD = {
    "no number": ({"temperature": "hot"}, "temperature in the arguments is 'hot'"),
    "too small": ({"concurrency": 0}, "greater than or equal to 1"),
    "none of the allowed": ({"forgotten": "burn"}, "'redact' or 'retain'"),
    "no such zone": ({"timezone": "Mars/Base"}, "Europe/Lisbon"),
    "a path for a zone": ({"timezone": "../../etc/passwd"}, "Europe/Lisbon"),
    "no length of time": ({"undo_window": "soon"}, "30m, 12h or 7d"),
    "no address": ({"api_base": "localhost:8080"}, "api_base in the arguments"),
    "a typing error": ({"modle": "x"}, "model\\?"),
    "no version": ({"prompt": "latest"}, "prompt in the arguments"),
}


@pytest.mark.parametrize(("given", "said"), BAD.values(), ids=BAD)
def test_a_bad_value_is_named_with_its_key_and_what_is_allowed(
    given: dict[str, Any], said: str
) -> None:
    with pytest.raises(SettingsError, match=said) as caught:
        Settings.load(**given)

    assert caught.value.key == next(iter(given))


def test_a_bad_variable_is_named_as_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HENCEFORTH_TIMEOUT", "-1")

    with pytest.raises(SettingsError, match="HENCEFORTH_TIMEOUT in the environment is '-1'"):
        Settings.load()


def test_a_bad_value_in_a_file_is_named_with_the_file(empty_folder: Path) -> None:
    (empty_folder / "henceforth.toml").write_text("attempts = 0", encoding="utf-8")

    with pytest.raises(SettingsError, match=r"attempts in henceforth\.toml is 0"):
        Settings.load()


def test_an_unknown_key_in_a_file_is_an_error(empty_folder: Path) -> None:
    (empty_folder / "henceforth.toml").write_text("temprature = 0", encoding="utf-8")

    with pytest.raises(
        SettingsError, match=r"temprature in henceforth\.toml: expected temperature"
    ):
        Settings.load()


FILES = {
    "not TOML": b"model = ",
    "not UTF-8": b"model = '\xff'",
}


@pytest.mark.parametrize("content", FILES.values(), ids=FILES)
def test_a_file_that_cannot_be_read_is_named(empty_folder: Path, content: bytes) -> None:
    (empty_folder / "henceforth.toml").write_bytes(content)

    with pytest.raises(SettingsError, match=r"henceforth\.toml"):
        Settings.load()


def test_a_file_that_was_named_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"nowhere\.toml"):
        Settings.load(config=tmp_path / "nowhere.toml")


def test_a_key_is_shown_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HENCEFORTH_API_KEY", "sk-very-secret-1")

    assert "sk-very-secret-1" not in repr(Settings.load())
    with pytest.raises(SettingsError) as caught:
        Settings.load(api_key=17)
    assert "17" not in str(caught.value)
