// platform::cuda_devices: several GPUs of one host.
#pragma once

#include <cstddef>
#include <cuda_runtime_api.h>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::platform {

/// Work is ordered by `stream`, one of the first device, as on platform::cuda: execute() returns
/// when it is enqueued, and what is put on the stream afterwards comes after the work of all
/// devices. The list is checked at the first computation: a device that is not there or listed
/// twice, and devices of different kinds, are errors then.
class cuda_devices {
 public:
  static constexpr std::string_view name = "cuda_devices";
  static constexpr bool runs_on_host = false;

  /// All GPUs of the machine, in CUDA's order.
  cuda_devices() : cuda_devices(all()) {}
  cuda_devices(std::initializer_list<int> devices) : list_(devices) {}
  explicit cuda_devices(std::vector<int> devices, cudaStream_t of_first = nullptr)
      : stream(of_first), list_(std::move(devices)) {}

  [[nodiscard]] static cuda_devices all(cudaStream_t of_first = nullptr) {
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess) cudaGetLastError();  // the first use says it
    std::vector<int> devices;
    for (int device = 0; device < count; ++device) devices.push_back(device);
    return cuda_devices(std::move(devices), of_first);
  }

  /// One GPU as if it were `count`: what runs on several, tried on one. All of them are used unless
  /// a policy says otherwise.
  [[nodiscard]] static cuda_devices emulated(int device, int count,
                                             cudaStream_t of_first = nullptr) {
    cuda_devices made(std::vector<int>(static_cast<std::size_t>(count < 0 ? 0 : count), device),
                      of_first);
    made.is_emulated_ = true;
    return made;
  }

  [[nodiscard]] int size() const noexcept { return static_cast<int>(list_.size()); }
  [[nodiscard]] int operator[](int i) const { return list_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] const std::vector<int>& list() const noexcept { return list_; }
  [[nodiscard]] bool is_emulated() const noexcept { return is_emulated_; }

  cudaStream_t stream = nullptr;

 private:
  std::vector<int> list_;
  bool is_emulated_ = false;
};

}  // namespace fettle::ndp::platform
