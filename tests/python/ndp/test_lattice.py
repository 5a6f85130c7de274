"""The lattice of schedules: the paper's figure 2(a) as text, ranks, arrows, pictures."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from ndp_samples import sample

from fettle.core.errors import FettleError
from fettle.ndp.schedules import draw_lattice, lattice_of, lattice_text


def test_figure_2_a() -> None:
    spmv = replace(sample("map>reduce", "openmp"), name="spmv", function="spmv.openmp")
    assert (
        lattice_text(spmv)
        == """\
spmv.openmp (map>reduce) on openmp

                  independent>cooperative
independent>sequential   sequential>cooperative   flattened
                   sequential>sequential

independent>cooperative -> independent>sequential, sequential>cooperative, flattened
independent>sequential -> sequential>sequential
sequential>cooperative -> sequential>sequential
flattened -> sequential>sequential
"""
    )


def test_without_our_flattened_it_is_the_papers_diamond() -> None:
    paper = {
        ("independent>cooperative", "independent>sequential"),
        ("independent>cooperative", "sequential>cooperative"),
        ("independent>sequential", "sequential>sequential"),
        ("sequential>cooperative", "sequential>sequential"),
    }
    arrows = lattice_of(sample("map>reduce", "cuda")).arrows
    assert {arrow for arrow in arrows if "flattened" not in arrow} == paper


def test_three_levels_on_a_gpu() -> None:
    deep = sample("map>map>reduce", "cuda")
    lattice = lattice_of(deep)
    assert [len(row) for row in lattice.ranks] == [1, 4, 4, 1]
    assert lattice.ranks[0] == ("independent>independent>cooperative",)
    assert lattice.ranks[3] == ("sequential>sequential>sequential",)
    assert lattice.pruned == dict(deep.pruned)
    text = lattice_text(deep)
    assert "(independent>flattened) -> independent>sequential>sequential, (" in text
    assert "\nnot on cuda:\n" in text
    assert "\n(independent>flattened): flattened must be the outermost schedule\n" in text
    # Every schedule but the strongest is what a rule makes of another one.
    made = {end for _, end in lattice.arrows}
    assert made == {each for row in lattice.ranks[1:] for each in row}


def test_one_level() -> None:
    assert lattice_of(sample("reduce", "openmp")).ranks == (("cooperative",), ("sequential",))


@pytest.mark.parametrize(
    ("suffix", "begin"), [(".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")]
)
def test_pictures(tmp_path: Path, suffix: str, begin: bytes) -> None:
    file = tmp_path / f"lattice{suffix}"
    draw_lattice(sample("map>map>reduce", "cuda"), file)
    assert file.read_bytes().startswith(begin)


def test_a_picture_of_another_kind(tmp_path: Path) -> None:
    with pytest.raises(FettleError, match=r"ends with none of \.svg, \.png, \.pdf"):
        draw_lattice(sample("reduce", "openmp"), tmp_path / "lattice.gif")
    with pytest.raises(FettleError, match="cannot write"):
        draw_lattice(sample("reduce", "openmp"), tmp_path / "missing" / "lattice.png")
