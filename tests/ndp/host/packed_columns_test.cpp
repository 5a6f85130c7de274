// Row programs over columns and columns that functions with state read, which are packed where they
// are long, against plain loops.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <fettle/ndp.hpp>
#include <fettle/ndp/host/rows/packed_columns.hpp>
#include <fettle/ndp/openmp.hpp>

#include "ndp/support/values.hpp"
#include "support/catch.hpp"
#include "support/openmp_threads.hpp"

using namespace fettle::ndp;
using ndp_test::made_up;

namespace {

const std::vector<std::pair<index_t, index_t>> shapes = {
    {0, 3},  {1, 9},  {2, 2},    {63, 17},  {64, 1},    {64, 2},     {64, 7},
    {65, 8}, {65, 9}, {257, 33}, {1000, 5}, {1030, 16}, {200000, 3}, {3, 200},
};

struct spread {  // a row program that yields a value
  template <typename Column>
  long operator()(const Column& column) const {
    const long least = reduce(minimum{}, column, 1000L);
    const long sum = reduce(plus{}, map([least](auto x) { return x - least; }, column), 0L);
    return sum - least;
  }
};
struct less_sum {  // ... that yields a row
  template <typename Column>
  auto operator()(const Column& column) const {
    const long sum = reduce(plus{}, column, 0L);
    return map([sum](auto x) { return x - sum; }, column);
  }
};
struct less_first {  // a map with state, and no program
  template <typename Column>
  auto operator()(const Column& column) const {
    const long first = column.size() > 0 ? static_cast<long>(column[0]) : 0L;
    return map([first](auto x) { return x - first; }, column);
  }
};
struct scaled_sum {  // of columns of two types and a number
  template <typename A, typename B>
  double operator()(const A& a, const B& b, double scale) const {
    const double sum = reduce(plus{}, a, 0.0);
    return scale *
           reduce(plus{}, map([sum](auto x) { return static_cast<double>(x) * sum; }, b), 0.0);
  }
};

template <typename E, typename D, typename T>
void check(const E& e, const D& into, std::vector<T>& out, const std::vector<T>& expected) {
  static_assert(host::detail::packs_columns<E, D>);
  std::fill(out.begin(), out.end(), T(77));
  execute(e, into, platform::openmp{});
  CHECK(out == expected);
  std::fill(out.begin(), out.end(), T(77));
  execute(e, into, platform::openmp{}, schedule::independent<>{}, openmp::policy{.num_threads = 3});
  CHECK(out == expected);
}

template <typename Columns, typename Into>
void check_columns(const std::vector<int>& x, index_t width, const Columns& columns,
                   std::vector<long>& out, const Into& into) {
  const auto count = static_cast<index_t>(x.size());
  std::vector<long> spreads;
  std::vector<long> less_sums(x.size());
  std::vector<long> less_firsts(x.size());
  for (index_t u = 0; u < width; ++u) {
    long least = 1000;
    long sum = 0;
    long elements = 0;
    for (index_t i = u; i < count; i += width) {
      const long value = x[static_cast<std::size_t>(i)];
      least = std::min(least, value);
      sum += value;
      ++elements;
    }
    spreads.push_back(sum - elements * least - least);
    for (index_t i = u; i < count; i += width) {
      const auto k = static_cast<std::size_t>(i);
      less_sums[k] = x[k] - sum;
      less_firsts[k] = x[k] - long{x[static_cast<std::size_t>(u)]};
    }
  }
  std::vector<long> values(spreads.size());
  check(map(spread{}, columns), make_sequence(values), values, spreads);
  check(map(less_sum{}, columns), into, out, less_sums);
  check(map(less_first{}, columns), into, out, less_firsts);
}

TEST_CASE("row programs and functions with state over columns") {
#ifdef _OPENMP
  const test::threads threads(2);
#endif
  for (const auto& [height, width] : shapes) {
    CAPTURE(height, width);
    const std::vector<int> x = made_up<int>(height * width);
    std::vector<long> out(x.size());
    check_columns(x, width, transpose(make_grid(make_sequence(x), height, width)), out,
                  transpose(make_grid(make_sequence(out), height, width)));
  }
}

TEST_CASE("columns of which the last are shorter") {
  for (const index_t count : {64, 900, 1025, 6401}) {
    for (const index_t width : {1, 7, 9, 13, 64}) {
      CAPTURE(count, width);
      const std::vector<int> x = made_up<int>(count);
      std::vector<long> out(x.size());
      check_columns(x, width, cyclic(make_sequence(x), width), out,
                    cyclic(make_sequence(out), width));
    }
  }
}

TEST_CASE("columns of several types, one beside the other, and results that go into rows") {
  for (const auto& [height, width] : shapes) {
    CAPTURE(height, width);
    const auto bytes = made_up<std::int8_t>(height * width);
    const auto numbers = made_up<double>(height * width);
    const auto scales = made_up<double>(width);
    std::vector<double> expected;
    std::vector<long> turned(bytes.size());
    for (index_t u = 0; u < width; ++u) {
      double sum = 0;
      double products = 0;
      for (index_t k = 0; k < height; ++k) sum += bytes[static_cast<std::size_t>(k * width + u)];
      for (index_t k = 0; k < height; ++k) {
        products += numbers[static_cast<std::size_t>(k * width + u)] * sum;
        turned[static_cast<std::size_t>(u * height + k)] =
            bytes[static_cast<std::size_t>(k * width + u)] - static_cast<long>(sum);
      }
      expected.push_back(scales[static_cast<std::size_t>(u)] * products);
    }
    const auto columns = transpose(make_grid(make_sequence(bytes), height, width));
    std::vector<double> values(expected.size());
    check(map(scaled_sum{}, columns, transpose(make_grid(make_sequence(numbers), height, width)),
              make_sequence(scales)),
          make_sequence(values), values, expected);
    std::vector<long> out(turned.size());
    check(map(less_sum{}, columns), make_grid(make_sequence(out), width, height), out, turned);
  }
}

TEST_CASE("columns beside columns without elements") {
  const std::vector<int> x = made_up<int>(100 * 9);
  const std::vector<int> none;
  const auto e = map(
      [](const auto& a, const auto& b) {
        return reduce(plus{}, a, 0L) * 10 + b.size() + reduce(plus{}, b, 0L);
      },
      transpose(make_grid(make_sequence(x), 100, 9)),
      transpose(make_grid(make_sequence(none), 0, 9)));
  std::vector<long> expected(9);
  for (std::size_t i = 0; i < x.size(); ++i) expected[i % 9] += 10 * x[i];
  std::vector<long> out(9);
  check(e, make_sequence(out), out, expected);
}

}  // namespace
