// training: as on one GPU, by the stream of the first one, for which all devices' work is waited
// for.
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda/dispatch/training.cuh>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/cuda_devices/device_team.cuh>
#include <fettle/ndp/cuda_devices/platform.cuh>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda_devices::detail {

struct training {
  static constexpr bool times_calls = true;

  template <typename T, typename Stored>
  static void read(const platform::cuda_devices& on, const T* from, index_t count, Stored* to) {
    const on_device current(on[0]);
    cuda::detail::training::read(first_of(on), from, count, to);
  }
  template <typename Stored, typename T>
  static void write(const platform::cuda_devices& on, const Stored* from, index_t count, T* to) {
    const on_device current(on[0]);
    cuda::detail::training::write(first_of(on), from, count, to);
  }
  template <typename T>
  static void poison(const platform::cuda_devices& on, T* data, index_t count, int byte) {
    const on_device current(on[0]);
    cuda::detail::training::poison(first_of(on), data, count, byte);
  }
  template <typename Work>
  [[nodiscard]] static double seconds(const platform::cuda_devices& on, bool repeatable,
                                      const Work& work) {
    const on_device current(on[0]);
    return cuda::detail::training::seconds(first_of(on), repeatable, work);
  }

 private:
  [[nodiscard]] static platform::cuda first_of(const platform::cuda_devices& on) {
    return {on.stream};
  }
};

}  // namespace fettle::ndp::cuda_devices::detail
