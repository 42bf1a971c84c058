"""Nothing that looks like a credential is kept, and nothing else is cut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from henceforth.pipeline.labelling.secrets import PLACEHOLDER, cut, secrets_in

SECRETS = {
    "a token by its prefix": ("the token is tok_test_4f9a1c77e2, then go", "tok_test_4f9a1c77e2"),
    "a test key": ("why is this refused: sk-test-000111?", "sk-test-000111"),
    "a login pair": ("the login is admin / hunter-77, and more", "hunter-77"),
    "an assignment": ("password: swordfish", "swordfish"),
    "an assignment in code": ("api_key = 'abcdefgh12345'", "abcdefgh12345"),
    "before its word": ("hunter77 is the password", "hunter77"),
    "German": ("mein Kennwort lautet k4tz3nklo", "k4tz3nklo"),
    "Spanish": ("contraseña: Tr3sTigres", "Tr3sTigres"),
    "French": ("le mot de passe est chat9chat", "chat9chat"),
    "Russian": ("пароль qwerty123", "qwerty123"),
    "Arabic": ("كلمة المرور هي Zx81pq99", "Zx81pq99"),
    "Hindi": ("पासवर्ड abc12345 है", "abc12345"),
    "Vietnamese": ("mật khẩu là abc@12345", "abc@12345"),
    "Thai": ("รหัสผ่าน xk82mm1q", "xk82mm1q"),
    "Chinese": ("密码是hunter77，以后都用中文", "hunter77"),
    "Japanese": ("パスワードは abc12345 です", "abc12345"),
    "Korean": ("비밀번호는 abc12345 이에요", "abc12345"),
    "a PIN": ("the PIN is 4711", "4711"),
    "a password in an address": ("https://bob:s3cr3t@host.x/y", "bob:s3cr3t"),
    "a token in a query": ("https://x.io/?token=abcdef&b=1", "abcdef"),
    "AWS": ("AKIAIOSFODNN7EXAMPLE", "AKIAIOSFODNN7EXAMPLE"),
    "GitHub": (f"use ghp_{'aB3' * 12}", f"ghp_{'aB3' * 12}"),
    "a signed token": ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dozjgNryP4J3", "dozjgNryP4J3"),
    "a private key": (
        "-----BEGIN RSA PRIVATE KEY-----\nMIIEabc\n-----END RSA PRIVATE KEY-----\nuse tabs",
        "MIIEabc",
    ),
    "a private key without its end": ("-----BEGIN PRIVATE KEY-----\nMIIEabc", "MIIEabc"),
    "long and random": ("key kX9vQ2mT7bR4wZ8nL1pD6sF3 there", "kX9vQ2mT7bR4wZ8nL1pD6sF3"),
}


@pytest.mark.parametrize(("text", "secret"), SECRETS.values(), ids=SECRETS)
def test_a_credential_is_cut(text: str, secret: str) -> None:
    clean = cut(text)

    assert secret not in clean
    assert PLACEHOLDER in clean


ORDINARY = [
    "revert commit 4f9a1c77e2b84d0f91",
    "the token bug was fixed in commit 4f9a1c77e2",
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "123e4567-e89b-12d3-a456-426614174000",
    "use pnpm --filter web test",
    "pin node to version 20.11.1",
    "use oauth2 for the login and sha256 for tokens",
    "max 500 tokens per answer, keep it under 4k tokens",
    "read config/secrets.yaml first, then login2.py",
    "Passwörter mindestens 12 Zeichen",
    "never print passwords",
    "password: never store it",
    "access-control-2024 and session-20240501-notes.md",
    "api-2024-10-01 is the version",
    "getUserByIdAndUpdateV2OrThrow",
    "DB_PASSWORD must come from the environment",
    "sk-SK locale, please",
    "feature/login-2fa-flow",
    "the login page has 2 columns on 1280px",
    "write to ada@example.org about the login",
    "日付は2026-05-04の形式で",
    "token limit 16384",
]


@pytest.mark.parametrize("text", ORDINARY)
def test_an_ordinary_value_stays(text: str) -> None:
    assert cut(text) == text


def test_what_was_found_in_the_turn_is_cut_where_nothing_announces_it() -> None:
    secrets = secrets_in("the login is admin / hunter-77")

    assert cut("use hunter-77 for it", secrets) == "use [secret] for it"


def test_a_short_plain_password_does_not_cut_ordinary_words() -> None:
    secrets = secrets_in("password: test")

    assert cut("run the test command", secrets) == "run the test command"


@given(st.text(max_size=80))
def test_cutting_twice_cuts_no_more(text: str) -> None:
    once = cut(text)

    assert cut(once) == once


@pytest.mark.parametrize("text", ["password " * 5_000, "a1" * 50_000, "-----BEGIN " * 5_000])
def test_a_hostile_text_ends(text: str) -> None:
    assert isinstance(cut(text), str)
