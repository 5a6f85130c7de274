// The inputs: sizes of flat computations, row lengths of nested ones, sparse matrices. What runs
// without --quick and --largest is the whole list.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "csr.hpp"
#include "matrix_cache.hpp"
#include "options.hpp"
#include "row_lengths.hpp"

namespace fettle_benchmarks {

/// Elements of reduce's and scan's inputs.
[[nodiscard]] inline std::vector<index> flat_sizes(const options& asked) {
  std::vector<index> sizes;
  for (const index n : {25'000, 100'000, 250'000, 500'000, 1'000'000, 5'000'000, 10'000'000,
                        25'000'000, 100'000'000}) {
    if (asked.takes(n)) sizes.push_back(n);
  }
  return sizes;
}

/// Calls visit(n, the sum of the first n values) for each of these sizes, until the time is up.
template <typename Visit>
void for_each_sum(const options& asked, Visit visit) {
  std::int32_t sum = 0;
  index done = 0;
  for (const index n : flat_sizes(asked)) {
    for (; done < n; ++done) sum += small_integer(static_cast<std::uint64_t>(done), values_seed);
    if (asked.time_is_up()) return;
    visit(n, sum);
  }
}

/// A family member: its name, its size, and how it is made when its turn comes.
template <typename T>
struct recipe {
  std::string name;
  std::int64_t elements;  // about
  bool in_quick;
  std::function<T()> make;
};

template <typename T>
[[nodiscard]] std::vector<recipe<T>> chosen(std::vector<recipe<T>> all, const options& asked) {
  std::erase_if(all, [&](const recipe<T>& one) {
    return !asked.takes(one.elements) || (asked.quick && !one.in_quick);
  });
  return all;
}

/// Row lengths for segmented sums.
[[nodiscard]] inline std::vector<recipe<lengths>> row_length_recipes(const options& asked) {
  std::vector<recipe<lengths>> all;
  const auto equal = [&](std::int64_t elements, index length, bool in_quick) {
    const auto rows = static_cast<index>(elements / length);
    all.push_back({short_number(rows) + " rows of " + std::to_string(length), elements, in_quick,
                   [rows, length] { return equal_rows(rows, length); }});
  };
  for (index length = 1; length <= 4096; length *= 2) {
    const bool in_quick = length == 1 || length == 8 || length == 64 || length == 512;
    equal(std::int64_t{1} << 24, length, in_quick || length == 4096);
  }
  all.push_back({"power law, 2M rows, mean 8", 16'000'000, true,
                 [] { return power_law_rows(2'000'000, 8, 1.5, 2'000'000); }});
  all.push_back({"power law, 100k rows, mean 120", 12'000'000, false,
                 [] { return power_law_rows(100'000, 120, 1.3, 1'000'000); }});
  all.push_back({"1M rows of 4, one of 8M", 12'000'000, true,
                 [] { return one_giant_row(1'000'000, 4, 8'000'000); }});
  all.push_back(
      {"8M rows, 90 % empty", 7'000'000, true, [] { return many_empty_rows(8'000'000, 0.9, 16); }});
  all.push_back({"1 row of 16M", 16'000'000, false, [] { return equal_rows(1, 16'000'000); }});
  equal(131'072, 1, false);
  equal(131'072, 8, true);
  equal(131'072, 64, false);
  equal(131'072, 1024, true);
  all.push_back({"power law, 10k rows, mean 11", 100'000, true,
                 [] { return power_law_rows(10'000, 12, 1.4, 10'000); }});
  all.push_back(
      {"50k rows, 90 % empty", 40'000, false, [] { return many_empty_rows(50'000, 0.9, 16); }});
  return chosen(std::move(all), asked);
}

/// Generated matrices.
[[nodiscard]] inline std::vector<recipe<csr>> matrix_recipes(const options& asked) {
  std::vector<recipe<csr>> all;
  const auto add = [&](std::string name, std::int64_t elements, bool in_quick, index columns,
                       std::function<lengths()> rows) {
    all.push_back({name, elements, in_quick,
                   [name, columns, rows] { return spread_columns(name, columns, rows()); }});
  };
  const auto equal = [&](index rows, index length, bool in_quick) {
    const std::string name = short_number(rows) + " rows of " + std::to_string(length);
    add(name, std::int64_t{rows} * length, in_quick, rows,
        [rows, length] { return equal_rows(rows, length); });
  };
  equal(4'000'000, 3, true);
  equal(200'000, 128, true);
  equal(1'000'000, 5, true);
  equal(300'000, 32, true);
  equal(10'000, 2000, true);
  all.push_back({"1M rows, band of 9", 9'000'000, true,
                 [] { return banded("1M rows, band of 9", 1'000'000, 9); }});
  add("power law, 1M rows, mean 8", 8'000'000, true, 1'000'000,
      [] { return power_law_rows(1'000'000, 8, 1.5, 500'000); });
  add("power law, 500k rows, mean 17", 8'700'000, false, 500'000,
      [] { return power_law_rows(500'000, 18, 1.25, 250'000); });
  add("2M rows of 3, one full", 8'000'000, true, 2'000'000,
      [] { return one_giant_row(2'000'000, 3, 2'000'000); });
  add("4M rows, 90 % empty", 3'400'000, true, 4'000'000,
      [] { return many_empty_rows(4'000'000, 0.9, 16); });
  equal(10'000, 5, true);
  equal(100'000, 3, false);
  equal(20'000, 32, false);
  equal(5'000, 128, false);
  add("power law, 20k rows, mean 9", 180'000, true, 20'000,
      [] { return power_law_rows(20'000, 10, 1.5, 5'000); });
  add("100k rows of 3, one full", 400'000, false, 100'000,
      [] { return one_giant_row(100'000, 3, 100'000); });
  add("100k rows, 90 % empty", 85'000, false, 100'000,
      [] { return many_empty_rows(100'000, 0.9, 16); });
  return chosen(std::move(all), asked);
}

/// The matrices whose rows are long: what comes near to the memory's bandwidth.
[[nodiscard]] inline bool has_large_rows(const input& on) {
  return on.generated && on.elements > 10'000'000 && on.elements / (on.rows + 1) >= 1000;
}

/// Real matrices, largest first; says so where the file is absent.
[[nodiscard]] inline std::vector<csr> real_matrices(const options& asked) {
  auto all = read_pattern_file(asked.matrices);
  if (all.empty()) {
    std::printf("no real matrices: %s is not there (the program matrix_cache writes it)\n",
                asked.matrices.c_str());
  }
  std::erase_if(all, [&](const csr& one) {
    return !asked.takes(one.nonzeros()) || (asked.quick && one.nonzeros() < 80'000);
  });
  return all;
}

/// The longest input of values that the lists above need.
inline constexpr index most_elements = 100'000'000;
inline constexpr index most_columns = 4'000'000;

}  // namespace fettle_benchmarks
