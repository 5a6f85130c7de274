// What a tuned computation is recognised and described by: its signature, its features, and the
// statistics of rows behind them, against plain loops.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <fettle/ndp.hpp>
#include <fettle/ndp/shape/combined_bytes.hpp>
#include <fettle/ndp/tuned/features.hpp>
#include <fettle/ndp/tuned/row_facts.hpp>
#include <fettle/ndp/tuned/signature.hpp>

#include "ndp/support/values.hpp"
#include "support/catch.hpp"

namespace ndp = fettle::ndp;
using ndp::index_t;

namespace {

using doubles = ndp::sequence<const double>;
using ints = ndp::sequence<const int>;

struct row_dot {
  doubles x;
  auto operator()(const doubles& row, const ints& at) const {
    return ndp::reduce(ndp::plus{}, ndp::map(ndp::multiplies{}, row, ndp::gather(x, at)), 0.0);
  }
};
struct row_sum {
  template <typename Row>
  auto operator()(const Row& row) const {
    return ndp::reduce(ndp::plus{}, row, 0.0);
  }
};
struct sum_of_row {
  double weight = 1;
  template <typename Row>
  auto operator()(index_t, const Row& row) const {
    return ndp::reduce(ndp::plus{}, row, weight);
  }
};
struct nothing {
  void operator()(double) const {}
};
struct unit {
  ndp_test::particle operator()(double) const { return {}; }
};

const doubles x;
const ints at;
const ndp::platform::openmp on;

template <typename E>
constexpr std::string_view signature_of(const E& /*e*/) {
  return ndp::signature_v<E>;
}

/// The features of a computation by name, as a call evaluates them.
template <typename E>
std::map<std::string, double> features_of(const E& e, ndp::row_facts facts = ndp::row_facts{}) {
  std::map<std::string, double> out;
  ndp::for_each_feature<E, ndp::platform::openmp>([&](std::string_view name, auto feature) {
    out[std::string(name)] = feature(ndp::featured_input(e), on, facts);
  });
  return out;
}
template <typename E>
std::vector<std::string> names_of(const E& /*e*/) {
  std::vector<std::string> out;
  ndp::for_each_feature<E, ndp::platform::openmp>(
      [&](std::string_view name, auto&&) { out.emplace_back(name); });
  return out;
}
using names = std::vector<std::string>;
const names irregular{
    "rows",       "average_row_length",   "elements",     "longest_row", "row_variation",
    "empty_rows", "work_in_longest_rows", "busiest_share"};
const names uniform{"rows", "aspect_ratio", "elements"};

}  // namespace

TEST_CASE("signatures") {
  CHECK(signature_of(ndp::map(row_dot{}, ndp::nest(x, at), ndp::nest(at, at))) ==
        "map>reduce irregular double,int32 double");
  CHECK(signature_of(ndp::map(row_sum{}, ndp::split(x, 4))) == "map>reduce uniform double double");
  CHECK(signature_of(ndp::scan(ndp::plus{}, at, 0)) == "scan flat int32 int32");
  CHECK(signature_of(ndp::map(nothing{}, x)) == "map flat double none");
  CHECK(signature_of(ndp::map(unit{}, x)) == "map flat double user");
  CHECK(signature_of(ndp::range(0, 5)) == "range flat none int32");
  CHECK(signature_of(ndp::reduce_by_key(ndp::plus{}, x, at, 0)) ==
        "reduce_by_key flat double,int32 double");
}

TEST_CASE("what is combined") {
  static_assert(
      ndp::combined_bytes_v<decltype(ndp::map(row_dot{}, ndp::nest(x, at), ndp::nest(at, at)))> ==
      8);
  static_assert(ndp::combined_bytes_v<decltype(ndp::reduce(ndp::plus{}, at, 0))> == 4);
  static_assert(ndp::combined_bytes_v<decltype(ndp::map(unit{}, x))> == 1);
  static_assert(ndp::combines_in_any_order_v<decltype(ndp::reduce(ndp::plus{}, at, 0))>);
  static_assert(!ndp::combines_in_any_order_v<decltype(ndp::scan(
                    ndp_test::compose{}, std::declval<ndp::sequence<ndp_test::affine>>(),
                    ndp_test::affine{}))>);
}

