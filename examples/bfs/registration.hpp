// What the programs for both processors register alike: names, the policy, the features.
#pragma once

#include "../support/tuned_example.hpp"
#include "features.hpp"
#if __has_include("fettle_config.hpp")
#include "fettle_config.hpp"  // the tuning script's options
#endif

namespace bfs {

inline const graph& host_of(const graph& g) { return g; }

/// `Signature` is that of the tuned function, whose first argument host_of() knows as a graph.
template <class Signature>
struct registration {
  using signature = Signature;
#if __has_include("fettle_config.hpp")
  using policy = fettle::tuning_policies::bfs;
#else
  struct policy {
    static constexpr std::string_view name = "bfs";
    static constexpr bool larger_is_better = true;
  };
#endif
  static constexpr const char* name = "bfs";
  static constexpr const char* inputs = input_help;
  static constexpr bool changes_input = false;
  static constexpr std::size_t sources = 8;
  static constexpr double calls = 100.0 / sources;  // 100 searches in a graph, as in the paper

  static constexpr examples::feature<signature> features[7] = {
      {"avg_out_deg", [](const auto& g, const auto&) { return mean_degree(host_of(g)); }},
      {"deg_sd", [](const auto& g, const auto&) { return degree_deviation(host_of(g)); }},
      {"max_deviation", [](const auto& g, const auto&) { return largest_deviation(host_of(g)); }},
      {"hub_edges", [](const auto& g, const auto&) { return hub_edges(host_of(g)); }},
      {"two_steps", [](const auto& g, const auto&) { return reach_of_two_steps(host_of(g)); }},
      {"vertices", [](const auto& g, const auto&) { return double(host_of(g).vertices); }},
      {"edges", [](const auto& g, const auto&) { return double(host_of(g).edges()); }},
  };

  /// The vertices that a call searches from; none in a graph without vertices.
  static std::vector<vertex> sources_in(const graph& g) {
    std::vector<vertex> drawn;
    spmv::random_numbers random(static_cast<std::uint64_t>(g.vertices) + g.edges());
    for (std::size_t n = 0; n < sources && g.vertices > 0; ++n)
      drawn.push_back(static_cast<vertex>(random.below(g.vertices)));
    return drawn;
  }
};

}  // namespace bfs
