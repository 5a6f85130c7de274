// runner: a computation on a GPU, by a given schedule and policy or by the default rule.
//
// Everything goes to the platform's stream, and nothing waits for it but value(). All but value()
// may be captured into a CUDA graph.
#pragma once

#include <cstring>
#include <cuda_runtime.h>
#include <memory>
#include <string>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/ndp/cuda/dispatch/default_rule.cuh>
#include <fettle/ndp/cuda/dispatch/dispatch.cuh>
#include <fettle/ndp/cuda/generic/workload_of.hpp>
#include <fettle/ndp/cuda/policy/constraints.hpp>
#include <fettle/ndp/cuda/policy/policy.hpp>
#include <fettle/ndp/cuda/runtime/arrival_counter.cuh>
#include <fettle/ndp/cuda/runtime/call_facts.cuh>
#include <fettle/ndp/cuda/runtime/device_functions.cuh>
#include <fettle/ndp/cuda/runtime/kept_memory.cuh>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda/runtime/memory_check.cuh>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/cuda/runtime/program_launch.cuh>
#include <fettle/ndp/cuda/runtime/recording.hpp>
#include <fettle/ndp/cuda/whole/one_pass.cuh>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/schedule/policy.hpp>
#include <fettle/ndp/schedule/schedule.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/shape/destination.hpp>
#include <fettle/ndp/shape/one_pass.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// Memory of the processor that the GPU writes to: where a value is waited for.
class value_room {
 public:
  explicit value_room(const computation& named) {
    check(named, cudaHostAlloc(&room_, bytes, cudaHostAllocPortable), "asking for pinned memory");
  }
  ~value_room() { cudaFreeHost(room_); }
  value_room(const value_room&) = delete;
  value_room& operator=(const value_room&) = delete;

  /// The calling thread's.
  [[nodiscard]] static void* of_thread(const computation& named) {
    thread_local const value_room room(named);
    return room.room_;
  }

  static constexpr std::size_t bytes = 4096;

 private:
  void* room_ = nullptr;
};

// Defined in explain.cuh, which only programs that ask for an explanation include.
template <typename E>
[[nodiscard]] std::string explain_default(const computation& named, const E& e);

struct runner {
  using program_memory = detail::program_memory;
  using program_start = detail::program_start;

  /// The candidates of the default rule with their estimated times, and its choice.
  template <typename E>
  [[nodiscard]] static std::string explain_default(const computation& named, const E& e) {
    return detail::explain_default(named, e);
  }

  /// Whether kernels can be compiled for E; an error that says what is wrong where not.
  template <typename E>
  [[nodiscard]] static consteval bool check_functions() {
    constexpr bool fits = !holds_plain_lambda_v<E>;
    static_assert(fits,
                  "execute: platform::cuda cannot call a plain lambda; write [] __host__ "
                  "__device__ (...) {...} and compile with nvcc --extended-lambda, or give a "
                  "FETTLE_HOST_DEVICE function object");
    return fits;
  }

  /// `e` into `destination`, by hand.
  template <typename E, typename D, schedule::schedule_like Schedule, typename Policy>
  static void run(const platform::cuda& on, const computation& named, const E& e,
                  const D& destination, Schedule schedule, Policy policy) {
    static_assert(constant_policy<Policy>,
                  "execute: platform::cuda takes its policy as a constant, because it shapes the "
                  "kernel: constant<cuda::policy{...}>{}");
    if constexpr (constant_policy<Policy>) {
      // What does not depend on the values, execute() has already refused.
      constexpr bool refused = !violation(Policy::value, Schedule{}).empty();
      constexpr bool fits =
          violation(Policy::value, Schedule{}, workload_of<E, Schedule>()).empty();
      constexpr bool is_flattened = schedule::kind_v<Schedule> == schedule::kind::flattened;
      static_assert(refused || fits || is_flattened,
                    "execute: this cuda::policy needs more shared memory for values of this size "
                    "than a block has: make the block or its grain sizes smaller");
      static_assert(refused || fits || !is_flattened,
                    "execute: a flattened tile of values of this size needs more shared memory "
                    "than a block has: make the block smaller, or use schedule "
                    "independent>cooperative");
      if constexpr (fits) {
        const call_scope call;
        require_device_functions<E>();
        require_reach(on, named, e, destination);
        realise(on, named, e, destination, schedule, policy);
      }
    }
  }

