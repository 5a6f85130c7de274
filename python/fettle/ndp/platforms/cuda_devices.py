"""CUDA on each of several GPUs: how many, what is divided equally, and CUDA's parameters."""

from __future__ import annotations

from fettle.ndp.platforms._division import divided
from fettle.ndp.platforms.cuda import PLATFORM as _CUDA

PLATFORM = divided(_CUDA, name="cuda_devices", count="devices")
