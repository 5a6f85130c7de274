// Platforms: where a computation runs.
//
//   platform::openmp{}                  the processor's cores, by OpenMP (serial without -fopenmp)
//   platform::cuda{stream, &resource}   a GPU, on a stream and with memory from a resource; both
//                                       have defaults (cuda/platform.hpp)
#pragma once

#include <concepts>
#include <string_view>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

/// A platform has a name, the namespace and folder of its kernels, and says whether its work is
/// done by the host: then the host can read all that a computation reads.
template <typename P>
concept platform_like = requires {
  { P::name } -> std::convertible_to<std::string_view>;
  { P::runs_on_host } -> std::convertible_to<bool>;
};

namespace platform {

struct openmp {
  static constexpr std::string_view name = "openmp";
  static constexpr bool runs_on_host = true;
};

}  // namespace platform
}  // namespace fettle::ndp
