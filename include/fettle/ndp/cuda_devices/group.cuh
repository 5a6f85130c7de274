// device_group: the GPUs that work on one computation. Work of a device is on its stream; it begins
// after what is on the first one's, and what comes there later waits for it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cuda_runtime_api.h>
#include <exception>
#include <mutex>
#include <string>
#include <string_view>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/merge_path.hpp>
#include <fettle/ndp/cuda/runtime/arrival_counter.cuh>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/cuda_devices/device_team.cuh>
#include <fettle/ndp/cuda_devices/platform.cuh>
#include <fettle/ndp/cuda_devices/staging.cuh>
#include <fettle/ndp/devices/cuts.hpp>
#include <fettle/ndp/devices/group_like.hpp>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/sequence/leaves.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda_devices::detail {

/// The end of a row, of offsets that lie on a device.
template <typename O>
struct row_end_of_offsets {
  O offsets;
  FETTLE_HOST_DEVICE constexpr index_t operator()(index_t row) const {
    return static_cast<index_t>(offsets[row + 1]) - static_cast<index_t>(offsets[0]);
  }
};

template <typename O>
__global__ void find_cuts(O offsets, index_t rows, int parts, devices::cuts* found) {
  const devices::cuts where = devices::work_cuts(row_end_of_offsets<O>{offsets}, rows, parts);
  for (int p = 0; p <= parts; ++p) found->at[p] = where.begin(p);
}

/// A computation's error, with the device that it happened on. Others pass as they are.
[[noreturn]] inline void rethrow_of_device(const computation& named, int device,
                                           const std::exception_ptr& failure, bool has_others) {
  try {
    std::rethrow_exception(failure);
  } catch (const error& found) {
    std::string_view message = found.what();
    if (names_computation(message, named)) message.remove_prefix(named.name.size() + 2);
    throw error(std::string(named.name) + ": " + text_of_device(device) + ": " +
                std::string(message) +
                (has_others ? "; other devices may have written their results" : ""));
  }
}

class device_group {
 public:
  using inner_platform = device_part;
  static constexpr bool is_asynchronous = true;

  device_group(const computation& named, const platform::cuda_devices& on)
      : team_(device_team::of(named, on, guard_)), size_(team_.size()) {}

  [[nodiscard]] int size() const noexcept { return size_; }
  void use(int devices) noexcept { size_ = std::clamp(devices, 1, team_.size()); }

  template <typename Work>
  void in_parts(const computation& named, const devices::cuts& where, const Work& work) {
    on_device current(team_.device(0));
    current.require(named);
    if (is_any_apart(where)) record(named, 0);
    run_parts(named, current, where, work, true);
  }

  /// in_parts() for work of which all parts but the first read values in room(): the first one
  /// begins at once, and the host waits for the values.
  template <typename Work>
  void in_parts_by_values(const computation& named, const devices::cuts& where, const Work& work) {
    on_device current(team_.device(0));
    current.require(named);
    refuse_capture(named);
    record(named, 0);
    devices::cuts first{.parts = 1};
    first.at[1] = where.size(0);
    run_parts(named, current, first, work, false);
    check(named, cudaEventSynchronize(team_.done(0)), "waiting for the parts' values");
    devices::cuts others = where;
    others.at[0] = others.at[1];
    run_parts(named, current, others, work, false);
  }

  /// work(stream), where stream(p) is that of device p, between what is on the first stream before
  /// and what comes there later.
  template <typename Work>
  void on_all_streams(const computation& named, const Work& work) {
    on_device current(team_.device(0));
    current.require(named);
    const devices::cuts all = devices::equal_cuts(size_, size_);
    record(named, 0);
    run_parts(named, current, all, [](int /*p*/, const auto& /*on*/) {}, true);
    work([&](int p) { return team_.stream(p); });
    for (int p = 1; p < size_; ++p) {
      current.turn_to(named, team_.device(p));
      record(named, p);
    }
    current.turn_to(named, team_.device(0));
    for (int p = 1; p < size_; ++p) {
      check(named, cudaStreamWaitEvent(team_.stream(0), team_.done(p), 0), "waiting for an event");
    }
  }

  template <typename Work>
  void whole(const computation& named, const Work& work) {
    on_device current(team_.device(0));
    current.require(named);
    try {
      work(part(0));
    } catch (...) {
      rethrow(named, 0, std::current_exception());
    }
  }

  void wait(const computation& named) {
    on_device current(team_.device(0));
    refuse_capture(named);
    check(named, cudaStreamSynchronize(team_.stream(0)), "waiting for the parts' values");
  }

