// What set_verify was given, with the types of copies of an output erased.
#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/variant/call/arguments.hpp>
#include <fettle/variant/training/bitwise.hpp>
#include <fettle/variant/training/trainee.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// The result of the last run, where the function has one that can be kept.
template <typename Result>
struct result_slot {
  std::optional<Result> value;
  const Result* get() const { return value ? &*value : nullptr; }
};
template <typename Result>
struct result_slot<Result&> {
  Result* value = nullptr;
  const Result* get() const { return value; }
};
template <>
struct result_slot<void> {
  const void* get() const { return nullptr; }
};

/// Pointer to the result of a run, for capture functions: null where there is none.
template <typename Result>
using result_pointer = decltype(std::declval<const result_slot<Result>&>().get());

/// A capture function that takes the function's result before its arguments.
template <typename Capture, typename Result, typename... Args>
concept captures_result =
    !std::is_void_v<Result> &&
    std::invocable<Capture&, std::add_lvalue_reference_t<const std::remove_reference_t<Result>>,
                   observed<Args>...>;

template <typename Capture, typename Result, typename... Args>
concept takes_output =
    captures_result<Capture, Result, Args...> || std::invocable<Capture&, observed<Args>...>;

template <typename Result, typename... Args, typename Capture>
  requires takes_output<Capture, Result, Args...>
auto captured_output(Capture& capture, result_pointer<Result> result, observed<Args>... args) {
  if constexpr (captures_result<Capture, Result, Args...>) {
    return std::invoke(capture, *result, args...);
  } else {
    return std::invoke(capture, args...);
  }
}

/// What a capture function returns: a copy of a variant's output.
template <typename Capture, typename Result, typename... Args>
using captured_t = decltype(captured_output<Result, Args...>(std::declval<Capture&>(),
                                                             std::declval<result_pointer<Result>>(),
                                                             std::declval<observed<Args>>()...));

template <typename Capture, typename Result, typename... Args>
concept captures_output =
    takes_output<Capture, Result, Args...> && !std::is_void_v<captured_t<Capture, Result, Args...>>;

template <typename Compare, typename Copy>
concept compares_outputs =
    std::invocable<Compare&, Copy&, Copy> && requires(Compare& compare, Copy& copy) {
      static_cast<bool>(std::invoke(compare, copy, std::move(copy)));
    };

/// What set_verify was given, with types erased.
template <typename Result, typename... Args>
struct verification {
  std::function<void(result_pointer<Result>, observed<Args>...)> keep_reference;
  std::function<output_comparison(result_pointer<Result>, observed<Args>...)> compared;
  std::function<void()> forget;  ///< the reference: everything agrees until there is another

  explicit operator bool() const { return static_cast<bool>(compared); }

  /// capture(args...) or capture(result, args...) gives a copy of the output; compare(reference,
  /// output) whether two such copies agree.
  template <typename Capture, typename Compare>
  static verification of(Capture capture, Compare compare) {
    auto output = [capture](result_pointer<Result> result, observed<Args>... args) mutable {
      return captured_output<Result, Args...>(capture, result, args...);
    };
    using copy = captured_t<Capture, Result, Args...>;
    auto reference = std::make_shared<std::optional<copy>>();
    verification made;
    made.keep_reference = [output, reference](result_pointer<Result> result,
                                              observed<Args>... args) mutable {
      reference->emplace(output(result, args...));
    };
    made.forget = [reference] { reference->reset(); };
    made.compared = [output, reference, compare](result_pointer<Result> result,
                                                 observed<Args>... args) mutable {
      output_comparison found;
      if (!reference->has_value()) return found;
      auto&& own = output(result, args...);
      if constexpr (bitwise_comparable<copy>()) found.same_bits = same_bits<copy>(**reference, own);
      found.agrees =
          static_cast<bool>(std::invoke(compare, **reference, std::forward<decltype(own)>(own)));
      return found;
    };
    return made;
  }
};

}  // namespace fettle::detail
