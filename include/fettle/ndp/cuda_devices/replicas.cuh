// cuda_devices::replicas<T>: an array with a copy on each GPU: what all parts of a
// computation read anywhere, as the vector of a sparse matrix's product. A function object that
// holds a replica takes the copy of its device (devices/own_copies.hpp):
//
//   cuda_devices::replicas<double> x(on, n);
//   x.assign(y.read());                        // all copies become y, which may be divided
//   execute(map(row_dot{x.read()}, ...), y.write(), on);
//
// assign() is an all-gather: each GPU copies the others' parts through the links, or NCCL does it,
// where it is installed and was faster when this length was assigned first. Of two GPUs with a link
// each has one copy to make, and no library is quicker.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda_devices/device_team.cuh>
#include <fettle/ndp/cuda_devices/group.cuh>
#include <fettle/ndp/cuda_devices/nccl_library.hpp>
#include <fettle/ndp/cuda_devices/platform.cuh>
#include <fettle/ndp/devices/cuts.hpp>
#include <fettle/ndp/devices/group_like.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda_devices {

namespace detail {

inline constexpr computation replicas_named{"cuda_devices::replicas"};

/// NCCL's communicators of a list of devices; null where NCCL is not there. Made once, and kept
/// until the program ends.
[[nodiscard]] inline const nccl_communicators* communicators_of(const std::vector<int>& devices) {
  static auto& made = *new std::map<std::vector<int>, std::unique_ptr<nccl_communicators>>;
  static auto& lock = *new std::mutex;
  const nccl_library* const nccl = find_nccl();
  if (nccl == nullptr) return nullptr;
  const std::lock_guard<std::mutex> guard(lock);
  auto& its = made[devices];
  if (its == nullptr) {
    its = std::make_unique<nccl_communicators>(*nccl, static_cast<int>(devices.size()),
                                               devices.data());
  }
  return its.get();
}

}  // namespace detail

/// How copies are brought up to date; `automatic`: by measurement, at the first time.
enum class gathering : std::uint8_t { automatic, by_link, by_nccl };

/// Where the copies of an array are; one of them is `here`.
template <typename T>
struct replica {
  const T* const* copies;  // in memory of the host
  const T* here;
  index_t count;

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t size() const { return count; }
  [[nodiscard]] FETTLE_HOST_DEVICE constexpr sequence<const T> read() const {
    return {here, count};
  }
  [[nodiscard]] replica for_part(int part) const { return {copies, copies[part], count}; }
};

/// Not initialised. Before it is destroyed the work that uses it has to be done.
template <typename T>
  requires std::is_trivially_copyable_v<T>
class replicas {
 public:
  replicas(const platform::cuda_devices& on, index_t count)
      : on_(on),
        copies_(std::make_unique<const T*[]>(static_cast<std::size_t>(on.size()))),
        count_(count) {
    detail::require_list(detail::replicas_named, on);
    try {
      for (int p = 0; p < on.size(); ++p) allocate(p);
    } catch (...) {
      release();
      throw;
    }
  }
  replicas(const replicas&) = delete;
  replicas& operator=(const replicas&) = delete;
  ~replicas() { release(); }

  [[nodiscard]] index_t size() const noexcept { return count_; }
  /// For function objects; used as it is, the first device's copy.
  [[nodiscard]] replica<T> read() const { return {copies_.get(), copies_[0], count_}; }

  /// All copies become `from`, in the order of the platform's stream.
  void assign(const sequence<const T>& from, gathering how = gathering::automatic) {
    if (from.size() != count_) {
      throw error("cuda_devices::replicas: " + std::to_string(from.size()) +
                  " elements are assigned to copies of " + std::to_string(count_) +
                  "; give as many");
    }
    if (count_ == 0) return;
    if (how == gathering::automatic) how = faster(from);
    if (how == gathering::by_nccl) {
      assign_by_nccl(from);
    } else {
      assign_by_link(from);
    }
  }

