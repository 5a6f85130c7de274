// inspect_rows: reads the lengths of a nested sequence's rows once, so that default rules need not
// assume the worst of them, and so that tuned computations need not read them at every call.
//
//   auto known = ndp::inspect_rows(ndp::nest(nonzeros, offsets), platform);
//   auto rows = ndp::nest(nonzeros, offsets, known);   // every execute over these rows gains
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/schedule/platform.hpp>
#include <fettle/ndp/schedule/platform_traits.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/row_statistics.hpp>
#include <fettle/ndp/shape/featured_input.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

namespace detail {

/// Lengths from which rows are counted: powers of two around the average. No more than a hundredth
/// of the rows has a hundred times the average, so that these distinguish the longest rows.
struct length_steps {
  static constexpr int count = 8;

  index_t first = 1;

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t at(int step) const { return first << step; }
  /// The last step that a row of `length` has reached; -1: none.
  [[nodiscard]] constexpr int reached(index_t length) const {
    if (length < first) return -1;
    const auto width = [](index_t x) {
      return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(x)));
    };
    const int step = width(length) - width(first);
    return std::min(step - (at(step) > length ? 1 : 0), count - 1);
  }
  [[nodiscard]] static constexpr length_steps around(index_t elements, index_t rows) {
    const index_t half_the_average = elements / (2 * rows);
    return {half_the_average < 1 ? 1 : half_the_average};
  }
};

struct row_lengths {
  index_t longest = 0;
  index_t shortest = 0;  // or 0; negative where offsets decrease
  index_t empty = 0;
  index_t sum = 0;
  double squares = 0;
  index_t rows_at[length_steps::count]{};  // rows that have reached step k, and not the next one
  index_t work_at[length_steps::count]{};  // their elements
};

struct join_row_lengths {
  static constexpr bool is_commutative = true;
  FETTLE_HOST_DEVICE row_lengths operator()(const row_lengths& a, const row_lengths& b) const {
    row_lengths out = a;
    if (out.longest < b.longest) out.longest = b.longest;
    if (b.shortest < out.shortest) out.shortest = b.shortest;
    out.empty += b.empty;
    out.sum += b.sum;
    out.squares += b.squares;
    for (int k = 0; k < length_steps::count; ++k) {
      out.rows_at[k] += b.rows_at[k];
      out.work_at[k] += b.work_at[k];
    }
    return out;
  }
};

/// The lengths of rows, where one thread reads `Group` neighbouring ones.
template <has_row_offsets Rows, index_t Group>
struct lengths_of_rows {
  Rows rows;
  length_steps steps;

  [[nodiscard]] constexpr index_t groups() const { return ceiling_quotient(rows.size(), Group); }

  FETTLE_HOST_DEVICE row_lengths operator()(index_t i) const {
    if constexpr (Group == 1) {
      return between(i, i + 1);
    } else {
      const index_t last = (i + 1) * Group;
      return between(i * Group, last < rows.size() ? last : rows.size());
    }
  }

  /// Of the rows from `first` to `last`, without the last.
  [[nodiscard]] FETTLE_HOST_DEVICE row_lengths between(index_t first, index_t last) const {
    row_lengths out;
    index_t begin = rows.row_begin(first);
    for (index_t row = first; row < last; ++row) {
      const index_t end = rows.row_begin(row + 1);
      add(out, end - begin);
      begin = end;
    }
    return out;
  }

 private:
  FETTLE_HOST_DEVICE void add(row_lengths& out, index_t length) const {
    const auto as_double = static_cast<double>(length);
    out.longest = out.longest < length ? length : out.longest;
    out.shortest = length < out.shortest ? length : out.shortest;
    out.empty += length == 0 ? 1 : 0;
    out.sum += length;
    out.squares += as_double * as_double;
    if constexpr (Group == 1) {
      // Without a subscript that is not known, for which a GPU would keep `out` in memory.
      for (int k = 0; k < length_steps::count; ++k) {
        const bool is_last = k + 1 == length_steps::count;
        const auto counts =
            static_cast<index_t>(length >= steps.at(k) && (is_last || length < steps.at(k + 1)));
        out.rows_at[k] += counts;
        out.work_at[k] += length & -counts;
      }
    } else if (const int step = steps.reached(length); step >= 0) {
      ++out.rows_at[step];
      out.work_at[step] += length;
    }
  }
};

/// Rows of lengths from `shortest` to `longest` that have `work` elements together: how many of
/// them the longest `some` rows have, where the lengths fall evenly.
[[nodiscard]] inline double work_of_some(double some, double rows, double work, double shortest,
                                         double longest) {
  const double average = work / rows;
  const double slope = 2 * std::fmin(longest - average, average - shortest) / rows;
  return some * (average + slope * (rows - some) / 2);
}

