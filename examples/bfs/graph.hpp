// Directed graphs as adjacency lists in both directions: from Matrix Market files and from texts.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "../spmv/matrix_market.hpp"
#include "../spmv/random.hpp"
#include "../support/input_text.hpp"

namespace bfs {

using vertex = std::int32_t;

/// The neighbours of v are targets[k] for k in [offsets[v], offsets[v + 1]), with repetitions where
/// there are several edges.
struct adjacency {
  std::vector<std::size_t> offsets = {0};
  std::vector<vertex> targets;

  std::size_t degree(vertex v) const {
    return offsets[static_cast<std::size_t>(v) + 1] - offsets[static_cast<std::size_t>(v)];
  }
};

struct graph {
  vertex vertices = 0;
  adjacency out;
  adjacency in;

  std::size_t edges() const { return out.targets.size(); }
};

struct edge {
  vertex from;
  vertex to;
};

namespace detail {

template <class From, class To>
adjacency adjacency_of(vertex vertices, const std::vector<edge>& edges, From from, To to) {
  adjacency lists;
  lists.offsets.assign(static_cast<std::size_t>(vertices) + 1, 0);
  for (const edge& e : edges) ++lists.offsets[static_cast<std::size_t>(from(e)) + 1];
  for (std::size_t v = 1; v < lists.offsets.size(); ++v) lists.offsets[v] += lists.offsets[v - 1];
  lists.targets.resize(edges.size());
  std::vector<std::size_t> end(lists.offsets.begin(), lists.offsets.end() - 1);
  for (const edge& e : edges) lists.targets[end[static_cast<std::size_t>(from(e))]++] = to(e);
  return lists;
}

}  // namespace detail

inline graph graph_of(vertex vertices, const std::vector<edge>& edges) {
  const auto from = [](const edge& e) { return e.from; };
  const auto to = [](const edge& e) { return e.to; };
  return {vertices, detail::adjacency_of(vertices, edges, from, to),
          detail::adjacency_of(vertices, edges, to, from)};
}

inline constexpr const char* input_help =
    "INPUT: a Matrix Market file (plain or .xz): row r has an edge to each column of an entry; a\n"
    "       matrix that is not square is a graph of rows and columns; or "
    "FAMILY:SIZE:TYPE[:degree=D]\n"
    "       with SIZE vertices, TYPE directed or undirected; families: rmat uniform grid "
    "geometric\n"
    "       small_world hubs ladder\n";

namespace detail {

inline graph read(const std::string& path) {
  const auto a = spmv::read_matrix_market(path);
  const bool is_square = a.rows == a.columns_count;
  std::vector<edge> edges;
  edges.reserve(a.columns.size() * (is_square ? 1 : 2));
  for (spmv::index r = 0; r < a.rows; ++r)
    for (auto k = a.row_offsets[static_cast<std::size_t>(r)];
         k < a.row_offsets[static_cast<std::size_t>(r) + 1]; ++k) {
      const spmv::index column = a.columns[static_cast<std::size_t>(k)];
      edges.push_back({r, is_square ? column : a.rows + column});
      if (!is_square) edges.push_back({a.rows + column, r});
    }
  return graph_of(is_square ? a.rows : a.rows + a.columns_count, edges);
}

/// The edges of a family, each in one direction.
inline std::vector<edge> edges_of(examples::input_text& text, vertex size) {
  const double degree = text.take("degree", 16, 0, 4096);
  spmv::random_numbers random(text.take_seed());
  std::vector<edge> edges;
  const auto any = [&] { return static_cast<vertex>(random.below(size)); };
  const auto count = static_cast<std::int64_t>(degree * static_cast<double>(size));
  if (text.family == "rmat") {  // Chakrabarti, Zhan, Faloutsos, SDM 2004, as Graph500 uses it
    const int bits = std::max(1, static_cast<int>(std::lround(std::log2(std::max(2, size)))));
    const auto within = [&](std::int64_t v) { return static_cast<vertex>(v % size); };
    for (std::int64_t e = 0; e < count; ++e) {
      std::int64_t from = 0;
      std::int64_t to = 0;
      for (int bit = 0; bit < bits; ++bit) {
        const double u = random.unit();
        from = 2 * from + (u >= 0.76 ? 1 : 0);
        to = 2 * to + ((u >= 0.57 && u < 0.76) || u >= 0.95 ? 1 : 0);
      }
      // A multiplication by an odd number spreads the hubs over the numbers.
      edges.push_back({within(from * 0x9E3779B1), within(to * 0x9E3779B1)});
    }
  } else if (text.family == "uniform") {
    for (std::int64_t e = 0; e < count; ++e) edges.push_back({any(), any()});
  } else if (text.family == "grid") {  // roads: a square grid that lacks every fifth edge
    const auto side = std::max<vertex>(1, static_cast<vertex>(std::sqrt(size)));
    for (vertex v = 0; v < size; ++v) {
      if ((v + 1) % side != 0 && v + 1 < size && random.unit() < 0.8) edges.push_back({v, v + 1});
      if (v + side < size && random.unit() < 0.8) edges.push_back({v, v + side});
    }
  } else if (text.family == "geometric") {  // random points, neighbours within a radius
    const auto side = std::max<std::int64_t>(
        1, static_cast<std::int64_t>(std::sqrt(static_cast<double>(size) / std::max(1.0, degree))));
    std::vector<std::vector<vertex>> cells(static_cast<std::size_t>(side * side));
    for (vertex v = 0; v < size; ++v)
      cells[static_cast<std::size_t>(v * std::int64_t{side} / size * side + random.below(side))]
          .push_back(v);
    for (std::size_t cell = 0; cell < cells.size(); ++cell)
      for (const vertex v : cells[cell])
        for (const std::size_t other : {cell, cell + 1, cell + static_cast<std::size_t>(side)})
          if (other < cells.size())
            for (const vertex w : cells[other])
              if (v != w && random.unit() < 0.3) edges.push_back({v, w});
  } else if (text.family == "small_world") {  // a ring whose edges lead anywhere with p = 0.05
    for (vertex v = 0; v < size; ++v)
      for (int k = 1; k <= std::max(1.0, degree / 2); ++k)
        edges.push_back({v, random.unit() < 0.05 ? any() : static_cast<vertex>((v + k) % size)});
  } else if (text.family == "hubs") {  // a few vertices that know nearly all
    for (vertex v = 0; v < size; ++v)
      for (int k = 0; k < std::max(1.0, degree / 4); ++k)
        edges.push_back({v, static_cast<vertex>(random.below(1 + size / 1000))});
  } else if (text.family == "ladder") {  // long and narrow
    for (vertex v = 0; v + 2 < size; ++v) {
      edges.push_back({v, v + 2});
      if (v % 2 == 0) edges.push_back({v, v + 1});
    }
  } else {
    text.fail("'" + text.family +
              "' is neither a file nor a family: rmat uniform grid geometric small_world hubs "
              "ladder");
  }
  return edges;
}

}  // namespace detail

/// The graph of a file or of a text.
inline graph load_graph(const std::string& name) {
  if (name.ends_with(".mtx") || name.ends_with(".xz")) return detail::read(name);
  examples::input_text text(name);
  const auto size = static_cast<vertex>(text.whole(text.size, "number of vertices", 0, 1 << 28));
  if (text.type != "directed" && text.type != "undirected" && !text.type.empty())
    text.fail("'" + text.type + "' is not a type: directed or undirected");
  std::vector<edge> edges;
  if (size > 0) edges = detail::edges_of(text, size);
  if (size > 0) text.end();
  if (text.type != "directed") {
    const std::size_t count = edges.size();
    for (std::size_t e = 0; e < count; ++e) edges.push_back({edges[e].to, edges[e].from});
  }
  return graph_of(size, edges);
}

}  // namespace bfs
