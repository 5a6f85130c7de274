// A configuration of the stencil kernels for the host, as a shared object.
#include "on_host.hpp"
// What runs on the GPU.
#include "stencil.cu"
// What runs it here.
#include "on_host.hpp"
