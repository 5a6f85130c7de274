// The matrix that is transposed in place, and how one is made from a text.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "../spmv/random.hpp"
#include "../support/input_text.hpp"

namespace transpose {

using index = std::int64_t;

/// M x N elements of one of two types, row by row or column by column. Transposing moves the
/// elements and exchanges M and N; the layout stays.
struct matrix {
  std::variant<std::vector<double>, std::vector<float>> elements;
  index rows = 0;
  index columns = 0;
  bool row_major = true;

  /// The number of lines in memory, and of elements a line.
  index lines() const { return row_major ? rows : columns; }
  index line_length() const { return row_major ? columns : rows; }
  bool operator==(const matrix&) const = default;
};

inline constexpr const char* input_help =
    "INPUT: FAMILY:SIZE:TYPE[:columns=1][:seed=S], TYPE double or float, SIZE either MxN or a "
    "number "
    "of elements that the\n"
    "       family gives a shape: general square tall wide skinny_tall skinny_wide near_square "
    "power_of_two coprime common_factor\n";

namespace detail {

/// The rows and columns of about `size` elements of a family.
inline void shape(const examples::input_text& text, index size, spmv::random_numbers& random,
                  matrix& a) {
  const auto side = std::max<index>(1, std::llround(std::sqrt(static_cast<double>(size))));
  const auto drawn = [&](double least, double most) {  // log-uniform
    return std::max<index>(1, std::llround(least * std::pow(most / least, random.unit())));
  };
  const auto with_rows = [&](index rows) {
    a.rows = std::max<index>(1, std::min(rows, size));
    a.columns = std::max<index>(1, size / a.rows);
  };
  const double s = static_cast<double>(side);
  if (text.family == "general") return with_rows(drawn(s / 4, s * 4));
  if (text.family == "square") return void(a.rows = a.columns = side);
  if (text.family == "near_square") return void((a.rows = side, a.columns = side + 1));
  if (text.family == "tall") return with_rows(drawn(s * 4, s * 16));
  if (text.family == "wide") return with_rows(drawn(s / 16, s / 4));
  if (text.family == "skinny_tall") return with_rows(size / drawn(2, 64));
  if (text.family == "skinny_wide") return with_rows(drawn(2, 64));
  if (text.family == "power_of_two") {
    const auto power = [](index x) { return index{1} << std::lround(std::log2(double(x))); };
    a.rows = power(drawn(s / 4, s * 4));
    a.columns = power(std::max<index>(1, size / a.rows));
    return;
  }
  if (text.family == "coprime") {  // consecutive numbers are
    a.rows = drawn(s / 4, s * 4);
    a.columns = std::max<index>(1, size / a.rows / a.rows) * a.rows + 1;
    return;
  }
  if (text.family == "common_factor") {
    const index factor = std::min<index>(side, drawn(8, 64));
    a.rows = std::max<index>(1, drawn(s / 3, s * 3) / factor) * factor;
    a.columns = std::max<index>(1, size / a.rows / factor) * factor;
    return;
  }
  text.fail("'" + text.family +
            "' is not a family: general square tall wide skinny_tall skinny_wide near_square "
            "power_of_two coprime common_factor");
}

}  // namespace detail

/// The matrix that `name` describes; element k in memory is k.
inline matrix make(const std::string& name) {
  examples::input_text text(name);
  constexpr index most = index{1} << 30;
  matrix a;
  spmv::random_numbers random(text.take_seed());
  a.row_major = text.take("columns", 0, 0, 1) == 0;
  text.end();
  if (const std::size_t cross = text.size.find('x'); cross != std::string::npos) {
    a.rows = text.whole(std::string_view(text.size).substr(0, cross), "number of rows", 0, most);
    a.columns = text.whole(std::string_view(text.size).substr(cross + 1), "number of columns", 0,
                           a.rows == 0 ? most : most / a.rows);
    matrix ignored;
    detail::shape(text, 1, random, ignored);  // the family must be one
  } else if (const index size = text.whole(text.size, "size", 0, most); size > 0) {
    detail::shape(text, size, random, a);
  }
  const auto count = static_cast<std::size_t>(a.rows * a.columns);
  const auto fill = [&](auto& elements) {
    elements.resize(count);
    using value = std::decay_t<decltype(elements[0])>;
    for (std::size_t k = 0; k < count; ++k) elements[k] = static_cast<value>(k % 16777213);
  };
  if (text.type == "double" || text.type == "float64" || text.type == "f64" || text.type.empty()) {
    fill(a.elements.emplace<std::vector<double>>());
  } else if (text.type == "float" || text.type == "float32" || text.type == "f32") {
    fill(a.elements.emplace<std::vector<float>>());
  } else {
    text.fail("'" + text.type + "' is not a type: double or float");
  }
  return a;
}

}  // namespace transpose
