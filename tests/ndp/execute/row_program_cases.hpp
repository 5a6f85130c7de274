// Cases of execute() for row programs: functions that compute several things of a row, one from
// another. Checked against plain loops, on rows of all shapes, by all schedules.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/operator/gather.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/nest.hpp>
#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/operator/split.hpp>
#include <fettle/ndp/operator/windows.hpp>
#include <fettle/ndp/operator/zip.hpp>

#include "ndp/support/on_platform.hpp"

namespace ndp_test {

/// x - least, scaled so that whole numbers stay exact.
struct above {
  double least;
  FETTLE_HOST_DEVICE constexpr double operator()(double x) const { return 2 * (x - least); }
};
struct share_of {
  double total;
  FETTLE_HOST_DEVICE constexpr double operator()(double x) const { return x - total; }
};

/// Shaped as a softmax: of the row's least value, what is above it; of their sum, the result.
struct normalised {
  template <typename Row>
  FETTLE_HOST_DEVICE constexpr auto operator()(const Row& row) const {
    namespace ndp = fettle::ndp;
    const auto least = ndp::reduce(ndp::minimum{}, row, 1e6);
    const auto heights = ndp::map(above{least}, row);
    const auto total = ndp::reduce(ndp::plus{}, heights, 0.0);
    return ndp::map(share_of{total}, heights);
  }
};

struct squared_distance {
  double centre;
  FETTLE_HOST_DEVICE constexpr double operator()(double x) const {
    return (x - centre) * (x - centre);
  }
};

/// A value of two passes: squared distances from the greatest element.
struct spread {
  template <typename Row>
  FETTLE_HOST_DEVICE constexpr auto operator()(const Row& row) const {
    namespace ndp = fettle::ndp;
    const double greatest = ndp::reduce(ndp::maximum{}, row, -1e6);
    return ndp::reduce(ndp::plus{}, ndp::map(squared_distance{greatest}, row), 0.0);
  }
};

/// Two reduces side by side.
struct least_and_greatest {
  template <typename Row>
  FETTLE_HOST_DEVICE constexpr auto operator()(const Row& row) const {
    namespace ndp = fettle::ndp;
    return ndp::make_tuple(ndp::reduce(ndp::minimum{}, row, 1e6),
                           ndp::reduce(ndp::maximum{}, row, -1e6));
  }
};

struct place {
  float value;
  int index;
};
/// Has no identity, so that members of a team that have no element are told from others.
struct first_greatest {
  static constexpr bool is_commutative = true;
  FETTLE_HOST_DEVICE constexpr place operator()(const place& a, const place& b) const {
    return b.value > a.value || (b.value == a.value && b.index < a.index) ? b : a;
  }
};
struct placed {
  FETTLE_HOST_DEVICE constexpr place operator()(float value, index_t i) const {
    return {value, static_cast<int>(i)};
  }
};
struct distance_below {
  place top;
  float total;
  FETTLE_HOST_DEVICE constexpr float operator()(float x, index_t i) const {
    const int after = static_cast<int>(i) - top.index;
    return top.value - x + total + static_cast<float>(after);
  }
};

/// Of the first greatest element and the sum, a row of numbers of 4 bytes.
struct below_greatest {
  template <typename Row>
  FETTLE_HOST_DEVICE constexpr auto operator()(const Row& row) const {
    namespace ndp = fettle::ndp;
    const auto indices = ndp::range(0, row.size());
    const place top =
        ndp::reduce(first_greatest{}, ndp::map(placed{}, row, indices), place{-1e6F, -1});
    const auto total = ndp::reduce(ndp::plus{}, row, 0.0F);
    return ndp::map(distance_below{top, total}, row, indices);
  }
};

struct weighted_sum {
  FETTLE_HOST_DEVICE constexpr double operator()(double x, double weight) const {
    return x * weight;
  }
};

/// Of two rows and a number: what a map over three sequences is given. States its return type.
struct dot_plus {
  static constexpr bool is_row_program = true;

