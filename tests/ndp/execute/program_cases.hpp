// Cases of ndp::program: each fusion that is allowed yields what the computations yield one by one.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <fettle/core/fixed_string.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/operator/gather.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/nest.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/operator/replicate.hpp>
#include <fettle/ndp/operator/scan.hpp>
#include <fettle/ndp/operator/split.hpp>
#include <fettle/ndp/program.hpp>

#include "ndp/support/on_platform.hpp"

namespace ndp_test {

struct program_twice {
  FETTLE_HOST_DEVICE constexpr double operator()(double x) const { return 2 * x; }
};
struct program_next {
  FETTLE_HOST_DEVICE constexpr double operator()(double x) const { return x + 1; }
};
struct program_row_sum {
  template <typename Row>
  FETTLE_HOST_DEVICE constexpr auto operator()(const Row& row) const {
    return fettle::ndp::reduce(fettle::ndp::plus{}, row, 0.0);
  }
};
struct program_centred {
  template <typename Row>
  FETTLE_HOST_DEVICE constexpr auto operator()(const Row& row) const {
    namespace ndp = fettle::ndp;
    const double least = ndp::reduce(ndp::minimum{}, row, 1e6);
    return ndp::reduce(ndp::plus{}, row, 0.0) - least;
  }
};

struct program_first_of {
  FETTLE_HOST_DEVICE constexpr double operator()(double x, double /*y*/) const { return x; }
};

struct program_weigh {
  FETTLE_HOST_DEVICE constexpr double operator()(double x, double factor, double y) const {
    return x + factor * y;
  }
};

using tested_program = fettle::ndp::basic_program<tested_platform>;

/// Adds `Maps` maps, each of the one before, and a reduce of the last.
template <int Maps, typename Last>
void add_chain(tested_program& p, const Last& last, fettle::ndp::sequence<double> total) {
  namespace ndp = fettle::ndp;
  if constexpr (Maps == 0) {
    p.add<"total">(ndp::reduce(ndp::plus{}, last, 0.0), total);
  } else {
    constexpr auto name = fettle::fixed_string<2>({char('a' + Maps), '\0'});
    add_chain<Maps - 1>(p, p.add<name>(ndp::map(program_next{}, last)), total);
  }
}

/// Executes `p` twice under each fusion, and calls check() after each.
template <typename Check>
void for_each_fusion(tested_program& p, const Check& check) {
  const std::vector<std::vector<std::string>> all = p.fusions();
  REQUIRE(all.front().empty());
  for (const std::vector<std::string>& names : all) {
    std::string text;
    for (const std::string& name : names) text += name + ' ';
    CAPTURE(text);
    p.fuse(names);
    REQUIRE(p.peak_bytes() <= p.peak_bytes_unfused());
    for (int i = 0; i < 2; ++i) {
      p.execute(tested_platform{});
      check();
    }
  }
}

}  // namespace ndp_test

namespace {

namespace ndp = fettle::ndp;
using namespace ndp_test;

const std::vector<index_t> program_sizes =
    sized<index_t>({0, 1, 2, 3, 31, 32, 33, 255, 257, 4097}, {0, 1, 33, 257});

}  // namespace

TEST_CASE("a program of maps and a reduce yields the same under every fusion") {
  for (const index_t n : program_sizes) {
    CAPTURE(n);
    const std::vector<double> x = made_up<double>(n);
    double sum = 0;
    std::vector<double> last;
    for (const double value : x) {
      sum += (2 * value + 1) * 2 * value;
      last.push_back(2 * (2 * value + 1));
    }
    const data<double> in(x);
    data<double> total(std::vector<double>{0.0});
    data<double> out = room_for<double>(n);
    tested_program p;
    const auto doubled = p.add<"doubled">(ndp::map(program_twice{}, in.read()));
    const auto next = p.add<"next">(ndp::map(program_next{}, doubled));
    p.add<"total">(ndp::reduce(ndp::plus{}, ndp::map(ndp::multiplies{}, next, doubled), 0.0),
                   total.write());
    p.add<"last">(ndp::map(program_twice{}, next), out.write());
    REQUIRE(p.fusions().size() == 4);
    p.tune(tested_platform{}, 1);
    p.execute(tested_platform{});
    REQUIRE(out.values() == with_margin(last));
    for_each_fusion(p, [&] {
      REQUIRE(total.values() == std::vector<double>{sum});
      REQUIRE(out.values() == with_margin(last));
    });
  }
}

