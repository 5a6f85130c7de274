// Nested computations on device memory for the tests of CUDA's load-balanced kernels.
#pragma once

#include <cstdint>
#include <vector>

#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/nest.hpp>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/sequence/make_sequence.hpp>

#include "ndp/support/cuda_platform.cuh"
#include "ndp/support/row_computations.hpp"
#include "ndp/support/row_patterns.hpp"

inline constexpr fettle::ndp::computation tested{"tested"};

/// Rows that are too many or too long for the host's emulation: thousands of shares, rows over
/// hundreds of them.
inline std::vector<row_pattern> large_row_patterns() {
  std::vector<row_pattern> out = row_patterns(77);
  const auto add = [&](const char* name, std::int64_t rows, const auto& length) {
    row_pattern pattern{name, {0}};
    for (std::int64_t i = 0; i < rows; ++i) {
      pattern.offsets.push_back(pattern.offsets.back() + length(i));
    }
    out.push_back(std::move(pattern));
  };
  if (ndp_test::small_sizes()) return out;
  add("one row of three million", 1, [](std::int64_t) { return 3000000; });
  add("giant rows among short ones", 200000,
      [](std::int64_t i) { return i % 50000 == 7 ? 400000 : i % 4; });
  add("rows a little longer than a share", 700, [](std::int64_t) { return 2900; });
  add("a million empty rows", 1000000, [](std::int64_t) { return 0; });
  return out;
}

/// A pattern's rows of T's on the host and on the device.
template <typename T>
struct row_data {
  std::vector<T> host;
  std::vector<std::int64_t> host_offsets;
  ndp_test::data<T> elements{host};
  ndp_test::data<std::int64_t> offsets{host_offsets};

  row_data(std::vector<T> values, const row_pattern& pattern)
      : host(std::move(values)), host_offsets(pattern.offsets) {}

  [[nodiscard]] auto on_host() const {
    return fettle::ndp::nest(fettle::ndp::make_sequence(host),
                             fettle::ndp::make_sequence(host_offsets));
  }
  [[nodiscard]] auto on_device() const {
    return fettle::ndp::nest(elements.read(), offsets.read());
  }
  [[nodiscard]] fettle::ndp::index_t rows() const {
    return static_cast<fettle::ndp::index_t>(host_offsets.size()) - 1;
  }
};

// The host needs less than all of a row for the test's purpose, the GPU all of it: some elements
// behind the last row belong to none.
inline std::size_t element_count(const row_pattern& pattern) {
  return static_cast<std::size_t>(pattern.offsets.back()) + 5;
}

/// run(e, destination, policy) has to yield what the serial evaluation yields, and nothing behind
/// it.
template <typename Policy, typename HostE, typename DeviceE, typename Run>
bool equals_serial(const HostE& host, const DeviceE& device, const Run& run) {
  using T = typename HostE::value_type::value_type;
  std::vector<T> expected = serial(host);
  expected.resize(expected.size() + 2, T{});
  ndp_test::data<T> result(std::vector<T>(expected.size(), T{}));
  const auto to = subsequence(result.write(), 0, host.size());
  run(device, to, Policy{});
  return result.values() == expected;
}
