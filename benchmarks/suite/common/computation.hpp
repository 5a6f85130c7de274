// What a computation of the suite is: a struct in a separate file, with
//
//   name, types        what tables call it and its elements
//   shapes             the family of its inputs: rows, sizes or matrices
//   output             the type of the elements of the output
//   component          of an output that is a struct, the type of the parts that are compared one
//                      by one: float or double, or unsigned char where they have to be equal
//   real               what the plain loop and the kernels calculate with; the serial reference
//                      calculates with double
//   tolerance          |found - expected| <= tolerance * (1 + |expected|)
//   make(shape)        the problem
//   step<Real>(i, inputs..., output)
//                      the definition: what iteration i of the plain loop writes
//   reference(inputs..., output)
//                      where the definition is not what the plain loop does
//
// or, instead of step, `whole = true` and
//
//   reference(inputs..., output), loop(inputs..., output), threads(device, inputs..., output)
//
// and in files that nvcc compiles
//
//   second_name, second(device, inputs..., output)   another simple kernel
//
// and where a library has the computation, as one call or nearly so
//
//   library_name, library(host or device, inputs..., output)
//
// How Fettle expresses it is text in the file's first comment; the expression is
// fettle_expression<computation>, in a file beside it that nothing above depends on.
#pragma once

#include <cmath>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include "problem.hpp"

namespace suite {

/// What a program computes.
template <typename... Computations>
struct computations {};

/// static void run(processor, inputs..., output), where processor is host or device
/// (in_fettle.hpp).
template <typename Computation>
struct fettle_expression;

template <typename Computation>
concept expressed_in_fettle = requires { sizeof(fettle_expression<Computation>); };

template <typename Computation>
concept has_own_loops = requires { Computation::whole; };

template <typename Computation>
concept has_reference = requires { &Computation::reference; };

template <typename Computation>
concept has_library = requires { Computation::library_name; };

template <typename Computation>
concept has_second = requires { Computation::second_name; };

template <typename Computation>
struct real {
  using type = double;
};
template <typename Computation>
  requires requires { typename Computation::real; }
struct real<Computation> {
  using type = typename Computation::real;
};
template <typename Computation>
using real_of = typename real<Computation>::type;

template <typename Computation>
struct component {
  using type = typename Computation::output;
};
template <typename Computation>
  requires requires { typename Computation::component; }
struct component<Computation> {
  using type = typename Computation::component;
};
template <typename Computation>
using component_of = typename component<Computation>::type;

template <typename T>
[[nodiscard]] view<const T> view_of(const std::vector<T>& all) {
  return {all.data(), size_of(all)};
}
template <typename T>
  requires std::is_arithmetic_v<T>
[[nodiscard]] T view_of(T number) {
  return number;
}

/// The iterations [first, last) of the plain loop.
template <typename Computation, typename Real, typename... Views>
void steps(index first, index last, Views... views) {
  for (index i = first; i < last; ++i) Computation::template step<Real>(i, views...);
}

/// The output of the serial reference.
template <typename Computation, typename... Inputs>
[[nodiscard]] auto expected_output(const problem<Inputs...>& of) {
  std::vector<typename Computation::output> out(static_cast<std::size_t>(of.outputs));
  const view<typename Computation::output> destination(out.data(), of.outputs);
  std::apply(
      [&](const auto&... inputs) {
        if constexpr (has_reference<Computation>) {
          Computation::reference(view_of(inputs)..., destination);
        } else {
          steps<Computation, double>(0, of.steps, view_of(inputs)..., destination);
        }
      },
      of.inputs);
  return out;
}

/// Whether an output is the reference's, within the computation's tolerance.
template <typename Computation>
[[nodiscard]] bool is_right(const std::vector<typename Computation::output>& found,
                            const std::vector<typename Computation::output>& expected) {
  using part = component_of<Computation>;
  static_assert(std::is_arithmetic_v<part>,
                "a computation with outputs of a class has to name "
                "its component");
  static_assert(sizeof(typename Computation::output) % sizeof(part) == 0);
  const std::size_t count = expected.size() * sizeof(typename Computation::output) / sizeof(part);
  const auto* one = reinterpret_cast<const part*>(found.data());
  const auto* other = reinterpret_cast<const part*>(expected.data());
  for (std::size_t i = 0; i < count; ++i) {
    if constexpr (std::is_floating_point_v<part>) {
      const double reference = other[i];
      const double distance = std::abs(one[i] - reference);
      // The negation makes a NaN wrong.
      if (!(distance <= Computation::tolerance * (1 + std::abs(reference)))) return false;
    } else if (one[i] != other[i]) {
      return false;
    }
  }
  return found.size() == expected.size();
}

}  // namespace suite
