// Proofs of the operators' rewrite rules: random expressions, rewritten and not, agree.
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <fettle/core/type_list.hpp>
#include <fettle/ndp/execute.hpp>
#include <fettle/ndp/operator/make_grid.hpp>
#include <fettle/ndp/sequence/make_sequence.hpp>
#include <fettle/ndp/shape/operator_rules.hpp>
#include <fettle/ndp/shape/side_by_side.hpp>

#include "ndp/support/values.hpp"
#include "support/catch.hpp"

namespace {

namespace ndp = fettle::ndp;
namespace rules = fettle::ndp::rules;
using ndp::index_t;
using ndp_test::made_up;

struct weigh {
  int weight;
  int operator()(int a, int b) const { return weight * a - b; }
};
/// Whole numbers mod 2^32 by a function that does not commute: x -> a x + b, composed.
struct affine {
  std::uint32_t a, b;
  friend bool operator==(const affine&, const affine&) = default;
};
struct compose {
  template <typename T>
  static constexpr T identity() {
    return {1, 0};
  }
  affine operator()(const affine& f, const affine& g) const { return {f.a * g.a, f.b * g.a + g.b}; }
};

/// Sizes and tiles, the edges among them and others at random.
template <typename Check>
void for_random_shapes(const Check& check) {
  std::mt19937 random(7);
  for (const index_t n : {0, 1, 2, 31, 32, 33, 127, 128, 129}) check(n, index_t{1} + n / 2);
  for (int i = 0; i < 40; ++i) {
    const auto n = static_cast<index_t>(random() % 700);
    check(n, index_t{1} + static_cast<index_t>(random() % 90));
  }
}

template <typename T, typename E>
[[nodiscard]] std::vector<T> result_of(const E& e, index_t n) {
  std::vector<T> out(static_cast<std::size_t>(n));
  ndp::execute(e, ndp::make_sequence(out), ndp::platform::openmp{});
  return out;
}

[[nodiscard]] std::vector<affine> made_up_functions(index_t n) {
  std::mt19937 random(static_cast<unsigned>(n) + 1);
  std::vector<affine> out;
  for (index_t i = 0; i < n; ++i) {
    out.push_back({static_cast<std::uint32_t>(random()), static_cast<std::uint32_t>(random())});
  }
  return out;
}

/// reduce in order of all of `x`, and its tiles' partials reduced.
template <typename T, typename Op>
void check_tiled_reduce(const std::vector<T>& x, const Op& op, const T& seed, index_t tile) {
  const auto e = ndp::reduce(op, ndp::make_sequence(x), seed);
  STATIC_REQUIRE(rules::tile_reduce::applies_v<decltype(e)>);
  const auto tiles = (static_cast<index_t>(x.size()) + tile - 1) / tile;
  const std::vector<T> partials = result_of<T>(rules::tile_reduce::partials(e, tile), tiles);
  const T tiled = ndp::execute(rules::tile_reduce::apply(e, ndp::make_sequence(partials)),
                               ndp::platform::openmp{});
  REQUIRE((tiled == e.evaluate()));
}

template <typename T, typename E>
void check_phases(const E& e, index_t n, index_t tile) {
  STATIC_REQUIRE(rules::three_phase_scan::applies_v<E>);
  const index_t tiles = (n + tile - 1) / tile;
  const std::vector<T> partials = result_of<T>(rules::three_phase_scan::partials(e, tile), tiles);
  const std::vector<T> starts =
      result_of<T>(rules::three_phase_scan::starts(e, ndp::make_sequence(partials)), tiles);
  const auto last = rules::three_phase_scan::apply(e, ndp::make_sequence(starts), tile);
  REQUIRE((result_of<T>(last, n) == result_of<T>(e, n)));
}

}  // namespace

TEST_CASE("a map is a map of maps of tiles, and back") {
  for_random_shapes([](index_t n, index_t tile) {
    CAPTURE(n, tile);
    const std::vector<int> a = made_up<int>(n, 1);
    const std::vector<int> b = made_up<int>(n, 2);
    const auto e =
        ndp::map(weigh{static_cast<int>(tile)}, ndp::make_sequence(a), ndp::make_sequence(b));
    STATIC_REQUIRE(rules::tile_map::applies_v<decltype(e)>);
    const auto tiled = rules::tile_map::apply(e, tile);
    STATIC_REQUIRE(rules::join_split::applies_v<decltype(tiled)>);
    const std::vector<int> expected = result_of<int>(e, n);
    REQUIRE(result_of<int>(tiled, n) == expected);
    const auto joined = rules::join_split::apply(tiled);
    STATIC_REQUIRE(std::is_same_v<decltype(joined), decltype(e)>);
    REQUIRE(result_of<int>(joined, n) == expected);
  });
  const auto rows = ndp::map(rules::detail::reduce_tile<ndp::plus, int>{},
                             ndp::split(ndp::sequence<const int>(), 3));
  STATIC_REQUIRE(!rules::tile_map::applies_v<decltype(rows)>);
}

