// What training does to a destination: what it copies, compares, poisons and restores.
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <fettle/ndp.hpp>
#include <fettle/ndp/tuned/captured.hpp>
#include <fettle/ndp/tuned/written.hpp>

#include "ndp/support/values.hpp"
#include "support/catch.hpp"

namespace ndp = fettle::ndp;
using ndp::captured;
using ndp::index_t;

namespace {

const ndp::platform::openmp on;

template <typename T>
captured copy_of(const std::vector<T>& values, index_t elements = 0) {
  captured copy(elements);
  copy.add(ndp::make_sequence(values), on);
  return copy;
}
template <typename T>
bool agree(const std::vector<T>& reference, const std::vector<T>& output, index_t elements = 0) {
  return copy_of(reference, elements).agrees_with(copy_of(output, elements));
}

struct halve {
  double operator()(double x) const { return 0.5 * x; }
};
struct row_sum {
  template <typename Row>
  auto operator()(const Row& row) const {
    return ndp::reduce(ndp::plus{}, row, 0.0);
  }
};
struct row_scan {
  template <typename Row>
  auto operator()(const Row& row) const {
    return ndp::scan(ndp::plus{}, row, 0.0);
  }
};
struct plus_pairs {
  template <typename A, typename B>
  auto operator()(const A& a, const B& b) const {
    return ndp::map(ndp::plus{}, a, b);
  }
};
struct nothing {
  void operator()(double) const {}
};
struct both {
  double operator()(const ndp::tuple<double, double>& x) const { return get<0>(x); }
};

/// The indices of a flat destination that are poisoned: those that do not hold 1.
std::vector<index_t> poisoned(const std::vector<double>& values) {
  std::vector<index_t> indices;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] != 1.0) indices.push_back(static_cast<index_t>(i));
  }
  return indices;
}
using indices = std::vector<index_t>;

}  // namespace

namespace own {

struct angle {
  double degrees = 0;
};
bool fettle_agrees(const angle& a, const angle& b) {
  return std::fabs(std::fmod(a.degrees - b.degrees, 360.0)) < 1e-9;
}
struct opaque {
  double value = 0;
};

}  // namespace own

TEST_CASE("numbers agree within a tolerance of their type, everything else exactly") {
  CHECK(agree<double>({1.0, 2.0}, {1.0, 2.0 * (1 + 1e-10)}));
  CHECK_FALSE(agree<double>({1.0, 2.0}, {1.0, 2.0 * (1 + 1e-8)}));
  CHECK(agree<float>({1.0F}, {1.00001F}));
  CHECK_FALSE(agree<float>({1.0F}, {1.001F}));
  CHECK(agree<int>({1, 2}, {1, 2}));
  CHECK_FALSE(agree<int>({1, 2}, {1, 3}));
  CHECK_FALSE(agree<int>({1, 2}, {1, 2, 3}));
  CHECK(agree<ndp_test::particle>({{1.0, 1.0F, 3}}, {{1.0, 1.0F, 3}}));
  CHECK_FALSE(agree<ndp_test::particle>({{1.0, 1.0F, 3}}, {{1.0, 1.0F, 4}}));
  CHECK(agree<std::string>({"a"}, {"a"}));
  CHECK_FALSE(agree<std::string>({"a"}, {"b"}));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(agree<double>({nan, infinity}, {nan, infinity}));
  CHECK_FALSE(agree<double>({infinity}, {1.0}));
  CHECK_FALSE(agree<double>({nan}, {1.0}));
}

TEST_CASE("what cancels out may be as far off as the largest number around it says") {
  CHECK(agree<double>({1e6, 0.0}, {1e6, 1e-4}));
  CHECK_FALSE(agree<double>({1.0, 0.0}, {1.0, 1e-4}));
  // Sums of very many numbers are allowed more.
  CHECK_FALSE(agree<double>({1.0}, {1.0 + 5e-9}));
  CHECK(agree<double>({1.0}, {1.0 + 5e-9}, 100'000'000));
}

TEST_CASE("a program's own types agree by its own comparison, or are left alone") {
  CHECK(agree<own::angle>({{10.0}}, {{370.0}}));
  CHECK_FALSE(agree<own::angle>({{10.0}}, {{30.0}}));
  CHECK(agree<own::opaque>({{10.0}}, {{30.0}}));
}

TEST_CASE("bools and values are kept too") {
  bool reference[] = {true, false};
  bool output[] = {true, true};
  captured a;
  captured b;
  a.add(ndp::sequence<bool>(reference, 2), on);
  b.add(ndp::sequence<bool>(output, 2), on);
  CHECK(a.agrees_with(a));
  CHECK_FALSE(a.agrees_with(b));
  captured one;
  captured same;
  captured none;
  one.add(std::optional<double>(1.0));
  same.add(std::optional<double>(1.0));
  none.add(std::optional<double>());
  CHECK(one.agrees_with(same));
  CHECK_FALSE(one.agrees_with(none));
  CHECK_FALSE(one.agrees_with(captured()));
}

