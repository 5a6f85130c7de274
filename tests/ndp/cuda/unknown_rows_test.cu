// Rows of which only the GPU knows how long they are and where they begin: a thread each, several a
// thread in step, and lanes that share them yield the serial result.
#include <cstddef>
#include <cstdint>
#include <vector>

#include <fettle/ndp/cuda/dispatch/default_rule.cuh>
#include <fettle/ndp/execute.hpp>
#include <fettle/ndp/operator/range.hpp>

#include "ndp/cuda/by_default_rule.cuh"
#include "ndp/cuda/rows_on_gpu.hpp"
#include "support/catch.hpp"
#include "support/needs_gpu.hpp"

namespace ndp = fettle::ndp;
namespace kernels = fettle::ndp::cuda::detail;

namespace {

using policy = kernels::policy_of_threads<256, 0>;

// Row i is [i * apart, i * apart + length), or every 50th of another length.
struct weighted_sum {
  ndp::sequence<const std::int32_t> x;
  ndp::sequence<const std::int32_t> weights;
  index_t apart;
  index_t length;
  index_t other;
  FETTLE_HOST_DEVICE auto operator()(index_t i) const {
    const index_t size = i % 50 == 49 ? other : length;
    return ndp::reduce(ndp::plus{},
                       ndp::map(ndp::multiplies{}, subsequence(weights, 0, size),
                                subsequence(x, i * apart % 3000, size)),
                       std::int32_t{7});
  }
};

template <int Rows>
struct by_steps {
  template <typename E, typename D, typename Policy>
  void operator()(const E& e, const D& to, Policy /*policy*/) const {
    STATIC_REQUIRE(kernels::suits_steps_v<typename E::value_type>);
    kernels::run_rows_in_step<policy, Rows>(ndp::platform::cuda{}, tested, e, to);
  }
};

struct by_unknown_rows {
  template <typename E, typename D, typename Policy>
  void operator()(const E& e, const D& to, Policy /*policy*/) const {
    kernels::run_unknown_rows<policy, true>(ndp::platform::cuda{}, tested, e, to);
  }
};

// The differences of neighbours in row i of split rows, by a function that carries the row.
struct difference {
  ndp::sequence<const std::int32_t> row;
  FETTLE_HOST_DEVICE std::int32_t operator()(index_t k) const { return row[k + 1] - row[k]; }
};
struct sum_of_differences {
  ndp::sequence<const std::int32_t> x;
  index_t apart;
  index_t most;
  FETTLE_HOST_DEVICE auto operator()(index_t i) const {
    const index_t size = i % most;
    return ndp::reduce(ndp::plus{},
                       ndp::map(difference{subsequence(x, i * apart % 3000, size + 1)},
                                ndp::range(index_t{0}, size, index_t{1})),
                       std::int32_t{0});
  }
};

std::vector<std::int32_t> numbers(std::size_t count) {
  std::vector<std::int32_t> out;
  for (const index_t value : random_numbers(count, 8)) {
    out.push_back(static_cast<std::int32_t>(value));
  }
  return out;
}

}  // namespace

TEST_CASE("unknown rows: several of a thread in step, and others among them") {
  const auto x = numbers(8000);
  const ndp_test::data<std::int32_t> x_on_device(x);
  for (const index_t rows : {1, 64, 129, 1001}) {
    for (const index_t apart : {1, 16, 40}) {
      for (const index_t length : {0, 1, 16, 20, 31, 32, 200}) {
        for (const index_t other : {length, index_t{5}, index_t{3000}}) {
          INFO(rows << " rows, " << apart << " apart, of " << length << " or " << other);
          const auto range = ndp::range(index_t{0}, rows, index_t{1});
          const auto host_x = ndp::make_sequence(x);
          const auto device_x = x_on_device.read();
          const auto host = ndp::map(weighted_sum{host_x, host_x, apart, length, other}, range);
          const auto device =
              ndp::map(weighted_sum{device_x, device_x, apart, length, other}, range);
          REQUIRE(equals_serial<plain>(host, device, by_steps<2>{}));
          REQUIRE(equals_serial<plain>(host, device, by_steps<4>{}));
          REQUIRE(equals_serial<plain>(host, device, by_unknown_rows{}));
        }
      }
    }
  }
}

TEST_CASE("unknown rows: functions that carry their rows") {
  const auto x = numbers(8000);
  const ndp_test::data<std::int32_t> x_on_device(x);
  for (const index_t rows : {1, 33, 1001, 70001}) {
    for (const index_t apart : {1, 16, 40}) {
      for (const index_t most : {17, 60, 2000}) {
        if (rows * most > 5'000'000) continue;
        INFO(rows << " rows, " << apart << " apart, of less than " << most);
        const auto range = ndp::range(index_t{0}, rows, index_t{1});
        const auto host = ndp::map(sum_of_differences{ndp::make_sequence(x), apart, most}, range);
        const auto device = ndp::map(sum_of_differences{x_on_device.read(), apart, most}, range);
        REQUIRE(equals_serial<plain>(host, device, by_unknown_rows{}));
        REQUIRE(equals_serial<plain>(host, device, by_rule{}));
      }
    }
  }
}

TEST_CASE("unknown rows: what threads walk in step, and lanes share") {
  using counted = decltype(ndp::range(index_t{0}, index_t{9}, index_t{1}));
  STATIC_REQUIRE(kernels::indexes_views_v<ndp::transformed_sequence<difference, counted>>);
  STATIC_REQUIRE_FALSE(kernels::indexes_views_v<counted>);
  CHECK(kernels::rows_of_thread(100'000, 132) == 1);
  CHECK(kernels::rows_of_thread(500'000, 132) == 2);
  CHECK(kernels::rows_of_thread(1'000'000, 132) == 4);
}
