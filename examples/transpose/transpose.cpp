// Transposition in place, tuned by Fettle: five ways to permute a matrix without a second one.
#include "../support/program.hpp"
#include "matrix.hpp"
#include "skinny.hpp"
#include "square.hpp"
#if __has_include("fettle_config.hpp")
#include "fettle_config.hpp"  // the tuning script's options
#endif

namespace transpose {

/// Runs `permute(data, lines, elements a line)` and exchanges the sizes.
template <class Permute>
void apply(matrix& a, const Permute& permute) {
  std::visit([&](auto& elements) { permute(elements.data(), a.lines(), a.line_length()); },
             a.elements);
  std::swap(a.rows, a.columns);
}

struct example {
  using signature = void(matrix&);
#if __has_include("fettle_config.hpp")
  using policy = fettle::tuning_policies::transpose;
#else
  struct policy {
    static constexpr std::string_view name = "transpose";
    static constexpr auto on_constraint_failure = fettle::constraint_failure::next_best;
  };
#endif
  static constexpr const char* name = "transpose";
  static constexpr const char* inputs = input_help;
  static constexpr bool changes_input = true;
  static constexpr double calls = 1;
  static constexpr double judging_seconds = 0.4;

  static constexpr examples::variant<signature> variants[] = {
      {"c2r", [](matrix& a) { apply(a, [](auto* d, index m, index n) { c2r(d, m, n); }); }},
      {"r2c", [](matrix& a) { apply(a, [](auto* d, index m, index n) { r2c(d, m, n); }); }},
      {"skinny_c2r",
       [](matrix& a) { apply(a, [](auto* d, index m, index n) { skinny_c2r(d, m, n); }); },
       [](const matrix& a) { return a.line_length() <= most_skinny; }},
      {"skinny_r2c",
       [](matrix& a) { apply(a, [](auto* d, index m, index n) { skinny_r2c(d, m, n); }); },
       [](const matrix& a) { return a.lines() <= most_skinny; }},
      {"square", [](matrix& a) { apply(a, [](auto* d, index n, index) { square_blocks(d, n); }); },
       [](const matrix& a) { return a.rows == a.columns; }},
  };

  static constexpr examples::feature<signature> features[] = {
      {"m", [](const matrix& a) { return double(a.rows); }},
      {"n", [](const matrix& a) { return double(a.columns); }},
      {"row_major", [](const matrix& a) { return double(a.row_major); }},
      {"coprime", [](const matrix& a) { return double(std::gcd(a.rows, a.columns) == 1); }},
      {"element_bytes", [](const matrix& a) { return a.elements.index() == 0 ? 8.0 : 4.0; }},
  };

  static std::tuple<matrix> load(const std::string& input) { return {make(input)}; }
  static matrix capture(const matrix& a) { return a; }
  static bool agree(const matrix& expected, const matrix& result) { return expected == result; }
};

}  // namespace transpose

int main(int count, char** words) {
  return examples::run_program<transpose::example>(count, words);
}
