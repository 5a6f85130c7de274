// fusing: an expression of a program with some of the computations that it reads fused into it,
// for each set of them that C++ can compile.
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/fixed_string.hpp>
#include <fettle/core/type_list.hpp>
#include <fettle/ndp/operator/gather.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/replicate.hpp>
#include <fettle/ndp/program/resolve.hpp>
#include <fettle/ndp/program/result.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/sequence/operands.hpp>
#include <fettle/ndp/shape/epilogue.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::detail {

/// An element of E is a value that can be computed where it is read. (Reductions of rows can, as
/// the reader's epilogue.)
template <typename E>
inline constexpr bool yields_values_where_read_v = [] {
  if constexpr (!random_access<E>) {
    return false;
  } else if constexpr (maps_to_reductions_v<E>) {
    return true;
  } else {
    using element = std::remove_cvref_t<element_t<E>>;
    return !std::is_void_v<element> && !operation<element> && !sequence_like<element> &&
           !is_map_of_programs_v<E>;
  }
}();

template <typename List, typename T>
struct with_type;
template <typename... Ts, typename T>
struct with_type<type_list<Ts...>, T> {
  using type =
      std::conditional_t<(std::is_same_v<Ts, T> || ...), type_list<Ts...>, type_list<Ts..., T>>;
};

/// The results in S that could be fused, and those in their expressions, added to List.
template <typename S, typename List = type_list<>>
struct fusible_results {
  using type = List;
};
template <typename List, typename... S>
struct fusible_in_all {
  using type = List;
};
template <typename List, typename S, typename... Others>
struct fusible_in_all<List, S, Others...>
    : fusible_in_all<typename fusible_results<S, List>::type, Others...> {};
template <template <typename...> typename Node, typename... S, typename List>
struct fusible_results<Node<S...>, List> : fusible_in_all<List, S...> {};
template <typename Name, typename E, typename List>
struct fusible_results<program_result<Name, E>, List> {
  using type = typename std::conditional_t<
      yields_values_where_read_v<E>,
      fusible_results<E, typename with_type<List, program_result<Name, E>>::type>,
      std::type_identity<List>>::type;
};

template <typename List>
inline constexpr std::size_t list_size_v = 0;
template <typename... Ts>
inline constexpr std::size_t list_size_v<type_list<Ts...>> = sizeof...(Ts);

template <typename T, typename List>
inline constexpr std::size_t index_in_v = 0;
template <typename T, typename... Ts>
inline constexpr std::size_t index_in_v<T, type_list<Ts...>> = [] {
  std::size_t index = 0;
  static_cast<void>(((std::is_same_v<T, Ts> || (++index, false)) || ...));
  return index;
}();

/// Replaces the results of List whose bits are set in Mask by their expressions, all others by the
/// memory where they lie.
template <typename List, unsigned Mask>
struct fuse_results {
  template <typename Name, typename E>
  [[nodiscard]] auto operator()(const program_result<Name, E>& result) const {
    constexpr std::size_t index = index_in_v<program_result<Name, E>, List>;
    if constexpr (index < list_size_v<List> && (Mask >> index & 1U) != 0) {
      return resolve(result.expression, *this);
    } else {
      using value = typename program_result<Name, E>::value_type;
      return sequence<const value>(static_cast<const value*>(result.place->data), result.count);
    }
  }
};

/// E under Mask.
template <typename E, typename List, unsigned Mask>
using fused_t = resolved_t<E, fuse_results<List, Mask>>;

/// A map over the reductions of rows anywhere in S: computed wherever it is read.
template <typename S>
inline constexpr bool holds_reductions_v = false;
template <template <typename...> typename Node, typename... S>
inline constexpr bool holds_reductions_v<Node<S...>> = (holds_reductions_v<S> || ...);
template <typename F, typename... S>
inline constexpr bool holds_reductions_v<transformed_sequence<F, S...>> =
    maps_to_reductions_v<transformed_sequence<F, S...>> || (holds_reductions_v<S> || ...);

/// Result is one of those that S reads itself, not through others.
template <typename Result, typename S>
inline constexpr bool reads_v = false;
template <typename Result, template <typename...> typename Node, typename... S>
inline constexpr bool reads_v<Result, Node<S...>> = (reads_v<Result, S> || ...);
template <typename Result, typename Name, typename E>
inline constexpr bool reads_v<Result, program_result<Name, E>> =
    std::is_same_v<Result, program_result<Name, E>>;