TEST_CASE("a program of a long chain of maps is fused as a whole by default") {
  const std::vector<double> x = made_up<double>(257);
  const data<double> in(x);
  data<double> total(std::vector<double>{0.0});
  double sum = 0;
  const auto check = [&] { REQUIRE(total.values() == std::vector<double>{sum}); };
  tested_program p;
  SECTION("of five maps, of which each part is compiled") {
    for (const double value : x) sum += value + 5;
    add_chain<5>(p, in.read(), total.write());
    REQUIRE(p.peak_bytes() == 0);
    REQUIRE(p.fusions().size() == 32);
    for_each_fusion(p, check);
  }
  SECTION("of nine maps, of which the first few or all are compiled") {
    for (const double value : x) sum += value + 9;
    add_chain<9>(p, in.read(), total.write());
    REQUIRE(p.peak_bytes() == 0);
    for_each_fusion(p, check);
  }
}

TEST_CASE("a program that reads five results at once") {
  const std::vector<double> x = made_up<double>(33);
  const data<double> in(x);
  data<double> total(std::vector<double>{0.0});
  double sum = 0;
  for (const double value : x) sum += value + 2 * (value + 1) + (value + 1) * 2 * value;
  tested_program p;
  const auto a = p.add<"a">(ndp::map(program_next{}, in.read()));
  const auto b = p.add<"b">(ndp::map(program_next{}, in.read()));
  const auto c = p.add<"c">(ndp::map(program_next{}, in.read()));
  const auto d = p.add<"d">(ndp::map(program_twice{}, in.read()));
  const auto e = p.add<"e">(ndp::map(program_twice{}, b));
  p.add<"total">(
      ndp::reduce(ndp::plus{},
                  ndp::map(ndp::plus{}, ndp::map(ndp::plus{}, in.read(), e),
                           ndp::map(ndp::multiplies{}, ndp::map(program_first_of{}, a, c), d)),
                  0.0),
      total.write());
  for_each_fusion(p, [&] { REQUIRE(total.values() == std::vector<double>{sum}); });
}

TEST_CASE("a program of rows, their sums and what is made of the sums") {
  for (const rows& shape : row_shapes()) {
    CAPTURE(shape.name);
    const std::vector<double> x = made_up<double>(shape.count());
    const std::vector<index_t> offsets = shape.offsets();
    std::vector<double> expected;
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
      double sum = 0;
      for (index_t k = offsets[i]; k < offsets[i + 1]; ++k) {
        sum += 2 * x[static_cast<std::size_t>(k)];
      }
      expected.push_back(sum + 1);
    }
    std::vector<double> backwards(expected.rbegin(), expected.rend());
    std::vector<index_t> order;
    for (std::size_t i = expected.size(); i-- > 0;) order.push_back(static_cast<index_t>(i));
    const data<double> in(x);
    const data<index_t> begins(offsets);
    const data<index_t> reversed(order);
    data<double> out = room_for<double>(static_cast<index_t>(expected.size()));
    tested_program p;
    const auto doubled = p.add<"doubled">(ndp::map(program_twice{}, in.read()));
    const auto sums = p.add<"sums">(ndp::map(program_row_sum{}, ndp::nest(doubled, begins.read())));
    const auto next = p.add<"next">(ndp::map(program_next{}, sums));
    p.add<"backwards">(ndp::gather(next, reversed.read()), out.write());
    for_each_fusion(p, [&] { REQUIRE(out.values() == with_margin(backwards)); });
  }
}

TEST_CASE("a program with a row program and a value that later computations repeat") {
  for (const index_t n : program_sizes) {
    CAPTURE(n);
    const index_t l = 8;
    const std::vector<double> x = made_up<double>(n);
    std::vector<double> centred;
    double all = 0;
    for (index_t i = 0; i < n; i += l) {
      double least = 1e6;
      double sum = 0;
      for (index_t k = i; k < n && k < i + l; ++k) {
        const double value = 2 * x[static_cast<std::size_t>(k)];
        least = value < least ? value : least;
        sum += value;
      }
      centred.push_back(sum - least);
      all += centred.back();
    }
    for (double& value : centred) value += all;
    const auto count = static_cast<index_t>(centred.size());
    const data<double> in(x);
    data<double> out = room_for<double>(count);
    tested_program p;
    const auto doubled = p.add<"doubled">(ndp::map(program_twice{}, in.read()));
    const auto rows = p.add<"rows">(ndp::map(program_centred{}, ndp::split(doubled, l)));
    const auto sum = p.add<"sum">(ndp::reduce(ndp::plus{}, rows, 0.0));
    p.add<"out">(ndp::map(ndp::plus{}, rows, ndp::gather(sum, ndp::replicate(0, count))),
                 out.write());
    for_each_fusion(p, [&] { REQUIRE(out.values() == with_margin(centred)); });
  }
}
