// Maps and scans of columns, transpositions, and rows whose results are written into columns,
// against plain loops.
#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include <fettle/ndp.hpp>
#include <fettle/ndp/host/rows/column_elements.hpp>
#include <fettle/ndp/openmp.hpp>

#include "ndp/support/values.hpp"
#include "support/catch.hpp"

using namespace fettle::ndp;
using ndp_test::made_up;

namespace {

const std::vector<std::pair<index_t, index_t>> shapes = {
    {0, 0},   {0, 5},     {5, 0},    {1, 1},     {1, 9},     {9, 1},
    {2, 2},   {3, 8},     {8, 3},    {7, 9},     {17, 16},   {16, 17},
    {63, 65}, {129, 127}, {5, 1025}, {1030, 16}, {3, 40000}, {40000, 3}};

template <typename Row>
using value_of = std::remove_cvref_t<decltype(std::declval<const Row&>()[0])>;

struct twice {
  template <typename Row>
  auto operator()(const Row& row) const {
    return map([](auto x) { return static_cast<decltype(x)>(x + x); }, row);
  }
};
struct doubled_and_added {
  template <typename Row, typename Other>
  auto operator()(const Row& row, const Other& other) const {
    return map([](auto x, auto y) { return static_cast<decltype(x)>(2 * x + y); }, row, other);
  }
};
struct less_its_first {  // with a state, which is not made again for each element
  template <typename Row>
  auto operator()(const Row& row) const {
    const auto first = row.size() > 0 ? row[0] : value_of<Row>{};
    return map([first](auto x) { return static_cast<decltype(x)>(x - first); }, row);
  }
};
struct sums {
  template <typename Row>
  auto operator()(const Row& row) const {
    return inclusive_scan(plus{}, row, value_of<Row>(3));
  }
};
struct sums_before {
  template <typename Row>
  auto operator()(const Row& row) const {
    return scan(plus{}, map([](auto x) { return static_cast<decltype(x)>(2 * x); }, row),
                value_of<Row>(1));
  }
};
// Associative, and not commutative: which comes last.
struct latter {
  template <typename T>
  T operator()(const T& a, const T& b) const {
    return b == T{} ? a : b;
  }
};
struct latest {
  template <typename Row>
  auto operator()(const Row& row) const {
    return inclusive_scan(latter{}, row, value_of<Row>(0));
  }
};

// Executes by default, by threads that take columns, and by one thread; `expected` is row-wise.
template <typename E, typename Into, typename T>
void check(const E& e, const Into& into, std::vector<T>& out, const std::vector<T>& expected) {
  const auto again = [&] { std::fill(out.begin(), out.end(), T(77)); };
  again();
  execute(e, into, platform::openmp{});
  CHECK(out == expected);
  again();
  using inner = std::conditional_t<scan_node<host::detail::row_t<E>>, schedule::cooperative<>,
                                   schedule::independent<>>;
  execute(e, into, platform::openmp{}, schedule::independent<inner>{},
          openmp::policy{.num_threads = 3});
  CHECK(out == expected);
  again();
  execute(e, into, platform::openmp{}, schedule::independent<>{}, openmp::policy{.num_threads = 1});
  CHECK(out == expected);
}

template <typename T, typename F>
std::vector<T> down(const std::vector<T>& x, index_t height, index_t width, F f) {
  std::vector<T> y(x.size());
  for (index_t u = 0; u < width; ++u) {
    for (index_t k = 0; k < height; ++k) {
      y[static_cast<std::size_t>(k * width + u)] = f(k, u);
    }
  }
  return y;
}

template <typename T>
void check_all(index_t height, index_t width) {
  const auto count = static_cast<std::size_t>(height * width);
  const std::vector<T> x = made_up<T>(height * width);
  const std::vector<T> z = made_up<T>(height * width);
  std::vector<T> out(count);
  const auto at = [&](const std::vector<T>& of, index_t k, index_t u) {
    return of[static_cast<std::size_t>(k * width + u)];
  };
  const auto in = make_grid(make_sequence(x), height, width);
  const auto other = make_grid(make_sequence(z), height, width);
  const auto columns = transpose(make_grid(make_sequence(out), height, width));
  using all = decltype(columns);
  static_assert(host::detail::column_elements<decltype(map(twice{}, transpose(in))), all>);
  static_assert(host::detail::column_elements<decltype(map(sums{}, transpose(in))), all>);
  static_assert(
      !host::detail::column_elements<decltype(map(less_its_first{}, transpose(in))), all>);
  check(map(twice{}, transpose(in)), columns, out,
        down(x, height, width, [&](index_t k, index_t u) { return T(2 * at(x, k, u)); }));
  check(map(doubled_and_added{}, transpose(in), transpose(other)), columns, out,
        down(x, height, width,
             [&](index_t k, index_t u) { return T(2 * at(x, k, u) + at(z, k, u)); }));
  check(map(less_its_first{}, transpose(in)), columns, out,
        down(x, height, width, [&](index_t k, index_t u) { return T(at(x, k, u) - at(x, 0, u)); }));
  check(map(sums{}, transpose(in)), columns, out,
        down(x, height, width, [&, sum = T()](index_t k, index_t u) mutable {
          sum = T((k == 0 ? T(3) : sum) + at(x, k, u));
          return sum;
        }));
  check(map(sums_before{}, transpose(in)), columns, out,
        down(x, height, width, [&, sum = T()](index_t k, index_t u) mutable {
          sum = k == 0 ? T(1) : T(sum + T(2 * at(x, k - 1, u)));
          return sum;
        }));
  check(map(latest{}, transpose(in)), columns, out,
        down(x, height, width, [&, last = T()](index_t k, index_t u) mutable {
          last = latter{}(k == 0 ? T() : last, at(x, k, u));
          return last;
        }));

  const std::vector<T> turned = [&] {
    std::vector<T> y(count);
    for (index_t k = 0; k < height; ++k) {
      for (index_t u = 0; u < width; ++u) y[static_cast<std::size_t>(u * height + k)] = at(x, k, u);
    }
    return y;
  }();
  const auto rows = make_grid(make_sequence(out), width, height);
  check(transpose(in), rows, out, turned);
  std::vector<T> twice_turned(turned);
  for (T& one : twice_turned) one = T(one + one);
  check(map(twice{}, in), transpose(rows), out, twice_turned);
}

TEST_CASE("maps and scans of columns") {
  for (const auto& [height, width] : shapes) {
    CAPTURE(height, width);
    check_all<int>(height, width);
    check_all<short>(height, width);
    check_all<double>(height, width);
  }
}

TEST_CASE("columns of a cyclic distribution, the last of which are shorter") {
  for (const index_t count : {1, 2, 30, 31, 32, 33, 1000, 4097}) {
    for (const index_t tile : {1, 2, 7, 31, 64, 1500}) {
      CAPTURE(count, tile);
      const std::vector<int> x = made_up<int>(count);
      std::vector<int> out(x.size());
      const auto every = [&](auto f) {
        std::vector<int> y(x.size());
        for (index_t u = 0; u < tile; ++u) {
          int sum = 3;
          for (index_t i = u; i < count; i += tile) {
            const auto k = static_cast<std::size_t>(i);
            y[k] = f(x[k], sum += x[k]);
          }
        }
        return y;
      };
      const auto into = cyclic(make_sequence(out), tile);
      check(map(twice{}, cyclic(make_sequence(x), tile)), into, out,
            every([](int one, int /*sum*/) { return 2 * one; }));
      check(map(sums{}, cyclic(make_sequence(x), tile)), into, out,
            every([](int /*one*/, int sum) { return sum; }));
    }
  }
}

TEST_CASE("scans of columns in their place") {
  std::vector<int> x = made_up<int>(37 * 29);
  const std::vector<int> before = x;
  const auto columns = transpose(make_grid(make_sequence(x), 37, 29));
  execute(map(sums{}, columns), columns, platform::openmp{});
  CHECK(x == down(before, 37, 29, [&, sum = 0](index_t k, index_t u) mutable {
          sum = (k == 0 ? 3 : sum) + before[static_cast<std::size_t>(k * 29 + u)];
          return sum;
        }));
}

}  // namespace
