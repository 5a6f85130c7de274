"""One start of the program that compares it with models and without, by its users' own calls.

Contenders are the untuned function, the function with the deployed model, and the function with a
new model; they run alternately (docs/formats.md, section 2, `mode=compare`). The times are not kept
in the store, because they are not measurements of single variants.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from fettle.training.compiled_policy import check_policy
from fettle.training.measure import Measurer
from fettle.training.patience import SECONDS, Patience
from fettle.training.program import Input, InputError
from fettle.training.record import Call, Failed, Misuse, Record, Sample
from fettle.training.request import Measuring, Request
from fettle.training.run import run_program

UNTUNED, FORMER, NEW = "default", "deployed", "candidate"  # as the log calls them


@dataclass
class Compared:
    """What came of one input."""

    samples: dict[int, dict[str, list[float]]] = field(default_factory=dict)
    """Metrics, by call and contender."""
    failed: dict[str, str] = field(default_factory=dict)
    """Why a contender failed, on its first call where it did."""
    seconds: float = 0.0

    def handle(self, record: Record) -> None:
        """Keeps a record of the log."""
        match record:
            case Call():
                self.samples.setdefault(record.call, {})
            case Sample():
                known = self.samples.setdefault(record.call, {})
                known.setdefault(record.variant, []).extend(record.metric)
            case Failed():
                self.failed.setdefault(record.variant, record.reason)
            case Misuse():
                raise InputError(record.reason)
            case _:
                pass


def compare(
    measurer: Measurer, given: Input, new: Path, former: Path | None, measuring: Measuring
) -> Compared:
    """Starts the program on an input. `new` and `former` are directories of models.

    Raises InputError where the comparison fails for a reason other than a failing contender.
    """
    request = Request(
        measurer.subject.function,
        given.name,
        "compare",
        candidate=str(new),
        deployed=None if former is None else str(former),
        charge=measurer.returns_seconds,
        measuring=measuring,
    )
    log = measurer.logs / "compare.jsonl"
    log.unlink(missing_ok=True)
    found = Compared()
    try:
        ending = run_program(
            measurer.program.command(given),
            directory=measurer.program.directory,
            environment={
                **measurer.program.full_environment(),
                **request.environment(str(log)),
            },
            log=log,
            handle=found.handle,
            silence_seconds=measurer.silence_seconds,
            patience=Patience(min(SECONDS, measurer.silence_seconds)),
        )
    except InputError as error:
        raise InputError(f"{given.name}: {error}") from None
    log.unlink(missing_ok=True)  # kept only where it could not be read
    found.seconds = ending.seconds
    if ending.running is not None:
        found.failed.setdefault(ending.running.variant, ending.describe())
    elif ending.header is None:
        raise InputError(f"{given.name}: the program {ending.describe()} and compared nothing")
    elif NEW not in ending.header.variants:
        raise InputError(
            f"{given.name}: the program measures its variants where it was asked to compare; build "
            "it again with the headers of this Fettle release"
        )
    else:
        check_policy(measurer.subject.function, measurer.options, ending.header.policy)
    return found
