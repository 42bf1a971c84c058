"""What of a request or a response may reach a recording: an allow-list. Pure."""

import re
from collections.abc import Mapping
from urllib.parse import urlsplit

from ..labelling.secrets import cut
from .json_tree import each_text, parsed, written

KEPT_HEADERS = frozenset({"content-type", "retry-after"})

_PYDANTIC_URL = re.compile(r"\n *For further information visit https://errors\.pydantic\.dev/\S*")


def scrubbed_headers(headers: Mapping[str, object]) -> dict[str, object]:
    """The headers a reader of the recording needs; never a key, a cookie, or what the client is."""
    return {name.lower(): value for name, value in headers.items() if name.lower() in KEPT_HEADERS}


def scrubbed_uri(uri: str) -> str:
    """The address with its path only: no host, no user, no query, as keys travel there too."""
    return f"http://model{urlsplit(uri).path or '/'}"


def is_for_a_model(body: bytes | None) -> bool:
    """Whether a request puts something to a model, whatever the provider's form.

    Other requests of the process, such as the one that fetches an access token, are nobody's
    business in a recording.
    """
    try:
        tree = parsed(body)
    except ValueError:
        return False
    return isinstance(tree, dict) and not _ASKING.isdisjoint(tree)


_ASKING = frozenset({"messages", "contents", "input", "prompt", "inputs"})


def scrubbed_failure(body: bytes) -> bytes:
    """What an endpoint says of a failure, without a key that it may repeat."""
    return cut(body.decode("utf-8", "replace")).encode("utf-8")


def scrubbed_body(body: bytes | None) -> bytes | None:
    """The JSON of the body without what changes from one version of pydantic to the next."""
    try:
        tree = parsed(body)
    except ValueError:
        return body
    plain = each_text(tree, lambda text: _PYDANTIC_URL.sub("", text))
    return written(plain).encode("utf-8", "backslashreplace")
