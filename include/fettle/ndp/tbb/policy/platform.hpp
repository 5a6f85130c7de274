// platform::tbb: the processor's cores, by oneTBB.
#pragma once

#include <string_view>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::platform {

/// Work goes to the arena of the calling thread: a program's other tasks and those of computations
/// that run at the same time, or inside them, take turns on the same threads. To run computations
/// a program includes <fettle/ndp/tbb.hpp>.
struct tbb {
  static constexpr std::string_view name = "tbb";
  static constexpr bool runs_on_host = true;
};

}  // namespace fettle::ndp::platform
