// platform::openmp: the processor's cores, by OpenMP. A table of contents; what is not listed here
// is an implementation detail.
//
//   platform::openmp      where a computation runs
//   openmp::policy        how: threads, loop schedules, nesting; its values, text form and limits
//   platform_traits       what the rest of the library asks of the platform
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/ndp/host/dispatch/run.hpp>
#include <fettle/ndp/host/dispatch/training.hpp>
#include <fettle/ndp/openmp/dispatch/rules.hpp>
#include <fettle/ndp/openmp/policy/constraints.hpp>  // violation
#include <fettle/ndp/openmp/policy/platform.hpp>     // platform::openmp
#include <fettle/ndp/openmp/policy/policy.hpp>       // policy, level, parse_policy, to_string
#include <fettle/ndp/openmp/team/team.hpp>
#include <fettle/ndp/schedule/platform_traits.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

template <>
struct platform_traits<platform::openmp>
    : openmp::detail::rules,
      host::detail::runner<platform::openmp, openmp::detail::team>,
      host::detail::training<platform::openmp> {};

}  // namespace fettle::ndp
