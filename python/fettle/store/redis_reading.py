"""The layout of a store on a Redis server (docs/formats.md), and how it is read.

Texts are UTF-8; names of files need not be, and are kept as their bytes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from fettle.store.contents import Contents, Row, Run, StoredRun
from fettle.store.rows import (
    count_of,
    flag_of,
    metrics_in,
    name_of,
    numbers_of,
    seconds_of,
    verdict_of,
)
from fettle.store.subject import InputKey, Subject

FORMAT = "3"
STORE, NOTES, SUBJECTS = "fettle:store", "fettle:notes", "fettle:subjects"
FORGOTTEN, FILES, TUNERS = "fettle:forgotten", "fettle:files", "fettle:tuners"


def encoded(value: object) -> bytes:
    """A value as JSON in bytes."""
    return json.dumps(value, ensure_ascii=False).encode(errors="surrogatepass")


def text_of(data: bytes) -> str:
    """The text of bytes."""
    return data.decode(errors="surrogatepass")


def subject_member(subject: Subject) -> bytes:
    """A subject in the sorted set of all."""
    return encoded([subject.program, subject.function, subject.machine, subject.conditions])


def input_member(given: InputKey) -> bytes:
    """An input in the sorted set of those of its subject."""
    return encoded([given.arguments, given.content])


def subject_key(subject: Subject) -> str:
    """What keys about a subject begin with."""
    return f"fettle:subject:{_digest(subject_member(subject))}"


def input_key(subject: Subject, given: InputKey) -> str:
    """What keys about an input begin with."""
    return f"fettle:input:{_digest(subject_member(subject) + input_member(given))}"


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def texts_of(member: bytes, count: int) -> list[str]:
    """The texts of a member of a sorted set. Raises ValueError."""
    found = json.loads(text_of(member))
    if not isinstance(found, list) or len(found) != count:
        raise ValueError(f"expected {count} texts")
    return [name_of(one) for one in found]


# -- fields of the hash of an input: a letter, a call, a variant ----------------------------------


def field_of(letter: str, call: int, variant: str = "") -> bytes:
    """The name of a field: f features, v verdict, x failure, o output, l lost seconds."""
    return f"{letter} {call} {variant}".encode(errors="surrogatepass")


def parts_of(field: bytes) -> tuple[str, int, str]:
    """The letter, the call and the variant of a field. Raises ValueError."""
    letter, call, variant = text_of(field).split(" ", 2)
    return letter, count_of(int(call)), variant


def contents_of(
    facts: Mapping[bytes, bytes], runs: Mapping[bytes, bytes], samples: Mapping[bytes, bytes]
) -> Contents:
    """All of an input, from its three hashes. Raises ValueError, which says what is damaged."""
    found = Contents()
    of_variants = []
    for field, value in facts.items():
        if field == b"calls":
            found.calls = count_of(json.loads(value))
            continue
        letter, call, variant = parts_of(field)
        if letter == "f":
            features, seconds = _list(value, 2)
            found.features[call] = numbers_of(features), numbers_of(seconds)
        else:
            of_variants.append((call, variant, letter, value))
    for call, variant, letter, value in sorted(of_variants):
        key = (call, variant)
        if letter == "v":
            verdict, reason = _list(value, 2)
            found.verdicts[key] = verdict_of(verdict), name_of(reason)
        elif letter == "x":
            known = found.verdicts.get(key)  # a letter that came before in the alphabet
            if known is not None and known[0] == "measured":
                found.verdicts[key] = "failed", name_of(json.loads(text_of(value)))
        elif letter == "o":
            found.bitwise[key] = flag_of(json.loads(value))
        elif letter == "l":
            found.lost_seconds[key] = seconds_of(json.loads(value))
    found.features = dict(sorted(found.features.items()))
    _read_runs(found, runs, samples)
    return found


def _read_runs(
    found: Contents, runs: Mapping[bytes, bytes], samples: Mapping[bytes, bytes]
) -> None:
    ordered: list[tuple[float, StoredRun]] = []
    counts: dict[str, int] = {}
    for field, value in runs.items():
        guid, _, what = text_of(field).partition(" ")
        if what == "rows":
            counts[guid] = count_of(json.loads(value))
            continue
        order, *rest = _list(value, 5)
        ordered.append((seconds_of(order), StoredRun(Run(guid, *map(name_of, rest)))))
    for _, stored in sorted(ordered, key=lambda one: (one[0], one[1].run.guid)):
        stored.count = counts.get(stored.run.guid, 0)
        found.runs[stored.run.guid] = stored
    for field, (call, variant, metric, values) in zip(samples, _samples(samples), strict=True):
        guid, _, number = text_of(field).partition(" ")
        row = Row(
            int(number),
            count_of(call),
            name_of(variant),
            name_of(metric),
            tuple(metrics_in(values)),
        )
        found.runs[guid].rows.append(row)
    for stored in found.runs.values():
        stored.rows.sort(key=lambda row: row.number)


def _samples(samples: Mapping[bytes, bytes]) -> list[Sequence[Any]]:
    """The values of the fields, decoded as one text where each looks like `row_value`."""
    values = samples.values()
    if all(one.startswith(b"[") and one.endswith(b"]]") for one in values):
        found = json.loads(text_of(b"[%b]" % b",".join(values)))
        if len(found) == len(samples) and all(map(_is_row, found)):
            return cast("list[Sequence[Any]]", found)
    return [_list(one, 4) for one in values]


def _is_row(value: object) -> bool:
    return isinstance(value, list) and len(value) == 4


def run_value(run: Run, order: float) -> bytes:
    """A run in the hash of the runs of its input; `order` tells which came first."""
    return encoded([order, run.host, run.device, run.fettle, run.began])


def row_value(row: Row) -> bytes:
    """A row in the hash of the samples of its input."""
    return encoded([row.call, row.variant, row.metric, row.values])


def pair(first: object, second: object) -> bytes:
    """Two values of a field."""
    return encoded([first, second])


def _list(value: bytes, count: int) -> Sequence[Any]:
    found = json.loads(text_of(value))
    if not isinstance(found, list) or len(found) != count:
        raise ValueError(f"expected a list of {count}, found {value[:40]!r}")
    return found
