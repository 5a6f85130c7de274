"""OpenMP on each NUMA node: how many nodes, what is divided equally, and OpenMP's parameters."""

from __future__ import annotations

from fettle.ndp.platforms._division import divided
from fettle.ndp.platforms.openmp import PLATFORM as _OPENMP

PLATFORM = divided(_OPENMP, name="openmp_nodes", count="nodes")
