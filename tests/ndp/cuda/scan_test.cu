// Scans by the whole device: one block, one cluster and CUB's; values of odd sizes, sources that
// are computed, and sources that are overwritten.
#include <cstddef>
#include <cstdint>
#include <cuda/functional>
#include <cuda/std/functional>
#include <cuda_runtime.h>
#include <type_traits>
#include <vector>

#include <fettle/ndp.hpp>
#include <fettle/ndp/cuda.hpp>

#include "ndp/support/cuda_platform.cuh"
#include "support/catch.hpp"
#include "support/needs_gpu.hpp"

namespace ndp = fettle::ndp;
namespace schedule = fettle::ndp::schedule;
namespace platform = fettle::ndp::platform;
using ndp::index_t;
using ndp_test::data;
using ndp_test::made_up;

namespace {

/// Around a block's tile, a cluster's tiles, what one kernel scans by posts, and what goes to CUB.
const std::vector<index_t> scan_sizes = ndp_test::sized<index_t>(
    {0,    1,    2,     31,    32,    33,     511,    512,    513,    4095,   4096,
     4097, 8192, 25000, 32768, 32769, 131071, 131072, 131073, 524288, 524289, 4194305},
    {0, 1, 33, 513, 4097, 32769, 131073});

template <typename Op, typename T>
[[nodiscard]] std::vector<T> serial_scan(Op op, const std::vector<T>& x, T seed) {
  std::vector<T> out(x.size());
  ndp::scan(op, ndp::make_sequence(x), seed).for_each_serial([&](index_t i, const T& value) {
    out[static_cast<std::size_t>(i)] = value;
  });
  return out;
}

struct wide_value {
  std::uint32_t scale = 1;
  std::uint32_t shift = 0;
  std::uint32_t more[8] = {};
  friend bool operator==(const wide_value&, const wide_value&) = default;
};

struct compose_wide {
  FETTLE_HOST_DEVICE wide_value operator()(const wide_value& a, const wide_value& b) const {
    wide_value out;
    out.scale = a.scale * b.scale % 65521;
    out.shift = (b.scale * a.shift % 65521 + b.shift) % 65521;
    for (int i = 0; i < 8; ++i) out.more[i] = a.more[i] + b.more[i];
    return out;
  }
};

}  // namespace

TEST_CASE("a device-wide scan of every size, into another sequence and in place") {
  for (const index_t count : scan_sizes) {
    CAPTURE(count);
    const std::vector<double> values = made_up<double>(count);
    data<double> x(values);
    data<double> y(std::vector<double>(values.size() + 2, -77.0));
    ndp::execute(ndp::scan(ndp::plus{}, x.read(), 5.0), y.write(), platform::cuda{});
    std::vector<double> expected = serial_scan(ndp::plus{}, values, 5.0);
    ndp::execute(ndp::scan(ndp::plus{}, x.read(), 5.0), x.write(), platform::cuda{});
    REQUIRE(x.values() == expected);
    expected.insert(expected.end(), 2, -77.0);
    REQUIRE(y.values() == expected);
  }
}

TEST_CASE("a device-wide scan in order") {
  for (const index_t count : scan_sizes) {
    CAPTURE(count);
    const auto values = made_up<ndp_test::affine>(count);
    const data<ndp_test::affine> x(values);
    data<ndp_test::affine> y(values);
    const ndp_test::affine seed{3, 5};
    ndp::execute(ndp::scan(ndp_test::compose{}, x.read(), seed), y.write(), platform::cuda{});
    REQUIRE(y.values() == serial_scan(ndp_test::compose{}, values, seed));
  }
}

TEST_CASE("a scan of values of 40 bytes") {
  for (const index_t count :
       ndp_test::sized<index_t>({1, 1000, 5000, 100000}, {1000, 5000, 20000})) {
    CAPTURE(count);
    std::vector<wide_value> values(static_cast<std::size_t>(count));
    std::uint32_t next = 1;
    for (wide_value& value : values) {
      value.scale = next = next * 48271 % 65521;
      value.shift = next % 100;
      value.more[7] = next % 3;
    }
    const data<wide_value> x(values);
    data<wide_value> y(values);
    ndp::execute(ndp::scan(compose_wide{}, x.read(), wide_value{}), y.write(), platform::cuda{});
    REQUIRE(y.values() == serial_scan(compose_wide{}, values, wide_value{}));
  }
}

