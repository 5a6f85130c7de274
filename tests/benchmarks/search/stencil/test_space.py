"""The 104 stencils and their search space against the paper's numbers."""

import math
import random
from collections import Counter

import pytest
from shapes import AXES, even_sample, kernel_named, kernels
from space import (
    H200,
    LOADING,
    NO_MERGES,
    PAPER_LOADING,
    expert_space,
    random_points,
    space,
    tile_shape,
)


def test_there_are_the_104_kernels_of_table_2_and_all_differ():
    found = list(kernels().values())
    assert len(found) == len({k.name for k in found}) == len({k.offsets for k in found}) == 104
    assert Counter(len(k.axes) for k in found) == {0: 1, 1: 15, 2: 54, 3: 34}
    assert Counter(k.shape for k in found if len(k.axes) == 3) == {
        "dense": 5,
        "star": 5,
        "diamond": 4,
        "no_corners": 5,
        "thumbtack": 15,
    }


def test_seven_kernels_have_three_dimensions_and_radius_2():
    # Section 8.3.1.
    assert sum(len(k.axes) == 3 and k.radius == 2 for k in kernels().values()) == 7


@pytest.mark.parametrize(
    ("name", "size", "density", "unique"),
    [
        ("dense_0d_r0", 1, 1, ""),
        ("dense_1d_y_r5", 11, 1, "y"),
        ("dense_2d_xz_r2", 25, 1, "y"),
        ("star_3d_r2", 13, 13 / 125, ""),
        ("diamond_2d_xy_r2", 13, 13 / 25, "z"),
        ("no_corners_2d_yz_r2", 21, 21 / 25, "x"),
        ("no_corners_3d_r1", 19, 19 / 27, ""),
        ("thumbtack_3d_x_r2", 29, 29 / 125, "x"),
    ],
)
def test_features_are_those_of_section_6_1(name, size, density, unique):
    features = kernel_named(name).features()
    assert features["stencil_size"] == size
    assert features["density"] == pytest.approx(density)
    assert features["unique_dimension"] == unique


def test_a_stencil_reaches_as_far_as_it_says_and_weighs_all_it_reads():
    for kernel in kernels().values():
        reach = tuple(max(abs(offset[i]) for offset in kernel.offsets) for i in range(3))
        assert reach == kernel.reach
        assert len(kernel.weights) == kernel.size
        assert all(kernel.weights)


def test_an_even_sample_is_spread_over_all_kernels():
    sample = even_sample(20)
    assert len(set(sample)) == 20
    assert {kernel.shape for kernel in sample} == {kernel.shape for kernel in kernels().values()}
    with pytest.raises(SystemExit, match="there are 104"):
        even_sample(105)


def test_the_benchmarks_sample_has_all_shapes_dimensions_radii_and_orientations():
    sample = even_sample(24, most_terms=300)
    assert max(kernel.size for kernel in sample) <= 300
    for what in ("shape", "axes", "radius", "pin"):
        assert {getattr(k, what) for k in sample} == {getattr(k, what) for k in kernels().values()}
    with pytest.raises(SystemExit, match="there are 98"):
        even_sample(99, most_terms=300)


def points_without_limits(elements, loading):
    """How many there are, by counting the pairs of factors of each dimension."""

    def pairs(limit):
        return math.comb(int(math.log2(limit)) + 2, 2)

    widths = [1] * sum(way != "vector" for way in loading)
    if "vector" in loading:
        widths += [width for width in (2, 4, 8, 16) if width <= elements]
    return sum(pairs(elements // width) for width in widths) * pairs(elements) ** 2


def test_without_limits_the_space_is_the_papers():
    assert points_without_limits(256, PAPER_LOADING) == 475_875  # section 4.7
    kernel = kernel_named("star_2d_xy_r1")
    small = space(kernel, loading=PAPER_LOADING, merges=NO_MERGES, limits=None, sides=(8, 8, 8))
    assert len(small) == points_without_limits(8, PAPER_LOADING)


def test_points_fit_the_device():
    kernel = kernel_named("dense_3d_r5")
    searched = space(kernel)
    for point in random_points(kernel, 300, seed=3):
        assert searched.violation(point) is None
        assert math.prod(point[f"work_group_{axis}"] for axis in AXES) <= H200.threads
        assert math.prod(point[f"block_merge_{axis}"] for axis in AXES) <= 16
        if point["loading"] == "local":
            assert 4 * math.prod(tile_shape(kernel, point)) <= H200.shared_bytes


def test_random_points_differ_and_are_the_seeds():
    kernel = kernel_named("dense_2d_xy_r1")
    points = random_points(kernel, 200, seed=1)
    assert len({tuple(point.values()) for point in points}) == 200
    assert points == random_points(kernel, 200, seed=1)
    assert points != random_points(kernel, 200, seed=2)
    of_all = random_points(kernel, 200, seed=1, loading=LOADING)
    assert points[:100] == [p for p in of_all if p["loading"] in PAPER_LOADING][:100]


def test_random_points_are_uniform():
    kernel = kernel_named("dense_0d_r0")
    everything = list(space(kernel, sides=(4, 4, 4)))
    expected = Counter(point["loading"] for point in everything)
    drawn: Counter[str] = Counter()
    for seed in range(60):
        drawn.update(p["loading"] for p in random_points(kernel, 40, seed, sides=(4, 4, 4)))
    for way in PAPER_LOADING:
        assert drawn[way] / 2400 == pytest.approx(expected[way] / len(everything), abs=0.04)


def test_the_experts_space_is_the_papers_restriction():
    points = list(expert_space(kernel_named("star_3d_r1")))
    assert len(points) == 1382
    for point in random.Random(1).sample(points, 200):
        assert point["vector_width"] <= 4
        assert point["work_group_x"] >= 32
        assert point["block_merge_y"] == point["block_merge_z"] == 1
        for axis in "yz":
            assert point[f"work_group_{axis}"] * point[f"cyclic_merge_{axis}"] <= 4
