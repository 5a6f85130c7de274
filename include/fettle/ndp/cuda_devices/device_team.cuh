// device_team: what a list of GPUs has in common: a stream and an event of each, pinned memory of
// the host that all of them write, and access to each other's memory where there is a link. Several
// parts of one GPU, an emulation, share its stream.
//
// Made once for a list and a stream, and kept until the program ends.
#pragma once

#include <atomic>
#include <cstddef>
#include <cuda_runtime_api.h>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda_devices/platform.cuh>
#include <fettle/ndp/devices/cuts.hpp>
#include <fettle/ndp/schedule/computation.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda_devices::detail {

using cuda::detail::check;

/// How many arrays over GPUs have given their addresses back: what was known of an address before
/// may be wrong afterwards.
[[nodiscard]] inline std::atomic<unsigned>& arrays_freed() noexcept {
  static std::atomic<unsigned> count{0};
  return count;
}

/// Makes a device current while it lives.
class on_device {
 public:
  explicit on_device(int device) noexcept {
    if (cudaGetDevice(&before_) != cudaSuccess) before_ = device;
    if (device != before_) status_ = cudaSetDevice(device);
    now_ = device;
  }
  ~on_device() {
    if (now_ != before_) cudaSetDevice(before_);
  }
  on_device(const on_device&) = delete;
  on_device& operator=(const on_device&) = delete;

  void turn_to(const computation& named, int device) {
    turn_to(device);
    require(named);
  }
  /// ... without a word where that fails: what follows will fail, too.
  void turn_to(int device) noexcept {
    if (device != now_) status_ = cudaSetDevice(device);
    now_ = device;
  }
  void require(const computation& named) const { check(named, status_, "choosing a GPU"); }

 private:
  int before_ = 0;
  int now_ = 0;
  cudaError_t status_ = cudaSuccess;
};

/// "device 1 (NVIDIA H100 80GB HBM3)"
[[nodiscard]] inline std::string text_of_device(int device) {
  cudaDeviceProp its{};
  std::string text = "device " + std::to_string(device);
  if (cudaGetDeviceProperties(&its, device) == cudaSuccess) {
    text.append(" (").append(its.name).append(")");
  } else {
    cudaGetLastError();
  }
  return text;
}

/// Refuses lists that no computation can be divided among.
inline void require_list(const computation& named, const platform::cuda_devices& on) {
  const auto refuse = [&](const std::string& why) {
    throw error(std::string(named.name) + ": platform::cuda_devices: " + why);
  };
  int there = 0;
  check(named, cudaGetDeviceCount(&there), "asking for the GPUs");
  if (on.size() < 1 || on.size() > devices::most_devices) {
    refuse(std::to_string(on.size()) + " devices are listed; list from 1 to " +
           std::to_string(devices::most_devices));
  }
  cudaDeviceProp first{};
  for (int i = 0; i < on.size(); ++i) {
    if (on[i] < 0 || on[i] >= there) {
      refuse("device " + std::to_string(on[i]) + " is not there; CUDA has " +
             std::to_string(there));
    }
    for (int k = 0; k < i && !on.is_emulated(); ++k) {
      if (on[k] == on[i]) {
        refuse(text_of_device(on[i]) +
               " is listed twice; cuda_devices::emulated(device, n) runs n parts on one device");
      }
    }
    cudaDeviceProp its{};
    check(named, cudaGetDeviceProperties(&its, on[i]), "asking for a GPU's properties");
    if (i == 0) first = its;
    if (its.major != first.major || its.minor != first.minor ||
        its.multiProcessorCount != first.multiProcessorCount) {
      refuse(text_of_device(on[i]) + " is of another kind than " + text_of_device(on[0]) +
             "; list devices of one kind");
    }
  }
}

class device_team {
 public:
  device_team(const computation& named, const platform::cuda_devices& on)
      : devices_(on.list()), streams_(devices_.size()), done_(devices_.size()) {
    require_list(named, on);
    streams_[0] = on.stream;
    on_device current(devices_[0]);
    for (std::size_t i = 0; i < devices_.size(); ++i) {
      current.turn_to(named, devices_[i]);
      if (i > 0 && devices_[i] == devices_[0]) {
        streams_[i] = streams_[0];  // parts of one device come one after the other
      } else if (i > 0) {
        check(named, cudaStreamCreateWithFlags(&streams_[i], cudaStreamNonBlocking),
              "making a stream");
      }
      check(named, cudaEventCreateWithFlags(&done_[i], cudaEventDisableTiming), "making an event");
      for (const int other : devices_) enable_access(devices_[i], other);
    }
    check(named, cudaHostAlloc(&room_, room_bytes, cudaHostAllocPortable),
          "asking for pinned memory");
  }
  device_team(const device_team&) = delete;
  device_team& operator=(const device_team&) = delete;

