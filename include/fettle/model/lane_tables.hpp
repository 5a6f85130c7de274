// lane_tables: a support vector machine laid out for vector instructions, with the bounds that tell
// when the fast way's answer is certain. Built once, from a svm_view; read by svm_lanes.hpp.
//
// Why the answer is certain. Let u = 2^-53 and K the kernel value of a support vector v. The fast
// way computes K = 2^t, t = c_v + w_v.x - g|x|^2 with g = gamma log2(e), c_v = -g|v|^2, w_v = 2g v.
// Each of the n + 2 terms of t carries a few roundings and all intermediate sums stay below M =
// 2g(|v|^2 + |x|^2), so that t is wrong by at most dt = (2n + 24) u M, in whatever order and with
// or without fused operations. 2^t is a polynomial with a relative error below 4.1e-11
// (svm_lanes_test checks it) and its roundings. As K <= 1, the fast K is wrong by at most ln2 dt
// + 4.2e-11 + 32u. libsvm's own K is wrong by at most (n + 6) u: the relative error of its exponent
// is (n + 3) u, and y exp(-y) < 1. A pair's decision value sums m products coef K, which adds at
// most (m + 10) u (sum |coef| + |rho|) on either side. Together, and doubled to be safe, that is
// the pair's bound: where the fast value is farther from zero, libsvm's has its sign. Otherwise,
// and where |x|^2 exceeds what M was computed for, svm_careful.hpp decides.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <fettle/core/abi.hpp>
#include <fettle/core/number.hpp>
#include <fettle/model/svm_view.hpp>

namespace fettle::inline FETTLE_ABI::model::detail {

inline constexpr std::size_t lane_classes = 16;    ///< votes are counted in 16 times 4 bits
inline constexpr std::size_t lane_vectors = 2048;  ///< kernel values are kept on the stack
inline constexpr std::size_t lane_pairs = lane_classes * (lane_classes - 1) / 2;
inline constexpr std::size_t widest_lanes = 8;

[[nodiscard]] constexpr std::size_t rounded_up(std::size_t n, std::size_t multiple) noexcept {
  return (n + multiple - 1) / multiple * multiple;
}

/// Where the values are read from, and the numbers that say how.
struct lane_tables {
  std::uint32_t lanes = 0;          ///< doubles a vector register; 0: this machine has no fast way
  std::uint32_t columns = 0;        ///< support vectors, padded
  double scale = 0;                 ///< g
  double largest_square = 0;        ///< |x|^2 up to which the bounds hold
  bool clamps = false;              ///< whether t may be below -1000 then
  const double* weights = nullptr;  ///< [1 + inputs][columns]: c_v, then w_v
  const double* coefficients = nullptr;  ///< [class][group of lanes][row][lane]
  const double* rho = nullptr;           ///< [pairs, padded]
  const double* bounds = nullptr;        ///< [pairs, padded]
  std::uint64_t all_first = 0;           ///< the votes if the first class won every pair
  std::array<std::uint16_t, lane_classes> group_begin{};
  std::array<std::uint16_t, lane_classes> group_end{};
  std::array<std::uint16_t, lane_pairs + widest_lanes> first{};   ///< accumulators that make a pair
  std::array<std::uint16_t, lane_pairs + widest_lanes> second{};  ///< (in doubles)
  alignas(64) std::array<std::uint64_t, lane_pairs + widest_lanes> second_wins{};  ///< votes change
};

[[nodiscard]] constexpr bool fits_lanes(std::size_t classes, std::size_t vectors) noexcept {
  return classes <= lane_classes && vectors <= lane_vectors;
}

/// Doubles that build_lane_tables() needs for a machine, whatever the lanes; 0 where it does not
/// fit.
[[nodiscard]] constexpr std::size_t lane_storage(std::size_t classes, std::size_t vectors,
                                                 std::size_t inputs) noexcept {
  if (!fits_lanes(classes, vectors)) return 0;
  const std::size_t weights = (1 + inputs) * rounded_up(vectors, widest_lanes);
  const std::size_t slots = vectors + 2 * (widest_lanes - 1) * classes;
  const std::size_t pairs = rounded_up(classes * (classes - 1) / 2, widest_lanes);
  return weights + rounded_up(slots * (classes - 1), widest_lanes) + 2 * pairs;
}

/// The largest squared length of a support vector.
[[nodiscard]] double longest_square(const svm_view& svm) noexcept;

/// Sets how far an input may be from the origin: four times as far as the corners of the training
/// region; or down to half that, where then no exponent is below -1000 and need be clamped.
void set_reach(lane_tables& tables, double inputs, double longest) noexcept;

/// How far each pair's fast decision value may be from libsvm's; +infinity or NaN where the
/// machine's numbers are too large for the estimate.
void write_bounds(const svm_view& svm, const lane_tables& tables, double longest,
                  double* bounds) noexcept;

/// Lays `svm` out for registers of `lanes` doubles (2, 4 or 8; 0 gives tables without a fast way).
/// `storage` holds lane_storage() doubles, should be aligned to 64 bytes, and must outlive the
/// tables.
[[nodiscard]] lane_tables build_lane_tables(const svm_view& svm, std::size_t lanes,
                                            std::span<double> storage) noexcept;

}  // namespace fettle::model::detail

#ifndef FETTLE_COMPILED
#include <fettle/model/lane_tables.ipp>
#endif
