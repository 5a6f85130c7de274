// Reductions of several rows at once, against the same calls one by one.
#include <numeric>
#include <vector>

#include <fettle/ndp.hpp>
#include <fettle/ndp/host/rows/side_by_side.hpp>
#include <fettle/ndp/openmp.hpp>

#include "ndp/support/in_order.hpp"
#include "ndp/support/values.hpp"
#include "support/catch.hpp"

using namespace fettle::ndp;
using ndp_test::in_order;
using ndp_test::made_up;

namespace {

template <typename E>
void check_groups(const E& e) {
  static_assert(host::detail::side_by_side_node<E>);
  const auto expected = in_order(e);
  std::vector<typename decltype(expected)::value_type> out(expected.size());
  index_t alone = 0;
  const auto one_by_one = [&](index_t begin, index_t end) {
    for (index_t i = begin; i < end; ++i, ++alone) {
      out[static_cast<std::size_t>(i)] = expected[static_cast<std::size_t>(i)];
    }
  };
  host::detail::reduce_in_groups<true>(e, make_sequence(out), 0, e.size(), one_by_one);
  CHECK(out == expected);
  INFO("rows done alone");
  CHECK(alone < e.size());
  execute(e, make_sequence(out), platform::openmp{});
  CHECK(out == expected);
  execute(e, make_sequence(out), platform::openmp{},
          schedule::independent<schedule::sequential<>>{});
  CHECK(out == expected);
}

// Neither commutative nor known to the library.
struct halve_and_add {
  double operator()(double a, double b) const { return a / 2 + b; }
};

}  // namespace

TEST_CASE("windows of a signal") {
  const auto values = made_up<double>(500);
  const auto s = make_sequence(values);
  for (const index_t width : {1, 2, 5, 8, 23, 60}) {
    INFO("windows of " << width);
    const auto seeded = [s, width](index_t i) {
      return reduce(plus{}, subsequence(s, i, width), static_cast<double>(i));
    };
    check_groups(map(seeded, range(index_t{0}, index_t{101})));
  }
}

TEST_CASE("a few long windows are reduced alone, by vectors") {
  const auto values = made_up<double>(5000);
  const auto s = make_sequence(values);
  for (const index_t width : {64, 65, 100, 1000, 4096}) {
    for (const index_t count : {1, 2, 3, 4, 7, 8, 31, 32, 33}) {
      CAPTURE(width, count);
      const auto sum = [s, width](index_t i) {
        return reduce(plus{}, subsequence(s, i, width), static_cast<double>(i));
      };
      const auto e = map(sum, range(index_t{0}, count));
      const auto expected = in_order(e);
      std::vector<double> out(expected.size());
      execute(e, make_sequence(out), platform::openmp{});
      CHECK(out == expected);
      std::vector<index_t> alone;
      host::detail::reduce_in_groups<true>(e, make_sequence(out), 0, count,
                                           [&](index_t begin, index_t end) {
                                             for (index_t i = begin; i < end; ++i)
                                               alone.push_back(i);
                                           });
      CHECK((static_cast<index_t>(alone.size()) == count) ==
            (count < 4 || (count < 32 && width > 64)));
    }
  }
}

TEST_CASE("windows and columns by numbers of 32 bits, from any number on") {
  const auto values = made_up<double>(5000);
  const auto s = make_sequence(values);
  const auto window = [s](int i) { return reduce(plus{}, subsequence(s, i + 9, 5), i * 0.5); };
  const auto stepped = [s](int i) {
    const auto next = [s, i](int k) { return s[i + 30 * k]; };
    return reduce(maximum{}, map(next, range(0, 20)), -1.0);
  };
  for (const int count : {4, 7, 8, 9, 31, 32, 33, 65, 200}) {
    INFO(count << " rows");
    check_groups(map(window, range(-9, count - 9)));
    check_groups(map(stepped, range(3, count + 3)));
  }
}

TEST_CASE("rows of other lengths in between") {
  const auto values = made_up<double>(500);
  const auto s = make_sequence(values);
  const auto row = [s](index_t i) {
    return reduce(maximum{}, subsequence(s, i, i > 40 && i < 60 ? i % 7 : 6), -1.0);
  };
  check_groups(map(row, range(index_t{0}, index_t{200})));
}

TEST_CASE("columns of a matrix, long ones too") {
  const auto values = made_up<double>(57 * 300);
  const auto s = make_sequence(values);
  const auto sum = [](auto column) { return reduce(plus{}, column, 1.0); };
  check_groups(map(sum, transpose(split(s, 57))));
  check_groups(map(sum, cyclic(s, 300)));
  check_groups(map(sum, cyclic(subsequence(s, 0, 300 * 50 + 20), 300)));
  const double seed = 3;  // a function with state
  const auto seeded = [seed](auto column) { return reduce(plus{}, column, seed); };
  check_groups(map(seeded, transpose(split(s, 57))));
  const auto halved = [](auto column) { return reduce(halve_and_add{}, column, 0.5); };
  check_groups(map(halved, transpose(split(s, 100))));
}

TEST_CASE("the columns of products of matrices, dense and sparse") {
  const auto values = made_up<double>(70 * 90);
  const auto b = split(make_sequence(values), 90);
  const auto row = subsequence(make_sequence(values), 100, 70);
  const auto dot = [row](const auto& column) {
    return reduce(plus{}, map(multiplies{}, row, column), 0.0);
  };
  check_groups(map(dot, transpose(b)));
  std::vector<int> indices(40);
  for (std::size_t k = 0; k < indices.size(); ++k) indices[k] = static_cast<int>(k * k % 70);
  const auto columns = make_sequence(indices);
  const double* all = values.data();
  const auto sparse = [=](index_t j) {
    const auto product = [=](double a, int k) { return a * all[90 * k + j]; };
    return reduce(plus{}, map(product, subsequence(row, 0, 40), columns), 0.5);
  };
  for (const index_t count : {4, 31, 32, 33, 90}) {
    INFO(count << " columns");
    check_groups(map(sparse, range(index_t{0}, count)));
  }
}

TEST_CASE("a row's elements are combined in their order") {
  std::vector<double> values(200);
  std::iota(values.begin(), values.end(), 1.0);
  const auto s = make_sequence(values);
  const auto row = [s](index_t i) { return reduce(halve_and_add{}, subsequence(s, i, 9), 0.5); };
  const auto e = map(row, range(index_t{0}, index_t{64}));
  const auto expected = in_order(e);
  std::vector<double> out(expected.size());
  host::detail::reduce_in_groups<true>(e, make_sequence(out), 0, e.size(),
                                       [](index_t begin, index_t end) { REQUIRE(begin == end); });
  CHECK(out == expected);
}
