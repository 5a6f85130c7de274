// tuned_program: what a generated header (docs/formats.md) says of a program that was tuned.
//
//   template <>
//   struct fettle::ndp::tuned_program<"solver", fettle::ndp::platform::openmp> {
//     using tuning_policy = fettle::tuning_policies::solver_openmp;
//     static constexpr std::array<std::string_view, 2> variants{"unfused", "alpha+beta"};
//   };
//
// p.execute<"solver">(...) then chooses what is fused, among the default rule and these, by the
// model of the tuning policy's function. Where there are none the default rule fuses always.
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/core/fixed_string.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

template <fixed_string Name, typename Platform>
struct tuned_program;

template <fixed_string Name, typename Platform>
inline constexpr bool is_tuned_program_v =
    requires { typename tuned_program<Name, Platform>::tuning_policy; };

namespace detail {

/// In ndp/tuned_program.hpp, which comes with the generated header.
template <fixed_string Name, typename Platform>
class program_function;

/// Whether an execution chooses: not where tuning left the default rule alone.
template <fixed_string Name, typename Platform>
[[nodiscard]] consteval bool program_has_choice() {
  if constexpr (is_tuned_program_v<Name, Platform>) {
#ifdef FETTLE_NDP_TRAINING
    return true;  // the variants are the program's fusions
#else
    return !tuned_program<Name, Platform>::variants.empty();
#endif
  } else {
    return false;
  }
}

}  // namespace detail

}  // namespace fettle::ndp
