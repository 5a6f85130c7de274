// staging: memory that a device cannot reach, that of the host and of devices without a link, is
// copied: inputs before a part runs, results after it. CUDA copies between devices by their link
// where there is one, else through pinned memory.
//
// Looked at are the sequences that an expression is made of. What function objects hold cannot be
// seen, and has to lie where every listed device reaches it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cuda_runtime_api.h>
#include <exception>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/cuda/runtime/pointer_attributes.cuh>
#include <fettle/ndp/cuda_devices/device_team.cuh>
#include <fettle/ndp/devices/destination_part.hpp>
#include <fettle/ndp/devices/own_copies.hpp>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/schedule/platform_traits.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/sequence/leaves.hpp>
#include <fettle/ndp/shape/destination.hpp>
#include <fettle/ndp/shape/one_pass.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

namespace cuda_devices::detail {

/// One device of a team, as a platform: its stream, and the devices that are listed.
struct device_part {
  static constexpr std::string_view name = "cuda";
  static constexpr bool runs_on_host = false;

  platform::cuda on{};
  int device = 0;
  int part = 0;  // its number in the list
  const std::vector<int>* listed = nullptr;
};

/// Where memory lies: a device's number, or the host.
struct location {
  static constexpr int host = -1;

  int device = host;
  bool is_reachable = false;  // by the device that was asked about
};

/// Asked of CUDA every time (0.1 us): an address of cudaMalloc may have become another device's.
[[nodiscard]] inline location location_of(int device, const void* address) {
  const auto attributes = cuda::detail::pointer_attributes(address);
  if (!attributes) return {location::host, true};  // an unknown address may still be valid
  if (attributes->type == cudaMemoryTypeUnregistered) {
    int reads_any = 0;
    if (cudaDeviceGetAttribute(&reads_any, cudaDevAttrPageableMemoryAccess, device) !=
        cudaSuccess) {
      cudaGetLastError();
    }
    return {location::host, reads_any != 0};
  }
  return {attributes->type == cudaMemoryTypeDevice ? attributes->device : location::host,
          attributes->devicePointer != nullptr};
}

/// Copies in memory of a part's device, in the order of its stream.
class staged_copies {
 public:
  staged_copies(const device_part& at, const computation& named) : at_(at), named_(named) {}
  ~staged_copies() {
    for (const copy& one : made_) at_.on.memory.deallocate(one.there, one.bytes, at_.on.stream);
  }
  staged_copies(const staged_copies&) = delete;
  staged_copies& operator=(const staged_copies&) = delete;

  /// A copy of `s` where the device does not reach it.
  template <typename T>
  [[nodiscard]] sequence<T> bring(const sequence<T>& s, bool comes_back) {
    if (s.size() == 0 || location_of(at_.device, s.data()).is_reachable) return s;
    const std::size_t bytes = static_cast<std::size_t>(s.size()) * sizeof(T);
    void* there = nullptr;
    try {
      there = at_.on.memory.allocate(bytes, at_.on.stream);
    } catch (const std::exception& failure) {
      throw error(std::string(named_.name) + ": no room for a copy of " + std::to_string(s.size()) +
                  " elements: " + failure.what());
    }
    auto* const data = const_cast<std::remove_const_t<T>*>(s.data());
    made_.push_back({there, data, bytes, comes_back});
    check(named_, cudaMemcpyAsync(there, data, bytes, cudaMemcpyDefault, at_.on.stream),
          "copying an input");
    return {static_cast<T*>(there), s.size()};
  }
  void send_back() const {
    for (const copy& one : made_) {
      if (!one.comes_back) continue;
      check(named_,
            cudaMemcpyAsync(one.from, one.there, one.bytes, cudaMemcpyDefault, at_.on.stream),
            "copying results");
    }
  }

