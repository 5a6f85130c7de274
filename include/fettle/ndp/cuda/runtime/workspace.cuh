// workspace: temporary device memory of one computation, taken from the platform's memory resource
// and given back in the order of its stream, so that neither end waits for the GPU. Of a recording
// and of a program's graph it is part of what they keep (kept_memory.cuh).
#pragma once

#include <cstddef>
#include <exception>
#include <limits>
#include <string>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda/runtime/kept_memory.cuh>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/schedule/computation.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// Room for `count` objects of type T, uninitialised. The destructor may run when the
/// kernels that use the memory are on the stream: it is reused only after them.
template <typename T>
class workspace {
 public:
  workspace(const platform::cuda& on, const computation& named, index_t count)
      : on_(on), bytes_(bytes_for(named, count)), data_(allocate(named)) {}
  ~workspace() {
    if (kept_ != nullptr) {
      kept_->give_back(data_);
    } else {
      on_.memory.deallocate(data_, bytes_, on_.stream);
    }
  }

  workspace(const workspace&) = delete;
  workspace& operator=(const workspace&) = delete;

  [[nodiscard]] T* data() const noexcept { return static_cast<T*>(data_); }

 private:
  [[nodiscard]] static std::size_t bytes_for(const computation& named, index_t count) {
    constexpr std::size_t most = std::numeric_limits<std::size_t>::max() / sizeof(T) / 2;
    if (count < 0 || static_cast<std::size_t>(count) > most) {
      throw error(std::string(named.name) + ": a temporary of " + std::to_string(count) +
                  " elements is more than memory can hold");
    }
    return static_cast<std::size_t>(count) * sizeof(T);
  }

  // Whatever the resource throws, the message names the computation.
  [[nodiscard]] void* allocate(const computation& named) {
    try {
      return kept_ != nullptr ? kept_->allocate(bytes_) : on_.memory.allocate(bytes_, on_.stream);
    } catch (const std::exception& failure) {
      throw error(std::string(named.name) + ": no device memory for a temporary of " +
                  std::to_string(bytes_) + " bytes: " + failure.what());
    }
  }

  platform::cuda on_;
  std::size_t bytes_;
  kept_memory* kept_ = kept_memory::current();
  void* data_;
};

}  // namespace fettle::ndp::cuda::detail
