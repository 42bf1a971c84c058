"""Find the JSON object in what a model wrote around it. Pure; it repairs nothing."""

import json


def json_part(text: str) -> str:
    """The JSON object in the text, without the prose or the code fence around it.

    The first `{` that begins a whole object counts. A text without one comes back as it is, so
    that validation says what is wrong with it.
    """
    decoder = json.JSONDecoder()
    start = text.find("{")
    while start != -1:
        try:
            _, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            start = text.find("{", start + 1)
            continue
        return text[start:end] if _stands_alone(text, start) else text
    return text


def _stands_alone(text: str, start: int) -> bool:
    """Whether the object is the answer, and not a part of a list or of half an object."""
    return not text[:start].rstrip().endswith(("[", '":'))
