// Random programs: fused and not, they yield what serial loops do. The computations' types are
// given; which of them have destinations, which memory they share, the functions, sizes, rows and
// indices are drawn.
#pragma once

#include <cstddef>
#include <random>
#include <vector>

#include <fettle/core/host_device.hpp>

#include "ndp/execute/program_cases.hpp"

namespace ndp_test {

/// Small whole numbers stay so: sums are exact.
struct program_affine {
  int factor;
  int shift;
  FETTLE_HOST_DEVICE constexpr double operator()(double x) const {
    const double y = factor * x + shift;
    return y > 50 || y < -50 ? shift : y;
  }
};
struct program_combined {
  int factor;
  FETTLE_HOST_DEVICE constexpr double operator()(double a, double b) const {
    return program_affine{factor, 1}(a)-b;
  }
};

/// What a drawn program is made of.
struct drawn_program {
  explicit drawn_program(unsigned seed) : random(seed) {
    n = static_cast<index_t>(random() % 300);
    tile = 1 + static_cast<index_t>(random() % 40);
    for (program_affine& f : functions) {
      f = {static_cast<int>(random() % 5) - 2, static_cast<int>(random() % 7) - 3};
    }
    overwrites = random() % 2 == 0;
    keeps = random() % 2 == 0;
    for (index_t i = 0; i < n; ++i) order.push_back(static_cast<index_t>(random()) % n);
  }

  std::mt19937 random;
  index_t n = 0;
  index_t tile = 1;
  program_affine functions[4] = {};
  bool overwrites = false;  // x, after some of its readers
  bool keeps = false;       // the second map, in a destination
  std::vector<index_t> order;
};

struct program_outcome {
  std::vector<double> x, kept, row_sums, last;
  double total = 0;
};

/// The program's computations in their order, by loops.
inline program_outcome serially(const drawn_program& its, std::vector<double> x) {
  program_outcome out;
  std::vector<double> a;
  std::vector<double> b;
  std::vector<double> c;
  for (const double value : x) a.push_back(its.functions[0](value));
  for (const double value : a) b.push_back(its.functions[1](value));
  if (its.overwrites) {
    for (double& value : x) value = its.functions[2](value);
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    c.push_back(program_combined{its.functions[3].factor}(b[i], a[i]));
  }
  for (index_t i = 0; i < its.n; i += its.tile) {
    double sum = 0;
    for (index_t k = i; k < its.n && k < i + its.tile; ++k) sum += c[static_cast<std::size_t>(k)];
    out.row_sums.push_back(sum);
  }
  for (const double value : c) out.total += value;
  for (const index_t i : its.order) {
    out.last.push_back(c[static_cast<std::size_t>(i)] + its.functions[2](out.total));
  }
  out.x = x;
  out.kept = b;
  return out;
}

}  // namespace ndp_test

TEST_CASE("random programs yield under every fusion what serial loops do") {
  for (unsigned seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    const drawn_program its(seed);
    program_outcome expected;
    expected.x = made_up<double>(its.n, seed);
    data<double> x(expected.x);
    data<double> kept = room_for<double>(its.n);
    const auto rows = static_cast<index_t>((its.n + its.tile - 1) / its.tile);
    data<double> row_sums = room_for<double>(rows);
    data<double> last = room_for<double>(its.n);
    const data<index_t> order(its.order);
    tested_program p;
    const auto a = p.add<"a">(ndp::map(its.functions[0], x.read()));
    const auto run = [&](const auto& b) {
      if (its.overwrites) p.add<"x">(ndp::map(its.functions[2], x.read()), x.write());
      const auto c = p.add<"c">(ndp::map(program_combined{its.functions[3].factor}, b, a));
      p.add<"rows">(ndp::map(program_row_sum{}, ndp::split(c, its.tile)), row_sums.write());
      const auto total = p.add<"total">(ndp::reduce(ndp::plus{}, c, 0.0));
      const auto shift = p.add<"shift">(ndp::map(its.functions[2], total));
      p.add<"last">(ndp::map(ndp::plus{}, ndp::gather(c, order.read()),
                             ndp::gather(shift, ndp::replicate(0, its.n))),
                    last.write());
    };
    if (its.keeps) {
      run(p.add<"b">(ndp::map(its.functions[1], a), subsequence(kept.write(), 0, its.n)));
    } else {
      run(p.add<"b">(ndp::map(its.functions[1], a)));
    }
    for_each_fusion(p, [&] {
      expected = serially(its, expected.x);
      REQUIRE(x.values() == expected.x);
      if (its.keeps) REQUIRE(kept.values() == with_margin(expected.kept));
      REQUIRE(row_sums.values() == with_margin(expected.row_sums));
      REQUIRE(last.values() == with_margin(expected.last));
    });
  }
}
