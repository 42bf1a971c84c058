"""Read transcripts: find the format of each file, and give its turns and its broken records."""

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

from ..errors import UnknownFormatError
from .fields import fields
from .files import Source
from .formats import FORMATS
from .formats.base import Format, Handler
from .options import ReadOptions
from .records import Meter, records
from .said import BadRecordError, Raw, Reject, Said

_SNIFFED = 50
"""How many records are looked at to find the format of a file."""


def read(
    source: Source, options: ReadOptions | None = None, *, meter: Meter | None = None
) -> Iterator[Said | Reject]:
    """The turns of a file in the order they stand in it, one at a time.

    A broken record comes as a `Reject`, and what follows it is read.

    Raises:
        UnknownFormatError: If no format knows any of its first records.
        MissingExtraError: If it needs a library that is not installed.
    """
    options = options or ReadOptions()
    raws = records(source.path, source.name, meter)
    first = list(islice(raws, _SNIFFED))
    format = _format(first, source.name, options)
    return _turns(chain(first, raws), format.handler(options))


def _format(first: Sequence[Raw], name: str, options: ReadOptions) -> Format:
    if options.format is not None:
        if options.format not in FORMATS:
            raise UnknownFormatError(file=name, known=tuple(FORMATS))
        return FORMATS[options.format]
    if "text" in options.columns:
        return FORMATS["table"]
    given = [fields(each.value) for each in first]
    for format in FORMATS.values():
        if any(format.matches(each) for each in given):
            return format
    raise UnknownFormatError(file=name, known=tuple(FORMATS))


def _turns(raws: Iterable[Raw], handler: Handler) -> Iterator[Said | Reject]:
    for raw in raws:
        if raw.fault is not None:
            yield Reject(raw.place, raw.fault, raw.raw or "")
            continue
        try:
            if not isinstance(raw.value, dict):
                raise BadRecordError("the record is no JSON object")
            yield from handler(raw)
        except BadRecordError as error:
            yield Reject(raw.place, str(error), _as_text(raw))


def _as_text(raw: Raw) -> str:
    return json.dumps(raw.value, ensure_ascii=False, default=str)
