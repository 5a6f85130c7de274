// fettle._native.Expression: a constraint between parameters of variants.
#pragma once

#include <pybind11/pybind11.h>

namespace fettle_native {

void bind_expression(pybind11::module_& module);

}  // namespace fettle_native
