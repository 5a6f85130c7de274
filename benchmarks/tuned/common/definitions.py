"""The five benchmarks: inputs for training and for tests, references, lines of code.

Test inputs are the papers' sizes; training inputs lie around and between them. Of the real matrices
every other one is trained on; no generated test matrix has a training matrix's parameters.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from patterns import names_in
from suite import PLATFORMS, Benchmark, Code, Input, short

Inputs = Callable[[str, Path | None], Sequence[Input]]

THRUST = ("-DTHRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_OMP",)
NUMBERS_TEST = (25e3, 100e3, 250e3, 500e3, 1e6, 5e6, 10e6, 25e6)
NUMBERS_TRAINING = (
    *(12e3, 15e3, 18e3, 20e3, 22e3, 30e3, 35e3, 40e3, 45e3, 50e3, 57e3, 65e3, 72e3, 80e3),
    *(85e3, 90e3, 120e3, 130e3, 150e3, 170e3, 200e3, 290e3, 320e3, 350e3, 370e3),
    *(400e3, 580e3, 640e3, 700e3, 770e3, 850e3, 1.2e6, 1.3e6, 1.4e6, 1.7e6, 2e6),
    *(2.3e6, 2.7e6, 3.1e6, 3.5e6, 4e6, 4.5e6, 5.5e6, 5.7e6, 6e6, 6.9e6, 8e6, 8.5e6),
    *(9e6, 12e6, 13e6, 15e6, 16e6, 18e6, 20e6, 22e6, 30e6, 35e6, 40e6),
)
POINTS_TEST = (25e3, 100e3, 250e3, 500e3, 1e6, 5e6, 10e6)
POINTS_TRAINING = (
    *(15e3, 20e3, 30e3, 40e3, 65e3, 80e3, 120e3, 150e3, 200e3, 300e3, 350e3, 420e3, 600e3, 700e3),
    *(850e3, 1.2e6, 1.5e6, 2.5e6, 3.5e6, 7e6, 12e6),
)
CELLS_TEST = (14, 18, 23, 29, 40, 50, 63)  # 10k to 1M atoms, four a cell
CELLS_TRAINING = (
    *(12, 13, 15, 16, 17, 19, 20, 21, 22, 24, 26, 28, 31, 33, 36, 38, 42, 45, 48, 53, 56, 60, 66),
)


def sized(pattern: str, sizes: Sequence[float]) -> Inputs:
    """Inputs that differ in one number."""
    return lambda platform, patterns: [
        Input(short(size), pattern.format(int(size))) for size in sizes
    ]


def points(counts: Sequence[float]) -> Inputs:
    """Points to cluster, ten times; on a few cores, where that takes seconds, three times."""

    def inputs(platform: str, patterns: Path | None) -> list[Input]:
        def text(count: float) -> str:
            fewer = platform == "openmp" and count >= 1e6
            return f"points:count={int(count)}" + ",iterations=3" * fewer

        return [Input(short(count), text(count)) for count in counts]

    return inputs


def lattices(cells: Sequence[int], most_on_openmp: int | None = None) -> Inputs:
    """Copper crystals; on a few cores a race on a large one takes minutes."""

    def inputs(platform: str, patterns: Path | None) -> list[Input]:
        most = most_on_openmp if platform == "openmp" else None
        fitting = [number for number in cells if most is None or number <= most]
        return [Input(short(4 * number**3), f"atoms:cells={number}") for number in fitting]

    return inputs


@dataclass(frozen=True)
class Family:
    """How large generated matrices are, and how dense: parameters of training and test differ."""

    platform: str
    seed: int
    scale: float
    density: float

    def rows(self, count: float) -> int:
        """A GPU is not busy with the matrices that keep a processor busy."""
        return max(8, round(count * self.scale * (4 if self.platform == "cuda" else 1)))

    def uniform(self, height: float, width: float, mean: float, spread: int) -> str:
        """Rows of about one length."""
        columns = max(self.rows(width), round(4 * mean))
        return (
            f"uniform:rows={self.rows(height)},columns={columns},"
            f"mean={max(1, round(mean * self.density))},spread={spread},reach=0"
        )

    def tested(self) -> dict[str, str]:
        """A kind of matrix a line."""
        rows = self.rows
        small = round(4_000 * max(self.scale, 0.1))
        return {
            "stencil 5": f"stencil:points=5,side={round(rows(250_000) ** 0.5)}",
            "stencil 27": f"stencil:points=27,side={round(rows(60_000) ** (1 / 3))}",
            "elements": f"finite_elements:nodes={rows(20_000)},block=3,neighbours=12",
            "blocks": f"block_diagonal:blocks={rows(2_000)},size={round(32 * self.density)}",
            "band": f"banded:rows={rows(100_000)},width={round(15 * self.density)},density=0.9",
            "power 2.2": f"power_law:rows={rows(100_000)},mean=10,exponent=2.2",
            "power 1.5": f"power_law:rows={rows(60_000)},mean=12,exponent=1.5",
            "uniform 3": self.uniform(250_000, 250_000, 3, 1),
            "uniform 40": self.uniform(25_000, 25_000, 40, 5),
            "wide": self.uniform(400, 100_000, 2500, 50),
            "giant rows": f"long_rows:rows={rows(100_000)},mean=3,count=3,fill=0.3",
            "empty": f"empty_rows:rows={rows(300_000)},mean=8,empty=0.8",
            "small": f"uniform:rows={small},columns=4000,mean=6,spread=2,reach=0",
        }

    def learned(self) -> dict[str, str]:
        """Of these and of more kinds, so that what is between the test's is known too."""
        rows, mean = self.rows, 12 * self.density
        return {
            **self.tested(),
            "stencil 9": f"stencil:points=9,side={round(rows(150_000) ** 0.5)}",
            "stencil 7": f"stencil:points=7,side={round(rows(150_000) ** (1 / 3))}",
            "diagonals": f"diagonals:rows={rows(200_000)},count=4,reach=300",
            "power 1.9": f"power_law:rows={rows(80_000)},mean={mean:g},exponent=1.9",
            "uniform 10": self.uniform(80_000, 80_000, 10, 6),
            "uniform 150": self.uniform(8_000, 20_000, 150, 20),
            "uniform 600": self.uniform(2_000, 50_000, 600, 100),
            "some giants": f"long_rows:rows={rows(40_000)},mean=6,count=40,fill=0.02",
            "half empty": f"empty_rows:rows={rows(100_000)},mean=4,empty=0.45",
        }

    def inputs(self, texts: Mapping[str, str]) -> list[Input]:
        """With the seed."""
        return [Input(label, f"generate:{text},seed={self.seed}") for label, text in texts.items()]


