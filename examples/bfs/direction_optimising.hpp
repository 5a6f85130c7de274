// Direction-optimising breadth-first search (Beamer, Asanovic, Patterson, SC 2012): where the
// frontier has many edges, the vertices that are not reached yet look for a neighbour in it.
#pragma once

#include "top_down.hpp"

namespace bfs {
namespace detail {

/// One bit a vertex.
class vertex_set {
 public:
  explicit vertex_set(vertex vertices) : words_((static_cast<std::size_t>(vertices) + 63) / 64) {}
  bool has(vertex v) const {
    return ((words_[static_cast<std::size_t>(v) / 64] >> (static_cast<unsigned>(v) % 64)) & 1) != 0;
  }
  void add(vertex v) {
    words_[static_cast<std::size_t>(v) / 64] |= std::uint64_t{1} << (static_cast<unsigned>(v) % 64);
  }
  std::size_t words() const { return words_.size(); }
  std::uint64_t& word(std::size_t n) { return words_[n]; }
  void swap(vertex_set& other) { words_.swap(other.words_); }
  void clear() { std::fill(words_.begin(), words_.end(), 0); }

 private:
  std::vector<std::uint64_t> words_;
};

/// Every unreached vertex with a neighbour in `frontier` gets `next` and becomes one of `found`,
/// whose words are all written. Returns how many there are and adds their out-degrees to `edges`.
inline std::size_t bottom_up_step(const graph& g, levels& reached, vertex_set& frontier,
                                  vertex_set& found, level next, bool parallel,
                                  std::size_t& edges) {
  std::size_t count = 0;
  std::size_t degrees = 0;
  const auto words = static_cast<std::int64_t>(found.words());
#pragma omp parallel for schedule(dynamic, 64) reduction(+ : count, degrees) if (parallel)
  for (std::int64_t n = 0; n < words; ++n) {
    std::uint64_t word = 0;
    const auto first = static_cast<vertex>(n * 64);
    const vertex last = std::min<vertex>(g.vertices - first, 64) + first;
    for (vertex v = first; v < last; ++v) {
      const auto at = static_cast<std::size_t>(v);
      if (reached[at] != unreached) continue;
      for (std::size_t k = g.in.offsets[at]; k < g.in.offsets[at + 1]; ++k) {
        if (!frontier.has(g.in.targets[k])) continue;
        reached[at] = next;
        word |= std::uint64_t{1} << (v - first);
        ++count;
        degrees += g.out.degree(v);
        break;
      }
    }
    found.word(static_cast<std::size_t>(n)) = word;
  }
  edges += degrees;
  return count;
}

inline void search_both_ways(const graph& g, vertex source, levels& reached, bool parallel) {
  constexpr std::size_t alpha = 15;
  constexpr std::size_t beta = 18;
  reached.assign(static_cast<std::size_t>(g.vertices), unreached);
  reached[static_cast<std::size_t>(source)] = 0;
  std::vector<vertex> queue = {source};
  std::vector<vertex> next_queue;
  vertex_set frontier(g.vertices);
  vertex_set found(g.vertices);
  std::size_t frontier_edges = g.out.degree(source);
  std::size_t unexplored_edges = g.edges();
  level next = 1;
  while (!queue.empty()) {
    if (frontier_edges <= unexplored_edges / alpha) {
      unexplored_edges -= std::min(unexplored_edges, frontier_edges);
      frontier_edges = 0;
      next_queue.clear();
      for (const vertex from : queue) {
        const auto v = static_cast<std::size_t>(from);
        for (std::size_t k = g.out.offsets[v]; k < g.out.offsets[v + 1]; ++k) {
          const vertex w = g.out.targets[k];
          if (reached[static_cast<std::size_t>(w)] != unreached) continue;
          reached[static_cast<std::size_t>(w)] = next;
          frontier_edges += g.out.degree(w);
          next_queue.push_back(w);
        }
      }
      queue.swap(next_queue);
      ++next;
      continue;
    }
    frontier.clear();
    for (const vertex v : queue) frontier.add(v);
    std::size_t count = queue.size();
    for (std::size_t before = 0;
         count > 0 && (count >= before || count > static_cast<std::size_t>(g.vertices) / beta);
         ++next) {
      unexplored_edges -= std::min(unexplored_edges, frontier_edges);
      frontier_edges = 0;
      before = count;
      count = bottom_up_step(g, reached, frontier, found, next, parallel, frontier_edges);
      frontier.swap(found);
    }
    queue.clear();
    if (count == 0) return;
    for (vertex v = 0; v < g.vertices; ++v)
      if (frontier.has(v)) queue.push_back(v);
  }
}

}  // namespace detail

/// On one thread.
inline void direction_optimising(const graph& g, vertex source, levels& reached) {
  detail::search_both_ways(g, source, reached, false);
}

/// On all threads where the search looks for the frontier, which is where most edges are.
inline void parallel_direction_optimising(const graph& g, vertex source, levels& reached) {
  detail::search_both_ways(g, source, reached, true);
}

}  // namespace bfs
