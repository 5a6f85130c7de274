// Numbers of a graph that say which search is fast in it: the means and spreads of its degrees.
#pragma once

#include <algorithm>
#include <cmath>

#include "graph.hpp"

namespace bfs {

/// The sum of f(degree of v) over all vertices: whole numbers, whose order does not matter, so that
/// several are added at once.
template <class Function>
double sum_over_degrees(const graph& g, const Function& f) {
  const auto* const offsets = g.out.offsets.data();
  std::uint64_t sum = 0;
#pragma omp simd reduction(+ : sum)
  for (vertex v = 0; v < g.vertices; ++v)
    sum += f(static_cast<std::uint64_t>(offsets[v + 1] - offsets[v]));
  return static_cast<double>(sum);
}

inline double mean_degree(const graph& g) {
  return g.vertices == 0 ? 0 : static_cast<double>(g.edges()) / g.vertices;
}

/// The mean over the vertices of the degree's square.
inline double mean_square(const graph& g) {
  return g.vertices == 0 ? 0
                         : sum_over_degrees(g, [](std::uint64_t d) { return d * d; }) / g.vertices;
}

inline double degree_deviation(const graph& g) {
  const double mean = mean_degree(g);
  return std::sqrt(std::max(0.0, mean_square(g) - mean * mean));
}

inline double largest_deviation(const graph& g) {
  const auto* const offsets = g.out.offsets.data();
  std::size_t largest = 0;
#pragma omp simd reduction(max : largest)
  for (vertex v = 0; v < g.vertices; ++v)
    largest = std::max(largest, static_cast<std::size_t>(offsets[v + 1] - offsets[v]));
  return static_cast<double>(largest) - mean_degree(g);
}

/// The part of the edges that leave vertices of eight times the mean degree or more. Where it is
/// large, a search that looks for parents finds one at once, for hubs are reached early.
inline double hub_edges(const graph& g) {
  if (g.edges() == 0) return 0;
  const auto least = static_cast<std::uint64_t>(std::ceil(8 * mean_degree(g)));
  return sum_over_degrees(g, [&](std::uint64_t d) { return d >= least ? d : 0; }) /
         static_cast<double>(g.edges());
}

/// The part of the vertices that two steps from one reach on average, at most 1, were the edges
/// drawn at random: how soon a search is all over the graph.
inline double reach_of_two_steps(const graph& g) {
  return g.vertices == 0 ? 0 : std::min(1.0, mean_square(g) / g.vertices);
}

}  // namespace bfs
