"""k-means by scikit-learn on the points of points.hpp.

    python scikit_learn.py "points:count=N,dimension=D,clusters=K,iterations=I"

prints {"call_us": ..., "distortion": ...}: what I iterations of Lloyd's algorithm take from the
same centroids, and the sum of squared distances. What fit() does besides, such as moving the mean
to the origin and back, is left out: a fit of one iteration is taken off that of all, and a fit that
converges earlier counts for as many iterations as it made. Medians.
"""

import json
import statistics
import sys
import time
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning

Floats = NDArray[np.float64]
Numbers = NDArray[np.uint64]
BLOCK = 1 << 20


def unit(index: Numbers, seed: int) -> Floats:
    """exact_values.hpp's unit()."""
    with np.errstate(over="ignore"):
        z = (index + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
        z += np.uint64(seed * 0xD1B54A32D192ED03 & 0xFFFFFFFFFFFFFFFF)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z ^= z >> np.uint64(31)
    return (z >> np.uint64(11)).astype(np.float64) * 2.0**-53


def make_points(count: int, dimension: int, clusters: int) -> Floats:
    """points.hpp's make_points()."""
    points = np.empty(count * dimension)

    def make(first: int) -> None:
        at = np.arange(first, min(first + BLOCK, len(points)), dtype=np.uint64)
        row, column = at // np.uint64(dimension), at % np.uint64(dimension)
        index = (unit(row, 43) * clusters).astype(np.uint64)
        near = unit(index * np.uint64(dimension) + column, 42)
        points[first : first + len(at)] = unit(at, 41) + 0.5 * near

    with ThreadPoolExecutor() as threads:  # NumPy computes without the interpreter's lock
        list(threads.map(make, range(0, len(points), BLOCK)))
    return points.reshape(count, dimension)


def main() -> None:
    """Fit, check nothing, print."""
    kind, _, rest = sys.argv[1].partition(":")
    given = dict(pair.split("=") for pair in rest.split(",") if pair)
    count = int(given.get("count", 20_000))
    dimension, clusters = int(given.get("dimension", 32)), int(given.get("clusters", 10))
    iterations = int(given.get("iterations", 10))
    if kind != "points":
        raise SystemExit(f"{sys.argv[1]!r} should begin with 'points:'")
    points = make_points(count, dimension, clusters)
    start = points[:clusters].copy()
    warnings.simplefilter("ignore", ConvergenceWarning)
    times: dict[int, list[float]] = {1: [], iterations: []}
    made = 1
    distortion = 0.0
    begin = time.perf_counter()
    # The first round warms up the threads.
    while len(times[1]) < 4 or (len(times[1]) < 9 and time.perf_counter() - begin < 5):
        for most, seconds in times.items():
            fit = KMeans(clusters, init=start, n_init=1, max_iter=most, tol=0, algorithm="lloyd")
            started = time.perf_counter()
            fit.fit(points)
            seconds.append(time.perf_counter() - started)
            made, distortion = int(fit.n_iter_), float(fit.inertia_)
    one, all_of_them = (statistics.median(seconds[1:]) for seconds in times.values())
    if made < 2 or all_of_them <= one:
        raise SystemExit(f"{sys.argv[1]}: {made} iterations are too few to be timed")
    seconds_an_iteration = (all_of_them - one) / (made - 1)
    print(
        json.dumps({"call_us": 1e6 * seconds_an_iteration * iterations, "distortion": distortion})
    )


if __name__ == "__main__":
    main()
