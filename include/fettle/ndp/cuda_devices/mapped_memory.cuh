// mapped_memory: memory over several GPUs with one address, by CUDA's functions for virtual memory
// (cuMemMap), which maps whole granules: where a device's piece ends is rounded to one (2 MiB on an
// H100).
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/ndp/cuda/runtime/driver_function.cuh>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda_devices/device_team.cuh>
#include <fettle/ndp/schedule/computation.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda_devices::detail {

inline constexpr computation driver_named{"cuda_devices"};

/// A function of the driver, which has to be there.
template <typename F>
[[nodiscard]] F driver_function(const char* name) {
  cudaError_t status = cudaSuccess;
  const F found = cuda::detail::driver_function<F>(name, status);
  check(driver_named, status, "looking for a driver's function");
  if (found == nullptr) throw error(std::string(name) + " is not in this driver");
  return found;
}

/// A piece of memory that lies on one device: it ends before byte `end`, and begins where the piece
/// before it ends.
struct device_piece {
  int device = 0;
  std::size_t end = 0;
};

/// Virtual memory over devices. Its errors name the computation or type, and the device.
class mapped_memory {
 public:
  mapped_memory() = default;
  /// At least as many bytes as the last piece's end; all devices reach all of it.
  mapped_memory(const computation& named, const std::vector<int>& devices,
                std::vector<device_piece> pieces)
      : named_(named) {
    try {
      map(devices, std::move(pieces));
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
  void map(const std::vector<int>& devices, std::vector<device_piece> pieces) {
    const on_device current(devices[0]);
    current.require(named_);
    check(named_, cudaFree(nullptr), "using the GPU");  // makes its context
    CUmemAllocationProp its{};
    its.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    its.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    its.location.id = devices[0];
    std::size_t granule = 0;
    require(
        driver_function<decltype(&cuMemGetAllocationGranularity)>("cuMemGetAllocationGranularity")(
            &granule, &its, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED),
        devices[0], "asking for the granularity");
    const std::size_t wanted = pieces.back().end;
    bytes_ = std::max<std::size_t>((wanted + granule - 1) / granule, 1) * granule;
    for (device_piece& piece : pieces) {
      piece.end = piece.end == wanted ? bytes_ : (piece.end + granule / 2) / granule * granule;
    }
    require(driver_function<decltype(&cuMemAddressReserve)>("cuMemAddressReserve")(&base_, bytes_,
                                                                                   granule, 0, 0),
            devices[0], "reserving addresses");
    std::size_t begin = 0;
    for (const device_piece& piece : pieces) {
      if (piece.end <= begin) continue;
      map_piece(piece.device, begin, piece.end - begin);
      begin = piece.end;
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
            "giving all devices access, which takes a link between them; without one use separate "
            "memory on each device");
  }
  void map_piece(int device, std::size_t begin, std::size_t bytes) {
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
  void require(CUresult status, int device, const char* what) const {
    if (status == CUDA_SUCCESS) return;
    const char* text = "unknown error";
    driver_function<decltype(&cuGetErrorString)>("cuGetErrorString")(status, &text);
    throw error(std::string(named_.name) + ": " + text_of_device(device) + ": " + what +
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
    std::swap(named_, other.named_);
  }

  computation named_{};
  CUdeviceptr base_ = 0;
  std::size_t bytes_ = 0;
  std::vector<std::pair<std::size_t, std::size_t>> mapped_;
};

}  // namespace fettle::ndp::cuda_devices::detail
