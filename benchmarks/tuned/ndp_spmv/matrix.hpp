// A matrix by its text: "generate:KIND:key=value,..." (../../examples/spmv/generate_by_name.hpp) or
// "patterns:NAME", a pattern of the file that matrix_cache wrote and $FETTLE_PATTERNS names. All
// have values whose sums are exact.
#pragma once

#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fettle/core/error.hpp>

#include "../../../examples/spmv/generate_by_name.hpp"
#include "../../common/ndp/csr.hpp"
#include "../../common/ndp/matrix_cache.hpp"

namespace ndp_tuned {

[[nodiscard]] inline fettle_benchmarks::csr make_matrix(const std::string& text) {
  namespace fb = fettle_benchmarks;
  constexpr std::string_view real = "patterns:";
  if (text.starts_with(spmv::generated_prefix)) {
    auto made = spmv::generate_by_name(text);
    return {text, made.columns_count, std::move(made.row_offsets), std::move(made.columns), true};
  }
  if (!text.starts_with(real)) {
    throw fettle::error("matrix '" + text + "' is neither generate:... nor patterns:NAME");
  }
  const char* file = std::getenv("FETTLE_PATTERNS");
  if (file == nullptr) throw fettle::error("FETTLE_PATTERNS names no file that holds " + text);
  for (fb::csr& one : fb::read_pattern_file(file)) {
    if (one.name == text.substr(real.size())) return std::move(one);
  }
  throw fettle::error(std::string(file) + " does not hold the matrix '" + text + "'");
}

}  // namespace ndp_tuned
