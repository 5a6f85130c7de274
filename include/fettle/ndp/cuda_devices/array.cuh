// cuda_devices::array<T>: memory over several GPUs, with one address: part p of it lies on device
// p, and all of them reach all of it. Sequences over it are inputs and results of computations over
// these devices that move no more than the halos.
//
//   cuda_devices::array<double> x(platform::cuda_devices{0, 1}, n);
//   execute(map(f, x.read()), y.write(), on);
//
// Made by CUDA's functions for virtual memory (cuMemMap), which maps whole granules: where a part
// ends is rounded to one (2 MiB on an H100).
#pragma once

#include <atomic>
#include <cstddef>
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <exception>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda_devices/device_team.cuh>
#include <fettle/ndp/cuda_devices/platform.cuh>
#include <fettle/ndp/devices/cuts.hpp>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda_devices {

namespace detail {

inline constexpr computation array_named{"cuda_devices::array"};

/// A function of the driver, found at run time, so that programs need not link it.
template <typename F>
[[nodiscard]] F driver_function(const char* name) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result{};
#if CUDART_VERSION >= 12050
  check(array_named,
        cudaGetDriverEntryPointByVersion(name, &found, 12000, cudaEnableDefault, &result),
        "looking for a driver's function");
#else
  check(array_named, cudaGetDriverEntryPoint(name, &found, cudaEnableDefault, &result),
        "looking for a driver's function");
#endif
  if (found == nullptr) throw error(std::string(name) + " is not in this driver");
  return reinterpret_cast<F>(found);
}

/// Virtual memory over devices. Its errors name the device.
class mapped_memory {
 public:
  mapped_memory() = default;
  /// At least ends.back() bytes; those before ends[p] and after the ones before it on device p.
  mapped_memory(const std::vector<int>& devices, std::vector<std::size_t> ends) {
    try {
      map(devices, std::move(ends));
    } catch (...) {
      release();
      throw;
    }
  }
  mapped_memory(mapped_memory&& other) noexcept { swap(other); }
  mapped_memory& operator=(mapped_memory&& other) noexcept {
    swap(other);
    return *this;
  }
  mapped_memory(const mapped_memory&) = delete;
  mapped_memory& operator=(const mapped_memory&) = delete;
  ~mapped_memory() { release(); }

  [[nodiscard]] void* data() const noexcept { return reinterpret_cast<void*>(base_); }

