// platform::openmp: the processor's cores, by OpenMP.
#pragma once

#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/schedule/platform.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

namespace platform {

/// Serial without -fopenmp.
struct openmp {
  static constexpr std::string_view name = "openmp";
  static constexpr bool runs_on_host = true;
};

}  // namespace platform

template <>
struct platform_at<1> {
  using type = platform::openmp;
};

}  // namespace fettle::ndp
