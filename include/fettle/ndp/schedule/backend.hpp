// backend<Platform>: how a platform realises a computation; the one place where a platform plugs
// in.
//
// A specialisation (openmp/backend.hpp, cuda/backend.cuh) has these static members:
//   default_policy   the policy of an execute() that is given a schedule alone
//   run(platform, computation, e, destination, schedule, policy)   by a given schedule and policy
//   run_default(platform, computation, e, destination)             by the platform's default rule
//   value(platform, computation, e, schedule and policy, or nothing)   a top-level reduce's value
#pragma once

#include <string_view>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

/// What is known of a computation besides its type; errors name it.
struct computation {
  std::string_view name = "execute";
};

template <typename Platform>
struct backend;

}  // namespace fettle::ndp