TEST_CASE("a scan of a computed source, into a destination of another type") {
  for (const index_t count : ndp_test::sized<index_t>({1000, 50000, 500000}, {1000, 50000})) {
    CAPTURE(count);
    const data<std::int32_t> x(std::vector<std::int32_t>(static_cast<std::size_t>(count), 3));
    data<double> y(std::vector<double>(static_cast<std::size_t>(count)));
    const auto products = ndp::map(ndp::multiplies{}, x.read(), x.read());
    ndp::execute(ndp::scan(ndp::plus{}, products, std::int64_t{1}), y.write(), platform::cuda{});
    const std::vector<double> out = y.values();
    bool right = true;
    for (std::size_t i = 0; i < out.size(); ++i) {
      right = right && out[i] == 1.0 + 9.0 * static_cast<double>(i);
    }
    REQUIRE(right);
  }
}

TEST_CASE("scans of operators and types that CUB knows, and of such that it almost knows") {
  using ndp::cuda::detail::cub_operator;
  using ndp::cuda::detail::typed_operator;
  const auto check = [](auto op, auto element, auto seed) {
    for (const index_t count :
         ndp_test::sized<index_t>({20000, 300000, 1'100'000}, {20000, 140001})) {
      CAPTURE(count);
      auto values = made_up<decltype(element)>(count);
      const data<decltype(element)> x(values);
      const auto e = ndp::scan(op, x.read(), seed);
      using result = typename decltype(e)::value_type;
      data<result> y(std::vector<result>(values.size()));
      ndp::execute(e, y.write(), platform::cuda{});
      std::vector<result> expected;
      ndp::scan(op, ndp::make_sequence(values), seed).for_each_serial([&](index_t, result value) {
        expected.push_back(value);
      });
      REQUIRE(y.values() == expected);
    }
  };
  check(ndp::plus{}, std::int16_t{}, 7);
  check(ndp::maximum{}, float{}, -1.0F);
  check(ndp::minimum{}, std::int32_t{}, 3);
  // Which types these are, which otherwise only a profile shows.
  const auto is = [](auto wanted, auto given) {
    return std::is_same_v<decltype(wanted), decltype(given)>;
  };
  STATIC_REQUIRE(is(cuda::std::plus<>{}, cub_operator<ndp::plus, double>({})));
  STATIC_REQUIRE(is(cuda::std::plus<>{}, cub_operator<ndp::plus, int, std::int16_t>({})));
  STATIC_REQUIRE(is(cuda::std::plus<float>{}, cub_operator<ndp::plus, float, double>({})));
  STATIC_REQUIRE(is(typed_operator<ndp::plus, bool>{}, cub_operator<ndp::plus, bool>({})));
  STATIC_REQUIRE(is(typed_operator<ndp::minimum, float>{}, cub_operator<ndp::minimum, float>({})));
}

TEST_CASE("a block's scans by each algorithm and grain, at the sizes around its tile") {
  using ndp::cuda::block_scan_algorithm;
  using ndp::cuda::policy;
  const auto check = [](auto chosen) {
    for (const index_t count :
         ndp_test::sized<index_t>({0, 1, 63, 64, 65, 319, 320, 321, 10000}, {1, 65, 321, 10000})) {
      CAPTURE(count);
      const auto values = made_up<ndp_test::affine>(count);
      const data<ndp_test::affine> x(values);
      data<ndp_test::affine> y(values);
      const ndp_test::affine seed{2, 1};
      ndp::execute(ndp::scan(ndp_test::compose{}, x.read(), seed), y.write(), platform::cuda{},
                   schedule::cooperative<>{}, chosen);
      REQUIRE(y.values() == serial_scan(ndp_test::compose{}, values, seed));
    }
  };
  check(ndp::constant<policy{.block_size_x = 64,
                             .level = {.first = {.block_scan_algo = block_scan_algorithm::raking,
                                                 .block_scan_grain_size = 5}}}>{});
  check(ndp::constant<policy{
            .block_size_x = 64,
            .level = {.first = {.block_scan_algo = block_scan_algorithm::raking_memoize}}}>{});
  check(ndp::constant<policy{.block_size_x = 32,
                             .block_size_y = 2,
                             .level = {.first = {.block_scan_grain_size = 3}}}>{});
  check(ndp::constant<policy{
            .block_size_x = 64,
            .level = {.first = {.resource = ndp::cuda::execution_resource::warp}}}>{});
}
