// Joins and halos row by row, against their elements one by one.
#include <algorithm>
#include <vector>

#include <fettle/ndp.hpp>
#include <fettle/ndp/host/lanes/assign.hpp>
#include <fettle/ndp/host/lanes/fold.hpp>
#include <fettle/ndp/openmp.hpp>

#include "ndp/openmp/cases.hpp"
#include "ndp/support/values.hpp"
#include "support/catch.hpp"

using namespace fettle::ndp;
using ndp_test::elements;
using ndp_test::made_up;

namespace {

struct product_of_pair {
  template <typename Pair>
  double operator()(const Pair& p) const {
    return get<0>(p) * get<1>(p);
  }
};

struct sum_of_three {
  template <typename Three>
  double operator()(const Three& t) const {
    return get<0>(t) + 10 * get<1>(t) + 100 * get<2>(t);
  }
};

struct next_to_it {
  template <typename Cells>
  double operator()(const Cells& n) const {
    return n(0, 0) + 10 * n(-1, 0) + 100 * n(0, 1);
  }
};

// Every part of `e`, assigned and folded.
template <typename E>
void check_parts(const E& e) {
  static_assert(host::detail::row_wise<E>);
  const std::vector<double> expected = elements(e);
  const index_t size = e.size();
  for (const index_t begin : {index_t{0}, size / 3, size - 1}) {
    for (const index_t end : {begin + 1, size / 2, size}) {
      if (begin < 0 || begin > end) continue;
      INFO("elements " << begin << " to " << end << " of " << size);
      std::vector<double> out(expected.size(), -1);
      host::detail::assign(make_sequence(out), e, begin, std::min(end, size));
      double sum = 1;
      for (index_t i = 0; i < size; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const bool inside = i >= begin && i < end;
        REQUIRE(out[at] == (inside ? expected[at] : -1));
        if (inside) sum += expected[at];
      }
      CHECK(host::detail::fold(plus{}, e, begin, std::min(end, size), 1.0) == sum);
      CHECK(host::detail::fold_in_order(plus{}, e, begin, std::min(end, size), 1.0) == sum);
    }
  }
}

}  // namespace

TEST_CASE("joins of two and three sequences of any lengths") {
  const auto values = made_up<double>(200);
  for (const index_t a : {0, 1, 2, 7, 65}) {
    for (const index_t b : {0, 1, 3, 8, 9, 64, 130}) {
      const auto first = make_sequence(values.data(), a);
      const auto second = make_sequence(values.data() + 3, b);
      check_parts(map(product_of_pair{}, join(first, second)));
      check_parts(map(sum_of_three{}, join(first, range(0, 3), second)));
    }
  }
}

TEST_CASE("maps over a join beside other sequences") {
  const auto values = made_up<double>(6 * 11);
  const auto s = make_sequence(values);
  const auto pairs = join(subsequence(s, 0, 6), subsequence(s, 6, 11));
  const auto add = [](const auto& pair, double x) { return get<0>(pair) + get<1>(pair) - x; };
  check_parts(map(add, pairs, s));
  check_parts(map(add, pairs, map(negate{}, s)));
  const auto add_pairs = [](const auto& p, const auto& q) {
    return get<0>(p) + 2 * get<1>(p) + 3 * get<0>(q) + 4 * get<1>(q);
  };
  check_parts(map(add_pairs, pairs, pairs));
  // As long, but of rows of another width.
  check_parts(map(add_pairs, pairs, join(subsequence(s, 0, 11), subsequence(s, 11, 6))));
}

TEST_CASE("rows of a join refer to the elements themselves") {
  const std::vector<double> points = {1, 1, 2};
  const auto s = make_sequence(points);
  const auto others =
      map([](const auto& p) { return &get<0>(p) == &get<1>(p) ? 0 : 1; }, join(s, s));
  std::vector<int> out(9);
  host::detail::assign(make_sequence(out), others, 0, 9);
  CHECK(out == std::vector<int>{0, 1, 1, 1, 0, 1, 1, 1, 0});
}

TEST_CASE("joins by every schedule") {
  const auto values = made_up<double>(300);
  const auto s = make_sequence(values);
  const auto e = map(product_of_pair{}, join(s, subsequence(s, 0, 40)));
  openmp_cases::check_every_way(e, elements(e));
}

TEST_CASE("maps over halos, of every height and width") {
  const auto values = made_up<double>(40 * 90);
  for (const index_t height : {1, 2, 3, 40}) {
    for (const index_t width : {1, 2, 3, 10, 90}) {
      INFO(height << " x " << width);
      const auto grid =
          make_grid(subsequence(make_sequence(values), 0, height * width), height, width);
      check_parts(map(next_to_it{}, halo(grid, 1, boundary::wrap{})));
      check_parts(map(next_to_it{}, halo(grid, constant<2>{}, boundary::constant{0.5})));
    }
  }
}
