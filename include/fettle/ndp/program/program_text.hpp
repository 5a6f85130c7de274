// program_text: a program in words, for explain(p).
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/program/program_contents.hpp>
#include <fettle/ndp/program/program_graph.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::detail {

/// A line on the whole, and one a computation: what it reads, and where its result goes.
template <typename Platform>
[[nodiscard]] std::string text_of(const program_contents<Platform>& its) {
  const program_graph& graph = its.graph();
  const fusion fused = its.fused_now();
  std::vector<std::size_t> offsets;
  const std::size_t peak = graph.place_results(fused, offsets);
  std::string text =
      "program on " + std::string(Platform::name) + ": " + std::to_string(graph.nodes.size()) +
      " computations, " +
      std::to_string(std::count(
          fused.begin(), fused.begin() + static_cast<std::ptrdiff_t>(graph.nodes.size()), true)) +
      " of them fused " + std::string(its.choice()) + ", " + std::to_string(peak) +
      " bytes of intermediate results (" + std::to_string(its.peak_bytes_unfused()) +
      " without fusion)\n";
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const program_node& node = graph.nodes[i];
    text.append("  ").append(node.name).append(": ").append(node.expression);
    for (std::size_t k = 0; k < node.results.size(); ++k) {
      text.append(k == 0 ? " of " : ", ").append(graph.nodes[node.results[k]].name);
    }
    if (const program_rewrite* const by = graph.rewrite_of(i, fused); by != nullptr) {
      if (by->first == by->last) {
        text.append("; by ").append(by->name.substr(by->name.find(':') + 1));
      } else {
        text.append(by->is_one_pass ? "; in one pass with" : "; side by side with");
        for (std::size_t other = by->first; other <= by->last; ++other) {
          if (other != i) text.append(" ").append(graph.nodes[other].name);
        }
      }
    }
    if (fused[i]) {
      text += "; fused into";
      for (const std::size_t reader : graph.readers_of(i)) {
        text.append(" ").append(graph.nodes[reader].name);
      }
    } else if (node.bytes == 0) {
      text += "; into its destination";
    } else {
      fusion with = fused;
      with[i] = true;
      std::string why = its.obstacle(i, with);
      if (why.empty() && !its.is_allowed(with)) why = "it would take more memory";
      text.append("; ").append(std::to_string(node.bytes)).append(" bytes at ");
      text.append(std::to_string(offsets[i]));
      text.append(why.empty() ? ", could be fused" : ", not fused: ").append(why);
    }
    text += '\n';
  }
  return text;
}

}  // namespace fettle::ndp::detail
