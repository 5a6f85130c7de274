"""What a store's rows hold, read with the suspicion that a damaged file deserves.

Each reader raises ValueError, which says what it found, for anything that the store never writes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, get_args

from fettle.store.contents import Verdict
from fettle.store.subject import Offer

_FLOATS = {float}


def numbers_of(text: object) -> dict[str, float]:
    """A JSON object of numbers by name."""
    return {name: _number(value) for name, value in _json(text, dict).items()}


def metrics_of(text: object) -> list[float]:
    """A JSON list of numbers."""
    return metrics_in(_json(text, list))


def metrics_of_all(texts: Sequence[object]) -> list[list[float]]:
    """As `metrics_of` each of the texts, in a quarter of the time: they are decoded as one text."""
    plain = [text for text in texts if isinstance(text, str) and _is_flat_list(text)]
    if len(plain) < len(texts):
        return [metrics_of(text) for text in texts]
    return [metrics_in(values) for values in _json(f"[{','.join(plain)}]", list)]


def _is_flat_list(text: str) -> bool:
    """Whether a text begins and ends one list and has no bracket within."""
    return text.rfind("[") == 0 and text.find("]") == len(text) - 1


def metrics_in(values: object) -> list[float]:
    """A list of numbers."""
    found: list[Any] = _of(values, list)
    if {*map(type, found)} <= _FLOATS:
        return found
    return [value if type(value) is float else _number(value) for value in found]


def count_of(value: object) -> int:
    """A number of a call, or how many there are."""
    if not isinstance(value, int) or value < 0:
        raise _unexpected("a whole number", value)
    return value


def name_of(value: object) -> str:
    """A variant's name, or a reason."""
    if not isinstance(value, str):
        raise _unexpected("a text", value)
    return value


def flag_of(value: object) -> bool:
    """Whether something holds: 0 or 1."""
    if value not in (0, 1):
        raise _unexpected("0 or 1", value)
    return bool(value)


def seconds_of(value: object) -> float:
    """A time."""
    return _number(value)


def verdict_of(value: object) -> Verdict:
    """What came of a variant."""
    found: Verdict | None = next((one for one in get_args(Verdict) if one == value), None)
    if found is None:
        raise _unexpected(f"one of {', '.join(get_args(Verdict))}", value)
    return found


def offer_of(text: object) -> Offer:
    """What a program offers, as `offer_text` says it."""
    fields = _json(text, dict)
    try:
        return Offer(
            variants=tuple(map(name_of, _of(fields["variants"], list))),
            features=tuple(map(name_of, _of(fields["features"], list))),
            default=name_of(fields["default"]),
            unit=name_of(fields["unit"]),
            larger_is_better=_of(fields["larger_is_better"], bool),
            machine={key: str(value) for key, value in _of(fields["machine"], dict).items()},
            parameters=_of(fields.get("parameters", {}), dict),
            versions={
                name: name_of(text) for name, text in _of(fields.get("versions", {}), dict).items()
            },
            metrics={
                name: name_of(unit) for name, unit in _of(fields.get("metrics", {}), dict).items()
            },
            quality=_of(fields.get("quality", {}), dict),
        )
    except KeyError as error:
        raise ValueError(f"an offer without {error}") from None


def offer_text(offer: Offer) -> str:
    """An offer as a row holds it."""
    return json.dumps(vars(offer))


def numbers_text(numbers: Mapping[str, float]) -> str:
    """Numbers by name as a row holds them."""
    return json.dumps(dict(numbers))


def _json(text: object, kind: type) -> Any:
    if not isinstance(text, str):
        raise _unexpected("a text of JSON", text)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise _unexpected("JSON", text) from None
    return _of(value, kind)


def _of(value: object, kind: type) -> Any:
    if not isinstance(value, kind):
        names: dict[type, str] = {dict: "an object", list: "a list", bool: "true or false"}
        raise _unexpected(names[kind], value)
    return value


def _number(value: object) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            return float(value)
        except OverflowError:
            pass
    raise _unexpected("a number", value)


def _unexpected(expected: str, found: object) -> ValueError:
    try:
        shown = repr(found)
    except ValueError:  # a whole number of thousands of digits
        shown = "a number that is too large"
    return ValueError(f"expected {expected}, found {shown[:60]}")
