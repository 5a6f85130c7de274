// Samplesort and the vectorised sort against std::sort: sizes at the edges, all families, NaNs.
#include <tbb/global_control.h>

#include "../../examples/sort/samplesort.hpp"
#include "../../examples/sort/vectorised.hpp"
#include "support/catch.hpp"

namespace {

template <class Sort>
sorting::keys sorted_by(sorting::keys k, const Sort& sort) {
  std::visit(sort, k.values);
  return k;
}

void check(const std::string& input) {
  using sorting::same_bits;
  INFO(input);
  const auto k = sorting::make_keys(input);
  const auto expected =
      sorted_by(k, [](auto& v) { std::sort(v.begin(), v.end(), sorting::in_order{}); });
  const tbb::global_control threads(tbb::global_control::max_allowed_parallelism, 3);
  tbb::task_arena arena(3);
  arena.execute(
      [&] { REQUIRE(same_bits(sorted_by(k, [](auto& v) { sorting::samplesort(v); }), expected)); });
  if (sorting::has_avx2())
    REQUIRE(same_bits(sorted_by(k, [](auto& v) { sorting::vectorised_sort(v); }), expected));
}

void check_both_types(const std::string& input, const std::string& options = "") {
  check(input + ":float" + options);
  check(input + ":double" + options);
}

}  // namespace

TEST_CASE("sorts all small sizes") {
  for (int n = 0; n <= 140; ++n)
    for (const char* family : {"uniform:", "few_unique:"})
      check_both_types(family + std::to_string(n), ":nan=0.1");
}

TEST_CASE("sorts sizes next to powers of two, large ones on several threads") {
  for (const int power : {512, 1024, 2048, 4096, 65536})
    for (const int n : {power - 1, power, power + 1})
      check_both_types("uniform:" + std::to_string(n), ":nan=0.01");
}

TEST_CASE("sorts every family") {
  for (const char* family : {"uniform", "normal", "exponential", "few_unique", "sorted", "reverse",
                             "swapped", "nearly", "runs"})
    for (const char* size : {":5000", ":70001"})
      for (const char* nan : {"", ":nan=0.3"}) check_both_types(family + std::string(size), nan);
}

TEST_CASE("sorts equal keys, and ranks at either end") {
  for (const float one : {0.0F, -0.0F, std::bit_cast<float>(-1), std::bit_cast<float>(0x7fffffff)})
    for (const std::size_t n : {33U, 65U, 1000U, 70000U}) {
      sorting::keys k{std::vector<float>(n, one)};
      auto& v = std::get<0>(k.values);
      for (const bool other : {false, true}) {
        if (other) v[n / 2] = 1;
        const auto expected =
            sorted_by(k, [](auto& w) { std::sort(w.begin(), w.end(), sorting::in_order{}); });
        CHECK(same_bits(sorted_by(k, [](auto& w) { sorting::samplesort(w); }), expected));
        if (sorting::has_avx2())
          CHECK(same_bits(sorted_by(k, [](auto& w) { sorting::vectorised_sort(w); }), expected));
      }
    }
}
