// Sorting, tuned by Fettle: one function and one model for keys of two types.
#include <tbb/parallel_sort.h>

#include "../support/program.hpp"
#include "algorithms.hpp"
#if __has_include("fettle_config.hpp")
#include "fettle_config.hpp"  // the tuning script's options
#endif

namespace sorting {

/// Calls sort(vector) with the keys as what they are.
template <class Sort>
void apply(keys& k, const Sort& sort) {
  std::visit(sort, k.values);
}

struct example {
  using signature = void(keys&);
#if __has_include("fettle_config.hpp")
  using policy = fettle::tuning_policies::sort;
#else
  using policy = fettle::policy<"sort">;
#endif
  static constexpr const char* name = "sort";
  static constexpr const char* inputs = input_help;
  static constexpr bool changes_input = true;
  static constexpr double calls = 1;
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
  };

  static constexpr examples::feature<signature> features[] = {
      {"n", [](const keys& k) { return double(k.size()); }},
      {"bits", [](const keys& k) { return double(k.bits()); }},
      {"asc_seq", ascending_sequences},
      {"distinct", sampled_distinct},
  };

  static std::tuple<keys> load(const std::string& input) { return {make_keys(input)}; }
  static keys capture(const keys& k) { return k; }
  static bool agree(const keys& expected, const keys& result) {
    return same_bits(expected, result);
  }
};

}  // namespace sorting

int main(int count, char** words) { return examples::run_program<sorting::example>(count, words); }
