"""One function of a program as the tuner measures it: where its measurements are kept, what the
program offers, what the tuning script says of it, and whether the program is still the one that was
measured. How the program is started for it: measure.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from fettle.core.progress import Display
from fettle.store.base import Store
from fettle.store.contents import Example
from fettle.store.subject import InputKey, Offer, Subject
from fettle.training.compiled_policy import Option
from fettle.training.input_key import input_key_of
from fettle.training.offered import check_variants
from fettle.training.program import Input, Program, ProgramError
from fettle.training.spent import Spent


@dataclass
class MeasuredFunction:
    """A function, and what is known of it. `logs` is a folder for training logs."""

    program: Program
    subject: Subject
    store: Store
    logs: Path
    display: Display
    variants: int | tuple[str, ...] | None = None  # what the tuning script says; None: nothing
    allow_failures: frozenset[str] = frozenset()  # what the script says, of registered variants
    deterministic: bool = False  # the outputs have to be compared bit by bit
    returns_seconds: bool = False  # what variants return is a time, which the program does not say
    view: Callable[[Example], Example] | None = None  # of what is known: costs by an objective
    has_changed: bool = False  # the program, since what is known was measured
    spent: Spent = field(default_factory=Spent)
    options: Mapping[str, Option] = field(default_factory=dict)  # compiled_policy.options_of
    warnings: list[str] = field(default_factory=list)
    offer: Offer | None = None
    offer_is_current: bool = False  # the program itself has said so in this run of the tuner
    seconds_seen: dict[int, float] = field(default_factory=dict)  # of the input under measurement
    device: str = ""  # the GPU that runs are on, by its UUID, where it is known
    build: str | None = None  # that is measured, by its fingerprint; None: any
    _build_status: tuple[int, ...] = ()  # of the program's file, when it was that

    def __post_init__(self) -> None:
        self.offer = self.store.offer(self.subject)

    def check_build(self) -> None:
        """Notes whether the program is the one that was measured; else see renew.py."""
        known = self.store.note(self._build_note)
        changed = known is not None and known != self.program.fingerprint()
        self.has_changed = changed and self.offer is not None
        self.rebuilt()

    def require_same_build(self) -> None:
        """Raises ProgramError where the program was built again since its measuring began.

        Reads the file only where its size or its times are others than before.
        """
        if self.build is None:
            return
        status = self.program.status()
        if status != self._build_status and self.program.fingerprint() != self.build:
            raise ProgramError(
                f"{self.program.path()} was built again while it was measured. Times of two builds "
                "are not mixed: what was measured before is kept as the old one's. Run this again "
                "when the program stays as it is"
            )
        self._build_status = status

    def rebuilt(self) -> None:
        """Takes the program as it is now for the one that was measured, if that one was."""
        if self.has_changed:
            self.build = self.program.fingerprint()
        else:
            self.remember_build()

    def remember_build(self) -> None:
        """Takes the program as it is now for the one that was measured."""
        self.has_changed = False
        self.build = self.program.fingerprint()
        self.store.set_note(self._build_note, self.build)

    @property
    def _build_note(self) -> str:
        return f"build of {self.subject}"

    def key(self, given: Input) -> InputKey:
        """What an input is known by: its arguments, and a digest of the files among them."""
        return input_key_of(given, self.program.directory, self.store.digest)

    def examples(self, given: Input) -> list[Example]:
        """What is known of an input, as `view` shows it."""
        known = self.store.examples(self.subject, self.key(given))
        return known if self.view is None else [self.view(one) for one in known]

    def warn(self, text: str) -> None:
        """Keeps and shows a warning, once."""
        if text not in self.warnings:
            self.warnings.append(text)
            self.display.say(f"warning: {text}")

    def take_offer(self, offer: Offer) -> None:
        """The program has said what it offers. Raises ProgramError where the script disagrees."""
        self.check_offer(offer)
        self.offer_is_current = True
        if offer != self.offer:
            self.offer = offer
            self.store.set_offer(self.subject, offer)

    def check_offer(self, offer: Offer) -> None:
        """Raises ProgramError where the script says that there are other variants."""
        check_variants(self.subject.function, offer, self.variants, self.allow_failures)
