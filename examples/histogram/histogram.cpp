// Histograms, tuned by Fettle: six ways to count, and features that read a sample of the input, so
// that knowing more costs more.
#include "../support/program.hpp"
#include "statistics.hpp"
#include "variants.hpp"
#if __has_include("fettle_config.hpp")
#include "fettle_config.hpp"  // the tuning script's options
#endif

namespace histogram {

struct example {
  using signature = void(const samples&, counts&);
#if __has_include("fettle_config.hpp")
  using policy = fettle::tuning_policies::histogram;
#else
  using policy = fettle::policy<"histogram">;
#endif
  static constexpr const char* name = "histogram";
  static constexpr const char* inputs = input_help;
  static constexpr bool changes_input = false;
  static constexpr double calls = 1;
  static constexpr double judging_seconds = 0.4;

  static constexpr examples::variant<signature> variants[] = {
      {"serial", serial},
      {"runs", runs},
      {"atomics", atomics},
      {"privatised_even", privatised_even},
      {"privatised_dynamic", privatised_dynamic},
      {"sorted", sorted},
  };

  static constexpr examples::feature<signature> features[] = {
      {"n", [](const samples& s, const counts&) { return double(s.size()); }},
      {"n_per_bin",
       [](const samples& s, const counts&) { return double(s.size()) / double(s.bins); }},
      {"bins", [](const samples& s, const counts&) { return double(s.bins); }},
      {"subsample_sd_64", [](const samples& s, const counts&) { return sampled_deviation(s, 64); }},
      {"subsample_sd_1024",
       [](const samples& s, const counts&) { return sampled_deviation(s, 1024); }},
      {"repeats_256", [](const samples& s, const counts&) { return sampled_repeats(s, 256); }},
      {"repeats_4096", [](const samples& s, const counts&) { return sampled_repeats(s, 4096); }},
  };

  static std::tuple<samples, counts> load(const std::string& input) {
    return {load_samples(input), counts{}};
  }
  static counts capture(const samples&, const counts& result) { return result; }
  static bool agree(const counts& expected, const counts& result) { return expected == result; }
};

}  // namespace histogram

int main(int count, char** words) {
  return examples::run_program<histogram::example>(count, words);
}