TEST_CASE("which features there are depends on how the input nests") {
  CHECK(names_of(ndp::reduce(ndp::plus{}, x, 0.0)) == names{"length"});
  CHECK(names_of(ndp::range(0, 5)) == names{"length"});
  CHECK(names_of(ndp::scatter(x, at, ndp::sequence<double>())) == names{"length"});
  CHECK(names_of(ndp::map(row_sum{}, ndp::nest(x, at))) == irregular);
  CHECK(names_of(ndp::map(row_sum{}, ndp::split(x, 4))) == uniform);
  CHECK(names_of(ndp::map(row_sum{}, ndp::cyclic(x, 4))) == uniform);
  CHECK(names_of(ndp::map(row_sum{}, ndp::reverse(ndp::nest(x, at)))) == names{"rows"});
  // The first input that nests, wherever it stands.
  CHECK(names_of(ndp::map(sum_of_row{}, ndp::range(index_t{0}, index_t{5}), ndp::nest(x, at))) ==
        irregular);
}

TEST_CASE("features of flat and uniform inputs") {
  const std::vector<double> values(24);
  const auto s = ndp::make_sequence(values);
  CHECK(features_of(ndp::reduce(ndp::plus{}, s, 0.0)).at("length") == 24);
  CHECK(features_of(ndp::range(0, 5)).at("length") == 5);
  const auto tiles = features_of(ndp::map(row_sum{}, ndp::split(s, 4)));
  CHECK(tiles.at("rows") == 6);
  CHECK(tiles.at("aspect_ratio") == 1.5);
  CHECK(tiles.at("elements") == 24);
  const auto deals = features_of(ndp::map(row_sum{}, ndp::cyclic(s, 4)));
  CHECK(deals.at("rows") == 4);
  CHECK(deals.at("aspect_ratio") == approx(4.0 / 6));
  CHECK(deals.at("elements") == 24);
}

namespace {

struct row_lengths_case {
  std::string name;
  std::vector<int> lengths;
};

/// Rows as they come: even, of two kinds, skewed by power laws and exponentials, with holes.
std::vector<row_lengths_case> skewed_rows() {
  std::mt19937 random(7);
  const auto made = [&](index_t count, const std::function<int()>& length) {
    std::vector<int> out;
    for (index_t i = 0; i < count; ++i) out.push_back(length());
    return out;
  };
  const auto unit = [&] { return std::uniform_real_distribution<double>(1e-9, 1.0)(random); };
  std::vector<row_lengths_case> out;
  out.push_back({"even", std::vector<int>(1000, 12)});
  out.push_back({"one row", {500}});
  out.push_back({"few rows", {3, 900, 4, 0, 7}});
  out.push_back({"all empty", std::vector<int>(300, 0)});
  out.push_back({"uniformly random", made(5000, [&] { return static_cast<int>(40 * unit()); })});
  out.push_back(
      {"exponential", made(5000, [&] { return static_cast<int>(-20 * std::log(unit())); })});
  for (const double exponent : {1.2, 1.6, 2.5}) {
    out.push_back({"power law " + std::to_string(exponent), made(20000, [&] {
                     return std::min(200000, static_cast<int>(std::pow(unit(), -1 / exponent)));
                   })});
  }
  out.push_back({"one in fifty is long", made(10000, [&] { return unit() < 0.02 ? 1000 : 3; })});
  out.push_back(
      {"one in a thousand is long", made(10000, [&] { return unit() < 0.001 ? 5000 : 3; })});
  out.push_back({"half empty", made(10000, [&] { return unit() < 0.5 ? 0 : 8; })});
  out.push_back({"one giant", std::vector<int>(20000, 1)});
  out.back().lengths[777] = 100000;
  return out;
}

/// The share of the elements in the longest 1 % of the rows, by sorting.
double work_in_longest(std::vector<int> lengths) {
  const double all = std::accumulate(lengths.begin(), lengths.end(), 0.0);
  if (all == 0) return 0.01;
  std::sort(lengths.begin(), lengths.end(), std::greater<>{});
  double rows = 0.01 * static_cast<double>(lengths.size());
  double work = 0;
  for (std::size_t i = 0; rows > 0; ++i, rows -= 1) work += std::min(rows, 1.0) * lengths[i];
  return work / all;
}

}  // namespace

