// The default rule for rows on a GPU: every kernel that it can choose yields the serial result, as
// does the kernel that it chooses, with and without statistics of the rows.
#include <vector>

#include <fettle/ndp/cuda/dispatch/default_rule.cuh>
#include <fettle/ndp/execute.hpp>
#include <fettle/ndp/operator/gather.hpp>
#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/operator/split.hpp>

#include "ndp/cuda/by_default_rule.cuh"
#include "ndp/cuda/rows_on_gpu.hpp"
#include "support/catch.hpp"
#include "support/needs_gpu.hpp"

namespace ndp = fettle::ndp;
namespace kernels = fettle::ndp::cuda::detail;

namespace {

// A sparse matrix times a vector, in integers so that any order of adding gives the same.
struct row_dot {
  ndp::sequence<const index_t> x;
  template <typename Row, typename Columns>
  FETTLE_HOST_DEVICE auto operator()(const Row& row, const Columns& columns) const {
    return ndp::reduce(ndp::plus{}, ndp::map(ndp::multiplies{}, row, ndp::gather(x, columns)),
                       index_t{0});
  }
};

// Rows that lie nowhere: 0 + 1 + ... + i % 100.
struct sum_below {
  FETTLE_HOST_DEVICE auto operator()(index_t i) const {
    return ndp::reduce(ndp::plus{}, ndp::range(index_t{0}, i % 100, index_t{1}), index_t{0});
  }
};
struct compose_below {
  ndp::sequence<const affine> maps;
  FETTLE_HOST_DEVICE auto operator()(index_t i) const {
    return ndp::reduce(compose{}, subsequence(maps, 0, i % 100), affine{1, 0});
  }
};

}  // namespace

TEST_CASE("default rule: products with rows of all lengths, whatever is said of them") {
  constexpr std::size_t width = 1000;
  const auto host_x = random_numbers(width, 1);
  const ndp_test::data<index_t> x(host_x);
  for (const auto& pattern : large_row_patterns()) {
    INFO(pattern.name);
    const row_data<index_t> values(random_numbers(element_count(pattern), 2), pattern);
    const row_data<index_t> columns(random_numbers(element_count(pattern), 3), pattern);
    const auto host =
        ndp::map(row_dot{ndp::make_sequence(host_x)}, values.on_host(), columns.on_host());
    // Right, wrong and no statistics: the choice differs, the result does not.
    for (const index_t longest :
         ndp_test::sized<index_t>({-1, 1, 20, 2000, 1000000000}, {-1, 1, 2000})) {
      INFO("stated as the longest row: " << longest);
      const auto device =
          ndp::map(row_dot{x.read()},
                   ndp::nest(values.elements.read(), values.offsets.read(), {.longest = longest}),
                   ndp::nest(columns.elements.read(), values.offsets.read()));
      REQUIRE(equals_serial<plain>(host, device, by_rule{}));
    }
  }
}

TEST_CASE("default rule: operators that do not commute") {
  for (const auto& pattern : large_row_patterns()) {
    INFO(pattern.name);
    const row_data<affine> maps(random_affines(element_count(pattern), 4), pattern);
    REQUIRE(equals_serial<plain>(ndp::map(compose_row{}, maps.on_host()),
                                 ndp::map(compose_row{}, maps.on_device()), by_rule{}));
  }
}

TEST_CASE("default rule: tiles of one length, which need no statistics") {
  for (const index_t length : {1, 3, 30, 500, 40000}) {
    INFO("tiles of " << length);
    const auto host_values = random_numbers(ndp_test::sized<std::size_t>(900001, 90001), 5);
    const ndp_test::data<index_t> values(host_values);
    REQUIRE(equals_serial<plain>(
        ndp::map(sum_row{}, ndp::split(ndp::make_sequence(host_values), length)),
        ndp::map(sum_row{}, ndp::split(values.read(), length)), by_rule{}));
  }
}

TEST_CASE("default rule: rows of which only the number is known") {
  for (const index_t rows : {0, 1, 16, 17, 528, 529, 24576, 24577}) {
    INFO(rows << " rows");
    const auto e = ndp::map(sum_below{}, ndp::range(index_t{0}, rows, index_t{1}));
    const auto maps = random_affines(100, 7);
    const ndp_test::data<affine> on_device(maps);
    REQUIRE(equals_serial<plain>(e, e, by_rule{}));
    REQUIRE(equals_serial<plain>(
        ndp::map(compose_below{ndp::make_sequence(maps)}, ndp::range(index_t{0}, rows, index_t{1})),
        ndp::map(compose_below{on_device.read()}, ndp::range(index_t{0}, rows, index_t{1})),
        by_rule{}));
  }
}

TEST_CASE("default rule: scans of rows") {
  for (const auto& pattern : large_row_patterns()) {
    INFO(pattern.name);
    const row_data<index_t> rows(random_numbers(element_count(pattern), 6), pattern);
    std::vector<index_t> expected = rows.host;
    for (index_t i = 0; i < rows.rows(); ++i) {
      const auto begin = static_cast<std::size_t>(pattern.offsets[static_cast<std::size_t>(i)]);
      ndp::map(scan_row{}, rows.on_host())[i].for_each_serial(
          [&](index_t j, index_t value) { expected[begin + static_cast<std::size_t>(j)] = value; });
    }
    ndp_test::data<index_t> y(rows.host);
    kernels::default_run(ndp::platform::cuda{}, tested, ndp::map(scan_row{}, rows.on_device()),
                         y.write());
    REQUIRE(y.values() == expected);
  }
}

namespace {

struct times {
  index_t a;
  FETTLE_HOST_DEVICE index_t operator()(index_t b) const { return a * b; }
};
struct times_all {
  ndp::sequence<const index_t> y;
  FETTLE_HOST_DEVICE auto operator()(index_t a) const { return ndp::map(times{a}, y); }
};

}  // namespace

TEST_CASE("default rule: outer products of any aspect ratio") {
  struct shape {
    std::size_t rows, columns;
  };
  for (const auto& [rows, columns] :
       {shape{1, 1}, shape{3, 100000}, shape{2, 2049}, shape{500, 300}, shape{1000, 20},
        shape{1001, 13}, shape{5000, 3}}) {
    CAPTURE(rows, columns);
    const std::vector<index_t> host_x = random_numbers(rows, 1);
    const std::vector<index_t> host_y = random_numbers(columns, 2);
    const ndp_test::data<index_t> x(host_x);
    const ndp_test::data<index_t> y(host_y);
    ndp_test::data<index_t> result(std::vector<index_t>(rows * columns, -1));
    std::vector<index_t> expected;
    for (const index_t a : host_x) {
      for (const index_t b : host_y) expected.push_back(a * b);
    }
    ndp::execute(ndp::map(times_all{y.read()}, x.read()),
                 ndp::split(result.write(), static_cast<index_t>(columns)), ndp::platform::cuda{});
    REQUIRE(result.values() == expected);
  }
}
