"""What a worker is asked to measure, and what it answers, as plain data.

Only texts, numbers, lists and dictionaries go to another process: the input, what is known of it,
how it is to be measured, and digests of the program and of the input's files.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal

from fettle.core.version import __version__
from fettle.store.base import Store
from fettle.store.plain import contents_of_plain, copied, plain_of
from fettle.store.rows import offer_of, offer_text
from fettle.store.subject import InputKey, Offer, Subject
from fettle.training.measure import Measurer
from fettle.training.patience import Patience
from fettle.training.program import Input, Program
from fettle.training.request import Measuring

Want = Literal["measure", "features", "call", "probe"]


def job_of(measurer: Measurer, given: Input) -> dict[str, Any]:
    """What any job about an input needs, with what the store knows of it."""
    measurer.require_same_build()
    key = measurer.key(given)
    offer = measurer.offer
    program = measurer.program
    return {
        "fettle": __version__,
        "program": {
            "name": program.name,
            "directory": str(program.directory),
            "prefix": list(program.prefix),
            "environment": dict(program.environment),
            "fingerprint": measurer.build or program.fingerprint(),
        },
        "subject": copied(list(vars(measurer.subject).values())),
        "given": {"name": given.name, "arguments": list(given.arguments)},
        "content": key.content,
        "known": plain_of(measurer.store.contents(measurer.subject, key)),
        "offer": None if offer is None else offer_text(offer),
        "measuring": asdict(measurer.measuring),
        "silence_seconds": measurer.silence_seconds,
        "patience": None if measurer.patience is None else measurer.patience.seconds,
        "variants": copied(measurer.variants),
        "allow_failures": sorted(measurer.allow_failures),
        "deterministic": measurer.deterministic,
        "returns_seconds": measurer.returns_seconds,
        "skip": sorted(measurer.skip),
        "options": dict(measurer.options),
    }


def measurer_of(job: dict[str, Any], store: Store, logs: Path, display: Any) -> Measurer:
    """The measurer that does a job, into a separate store that has what is known."""
    program = job["program"]
    subject = Subject(*job["subject"])
    if job["offer"] is not None:
        store.set_offer(subject, offer_of(job["offer"]))
    variants = job["variants"]
    return Measurer(
        program=Program(
            program["name"],
            Path(program["directory"]),
            tuple(program["prefix"]),
            program["environment"],
        ),
        subject=subject,
        store=store,
        logs=logs,
        display=display,
        measuring=Measuring(**job["measuring"]),
        silence_seconds=job["silence_seconds"],
        patience=None if job["patience"] is None else Patience(job["patience"]),
        variants=tuple(variants) if isinstance(variants, list) else variants,
        allow_failures=frozenset(job["allow_failures"]),
        deterministic=job["deterministic"],
        returns_seconds=job["returns_seconds"],
        skip=frozenset(job["skip"]),
        options=job["options"],
        build=program["fingerprint"],
    )


def input_of(job: dict[str, Any]) -> Input:
    """The input of a job."""
    return Input(job["given"]["name"], tuple(job["given"]["arguments"]))


def put_known(job: dict[str, Any], store: Store, key: InputKey) -> None:
    """Puts what is known of the input into the worker's store."""
    keep_contents(store, Subject(*job["subject"]), key, job["known"])


def keep_contents(store: Store, subject: Subject, key: InputKey, plain: dict[str, Any]) -> int:
    """Keeps what a worker brought; how many runs were new. Twice is once."""
    theirs = contents_of_plain(plain)
    mine = store.contents(subject, key)
    for call, pair in theirs.features.items():
        if repr(mine.features.get(call)) != repr(pair):  # by their texts: nan is not equal to nan
            store.add_call(subject, key, call, *pair)
    news = 0
    for guid, stored in theirs.runs.items():
        known = mine.runs.get(guid)
        if known is None or known.count < stored.count:
            store.add_rows(subject, key, stored)
            news += 1
    for (call, variant), (verdict, reason) in theirs.verdicts.items():
        if mine.verdicts.get((call, variant)) != (verdict, reason):
            store.add_verdict(subject, key, call, variant, verdict, reason)
    for (call, variant), same in theirs.bitwise.items():
        if mine.bitwise.get((call, variant)) != same:
            store.add_output(subject, key, call, variant, same)
    for (call, variant), lost in theirs.lost_seconds.items():
        if mine.lost_seconds.get((call, variant)) != lost:
            store.add_lost_seconds(subject, key, call, variant, lost)
    if theirs.calls is not None and theirs.calls != mine.calls:
        store.finish(subject, key, theirs.calls)
    return news


def offer_of_answer(answer: dict[str, Any]) -> Offer | None:
    """What the program offers, as the worker has seen it."""
    return None if answer["offer"] is None else offer_of(answer["offer"])