 private:
  struct copy {
    void* there;
    void* from;
    std::size_t bytes;
    bool comes_back;
  };
  const device_part& at_;
  const computation& named_;
  std::vector<copy> made_;
};

inline void require_listed(const device_part& at, const computation& named, int lies_on,
                           index_t size) {
  if (lies_on == location::host ||
      std::find(at.listed->begin(), at.listed->end(), lies_on) != at.listed->end()) {
    return;
  }
  throw error(std::string(named.name) + ": a sequence of " + std::to_string(size) +
              " elements lies on " + text_of_device(lies_on) +
              ", which platform::cuda_devices does not list: list it, or copy the sequence to a "
              "device that is listed");
}

/// Whether the device reaches all of `s`; an error where some lies on a device that is not listed.
template <typename S>
[[nodiscard]] bool reaches_all(const device_part& at, const computation& named, const S& s) {
  bool reaches = true;
  for_each_leaf(s, [&](const auto& leaf) {
    if (leaf.size() == 0) return;
    const location its = location_of(at.device, leaf.data());
    require_listed(at, named, its.device, leaf.size());
    reaches = reaches && its.is_reachable;
  });
  return reaches;
}

/// run(e, destination), or of copies that the device reaches.
template <typename E, typename D, typename Run>
void with_reachable(const device_part& at, const computation& named, const E& of_all,
                    const D& destination, const Run& run) {
  const E e = devices::detail::with_own_copies(of_all, at.part);
  const bool reaches_inputs = reaches_all(at, named, e);
  bool reaches_results = true;
  if constexpr (!std::is_same_v<D, no_destination>) {
    reaches_results = reaches_all(at, named, destination);
  }
  if (reaches_inputs && reaches_results) return run(e, destination);

  if constexpr (devices::detail::writes_flat_rows_v<E, D>) {
    if (!reaches_results) {
      throw error(std::string(named.name) +
                  ": the rows' results go to memory that the device cannot reach, whose rows "
                  "would have to be copied one by one: give a destination in memory of a listed "
                  "device");
    }
  }
  if constexpr (std::is_void_v<typename E::value_type>) {
    throw error(std::string(named.name) +
                ": it updates memory that the device cannot reach: use memory of a listed device");
  } else {
    staged_copies copies(at, named);
    E here = e;
    D to = destination;
    const auto bring = [&](bool comes_back) {
      return [&copies, comes_back](const auto& leaf) {
        // `here` and `to` are not const, so neither are the sequences in them.
        auto& its = const_cast<std::remove_cvref_t<decltype(leaf)>&>(leaf);
        its = copies.bring(leaf, comes_back);
      };
    };
    for_each_leaf(here, bring(false));
    if constexpr (!std::is_same_v<D, no_destination>) for_each_leaf(to, bring(true));
    run(here, to);
    copies.send_back();
  }
}

}  // namespace cuda_devices::detail

/// What the rules of devices/ ask of a part's platform.
template <>
struct platform_traits<cuda_devices::detail::device_part> {
  template <typename E, typename D, typename Platform = platform::cuda>
  static void run_default(const cuda_devices::detail::device_part& at, const computation& named,
                          const E& e, const D& destination) {
    cuda_devices::detail::with_reachable(
        at, named, e, destination, [&](const auto& here, const auto& to) {
          platform_traits<Platform>::run_default(at.on, named, here, to);
        });
  }
  template <typename E, typename D, typename Schedule, typename Policy,
            typename Platform = platform::cuda>
  static void run(const cuda_devices::detail::device_part& at, const computation& named, const E& e,
                  const D& destination, Schedule its, Policy policy) {
    cuda_devices::detail::with_reachable(
        at, named, e, destination, [&](const auto& here, const auto& to) {
          platform_traits<Platform>::run(at.on, named, here, to, its, policy);
        });
  }
  /// What has to be copied goes one after the other.
  template <typename M, typename R, typename Kept, typename Total,
            typename Platform = platform::cuda>
  static void run_one_pass(const cuda_devices::detail::device_part& at, const computation& named,
                           const ndp::detail::one_pass<M, R>& e,
                           const ndp::detail::one_pass_destination<Kept, Total>& destination) {
    const ndp::detail::one_pass<M, R> own{devices::detail::with_own_copies(e.map, at.part),
                                          devices::detail::with_own_copies(e.reduction, at.part)};
    const auto reaches = [&](const auto& s) {
      return cuda_devices::detail::reaches_all(at, named, s);
    };
    if (reaches(own.map) && reaches(own.reduction) && reaches(destination.kept) &&
        reaches(destination.total)) {
      platform_traits<Platform>::run_one_pass(at.on, named, own, destination);
    } else {
      run_default(at, named, e.map, destination.kept);
      run_default(at, named, e.reduction, destination.total);
    }
  }
};

}  // namespace fettle::ndp