 private:
  static constexpr std::size_t least_for_nccl = std::size_t{1} << 20U;

  void allocate(int p) {
    const detail::on_device current(on_[p]);
    current.require(detail::replicas_named);
    void* made = nullptr;
    const std::size_t bytes = static_cast<std::size_t>(count_) * sizeof(T);
    if (const cudaError_t status = cudaMalloc(&made, bytes); status != cudaSuccess) {
      cudaGetLastError();
      throw error("cuda_devices::replicas: " + detail::text_of_device(on_[p]) + ": asking for " +
                  std::to_string(bytes) + " bytes failed: " + cudaGetErrorString(status));
    }
    copies_[static_cast<std::size_t>(p)] = static_cast<const T*>(made);
  }
  void release() noexcept {
    for (int p = 0; p < on_.size(); ++p) {
      const detail::on_device current(on_[p]);
      cudaFree(copy(p));
    }
  }
  [[nodiscard]] T* copy(int p) const {
    return const_cast<T*>(copies_[static_cast<std::size_t>(p)]);
  }

  void assign_by_link(const sequence<const T>& from) {
    detail::device_group group(detail::replicas_named, on_);
    using source = sequence<const T>;
    const transformed_sequence<identity, source> all{{}, tuple_of<source>(from)};
    group.in_parts(detail::replicas_named, devices::equal_cuts(on_.size(), on_.size()),
                   [&](int p, const auto& at) {
                     devices::detail::by_default_rule{}(at, detail::replicas_named, all,
                                                        sequence<T>(copy(p), count_));
                   });
  }

  void assign_by_nccl(const sequence<const T>& from) {
    const detail::nccl_communicators* const nccl =
        on_.is_emulated() ? nullptr : detail::communicators_of(on_.list());
    if (nccl == nullptr) {
      throw error(
          "cuda_devices::replicas: NCCL is asked for, but libnccl.so.2 cannot be loaded, or the "
          "devices are emulated; install it, name it in FETTLE_NCCL, or use gathering::by_link");
    }
    detail::device_group group(detail::replicas_named, on_);
    const devices::cuts parts = devices::equal_cuts(count_, on_.size());
    std::array<std::size_t, devices::most_devices> ends{};
    for (int p = 0; p < on_.size(); ++p) {
      ends[static_cast<std::size_t>(p)] = static_cast<std::size_t>(parts.begin(p + 1)) * sizeof(T);
    }
    group.on_all_streams(detail::replicas_named, [&](const auto& stream) {
      nccl->gather_all(
          reinterpret_cast<const unsigned char*>(from.data()), ends.data(),
          [&](int p) { return reinterpret_cast<unsigned char*>(copy(p)); }, stream);
    });
  }

  [[nodiscard]] gathering faster(const sequence<const T>& from) {
    if (on_.is_emulated() || on_.size() <= 2 ||
        static_cast<std::size_t>(count_) * sizeof(T) < least_for_nccl ||
        detail::communicators_of(on_.list()) == nullptr) {
      return gathering::by_link;
    }
    if (chosen_ == gathering::automatic) {
      const double by_link = seconds([&] { assign_by_link(from); });
      const double by_nccl = seconds([&] { assign_by_nccl(from); });
      chosen_ = by_nccl < by_link ? gathering::by_nccl : gathering::by_link;
    }
    return chosen_;
  }
  /// Of the second and third of three calls.
  template <typename Work>
  [[nodiscard]] double seconds(const Work& work) const {
    std::chrono::steady_clock::time_point begin;
    for (int i = 0; i < 3; ++i) {
      if (i == 1) begin = std::chrono::steady_clock::now();
      work();
      const detail::on_device current(on_[0]);
      detail::check(detail::replicas_named, cudaStreamSynchronize(on_.stream), "waiting");
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  platform::cuda_devices on_;
  std::unique_ptr<const T*[]> copies_;
  index_t count_ = 0;
  gathering chosen_ = gathering::automatic;
};

}  // namespace fettle::ndp::cuda_devices
