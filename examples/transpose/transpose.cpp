// Transposition in place, tuned by Fettle: five ways to permute a matrix without a second one.
#include "../support/program.hpp"
#include "registration.hpp"
#include "skinny.hpp"
#include "square.hpp"

namespace transpose {

/// Runs `permute(data, lines, elements a line)` and exchanges the sizes.
template <class Permute>
void apply(matrix& a, const Permute& permute) {
  std::visit([&](auto& elements) { permute(elements.data(), a.lines(), a.line_length()); },
             a.elements);
  std::swap(a.rows, a.columns);
}

struct example : registration<void(matrix&)> {
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

  static std::tuple<matrix> load(const std::string& input) { return {make(input)}; }
  static matrix capture(const matrix& a) { return a; }
  static bool agree(const matrix& expected, const matrix& result) { return expected == result; }
};

}  // namespace transpose

int main(int count, char** words) {
  return examples::run_program<transpose::example>(count, words);
}
