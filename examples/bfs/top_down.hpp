// Breadth-first search from the frontier outwards on one thread, and on all threads.
#pragma once

#include <atomic>

#include "../spmv/threads.hpp"
#include "graph.hpp"

namespace bfs {

using level = std::int32_t;
using levels = std::vector<level>;
inline constexpr level unreached = -1;

/// A queue of vertices, in the order of their levels.
inline void top_down(const graph& g, vertex source, levels& reached) {
  reached.assign(static_cast<std::size_t>(g.vertices), unreached);
  std::vector<vertex> queue(static_cast<std::size_t>(g.vertices));
  std::size_t end = 0;
  queue[end++] = source;
  reached[static_cast<std::size_t>(source)] = 0;
  for (std::size_t at = 0; at < end; ++at) {
    const auto v = static_cast<std::size_t>(queue[at]);
    const level next = reached[v] + 1;
    for (std::size_t k = g.out.offsets[v]; k < g.out.offsets[v + 1]; ++k) {
      level& mine = reached[static_cast<std::size_t>(g.out.targets[k])];
      if (mine == unreached) {
        mine = next;
        queue[end++] = g.out.targets[k];
      }
    }
  }
}

/// Expansion and contraction as separate phases, as in Merrill, Garland, Grimshaw, PPoPP 2012: the
/// frontier's edges are written out, then looked up with the lookups of later ones under way.
inline void two_phase(const graph& g, vertex source, levels& reached) {
  reached.assign(static_cast<std::size_t>(g.vertices), unreached);
  std::vector<vertex> frontier = {source};
  std::vector<vertex> edges;
  reached[static_cast<std::size_t>(source)] = 0;
  for (level next = 1; !frontier.empty(); ++next) {
    constexpr std::size_t ahead = 16;
    edges.clear();
    for (std::size_t n = 0; n < frontier.size(); ++n) {
      if (n + ahead < frontier.size())
        __builtin_prefetch(&g.out.offsets[static_cast<std::size_t>(frontier[n + ahead])]);
      if (n + ahead / 2 < frontier.size())
        __builtin_prefetch(g.out.targets.data() +
                           g.out.offsets[static_cast<std::size_t>(frontier[n + ahead / 2])]);
      const auto v = static_cast<std::size_t>(frontier[n]);
      const auto first = g.out.targets.begin() + static_cast<std::ptrdiff_t>(g.out.offsets[v]);
      edges.insert(edges.end(), first,
                   first + static_cast<std::ptrdiff_t>(g.out.degree(frontier[n])));
    }
    frontier.clear();
    for (std::size_t k = 0; k < edges.size(); ++k) {
      if (k + ahead < edges.size())
        __builtin_prefetch(&reached[static_cast<std::size_t>(edges[k + ahead])], 1);
      level& mine = reached[static_cast<std::size_t>(edges[k])];
      if (mine == unreached) {
        mine = next;
        frontier.push_back(edges[k]);
      }
    }
  }
}

namespace detail {

/// The frontier that a team of threads expands, level by level.
class shared_frontier {
 public:
  shared_frontier(const graph& g, vertex source, levels& reached)
      : g_(g),
        reached_(reached),
        current_(static_cast<std::size_t>(g.vertices)),
        next_(current_.size()) {
    reached.assign(current_.size(), unreached);
    reached[static_cast<std::size_t>(source)] = 0;
    current_[0] = source;
  }

  bool is_empty() const { return size_ == 0; }

  /// Each thread of the team calls this: pieces of the frontier are taken from a counter.
  void expand() {
    constexpr std::size_t piece = 64;
    std::array<vertex, 256> found;
    std::size_t count = 0;
    const auto flush = [&] {
      std::copy_n(found.begin(), count,
                  next_.begin() + static_cast<std::ptrdiff_t>(next_size_.fetch_add(count)));
      count = 0;
    };
    for (std::size_t first; (first = taken_.fetch_add(piece)) < size_;) {
      for (std::size_t n = first; n < std::min(first + piece, size_); ++n) {
        const auto v = static_cast<std::size_t>(current_[n]);
        for (std::size_t k = g_.out.offsets[v]; k < g_.out.offsets[v + 1]; ++k) {
          const vertex w = g_.out.targets[k];
          std::atomic_ref mine(reached_[static_cast<std::size_t>(w)]);
          level expected = unreached;
          if (mine.load(std::memory_order_relaxed) != unreached ||
              !mine.compare_exchange_strong(expected, next_level_, std::memory_order_relaxed))
            continue;
          found[count++] = w;
          if (count == found.size()) flush();
        }
      }
    }
    flush();
  }

  /// One thread calls this between two expansions.
  void advance() {
    current_.swap(next_);
    size_ = next_size_.exchange(0);
    taken_ = 0;
    ++next_level_;
  }

 private:
  const graph& g_;
  levels& reached_;
  std::vector<vertex> current_;
  std::vector<vertex> next_;
  std::size_t size_ = 1;
  std::atomic<std::size_t> taken_ = 0;
  std::atomic<std::size_t> next_size_ = 0;
  level next_level_ = 1;
};

}  // namespace detail

/// All threads, started anew for each level.
inline void parallel_iterative(const graph& g, vertex source, levels& reached) {
  detail::shared_frontier frontier(g, source, reached);
  while (!frontier.is_empty()) {
#pragma omp parallel
    frontier.expand();
    frontier.advance();
  }
}

/// All threads, started once: they meet at a barrier between levels.
inline void parallel_fused(const graph& g, vertex source, levels& reached) {
  detail::shared_frontier frontier(g, source, reached);
#pragma omp parallel
  while (!frontier.is_empty()) {
    frontier.expand();
#pragma omp barrier
#pragma omp single
    frontier.advance();
  }
}

}  // namespace bfs
