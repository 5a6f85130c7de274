// A function whose best variant and parameters depend on its input: sorting of keys.
//   sort COUNT BITS DISORDER         sorts keys once and says how
//   sort COUNT BITS DISORDER CALLS   the same CALLS times, searching good parameters meanwhile
// DISORDER: so many in a hundred keys are out of order.
#include "sort.hpp"

#include <cstdio>
#include <cstdlib>
#include <random>
#include <tuple>
#include <utility>

#include <fettle/variant.hpp>

using arguments = std::tuple<const keys&, keys&>;
using sort_function = fettle::code_variant<fettle::policy<"sort">, arguments>;
using fettle::parameter;

constexpr std::size_t looks = 32;

/// Where one of so many looks falls, evenly apart; `look` may be 0 to looks - 1.
std::size_t looked_at(const keys& from, std::size_t look) { return look * from.size() / looks; }

/// The bits of the largest of some keys.
double sampled_bits(const keys& from) {
  key_value all = 0;
  for (std::size_t k = 0; k < looks; ++k) all |= from[looked_at(from, k)];
  return std::bit_width(all);
}

/// How many of some keys are not larger than the next of them.
double sampled_order(const keys& from) {
  int ordered = 0;
  for (std::size_t k = 1; k < looks; ++k) {
    ordered += from[looked_at(from, k - 1)] <= from[looked_at(from, k)] ? 1 : 0;
  }
  return ordered;
}

void add_variants(sort_function& sort) {
  sort.add_variant("std", sort_std);
  sort.add_variant("merging", sort_merging, parameter{"run", {4, 8, 16, 32, 64}, 16});
  sort.add_variant("digits", sort_by_digits,
                   parameter{"bits", {4, 5, 6, 7, 8, 9, 10, 11, 12, 16}, 8});
  sort.add_variant("parts", sort_by_parts, parameter{"bits", {4, 6, 8, 10, 12}, 8},
                   parameter{"cutoff", {16, 32, 64, 128}, 32});
  sort.add_input_feature("count", [](const keys& from, keys&) { return from.size(); });
  sort.add_input_feature("bits", [](const keys& from, keys&) { return sampled_bits(from); });
  sort.add_input_feature("order", [](const keys& from, keys&) { return sampled_order(from); });
  sort.set_verify([](const keys&, const keys& to) { return to; });
}

/// Keys of that many bits, of which all but `disorder` in a hundred are in order.
keys made(std::size_t count, int bits, std::size_t disorder) {
  std::mt19937_64 random(count);
  keys all(count);
  for (key_value& one : all) one = static_cast<key_value>(random() >> (64 - bits));
  if (disorder >= 100) return all;
  std::sort(all.begin(), all.end());
  for (std::size_t swaps = count * disorder / 200; swaps > 0; --swaps) {
    std::swap(all[random() % count], all[random() % count]);
  }
  return all;
}

int main(int count, char** words) {
  const auto number = [&](int i) { return std::strtoul(words[i], nullptr, 10); };
  if (count < 4 || count > 5 || number(1) == 0 || number(2) == 0 || number(2) > 32) {
    std::fprintf(stderr, "usage: sort COUNT BITS DISORDER [CALLS]\n");
    return 2;
  }
  const keys from = made(number(1), static_cast<int>(number(2)), number(3));
  keys to;

  fettle::context cx;
  sort_function sort(cx);
  add_variants(sort);
  const std::size_t calls = count == 5 ? number(4) : 1;
  if (calls > 1) sort.search_online({.measurements = calls});
  for (std::size_t call = 0; call < calls; ++call) sort(from, to);

  keys expected = from;
  std::sort(expected.begin(), expected.end());
  const bool right = expected == to;
  std::printf("%s keys by %s, %s\n", words[1], sort.best_known(from, to).c_str(),
              right ? "right" : "WRONG");
  return right ? 0 : 1;
}