 private:
  void map(const std::vector<int>& devices, std::vector<std::size_t> ends) {
    const on_device current(devices[0]);
    current.require(array_named);
    check(array_named, cudaFree(nullptr), "using the GPU");  // makes its context
    CUmemAllocationProp its{};
    its.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    its.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    its.location.id = devices[0];
    std::size_t granule = 0;
    require(
        driver_function<decltype(&cuMemGetAllocationGranularity)>("cuMemGetAllocationGranularity")(
            &granule, &its, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED),
        devices[0], "asking for the granularity");
    for (std::size_t& end : ends) end = (end + granule / 2) / granule * granule;
    ends.back() = ends.back() + granule;  // may have been rounded down
    bytes_ = ends.back();
    require(driver_function<decltype(&cuMemAddressReserve)>("cuMemAddressReserve")(&base_, bytes_,
                                                                                   granule, 0, 0),
            devices[0], "reserving addresses");
    std::size_t begin = 0;
    for (std::size_t p = 0; p < devices.size(); ++p) {
      if (ends[p] > begin) map_part(devices[p], begin, ends[p] - begin);
      begin = ends[p] > begin ? ends[p] : begin;
    }
    std::vector<CUmemAccessDesc> access;
    for (const int device : devices) {
      CUmemAccessDesc one{};
      one.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
      one.location.id = device;
      one.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
      bool is_new = true;
      for (const CUmemAccessDesc& other : access) {
        is_new = is_new && other.location.id != device;
      }
      if (is_new) access.push_back(one);
    }
    require(driver_function<decltype(&cuMemSetAccess)>("cuMemSetAccess")(
                base_, bytes_, access.data(), access.size()),
            devices.back(),
            "giving all devices access, which takes a link between them; without one give each "
            "device memory of its own");
  }
  void map_part(int device, std::size_t begin, std::size_t bytes) {
    CUmemAllocationProp its{};
    its.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    its.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    its.location.id = device;
    CUmemGenericAllocationHandle part{};
    require(driver_function<decltype(&cuMemCreate)>("cuMemCreate")(&part, bytes, &its, 0), device,
            ("asking for " + std::to_string(bytes) + " bytes").c_str());
    const CUresult mapped =
        driver_function<decltype(&cuMemMap)>("cuMemMap")(base_ + begin, bytes, 0, part, 0);
    // The mapping keeps it.
    driver_function<decltype(&cuMemRelease)>("cuMemRelease")(part);
    require(mapped, device, "mapping memory");
    mapped_.emplace_back(begin, bytes);
  }
  static void require(CUresult status, int device, const char* what) {
    if (status == CUDA_SUCCESS) return;
    const char* text = "unknown error";
    driver_function<decltype(&cuGetErrorString)>("cuGetErrorString")(status, &text);
    throw error(std::string(array_named.name) + ": " + text_of_device(device) + ": " + what +
                " failed: " + text);
  }
  void release() noexcept {
    if (base_ == 0) return;
    arrays_freed().fetch_add(1, std::memory_order_relaxed);
    try {
      const auto unmap = driver_function<decltype(&cuMemUnmap)>("cuMemUnmap");
      for (const auto& [begin, bytes] : mapped_) unmap(base_ + begin, bytes);
      driver_function<decltype(&cuMemAddressFree)>("cuMemAddressFree")(base_, bytes_);
    } catch (const std::exception&) {
      // The driver is going down, and takes the memory with it.
    }
    base_ = 0;
  }
  void swap(mapped_memory& other) noexcept {
    std::swap(base_, other.base_);
    std::swap(bytes_, other.bytes_);
    std::swap(mapped_, other.mapped_);
  }

  CUdeviceptr base_ = 0;
  std::size_t bytes_ = 0;
  std::vector<std::pair<std::size_t, std::size_t>> mapped_;
};

}  // namespace detail

/// Not initialised. Before it is destroyed the work that uses it has to be done.
template <typename T>
  requires std::is_trivially_copyable_v<T>
class array {
 public:
  array() = default;

  /// `count` elements, equally many on each device.
  array(const platform::cuda_devices& on, index_t count)
      : array(on, devices::equal_cuts(count, on.size())) {}

  /// Elements where.begin(p) to where.begin(p + 1) on device p: where a computation is cut.
  array(const platform::cuda_devices& on, const devices::cuts& where)
      : size_(where.begin(where.parts)) {
    detail::require_list(detail::array_named, on);
    if (where.parts != on.size()) {
      throw error("cuda_devices::array: " + std::to_string(where.parts) + " parts for " +
                  std::to_string(on.size()) + " devices; cut it into one part a device");
    }
    std::vector<std::size_t> ends;
    for (int p = 1; p <= where.parts; ++p) {
      ends.push_back(static_cast<std::size_t>(where.begin(p)) * sizeof(T));
    }
    memory_ = detail::mapped_memory(on.list(), std::move(ends));
  }

  [[nodiscard]] index_t size() const noexcept { return size_; }
  [[nodiscard]] T* data() const noexcept { return static_cast<T*>(memory_.data()); }
  [[nodiscard]] sequence<const T> read() const { return {data(), size_}; }
  [[nodiscard]] sequence<T> write() { return {data(), size_}; }

 private:
  detail::mapped_memory memory_;
  index_t size_ = 0;
};

}  // namespace fettle::ndp::cuda_devices
