// The kernels among which the default rule chooses for an untuned map > reduce (row_rule.hpp), and
// what it looks at. Needs no CUDA.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda/rows/row_cost.hpp>
#include <fettle/ndp/sequence/row_statistics.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

enum class row_kernel : std::uint8_t {
  thread,           // independent>sequential
  warp_of_2,        // independent>cooperative, resource=warp, logical_warp_size=2
  warp_of_4,        // ... 4
  warp_of_8,        // ... 8
  warp_of_16,       // ... 16
  warp_of_32,       // ... 32
  block,            // independent>cooperative, resource=block, of 128 threads
  split,            // several blocks a row: split_rows.cuh
  adaptive,         // independent>cooperative, resource=block on level 1: adaptive_rows.cuh
  flattened_small,  // flattened, in one launch
  flattened_large   // flattened, in two
};

/// What a kernel does, in words.
[[nodiscard]] constexpr std::string_view name_of(row_kernel kernel) noexcept {
  constexpr std::string_view names[] = {
      "1 lane a row",          "2 lanes a row",          "4 lanes a row",
      "8 lanes a row",         "16 lanes a row",         "32 lanes a row",
      "a block a row",         "several blocks a row",   "lanes by each row's length",
      "flattened, one launch", "flattened, two launches"};
  return names[static_cast<std::size_t>(kernel)];
}

/// What the rule looks at; all of it is known to the host.
struct row_problem {
  index_t rows = 0;
  index_t atoms = 0;  // at most
  row_statistics known{};
  bool commutative = true;
  int value_bytes = 8;
  row_work work{};      // rows and mean are filled in
  bool costly = false;  // an element is work rather than a load: costly_elements.hpp

  [[nodiscard]] constexpr double mean() const noexcept {
    return rows > 0 ? static_cast<double>(atoms) / static_cast<double>(rows) : 0.0;
  }
  [[nodiscard]] row_work as_work() const noexcept {
    row_work all = work;
    all.rows = rows;
    all.mean = mean();
    return all;
  }
  [[nodiscard]] friend bool operator==(const row_problem&, const row_problem&) = default;

  /// Of one length, by construction or as inspected.
  [[nodiscard]] constexpr bool has_equal_rows() const noexcept {
    return known.variation >= 0.0 && known.variation < 0.05;
  }
};

/// Ignores the estimates.
struct no_report {
  template <typename Kernel>
  constexpr void operator()(Kernel /*kernel*/, double /*us*/) const noexcept {}
};

}  // namespace fettle::ndp::cuda::detail
