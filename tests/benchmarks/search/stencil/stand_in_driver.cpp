// A stand-in for the CUDA driver: nothing runs, but a kernel's number of threads says what happens.
//
//   1024  it cannot be launched
//    512  its launch ruins the context, until that is reset
//    256  its output is wrong in three places
//    128  it takes a second, once one of other size took a millisecond
//   else  its first launch takes 5 ms, the others 1, 2, 3, 4 and 100 ms
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#undef cuEventElapsedTime  // the name that every driver has

namespace {

bool lost = false;
unsigned threads = 0;  // of the last stencil
int launches = 0;      // of the last module
unsigned next_event = 0;

}  // namespace

extern "C" {

CUresult cuInit(unsigned) { return CUDA_SUCCESS; }

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  *device = ordinal;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char* name, int, CUdevice) {
  std::strcpy(name, "stand-in");
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute which, CUdevice) {
  *value = which == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR ? 9 : 0;
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice) {
  *context = reinterpret_cast<CUcontext>(&lost);
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxReset(CUdevice) {
  lost = false;
  return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext) { return CUDA_SUCCESS; }

CUresult cuCtxSynchronize() { return lost ? CUDA_ERROR_ILLEGAL_ADDRESS : CUDA_SUCCESS; }

CUresult cuMemAlloc(CUdeviceptr* memory, std::size_t bytes) {
  *memory = reinterpret_cast<CUdeviceptr>(std::malloc(bytes));
  return CUDA_SUCCESS;
}

CUresult cuMemFree(CUdeviceptr memory) {
  std::free(reinterpret_cast<void*>(memory));
  return CUDA_SUCCESS;
}

CUresult cuMemsetD32Async(CUdeviceptr, unsigned, std::size_t, CUstream) {
  return cuCtxSynchronize();
}

CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, std::size_t bytes) {
  std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  return CUDA_SUCCESS;
}

CUresult cuMemcpyDtoH(void* to, CUdeviceptr, std::size_t bytes) {
  const unsigned wrong = threads == 256 ? 3 : 0;
  std::memcpy(to, &wrong, bytes);
  return CUDA_SUCCESS;
}

CUresult cuModuleLoadData(CUmodule* module, const void*) {
  launches = 0;
  *module = reinterpret_cast<CUmodule>(&launches);
  return CUDA_SUCCESS;
}

CUresult cuModuleUnload(CUmodule) { return CUDA_SUCCESS; }

// The name, by which a launch recognises the function.
CUresult cuModuleGetFunction(CUfunction* function, CUmodule, const char* name) {
  *function = reinterpret_cast<CUfunction>(const_cast<char*>(name));
  return CUDA_SUCCESS;
}

CUresult cuFuncSetAttribute(CUfunction, CUfunction_attribute, int) { return CUDA_SUCCESS; }

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute which, CUfunction) {
  *value = which == CU_FUNC_ATTRIBUTE_NUM_REGS ? 40 : 0;
  return CUDA_SUCCESS;
}

CUresult cuLaunchKernel(CUfunction function, unsigned, unsigned, unsigned, unsigned x, unsigned,
                        unsigned, unsigned, CUstream, void**, void**) {
  if (std::strcmp(reinterpret_cast<const char*>(function), "stencil") != 0) return CUDA_SUCCESS;
  if (x == 1024) return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
  if (x == 512) lost = true;
  threads = x;
  ++launches;
  return CUDA_SUCCESS;
}

CUresult cuEventCreate(CUevent* event, unsigned) {
  *event = reinterpret_cast<CUevent>(static_cast<std::size_t>(++next_event));
  return CUDA_SUCCESS;
}

CUresult cuEventRecord(CUevent, CUstream) { return CUDA_SUCCESS; }

CUresult cuEventSynchronize(CUevent) { return cuCtxSynchronize(); }

CUresult cuEventElapsedTime(float* milliseconds, CUevent from, CUevent) {
  const float times[] = {4, 100, 2, 1, 3};
  // The events of a launch are numbered from where those of this context begin.
  const std::size_t number = (reinterpret_cast<std::size_t>(from) - 1) % 64;
  *milliseconds = launches == 1 ? 5 : times[number % 5];
  if (threads == 128) *milliseconds = 1000;
  return CUDA_SUCCESS;
}

CUresult cuTexObjectCreate(CUtexObject* texture, const CUDA_RESOURCE_DESC*,
                           const CUDA_TEXTURE_DESC*, const CUDA_RESOURCE_VIEW_DESC*) {
  *texture = 1;
  return CUDA_SUCCESS;
}

CUresult cuGetErrorName(CUresult result, const char** name) {
  *name = result == CUDA_ERROR_ILLEGAL_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS"
                                               : "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES";
  return CUDA_SUCCESS;
}

}  // extern "C"
