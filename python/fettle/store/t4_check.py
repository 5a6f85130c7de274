"""Checks a T4 document against the schema 1.0.0, each fault with its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from fettle.store.base import StoreError

INVALIDITIES = ("timeout", "compile", "runtime", "correctness", "constraints", "correct")
_REQUIRED = ("configuration", "times", "invalidity", "correctness")
_KINDS = {
    "object": dict,
    "array": list,
    "string": str,
    "number": (int, float),
}
_RESULT = {
    "timestamp": "string",
    "configuration": "object",
    "objectives": "array",
    "times": "object",
    "correctness": "number",
    "measurements": "array",
}
_TIMES = {
    "compilation_time": "number",
    "runtimes": "array",
    "framework": "number",
    "search_algorithm": "number",
    "validation": "number",
}
SHOWN = 5


def check_t4(document: Any, name: str) -> None:
    """Raises StoreError, which names the faults of a document that breaks the schema."""
    faults = list(faults_of(document))
    if not faults:
        return
    more = f"; and {len(faults) - SHOWN} more" if len(faults) > SHOWN else ""
    raise StoreError(
        f"{name} is not a T4 file (schema 1.0.0): {'; '.join(faults[:SHOWN])}{more}. Nothing was "
        "imported; write it anew with the tool that it comes from"
    )


def faults_of(document: Any) -> Iterator[str]:
    """What breaks the schema, in the order of the document."""
    if not isinstance(document, dict):
        yield f"expected an object, found {_shown(document)}"
        return
    version = document.get("schema_version", "1.0.0")
    if not isinstance(version, str) or not re.fullmatch(r"\d+\.\d+\.\d+", version):
        yield f"schema_version: expected a text such as 1.0.0, found {_shown(version)}"
    elif version.split(".")[0] != "1":
        yield f"schema_version: {version} is another format than 1.x.y; use a newer Fettle"
    results = document.get("results")
    if results is None:
        yield "results: missing"
    elif not isinstance(results, list):
        yield f"results: expected an array, found {_shown(results)}"
    else:
        for index, result in enumerate(results):
            for fault in _faults_of_result(result):
                yield f"results[{index}]{fault}"


def _faults_of_result(result: Any) -> Iterator[str]:
    if not isinstance(result, dict):
        yield f": expected an object, found {_shown(result)}"
        return
    for name in _REQUIRED:
        if name not in result:
            yield f".{name}: missing"
    yield from _kinds(result, _RESULT, "")
    if result.get("invalidity", "correct") not in INVALIDITIES:
        expected = ", ".join(INVALIDITIES)
        yield f".invalidity: expected one of {expected}, found {_shown(result['invalidity'])}"
    if isinstance(result.get("times"), dict):
        yield from _kinds(result["times"], _TIMES, ".times")
    if not isinstance(result.get("measurements"), list):
        return
    for index, one in enumerate(result["measurements"]):
        where = f".measurements[{index}]"
        if not isinstance(one, dict):
            yield f"{where}: expected an object, found {_shown(one)}"
            continue
        yield from _kinds(one, {"name": "string", "unit": "string"}, where)
        value = one.get("value", 0)
        if isinstance(value, bool) or not isinstance(value, int | float | str | list):
            yield f"{where}.value: expected a number, a text or an array, found {_shown(value)}"


def _kinds(found: dict[str, Any], kinds: dict[str, str], where: str) -> Iterator[str]:
    for name, kind in kinds.items():
        if name not in found:
            continue
        value = found[name]
        if isinstance(value, bool) or not isinstance(value, _KINDS[kind]):  # type: ignore[arg-type]
            yield f"{where}.{name}: expected {_with_article(kind)}, found {_shown(value)}"


def _with_article(kind: str) -> str:
    return f"an {kind}" if kind[0] in "ao" else f"a {kind}"


def _shown(value: Any) -> str:
    return repr(value)[:40]
