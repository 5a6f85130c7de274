// Sorting by comparison that uses order and repetitions, and by digits.
#pragma once

#include <array>
#include <iterator>
#include <span>

#include "sequences.hpp"

namespace sorting {

/// Merges the ascending runs that the input has; descending ones are reversed first. O(n log runs).
template <class Key>
void merge_runs(std::vector<Key>& v) {
  std::vector<std::size_t> ends = {0};
  for (std::size_t first = 0; first < v.size(); first = ends.back()) {
    std::size_t end = first + 1;
    if (end < v.size() && in_order{}(v[end], v[first])) {
      while (end < v.size() && in_order{}(v[end], v[end - 1])) ++end;
      std::reverse(v.begin() + static_cast<std::ptrdiff_t>(first),
                   v.begin() + static_cast<std::ptrdiff_t>(end));
    }
    constexpr std::size_t shortest = 24;  // shorter runs are extended by insertion
    while (end < v.size()) {
      if (in_order{}(v[end], v[end - 1])) {
        if (end - first >= shortest) break;
        const Key key = v[end];
        std::size_t at = end;
        for (; at > first && in_order{}(key, v[at - 1]); --at) v[at] = v[at - 1];
        v[at] = key;
      }
      ++end;
    }
    ends.push_back(end);
  }
  std::vector<Key> merged(ends.size() > 2 ? v.size() : 0);
  while (ends.size() > 2) {
    std::vector<std::size_t> fewer = {0};
    const auto at = [](auto& keys, std::size_t n) {
      return keys.begin() + static_cast<std::ptrdiff_t>(n);
    };
    for (std::size_t n = 0; n + 1 < ends.size(); n += 2) {
      const std::size_t middle = ends[n + 1];
      const std::size_t end = n + 2 < ends.size() ? ends[n + 2] : middle;
      std::merge(at(v, ends[n]), at(v, middle), at(v, middle), at(v, end), at(merged, ends[n]),
                 in_order{});
      fewer.push_back(end);
    }
    v.swap(merged);
    ends.swap(fewer);
  }
}

namespace detail {

/// Insertion that gives up after `most` moves; whether it has sorted the range.
template <class Key>
bool insert_few(Key* first, Key* last, std::ptrdiff_t most) {
  for (Key* next = first + 1; next < last; ++next) {
    if (!in_order{}(*next, next[-1])) continue;
    const Key key = *next;
    Key* at = next;
    for (; at > first && in_order{}(key, at[-1]); --at) *at = at[-1];
    *at = key;
    if ((most -= next - at) < 0) return false;
  }
  return true;
}

/// Moves what is before the pivot to the front, without a branch a key; the number of these.
template <class Key, class Before>
std::ptrdiff_t partition(Key* first, std::ptrdiff_t n, const Before& before) {
  std::ptrdiff_t moved = 0;
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    const Key key = first[i];
    first[i] = first[moved];
    first[moved] = key;
    moved += before(key) ? 1 : 0;
  }
  return moved;
}

template <class Key>
void quick(Key* first, Key* last, int depth, const Key* smallest) {
  for (std::ptrdiff_t n; (n = last - first) > 24;) {
    if (depth-- == 0) return std::sort(first, last, in_order{});
    const auto median = [](Key a, Key b, Key c) {
      return std::max(std::min(a, b, in_order{}),
                      std::min(std::max(a, b, in_order{}), c, in_order{}), in_order{});
    };
    const auto third = [&](std::ptrdiff_t at) {
      return median(first[at - 1], first[at], first[at + 1]);
    };
    const Key pivot = n > 128 ? median(third(n / 4), third(n / 2), third(3 * n / 4))
                              : median(first[0], first[n / 2], first[n - 1]);
    // A pivot that equals the key before this range is its smallest: its repetitions are in place.
    if (smallest != nullptr && !in_order{}(*smallest, pivot)) {
      first += partition(first, n, [&](Key key) { return !in_order{}(pivot, key); });
      continue;
    }
    const std::ptrdiff_t less =
        partition(first, n, [&](Key key) { return in_order{}(key, pivot); });
    Key* const middle = first + less;
    quick(first, middle, depth, smallest);
    // What equals the pivot comes next.
    first =
        middle + partition(middle, last - middle, [&](Key key) { return !in_order{}(pivot, key); });
    smallest = first > middle ? first - 1 : smallest;
  }
  insert_few(first, last, std::numeric_limits<std::ptrdiff_t>::max());
}

}  // namespace detail

