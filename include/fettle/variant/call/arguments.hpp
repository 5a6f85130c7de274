// The argument types of a tuned function: read off std::tuple<...>, thrust::tuple<...> or a
// function signature, and how each argument is passed to variants, kept, and shown to features.
#pragma once

#include <concepts>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>

namespace thrust {
struct null_type;  // pads the tuples of Thrust before CCCL 2
}

namespace fettle::inline FETTLE_ABI::detail {

template <typename... Args>
struct argument_list {};

/// An argument by whose type the caller says that its program is never in training: the functions
/// that train are not compiled.
template <typename T>
concept only_deployed = requires { typename std::remove_cvref_t<T>::is_only_deployed; };

/// argument_list without thrust::null_type, which only ever pads the end.
template <typename Kept, typename... Rest>
struct without_padding;
template <typename... Kept>
struct without_padding<argument_list<Kept...>> {
  using type = argument_list<Kept...>;
};
template <typename... Kept, typename... Rest>
struct without_padding<argument_list<Kept...>, thrust::null_type, Rest...> {
  using type = argument_list<Kept...>;
};
template <typename... Kept, typename First, typename... Rest>
struct without_padding<argument_list<Kept...>, First, Rest...>
    : without_padding<argument_list<Kept..., First>, Rest...> {};

/// What the second template argument of code_variant says: argument types and result.
/// `Result` is double for a tuple (the metric), the signature's own result otherwise.
template <typename Arguments>
struct function_shape {
  static constexpr bool valid = false;
  using arguments = void;
};
template <template <typename...> class Tuple, typename... Args>
struct function_shape<Tuple<Args...>> {
  static constexpr bool valid = true;
  static constexpr bool is_signature = false;
  using arguments = typename without_padding<argument_list<>, Args...>::type;
  using result = double;
};
template <typename R, typename... Args>
struct function_shape<R(Args...)> {
  static_assert(!std::is_rvalue_reference_v<R>,
                "A tuned function cannot return an rvalue reference.");
  static constexpr bool valid = true;
  static constexpr bool is_signature = true;
  using arguments = argument_list<Args...>;
  using result = std::conditional_t<std::is_rvalue_reference_v<R>, void, R>;
};

/// How features, constraints, capture functions and the like see an argument: a reference stays
/// what it is, a value is shown as const, so that looking at a move-only argument does not consume
/// it.
template <typename Arg>
using observed =
    std::conditional_t<std::is_lvalue_reference_v<Arg>, Arg, const std::remove_reference_t<Arg>&>;

/// The parameter type of the paper's feature and constraint classes: the argument's own type, or a
/// const reference where a copy is impossible.
template <typename Arg>
using observed_by_class =
    std::conditional_t<std::is_reference_v<Arg> || std::copy_constructible<Arg>, Arg, const Arg&>;

/// An argument kept for later calls (fix_inputs, bind, training): references by address, values by
/// value. pass() hands it to a variant and may be called again where the argument can be copied.
template <typename Arg>
class kept_argument {
 public:
  explicit kept_argument(Arg&& argument) : value_(std::move(argument)) {}

  /// Whether pass() leaves the argument as it was.
  static constexpr bool repeatable = std::copy_constructible<std::remove_reference_t<Arg>>;

  const std::remove_reference_t<Arg>& show() const noexcept { return value_; }
  std::remove_reference_t<Arg>& change() noexcept { return value_; }

  std::remove_reference_t<Arg> pass() {
    if constexpr (repeatable) {
      return value_;
    } else {
      return std::move(value_);
    }
  }

 private:
  std::remove_reference_t<Arg> value_;
};

template <typename Arg>
class kept_argument<Arg&> {
 public:
  explicit kept_argument(Arg& argument) noexcept : address_(std::addressof(argument)) {}

  static constexpr bool repeatable = true;

  Arg& show() const noexcept { return *address_; }
  Arg& change() const noexcept { return *address_; }
  Arg& pass() const noexcept { return *address_; }

 private:
  Arg* address_;
};

template <typename... Args>
inline constexpr bool all_repeatable = (kept_argument<Args>::repeatable && ...);

/// Arguments of a call, kept together.
template <typename... Args>
using kept_arguments = std::tuple<kept_argument<Args>...>;

}  // namespace fettle::detail
