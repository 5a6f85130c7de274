// Features of the examples that estimate: sequences of keys from a sample, and edges of hubs.
#include "../../examples/bfs/features.hpp"

#include "../../examples/sort/algorithms.hpp"
#include "support/catch.hpp"

namespace {

double sequences(const char* input, std::size_t pieces = 64, std::size_t length = 64) {
  const auto keys = sorting::make_keys(input);
  const auto& v = std::get<std::vector<double>>(keys.values);
  const auto taken = sorting::sampling::of(v.size(), pieces, length);
  return sorting::estimated_sequences(v.size(), taken, [&](std::size_t piece, std::size_t n) {
    return v[piece * taken.stride(v.size()) + n];
  });
}

}  // namespace

TEST_CASE("sequences of few keys") {
  CHECK(sequences("uniform:0:double") == 1);
  CHECK(sequences("uniform:1:double") == 1);
  CHECK(sequences("reverse:2:double") == 2);
  CHECK(sequences("sorted:100:double") == 1);
}

TEST_CASE("sequences of keys in order, and in the opposite order") {
  CHECK(sequences("sorted:100000:double") == 1);
  CHECK(sequences("reverse:100000:double") == 100000);
}

TEST_CASE("every second of random keys begins a sequence") {
  CHECK(std::abs(sequences("uniform:100000:double:seed=3") / 50000 - 1) < 0.05);
}

TEST_CASE("where two runs meet in a piece is not scaled up") {
  for (const char* input : {"runs:100000:double:seed=1", "runs:100000:double:seed=2",
                            "runs:100000:double:seed=3", "runs:100000:double:seed=4"}) {
    INFO(input);
    CHECK(sequences(input) >= 2);
    CHECK(sequences(input) <= 33);
  }
}

TEST_CASE("keys that are not where they belong are scaled up") {
  const double found = sequences("nearly:1000000:double:seed=5");
  CHECK(found > 300);
  CHECK(found < 6000);
}

TEST_CASE("a star's edges are half its hub's") {
  std::vector<bfs::edge> edges;
  for (bfs::vertex v = 1; v < 100; ++v) {
    edges.push_back({0, v});
    edges.push_back({v, 0});
  }
  const auto star = bfs::graph_of(100, edges);
  CHECK(bfs::hub_edges(star) == 0.5);
  CHECK(bfs::mean_degree(star) == 1.98);
  CHECK(bfs::largest_deviation(star) == 99 - 1.98);
}

TEST_CASE("a ring has no hubs, and neither has a graph without edges") {
  std::vector<bfs::edge> edges;
  for (bfs::vertex v = 0; v < 10; ++v) edges.push_back({v, (v + 1) % 10});
  CHECK(bfs::hub_edges(bfs::graph_of(10, edges)) == 0);
  CHECK(bfs::degree_deviation(bfs::graph_of(10, edges)) == 0);
  CHECK(bfs::hub_edges(bfs::graph_of(5, {})) == 0);
  CHECK(bfs::hub_edges(bfs::graph_of(0, {})) == 0);
}
