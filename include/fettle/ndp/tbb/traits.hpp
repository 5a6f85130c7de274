// What is known of platform::tbb without oneTBB: its policies and rules. A program that runs
// computations on it includes <fettle/ndp/tbb.hpp>.
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/ndp/host/dispatch/training.hpp>
#include <fettle/ndp/schedule/platform.hpp>
#include <fettle/ndp/schedule/platform_traits.hpp>
#include <fettle/ndp/tbb/dispatch/rules.hpp>
#include <fettle/ndp/tbb/policy/platform.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

template <>
struct platform_at<2> {
  using type = platform::tbb;
};

template <>
struct platform_traits<platform::tbb> : tbb::detail::rules,
                                        host::detail::training<platform::tbb> {};

}  // namespace fettle::ndp
