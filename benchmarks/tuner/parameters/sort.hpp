// Sorting of 32-bit keys in four ways. Which is best, and with how many bits a pass or how long
// runs, depends on how many keys there are, how many bits they have, and how far they are in order.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

using key_value = std::uint32_t;
using keys = std::vector<key_value>;

/// Memory for so many keys, kept from call to call: to get it anew costs more than few keys do, and
/// how much depends on what else the program has allocated.
inline keys& scratch(std::size_t count) {
  thread_local keys kept;
  kept.resize(count);
  return kept;
}

/// The number of bits of the largest key.
inline int bits_of(const keys& from) {
  key_value all = 0;
  for (const key_value one : from) all |= one;
  return std::bit_width(all);
}

inline void sort_by_insertion(std::span<key_value> part) {
  for (std::size_t i = 1; i < part.size(); ++i) {
    const key_value moving = part[i];
    std::size_t hole = i;
    for (; hole > 0 && part[hole - 1] > moving; --hole) part[hole] = part[hole - 1];
    part[hole] = moving;
  }
}

inline void sort_std(const keys& from, keys& to) {
  to = from;
  std::sort(to.begin(), to.end());
}

/// Short runs sorted by insertion, then merged in pairs; those that are in order are copied.
inline void sort_merging(const keys& from, keys& to, std::size_t run) {
  const std::size_t count = from.size();
  keys& work = scratch(count);
  std::copy(from.begin(), from.end(), work.begin());
  to.resize(count);
  for (std::size_t at = 0; at < count; at += run) {
    sort_by_insertion(std::span(work).subspan(at, std::min(run, count - at)));
  }
  for (std::size_t width = run; width < count; width *= 2) {
    for (std::size_t at = 0; at < count; at += 2 * width) {
      const auto first = work.begin() + static_cast<std::ptrdiff_t>(at);
      const auto middle = work.begin() + static_cast<std::ptrdiff_t>(std::min(at + width, count));
      const auto last = work.begin() + static_cast<std::ptrdiff_t>(std::min(at + 2 * width, count));
      const auto into = to.begin() + static_cast<std::ptrdiff_t>(at);
      if (middle == last || *(middle - 1) <= *middle) {
        std::copy(first, last, into);
      } else {
        std::merge(first, middle, middle, last, into);
      }
    }
    work.swap(to);
  }
  to.swap(work);
}

/// Moves keys by one digit, stably; `starts` has one number more than there are digits.
inline void move_by_digit(std::span<const key_value> from, std::span<key_value> to,
                          std::span<std::size_t> starts, int shift) {
  const auto mask = static_cast<key_value>(starts.size() - 2);
  std::fill(starts.begin(), starts.end(), 0);
  for (const key_value one : from) ++starts[((one >> shift) & mask) + 1];
  for (std::size_t d = 2; d < starts.size(); ++d) starts[d] += starts[d - 1];
  for (const key_value one : from) to[starts[(one >> shift) & mask]++] = one;
}

/// From the lowest digit to the highest: as many passes as the largest key has digits.
inline void sort_by_digits(const keys& from, keys& to, int bits) {
  const int all = bits_of(from);
  to = from;
  keys& work = scratch(from.size());
  std::vector<std::size_t> starts((std::size_t{1} << bits) + 1);
  for (int shift = 0; shift < all; shift += bits) {
    move_by_digit(to, work, starts, shift);
    to.swap(work);
  }
}

/// Sorts `part` by the bits below `above`, from the highest digit down; short parts by insertion.
inline void sort_part(std::span<key_value> part, std::span<key_value> work, int above, int bits,
                      std::size_t cutoff, std::vector<std::size_t>& starts) {
  if (part.size() <= cutoff) {
    sort_by_insertion(part);
    return;
  }
  const int shift = std::max(above - bits, 0);
  const std::size_t digits = std::size_t{1} << std::min(bits, above);
  const std::size_t mine = starts.size();
  starts.resize(mine + digits + 1);
  move_by_digit(part, work, std::span(starts).subspan(mine), shift);
  std::copy(work.begin(), work.begin() + static_cast<std::ptrdiff_t>(part.size()), part.begin());
  std::size_t first = 0;
  for (std::size_t d = 0; d < digits && shift > 0; ++d) {
    const std::size_t last = starts[mine + d];  // moving has made of each start its end
    if (last - first > 1) {
      sort_part(part.subspan(first, last - first), work, shift, bits, cutoff, starts);
    }
    first = last;
  }
  starts.resize(mine);
}

/// From the highest digit to the lowest, in ever smaller parts.
inline void sort_by_parts(const keys& from, keys& to, int bits, std::size_t cutoff) {
  to = from;
  keys& work = scratch(from.size());
  std::vector<std::size_t> starts;
  if (const int all = bits_of(from); all > 0) sort_part(to, work, all, bits, cutoff, starts);
}
