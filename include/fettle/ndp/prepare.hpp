// prepare: an execute whose checks and choice are made once, for a computation that runs many times
// on the same memory.
//
//   const auto step = prepare<"step">(e, destination, platform::cuda{stream});
//   for (...) step();        the kernels alone; may be captured into a CUDA graph
//
// The memory is that of the expression, so that every call reads what is there then. On CUDA the
// launches are recorded with their arguments, and a call repeats them: one launch where the
// computation has one kernel. Temporaries belong to what prepare() returns. Optional, and not in
// <fettle/ndp.hpp>.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/fixed_string.hpp>
#include <fettle/ndp/dispatch.hpp>
#include <fettle/ndp/execute.hpp>
#include <fettle/ndp/platforms.hpp>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/schedule/platform.hpp>
#include <fettle/ndp/schedule/platform_traits.hpp>
#include <fettle/ndp/shape/counted.hpp>
#include <fettle/ndp/shape/destination.hpp>
#include <fettle/ndp/shape/epilogue.hpp>
#include <fettle/ndp/shape/execute_checks.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

namespace detail {

/// What a platform keeps of a prepared computation; most keep nothing.
struct nothing_recorded {};
template <typename Platform>
struct recorded_as {
  using type = nothing_recorded;
};
#if !defined(FETTLE_NDP_TRAINING) && !defined(FETTLE_INTROSPECT) && !defined(FETTLE_NDP_SHARD)
template <typename Platform>
  requires requires(const Platform& on, void (*run)()) {
    platform_traits<Platform>::record(on, computation{}, run);
  }
struct recorded_as<Platform> {
  using type = decltype(platform_traits<Platform>::record(
      std::declval<const Platform&>(), computation{}, std::declval<void (*)()>()));
};
#endif

}  // namespace detail

/// A computation with its destination and platform. Calls may be made by one thread at a time, and
/// while what the expression refers to is there and as long as it was. On CUDA copies share their
/// temporaries: it outlives graphs that calls were captured into, its stream and memory resource
/// outlive it, and no two calls or graphs of it run at once.
template <fixed_string Name, typename E, typename D, platform_like Platform>
class prepared_computation {
 public:
  /// Throws what execute throws for arguments whose sizes do not fit together, a destination that
  /// is too small, and memory out of the platform's reach. On CUDA, where there are temporaries, it
  /// waits for the stream.
  prepared_computation(const E& e, const D& destination, const Platform& on)
      : e_(e), destination_(destination), on_(on) {
    detail::check_sizes<Platform>(detail::named<Name>(), e_, destination_);
    if constexpr (records) {
      recorded_ = platform_traits<Platform>::record(on_, detail::named<Name>(), [this] { run(); });
    }
  }

  /// Runs it as tuned, or by the platform's default rule. On CUDA the work is enqueued.
  void operator()() const {
    if constexpr (records) {
      if (recorded_ != nullptr) return recorded_->replay();
    }
    run();
  }

  /// Launches of kernels and of library calls that a call repeats; 0 where it does all that
  /// execute() does: on processors, and where it was prepared in a capture.
  [[nodiscard]] std::size_t launches() const {
    if constexpr (records) {
      if (recorded_ != nullptr) return recorded_->steps();
    }
    return 0;
  }

 private:
  using recorded = typename detail::recorded_as<Platform>::type;
  static constexpr bool records = !std::is_same_v<recorded, detail::nothing_recorded>;

  void run() const { detail::run_chosen<Name>(on_, e_, destination_); }

  E e_;
  D destination_;
  Platform on_;
  [[no_unique_address]] recorded recorded_{};
};

/// Checks once what execute(e, destination, on) checks at every call.
template <fixed_string Name = "", typename E, typename D,
          platform_like Platform = platform::preferred>
  requires(!detail::platform_or_schedule<D>)
[[nodiscard]] auto prepare(const E& e, const D& destination, const Platform& on = {}) {
  if constexpr (!detail::check_destination<E, D>() ||
                !detail::check_outside_program<Platform, E, D>()) {
    return invalid_expression{};
  } else {
    constexpr bool is_quiet = !returns_count<E> || is_counted_v<D>;
    static_assert(is_quiet,
                  "prepare: this computation returns how many results it has, for which a call "
                  "would wait; give a destination that takes the number, counted(destination, n)");
    if constexpr (detail::has_epilogue_v<E>) {
      detail::check_sizes<Platform>(detail::named<Name>(), e, destination);
      return prepare<Name>(detail::reductions_of(e), detail::through_epilogue(e, destination), on);
    } else if constexpr (is_quiet) {
      return prepared_computation<Name, E, D, Platform>(e, destination, on);
    } else {
      return invalid_expression{};
    }
  }
}

/// Without a destination: a scatter or a map of a void function.
template <fixed_string Name = "", typename E, platform_like Platform = platform::preferred>
[[nodiscard]] auto prepare(const E& e, const Platform& on = {}) {
  constexpr bool updates = detail::effect_only<E>;
  static_assert(updates,
                "prepare: this computation needs a destination in memory, also a reduce: "
                "prepare(expression, destination, platform)");
  if constexpr (updates && detail::check_outside_program<Platform, E, no_destination>()) {
    return prepared_computation<Name, E, no_destination, Platform>(e, no_destination{}, on);
  } else {
    return invalid_expression{};
  }
}

}  // namespace fettle::ndp
