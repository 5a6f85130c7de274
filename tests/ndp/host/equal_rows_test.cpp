// Rows of one length, unrolled for it: the values of a loop for each length and any number of rows.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <fettle/ndp.hpp>
#include <fettle/ndp/host/rows/equal_rows.hpp>

#include "ndp/support/values.hpp"
#include "support/catch.hpp"

using namespace fettle::ndp;
using ndp_test::made_up;

namespace {

constexpr index_t longest = 16;  // as in optimised programs

template <typename Op, typename T>
struct fold_row {
  T seed;
  template <typename Row>
  auto operator()(const Row& row) const {
    return reduce(Op{}, row, seed);
  }
};

template <typename Op, typename T>
struct fold_products {
  sequence<const T> factors;
  template <typename Row, typename Columns>
  auto operator()(const Row& row, const Columns& columns) const {
    return reduce(Op{}, map(multiplies{}, row, gather(factors, columns)), T(1));
  }
};

template <typename T>
[[nodiscard]] bool same(T a, T b) {
  return a == b || (std::isnan(static_cast<double>(a)) && std::isnan(static_cast<double>(b)));
}

// Each number of rows up to three times eight, behind two that are left alone.
template <bool ByVectors, typename E, typename T>
void check_rows(index_t length, const E& e, const std::vector<T>& expected) {
  for (index_t count = 0; count <= 25; ++count) {
    CAPTURE(length, count, ByVectors);
    std::vector<T> found(expected.size(), T(77));
    host::detail::reduce_rows_of<ByVectors, longest>(length, e, make_sequence(found), 2, count,
                                                     count % 2 == 0);
    for (index_t i = 0; i < e.size(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      const bool done = i >= 2 && i < 2 + count;
      REQUIRE(same(found[at], done ? expected[at] : T(77)));
    }
  }
}

// `strange` is every fifth element; a zero leaves them all as they are.
template <typename Op, typename T>
void check_all_lengths(T strange = T(0)) {
  for (index_t length = 0; length <= longest; ++length) {
    const std::vector<index_t> offsets =
        ndp_test::rows{"", std::vector<index_t>(27, length)}.offsets();
    const auto elements = static_cast<std::size_t>(27 * length);
    std::vector<T> x = made_up<T>(27 * length);
    for (std::size_t i = 0; strange != T(0) && i < elements; i += 5) x[i] = strange;
    std::vector<std::int32_t> columns(elements);
    for (std::size_t i = 0; i < elements; ++i) {
      columns[i] = static_cast<std::int32_t>((7 * i + 3) % elements);
    }
    std::vector<T> folds;
    std::vector<T> products;
    for (std::size_t i = 0; i < 27; ++i) {
      T fold(5);
      T product(1);
      for (std::size_t k = i * elements / 27; k < (i + 1) * elements / 27; ++k) {
        fold = Op{}(fold, x[k]);
        product = Op{}(product, static_cast<T>(x[k] * x[static_cast<std::size_t>(columns[k])]));
      }
      folds.push_back(fold);
      products.push_back(product);
    }
    const auto rows = nest(make_sequence(x), make_sequence(offsets));
    const auto e = map(fold_row<Op, T>{T(5)}, rows);
    check_rows<true>(length, e, folds);
    check_rows<false>(length, e, folds);
    const auto gathered = map(fold_products<Op, T>{make_sequence(x)}, rows,
                              nest(make_sequence(columns), make_sequence(offsets)));
    check_rows<true>(length, gathered, products);
    check_rows<false>(length, gathered, products);
  }
}

}  // namespace

TEST_CASE("rows of each length that is unrolled yield what a loop does") {
  check_all_lengths<plus, double>();
  check_all_lengths<plus, float>();
  check_all_lengths<maximum, std::int32_t>();
}

TEST_CASE("what is not a number passes through unrolled rows as through a loop") {
  check_all_lengths<minimum, double>(std::numeric_limits<double>::quiet_NaN());
  check_all_lengths<plus, double>(std::numeric_limits<double>::quiet_NaN());
}
