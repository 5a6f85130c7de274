// explain: the candidates of the default rule on a GPU, with its estimates.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/cuda/dispatch/default_rule.cuh>
#include <fettle/ndp/cuda/generic/node.hpp>
#include <fettle/ndp/cuda/rows/row_kernel.hpp>
#include <fettle/ndp/cuda/rows/row_rule.hpp>
#include <fettle/ndp/cuda/rows/row_scan_kernel.hpp>
#include <fettle/ndp/cuda/runtime/device.cuh>
#include <fettle/ndp/schedule/computation.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// "  flattened, one launch: 12.5 us\n"
[[nodiscard]] inline std::string estimate_line(std::string_view kernel, double us) {
  char number[32];
  std::snprintf(number, sizeof number, ": %.1f us\n", us);
  return std::string("  ").append(kernel).append(number);
}

[[nodiscard]] inline std::string text_of(const row_problem& p) {
  std::string text = std::to_string(p.rows) + " rows, " + std::to_string(p.atoms) + " elements";
  if (p.known.longest < 0) return text + ", of which nothing else is known (inspect_rows)\n";
  return text + ", longest row " + std::to_string(p.known.longest) + '\n';
}

/// The default rule's choice for `e`.
template <typename E>
[[nodiscard]] std::string explain_default(const computation& named, const E& e) {
  if constexpr (reduces_its_rows<E>) {
    const row_problem p = row_problem_of(e);
    std::string text = text_of(p);
    const auto report = [&](row_kernel its, double us) { text += estimate_line(name_of(its), us); };
    const row_kernel chosen = choose_row_kernel(p, {}, current_device_facts(named).rates, report);
    return text.append("  chosen: ").append(name_of(chosen));
  } else if constexpr (map_of_scans<E> && flat_rows_of_combinables<E>) {
    const row_problem p = row_problem_of(e);
    std::string text = text_of(p);
    const auto report = [&](row_scan_kernel its, double us) {
      text += estimate_line(name_of(its), us);
    };
    const row_scan_kernel chosen = choose_row_scan_kernel(p, {}, report);
    return text.append("  chosen: ").append(name_of(chosen));
  } else {
    return "one kernel serves such computations, whatever their sizes";
  }
}

}  // namespace fettle::ndp::cuda::detail
