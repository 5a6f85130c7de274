// Sorting, tuned by Fettle: one function and one model for keys of two types.
#include <tbb/parallel_sort.h>

#include "../support/program.hpp"
#include "algorithms.hpp"
#include "registration.hpp"
#include "samplesort.hpp"
#include "vectorised.hpp"

namespace sorting {

/// Calls sort(vector) with the keys as what they are.
template <class Sort>
void apply(keys& k, const Sort& sort) {
  std::visit(sort, k.values);
}

struct example : registration<void(keys&)> {
  static constexpr bool changes_input = true;
  static constexpr double judging_seconds = 0.4;

  static constexpr examples::variant<signature> variants[] = {
      {"introsort",
       [](keys& k) { apply(k, [](auto& v) { std::sort(v.begin(), v.end(), in_order{}); }); }},
      {"quick", [](keys& k) { apply(k, [](auto& v) { quick_sort(v); }); }},
      {"merge_runs", [](keys& k) { apply(k, [](auto& v) { merge_runs(v); }); }},
      {"radix", [](keys& k) { apply(k, [](auto& v) { radix_sort(v); }); }},
      {"tbb",
       [](keys& k) {
         apply(k, [](auto& v) { tbb::parallel_sort(v.begin(), v.end(), in_order{}); });
       }},
      {"samplesort", [](keys& k) { apply(k, [](auto& v) { samplesort(v); }); }},
      {"vectorised", [](keys& k) { apply(k, [](auto& v) { vectorised_sort(v); }); },
       [](const keys&) { return has_avx2(); }},
  };

  static std::tuple<keys> load(const std::string& input) { return {make_keys(input)}; }
  static keys capture(const keys& k) { return k; }
  static bool agree(const keys& expected, const keys& result) {
    return same_bits(expected, result);
  }
};

}  // namespace sorting

int main(int count, char** words) { return examples::run_program<sorting::example>(count, words); }
