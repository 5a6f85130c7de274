// fettle._native: device features of this machine.
#pragma once

#include <pybind11/pybind11.h>

namespace fettle_native {

void bind_machine(pybind11::module_& module);

}  // namespace fettle_native
