// Reductions of short rows that lie apart in memory, against the same in order.
#include <cstddef>
#include <cstdint>
#include <vector>

#include <fettle/ndp.hpp>
#include <fettle/ndp/host/rows/rows_apart.hpp>
#include <fettle/ndp/openmp.hpp>

#include "ndp/support/in_order.hpp"
#include "ndp/support/values.hpp"
#include "support/catch.hpp"

using namespace fettle::ndp;
using ndp_test::in_order;

namespace {

struct squared_difference {
  template <typename T>
  T operator()(T a, T b) const {
    return static_cast<T>((a - b) * (a - b));
  }
};

// The distance of one row of a table from another one.
template <typename T>
struct distance_between {
  sequence<const T> table;
  index_t width;
  auto operator()(int a, int b) const {
    return reduce(plus{},
                  map(squared_difference{}, subsequence(table, a * width, width),
                      subsequence(table, b * width, width)),
                  T{7});
  }
};

template <typename T>
struct greatest_of_row {
  sequence<const T> table;
  index_t width;
  auto operator()(int a, int /*b*/) const {
    return reduce(maximum{}, subsequence(table, a * width, width), T{1});
  }
};

// A row that begins `step` elements behind its neighbour.
struct window_of {
  sequence<const float> signal;
  index_t step;
  index_t width;
  auto operator()(int a) const {
    return reduce(plus{}, subsequence(signal, a * step, width), 0.0f);
  }
};

template <typename T>
std::vector<T> whole_numbers(index_t count) {
  std::vector<T> found(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < found.size(); ++i) found[i] = static_cast<T>(i * 37 % 23);
  return found;
}

// Whole numbers this small are added without rounding, in any order.
template <typename E>
void check_rows(const E& e) {
  using value_type = typename host::detail::row_t<E>::value_type;
  const auto expected = in_order(e);
  std::vector<value_type> out(expected.size());
  execute(e, make_sequence(out), platform::openmp{});
  CHECK(out == expected);
}

constexpr index_t longest = 26;

}  // namespace

TEMPLATE_TEST_CASE("rows apart are reduced as in order", "[ndp][host]", float, double, int,
                   std::uint8_t) {
  constexpr int vectors = 41;
  for (index_t width = 0; width <= longest; ++width) {
    const auto table = whole_numbers<TestType>(vectors * width + 1);
    const sequence<const TestType> all(table.data(), vectors * width);
    for (const int pairs : {0, 1, 2, 3, 4, 5, 64, 131}) {
      CAPTURE(width, pairs);
      std::vector<int> a(static_cast<std::size_t>(pairs));
      std::vector<int> b(a.size());
      for (std::size_t k = 0; k < a.size(); ++k) {
        a[k] = static_cast<int>(k * 11 % vectors);
        b[k] = static_cast<int>(k * k % vectors);
      }
      const auto first = make_sequence(a);
      const auto second = make_sequence(b);
      check_rows(map(distance_between<TestType>{all, width}, first, second));
      check_rows(map(greatest_of_row<TestType>{all, width}, first, second));
    }
  }
}

TEST_CASE("rows that overlap, touch and lie apart are reduced alike", "[ndp][host]") {
  constexpr int rows = 70;
  std::vector<int> begins(rows);
  for (std::size_t k = 0; k < begins.size(); ++k) begins[k] = static_cast<int>(k);
  for (index_t width = 1; width <= longest; ++width) {
    for (const index_t step : {index_t{1}, index_t{7}, width, width + 1, 3 * width}) {
      CAPTURE(width, step);
      const auto signal = whole_numbers<float>((rows - 1) * step + width);
      check_rows(map(window_of{make_sequence(signal), step, width}, make_sequence(begins)));
    }
  }
}

TEST_CASE("an ordered schedule keeps the order in rows apart", "[ndp][host]") {
  constexpr index_t width = 16;
  constexpr int vectors = 20;
  std::vector<double> table(static_cast<std::size_t>(vectors * width));
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = i % 3 == 0 ? 1e16 : 1.0;
  std::vector<int> a(vectors);
  for (std::size_t k = 0; k < a.size(); ++k) a[k] = static_cast<int>(k * 7 % vectors);
  const auto sums =
      map([all = sequence<const double>(make_sequence(table))](
              int k) { return reduce(plus{}, subsequence(all, k * width, width), 0.0); },
          make_sequence(a));
  static_assert(host::detail::run_by_vectors<host::detail::row_t<decltype(sums)>>);
  const auto expected = in_order(sums);
  std::vector<double> out(expected.size());
  execute(sums, make_sequence(out), platform::openmp{},
          schedule::independent<schedule::sequential<>>{});
  CHECK(out == expected);
}

TEST_CASE("rows are apart where one argument shares nothing", "[ndp][host]") {
  const std::vector<float> numbers(64);
  const sequence<const float> all = make_sequence(numbers);
  using host::detail::are_apart;
  CHECK_FALSE(are_apart(subsequence(all, 0, 8), subsequence(all, 0, 8), 8));
  CHECK_FALSE(are_apart(subsequence(all, 0, 8), subsequence(all, 7, 8), 8));
  CHECK(are_apart(subsequence(all, 0, 8), subsequence(all, 8, 8), 8));
  CHECK(are_apart(subsequence(all, 8, 8), subsequence(all, 0, 8), 8));
  const auto product = [&](index_t left, index_t right) {
    return map(multiplies{}, subsequence(all, left, 8), subsequence(all, right, 8));
  };
  CHECK(are_apart(product(0, 3), product(0, 20), 8));
  CHECK_FALSE(are_apart(product(0, 3), product(0, 4), 8));
}
