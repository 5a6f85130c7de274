// Rows of any lengths mapped by rows, on a GPU against the serial result: rows for lanes, warps,
// the block, rows that a second kernel has, and rows that are cut in pieces; twice, because the
// second run finds what the first left.
#include <fettle/ndp/cuda/rows/adaptive_rows.cuh>

#include "ndp/cuda/rows_on_gpu.hpp"
#include "support/catch.hpp"
#include "support/needs_gpu.hpp"

namespace ndp = fettle::ndp;
namespace kernels = fettle::ndp::cuda::detail;

namespace {

using plain = ndp::constant<ndp::cuda::policy{}>;

const auto adaptive = [](const auto& e, const auto& to, auto /*policy*/) {
  kernels::adaptive_rows(ndp::platform::cuda{}, tested, e, to);
};

template <typename HostE, typename DeviceE>
void require_right_twice(const HostE& host, const DeviceE& device) {
  REQUIRE(equals_serial<plain>(host, device, adaptive));
  REQUIRE(equals_serial<plain>(host, device, adaptive));
}

/// Every mean length that has lanes of its own, and rows that are left over of each kind.
std::vector<row_pattern> adaptive_patterns() {
  std::vector<row_pattern> out = large_row_patterns();
  const auto add = [&](const char* name, std::int64_t rows, const auto& length) {
    row_pattern pattern{name, {0}};
    for (std::int64_t i = 0; i < rows; ++i) {
      pattern.offsets.push_back(pattern.offsets.back() + length(i));
    }
    out.push_back(std::move(pattern));
  };
  add("a thread a row, some for eight lanes", 400000,
      [](std::int64_t i) { return i % 97 == 5 ? 60 : i % 4; });
  add("two lanes a row, some for a warp", 200000,
      [](std::int64_t i) { return i % 501 == 5 ? 700 : 7; });
  add("sixteen lanes a row", 30000, [](std::int64_t i) { return 20 + i % 21; });
  add("a block crowded with long rows", 3040,
      [](std::int64_t i) { return i >= 100 && i < 140 ? 4000 : 1; });
  add("giant rows for the last blocks, and in one of them", 60000,
      [](std::int64_t i) { return i % 20000 == 7 || i == 59999 ? 200000 : i % 6; });
  add("a block a row, one cut", 600, [](std::int64_t i) { return i == 333 ? 90000 : 400; });
  add("more cut rows than the list holds", 100000,
      [](std::int64_t i) { return i % 1000 == 1 ? 17000 : 1; });
  if (ndp_test::small_sizes()) return out;
  // So much work that the longer rows are left to a second kernel.
  add("a thread a row, a sixth of them listed", 600000,
      [](std::int64_t i) { return i % 6 == 1 ? 30 : 0; });
  add("a thread a row, more listed than the list holds", 9000000,
      [](std::int64_t i) { return i % 8 == 1 ? 12 : 0; });
  add("two lanes a row, listed and cut ones", 150000, [](std::int64_t i) {
    return i % 1000 == 9 ? 300 : i % 30000 == 17 ? 70000 : 14;
  });
  add("four lanes a row", 50000, [](std::int64_t i) { return i % 500 == 3 ? 1000 : 30 + i % 5; });
  add("eight lanes a row", 20000, [](std::int64_t i) { return i % 500 == 3 ? 5000 : 120 + i % 9; });
  add("a warp a row, one of them cut", 3000,
      [](std::int64_t i) { return i == 1234 ? 90000 : 500 + i % 800; });
  return out;
}

}  // namespace

TEST_CASE("adaptive rows: rows of all lengths, operators of all kinds") {
  for (const auto& pattern : adaptive_patterns()) {
    INFO(pattern.name);
    const row_data<index_t> numbers(random_numbers(element_count(pattern), 1), pattern);
    const row_data<affine> maps(random_affines(element_count(pattern), 2), pattern);
    require_right_twice(ndp::map(sum_row{}, numbers.on_host()),
                        ndp::map(sum_row{}, numbers.on_device()));
    require_right_twice(ndp::map(compose_row{}, maps.on_host()),
                        ndp::map(compose_row{}, maps.on_device()));
    REQUIRE(equals_serial<plain>(ndp::map(without_first{}, numbers.on_host()),
                                 ndp::map(without_first{}, numbers.on_device()), adaptive));
  }
}
