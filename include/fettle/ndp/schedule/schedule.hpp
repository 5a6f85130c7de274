// Schedules: who may work on each level of a nested computation, as nested types.
//
//   schedule::independent<schedule::cooperative<>>    on map>reduce: rows in parallel, and the
//                                                     elements of a row by resources that
//                                                     coordinate
//
//   independent   many resources, each on its own elements; no element's result needs another's
//   cooperative   many resources that also coordinate: they combine partial results, so the
//                 operator has to be associative
//   sequential    one thread, in order; needs nothing
//   flattened     all resources, on equal parts of a map AND the reduce or scan nested in it,
//                 whatever the row lengths are: covers two levels as one node; associativity
//
// The first three are the paper's (table II); flattened is Fettle's own. What is valid for which
// operator is in schedule_lattice.hpp. Levels that a schedule leaves out at its end are sequential:
// independent<> on map>reduce means independent<sequential<>>.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::schedule {

/// Ends a schedule.
struct none {};

template <typename T>
inline constexpr bool is_schedule_v = false;

/// What `execute` takes as a schedule: independent<...>, cooperative<...>, sequential<...> or
/// flattened<...>.
template <typename T>
concept schedule_like = is_schedule_v<T>;

/// What nests in a schedule: another one, or none.
template <typename T>
concept inner_schedule = schedule_like<T> || std::same_as<T, none>;

// clang-format off
/// Resources work on different elements: no element needs another's result.
template <inner_schedule Inner = none> struct independent { using inner = Inner; };
/// Resources work on one instance of the level together and combine their partial results.
template <inner_schedule Inner = none> struct cooperative { using inner = Inner; };
/// One thread does the level in order.
template <inner_schedule Inner = none> struct sequential  { using inner = Inner; };
/// Covers two levels, a map and a reduce or scan in it: equal tiles of the elements of all rows.
template <inner_schedule Inner = none> struct flattened   { using inner = Inner; };

template <typename Inner> inline constexpr bool is_schedule_v<independent<Inner>> = true;
template <typename Inner> inline constexpr bool is_schedule_v<cooperative<Inner>> = true;
template <typename Inner> inline constexpr bool is_schedule_v<sequential<Inner>>  = true;
template <typename Inner> inline constexpr bool is_schedule_v<flattened<Inner>>   = true;
// clang-format on

/// One node of a schedule as a value. `none` is the end.
enum class kind : std::uint8_t { none, independent, cooperative, sequential, flattened };

[[nodiscard]] constexpr std::string_view to_string(kind node) noexcept {
  constexpr std::string_view names[] = {"", "independent", "cooperative", "sequential",
                                        "flattened"};
  return names[static_cast<std::size_t>(node)];
}

/// How many levels of the computation a node covers.
[[nodiscard]] constexpr int levels_covered(kind node) noexcept {
  return node == kind::none ? 0 : node == kind::flattened ? 2 : 1;
}

/// A schedule as a value: its nodes, outermost first. What rules and constraints are written for.
struct nodes {
  static constexpr int capacity = 16;

  std::array<kind, capacity> node{};
  int count = 0;

  constexpr void push_back(kind next) noexcept { node[static_cast<std::size_t>(count++)] = next; }
  [[nodiscard]] constexpr kind operator[](int index) const noexcept {
    return node[static_cast<std::size_t>(index)];
  }
  [[nodiscard]] constexpr const kind* begin() const noexcept { return node.data(); }
  [[nodiscard]] constexpr const kind* end() const noexcept { return node.data() + count; }

  /// All of it in one number, four bits a node: what makes a schedule a template argument.
  [[nodiscard]] constexpr std::uint64_t code() const noexcept {
    std::uint64_t out = 0;
    for (int i = count; i-- > 0;) out = out << 4 | static_cast<std::uint64_t>((*this)[i]);
    return out;
  }
  [[nodiscard]] static constexpr nodes of_code(std::uint64_t code) noexcept {
    nodes out;
    for (; code != 0; code >>= 4) out.push_back(static_cast<kind>(code & 0xF));
    return out;
  }