  template <typename Row, typename Weights>
  FETTLE_HOST_DEVICE constexpr double operator()(const Row& row, const Weights& weights,
                                                 double bias) const {
    namespace ndp = fettle::ndp;
    const double dot = ndp::reduce(ndp::plus{}, ndp::map(weighted_sum{}, row, weights), 0.0);
    return dot + bias;
  }
};

/// One reduce and nothing more: no row program.
struct only_sum {
  template <typename Row>
  FETTLE_HOST_DEVICE constexpr auto operator()(const Row& row) const {
    return fettle::ndp::reduce(fettle::ndp::plus{}, row, 0.0);
  }
};

}  // namespace ndp_test

namespace {

namespace ndp = fettle::ndp;
using namespace ndp_test;

/// f(row's values) of each row, one after the other.
template <typename F>
void for_rows_of(const std::vector<double>& x, const std::vector<index_t>& offsets, const F& f) {
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    f(i, std::vector<double>(x.begin() + offsets[i], x.begin() + offsets[i + 1]));
  }
}

}  // namespace

TEST_CASE("map tells row programs from the levels of a nested computation") {
  using rows = decltype(ndp::nest(ndp::sequence<const double>(), ndp::sequence<const int>()));
  using program = decltype(ndp::map(normalised{}, rows()));
  STATIC_REQUIRE(ndp::detail::is_map_of_programs_v<program>);
  STATIC_REQUIRE(ndp::to_string<ndp::expression_of_t<program>>() == "map>row_program");
  STATIC_REQUIRE(ndp::detail::is_map_of_programs_v<decltype(ndp::map(spread{}, rows()))>);
  STATIC_REQUIRE(
      ndp::detail::is_map_of_programs_v<decltype(ndp::map(least_and_greatest{}, rows()))>);
  using three = decltype(ndp::map(dot_plus{}, rows(), rows(), ndp::sequence<const double>()));
  STATIC_REQUIRE(ndp::detail::is_map_of_programs_v<three>);
  using sums = decltype(ndp::map(only_sum{}, rows()));
  STATIC_REQUIRE(!ndp::detail::is_map_of_programs_v<sums>);
  STATIC_REQUIRE(ndp::to_string<ndp::expression_of_t<sums>>() == "map>reduce");
}

TEST_CASE("a row program yields a row of two reduces, one from the other") {
  for (const rows& shape : row_shapes()) {
    CAPTURE(shape.name);
    const std::vector<double> x = made_up<double>(shape.count());
    const std::vector<index_t> offsets = shape.offsets();
    std::vector<double> expected;
    for_rows_of(x, offsets, [&](std::size_t /*i*/, const std::vector<double>& row) {
      double least = 1e6;
      for (const double value : row) least = value < least ? value : least;
      double total = 0;
      for (const double value : row) total += 2 * (value - least);
      for (const double value : row) expected.push_back(2 * (value - least) - total);
    });
    const data<double> in(x);
    const data<index_t> begins(offsets);
    check_all(ndp::map(normalised{}, ndp::nest(in.read(), begins.read())), expected);
  }
}

// What a team keeps is 8 to 256 elements: about half of that is the usual length of a row here.
TEST_CASE("a row program of rows shorter and longer than a team keeps") {
  for (const index_t kept : {8, 16, 32, 64, 128, 256}) {
    for (const index_t giant : {index_t{0}, index_t{5000}}) {
      CAPTURE(kept, giant);
      std::vector<index_t> offsets = {0};
      const auto add = [&](index_t length) { offsets.push_back(offsets.back() + length); };
      for (index_t k = 0; k < (small_sizes() ? 8 : 300); ++k) add(kept / 2);
      for (const index_t length : {index_t{0}, index_t{1}, index_t{2}, kept / 2 - 1, kept / 2 + 1,
                                   kept - 1, kept, kept + 1, 2 * kept + 1, giant, index_t{1}}) {
        add(length);
      }
      const std::vector<float> x = made_up<float>(offsets.back());
      std::vector<float> expected;
      for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
        place top{-1e6F, -1};
        float total = 0;
        for (index_t k = offsets[i]; k < offsets[i + 1]; ++k) {
          const float value = x[static_cast<std::size_t>(k)];
          if (value > top.value) top = {value, static_cast<int>(k - offsets[i])};
          total += value;
        }
        for (index_t k = offsets[i]; k < offsets[i + 1]; ++k) {
          expected.push_back(
              distance_below{top, total}(x[static_cast<std::size_t>(k)], k - offsets[i]));
        }
      }
      const data<float> in(x);
      const data<index_t> begins(offsets);
      data<float> out = room_for<float>(offsets.back());
      ndp::execute(ndp::map(below_greatest{}, ndp::nest(in.read(), begins.read())), out.write(),
                   tested_platform{});
      REQUIRE(out.values() == with_margin(expected));
    }
  }
}

