// Platforms: where a computation runs.
//
//   platform::openmp{}                  the processor's cores, by OpenMP (serial without -fopenmp)
//   platform::cuda{stream, &resource}   a GPU, on a stream and with memory from a resource
//
// Each is a folder beside this one; <fettle/ndp/platforms.hpp> lists them.
#pragma once

#include <concepts>
#include <string_view>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

/// A platform has a name, which is that of its folder and of the namespace of its policy, and says
/// whether its work is done by the host: then the host can read all that a computation reads.
template <typename P>
concept platform_like = requires {
  { P::name } -> std::convertible_to<std::string_view>;
  { P::runs_on_host } -> std::convertible_to<bool>;
};

/// The platform with this number. Each platform of the library specialises it, in its folder, with
/// `type`. Of those that are available execute() prefers the one with the lowest number.
template <int Number>
struct platform_at {};

}  // namespace fettle::ndp