/// The fraction of the elements that the longest rows have.
[[nodiscard]] inline double work_in_longest(const row_lengths& all, const length_steps& steps,
                                            index_t count) {
  if (all.sum == 0) return longest_rows_fraction;
  const double wanted = longest_rows_fraction * static_cast<double>(count);
  double rows = 0;
  double work = 0;
  auto longest = static_cast<double>(all.longest);
  index_t rows_from = 0;
  index_t work_from = 0;
  for (int k = length_steps::count - 1; k >= -1; --k) {
    rows_from = k < 0 ? count : rows_from + all.rows_at[k];
    work_from = k < 0 ? all.sum : work_from + all.work_at[k];
    const auto shortest = static_cast<double>(k < 0 ? 0 : steps.at(k));
    if (static_cast<double>(rows_from) >= wanted) {
      work += work_of_some(wanted - rows, static_cast<double>(rows_from) - rows,
                           static_cast<double>(work_from) - work, shortest, longest);
      break;
    }
    rows = static_cast<double>(rows_from);
    work = static_cast<double>(work_from);
    longest = std::fmin(longest, shortest);
  }
  return work / static_cast<double>(all.sum);
}

/// Of all rows: where the platform can join parts of an input, by that, which instantiates less
/// than a reduction by the default rule.
template <has_row_offsets Rows, platform_like Platform>
[[nodiscard]] row_lengths all_row_lengths(const Rows& rows, const length_steps& steps,
                                          const Platform& on) {
  using traits = platform_traits<Platform>;
  const lengths_of_rows<Rows, traits::rows_read_together> lengths{rows, steps};
  const auto part = [&](index_t first, index_t last) { return lengths.between(first, last); };
  if constexpr (requires { traits::joined(on, rows.size(), join_row_lengths{}, part); }) {
    return traits::joined(on, rows.size(), join_row_lengths{}, part);
  } else {
    return traits::value(on, computation{"inspect_rows"},
                         reduce(join_row_lengths{},
                                map(lengths, range(index_t{0}, lengths.groups())), row_lengths{}));
  }
}

/// Throws where offsets decrease, or delimit more elements than there are.
inline void check_row_lengths(const row_lengths& all, index_t elements) {
  if (all.shortest < 0) {
    throw error("inspect_rows: the offsets decrease, by " + std::to_string(-all.shortest) +
                " at one place; those of rows must not");
  }
  if (all.sum > elements) {
    throw error("inspect_rows: the rows have " + std::to_string(all.sum) +
                " elements, the sequence " + std::to_string(elements));
  }
}

}  // namespace detail

/// The longest row, how much the lengths vary, how many rows are empty, and how much of the work is
/// in the longest 1 % of the rows. The last is an estimate from a histogram of the lengths whose
/// bins differ by a factor of two: exact where rows are equally long, within 7 % of itself for
/// exponential and power-law distributions, and within a factor of two for any whose rows cover
/// the nested elements. One pass over the offsets, where they lie; on CUDA it waits for the
/// platform's stream. Worth it for rows that are used a few times. Throws fettle::error for offsets
/// that decrease, and for rows that have more elements than the sequence.
template <has_row_offsets Rows, platform_like Platform>
[[nodiscard]] row_statistics inspect_rows(const Rows& rows, const Platform& on) {
  const index_t count = rows.size();
  if (count == 0) return {0, 0.0, 0.0, longest_rows_fraction};
  const index_t elements = detail::elements_of_rows(rows);
  const auto steps = detail::length_steps::around(elements, count);
  const detail::row_lengths all = detail::all_row_lengths(rows, steps, on);
  detail::check_row_lengths(all, elements);
  const double rows_there = static_cast<double>(count);
  const double mean = static_cast<double>(all.sum) / rows_there;
  const double variance = all.squares / rows_there - mean * mean;
  return {all.longest, mean > 0 && variance > 0 ? std::sqrt(variance) / mean : 0.0,
          static_cast<double>(all.empty) / rows_there, detail::work_in_longest(all, steps, count)};
}

/// Any other arguments are an error.
template <typename... Arguments>
row_statistics inspect_rows(const Arguments&... /*arguments*/) {
  static_assert(detail::any_invalid_v<Arguments...>,
                "inspect_rows: takes rows that offsets delimit and a platform, "
                "inspect_rows(nest(sequence, offsets), platform); rows of one length, such as "
                "split makes, need no inspection");
  return {};
}

}  // namespace fettle::ndp
