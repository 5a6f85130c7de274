"""The commands that delete measurements from a store on a Redis server."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence

from fettle.store.redis_reading import (
    FORGOTTEN,
    NOTES,
    SUBJECTS,
    field_of,
    input_key,
    input_member,
    pair,
    parts_of,
    subject_key,
    subject_member,
    text_of,
)
from fettle.store.redis_server import Command
from fettle.store.subject import InputKey, Subject

_OF_VARIANTS = "vxol"


class RedisDeletion:
    """Looks at what there is by `hash_of`, and says what to do; it deletes nothing itself."""

    def __init__(self, hash_of: Callable[[str], Mapping[bytes, bytes]]) -> None:
        self._hash = hash_of

    def failures(self, subject: Subject, inputs: Sequence[InputKey]) -> list[Command]:
        """Failed variants with their samples, and the verdict that a call has no features."""
        found: list[Command] = []
        for key in (input_key(subject, given) for given in inputs):
            failed = set()
            for field, value in self._hash(key).items():
                if field == b"calls":
                    continue
                letter, call, variant = parts_of(field)
                verdict = json.loads(value)[0] if letter == "v" else ""
                if letter == "x" or verdict in ("failed", "featureless"):
                    failed.add((call, variant))
            found += self._of_variants(key, lambda *one, failed=failed: one in failed)
        return found

    def variants(
        self,
        subject: Subject,
        inputs: Sequence[InputKey],
        variants: Sequence[str],
        with_points: Sequence[str],
    ) -> list[Command]:
        """What is known of variants, and of all points of those `with_points`."""
        named = set(variants)
        begins = tuple(f"{name} " for name in with_points)
        found = self._notes_of_inputs(subject)
        for given in inputs:
            found += self._of_variants(
                input_key(subject, given), lambda _, name: name in named or name.startswith(begins)
            )
        return found

    def features(self, subject: Subject, inputs: Sequence[InputKey]) -> list[Command]:
        """All features, and everything about inputs that make several calls."""
        found = self._notes_of_inputs(subject)
        for given in inputs:
            key = input_key(subject, given)
            facts = self._hash(key)
            if facts.get(b"calls") != b"1":
                found += self._input(subject, given)
                continue
            calls = [parts_of(field) for field in facts if field != b"calls"]
            found += [
                ("HSET", key, field_of("f", call), pair("{}", "{}"))
                for letter, call, _ in calls
                if letter == "f"
            ]
        return found

    def subject(self, subject: Subject, inputs: Sequence[InputKey]) -> list[Command]:
        """Everything about a subject, with the notes whose key contains it."""
        found = self._notes(lambda key: str(subject) in key)
        for given in inputs:
            found += self._input(subject, given)
        key = subject_key(subject)
        return [*found, ("DEL", f"{key}:offer"), ("ZREM", SUBJECTS, subject_member(subject))]

    def _notes_of_inputs(self, subject: Subject) -> list[Command]:
        """The notes whose key contains the subject, unless it ends there."""
        name = str(subject)
        return self._notes(lambda key: name in key and not key.endswith(name))

    def _notes(self, chosen: Callable[[str], bool]) -> list[Command]:
        keys = [key for key in self._hash(NOTES) if chosen(text_of(key))]
        return [("HDEL", NOTES, *keys)] if keys else []

    def _of_variants(self, key: str, chosen: Callable[[int, str], bool]) -> list[Command]:
        """What is known of the chosen variants on an input, by call and name."""
        fields = []
        for field in self._hash(key):
            if field == b"calls":
                continue
            letter, call, variant = parts_of(field)
            if letter in _OF_VARIANTS and chosen(call, variant):
                fields.append(field)
        rows = []
        for field, value in self._hash(f"{key}:samples").items():
            call, variant, *_ = json.loads(text_of(value))
            if chosen(call, variant):
                rows.append(field)
        found: list[Command] = [("HDEL", key, *fields)] if fields else []
        return [*found, ("HDEL", f"{key}:samples", *rows)] if rows else found

    def _input(self, subject: Subject, given: InputKey) -> list[Command]:
        """All of an input; its runs do not come back by a merge."""
        key = input_key(subject, given)
        guids = [field for field in self._hash(f"{key}:runs") if b" " not in field]
        found: list[Command] = [("SADD", FORGOTTEN, *guids)] if guids else []
        member = input_member(given)
        return [
            *found,
            ("DEL", key, f"{key}:runs", f"{key}:samples"),
            ("ZREM", f"{subject_key(subject)}:inputs", member),
        ]
