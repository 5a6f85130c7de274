// Cases of a program's maps and a reduction of what they yield in one pass: they yield what they
// yield one by one, under every fusion.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <fettle/core/host_device.hpp>
#include <fettle/ndp/operator/zip.hpp>

#include "ndp/execute/program_cases.hpp"

namespace ndp_test {

/// Whether `p` may be executed with exactly those fused.
inline bool may_fuse(const tested_program& p, const std::vector<std::string>& names) {
  const std::vector<std::vector<std::string>> all = p.fusions();
  return std::count(all.begin(), all.end(), names) == 1;
}

inline double plain_sum(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

}  // namespace ndp_test

TEST_CASE("a map whose values are kept and a reduction of them are computed in one pass") {
  for (const index_t n : program_sizes) {
    CAPTURE(n);
    const std::vector<double> a = made_up<double>(n, 1);
    const data<double> in(a);
    data<double> out = room_for<double>(n);
    data<double> total = room_for<double>(1);
    tested_program p;
    const auto next = p.add<"next", "total">(
        ndp::map(program_next{}, in.read()),
        [&](const auto& values) {
          return ndp::reduce(ndp::plus{}, ndp::map(ndp::multiplies{}, values, in.read()), 1.0);
        },
        total.write());
    p.add<"out">(ndp::map(program_twice{}, next), out.write());
    REQUIRE(may_fuse(p, {"next|total"}));
    std::vector<double> expected;
    std::vector<double> products{1.0};
    for (const double x : a) {
      expected.push_back(2 * (x + 1));
      products.push_back((x + 1) * x);
    }
    for_each_fusion(p, [&] {
      REQUIRE(out.values() == with_margin(expected));
      REQUIRE(total.values() == with_margin(std::vector<double>{plain_sum(products)}));
    });
  }
}

TEST_CASE("two updates in place and a reduction of one of them are made in one pass") {
  for (const index_t n : program_sizes) {
    CAPTURE(n);
    const std::vector<double> a = made_up<double>(n, 1);
    const std::vector<double> b = made_up<double>(n, 2);
    const data<double> direction(made_up<double>(n, 3));
    const std::vector<double> d = direction.values();
    std::vector<double> longer = b;
    longer.push_back(7);
    data<double> x(a);
    data<double> r(longer);
    data<double> largest = room_for<double>(1);
    const data<double> factor(std::vector<double>{2.0});
    tested_program p;
    const auto step = p.add<"step">(ndp::map(program_next{}, factor.read()));
    const auto all = ndp::gather(step, ndp::replicate(0, n));
    const auto most = p.add<"x", "r", "most">(
        ndp::map(program_weigh{}, x.read(), all, direction.read()), x.write(),
        ndp::map(program_weigh{}, subsequence(r.read(), 0, n), all, direction.read()), r.write(),
        [](const auto& xs, const auto& rs) {
          return ndp::reduce(ndp::maximum{}, ndp::map(ndp::minus{}, rs, xs), -1e6);
        });
    p.add<"largest">(ndp::map(program_twice{}, most), largest.write());
    REQUIRE(may_fuse(p, {"step", "x|r|most"}));
    REQUIRE(may_fuse(p, {"step", "x|r"}));
    double rounds = 0;
    for_each_fusion(p, [&] {
      rounds += 1;
      double expected_most = -1e6;
      std::vector<double> expected_x = a;
      std::vector<double> expected_r = longer;
      for (std::size_t i = 0; i < a.size(); ++i) {
        expected_x[i] += rounds * 3 * d[i];
        expected_r[i] += rounds * 3 * d[i];
        expected_most = std::max(expected_most, expected_r[i] - expected_x[i]);
      }
      REQUIRE(x.values() == expected_x);
      REQUIRE(r.values() == expected_r);
      REQUIRE(largest.values()[0] == 2 * expected_most);
    });
  }
}

TEST_CASE("sums of rows that are kept, what is made of them, and their total") {
  for (const rows& shape : row_shapes()) {
    CAPTURE(shape.name);
    const std::vector<double> x = made_up<double>(shape.count());
    const std::vector<index_t> offsets = shape.offsets();
    std::vector<double> sums;
    std::vector<double> products;
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
      double sum = 0;
      for (index_t k = offsets[i]; k < offsets[i + 1]; ++k) sum += x[static_cast<std::size_t>(k)];
      sums.push_back(sum);
      products.push_back((2 * sum) * sum);
    }
    const auto count = static_cast<index_t>(sums.size());
    const data<double> in(x);
    const data<index_t> begins(offsets);
    data<double> plain = room_for<double>(count);
    data<double> total = room_for<double>(1);
    data<double> doubled = room_for<double>(count);
    tested_program p;
    const auto kept =
        p.add<"kept">(ndp::map(program_row_sum{}, ndp::nest(in.read(), begins.read())));
    p.add<"plain">(ndp::map(program_first_of{}, kept, kept), plain.write());
    const auto [again, least] = p.add<"again", "least">(
        ndp::map(program_row_sum{}, ndp::nest(in.read(), begins.read())),
        [](const auto& values) { return ndp::reduce(ndp::minimum{}, values, 1e6); });
    p.add<"twice", "total">(
        ndp::map(program_twice{}, again), doubled.write(),
        [&](const auto& values) {
          return ndp::reduce(ndp::plus{}, ndp::map(ndp::multiplies{}, values, again), 0.0);
        },
        total.write());
    data<double> out = room_for<double>(1);
    p.add<"out">(ndp::map(program_first_of{}, least, least), out.write());
    const double expected_least =
        sums.empty() ? 1e6 : std::min(1e6, *std::min_element(sums.begin(), sums.end()));
    for_each_fusion(p, [&] {
      REQUIRE(plain.values() == with_margin(sums));
      REQUIRE(out.values() == with_margin(std::vector<double>{expected_least}));
      REQUIRE(total.values() == with_margin(std::vector<double>{plain_sum(products)}));
    });
  }
}
