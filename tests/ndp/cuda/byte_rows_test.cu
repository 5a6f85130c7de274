// Rows of narrow elements on a GPU, reduced in order by lanes that read packets: the results are
// the serial ones, wherever rows begin and however long they are.
#include <cstdint>
#include <vector>

#include <fettle/ndp/cuda/dispatch/default_rule.cuh>
#include <fettle/ndp/execute.hpp>

#include "ndp/cuda/by_default_rule.cuh"
#include "ndp/cuda/rows_on_gpu.hpp"
#include "support/catch.hpp"
#include "support/needs_gpu.hpp"

namespace ndp = fettle::ndp;
namespace kernels = fettle::ndp::cuda::detail;

namespace {

struct map_of_number {
  template <typename T>
  FETTLE_HOST_DEVICE affine operator()(T x) const {
    return {static_cast<std::uint32_t>(x) % 251 + 2, static_cast<std::uint32_t>(x) % 1021};
  }
};
struct compose_row {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
    return ndp::reduce(compose{}, ndp::map(map_of_number{}, row), affine{1, 0});
  }
};

struct by_lanes {
  int lanes;
  template <typename E, typename D, typename Policy>
  void operator()(const E& e, const D& to, Policy /*policy*/) const {
    kernels::known_rows_by_lanes(ndp::platform::cuda{}, tested, e, to, lanes);
  }
};

/// Lengths around those at which lanes have a packet of 16 each, or too many of them.
std::vector<row_pattern> patterns() {
  std::vector<row_pattern> all;
  const auto add = [&](const char* name, index_t rows, const auto& length) {
    row_pattern pattern{name, {0}};
    for (index_t i = 0; i < rows; ++i) {
      pattern.offsets.push_back(pattern.offsets.back() + length(i));
    }
    all.push_back(std::move(pattern));
  };
  add("one row", 1, [](index_t) { return 1; });
  add("up to 700", 2103, [](index_t i) { return i * 7 % 701; });
  add("powers of two, and one more or less", 99,
      [](index_t i) { return (index_t{1} << (i % 13)) + i % 3 - 1; });
  add("a giant among short ones", 300, [](index_t i) { return i == 77 ? 50001 : i % 37; });
  return all;
}

template <typename T>
void check_rows() {
  for (const row_pattern& pattern : patterns()) {
    std::vector<T> values;
    for (const index_t value :
         random_numbers(static_cast<std::size_t>(pattern.offsets.back()), 5)) {
      values.push_back(static_cast<T>(value * 2654435761));
    }
    const row_data<T> all(std::move(values), pattern);
    const auto here = ndp::map(compose_row{}, all.on_host());
    const auto there = ndp::map(compose_row{}, all.on_device());
    for (const int lanes : {4, 8, 16, 32}) {
      INFO(pattern.name << ", " << sizeof(T) << " bytes, " << lanes << " lanes");
      REQUIRE(equals_serial<plain>(here, there, by_lanes{lanes}));
    }
    INFO(pattern.name << ", " << sizeof(T) << " bytes");
    REQUIRE(equals_serial<plain>(here, there, by_rule{}));
  }
}

}  // namespace

TEST_CASE("byte rows: numbers of one, two and four bytes, in order") {
  check_rows<std::uint8_t>();
  check_rows<std::int16_t>();
  check_rows<std::int32_t>();
}
