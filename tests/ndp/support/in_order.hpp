// in_order: the reductions of a map's rows, one call of the operator after the other.
#pragma once

#include <type_traits>
#include <vector>

#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

namespace ndp_test {

/// Each row from left to right.
template <typename E>
[[nodiscard]] auto in_order(const E& e) {
  using row_type = std::remove_cvref_t<fettle::ndp::element_t<E>>;
  std::vector<typename row_type::value_type> out;
  for (fettle::ndp::index_t i = 0; i < e.size(); ++i) {
    const row_type row = e[i];
    auto value = static_cast<typename row_type::value_type>(row.seed);
    for (fettle::ndp::index_t k = 0; k < row.source.size(); ++k) {
      value = row.op(value, row.source[k]);
    }
    out.push_back(value);
  }
  return out;
}

}  // namespace ndp_test