  /// The team of a platform; `guard` holds it for one call.
  [[nodiscard]] static device_team& of(const computation& named, const platform::cuda_devices& on,
                                       std::unique_lock<std::mutex>& guard) {
    using key = std::pair<std::vector<int>, cudaStream_t>;
    struct answer {
      key asked{};
      bool is_emulated = false;
      device_team* its = nullptr;
    };
    thread_local answer last;
    if (last.its != nullptr && last.asked.second == on.stream && last.asked.first == on.list() &&
        last.is_emulated == on.is_emulated()) {
      guard = std::unique_lock<std::mutex>(last.its->lock_);
      return *last.its;
    }
    // Never destroyed: its streams and events go with the program's GPU contexts.
    static auto& teams = *new std::map<key, std::unique_ptr<device_team>>;
    static auto& lock = *new std::mutex;
    device_team* its = nullptr;
    {
      const std::lock_guard<std::mutex> finding(lock);
      if (!on.is_emulated() || on.size() < 1) require_distinct(named, on);
      std::unique_ptr<device_team>& kept = teams[key(on.list(), on.stream)];
      if (kept == nullptr) kept = std::make_unique<device_team>(named, on);
      its = kept.get();
    }
    last = {key(on.list(), on.stream), on.is_emulated(), its};
    guard = std::unique_lock<std::mutex>(its->lock_);
    return *its;
  }

  [[nodiscard]] int size() const noexcept { return static_cast<int>(devices_.size()); }
  [[nodiscard]] int device(int i) const { return devices_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] const std::vector<int>& devices() const noexcept { return devices_; }
  [[nodiscard]] cudaStream_t stream(int i) const { return streams_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] cudaEvent_t done(int i) const { return done_[static_cast<std::size_t>(i)]; }
  /// Whether part i runs on another stream than part 0: the two streams must wait for each other.
  [[nodiscard]] bool has_own_stream(int i) const { return stream(i) != stream(0); }
  [[nodiscard]] void* room() const noexcept { return room_; }

  static constexpr std::size_t value_bytes = 4096;
  static constexpr std::size_t room_bytes = value_bytes * devices::most_devices;

  /// Cuts that were found before, by the address of the offsets. They stay valid if the offsets
  /// have changed since, but the parts may be less equal then.
  struct known_cuts {
    const void* offsets = nullptr;
    index_t rows = 0;
    devices::cuts where{};
  };
  [[nodiscard]] known_cuts& cuts_for(const void* offsets, index_t rows, int parts) {
    for (known_cuts& one : known_) {
      if (one.offsets == offsets && one.rows == rows && one.where.parts == parts) return one;
    }
    known_cuts& oldest = known_[next_++ % std::size(known_)];
    oldest = {};
    return oldest;
  }

 private:
  // A list that names a device twice has the key of an emulation, but is not one.
  static void require_distinct(const computation& named, const platform::cuda_devices& on) {
    for (int i = 0; i < on.size(); ++i) {
      for (int k = 0; k < i; ++k) {
        if (on[i] == on[k]) require_list(named, on);
      }
    }
  }
  static void enable_access(int from, int to) noexcept {
    int possible = 0;
    if (from == to || cudaDeviceCanAccessPeer(&possible, from, to) != cudaSuccess ||
        possible == 0) {
      cudaGetLastError();
      return;
    }
    if (cudaDeviceEnablePeerAccess(to, 0) != cudaSuccess) cudaGetLastError();  // has it already
  }

  std::mutex lock_;
  std::vector<int> devices_;
  std::vector<cudaStream_t> streams_;
  std::vector<cudaEvent_t> done_;
  void* room_ = nullptr;
  known_cuts known_[16] = {};
  std::size_t next_ = 0;
};

}  // namespace fettle::ndp::cuda_devices::detail
