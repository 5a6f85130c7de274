// inspect_rows: reads the lengths of a nested sequence's rows once, so that default rules need not
// assume the worst of them.
//
//   auto known = ndp::inspect_rows(ndp::nest(nonzeros, offsets), platform);
//   auto rows = ndp::nest(nonzeros, offsets, known);   // every execute over these rows gains
#pragma once

#include <cmath>

#include <fettle/core/host_device.hpp>
#include <fettle/ndp/execute.hpp>
#include <fettle/ndp/index.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/platform.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/row_statistics.hpp>

namespace fettle::ndp {

namespace detail {

struct row_lengths {
  index_t longest = 0;
  double sum = 0;
  double squares = 0;
};

struct join_row_lengths {
  static constexpr bool is_commutative = true;
  FETTLE_HOST_DEVICE row_lengths operator()(const row_lengths& a, const row_lengths& b) const {
    return {a.longest < b.longest ? b.longest : a.longest, a.sum + b.sum, a.squares + b.squares};
  }
};

template <has_row_offsets Rows>
struct length_of_row {
  Rows rows;
  FETTLE_HOST_DEVICE row_lengths operator()(index_t i) const {
    const index_t length = rows.row_begin(i + 1) - rows.row_begin(i);
    const auto as_double = static_cast<double>(length);
    return {length, as_double, as_double * as_double};
  }
};

}  // namespace detail

/// The longest row and how much the lengths vary. One reduction over the offsets, where they lie;
/// on CUDA it waits for the platform's stream. Worth it for rows that are used a few times.
template <has_row_offsets Rows, platform_like Platform>
[[nodiscard]] row_statistics inspect_rows(const Rows& rows, const Platform& on) {
  const index_t count = rows.size();
  if (count == 0) return {0, 0.0};
  const detail::row_lengths all = execute<"inspect_rows">(
      reduce(detail::join_row_lengths{},
             map(detail::length_of_row<Rows>{rows}, range(index_t{0}, count)),
             detail::row_lengths{}),
      on);
  const double mean = all.sum / static_cast<double>(count);
  const double variance = all.squares / static_cast<double>(count) - mean * mean;
  return {all.longest, mean > 0 && variance > 0 ? std::sqrt(variance) / mean : 0.0};
}

}  // namespace fettle::ndp
