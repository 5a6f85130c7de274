// The features of a tuned computation, inferred from what it reads: its first nested input, or its
// first one where none nests.
//
//   flat        length
//   uniform     rows, aspect_ratio (rows / elements of a row), elements
//   irregular   rows, and where the rows lie one behind the other (nest): average_row_length,
//               elements, longest_row, row_variation (standard deviation / mean of the lengths),
//               empty_rows (share of the rows), work_in_longest_rows (share of the elements that
//               are in the longest 1 % of the rows); on OpenMP also busiest_share (elements of the
//               thread that has most of them where all have equally many rows, over the mean)
//
// All take constant time but longest_row and those behind it in this list up to
// work_in_longest_rows, which take a pass over the rows' offsets where the program has not said in
// nest() what it knows of them.
#pragma once

#include <algorithm>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/type_list.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/openmp/team/deal.hpp>
#include <fettle/ndp/openmp/team/team.hpp>
#include <fettle/ndp/schedule/platform.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/row_statistics.hpp>
#include <fettle/ndp/shape/input_kind.hpp>
#include <fettle/ndp/tuned/row_facts.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

namespace detail {

template <typename... S>
[[nodiscard]] consteval std::size_t first_nested_place(type_list<S...> /*inputs*/) {
  std::size_t place = 0;
  const bool found = ((nested<S> || (++place, false)) || ...);
  return found ? place : 0;
}

/// The input at `Place`, by the members that inputs_of_t goes by.
template <std::size_t Place, typename E>
[[nodiscard]] constexpr const auto& input_at(const E& e) {
  if constexpr (requires { get<Place>(e.sources); }) {
    return get<Place>(e.sources);
  } else if constexpr (Place == 0) {
    return e.source;
  } else if constexpr (requires { e.keys; }) {
    return e.keys;
  } else if constexpr (requires { e.indices; }) {
    return e.indices;
  } else {
    return e.offsets;
  }
}

}  // namespace detail

/// The input whose features a computation has; the computation itself where it reads none.
template <operation E>
[[nodiscard]] constexpr const auto& featured_input(const E& e) {
  if constexpr (inputs_of_t<E>::size == 0) {
    return e;
  } else {
    return detail::input_at<detail::first_nested_place(inputs_of_t<E>{})>(e);
  }
}

namespace detail {

template <typename Input>
[[nodiscard]] index_t elements_in(const Input& rows) {
  if constexpr (has_row_offsets<Input>) {
    return elements_of_rows(rows);
  } else {
    return rows.size() * rows.row_size();
  }
}

[[nodiscard]] inline double quotient(index_t a, index_t b) noexcept {
  return static_cast<double>(a) / static_cast<double>(b > 0 ? b : 1);
}

/// How many elements a computation reads, as far as its input knows in constant time.
template <operation E>
[[nodiscard]] index_t elements_going_in(const E& e) {
  const auto& input = featured_input(e);
  using type = std::remove_cvref_t<decltype(input)>;
  if constexpr (has_row_offsets<type> || has_row_size<type>) {
    return elements_in(input);
  } else {
    return input.size();
  }
}

/// How unequal the elements are of equal shares of the rows: those of the largest over the mean.
template <has_row_offsets Rows>
[[nodiscard]] double busiest_share(const Rows& rows, int shares) {
  const index_t count = rows.size();
  index_t most = 0;
  index_t begin = rows.row_begin(0);
  for (int share = 1; share <= shares; ++share) {
    const index_t end = rows.row_begin(openmp::share_begin(count, share, shares));
    most = std::max(most, end - begin);
    begin = end;
  }
  const index_t elements = begin - rows.row_begin(0);
  return elements > 0 ? static_cast<double>(most) * shares / static_cast<double>(elements) : 1.0;
}

/// Calls visit(name, feature) for each; a feature is called as feature(input, platform, facts).
template <typename Input, platform_like Platform, typename Visit>
constexpr void for_each_feature_of(Visit&& visit) {
  using input = const Input&;
  using platform = const Platform&;
  if constexpr (!nested<Input>) {
    visit("length", [](input s, platform, row_facts&) { return static_cast<double>(s.size()); });
  } else {
    visit("rows", [](input s, platform, row_facts&) { return static_cast<double>(s.size()); });
    if constexpr (nesting_of<Input>() == nesting::uniform && has_row_size<Input>) {
      visit("aspect_ratio",
            [](input s, platform, row_facts&) { return quotient(s.size(), s.row_size()); });
    } else if constexpr (has_row_offsets<Input>) {
      visit("average_row_length",
            [](input s, platform, row_facts&) { return quotient(elements_in(s), s.size()); });
    }
    if constexpr (has_row_offsets<Input> || has_row_size<Input>) {
      visit("elements",
            [](input s, platform, row_facts&) { return static_cast<double>(elements_in(s)); });
    }
    if constexpr (nesting_of<Input>() == nesting::irregular && has_row_offsets<Input>) {
      visit("longest_row", [](input s, platform on, row_facts& facts) {
        return facts.figure(s, on, &row_statistics::longest);
      });
      visit("row_variation", [](input s, platform on, row_facts& facts) {
        return facts.figure(s, on, &row_statistics::variation);
      });
      visit("empty_rows", [](input s, platform on, row_facts& facts) {
        return facts.figure(s, on, &row_statistics::empty);
      });
      visit("work_in_longest_rows", [](input s, platform on, row_facts& facts) {
        return facts.figure(s, on, &row_statistics::work_in_longest);
      });
      if constexpr (std::is_same_v<Platform, ndp::platform::openmp>) {
        visit("busiest_share", [](input s, platform, row_facts&) {
          return busiest_share(s, openmp::thread_count(0));
        });
      }
    }
  }
}

}  // namespace detail

/// Calls visit(name, feature) for every feature of E on Platform, in their order. A feature is a
/// function object, called as feature(featured_input(e), platform, row facts).
template <operation E, platform_like Platform, typename Visit>
constexpr void for_each_feature(Visit&& visit) {
  using input = std::remove_cvref_t<decltype(featured_input(std::declval<const E&>()))>;
  detail::for_each_feature_of<input, Platform>(visit);
}

}  // namespace fettle::ndp
