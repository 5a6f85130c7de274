// How wrong the result of an approximate candidate is: three measures, and one of a program's own.
//
//   template <>
//   struct fettle::ndp::quality_of<"blur"> {     // fettle ndp tune --quality own --bound 0.05
//     static double error(std::span<const double> exact, std::span<const double> out);
//   };
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

#include <fettle/core/abi.hpp>
#include <fettle/core/fixed_string.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

namespace detail {

/// How far apart two numbers are; two that are not comparable in the same way are not at all.
[[nodiscard]] inline double difference_of(double exact, double out) noexcept {
  if (exact == out || (std::isnan(exact) && std::isnan(out))) return 0.0;
  const double found = std::fabs(out - exact);
  return std::isnan(found) ? std::numeric_limits<double>::infinity() : found;
}

[[nodiscard]] inline double relative_difference(double exact, double out) noexcept {
  const double found = difference_of(exact, out);
  return found == 0.0 || std::isinf(found) ? found : found / std::fabs(exact);
}

}  // namespace detail

/// The Euclidean norm of the difference over that of the exact result.
struct relative_norm {
  static double error(std::span<const double> exact, std::span<const double> out) {
    double largest = 0;  // all is divided by it, so that no square overflows or vanishes
    for (const double x : exact) {
      if (std::isfinite(x)) largest = std::max(largest, std::fabs(x));
    }
    const auto add_square = [largest](double& sum, double x) {
      if (x != 0.0) sum += (x / largest) * (x / largest);
    };
    double differences = 0;
    double squares = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) {
      add_square(differences, detail::difference_of(exact[i], out[i]));
      if (std::isfinite(exact[i])) add_square(squares, exact[i]);
    }
    return differences == 0.0 ? 0.0 : std::sqrt(differences / squares);
  }
};

/// The largest relative error of an element; infinite where one is wrong that should be 0.
struct largest_relative {
  static double error(std::span<const double> exact, std::span<const double> out) {
    double largest = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) {
      largest = std::max(largest, detail::relative_difference(exact[i], out[i]));
    }
    return largest;
  }
};

/// The mean relative error of the elements; infinite where one is wrong that should be 0.
struct mean_relative {
  static double error(std::span<const double> exact, std::span<const double> out) {
    double sum = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) {
      sum += detail::relative_difference(exact[i], out[i]);
    }
    return exact.empty() ? 0.0 : sum / static_cast<double>(exact.size());
  }
};

/// A program's own measure of a named computation: specialise it in the program's source. `error`
/// gets the elements of the destination, those of a zip one sequence after the other, or the value
/// of a reduce; it returns 0 where `out` is as good as `exact`, and no negative number or NaN.
template <fixed_string Name>
struct quality_of {
  static_assert(Name.empty(),
                "--quality own: the program defines how wrong a result is: specialise "
                "fettle::ndp::quality_of<\"name\"> with a function error(exact, out)");
};

}  // namespace fettle::ndp
