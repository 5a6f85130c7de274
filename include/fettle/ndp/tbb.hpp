// platform::tbb: the processor's cores, by oneTBB. A table of contents; what is not listed here is
// an implementation detail. The program is linked with oneTBB.
//
//   platform::tbb         where a computation runs: the calling thread's arena
//   tbb::policy           how: threads, partitioners, grain sizes; its values, text form and limits
//   platform_traits       what the rest of the library asks of the platform
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/ndp/host/dispatch/run.hpp>
#include <fettle/ndp/tbb/policy/partitioner.hpp>  // partitioner_type
#include <fettle/ndp/tbb/policy/platform.hpp>     // platform::tbb
#include <fettle/ndp/tbb/policy/policy.hpp>  // policy, level, parse_policy, to_string, violation
#include <fettle/ndp/tbb/team/arena.hpp>
#include <fettle/ndp/tbb/team/team.hpp>
#include <fettle/ndp/tbb/traits.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::tbb::detail {

template <typename Platform>
struct executor : host::detail::runner<Platform, team> {
  [[nodiscard]] static int threads() noexcept { return team::available(); }
};

}  // namespace fettle::ndp::tbb::detail