/// `mask` without results that are read by none of its others and not by E: fusing those changes
/// nothing in E.
template <typename E>
[[nodiscard]] constexpr unsigned reached_mask(type_list<> /*list*/, unsigned /*mask*/) {
  return 0;
}
template <typename E, typename... Results>
[[nodiscard]] constexpr unsigned reached_mask(type_list<Results...> /*list*/, unsigned mask) {
  const auto read_by = []<typename S>(std::type_identity<S> /*reader*/) {
    unsigned bits = 0;
    unsigned bit = 1;
    ((bits |= reads_v<Results, S> ? bit : 0, bit <<= 1), ...);
    return bits;
  };
  unsigned reached = read_by(std::type_identity<E>{}) & mask;
  for (std::size_t i = 0; i < sizeof...(Results); ++i) {  // as deep as results can read each other
    unsigned bit = 1;
    unsigned next = reached;
    ((next |= (reached & bit) != 0
                  ? read_by(std::type_identity<typename Results::expression_type>{}) & mask
                  : 0,
      bit <<= 1),
     ...);
    reached = next;
  }
  return reached;
}

/// Whether E compiles under Mask to a computation that does nothing twice that is a reduction of a
/// row: a reader takes those only as its epilogue, in the kernel that reduces.
template <typename E, typename List, unsigned Mask>
[[nodiscard]] consteval bool mask_is_valid() {
  using fused = fused_t<E, List, Mask>;
  using apart = fused_t<E, List, 0>;
  if constexpr (reached_mask<E>(List{}, Mask) != Mask) {
    return false;
  } else if constexpr (holds_reductions_v<fused> && !holds_reductions_v<apart>) {
    return has_epilogue_v<fused>;
  } else {
    return true;
  }
}

/// More than so many results are fused together or not at all: 2^5 expressions would be compiled.
inline constexpr std::size_t most_fused_freely = 4;

/// Masks that are compiled for `count` results.
[[nodiscard]] consteval unsigned masks_of(std::size_t count) {
  return count <= most_fused_freely ? 1U << count : 2U;
}
[[nodiscard]] consteval unsigned mask_at(std::size_t count, unsigned index) {
  return count <= most_fused_freely || index == 0 ? index : (1U << count) - 1;
}

/// "norms+scores": the name of a computation with others fused into it.
template <fixed_string Name, fixed_string Other, char Between = '+'>
[[nodiscard]] consteval auto joined_name() {
  constexpr std::size_t length = Name.size() + Other.size() + 2;
  char text[length] = {};
  for (std::size_t i = 0; i < Name.size(); ++i) text[i] = Name.characters[i];
  text[Name.size()] = Between;
  for (std::size_t i = 0; i < Other.size(); ++i) {
    text[Name.size() + 1 + i] = Other.characters[i];
  }
  return fixed_string<length>(text);
}

template <fixed_string Name, unsigned Mask, std::size_t Index, typename... Results>
[[nodiscard]] consteval auto name_with(type_list<Results...> list) {
  if constexpr (Index == sizeof...(Results)) {
    return Name;
  } else if constexpr ((Mask >> Index & 1U) != 0) {
    using result = std::tuple_element_t<Index, std::tuple<Results...>>;
    return name_with<joined_name<Name, result::name>(), Mask, Index + 1>(list);
  } else {
    return name_with<Name, Mask, Index + 1>(list);
  }
}

/// F may read memory that is not in the expression.
template <typename S>
inline constexpr bool functions_hold_v = false;
template <template <typename...> typename Node, typename... S>
inline constexpr bool functions_hold_v<Node<S...>> = (functions_hold_v<S> || ...);
template <typename F, typename... S>
inline constexpr bool functions_hold_v<transformed_sequence<F, S...>> =
    (!std::is_empty_v<F> && sizeof(F) >= sizeof(void*)) || (functions_hold_v<S> || ...);
template <typename Name, typename E>
inline constexpr bool functions_hold_v<program_result<Name, E>> = functions_hold_v<E>;

/// All functions of S yield the same each time: none says `is_deterministic = false`.
template <typename S>
inline constexpr bool says_deterministic_v = [] {
  if constexpr (requires { S::is_deterministic; }) {
    return bool{S::is_deterministic};
  } else {
    return true;
  }
}();
template <typename S>
inline constexpr bool is_deterministic_v = says_deterministic_v<S>;
template <template <typename...> typename Node, typename... S>
inline constexpr bool is_deterministic_v<Node<S...>> =
    says_deterministic_v<Node<S...>> && (is_deterministic_v<S> && ...);

/// S reads each element of Result about once: it does not gather or replicate them, and no row
/// program reads them again.
template <typename Result, typename S>
inline constexpr bool reads_once_v = true;
template <typename Result, template <typename...> typename Node, typename... S>
inline constexpr bool reads_once_v<Result, Node<S...>> = (reads_once_v<Result, S> && ...);
template <typename Result, typename S, typename Indices>
inline constexpr bool reads_once_v<Result, gathered_sequence<S, Indices>> =
    !reads_v<Result, S> && reads_once_v<Result, Indices>;
template <typename Result, typename S>
inline constexpr bool reads_once_v<Result, constant_sequence<S>> = !reads_v<Result, S>;
template <typename Result, typename F, typename Team, typename... S>
inline constexpr bool reads_once_v<Result, transformed_sequence<row_function<F, Team>, S...>> =
    (!reads_v<Result, S> && ...);

}  // namespace fettle::ndp::detail
