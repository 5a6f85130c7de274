// Numbers of a graph that say which search is fast in it: the means and spreads of its degrees.
#pragma once

#include "graph.hpp"

namespace bfs {

/// The mean of f(degree of v) over all vertices.
template <class Function>
double mean_over_degrees(const graph& g, const Function& f) {
  double sum = 0;
  for (vertex v = 0; v < g.vertices; ++v) sum += f(static_cast<double>(g.out.degree(v)));
  return g.vertices == 0 ? 0 : sum / g.vertices;
}

inline double mean_degree(const graph& g) {
  return g.vertices == 0 ? 0 : static_cast<double>(g.edges()) / g.vertices;
}

inline double degree_deviation(const graph& g) {
  const double mean = mean_degree(g);
  return std::sqrt(mean_over_degrees(g, [&](double d) { return (d - mean) * (d - mean); }));
}

inline double largest_deviation(const graph& g) {
  double largest = 0;
  mean_over_degrees(g, [&](double d) { return largest = std::max(largest, d); });
  return largest - mean_degree(g);
}

/// The part of the edges that leave vertices of eight times the mean degree or more. Where it is
/// large, a search that looks for parents finds one at once, for hubs are reached early.
inline double hub_edges(const graph& g) {
  const double least = 8 * mean_degree(g);
  const double mean = mean_over_degrees(g, [&](double d) { return d >= least ? d : 0.0; });
  return g.edges() == 0 ? 0 : mean / mean_degree(g);
}

}  // namespace bfs
