#include <cmath>
#include <vector>

#include <fettle/model/svm_lanes.hpp>

#include "support/catch.hpp"

using namespace fettle::model;

namespace {

/// A machine of one support vector a class, at 0 and (so far away that it counts for nothing) at
/// 1e4; its one decision value for x is 2^(-scale x^2).
struct probe {
  std::uint16_t labels[2] = {0, 1};
  std::uint32_t class_begin[3] = {0, 1, 2};
  double values[2] = {0, 0};
  double coefficients[2] = {1, 0};
  double rho[1] = {0};
  svm_view view{2, 2, 1, 1, labels, class_begin, values, coefficients, rho};
};

}  // namespace

TEST_CASE("the exponential is within the error that the bounds count on") {
  for (std::size_t lanes = 2; lanes <= detail::best_lanes(); lanes *= 2) {
    probe p;
    double worst = 0;
    for (const double gamma : {1e-6, 0.01, 1.0, 40.0}) {
      p.view.gamma = gamma;
      std::vector<double> storage(detail::lane_storage(2, 2, 1));
      const detail::lane_tables tables = detail::build_lane_tables(p.view, lanes, storage);
      REQUIRE(tables.lanes == lanes);
      for (int i = 0; i <= 200000; ++i) {
        const double x = 4.0 * i / 200000;
        double decisions[8];
        std::uint64_t votes = 0;
        detail::evaluate_in_lanes(p.view, tables, &x, x * x, decisions, votes);
        const double expected = std::exp(-gamma * x * x);
        if (expected < 1e-290) continue;
        worst = std::max(worst, std::fabs(decisions[0] / expected - 1));
      }
    }
    INFO("lanes " << lanes);
    CHECK(worst < 4.2e-11 + 1e-13 * 1000);  // the exponent itself is rounded, up to 640 here
    CHECK(worst > 1e-12);
  }
}

TEST_CASE("far from every support vector the kernel is nearly zero, not nonsense") {
  probe p;
  p.view.gamma = 2000;
  std::vector<double> storage(detail::lane_storage(2, 2, 1));
  for (std::size_t lanes = 2; lanes <= detail::best_lanes(); lanes *= 2) {
    const detail::lane_tables tables = detail::build_lane_tables(p.view, lanes, storage);
    const double x = 4;
    double decisions[8] = {};
    std::uint64_t votes = 0;
    CHECK_FALSE(detail::evaluate_in_lanes(p.view, tables, &x, 16, decisions, votes));
    CHECK(std::fabs(decisions[0]) < 1e-290);
  }
}

TEST_CASE("storage that is too small or a machine that is too large has no fast way") {
  const probe p;
  std::vector<double> storage(detail::lane_storage(2, 2, 1));
  CHECK(detail::build_lane_tables(p.view, 2, std::span(storage).first(5)).lanes == 0);
  CHECK(detail::build_lane_tables(p.view, 0, storage).lanes == 0);
  CHECK(detail::lane_storage(17, 100, 5) == 0);
  CHECK(detail::lane_storage(2, 2049, 5) == 0);
  CHECK(detail::lane_storage(16, 2048, 64) > 2048 * 65);
  double decisions[8];
  std::uint64_t votes = 0;
  const double x = 0;
  CHECK_FALSE(detail::evaluate_in_lanes(p.view, detail::lane_tables{}, &x, 0, decisions, votes));
}