// Longer than a warp does alone, beside each other and at the ends, in enough elements that a GPU
// gives them blocks.
TEST_CASE("a row program of a few giant rows among tiny ones") {
  for (const index_t mean : {index_t{3}, index_t{40}, index_t{200}}) {
    CAPTURE(mean);
    rows shape{"", {}};
    const index_t giant = small_sizes() ? 5000 : 40001;
    for (const index_t length : {giant, giant, giant + 7}) shape.lengths.push_back(length);
    const index_t tiny = small_sizes() ? 20 : 150000 / mean;
    for (index_t i = 0; i < tiny; ++i) shape.lengths.push_back(i % (2 * mean + 1));
    for (const index_t length : {index_t{4096}, index_t{4097}, giant}) {
      shape.lengths.push_back(length);
    }
    const std::vector<double> x = made_up<double>(shape.count());
    const std::vector<index_t> offsets = shape.offsets();
    std::vector<double> sums;
    std::vector<double> heights;
    for_rows_of(x, offsets, [&](std::size_t /*i*/, const std::vector<double>& row) {
      const double greatest = row.empty() ? 0 : *std::max_element(row.begin(), row.end());
      const double least = row.empty() ? 0 : *std::min_element(row.begin(), row.end());
      double sum = 0;
      double total = 0;
      for (const double value : row) sum += (value - greatest) * (value - greatest);
      for (const double value : row) total += 2 * (value - least);
      sums.push_back(sum);
      for (const double value : row) heights.push_back(2 * (value - least) - total);
    });
    const data<double> in(x);
    const data<index_t> begins(offsets);
    const auto of_rows = ndp::nest(in.read(), begins.read());
    for (int time = 0; time < 2; ++time) {  // the first leaves everything as it was
      data<double> values = room_for<double>(static_cast<index_t>(sums.size()));
      data<double> elements = room_for<double>(shape.count());
      ndp::execute(ndp::map(spread{}, of_rows), values.write(), tested_platform{});
      ndp::execute(ndp::map(normalised{}, of_rows), elements.write(), tested_platform{});
      REQUIRE(values.values() == with_margin(sums));
      REQUIRE(elements.values() == with_margin(heights));
    }
  }
}

TEST_CASE("a row program yields a value of two passes") {
  for (const rows& shape : row_shapes()) {
    CAPTURE(shape.name);
    const std::vector<double> x = made_up<double>(shape.count());
    const std::vector<index_t> offsets = shape.offsets();
    std::vector<double> expected;
    for_rows_of(x, offsets, [&](std::size_t /*i*/, const std::vector<double>& row) {
      double greatest = -1e6;
      for (const double value : row) greatest = value > greatest ? value : greatest;
      double sum = 0;
      for (const double value : row) sum += (value - greatest) * (value - greatest);
      expected.push_back(sum);
    });
    const data<double> in(x);
    const data<index_t> begins(offsets);
    check_all(ndp::map(spread{}, ndp::nest(in.read(), begins.read())), expected);
  }
}

