"""SpMV's GPU variants tuned on one GPU and judged on another, where one source is all there is.

    python benchmarks/common/record.py transfer_gpus -- python benchmarks/tuner/transfer/gpus.py

Each GPU's model learns from its training inputs and is judged by the test inputs of each GPU, as
measured there with features and choice charged. What the GPUs took is what measure.py of the
examples has written: the H100's is beside the record examples_gpu, the H200's in measured/.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path += [str(ROOT / "benchmarks" / "common"), str(ROOT / "examples" / "support")]
from judgement import Summary, fifth_percentile, judge_measured  # noqa: E402
from measured import read_rows, trainer_for, training_set  # noqa: E402
from record import append_rows  # noqa: E402

from fettle.model.model_directory import write_model  # noqa: E402

FUNCTION = "spmv"
CALLS = 100  # that share a selection
MEASURED = {
    "NVIDIA H100": ROOT / "benchmarks/results/examples_gpu/spmv.jsonl.xz",
    "NVIDIA H200": Path(__file__).resolve().parent / "measured/spmv_h200.jsonl.xz",
}


def main() -> None:
    """Judges and records each pair of GPUs."""
    found = []
    for source, learned_from in MEASURED.items():
        data = training_set(FUNCTION, read_rows(learned_from, "training"))
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder) / "fettle_models" / FUNCTION
            place.parent.mkdir()
            write_model(place, trainer_for(CALLS).learn(data).model)
            for target, judged_by in MEASURED.items():
                shares = Summary.of(judge_measured(judged_by, FUNCTION, Path(folder))).headline
                found.append(
                    {
                        "function": FUNCTION,
                        "source": source,
                        "target": target,
                        "training_inputs": len(data),
                        "judged_inputs": len(shares),
                        "mean": statistics.fmean(shares),
                        "p5": fifth_percentile(shares),
                    }
                )
                print(json.dumps(found[-1]), flush=True)
    append_rows(found)


if __name__ == "__main__":
    main()
