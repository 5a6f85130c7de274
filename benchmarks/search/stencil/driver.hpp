// The CUDA driver's functions, found while the program runs: it starts, and compiles kernels, on
// machines without a driver too. $FETTLE_CUDA_DRIVER names another library: a stand-in for tests.
#pragma once

#include <cstdlib>
#include <cuda.h>
#include <dlfcn.h>
#include <stdexcept>
#include <string>

namespace stencil {

/// An error of the driver, by its name.
struct DriverError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// cuda.h gives many functions a version in their name by a macro, which is expanded here first.
#define STENCIL_TEXT(name) #name
#define STENCIL_FUNCTION(name) decltype(&::name) name = find<decltype(&::name)>(STENCIL_TEXT(name))

/// The functions by their names. Throws where there is no driver.
struct Driver {
  void* library = open();
  STENCIL_FUNCTION(cuInit);
  STENCIL_FUNCTION(cuDeviceGet);
  STENCIL_FUNCTION(cuDeviceGetName);
  STENCIL_FUNCTION(cuDeviceGetAttribute);
  STENCIL_FUNCTION(cuDevicePrimaryCtxRetain);
  STENCIL_FUNCTION(cuDevicePrimaryCtxReset);
  STENCIL_FUNCTION(cuCtxSetCurrent);
  STENCIL_FUNCTION(cuCtxSynchronize);
  STENCIL_FUNCTION(cuMemAlloc);
  STENCIL_FUNCTION(cuMemFree);
  STENCIL_FUNCTION(cuMemsetD32Async);
  STENCIL_FUNCTION(cuMemcpyHtoD);
  STENCIL_FUNCTION(cuMemcpyDtoH);
  STENCIL_FUNCTION(cuModuleLoadData);
  STENCIL_FUNCTION(cuModuleUnload);
  STENCIL_FUNCTION(cuModuleGetFunction);
  STENCIL_FUNCTION(cuFuncSetAttribute);
  STENCIL_FUNCTION(cuFuncGetAttribute);
  STENCIL_FUNCTION(cuLaunchKernel);
  STENCIL_FUNCTION(cuEventCreate);
  STENCIL_FUNCTION(cuEventRecord);
  STENCIL_FUNCTION(cuEventSynchronize);
  STENCIL_FUNCTION(cuEventElapsedTime);
  STENCIL_FUNCTION(cuTexObjectCreate);
  STENCIL_FUNCTION(cuGetErrorName);

  /// Throws where a call failed; `what` says which.
  void check(CUresult result, const char* what) const {
    if (result == CUDA_SUCCESS) return;
    const char* name = nullptr;
    cuGetErrorName(result, &name);
    throw DriverError(std::string(what) + ": " + (name != nullptr ? name : "an unknown error"));
  }

 private:
  [[nodiscard]] static void* open() {
    const char* given = std::getenv("FETTLE_CUDA_DRIVER");
    const std::string name = given != nullptr ? given : "libcuda.so.1";
    void* opened = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (opened == nullptr) throw DriverError("there is no CUDA driver (" + name + ")");
    return opened;
  }

  template <typename Function>
  [[nodiscard]] Function find(const char* name) const {
    void* found = dlsym(library, name);
    if (found == nullptr) throw DriverError(std::string("the CUDA driver has no ") + name);
    return reinterpret_cast<Function>(found);
  }
};

#undef STENCIL_FUNCTION
#undef STENCIL_TEXT

}  // namespace stencil
