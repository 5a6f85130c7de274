// Reductions of rows that functions make, many at once, against the same calls one by one.
#include <algorithm>
#include <cstddef>
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

struct candidate {
  double distance;
  int index;
  friend bool operator==(const candidate&, const candidate&) = default;
};

struct nearer {
  candidate operator()(const candidate& a, const candidate& b) const {
    return b.distance < a.distance ? b : a;
  }
};

// The nearest of a table's first entries to the first number of a row.
struct nearest {
  const double* table;
  index_t entries;

  auto operator()(const sequence<const double>& row) const {
    const auto distance = [first = row[0], all = table](index_t k) {
      const double difference = first - all[k];
      return candidate{difference * difference, static_cast<int>(k)};
    };
    return reduce(nearer{}, map(distance, range(index_t{0}, entries)), candidate{1e300, -1});
  }
};

template <typename E>
void check_rows(const E& e) {
  using value_type = typename host::detail::row_t<E>::value_type;
  static_assert(host::detail::side_by_side_node<E> && !host::detail::goes_by_elements_v<E>);
  const auto expected = in_order(e);
  std::vector<value_type> out(expected.size());
  const auto check = [&](const auto&... how) {
    out.assign(expected.size(), value_type{});
    execute(e, make_sequence(out), platform::openmp{}, how...);
    CHECK(out == expected);
  };
  check();
  check(schedule::independent<schedule::sequential<>>{});
  check(schedule::sequential<schedule::sequential<>>{});
}

}  // namespace

TEST_CASE("the nearest of a table's entries") {
  const auto table = made_up<double>(100);
  for (const index_t points : {0, 1, 2, 63, 64, 65, 127, 128, 129, 1000}) {
    const auto values = made_up<double>(3 * points);
    for (const index_t entries : {0, 1, 2, 16, 47, 48, 100}) {
      INFO(points << " points, " << entries << " entries");
      check_rows(map(nearest{table.data(), entries}, split(make_sequence(values), 3)));
    }
  }
}

TEST_CASE("the last tile of a split is shorter") {
  const auto values = made_up<double>(64 * 5 - 2);
  const auto weights = [](const sequence<const double>& row) {
    const auto weighted = [row](index_t k) { return static_cast<double>(k) * row[k]; };
    return reduce(plus{}, map(weighted, range(index_t{0}, row.size())), 0.5);
  };
  const auto e = map(weights, split(make_sequence(values), 5));
  CHECK(e.size() == 64);
  check_rows(e);
}

TEST_CASE("rows of other lengths in between are done one by one") {
  const auto values = made_up<double>(1000);
  const auto s = make_sequence(values);
  const auto sum = [](const sequence<const double>& row) {
    const auto element = [row](index_t k) { return row[k % row.size()]; };
    const bool longer = row[0] < row[1];
    return reduce([](double a, double b) { return a / 2 + b; },
                  map(element, range(index_t{0}, longer ? index_t{9} : index_t{4})), 1.0);
  };
  check_rows(map(sum, split(s, 4)));
}

TEST_CASE("long rows of structs that all read the same") {
  struct force {
    float x;
    double y;
    bool operator==(const force&) const = default;
  };
  const auto values = made_up<float>(200);
  const auto all = make_sequence(values);
  const auto add = [](const force& a, const force& b) { return force{a.x + b.x, a.y + b.y}; };
  const auto forces = [all, add](float at) {
    const auto pull = [at](float other) { return force{other - at, double{other} * double{at}}; };
    return reduce(add, map(pull, all), force{0, 0});
  };
  check_rows(map(forces, all));
}

TEST_CASE("destinations of other types, and such that are no memory") {
  const auto values = made_up<float>(1000);
  const auto s = make_sequence(values);
  const auto sum = [s](index_t i) { return reduce(plus{}, subsequence(s, i, 7), 0.5F); };
  const auto e = map(sum, range(index_t{0}, index_t{500}));
  const auto expected = in_order(e);
  std::vector<double> wide(expected.size());
  execute(e, make_sequence(wide), platform::openmp{});
  CHECK(std::equal(wide.begin(), wide.end(), expected.begin()));
  std::vector<float> spread(2 * expected.size());
  execute(e, striding(make_sequence(spread), 2), platform::openmp{});
  for (std::size_t i = 0; i < expected.size(); ++i) CHECK(spread[2 * i] == expected[i]);
}
