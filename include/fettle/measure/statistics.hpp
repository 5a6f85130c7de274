// What the measuring engine asks of a handful of samples: the median, and how surely one set of
// samples is smaller than another. Ranks, not means: timings have outliers on one side only.
#pragma once

#include <cstddef>
#include <span>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI {

/// The middle value, or the mean of the two middle values. NaN for no samples. O(n log n).
double median(std::span<const double> samples);

namespace detail {

/// The number of pairs (a, b) with a < b, ties counted half: the Mann-Whitney U statistic.
double pairs_in_order(std::span<const double> a, std::span<const double> b);

/// P(U >= u) for n against m samples without ties, by counting: the number of ways in which u
/// pairs come out is the coefficient of q^u in the Gaussian binomial (n + m choose n).
double exact_upper_tail(std::size_t n, std::size_t m, double u);

}  // namespace detail

/// The one-sided confidence that samples of `smaller` tend to be below samples of `larger`:
/// 1 - p of the rank-sum test of Mann and Whitney. 0.5 where nothing speaks for either order.
/// Exact up to eight samples a side, by the normal approximation beyond. O(n m).
double confidence_smaller(std::span<const double> smaller, std::span<const double> larger);

}  // namespace fettle

#ifndef FETTLE_COMPILED
#include <fettle/measure/statistics.ipp>
#endif