  /// The node that covers `level`, which counts from 1; sequential below the last one.
  [[nodiscard]] constexpr kind at_level(int level) const noexcept {
    for (const kind next : *this) {
      level -= levels_covered(next);
      if (level <= 0) return next;
    }
    return kind::sequential;
  }
  /// How many levels the nodes name.
  [[nodiscard]] constexpr int levels() const noexcept {
    int sum = 0;
    for (const kind next : *this) sum += levels_covered(next);
    return sum;
  }
  [[nodiscard]] friend constexpr bool operator==(const nodes&, const nodes&) = default;
};

namespace detail {

template <typename S>
inline constexpr kind kind_of = kind::none;
template <typename Inner>
inline constexpr kind kind_of<independent<Inner>> = kind::independent;
template <typename Inner>
inline constexpr kind kind_of<cooperative<Inner>> = kind::cooperative;
template <typename Inner>
inline constexpr kind kind_of<sequential<Inner>> = kind::sequential;
template <typename Inner>
inline constexpr kind kind_of<flattened<Inner>> = kind::flattened;

template <inner_schedule S>
constexpr void append_nodes(nodes& out) {
  if constexpr (schedule_like<S>) {
    out.push_back(kind_of<S>);
    append_nodes<typename S::inner>(out);
  }
}

template <schedule_like S>
inline constexpr int depth_v = 1;
template <template <typename> typename Node, schedule_like Inner>
inline constexpr int depth_v<Node<Inner>> = 1 + depth_v<Inner>;

template <inner_schedule S>
[[nodiscard]] consteval nodes nodes_of() {
  if constexpr (schedule_like<S>) {
    static_assert(depth_v<S> <= nodes::capacity, "A schedule has 16 nested levels at most");
  }
  nodes out;
  append_nodes<S>(out);
  return out;
}

// The type that a code spells, see nodes::code(): an integer, because nvcc cannot pass on template
// arguments of class type with arrays in them.
template <std::uint64_t Code>
[[nodiscard]] consteval auto type_of() {
  constexpr auto outermost = static_cast<kind>(Code & 0xF);
  if constexpr (outermost == kind::none) {
    return none{};
  } else {
    using inner = decltype(type_of<(Code >> 4)>());
    if constexpr (outermost == kind::independent) {
      return independent<inner>{};
    } else if constexpr (outermost == kind::cooperative) {
      return cooperative<inner>{};
    } else if constexpr (outermost == kind::sequential) {
      return sequential<inner>{};
    } else {
      return flattened<inner>{};
    }
  }
}

[[nodiscard]] constexpr std::size_t text_length(const nodes& all) noexcept {
  std::size_t length = all.count > 0 ? static_cast<std::size_t>(all.count) - 1 : 0;
  for (const kind next : all) length += to_string(next).size();
  return length;
}

template <inner_schedule S>
struct text_of {
  static constexpr nodes all = nodes_of<S>();
  static constexpr std::size_t length = text_length(all);
  static constexpr auto characters = [] {
    std::array<char, length + 1> out{};
    std::size_t end = 0;
    for (const kind next : all) {
      if (end != 0) out[end++] = '>';
      for (const char c : to_string(next)) out[end++] = c;
    }
    return out;
  }();
};

}  // namespace detail

/// The outermost node of S, and all of them.
template <inner_schedule S>
inline constexpr kind kind_v = detail::kind_of<S>;
template <inner_schedule S>
inline constexpr nodes nodes_v = detail::nodes_of<S>();

/// The schedule that a code spells: schedule_of_t<nodes_v<S>.code()> is S.
template <std::uint64_t Code>
using schedule_of_t = decltype(detail::type_of<Code>());

/// No level of S works in parallel: it is none, sequential<>, sequential<sequential<>>, ...
template <inner_schedule S>
inline constexpr bool is_sequential_v = [] {
  for (const kind next : nodes_v<S>) {
    if (next != kind::sequential) return false;
  }
  return true;
}();

/// S in its text form, "independent>cooperative". It lives as long as the program.
template <inner_schedule S>
[[nodiscard]] constexpr std::string_view to_string() noexcept {
  return {detail::text_of<S>::characters.data(), detail::text_of<S>::length};
}

}  // namespace fettle::ndp::schedule