/// Quicksort that partitions without branches and moves repetitions of a pivot once, after Peters'
/// pattern-defeating quicksort (arXiv:2106.05123); what is nearly in order is inserted.
template <class Key>
void quick_sort(std::vector<Key>& v) {
  Key* const first = v.data();
  Key* const last = first + v.size();
  if (v.size() < 2 ||
      detail::insert_few(first, last, static_cast<std::ptrdiff_t>(v.size() / 8 + 8)))
    return;
  detail::quick(first, last, 2 * static_cast<int>(std::bit_width(v.size())),
                static_cast<const Key*>(nullptr));
}

/// By digits of eleven bits, the least first; digits that all keys share are passed over.
template <class Key>
void radix_sort(std::vector<Key>& v) {
  constexpr unsigned digit_bits = 11;
  constexpr unsigned bits = 8 * sizeof(Key);
  constexpr unsigned passes = (bits + digit_bits - 1) / digit_bits;
  using word = std::make_unsigned_t<decltype(rank_of(Key{}))>;
  const auto digit = [](Key key, unsigned pass) {
    const auto rank = static_cast<word>(rank_of(key)) ^ (word{1} << (bits - 1));
    return static_cast<std::size_t>(rank >> (pass * digit_bits)) & ((1U << digit_bits) - 1);
  };
  std::vector<std::array<std::uint32_t, 1 << digit_bits>> counts(passes);
  for (const Key key : v)
    for (unsigned pass = 0; pass < passes; ++pass) ++counts[pass][digit(key, pass)];
  std::vector<Key> sorted(v.size());
  for (unsigned pass = 0; pass < passes && !v.empty(); ++pass) {
    auto& begin = counts[pass];
    if (begin[digit(v.front(), pass)] == v.size()) continue;
    std::uint32_t sum = 0;
    for (std::uint32_t& one : begin) sum += std::exchange(one, sum);
    for (const Key key : v) sorted[begin[digit(key, pass)]++] = key;
    v.swap(sorted);
  }
}

/// The number of ascending sequences, estimated from at most 8 pieces of 32 neighbours.
inline double ascending_sequences(const keys& k) {
  return std::visit(
      [](const auto& v) {
        const auto taken = sampling::of(v.size(), 8, 32);
        return estimated_sequences(v.size(), taken, [&](std::size_t piece, std::size_t n) {
          return v[piece * taken.stride(v.size()) + n];
        });
      },
      k.values);
}

/// The fraction of different keys in a sample, which is put in order. Precondition: there are some.
template <class Sample>
double distinct_among(Sample&& sample) {
  std::sort(std::begin(sample), std::end(sample), in_order{});
  std::size_t distinct = 1;
  for (std::size_t n = 1; n < std::size(sample); ++n)
    distinct += in_order{}(sample[n - 1], sample[n]) ? 1U : 0U;
  return static_cast<double>(distinct) / static_cast<double>(std::size(sample));
}

/// The fraction of different keys among at most 32, evenly spread.
inline double sampled_distinct(const keys& k) {
  return std::visit(
      [](const auto& v) {
        std::array<std::decay_t<decltype(v[0])>, 32> sample{};
        const std::size_t count = std::min(v.size(), sample.size());
        if (count == 0) return 1.0;
        for (std::size_t n = 0; n < count; ++n) sample[n] = v[n * (v.size() / count)];
        using key = typename decltype(sample)::value_type;
        return distinct_among(std::span<key>(sample.data(), count));
      },
      k.values);
}

}  // namespace sorting
