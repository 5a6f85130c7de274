// A function of one number as a table, read by interpolation as CoMD does it: quadratically for the
// value, linearly between central differences for the slope.
#pragma once

#include <cmath>
#include <vector>

#include <fettle/ndp.hpp>

namespace examples {

namespace ndp = fettle::ndp;

/// Values of a function at first - step, first, first + step, ..., last + 2 step.
struct table {
  double first = 0;
  double steps_per_unit = 1;
  std::vector<double> values;

  /// Tabulates `f` from `first` to `last` in `intervals` steps. f is evaluated a step before
  /// `first` and two behind `last` too.
  template <typename F>
  [[nodiscard]] static table of(F&& f, double first, double last, int intervals) {
    const double step = (last - first) / intervals;
    table out{first, 1 / step, {}};
    for (int i = -1; i <= intervals + 2; ++i) out.values.push_back(f(first + i * step));
    return out;
  }
};

struct value_and_slope {
  double value;
  double slope;
};

/// A table where the platform can read it. Outside its range it stays at its ends.
struct table_view {
  double first = 0;
  double steps_per_unit = 1;
  ndp::sequence<const double> values;

  // Always inline: a call would keep loops over several distances from being done by lanes.
  [[nodiscard, gnu::always_inline]] FETTLE_HOST_DEVICE value_and_slope operator()(double x) const {
    const int intervals = static_cast<int>(values.size()) - 4;
    double at = (x - first) * steps_per_unit;
    if (at < 0) at = 0;
    if (at > static_cast<double>(intervals)) at = static_cast<double>(intervals);
    const int i = static_cast<int>(at);
    const double part = at - static_cast<double>(i);
    const double before = values[i];
    const double here = values[i + 1];
    const double after = values[i + 2];
    const double far = values[i + 3];
    const double difference = after - before;
    const double next_difference = far - here;
    return {here + 0.5 * part * (difference + part * (after + before - 2 * here)),
            0.5 * (difference + part * (next_difference - difference)) * steps_per_unit};
  }
};

/// The three functions of an embedded-atom potential.
struct potential_tables {
  double cutoff;
  table pair;
  table density;
  table embedding;

  template <typename Potential>
  [[nodiscard]] static potential_tables of(const Potential& potential, double least_density,
                                           double most_density, int intervals = 4000) {
    return {
        potential.cutoff,
        table::of([&](double r) { return potential.pair(r); }, 1, potential.cutoff, intervals),
        table::of([&](double r) { return potential.density(r); }, 1, potential.cutoff, intervals),
        table::of([&](double rho) { return potential.embedding(rho); }, least_density, most_density,
                  intervals)};
  }
};

}  // namespace examples
