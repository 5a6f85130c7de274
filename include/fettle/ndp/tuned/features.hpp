// The features of a tuned computation, inferred from what it reads: its first nested input, or its
// first one where none nests.
//
//   flat        length
//   uniform     rows, aspect_ratio (rows / elements of a row), elements
//   irregular   rows, and where the rows are contiguous (nest): average_row_length,
//               elements, longest_row, row_variation (standard deviation / mean of the lengths),
//               empty_rows (fraction of the rows), work_in_longest_rows (fraction of the elements
//               that are in the longest 1 % of the rows); where rows are divided among threads also
//               busiest_share (elements of the thread that has most of them where all have equally
//               many rows, over the mean)
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
#include <fettle/ndp/base/split.hpp>
#include <fettle/ndp/schedule/platform.hpp>
#include <fettle/ndp/schedule/platform_traits.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/row_statistics.hpp>
#include <fettle/ndp/shape/featured_input.hpp>
#include <fettle/ndp/shape/input_kind.hpp>
#include <fettle/ndp/tuned/row_facts.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

namespace detail {

[[nodiscard]] inline double quotient(index_t a, index_t b) noexcept {
  return static_cast<double>(a) / static_cast<double>(b > 0 ? b : 1);
}

/// How unequal the parts are that threads get who have equally many rows each: the elements of the
/// largest part over the mean.
template <has_row_offsets Rows>
[[nodiscard]] double busiest_part(const Rows& rows, int parts) {
  const index_t count = rows.size();
  index_t most = 0;
  index_t begin = rows.row_begin(0);
  for (int part = 1; part <= parts; ++part) {
    const index_t end = rows.row_begin(part_begin(count, part, parts));
    most = std::max(most, end - begin);
    begin = end;
  }
  const index_t elements = begin - rows.row_begin(0);
  return elements > 0 ? static_cast<double>(most) * parts / static_cast<double>(elements) : 1.0;
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
      if constexpr (requires { platform_traits<Platform>::threads(); }) {
        visit("busiest_share", [](input s, platform, row_facts&) {
          return busiest_part(s, platform_traits<Platform>::threads());
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