TEST_CASE("what was there can be put back") {
  std::vector<double> x{1, 2, 3};
  std::vector<std::uint8_t> y{4, 5};
  captured before;
  before.add(ndp::make_sequence(x), on);
  before.add(ndp::make_sequence(y), on);
  x.assign(3, 0);
  y.assign(2, 0);
  std::size_t place = 0;
  before.restore(place, ndp::make_sequence(x), on);
  before.restore(place, ndp::make_sequence(y), on);
  CHECK(x == std::vector<double>{1, 2, 3});
  CHECK(y == std::vector<std::uint8_t>{4, 5});
}

TEST_CASE("only what every correct run overwrites is poisoned") {
  const std::vector<double> values(12, 2.0);
  const std::vector<int> offsets{2, 4, 4, 7};
  const std::vector<int> keys{0, 0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3};
  const auto s = ndp::make_sequence(values);
  const auto rows = ndp::nest(s, ndp::make_sequence(offsets));
  std::vector<double> out(14, 1.0);
  const auto poisoned_by = [&](const auto& e) {
    out.assign(14, 1.0);
    ndp::detail::poison(e, ndp::make_sequence(out), on);
    return poisoned(out);
  };
  CHECK(poisoned_by(ndp::map(halve{}, s)) == indices{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  CHECK(poisoned_by(ndp::scan(ndp::plus{}, s, 0.0)).size() == 12);
  CHECK(poisoned_by(ndp::reduce(ndp::plus{}, s, 0.0)) == indices{0});
  CHECK(poisoned_by(ndp::map(row_sum{}, rows)) == indices{0, 1, 2});
  CHECK(poisoned_by(ndp::map(row_scan{}, rows)) == indices{2, 3, 4, 5, 6});
  CHECK(poisoned_by(ndp::reduce_by_key(ndp::plus{}, s, ndp::make_sequence(keys), 0.0)) ==
        indices{0});
  const std::vector<double> seed(3);
  CHECK(poisoned_by(ndp::reduce(plus_pairs{}, ndp::split(s, 3), ndp::make_sequence(seed))) ==
        indices{0, 1, 2});

  // Rows in a destination of their own, zipped destinations, views that are left alone, a value.
  out.assign(14, 1.0);
  const std::vector<int> wider{1, 3, 3, 6};
  ndp::detail::poison(ndp::map(row_scan{}, rows),
                      ndp::nest(ndp::make_sequence(out), ndp::make_sequence(wider)), on);
  CHECK(poisoned(out) == indices{1, 2, 3, 4, 5});
  out.assign(14, 1.0);
  std::vector<double> other(14, 1.0);
  ndp::detail::poison(ndp::map(ndp::identity{}, ndp::zip(s, s)),
                      ndp::zip(ndp::make_sequence(out), ndp::make_sequence(other)), on);
  CHECK(poisoned(out).size() == 12);
  CHECK(poisoned(other).size() == 12);
  out.assign(14, 1.0);
  ndp::detail::poison(ndp::map(halve{}, s), ndp::reverse(ndp::make_sequence(out)), on);
  CHECK(poisoned(out).empty());
  std::optional<double> value = 3.0;
  ndp::detail::poison(ndp::reduce(ndp::plus{}, s, 0.0), ndp::returned_value<double>{&value}, on);
  CHECK_FALSE(value);
}

TEST_CASE("whether a computation overwrites what it reads") {
  std::vector<double> x(10);
  std::vector<double> y(10);
  std::vector<int> at(5);
  const auto a = ndp::make_sequence(x);
  const auto b = ndp::make_sequence(y);
  const auto i = ndp::make_sequence(at);
  using ndp::detail::is_in_place;
  CHECK(is_in_place(ndp::map(halve{}, a), a));
  CHECK(is_in_place(ndp::scan(ndp::plus{}, ndp::map(halve{}, a), 0.0), a));
  CHECK(is_in_place(ndp::map(halve{}, ndp::subsequence(a, 0, 5)), ndp::subsequence(a, 4, 5)));
  CHECK(is_in_place(ndp::map(both{}, ndp::zip(b, a)), ndp::reverse(a)));
  CHECK_FALSE(is_in_place(ndp::map(halve{}, ndp::subsequence(a, 0, 5)), ndp::subsequence(a, 5, 5)));
  CHECK_FALSE(is_in_place(ndp::map(halve{}, a), b));
  CHECK_FALSE(is_in_place(ndp::map(nothing{}, a), ndp::no_destination{}));
  CHECK_FALSE(is_in_place(ndp::scatter(a, i, b), ndp::no_destination{}));
  CHECK(is_in_place(ndp::scatter(a, i, a), ndp::no_destination{}));
  std::optional<double> value;
  CHECK_FALSE(is_in_place(ndp::reduce(ndp::plus{}, a, 0.0), ndp::returned_value<double>{&value}));
}