TEST_CASE("a row program of tiles yields two reduces side by side") {
  for (const index_t n : execution_sizes) {
    CAPTURE(n);
    const index_t l = 33;
    const std::vector<double> x = made_up<double>(n);
    std::vector<double> least;
    std::vector<double> greatest;
    for (index_t i = 0; i < n; i += l) {
      least.push_back(1e6);
      greatest.push_back(-1e6);
      for (index_t k = i; k < n && k < i + l; ++k) {
        const double value = x[static_cast<std::size_t>(k)];
        least.back() = value < least.back() ? value : least.back();
        greatest.back() = value > greatest.back() ? value : greatest.back();
      }
    }
    const data<double> in(x);
    const auto e = ndp::map(least_and_greatest{}, ndp::split(in.read(), l));
    for_each_realisation<decltype(e)>([&](const auto& run) {
      data<double> first = room_for<double>(static_cast<index_t>(least.size()));
      data<double> second = room_for<double>(static_cast<index_t>(least.size()));
      run(e, ndp::zip(first.write(), second.write()));
      REQUIRE(first.values() == with_margin(least));
      REQUIRE(second.values() == with_margin(greatest));
    });
  }
}

template <typename Length>
void check_program_of_windows(const std::vector<double>& x, Length length, index_t k) {
  const auto n = static_cast<index_t>(x.size());
  CAPTURE(n, k);
  std::vector<double> expected;
  for (index_t i = 0; i + k <= n; ++i) {
    double greatest = -1e6;
    for (index_t j = i; j < i + k; ++j)
      greatest = std::max(greatest, x[static_cast<std::size_t>(j)]);
    double sum = 0;
    for (index_t j = i; j < i + k; ++j)
      sum += squared_distance{greatest}(x[static_cast<std::size_t>(j)]);
    expected.push_back(sum);
  }
  const data<double> in(x);
  check_all(ndp::map(spread{}, ndp::windows(in.read(), length)), expected);
}

TEST_CASE("a row program of windows yields a value of two passes") {
  for (const index_t n : execution_sizes) {
    const std::vector<double> x = made_up<double>(n);
    check_program_of_windows(x, ndp::constant<5>{}, 5);
    check_program_of_windows(x, ndp::constant<33>{}, 33);
    check_program_of_windows(x, index_t{7}, 7);
  }
}

TEST_CASE("a row program of tiles as long as a block keeps at most, and longer") {
  for (const index_t l : {4096, 8193, 16384, 16385}) {
    CAPTURE(l);
    const index_t n = small_sizes() ? l + 1 : 3 * l + 1;
    const std::vector<double> x = made_up<double>(n);
    std::vector<double> expected;
    for (index_t i = 0; i < n; i += l) {
      const auto begin = x.begin() + i;
      const auto end = x.begin() + (i + l < n ? i + l : n);
      double least = 1e6;
      for (auto at = begin; at < end; ++at) least = *at < least ? *at : least;
      double total = 0;
      for (auto at = begin; at < end; ++at) total += 2 * (*at - least);
      for (auto at = begin; at < end; ++at) expected.push_back(2 * (*at - least) - total);
    }
    const data<double> in(x);
    data<double> out = room_for<double>(n);
    ndp::execute(ndp::map(normalised{}, ndp::split(in.read(), l)), out.write(), tested_platform{});
    REQUIRE(out.values() == with_margin(expected));
  }
}

TEST_CASE("a row program of two rows and a number of each") {
  for (const rows& shape : row_shapes()) {
    CAPTURE(shape.name);
    const std::vector<double> x = made_up<double>(shape.count());
    const std::vector<double> weights = made_up<double>(shape.count(), 1);
    const std::vector<index_t> offsets = shape.offsets();
    const auto count = static_cast<index_t>(offsets.size()) - 1;
    const std::vector<double> bias = made_up<double>(count, 2);
    std::vector<double> expected = bias;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      for (index_t k = offsets[i]; k < offsets[i + 1]; ++k) {
        expected[i] += x[static_cast<std::size_t>(k)] * weights[static_cast<std::size_t>(k)];
      }
    }
    const data<double> in(x);
    const data<double> in_weights(weights);
    const data<double> in_bias(bias);
    const data<index_t> begins(offsets);
    check_all(ndp::map(dot_plus{}, ndp::nest(in.read(), begins.read()),
                       ndp::nest(in_weights.read(), begins.read()), in_bias.read()),
              expected);
  }
}
