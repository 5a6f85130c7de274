// fettle._native.PolicyLimits: what a platform's policies may be under a schedule.
#pragma once

#include <pybind11/pybind11.h>

namespace fettle_native {

void bind_policy_limits(pybind11::module_& module);

}  // namespace fettle_native
