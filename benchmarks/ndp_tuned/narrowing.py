"""A second round of racing among the candidates that did well on the inputs measured so far.

Most of a race's time goes to hopeless candidates. Where there is no time for all inputs, some
inputs are raced by all candidates, and the others by those that came near the best on one of them.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from fettle.ndp.candidate import Candidate
from fettle.ndp.computation import Computation
from fettle.ndp.header import DEFAULT
from fettle.ndp.manifest import read_manifest
from fettle.ndp.tuner import NdpTuner
from fettle.report.summary import share_of_best
from fettle.store.sqlite import SqliteStore
from fettle.training.examples import make_table
from fettle.training.subject import open_measurer
from fettle.training_set import TrainingSet

FILE = "narrowed.json"
NEAR = 0.9  # share of the best that counts as near
FEW, LESS_NEAR = 4, 0.6  # where there are few inputs to go by
MOST = 20  # candidates a computation


@dataclass
class NarrowedTuner(NdpTuner):
    """A tuner that knows which candidates are worth a race; where it is not told, all are."""

    near: dict[str, Sequence[str]] = field(default_factory=dict, kw_only=True)  # by function

    def candidates(self, computation: Computation) -> list[Candidate]:
        """Those of the full space that are worth it."""
        found = super().candidates(computation)
        near = self.near.get(str(computation.function))
        return found if near is None else [one for one in found if one.text in near]

    def narrow(self, folder: Path) -> None:
        """Keeps, in a folder, which candidates came near the best on what was measured."""
        known = read_manifest(self.directory)
        settings = self._settings(known, measure=False)
        near: dict[str, Sequence[str]] = {}
        space: dict[str, int] = {}
        with SqliteStore(settings.place(settings.database)) as store:
            for function in self._functions(known):
                space[function.name] = len(known.candidates(function.name))
                measurer = open_measurer(settings, function, store, folder, self.display)
                if measurer.offer is None:
                    continue
                examples = [(one.name, measurer.examples(one)) for one in settings.training_inputs]
                data = make_table(function.name, measurer.offer, examples).data
                if len(data):
                    near[function.name] = promising(data)
                    self.display.say(f"{function.name}: {len(near[function.name])} candidates")
        text = json.dumps({"near": near, "space": space}, indent=1)
        (folder / FILE).write_text(text + "\n", encoding="utf-8")


def promising(data: TrainingSet) -> list[str]:
    """The candidates that were near the best somewhere, those that add most first."""
    share = np.nan_to_num(share_of_best(data.costs))
    names = np.array(data.variants)
    least = NEAR if len(data) >= FEW else LESS_NEAR
    allowed = (share >= least).any(axis=0) & (names != DEFAULT)
    reached = share[:, [data.variants.index(DEFAULT)]].max(axis=1)
    chosen: list[int] = []
    while len(chosen) < min(MOST, int(allowed.sum())):
        gain = np.maximum(share, reached[:, None]).mean(axis=0) + 1e-3 * share.mean(axis=0)
        gain[~allowed | np.isin(np.arange(len(names)), chosen)] = -1.0
        chosen.append(int(gain.argmax()))
        reached = np.maximum(reached, share[:, chosen[-1]])
    return [str(names[place]) for place in chosen]


def narrowed(folder: Path) -> tuple[dict[str, Sequence[str]], dict[str, int]]:
    """What was kept, by function; empty where all candidates are raced."""
    path = folder / FILE
    if not path.exists():
        return {}, {}
    read = json.loads(path.read_text(encoding="utf-8"))
    return read["near"], read["space"]
