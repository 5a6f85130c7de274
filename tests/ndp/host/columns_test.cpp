// Reductions of columns in the order of memory, on one thread and by a team, against the same calls
// one by one.
#include <algorithm>
#include <vector>

#include <fettle/ndp.hpp>
#include <fettle/ndp/host/rows/columns.hpp>
#include <fettle/ndp/host/whole/columns.hpp>
#include <fettle/ndp/openmp.hpp>

#include "ndp/support/in_order.hpp"
#include "ndp/support/values.hpp"
#include "support/catch.hpp"
#include "support/openmp_threads.hpp"

using namespace fettle::ndp;
using ndp_test::in_order;
using ndp_test::made_up;

namespace {

template <typename E>
void check_columns(const E& e) {
  static_assert(host::detail::columns_node<E>);
  const auto expected = in_order(e);
  using value = typename decltype(expected)::value_type;
  std::vector<value> out(expected.size());
  host::detail::reduce_columns(e, make_sequence(out), 0, e.size(), [&](index_t begin, index_t end) {
    std::copy(expected.begin() + begin, expected.begin() + end, out.begin() + begin);
  });
  CHECK(out == expected);
  out.assign(expected.size(), value{77});
  execute(e, make_sequence(out), platform::openmp{});
  CHECK(out == expected);
  out.assign(expected.size(), value{77});
  execute(e, make_sequence(out), platform::openmp{},
          schedule::independent<schedule::sequential<>>{}, openmp::policy{.num_threads = 3});
  CHECK(out == expected);
  if constexpr (host::detail::team_reducible<host::detail::row_t<E>>) {
    const openmp::policy policy{.num_threads = 4};
    out.assign(expected.size(), value{77});
    const openmp::detail::team at(policy);  // of one thread where there is no OpenMP
    const bool are_shared = host::detail::reduce_shared_columns(at, e, make_sequence(out));
    const index_t length = e[0].source.size();
    CHECK(are_shared == (length >= at.threads() && e[e.size() - 1].source.size() == length));
    if (are_shared) CHECK(out == expected);
  }
}

struct sum {
  template <typename Column>
  auto operator()(const Column& column) const {
    return reduce(plus{}, column, 5);
  }
};
struct greatest {
  template <typename Column>
  auto operator()(const Column& column) const {
    return reduce(maximum{}, column, -100.0F);
  }
};
// Neither commutative nor known to the library.
struct last_nonzero {
  int operator()(int a, int b) const { return b != 0 ? b : a; }
};
struct last_of_column {
  template <typename Column>
  auto operator()(const Column& column) const {
    return reduce(last_nonzero{}, column, -1);
  }
};
// The greatest number and its place, the first of equal ones; a structure with a gap.
struct place {
  int number = 0;
  index_t at = 0;
  bool operator==(const place&) const = default;
};
struct greater_place {
  place operator()(const place& a, const place& b) const { return b.number > a.number ? b : a; }
};
struct greatest_place {
  template <typename Column>
  auto operator()(const Column& column) const {
    return reduce(greater_place{},
                  map([](int number, auto at) { return place{number, index_t{at}}; }, column,
                      range(0, column.size())),
                  place{-200, -1});
  }
};

}  // namespace

TEST_CASE("columns of tables of all shapes") {
  for (const index_t columns : {1, 2, 3, 7, 8, 9, 63, 64, 65, 127, 129, 1025}) {
    for (const index_t rows : {0, 1, 2, 3, 4, 5, 7, 8, 9, 31, 33, 64, 65}) {
      INFO(rows << " rows of " << columns);
      const auto bytes = made_up<std::int8_t>(rows * columns);
      check_columns(map(sum{}, transpose(make_grid(make_sequence(bytes), rows, columns), columns)));
      const auto floats = made_up<float>(rows * columns);
      check_columns(map(greatest{}, transpose(split(make_sequence(floats), columns), columns)));
      const auto numbers = made_up<int>(rows * columns);
      check_columns(map(last_of_column{}, cyclic(make_sequence(numbers), columns)));
      check_columns(map(greatest_place{}, transpose(split(make_sequence(numbers), columns))));
    }
  }
}

TEST_CASE("more columns than are reduced at once, and a last row that is shorter") {
  const auto bytes = made_up<std::int8_t>(9 * 5000);
  check_columns(map(sum{}, transpose(split(make_sequence(bytes), 5000))));
  const auto ragged = made_up<int>(9 * 5000 + 17);
  check_columns(map(sum{}, cyclic(make_sequence(ragged), 5000)));
}

TEST_CASE("threads share few long columns, by the default rule too") {
#ifdef _OPENMP
  const test::threads threads(4);
#endif
  for (const index_t columns : {1, 2, 3, 17, 200}) {
    INFO(columns << " columns");
    const index_t rows = 300000 / columns;
    const auto numbers = made_up<int>(rows * columns);
    const auto e = map(last_of_column{}, transpose(split(make_sequence(numbers), columns)));
    CHECK(host::detail::shares_columns(e, 4));
    check_columns(e);
  }
  const auto wide = made_up<int>(1000 * 300);
  CHECK(!host::detail::shares_columns(map(sum{}, transpose(split(make_sequence(wide), 1000))), 4));
}
