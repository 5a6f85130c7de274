"""What a store in a SQLite file holds of subjects and inputs: read, added to and deleted."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence

from fettle.store.contents import Contents, Example, Run, StoredRun, Verdict
from fettle.store.examples import examples_of
from fettle.store.rows import count_of, numbers_text
from fettle.store.sqlite_contents import inputs_of, subjects_in
from fettle.store.sqlite_deletion import (
    delete_failures,
    delete_features,
    delete_subject,
    delete_variants,
)
from fettle.store.sqlite_file import SqliteFile
from fettle.store.sqlite_keys import example_key, input_key, last_run_key, run_key
from fettle.store.sqlite_reading import read_contents
from fettle.store.subject import InputKey, Subject


class SqliteMeasurements:
    """The part of a `Store` that is about measurements, in an open file."""

    def __init__(self, file: SqliteFile) -> None:
        self._file = file

    def subjects(self) -> list[Subject]:
        """What there are measurements of."""
        with self._file.errors():
            return subjects_in(self._file)

    def inputs(self, subject: Subject) -> list[InputKey]:
        """The inputs of a subject, in the order in which they were first seen."""
        with self._file.errors():
            return inputs_of(self._file, subject)

    def examples(self, subject: Subject, given: InputKey) -> list[Example]:
        """All calls of an input so far, by number."""
        with self._file.errors():
            key = input_key(self._file, subject, given, create=False)
            held = read_contents(self._file, key)
            with self._file.reading("what came of variants"):
                return examples_of(held)

    def contents(self, subject: Subject, given: InputKey) -> Contents:
        """All that is held of an input."""
        with self._file.errors():
            key = input_key(self._file, subject, given, create=False)
            return read_contents(self._file, key)

    def finished_calls(self, subject: Subject, given: InputKey) -> int | None:
        """How many calls the input makes; None while the program has not run to its end."""
        with self._file.errors():
            key = input_key(self._file, subject, given, create=False)
            calls = self._file.one("SELECT calls FROM input WHERE id = ?", key)
            with self._file.reading("how many calls an input makes"):
                return None if calls is None else count_of(calls)

    def starts(self, subject: Subject, given: InputKey) -> int:
        """How many runs have brought samples of an input."""
        with self._file.errors():
            return int(
                self._file.one(
                    "SELECT count(*) FROM run WHERE input = ? AND rows > 0",
                    input_key(self._file, subject, given, create=False),
                )
            )

    def add_call(
        self,
        subject: Subject,
        given: InputKey,
        call: int,
        features: Mapping[str, float],
        feature_seconds: Mapping[str, float],
    ) -> None:
        """Keeps the features of a call, in place of what was known of them."""
        with self._file.writing():
            self._file.execute(
                "INSERT INTO example(input, call, features, feature_seconds, recorded) "
                "VALUES(?, ?, ?, ?, ?) ON CONFLICT(input, call) DO UPDATE SET "
                "features = excluded.features, feature_seconds = excluded.feature_seconds",
                (
                    input_key(self._file, subject, given),
                    call,
                    numbers_text(features),
                    numbers_text(feature_seconds),
                    time.time(),
                ),
            )

    def add_run(self, subject: Subject, given: InputKey, run: Run) -> None:
        """Keeps a run, which may bring verdicts without samples; nothing where it is known."""
        with self._file.writing():
            run_key(self._file, int(input_key(self._file, subject, given) or 0), run)

    def add_rows(self, subject: Subject, given: InputKey, stored: StoredRun) -> None:
        """Keeps a run of another store with its rows, under their numbers; known rows stay."""
        with self._file.writing():
            key = int(input_key(self._file, subject, given) or 0)
            run = run_key(self._file, key, stored.run)
            calls = {row.call: example_key(self._file, key, row.call) for row in stored.rows}
            self._file.execute_many(
                "INSERT OR IGNORE INTO sample VALUES(?, ?, ?, ?, ?, ?)",
                [
                    (run, r.number, calls[r.call], r.variant, r.metric, json.dumps(r.values))
                    for r in stored.rows
                ],
            )
            self._file.execute(
                "UPDATE run SET rows = max(rows, ?) WHERE id = ?", (stored.count, run)
            )

    def add_samples(
        self,
        subject: Subject,
        given: InputKey,
        call: int,
        variant: str,
        values: Sequence[float],
        run: Run | None = None,
        *,
        metric: str = "",
    ) -> None:
        """Keeps more samples of a variant, in a run: without one, in the last run of the input."""
        with self._file.writing():
            key = int(input_key(self._file, subject, given) or 0)
            of = last_run_key(self._file, key) if run is None else run_key(self._file, key, run)
            example = example_key(self._file, key, call)
            self._file.execute(
                "INSERT INTO sample SELECT id, rows, ?, ?, ?, ? FROM run WHERE id = ?",
                (example, variant, metric, json.dumps(list(values)), of),
            )
            self._file.execute("UPDATE run SET rows = rows + 1 WHERE id = ?", (of,))

    def add_lost_seconds(
        self, subject: Subject, given: InputKey, call: int, variant: str, seconds: float
    ) -> None:
        """Keeps the time of a run in which a variant returned an infinite metric."""
        with self._file.writing():
            row = (self._example_key(subject, given, call), variant, seconds)
            self._file.execute("INSERT OR REPLACE INTO lost VALUES(?, ?, ?)", row)

    def add_verdict(
        self,
        subject: Subject,
        given: InputKey,
        call: int,
        variant: str,
        verdict: Verdict,
        reason: str = "",
    ) -> None:
        """Keeps a variant's first verdict, except that `failed` replaces `measured`."""
        with self._file.writing():
            example = self._example_key(subject, given, call)
            row = (example, variant, verdict, reason, time.time())
            self._file.execute(
                "INSERT INTO verdict VALUES(?, ?, ?, ?, ?) ON CONFLICT(example, variant) "
                "DO UPDATE SET verdict = excluded.verdict, reason = excluded.reason "
                "WHERE verdict.verdict = 'measured' AND excluded.verdict = 'failed'",
                row,
            )

    def add_output(
        self, subject: Subject, given: InputKey, call: int, variant: str, same_bits: bool
    ) -> None:
        """Keeps whether a variant's output equals the default's bit by bit; one False stays."""
        with self._file.writing():
            self._file.execute(
                "INSERT INTO output VALUES(?, ?, ?) ON CONFLICT(example, variant) "
                "DO UPDATE SET same_bits = min(same_bits, excluded.same_bits)",
                (self._example_key(subject, given, call), variant, int(same_bits)),
            )

    def finish(self, subject: Subject, given: InputKey, calls: int) -> None:
        """Keeps that the program ran to its end with this number of calls."""
        with self._file.writing():
            key = input_key(self._file, subject, given)
            self._file.execute("UPDATE input SET calls = ? WHERE id = ?", (calls, key))

    def forget_verdicts(
        self, subject: Subject, given: InputKey, call: int, variants: Sequence[str]
    ) -> None:
        """Drops verdicts of variants, which are measured again then; their samples stay."""
        with self._file.writing():
            example = self._example_key(subject, given, call)
            self._file.execute_many(
                "DELETE FROM verdict WHERE example = ? AND variant = ?",
                [(example, variant) for variant in variants],
            )

    def forget_failures(self, subject: Subject) -> None:
        """Drops failed variants with their samples, and calls without features: both come again."""
        with self._file.writing():
            delete_failures(self._file, subject)

    def forget_variants(
        self, subject: Subject, variants: Sequence[str], with_points: Sequence[str]
    ) -> None:
        """Drops what is known of variants on all inputs, of those `with_points` all points too."""
        with self._file.writing():
            delete_variants(self._file, subject, variants, with_points)

    def forget_features(self, subject: Subject) -> None:
        """Drops all features, and all that is known of inputs that make several calls."""
        with self._file.writing():
            delete_features(self._file, subject)

    def forget(self, subject: Subject) -> None:
        """Drops everything that is known of a subject, notes whose key names it included."""
        with self._file.writing():
            delete_subject(self._file, subject)

    def _example_key(self, subject: Subject, given: InputKey, call: int) -> int:
        return example_key(self._file, int(input_key(self._file, subject, given) or 0), call)
