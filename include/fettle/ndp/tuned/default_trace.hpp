// The default rule's choices in the decision trace: with FETTLE_TRACE=file each computation that
// was not tuned writes a line there, beside those of tuned ones.
//
//   {"function":"spmv.openmp","expression":"map>reduce","sizes":"1000000 elements; a team of 2
//    threads starts from 8192 elements on","candidates":[],"variant":"flattened: equal tiles of
//    rows and elements","reason":"default rule"}
//
// Its text is what explain() returns. Without FETTLE_TRACE a call costs a load and a branch.
#pragma once

#include <atomic>
#include <concepts>
#include <string>
#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/op.hpp>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/schedule/platform_traits.hpp>
#include <fettle/ndp/shape/expression.hpp>

namespace fettle::inline FETTLE_ABI {

namespace detail {

/// Whether FETTLE_TRACE was set when it was first asked for; negative before.
inline std::atomic<int> default_trace_state{-1};

/// Asks the environment (again), and returns whether choices are traced.
bool update_default_trace();

/// One line, from the text that explain() returns. A file that cannot be opened is reported once on
/// standard error; the computation runs.
void write_default_trace(std::string_view name, std::string_view platform,
                         std::string_view expression, std::string_view explanation);

[[nodiscard, gnu::always_inline]] inline bool traces_defaults() {
  const int state = default_trace_state.load(std::memory_order_relaxed);
  if (state == 0) [[likely]] {
    return false;
  }
  return state > 0 || update_default_trace();
}

}  // namespace detail

namespace ndp::inline FETTLE_NDP_ABI {

/// The platform says what its default rule chooses for E, by what it is made of (its devices).
template <typename Platform, typename E>
concept explains_default_on = requires(const Platform& on, const computation& named, const E& e) {
  { platform_traits<Platform>::explain_default(on, named, e) } -> std::same_as<std::string>;
};

/// The platform says what its default rule chooses for E.
template <typename Platform, typename E>
concept explains_default =
    explains_default_on<Platform, E> || requires(const computation& named, const E& e) {
      { platform_traits<Platform>::explain_default(named, e) } -> std::same_as<std::string>;
    };

namespace detail {

template <typename Platform, typename E>
  requires explains_default<Platform, E>
[[nodiscard]] std::string explanation_of(const Platform& on, const computation& named, const E& e) {
  if constexpr (explains_default_on<Platform, E>) {
    return platform_traits<Platform>::explain_default(on, named, e);
  } else {
    return platform_traits<Platform>::explain_default(named, e);
  }
}

/// What the default rule is about to do with `e`, in the trace.
template <typename E, typename Platform>
[[gnu::cold, gnu::noinline]] void trace_default(const Platform& on, const computation& named,
                                                const E& e) {
  if constexpr (explains_default<Platform, E>) {
    fettle::detail::write_default_trace(named.name, Platform::name, to_string<expression_of_t<E>>(),
                                        explanation_of(on, named, e));
  }
}

}  // namespace detail

}  // namespace ndp::inline FETTLE_NDP_ABI

}  // namespace fettle

#ifndef FETTLE_COMPILED
#include <fettle/ndp/tuned/default_trace.ipp>
#endif
