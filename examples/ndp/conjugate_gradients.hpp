// Conjugate gradients for a symmetric positive definite matrix in CSR form, as a program: an
// iteration is
//   q        map > reduce  A d
//   dq       reduce        d . q; on a GPU in one pass with q, where rows are known to be short
//   alpha    map           r . r over d . q; fused into those that use it
//   x        map           x + alpha d
//   r        map           r - alpha q
//   rr_next  reduce        the new r . r; in one pass with x and r
//   beta     map           it over the old one; fused
//   d        map           r + beta d
//   rr       map           the new r . r takes the place of the old one
// No value comes to the host: iterations follow each other without waiting.
#pragma once

#include "support/platform.hpp"

namespace examples {

struct sum_of_products {
  template <typename Row, typename Factors>
  FETTLE_HOST_DEVICE auto operator()(const Row& row, const Factors& factors) const {
    return ndp::reduce(ndp::plus{}, ndp::map(ndp::multiplies{}, row, factors), 0.0);
  }
};
/// 0 / 0 is 0: an iteration that has converged changes nothing.
struct ratio {
  FETTLE_HOST_DEVICE double operator()(double a, double b) const { return b == 0 ? 0.0 : a / b; }
};
struct add_scaled {
  FETTLE_HOST_DEVICE double operator()(double x, double factor, double y) const {
    return x + factor * y;
  }
};
struct subtract_scaled {
  FETTLE_HOST_DEVICE double operator()(double x, double factor, double y) const {
    return x - factor * y;
  }
};
struct take_value {
  FETTLE_HOST_DEVICE double operator()(double x) const { return x; }
};

struct matrix_sequences {
  ndp::sequence<const double> values;
  ndp::sequence<const int> columns;
  ndp::sequence<const int> offsets;
  ndp::row_statistics rows{};  // what is known of the rows' lengths
};

/// What an iteration updates: the solution, the residual, the direction, and r . r, one value.
struct gradient_sequences {
  ndp::sequence<double> x, r, d, rr;
};

template <typename Platform>
ndp::basic_program<Platform> conjugate_gradient_iteration(const matrix_sequences& a,
                                                          const gradient_sequences& s) {
  ndp::basic_program<Platform> p;
  const auto n = s.x.size();
  const auto for_all = [n](const auto& value) { return ndp::gather(value, ndp::replicate(0, n)); };
  const auto [q, dq] = p.template add<"q", "dq">(
      ndp::map(sum_of_products{}, ndp::nest(a.values, a.offsets, a.rows),
               ndp::nest(ndp::gather(s.d, a.columns), a.offsets, a.rows)),
      [&](const auto& products) {
        return ndp::reduce(ndp::plus{}, ndp::map(ndp::multiplies{}, s.d, products), 0.0);
      });
  const auto alpha = p.template add<"alpha">(ndp::map(ratio{}, s.rr, dq));
  const auto rr_next = p.template add<"x", "r", "rr_next">(
      ndp::map(add_scaled{}, s.x, for_all(alpha), s.d), s.x,
      ndp::map(subtract_scaled{}, s.r, for_all(alpha), q), s.r,
      [](const auto& /*x*/, const auto& r) {
        return ndp::reduce(ndp::plus{}, ndp::map(ndp::multiplies{}, r, r), 0.0);
      });
  const auto beta = p.template add<"beta">(ndp::map(ratio{}, rr_next, s.rr));
  p.template add<"d">(ndp::map(add_scaled{}, s.r, for_all(beta), s.d), s.d);
  p.template add<"rr">(ndp::map(take_value{}, rr_next), s.rr);
  return p;
}

}  // namespace examples
