"""What the stored text of a case must be like: what it contains, and in which language."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from ..schemas.rule import Rule
from .data.cases import Case

if TYPE_CHECKING:
    from lingua import Language, LanguageDetector


def record_faults(case: Case, held: Sequence[Rule], *, is_gold: bool) -> tuple[str, ...]:
    """What is wrong with the text of the rules in force.

    Args:
        case: The case.
        held: The rules in force in a fresh session.
        is_gold: Gold labels name rules in English and carry no quotes: with them only what
            their own texts hold can be asked for, and no language.
    """
    record = case.record
    if record is None:
        return ()
    text = "\n".join(_texts(held))
    wanted = [needle for needle in record.must_contain if not is_gold or _in_gold(case, needle)]
    faults = [f"no rule in force holds {needle!r}" for needle in wanted if needle not in text]
    if record.language and held and not is_gold:
        faults += [
            f"{rule.statement!r} is not in {record.language!r}"
            for rule in held
            if not is_in_language(rule.statement, record.language)
        ]
    return tuple(faults)


def _texts(rules: Iterable[Rule]) -> Iterable[str]:
    for rule in rules:
        yield from (rule.statement, rule.value)
        for evidence in rule.evidence:
            yield from evidence.quote


def _in_gold(case: Case, needle: str) -> bool:
    return any(needle in label.text or needle in label.value for label in case.labels or ())


def is_in_language(text: str, tag: str) -> bool:
    """Whether the text is rather in this language than in English; for English, than in any.

    The usual fault is a rule that is translated to English; a rule is too short to tell it from
    all languages that look alike.
    """
    from lingua import IsoCode639_1, Language

    try:
        wanted = Language.from_iso_code_639_1(IsoCode639_1.from_str(tag.partition("-")[0].upper()))
    except ValueError:
        return True
    others = (Language.ENGLISH,) if wanted is not Language.ENGLISH else tuple(Language.all())
    return detector(wanted, *others).detect_language_of(text) in {wanted, None}


@lru_cache(maxsize=8)
def detector(*languages: "Language") -> "LanguageDetector":
    """Tells the languages given apart; the small models are as good here and load at once."""
    from lingua import LanguageDetectorBuilder

    builder = LanguageDetectorBuilder.from_languages(*languages)
    return builder.with_low_accuracy_mode().build()