# For training: scale and density, about from small to large.
SIZES = (
    *((0.02, 0.7), (0.04, 1.0), (0.08, 1.4), (0.05, 1.8), (0.12, 0.55), (0.2, 1.2), (0.28, 1.7)),
    *((0.4, 0.4), (0.6, 1.1), (0.8, 0.8), (1.2, 0.6), (1.6, 1.6)),
)


def matrices(first: int) -> Inputs:
    """Every other real matrix from the `first` on, and generated ones."""

    def inputs(platform: str, patterns: Path | None) -> list[Input]:
        names = [] if patterns is None else names_in(patterns)
        found = [Input(name, f"patterns:{name}") for name in names[first::2]]
        if first == 1:
            test = Family(platform, 3, 1.0, 1.0)
            return [*found, *test.inputs(test.tested())]
        for seed, (scale, density) in enumerate(SIZES, 4):
            family = Family(platform, seed, scale, density)
            found += family.inputs(family.learned())
        return found

    return inputs


REDUCTION = Benchmark(
    name="reduction",
    title="Reduction",
    training=sized("numbers:size={}", NUMBERS_TRAINING),
    test=sized("numbers:size={}", NUMBERS_TEST),
    references={"openmp": ("thrust",), "cuda": ("thrust",)},
    shown={"openmp": ("default_tiles",), "cuda": ("cub", "default_tiles")},
    unit="billion items reduced/s",
    scale=1e-9,
    forms={
        platform: {"whole": ("reduce_whole",), "tiles": ("reduce_tiles", "reduce_partials")}
        for platform in PLATFORMS
    },
    reference_flags={"openmp": THRUST},
    code={
        "ours": (Code("examples/ndp/reduction.hpp", "struct row_reduce", "#ifndef"),),
        "as printed": (
            Code("examples/ndp/reduction.hpp", "using namespace fettle::ndp", "#endif"),
        ),
    },
)

SCAN = Benchmark(
    name="scan",
    title="Scan",
    training=sized("numbers:size={}", NUMBERS_TRAINING),
    test=sized("numbers:size={}", NUMBERS_TEST),
    references={"openmp": ("thrust",), "cuda": ("thrust",)},
    shown={"openmp": ("default_tiles",), "cuda": ("cub", "default_tiles")},
    unit="billion items scanned/s",
    scale=1e-9,
    forms={
        platform: {
            "whole": ("scan_whole",),
            "tiles": ("scan_tile_sums", "scan_partials", "scan_tiles"),
        }
        for platform in PLATFORMS
    },
    reference_flags={"openmp": THRUST},
    code={
        "ours": (Code("examples/ndp/scan.hpp", "struct tile_scan", "#ifndef"),),
        "as printed": (Code("examples/ndp/scan.hpp", "using namespace fettle::ndp", "#endif"),),
    },
)

SPMV = Benchmark(
    name="ndp_spmv",
    title="SpMV",
    training=matrices(0),
    test=matrices(1),
    references={"openmp": ("mkl", "loop"), "cuda": ("warp_per_row",)},
    shown={
        "openmp": ("loop", "default_uninspected"),
        "cuda": ("cusp", "cusparse_alg1", "cusparse_alg2", "default_uninspected"),
    },
    unit="FP64 GFLOP/s",
    scale=1e-9,
    per_element=2.0,
    reference_flags={"cuda": ("-lcusparse",)},
    code={
        "ours": (
            Code(
                "benchmarks/common/ndp/computations.hpp",
                "struct row_dot",
                "/// The sum of each row",
            ),
            Code(
                "benchmarks/common/ndp/computations.hpp", "auto sparse_product", "}  // namespace"
            ),
        ),
        "cuda": (Code("benchmarks/tuned/ndp_spmv/csr_vector.cuh", "template <int", "/// y = A x"),),
    },
)