  template <typename T>
  [[nodiscard]] T* room(const computation& named, int /*count*/) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= device_team::value_bytes,
                  "execute: values that platform::cuda_devices combines have to be trivially "
                  "copyable and at most 4096 bytes");
    refuse_capture(named);
    return static_cast<T*>(team_.room());
  }

  /// Found on the first device, and waited for, at the first call with these offsets.
  template <typename Rows>
  [[nodiscard]] devices::cuts cut_work(const computation& named, const Rows& rows, int parts) {
    const void* address = nullptr;
    for_each_leaf(rows.offsets, [&](const auto& leaf) { address = leaf.data(); });
    using offsets = decltype(rows.offsets);
    if (address == nullptr) {
      return devices::work_cuts(row_end_of_offsets<offsets>{rows.offsets}, rows.size(), parts);
    }
    auto& known = team_.cuts_for(address, rows.size(), parts);
    if (known.offsets == address) return known.where;
    const location its = location_of(team_.device(0), address);
    if (!its.is_reachable && its.device != location::host) {
      return devices::equal_cuts(rows.size(), parts);
    }
    if (!its.is_reachable) {
      return devices::work_cuts(row_end_of_offsets<offsets>{rows.offsets}, rows.size(), parts);
    }
    on_device current(team_.device(0));
    current.require(named);
    auto* const found = room<devices::cuts>(named, 1);
    cuda::detail::launch(named, team_.stream(0), 1, 1, 0, find_cuts<std::remove_cv_t<offsets>>,
                         rows.offsets, rows.size(), parts, found);
    wait(named);
    known = {address, rows.size(), *found};
    known.where.parts = parts;
    return known.where;
  }

 private:
  /// Whether a part runs on another stream than the first one's.
  [[nodiscard]] bool is_apart(const devices::cuts& where, int p) const {
    return where.size(p) > 0 && team_.has_own_stream(p);
  }
  [[nodiscard]] bool is_any_apart(const devices::cuts& where) const {
    for (int p = 1; p < where.parts; ++p) {
      if (is_apart(where, p)) return true;
    }
    return false;
  }
  void record(const computation& named, int p) {
    check(named, cudaEventRecord(team_.done(p), team_.stream(p)), "recording an event");
  }

  /// The first part comes last, so that the others run meanwhile. `waits`: for the event of the
  /// first stream.
  template <typename Work>
  void run_parts(const computation& named, on_device& current, const devices::cuts& where,
                 const Work& work, bool waits) {
    std::exception_ptr failure;
    int failed = 0;
    int started = where.parts;  // the parts from here on are on their streams
    while (started > 0 && !failure) {
      const int p = --started;
      if (where.size(p) == 0) continue;
      try {
        current.turn_to(named, team_.device(p));
        if (waits && is_apart(where, p)) {
          check(named, cudaStreamWaitEvent(team_.stream(p), team_.done(0), 0),
                "waiting for an event");
        }
        work(p, part(p));
      } catch (...) {
        failure = std::current_exception();
        failed = p;
      }
    }
    // Also after a failure: whatever comes next on the first stream is behind all that was started.
    for (int p = std::max(started, 1); p < where.parts; ++p) {
      if (!is_apart(where, p)) continue;
      current.turn_to(team_.device(p));
      cudaEventRecord(team_.done(p), team_.stream(p));
    }
    current.turn_to(team_.device(0));
    for (int p = std::max(started, 1); p < where.parts; ++p) {
      if (is_apart(where, p)) cudaStreamWaitEvent(team_.stream(0), team_.done(p), 0);
    }
    if (failure) rethrow(named, failed, failure);
  }

  [[nodiscard]] device_part part(int p) const {
    return {{team_.stream(p)}, team_.device(p), p, &team_.devices()};
  }

  void refuse_capture(const computation& named) const {
    if (cuda::detail::is_capturing(named, team_.stream(0))) {
      throw error(std::string(named.name) +
                  ": the stream is being captured, so values of several devices cannot be "
                  "combined; capture it on one device, platform::cuda");
    }
  }

  [[noreturn]] void rethrow(const computation& named, int p, const std::exception_ptr& failure) {
    rethrow_of_device(named, team_.device(p), failure, size_ > 1);
  }

  std::unique_lock<std::mutex> guard_;
  device_team& team_;
  int size_;
};

static_assert(devices::detail::group_like<device_group>);

}  // namespace fettle::ndp::cuda_devices::detail
