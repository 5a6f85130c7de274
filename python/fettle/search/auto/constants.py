"""The numbers of the strategy `auto`: one line of meaning and one of source each.

Sources. "kernels": chosen on the 12 kernel spaces that benchmarks/search_spaces lists as CHOSEN_ON,
with other seeds than those of the recorded figures. "Laplacian": chosen on the measured Laplacian
kernel (Bruel et al., CCGRID 2019), with other seeds too. "cost": bounds the time of one choice.
docs/search.md has what each component contributes, with the component switched off.
"""

from __future__ import annotations

from dataclasses import dataclass

# The Gaussian processes' priors: log-normal, medians in units of the features' ranges (lengths) and
# of the values' deviation (noise). kernels.
DISTANCES_LENGTH = 0.6
PRODUCTS_LENGTH = 0.5
NOISE = 0.02
# Where the optimizer looks for hyperparameters: wide enough that the priors decide. kernels.
LENGTH_BOUNDS = (0.05, 30.0)
SIGNAL_BOUNDS = (0.2, 5.0)
NOISE_BOUNDS = (0.002, 1.0)
WEIGHT_LOGIT_BOUNDS = (-6.0, 6.0)
# Added to the diagonal so that a covariance of doubles can be factorized (Rasmussen and Williams
# 2006, section 3.4.3).
JITTER = 1e-8
# Numbers that span at least this factor count by their logarithm. kernels.
LOGARITHMIC_SPAN = 4.0
# Points in which quotients are looked for where a space is too large to enumerate. cost.
QUOTIENT_SAMPLE = 2000


@dataclass(frozen=True)
class ModelConstants:
    """What depends on the model: the Gaussian process of distances, or that of products."""

    # Where the bending of log factors starts: c in c log(1 + d / c), models.py. kernels.
    bend: float
    # The least log factor that counts as an improvement: 10 % and 3 %. kernels.
    margin: float


@dataclass(frozen=True)
class Constants:
    """All of them; the defaults are what is used. A benchmark replaces them one by one."""

    # Random points among which the initial design is chosen. cost.
    design_sample: int = 400
    # Whether quotients of parameters that the constraints tie together are features. kernels.
    quotients: bool = True

    # Gaussian process of distances (surrogate.py), used first. kernels.
    distances: ModelConstants = ModelConstants(bend=1.0, margin=0.1)
    # Gaussian process of products (anova_surrogate.py), used later. kernels.
    products: ModelConstants = ModelConstants(bend=0.5, margin=0.03)
    # Up to this number of measurements the model of distances is used. kernels.
    distances_until: int = 50
    # Up to this number of measurements hyperparameters are fitted at each one; later at every
    # fifth. cost.
    fitted_each_until: int = 50
    fitted_every: int = 5
    # Iterations of the optimizer of the hyperparameters. cost.
    iterations: int = 20

    # Candidate points of one choice. cost.
    pool: int = 2000
    # Expected improvement beyond the margin below which smaller improvements count. kernels.
    least_gain: float = 0.003

    # Neighbours of good points are tried after so many measurements without a gain. Laplacian.
    stuck: int = 3
    # A good point is at most this share slower than the best; at most so many have neighbours
    # tried. Laplacian.
    nearly: float = 0.05
    most_good: int = 20
    # Factor on the deviations, and margin, of neighbours that are tried although little is expected
    # of them. Laplacian.
    forced_inflation: float = 4.0
    forced_margin: float = 0.03
    # Each such number of forced neighbours, one is chosen by a model with unfitted length scales.
    # Laplacian.
    second_opinion: int = 3

    # Measurements without improvement before a search without a budget may end; with a budget it is
    # a quarter of that, and half of this number at least. kernels.
    settled: int = 20


CONSTANTS = Constants()