TEST_CASE("a reduce is one of its tiles' reduces, in order") {
  for_random_shapes([](index_t n, index_t tile) {
    CAPTURE(n, tile);
    check_tiled_reduce(made_up<int>(n, 1), ndp::plus{}, 5, tile);
    check_tiled_reduce(made_up<int>(n, 1), ndp::maximum{}, -3, tile);
    check_tiled_reduce(made_up_functions(n), compose{}, affine{3, 1}, tile);
  });
  const auto without_identity =
      ndp::reduce([](int a, int b) { return a + b; }, ndp::sequence<const int>(), 0);
  STATIC_REQUIRE(!rules::tile_reduce::applies_v<decltype(without_identity)>);
}

TEST_CASE("a scan is three phases over tiles, exclusive and inclusive") {
  for_random_shapes([](index_t n, index_t tile) {
    CAPTURE(n, tile);
    const std::vector<int> x = made_up<int>(n, 1);
    const auto s = ndp::make_sequence(x);
    check_phases<int>(ndp::scan(ndp::plus{}, s, 5), n, tile);
    check_phases<int>(ndp::inclusive_scan(ndp::plus{}, s, 5), n, tile);
    const std::vector<affine> f = made_up_functions(n);
    check_phases<affine>(ndp::inclusive_scan(compose{}, ndp::make_sequence(f), affine{3, 1}), n,
                         tile);
  });
}

TEST_CASE("a transpose of a transpose is the table, and a gather of a gather one gather") {
  for_random_shapes([](index_t n, index_t tile) {
    CAPTURE(n, tile);
    const std::vector<int> x = made_up<int>(n * tile, 1);
    const auto grid = ndp::make_grid(ndp::make_sequence(x), n, tile);
    const auto twice = ndp::transpose(ndp::transpose(grid, tile), n);
    STATIC_REQUIRE(rules::transpose_twice::applies_v<decltype(twice)>);
    const auto& once = rules::transpose_twice::apply(twice);
    REQUIRE(twice.size() == once.size());
    for (index_t i = 0; i < n; ++i) {
      for (index_t k = 0; k < tile; ++k) REQUIRE(twice[i][k] == once[i][k]);
    }
    if (n == 0) return;
    std::mt19937 random(static_cast<unsigned>(n));
    std::vector<int> first(static_cast<std::size_t>(tile));
    std::vector<int> second(static_cast<std::size_t>(n));
    for (int& index : first) index = static_cast<int>(random() % x.size());
    for (int& index : second) index = static_cast<int>(random() % first.size());
    const auto gathered = ndp::gather(ndp::gather(ndp::make_sequence(x), ndp::make_sequence(first)),
                                      ndp::make_sequence(second));
    STATIC_REQUIRE(rules::gather_twice::applies_v<decltype(gathered)>);
    REQUIRE(result_of<int>(gathered, n) == result_of<int>(rules::gather_twice::apply(gathered), n));
  });
}

namespace {
template <typename Op>
struct reduce_row {
  Op op;
  int seed;
  template <typename... Rows>
  auto operator()(const Rows&... rows) const {
    return ndp::reduce(op, ndp::map(ndp::plus{}, rows...), seed);
  }
};

template <typename E1, typename E2>
void check_side_by_side(const E1& e1, const E2& e2, index_t n) {
  STATIC_REQUIRE(rules::side_by_side::applies_v<E1, E2>);
  std::vector<int> first(static_cast<std::size_t>(n));
  std::vector<int> second(static_cast<std::size_t>(n));
  ndp::execute(rules::side_by_side::apply(e1, e2),
               ndp::zip(ndp::make_sequence(first), ndp::make_sequence(second)),
               ndp::platform::openmp{});
  REQUIRE(first == result_of<int>(e1, n));
  REQUIRE(second == result_of<int>(e2, n));
}
}  // namespace

TEST_CASE("two maps are one map of pairs, of values and of rows") {
  for_random_shapes([](index_t n, index_t tile) {
    CAPTURE(n, tile);
    const std::vector<int> a = made_up<int>(n, 1);
    const std::vector<int> b = made_up<int>(n, 2);
    const auto x = ndp::make_sequence(a);
    const auto y = ndp::make_sequence(b);
    check_side_by_side(ndp::map(weigh{static_cast<int>(tile)}, x, y), ndp::map(ndp::negate{}, y),
                       n);
    const auto rows = ndp::split(x, tile);
    const auto others = ndp::split(y, tile);
    check_side_by_side(ndp::map(reduce_row<ndp::plus>{{}, 3}, rows, others),
                       ndp::map(reduce_row<ndp::maximum>{{}, -50}, rows, rows), rows.size());
  });
  using values = decltype(ndp::map(ndp::negate{}, ndp::sequence<const int>()));
  using row_values =
      decltype(ndp::map(reduce_row<ndp::plus>{{}, 3}, ndp::split(ndp::sequence<const int>(), 3),
                        ndp::split(ndp::sequence<const int>(), 3)));
  STATIC_REQUIRE(!rules::side_by_side::applies_v<values, row_values>);
}

TEST_CASE("every rule says what it replaces by what, and where") {
  std::set<std::string_view> names;
  fettle::for_each(rules::operator_rules{}, [&]<typename Rule>(fettle::type_tag<Rule>) {
    const rules::operator_rule its = Rule::rule;
    CHECK(names.insert(its.name).second);
    CHECK_FALSE(its.from.empty());
    CHECK_FALSE(its.to.empty());
    CHECK_FALSE(its.where.empty());
  });
  CHECK(names.size() == 6);
  CHECK(names.insert(rules::side_by_side::rule.name).second);
}
