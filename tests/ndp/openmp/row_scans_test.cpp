// Nested results: a scan, a map or a copy for each row, and three levels.
#include <cstdint>
#include <vector>

#include <fettle/ndp.hpp>
#include <fettle/ndp/openmp.hpp>

#include "ndp/openmp/cases.hpp"
#include "ndp/support/values.hpp"
#include "support/catch.hpp"

using namespace fettle::ndp;
using ndp_test::affine;
using ndp_test::compose;
using ndp_test::made_up;
using ndp_test::row_shapes;
using openmp_cases::check_every_way;
using openmp_cases::for_each_way;

namespace {

template <typename Op, typename P>
struct scan_row {
  Op op;
  P seed;
  template <typename Row>
  auto operator()(const Row& row) const {
    return scan(op, row, seed);
  }
};

struct negate_row {
  template <typename Row>
  auto operator()(const Row& row) const {
    return map(negate{}, row);
  }
};

struct sum_row {
  template <typename Row>
  auto operator()(const Row& row) const {
    return reduce(plus{}, row, 0.0);
  }
};

struct sums_of_tiles {
  index_t length;
  template <typename Row>
  auto operator()(const Row& row) const {
    return map(sum_row{}, split(row, length));
  }
};

template <typename T, typename Op>
void check_scans(const std::vector<T>& values, const std::vector<index_t>& offsets, Op op, T seed,
                 const std::string& name) {
  std::vector<T> expected;
  for (std::size_t row = 0; row + 1 < offsets.size(); ++row) {
    T sum = seed;
    for (index_t i = offsets[row]; i < offsets[row + 1]; ++i) {
      expected.push_back(sum);
      sum = op(sum, values[static_cast<std::size_t>(i)]);
    }
  }
  const auto rows = nest(make_sequence(values), make_sequence(offsets));
  check_every_way(map(scan_row<Op, T>{op, seed}, rows), expected, name);
}

}  // namespace

TEST_CASE("a scan for each row, of every shape") {
  for (const auto& shape : row_shapes(3)) {
    check_scans(made_up<double>(shape.count()), shape.offsets(), plus{}, 4.0, shape.name);
  }
}

TEST_CASE("scans of an operator that does not commute") {
  for (const auto& shape : row_shapes()) {
    check_scans(made_up<affine>(shape.count()), shape.offsets(), compose{}, affine{7, 11},
                shape.name);
  }
}

TEST_CASE("scans of rows in place, with many elements") {
  for (const auto& shape : row_shapes(20)) {
    auto values = made_up<double>(shape.count());
    const auto offsets = shape.offsets();
    std::vector<double> expected(values.size());
    const auto places = make_sequence(offsets);
    execute(map(scan_row<plus, double>{{}, 1.0}, nest(make_sequence(values), places)),
            make_sequence(expected), platform::openmp{},
            schedule::sequential<schedule::sequential<>>{});
    execute(map(scan_row<plus, double>{{}, 1.0}, nest(make_sequence(values), places)),
            nest(make_sequence(values), places), platform::openmp{});
    INFO(shape.name);
    CHECK(values == expected);
  }
}

TEST_CASE("a map for each row, and plain rows") {
  for (const auto& shape : row_shapes(2)) {
    const auto offsets = shape.offsets();
    const auto values = made_up<double>(shape.count());
    std::vector<double> expected;
    for (const double value : values) expected.push_back(-value);
    const auto rows = nest(make_sequence(values), make_sequence(offsets));
    check_every_way(map(negate_row{}, rows), expected, shape.name);
    check_every_way(rows, values, shape.name);
  }
}

TEST_CASE("a transposed copy into a nested destination") {
  const auto values = made_up<double>(60);
  const auto e = transpose(nest(make_sequence(values), range(std::int64_t{0}, 61, 12)), 12);
  for_each_way(e, [&](auto schedule, const openmp::policy& policy, const std::string& text) {
    INFO(text);
    std::vector<double> out(60);
    execute(e, split(make_sequence(out), 5), platform::openmp{}, schedule, policy);
    bool right = true;
    for (std::size_t i = 0; i < 60; ++i) right = right && out[i] == values[i % 5 * 12 + i / 5];
    CHECK(right);
  });
}

TEST_CASE("three levels: the sums of each row's tiles") {
  const index_t rows = 37;
  const index_t length = 50;
  const auto values = made_up<double>(rows * length);
  const auto e = map(sums_of_tiles{10}, split(make_sequence(values), length));
  std::vector<double> expected(static_cast<std::size_t>(rows * 5));
  for (std::size_t i = 0; i < values.size(); ++i) expected[i / 10] += values[i];
  for_each_way(e, [&](auto schedule, const openmp::policy& policy, const std::string& text) {
    INFO(text);
    std::vector<double> out(expected.size());
    execute(e, split(make_sequence(out), 5), platform::openmp{}, schedule, policy);
    CHECK(out == expected);
  });
  std::vector<double> out(expected.size());
  execute(e, split(make_sequence(out), 5), platform::openmp{});
  CHECK(out == expected);
}
