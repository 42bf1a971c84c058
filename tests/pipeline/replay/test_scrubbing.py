"""What may reach a recording."""

from henceforth.pipeline.replay.scrubbing import scrubbed_body, scrubbed_headers, scrubbed_uri


def test_only_headers_on_the_list_stay() -> None:
    headers = {
        "Authorization": "Bearer k",
        "Cookie": "a=b",
        "User-Agent": "x",
        "X-Stainless-Os": "Linux",
        "api-key": "k",
        "Set-Cookie": "a=b",
        "Content-Type": "application/json",
        "Retry-After": "3",
    }

    assert scrubbed_headers(headers) == {"content-type": "application/json", "retry-after": "3"}


def test_an_address_keeps_its_path_only() -> None:
    assert (
        scrubbed_uri("https://me:pw@host.example:8443/v1/chat?key=abc#x") == "http://model/v1/chat"
    )
    assert scrubbed_uri("http://host") == "http://model/"


def test_the_address_of_a_pydantic_version_is_taken_out() -> None:
    said = "wrong [type=missing]\\n    For further information visit https://errors.pydantic.dev/2.11/v/x"

    body = scrubbed_body(f'{{"content": "{said}"}}'.encode())

    assert body == b'{"content": "wrong [type=missing]"}'


def test_a_body_that_is_no_json_stays() -> None:
    assert scrubbed_body(b"\xff{") == b"\xff{"
    assert scrubbed_body(None) is None