  /// ... by the default rule.
  template <typename E, typename D>
  static void run_default(const platform::cuda& on, const computation& named, const E& e,
                          const D& destination) {
    const call_scope call;
    require_device_functions<E>();
    require_reach(on, named, e, destination);
    default_run(on, named, e, destination);
  }

  /// Whether a map whose values are kept and a reduction of them can be one kernel.
  template <typename M, typename R>
  static constexpr bool takes_one_pass_v = maps_in_one_pass_v<M> && is_combinable_v<R>;

  /// ... and whether the default rule makes them one.
  template <typename M>
  [[nodiscard]] static bool prefers_one_pass(const M& map) {
    return detail::prefers_one_pass(map);
  }

  template <typename M, typename R, typename Kept, typename Total>
  static void run_one_pass(const platform::cuda& on, const computation& named,
                           const ndp::detail::one_pass<M, R>& e,
                           const ndp::detail::one_pass_destination<Kept, Total>& destination) {
    const call_scope call;
    require_device_functions<M>();
    require_device_functions<R>();
    require_reach(on, named, e.map, destination.kept);
    require_reach(on, named, e.reduction, destination.total);
    detail::run_one_pass(on, named, e.map, e.reduction, destination.kept, destination.total);
  }

  /// What run() puts on the stream, for prepare(): replays put the same there. Null in a capture,
  /// where memory belongs to the graph. Waits for the stream where the recording has memory.
  template <typename Run>
  [[nodiscard]] static std::shared_ptr<const recording> record(const platform::cuda& on,
                                                               const computation& named,
                                                               const Run& run) {
    const call_scope call;
    if (is_capturing(named, on.stream)) return nullptr;
    const auto made = std::make_shared<recording>();
    const auto memory = std::make_shared<kept_memory>(on);
    {
      const call_scope call;
      const recording_scope records(*made);
      const kept_memory_scope keeps(*memory);
      run();
    }
    if (!memory->is_empty()) {
      made->keep(memory);
      check(named, cudaStreamSynchronize(on.stream), "waiting for a prepared computation's memory");
    }
    return made;
  }

  /// run(a sequence of one element): what it writes there. Waits for the stream.
  template <typename Run>
  [[nodiscard]] static index_t count(const platform::cuda& on, const computation& named,
                                     const Run& run) {
    const call_scope call;
    if (is_capturing(named, on.stream)) {
      throw error(std::string(named.name) +
                  ": the stream is being captured, so the number of results cannot be waited for; "
                  "give a counted() destination");
    }
    auto* const room = static_cast<index_t*>(value_room::of_thread(named));
    *room = 0;
    run(sequence<index_t>(room, 1));
    check(named, cudaStreamSynchronize(on.stream), "waiting for the number of results");
    return *room;
  }

  /// The value of a reduction, by hand or by the default rule. Waits for the stream.
  template <typename E, typename... ByHand>
  [[nodiscard]] static typename E::value_type value(const platform::cuda& on,
                                                    const computation& named, const E& e,
                                                    const ByHand&... schedule_and_policy) {
    using T = typename E::value_type;
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= value_room::bytes,
                  "execute: on platform::cuda the value of a reduce has to be trivially copyable "
                  "and at most 4096 bytes");
    const call_scope call;
    if (is_capturing(named, on.stream)) {
      throw error(std::string(named.name) +
                  ": the stream is being captured, so the value of a reduce cannot be waited for; "
                  "give a destination in device memory");
    }
    T* const room = static_cast<T*>(value_room::of_thread(named));
    const sequence<T> destination(room, 1);
    if constexpr (sizeof...(ByHand) == 0) {
      run_default(on, named, e, destination);
    } else {
      run(on, named, e, destination, schedule_and_policy...);
    }
    check(named, cudaStreamSynchronize(on.stream), "waiting for the result");
    return *room;
  }
};

}  // namespace fettle::ndp::cuda::detail
