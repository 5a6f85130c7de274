// Short rows staged through shared memory, on a GPU against the serial result: also rows that are
// not short at all.
#include <vector>

#include <fettle/ndp/cuda/rows/short_rows.cuh>

#include "ndp/cuda/rows_on_gpu.hpp"
#include "support/catch.hpp"
#include "support/needs_gpu.hpp"

namespace ndp = fettle::ndp;
namespace kernels = fettle::ndp::cuda::detail;

namespace {

using plain = ndp::constant<ndp::cuda::policy{}>;
using small =
    ndp::constant<ndp::cuda::policy{.block_size_x = 64, .level = {.first = {.grain_size = 3}}}>;

const auto staged = [](const auto& e, const auto& to, auto policy) {
  kernels::short_rows(ndp::platform::cuda{}, tested, e, to, policy);
};

template <typename HostE, typename DeviceE>
void require_all_blocks_right(const HostE& host, const DeviceE& device) {
  REQUIRE(equals_serial<plain>(host, device, staged));
  REQUIRE(equals_serial<small>(host, device, staged));
}

// A value of which a block's tile holds few.
struct wide {
  double parts[16] = {};
  FETTLE_HOST_DEVICE friend bool operator==(const wide& a, const wide& b) {
    for (int i = 0; i < 16; ++i) {
      if (a.parts[i] != b.parts[i]) return false;
    }
    return true;
  }
};
struct add_wide {
  FETTLE_HOST_DEVICE wide operator()(const wide& a, const wide& b) const {
    wide sum;
    for (int i = 0; i < 16; ++i) sum.parts[i] = a.parts[i] + b.parts[i];
    return sum;
  }
};
struct sum_wide_row {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
    return ndp::reduce(add_wide{}, row, wide{});
  }
};

}  // namespace

TEST_CASE("short rows: rows of all lengths, operators of all kinds") {
  for (const auto& pattern : row_patterns(81)) {
    INFO(pattern.name);
    const row_data<index_t> numbers(random_numbers(element_count(pattern), 1), pattern);
    const row_data<affine> maps(random_affines(element_count(pattern), 2), pattern);
    require_all_blocks_right(ndp::map(sum_row{}, numbers.on_host()),
                             ndp::map(sum_row{}, numbers.on_device()));
    require_all_blocks_right(ndp::map(compose_row{}, maps.on_host()),
                             ndp::map(compose_row{}, maps.on_device()));
    REQUIRE(equals_serial<plain>(ndp::map(without_first{}, numbers.on_host()),
                                 ndp::map(without_first{}, numbers.on_device()), staged));
  }
}

TEST_CASE("short rows: values of 128 bytes") {
  for (const auto& pattern : row_patterns(82)) {
    INFO(pattern.name);
    std::vector<wide> values(element_count(pattern));
    for (std::size_t i = 0; i < values.size(); ++i) {
      for (std::size_t j = 0; j < 16; ++j) values[i].parts[j] = static_cast<double>(i % 97 + j);
    }
    const row_data<wide> rows(values, pattern);
    REQUIRE(equals_serial<plain>(ndp::map(sum_wide_row{}, rows.on_host()),
                                 ndp::map(sum_wide_row{}, rows.on_device()), staged));
  }
}
