// A matrix by its text: "generate:KIND:key=value,..." (../../examples/spmv/generate_by_name.hpp) or
// "patterns:FILE:NAME", a pattern of a file that matrix_cache wrote. All have values whose sums are
// exact.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <fettle/core/error.hpp>

#include "../../examples/spmv/generate_by_name.hpp"
#include "../ndp/csr.hpp"
#include "../ndp/matrix_cache.hpp"

namespace ndp_tuned {

[[nodiscard]] inline fettle_benchmarks::csr make_matrix(const std::string& text) {
  namespace fb = fettle_benchmarks;
  const std::string from_file = "patterns:";
  if (text.starts_with(spmv::generated_prefix)) {
    auto made = spmv::generate_by_name(text);
    return {text, made.columns_count, std::move(made.row_offsets), std::move(made.columns), true};
  }
  const std::size_t colon = text.rfind(':');
  if (!text.starts_with(from_file) || colon < from_file.size()) {
    throw fettle::error("matrix '" + text + "' is neither generate:... nor patterns:FILE:NAME");
  }
  const std::string file = text.substr(from_file.size(), colon - from_file.size());
  for (fb::csr& one : fb::read_pattern_file(file)) {
    if (one.name != text.substr(colon + 1)) continue;
    one.name = text;
    return std::move(one);
  }
  throw fettle::error("matrix '" + text + "': there is no such file or it holds no such matrix");
}

}  // namespace ndp_tuned