TEST_CASE("features of irregular rows are those of a serial loop") {
  for (const row_lengths_case& rows : skewed_rows()) {
    INFO(rows.name);
    std::vector<int> offsets{0};
    for (const int length : rows.lengths) offsets.push_back(offsets.back() + length);
    const std::vector<double> values(static_cast<std::size_t>(offsets.back()));
    const auto seen = features_of(
        ndp::map(row_sum{}, ndp::nest(ndp::make_sequence(values), ndp::make_sequence(offsets))));

    const auto count = static_cast<double>(rows.lengths.size());
    const double elements = std::accumulate(rows.lengths.begin(), rows.lengths.end(), 0.0);
    const double mean = elements / count;
    double squares = 0;
    for (const int length : rows.lengths) squares += (length - mean) * (length - mean);
    CHECK(seen.at("rows") == count);
    CHECK(seen.at("elements") == elements);
    CHECK(seen.at("average_row_length") == approx(mean));
    CHECK(seen.at("longest_row") == *std::max_element(rows.lengths.begin(), rows.lengths.end()));
    CHECK(seen.at("row_variation") ==
          approx(mean > 0 ? std::sqrt(squares / count) / mean : 0.0).margin(1e-9));
    CHECK(seen.at("empty_rows") ==
          approx(static_cast<double>(std::count(rows.lengths.begin(), rows.lengths.end(), 0)) /
                 count));
    // An estimate from a histogram, for which inspect_rows() promises this much.
    CHECK(seen.at("work_in_longest_rows") == approx(work_in_longest(rows.lengths)).epsilon(0.07));
  }
}

TEST_CASE("how unequal the parts are that threads would have of the rows") {
  const std::vector<double> values(120);
  const std::vector<int> offsets{0, 10, 20, 30, 120};
  const auto rows = ndp::nest(ndp::make_sequence(values), ndp::make_sequence(offsets));
  CHECK(ndp::detail::busiest_part(rows, 1) == 1.0);
  CHECK(ndp::detail::busiest_part(rows, 2) == approx(100.0 / 60.0));
  CHECK(ndp::detail::busiest_part(rows, 3) == approx(90.0 / 40.0));
  CHECK(ndp::detail::busiest_part(rows, 8) == approx(90.0 / 15.0));
  const std::vector<int> none{0, 0, 0};
  CHECK(ndp::detail::busiest_part(ndp::nest(ndp::make_sequence(values), ndp::make_sequence(none)),
                                  2) == 1.0);
}

TEST_CASE("statistics given to nest() are believed; the others are computed, once a call") {
  const std::vector<double> values(12);
  std::vector<int> offsets{0, 4, 4, 12};
  const auto s = ndp::make_sequence(values);
  const auto o = ndp::make_sequence(offsets);
  const auto told = features_of(ndp::map(row_sum{}, ndp::nest(s, o, {31, 0.5, 0.25, 0.75})));
  CHECK(told.at("longest_row") == 31);
  CHECK(told.at("row_variation") == 0.5);
  CHECK(told.at("empty_rows") == 0.25);
  CHECK(told.at("work_in_longest_rows") == 0.75);
  const auto in_part = features_of(ndp::map(row_sum{}, ndp::nest(s, o, {.longest = 31})));
  CHECK(in_part.at("longest_row") == 31);
  CHECK(in_part.at("empty_rows") == approx(1.0 / 3));

  // Rows that change between two features of one call are those that the first one saw; where
  // nothing is shared, as in training, each looks for itself.
  const auto rows = ndp::nest(s, o);
  ndp::row_facts shared;
  ndp::row_facts apart(false);
  CHECK(shared.figure(rows, on, &ndp::row_statistics::longest) == 8);
  CHECK(apart.figure(rows, on, &ndp::row_statistics::longest) == 8);
  offsets[1] = offsets[2] = 0;
  CHECK(shared.figure(rows, on, &ndp::row_statistics::empty) == approx(1.0 / 3));
  CHECK(apart.figure(rows, on, &ndp::row_statistics::empty) == approx(2.0 / 3));
}
