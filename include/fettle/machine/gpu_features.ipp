// Definitions of gpu_features.hpp.
#pragma once

#include <cstddef>
#include <dlfcn.h>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/machine/gpu_features.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// Numbers of the driver's CUdevice_attribute.
enum class cuda_attribute : int {
  shared_bytes_per_block = 8,
  clock_kilohertz = 13,
  multiprocessors = 16,
  memory_clock_kilohertz = 36,
  memory_bus_bits = 37,
  level2_bytes = 38,
  copy_engines = 40,
  capability_major = 75,
  capability_minor = 76,
  single_to_double_ratio = 87,
};

/// Single precision cores of a multiprocessor, by compute capability.
[[gnu::cold]] FETTLE_INLINE int cores_per_multiprocessor(int generation, int revision) {
  switch (generation) {
    case 2:
      return revision == 0 ? 32 : 48;
    case 3:
      return 192;
    case 6:
      return revision == 0 ? 64 : 128;
    case 7:
      return 64;
    case 8:
      return revision == 0 ? 64 : 128;
    default:
      return 128;
  }
}

/// The driver's functions, looked up in its library.
struct cuda_driver {
  using initialise = int (*)(unsigned);
  using device_at = int (*)(int*, int);
  using name_of = int (*)(char*, int, int);
  using bytes_of = int (*)(std::size_t*, int);
  using attribute_of = int (*)(int*, int, int);

  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);

  template <typename Function>
  Function find(const char* name) const {
    return library == nullptr ? nullptr : reinterpret_cast<Function>(dlsym(library, name));
  }
};

}  // namespace fettle::detail

namespace fettle::inline FETTLE_ABI {

[[gnu::cold]] FETTLE_INLINE gpu_description describe_gpu(int device) {
  using detail::cuda_attribute;
  const detail::cuda_driver driver;  // stays loaded: the driver does not like to be unloaded
  const auto initialise = driver.find<detail::cuda_driver::initialise>("cuInit");
  const auto device_at = driver.find<detail::cuda_driver::device_at>("cuDeviceGet");
  const auto name_of = driver.find<detail::cuda_driver::name_of>("cuDeviceGetName");
  const auto bytes_of = driver.find<detail::cuda_driver::bytes_of>("cuDeviceTotalMem_v2");
  const auto attribute = driver.find<detail::cuda_driver::attribute_of>("cuDeviceGetAttribute");
  int handle = 0;
  gpu_description found;
  if (!initialise || !device_at || !name_of || !bytes_of || !attribute) return found;
  if (initialise(0) != 0 || device_at(&handle, device) != 0) return found;
  char name[256] = {};
  std::size_t bytes = 0;
  if (name_of(name, sizeof name - 1, handle) == 0) found.name = name;
  if (bytes_of(&bytes, handle) != 0) bytes = 0;
  const auto value = [&](cuda_attribute which) {
    int number = 0;
    return attribute(&number, static_cast<int>(which), handle) == 0 ? number : 0;
  };
  const int generation = value(cuda_attribute::capability_major);
  const int revision = value(cuda_attribute::capability_minor);
  const double multiprocessors = value(cuda_attribute::multiprocessors);
  const double cores = multiprocessors * detail::cores_per_multiprocessor(generation, revision);
  const double clock = value(cuda_attribute::clock_kilohertz) * 1e-3;
  const double memory_clock = value(cuda_attribute::memory_clock_kilohertz) * 1e-3;
  const double bus = value(cuda_attribute::memory_bus_bits);
  const double ratio = value(cuda_attribute::single_to_double_ratio);
  const double single = 2 * cores * clock * 1e-3;
  found.features = {
      {"global_mem", static_cast<double>(bytes) / (1024. * 1024 * 1024)},
      {"cuda_cores", cores},
      {"multiprocessors", multiprocessors},
      {"compute_capability", generation + revision / 10.},
      {"clock_rate", clock},
      {"mem_clock_rate", memory_clock},
      {"mem_bus_width", bus},
      {"l2_cache_size", value(cuda_attribute::level2_bytes) / 1024.},
      {"shared_mem_per_block", value(cuda_attribute::shared_bytes_per_block) / 1024.},
      {"copy_engines", static_cast<double>(value(cuda_attribute::copy_engines))},
      {"peak_gbps", 2 * memory_clock * bus / 8 * 1e-3},
      {"peak_gflops_sp", single},
      {"peak_gflops_dp", ratio > 0 ? single / ratio : 0},
  };
  return found;
}

}  // namespace fettle
