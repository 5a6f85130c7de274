// device: a GPU as the processor that runs computations, and the contenders on it: two simple
// kernels, a library, Fettle.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cuda_runtime.h>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fettle/measure/statistics.hpp>

#include "../../common/ndp/device.cuh"
#include "computation.hpp"
#include "kernels.cuh"

namespace suite {

using ndp_gpu::check;

class device {
 public:
  static constexpr const char* name = "device";
  template <typename T>
  using array = ndp_gpu::device_array<T>;
  using stopwatch = ndp_gpu::stopwatch;

  cudaStream_t stream = nullptr;
  index steps = 0;  // of the present problem

  device() { check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate"); }

  [[nodiscard]] stopwatch make_stopwatch() const { return stopwatch(stream); }

  /// Memory for temporaries, kept until the next problem. Each use has its number.
  template <typename T>
  [[nodiscard]] view<T> scratch(int use, index count) const {
    return {reinterpret_cast<T*>(bytes(use, static_cast<std::size_t>(count) * sizeof(T))), count};
  }

  void forget_scratch() {
    scratch_.clear();
    sizes_.clear();
  }

  /// Calls one of CUB's functions: call(storage, bytes). How much storage it needs is asked once a
  /// problem and use.
  template <typename Call>
  void cub(int use, Call call) const {
    auto found = sizes_.find(use);
    if (found == sizes_.end()) {
      std::size_t size = 0;
      check(call(nullptr, size), "CUB's temporary storage");
      found = sizes_.emplace(use, size).first;
    }
    check(call(bytes(use, found->second), found->second), "CUB");
  }

  template <typename T>
  [[nodiscard]] static array<T> upload(const std::vector<T>& all) {
    return array<T>(all);
  }
  template <typename T>
  [[nodiscard]] std::vector<T> download(const array<T>& all) const {
    check(cudaStreamSynchronize(stream), "the computation");
    std::vector<T> found(all.size());
    check(cudaMemcpy(found.data(), all.data(), found.size() * sizeof(T), cudaMemcpyDeviceToHost),
          "download");
    return found;
  }
  template <typename T>
  void poison(const array<T>& all) const {
    all.poison(stream);
  }

 private:
  [[nodiscard]] char* bytes(int use, std::size_t size) const {
    auto& all = scratch_[use];
    if (all.size() < size || all.data() == nullptr) {
      check(cudaStreamSynchronize(stream), "the computation");
      all = array<char>(size + 1);
    }
    return all.data();
  }

  mutable std::map<int, array<char>> scratch_;
  mutable std::map<int, std::size_t> sizes_;
};

/// Calls add(name, role, run) for each contender but Fettle and the library.
template <typename Computation, typename Add>
void add_others(const device&, Add add) {
  if constexpr (has_own_loops<Computation>) {
    add(Computation::threads_name, "simple",
        [](const device& on, auto... views) { Computation::threads(on, views...); });
  } else {
    add(Computation::shapes == family::rows ? "a thread a row" : "a thread a step", "simple",
        [](const device& on, auto... views) {
          a_thread_each<Computation, real_of<Computation>>(on.stream, on.steps, views...);
        });
  }
  if constexpr (has_second<Computation>) {
    add(Computation::second_name, "simple",
        [](const device& on, auto... views) { Computation::second(on, views...); });
  }
}

/// Bytes read and written a second by a copy on the device.
[[nodiscard]] inline double copy_bandwidth(const device& on, device::stopwatch& watch) {
  constexpr std::size_t bytes = std::size_t{1} << 30;
  const device::array<char> from(bytes);
  const device::array<char> to(bytes);
  const std::function<void()> copy = [&] {
    check(cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice, on.stream),
          "cudaMemcpyAsync");
  };
  watch.seconds(copy, 100);  // clocks go up
  std::vector<double> seconds(9);
  for (double& one : seconds) one = watch.seconds(copy, 10) / 10;
  return 2 * static_cast<double>(bytes) / fettle::median(seconds);
}

}  // namespace suite
