// An example with a variant that ends the program on large inputs, as an error does that no later
// call of a GPU recovers from, and one that is wrong on small ones; with a reference and its work.
#include "../../examples/support/input_text.hpp"
#include "../../examples/support/program.hpp"

namespace {

struct example {
  using signature = double(const double&, double&);
  using policy = fettle::policy<"crashing">;
  static constexpr const char* name = "crashing";
  static constexpr const char* inputs = "INPUT: number:SIZE\n";
  static constexpr bool changes_input = false;
  static constexpr bool returns_seconds = true;
  static constexpr double calls = 1;
  static constexpr double judging_seconds = 0.001;

  static constexpr examples::variant<signature> variants[] = {
      {"plain", [](const double& n, double& result) { return 1e-3 * (result = n); }},
      {"crashes",
       [](const double& n, double& result) {
         if (n >= 100) std::abort();
         return 1e-4 * (result = n);
       }},
      {"wrong",
       [](const double& n, double& result) { return 2e-3 * (result = n < 10 ? n + 1 : n); }},
      {"limited", [](const double& n, double& result) { return 5e-4 * (result = n); },
       [](const double& n, const double&) { return n < 1000; }},
  };
  static constexpr examples::variant<signature> references[] = {
      {"halved", [](const double& n, double&) { return 5e-5 * n; }},
  };
  static constexpr const char* work_unit = "bytes";
  static double work(const double& n, const double&) { return 8 * n; }
  static constexpr examples::feature<signature> features[] = {
      {"n", [](const double& n, const double&) { return n; }},
  };

  static std::tuple<double, double> load(const std::string& input) {
    const examples::input_text text(input);
    return {static_cast<double>(text.whole(text.size, "size", 1, 1 << 20)), 0.0};
  }
  static double capture(const double&, const double& result) { return result; }
  static bool agree(const double& expected, const double& result) { return expected == result; }
};

}  // namespace

int main(int count, char** words) { return examples::run_program<example>(count, words); }
