// fettle._native.CudaKernel: which kernel a schedule has on CUDA, and what decides its size.
#pragma once

#include <pybind11/pybind11.h>

namespace fettle_native {

void bind_cuda_kernel(pybind11::module_& module);

}  // namespace fettle_native
