// cuda_devices::array<T>: memory over several GPUs, with one address: part p of it lies on device
// p, and all of them reach all of it. Sequences over it are inputs and results of computations over
// these devices that move no more than the halos.
//
//   cuda_devices::array<double> x(platform::cuda_devices{0, 1}, n);
//   execute(map(f, x.read()), y.write(), on);
//
// Where a part ends is rounded to a granule (mapped_memory.cuh).
#pragma once

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda_devices/device_team.cuh>
#include <fettle/ndp/cuda_devices/mapped_memory.cuh>
#include <fettle/ndp/cuda_devices/platform.cuh>
#include <fettle/ndp/devices/cuts.hpp>
#include <fettle/ndp/devices/placement.hpp>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda_devices {

namespace detail {

inline constexpr computation array_named{"cuda_devices::array"};

}  // namespace detail

/// Not initialised. Before it is destroyed the work that uses it has to be done.
template <typename T>
  requires std::is_trivially_copyable_v<T>
class array {
 public:
  array() = default;

  /// `count` elements, equally many on each device; fewer than 2^24 all on the first one, where
  /// computations over them are faster.
  array(const platform::cuda_devices& on, index_t count)
      : array(on, devices::detail::array_cuts(count, on.size())) {}

  /// Elements where.begin(p) to where.begin(p + 1) on device p: where a computation is cut.
  array(const platform::cuda_devices& on, const devices::cuts& where)
      : size_(where.begin(where.parts)) {
    detail::require_list(detail::array_named, on);
    if (where.parts != on.size()) {
      throw error("cuda_devices::array: " + std::to_string(where.parts) + " parts for " +
                  std::to_string(on.size()) + " devices; cut it into one part a device");
    }
    std::vector<detail::device_piece> pieces;
    for (int p = 0; p < where.parts; ++p) {
      pieces.push_back({on[p], static_cast<std::size_t>(where.begin(p + 1)) * sizeof(T)});
    }
    memory_ = detail::mapped_memory(detail::array_named, on.list(), std::move(pieces));
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
