"""Judges the tuned ./smooth on fields that it has not seen, drawn by other seeds."""

import argparse
import math
import subprocess


def main() -> None:
    """Prints what the tuned function gains over the exact one, and how often the bound is kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--generate", type=int, default=1000, help="how many fields")
    parser.add_argument("--seed", type=int, default=1001)
    options = parser.parse_args()
    command = ["./smooth", "--judge", str(options.seed), str(options.generate)]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    rows = [line.split() for line in run.stdout.splitlines()]
    speedup = math.exp(sum(math.log(float(row[1]) / float(row[0])) for row in rows) / len(rows))
    errors = [float(row[2]) for row in rows]
    kept = sum(error <= 0.05 for error in errors)
    rough = sum(row[3] != "exact" for row in rows)
    print(run.stderr, end="")
    print(f"approximate on {rough} of {len(rows)}, largest error {max(errors):.4f}")
    print(
        f"{speedup:.2f} times as fast as exact, bound kept on {kept} of {len(rows)} held-out inputs"
    )


if __name__ == "__main__":
    main()
