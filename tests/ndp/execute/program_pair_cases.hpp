// Cases of two computations of a program side by side: they yield what they yield one by one, in
// the program's memory and in destinations, under every fusion.
#pragma once

#include <string>
#include <vector>

#include <fettle/core/host_device.hpp>

#include "ndp/execute/program_cases.hpp"

namespace ndp_test {

struct program_row_largest {
  template <typename Row>
  FETTLE_HOST_DEVICE constexpr auto operator()(const Row& row) const {
    return fettle::ndp::reduce(fettle::ndp::maximum{}, row, -1e6);
  }
};

}  // namespace ndp_test

TEST_CASE("sums and maxima of the same rows are computed side by side") {
  for (const rows& shape : row_shapes()) {
    CAPTURE(shape.name);
    const std::vector<double> x = made_up<double>(shape.count());
    const std::vector<index_t> offsets = shape.offsets();
    std::vector<double> expected;
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
      double sum = 0;
      double most = -1e6;
      for (index_t k = offsets[i]; k < offsets[i + 1]; ++k) {
        const double value = 2 * x[static_cast<std::size_t>(k)];
        sum += value;
        most = value > most ? value : most;
      }
      expected.push_back(sum - most);
    }
    const data<double> in(x);
    const data<index_t> begins(offsets);
    data<double> out = room_for<double>(static_cast<index_t>(expected.size()));
    tested_program p;
    const auto doubled = p.add<"doubled">(ndp::map(program_twice{}, in.read()));
    const auto nested = ndp::nest(doubled, begins.read());
    const auto [sums, largest] = p.add<"sums", "largest">(ndp::map(program_row_sum{}, nested),
                                                          ndp::map(program_row_largest{}, nested));
    p.add<"out">(ndp::map(ndp::minus{}, sums, largest), out.write());
    const std::vector<std::vector<std::string>> all = p.fusions();
    REQUIRE(std::count(all.begin(), all.end(), std::vector<std::string>{"sums|largest"}) == 1);
    for_each_fusion(p, [&] { REQUIRE(out.values() == with_margin(expected)); });
  }
}

TEST_CASE("two updates in place are made side by side") {
  for (const index_t n : program_sizes) {
    CAPTURE(n);
    const std::vector<double> a = made_up<double>(n, 1);
    const std::vector<double> b = made_up<double>(n, 2);
    const data<double> direction(made_up<double>(n, 3));
    const std::vector<double> d = direction.values();
    data<double> x(a);
    data<double> r(b);
    data<double> factor(std::vector<double>{2.0});
    tested_program p;
    const auto step = p.add<"step">(ndp::map(program_next{}, factor.read()));
    const auto all = ndp::gather(step, ndp::replicate(0, n));
    p.add<"x", "r">(ndp::map(program_weigh{}, x.read(), all, direction.read()), x.write(),
                    ndp::map(program_weigh{}, r.read(), all, direction.read()), r.write());
    double rounds = 0;
    for_each_fusion(p, [&] {
      rounds += 1;
      std::vector<double> expected_x = a;
      std::vector<double> expected_r = b;
      for (std::size_t i = 0; i < a.size(); ++i) {
        expected_x[i] += rounds * 3 * d[i];
        expected_r[i] += rounds * 3 * d[i];
      }
      REQUIRE(x.values() == expected_x);
      REQUIRE(r.values() == expected_r);
    });
  }
}
