// fusing: an expression of a program with some of the computations that it reads fused into it,
// for each set of them that C++ can compile.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/fixed_string.hpp>
#include <fettle/core/type_list.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/program/kept_values.hpp>
#include <fettle/ndp/program/reads.hpp>
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

/// A bit for each result that may be fused.
using fusion_mask = std::uint64_t;

/// Replaces the results of List whose bits are set in Mask by their expressions, all others by the
/// memory where they lie.
template <typename List, fusion_mask Mask>
struct fuse_results {
  template <typename Name, typename E>
  [[nodiscard]] auto operator()(const program_result<Name, E>& result) const {
    constexpr std::size_t index = index_in_v<program_result<Name, E>, List>;
    if constexpr (index < list_size_v<List> && (Mask >> index & 1) != 0) {
      return resolve(result.expression, *this);
    } else {
      using value = typename program_result<Name, E>::value_type;
      return sequence<const value>(static_cast<const value*>(result.place->data), result.count);
    }
  }
  template <typename T>
  [[nodiscard]] sequence<const T> operator()(const kept_values<T>& values) const {
    return values.resolved();
  }
};

/// E under Mask.
template <typename E, typename List, fusion_mask Mask>
using fused_t = resolved_t<E, fuse_results<List, Mask>>;

/// A map over the reductions of rows anywhere in S: computed wherever it is read.
template <typename S>
inline constexpr bool holds_reductions_v = false;
template <template <typename...> typename Node, typename... S>
inline constexpr bool holds_reductions_v<Node<S...>> = (holds_reductions_v<S> || ...);
template <typename F, typename... S>
inline constexpr bool holds_reductions_v<transformed_sequence<F, S...>> =
    maps_to_reductions_v<transformed_sequence<F, S...>> || (holds_reductions_v<S> || ...);

/// The results of List that S reads itself, a bit for each.
template <typename S, typename... Results>
[[nodiscard]] consteval fusion_mask bits_read_by(type_list<Results...> /*list*/) {
  fusion_mask bits = 0;
  fusion_mask bit = 1;
  ((bits |= reads_v<Results, S> ? bit : 0, bit <<= 1), ...);
  return bits;
}

/// What E and the expressions of the results in List read of List.
template <typename E, typename List>
struct reading;
template <typename E, typename... Results>
struct reading<E, type_list<Results...>> {
  using list = type_list<Results...>;
  static constexpr fusion_mask by_all = bits_read_by<E>(list{});
  static constexpr std::array<fusion_mask, sizeof...(Results)> by_result{
      bits_read_by<typename Results::expression_type>(list{})...};

  /// `mask` without results that are read by none of its others and not by E: fusing those changes
  /// nothing in E.
  [[nodiscard]] static constexpr fusion_mask reached(fusion_mask mask) {
    fusion_mask found = by_all & mask;
    for (fusion_mask before = 0; before != found;) {
      before = found;
      fusion_mask bit = 1;
      for (const fusion_mask its : by_result) {
        if ((before & bit) != 0) found |= its & mask;
        bit <<= 1;
      }
    }
    return found;
  }
};

/// Whether E under Mask does nothing twice that is a reduction of a row: a reader takes those only
/// as its epilogue, in the kernel that reduces.
template <typename E, typename List, fusion_mask Mask>
[[nodiscard]] consteval bool mask_is_valid() {
  using fused = fused_t<E, List, Mask>;
  using apart = fused_t<E, List, 0>;
  if constexpr (holds_reductions_v<fused> && !holds_reductions_v<apart>) {
    return has_epilogue_v<fused>;
  } else {
    return true;
  }
}

/// The masks under which E is compiled: those that fuse a result only together with what reads it.
/// Of a chain they are one more than its results. Where they are more than `most`, as of 5 results
/// that E reads itself, only those of the first results of List, and that of all.
template <typename E, typename List>
struct compiled_masks {
  static constexpr std::size_t most = 16;
  static constexpr std::size_t most_of_many = 6;
  static constexpr std::size_t results = list_size_v<List>;
  static_assert(
      results < 64,
      "program: a computation reads more than 63 results, which read each other: give one "
      "of them a destination, and read that");

  static constexpr std::size_t reached = [] {
    std::size_t found = 0;
    for (fusion_mask mask = 0; mask < fusion_mask{1} << std::min<std::size_t>(results, 8); ++mask) {
      if (reading<E, List>::reached(mask) == mask) ++found;
    }
    return found;
  }();
  static constexpr bool has_all = results <= 8 && reached <= most;
  static constexpr std::size_t count = has_all ? reached : std::min(results + 1, most_of_many);

  static constexpr std::array<fusion_mask, count> masks = [] {
    std::array<fusion_mask, count> found{};
    if (has_all) {
      std::size_t at = 0;
      for (fusion_mask mask = 0; at < count; ++mask) {
        if (reading<E, List>::reached(mask) == mask) found[at++] = mask;
      }
    } else {
      for (std::size_t at = 1; at < count; ++at) found[at] = (fusion_mask{1} << at) - 1;
      found[count - 1] = (fusion_mask{1} << results) - 1;
    }
    return found;
  }();
};

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

template <fixed_string Name, fusion_mask Mask, std::size_t Index, typename... Results>
[[nodiscard]] consteval auto name_with(type_list<Results...> list) {
  if constexpr (Index == sizeof...(Results)) {
    return Name;
  } else if constexpr ((Mask >> Index & 1) != 0) {
    using result = std::tuple_element_t<Index, std::tuple<Results...>>;
    return name_with<joined_name<Name, result::name>(), Mask, Index + 1>(list);
  } else {
    return name_with<Name, Mask, Index + 1>(list);
  }
}

}  // namespace fettle::ndp::detail
