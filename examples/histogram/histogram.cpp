// Histograms, tuned by Fettle: six ways to count, and features that read a sample of the input, so
// that knowing more costs more.
#include "../support/program.hpp"
#include "registration.hpp"
#include "variants.hpp"

namespace histogram {

struct example : registration<void(const samples&, counts&)> {
  static constexpr double judging_seconds = 0.4;

  static constexpr examples::variant<signature> variants[] = {
      {"serial", serial},
      {"runs", runs},
      {"atomics", atomics},
      {"privatised_even", privatised_even},
      {"privatised_dynamic", privatised_dynamic},
      {"sorted", sorted},
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
