// The default rule for tiles on a GPU, whose rows are known to be equally long: wide values,
// elements that are computed, scans.
#include <vector>

#include <fettle/ndp/cuda/dispatch/default_rule.cuh>
#include <fettle/ndp/operator/split.hpp>
#include <fettle/ndp/operator/zip.hpp>

#include "ndp/cuda/by_default_rule.cuh"
#include "ndp/cuda/rows_on_gpu.hpp"
#include "support/catch.hpp"
#include "support/needs_gpu.hpp"

namespace ndp = fettle::ndp;
namespace kernels = fettle::ndp::cuda::detail;

namespace {

// The smaller of two, and where it was: values of 16 bytes.
struct placed {
  index_t value = 0;
  index_t place = 0;
  FETTLE_HOST_DEVICE friend bool operator==(const placed& a, const placed& b) {
    return a.value == b.value && a.place == b.place;
  }
};
struct nearer {
  static constexpr bool is_commutative = true;
  FETTLE_HOST_DEVICE placed operator()(const placed& a, const placed& b) const {
    return b.value < a.value || (b.value == a.value && b.place < a.place) ? b : a;
  }
};
struct nearest_of_row {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
    return ndp::reduce(nearer{}, row, placed{index_t{1} << 60, -1});
  }
};

// So wide that a block of 256 threads has no room for a flattened share of them.
struct wide {
  index_t entries[32];
  FETTLE_HOST_DEVICE friend bool operator==(const wide& a, const wide& b) {
    for (int i = 0; i < 32; ++i) {
      if (a.entries[i] != b.entries[i]) return false;
    }
    return true;
  }
};
struct add_wide {
  static constexpr bool is_commutative = true;
  FETTLE_HOST_DEVICE wide operator()(wide a, const wide& b) const {
    for (int i = 0; i < 32; ++i) a.entries[i] += b.entries[i];
    return a;
  }
};
struct sum_wide_row {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
    return ndp::reduce(add_wide{}, row, wide{{3}});
  }
};
struct scan_wide_row {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
    return ndp::scan(add_wide{}, row, wide{{3}});
  }
};

// Elements that are computed by a function with tables of its own.
struct from_tables {
  ndp::sequence<const index_t> tables[5];
  FETTLE_HOST_DEVICE index_t operator()(index_t i) const {
    index_t sum = 0;
    const index_t size = tables[0].size();
    for (const auto& table : tables) sum += table[(i % size + size) % size];
    return sum;
  }
};
struct sum_from_tables {
  from_tables work;
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
    return ndp::reduce(ndp::plus{}, ndp::map(work, row), index_t{7});
  }
};

// In rows of `length`, by the rule and one by one.
template <typename F, typename T>
bool scans_tiles(const F& scan, const std::vector<T>& numbers, index_t length) {
  std::vector<T> expected = numbers;
  const auto tiles = ndp::split(ndp::make_sequence(numbers), length);
  for (index_t i = 0; i < tiles.size(); ++i) {
    const auto begin = static_cast<std::size_t>(i * length);
    scan(tiles[i]).for_each_serial(
        [&](index_t j, const T& value) { expected[begin + static_cast<std::size_t>(j)] = value; });
  }
  ndp_test::data<T> y(numbers);
  const ndp_test::data<T> x(numbers);
  kernels::default_run(ndp::platform::cuda{}, tested, ndp::map(scan, ndp::split(x.read(), length)),
                       y.write());
  return y.values() == expected;
}

}  // namespace

TEST_CASE("default rule: tiles of wide values") {
  std::vector<placed> host_values;
  for (const index_t value : random_numbers(ndp_test::sized<std::size_t>(900001, 90001), 8)) {
    host_values.push_back({value % 1000, static_cast<index_t>(host_values.size())});
  }
  const ndp_test::data<placed> values(host_values);
  for (const index_t length : {1, 10, 12, 14, 300, 5000}) {
    INFO("tiles of " << length);
    REQUIRE(equals_serial<plain>(
        ndp::map(nearest_of_row{}, ndp::split(ndp::make_sequence(host_values), length)),
        ndp::map(nearest_of_row{}, ndp::split(values.read(), length)), by_rule{}));
  }
}

TEST_CASE("default rule: tiles of values that are too wide for flattened shares of 256 threads") {
  std::vector<wide> host_values;
  for (const index_t value : random_numbers(ndp_test::sized<std::size_t>(100001, 70001), 15)) {
    host_values.push_back({{value, 1, -value}});
  }
  const ndp_test::data<wide> values(host_values);
  for (const index_t length : {1, 30, 700, 20000}) {
    INFO("tiles of " << length);
    REQUIRE(equals_serial<plain>(
        ndp::map(sum_wide_row{}, ndp::split(ndp::make_sequence(host_values), length)),
        ndp::map(sum_wide_row{}, ndp::split(values.read(), length)), by_rule{}));
    REQUIRE(scans_tiles(scan_wide_row{}, host_values, length));
  }
}

TEST_CASE("default rule: elements that a function with tables computes") {
  const auto host_tables = random_numbers(500, 9);
  const ndp_test::data<index_t> tables(host_tables);
  const auto with = [](const auto& table) {
    return sum_from_tables{{{table, table, table, table, table}}};
  };
  using mapped = decltype(ndp::map(from_tables{}, tables.read()));
  static_assert(kernels::has_costly_elements_v<mapped>);
  static_assert(kernels::has_costly_elements_v<decltype(ndp::zip(mapped{}, tables.read()))>);
  static_assert(!kernels::has_costly_elements_v<decltype(ndp::zip(tables.read(), tables.read()))>);
  const auto of_host = with(ndp::make_sequence(host_tables));
  const auto of_device = with(tables.read());
  const auto host_values = random_numbers(ndp_test::sized<std::size_t>(400001, 40001), 10);
  const ndp_test::data<index_t> values(host_values);
  for (const index_t length : {1, 10, 20, 64, 500, 3000}) {
    INFO("tiles of " << length);
    REQUIRE(
        equals_serial<plain>(ndp::map(of_host, ndp::split(ndp::make_sequence(host_values), length)),
                             ndp::map(of_device, ndp::split(values.read(), length)), by_rule{}));
  }
}

TEST_CASE("default rule: scans of tiles, from many short ones to one that is cut") {
  const auto numbers = random_numbers(ndp_test::sized<std::size_t>(900001, 90001), 12);
  const auto maps = random_affines(numbers.size(), 13);
  for (const index_t length : {1, 30, 600, 1024, 3000, 20000, 1000000}) {
    INFO("tiles of " << length);
    REQUIRE(scans_tiles(scan_row{}, numbers, length));
    REQUIRE(scans_tiles(scan_compose_row{}, maps, length));
  }
  for (const index_t size : {1, 40, 1000, 40000}) {
    INFO("one tile of " << size);
    REQUIRE(scans_tiles(scan_row{}, random_numbers(static_cast<std::size_t>(size), 14), size));
  }
}
