"""The interface of the service as an OpenAPI document; `docs/openapi.json` is what this prints."""

import json

from ..hosting import Host
from ..settings import Settings
from ..stores.memory import MemoryStore
from .app import make_app


def document() -> str:
    """The document as indented JSON; the same code always gives the same."""
    app = make_app(Host(MemoryStore(), settings=Settings()), keys=None)
    return json.dumps(app.openapi(), indent=1, ensure_ascii=False, sort_keys=True) + "\n"


if __name__ == "__main__":
    print(document(), end="")
