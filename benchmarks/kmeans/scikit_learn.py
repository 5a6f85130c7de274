"""k-means by scikit-learn on the points of points.hpp.

    python scikit_learn.py "points:count=N,dimension=D,clusters=K,iterations=I"

prints {"call_us": ..., "distortion": ...}: the median time of a fit of I iterations by Lloyd's
algorithm from the same centroids, and the sum of squared distances. A fit that converges earlier
counts for as many iterations as it made. The points are given as fit() likes them; what else it
does to them before its iterations, such as moving their mean to the origin, is counted.
"""

import json
import statistics
import sys
import time
import warnings

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning

Floats = NDArray[np.float64]
Numbers = NDArray[np.uint64]
BLOCK = 1 << 22


def unit(place: Numbers, seed: int) -> Floats:
    """exact_values.hpp's unit()."""
    with np.errstate(over="ignore"):
        z = (place + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
        z += np.uint64(seed * 0xD1B54A32D192ED03 & 0xFFFFFFFFFFFFFFFF)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z ^= z >> np.uint64(31)
    return (z >> np.uint64(11)).astype(np.float64) * 2.0**-53


def make_points(count: int, dimension: int, clusters: int) -> Floats:
    """points.hpp's make_points()."""
    points = np.empty(count * dimension)
    for first in range(0, len(points), BLOCK):
        at = np.arange(first, min(first + BLOCK, len(points)), dtype=np.uint64)
        row, column = at // np.uint64(dimension), at % np.uint64(dimension)
        place = (unit(row, 43) * clusters).astype(np.uint64)
        near = unit(place * np.uint64(dimension) + column, 42)
        points[first : first + len(at)] = unit(at, 41) + 0.5 * near
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
    seconds: list[float] = []
    distortion = 0.0
    warnings.simplefilter("ignore", ConvergenceWarning)
    while len(seconds) < 6 and (len(seconds) < 4 or sum(seconds) < 5):
        fit = KMeans(clusters, init=start, n_init=1, max_iter=iterations, tol=0, algorithm="lloyd")
        begin = time.perf_counter()
        fit.fit(points)
        seconds.append((time.perf_counter() - begin) * iterations / fit.n_iter_)
        distortion = float(fit.inertia_)
    # The first fit has warmed up the threads.
    print(json.dumps({"call_us": 1e6 * statistics.median(seconds[1:]), "distortion": distortion}))


if __name__ == "__main__":
    main()