KMEANS = Benchmark(
    name="kmeans",
    title="K-Means",
    training=points(POINTS_TRAINING),
    test=points(POINTS_TEST),
    references={"openmp": ("scikit-learn", "loop"), "cuda": ("catanzaro",)},
    shown={"openmp": ("loop", "default_direct", "default_tiles"), "cuda": ()},
    unit="million items clustered/s (an iteration)",
    scale=1e-6,
    functions=("kmeans_nearest", "kmeans_sums"),
    forms={
        "openmp": {
            "product": ("kmeans_nearest", "kmeans_sums"),
            "direct": ("kmeans_nearest_directly", "kmeans_sums"),
            "tiles": ("kmeans_tiles", "kmeans_totals"),
        }
    },
    flags={
        "openmp": ("-isystem", "/usr/include/eigen3"),
        # Points are made, and results checked, by the host's threads.
        "cuda": ("-lcublas", "-Xcompiler=-fopenmp"),
    },
    code={
        "ours": (
            Code("examples/ndp/kmeans/kmeans.hpp", "struct squared_norm", "/// Clusters points"),
            Code("examples/ndp/kmeans/kmeans.hpp", "void relabel(", "#ifndef"),
            Code("examples/ndp/kmeans/kmeans.hpp", "void scale(", "Platform on_;"),
            Code("examples/ndp/kmeans/tiled_kmeans.hpp", "struct cluster_tile", "}  // namespace"),
        ),
        "as printed": (
            Code(
                "examples/ndp/kmeans/kmeans.hpp",
                "struct squared_norm",
                "/// The same without products",
            ),
            Code("examples/ndp/kmeans/kmeans.hpp", "void relabel(", "void relabel_directly"),
            Code("examples/ndp/kmeans/kmeans.hpp", "void recalculate_by_lambdas", " private:"),
        ),
        "cuda": (
            Code(
                "benchmarks/tuned/kmeans/catanzaro.cuh",
                "__global__ void self_dots",
                "}  // namespace",
            ),
            Code(
                "benchmarks/tuned/kmeans/catanzaro.cuh",
                "void relabel(double*",
                "template <typename T>",
            ),
        ),
    },
)

DIRECT = ("comd_pair_tiles", "comd_embedding_tiles", "comd_density_atoms")
REDISTRIBUTED = ("comd_pair_atoms", "comd_embedding_atoms", "comd_force_atoms")
NESTED = ("comd_pair_boxes", "comd_embedding_sums", "comd_density_boxes")
LISTED = ("comd_lists", "comd_pair_listed", "comd_embedding_atoms", "comd_force_listed")

COMD = Benchmark(
    name="comd",
    title="CoMD",
    training=lattices(CELLS_TRAINING, most_on_openmp=45),
    test=lattices(CELLS_TEST),
    references={"openmp": ("exmatex",), "cuda": ("exmatex",)},
    shown=dict.fromkeys(PLATFORMS, ("default_direct", "default_nested", "default_listed")),
    unit="million force calculations/s",
    scale=1e-6,
    forms={
        platform: {
            "direct": DIRECT,
            "redistributed": REDISTRIBUTED,
            "nested": NESTED,
            "listed": LISTED,
        }
        for platform in PLATFORMS
    },
    code={
        "ours": (
            Code("examples/ndp/comd/eam_system.hpp", "struct pair_sums", "}  // namespace"),
            Code("examples/ndp/comd/eam_direct.hpp", "struct direct_pair_pass", "#ifndef"),
            Code("examples/ndp/comd/eam_redistributed.hpp", "struct atoms_list", "}  // namespace"),
            Code(
                "examples/ndp/comd/eam_nested.hpp",
                "template <typename System, typename Sum",
                "}  // namespace",
            ),
            Code("examples/ndp/comd/eam_listed.hpp", "struct neighbour_lists", "}  // namespace"),
        ),
        "as printed": (
            Code("examples/ndp/comd/eam_system.hpp", "struct pair_sums", "}  // namespace"),
            Code("examples/ndp/comd/eam_direct.hpp", "double eam_forces_direct_by", "#endif"),
        ),
        "cuda": (
            Code("benchmarks/tuned/comd/exmatex.cuh", "template <int Step>", "}  // namespace"),
            Code(
                "benchmarks/tuned/comd/exmatex.hpp",
                "struct interpolation",
                "/// eamForce() on the host",
            ),
        ),
        "openmp": (
            Code(
                "benchmarks/tuned/comd/exmatex.hpp", "struct interpolation", "/// The atoms as CoMD"
            ),
        ),
    },
)

ALL = {one.name: one for one in (REDUCTION, SCAN, SPMV, KMEANS, COMD)}
