// The default rule on a GPU as what runs a computation in equals_serial().
#pragma once

#include <fettle/ndp/cuda/dispatch/default_rule.cuh>
#include <fettle/ndp/schedule/policy.hpp>

#include "ndp/cuda/rows_on_gpu.hpp"

struct by_rule {
  template <typename E, typename D, typename Policy>
  void operator()(const E& e, const D& to, Policy /*policy*/) const {
    fettle::ndp::cuda::detail::default_run(fettle::ndp::platform::cuda{}, tested, e, to);
  }
};

/// A policy for what does without.
using plain = fettle::ndp::constant<fettle::ndp::cuda::policy{}>;
