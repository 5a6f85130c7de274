// map > reduce: rows of every shape by every schedule and policy.
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

namespace {

template <typename Op, typename P>
struct reduce_row {
  Op op;
  P seed;
  template <typename Row>
  auto operator()(const Row& row) const {
    return reduce(op, row, seed);
  }
};

// The sparse dot product of a row.
struct row_dot {
  sequence<const double> x;
  auto operator()(sequence<const double> row, sequence<const std::int32_t> columns) const {
    return reduce(plus{}, map(multiplies{}, row, gather(x, columns)), 0.0);
  }
};

// Reduces only a part of each row, and nothing of short ones.
struct reduce_middle {
  auto operator()(sequence<const double> row) const {
    const index_t skipped = row.size() > 2 ? 1 : row.size();
    return reduce(plus{}, subsequence(row, skipped, row.size() - skipped), 1.0);
  }
};

template <typename E>
void check_every_way(const E& e, const std::string& name) {
  using value_type = typename std::remove_cvref_t<element_t<E>>::value_type;
  std::vector<value_type> expected;
  for (index_t i = 0; i < e.size(); ++i) expected.push_back(e[i].evaluate());
  openmp_cases::check_every_way(e, expected, name);
}

}  // namespace

TEST_CASE("sums of rows of every shape") {
  for (const auto& shape : row_shapes(3)) {
    const auto offsets = shape.offsets<std::int32_t>();
    const auto values = made_up<double>(shape.count());
    const auto rows = nest(make_sequence(values), make_sequence(offsets));
    check_every_way(map(reduce_row<plus, double>{{}, 4.0}, rows), shape.name);
  }
}

TEST_CASE("rows of an operator that does not commute") {
  for (const auto& shape : row_shapes()) {
    const auto offsets = shape.offsets();
    const auto values = made_up<affine>(shape.count());
    const auto rows = nest(make_sequence(values), make_sequence(offsets));
    check_every_way(map(reduce_row<compose, affine>{{}, {7, 11}}, rows), shape.name);
  }
}

TEST_CASE("a sparse matrix times a vector") {
  for (const auto& shape : row_shapes(2)) {
    const auto offsets = shape.offsets();
    const auto values = made_up<double>(shape.count());
    const auto x = made_up<double>(500, 3);
    std::vector<std::int32_t> columns;
    for (const auto at : ndp_test::shuffled(shape.count())) {
      columns.push_back(static_cast<std::int32_t>(at % 500));
    }
    const auto places = make_sequence(offsets);
    check_every_way(map(row_dot{make_sequence(x)}, nest(make_sequence(values), places),
                        nest(make_sequence(columns), places)),
                    shape.name);
  }
}

TEST_CASE("reductions of less than the rows that give the shape") {
  for (const auto& shape : row_shapes(2)) {
    const auto offsets = shape.offsets();
    const auto values = made_up<double>(shape.count());
    check_every_way(map(reduce_middle{}, nest(make_sequence(values), make_sequence(offsets))),
                    shape.name);
  }
}

TEST_CASE("tiles, and rows whose places are not known") {
  const auto values = made_up<double>(10007);
  const auto s = make_sequence(values);
  for (const index_t length : {1, 3, 100, 10007, 20000}) {
    check_every_way(map(reduce_row<plus, double>{{}, 0.0}, split(s, length)), "split");
  }
  const auto e = map(reduce_row<plus, double>{{}, 0.0}, cyclic(s, 13));
  std::vector<double> expected;
  for (index_t i = 0; i < e.size(); ++i) expected.push_back(e[i].evaluate());
  std::vector<double> out(expected.size());
  execute(e, make_sequence(out), platform::openmp{});
  CHECK(out == expected);
  execute(e, make_sequence(out), platform::openmp{},
          schedule::sequential<schedule::cooperative<>>{}, openmp::policy{.num_threads = 3});
  CHECK(out == expected);
}

TEST_CASE("many elements by the default rule") {
  for (const auto& shape : row_shapes(40)) {
    const auto offsets = shape.offsets();
    const auto values = made_up<double>(shape.count());
    const auto e =
        map(reduce_row<plus, double>{{}, 4.0}, nest(make_sequence(values), make_sequence(offsets)));
    std::vector<double> expected;
    for (index_t i = 0; i < e.size(); ++i) expected.push_back(e[i].evaluate());
    std::vector<double> out(expected.size());
    execute(e, make_sequence(out), platform::openmp{});
    INFO(shape.name);
    CHECK(out == expected);
  }
}
