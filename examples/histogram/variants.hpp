// Six ways to count samples by bins on a CPU.
#pragma once

#include <array>
#include <atomic>
#include <span>

#include "../spmv/threads.hpp"
#include "samples.hpp"

namespace histogram {

using count = std::uint32_t;
using counts = std::vector<count>;

namespace detail {

/// Calls visit(values, bin_of) with the samples as what they are, after the counts are set to 0.
template <class Visit>
void with_values(const samples& s, counts& result, const Visit& visit) {
  result.assign(s.bins, 0);
  std::visit([&](const auto& values) { visit(std::span(values), bin_of{s.bins, s.bits}); },
             s.values);
}

/// Adds the samples to `table`, or, where there are so few bins that the copies stay in the cache,
/// to four copies in turn: equal neighbours then do not wait for each other's addition.
template <class Values>
void count_into(count* table, std::size_t bins, Values values, const bin_of& bin) {
  constexpr std::size_t most_copied = 2048;
  std::size_t k = 0;
  if (bins <= most_copied && values.size() >= 8 * bins) {
    thread_local std::vector<count> copies;
    copies.assign(3 * bins, 0);
    count* const second = copies.data();
    count* const third = second + bins;
    count* const fourth = third + bins;
    for (; k + 4 <= values.size(); k += 4) {
      ++table[bin(values[k])];
      ++second[bin(values[k + 1])];
      ++third[bin(values[k + 2])];
      ++fourth[bin(values[k + 3])];
    }
    for (std::size_t b = 0; b < bins; ++b) table[b] += second[b] + third[b] + fourth[b];
  }
  for (; k < values.size(); ++k) ++table[bin(values[k])];
}

/// Calls visit(value, length) for each run of equal values, which it passes over word by word.
template <class Values, class Visit>
void for_each_run(Values values, const Visit& visit) {
  using word = std::uint64_t;
  for (std::size_t k = 0; k < values.size();) {
    const auto value = values[k];
    const std::size_t first = k++;
    constexpr std::size_t a_word = sizeof(word) / sizeof(value);
    word pattern = 0;
    for (std::size_t n = 0; n < a_word; ++n)
      pattern |= static_cast<word>(value) << (n * 8 * sizeof(value));
    for (word next; k + a_word <= values.size(); k += a_word) {
      std::memcpy(&next, &values[k], sizeof(next));
      if (next != pattern) break;
    }
    while (k < values.size() && values[k] == value) ++k;
    visit(value, static_cast<count>(k - first));
  }
}

/// The part of the values that belongs to the calling thread of a team.
template <class Values>
Values even_part(Values values) {
  const auto threads = static_cast<std::size_t>(spmv::team_size());
  const auto thread = static_cast<std::size_t>(spmv::this_thread());
  const std::size_t first = values.size() * thread / threads;
  return values.subspan(first, values.size() * (thread + 1) / threads - first);
}

/// Every thread calls count_mine(table) with its table; the tables are added up.
template <class CountMine>
void privatised(counts& result, const CountMine& count_mine) {
  const auto bins = static_cast<std::int64_t>(result.size());
  std::vector<std::vector<count>> tables(static_cast<std::size_t>(spmv::maximum_threads()));
#pragma omp parallel
  {
    auto& mine = tables[static_cast<std::size_t>(spmv::this_thread())];
    mine.assign(result.size(), 0);
    count_mine(mine.data());
#pragma omp barrier
#pragma omp for schedule(static)
    for (std::int64_t b = 0; b < bins; ++b) {
      count sum = 0;
      for (const auto& table : tables)
        if (!table.empty()) sum += table[static_cast<std::size_t>(b)];
      result[static_cast<std::size_t>(b)] = sum;
    }
  }
}

}  // namespace detail

/// One thread, one table.
inline void serial(const samples& s, counts& result) {
  detail::with_values(s, result, [&](auto values, const bin_of& bin) {
    detail::count_into(result.data(), result.size(), values, bin);
  });
}

/// One thread that adds a run of equal values at once: for flat images.
inline void runs(const samples& s, counts& result) {
  detail::with_values(s, result, [&](auto values, const bin_of& bin) {
    detail::for_each_run(values, [&](auto value, count length) { result[bin(value)] += length; });
  });
}

/// All threads add to one table, a run of equal values at once.
inline void atomics(const samples& s, counts& result) {
  detail::with_values(s, result, [&](auto values, const bin_of& bin) {
#pragma omp parallel
    detail::for_each_run(detail::even_part(values), [&](auto value, count length) {
      std::atomic_ref(result[bin(value)]).fetch_add(length, std::memory_order_relaxed);
    });
  });
}

/// A table a thread, the same number of samples each.
inline void privatised_even(const samples& s, counts& result) {
  detail::with_values(s, result, [&](auto values, const bin_of& bin) {
    detail::privatised(result, [&](count* mine) {
      detail::count_into(mine, result.size(), detail::even_part(values), bin);
    });
  });
}

/// A table a thread, pieces of the samples from a queue: where other programs take cores away.
inline void privatised_dynamic(const samples& s, counts& result) {
  detail::with_values(s, result, [&](auto values, const bin_of& bin) {
    constexpr std::size_t piece = 1 << 16;
    std::atomic<std::size_t> taken = 0;
    detail::privatised(result, [&](count* mine) {
      for (std::size_t first; (first = taken.fetch_add(piece)) < values.size();)
        detail::count_into(mine, result.size(),
                           values.subspan(first, std::min(piece, values.size() - first)), bin);
    });
  });
}

/// Sorts bins by their high bits, so that each part's counts stay in the cache: for many bins.
inline void sorted(const samples& s, counts& result) {
  detail::with_values(s, result, [&](auto values, const bin_of& bin) {
    constexpr std::size_t part_bits = 12;  // 4096 counts are 16 KiB
    const std::size_t parts = (s.bins >> part_bits) + 1;
    std::vector<std::size_t> begins(parts + 1, 0);
    for (const auto value : values) ++begins[(bin(value) >> part_bits) + 1];
    for (std::size_t p = 1; p <= parts; ++p) begins[p] += begins[p - 1];
    std::vector<std::uint16_t> by_part(values.size());
    std::vector<std::size_t> at(begins.begin(), begins.end() - 1);
    for (const auto value : values) {
      const std::size_t b = bin(value);
      by_part[at[b >> part_bits]++] =
          static_cast<std::uint16_t>(b & ((std::size_t{1} << part_bits) - 1));
    }
    for (std::size_t p = 0; p < parts; ++p)
      for (std::size_t k = begins[p]; k < begins[p + 1]; ++k)
        ++result[(p << part_bits) + by_part[k]];
  });
}

}  // namespace histogram
